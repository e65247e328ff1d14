"""Figure 3: the bytes that a token moves against the bytes there is time for, and whose they are.

Streams, budgets and shares are the model's own formulas, printed as Vega expressions; a chart adds only axes and
places. Vega parameters, a contract with page and tests: those of SIGNALS, which the page sets; bytes_total, bytes_wire
and one for each stream, which follow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from model.book import QUANTITIES
from model.formula import Base, Memo, ask
from model.records import Catalogue
from model.scenario import DEFAULT
from report.figures import bytes_labels as labels
from report.figures import bytes_lines as lines
from report.figures import bytes_streams as streams
from report.figures import parts
from report.figures.bytes_streams import DOUBLINGS, WRITER
from report.figures.expression import Signal, told
from report.figures.tables import Column, Table, doublings
from report.figures.theme import Layout
from report.figures.things import marked
from report.given import base

ALT = "Bytes that a token moves, falling as more tokens share a visit, against the budget; below, whose bytes they are."
WIDE = Layout(name="wide", width=860, height=500, left=84, right=156, top=6, bottom=50, text=13, small=12)
PHONE = Layout(name="phone", width=350, height=470, left=64, right=100, top=6, bottom=46, text=12, small=11)
LAYOUTS = (WIDE, PHONE)

SIGNALS: Mapping[str, Signal] = {
    "bytes_T": Signal(kind="value", key="T"),
    **WRITER.signals,
    "bytes_words": Signal(kind="state", key="budget_use"),
}
# The columns of the data: the running variable, each stream, their sum and what there is time for.
COLUMNS: Mapping[str, str] = {
    "T_token": "T",
    "weight_reads_B": "weight_reads",
    "gradients_B": "gradient_traffic",
    "activations_B": "A",
    "fetched_again_B": "reblocking_traffic",
    "optimizer_state_B": "optimizer_traffic",
    "memory_B": "token_bytes",
    "budget_B": "byte_budget",
    "all_reduce_B": "allreduce_traffic",
    "fabric_budget_B": "fabric_budget",
}
TABLES: Mapping[str, Table] = {
    "bytes": Table(
        caption="Bytes of a token",
        rows_are="T, tokens",
        rows=doublings("T", DOUBLINGS),
        columns=[
            Column(name.removesuffix("_B").replace("_", " ").replace("all re", "all-re"), key, "qty")
            for name, key in COLUMNS.items()
            if key != "T"
        ],
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What the figure draws: the bytes of a token for each doubling of T, what the signals say."""

    steps: Sequence[Mapping[str, Any]]
    signals: Mapping[str, float | str]


def params(settings: Mapping[str, str | float], given: Base) -> dict[str, float | str]:
    """Return the value of every signal on a scenario: NaN for an absence, inf where no batch will do."""
    return told(SIGNALS, QUANTITIES, given, {**DEFAULT, **settings})


def rows(catalogue: Catalogue, settings: Mapping[str, str | float] = DEFAULT) -> Rows:
    """Return the bytes of a token on a scenario, in B: a row for each doubling of T."""
    steps = [base(catalogue, {**settings, "T": 2.0**k}) for k in range(DOUBLINGS + 1)]
    return Rows(steps=[_step(step) for step in steps], signals=params(settings, base(catalogue, settings)))


def _step(given: Base) -> dict[str, Any]:
    memo: Memo = {}
    return {name: ask(QUANTITIES[key], given, memo).number for name, key in COLUMNS.items()}


def data(drawn: Rows) -> Sequence[Mapping[str, Any]]:
    """Return the main series for the table, the CSV and the JSON."""
    return drawn.steps


def controls(_: Catalogue) -> list[dict[str, Any]]:
    """Return the figure's own controls: tokens per visit and micro-batches per step, by doublings."""
    return [
        parts.slider("bytes-T", "log2_T", marked("Tokens per weight visit, T"), DOUBLINGS, float(DEFAULT["T"])),
        parts.slider("bytes-n", "log2_micro_batches", "Micro-batches per step", 10, float(DEFAULT["micro_batches"])),
    ]


def chart(drawn: Rows, layout: Layout) -> Any:
    """Encode the rows for one layout."""
    layers = [
        lines.lower(layout),
        lines.upper(layout),
        *lines.titles(layout),
        *labels.names(layout),
        *labels.key(layout),
        labels.wire(layout),
        *labels.reached(layout),
        labels.here(layout),
        labels.absent(layout),
    ]
    known = parts.params(drawn.signals, streams.derived() | labels.derived(layout))
    panels = alt.layer(*layers, params=known).resolve_scale(y="independent").resolve_axis(y="independent")
    return parts.frame(panels, "bytes_view", layout)
