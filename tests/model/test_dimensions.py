"""Every formula comes out in its unit, and the check would notice one that does not."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

from model.book import QUANTITIES
from model.dimensions import Mismatch, check, dimension, formulas
from model.formula import Coefficient, Fork, Formula, Quantity, largest, root, smallest
from model.units import ONE, unit

WRITTEN = [
    pytest.param(formula, id=f"{formula.key}-{number}")
    for quantity in QUANTITIES.values()
    for number, formula in enumerate(formulas(quantity))
]
rate, time, width = (Quantity(key, key, unit(text), key) for key, text in (("r", "B/s"), ("t", "s"), ("w", "1")))
TWO_SECONDS = Coefficient(2, unit("s"), "two seconds")


def written(expr: Any, measured: str, **more: Any) -> Formula:
    return Formula("x", "x", unit(measured), "x", expr=expr, source="here", **more)


@pytest.mark.parametrize("formula", WRITTEN)
def test_a_formula_comes_out_in_its_unit(formula: Formula) -> None:
    check(formula)


def test_all_branches_of_every_fork_are_checked() -> None:
    forks = [quantity for quantity in QUANTITIES.values() if isinstance(quantity, Fork)]
    plain = [quantity for quantity in QUANTITIES.values() if isinstance(quantity, Formula)]
    assert len(WRITTEN) == len(plain) + sum(len(fork.branches) for fork in forks)
    assert len(forks) > 20
    assert list(formulas(rate)) == []


WRONG = {
    "a factor too few": written(lambda: rate * time, "B/s"),
    "a sum of unlike things": written(lambda: rate + time, "B/s"),
    "a bare number beside a unit": written(lambda: time + 1, "s"),
    "the largest of unlike things": written(lambda: largest(rate, time), "B/s"),
    "the smallest of unlike things": written(lambda: smallest(rate, time), "B/s"),
    "a root too many": written(lambda: root(time), "s"),
    "a power of a measured thing": written(lambda: time**width, "s"),
    "a measured exponent": written(lambda: width**time, "1"),
    "a guard of unlike things": written(lambda: time, "s", guards=lambda: ((rate <= time, "no-batch"),)),
    "a coefficient without its unit": written(lambda: 2 / time, "1"),
    "a unit read twice": written(lambda: time, "s", reads_as=unit("s")),
}


@pytest.mark.parametrize("formula", WRONG.values(), ids=WRONG.keys())
def test_a_wrong_formula_is_caught(formula: Formula) -> None:
    with pytest.raises(Mismatch):
        check(formula)


RIGHT = {
    "a product": written(lambda: rate * time, "B"),
    "a root": written(lambda: root(rate * rate), "B/s"),
    "a negative power": written(lambda: 1 / time**2, "1/s^2"),
    "a bare zero": written(lambda: 0, "B/s"),
    "a sum with zero": written(lambda: largest(time, 0), "s"),
    "a product with zero": written(lambda: 0 * time, "B"),
    "zero to a power": written(lambda: sp.Integer(0) ** 2, "B"),
    "a power of counts": written(lambda: (1 - 1 / width) ** (width / 2), "1"),
    "a coefficient with its unit": written(lambda: TWO_SECONDS / time, "1"),
    "a count read as bytes": written(lambda: width, "B", reads_as=unit("B")),
    "a guard against zero": written(lambda: time, "s", guards=lambda: ((time <= 0, "unknown"),)),
}


@pytest.mark.parametrize("formula", RIGHT.values(), ids=RIGHT.keys())
def test_a_right_formula_passes(formula: Formula) -> None:
    check(formula)


def test_the_message_names_the_formula_and_both_units() -> None:
    with pytest.raises(Mismatch, match=r"x is in B/s, but its expression comes out in B$"):
        check(WRONG["a factor too few"])
    with pytest.raises(Mismatch, match="unlike parts, B/s and s"):
        check(WRONG["a sum of unlike things"])


def test_an_operation_without_a_rule_is_refused() -> None:
    with pytest.raises(TypeError, match="no rule for the dimension of log"):
        dimension(sp.log(width.letter))


def test_a_comparison_counts_as_pure() -> None:
    assert dimension(time.letter <= TWO_SECONDS.letter) == ONE
