"""Titles of axes that follow the reader: Vega-Lite's own are fixed texts, so these stand as marks where its would."""

from __future__ import annotations

from typing import Any

import altair as alt

from report.figures import theme
from report.figures.parts import ONE, PLACED, PX
from report.figures.theme import Layout

_DOWN = 30  # px from an axis to the letters below its labels; its title's own padding comes on top


def below(name: str, words: str, layout: Layout, *, room: tuple[str, str] = ("width", "height"), padding: int) -> Any:
    """Return the title under a horizontal axis; words and the panel's width and height are Vega expressions."""
    across, down = room
    return _title(name, words, layout, x=PX(f"{across} / 2"), y=PX(f"{down} + {_DOWN + padding}"))


def beside(name: str, words: str, layout: Layout, *, x: int, middle: str) -> Any:
    """Return the title of an upright axis, read upwards, about its middle."""
    return _title(name, words, layout, x=x, y=PX(middle), angle=270, baseline="bottom")


def _title(name: str, words: str, layout: Layout, **place: Any) -> Any:
    look = {"align": "center", "fontSize": layout.small, "fill": theme.MUTED}
    mark = alt.Chart(ONE).mark_text(**{"baseline": "alphabetic", **look, **place}, text=PX(words))
    return mark.encode(**PLACED).properties(name=name)
