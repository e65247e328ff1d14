"""Conditions over numbers: comparisons joined by and, or and not; true, false, or undecided where a number is absent.

The claim tag rewrites Python's own and, or, not and a < b < c into these, since Python would silently drop a half.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from report.asking import HERE, AuthorError, Reading, Scenario, guarded
from report.described import describe, resolved
from report.numbers import Num, alike, pair


class Cond:
    """A condition over numbers: true, false, or undecided (None) where a number is absent."""

    live: bool
    bad = False  # True for what stands in the place of a mistake that has been reported

    def holds(self, reader: Scenario = HERE) -> bool | None:
        """Say whether the condition is true on a reader's scenario."""
        raise NotImplementedError

    def margin(self, reader: Scenario = HERE) -> float | None:
        """Return how far the condition is from flipping, 0 to 1 where it is true, below 0 where it is false.

        A comparison's margin is the distance of its sides in parts of the larger. None where undecided.
        """
        raise NotImplementedError

    def js(self) -> str:
        """Return the condition as JavaScript over three-valued helpers."""
        raise NotImplementedError

    def say(self) -> str:
        """Return the condition as the author wrote it."""
        raise NotImplementedError

    def sides(self) -> tuple[Num, ...]:
        """Return the numbers that the condition compares."""
        raise NotImplementedError

    def __bool__(self) -> bool:
        return bool(guarded(lambda: _choose(self)))


def _choose(cond: Cond) -> bool:
    """Return a pinned condition's truth, for an `if` of the template."""
    if cond.live:
        raise AuthorError(f"'{cond.say()}' follows the reader: it cannot choose text at build", "use a claim")
    holds = cond.holds()
    if holds is None:
        raise AuthorError(f"'{cond.say()}' is undecided: a number in it has no value")
    return holds


_HELPERS: Mapping[str, str] = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
_TESTS: Mapping[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


@dataclass(frozen=True, eq=False)
class Compare(Cond):
    """One comparison of two numbers of the same unit."""

    op: str
    left: Num
    right: Num
    live: bool

    def holds(self, reader: Scenario = HERE) -> bool | None:
        """Say whether the comparison is true; undecided where a side is absent."""
        left, right = self.left.read(reader).number, self.right.read(reader).number
        return None if left is None or right is None else _TESTS[self.op](left, right)

    def margin(self, reader: Scenario = HERE) -> float | None:
        """Return the distance of both sides in parts of the larger, negative where the comparison is false."""
        left, right = self.left.read(reader).number, self.right.read(reader).number
        holds = self.holds(reader)
        if left is None or right is None or holds is None:
            return None
        return apart(left, right) if holds else -apart(left, right)

    def js(self) -> str:
        """Return the comparison as JavaScript: lt(q("T_min"), k(768, null))."""
        return f"{_HELPERS[self.op]}({self.left.js()}, {self.right.js()})"

    def say(self) -> str:
        """Return the comparison in symbols."""
        return f"{self.left.say()} {self.op} {self.right.say()}"

    def sides(self) -> tuple[Num, ...]:
        """Return both numbers."""
        return (self.left, self.right)


@dataclass(frozen=True, eq=False)
class Join(Cond):
    """Several conditions joined by and / or."""

    op: str
    parts: tuple[Cond, ...]
    live: bool

    def holds(self, reader: Scenario = HERE) -> bool | None:
        """Say whether the join is true; one part may decide it though others are undecided."""
        decisive = self.op == "or"
        found = [part.holds(reader) for part in self.parts]
        if decisive in found:
            return decisive
        return None if None in found else not decisive

    def margin(self, reader: Scenario = HERE) -> float | None:
        """Return the margin of the part that decides: the nearest of those that must all hold."""
        if self.holds(reader) is None:
            return None
        found = [margin for part in self.parts if (margin := part.margin(reader)) is not None]
        return min(found) if self.op == "and" else max(found)

    def js(self) -> str:
        """Return the join as nested helper calls."""
        text = self.parts[0].js()
        for part in self.parts[1:]:
            text = f"{self.op}({text}, {part.js()})"
        return text

    def say(self) -> str:
        """Return the parts with the word between them."""
        return f" {self.op} ".join(f"({p.say()})" if isinstance(p, Join) else p.say() for p in self.parts)

    def sides(self) -> tuple[Num, ...]:
        """Return the numbers of all parts."""
        return tuple(num for part in self.parts for num in part.sides())


@dataclass(frozen=True, eq=False)
class Not(Cond):
    """The opposite of a condition; undecided stays undecided."""

    part: Cond

    @property
    def live(self) -> bool:  # type: ignore[override]
        """Say whether the part follows the reader."""
        return self.part.live

    def holds(self, reader: Scenario = HERE) -> bool | None:
        """Say whether the part is false."""
        found = self.part.holds(reader)
        return None if found is None else not found

    def margin(self, reader: Scenario = HERE) -> float | None:
        """Return the part's margin with the other sign."""
        found = self.part.margin(reader)
        return None if found is None else -found

    def js(self) -> str:
        """Return the opposite as a helper call."""
        return f"not({self.part.js()})"

    def say(self) -> str:
        """Return the part with not before it."""
        return f"not ({self.part.say()})"

    def sides(self) -> tuple[Num, ...]:
        """Return the numbers of the part."""
        return self.part.sides()


def apart(left: float, right: float) -> float:
    """Return how far two numbers are apart in parts of the larger, at most 1."""
    if left == right:
        return 0.0
    larger = max(abs(left), abs(right))
    return 1.0 if math.isinf(larger) else min(1.0, abs(left - right) / larger)


def compare(op: str, left: object, right: object) -> Cond:
    """Return the comparison of two numbers; raise AuthorError for unlike units."""
    one, two = pair(left, right)
    for side in (one, two):
        if side.bad:
            return BAD
    alike(one, two, "compared")
    return Compare(op, one, two, one.live or two.live)


def condition(value: object) -> Cond:
    """Return a condition for what an author wrote; bound words stand for theirs."""
    value = resolved(value)
    if isinstance(value, Cond):
        return value
    inner = getattr(value, "cond", None)
    if isinstance(inner, Cond):
        return inner
    raise AuthorError(f"{describe(value)} is not a condition", "compare two numbers with <, <=, > or >=")


def join(op: str, parts: Iterable[object]) -> Cond:
    """Return the conditions joined by 'and' or 'or'."""
    found = tuple(condition(part) for part in parts)
    if any(part.bad for part in found):
        return BAD
    return found[0] if len(found) == 1 else Join(op, found, any(part.live for part in found))


def both(left: object, right: object) -> Cond:
    """Return left and right; stands for Python's `and`, which would drop a half."""
    return guarded(lambda: join("and", (left, right)))


def either(left: object, right: object) -> Cond:
    """Return left or right; stands for Python's `or`."""
    return guarded(lambda: join("or", (left, right)))


def negate(part: object) -> Cond:
    """Return not part; stands for Python's `not`."""
    return guarded(lambda: Not(condition(part)))


class Bad(Num, Cond):
    """What stands in the place of a mistake: every use of it gives itself, so that one mistake is named once."""

    unit = None
    live = False
    bad = True
    cond = None

    def read(self, reader: Scenario = HERE) -> Reading:
        """Return no number."""
        return Reading(None, "unknown")

    def holds(self, reader: Scenario = HERE) -> bool | None:
        """Return neither true nor false."""
        return None

    def margin(self, reader: Scenario = HERE) -> float | None:
        """Return no margin."""
        return None

    def script(self) -> str:
        """Return nothing: a page with a mistake is never written."""
        return ""

    def js(self) -> str:
        """Return nothing: a page with a mistake is never written."""
        return ""

    def say(self) -> str:
        """Return a mark."""
        return "?"

    def sides(self) -> tuple[Num, ...]:
        """Return no numbers."""
        return ()

    def __bool__(self) -> bool:
        return False

    def __eq__(self, other: object) -> bool:
        return False

    def __ne__(self, other: object) -> bool:
        return False

    __hash__ = object.__hash__

    def __getattr__(self, name: str) -> Bad:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *arguments: object, **given: object) -> Bad:
        """Return itself."""
        return self

    def __getitem__(self, key: object) -> Bad:
        return self

    def __iter__(self) -> Iterator[object]:
        return iter(())

    def keys(self) -> tuple[str, ...]:
        """Return one name, so that what is called with **this is called with a mistake."""
        return ("broken",)


BAD = Bad()
