"""How the pages ask the model: one World of catalogue and formulas, questions by key and scenario, readings.

Leaves out: arithmetic and conditions on the answers (report/numbers.py).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar

from model.formula import Answer, Base, Memo, Quantity, Unasked, ask
from report import memory
from report.given import faults
from report.memory import Same

Scenario = Mapping[str, str | float]
HERE: Scenario = {}


class AuthorError(Exception):
    """Raised for a mistake in what an author wrote; the page turns it into a Problem with its line.

    at is from where to where it stands in a formula, if it does in one.
    """

    def __init__(self, message: str, hint: str = "", at: tuple[int, int] | None = None) -> None:
        super().__init__(message)
        self.message, self.hint, self.at = message, hint, at


@dataclass(frozen=True, slots=True)
class Reading:
    """A number on one scenario: infinite at a limit, None at an absence, and the state that says so."""

    number: float | None
    state: str | None = None
    answers: tuple[Answer, ...] = ()

    @property
    def value(self) -> float | None:
        """Return the number to print: None whenever there is a state."""
        return None if self.state else self.number


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Known:
    """The inputs of all formulas on a scenario, and the answers found so far."""

    base: Base
    answers: Memo = field(default_factory=dict)


class World:
    """The model and the catalogue as one thing to ask: answers by key and scenario, remembered."""

    def __init__(self, quantities: Mapping[str, Quantity], base: Callable[[Scenario], Base]) -> None:
        self.quantities, self._base = quantities, base
        self._known: dict[frozenset[tuple[str, str | float]], Known] = {}

    def known(self, scenario: Scenario) -> Known:
        """Return what is known of a scenario; raise AuthorError for one that cannot be."""
        name = frozenset(scenario.items())
        if memory.active():
            return memory.recalled("known", (Same(self), name), lambda: self._begun(scenario))
        if name not in self._known:
            self._known[name] = self._begun(scenario)
        return self._known[name]

    def forget(self) -> None:
        """Forget all answers: each can be had again, and those of all machines and networks are many."""
        self._known.clear()

    def _begun(self, scenario: Scenario) -> Known:
        try:
            return Known(self._base(scenario))
        except ValueError as error:
            raise _ours(error) from error

    def faults(self, scenario: Scenario, *, whole: bool = True) -> Iterator[AuthorError]:
        """Yield what a scenario cannot have (report/given.py); whole: no key of it was left out."""
        yield from map(_ours, faults(self._base, scenario, whole=whole))

    def inputs(self, scenario: Scenario) -> Base:
        """Return the inputs of all formulas on a scenario; raise AuthorError for one that cannot be."""
        return self.known(scenario).base

    def answer(self, key: str, scenario: Scenario) -> Answer:
        """Return the model's answer for a quantity on a scenario (only what differs from the default)."""
        known = self.known(scenario)
        try:
            return ask(self.quantities[key], known.base, known.answers)
        except Unasked as error:
            raise AuthorError(str(error)) from error


def _ours(error: ValueError) -> AuthorError:
    message, _, hint = str(error).partition("; ")
    return AuthorError(message, hint)


Found = TypeVar("Found")
_LISTENER: ContextVar[Callable[[AuthorError], Any] | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Callable[[AuthorError], Any]) -> Iterator[None]:
    """Hand the mistakes of an author's expressions to a listener, which returns what stands for the result.

    Operators cannot know their page; while a page is rendered it listens here, so that one run names every mistake.
    """
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def guarded(run: Callable[[], Found]) -> Found:
    """Return what run returns; a mistake goes to the listener if there is one."""
    try:
        return run()
    except AuthorError as error:
        listener = _LISTENER.get()
        if listener is None:
            raise
        found: Found = listener(error)
        return found


def js_text(value: object) -> str:
    """Return a value as a JavaScript literal, safe inside a script element too."""
    text = json.dumps(_whole(value), ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _whole(value: object) -> object:
    """Return a value with whole numbers written as such."""
    if isinstance(value, Mapping):
        return {key: _whole(part) for key, part in value.items()}
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value


def plain(value: str | float) -> str:
    """Return a word or a number as short as a message wants it."""
    return f"{value:.10g}" if isinstance(value, float) else str(value)
