"""The claim in one board: four lines that compare the machines of the beginning with the reader's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from model.records import Catalogue
from model.scenario import DEFAULT
from report import shown
from report.asking import World
from report.desk import Desk
from report.tables import cells, markup
from report.tables.table import Cell

# The machine at the start of the drift, counted as its time counted: weights changed in place, one example at a time.
THEN = "cray-1"
_ITS_TIME: cells.Given = {"machine": THEN, "update": "in-place"}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the board: what it says, its numbers then and now, the words of their units."""

    id: str
    says: str
    then: Cell
    now: Cell
    units: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Board:
    """A board: its id, the two machines' names, its lines."""

    id: str
    then: str
    now: Markup
    lines: tuple[Line, ...]

    def context(self, desk: Desk, caption: str) -> dict[str, Any]:
        """Return the context of the template _board.html; the numbers are put down at the page's desk."""
        return {
            "id": f"board-{self.id}",
            "caption": caption,
            "then": self.then,
            "now": self.now,
            "rows": [self._row(line, desk) for line in self.lines],
        }

    def _row(self, line: Line, desk: Desk) -> dict[str, Any]:
        def side(name: str, cell: Cell, unit: str) -> dict[str, Any]:
            key = f"boards/{self.id}#{line.id}.{name}"
            return {"value": markup.cell_html(cell, desk, key), "unit": unit}

        then, now = line.units
        return {
            "says": line.says,
            "then": side("then", line.then, then),
            "now": side("now", line.now, now),
            "class": "",
        }


def claim(world: World, catalogue: Catalogue) -> Board:
    """Return the board that opens the report."""

    def line(name: str, says: str, units: tuple[str, str], key: str, digits: tuple[int, int], **held: float) -> Line:
        old, new = cells.pinned(world, key, {**_ITS_TIME, **held}), cells.live(world, key, held)
        sides = cells.printed(shown.sig(old, digits[0])), cells.printed(shown.sig(new, digits[1]))
        return Line(name, says, *sides, units)

    per_byte, examples, times = ("FLOP per byte",) * 2, ("example", "examples"), ("times its arithmetic",) * 2
    lines = (
        line("balance", "Operations that each byte from memory must feed", per_byte, "beta", (2, 3)),
        line("example", "Operations that one example offers each byte", per_byte, "example_intensity", (2, 2)),
        line("visit", "Examples that must share one visit of a weight", examples, "examples_per_fetch", (1, 3)),
        line("price", "How long a step takes when a visit serves one example", times, "wall_slowdown", (1, 3), T=1.0),
    )
    then, now = catalogue.machines[THEN], catalogue.machines[str(DEFAULT["machine"])]
    follows = Markup('<span data-choice="machine">{}, {}</span>').format(now.short, now.year)
    return Board("claim", f"{then.short}, {then.year}", follows, lines)
