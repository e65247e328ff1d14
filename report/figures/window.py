"""Figure 6: which global batches are worth running on how many devices: floors, ceiling, the window between them.

Lines are the model's own formulas, printed as Vega expressions in the number of devices; a chart adds only axes and
places. Published runs stand at their own devices and batch. Vega parameters, a contract with page and tests: those of
SIGNALS, which the page sets; window_batch, window_low, window_ceiling, window_at_<line>, which follow.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Any

import altair as alt

from model.book import QUANTITIES
from model.formula import Base, Memo, ask
from model.records import Catalogue, Run
from model.scenario import DEFAULT, QUIET
from report import rounding
from report.figures import parts
from report.figures import window_labels as labels
from report.figures import window_lines as lines
from report.figures.expression import Signal, told
from report.figures.parts import Data
from report.figures.tables import Column, Table, doublings
from report.figures.theme import Layout
from report.figures.window_lines import DOUBLINGS, WRITER
from report.given import base

ALT = (
    "Global batch in tokens against the number of devices: three floors that rise with it, the ceiling that statistics "
    "sets, the window between them until they meet, and the batches of published runs."
)
WIDE = Layout(name="wide", width=860, height=480, left=92, right=140, top=6, bottom=50, text=13, small=12)
PHONE = Layout(name="phone", width=350, height=440, left=64, right=74, top=6, bottom=46, text=12, small=11)
LAYOUTS = (WIDE, PHONE)
# Runs that are named where there is room, and on which sides, so that no two names meet however the axis is stretched.
NAMED: Mapping[str, tuple[str, ...]] = {
    "deepseek-v3-pretrain": ("above", "left"),
    "llama3-405b-16k-gpus": ("right", "below", "above"),
    "palm-540b": ("below",),
    "bloom-176b-production": ("above", "left"),
    "nanogpt-124m-a100": ("right", "below", "above"),
}
_ON_A_PHONE = ("deepseek-v3-pretrain",)
_MOST = 5  # runs told at one mark

SIGNALS: Mapping[str, Signal] = {
    "window_devices": Signal(kind="value", key="devices"),
    **WRITER.signals,
    "window_machine": Signal(kind="setting", key="machine"),
    "window_words": Signal(kind="state", key="closing_devices"),
    "window_missing": Signal(kind="state", key="global_batch"),
}
# The columns of the data: the running variable, the lines, the reader's own batch.
COLUMNS: Mapping[str, str] = {
    "N_device": "devices",
    "weight_floor_token": "weight_floor",
    "optimizer_floor_token": "optimizer_floor",
    "all_reduce_floor_token": "allreduce_floor",
    "fastest_batch_token": "B_opt",
    "critical_batch_token": "B_crit",
    "batch_token": "global_batch",
}
OF_TEXTS = ("B_opt", "B_crit")  # what rests on the ceiling, a fit to language models


def _head(name: str) -> str:
    return name.removesuffix("_token").replace("_", " ").replace("all re", "all-re")


TABLES: Mapping[str, Table] = {
    "window": Table(
        caption="Global batch of a step, over all devices",
        rows_are="N, devices",
        rows=doublings("devices", DOUBLINGS),
        columns=[
            Column(_head(name), key, "count", of_texts=key in OF_TEXTS)
            for name, key in COLUMNS.items()
            if key != "devices"
        ],
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What the figure draws: published runs, the lines at each doubling of the devices, what the signals say."""

    runs: Sequence[Mapping[str, Any]]
    steps: Sequence[Mapping[str, Any]]
    signals: Mapping[str, float | str]


def params(settings: Mapping[str, str | float], given: Base) -> dict[str, float | str]:
    """Return the value of every signal on a scenario: NaN for an absence, inf where no batch will do."""
    return told(SIGNALS, QUANTITIES, given, {**DEFAULT, **settings})


def rows(catalogue: Catalogue, settings: Mapping[str, str | float] = DEFAULT) -> Rows:
    """Return the runs of the catalogue and the lines on a scenario, in tokens: a row for each doubling of N."""
    steps = [base(catalogue, {**settings, "devices": 2.0**k}) for k in range(DOUBLINGS + 1)]
    signals = params(settings, base(catalogue, settings))
    return Rows(runs=_runs(catalogue), steps=[_step(step) for step in steps], signals=signals)


def _step(given: Base) -> dict[str, Any]:
    memo: Memo = {}
    return {name: ask(QUANTITIES[key], given, memo).number for name, key in COLUMNS.items()}


def data(drawn: Rows) -> Sequence[Mapping[str, Any]]:
    """Return the main series for the table, the CSV and the JSON."""
    return drawn.steps


# --- published runs


def batch(run: Run) -> float | None:
    """Return the global batch of a run in tokens, or None where it was not published."""
    if run.batch_tokens:
        return run.batch_tokens
    return float(run.batch * run.s) if run.batch and run.s else None


def _runs(catalogue: Catalogue) -> list[dict[str, Any]]:
    """Return a mark for each place at which runs of published widths stand; the same machine and batch share one."""
    found: dict[tuple[int, float, str], list[Run]] = defaultdict(list)
    for run in catalogue.runs.values():
        tokens = batch(run)
        if run.devices and run.tp and tokens:
            found[run.devices, tokens, run.machine].append(run)
    ordered = sorted(found.items(), key=lambda item: (item[0][0], item[0][1], item[0][2]))
    return [_mark(catalogue, devices, tokens, runs) for (devices, tokens, _), runs in ordered]


def _mark(catalogue: Catalogue, devices: int, tokens: float, runs: Sequence[Run]) -> dict[str, Any]:
    machine = catalogue.machines[runs[0].machine]
    first = f"{devices:,} {'device' if devices == 1 else 'devices'} ({machine.short}), {_tokens(tokens)} a step"
    told_of = [_said(run) for run in runs[:_MOST]]
    more = [f"and {len(runs) - _MOST} more"] if len(runs) > _MOST else []
    return {
        "x": devices,
        "y": tokens,
        "machine": machine.id,
        "ids": [run.id for run in runs],
        "said": "\n".join([first, *told_of, *more]),
        **({"set": settings(runs[0], tokens)} if len(runs) == 1 else {}),
    }


def _tokens(tokens: float) -> str:
    return f"{rounding.sig(tokens / 1e6, 3)} million tokens" if tokens >= 1e6 else f"{tokens:,.0f} tokens"


def _said(run: Run) -> str:
    """Return what is known of a run: its widths, and its share of peak by name."""
    widths = {"TP": run.tp, "PP": run.pp, "DP": run.dp, "EP": run.ep, "CP": run.cp}
    wide = [f"{name} {value}" for name, value in widths.items() if value and (value > 1 or name == "DP")]
    shares = [
        f"{name} {rounding.percent(value, 2)}"
        for name, value in (("MFU", run.mfu), ("HFU", run.hfu))
        if value is not None
    ]
    return ": ".join(part for part in (", ".join((run.model, *wide)), ", ".join(shares)) if part)


def settings(run: Run, tokens: float) -> dict[str, str]:
    """Return the scenario of a run, as texts: what choosing its mark makes the reader's."""
    assert run.devices
    chosen = {"machine": run.machine, "devices": str(run.devices), "tp": str(run.tp or 1), "pp": str(run.pp or 1)}
    if run.network:
        chosen["network"] = run.network
    if run.s:
        visit = run.s * (run.micro_batch or 1) / (run.cp or 1)
        steps = tokens * (run.tp or 1) * (run.pp or 1) / (run.devices * visit)
        if visit.is_integer() and steps.is_integer():
            chosen |= {"T": f"{visit:.0f}", "micro_batches": f"{steps:.0f}"}
    return chosen


# --- the chart


def controls(_: Catalogue) -> list[dict[str, Any]]:
    """Return the figure's own controls: devices by doublings, and the training loss that sets the ceiling."""
    devices: dict[str, Any] = {"kind": "range", "id": "window-devices", "key": "", "param": "log2_devices"}
    devices |= {
        "label": "Devices that share the batch",
        "min": 0,
        "max": DOUBLINGS,
        "step": 1,
        "value": log2(float(DEFAULT["devices"])),
    }
    loss: dict[str, Any] = {"kind": "range", "id": "window-loss", "key": "loss", "param": ""}
    loss |= {
        "of_texts": True,
        "label": "Training loss, nats a token",
        "min": 1.6,
        "max": 4.6,
        "step": 0.02,
        "value": QUIET["loss"],
    }
    return [devices, loss]


def chart(drawn: Rows, layout: Layout) -> Any:
    """Encode the rows for one layout."""
    marks = [{key: run[key] for key in ("x", "y", "machine", "said", "set") if key in run} for run in drawn.runs]
    free = labels.places(_named(drawn, layout), drawn.runs, layout)
    layers = [
        lines.window(layout),
        *lines.floors(),
        lines.runs(Data(marks), layout),
        labels.runs(free, layout),
        labels.inside(Data(marks), layout),
        *lines.closing(layout),
        *lines.path(layout),
        *labels.names(layout),
        *labels.key(layout),
        labels.scale(layout),
        labels.below(layout),
        labels.above(layout),
    ]
    known = parts.params(drawn.signals, lines.derived() | labels.derived(layout))
    return parts.frame(alt.layer(*layers, params=known), "window_view", layout)


def _named(drawn: Rows, layout: Layout) -> list[dict[str, Any]]:
    ids = tuple(NAMED) if layout.name == "wide" else _ON_A_PHONE
    by_id = {name: run for run in drawn.runs for name in run["ids"]}
    found = [(by_id[name], name) for name in ids if name in by_id]
    return [{**run, "name": _model(run, name), "ways": NAMED[name]} for run, name in found]


def _model(run: Mapping[str, Any], name: str) -> str:
    said: str = run["said"].split("\n")[1 + run["ids"].index(name)]
    return re.split("[:,]", said, maxsplit=1)[0]
