"""What each slope of the roofline figure is: the bandwidth of its machine's memory, written along it.

On two logarithmic axes all slopes are parallel: neighbours keep their distance, and one with too little room above it
stays without words. Those of the reader's machine may stand below it too, or under its foot if it is too short.
"""

from __future__ import annotations

from typing import Any

import altair as alt

from report.figures import theme
from report.figures.parts import BOLD, PLACED, PX, letters
from report.figures.roofline_lines import head, intensity_at, px, py, rate, shown, si, strip
from report.figures.theme import Layout

_FOOT, _OVER = 5, 5  # px: from the left edge of the plot, and over the line


def labels(machines: alt.Data, layout: Layout) -> list[Any]:
    """Return the words along the slopes, and those under the foot of a short one; a phone has room for one slope's."""
    found = _found(machines, layout)
    look: dict[str, Any] = {"align": "left", "fontSize": layout.small}
    others = "" if layout.name == "wide" else "datum.own && "
    along = found.transform_filter(f"{others}datum.long && datum.side").mark_text(
        **look,
        x=_FOOT,
        y=PX(py(rate(intensity_at(str(_FOOT)), "datum.top", "datum.beta"), layout)),
        dx=PX(f"{0.7 * layout.small:g} * {_steepness(layout)}"),  # the corner of the first letter stays in the plot
        dy=PX(f"datum.side > 0 ? -{_OVER} : {_room(layout)}"),
        angle=PX(f"-180 / PI * atan({_steepness(layout)})"),
        text=PX("datum.text"),
        baseline="alphabetic",
        fill=PX(f"datum.own ? '{theme.BYTES}' : '{theme.MUTED}'"),
        fontWeight=PX(f"datum.own ? {theme.SEMIBOLD} : 400"),
    )
    short = f"!datum.long && {letters('datum.unit', layout.small)} <= {px('datum.beta')}"
    under = found.transform_filter(f"datum.own && {short}").mark_text(
        **look,
        **BOLD,
        x=0,
        y=PX(f"{py('datum.low', layout)} + {_OVER}"),
        text=PX("split(datum.plain, ' ')"),
        lineHeight=layout.small * 1.1,
        baseline="top",
        fill=theme.BYTES,
    )
    named = {"roofline_slopes": along, "roofline_short_slope": under}
    return [layer.encode(**PLACED).properties(name=name) for name, layer in named.items()]


def _found(machines: alt.Data, layout: Layout) -> Any:
    """Return the machines drawn, with the words of each slope, whether it is long enough, and the side with room."""
    across = f"cos(atan({_steepness(layout)}))"  # of a distance straight up, what lies square to the slopes
    upwards = [alt.SortField("low", "ascending"), alt.SortField("id", "ascending")]
    above, below = (f"!(datum.{other} > 0) || {across} * abs({_apart(other, layout)}) >= {_room(layout)}"
                    for other in ("next", "last"))  # fmt: skip
    room = f"({px('datum.beta')} / {across} - {2 * _FOOT})"
    named = f"{str(layout.name == 'wide').lower()} && datum.own && {letters('datum.named', layout.small)} <= {room}"
    return (
        shown(machines, also_own=True)
        .transform_calculate(low=rate("roofline_x_lo", "datum.top", "datum.beta"))
        .transform_filter("datum.low > 0 && isFinite(datum.low)")
        .transform_window(
            [{"op": "lead", "field": "low", "as": "next"}, {"op": "lag", "field": "low", "as": "last"}], sort=upwards
        )
        .transform_calculate(plain=si("datum.top / datum.beta", "B/s"), above=above, below=below)
        .transform_calculate(named="'memory: ' + datum.plain", unit="split(datum.plain, ' ')[1]")
        .transform_calculate(
            text=f"{named} ? datum.named : datum.plain",
            long=f"{letters('datum.plain', layout.small)} <= {room}",
            side="datum.above ? 1 : datum.own && datum.below ? -1 : 0",
        )
        .transform_joinaggregate(lowest="min(side)")
        # Words below the reader's slope take the room that those of the next one would have.
        .transform_calculate(side="datum.lowest < 0 && !datum.own ? 0 : datum.side")
    )


def _apart(other: str, layout: Layout) -> str:
    return f"{py('datum.low', layout)} - ({py(f'datum.{other}', layout)})"


def _room(layout: Layout) -> float:
    """Return how much room words need beside their line, in px."""
    return round(2 * _OVER + 0.7 * layout.small, 1)


def _steepness(layout: Layout) -> str:
    """Return how steep all slopes are on the page: px upwards for each px to the right, as a Vega expression."""
    down = f"(height - {strip(layout)} - {head(layout)}) / log(roofline_y_hi / roofline_y_lo)"
    return f"({down} * log(roofline_x_hi / roofline_x_lo) / width)"
