"""The breakdowns: the same ledger on named scenarios, from a VAX in 1987 to sixteen thousand H100s.

Each row is a preset of content/site.yaml with the run's own sharding; the measured share of peak stands beside the
ceiling where a run was published, and says how its operations were counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from model.records import Catalogue, Run
from model.units import ONE
from report.asking import World
from report.named import Named
from report.tables import cells
from report.tables.sources import works
from report.tables.table import Cell, Column, Row, Table

_T = Column("T", "T", "token")
_SERVES = Column("visit_tokens", "A weight serves", "token")
_INTENSITY = Column("operational_intensity", "I", "FLOP/B", meaning="bytes")
_BALANCE = Column("beta", "β", "FLOP/B", meaning="arithmetic")
_COLUMNS = (
    Column("case", "Case", align="left"),
    _T,
    _SERVES,
    _INTENSITY,
    _BALANCE,
    Column("binds", "Binds", align="left"),
    Column("ceiling", "Ceiling", note="of peak"),
    Column("measured", "Measured", note="of peak"),
    Column("counted", "Counted as", align="left", shown=False),
    Column("source", "From", align="left"),
)
# The same case with an update after every token: the update's bytes join those of the weights.
UPDATED = "7b-token"


def breakdowns(world: World, catalogue: Catalogue, chosen: Sequence[Named]) -> Table:
    """Return the chosen cases; the single token of the 7B class a second time, with an update each token."""
    rows = []
    for preset in chosen:
        rows.append(_row(world, catalogue, preset))
        if preset.id == UPDATED:
            rows.append(_updated(world, preset))
    return Table("breakdowns", _COLUMNS, tuple(rows), scrolls=True)


def _row(world: World, catalogue: Catalogue, preset: Named) -> Row:
    scenario = preset.scenario
    run = catalogue.runs[preset.run] if preset.run else None
    found = (
        cells.words(preset.title),
        *(cells.given(world, column, scenario) for column in (_T, _SERVES)),
        *(cells.asked(world, column, scenario) for column in (_INTENSITY, _BALANCE)),
        cells.words(binds(world, scenario)),
        cells.share(cells.pinned(world, "utilization_ceiling", scenario), 3),
        *_measured(preset, run),
    )
    return Row(preset.id, preset.link, found)


def _updated(world: World, preset: Named) -> Row:
    scenario = preset.scenario
    found = (
        cells.words("The same, updated after every token"),
        *(cells.given(world, column, scenario) for column in (_T, _SERVES)),
        cells.asked(world, _INTENSITY, scenario, "update_intensity"),
        cells.asked(world, _BALANCE, scenario),
        cells.words("weights and their update"),
        cells.share(cells.pinned(world, "update_ceiling", scenario), 3),
        *_measured(preset, None),
    )
    return Row(f"{preset.id}-updated", preset.link, found)


def binds(world: World, scenario: cells.Given) -> str:
    """Return what takes the longest in a micro-batch: the arithmetic, the weights' bytes or the activations'."""
    times = {"arithmetic": 1.0}
    for name, key in (("weights", "weight_stall"), ("activations", "elementwise_tax")):
        reading = cells.pinned(world, key, scenario).read()
        if reading.state == "cache-resident":
            return "no memory: weights in cache"
        times[name] = reading.number or 0.0
    return max(times, key=lambda name: times[name])


def _measured(preset: Named, run: Run | None) -> tuple[Cell, ...]:
    """Return what a run measured, against the peak of the preset's format, how it counted, and who says so."""
    if run is None:
        return cells.nothing("unknown"), cells.hidden(None), cells.words("")
    name, value = _utilization(run, str(preset.scenario.get("format", "")))
    cell = cells.row_value(f"run({run.id}).{name}", value, ONE, f"{100 * value:.4g}%")
    label = "HFU" if name == "hfu" else "MFU"
    measured = Cell((*cell.parts, f" {label}"), value)
    told = works(run.sources, run.cited)
    derived = ("; derived",) if run.utilization == "derived" else ()
    return (
        measured,
        cells.hidden(f"{label}, {run.utilization}: {run.convention}"),
        replace(told, parts=(*told.parts, *derived)),
    )


def _utilization(run: Run, number_format: str) -> tuple[str, float]:
    """Return a run's utilization: of model operations if it has one, against the fp8 peak where the case runs at it."""
    names = ("mfu_fp8", "mfu", "hfu") if number_format == "fp8" else ("mfu", "hfu")
    found: Mapping[str, float] = {name: value for name in names if (value := getattr(run, name)) is not None}
    return next(iter(found.items()))
