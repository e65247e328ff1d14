"""How strongly an answer depends on each of its inputs: the elasticity, d ln y / d ln x.

An elasticity of -2 says that one percent more of the input makes the answer two percent less. It is the derivative of
the formulas put into each other: each formula is differentiated symbolically, once, and the parts are joined by the
chain rule along the trace of the answer. Where a Max or Min has two arguments alike, the answer has a kink: what holds
below and what holds above are told apart. Choices (which formula holds) have no elasticity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import sympy as sp

from model.formula import Answer, Coefficient, Formula, Given, Letter, Quantity

_ALIKE = 1e-12
Sides: TypeAlias = tuple[float, float]  # the derivative when an input falls, and when it rises
Tangents: TypeAlias = Mapping[str, Sides]


@dataclass(frozen=True, slots=True)
class Elasticity:
    """The elasticity of an answer to one input, when the input falls and when it rises."""

    quantity: Quantity
    given: Given
    below: float
    above: float

    @property
    def kink(self) -> bool:
        """Tell whether it matters in which direction the input moves."""
        return abs(self.above - self.below) > _ALIKE * max(1.0, abs(self.above), abs(self.below))

    @property
    def size(self) -> float:
        """Return the elasticity without its sign, the larger one at a kink."""
        return max(abs(self.below), abs(self.above))


def elasticities(answer: Answer) -> tuple[Elasticity, ...]:
    """Return the elasticities of an answer to all numbers that it rests on, the largest first; pure numbers.

    Raises ValueError for an answer that is a limit, an absence, a choice or zero.
    """
    if not answer.value:
        raise ValueError(f"{answer.quantity.key} has no value other than zero here, so nothing moves it by a share")
    tangents = _tangents(answer, {})
    found = []
    for key, given in answer.leaves().items():
        if isinstance(given.value, float):
            below, above = (_share(given.value * side / answer.value) for side in tangents.get(key, (0.0, 0.0)))
            found.append(Elasticity(_leaf(answer, key), given, below, above))
    return tuple(sorted(found, key=lambda one: -float(f"{one.size:.9g}")))


def _share(elasticity: float) -> float:
    """Return an elasticity without the rounding that is left where an input cancels."""
    return elasticity if abs(elasticity) > _ALIKE else 0.0


def composed(answer: Answer) -> Any:
    """Return an answer as a SymPy expression of its inputs: all formulas of its trace put into each other."""
    if answer.formula is None:
        return answer.quantity.letter
    parts = {part.quantity.letter: composed(part) for part in answer.inputs}
    return plain(answer.formula.expr).xreplace(parts)


def plain(expr: Any) -> Any:
    """Return an expression with its coefficients as numbers."""
    letters = [letter for letter in expr.atoms(Letter) if isinstance(letter.quantity, Coefficient)]
    return expr.xreplace({letter: sp.Integer(letter.quantity.value) for letter in letters})


def _leaf(answer: Answer, key: str) -> Quantity:
    """Return the input of that key, somewhere in the trace of an answer."""
    stack = [answer]
    while True:
        part = stack.pop()
        if part.given is not None and part.quantity.key == key:
            return part.quantity
        stack.extend(part.inputs)


def _tangents(answer: Answer, memo: dict[str, Tangents]) -> Tangents:
    """Return the derivatives of an answer by the keys of the inputs that move it."""
    key = answer.quantity.key
    if key not in memo:
        memo[key] = {key: (1.0, 1.0)} if answer.formula is None else _followed(answer, answer.formula, memo)
    return memo[key]


def _followed(answer: Answer, formula: Formula, memo: dict[str, Tangents]) -> Tangents:
    parts = {part.quantity.key: part for part in answer.inputs}
    values: dict[str, Any] = {quantity.key: parts[quantity.key].number for quantity in formula.inputs}
    # What is at a limit stays there: nothing small moves it.
    moved = {key: _tangents(parts[key], memo) if parts[key].value is not None else {} for key in values}
    name = ""
    for name, part in _parts(formula):
        if isinstance(part, Smooth):
            values[name], *slopes = part.run(*(values[symbol] for symbol in part.names))
            moved[name] = _joined(zip(slopes, (moved[symbol] for symbol in part.names), strict=True))
        else:
            values[name], moved[name] = _picked(part, values, moved)
    return moved[name]


def _joined(parts: Iterable[tuple[float, Tangents]]) -> Tangents:
    """Return the chain rule over some parts, each with the slope in it and what moves it."""
    found: dict[str, Sides] = {}
    for slope, tangents in parts:
        for key, (below, above) in tangents.items():
            before = found.get(key, (0.0, 0.0))
            found[key] = (before[0] + slope * below, before[1] + slope * above)
    return found


def _picked(part: Pick, values: Mapping[str, float], moved: Mapping[str, Tangents]) -> tuple[float, Tangents]:
    """Return the largest or smallest of some parts; of parts that are alike, the one that takes over on each side."""
    value = (max if part.largest else min)(values[name] for name in part.names)
    alike = [moved[name] for name in part.names if abs(values[name] - value) <= _ALIKE * abs(value)]
    found = {}
    for key in dict.fromkeys(key for tangents in alike for key in tangents):
        # Slopes below are those of a rising input too: as it falls, the part with the least slope becomes the largest.
        below = [tangents.get(key, (0.0, 0.0))[0] for tangents in alike]
        above = [tangents.get(key, (0.0, 0.0))[1] for tangents in alike]
        found[key] = (min(below), max(above)) if part.largest else (max(below), min(above))
    return value, found


# --- a formula as parts that can be differentiated, and the choices between them


@dataclass(frozen=True, slots=True)
class Smooth:
    """A part without Max or Min: what it asks for, and its value with its slope in each of them."""

    names: tuple[str, ...]
    run: Callable[..., list[float]]


@dataclass(frozen=True, slots=True)
class Pick:
    """The largest or smallest of earlier parts."""

    largest: bool
    names: tuple[str, ...]


@cache
def _parts(formula: Formula) -> tuple[tuple[str, Smooth | Pick], ...]:
    """Return the parts of a formula by name, each after those it asks for, the whole last."""
    found: list[tuple[str, Smooth | Pick]] = []
    whole = _unfolded(plain(formula.expr), found)
    return (*found, ("whole", _smooth(whole)))


def _unfolded(expr: Any, found: list[tuple[str, Smooth | Pick]]) -> Any:
    """Return an expression in which each Max and Min stands as a symbol; what it picks from is noted as parts."""
    if not expr.args:
        return expr
    args = [_unfolded(arg, found) for arg in expr.args]
    if not isinstance(expr, sp.Max | sp.Min):
        return expr.func(*args)
    names = []
    for arg in args:
        names.append(f"part {len(found)}")
        found.append((names[-1], _smooth(arg)))
    found.append((f"part {len(found)}", Pick(isinstance(expr, sp.Max), tuple(names))))
    return sp.Symbol(found[-1][0], real=True)


def _smooth(expr: Any) -> Smooth:
    symbols = sorted(expr.free_symbols, key=lambda symbol: symbol.name)
    run = sp.lambdify(symbols, [expr, *(sp.diff(expr, symbol) for symbol in symbols)], modules="math")
    return Smooth(tuple(symbol.name for symbol in symbols), run)
