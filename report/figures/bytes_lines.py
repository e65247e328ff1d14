"""The lines and bands of the byte figure: how many bytes a token moves, what there is time for, whose bytes they are.

Two panels share the tokens per visit. Above, bytes on a logarithmic scale; below, each stream's share of them, which
can be stacked since it is linear. Places are in px of the whole plot, so that the view stays one and can be resized.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from report.figures import theme
from report.figures import titles as titled
from report.figures.bytes_streams import (
    BUDGET,
    CROSSING,
    DOUBLINGS,
    LAST,
    PARTS,
    SHOWN,
    STREAMS,
    TOTAL,
    WIRE,
    WIRE_BUDGET,
    WRITER,
    amount,
    said,
)
from report.figures.parts import ONE, PX, XY, Data, decades, rule
from report.figures.theme import Layout

_FINE = 4  # places on a curve for each doubling


# --- places


def head(layout: Layout) -> int:
    """Return the height of the room above the lines, in px: one row of text, two on a phone."""
    return round(layout.text * (2.0 if layout.name == "wide" else 3.2))


def gap(layout: Layout) -> int:
    """Return the height of the room between the panels, in px: a row of text, two on a phone."""
    return round(layout.text * (2.3 if layout.name == "wide" else 3.6))


FOOT = "(height * 0.62)"


def crown(layout: Layout) -> str:
    """Return where the lower panel begins, in px from the top."""
    return f"({FOOT} + {gap(layout)})"


def px(t: str) -> str:
    """Return where a number of tokens lies, in px of the plot from the left, as a Vega expression."""
    return f"width * log({t}) / log({LAST})"


def py(amount: str, layout: Layout) -> str:
    """Return where bytes lie, in px of the plot from the top, as a Vega expression."""
    room = f"({FOOT} - {head(layout)})"
    return f"{FOOT} - {room} * log(({amount}) / bytes_lo) / log(bytes_hi / bytes_lo)"


def _x(layout: Layout) -> alt.X:
    axis = alt.Axis(
        title=None,
        values=[10.0**k for k in range(0, 7, 1 if layout.name == "wide" else 2)],
        labelExpr="datum.value >= 1e6 ? format(datum.value / 1e6, ',') + ' million' : format(datum.value, ',')",
        labelOverlap=False,
        labelFlush=False,
        grid=False,
    )
    return alt.X("x:Q", scale=alt.Scale(type="log", domain=[1, LAST], nice=False), axis=axis)


def _title(layout: Layout) -> int:
    """Return where the titles of the vertical axes stand; left of the longest labels they would leave the picture."""
    return 18 - layout.left


def titles(layout: Layout) -> list[Any]:
    """Return what the axes count: what a visit serves, and the bytes of one of it."""
    middle = f"({head(layout)} + {FOOT}) / 2"
    return [
        titled.below("bytes_x_title", f"{WRITER.thing('true')} + ' per weight visit, T'", layout, padding=8),
        titled.beside("bytes_y_title", f"'bytes per ' + {WRITER.thing()}", layout, x=_title(layout), middle=middle),
    ]


def _upper(layout: Layout) -> dict[str, Any]:
    """Return the axes of the upper panel."""
    axis = alt.Axis(
        title=None,
        tickCount=PX(f"max(1, ceil({decades('bytes_lo', 'bytes_hi')} / ceil({decades('bytes_lo', 'bytes_hi')} / 7)))"),
        labelExpr=amount("datum.value", ".0s"),
        labelOverlap=False,
        domain=False,
        ticks=False,
        orient="left",
        labelPadding=10,  # clear of the reader's point at the first token
        gridOpacity=0.7,
    )
    scale = alt.Scale(
        type="log",
        domain=PX("[bytes_lo, bytes_hi]"),
        nice=False,
        rangeMin=PX(FOOT),
        rangeMax=head(layout),
    )
    return {"x": _x(layout), "y": alt.Y("y:Q", scale=scale, axis=axis)}


def _lower(layout: Layout) -> dict[str, Any]:
    """Return the axes of the lower panel."""
    axis = alt.Axis(
        title="share of bytes",
        titleX=_title(layout),
        values=[0, 0.5, 1],
        format=".0%",
        domain=False,
        ticks=False,
        grid=False,
        orient="left",
    )
    scale = alt.Scale(domain=[0, 1], nice=False, rangeMin=PX("height"), rangeMax=PX(crown(layout)))
    return {"x": _x(layout), "y": alt.Y("part:Q", scale=scale, axis=axis, stack="zero")}


# --- layers


def _curve() -> Any:
    """Return one row for each place on the curves."""
    return alt.Chart(alt.sequence(0, _FINE * DOUBLINGS + 1, 1, as_="k")).transform_calculate(
        t=f"pow(2, datum.k / {_FINE})", x="pow(2, datum.k / 4)"
    )


def _inside(name: str = "y") -> str:
    return f"datum.{name} >= bytes_lo && datum.{name} <= bytes_hi && isFinite(datum.{name})"


def upper(layout: Layout) -> Any:
    """Return the upper panel: the wait, the budgets, the fabric's line, the line of all bytes and its marks."""
    layers = [*_budgets(layout), _wait(), _wire(), _total(), *_here(layout), _dots(layout), _crossing(), _point(layout)]
    return alt.layer(*layers)


def _budgets(layout: Layout) -> list[Any]:
    """Return the lines of what there is time for, in memory and over the fabric."""
    looks: Mapping[str, tuple[str, dict[str, Any]]] = {
        "budget": (BUDGET, {"color": theme.ARITHMETIC, "strokeWidth": 2}),
        "wire_budget": (WIRE_BUDGET, {"color": theme.FABRIC, "strokeWidth": 1.25, "strokeDash": [1, 3]}),
    }
    found = []
    for name, (value, look) in looks.items():
        ends = alt.Chart(Data([{"x": 1}, {"x": LAST}])).transform_calculate(y=value)
        line = ends.transform_filter(_inside()).mark_line(**look).encode(**_upper(layout))
        found.append(line.properties(name=f"bytes_{name}"))
    return found


def _wait() -> Any:
    """Return the area between bytes and budget, as far as the bytes are more."""
    return (
        _curve()
        .transform_calculate(y=TOTAL, y2=BUDGET)
        .transform_filter(f"{_inside()} && {_inside('y2')}")
        .transform_calculate(y="max(datum.y, datum.y2)")
        .mark_area(color=theme.BYTES, opacity=0.09, interpolate="linear")
        .encode(**XY, y2=alt.Y2("y2:Q"))
        .properties(name="bytes_wait")
    )


def _wire() -> Any:
    """Return the line of the gradient all-reduce, which goes over the fabric."""
    return (
        _curve()
        .transform_calculate(y=WIRE)
        .transform_filter(_inside())
        .mark_line(color=theme.FABRIC, strokeWidth=2, strokeDash=[6, 4])
        .encode(**XY)
        .properties(name="bytes_wire_line")
    )


def _total() -> Any:
    """Return the line of all memory bytes."""
    return (
        _curve()
        .transform_calculate(y=TOTAL)
        .transform_filter(_inside())
        .mark_line(color=theme.BYTES, strokeWidth=2.5, strokeCap="round", strokeJoin="round")
        .encode(**XY)
        .properties(name="bytes_total_line")
    )


def _here(layout: Layout) -> list[Any]:
    """Return the vertical at the reader's T: from the point down, and through the shares; words stand between."""
    ends = {"upper": (py("bytes_total", layout), f"{FOOT} + 2"), "lower": (crown(layout), "height")}
    shown = alt.Chart(ONE).transform_filter(f"{SHOWN} && bytes_T >= 1 && bytes_T <= {LAST}")
    return [
        shown.mark_rule(color=theme.INK, strokeWidth=1)
        .encode(**rule(px("bytes_T"), top, px("bytes_T"), foot))
        .properties(name=f"bytes_here_{name}")
        for name, (top, foot) in ends.items()
    ]


def _dots(layout: Layout) -> Any:
    """Return a dot for each doubling of T; each says what moves there, and can be chosen."""
    return (
        alt.Chart(alt.sequence(0, DOUBLINGS + 1, 1, as_="k"))
        .transform_calculate(t="pow(2, datum.k)", x="pow(2, datum.k)")
        .transform_calculate(y=TOTAL, wire=WIRE, **PARTS)
        .transform_filter(_inside())
        .transform_calculate(said=said("datum.t", "datum.y", "datum.wire", "datum."))
        .mark_point(shape="circle", filled=True, size=24 if layout.name == "wide" else 16, opacity=1)
        .encode(**XY, color=alt.ColorValue(theme.BYTES), tooltip=alt.Tooltip("said:N"))
        .properties(name="bytes_dots")
    )


def _crossing() -> Any:
    """Return the mark where the bytes come under the budget; none where no batch brings them there."""
    words = f"'all bytes fit the budget from T = ' + format({CROSSING}, ',.3~r') + ' ' + {WRITER.thing('true')}"
    return (
        alt.Chart(ONE)
        .transform_calculate(x=CROSSING, y="bytes_crossing", said=words)
        .transform_filter(f"datum.x >= 1 && datum.x <= {LAST} && {_inside()}")
        .mark_point(shape="diamond", size=90, strokeWidth=1.75, stroke=theme.INK, fill=theme.PAPER, opacity=1)
        .encode(**XY, tooltip=alt.Tooltip("said:N"))
        .properties(name="bytes_crossing_mark")
    )


def _point(layout: Layout) -> Any:
    """Return the reader's own point."""
    return (
        alt.Chart(ONE)
        .transform_calculate(x="bytes_T", y="bytes_total")
        .transform_calculate(said=said("bytes_T", "bytes_total", "bytes_wire", "bytes_"))
        .transform_filter(f"datum.x >= 1 && datum.x <= {LAST} && {_inside()}")
        .mark_point(
            shape="circle", size=130 if layout.name == "wide" else 100, strokeWidth=2.5, fill=theme.PAPER, opacity=1
        )
        .encode(**XY, stroke=alt.StrokeValue(theme.INK), tooltip=alt.Tooltip("said:N"))
        .properties(name="bytes_point")
    )


def lower(layout: Layout) -> Any:
    """Return the lower panel: the streams' shares, stacked."""
    names = list(STREAMS)
    order = " : ".join(f"datum.stream === '{name}' ? {i}" for i, name in enumerate(names)) + " : 9"
    look = {
        name: alt.Scale(type="ordinal", domain=names, range=[STREAMS[one][i] for one in names])
        for i, name in ((3, "colour"), (4, "strength"))
    }
    bands = (
        _curve()
        .transform_calculate(**PARTS)
        .transform_fold(names, as_=["stream", "part"])
        .transform_filter("datum.part > 0 && isFinite(datum.part)")
        .transform_calculate(order=order)
        .mark_area(interpolate="linear", strokeWidth=0.75)
        .encode(
            **_lower(layout),
            fill=alt.Fill("stream:N", scale=look["colour"], legend=None),
            stroke=alt.Stroke("stream:N", scale=look["colour"], legend=None),
            fillOpacity=alt.FillOpacity("stream:N", scale=look["strength"], legend=None),
            order=alt.Order("order:Q"),
        )
        .properties(name="bytes_bands")
    )
    return alt.layer(bands)
