"""How a value stands in a card, and with how many digits it stands in a formula.

A formula's values get the fewest digits at which the formula comes to the result that is shown beside it, so that a
reader who reckons with what is printed gets what is printed. The twin in templates/static/records.js does the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from model.formula import LIMITS, STATES, Answer, Formula, Given, ask
from model.units import Unit
from report import rounding
from report.asking import Reading, Scenario
from report.combining import combined
from report.numbers import Num, Op

FEWEST, MOST = 4, 6
# A value and its unit.
Value = tuple[Reading, Unit | None]


def label(unit: Unit | None) -> rounding.Label:
    """Return how a unit is written; a bare number has none."""
    return rounding.Label("", "") if unit is None else rounding.label(unit)


def stated(reading: Reading, unit: Unit | None) -> str:
    """Return a value with its unit, or the words of its state."""
    if reading.state:
        return STATES[reading.state]
    assert reading.number is not None
    return rounding.amount(reading.number, label(unit))


def put(reading: Reading, unit: Unit | None, n: int) -> str:
    """Return a value as it is put into a formula, to n digits."""
    if reading.state:
        return "∞" if reading.state in LIMITS else "?"
    assert reading.number is not None
    return rounding.bare(reading.number, label(unit), n)


def of_calculation(num: Num, reader: Scenario) -> int:
    """Return the digits that the parts of an author's calculation take."""
    text = stated(num.read(reader), num.unit)
    return _enough(text, lambda n: stated(_shortened(num, reader, n), num.unit))


def of_formula(answer: Answer, formula: Formula, values: Mapping[str, Value], text: str) -> int:
    """Return the digits that a formula's inputs take, by key, for it to come to a text."""
    return _enough(text, lambda n: _again(answer, formula, {key: _held(*part, n) for key, part in values.items()}))


def _enough(text: str, comes_to: Callable[[int], str]) -> int:
    return next((n for n in range(FEWEST, MOST) if comes_to(n) == text), MOST)


def _held(reading: Reading, unit: Unit | None, n: int) -> Reading:
    """Return what a reader takes a value for that is put into a formula to n digits."""
    if reading.state or reading.number is None:
        return reading
    return Reading(rounding.held(reading.number, label(unit), n))


def _shortened(num: Num, reader: Scenario, n: int) -> Reading:
    """Return what an author's calculation comes to on its parts as they are shown to n digits."""
    if isinstance(num, Op):
        return combined(num.op, _shortened(num.left, reader, n), _shortened(num.right, reader, n))
    return _held(num.read(reader), num.unit, n)


def _again(answer: Answer, formula: Formula, values: Mapping[str, Reading]) -> str:
    """Return what a formula comes to on other values of its inputs, or why it comes to nothing."""
    inputs = {part.key: Given(value=values[part.key].number, state=values[part.key].state) for part in formula.inputs}
    found = ask(formula, inputs)
    return stated(Reading(found.number, found.state), answer.quantity.unit)
