"""When a timing holds still, and what rate it gives."""

from __future__ import annotations

import math
from itertools import cycle

import pytest

from report.measure.kernel import Kernel, stream_kernel
from report.measure.steady import FEWEST, Rule, interval, rate

RULE = Rule(within=0.01, least=8, warm=3, repetition=1.0, limit=100.0)


class Watch:
    """A clock that moves by the next of some durations whenever the kernel runs."""

    def __init__(self, durations: list[float]) -> None:
        self.now, self.runs, self._durations = 0.0, 0, cycle(durations)

    def __call__(self) -> float:
        return self.now

    def kernel(self) -> Kernel:
        def start() -> None:
            self.runs += 1
            self.now += next(self._durations)

        return stream_kernel(1000, start)


@pytest.mark.parametrize(("n", "k"), [(6, 1), (8, 1), (9, 2), (10, 2), (15, 4), (20, 6), (50, 18), (100, 40)])
def test_the_interval_of_a_median_is_the_one_of_the_tables(n: int, k: int) -> None:
    """As in any table of order statistics for the sign test, two-sided 5 %."""
    values = [float(i) for i in range(n, 0, -1)]
    assert interval(values) == (k, n + 1 - k)
    outside = 2 * sum(math.comb(n, i) for i in range(k)) / 2**n
    assert outside <= 0.05 < outside + 2 * math.comb(n, k) / 2**n


def test_too_few_values_have_no_interval() -> None:
    with pytest.raises(ValueError, match="5 values; an interval takes 6"):
        interval([1.0] * (FEWEST - 1))


def test_what_holds_still_is_repeated_no_more_than_it_must() -> None:
    watch = Watch([2.0])
    found = rate(watch.kernel(), RULE, watch)
    assert (found.value, found.low, found.high, found.best) == (1000.0, 1000.0, 1000.0, 1000.0)
    assert (found.repeats, found.steady, found.spread) == (8, True, 0.0)


def test_what_never_holds_still_ends_with_its_time_and_is_said_to() -> None:
    watch = Watch([1.0, 2.0, 3.0, 4.0, 5.0])
    found = rate(watch.kernel(), RULE, watch)
    assert not found.steady
    assert found.low < found.value < found.high <= found.best == 2000.0
    assert watch.now >= RULE.limit
    assert found.spread > 0.01


def test_noise_is_averaged_away_until_the_interval_is_narrow() -> None:
    durations = [1.0 + 0.02 * math.sin(7 * i) for i in range(101)]
    watch = Watch(durations)
    found = rate(watch.kernel(), Rule(within=0.01, least=8, warm=3, repetition=0.5, limit=1e9), watch)
    assert found.steady
    assert 8 < found.repeats < 500
    assert found.spread <= 0.0101
    assert found.value == pytest.approx(2000.0, rel=0.01)


def test_short_runs_are_gathered_and_the_first_repetitions_are_thrown_away() -> None:
    watch = Watch([50.0] + [0.3] * 100_000)
    found = rate(watch.kernel(), RULE, watch)
    assert found.value == pytest.approx(2000 / 0.3)
    # 1 to warm up, 1 + 2 + 4 to find that four last a second, two more repetitions of warming, eight of measuring.
    assert watch.runs == 1 + 7 + 4 * 2 + 4 * 8


def test_every_repetition_is_told() -> None:
    watch, heard = Watch([2.0]), list[str]()
    rate(watch.kernel(), RULE, watch, heard.append)
    assert len(heard) == 8
    assert heard[-1].endswith("repetition 8")
