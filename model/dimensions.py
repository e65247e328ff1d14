"""Whether both sides of every formula are measured in the same thing.

The expression itself is walked, not sampled: a sample would miss the branch that a guard hides, and a bare number
has no unit to lose. Products add exponents, powers multiply them, and the parts of a sum, of a maximum and of a
guard must agree. A bare zero fits anything; any other bare number is a pure count.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from typing import Any

import sympy as sp

from model.formula import Fork, Formula, Letter, Quantity
from model.units import ONE, Unit


class Mismatch(ValueError):
    """Two things that do not measure the same were added, compared or equated."""


def dimension(expr: Any) -> Unit | None:
    """Return the dimension of an expression over quantities; None for a bare zero, which fits any.

    Raises Mismatch for a sum, a maximum or a comparison of unlike parts, and for an exponent that is not a plain
    number although its base has a unit; TypeError for an operation that the formulas do not use.
    """
    if isinstance(expr, Letter):
        return expr.quantity.unit
    if expr.is_Number:
        return None if expr == 0 else ONE
    if isinstance(expr, sp.Mul):
        return _product(expr.args)
    if isinstance(expr, sp.Pow):
        return _power(*expr.args)
    if isinstance(expr, sp.Add | sp.Max | sp.Min):
        return _alike(expr)
    if isinstance(expr, sp.core.relational.Relational):
        _alike(expr)
        return ONE
    raise TypeError(f"no rule for the dimension of {type(expr).__name__} in {expr}")


def _product(parts: tuple[Any, ...]) -> Unit | None:
    units = [dimension(part) for part in parts]
    known = [unit for unit in units if unit is not None]
    return reduce(Unit.__mul__, known, ONE) if len(known) == len(units) else None


def _power(base: Any, exponent: Any) -> Unit | None:
    unit = dimension(base)
    if exponent.is_number:
        plain = sp.Rational(exponent.doit())
        return unit and unit ** Fraction(int(plain.p), int(plain.q))
    if unit != ONE or dimension(exponent) != ONE:
        raise Mismatch(f"({base})**({exponent}): only a pure count can be raised to what is not a plain number")
    return ONE


def _alike(expr: Any) -> Unit | None:
    units = {unit for unit in map(dimension, expr.args) if unit is not None}
    if len(units) > 1:
        raise Mismatch(f"{expr}: unlike parts, {' and '.join(sorted(map(str, units)))}")
    return units.pop() if units else None


def formulas(quantity: Quantity) -> Iterator[Formula]:
    """Yield the formulas of a quantity: itself, every branch of a fork, none for an input."""
    if isinstance(quantity, Formula):
        yield quantity
    elif isinstance(quantity, Fork):
        for branch in quantity.branches.values():
            yield from formulas(branch)


def check(formula: Formula) -> None:
    """Raise Mismatch unless the expression comes out in the formula's unit and each guard compares like with like.

    `reads_as` turns a pure count into the stated unit: sqrt(Z) elements read as FLOP/B.
    """
    found = dimension(formula.expr)
    read = None if found is None else found * formula.reads_as
    if read is not None and read != formula.unit:
        raise Mismatch(f"{formula.key} is in {formula.unit}, but its expression comes out in {read}")
    for relation, _ in formula.guards:
        dimension(relation)
