"""The joint draws: they are scipy's net, they fill every range evenly, and the ends of a range are where it says."""

from __future__ import annotations

import numpy as np
import pytest

from report import points


def test_the_net_is_that_of_the_library() -> None:
    from scipy.stats import qmc

    drawn = (qmc.Sobol(len(points.NET), scramble=True, seed=points.SEED).random(points.DRAWS) * points.DRAWS).astype(
        int
    )
    heights = np.array(points.heights())[drawn]
    mine = np.stack([points.along(dimension) for dimension in range(len(points.NET))], axis=1)
    assert {tuple(row) for row in mine} == {tuple(row) for row in heights}


@pytest.mark.parametrize("dimension", [0, 1, 17, 47, 48, 100])
def test_a_dimension_takes_each_place_once(dimension: int) -> None:
    assert sorted(points.along(dimension)) == points.heights()


def test_dimensions_beyond_the_net_differ_from_those_within() -> None:
    assert not np.array_equal(points.along(0), points.along(len(points.NET)))


def test_two_dimensions_of_the_first_dozen_are_hardly_correlated() -> None:
    table = np.corrcoef([points.along(dimension) for dimension in range(12)])
    assert np.abs(table - np.eye(12)).max() < 0.05


def test_a_range_holds_nineteen_draws_in_twenty() -> None:
    inside = [abs(height) <= 1 for height in points.heights()]
    assert sum(inside) / points.DRAWS == pytest.approx(1 - 2 * points.TAIL, abs=1 / points.DRAWS)


@pytest.mark.parametrize(
    ("value", "low", "high"), [(10.0, 8.0, 15.0), (0.0, -1.0, 2.0), (3.0, 0.0, 4.0), (5.0, 5.0, 9.0)]
)
def test_the_ends_of_a_range_lie_at_one(value: float, low: float, high: float) -> None:
    found = points.drawn(value, low, high, np.array([-1.0, 0.0, 1.0]))
    assert found == pytest.approx([low, value, high])
