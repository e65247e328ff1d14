"""The cells of the tape figure: for each schedule a row with a cell for each layer, full where it is alive now."""

from __future__ import annotations

from typing import Any

import altair as alt

from report.figures import theme
from report.figures.parts import PLACED, PX, rule
from report.figures.tape_lines import AGAIN, SCHEDULES, cell_height, cell_row, schedules
from report.figures.theme import Layout

_NARROW = 300  # px: less room than this, and names are short


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
    ends = (
        alt.Chart(alt.Data(values=[{"x": 0, "text": "first layer"}, {"x": 1, "text": "last layer"}]))
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
    short = "upper(slice(datum.brief, 0, 1)) + slice(datum.brief, 1)"
    name = PX(f"{across(layout)} < {_NARROW} ? {short} : datum.name")
    names = schedules().mark_text(
        x=start(layout) + 30, align="left", text=name, fontWeight=theme.SEMIBOLD, **{**looks, "fontSize": layout.text}
    )
    wide = layout.name == "wide"
    now = "datum.now + ' now'" if not wide else "datum.now + (datum.now === 1 ? ' layer' : ' layers') + ' alive now'"
    most = "datum.most + ' at most'"
    again = AGAIN if wide else "(datum.again > 0 ? '+' + format(datum.share, '.0%') : '+0%')"
    text = f"{now} + ', ' + {most} + ', ' + {again}"
    said = schedules().mark_text(
        x=PX(f"{start(layout)} + {across(layout)}"), align="right", text=PX(text), fill=theme.MUTED, **looks
    )
    named = {"tape_schedules": names, "tape_said": said}
    return [*samples, *(layer.encode(**PLACED).properties(name=name) for name, layer in named.items())]
