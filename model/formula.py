"""How a formula is written once and read four ways, and how a question is answered.

A Formula holds one SymPy expression, built unevaluated so that it prints in the order in which it was written. Its
value, unit, LaTeX, JavaScript and Vega text all come from that expression. An answer is a number or a state: a
*limit* carries an infinite value that compares and flows on; an *absence* has no value and absorbs what needs it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import sympy as sp

from model import printing
from model.figure import Source
from model.quantity import ABSENCES, LIMITS, STATES, Coefficient, Letter, Quantity
from model.units import ONE, Unit

__all__ = [
    "ABSENCES",
    "LIMITS",
    "STATES",
    "Answer",
    "Base",
    "Coefficient",
    "Fork",
    "Formula",
    "Given",
    "Letter",
    "Memo",
]
__all__ += ["Quantity", "Unasked", "ask", "largest", "root", "smallest"]

Guards = tuple[tuple[Any, str], ...]


class Formula(Quantity):
    """A quantity that follows from others by one expression.

    expr and guards are functions without arguments, so that they are built here without being simplified. A guard
    is (relation, state): where the relation holds the answer is that state. needs lists inputs that must exist
    though the expression does not use them. reads_as is the unit that turns a pure count into the stated unit
    (sqrt(Z) elements read as FLOP/B); the dimension check multiplies by it.
    """

    def __init__(  # noqa: PLR0913  # a declaration: each argument is named where it is used
        self,
        key: str,
        latex: str,
        unit: Unit,
        says: str,
        *,
        expr: Callable[[], Any],
        source: str,
        guards: Callable[[], Guards] = tuple,
        needs: tuple[Quantity, ...] = (),
        reads_as: Unit = ONE,
    ) -> None:
        super().__init__(key, latex, unit, says)
        self.source, self.needs, self.reads_as = source, needs, reads_as
        with sp.evaluate(False):
            self.expr = sp.sympify(expr())
            self.guards: Guards = tuple(guards())
        for _, state in self.guards:
            if state not in STATES:
                raise ValueError(f"{key}: unknown state '{state}'")

    @cached_property
    def inputs(self) -> tuple[Quantity, ...]:
        """Return the quantities that the formula asks for, in the order in which they are written."""
        found: dict[str, Quantity] = {}
        for part in (self.expr, *(relation for relation, _ in self.guards)):
            for letter in _letters(part):
                if not isinstance(letter.quantity, Coefficient):
                    found.setdefault(letter.name, letter.quantity)
        for quantity in self.needs:
            found.setdefault(quantity.key, quantity)
        return tuple(found.values())

    def _printable(self, part: Any) -> Any:
        """Return the expression with coefficients as plain numerals and letters as plain symbols."""
        letters = part.atoms(Letter)
        plain = {
            letter: sp.Integer(letter.quantity.value)
            if isinstance(letter.quantity, Coefficient)
            else sp.Symbol(letter.name)
            for letter in letters
        }
        with sp.evaluate(False):
            return part.xreplace(plain)

    @cached_property
    def python(self) -> str:
        """Return the expression as Python text over the input keys."""
        return str(printing.PYTHON.doprint(self._printable(self.expr)))

    @cached_property
    def javascript(self) -> str:
        """Return the expression as JavaScript text over the input keys."""
        return str(printing.JAVASCRIPT.doprint(self._printable(self.expr)))

    @cached_property
    def guard_texts(self) -> tuple[tuple[str, str, str], ...]:
        """Return (Python, JavaScript, state) for each guard."""
        plain = [(self._printable(relation), state) for relation, state in self.guards]
        return tuple((printing.PYTHON.doprint(part), printing.JAVASCRIPT.doprint(part), state) for part, state in plain)

    def vega(self, names: Mapping[str, str]) -> str:
        """Return the expression as a Vega expression, input keys replaced by names; a limit becomes 1/0."""
        text = self.javascript.replace("Math.", "")
        for _, guard, state in reversed(self.guard_texts):
            text = f"(({guard.replace('Math.', '')}) ? {'(1/0)' if state in LIMITS else '(0/0)'} : ({text}))"
        return re.sub(r"\b[A-Za-z_]\w*\b", lambda found: names.get(found.group(), found.group()), text)

    @cached_property
    def tex(self) -> str:
        """Return the expression as LaTeX, in symbols."""
        return printing.latex(self.expr, {})

    def tex_with(self, values: Mapping[str, str]) -> str:
        """Return the expression as LaTeX with the given texts put in for the input keys."""
        return printing.latex(self.expr, values)

    @cached_property
    def run(self) -> Callable[..., float]:
        """Return the expression as a Python function of its inputs (keyword arguments, base units)."""
        keys = ", ".join(quantity.key for quantity in self.inputs)
        # The text is printed by SymPy from this module's own expression: there is no input to distrust.
        compiled: Callable[..., float] = eval(f"lambda {keys}: {self.python}", dict(_NAMES))  # noqa: S307
        return compiled

    @cached_property
    def checks(self) -> tuple[tuple[Callable[..., bool], str], ...]:
        """Return the guards as Python functions of the inputs."""
        keys = ", ".join(quantity.key for quantity in self.inputs)
        return tuple((eval(f"lambda {keys}: {text}", dict(_NAMES)), state) for text, _, state in self.guard_texts)  # noqa: S307


class Fork(Quantity):
    """A quantity whose formula depends on a choice in the scenario: form, fixed, zero, attention."""

    def __init__(self, by: Quantity, branches: Mapping[str, Quantity]) -> None:
        first = next(iter(branches.values()))
        super().__init__(first.key, first.latex, first.unit, first.says)
        self.by, self.branches = by, branches
        for quantity in branches.values():
            if (quantity.key, quantity.unit) != (self.key, self.unit):
                raise ValueError(f"the branches of {self.key} disagree on key or unit")


def _letters(part: Any) -> Iterator[Letter]:
    """Yield the letters of an expression from left to right; SymPy's own traversal takes those of Max in any order."""
    if isinstance(part, Letter):
        yield part
    for arg in part.args:
        yield from _letters(arg)


def largest(*parts: Any) -> Any:
    """Return the largest of the parts, unevaluated."""
    return sp.Max(*(sp.sympify(part) for part in parts), evaluate=False)


def smallest(*parts: Any) -> Any:
    """Return the smallest of the parts, unevaluated."""
    return sp.Min(*(sp.sympify(part) for part in parts), evaluate=False)


def root(part: Any) -> Any:
    """Return the square root of a part, unevaluated."""
    return sp.sqrt(sp.sympify(part), evaluate=False)


_NAMES: Mapping[str, Any] = {"sqrt": math.sqrt, "log": math.log, "min": min, "max": max, "__builtins__": {}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """An input of a scenario: a number in base units, a choice's word, or an absence; and where it came from.

    status is verified, secondary, announced, estimate, or how the input was set: default, by hand, choice.
    row names the catalogue entry, sources what it rests on; low and high bound the value where a range is stated.
    default says that the scenario did not name it: it came from the default machine, network or batch.
    """

    value: float | str | None
    state: str | None = None
    status: str = "by hand"
    row: str = ""
    sources: tuple[Source, ...] = ()
    low: float | None = None
    high: float | None = None
    note: str = ""
    default: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What a quantity comes to on a scenario: a value, a state, and the answers it rests on (the trace)."""

    quantity: Quantity
    value: float | None
    state: str | None = None
    inputs: tuple[Answer, ...] = ()
    given: Given | None = None
    formula: Formula | None = field(default=None)

    @property
    def number(self) -> float | None:
        """Return the value that comparisons use: infinite at a limit, None for an absence."""
        return math.inf if self.state in LIMITS else self.value

    def leaves(self) -> dict[str, Given]:
        """Return the inputs that the answer rests on, by key."""
        found: dict[str, Given] = {}
        stack = [self]
        while stack:
            answer = stack.pop()
            if answer.given is not None:
                found[answer.quantity.key] = answer.given
            stack.extend(reversed(answer.inputs))
        return found


class Unasked(LookupError):
    """Raised when a scenario lacks an input that a formula needs."""


Base = Mapping[str, Given]
Memo = dict[str, Answer]


def ask(quantity: Quantity, base: Base, memo: Memo | None = None) -> Answer:
    """Return the answer to a quantity on a scenario's inputs; an input given by hand stands for its formula.

    Raises Unasked for an input that the scenario does not give.
    """
    memo = {} if memo is None else memo
    if quantity.key not in memo:
        given = base.get(quantity.key)
        memo[quantity.key] = _given(quantity, given) if given else _derived(quantity, base, memo)
    return memo[quantity.key]


def _given(quantity: Quantity, given: Given) -> Answer:
    value = given.value if isinstance(given.value, float) else None
    return Answer(quantity, value, given.state, (), given)


def _derived(quantity: Quantity, base: Base, memo: Memo) -> Answer:
    if isinstance(quantity, Fork):
        choice = ask(quantity.by, base, memo)
        if choice.state:
            return Answer(quantity, None, choice.state, (choice,))
        word = choice.given.value if choice.given else None
        if not isinstance(word, str) or word not in quantity.branches:
            raise Unasked(f"{quantity.key} wants {quantity.by.key} to be one of {', '.join(quantity.branches)}")
        found = _derived(quantity.branches[word], base, memo)
        return Answer(quantity, found.value, found.state, (choice, *found.inputs), None, found.formula)
    if isinstance(quantity, Formula):
        return _evaluate(quantity, tuple(ask(part, base, memo) for part in quantity.inputs))
    raise Unasked(f"the scenario gives no {quantity.key} ({quantity.says})")


def _evaluate(formula: Formula, inputs: tuple[Answer, ...]) -> Answer:
    for answer in inputs:
        if answer.state is not None and answer.state not in LIMITS:
            return Answer(formula, None, answer.state, inputs, None, formula)
    values = {answer.quantity.key: answer.number for answer in inputs}
    for check, state in formula.checks:
        if check(**values):
            return Answer(formula, None, state, inputs, None, formula)
    try:
        value = float(formula.run(**values))
    except (OverflowError, ZeroDivisionError):  # JavaScript answers Infinity here; both then say that it is unknown
        value = math.inf
    # An infinite input that flows through is a limit still; the state says which.
    limit = next((answer.state for answer in inputs if answer.state), None)
    if math.isfinite(value):
        return Answer(formula, value, None, inputs, None, formula)
    return Answer(formula, None, limit or "unknown", inputs, None, formula)
