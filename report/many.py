"""Many answers at once: a question, a number of the tree or a condition where inputs take a column of values.

The same rules as model/formula.py, report/combining.py and report/conditions.py, row by row; the formulas' own code
runs on columns. What rests on no moved input is asked once. A test holds every row equal to the answer to one question.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType, MappingProxyType
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from model.formula import LIMITS, STATES, Fork, Formula, Given, Memo, Quantity, ask
from report.asking import Known, Reading, Scenario, World
from report.conditions import Compare, Cond, Join, Not
from report.numbers import Num, Op
from report.points import Floats, along, drawn
from report.provenance import of_cell
from report.questions import Asked
from report.shown import Cell

Spot: TypeAlias = tuple[str, float, float, float]  # row, value, low, high: one uncertain number of the catalogue
_CODES: Mapping[str | None, int] = {None: 0, **{state: place for place, state in enumerate(STATES, 1)}}
_NAMES = (None, *STATES)
# What a state's number is, by code; that of no state is never looked at.
_STANDS = np.array([np.inf if state in LIMITS else np.nan for state in _NAMES])
_UNKNOWN = _CODES["unknown"]


def spot(given: Given) -> Spot | None:
    """Return which uncertain number an input is; None for one without a range."""
    if not isinstance(given.value, float) or given.low is None or given.high is None:
        return None
    return (given.row, given.value, given.low, given.high)


def at_ends(spots: Sequence[Spot]) -> dict[Spot, Floats]:
    """Return a column for each uncertain number: in rows 2 k and 2 k + 1 the k-th is at its low and high end."""
    found = {}
    for place, name in enumerate(spots):
        values = np.full(2 * len(spots), name[1])
        values[2 * place : 2 * place + 2] = name[2:]
        found[name] = values
    return found


def draws(spots: Iterable[Spot]) -> dict[Spot, Floats]:
    """Return a column for each uncertain number: all drawn together, the k-th along the net's k-th dimension."""
    return {name: drawn(*name[1:], along(place)) for place, name in enumerate(spots)}


@dataclass(frozen=True, slots=True)
class Column:
    """A number on many scenarios: infinite at a limit, nan at an absence, and the code of the state that says so."""

    numbers: Floats
    codes: NDArray[np.int8]

    def reading(self, row: int) -> Reading:
        """Return one row as a reading."""
        number = float(self.numbers[row])
        return Reading(None if math.isnan(number) else number, _NAMES[self.codes[row]])

    def shares(self) -> dict[str, float]:
        """Return the states that stand in the column, each with the share of the rows that are in it."""
        found, counts = np.unique(self.codes, return_counts=True)
        states = zip(found, counts, strict=True)
        return {name: float(count) / len(self.codes) for code, count in states if (name := _NAMES[code])}


def column(numbers: Floats) -> Column:
    """Return plain numbers as a column without states."""
    return Column(numbers, np.zeros(len(numbers), np.int8))


def _constant(reading: Reading, rows: int) -> Column:
    number = np.nan if reading.number is None else reading.number
    return Column(np.full(rows, number), np.full(rows, _CODES[reading.state], np.int8))


_ON_COLUMNS: Mapping[str, Any] = MappingProxyType(
    {"sqrt": np.sqrt, "log": np.log, "__builtins__": {}}
    | {"min": lambda *parts: _folded(np.minimum, parts), "max": lambda *parts: _folded(np.maximum, parts)}
)


def _folded(pick: Callable[[Any, Any], Any], parts: tuple[Any, ...]) -> Any:
    """Return the least or greatest of several columns or numbers."""
    first, *others = parts
    for other in others:
        first = pick(first, other)
    return first


def _on_columns(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a formula's own function with names that work on columns."""
    return FunctionType(function.__code__, dict(_ON_COLUMNS))


@dataclass(frozen=True)
class Asker:
    """What makes many answers at once from the model and the catalogue; remembers which inputs have a range."""

    world: World
    catalogue: object
    _spots: WeakKeyDictionary[Known, dict[str, Spot]] = field(default_factory=WeakKeyDictionary)

    def many(self, moved: Mapping[Spot, Floats], rows: int) -> Many:
        """Return what asks with some inputs moved; each has a column of so many rows."""
        return Many(self, moved, rows)

    def spots(self, known: Known) -> Mapping[str, Spot]:
        """Return which inputs of a scenario are uncertain numbers, and which."""
        found = self._spots.get(known)
        if found is None:
            found = {key: name for key, given in known.base.items() if (name := spot(given)) is not None}
            self._spots[known] = found
        return found


@dataclass(frozen=True)
class Many:
    """Asks with some inputs moved: moved has a column of values for each uncertain number, all equally long."""

    asker: Asker
    moved: Mapping[Spot, Floats]
    rows: int
    # What was found on each scenario: the sides of a condition share much of what they rest on.
    _found: dict[Known, dict[str, Column | None]] = field(default_factory=dict, compare=False, repr=False)

    def number(self, num: Num, reader: Scenario) -> Column:
        """Return a number of the tree, row by row."""
        match num:
            case Op():
                return _operated(num.op, self.number(num.left, reader), self.number(num.right, reader))
            case Asked():
                return self._asked(num, reader)
            case Cell() if (name := spot(of_cell(self.asker.catalogue, num))) and name in self.moved:
                return column(self.moved[name])
        return _constant(num.read(reader), self.rows)

    def holds(self, cond: Cond, reader: Scenario) -> NDArray[np.int8]:
        """Return whether a condition is true, row by row: 1, 0, or -1 where it is undecided."""
        match cond:
            case Compare():
                left, right = self.number(cond.left, reader), self.number(cond.right, reader)
                absent = np.isnan(left.numbers) | np.isnan(right.numbers)
                return np.where(absent, -1, _TESTS[cond.op](left.numbers, right.numbers)).astype(np.int8)
            case Join():
                return _joined(cond.op, np.stack([self.holds(part, reader) for part in cond.parts]))
            case Not():
                found = self.holds(cond.part, reader)
                return np.where(found < 0, found, 1 - found).astype(np.int8)
        raise TypeError(f"{type(cond).__name__} is no condition of the page")

    def _asked(self, num: Asked, reader: Scenario) -> Column:
        world = self.asker.world
        known = world.known(num.scenario(reader))
        base, memo = known.base, known.answers
        if known not in self._found:
            moved = {key: self.moved[name] for key, name in self.asker.spots(known).items() if name in self.moved}
            self._found[known] = {key: column(values) for key, values in moved.items()}
        found = self._derived(world.quantities[num.key], base, self._found[known], memo)
        return found if found is not None else _constant(num.read(reader), self.rows)

    def _derived(
        self, quantity: Quantity, base: Mapping[str, Given], columns: dict[str, Column | None], memo: Memo
    ) -> Column | None:
        """Return the column of a quantity, None where it rests on nothing that moves."""
        key = quantity.key
        if key not in columns:
            columns[key] = None if key in base else self._followed(quantity, base, columns, memo)
        return columns[key]

    def _followed(
        self, quantity: Quantity, base: Mapping[str, Given], columns: dict[str, Column | None], memo: Memo
    ) -> Column | None:
        while isinstance(quantity, Fork):
            choice = ask(quantity.by, base, memo)
            if choice.state or choice.given is None:
                return None
            quantity = quantity.branches[str(choice.given.value)]
        if not isinstance(quantity, Formula):
            return None
        inputs = [self._derived(part, base, columns, memo) for part in quantity.inputs]
        if all(part is None for part in inputs):
            return None
        whole = {}
        for part, found in zip(quantity.inputs, inputs, strict=True):
            answer = None if found else ask(part, base, memo)
            whole[part.key] = found or _constant(Reading(answer.number, answer.state), self.rows)  # type: ignore[union-attr]
        return _evaluated(quantity, whole)


def _evaluated(formula: Formula, inputs: Mapping[str, Column]) -> Column:
    """Return a formula's answers: the first absence absorbs, then the guards, then the value, as for one answer."""
    rows = len(next(iter(inputs.values())).numbers)
    codes = np.zeros(rows, np.int8)
    for part in inputs.values():
        absent = (codes == 0) & np.isnan(part.numbers)
        codes[absent] = part.codes[absent]
    values = {key: part.numbers for key, part in inputs.items()}
    with np.errstate(all="ignore"):
        for check, state in formula.checks:
            codes[(codes == 0) & np.broadcast_to(_on_columns(check)(**values), (rows,))] = _CODES[state]
        numbers = np.array(np.broadcast_to(_on_columns(formula.run)(**values), (rows,)), float)
    limit = np.zeros(rows, np.int8)
    for part in inputs.values():
        limit = np.where(limit == 0, part.codes, limit)
    lost = (codes == 0) & ~np.isfinite(numbers)
    codes[lost] = np.where(limit[lost] == 0, _UNKNOWN, limit[lost])
    return _settled(numbers, codes)


def _settled(numbers: Floats, codes: NDArray[np.int8]) -> Column:
    """Return a column whose numbers are infinite at a limit and nan at an absence."""
    return Column(np.where(codes == 0, numbers, _STANDS[codes]), codes) if codes.any() else Column(numbers, codes)


_RUN: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
}
_TESTS: Mapping[str, Callable[[Floats, Floats], NDArray[np.bool_]]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


def _operated(op: str, left: Column, right: Column) -> Column:
    """Return what an operation makes of two columns; the twin of report/combining.py."""
    with np.errstate(all="ignore"):
        numbers = _RUN[op](left.numbers, right.numbers)
        if op == "/":  # nothing is divided by zero, not even what is without end
            numbers = np.where(right.numbers == 0, np.nan, numbers)
    absent = [np.isnan(side.numbers) for side in (left, right)]
    limit = np.where(left.codes == 0, right.codes, left.codes)
    codes = np.where(np.isfinite(numbers), 0, np.where((limit > 0) & (numbers == np.inf), limit, _UNKNOWN))
    codes = np.where(absent[0], left.codes, np.where(absent[1], right.codes, codes)).astype(np.int8)
    return _settled(numbers, codes)


def _joined(op: str, parts: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return a join row by row: one part may decide it though others are undecided."""
    decisive = 1 if op == "or" else 0
    found = np.where((parts < 0).any(axis=0), -1, 1 - decisive)
    return np.where((parts == decisive).any(axis=0), decisive, found).astype(np.int8)
