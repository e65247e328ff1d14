"""What the tape holds at every moment of a forward and a backward pass, event by event.

The schedules are run, not drawn from a closed form; tape_high_water states the closed forms, and tests hold the two
together. One unit is the activations of one layer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from model.formula import Fork, Formula, root
from model.inputs import ONE_LAYER, L, policy
from model.units import unit

_CHEN, _GOMEZ = "Chen and colleagues 2016", "Gomez and colleagues 2017"

_high = ("tape_high_water", r"H", unit("layer"), "most layers' activations that are alive at once")
_all_layers = Formula(*_high, expr=lambda: L, source="every layer waits for the backward pass")
tape_high_water = Fork(
    policy,
    {
        "selective": _all_layers,
        "store-all": _all_layers,
        "inputs": _all_layers,
        "sqrt": Formula(*_high, expr=lambda: 2 * root(L), source=_CHEN, reads_as=unit("layer").root()),
        "reversible": Formula(*_high, expr=lambda: ONE_LAYER, source=_GOMEZ),
    },
)


@dataclass(frozen=True, slots=True)
class Event:
    """One moment of a schedule: what was done to which layer, and how many layers' activations are alive after it."""

    action: str  # forward, recompute, backward
    layer: int
    alive: int


def store_all(layers: int) -> Iterator[Event]:
    """Yield the events of keeping every activation until its backward pass."""
    _positive(layers)
    for layer in range(layers):
        yield Event("forward", layer, layer + 1)
    for layer in reversed(range(layers)):
        yield Event("backward", layer, layer)


def every_sqrt(layers: int) -> Iterator[Event]:
    """Yield the events of keeping one activation in about sqrt(L), and computing each segment again when needed."""
    _positive(layers)
    step = max(1, round(math.sqrt(layers)))
    starts = list(range(0, layers, step))
    for layer in range(layers):
        yield Event("forward", layer, layer // step + 1)
    for index in reversed(range(len(starts))):
        segment = range(starts[index], min(starts[index] + step, layers))
        for done, layer in enumerate(segment[1:], start=1):
            yield Event("recompute", layer, index + 1 + done)
        for layer in reversed(segment):
            yield Event("backward", layer, index + layer - segment[0])


def reversible(layers: int) -> Iterator[Event]:
    """Yield the events of keeping the output alone and inverting each layer on the way back."""
    _positive(layers)
    for layer in range(layers):
        yield Event("forward", layer, 1)
    for layer in reversed(range(layers)):
        yield Event("recompute", layer, 1)
        yield Event("backward", layer, 1 if layer else 0)


def high_water(events: Iterator[Event]) -> int:
    """Return the most layers' activations that were alive at once."""
    return max(event.alive for event in events)


def _positive(layers: int) -> None:
    if layers < 1:
        raise ValueError(f"layers must be at least 1, not {layers}")
