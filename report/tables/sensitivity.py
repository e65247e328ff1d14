"""What matters most: the elasticity of the four numbers of the argument to each input, on the default scenario."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from model.book import QUANTITIES
from model.formula import Given
from model.sensitivity import Elasticity, elasticities
from report import maths, rounding, shown
from report.asking import HERE, World
from report.tables.table import Cell, Column, Row, Table

NUMBERS: Mapping[str, str] = {
    "T_min": "Token floor",
    "d_min": "Least width",
    "utilization_ceiling": "Ceiling",
    "B_opt": "Best batch",
}
_COLUMNS = (
    Column("input", "One percent more of", align="left"),
    *(Column(key, title, heading="%") for key, title in NUMBERS.items()),
)
_DIGITS, _LEAST = 2, 0.005  # what moves a number by less than that many percent is left out


def elasticity(world: World) -> Table:
    """Return one row for each input that moves one of the numbers, the largest elasticity first."""
    found = {key: {one.quantity.key: one for one in elasticities(world.answer(key, HERE))} for key in NUMBERS}
    sizes: dict[str, float] = {}
    for column in found.values():
        for key, one in column.items():
            sizes[key] = max(sizes.get(key, 0.0), one.size)
    moving = sorted((key for key, size in sizes.items() if size >= _LEAST), key=lambda key: -float(f"{sizes[key]:.9g}"))
    return Table("elasticity", _COLUMNS, tuple(_row(key, found) for key in moving))


def _row(key: str, found: Mapping[str, Mapping[str, Elasticity]]) -> Row:
    quantity = QUANTITIES[key]
    symbol = Markup("<math>{}</math>, {}").format(
        Markup(maths.plain(quantity.latex)), quantity.says
    )  # made of the model's own symbols
    name = Cell((symbol,), key)
    return Row(key, "", (name, *(_cell(number, key, found[number].get(key)) for number in NUMBERS)))


def _cell(number: str, key: str, found: Elasticity | None) -> Cell:
    """Return an elasticity; nothing where the number does not rest on the input, or not by as much as one digit."""
    if found is None or found.size < _LEAST:
        return Cell((), None)
    value = found.above
    says = f"percent by which one percent more of {key} moves {number}"
    given = Given(value=value, status="computed", row=number, note="from the derivative of its formulas")
    cell = shown.Cell(
        f"elasticity({number}, {key})", None, None, rounding.sig(value, _DIGITS), value, says=says, given=given
    )
    return Cell((shown.sig(cell, _DIGITS),), value)
