"""Bounds of a scenario's numbers: which number is refused, and which right one is named in its place."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.bounds import BOUNDS, divisors, fault, field, indivisible, nearest, plain, written
from model.units import parse, unit


@pytest.mark.parametrize(
    ("value", "measured", "words"),
    [
        (1e3, "FLOP/s", "1 kFLOP/s"),
        (1e19, "FLOP/s", "10 EFLOP/s"),
        (1e15, "B", "1 PB"),
        (0.0, "B", "0 B"),
        (1e9, "token", "1e9"),
        (1e4, "layer", "10000"),
        (1e6, "1", "1000000"),
        (1e-18, "J/B", "1e-18 J/B"),
        (1e6, "J/s", "1000000 J/s"),
        (0.1, "1", "0.1"),
    ],
)
def test_an_end_is_written_as_somebody_may_write_it(value: float, measured: str, words: str) -> None:
    assert written(value, unit(measured)) == words
    if value:
        assert parse(words, unit(measured)) == pytest.approx(value)


@pytest.mark.parametrize("key", sorted(BOUNDS))
def test_both_ends_are_right_and_what_lies_beyond_them_is_not(key: str) -> None:
    bounds, measured = BOUNDS[key], unit("1")
    assert bounds.low < bounds.high
    assert fault(key, "it", bounds.low, measured) is fault(key, "it", bounds.high, measured) is None
    assert "the most is" in (fault(key, "it", 2 * bounds.high, measured) or "")
    assert "the least is" in (fault(key, "it", bounds.low - 1, measured) or "")
    assert "out of range" in (fault(key, "it", math.nan, measured) or "")
    assert field(key, unit="B").items() >= {"low": bounds.low, "high": bounds.high, "unit": "B"}.items()
    assert bounds.bits or field(key)["bits"] is False


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_the_divisors_that_are_named_divide(part: int, whole: int) -> None:
    words = indivisible(float(part), float(whole))
    assert (words is None) == (whole % part == 0)
    if words:
        near = [int(word) for word in words.split() if word.isdigit()]
        assert all(whole % one == 0 for one in near)
        between = set(divisors(whole)) & set(range(min(near), max(near) + 1)) if len(near) > 1 else set(near)
        assert between == set(near)


def test_one_right_number_is_said_in_the_singular() -> None:
    assert nearest([4]) == "the nearest is 4"
    assert nearest([4, 8]) == "the nearest are 4 and 8"
    assert plain(1.25e9) == "1.25e9"
