"""The price list: what an operation, a byte and a millimetre of wire cost in energy, and in 8-bit adds.

Each price stands beside what others state or measured, with the conditions under which they did.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from markupsafe import Markup

from model.records import Catalogue, Price, Published
from report import rounding, shown
from report.asking import World
from report.tables import cells
from report.tables.sources import linked
from report.tables.table import Cell, Column, Row, Table

_COLUMNS = (
    Column("what", "What", align="left"),
    Column("energy", "Energy, pJ", "pJ", heading=""),
    Column("adds", "In 8-bit adds"),
    Column("low", "Low", shown=False),
    Column("high", "High", shown=False),
    Column("range", "Range, pJ", align="left"),
    Column("published", "What others state", align="left"),
    Column("status", "Status", align="left"),
)
_PICO = 1e-12
_A100, _H100 = {"machine": "a100-sxm4-80gb"}, {"machine": "h100-sxm5"}


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the list: its row in the catalogue, the quantity that is its energy in adds, on which scenario."""

    id: str
    says: str
    price: str
    adds: str = ""
    scenario: Mapping[str, str] = field(default_factory=dict)


LINES = (
    _Line("add", "an 8-bit add, the unit", "int8-add"),
    _Line("wire", "a byte over a millimetre of wire", "wire", "span_in_adds", {"span": "1 mm"}),
    _Line("hop", "a byte to the next tile, half a millimetre on", "wire", "span_in_adds", {"span": "0.5 mm"}),
    _Line("die", "a byte across a die of 16 mm", "wire", "span_in_adds", {"span": "16 mm"}),
    _Line("datapath", "a bf16 operation, datapath alone", "flop-datapath", "datapath_in_adds"),
    _Line("operation-a100", "a bf16 operation, all-in, A100", "flop-a100", "flop_in_adds", _A100),
    _Line("operation-h100", "a bf16 operation, all-in, H100", "flop-h100", "flop_in_adds", _H100),
    _Line("shared", "a byte from shared memory", "shared-memory", "sram_in_adds"),
    _Line("l2", "a byte from the L2", "l2", "L2_in_adds"),
    _Line("interface", "a byte of HBM, at its interface", "hbm-interface", "interface_in_adds"),
    _Line("memory-a100", "a byte of HBM, all-in, A100", "hbm-a100", "byte_in_adds", _A100),
    _Line("memory-h100", "a byte of HBM, all-in, H100", "hbm-h100", "byte_in_adds", _H100),
)


def price_list(world: World, catalogue: Catalogue) -> Table:
    """Return the prices from the add up to a byte from memory."""
    rows = tuple(_row(world, catalogue.prices[line.price], line) for line in LINES)
    return Table("price-list", _COLUMNS, rows, stacked=True)


def _row(world: World, row: Price, line: _Line) -> Row:
    factor = _length(line)
    low, high = (bound * factor / _PICO for bound in row.price.range)
    found = (
        cells.words(line.says),
        _energy(world, line),
        _adds(world, line),
        cells.hidden(low),
        cells.hidden(high),
        cells.words(cells.spread(_short(low), _short(high))),
        _published(row) if line.id not in ("hop", "die") else cells.words("as for the millimetre"),
        cells.words(row.price.status),
    )
    return Row(line.id, "", found)


_BITS = 8.0
_KEYS = {"int8-add": "e_add", "flop-datapath": "e_datapath", "shared-memory": "e_sram", "l2": "e_L2"}
_KEYS |= {"hbm-interface": "e_interface", "flop-a100": "e_F", "flop-h100": "e_F", "hbm-a100": "e_B", "hbm-h100": "e_B"}


def _length(line: _Line) -> float:
    return float(line.scenario["span"].split()[0]) / 1000.0 if "span" in line.scenario else 1.0


def _energy(world: World, line: _Line) -> Cell:
    """Return an energy in picojoules; that of a wire is its price over a length."""
    if "span" in line.scenario:
        num = cells.pinned(world, "e_wire", {}) * cells.pinned(world, "span", dict(line.scenario)) / "1 pJ/B"
    else:
        num = cells.pinned(world, _KEYS[line.price], dict(line.scenario))
        num = num / f"1 p{num.unit!s}"
    return cells.printed(shown.sig(num, _digits(num.read().value)))


def _adds(world: World, line: _Line) -> Cell:
    if not line.adds:
        return Cell(("1",), 1.0)
    num = cells.pinned(world, line.adds, dict(line.scenario))
    return cells.printed(shown.sig(num, max(_digits(num.read().value), 2)))


def _digits(value: float | None) -> int:
    """Return how many significant digits a price has."""
    assert value is not None
    return max(1, len(f"{value:.4e}".split("e")[0].replace(".", "").rstrip("0")))


def _short(value: float) -> float:
    return float(f"{value:.3g}")


def _published(row: Price) -> Cell:
    """Return what others state, folded in, each with its conditions and its work; downloads hold it in one line."""
    if not row.published:
        return cells.words("nothing")
    lines = Markup("").join(
        Markup("<li>{}: {} ({})</li>").format(_amount(row, one), one.conditions, _works(row, one))
        for one in row.published
    )
    values = [one.value for one in row.published]
    title = f"{cells.twice(_figure(row, min(values)), _figure(row, max(values)))}{rounding.NBSP}pJ"
    folded = Markup("<details><summary>{}</summary><ul>{}</ul><p>{}</p></details>")
    line = "; ".join(f"{_amount(row, one)}: {one.conditions}" for one in row.published)
    return Cell((folded.format(title, lines, f"Range: {row.range_why}."),), line)


def _amount(row: Price, one: Published) -> str:
    bounds = (one.value, one.value) if one.low is None or one.high is None else (one.low, one.high)
    return f"{cells.twice(*(_figure(row, bound) for bound in bounds))}{rounding.NBSP}pJ"


def _figure(row: Price, value: float) -> str:
    """Return a published value in picojoules; that of wire for a byte and a millimetre."""
    scale = 1e-3 if row.id == "wire" else 1.0
    return rounding.typed(_short(value * scale / _PICO))


def _works(row: Price, one: Published) -> Markup:
    return Markup(", ").join(linked(row.sources[key]) for key in one.sources)
