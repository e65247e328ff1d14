"""Whether a claim keeps its verdict while its inputs go through their ranges, and where it loses it.

Three questions, from the nearest to the farthest. Does an input alone, somewhere in its range, turn the verdict? Then
the nearest such place is found. Do all together, each at the end that is worst for one of the comparisons? If neither,
the verdict stands over the whole range. How many of the joint draws turn it is said as well. That the worst ends are
ends holds while a comparison moves one way in each input; a test looks for claims where it does not.
templates/static/ranges.js asks the same questions about the reader's scenario.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from report.asking import HERE, Scenario
from report.conditions import Compare, Cond, Join, Not
from report.many import Asker, Many, Spot, at_ends, draws
from report.points import DRAWS, Floats, drawn

NEAR = 0.02  # sides nearer than this, in parts of the larger, are at the point of changing places
_STEPS, _ROUNDS = 64, 3  # a place in a range is found to one part in 64 ** 3
Over = Literal["exact", "holds", "together", "flips"]


@dataclass(frozen=True, slots=True)
class Flip:
    """Where in its range an input alone turns the verdict: at `value`, `part` of the way from where it stands."""

    spot: Spot
    value: float
    part: float

    @property
    def rising(self) -> bool:
        """Tell whether the input turns the verdict on its way up."""
        return self.value > self.spot[1]


@dataclass(frozen=True, slots=True)
class Robust:
    """How a verdict fares over the ranges.

    over is exact (no input has a range), holds, together (only several inputs at once turn it) or flips (one alone
    does, the nearest first in flips); share is the part of the joint draws that turns it.
    """

    over: Over
    flips: tuple[Flip, ...] = ()
    share: float = 0.0


def robust(cond: Cond, spots: Sequence[Spot], asker: Asker, reader: Scenario = HERE) -> Robust:
    """Return how a condition's verdict on a reader's scenario fares while its inputs go through their ranges."""
    if not spots:
        return Robust("exact")
    verdict = _code(cond.holds(reader))
    ends = asker.many(at_ends(spots), 2 * len(spots))
    turned = ends.holds(cond, reader) != verdict
    flips = _flips(cond, spots, np.flatnonzero(turned).tolist(), asker, reader)
    corners = _corners(cond, spots, ends, reader)
    if not flips and not (_at(corners, asker).holds(cond, reader) != verdict).any():
        return Robust("holds")
    share = float(np.mean(asker.many(draws(spots), DRAWS).holds(cond, reader) != verdict))
    return Robust("flips" if flips else "together", flips, share)


def _code(holds: bool | None) -> int:
    return -1 if holds is None else int(holds)


def _at(moved: Mapping[Spot, Floats], asker: Asker) -> Many:
    return asker.many(moved, len(next(iter(moved.values()))))


def _corners(cond: Cond, spots: Sequence[Spot], ends: Many, reader: Scenario) -> dict[Spot, Floats]:
    """Return all inputs at the ends that are worst, and at those that are best, for each comparison in turn."""
    values: list[list[float]] = [[] for _ in spots]
    for compare in compares(cond):
        slack = _slack(compare, ends, reader)
        for place, name in enumerate(spots):
            low, high = slack[2 * place], slack[2 * place + 1]
            worst, best = (name[2], name[3]) if low < high else (name[3], name[2])
            values[place] += [worst, best]
    return {name: np.array(column) for name, column in zip(spots, values, strict=True)}


def _slack(compare: Compare, ends: Many, reader: Scenario) -> Floats:
    """Return how far a comparison is from being false, row by row; farthest below zero where it is undecided."""
    left, right = (ends.number(side, reader).numbers for side in compare.sides())
    larger = np.maximum(np.abs(left), np.abs(right))
    with np.errstate(all="ignore"):
        apart = np.where(left == right, 0.0, np.where(np.isinf(larger), np.sign(left - right), (left - right) / larger))
    return np.where(np.isnan(apart), -2.0, apart if compare.op in (">", ">=") else -apart)


def compares(cond: Cond) -> Iterator[Compare]:
    """Yield the comparisons of a condition, from left to right."""
    match cond:
        case Compare():
            yield cond
        case Join():
            for part in cond.parts:
                yield from compares(part)
        case Not():
            yield from compares(cond.part)


def _flips(cond: Cond, spots: Sequence[Spot], rows: Iterable[int], asker: Asker, reader: Scenario) -> tuple[Flip, ...]:
    """Return where the inputs turn the verdict on the way to the ends at which it is turned, the nearest first."""
    verdict = _code(cond.holds(reader))
    ways = [(spots[row // 2], -1.0 if row % 2 == 0 else 1.0) for row in rows]
    nearest = np.zeros(len(ways))
    for depth in range(1, _ROUNDS + 1):
        steps = nearest[:, None] + np.arange(1, _STEPS + 1) / _STEPS**depth
        turned = _along(cond, ways, steps, asker, reader) != verdict
        nearest += np.argmax(turned, axis=1) / _STEPS**depth
    found = [_flip(name, way, float(part) + _STEPS**-_ROUNDS) for (name, way), part in zip(ways, nearest, strict=True)]
    return tuple(sorted(found, key=lambda flip: flip.part))


def _along(
    cond: Cond, ways: Sequence[tuple[Spot, float]], steps: Floats, asker: Asker, reader: Scenario
) -> NDArray[np.int8]:
    """Return the verdicts on the ways from the inputs' values towards ends, at the given parts of each way."""
    if not ways:
        return np.zeros(steps.shape, np.int8)
    moved: dict[Spot, Floats] = {}
    for place, (name, way) in enumerate(ways):
        table = moved.setdefault(name, np.full(steps.shape, name[1]))
        table[place] = drawn(*name[1:], way * steps[place])
    flat = {name: table.ravel() for name, table in moved.items()}
    return _at(flat, asker).holds(cond, reader).reshape(steps.shape)


def _flip(name: Spot, way: float, part: float) -> Flip:
    return Flip(name, float(drawn(*name[1:], np.array([way * part]))[0]), part)
