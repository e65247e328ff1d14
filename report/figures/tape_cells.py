"""The cells of the tape figure: for each schedule a row with a cell for each layer, full where it is alive now."""

from __future__ import annotations

from typing import Any

import altair as alt

from report.figures import theme
from report.figures.parts import PLACED, PX, Data, letters, rule
from report.figures.tape_lines import AGAIN, SCHEDULES, cell_height, cell_row, schedules
from report.figures.theme import Layout

_NAME = 30  # px from the start of a row to its name: a piece of the line stands before it


def _top(layout: Layout) -> str:
    return f"height - {len(SCHEDULES) * cell_row(layout)} + {cell_row(layout)} * datum.i"


def start(layout: Layout) -> int:
    """Return where a row of cells begins, in px from the left of the plot: at the picture's own edge."""
    return 2 - layout.left


def across(layout: Layout) -> str:
    """Return the width of a row of cells, in px: that of the whole picture."""
    return f"(width + {layout.left + layout.right - 4})"


def layers(layout: Layout) -> list[Any]:
    """Return a row of cells for each schedule, filled where a layer's activations are alive; its texts above it."""
    top = f"{_top(layout)} + {round(1.5 * layout.text)}"
    width = f"{across(layout)} / tape_L"
    boxes = (
        schedules()
        .transform_calculate(layer="sequence(0, tape_L)")
        .transform_flatten(["layer"])
        .mark_rect(
            x=PX(f"{start(layout)} + {width} * datum.layer + min(1, 0.1 * {width})"),
            x2=PX(f"{start(layout)} + {width} * (datum.layer + 1) - min(1, 0.1 * {width})"),
            y=PX(top),
            y2=PX(f"{top} + {cell_height(layout)}"),
            fill=theme.CAPACITY,
            fillOpacity=PX("indexof(tape_held[datum.id], datum.layer) >= 0 ? 1 : 0.13"),
        )
        .encode(**PLACED)
    )
    whole = "'the last of ' + tape_L + ' that are drawn; the network has ' + format(tape_whole, ',')"
    if layout.name != "wide":
        whole = "'the last of ' + tape_L + ' drawn, of ' + format(tape_whole, ',')"
    ends = (
        alt.Chart(Data([{"x": 0}, {"x": 1}]))
        .transform_filter("datum.x === 0 || tape_L > 1")
        .transform_calculate(
            text="datum.x === 0 ? (tape_L > 1 ? 'first layer' : 'the only layer') : "
            f"tape_whole > tape_L ? {whole} : 'last layer'"
        )
        .mark_text(
            x=PX(f"{start(layout)} + datum.x * {across(layout)}"),
            y=PX(f"height + {round(layout.small * 0.7)}"),
            align=PX("datum.x ? 'right' : 'left'"),
            baseline="middle",
            fontSize=layout.small,
            fill=theme.MUTED,
            text=PX("datum.text"),
        )
        .encode(**PLACED)
    )
    return [boxes.properties(name="tape_cells"), ends.properties(name="tape_ends"), *_texts(layout)]


def _texts(layout: Layout) -> list[Any]:
    y = f"{_top(layout)} + {round(0.75 * layout.text)}"
    looks: dict[str, Any] = {"y": PX(y), "baseline": "middle", "fontSize": layout.small}
    # A piece of the schedule's own line leads its name.
    samples = [
        schedules()
        .transform_filter(f"datum.id === '{name}'")
        .mark_rule(color=theme.CAPACITY, strokeWidth=wide, strokeDash=dash)
        .encode(**rule(f"{start(layout)}", y, f"{start(layout) + 24}", y))
        .properties(name=f"tape_sample_{name.replace('-', '_')}")
        for name, (_, _, dash, wide) in SCHEDULES.items()
    ]
    wide = layout.name == "wide"
    now = "datum.now + ' now'" if not wide else "datum.now + (datum.now === 1 ? ' layer' : ' layers') + ' alive now'"
    again = AGAIN if wide else "'+' + format(datum.share, '.0%') + ' arithmetic'"
    text = f"{now} + ', ' + datum.most + ' at most, ' + {again}"
    said = schedules().transform_calculate(text=text)
    # Where both do not fit the name is short.
    room = f"{across(layout)} - {_NAME + 10} - {letters('datum.text', layout.small)}"
    short = "upper(slice(datum.brief, 0, 1)) + slice(datum.brief, 1)"
    name = PX(f"{letters('datum.name', layout.text)} > {room} ? {short} : datum.name")
    names = said.mark_text(
        x=start(layout) + _NAME,
        align="left",
        text=name,
        fontWeight=theme.SEMIBOLD,
        **{**looks, "fontSize": layout.text},
    )
    said = said.mark_text(
        x=PX(f"{start(layout)} + {across(layout)}"), align="right", text=PX("datum.text"), fill=theme.MUTED, **looks
    )
    named = {"tape_schedules": names, "tape_said": said}
    return [*samples, *(layer.encode(**PLACED).properties(name=name) for name, layer in named.items())]
