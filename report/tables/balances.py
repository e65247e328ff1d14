"""Balances at each boundary of a machine, and the batch floor by width: the companion note's second and third table."""

from __future__ import annotations

from collections.abc import Sequence

from model.records import Catalogue, MemoryLevel
from report import rounding, shown
from report.asking import World
from report.named import fragment
from report.tables import cells
from report.tables.table import Cell, Column, Row, Table

_MACHINE = Column("machine", "Machine", align="left")
_L2 = {"form": "l2"}

_BALANCES = (
    _MACHINE,
    Column("peak", "Peak", "TFLOP/s", meaning="arithmetic"),
    Column("bandwidth", "Bandwidth", "TB/s", meaning="bytes"),
    Column("beta", "β", "FLOP/B"),
    Column("beta_E", "β in energy", "FLOP/B"),
    Column("knee_share", "Memory’s share at the knee", note="of energy"),
    Column("beta_L2", "β of the L2", "FLOP/B"),
    Column("beta_shared", "β of shared memory", "FLOP/B"),
    Column("I_L2", "I of a blocked product", "FLOP/B"),
    Column("examples_per_fetch", "Floor, wide layers", "token"),
    Column("d_min_plain", "Pole", note="plain"),
    Column("d_min", "Pole", note="with L2"),
)
# Which level of memory a column is about, as the catalogue calls it.
_LEVELS = {"beta_L2": "L2, sustained", "beta_shared": "shared memory and L1"}

_WIDTHS = (512, 768, 1024, 2048, 4096, 8192, 12288, 16384)
_FORMS = {"l2": "with L2", "plain": "plain"}
_FLOORS = (
    _MACHINE,
    Column("form", "Count", align="left"),
    *(Column(f"d{width}", f"d{rounding.NBSP}={rounding.NBSP}{width:,}", "token") for width in _WIDTHS),
)


def balances(world: World, catalogue: Catalogue, ids: Sequence[str]) -> Table:
    """Return the balances of the chosen machines in time, in energy and on the chip."""
    rows = tuple(
        Row(
            name,
            fragment({"machine": name}),
            tuple(_balance(world, catalogue, column, name) for column in _BALANCES),
        )
        for name in ids
    )
    return Table("balances", _BALANCES, rows, scrolls=True)


def _balance(world: World, catalogue: Catalogue, column: Column, name: str) -> Cell:
    scenario = {"machine": name}
    match column.key:
        case "machine":
            short = catalogue.machines[name].short
            return cells.words(short.replace(" GB", f"{rounding.NBSP}GB"), short)
        case "peak" | "bandwidth":
            return cells.given(world, column, scenario)
        case "knee_share":
            return cells.share(cells.pinned(world, column.key, scenario), 2)
        case "beta_L2" | "beta_shared":
            return _level(world, catalogue, column, name)
        case "d_min":
            return cells.asked(world, column, scenario | _L2)
        case "d_min_plain":
            return cells.asked(world, column, scenario | {"form": "plain"}, "d_min")
    return cells.asked(world, column, scenario)


def _level(world: World, catalogue: Catalogue, column: Column, name: str) -> Cell:
    """Return the balance against a memory on the chip; nothing where nobody measured its bandwidth."""
    level = _known(catalogue, _LEVELS[column.key], name)
    if level is None:
        return cells.nothing("unknown")
    rate = shown.cell(f"memory_level({level.id}).bandwidth", level.bandwidth)
    return cells.printed(shown.sig(cells.pinned(world, "peak", {"machine": name}) / rate, 2))


def _known(catalogue: Catalogue, level: str, machine: str) -> MemoryLevel | None:
    found = (row for row in catalogue.memory_levels.values() if (row.machine, row.level) == (machine, level))
    return next(found, None)


def floor_by_width(world: World, catalogue: Catalogue, ids: Sequence[str]) -> Table:
    """Return the tokens per weight visit that reach the balance, by width, in both forms of the count."""
    rows = tuple(_floors(world, catalogue, name, form) for name in ids for form in _FORMS)
    return Table("floor-by-width", _FLOORS, rows, scrolls=True)


def _floors(world: World, catalogue: Catalogue, name: str, form: str) -> Row:
    scenario = {"machine": name, "form": form}
    found = [
        cells.whole(cells.pinned(world, "T_min", scenario | {"d": float(width)}), column)
        for column, width in zip(_FLOORS[2:], _WIDTHS, strict=True)
    ]
    title = cells.words(catalogue.machines[name].short)
    return Row(f"{name}-{form}", fragment(scenario), (title, cells.words(_FORMS[form]), *found))
