"""Two readings combined: a sum, difference, product or quotient, with what happens where one has no value."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from report.asking import Reading

_RUN: Mapping[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}


def combined(op: str, left: Reading, right: Reading) -> Reading:
    """Return what an operation makes of two readings."""
    answers = (*left.answers, *right.answers)
    for side in (left, right):
        if side.number is None:
            return Reading(None, side.state, answers)
    number = _arithmetic(op, _known(left), _known(right))
    if math.isfinite(number):
        return Reading(number, None, answers)
    limit = left.state or right.state
    # 1 / inf is a plain 0 and was returned above; inf - inf and 0 * inf say nothing.
    return Reading(math.inf, limit, answers) if limit and number == math.inf else Reading(None, "unknown", answers)


def _arithmetic(op: str, left: float, right: float) -> float:
    try:
        return _RUN[op](left, right)
    except (ZeroDivisionError, OverflowError):
        return math.nan


def _known(reading: Reading) -> float:
    assert reading.number is not None
    return reading.number
