"""How far an answer can be off, given how far its inputs can.

Each input goes to both ends of its range while the others stay: that ranks the inputs by how far they move the answer.
Then all go together, as report/points.py draws them, and the range of the answer is what 19 draws in 20 give: as much
is left out at either end as a range leaves out, and never less than one input alone reaches. Where only one input
moves the answer, its range is that of the answer at the ends. templates/static/ranges.js does the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from model.formula import LIMITS
from report.asking import Reading
from report.many import Column
from report.points import TAIL, Floats

_STILL = 1e-9  # a shift smaller than this, in parts of the answer, is rounding


@dataclass(frozen=True, slots=True)
class Swing:
    """What the answer becomes when an input, known by its place, is at the low and at the high end of its range."""

    place: int
    at_low: Reading
    at_high: Reading

    @property
    def ends(self) -> tuple[Reading, Reading]:
        """Return both answers."""
        return (self.at_low, self.at_high)


@dataclass(frozen=True, slots=True)
class Spread:
    """The lowest and highest answer thought likely, and what moves it, the widest swing first.

    high is None where it is a limit, and state says which. gone has each state that a draw or an end can leave the
    answer in, with the share of the draws that do.
    """

    low: float
    high: float | None
    swings: tuple[Swing, ...]
    state: str | None = None
    gone: tuple[tuple[str, float], ...] = ()


Draw = Callable[[Sequence[int]], Column]  # the inputs at these places, all drawn together


def spread(value: float, swings: Iterable[Swing], draw: Draw) -> Spread | None:
    """Return how far an answer can be off, in its own unit; None where no input has a range that moves it."""
    known = list(swings)
    factors = value > 0 and all(end.number is None or end.number > 0 for swing in known for end in swing.ends)
    widths = {swing.place: width(value, swing, factors) for swing in known}
    moving = [swing for swing in known if widths[swing.place] > _STILL * (1 if factors else abs(value))]
    if not moving:
        return None
    drawn = draw([swing.place for swing in moving])
    numbers = drawn.numbers[~np.isnan(drawn.numbers)]
    ends = [end.number for swing in moving for end in swing.ends if end.number is not None]
    reached = [value, *ends] if len(moving) == 1 else [value, *ends, *_middle(numbers)]
    low, high = min(reached), max(reached)
    gone = _gone(moving, drawn)
    state = next(state for state in gone if state in LIMITS) if math.isinf(high) else None
    ranked = sorted(moving, key=lambda swing: -widths[swing.place])
    return Spread(low, None if state else high, tuple(ranked), state, tuple(gone.items()))


def width(value: float, swing: Swing, factors: bool) -> float:
    """Return how far an input moves the answer: a logarithm of factors, or a difference; without end at a state."""
    if any(end.number is None for end in swing.ends):
        return math.inf
    numbers = [value, *(end.number for end in swing.ends if end.number is not None)]
    if math.isinf(max(numbers)):
        return math.inf
    found = math.log(max(numbers) / min(numbers)) if factors else max(numbers) - min(numbers)
    return float(f"{found:.9g}")  # two inputs that move it alike keep their order, here and in the browser


def _middle(numbers: Floats) -> tuple[float, ...]:
    """Return the two numbers between which 19 draws of 20 lie; nothing for no numbers."""
    ordered = np.sort(numbers)
    return (quantile(ordered, TAIL), quantile(ordered, 1 - TAIL)) if len(ordered) else ()


def quantile(ordered: Floats, share: float) -> float:
    """Return the number below which a share of some ordered ones lies, each taken for the middle of its own part."""
    place = min(max(share * len(ordered) - 0.5, 0), len(ordered) - 1)
    under = int(place)
    low, high = float(ordered[under]), float(ordered[min(under + 1, len(ordered) - 1)])
    return low if low == high or place == under else low + (high - low) * (place - under)


def _gone(moving: Sequence[Swing], drawn: Column) -> dict[str, float]:
    """Return the states that the answer can get into, each with the share of the draws that are in it."""
    ends = {end.state: 0.0 for swing in moving for end in swing.ends if end.state}
    return ends | drawn.shares()
