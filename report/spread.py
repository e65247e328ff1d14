"""How far an answer can be off, given how far its inputs can.

Each input goes to both ends of its range while the others stay. The shifts of the answer are taken for independent
errors: their squares are added, as factors (on a logarithm) where every answer is positive, since ranges are factors
too. The input that moves the answer furthest is named. templates/static/cards.js does the same in the browser.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from report.asking import Reading


@dataclass(frozen=True, slots=True)
class End:
    """What the answer becomes when the input of that name is at the low and at the high end of its range."""

    name: str
    at_low: Reading
    at_high: Reading

    @property
    def lost(self) -> str | None:
        """Return the state of an answer that one of the ends leaves without a value."""
        return next((reading.state for reading in (self.at_low, self.at_high) if reading.number is None), None)


@dataclass(frozen=True, slots=True)
class Spread:
    """The lowest and highest answer thought possible, and the input that matters most.

    high is None where an end of an input's range makes the answer infinite, and state says why. lost names the state
    of an answer that some end of a range leaves without any value.
    """

    low: float
    high: float | None
    main: str
    state: str | None = None
    lost: str | None = None


def spread(value: float, ends: Sequence[End]) -> Spread | None:
    """Return how far an answer can be off, in its own unit; None where no input has a range that moves it."""
    readings = [reading for end in ends for reading in (end.at_low, end.at_high)]
    numbers = [reading.number for reading in readings if reading.number is not None]
    factors = value > 0 and all(number > 0 for number in numbers)
    shifts = [(end.name, *_shifts(value, end, factors)) for end in ends]
    widest = max(shifts, key=lambda part: part[2] - part[1], default=("", 0.0, 0.0))
    lost = next((end for end in ends if end.lost), None)
    if widest[1] == widest[2]:
        return None if lost is None else Spread(value, value, lost.name, None, lost.lost)
    gone = lost.lost if lost else None
    down = math.sqrt(sum(below**2 for _, below, _ in shifts))
    up = math.sqrt(sum(above**2 for _, _, above in shifts))
    low = value * math.exp(-down) if factors else value - down
    if math.isinf(up):
        state = next(reading.state for reading in readings if reading.number == math.inf)
        return Spread(low, None, widest[0], state, gone)
    return Spread(low, value * math.exp(up) if factors else value + up, widest[0], None, gone)


def _shifts(value: float, end: End, factors: bool) -> tuple[float, float]:
    """Return how far down and how far up an input moves the answer: logarithms of factors, or differences."""
    moved = [0.0]
    for reading in (end.at_low, end.at_high):
        if reading.number is not None:
            moved.append(math.log(reading.number / value) if factors else reading.number - value)
    return min(moved), max(moved)
