"""What moves an answer, in prose: {{ moves("T_min", "b_w", machine="h100-sxm5").elasticity | sig(2) }}.

A number that is asked about so names its scenario, as every pinned number does; what it leaves out is the default's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from model.formula import Answer, Given
from model.units import Unit
from report import provenance, rounding
from report.asking import HERE, AuthorError, guarded
from report.byname import ByName, known
from report.cards import Maker
from report.digits import label
from report.questions import Asked
from report.sensitivity import Mover, movers
from report.shown import Cell

Scenario = Mapping[str, str | float]
_SAID = {
    "elasticity": "percent by which one percent more of {input} moves {number}",
    "low": "{number}, with {input} at the low end of its range",
    "high": "{number}, with {input} at the high end of its range",
}


@dataclass(frozen=True)
class MoverCells(ByName):
    """What one input does to a number, as prose asks for it: .elasticity, .low, .high."""

    _names = _SAID
    maker: Maker
    num: Asked
    mover: Mover

    def say(self) -> str:
        """Return the input and the number as an author asks for them."""
        return f"moves({self.num.key}, {self.mover.quantity.key})"

    def _cell(self, path: str, name: str) -> Cell:
        number, moving = self.num.world.quantities[self.num.key].says, self.mover.quantity.says
        says = _SAID[name].format(number=number, input=moving)
        unit = None if name == "elasticity" else self.num.unit
        return made(self.maker, self.num, path, self._value(name), unit, says)

    def _value(self, name: str) -> float | None:
        if name == "elasticity":
            found = self.mover.elasticity
            if found is None or found.kink:
                raise AuthorError(f"{self.say()} has no elasticity", "the number has no value there, or a kink")
            return found.above
        if self.mover.ends is None:
            raise AuthorError(f"{self.say()}: {self.mover.quantity.key} has no range")
        end: Answer = self.mover.ends[name == "high"]
        return end.value


@dataclass(frozen=True)
class LikelyCells(ByName):
    """The range of a number with all inputs drawn together, as prose asks for it: .low, .high."""

    _names = ("low", "high")
    maker: Maker
    num: Asked

    def say(self) -> str:
        """Return the range as an author asks for it."""
        return f"likely({self.num.key})"

    def _cell(self, path: str, name: str) -> Cell:
        found = self.maker.card(self.num).spread
        if found is None:
            raise AuthorError(f"{self.num.say()} has no range")
        value = found.low if name == "low" else found.high
        says = f"{name} end of what the ranges of all inputs make of it: {self.num.world.quantities[self.num.key].says}"
        return made(self.maker, self.num, path, value, self.num.unit, says)


def made(maker: Maker, num: Asked, path: str, value: float | None, unit: Unit | None, says: str) -> Cell:
    """Return a number made of a question as a cell that says what it is, and on which scenario."""
    scope = provenance.scope(maker.catalogue, num.given)
    text = "" if value is None else rounding.amount(value, label(unit), 3)
    row = f"{num.key}, {scope}" if scope else num.key
    given = Given(value=value, status="computed", row=row, note="from the formulas and the ranges of their inputs")
    return Cell(f"{path}, {scope}" if scope else path, None, unit, text, value, says=says, given=given, behind=num)


@dataclass(frozen=True)
class Movers:
    """What prose asks of ranges: moves(number, input, scenario), likely(number, scenario)."""

    maker: Maker

    def moves(self, key: str, moving: str, **given: str | float) -> MoverCells:
        """Return what an input does to a number on a scenario."""
        return guarded(lambda: self._moves(key, moving, given))

    def likely(self, key: str, **given: str | float) -> LikelyCells:
        """Return the range of a number on a scenario."""
        return guarded(lambda: LikelyCells(self.maker, self._asked(key, given)))

    def _moves(self, key: str, moving: str, given: Scenario) -> MoverCells:
        num = self._asked(key, given)
        base = self.maker.world.inputs(num.scenario(HERE))
        found = {one.quantity.key: one for one in movers(self.maker.world.quantities[key], base)}
        known(f"{key} does not rest on '{moving}'", moving, found)
        return MoverCells(self.maker, num, found[moving])

    def _asked(self, key: str, given: Scenario) -> Asked:
        world = self.maker.world
        known(f"there is no quantity '{key}'", key, world.quantities)
        pairs = {name: value if isinstance(value, str) else float(value) for name, value in given.items()}
        num = Asked(world, key, tuple(sorted(pairs.items())), False)
        num.answer()
        return num
