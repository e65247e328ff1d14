"""What a number's card says: formula in symbols and with values, inputs with status and source, how sure it is.

A card is a pure record made from a number of the tree, on the default scenario or a reader's. The page of numbers
prints it at build; templates/static/cards.js makes the same record in the browser, and a test holds both equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from typing import Any, TypeAlias

from model.formula import Answer, Given
from model.units import Unit
from report import maths, memory, provenance
from report.alike import identity
from report.asking import HERE, Scenario, World
from report.asks import idle
from report.digits import of_calculation, put, stated
from report.expressions import expression, parts, typed
from report.inputs import Input, shared, spots_of
from report.many import Asker, Column, at_ends, draws
from report.memory import Same
from report.numbers import Num, Op, dated
from report.points import DRAWS
from report.questions import Asked
from report.shown import Cell
from report.spread import Spread, Swing, spread
from report.steps import Step, said, step

_ROOTS = {"/": "A ratio", "*": "A product", "+": "A sum", "-": "A difference"}

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
        for part in parts(num):
            self._rest(part, reader, isinstance(num, Op), steps, inputs)
        return Card(
            title=self._title(num),
            text=dated(num) or stated(num.read(reader), num.unit),
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
            for part in parts(num):
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
        says = self.world.quantities[field].says if field in self.world.quantities else _called(field)
        name = provenance.row_name(self.catalogue, given.row)
        return Input(cell.path, "", "", f"{name}: {says}", cell.text, name, given, cell.unit)

    def _head(self, num: Num, reader: Scenario) -> Step:
        """Return the author's own calculation as a step without a name."""
        right = expression(num, self.symbol)
        n = of_calculation(num, reader)
        filled = expression(num, lambda part: f"<mn>{escape(dated(part) or put(part.read(reader), part.unit, n))}</mn>")
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
            text = said(answer)
            if (answer.quantity.key, text, label) not in steps:
                steps[(answer.quantity.key, text, label)] = step(answer, answer.formula, label, text)
        unused = idle(answer.formula) if answer.formula else frozenset()
        for part in answer.inputs:
            if part.quantity.key not in unused:
                self._trace(part, label, steps, inputs, seen)

    def _note(self, answer: Answer, given: Given, label: str, inputs: Inputs) -> None:
        """Note an input, each number of the catalogue once."""
        quantity, text = answer.quantity, said(answer)
        if (quantity.key, text, given.row) not in inputs:
            given = replace(given, sources=tuple(dict.fromkeys(given.sources)))
            row = provenance.row_name(self.catalogue, given.row)
            on = "" if shared(quantity.key, given.row) else label
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


def _called(field: str) -> str:
    """Return what a part of a row is called: "mfu, printed" for mfu.printed; of a source it is that of one."""
    within, _, last = field.rpartition(".")
    return f"{last} of its source" if within.startswith("sources.") else field.replace("_", " ").replace(".", ", ")
