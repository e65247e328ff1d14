"""When a timing holds still: the rule, and the rate that it yields.

Runs are gathered into repetitions long enough for the clock. The first repetitions are thrown away (memory is being
laid out, threads and clocks come up). Then one repeats until the 95 % interval of the median, which needs no
assumption about how times are distributed, is narrow enough, or until the time is up: then it is said so.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from model.units import Unit
from report.measure.kernel import Kernel

Clock = Callable[[], float]
_CONFIDENCE = 0.95
# Below six values the extremes do not enclose the median with that confidence.
FEWEST = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How steady is steady: the interval of the median lies within `within` of it; times are in seconds."""

    within: float = 0.01
    least: int = 8
    warm: int = 2
    repetition: float = 0.1
    limit: float = 30.0


STEADY = Rule()
QUICK = Rule(within=0.05, repetition=0.03, limit=3.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A rate per second: the median over repetitions, its interval, the fastest repetition; whether it held still."""

    value: float
    low: float
    high: float
    best: float
    repeats: int
    steady: bool
    says: str
    unit: Unit

    @property
    def spread(self) -> float:
        """Return the larger half of the interval, as a share of the rate."""
        return max(self.high - self.value, self.value - self.low) / self.value


def interval(values: list[float]) -> tuple[float, float]:
    """Return the 95 % interval of the median, from the order of the values; raise ValueError for fewer than six.

    Of n values in order, the median of what they are drawn from lies outside the k-th from either end with
    probability 2 P(Binomial(n, 1/2) < k): the largest k for which that stays within 5 %.
    """
    n = len(values)
    if n < FEWEST:
        raise ValueError(f"{n} values; an interval takes {FEWEST}")
    ordered, k, below = sorted(values), 0, 0.5**n
    while 2 * below <= 1 - _CONFIDENCE:
        k += 1
        below += math.comb(n, k) * 0.5**n
    return ordered[k - 1], ordered[n - k]


def rate(kernel: Kernel, rule: Rule, clock: Clock, tell: Callable[[str], None] = lambda said: None) -> Rate:
    """Return the rate of a kernel in its work per second, repeated by the rule."""
    runs, begin = runs_for(kernel, rule.repetition, clock), clock()
    for _ in range(rule.warm - 1):
        _timed(kernel, runs, clock)
    times: list[float] = []
    while len(times) < rule.least or (not _narrow(times, rule.within) and clock() - begin < rule.limit):
        times.append(_timed(kernel, runs, clock) / runs)
        tell(f"{kernel.says}, repetition {len(times)}")
    short, long = interval(times)
    return Rate(
        value=kernel.work / median(times),
        low=kernel.work / long,
        high=kernel.work / short,
        best=kernel.work / min(times),
        repeats=len(times),
        steady=_narrow(times, rule.within),
        says=kernel.says,
        unit=kernel.rate,
    )


def runs_for(kernel: Kernel, seconds: float, clock: Clock) -> int:
    """Return how many runs last that long: doubled until they do. The first run warms up."""
    kernel.run(1)
    runs = 1
    while _timed(kernel, runs, clock) < seconds:
        runs *= 2
    return runs


def _timed(kernel: Kernel, runs: int, clock: Clock) -> float:
    begin = clock()
    kernel.run(runs)
    return clock() - begin


def _narrow(times: list[float], within: float) -> bool:
    middle = median(times)
    low, high = interval(times)
    return max(high - middle, middle - low) <= within * middle
