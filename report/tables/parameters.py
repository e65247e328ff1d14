"""The constants of the ledger as itemised sums, and the prices: value, range, items, what they rest on."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from model.book import QUANTITIES
from model.layers import CONSTANTS
from model.records import Catalogue, Constant, Price
from model.units import split
from report import rounding, shown
from report.asking import World
from report.tables import cells
from report.tables.sources import works
from report.tables.table import Cell, Column, Part, Row, Table

_COLUMNS = (
    Column("name", "Constant", align="left"),
    Column("symbol", "Symbol", align="left"),
    Column("value", "Value"),
    Column("low", "Low", shown=False),
    Column("high", "High", shown=False),
    Column("range", "Range", align="left"),
    Column("unit", "Unit", align="left"),
    Column("items", "Made of", align="left"),
    Column("why", "Why the range", align="left", shown=False),
    Column("status", "Status", align="left"),
    Column("source", "Rests on", align="left"),
)
_KEYS = {row: key for key, row in CONSTANTS.items()}


def parameters(_: World, catalogue: Catalogue, ids: Sequence[str]) -> Table:
    """Return the chosen constants, in the order in which they were chosen."""
    return Table("parameters", _COLUMNS, tuple(_row(catalogue.constants[name]) for name in ids), stacked=True)


def provenance(_: World, catalogue: Catalogue, ids: Sequence[str]) -> Table:
    """Return the constants that the companion note uses, then every price of the catalogue."""
    rows = [_row(catalogue.constants[name]) for name in ids]
    rows += [_price(row) for row in catalogue.prices.values()]
    return Table("note-parameters", _COLUMNS, tuple(rows), stacked=True)


def _price(row: Price) -> Row:
    low, high = row.price.range
    number, _, unit = row.price.text.partition(" ")
    found = (
        cells.prose(row.name),
        _symbol(row.symbol),
        Cell((shown.cell(f"price({row.id}).price", row.price),), row.price.value),
        cells.hidden(low),
        cells.hidden(high),
        cells.words(_in_unit(row, low, high, float(number))),
        cells.hidden(unit),
        _folded("how", [row.price.note], f"Range: {row.range_why}.", row.price.note),
        cells.hidden(row.range_why),
        cells.words(row.price.status),
        works(row.sources, row.price.sources),
    )
    return Row(row.id, "", found)


def _in_unit(row: Price, low: float, high: float, number: float) -> str:
    """Return a range in the unit in which the row writes its value."""
    scale = number / row.price.value
    return cells.twice(*(rounding.typed(float(f"{bound * scale:.3g}")) for bound in (low, high)))


def _row(row: Constant) -> Row:
    found = (
        cells.prose(row.name),
        _symbol(_KEYS.get(row.id, row.symbol)),
        cells.constant(row, _written(row.value, row.unit)),
        cells.hidden(row.low),
        cells.hidden(row.high),
        cells.words(_range(row)),
        _unit(row.unit),
        _items(row),
        cells.hidden(row.range_why),
        cells.words(row.status),
        works(row.sources, row.cited),
    )
    return Row(row.id, "", found)


def _written(value: float, unit: str) -> str:
    """Return a value as few digits as it has; what needs a prefix brings its unit along."""
    if unit in rounding.NEEDS_PREFIX:
        return rounding.qty(value, 2, rounding.label(split(unit)[0]))
    return rounding.typed(value)


def _range(row: Constant) -> str:
    return cells.twice(_written(row.low, row.unit), _written(row.high, row.unit))


def _unit(text: str) -> Cell:
    """Return a unit as it is read; none where the value has brought it along."""
    there = text in ("1", *rounding.NEEDS_PREFIX)
    return Cell(() if there else (cells.set_words(text),), text)


def _symbol(key: str) -> Cell:
    """Return the symbol by which the formulas call a number, as MathML; downloads hold the key."""
    parts: tuple[Part, ...] = (cells.formula(QUANTITIES[key].latex),) if key in QUANTITIES else ()
    return Cell(parts, key)


def _items(row: Constant) -> Cell:
    """Return the items of the sum, folded in, with the reason of the range; downloads hold them in one line."""
    texts = [f"{rounding.typed(item.value)} {item.what}" for item in row.items]
    line = " + ".join(texts) or row.derivation
    title = f"{len(texts)} items" if len(texts) > 1 else "how"
    why = f"{row.rounding}; range: {row.range_why}" if row.rounding else f"Range: {row.range_why}"
    return _folded(title, texts or [row.derivation], why, line)


def _folded(title: str, texts: Sequence[str], why: str, line: str) -> Cell:
    lines = Markup("").join(Markup("<li>{}</li>").format(text) for text in texts)
    folded = Markup("<details><summary>{}</summary><ul>{}</ul><p>{}</p></details>").format(title, lines, why)
    return Cell((folded,), line)
