"""Figure 1: fifty years of machines, and how many examples must share one weight fetch on each.

Four panels share the year: what training asks for (a), the balance (b), and the two rates that make it (c, d).
Vega parameters, a contract with page and tests: those of SIGNALS, which the page sets; drift_lit, the id of the
machine that the pointer is at; drift_format, how all machines are counted (trends.WAYS); drift_kinds, the classes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from model.book import QUANTITIES, ask
from model.formula import Base
from model.machine import Machine
from model.records import Catalogue
from model.scenario import DEFAULT
from report import rounding, trends
from report.figures import drift_labels as labels
from report.figures import drift_marks as marks
from report.figures import drift_panels as panels
from report.figures import parts, tables, theme
from report.figures.drift_panels import GAP, HEAD, PANELS, Panel
from report.figures.drift_words import Reuse
from report.figures.expression import Signal, told
from report.figures.tables import Column
from report.figures.theme import Layout
from report.given import base
from report.trends import CLASSES, WAYS, Reading

ALT = (
    "Peak arithmetic, memory bandwidth, their ratio and the examples that must share one weight fetch,"
    " for machines from 1976 to 2026, on logarithmic scales; all rise, arithmetic fastest."
)
WIDE = Layout(name="wide", width=860, height=560, left=48, right=66, top=HEAD, bottom=28, text=13, small=12)
PHONE = Layout(name="phone", width=350, height=930, left=62, right=12, top=HEAD + 15, bottom=62, text=12, small=11)
LAYOUTS = (WIDE, PHONE)
LENET, BLOCK = "lenet-1989", "block-of-patterns"  # what used a weight more than once in its day

SIGNALS: Mapping[str, Signal] = {
    "drift_machine": Signal(kind="setting", key="machine"),
    **{f"drift_{key}": Signal(kind="value", key=key) for key in trends.KEYS},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What the figure draws: the machines, the fits by way of counting, the reuses, who passed which and when."""

    readings: Mapping[str, Sequence[Reading]]
    fits: Mapping[str, Mapping[str, trends.Fit]]
    reuses: Sequence[Reuse]
    machines: Sequence[Mapping[str, Any]]
    signals: Mapping[str, float | str]


def params(settings: Mapping[str, str | float], given: Base) -> dict[str, float | str]:
    """Return the value of every signal on a scenario: NaN for an absence."""
    return told(SIGNALS, QUANTITIES, given, {**DEFAULT, **settings})


def rows(catalogue: Catalogue, settings: Mapping[str, str | float] = DEFAULT) -> Rows:
    """Return the machines of the catalogue as each way of counting reads them, with fits and crossings."""
    found = {way: trends.readings(catalogue, way) for way in WAYS}
    return Rows(
        readings=found,
        fits={way: trends.fits(readings) for way, readings in found.items()},
        reuses=_reuses(catalogue),
        machines=_machines(found),
        signals=params(settings, base(catalogue, settings)),
    )


def _reuses(catalogue: Catalogue) -> tuple[Reuse, ...]:
    """Return how often real networks used a weight for each fetch."""
    lenet = ask("weight_reuse", base(catalogue, {"network": LENET})).value
    words = ask("s", base(catalogue, DEFAULT)).value
    block = catalogue.constants[BLOCK].value
    assert lenet
    assert words  # the catalogue's own tests hold both
    return (
        Reuse(value=1.0, long="each pattern on its own", short="one pattern"),
        Reuse(value=lenet, long=f"LeNet’s shared weights: {lenet:.1f} uses", short=f"LeNet: {lenet:.1f}"),
        Reuse(value=block, long=f"a block of {block:,.0f} patterns", short=f"a block of {block:,.0f}"),
        Reuse(value=words, long=f"one sequence of {words:,.0f} tokens", short=f"{words:,.0f} tokens"),
    )


def _machines(found: Mapping[str, Sequence[Reading]]) -> list[dict[str, Any]]:
    """Return one row for each machine, with what each way of counting reads."""
    rows: dict[str, dict[str, Any]] = {}
    places = _places(found["day"])
    for way, readings in found.items():
        for reading in readings:
            row = reading.machine
            facts = {"id": row.id, "name": row.short, "year": row.year, "at": places.get(row.id, float(row.year))}
            facts |= {"group": trends.class_of(row), "trains": row.trains, "shown": _drawn(row)}
            values = {key: value for key, value in reading.values.items() if value is not None}
            rows.setdefault(row.id, facts)[way] = {"format": reading.format, "status": reading.status, **values}
    return list(rows.values())


def _drawn(row: Machine) -> bool:
    """Tell whether a machine is drawn for every reader: those that are fit for a chart, and all for inference only."""
    return row.shown or not row.trains


def _places(readings: Sequence[Reading]) -> dict[str, float]:
    """Return where in its year a machine stands: those of one year side by side, so that none hides another."""
    years: dict[int, list[Reading]] = {}
    for reading in readings:
        if _drawn(reading.machine):
            years.setdefault(reading.machine.year, []).append(reading)
    return {
        reading.machine.id: year + _WIDTH * ((i + 0.5) / len(inside) - 0.5)
        for year, inside in years.items()
        for i, reading in enumerate(inside)
    }


_WIDTH = 0.9  # of a year's room is used


def data(drawn: Rows) -> Sequence[Mapping[str, Any]]:
    """Return the main series for the table, the CSV and the JSON: the machines at the format of their day."""
    return [
        {
            "machine": reading.machine.short,
            "year": str(reading.machine.year),
            "class": CLASSES[trends.class_of(reading.machine)],
            "format": reading.format,
            "peak_FLOP_per_s": reading.values["peak"],
            "bandwidth_B_per_s": reading.values["bandwidth"],
            "balance_FLOP_per_B": reading.values["beta"],
            "examples": reading.values["examples_per_fetch"],
            "status": reading.status,
        }
        for reading in drawn.readings["day"]
        if _drawn(reading.machine)
    ]


# What the columns of the table are called, and what the reader's own row asks.
_COLUMNS: Mapping[str, tables.Asked] = {
    "machine": None,
    "year": None,
    "class": None,
    "format": "format",
    "peak": Column("peak", "peak", "qty"),
    "bandwidth": Column("bandwidth", "bandwidth", "qty"),
    "balance": Column("balance", "beta"),
    "examples": Column("examples to share a fetch", "examples_per_fetch", counted=True),
    "status": None,
}


def table(drawn: Rows, catalogue: Catalogue) -> str:
    """Return the machines at the format of their day, under the reader's own as the reader counts it."""
    rows = [(one.machine.id, _cells(one)) for one in drawn.readings["day"] if _drawn(one.machine)]
    given, chosen = base(catalogue, DEFAULT), dict(rows)[str(DEFAULT["machine"])]
    mine = [
        tables.cell(column, ask(column.key, given), "") if isinstance(column, Column) else text
        for column, text in zip(_COLUMNS.values(), chosen, strict=True)
    ]
    named = catalogue.machines[str(DEFAULT["machine"])]
    mine[0] = f"{named.short}, {named.year}"  # as the bar calls the reader's choice
    caption = (
        "Machines, each in the training format of its day; the first row is yours, with the bar's format and network"
    )
    return tables.listed("machine", caption, _COLUMNS, mine, rows)


def _cells(reading: Reading) -> list[str]:
    row = reading.machine
    asked = [
        rounding.DASH if (value := reading.values[column.key]) is None else column.written(value)
        for column in _COLUMNS.values()
        if isinstance(column, Column)
    ]
    return [row.short, str(row.year), CLASSES[trends.class_of(row)], reading.format, *asked, reading.status]


def says(drawn: Rows) -> str:
    """Return what the figure says in words before a reader changes how machines are counted."""
    return panels.spoken(drawn.fits)["day"]


def controls(_: Catalogue) -> list[dict[str, Any]]:
    """Return the figure's own controls: how machines are counted, and which classes are shown."""
    select = {"kind": "select", "id": "drift-format", "key": "", "param": "drift_format", "value": "day"}
    options = [{"value": way, "label": words} for way, words in WAYS.items()]
    boxes = [
        {"kind": "check", "id": f"drift_kinds-{name}", "key": "", "param": "drift_kinds", "label": words}
        | {"checked": True, "tone": name}
        for name, words in CLASSES.items()
    ]
    return [{**select, "label": "Counted at", "options": options}, *boxes]


def chart(drawn: Rows, layout: Layout) -> Any:
    """Encode the rows for one layout: the large panel and three small ones beside it, or all below each other."""
    own = {"id": "own", "name": "your machine", "at": panels.OWN_YEAR, "group": "own", "trains": True, "shown": False}
    machines = alt.NamedData(name="drift_machines")
    bounds = {panel.key: _domain(drawn, panel) for panel in PANELS}
    made = {panel.key: _panel(drawn, machines, panel, bounds[panel.key], layout) for panel in PANELS}
    views: dict[str, Any] = {"drift_lit": "", "drift_format": "day", "drift_kinds": list(CLASSES)}
    known = parts.params({**drawn.signals, **views}, panels.derived(drawn.fits, bounds))
    hero, *others = made.values()
    whole: Any
    if layout.name == "wide":
        side = alt.vconcat(*others, spacing=GAP, bounds="flush", name="drift_side")
        whole = alt.hconcat(hero, side, spacing=panels.GUTTER, bounds="flush", params=known)
    else:
        whole = alt.vconcat(hero, *others, spacing=GAP, bounds="flush", params=known)
    width, height = layout.plot
    meta = {"width": width, "height": height, "sizes": panels.sizes(layout)}
    shared = {"drift_machines": [*drawn.machines, own]}  # by name: Altair copies rows again and again
    look = {"padding": layout.padding, "autosize": "none", "config": theme.config(layout)}
    return whole.properties(**look, usermeta=meta, datasets=shared)


def _domain(drawn: Rows, panel: Panel) -> tuple[float, float]:
    """Return the ends of a panel's axis, with room for every machine counted any way."""
    values = [reading.values[panel.key] for readings in drawn.readings.values() for reading in readings]
    known = [value for value in values if value is not None] + [reuse.value for reuse in drawn.reuses if panel.hero]
    return min(known) / panel.below, max(known) * panel.above


def _panel(drawn: Rows, machines: alt.NamedData, panel: Panel, bounds: tuple[float, float], layout: Layout) -> Any:
    layers = [*marks.trend(drawn.fits, panel, layout), *marks.points(machines, panel, layout)]
    if panel.hero:
        at = {row["id"]: row["at"] for row in drawn.machines}
        under, over = labels.layers(drawn.readings, drawn.reuses, drawn.fits, at, bounds, layout)
        layers = [*under, *layers, *over]
    layers += marks.head(panel, machines, layout)
    if panel.short == ("a" if layout.name == "wide" else "d"):
        layers += labels.key(layout)
    width, height = panels.size(panel, layout)
    return alt.layer(*layers).properties(name=f"drift_{panel.short}", width=width, height=height)
