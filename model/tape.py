"""What the tape holds at every moment of a forward and a backward pass, event by event.

The schedules are run, not drawn from a closed form; tape_high_water and fewest_forward state the closed forms, and
tests hold the two together. One unit is the activations of one layer; what flows from a layer to the next is not
counted, and the network's input is always at hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

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
    """One moment of a schedule: what was done to which layer, and whose activations are alive after it."""

    action: str  # forward, recompute, backward
    layer: int
    held: tuple[int, ...]  # in the order in which they were stored

    @property
    def alive(self) -> int:
        """Return how many layers' activations are alive, in layers."""
        return len(self.held)


class Tape:
    """The tape while a schedule runs: it does one thing at a time and says what is alive after it."""

    def __init__(self) -> None:
        self.held: tuple[int, ...] = ()
        self.reached = 0  # layers that have been computed at least once

    def compute(self, layer: int, *, keep: bool) -> Event:
        """Run a layer forward, and keep its activations or let them go."""
        action = "forward" if layer == self.reached else "recompute"
        self.reached = max(self.reached, layer + 1)
        if keep:
            self.held += (layer,)
        return Event(action, layer, self.held)

    def back(self, layer: int) -> Event:
        """Run a layer backward, which uses up its activations."""
        if layer not in self.held:
            raise ValueError(f"layer {layer} cannot go backward: its activations are not alive")
        self.held = tuple(kept for kept in self.held if kept != layer)
        return Event("backward", layer, self.held)


def store_all(layers: int) -> Iterator[Event]:
    """Yield the events of keeping every activation until its backward pass."""
    _positive("layers", layers)
    tape = Tape()
    for layer in range(layers):
        yield tape.compute(layer, keep=True)
    for layer in reversed(range(layers)):
        yield tape.back(layer)


def every_sqrt(layers: int) -> Iterator[Event]:
    """Yield the events of keeping one activation in about sqrt(L), and computing each segment again when needed."""
    _positive("layers", layers)
    tape, step = Tape(), max(1, round(math.sqrt(layers)))
    for layer in range(layers):
        yield tape.compute(layer, keep=layer % step == 0)
    for start in reversed(range(0, layers, step)):
        segment = range(start, min(start + step, layers))
        for layer in segment[1:]:
            yield tape.compute(layer, keep=True)
        for layer in reversed(segment):
            yield tape.back(layer)


def reversible(layers: int) -> Iterator[Event]:
    """Yield the events of keeping the latest output alone and inverting each layer on the way back."""
    _positive("layers", layers)
    for layer in range(layers):
        yield Event("forward", layer, (layer,))
    for layer in reversed(range(layers)):
        yield Event("recompute", layer, (layer,))
        # The inversion has also given back what the layer below put out.
        yield Event("backward", layer, (layer - 1,) if layer else ())


def revolve(layers: int, memory: int) -> Iterator[Event]:
    """Yield the events of the schedule that computes least again while at most `memory` layers are alive.

    Griewank and Walther's: keep one layer, send all above it back with what memory is left, then all below it.
    """
    _positive("layers", layers)
    _positive("memory", memory)
    yield from _revolve(Tape(), 0, layers, memory)


def _revolve(tape: Tape, start: int, layers: int, memory: int) -> Iterator[Event]:
    """Yield the events for the layers from `start` on, whose input is at hand."""
    while layers:
        below = _split(layers, memory)
        for layer in range(start, start + below + 1):
            yield tape.compute(layer, keep=layer == start + below)
        yield from _revolve(tape, start + below + 1, layers - below - 1, memory - 1)
        yield tape.back(start + below)
        layers = below


def reach(memory: int, times: int) -> int:
    """Return how many layers `memory` can serve when none is computed more than `times` times, in layers.

    The binomial of Griewank, C(memory + times, memory), less the network's input, which takes no memory here.
    """
    return math.comb(memory + times, memory) - 1


def _times(layers: int, memory: int) -> int:
    """Return how often the layer that is computed most often runs forward, at least."""
    times = 0
    while reach(memory, times) < layers:
        times += 1
    return times


def _split(layers: int, memory: int) -> int:
    """Return how many layers stay below the one that is kept: as many as can be served once less, and no more."""
    times = _times(layers, memory)
    # What lies above must need its part of the memory, or it would have been cheaper to keep a lower layer.
    return min(reach(memory, times - 1), layers - 1 - reach(memory - 1, times - 1))


def fewest_forward(layers: int, memory: int) -> int:
    """Return the fewest forward runs of a layer, first runs included, that a backward pass needs, in layer runs.

    r (L + 1) - C(m + r, m + 1), where r is the least number of times with C(m + r, m) > L: Griewank and Walther 2000,
    for a chain of L + 1 states of which the first is free.
    """
    _positive("layers", layers)
    _positive("memory", memory)
    times = _times(layers, memory)
    return times * (layers + 1) - math.comb(memory + times, memory + 1)


Schedule = Callable[[int, int], Iterator[Event]]  # of layers, and of a memory that only revolve heeds
SCHEDULES: Mapping[str, Schedule] = MappingProxyType(
    {
        "store-all": lambda layers, _: store_all(layers),
        "sqrt": lambda layers, _: every_sqrt(layers),
        "revolve": revolve,
        "reversible": lambda layers, _: reversible(layers),
    }
)


# A backward pass costs two forward passes: 4 operations for each weight and token against 2.
FORWARD_PASSES_IN_A_STEP = 3


def share_again(layers: int, again: int) -> float:
    """Return what `again` layers computed a second time add to a step's arithmetic, as a share of it."""
    return again / (FORWARD_PASSES_IN_A_STEP * layers)


def high_water(events: Iterator[Event]) -> int:
    """Return the most layers' activations that were alive at once."""
    return max(event.alive for event in events)


def _positive(name: str, value: int) -> None:
    if value < 1:
        raise ValueError(f"{name} must be at least 1, not {value}")
