"""A function of prose that knows its name: without its brackets it is a mistake, which is told once."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from report.conditions import Bad
from report.desk import Desk
from report.errors import Near


class Tool:
    """A function under the name that a page calls it by; takes says what stands in its brackets."""

    def __init__(self, desk: Desk, name: str, run: Callable[..., object], takes: str) -> None:
        self._desk, self._name, self._run, self._takes = desk, name, run, takes

    def __call__(self, *arguments: object, **given: object) -> object:
        """Return what the function gives."""
        return self._run(*arguments, **given)

    def say(self) -> str:
        """Return how messages name it."""
        return f"'{self._name}' without its brackets"

    def resolve(self) -> Bad:
        """Note that its brackets are missing and return what stands for what it would give."""
        name = self._name
        hint = f"write {name}({self._takes})"
        return self._desk.fail(f"'{name}' stands without its brackets", hint, near=Near(name, 0, len(name)))

    def _bad(self, *_: object) -> Bad:
        return self.resolve()

    def __getattr__(self, name: str) -> Bad:
        if name.startswith(("_", "jinja_")):
            raise AttributeError(name)
        return self.resolve()

    def __iter__(self) -> Iterator[object]:
        self.resolve()
        return iter(())

    def __bool__(self) -> bool:
        return bool(self.resolve())

    def __str__(self) -> str:
        self.resolve()
        return ""

    __hash__ = object.__hash__


def refuse(kind: type, method: Callable[..., Bad]) -> None:
    """Let a method stand for all that is done with numbers: it says what is wrong with doing so."""
    for operator in _OPERATORS:
        setattr(kind, f"__{operator}__", method)


_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
_OTHER = ("neg", "pos", "lt", "le", "gt", "ge", "eq", "ne", "getitem")
_OPERATORS = (*_ARITHMETIC, *(f"r{name}" for name in _ARITHMETIC), *_OTHER)
refuse(Tool, Tool._bad)
