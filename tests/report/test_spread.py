"""How far an answer can be off: one input at a time, factors where answers are positive, limits and absences."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from report.asking import Reading
from report.spread import End, Spread, spread


def end(name: str, low: float | None, high: float | None, state: str | None = None) -> End:
    known = [Reading(number, None if number is not None and math.isfinite(number) else state) for number in (low, high)]
    return End(name, known[0], known[1])


def test_one_input_gives_exactly_the_answers_at_its_ends() -> None:
    found = spread(10.0, [end("a", 8.0, 15.0)])
    assert found is not None
    assert (found.low, found.high, found.main) == (pytest.approx(8.0), pytest.approx(15.0), "a")


def test_an_input_that_pushes_the_answer_down_counts_the_same_way() -> None:
    assert spread(10.0, [end("a", 15.0, 8.0)]) == spread(10.0, [end("a", 8.0, 15.0)])


def test_shifts_are_added_as_those_of_independent_errors() -> None:
    found = spread(10.0, [end("a", 5.0, 20.0), end("b", 5.0, 20.0)])
    assert found is not None
    assert found.high == pytest.approx(10 * math.exp(math.sqrt(2) * math.log(2)))
    assert found.low == pytest.approx(10 / math.exp(math.sqrt(2) * math.log(2)))


def test_the_input_that_moves_the_answer_furthest_is_named() -> None:
    found = spread(10.0, [end("a", 9.0, 11.0), end("b", 10.0, 19.0), end("c", 8.0, 10.0)])
    assert found is not None
    assert found.main == "b"


def test_differences_are_added_where_an_answer_is_not_positive() -> None:
    found = spread(1.0, [end("a", -2.0, 4.0), end("b", -3.0, 5.0)])
    assert found == Spread(1.0 - 5.0, 1.0 + 5.0, "b")


def test_a_limit_at_one_end_leaves_the_range_open_and_says_why() -> None:
    found = spread(10.0, [end("a", 9.0, 11.0), end("b", 8.0, math.inf, "no-batch")])
    assert found is not None
    assert (found.high, found.state, found.main) == (None, "no-batch", "b")
    assert 7 < found.low < 8


def test_an_absence_at_one_end_is_said_beside_the_range() -> None:
    found = spread(10.0, [end("a", 9.0, None, "does-not-fit")])
    assert found is not None
    assert (found.low, found.high, found.lost) == (pytest.approx(9.0), pytest.approx(10.0), "does-not-fit")
    alone = spread(10.0, [end("a", 10.0, None, "does-not-fit")])
    assert alone == Spread(10.0, 10.0, "a", None, "does-not-fit")


def test_without_ranges_or_shifts_there_is_none() -> None:
    assert spread(10.0, []) is None
    assert spread(10.0, [end("a", 10.0, 10.0)]) is None


POSITIVE = st.floats(1e-3, 1e3)


@given(POSITIVE, st.lists(st.tuples(POSITIVE, POSITIVE), min_size=1, max_size=5))
def test_a_range_holds_every_answer_that_made_it(value: float, ends: list[tuple[float, float]]) -> None:
    found = spread(value, [end(str(place), *pair) for place, pair in enumerate(ends)])
    reached = [number for pair in ends for number in pair]
    if found is None:
        assert all(number == value for number in reached)
        return
    assert found.high is not None
    assert found.low <= min(*reached, value) * (1 + 1e-9)
    assert found.high >= max(*reached, value) * (1 - 1e-9)
