"""Figure 2: a training step on the roofline of its machine, and the path that it takes as more tokens share a visit.

Rates and intensities are the model's own formulas, printed as Vega expressions; a chart adds only axes and places.
Vega parameters, a contract with page and tests: those of SIGNALS, which the page sets; roofline_ghosts and
roofline_kept, the ids of machines drawn for comparison (view state); roofline_intensity, _rate, _share, which follow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from model import roofline as model
from model.book import QUANTITIES
from model.formula import Base, Memo, ask
from model.inputs import T
from model.machine import Machine
from model.records import Catalogue
from model.scenario import DEFAULT
from report.figures import parts, theme
from report.figures import roofline_labels as labels
from report.figures import roofline_lines as lines
from report.figures.export import spelled
from report.figures.expression import Signal, told
from report.figures.parts import Data
from report.figures.roofline_lines import DOUBLINGS, WRITER
from report.figures.tables import Column, Table, doublings
from report.figures.theme import Layout
from report.figures.things import marked
from report.given import base

ALT = "The roofline of one machine; on it the point of a training step, and its path as more tokens share a visit."
WIDE = Layout(name="wide", width=860, height=440, left=76, right=130, top=6, bottom=50, text=13, small=12)
PHONE = Layout(name="phone", width=350, height=400, left=62, right=80, top=6, bottom=46, text=12, small=11)
LAYOUTS = (WIDE, PHONE)
# Drawn for comparison at first, and what a reader may add at a touch: both eras, each far from its neighbours.
GHOSTS = ("vax-11-780-fpa", "cray-1", "v100-sxm2")
OFFERED = ("vax-11-780-fpa", "cray-1", "tesla-k40", "v100-sxm2", "b200-sxm")

SIGNALS: Mapping[str, Signal] = {
    "roofline_T": Signal(kind="value", key="T"),
    **WRITER.signals,
    "roofline_machine": Signal(kind="setting", key="machine"),
    "roofline_words": Signal(kind="state", key="overlapped_ceiling"),
}
TABLES: Mapping[str, Table] = {
    "roofline": Table(
        caption="A training step on its roofline",
        rows_are="T, tokens",
        rows=doublings("T", DOUBLINGS),
        columns=(
            Column("intensity", "operational_intensity"),
            Column("attainable", "attainable", "qty"),
            Column("share of peak", "overlapped_ceiling", "percent", 2),
        ),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What the figure draws: the machines, the path of the scenario's step, what the signals say."""

    machines: Sequence[Mapping[str, Any]]
    path: Sequence[Mapping[str, Any]]
    signals: Mapping[str, float | str]


def params(settings: Mapping[str, str | float], given: Base) -> dict[str, float | str]:
    """Return the value of every signal on a scenario: NaN for an absence, inf where no batch will do."""
    return told(SIGNALS, QUANTITIES, given, {**DEFAULT, **settings})


def rows(catalogue: Catalogue, settings: Mapping[str, str | float] = DEFAULT) -> Rows:
    """Return the machines of the catalogue and the path of a scenario: a row for each doubling of T."""
    given = base(catalogue, settings)
    machines = [_machine(row) for row in sorted(catalogue.machines.values(), key=lambda row: (row.year, row.id))]
    steps = [base(catalogue, {**settings, "T": 2.0**k}) for k in range(DOUBLINGS + 1)]
    return Rows(machines=machines, path=[_step(step) for step in steps], signals=params(settings, given))


def _machine(row: Machine) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.short,
        "year": row.year,
        "format": row.balance_format,
        "peak": row.peak[row.balance_format].value,
        "bandwidth": row.bandwidth.value,
    }


def _step(given: Base) -> dict[str, Any]:
    memo: Memo = {}
    asked = {
        "T_token": T,
        "intensity_FLOP_per_B": QUANTITIES["operational_intensity"],
        "attainable_FLOP_per_s": model.attainable,
        "share_of_peak": model.overlapped_ceiling,
    }
    return {name: ask(quantity, given, memo).number for name, quantity in asked.items()}


def data(drawn: Rows) -> Sequence[Mapping[str, Any]]:
    """Return the main series for the table, the CSV and the JSON: T, intensity, attainable rate, share of peak."""
    return drawn.path


def controls(catalogue: Catalogue) -> list[dict[str, Any]]:
    """Return the figure's own controls, as templates/_figure.html takes them; figures.js answers to data-param."""
    label = marked("Tokens per weight visit, T")
    slider = parts.slider("roofline-T", "log2_T", label, DOUBLINGS, float(DEFAULT["T"]))
    rows = catalogue.machines
    boxes = [_box(f"roofline_ghosts-{name}", rows[name].short, name in GHOSTS) for name in OFFERED]
    others = [{"value": row.id, "label": row.short} for row in rows.values() if row.id not in OFFERED]
    kept = {"kind": "select", "id": "roofline-kept", "key": "", "param": "roofline_kept", "value": "", "late": True}
    options = [{"value": "", "label": "no other"}, *others]
    return [slider, *boxes, {**kept, "label": "and", "options": options}]


def _box(name: str, label: str, checked: bool) -> dict[str, Any]:
    """Return a box of the list of machines: figures.js reads the machine's id from the box's own."""
    return {"kind": "check", "id": name, "key": "", "param": "roofline_ghosts", "label": label, "checked": checked}


def chart(drawn: Rows, layout: Layout) -> Any:
    """Encode the rows for one layout."""
    machines = Data([*drawn.machines, {"id": "own", "name": "your machine"}])
    given = [{"name": name, **spelled(value, "expr")} for name, value in drawn.signals.items()]
    views = ({"name": "roofline_ghosts", "value": list(GHOSTS)}, {"name": "roofline_kept", "value": ""})
    follows = [{"name": name, "expr": text} for name, text in (lines.derived() | labels.derived(layout)).items()]
    width, height = layout.plot
    layers = [
        lines.ghosts(machines, layout),
        lines.balance(),
        *lines.roof(),
        *lines.path(layout),
        *labels.names(machines, layout),
        labels.balance(layout),
        *labels.point(machines, layout),
        labels.words(layout),
        lines.point(layout),
    ]
    return alt.layer(*layers, params=[_param(one) for one in (*given, *views, *follows)]).properties(
        name="roofline_view",
        width=width,
        height=height,
        padding=layout.padding,
        autosize="none",
        config=theme.config(layout),
    )


def _param(fields: Mapping[str, Any]) -> alt.VariableParameter:
    return alt.VariableParameter(**{**fields, "name": alt.ParameterName(fields["name"])})
