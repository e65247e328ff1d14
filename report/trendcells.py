"""The machines' history in prose: {{ fit("peak").doubling | sig(2) }} years, since {{ crossed("cpu", 25) }}.

Each number carries what it rests on, since no single row of the catalogue bears it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from model.formula import Given
from model.records import Catalogue
from model.units import Unit, unit
from report import rounding
from report.asking import AuthorError, guarded
from report.byname import ByName, known
from report.memory import remembered
from report.numbers import number
from report.shown import Cell
from report.trends import CLASSES, WAYS, Crossing, Fit, Reading, crossing, fits, readings

_YEAR = unit("year")
# What prose may ask of a fit: its unit, and what it is.
_SAID: Mapping[str, tuple[Unit | None, str]] = {
    "doubling": (_YEAR, "doubling time of {}"),
    "low": (_YEAR, "shortest doubling time of {}"),
    "high": (_YEAR, "longest doubling time of {}"),
    "n": (None, "machines in the fit of {}"),
    "first": (None, "first year in the fit of {}"),
    "last": (None, "last year in the fit of {}"),
}
NAMES: Mapping[str, str] = {
    "peak": "peak arithmetic",
    "bandwidth": "memory bandwidth",
    "beta": "machine balance",
    "examples_per_fetch": "examples that must share one weight fetch",
}


@dataclass(frozen=True)
class FitCells(ByName):
    """A fit as prose asks for it: .doubling, .low, .high, .n, .first, .last."""

    _names = _SAID
    found: Fit
    way: str

    def say(self) -> str:
        """Return the fit as an author asks for it."""
        return f"fit({self.found.key})" if self.way == "day" else f"fit({self.found.key}, {self.way})"

    def _cell(self, path: str, name: str) -> Cell:
        measured, says = _SAID[name]
        value = float(getattr(self.found, name))
        given = Given(
            value=value,
            status="fitted",
            row=f"{self.found.n} training machines, {self.found.first} to {self.found.last}",
            low=self.found.low if name == "doubling" else None,
            high=self.found.high if name == "doubling" and self.found.clear else None,
            note=f"a straight line through the logarithms by year, at {WAYS[self.way]}; interval at 95%",
        )
        finite = value if math.isfinite(value) else None
        return _cell(path, finite, measured, says.format(NAMES[self.found.key]), given)


def _cell(path: str, value: float | None, measured: Unit | None, says: str, given: Given) -> Cell:
    """Return a number as a cell: a duration to three digits and its word; a count or a calendar year whole."""
    if value is None:
        return Cell(path, None, measured, "", None, says=says, given=given)
    text = rounding.qty(value, 3, rounding.label(measured)) if measured else f"{value:.0f}"
    return Cell(path, None, measured, text, value, says=says, given=given)


class Trends:
    """What prose asks of the machines' history; remembers what it has worked out."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue

    @remembered
    def _all(self) -> dict[str, tuple[Reading, ...]]:
        return {way: readings(self._catalogue, way) for way in WAYS}

    @remembered
    def _fits(self) -> dict[str, dict[str, Fit]]:
        return {way: fits(found) for way, found in self._all.items()}

    def fit(self, key: str, way: str = "day") -> FitCells:
        """Return a fit for {{ fit("peak").doubling | sig(2) }}, or at one format: fit("peak", "fp32")."""
        return guarded(lambda: self._fit(key, way))

    def _fit(self, key: str, way: str) -> FitCells:
        known(f"there is no way of counting '{way}'", way, WAYS)
        known(f"there is no fit '{key}' at {WAYS[way]}", key, self._fits[way])
        return FitCells(self._fits[way][key], way)

    def crossed(self, group: str, value: object) -> Cell:
        """Return the year from which on every machine of a class wants more examples than a value."""
        return guarded(lambda: self._crossed(group, value))

    def _crossed(self, group: str, value: object) -> Cell:
        known(f"there is no class of machines '{group}'", group, CLASSES)
        reuse = number(value)
        if reuse.live:
            raise AuthorError(f"crossed: {reuse.say()} follows the reader", "name a pinned number")
        found = crossing(self._all["day"], group, reuse.read().number or 0.0)
        since = None if found is None else float(found.since)
        examples = "example" if reuse.read().number == 1 else "examples"
        says = f"year since which all {CLASSES[group]} want more than {reuse.say()} {examples} a fetch"
        return _cell(f"crossed({group}, {reuse.say()})", since, None, says, _passed(found))


def _passed(found: Crossing | None) -> Given:
    """Return what the year of a crossing rests on: the last machine of the class that did not pass."""
    if found is None:
        return Given(value=None, state="unknown", status="computed", row="machines of the class")
    row = f"machines/{found.last.id}"
    note = "the last that wanted no more; counted on the peak of the memory bus"
    return Given(value=float(found.since), status="computed", row=row, note=note)
