"""The names of lines, right of a panel where the lines end, pushed apart where two would touch.

A name that is wider than the room beside the panel stands in two lines, broken at its first blank.
"""

from __future__ import annotations

from typing import Any

import altair as alt

from report.figures import theme
from report.figures.parts import PLACED, PX, apart, letters, row, rule
from report.figures.theme import Layout

_GAP, _ELBOW, _WORDS = 3, 9, 12  # px right of the panel: where a leader begins and ends, where the words begin

_GENEROUS = 1.1  # letters of one name may be wider than those of most


def names(ends: Any, layers: tuple[str, str], layout: Layout, edge: str = "width", *, told: bool = False) -> list[Any]:
    """Return leaders and names, under the two names of layers, of rows that say where a line ends and how it is called.

    A row has `at`, the place in px from the top that it asks for, `text`, `ink` and `heavy`, the weight of its letters;
    where told, also `said`. edge is the expression of the panel's width.
    """
    room = layout.right - _WORDS - 2
    broken = (
        ends.transform_calculate(blank="indexof(datum.text, ' ')")
        .transform_calculate(
            long=f"{_GENEROUS} * {letters('datum.text', layout.small)} > {room} && datum.blank > 0 ? 1 : 0"
        )
        .transform_joinaggregate(longs="max(long)")
    )
    placed = apart(broken, f"({row(layout)} * (datum.longs ? 1.5 : 1))")
    leaders = placed.transform_filter("abs(datum.put - datum.at) > 1").mark_rule(color=theme.EDGE, strokeWidth=1)
    parts = "[slice(datum.text, 0, datum.blank), slice(datum.text, datum.blank + 1)]"
    text = placed.mark_text(
        x=PX(f"{edge} + {_WORDS}"),
        y=PX("datum.put"),
        align="left",
        baseline="middle",
        fontSize=layout.small,
        lineHeight=layout.small * 1.1,
        fontWeight=PX("datum.heavy"),
        limit=room,
        text=PX(f"datum.long ? {parts} : datum.text"),
        fill=PX("datum.ink"),
    )
    way = rule(f"{edge} + {_GAP}", "datum.at", f"{edge} + {_ELBOW}", "datum.put")
    said = {"tooltip": alt.Tooltip("said:N")} if told else {}
    return [
        leaders.encode(**way).properties(name=layers[0]),
        text.encode(**PLACED, **said).properties(name=layers[1]),
    ]
