"""Cross-checks: what two papers of the 1980s told about their runs, against the rates of the machines they ran on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from model.records import Catalogue
from model.units import split
from report import shown
from report.asking import World
from report.named import Named
from report.numbers import Const, Num
from report.tables import cells
from report.tables.table import Cell, Column, Part, Row, Table

_COLUMNS = (
    Column("check", "Told", align="left"),
    Column("computed", "Computed"),
    Column("computed_unit", "Unit", shown=False),
    Column("against", "Against"),
    Column("against_unit", "Unit", shown=False),
    Column("what", "Which is", align="left"),
    Column("ratio", "Ratio"),
)
PRESETS = ("nettalk-rate", "zip-codes-sun4")  # whose runs are checked, and the networks that told of them
NETWORKS = ("nettalk-80", "lenet-1989")
_DAY = Const(86400.0, split("s")[0], text="1 day")


def cross_checks(world: World, catalogue: Catalogue, presets: Mapping[str, Named]) -> Table:
    """Return the checks of NETtalk on its VAX and of the zip codes on their Sun-4."""
    letters, digits = (presets[name] for name in PRESETS)
    told_of_letters, told_of_digits = (catalogue.networks[name].run_time for name in NETWORKS)
    a_second = (" at ", _exact(world, letters, "example_rate"), " letters a second")
    rows = (
        _rate(
            world,
            letters,
            "MFLOP/s",
            ("run_flops", "linpack", "run_linpack_share"),
            ("NETtalk", *a_second, ": arithmetic"),
        ),
        _rate(
            world,
            letters,
            "MB/s",
            ("run_bandwidth", "bandwidth", "run_bus_share"),
            ("NETtalk", *a_second, ": weight traffic"),
        ),
        _time(
            world,
            letters,
            "run_time",
            ("NETtalk’s ", _exact(world, letters, "train_tokens"), " letters at that rate"),
            told_of_letters,
        ),
        _time(
            world,
            digits,
            "linpack_time",
            ("Zip codes: ", _exact(world, digits, "train_tokens"), " presentations at the LINPACK rate"),
            told_of_digits,
        ),
    )
    return Table("cross-checks", _COLUMNS, rows, stacked=True)


_WHICH = {"linpack": "LINPACK on the machine", "bandwidth": "its bus"}


def _exact(world: World, case: Named, key: str) -> shown.Shown:
    return shown.exact(cells.pinned(world, key, case.scenario))


def _rate(world: World, case: Named, unit: str, keys: tuple[str, str, str], told: tuple[Part, ...]) -> Row:
    """Return a rate of a run beside the machine's, and the one as a share of the other."""
    column = Column("", "", unit, digits=3)
    computed, against, share = (cells.pinned(world, key, case.scenario) for key in keys)
    found = (
        Cell(told, f"{case.title}: {keys[0]}"),
        *_with_unit(cells.number(computed, column), unit),
        *_with_unit(cells.number(against, column), unit),
        cells.words(_WHICH[keys[1]]),
        cells.share(share, 2),
    )
    return Row(keys[0].replace("_", "-"), case.link, found)


def _time(world: World, case: Named, key: str, told: tuple[Part, ...], reported: str) -> Row:
    """Return a time of a whole run beside what was told of it, and the one over the other where that is a number."""
    computed = cells.pinned(world, key, case.scenario)
    days = re.fullmatch(r"(\d+) days", reported)
    whole = Const(float(days[1]) * _DAY.number, _DAY.unit, text=reported) if days else None
    found = (
        Cell(told, f"{case.title}: {key}"),
        *_days(computed),
        cells.words(reported),
        cells.hidden("as told"),
        cells.words("what was told"),
        _part(computed, whole),
    )
    return Row(key.replace("_", "-"), case.link, found)


def _days(time: Num) -> tuple[Cell, Cell]:
    """Return a time in days, or below one in hours."""
    part = time / _DAY
    if (part.read().number or 0.0) < 1:
        return replace(cells.quantity(time, 2), value=part.read().value), cells.hidden("days")
    return _with_unit(cells.printed(shown.sig(part, 2)), "days")


def _part(computed: Num, whole: Const | None) -> Cell:
    return cells.nothing("unknown") if whole is None else cells.share(computed / whole, 2)


def _with_unit(cell: Cell, unit: str) -> tuple[Cell, Cell]:
    return Cell((*cell.parts, f"\u00a0{unit}"), cell.value, cell.state), cells.hidden(unit)
