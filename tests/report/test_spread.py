"""How far an answer can be off: ends and joint draws, factors where answers are positive, limits and absences."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.formula import STATES
from report.asking import Reading
from report.many import Column, column
from report.points import DRAWS, TAIL, Floats, along, drawn
from report.spread import Spread, Swing, quantile, spread

Range = tuple[float, float, float]  # value, low, high
CODE = {state: place for place, state in enumerate(STATES, 1)}
Answer = Callable[..., Floats]


def ends(answer: Answer, inputs: Sequence[Range]) -> list[Swing]:
    """Return what an answer becomes when each input alone is at the ends of its range."""
    values = [value for value, _, _ in inputs]
    found = []
    for place, (_, low, high) in enumerate(inputs):
        answers = [
            float(answer(*(end if other == place else value for other, value in enumerate(values))))
            for end in (low, high)
        ]
        found.append(Swing(place, Reading(answers[0]), Reading(answers[1])))
    return found


def spread_of(answer: Answer, *inputs: Range) -> Spread | None:
    """Return the spread of an answer that is a plain function of some inputs."""

    def draw(chosen: Sequence[int]) -> Column:
        moved = {place: drawn(*inputs[place], along(dimension)) for dimension, place in enumerate(chosen)}
        columns = [moved.get(place, np.full(DRAWS, value)) for place, (value, _, _) in enumerate(inputs)]
        return column(np.asarray(answer(*columns), float))

    return spread(float(answer(*(value for value, _, _ in inputs))), ends(answer, inputs), draw)


def test_one_input_gives_exactly_the_answers_at_its_ends() -> None:
    found = spread_of(lambda a: a, (10.0, 8.0, 15.0))
    assert found is not None
    assert (found.low, found.high) == (8.0, 15.0)


def test_an_input_that_pushes_the_answer_down_counts_the_same_way() -> None:
    found = spread_of(lambda a: 1 / a, (10.0, 8.0, 15.0))
    assert found is not None
    assert (found.low, found.high) == (1 / 15, 1 / 8)


def test_independent_factors_add_their_squares() -> None:
    found = spread_of(lambda a, b: a * b, (1.0, 0.5, 2.0), (10.0, 5.0, 20.0))
    assert found is not None
    together = math.exp(math.sqrt(2) * math.log(2))
    assert found.high == pytest.approx(10 * together, rel=0.03)
    assert found.low == pytest.approx(10 / together, rel=0.03)


def test_many_small_shares_of_a_sum_cancel() -> None:
    found = spread_of(lambda *parts: sum(parts), *[(1.0, 0.5, 1.5)] * 9)
    assert found is not None
    assert found.high == pytest.approx(9 + 0.5 * 3, rel=0.03)
    assert found.high < 9 * 1.5


def test_one_input_used_twice_moves_once() -> None:
    found = spread_of(lambda a, b: a * b / a, (10.0, 5.0, 20.0), (1.0, 0.9, 1.1))
    assert found is not None
    assert (found.low, found.high) == (pytest.approx(0.9), pytest.approx(1.1))
    assert [swing.place for swing in found.swings] == [1]


def test_inputs_are_ranked_by_how_far_they_move_the_answer() -> None:
    found = spread_of(lambda a, b, c: a + b + c, (10.0, 9.0, 11.0), (10.0, 10.0, 19.0), (10.0, 8.0, 10.0))
    assert found is not None
    assert [swing.place for swing in found.swings] == [1, 0, 2] or [swing.place for swing in found.swings] == [1, 2, 0]
    assert found.swings[0].at_high == Reading(39.0)


def test_inputs_that_move_the_answer_alike_keep_their_order() -> None:
    found = spread_of(lambda a, b: a / b, (10.0, 9.9, 10.1), (3.0, 2.97, 3.03))
    assert found is not None
    assert [swing.place for swing in found.swings] == [0, 1]


def test_differences_are_taken_where_an_answer_is_not_positive() -> None:
    found = spread_of(lambda a, b: a + b, (1.0, -2.0, 4.0), (0.0, -3.0, 4.0))
    assert found is not None
    assert found.low < -2.5
    assert found.high is not None
    assert 4.5 < found.high < 8


def _limited(share: float) -> Column:
    """Return draws of which a share is at a limit, the others evenly between 8 and 12."""
    endless = int(share * DRAWS)
    numbers = np.concatenate([np.full(endless, np.inf), np.linspace(8, 12, DRAWS - endless)])
    codes = np.where(np.isinf(numbers), CODE["no-batch"], 0).astype(np.int8)
    return Column(numbers, codes)


def test_a_limit_at_one_end_leaves_the_range_open_and_says_why() -> None:
    swings = [Swing(0, Reading(9.0), Reading(11.0)), Swing(1, Reading(8.0), Reading(math.inf, "no-batch"))]
    found = spread(10.0, swings, lambda _: _limited(0.25))
    assert found is not None
    assert (found.high, found.state, found.swings[0].place) == (None, "no-batch", 1)
    assert found.gone == (("no-batch", 0.25),)
    assert 7.5 < found.low <= 8


def test_a_limit_that_only_draws_reach_leaves_it_open_too() -> None:
    swings = [Swing(0, Reading(9.0), Reading(11.0)), Swing(1, Reading(9.5), Reading(10.5))]
    found = spread(10.0, swings, lambda _: _limited(0.25))
    assert found is not None
    assert (found.high, found.state) == (None, "no-batch")


def test_a_limit_in_few_draws_is_said_beside_the_range() -> None:
    swings = [Swing(0, Reading(9.0), Reading(11.0)), Swing(1, Reading(9.5), Reading(10.5))]
    found = spread(10.0, swings, lambda _: _limited(0.01))
    assert found is not None
    assert found.high is not None
    assert found.gone == (("no-batch", 2 / DRAWS),)


def test_an_absence_at_one_end_is_said_beside_the_range() -> None:
    fits = [Swing(0, Reading(9.0), Reading(11.0)), Swing(1, Reading(10.0), Reading(None, "does-not-fit"))]
    codes = np.where(np.arange(DRAWS) < DRAWS / 2, CODE["does-not-fit"], 0).astype(np.int8)
    half = Column(np.where(codes > 0, np.nan, np.linspace(9, 11, DRAWS)), codes)
    found = spread(10.0, fits, lambda _: half)
    assert found is not None
    assert found.gone == (("does-not-fit", 0.5),)
    assert found.swings[0].place == 1
    assert found.low == pytest.approx(9.0)


def test_without_ranges_or_shifts_there_is_none() -> None:
    assert spread_of(lambda: np.float64(10.0)) is None
    assert spread_of(lambda a: 10.0 + 0 * a, (10.0, 9.0, 11.0)) is None


def test_quantiles_lie_in_the_middle_of_each_draws_part() -> None:
    ordered = np.arange(1.0, 5.0)
    assert quantile(ordered, 0.125) == 1.0
    assert quantile(ordered, 0.25) == 1.5
    assert (quantile(ordered, 0), quantile(ordered, 1)) == (1.0, 4.0)
    assert quantile(np.array([1.0, math.inf]), 0.25) == 1.0
    assert quantile(np.array([math.inf, math.inf]), TAIL) == math.inf


POSITIVE = st.floats(1e-3, 1e3)
RANGES = st.lists(st.tuples(POSITIVE, st.floats(0.3, 1.0), st.floats(1.0, 3.0)), min_size=1, max_size=5)


@given(RANGES)
def test_a_range_holds_every_answer_that_one_input_makes(ranges: list[tuple[float, float, float]]) -> None:
    inputs = [(value, value * down, value * up) for value, down, up in ranges]
    found = spread_of(lambda *parts: math.prod(parts), *inputs)  # type: ignore[arg-type]
    reached = [end.number for swing in ends(lambda *parts: math.prod(parts), inputs) for end in swing.ends]  # type: ignore[arg-type]
    value = math.prod(value for value, _, _ in inputs)
    if found is None:
        assert reached == pytest.approx([value] * len(reached))
        return
    assert found.high is not None
    assert found.low <= min(number for number in reached if number) * (1 + 1e-8)
    assert found.high >= max(number for number in reached if number) * (1 - 1e-8)
