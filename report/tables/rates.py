"""Connections per second: what systems of 1987 to 1993 were rated at, and what a machine of today rates the same way.

The rate of a row is what was published. Its share of peak is worked out here: an update is f operations, a forward
connection two, on the machine of the catalogue where the row names one.
"""

from __future__ import annotations

from collections.abc import Sequence

from model.inputs import TWO_FLOP
from model.records import Catalogue, Rate
from model.units import split
from report import shown
from report.asking import World
from report.named import spelled
from report.numbers import Const, Num
from report.tables import cells
from report.tables.table import Cell, Column, Row, Table

_COLUMNS = (
    Column("system", "System", align="left"),
    Column("year", "Year"),
    Column("cps", "Connections", "connection/s", heading="per second", note="forward"),
    Column("cups", "Updates", "connection/s", heading="per second", note="learning"),
    Column("share_of_peak", "Of peak"),
    Column("kind", "Kind", align="left"),
    Column("confidence", "Confidence", align="left"),
)
# One connection is one parameter at work for one token (an example).
_USES = split("param token/s")[0]
_TODAY = "h100-sxm5"
_AS_THEN: cells.Given = {"T": 1.0}  # one example to a visit of the weights


def connection_rates(world: World, catalogue: Catalogue, ids: Sequence[str]) -> Table:
    """Return the published rates, then an H100's and the reader's own, counted as they were then."""
    machine = catalogue.machines[_TODAY]
    scenario: cells.Given = {"machine": machine.id, **_AS_THEN}
    today = (cells.words(machine.short), cells.year(machine.year))
    yours = (cells.words("Your machine"), cells.words(""))
    rows = [
        *(_row(world, catalogue.rates[name]) for name in ids),
        Row(machine.id, spelled(scenario), (*today, *_counted(world, scenario, follows=False))),
        Row("yours", "", (*yours, *_counted(world, _AS_THEN, follows=True))),
    ]
    return Table("connection-rates", _COLUMNS, tuple(rows))


def _counted(world: World, scenario: cells.Given, *, follows: bool) -> tuple[Cell, ...]:
    """Return what the model makes of a machine, one example to a visit of the weights."""

    def put(key: str) -> Num:
        return cells.live(world, key, scenario) if follows else cells.pinned(world, key, scenario)

    rates = (cells.rated(put("forward_rate"), 3), cells.rated(put("update_rate"), 3))
    return (*rates, cells.share(put("update_share"), 2), cells.words("computed"), cells.words(""))


def _row(world: World, row: Rate) -> Row:
    found = (
        cells.words(row.system),
        cells.year(row.year),
        cells.figure(f"rate({row.id}).cps", row.cps),
        cells.figure(f"rate({row.id}).cups", row.cups),
        _share(world, row),
        cells.words(row.kind),
        cells.words(row.confidence),
    )
    return Row(row.id, spelled(_scenario(row)) if row.machine else "", found)


def _scenario(row: Rate) -> dict[str, str | float]:
    named = {"machine": row.machine, "network": row.network}
    return {**{key: value for key, value in named.items() if value}, **_AS_THEN}


def _share(world: World, row: Rate) -> Cell:
    """Return the share of peak that a published rate comes to, of learning before the forward pass."""
    published = row.cups or row.cps
    if not row.machine or published is None:
        return cells.nothing("unknown")
    path = f"rate({row.id}).{'cups' if row.cups else 'cps'}"
    uses = shown.Cell(path, published, _USES, published.text, published.value)
    operations: Num = cells.pinned(world, "f", _scenario(row)) if row.cups else Const(TWO_FLOP.value, TWO_FLOP.unit)
    return cells.share(uses * operations / cells.pinned(world, "peak", {"machine": row.machine}), 2)
