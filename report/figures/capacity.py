"""Figure 4: what one device must hold, weights, gradients, optimizer state and tape, against the memory it has.

One bar for each policy of keeping activations, all on the reader's own network and sharding. Amounts are the model's
own formulas, printed as Vega expressions; a chart adds only places and words.
Vega parameters, a contract with page and tests: those of SIGNALS, which the page sets; capacity_tapes, _needs, _again
(a value for each policy, in the order of POLICIES), capacity_own, _base and _hi, which follow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Any

import altair as alt

from model.book import QUANTITIES
from model.formula import Base, Memo, ask
from model.machine import Machine
from model.records import Catalogue
from model.scenario import DEFAULT, FIRST, QUIET
from report.figures import capacity_bars as bars
from report.figures import capacity_words as words
from report.figures import parts
from report.figures.capacity_bars import POLICIES, WRITER
from report.figures.capacity_words import STATE_WORDS, TAPE_WORDS
from report.figures.expression import Signal, told
from report.figures.parts import Data
from report.figures.tables import Column, Row, Table
from report.figures.theme import Layout
from report.figures.things import marked
from report.given import base

ALT = (
    "What one device must hold, in bytes: weights, gradients, optimizer state and tape as a bar for each policy of "
    "keeping activations, against the memory of the machine."
)
WIDE = Layout(name="wide", width=860, height=402, left=2, right=16, top=4, bottom=54, text=14, small=13)
PHONE = Layout(name="phone", width=350, height=366, left=2, right=14, top=4, bottom=52, text=12, small=11)
LAYOUTS = (WIDE, PHONE)

SIGNALS: Mapping[str, Signal] = {
    **WRITER.signals,
    "capacity_machine": Signal(kind="setting", key="machine"),
    TAPE_WORDS: Signal(kind="state", key="tape_per_device"),
    STATE_WORDS: Signal(kind="state", key="state_per_device"),
}
_PARTS = ("weights", "gradients", "optimizer", "tape")
TABLES: Mapping[str, Table] = {
    "capacity": Table(
        caption="Bytes on one device",
        rows_are="policy",
        rows=[Row(names[0], {"policy": word}) for word, names in POLICIES.items()],
        columns=[
            *(Column(part, f"{part}_per_device", "qty") for part in _PARTS),
            Column("together", "device_bytes", "qty"),
            Column("memory", "capacity", "qty"),
            Column("computed again, of the arithmetic", "recompute_share", "percent", 2),
        ],
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What the figure draws: the machines, what each policy needs, what the signals say."""

    machines: Sequence[Mapping[str, Any]]
    policies: Sequence[Mapping[str, Any]]
    signals: Mapping[str, float | str]


def params(settings: Mapping[str, str | float], given: Base) -> dict[str, float | str]:
    """Return the value of every signal on a scenario: NaN for an absence."""
    return told(SIGNALS, QUANTITIES, given, {**DEFAULT, **settings})


def rows(catalogue: Catalogue, settings: Mapping[str, str | float] = DEFAULT) -> Rows:
    """Return the machines of the catalogue and, for each policy, what one device must hold, in bytes."""
    given = base(catalogue, settings)
    kept = [_policy(name, base(catalogue, {**settings, "policy": word})) for word, (name, *_) in POLICIES.items()]
    machines = [_machine(row) for row in catalogue.machines.values()]
    return Rows(machines=machines, policies=kept, signals=params(settings, given))


def _machine(row: Machine) -> dict[str, Any]:
    return {"id": row.id, "name": f"{article(row.short)} {row.short}"}


def article(name: str) -> str:
    """Return a or an, as the name is spoken: an H100, a V100, an RTX 4090, an 8800 GTX, an i860, a VAX."""
    first = name.split(maxsplit=1)[0]
    spelled = not any(letter.islower() for letter in first)
    return "an" if first[0] in ("AEFHILMNORSX8" if spelled else "AEIOaeio8") else "a"


def _policy(name: str, given: Base) -> dict[str, Any]:
    memo: Memo = {}
    found: dict[str, Any] = {"policy": name}
    found |= {f"{part}_B": ask(QUANTITIES[f"{part}_per_device"], given, memo).number for part in _PARTS}
    found["together_B"] = ask(QUANTITIES["device_bytes"], given, memo).number
    found["memory_B"] = ask(QUANTITIES["capacity"], given, memo).number
    found["computed_again_of_arithmetic"] = ask(QUANTITIES["recompute_share"], given, memo).number
    return found


def data(drawn: Rows) -> Sequence[Mapping[str, Any]]:
    """Return the main series for the table, the CSV and the JSON: the parts of each bar, and the memory."""
    return drawn.policies


def controls(_: Catalogue) -> list[dict[str, Any]]:
    """Return the figure's own controls: all of them move the scenario."""
    doubled = [str(2**k) for k in range(5)]
    sequences = {**_select("sequences", "T", marked("Sequences per micro-batch"), doubled), "times": "s"}
    sequences["value"] = f"{DEFAULT['T'] / DEFAULT['s']:g}"  # type: ignore[operator]
    slider: dict[str, Any] = {"kind": "range", "id": "capacity-devices", "key": "", "param": "log2_devices"}
    slider |= {"label": "Devices in all, N", "min": 0, "max": 14, "step": 1, "value": log2(float(DEFAULT["devices"]))}
    kept = [{"value": word, "label": names[0]} for word, names in POLICIES.items()]
    return [
        {**_select("policy", "policy", "Tape", []), "options": kept, "value": FIRST["policy"]},
        sequences,
        _select("tp", "tp", "Tensor parallel", doubled),
        _select("pp", "pp", "Pipeline stages", doubled),
        _select("micro", "micro_batches", "Micro-batches a step, n", [str(2**k) for k in range(7)]),
        {**_select("zero", "zero", "ZeRO stage", []), "options": _STAGES, "value": FIRST["zero"]},
        slider,
    ]


_STAGES = [
    {"value": "0", "label": "0: nothing sharded"},
    {"value": "1", "label": "1: optimizer"},
    {"value": "2", "label": "2: and gradients"},
    {"value": "3", "label": "3: and weights"},
]


def _select(name: str, key: str, label: str, values: Sequence[str]) -> dict[str, Any]:
    first = {**QUIET, **DEFAULT}.get(key, "")
    options = [{"value": value, "label": value} for value in values]
    value = f"{first:g}" if isinstance(first, float) else first
    named = {"kind": "select", "id": f"capacity-{name}", "key": key, "param": "", "label": label}
    return {**named, "value": value, "options": options}


def chart(drawn: Rows, layout: Layout) -> Any:
    """Encode the rows for one layout."""
    machines = Data([*drawn.machines, {"id": "own", "name": "your machine"}])
    layers = [
        bars.axis(layout),
        bars.bars(layout),
        bars.cut(layout),
        words.amounts(layout),
        bars.memory(layout),
        *words.label(machines, layout),
        *words.rows(layout),
        *words.legend(layout),
        words.note(layout),
    ]
    whole = alt.layer(*layers, params=parts.params(drawn.signals, bars.derived()))
    return parts.frame(whole, "capacity_view", layout)
