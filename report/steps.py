"""A formula at work: its symbol and right side as MathML, and the same with values, in the digits that it takes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from model.formula import Answer, Formula
from report import maths
from report.asking import Reading
from report.digits import of_formula, put, stated


@dataclass(frozen=True, slots=True)
class Step:
    """A formula at work: symbol and right side as MathML, the right side with values, and what it comes to."""

    key: str
    label: str
    symbol: str
    says: str
    right: str
    filled: str
    text: str
    source: str


def said(answer: Answer) -> str:
    """Return an answer as it stands beside its symbol: with its unit, or the word of a choice."""
    if answer.given and isinstance(answer.given.value, str):
        return answer.given.value
    return stated(Reading(answer.number, answer.state), answer.quantity.unit)


def step(answer: Answer, formula: Formula, label: str, text: str) -> Step:
    """Return the formula of an answer with its values, on the scenario of the label; text is what it comes to."""
    quantity = answer.quantity
    filled, right = _filled(answer, formula, text), maths.plain(formula.tex)
    return Step(quantity.key, label, maths.plain(quantity.latex), quantity.says, right, filled, text, formula.source)


_FILLED: dict[Hashable, str] = {}  # a formula with the same values put in stands in many cards
_MANY = 1 << 15


def _filled(answer: Answer, formula: Formula, text: str) -> str:
    """Return the right side of a formula with the values put in, in the digits that the result takes."""
    parts = tuple((part.quantity.key, part.number, part.state, _word(part)) for part in answer.inputs)
    name = (id(formula), parts, text)  # formulas are the model's own, and stay
    if name not in _FILLED:
        if len(_FILLED) >= _MANY:
            _FILLED.clear()
        values = {part.quantity.key: (Reading(part.number, part.state), part.quantity.unit) for part in _values(answer)}
        n = of_formula(answer, formula, values, text)
        _FILLED[name] = maths.filled(maths.slotted(formula), {key: put(*part, n) for key, part in values.items()})
    return _FILLED[name]


def _word(part: Answer) -> str:
    return part.given.value if part.given and isinstance(part.given.value, str) else ""


def _values(answer: Answer) -> Iterator[Answer]:
    """Yield the inputs of an answer that are numbers or lack one; a choice of formula is neither."""
    for part in answer.inputs:
        if not (part.given and isinstance(part.given.value, str)):
            yield part
