"""Figure 5: the tape over one forward and one backward pass, step by step, under four schedules.

The schedules are run in model/tape.py for the network of the default scenario, and by tape.js, its twin, for the
reader's own depth and memory; nothing is drawn from a closed form. A network deeper than MOST_LAYERS is cut there, and
the figure says so.
Vega parameters, a contract with page and tests: tape_L, tape_whole (the layers of the whole network), tape_memory,
tape_step (the step that is looked at), and by schedule tape_alive (layers alive after each step), tape_held (layers
alive at this step), tape_again, tape_share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import altair as alt

from model.book import ask
from model.records import Catalogue
from model.scenario import DEFAULT
from model.tape import SCHEDULES, Event, share_again
from report.figures import parts
from report.figures import tape_cells as cells
from report.figures import tape_lines as lines
from report.figures.expression import Signal
from report.figures.theme import Layout
from report.given import base

ALT = (
    "How many layers' activations are alive at each step of a forward and a backward pass: storing all rises to every "
    "layer and falls again; checkpoints, the optimal schedule and reversible layers stay low and take more steps."
)
WIDE = Layout(name="wide", width=860, height=532, left=50, right=124, top=4, bottom=18, text=14, small=13)
PHONE = Layout(name="phone", width=350, height=488, left=44, right=84, top=4, bottom=16, text=12, small=11)
LAYOUTS = (WIDE, PHONE)
DEEPEST, MOST_LAYERS, MOST_MEMORY, MEMORY = 128, 256, 16, 6

# The page's scenario tells the figure nothing: tape.js asks it for the depth and runs the schedules.
SIGNALS: Mapping[str, Signal] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What the figure draws: the events of each schedule, what the parameters say."""

    events: Mapping[str, Sequence[Event]]
    signals: Mapping[str, Any]


def rows(catalogue: Catalogue, settings: Mapping[str, str | float] = DEFAULT) -> Rows:
    """Return the events of each schedule for the network of a scenario, seen at the turn from forward to backward."""
    depth = ask("L", base(catalogue, settings)).value
    assert depth is not None, "the default network is a transformer"
    return run(int(depth), MEMORY)


def run(layers: int, memory: int, step: int | None = None) -> Rows:
    """Return the events of each schedule for so many layers, seen at a step; at the turn where none is given."""
    step = layers if step is None else step
    events = {name: list(schedule(layers, memory)) for name, schedule in SCHEDULES.items()}
    again = {name: sum(event.action == "recompute" for event in found) for name, found in events.items()}
    signals = {
        "tape_L": layers,
        "tape_whole": layers,
        "tape_memory": memory,
        "tape_step": step,
        "tape_alive": {name: [event.alive for event in found] for name, found in events.items()},
        "tape_held": {name: _held(found, step) for name, found in events.items()},
        "tape_again": again,
        "tape_share": {name: share_again(layers, count) for name, count in again.items()},
    }
    return Rows(events=events, signals=signals)


def _held(events: Sequence[Event], step: int) -> list[int]:
    return list(events[step - 1].held) if 0 < step <= len(events) else []


def data(drawn: Rows) -> Sequence[Mapping[str, Any]]:
    """Return the main series for the CSV and the JSON: the layers alive after each step of each schedule."""
    alive = drawn.signals["tape_alive"]
    steps = zip_longest(*alive.values())
    return [
        {"step": step} | {f"{_column(name)}_layer": count for name, count in zip(alive, counts, strict=True)}
        for step, counts in enumerate(steps, start=1)
    ]


def summary(drawn: Rows) -> Sequence[Mapping[str, Any]]:
    """Return what the table says of each schedule: its steps, its high-water mark, what it computes again."""
    told = drawn.signals
    return [
        {
            "schedule": _NAMED[name],
            "length_step": len(events),
            "alive_at_most_layer": max(told["tape_alive"][name]),
            "computed_again_layer": told["tape_again"][name],
            "added_of_arithmetic": told["tape_share"][name],
        }
        for name, events in drawn.events.items()
    ]


_NAMED: Mapping[str, str] = {
    "store-all": "store all",
    "sqrt": "checkpoint every √L",
    "revolve": "optimal",
    "reversible": "reversible",
}


def _column(name: str) -> str:
    return {"sqrt": "checkpoint_every_root", "revolve": "optimal"}.get(name, name.replace("-", "_"))


def says(drawn: Rows) -> str:
    """Return what the figure says in words at the step that is looked at; tape.js says the same of the reader's."""
    told = drawn.signals
    at, last = told["tape_step"], max(len(events) for events in drawn.events.values())
    alive = ", ".join(f"{_SPOKEN[name]} {len(held)}" for name, held in told["tape_held"].items())
    most = ", ".join(f"{_SPOKEN[name]} {max(counts)}" for name, counts in told["tape_alive"].items())
    layers = f"{told['tape_L']} {'layer' if told['tape_L'] == 1 else 'layers'}"
    return (
        f"{layers}, memory for {told['tape_memory']}. Step {at} of {last}: layers alive, {alive}. "
        f"At most alive: {most}."
    )


_SPOKEN: Mapping[str, str] = {
    "store-all": "all stored",
    "sqrt": "checkpoints",
    "revolve": "optimal",
    "reversible": "reversible",
}


def controls(catalogue: Catalogue) -> list[dict[str, Any]]:
    """Return the figure's own controls; tape.js answers to their ids."""
    drawn = rows(catalogue)
    last = max(map(len, drawn.events.values()))
    layers = drawn.signals["tape_L"]
    memory = {"min": 2, "max": MOST_MEMORY, "step": 1, "value": MEMORY}
    return [
        _control("play", "button", "Play"),
        _control("back", "button", "Step back"),
        _control("forward", "button", "Step forward"),
        {**_control("at", "range", "Step of the schedule"), "min": 0, "max": last, "step": 1, "value": layers},
        {**_control("L", "range", "Layers of the network, L"), "min": 1, "max": DEEPEST, "step": 1, "value": layers},
        {**_control("memory", "range", "Memory of the optimal schedule"), **memory},
    ]


def _control(name: str, kind: str, label: str) -> dict[str, Any]:
    return {"kind": kind, "id": f"tape-{name}", "key": "", "param": "", "label": label}


def chart(drawn: Rows, layout: Layout) -> Any:
    """Encode the rows for one layout."""
    layers = [
        lines.area(layout),
        *lines.phases(layout),
        *lines.lines(),
        *lines.cursor(layout),
        *lines.marks(layout),
        *cells.layers(layout),
    ]
    return parts.frame(alt.layer(*layers, params=parts.params(drawn.signals, lines.derived())), "tape_view", layout)
