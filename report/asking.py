"""How the pages ask the model: one World of catalogue and formulas, questions by key and scenario, readings.

Leaves out: arithmetic and conditions on the answers (report/numbers.py).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

from model.formula import Answer, Base, Memo, Quantity, Unasked, ask

Scenario = Mapping[str, str | float]
HERE: Scenario = {}


class AuthorError(Exception):
    """Raised for a mistake in what an author wrote; the page turns it into a Problem with its line."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


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


class World:
    """The model and the catalogue as one thing to ask: answers by key and scenario, remembered."""

    def __init__(self, quantities: Mapping[str, Quantity], base: Callable[[Scenario], Base]) -> None:
        self.quantities, self._base = quantities, base
        self._bases: dict[frozenset[tuple[str, str | float]], tuple[Base, Memo]] = {}

    def known(self, scenario: Scenario) -> tuple[Base, Memo]:
        """Return the inputs of a scenario and the answers found so far; raise AuthorError for one that cannot be."""
        name = frozenset(scenario.items())
        if name not in self._bases:
            try:
                self._bases[name] = (self._base(scenario), {})
            except ValueError as error:
                message, _, hint = str(error).partition("; ")
                raise AuthorError(message, hint) from error
        return self._bases[name]

    def inputs(self, scenario: Scenario) -> Base:
        """Return the inputs of all formulas on a scenario; raise AuthorError for one that cannot be."""
        return self.known(scenario)[0]

    def answer(self, key: str, scenario: Scenario) -> Answer:
        """Return the model's answer for a quantity on a scenario (only what differs from the default)."""
        try:
            return ask(self.quantities[key], *self.known(scenario))
        except Unasked as error:
            raise AuthorError(str(error)) from error


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
