"""How many patterns the networks of the 1980s showed between two changes of their weights, and by which rule."""

from __future__ import annotations

from collections.abc import Sequence

from model.network import Network
from model.records import Catalogue
from report.asking import World
from report.named import spelled
from report.tables import cells
from report.tables.table import Cell, Column, Row, Table

_COLUMNS = (
    Column("network", "Network", align="left"),
    Column("year", "Year"),
    Column("parameters", "Weights", meaning="capacity"),
    Column("patterns", "Patterns", note="in all"),
    Column("patterns_per_update", "Patterns", note="an update"),
    Column("rule", "Rule", align="left"),
)


def weight_visits(world: World, catalogue: Catalogue, ids: Sequence[str]) -> Table:
    """Return the networks of the time, with the patterns that shared one pass over the weights."""
    rows = (catalogue.networks[name] for name in ids)
    return Table("weight-visits", _COLUMNS, tuple(_row(world, row) for row in rows))


def _row(world: World, row: Network) -> Row:
    found = (
        cells.words(row.short),
        cells.year(row.year),
        cells.exact(cells.pinned(world, "parameters", {"network": row.id})),
        _count(row, "patterns"),
        _count(row, "patterns_per_update"),
        cells.prose(row.rule),
    )
    return Row(row.id, spelled(_scenario(row)), found, row.provenance("patterns_per_update").status)


def _scenario(row: Network) -> dict[str, str | float]:
    """Return the network on the machine on which it ran, where that is known, at the patterns that it chose."""
    named = {"machine": row.machine, "network": row.id, "T": row.patterns_per_update}
    return {key: value for key, value in named.items() if value}


def _count(row: Network, name: str) -> Cell:
    """Return a count of a network's row."""
    value = getattr(row, name)
    if value is None:
        return cells.nothing("unknown")
    return cells.row_value(f"network({row.id}).{name}", float(value), None, f"{value:,}")
