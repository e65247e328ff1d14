"""The names of lines, right of a panel where the lines end, pushed apart where two would touch."""

from __future__ import annotations

from typing import Any

from report.figures import theme
from report.figures.parts import PLACED, PX, apart, row, rule
from report.figures.theme import Layout

_GAP, _ELBOW, _WORDS = 3, 9, 12  # px right of the panel: where a leader begins and ends, where the words begin


def names(ends: Any, layers: tuple[str, str], layout: Layout, edge: str = "width") -> list[Any]:
    """Return leaders and names, under the two names of layers, of rows that say where a line ends and how it is called.

    A row has `at`, the place in px from the top that it asks for, `text`, `ink` and `heavy`, the weight of its letters.
    edge is the expression of the panel's width.
    """
    placed = apart(ends, row(layout))
    leaders = placed.transform_filter("abs(datum.put - datum.at) > 1").mark_rule(color=theme.EDGE, strokeWidth=1)
    text = placed.mark_text(
        x=PX(f"{edge} + {_WORDS}"),
        y=PX("datum.put"),
        align="left",
        baseline="middle",
        fontSize=layout.small,
        fontWeight=PX("datum.heavy"),
        limit=layout.right - _WORDS - 2,
        text=PX("datum.text"),
        fill=PX("datum.ink"),
    )
    way = rule(f"{edge} + {_GAP}", "datum.at", f"{edge} + {_ELBOW}", "datum.put")
    return [
        leaders.encode(**way).properties(name=layers[0]),
        text.encode(**PLACED).properties(name=layers[1]),
    ]
