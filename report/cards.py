"""What a number's card says: formula in symbols and with values, inputs with status and source, how sure it is.

A card is a pure record made from a number of the tree, on the default scenario or a reader's. The page of numbers
prints it at build; templates/static/cards.js makes the same record in the browser, and a test holds both equal.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from typing import Any, TypeAlias

from model.formula import Answer, Formula, Given
from model.layers import ENERGY
from model.units import Unit
from report import maths, memory, provenance, rounding
from report.alike import identity
from report.asking import HERE, Reading, Scenario, World
from report.asks import idle
from report.digits import of_calculation, of_formula, put, stated
from report.many import Asker, Column, Spot, at_ends, draws, spot
from report.memory import Same
from report.numbers import Asked, Num, Op
from report.points import DRAWS
from report.shown import Cell
from report.spread import Spread, Swing, spread

_ROOTS = {"/": "A ratio", "*": "A product", "+": "A sum", "-": "A difference"}
_SIGNS = {"*": "×", "/": "/", "+": "+", "-": "−"}


@dataclass(frozen=True, slots=True)
class Input:
    """Something that the answer rests on and no formula gives; row is what people call where it stands.

    label says on which scenario it was asked, where a card has several and the input is not the same on all.
    """

    key: str
    label: str
    symbol: str
    says: str
    text: str
    row: str
    given: Given
    unit: Unit | None


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


Steps: TypeAlias = dict[tuple[str, ...], Step]
Inputs: TypeAlias = dict[tuple[str, ...], Input]


@dataclass(frozen=True, slots=True)
class Card:
    """All that a card can say. steps[0] is the number's own formula, if it has one.

    otherwise is, for a number without a value, the share of the joint draws in which it has one.
    """

    title: str
    text: str
    steps: tuple[Step, ...]
    inputs: tuple[Input, ...]
    spread: Spread | None
    unit: Unit | None
    otherwise: float = 0.0


@dataclass(frozen=True)
class Maker:
    """Makes cards from the model and the catalogue."""

    world: World
    catalogue: object
    verdicts: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def asker(self) -> Asker:
        """Return what makes many answers at once."""
        return Asker(self.world, self.catalogue)

    def card(self, num: Num, reader: Scenario = HERE) -> Card:
        """Return the card of a number on a reader's scenario."""
        if reader is not HERE:
            return self._card(num, reader)
        return memory.recalled("card", (Same(self), identity(num)), lambda: self._card(num, HERE))

    def _card(self, num: Num, reader: Scenario) -> Card:
        steps: Steps = {(): self._head(num, reader)} if isinstance(num, Op) else {}
        inputs: Inputs = {}
        for part in _parts(num):
            self._rest(part, reader, isinstance(num, Op), steps, inputs)
        return Card(
            title=self._title(num),
            text=stated(num.read(reader), num.unit),
            steps=tuple(steps.values()),
            inputs=tuple(inputs.values()),
            spread=self._spread(num, reader, tuple(inputs.values())),
            unit=num.unit,
            otherwise=self._otherwise(num, reader, tuple(inputs.values())),
        )

    def rests(self, nums: Iterable[Num], reader: Scenario = HERE) -> tuple[Input, ...]:
        """Return what several numbers rest on together, each input with the scenario on which it was asked."""
        inputs: Inputs = {}
        for num in nums:
            for part in _parts(num):
                self._rest(part, reader, True, None, inputs)
        return tuple(inputs.values())

    def _rest(self, part: Num, reader: Scenario, labelled: bool, steps: Steps | None, inputs: Inputs) -> None:
        """Note the formulas, where they are asked for, and the inputs of a question or of a catalogue value."""
        if isinstance(part, Cell):
            found = self._cell(part)
            inputs[(found.key, "")] = found
        elif isinstance(part, Asked):
            self._trace(part.answer(reader), self.label(part) if labelled else "", steps, inputs, set())

    def label(self, num: Num) -> str:
        """Return on what a number was asked, in words; nothing for one that follows the reader."""
        return provenance.scope(self.catalogue, num.given) if isinstance(num, Asked) else ""

    def _title(self, num: Num) -> str:
        match num:
            case Asked():
                return self.world.quantities[num.key].says
            case Cell():
                return self._cell(num).says
            case Op():
                return _ROOTS[num.op]
        return "A number"

    def _cell(self, cell: Cell) -> Input:
        """Return a printed value of the catalogue as an input of its own."""
        given = provenance.of_cell(self.catalogue, cell)
        if cell.says:
            row = provenance.row_name(self.catalogue, given.row)
            return Input(cell.path, "", "", cell.says, cell.text, row, given, cell.unit)
        field = cell.path.partition(").")[2]
        says = self.world.quantities[field].says if field in self.world.quantities else field.replace("_", " ")
        name = provenance.row_name(self.catalogue, given.row)
        return Input(cell.path, "", "", f"{name}: {says.replace('.', ', ')}", cell.text, name, given, cell.unit)

    def _head(self, num: Num, reader: Scenario) -> Step:
        """Return the author's own calculation as a step without a name."""
        right = expression(num, self.symbol)
        n = of_calculation(num, reader)
        filled = expression(num, lambda part: f"<mn>{escape(put(part.read(reader), part.unit, n))}</mn>")
        return Step("", "", "", "", right, filled, stated(num.read(reader), num.unit), "")

    def symbol(self, num: Num) -> str:
        """Return a question, a catalogue value or a typed number in symbols: beta (H100)."""
        if isinstance(num, Cell):
            return f"<mtext>{escape(self._cell(num).says)}</mtext>"
        if not isinstance(num, Asked):
            return f"<mn>{escape(typed(num))}</mn>"
        symbol, label = maths.plain(self.world.quantities[num.key].latex), self.label(num)
        return f"{symbol}<mtext>\u00a0({escape(label)})</mtext>" if label else symbol

    def _trace(self, answer: Answer, label: str, steps: Steps | None, inputs: Inputs, seen: set[int]) -> None:
        """Note the formulas and inputs on which an answer rests, each once, the answer's own first."""
        if answer.given is not None:
            self._note(answer, answer.given, label, inputs)
            return
        if id(answer) in seen:
            return
        seen.add(id(answer))
        if answer.formula is not None and steps is not None:
            text = _said(answer)
            if (answer.quantity.key, text, label) not in steps:
                steps[(answer.quantity.key, text, label)] = _step(answer, answer.formula, label, text)
        unused = idle(answer.formula) if answer.formula else frozenset()
        for part in answer.inputs:
            if part.quantity.key not in unused:
                self._trace(part, label, steps, inputs, seen)

    def _note(self, answer: Answer, given: Given, label: str, inputs: Inputs) -> None:
        """Note an input, each number of the catalogue once."""
        quantity, text = answer.quantity, _said(answer)
        if (quantity.key, text, given.row) not in inputs:
            given = replace(given, sources=tuple(dict.fromkeys(given.sources)))
            row = provenance.row_name(self.catalogue, given.row)
            on = "" if _shared(quantity.key, given.row) else label
            symbol = maths.plain(quantity.latex)
            found = Input(quantity.key, on, symbol, quantity.says, text, row, given, quantity.unit)
            inputs[(quantity.key, text, given.row)] = found

    def _spread(self, num: Num, reader: Scenario, inputs: tuple[Input, ...]) -> Spread | None:
        """Return how far the number can be off, given the ranges of its inputs; swings name them by place."""
        value = num.read(reader).value
        spots = spots_of(inputs)
        if value is None or not spots:
            return None
        places = list(spots.values())

        def draw(chosen: Sequence[int]) -> Column:
            moved = [next(name for name, place in spots.items() if place == one) for one in chosen]
            return self.asker.many(draws(moved), DRAWS).number(num, reader)

        ends = self.asker.many(at_ends(list(spots)), 2 * len(spots)).number(num, reader)
        swings = [Swing(place, ends.reading(2 * row), ends.reading(2 * row + 1)) for row, place in enumerate(places)]
        return spread(value, swings, draw)

    def _otherwise(self, num: Num, reader: Scenario, inputs: tuple[Input, ...]) -> float:
        """Return in what share of the draws a number without a value has one."""
        spots = spots_of(inputs)
        if num.read(reader).state is None or not spots:
            return 0.0
        lost = self.asker.many(draws(spots), DRAWS).number(num, reader).shares()
        return 1 - sum(lost.values())


def _shared(key: str, row: str) -> bool:
    """Tell whether an input is a constant, the same on every scenario."""
    return row.startswith("constants/") or (row.startswith("prices/") and key not in ENERGY)


def spots_of(inputs: Iterable[Input]) -> dict[Spot, int]:
    """Return the uncertain numbers of the catalogue among some inputs, each with the first place where it stands."""
    found: dict[Spot, int] = {}
    for place, part in enumerate(inputs):
        if (name := spot(part.given)) is not None:
            found.setdefault(name, place)
    return found


def _parts(num: Num) -> Iterator[Num]:
    """Yield the questions and catalogue values of a tree from left to right."""
    if isinstance(num, Op):
        yield from _parts(num.left)
        yield from _parts(num.right)
    else:
        yield num


def expression(num: Num, leaf: Any) -> str:
    """Return an author's calculation as MathML; leaf writes a number of it."""
    return _expression(num, leaf, "mfrac")


def _expression(num: Num, leaf: Any, quotient: str) -> str:
    if not isinstance(num, Op):
        return f"<mrow>{leaf(num)}</mrow>"
    sides = [_expression(side, leaf, "mrow") for side in (num.left, num.right)]
    if num.op == "/" and quotient == "mfrac":
        return f"<mfrac>{sides[0]}{sides[1]}</mfrac>"
    fenced = [_fenced(text, num.op, side) for text, side in zip(sides, (num.left, num.right), strict=True)]
    return f"<mrow>{fenced[0]}<mo>{_SIGNS[num.op]}</mo>{fenced[1]}</mrow>"


def _fenced(text: str, op: str, side: Num) -> str:
    """Put brackets around a sum inside a product, and around what is taken away or divided by."""
    loose = isinstance(side, Op) and (op == "/" or (side.op in "+-" and op in "*-"))
    return f"<mrow><mo>(</mo>{text}<mo>)</mo></mrow>" if loose else text


def typed(num: Num) -> str:
    """Return a number that an author typed into an expression, as the page writes it."""
    text = getattr(num, "text", "")
    return text or rounding.typed(num.read().number or 0.0)


def _said(answer: Answer) -> str:
    if answer.given and isinstance(answer.given.value, str):
        return answer.given.value
    return stated(Reading(answer.number, answer.state), answer.quantity.unit)


def _step(answer: Answer, formula: Formula, label: str, text: str) -> Step:
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
