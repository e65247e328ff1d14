"""The lines and marks of the roofline figure: roofs, balance, path, point; and what is said of each on demand."""

from __future__ import annotations

from typing import Any

import altair as alt

from model import roofline as model
from model.book import QUANTITIES
from model.inputs import T, peak
from report.figures import theme
from report.figures.expression import Writer
from report.figures.parts import Data
from report.figures.theme import Layout

DOUBLINGS = 20  # the path runs from one token to 2^20

WRITER = Writer("roofline", T)
BETA = WRITER.value(model.beta)
PEAK = WRITER.value(peak)
T_MIN = WRITER.value(QUANTITIES["T_min"])
END = WRITER.value(model.I_max)
_INTENSITY = QUANTITIES["operational_intensity"]
_HERE, _THERE = WRITER.text(_INTENSITY, "roofline_T"), WRITER.text(_INTENSITY, "datum.t")

XY = {"x": alt.X("x:Q"), "y": alt.Y("y:Q")}
ONE = Data([{}])
# What has no place on a logarithmic axis is not drawn: an absence, a zero.
_DRAWN = "datum.x > 0 && datum.y > 0 && datum.x <= roofline_x_hi && isFinite(datum.y)"
_BOUND = f"datum.x < {BETA} ? '{theme.BYTES}' : '{theme.ARITHMETIC}'"


def share(intensity: str, balance: str) -> str:
    """Return the share of peak at an intensity, as a Vega expression."""
    return model.overlapped_ceiling.vega({"operational_intensity": f"({intensity})", "beta": f"({balance})"})


def rate(intensity: str, top: str, balance: str) -> str:
    """Return the rate that a roofline allows at an intensity, as a Vega expression."""
    return model.attainable.vega({"peak": f"({top})", "overlapped_ceiling": f"({share(intensity, balance)})"})


def derived() -> dict[str, str]:
    """Return the parameters that follow from the signals, in the order in which they need each other."""
    beta, here = _or(BETA), _or("roofline_intensity")
    return {
        "roofline_intensity": _HERE,
        "roofline_share": share("roofline_intensity", BETA),
        "roofline_rate": rate("roofline_intensity", PEAK, BETA),
        # The axes hold all machines and networks of the catalogue; a reader's own may need more room.
        "roofline_x_lo": _decade("min", -2, f"min({beta}, {here})", "floor"),
        "roofline_x_hi": _decade("max", 5, f"max({beta}, {here})", "ceil"),
        "roofline_y_lo": f"min(2e4, {_or(rate('roofline_x_lo', PEAK, BETA), '2e4')})",
        "roofline_y_hi": f"max(2e16, {_or(PEAK)})",
    }


def px(intensity: str) -> str:
    """Return where an intensity lies, in px of the plot from the left, as a Vega expression."""
    return f"width * log(({intensity}) / roofline_x_lo) / log(roofline_x_hi / roofline_x_lo)"


def intensity_at(x: str) -> str:
    """Return the intensity at a place within the plot, as a Vega expression."""
    return f"roofline_x_lo * pow(roofline_x_hi / roofline_x_lo, clamp({x}, 0, width) / width)"


def py(flops: str, layout: Layout) -> str:
    """Return where a rate lies, in px of the plot from the top, as a Vega expression."""
    low, room = f"(height - {strip(layout)})", f"(height - {strip(layout)} - {head(layout)})"
    return f"{low} - {room} * log(({flops}) / roofline_y_lo) / log(roofline_y_hi / roofline_y_lo)"


def _or(text: str, otherwise: str = "1") -> str:
    return f"({text} > 0 && isFinite({text}) ? {text} : {otherwise})"


def _decade(pick: str, exponent: int, value: str, rounded: str) -> str:
    return f"pow(10, {pick}({exponent}, {rounded}(log({value}) / LN10)))"


# --- what is said


def si(text: str, measured: str, digits: str = ".3~s") -> str:
    """Return a number with prefix and unit, as a Vega expression: 1.25e14 -> 125 TFLOP/s."""
    return f"replace(format({text}, '{digits}'), regexp('([a-zA-Zµ]?)$'), ' $1') + '{measured}'"


def tokens(text: str, writer: Writer = WRITER) -> str:
    """Return a count of tokens in words, as a Vega expression; of examples on a network without tokens."""
    return f"format({text}, ',') + ' ' + {writer.thing(f'{text} !== 1')}"


def of_peak(text: str) -> str:
    """Return a share of peak in words, as a Vega expression."""
    return f"format({text}, '.2p') + ' of peak'"


def _step(t: str, x: str, y: str, part: str) -> str:
    first = f"'T = ' + {tokens(t)} + ' per weight visit'"
    return f"{first} + '\\n' + format({x}, ',.3~r') + ' FLOP/B\\n' + {si(y, 'FLOP/s')} + ', ' + {of_peak(part)}"


def _about_machine() -> str:
    name = "datum.name + (datum.year ? ', ' + datum.year : '')"
    top = f"{si('datum.top', 'FLOP/s')} + (datum.own ? '' : ' at ' + datum.format)"
    memory = f"{si('datum.top / datum.beta', 'B/s')} + ' of memory bandwidth'"
    balance = "'balance ' + format(datum.beta, ',.3~r') + ' FLOP/B'"
    return f"{name} + '\\n' + {top} + '\\n' + {memory} + '\\n' + {balance}"


# --- axes


def _axes(layout: Layout) -> dict[str, Any]:
    wide = layout.name == "wide"
    x_axis = alt.Axis(
        title="operational intensity, FLOP per byte" if wide else "operational intensity, FLOP/B",
        # Whole decades: a logarithmic scale divides them only when asked for more.
        tickCount=7 if wide else alt.ExprRef("width < 200 && roofline_x_hi > 1e5 ? 2 : 4"),
        labelExpr="datum.value < 1 ? format(datum.value, '~r') : format(datum.value, ',')",
        labelOverlap=False,
        labelFlush=False,
        grid=False,
        titlePadding=8,
    )
    y_axis = alt.Axis(
        title="attainable rate, FLOP per second" if wide else None,  # on a phone the labels' own units must do
        titleX=-(layout.left - layout.small / 2 - 2),
        titleBaseline="middle",
        values=[1e6, 1e9, 1e12, 1e15],
        labelExpr=si("datum.value", "FLOP/s", ".0s"),
        labelOverlap=False,
        domain=False,
        ticks=False,
    )
    x_domain, y_domain = "[roofline_x_lo, roofline_x_hi]", "[roofline_y_lo, roofline_y_hi]"
    x_scale = alt.Scale(type="log", domain=alt.ExprRef(x_domain), nice=False)
    y_scale = alt.Scale(
        type="log",
        domain=alt.ExprRef(y_domain),
        nice=False,
        # Above and below the lines there is room for words that no line ever crosses.
        rangeMin=alt.ExprRef(f"height - {strip(layout)}"),
        rangeMax=head(layout),
    )
    return {"x": alt.X("x:Q", scale=x_scale, axis=x_axis), "y": alt.Y("y:Q", scale=y_scale, axis=y_axis)}


def head(layout: Layout) -> int:
    """Return the height of the room above the lines, in px: one row of text, two on a phone."""
    return round(layout.text * (1.9 if layout.name == "wide" else 3.1))


def strip(layout: Layout) -> int:
    """Return the height of the room below the lines, in px: three rows of small text."""
    return 3 * row(layout) + 10


def row(layout: Layout) -> int:
    """Return the height of a row of small text, in px."""
    return round(layout.small * 1.35)


# --- layers


def shown(machines: alt.Data, also_own: bool) -> Any:
    """Return the machines drawn for comparison, with the reader's own if wanted: top rate and balance."""
    own = "datum.id === roofline_machine"
    ghost = f"(indexof(roofline_ghosts, datum.id) >= 0 || datum.id === roofline_kept) && !({own})"
    beta = model.beta.vega({"peak": "datum.peak", "bandwidth": "datum.bandwidth"})
    return (
        alt.Chart(machines)
        .transform_filter(f"{PEAK} > 0 && isFinite({PEAK}) && {own} || {ghost}" if also_own else ghost)
        .transform_calculate(own=own, top=f"{own} ? {PEAK} : datum.peak", beta=f"{own} ? {BETA} : ({beta})")
        .transform_calculate(said=_about_machine())
    )


def ghosts(machines: alt.Data, layout: Layout) -> Any:
    """Return the rooflines of the machines drawn for comparison, and the axes of all."""
    return (
        shown(machines, also_own=False)
        .transform_calculate(x="[roofline_x_lo, max(roofline_x_lo, datum.beta), roofline_x_hi]")
        .transform_flatten(["x"])
        .transform_calculate(y=rate("datum.x", "datum.top", "datum.beta"))
        .mark_line(color=theme.EDGE, strokeWidth=1, strokeJoin="round")
        .encode(**_axes(layout), detail=alt.Detail("id:N"), tooltip=alt.Tooltip("said:N"))
        .properties(name="roofline_ghost_lines")
    )


def roof() -> list[Any]:
    """Return the reader's roofline: the slope that bytes allow, the roof that arithmetic allows."""
    ends = {"slope": ("roofline_x_lo", BETA, theme.BYTES), "roof": (BETA, "roofline_x_hi", theme.ARITHMETIC)}
    return [
        alt.Chart(ONE)
        .transform_calculate(x=f"[{low}, {high}]")
        .transform_flatten(["x"])
        .transform_calculate(y=rate("datum.x", PEAK, BETA))
        .transform_filter(_DRAWN)
        .mark_line(color=colour, strokeWidth=2.5, strokeCap="round")
        .encode(**XY)
        .properties(name=f"roofline_{name}")
        for name, (low, high, colour) in ends.items()
    ]


def balance() -> Any:
    """Return the vertical at the machine's balance, from the corner down to the axis."""
    return (
        alt.Chart(ONE)
        .transform_calculate(x=BETA, y=PEAK)
        .transform_filter(_DRAWN)
        .mark_rule(color=theme.INK, strokeWidth=1, strokeDash=[3, 3])
        .encode(**XY, y2=alt.Y2Value(alt.ExprRef("height")))
        .properties(name="roofline_balance")
    )


def path(layout: Layout) -> list[Any]:
    """Return a dot for each doubling of T, where the path ends, and where it reaches the balance."""
    size = 26 if layout.name == "wide" else 18
    dots = (
        alt.Chart(alt.sequence(0, DOUBLINGS + 1, 1, as_="k"))
        .transform_calculate(t="pow(2, datum.k)")
        .transform_calculate(x=_THERE)
        .transform_calculate(y=rate("datum.x", PEAK, BETA), part=share("datum.x", BETA))
        .transform_filter(_DRAWN)
        .transform_calculate(said=_step("datum.t", "datum.x", "datum.y", "datum.part"))
        .mark_point(shape="circle", filled=True, size=size, opacity=1)
        .encode(**XY, color=alt.ColorValue(alt.ExprRef(_BOUND)), tooltip=alt.Tooltip("said:N"))
        .properties(name="roofline_path")
    )
    return [_end(), dots, _reached()]


def _end() -> Any:
    """Return the mark at the intensity that no batch exceeds; the blocked form has another one."""
    said = f"'no batch exceeds ' + format({END}, ',.3~r') + ' FLOP/B'"
    return (
        alt.Chart(ONE)
        .transform_calculate(x=END)
        .transform_calculate(y=rate("datum.x", PEAK, BETA), said=said)
        .transform_filter(_DRAWN)
        .mark_point(shape="stroke", angle=90, size=220, strokeWidth=2, color=theme.INK, opacity=1)
        .encode(**XY, tooltip=alt.Tooltip("said:N"))
        .properties(name="roofline_end")
    )


def _reached() -> Any:
    """Return the mark at T_min, which lies in the corner; none where no batch reaches it."""
    said = f"'the balance is reached at T = ' + format({T_MIN}, ',.3~r') + ' ' + {WRITER.thing('true')}"
    return (
        alt.Chart(ONE)
        .transform_calculate(x=f"isFinite({T_MIN}) ? {BETA} : NaN", y=PEAK, said=said)
        .transform_filter(_DRAWN)
        .mark_point(shape="diamond", size=90, strokeWidth=1.75, stroke=theme.INK, fill=theme.PAPER, opacity=1)
        .encode(**XY, tooltip=alt.Tooltip("said:N"))
        .properties(name="roofline_reached")
    )


def point(layout: Layout) -> Any:
    """Return the reader's own point."""
    here = {"x": "roofline_intensity", "y": "roofline_rate"}
    return (
        alt.Chart(ONE)
        .transform_calculate(**here, said=_step("roofline_T", here["x"], here["y"], "roofline_share"))
        .transform_filter(_DRAWN)
        .mark_point(
            shape="circle", size=130 if layout.name == "wide" else 100, strokeWidth=2.5, fill=theme.PAPER, opacity=1
        )
        .encode(**XY, stroke=alt.StrokeValue(theme.INK), tooltip=alt.Tooltip("said:N"))
        .properties(name="roofline_point")
    )
