"""How a number of the tree is written on the page: by a filter, as its row writes it, in words bound to a condition.

Leaves out: the digits themselves (report/rounding.py) and which words there are (report/vocabulary.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from model.figure import Figure
from model.formula import Given
from model.units import Unit, split
from report import rounding
from report.asking import HERE, AuthorError, Reading, Scenario, js_text
from report.conditions import Cond
from report.numbers import Num, number

# Rows of the catalogue by the name of the function that fetches them.
KINDS: Mapping[str, str] = {
    "machine": "machines",
    "network": "networks",
    "constant": "constants",
    "price": "prices",
    "run": "runs",
    "rate": "rates",
    "trend": "trends",
    "trick": "tricks",
    "memory_level": "memory_levels",
}


_EXAMPLES = rounding.Label("example", "examples")


@dataclass(frozen=True, eq=False)
class Shown:
    """A number with the way it is printed: filter, digits where it takes them, label where it has one."""

    num: Num
    filter: str
    digits: int | None = None
    label: rounding.Label | None = None

    @property
    def live(self) -> bool:
        """Say whether the number follows the reader."""
        return self.num.live

    def text(self, reader: Scenario = HERE) -> str | None:
        """Return the printed number on a reader's scenario, None where it has no value."""
        value = self.num.read(reader).value
        if value is None:
            return None
        match self.filter:
            case "sig":
                return rounding.sig(value, self.digits or 1)
            case "percent":
                return rounding.percent(value, self.digits or 1)
            case "qty":
                return rounding.qty(value, self.digits or 1, self._label())
            case "count":
                return rounding.count(value, self.digits, self._counted(reader))
            case "upto":
                return rounding.upto(value, self.digits or 1, self._label())
        return rounding.exact(value)

    def _label(self) -> rounding.Label:
        assert self.label is not None
        return self.label

    def _counted(self, reader: Scenario) -> rounding.Label:
        """Return what is counted: a network without a text learns from examples where others have tokens."""
        asked = next(self.num.asked(), None)
        if asked is None or not self.live or self._label().one != "token":
            return self._label()
        family = asked.world.inputs(reader).get("family")
        return _EXAMPLES if family and family.value == "counted" else self._label()

    def js(self) -> str:
        """Return the entry of the page's script: ['sig', 3, null, () => q("T_min")]."""
        label = self.label.js() if self.label else None
        return f"['{self.filter}', {js_text(self.digits)}, {js_text(label)}, () => {self.num.js()}]"

    def say(self) -> str:
        """Return the number and its filter as the author wrote them."""
        return f"{self.num.say()} | {self.way()}"

    def way(self) -> str:
        """Return the filter as the author wrote it: sig(3)."""
        counted = [f'"{self.label.one}"'] if self.filter in ("count", "upto") and self.label else []
        digits = [] if self.digits is None else [str(self.digits)]
        inside = ", ".join(counted + digits)
        return f"{self.filter}({inside})" if inside else self.filter


@dataclass(frozen=True, eq=False)
class Cell(Num):
    """A value of a catalogue row, printed as the row writes it; None where the row has no such value.

    A number that many rows make together says itself what it is and what it rests on (says, given).
    """

    path: str
    figure: Figure | None
    unit: Unit | None
    text: str
    number: float | None
    live: bool = False
    says: str = ""
    given: Given | None = None
    behind: Num | None = None  # the question that it was made of

    def read(self, reader: Scenario = HERE) -> Reading:
        """Return the row's value."""
        return Reading(self.number, None if self.number is not None else "unknown")

    def say(self) -> str:
        """Return where the value stands: machine(h100-sxm5).bandwidth."""
        return self.path


def cell(path: str, figure: Figure | None) -> Cell:
    """Return a catalogue value as a number: a figure with its unit, or an absence."""
    if figure is None:
        return Cell(path, None, None, "", None)
    return Cell(path, figure, split(figure.unit)[0], figure.text, figure.value)


@dataclass(frozen=True, eq=False)
class Words:
    """Words that assert something: their text, with numbers in it, and the condition that they stand for."""

    name: str
    parts: tuple[str | Shown, ...]
    cond: Cond | None
    live: bool
    says: str
    given: tuple[Num, ...] = ()

    def say(self) -> str:
        """Return the call in short."""
        return f"{self.name}(...)"


def sig(value: object, n: int) -> Shown:
    """Print n significant digits without the unit; refused where digits mean nothing without a prefix."""
    num = number(value)
    if str(num.unit) in rounding.NEEDS_PREFIX:
        raise AuthorError(f"{num.say()} is in {num.unit}", f"show it with qty({n})")
    return Shown(num, "sig", _digits(n))


def qty(value: object, n: int) -> Shown:
    """Print n significant digits with prefix and unit."""
    num = number(value)
    if num.unit is None or not num.unit.powers:
        raise AuthorError(f"{num.say()} has no unit", f"show it with sig({n}) or percent({n})")
    return Shown(num, "qty", _digits(n), rounding.label(num.unit))


def percent(value: object, n: int) -> Shown:
    """Print a ratio in percent to n significant digits."""
    num = number(value)
    if num.unit is not None and num.unit.powers:
        raise AuthorError(f"{num.say()} is in {num.unit}, percent is for ratios", f"show it with qty({n})")
    return Shown(num, "percent", _digits(n))


def exact(value: object) -> Shown:
    """Print every digit of an input of the scenario."""
    return Shown(number(value), "exact")


def count(words: Mapping[str, tuple[rounding.Label, str]], value: object, word: str, n: int | None = None) -> Shown:
    """Print a count and what is counted, in the singular or plural; the word fixes the unit."""
    num = number(value)
    label, unit = words[word]
    if num.unit is not None and str(num.unit) != unit:
        raise AuthorError(f"{num.say()} is in {num.unit}, but '{word}' counts {unit}")
    return Shown(num, "count", None if n is None else _digits(n), label)


def _digits(n: object) -> int:
    if isinstance(n, bool) or not isinstance(n, int) or not 1 <= n <= 15:
        raise AuthorError(f"{n!r} is not a number of digits", "use 1 to 15")
    return n
