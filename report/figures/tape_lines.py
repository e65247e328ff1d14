"""The lines and cells of the tape figure: how many layers are alive at every step, and which ones at this step.

Above, a line for each schedule with its high-water mark; below, a row of cells for each, one cell a layer. Both are
drawn from what the schedules did, event by event, in Python for the default and in the page for the reader's depth.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from report.figures import theme
from report.figures.parts import ONE, PLACED, PX, XY, Data, apart, row, rule
from report.figures.theme import Layout

# What each schedule is called, beside its line, and how the line is drawn; from the most memory to the least.
SCHEDULES: Mapping[str, tuple[str, str, list[float], float]] = {
    "store-all": ("'Store all'", "store all", [1, 0], 2.25),
    "sqrt": ("'Checkpoint every √L'", "every √L", [7, 3], 2),
    "revolve": ("'Optimal, memory for ' + tape_memory", "optimal", [2, 2.5], 2),
    "reversible": ("'Reversible layers'", "reversible", [1, 0], 1.25),
}


def derived() -> dict[str, str]:
    """Return the parameters that follow from the signals: how far the longest schedule goes."""
    lengths = ", ".join(f"length(tape_alive['{name}'])" for name in SCHEDULES)
    return {"tape_last": f"max({lengths})"}


# --- places


def head(layout: Layout) -> int:
    """Return the height of the room above the lines, in px: one row of text."""
    return round(layout.text * 2)


def foot(layout: Layout) -> int:
    """Return the height of the room below the lines, in px: the axis and its title, then the cells."""
    return 2 * row(layout) + 22 + len(SCHEDULES) * cell_row(layout)


def cell_row(layout: Layout) -> int:
    """Return the height of a schedule's row of cells, in px: its text, its cells, the space below."""
    return round(1.5 * layout.text) + cell_height(layout) + round(0.7 * layout.text)


def cell_height(layout: Layout) -> int:
    """Return the height of a cell, in px."""
    return 13 if layout.name == "wide" else 12


def px(step: str) -> str:
    """Return where a step lies, in px of the plot from the left, as a Vega expression."""
    return f"width * ({step}) / tape_last"


def py(alive: str, layout: Layout) -> str:
    """Return where a number of layers lies, in px of the plot from the top, as a Vega expression."""
    low = f"(height - {foot(layout)})"
    return f"{low} - ({low} - {head(layout)}) * ({alive}) / tape_L"


# --- rows


def schedules() -> Any:
    """Return one row for each schedule: what it is called, its high-water mark, what is said of it."""
    rows = [{"i": i, "id": name} for i, name in enumerate(SCHEDULES)]
    return (
        alt.Chart(Data(rows))
        .transform_calculate(
            name=" : ".join(f"datum.id === '{name}' ? {names[0]}" for name, names in SCHEDULES.items()) + " : ''",
            brief=" : ".join(f"datum.id === '{name}' ? '{names[1]}'" for name, names in SCHEDULES.items()) + " : ''",
            most="max(" + ", ".join(f"datum.id === '{name}' ? {_most(name)} : 0" for name in SCHEDULES) + ")",
            steps="length(tape_alive[datum.id])",
            now="length(tape_held[datum.id])",
            again="tape_again[datum.id]",
            share="tape_share[datum.id]",
        )
        .transform_calculate(when="indexof(tape_alive[datum.id], datum.most) + 1")
        .transform_calculate(said=_said())
    )


def _most(name: str) -> str:
    return f"extent(tape_alive['{name}'])[1]"


AGAIN = "(datum.again > 0 ? '+' + format(datum.share, '.0%') + ' arithmetic' : 'nothing computed again')"


def _said() -> str:
    layers = "datum.most + (datum.most === 1 ? ' layer' : ' layers') + ' alive at most'"
    return f"datum.name + '\\n' + {layers} + '\\n' + datum.steps + ' steps, ' + {AGAIN}"


def _steps() -> Any:
    """Return one row for each step of each schedule: how many layers are alive after it."""
    rows = [{"i": i, "id": name} for i, name in enumerate(SCHEDULES)]
    return (
        alt.Chart(Data(rows))
        .transform_calculate(x="sequence(0, length(tape_alive[datum.id]) + 1)", y="tape_alive[datum.id]")
        .transform_flatten(["x", "y"])
        .transform_calculate(y="datum.x > 0 ? tape_alive[datum.id][datum.x - 1] : 0")
    )


# --- layers


def _axes(layout: Layout) -> dict[str, Any]:
    x_axis = alt.Axis(
        title="step of the schedule",
        tickCount=8 if layout.name == "wide" else PX("width < 200 ? 3 : 4"),
        tickMinStep=1,
        format=",d",
        grid=False,
        labelFlush=False,
        titlePadding=4,
        offset=-foot(layout),
    )
    y_axis = alt.Axis(
        title="layers alive",
        titlePadding=8,
        titleY=PX(f"(height - {foot(layout)} + {head(layout)}) / 2"),
        values=PX(f"tape_L < 4 ? sequence(tape_L + 1) : [{', '.join(f'round(tape_L * {k} / 4)' for k in range(5))}]"),
        labelExpr="format(datum.value, ',')",
        domain=False,
        ticks=False,
        gridOpacity=0.7,
    )
    y_scale = alt.Scale(
        domain=PX("[0, tape_L]"), nice=False, rangeMin=PX(f"height - {foot(layout)}"), rangeMax=head(layout)
    )
    x_scale = alt.Scale(domain=PX("[0, tape_last]"), nice=False)
    return {"x": alt.X("x:Q", scale=x_scale, axis=x_axis), "y": alt.Y("y:Q", scale=y_scale, axis=y_axis)}


def area(layout: Layout) -> Any:
    """Return the area under the line of storing all, and the axes of all."""
    return (
        _steps()
        .transform_filter("datum.id === 'store-all'")
        .mark_area(color=theme.CAPACITY, opacity=0.1, interpolate="step-after")
        .encode(**_axes(layout))
        .properties(name="tape_area")
    )


def lines() -> list[Any]:
    """Return the line of each schedule."""
    return [
        _steps()
        .transform_filter(f"datum.id === '{name}'")
        .mark_line(color=theme.CAPACITY, strokeWidth=wide, strokeDash=dash, interpolate="step-after")
        .encode(**XY)
        .properties(name=f"tape_line_{name.replace('-', '_')}")
        for name, (_, _, dash, wide) in reversed(tuple(SCHEDULES.items()))
    ]


def phases(layout: Layout) -> list[Any]:
    """Return the line between the passes, and their names above."""
    at = px("tape_L")
    rule_ = (
        alt.Chart(ONE)
        .mark_rule(color=theme.EDGE, strokeWidth=1, strokeDash=[1, 3])
        .encode(**rule(at, f"{head(layout) - 16}", at, f"height - {foot(layout)}"))
    )
    words = (
        alt.Chart(Data([{"side": -1, "text": "forward"}, {"side": 1, "text": "backward"}]))
        .mark_text(
            x=PX(f"{at} + 7 * datum.side"),
            y=head(layout) - 10,
            align=PX("datum.side < 0 ? 'right' : 'left'"),
            baseline="middle",
            fontSize=layout.small,
            fill=theme.MUTED,
            text=PX(f"datum.side > 0 || {at} > 60 ? datum.text : ''"),
        )
        .encode(**PLACED)
    )
    return [rule_.properties(name="tape_turn"), words.properties(name="tape_passes")]


def marks(layout: Layout) -> list[Any]:
    """Return the high-water mark of each schedule, with a thin line to its name and number at the right."""
    placed = apart(schedules().transform_calculate(at=py("datum.most", layout)), row(layout), layout.small * 0.7)
    y = py("datum.most", layout)
    levels = (
        schedules()
        .mark_rule(color=theme.EDGE, strokeWidth=0.75, strokeDash=[1, 2])
        .encode(**rule(px("datum.when"), y, "width", y))
    )
    leaders = placed.mark_rule(color=theme.EDGE, strokeWidth=1).encode(
        **rule("width + 2", "datum.at", "width + 8", "datum.put")
    )
    names = placed.mark_text(
        x=PX("width + 12"),
        y=PX("datum.put"),
        align="left",
        baseline="middle",
        fontSize=layout.small,
        text=PX("datum.most + ' ' + datum.brief"),
    ).encode(**PLACED)
    peaks = (
        schedules()
        .transform_calculate(x="datum.when", y="datum.most")
        .mark_point(shape="diamond", size=60, strokeWidth=1.5, stroke=theme.INK, fill=theme.PAPER, opacity=1)
        .encode(**XY, tooltip=alt.Tooltip("said:N"))
    )
    named = {"tape_levels": levels, "tape_leaders": leaders, "tape_names": names, "tape_peaks": peaks}
    return [layer.properties(name=name) for name, layer in named.items()]


def cursor(layout: Layout) -> list[Any]:
    """Return the step that is looked at: a line, and a dot on each schedule that still runs."""
    at = px("tape_step")
    line = (
        alt.Chart(ONE)
        .mark_rule(color=theme.INK, strokeWidth=1)
        .encode(**rule(at, f"{head(layout)}", at, f"height - {foot(layout)}"))
    )
    dots = (
        schedules()
        .transform_filter("tape_step > 0 && tape_step <= datum.steps")
        .transform_calculate(x="tape_step", y="datum.now")
        .mark_point(shape="circle", size=42, filled=True, color=theme.INK, opacity=1)
        .encode(**XY)
    )
    return [line.properties(name="tape_cursor"), dots.properties(name="tape_dots")]
