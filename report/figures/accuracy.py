"""The figure of the evidence: what published runs measured against the model's ceiling; the diagonal is the bound.

A reader picks a class of runs to look at, and how a share is read. Vega parameters, a contract with page and tests:
those of SIGNALS, which the page sets; accuracy_class, the class that stands out ('all': every run); accuracy_way, one
of readings.WAYS; accuracy_lit, the id of the run that the pointer is at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from model.book import QUANTITIES
from model.formula import Base
from model.records import Catalogue
from model.scenario import DEFAULT
from report import rounding
from report.accuracy.book import Accuracy, accuracy
from report.accuracy.readings import WAYS, Against, Reading
from report.accuracy.verdict import RECOMPUTE, TRAITS, Group
from report.figures import accuracy_marks as marks
from report.figures import parts
from report.figures.expression import Signal, told
from report.figures.parts import Data
from report.figures.theme import Layout
from report.given import base
from report.tables.runs import linked

ALT = (
    "Measured share of peak against the model's ceiling for published training runs of many sizes and machines;"
    " every run lies below the diagonal, most between half of it and three quarters."
)
WIDE = Layout(name="wide", width=860, height=470, left=58, right=24, top=12, bottom=50, text=13, small=12)
PHONE = Layout(name="phone", width=350, height=440, left=50, right=20, top=12, bottom=46, text=12, small=11)
LAYOUTS = (WIDE, PHONE)

SIGNALS: Mapping[str, Signal] = {
    "accuracy_utilization_ceiling": Signal(kind="value", key="utilization_ceiling"),
    "accuracy_words": Signal(kind="state", key="utilization_ceiling"),
}
ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What the figure draws: the runs with their shares and classes, the verdict for each class, the signals."""

    runs: Sequence[Mapping[str, Any]]
    verdicts: Sequence[Mapping[str, Any]]
    signals: Mapping[str, float | str]


def params(settings: Mapping[str, str | float], given: Base) -> dict[str, float | str]:
    """Return the value of every signal on a scenario: NaN for an absence."""
    return told(SIGNALS, QUANTITIES, given, {**DEFAULT, **settings})


def rows(catalogue: Catalogue, settings: Mapping[str, str | float] = DEFAULT) -> Rows:
    """Return the runs of a catalogue that have a ceiling, and the verdict on each class of them."""
    known = accuracy(catalogue)
    groups = _groups(known)
    inside: dict[str, list[str]] = {}
    for name, group in groups.items():
        for one in group.readings:
            inside.setdefault(one.run.id, []).append(name)
    return Rows(
        runs=[_run(one, one.own, inside[one.run.id]) for one in known.measured.readings if one.own],
        verdicts=[_verdict(name, group, way) for name, group in groups.items() for way in WAYS],
        signals=params(settings, base(catalogue, settings)),
    )


def _groups(known: Accuracy) -> dict[str, Group]:
    """Return the classes by the value of the control: all, size:below 1B, machine:A100."""
    found = {ALL: known.measured}
    return found | {f"{trait}:{group.name}": group for trait in TRAITS for group in known.classes(trait)}


def _run(one: Reading, own: Against, classes: Sequence[str]) -> dict[str, Any]:
    shares = {way: getattr(own, way) for way in WAYS} | {f"{way}_bound": own.bound(way) for way in WAYS}
    return {
        "id": one.run.id,
        "in": [ALL, *(name for name in classes if name != ALL)],
        "kind": "tpu" if one.run.machine.startswith("tpu") else "gpu",
        "again": one.recompute,
        "eight": own.format == "fp8",
        **{name: round(value, 5) for name, value in shares.items()},
        "said": _said(one, own),
        "set": linked(own),
    }


def _said(one: Reading, own: Against) -> str:
    """Return what is told of a run: whose it is, on what, how it was split, what it reached."""
    run = one.run
    widths = {"TP": run.tp, "PP": run.pp, "EP": run.ep, "CP": run.cp}
    split = [f"{name} {value}" for name, value in widths.items() if value and value > 1]
    where = f"{run.devices:,} x {one.machine}" if run.devices else one.machine
    visit = f"{rounding.exact(own.values['T'] or 0.0)} tokens a visit"
    shares = f"{rounding.percent(own.printed, 3)} {own.kind}{' (ours)' if own.derived else ''}"
    bound = f"executed {rounding.percent(own.executed, 3)} of {rounding.percent(own.ceiling, 3)} allowed"
    again = f"computed twice: {RECOMPUTE[one.recompute]}"
    return "\n".join([run.model, ", ".join([where, *split]), f"{visit}, {again}", f"{shares} at {own.format}", bound])


def _verdict(name: str, group: Group, way: str) -> dict[str, Any]:
    middle, n = group.median(way), group.n
    held = "the bound holds for all" if group.held(way) == n else f"the bound holds for {group.held(way)}"
    count = f"{n} runs" if n > 1 else "1 run"
    best = group.best(way)
    assert best.own
    reached = rounding.percent(best.own.ratio(way), 2)
    return {
        "c": name,
        "w": way,
        "median": round(middle, 5),
        "middle": rounding.percent(middle, 2),
        "count": f"{count}; {held}",
        "n": n,
        "held": group.held(way),
        "nearest": f"nearest: {best.run.model}, {reached} of its ceiling",
        "x": round(best.own.bound(way), 5),
        "y": round(getattr(best.own, way), 5),
    }


def data(drawn: Rows) -> Sequence[Mapping[str, Any]]:
    """Return the main series for the CSV and the JSON: each run's ceiling and its share, read each way."""
    return [
        {
            "run": row["id"],
            "ceiling_of_peak": row["executed_bound"],
            "executed_of_peak": row["executed"],
            "useful_of_peak": row["useful"],
            "printed_of_peak": row["printed"],
        }
        for row in drawn.runs
    ]


def summary(drawn: Rows) -> Sequence[Mapping[str, Any]]:
    """Return the shorter series to read: the verdict for each class, and its median read each way."""
    medians: dict[str, dict[str, Any]] = {}
    for row in drawn.verdicts:
        found = medians.setdefault(row["c"], {"class": _label(row["c"]), "runs": row["n"]})
        if row["w"] == "executed":
            found["below_their_ceiling"] = row["held"]
        found[f"median_{row['w']}_of_ceiling"] = row["median"]
    return list(medians.values())


def _label(name: str) -> str:
    trait, _, words = name.partition(":")
    return f"{TRAITS[trait][0]}: {words}" if words else "all runs"


def controls(catalogue: Catalogue) -> list[dict[str, Any]]:
    """Return the figure's own controls: which class stands out, and how a share is read."""
    names = _groups(accuracy(catalogue))
    classes: dict[str, Any] = {"kind": "select", "id": "accuracy-class", "key": "", "param": "accuracy_class"}
    classes |= {"label": "Show", "value": ALL, "options": [{"value": name, "label": _label(name)} for name in names]}
    ways: dict[str, Any] = {"kind": "select", "id": "accuracy-way", "key": "", "param": "accuracy_way"}
    ways |= {"label": "Count", "value": "executed"}
    ways["options"] = [{"value": way, "label": words} for way, words in WAYS.items()]
    return [classes, ways]


def chart(drawn: Rows, layout: Layout) -> Any:
    """Encode the rows for one layout."""
    told = [{name: value for name, value in row.items() if name not in ("n", "held")} for row in drawn.verdicts]
    runs, verdicts = Data(list(drawn.runs)), Data(told)
    views = {"accuracy_class": ALL, "accuracy_way": "executed", "accuracy_lit": ""}
    layers = [
        *marks.bound(layout),
        marks.median(verdicts),
        marks.yours(layout),
        *marks.runs(runs, layout),
        *marks.words(verdicts, layout),
        *marks.nearest(verdicts, layout),
        *marks.key(layout),
    ]
    known = parts.params({**drawn.signals, **views}, marks.derived())
    return parts.frame(alt.layer(*layers, params=known), "accuracy_view", layout)
