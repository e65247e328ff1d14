"""What an author's expression yields: a small immutable tree of numbers and conditions over the model.

Each node can be read on a reader's scenario, printed as JavaScript, and said in a message. A live node follows the
reader's scenario; a pinned one has the value that it had at build. Arithmetic and comparisons carry units and refuse
unlike ones. Leaves out: questions to the model (report/questions.py), what two readings make together
(report/combining.py), and how a number is written on the page (report/shown.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from model.units import ONE, Unit, parse, split
from report.asking import HERE, AuthorError, Reading, Scenario, guarded, js_text, plain
from report.combining import combined
from report.described import describe, real, resolved

if TYPE_CHECKING:
    from report.conditions import Cond
    from report.questions import Asked


_YEAR = re.compile(r"\d{4}")


class Num:
    """A number an author can print, calculate with and compare."""

    unit: Unit | None  # None: a bare number, which takes the unit of what it meets
    live: bool
    bad = False  # True for what stands in the place of a mistake that has been reported

    def read(self, reader: Scenario = HERE) -> Reading:
        """Return the number on a reader's scenario."""
        raise NotImplementedError

    def script(self) -> str:
        """Return the JavaScript of a live number."""
        raise NotImplementedError

    def say(self) -> str:
        """Return the number as the author wrote it, more or less."""
        raise NotImplementedError

    def asked(self) -> Iterator[Asked]:
        """Yield every question to the model in the tree."""
        yield from ()

    def js(self) -> str:
        """Return the number as JavaScript: live ones are asked again, pinned ones keep their value."""
        return self.script() if self.live else _constant(self.read())

    def __add__(self, other: object) -> Num:
        return guarded(lambda: _operate("+", self, other))

    def __radd__(self, other: object) -> Num:
        return guarded(lambda: _operate("+", other, self))

    def __sub__(self, other: object) -> Num:
        return guarded(lambda: _operate("-", self, other))

    def __rsub__(self, other: object) -> Num:
        return guarded(lambda: _operate("-", other, self))

    def __mul__(self, other: object) -> Num:
        return guarded(lambda: _operate("*", self, other))

    def __rmul__(self, other: object) -> Num:
        return guarded(lambda: _operate("*", other, self))

    def __truediv__(self, other: object) -> Num:
        return guarded(lambda: _operate("/", self, other))

    def __rtruediv__(self, other: object) -> Num:
        return guarded(lambda: _operate("/", other, self))

    def __lt__(self, other: object) -> Cond:
        return guarded(lambda: _compare("<", self, other))

    def __le__(self, other: object) -> Cond:
        return guarded(lambda: _compare("<=", self, other))

    def __gt__(self, other: object) -> Cond:
        return guarded(lambda: _compare(">", self, other))

    def __ge__(self, other: object) -> Cond:
        return guarded(lambda: _compare(">=", self, other))

    def __eq__(self, other: object) -> bool:
        return guarded(_refuse_equal)  # while a page is rendered: what stands for a mistake, not a truth

    def __ne__(self, other: object) -> bool:
        return guarded(_refuse_equal)  # while a page is rendered: what stands for a mistake, not a truth

    def __bool__(self) -> bool:
        return bool(guarded(lambda: _refuse_truth(self)))

    __hash__ = object.__hash__


def _refuse_equal() -> bool:
    raise AuthorError("computed numbers are not compared with == or !=", "write about(...) or a chained comparison")


def _refuse_truth(num: Num) -> bool:
    raise AuthorError(f"{num.say()} is a number, not a condition", "compare it with <, <=, > or >=")


@dataclass(frozen=True, eq=False)
class Const(Num):
    """A bare number that an author typed into an expression."""

    number: float
    unit: Unit | None = None
    live: bool = False
    text: str = ""

    def read(self, reader: Scenario = HERE) -> Reading:
        """Return the number."""
        return Reading(self.number)

    def say(self) -> str:
        """Return the number as written, or as short as it reads back."""
        return self.text or plain(self.number)


@dataclass(frozen=True, eq=False)
class Op(Num):
    """A sum, difference, product or quotient of two numbers."""

    op: str
    left: Num
    right: Num
    unit: Unit | None
    live: bool = False

    def read(self, reader: Scenario = HERE) -> Reading:
        """Return the result; an absence absorbs, a limit flows on as an infinite number."""
        return combined(self.op, self.left.read(reader), self.right.read(reader))

    def script(self) -> str:
        """Return the operation as JavaScript: op('/', q("T_min"), q("beta"))."""
        return f"op('{self.op}', {self.left.js()}, {self.right.js()})"

    def say(self) -> str:
        """Return the operation with brackets around inner ones."""
        return f"{_inner(self.left)} {self.op} {_inner(self.right)}"

    def asked(self) -> Iterator[Asked]:
        """Yield the questions of both sides."""
        yield from self.left.asked()
        yield from self.right.asked()


def _inner(num: Num) -> str:
    return f"({num.say()})" if isinstance(num, Op) else num.say()


def core(num: Num) -> Num:
    """Return what a number is about: a column in TB/s divides by "1 TB/s", which changes how it is written alone."""
    while isinstance(num, Op) and num.op == "/" and isinstance(num.right, Const) and num.right.unit is not None:
        num = num.left
    return num


def number(value: object) -> Num:
    """Return a number of the tree for what an author wrote; raise AuthorError for anything else."""
    value = resolved(value)
    if isinstance(value, Num):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Const(real(value))
    said = describe(value)
    filtered = re.search(r" \| \w+(?:\([^()]*\))?$", said)
    hint = f"a filter takes what stands next to it: write (a + b){filtered[0]}" if filtered else ""
    raise AuthorError(f"{said} is not a number", hint)


def dated(num: object) -> str:
    """Return the text of a year of the calendar, which stands as it is written: 2022, not 2,022; none of all else."""
    bare = isinstance(num, Const) or (isinstance(num, Num) and num.unit is None)
    text = str(getattr(num, "text", "")) if bare else ""
    return text if _YEAR.fullmatch(text) else ""


def pair(left: object, right: object) -> tuple[Num, Num]:
    """Return both sides as numbers; a quantity in quotes ("40 ms") is read in the unit of the other side."""
    sides = [resolved(left), resolved(right)]
    for index, side in enumerate(sides):
        if isinstance(side, str):
            sides[index] = quantity(side, getattr(sides[1 - index], "unit", None))
        elif type(side) is int and dated(sides[1 - index]):
            sides[index] = Const(real(side), text=str(side))
    return number(sides[0]), number(sides[1])


def quantity(text: str, wanted: Unit | None) -> Const:
    """Return a quantity as an author writes it in quotes; raise AuthorError for another unit than the wanted one."""
    try:
        unit = wanted if wanted is not None else split(text.lstrip("0123456789.eE+ "))[0]
        return Const(parse(text, unit), unit, text=text)
    except ValueError as error:
        raise AuthorError(str(error)) from error


def _operate(op: str, left: object, right: object) -> Num:
    one, two = pair(left, right)
    if one.bad or two.bad:
        return one if one.bad else two
    if op == "/" and isinstance(two, Const) and not two.number:
        raise AuthorError(f"{one.say()} is divided by {two.say()}", "nothing can be divided by zero")
    return Op(op, one, two, _unit(op, one, two), one.live or two.live)


def _unit(op: str, left: Num, right: Num) -> Unit | None:
    if op in "+-":
        alike(left, right, "added" if op == "+" else "subtracted")
    if left.unit is None and right.unit is None:
        return None
    if op in "+-":
        return left.unit if left.unit is not None else right.unit
    top, low = left.unit or ONE, right.unit or ONE
    return top * low if op == "*" else top / low


def alike(left: Num, right: Num, verb: str) -> None:
    """Raise AuthorError where two numbers have different units."""
    if left.unit is not None and right.unit is not None and left.unit != right.unit:
        raise AuthorError(f"{left.say()} is in {left.unit} and {right.say()} in {right.unit}: they cannot be {verb}")


def _compare(op: str, left: object, right: object) -> Cond:
    from report.conditions import compare  # conditions are built of numbers: only here do numbers know of them

    return compare(op, left, right)


def _constant(reading: Reading) -> str:
    value = None if reading.value is None else float(f"{reading.value:.10g}")
    return f"k({js_text(value)}, {js_text(reading.state)})"
