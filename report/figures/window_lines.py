"""The lines and marks of the window figure: floors, ceiling, the window between, runs, the reader's own batch.

Every line is a formula of the model in the number of devices, from one replica on; in logarithms all of them are
straight but the best batch, which bends where the all-reduce begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from model import window as model
from model.book import QUANTITIES
from model.inputs import devices
from model.step import global_batch, replica
from report.figures import theme
from report.figures.expression import Writer
from report.figures.parts import ONE, PX, XY, Data, known, rule
from report.figures.theme import Layout

DOUBLINGS = 17  # from one device to 2^17
LAST = 2**DOUBLINGS
_FINE = 4  # places on a curve for each doubling
_RINGED = {"ring": "ring"}  # along the axis there are always others to reduce with

WRITER = Writer("window", devices)
REPLICA = WRITER.value(replica)
CLOSING = WRITER.value(model.closing_devices)
FLOOR = WRITER.value(QUANTITIES["T_min"])
FAMILY = WRITER.choice(QUANTITIES["family"])
_CEILING = WRITER.value(model.B_crit)
# A network whose weights are counted is no language model: it learns from examples, and neither the ceiling, which is a
# fit to language models, nor the published runs say anything of it.
COUNTED = f"({FAMILY} === 'counted')"
THING = WRITER.thing()
CEILING = f"({COUNTED} || !({_CEILING} > 0 && isFinite({_CEILING})) ? NaN : {_CEILING})"


def at(quantity: Any, n: str) -> str:
    """Return a quantity of the model at so many devices, as a Vega expression."""
    return WRITER.text(quantity, n, _RINGED)


# Each line: its formula, its colour, how it is drawn.
FLOORS: Mapping[str, tuple[Any, str, Mapping[str, Any]]] = {
    "weights": (model.weight_floor, theme.BYTES, {"strokeWidth": 2}),
    "optimizer": (model.optimizer_floor, theme.CAPACITY, {"strokeWidth": 2, "strokeDash": [8, 2]}),
    "allreduce": (model.allreduce_floor, theme.FABRIC, {"strokeWidth": 2, "strokeDash": [5, 4]}),
}
_BEST: Mapping[str, Any] = {"strokeWidth": 1.5, "strokeDash": [2, 3]}


def line(name: str, n: str) -> str:
    """Return the batch of a line at so many devices, in tokens, as a Vega expression."""
    if name == "best":
        return f"({COUNTED} ? NaN : {at(model.B_opt, n)})"
    return at(global_batch if name == "own" else FLOORS[name][0], n)


LINES = (*FLOORS, "best", "own")
DEVICE = "'device'"
HERE = "window_devices"
_BATCHES = {name: line(name, HERE) for name in LINES}
_LOW_HERE, _LOW = at(model.window_low, HERE), at(model.window_low, "datum.x")


def derived() -> dict[str, str]:
    """Return the parameters that follow from the signals, in the order in which they need each other."""
    first = known(REPLICA, "1")
    found = {"window_first": f"min({first}, {LAST})", "window_ceiling": CEILING, "window_batch": _BATCHES["own"]}
    found |= {f"window_at_{name}": _BATCHES[name] for name in FLOORS}
    found["window_low"] = _LOW_HERE
    found |= {f"window_from_{name}": line(name, "window_first") for name in LINES}
    found |= {f"window_to_{name}": line(name, str(LAST)) for name in LINES}
    # Where runs are shown the axis has room for all of them.
    found["window_usual"] = f"{COUNTED} ? [{known('window_batch', '1')}, {known('window_batch', '1')}] : [1e4, 1e8]"
    lows = ", ".join(known(f"window_from_{name}", "window_usual[0]") for name in LINES)
    highs = ", ".join(known(f"window_to_{name}", "window_usual[1]") for name in LINES)
    found["window_lo"] = f"min(window_usual[0], {lows}, {known('window_batch', 'window_usual[0]')}) / 1.5"
    found["window_hi"] = f"max(window_usual[1], {highs}, {known('window_batch', '1')}) * 1.5"
    return found


CLOSES = (
    f"'closes at ' + ({CLOSING} < 100 ? format(floor({CLOSING}), ',') : format({CLOSING}, ',.3r'))"
    f" + ({CLOSING} < 2 ? ' device' : ' devices')"
)


# --- places


def head(layout: Layout) -> int:
    """Return the height of the room above the lines, in px: one row of text, three on a phone."""
    return round(layout.text * (2.0 if layout.name == "wide" else 4.2))


def strip(layout: Layout) -> int:
    """Return the height of the room below the lines, in px: a row of text, two on a phone."""
    return round(layout.small * (2.0 if layout.name == "wide" else 3.2))


def px(n: str) -> str:
    """Return where a number of devices lies, in px of the plot from the left, as a Vega expression."""
    return f"width * log({n}) / log({LAST})"


def devices_at(x: str) -> str:
    """Return the number of devices at a place within the plot, as a Vega expression."""
    return f"pow({LAST}, ({x}) / width)"


def py(batch: str, layout: Layout) -> str:
    """Return where a batch lies, in px of the plot from the top, as a Vega expression."""
    low, room = f"(height - {strip(layout)})", f"(height - {strip(layout)} - {head(layout)})"
    return f"{low} - {room} * log(({batch}) / window_lo) / log(window_hi / window_lo)"


COUNT = (
    "datum.value >= 1e12 ? format(datum.value / 1e12, ',') + ' trillion' : "
    "datum.value >= 1e9 ? format(datum.value / 1e9, ',') + ' billion' : "
    "datum.value >= 1e6 ? format(datum.value / 1e6, ',') + ' million' : "
    "datum.value < 1 ? format(datum.value, '~r') : format(datum.value, ',')"
)


def _axes(layout: Layout) -> dict[str, Any]:
    wide = layout.name == "wide"
    x_axis = alt.Axis(
        title="devices, N",
        values=[10.0**k for k in range(0, 6, 1 if wide else 2)],
        labelExpr=COUNT,
        labelOverlap=False,
        labelFlush=False,
        grid=False,
        titlePadding=8,
    )
    y_axis = alt.Axis(
        title=None,
        tickCount=4,
        labelExpr=COUNT,
        labelOverlap=False,
        domain=False,
        ticks=False,
        grid=False,
    )
    x_scale = alt.Scale(type="log", domain=[1, LAST], nice=False)
    y_scale = alt.Scale(
        type="log",
        domain=PX("[window_lo, window_hi]"),
        nice=False,
        rangeMin=PX(f"height - {strip(layout)}"),
        rangeMax=head(layout),
    )
    return {"x": alt.X("x:Q", scale=x_scale, axis=x_axis), "y": alt.Y("y:Q", scale=y_scale, axis=y_axis)}


# --- layers


def _curve(most: str) -> Any:
    """Return one row for each place on the curves, from one replica to a number of devices."""
    points = alt.Chart(alt.sequence(0, _FINE * DOUBLINGS + 1, 1, as_="k"))
    return points.transform_calculate(x=f"clamp(pow(2, datum.k / {_FINE}), window_first, max({most}, window_first))")


_INSIDE = "datum.x >= 1 && datum.y >= window_lo && datum.y <= window_hi && isFinite(datum.y)"


def window(layout: Layout) -> Any:
    """Return the window: from the highest floor up to the ceiling, and the axes of all."""
    return (
        _curve(f"min({known(CLOSING, '1')}, {LAST})")
        .transform_filter(f"{CLOSING} > window_first")
        .transform_calculate(y=_LOW, y2="window_ceiling")
        .transform_filter(f"{_INSIDE} && isFinite(datum.y2)")
        .mark_area(color=theme.STATISTICS, opacity=0.16, interpolate="linear")
        .encode(**_axes(layout), y2=alt.Y2("y2:Q"))
        .properties(name="window_area")
    )


def floors() -> list[Any]:
    """Return the floors, the ceiling and the best batch."""
    drawn = [(name, line(name, "datum.x"), colour, look) for name, (_, colour, look) in FLOORS.items()]
    drawn += [("ceiling", "window_ceiling", theme.STATISTICS, {"strokeWidth": 2.5})]
    drawn += [("best", line("best", "datum.x"), theme.STATISTICS, _BEST)]
    return [
        (_curve(str(LAST)) if name != "ceiling" else _ends())
        .transform_calculate(y=text)
        .transform_filter(_INSIDE)
        .mark_line(color=colour, **look)
        .encode(**XY)
        .properties(name=f"window_{name}")
        for name, text, colour, look in drawn
    ]


def _ends() -> Any:
    return alt.Chart(Data([{"x": 1}, {"x": LAST}]))


def closing(layout: Layout) -> list[Any]:
    """Return the mark where the window closes, and the line from there down to its words."""
    shown = alt.Chart(ONE).transform_filter(
        f"isFinite(window_ceiling) && {CLOSING} >= window_first && {CLOSING} <= {LAST}"
    )
    ends = rule(px(CLOSING), f"{py('window_ceiling', layout)} + 6", px(CLOSING), f"height - {strip(layout)} + 2")
    down = shown.mark_rule(color=theme.INK, strokeWidth=1, strokeDash=[3, 3]).encode(**ends)
    said = f"'the window ' + {CLOSES}"
    mark = (
        shown.transform_calculate(x=CLOSING, y="window_ceiling", said=said)
        .transform_filter(_INSIDE)
        .mark_point(shape="diamond", size=90, strokeWidth=1.75, stroke=theme.INK, fill=theme.PAPER, opacity=1)
        .encode(**XY, tooltip=alt.Tooltip("said:N"))
    )
    return [down.properties(name="window_closing_line"), mark.properties(name="window_closing_mark")]


def runs(published: alt.Data, layout: Layout) -> Any:
    """Return the batches of published runs; those on the reader's machine stand out."""
    own = "datum.machine === window_machine"
    return (
        alt.Chart(published)
        .transform_filter(f"!{COUNTED} && {_INSIDE}")
        .mark_point(
            shape="circle",
            filled=True,
            opacity=1,
            size=24 if layout.name == "wide" else 14,
            strokeWidth=1,
            fill=PX(f"{own} ? '{theme.INK}' : '{theme.PAPER}'"),
            stroke=PX(f"{own} ? '{theme.INK}' : '{theme.MUTED}'"),
        )
        .encode(**XY, tooltip=alt.Tooltip("said:N"))
        .properties(name="window_runs")
    )


_TICK = "M0,-1L0,1"  # an upright stroke: along the reader's line it marks a doubling, and is no run


def path(layout: Layout) -> list[Any]:
    """Return the reader's batch on any number of devices, a tick at each doubling, and the reader's own point."""
    own = (
        _curve(str(LAST))
        .transform_calculate(y=line("own", "datum.x"))
        .transform_filter(_INSIDE)
        .mark_line(color=theme.INK, strokeWidth=1)
    )
    ticks = (
        alt.Chart(alt.sequence(0, DOUBLINGS + 1, 1, as_="k"))
        .transform_calculate(x="pow(2, datum.k)")
        .transform_filter("datum.x >= window_first")
        .transform_calculate(y=line("own", "datum.x"), set="{devices: '' + datum.x}")
        .transform_filter(_INSIDE)
        .transform_calculate(said=_said("datum.x", "datum.y"))
        .mark_point(shape=_TICK, filled=False, size=72 if layout.name == "wide" else 40, strokeWidth=1.25, opacity=1)
        .encode(**XY, stroke=alt.StrokeValue(theme.INK), tooltip=alt.Tooltip("said:N"))
    )
    point = (
        alt.Chart(ONE)
        .transform_calculate(x=HERE, y="window_batch")
        .transform_filter(f"{_INSIDE} && datum.x <= {LAST}")
        .transform_calculate(said=_said(HERE, "window_batch"))
        .mark_point(
            shape="circle", size=130 if layout.name == "wide" else 100, strokeWidth=2.5, fill=theme.PAPER, opacity=1
        )
        .encode(**XY, stroke=alt.StrokeValue(theme.INK), tooltip=alt.Tooltip("said:N"))
    )
    named = {"window_own": own.encode(**XY), "window_path": ticks, "window_point": point}
    return [layer.properties(name=name) for name, layer in named.items()]


def number(text: str) -> str:
    """Return a count in words, as a Vega expression: 131,072 or 16.8 million."""
    parts = (("1e12", "trillion"), ("1e9", "billion"), ("1e6", "million"))
    large = "".join(f"{text} >= {size} ? format({text} / {size}, ',.3r') + ' {word}' : " for size, word in parts)
    return f"({large}{text} < 10 ? format({text}, ',.3~r') : format({text}, ',.0f'))"


def count(text: str, thing: str) -> str:
    """Return a count of things in words, as a Vega expression: 1 device, 64 devices; thing is an expression too."""
    return f"{number(text)} + ' ' + {thing} + ({text} === 1 ? '' : 's')"


def _said(n: str, batch: str) -> str:
    return f"{count(n, DEVICE)} + '\\n' + {count(batch, THING)} + ' a step'"
