"""What an undefined name in a template comes to: a mistake noted where it is used, once, with the nearest known name.

Every operation on it gives the object that stands for a mistake, so that one run names all of a page's mistakes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar

from jinja2 import Undefined

from report.conditions import BAD, Bad
from report.described import describe
from report.desk import Desk
from report.environment import WHOLE
from report.errors import Near, nearest
from report.shown import KINDS
from report.tool import refuse

_STRINGS = re.compile(r"\"[^\"]*\"|'[^']*'")
# Behind these a name is a text: a few functions and tags, and the keys of a question, which may be numbers too.
_TAKES = r"(?:(?:cite|ref|machine|network|constant|rate|preset)\(|(?:otherwise|figure|table|board|claim)\s)\s*"
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_TAGS = ("claim", "note", "figure", "table", "lead", "board", "otherwise")
_GIVEN = r"\w+\s*=\s*"


def _written(name: str, tag: str, *, before: str) -> str:
    """Return a name as a tag holds it behind something, with what hyphens join to it; nothing where it is not so."""
    bare = _STRINGS.sub(lambda text: "_" * len(text[0]), tag)
    whole = rf"(?:[\w.]+-)*{re.escape(name)}(?:-[\w.]*\w)*"
    found = re.search(rf"\b{before}({whole})(?=\s*(?:[,)]|%\}}))", bare)
    return found[1] if found else ""


class Missing(Undefined):
    """An undefined name of one page; the page's own subclass knows desk and names."""

    __slots__ = ()
    desk: ClassVar[Desk]
    known: ClassVar[Mapping[str, object]]

    def resolve(self) -> Bad:
        """Note the mistake and return what stands for the name."""
        name, owner = str(self._undefined_name), self._undefined_obj
        if owner is Undefined()._undefined_obj:
            if self.desk.setting.vocabulary.may_hold(name, "words") or (self.desk.torn and name in self.desk.own()):
                return BAD
            return self.desk.fail(f"unknown name '{name}'", self._meant(name))
        plain = isinstance(owner, (*WHOLE, dict))  # what these can do is Python's, not the report's
        known = [] if plain else [key for key in dir(owner) if not key.startswith("_")]
        near = Near(f".{name}", 1, 1 + len(name))
        return self.desk.fail(f"{describe(owner)} has no '{name}'", nearest(name, known), near=near)

    def _meant(self, name: str) -> str:
        """Return what may have been meant: a name that is like it, or one that belongs in quotes."""
        if name.lower() in _NUMBERS:
            return f"write {1 + _NUMBERS.index(name.lower())}"
        if name.removeprefix("end") in _TAGS:
            return f"a tag stands between {{% and %}}: {{% {name} %}}"
        rows = {row for kind in KINDS.values() for row in getattr(self.desk.setting.catalogue, kind, {})}
        close = nearest(name, {*self.known, *self.desk.own(), *self.desk.setting.vocabulary.lost})
        tag = self.desk.running().text
        given = _written(name, tag, before=_GIVEN)
        if text := _written(name, tag, before=_TAKES) or (given if given != name or not close else ""):
            return f'names of rows stand in quotes: "{text}"' if text in rows else f'a name stands in quotes: "{text}"'
        quoted = sorted(row for row in rows if row == name or row.startswith(f"{name}-"))
        return f'names of rows stand in quotes: "{quoted[0]}"' if quoted else close

    def _bad(self, *others: object, **named: object) -> Bad:
        return self.resolve()

    def __getattr__(self, name: str) -> Bad:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.resolve()

    __call__ = _bad  # type: ignore[assignment]  # Jinja has it raise

    def keys(self) -> tuple[str, ...]:
        """Note the mistake; a question that takes all keys of this name has one that stands for it."""
        return self.resolve().keys()

    def __iter__(self) -> Iterator[object]:
        self.resolve()
        return iter(())

    def __bool__(self) -> bool:
        return bool(self.resolve())

    def __contains__(self, other: object) -> bool:
        return bool(self.resolve())

    def __str__(self) -> str:
        self.resolve()
        return ""

    __hash__ = object.__hash__


refuse(Missing, Missing._bad)


def missing(desk: Desk, names: Mapping[str, object]) -> type[Undefined]:
    """Return the class of undefined names on a page."""
    known = {name: value for name, value in names.items() if not name.startswith("_")}
    return type("MissingHere", (Missing,), {"__slots__": (), "desk": desk, "known": known})
