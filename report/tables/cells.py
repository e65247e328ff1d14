"""How a table's cells come by their content: asked of the model, of the reader's scenario, or of a catalogue row."""

from __future__ import annotations

import re
from collections.abc import Mapping

from markupsafe import Markup, escape

from model.book import QUANTITIES
from model.figure import Figure
from model.formula import Fork, Formula
from model.records import Constant
from model.units import Unit, split
from report import maths, rounding, shown
from report.asking import World
from report.numbers import Num
from report.questions import Asked
from report.shown import Shown
from report.tables.table import Cell, Column, Part, Plain

Given = Mapping[str, str | float]
NOTHING_HELD: Given = {}
_PREFIX = rounding.Label("", "", 0, 6)  # 1.8 M: the unit stands over the column


def pinned(world: World, key: str, scenario: Given) -> Asked:
    """Return a quantity on a scenario of its own."""
    return Asked(world, key, tuple(sorted(scenario.items())), False)


def live(world: World, key: str, held: Given = NOTHING_HELD) -> Asked:
    """Return a quantity on the reader's scenario, some keys held fast."""
    return Asked(world, key, tuple(sorted(held.items())), True)


def number(num: Num, column: Column) -> Cell:
    """Return a number to the column's digits, in the column's unit."""
    return printed(shown.sig(_scaled(num, column), column.digits))


def whole(num: Num, column: Column) -> Cell:
    """Return a number to the last whole one, but never to fewer digits than three."""
    num = _scaled(num, column)
    value = num.read().value
    return printed(shown.sig(num, max(3, len(f"{value or 0:.0f}"))))


def given(world: World, column: Column, scenario: Given, key: str = "") -> Cell:
    """Return the cell of a number that somebody gave: no more digits than it has, and never many."""
    num = _scaled(pinned(world, key or column.key, scenario), column)
    value = num.read().value
    return printed(shown.sig(num, _digits(value)))


def _digits(value: float | None) -> int:
    """Return how many significant digits a number has, up to five."""
    if not value:
        return 1
    digits = f"{value:.4e}".split("e")[0].replace(".", "").rstrip("0")
    return max(1, len(digits))


def _scaled(num: Num, column: Column) -> Num:
    return num / f"1 {column.unit}" if split(column.unit)[1] != 1 else num


def asked(world: World, column: Column, scenario: Given, key: str = "") -> Cell:
    """Return the cell of a quantity on a row's scenario; the column's key says which, unless another is given."""
    return number(pinned(world, key or column.key, scenario), column)


def printed(number: Shown, *around: Part) -> Cell:
    """Return a cell of a number as it is shown, and what is printed after it."""
    reading = number.num.read()
    return Cell((number, *around), reading.value, reading.state)


def counted(number: Shown, of: str) -> Cell:
    """Return a cell of a number and what it counts, which is not read where the number has no value."""
    return printed(number, Markup('<span class="of">{}{}</span>').format(rounding.NBSP, of))


def share(num: Num, digits: int) -> Cell:
    """Return a ratio in percent; downloads hold the ratio."""
    return printed(shown.percent(num, digits))


def quantity(num: Num, digits: int) -> Cell:
    """Return a number with a prefix and unit of its own; downloads hold it in base units."""
    return printed(shown.qty(num, digits))


def exact(num: Num) -> Cell:
    """Return a number with every digit it has."""
    return printed(shown.exact(num))


def words(text: str, value: str | None = None) -> Cell:
    """Return a cell of text; downloads hold the same unless told."""
    return Cell((text,) if text else (), text if value is None else value)


def prose(text: str) -> Cell:
    """Return a cell of a catalogue's own words, with their powers and subscripts set."""
    return Cell((set_words(text),), text)


def set_words(text: str) -> Markup:
    """Return a catalogue's words with s^2 and B_crit set as they are read."""
    found = re.sub(r"\b(token|[A-Za-z])\^(\d)", r"\1<sup>\2</sup>", str(escape(text)))
    found = re.sub(r"\b([A-Za-z])_([A-Za-z]+)", r"\1<sub>\2</sub>", found)
    return Markup(found.replace("Theta(", "Θ("))  # escaped first


def twice(first: str, second: str) -> str:
    """Return two words as one, or the one where they are the same."""
    return first if first == second else f"{first} to {second}"


def year(value: int) -> Cell:
    """Return a year, which is not grouped and asked of nobody."""
    return Cell((str(value),), value)


def nothing(state: str) -> Cell:
    """Return a cell without a value, and the state that says why."""
    return Cell((), None, state)


def rated(num: Num, digits: int) -> Cell:
    """Return a number with a prefix for its size, its unit being the column's; downloads hold it in that unit."""
    return printed(Shown(num, "qty", digits, _PREFIX))


def figure(path: str, found: Figure | None) -> Cell:
    """Return a value of a catalogue row with every digit that the row has, and a prefix for its size."""
    return nothing("unknown") if found is None else rated(shown.cell(path, found), _digits(found.value))


def row_value(path: str, value: float, unit: Unit | None, text: str) -> Cell:
    """Return a plain number of a catalogue row, printed as it is written there."""
    return Cell((shown.Cell(path, None, unit, text.replace(" ", rounding.NBSP), value),), value)


def constant(row: Constant, text: str) -> Cell:
    """Return the value of a constant, with its range and the works that it rests on."""
    whole = Figure(
        value=row.value,
        unit=row.unit,
        text=text,
        status=row.status,
        sources=row.cited,
        low=row.low,
        high=row.high,
        note=row.derivation,
    )
    found = shown.Cell(
        f"constant({row.id}).value", whole, split(row.unit)[0], text.replace(" ", rounding.NBSP), row.value
    )
    return Cell((found,), row.value)


def hidden(value: Plain) -> Cell:
    """Return a cell for downloads alone."""
    return Cell((), value)


def spread(low: float, high: float) -> str:
    """Return a range in words."""
    return twice(rounding.typed(low), rounding.typed(high))


def right_side(key: str, branch: str = "") -> Cell:
    """Return the right side of a quantity's formula, of one branch where it forks; downloads hold it as TeX."""
    quantity = QUANTITIES[key]
    if isinstance(quantity, Fork):
        quantity = quantity.branches[branch or next(iter(quantity.branches))]
    assert isinstance(quantity, Formula)
    return Cell((formula(rf"\formula{{{key}}}" + (f"[{branch}]" if branch else "")),), quantity.tex)


def formula(tex: str) -> Markup:
    r"""Return TeX as MathML; \formula{key} stands for the right side of a quantity of the model."""
    return Markup(maths.mathml(tex, False, QUANTITIES, _no_values))  # made of the model's own symbols


def _no_values(_: object) -> str:
    raise ValueError("a table's formula holds no value: a value is a cell of its own")
