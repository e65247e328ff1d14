"""The words of the capacity figure: what the parts and the whole come to, what fits, and why there is no bar."""

from __future__ import annotations

from typing import Any

import altair as alt

from model.capacity import in_flight
from model.inputs import pp
from report.figures import theme
from report.figures.capacity_bars import (
    CHOSEN,
    COPY,
    DEVICES,
    END,
    FEW,
    HAVE,
    HELD,
    PARTS,
    POLICIES,
    START,
    STATE,
    WRITER,
    amount,
    bar_height,
    bar_y,
    head,
    listed,
    pick,
    policies,
    px,
    segments,
    text_y,
)
from report.figures.parts import ONE, PLACED, PX, Data, letters, rule
from report.figures.theme import Layout

STAGES, ALIVE = WRITER.value(pp), WRITER.value(in_flight)
TAPE_WORDS, STATE_WORDS = "capacity_no_tape", "capacity_no_state"


def amounts(layout: Layout) -> Any:
    """Return what each part of the reader's bar and each tape comes to, where there is room for it."""
    small = layout.small
    inside = (
        segments()
        .transform_filter("datum.own || datum.part === 'tape'")
        .transform_calculate(short=amount("datum.value"), low=START, high=END, line=px(HAVE))
        # The memory's line divides a part: the words stand in the longer piece.
        .transform_calculate(divided="datum.line > datum.low && datum.line < datum.high")
        .transform_calculate(left="datum.line - datum.low > datum.high - datum.line")
        .transform_calculate(
            low="datum.divided && !datum.left ? datum.line : datum.low",
            high="datum.divided && datum.left ? datum.line : datum.high",
        )
        .transform_calculate(room=f"{bar_height(layout)} < {small} ? 0 : datum.high - datum.low - 10")
        .transform_calculate(
            text=f"{letters('datum.full', small)} < datum.room ? datum.full : "
            f"{letters('datum.short', small)} < datum.room ? datum.short : ''"
        )
        .mark_text(
            x=PX("(datum.low + datum.high) / 2"),
            y=PX(f"{bar_y(layout)} + {bar_height(layout)} / 2 + 0.5"),
            align="center",
            baseline="middle",
            fontSize=small,
            fontWeight=PX(f"datum.own ? {theme.SEMIBOLD} : 400"),
            text=PX("datum.text"),
            fill=PX(f"datum.own && datum.part === 'tape' ? '{theme.PAPER}' : '{theme.INK}'"),
        )
        .encode(**PLACED, tooltip=alt.Tooltip("tip:N"))
    )
    return inside.properties(name="capacity_amounts")


def label(machines: alt.Data, layout: Layout) -> list[Any]:
    """Return what the line is: the memory of the machine, by name, on top of the line."""
    y = head(layout) - round(0.8 * layout.text)
    chart = (
        alt.Chart(machines)
        .transform_filter(f"datum.id === capacity_machine && {HAVE} > 0 && isFinite({HAVE})")
        .transform_calculate(text=f"{amount(HAVE)} + ' on ' + datum.name", at=px(HAVE))
        .transform_calculate(half=f"{letters('datum.text', layout.text)} / 2")
        .transform_calculate(side="datum.at < datum.half ? -1 : datum.at > width - datum.half ? 1 : 0")
    )
    words = chart.mark_text(
        x=PX("[0, datum.at, width][datum.side + 1]"),
        y=y - 6,
        align=PX("['left', 'center', 'right'][datum.side + 1]"),
        baseline="middle",
        fontSize=layout.text,
        fontWeight=PX(f"{theme.SEMIBOLD}"),
        text=PX("datum.text"),
    ).encode(**PLACED)
    ends = rule("datum.at", f"{y + 3}", "datum.at", f"{y + 9}")
    tick = chart.mark_rule(color=theme.INK, strokeWidth=1.75).encode(**ends)
    return [tick.properties(name="capacity_tick"), words.properties(name="capacity_label")]


def _again() -> str:
    """Return what a policy computes again, and what that adds to a step's arithmetic."""
    share = "(datum.again > 0 ? '+' + format(datum.again, '.2~p') + ' arithmetic' : '')"
    return f"isFinite(datum.again) ? datum.why + {share} : ''"


def rows(layout: Layout) -> list[Any]:
    """Return the texts of the rows: the policy and what it computes again; what the bar comes to."""
    y = PX(f"{text_y(layout)} + {round(0.75 * layout.text)}")
    weight = PX(f"datum.own ? {theme.SEMIBOLD} : 400")
    fill = PX(f"datum.own ? '{theme.INK}' : '{theme.MUTED}'")
    looks: dict[str, Any] = {"y": y, "baseline": "middle", "fill": fill, "fontSize": layout.text}
    name = PX("datum.name" if layout.name == "wide" else "datum.brief")
    names = policies().mark_text(x=0, align="left", text=name, fontWeight=weight, **looks)
    said = policies().mark_text(x=PX("width"), align="right", text=PX("datum.said"), fontWeight=weight, **looks)
    layers = {"capacity_names": names, "capacity_verdicts": said}
    if layout.name == "wide":
        looks |= {"fontSize": layout.small, "fill": theme.MUTED}
        after = f"{letters('datum.name', layout.text)} + 14"
        ends = f"{after} + {letters('datum.words', layout.small)}"
        room = f"width - 14 - {letters('datum.said', layout.text)}"
        layers["capacity_again_words"] = (
            policies()
            .transform_calculate(words=_again())
            .mark_text(x=PX(after), align="left", text=PX(f"{ends} < {room} ? datum.words : ''"), **looks)
        )
    return [layer.encode(**PLACED).properties(name=name) for name, layer in layers.items()]


def legend(layout: Layout) -> list[Any]:
    """Return the parts by name, each with its shade and what it comes to under the reader's policy."""
    wide = layout.name == "wide"
    own = f"capacity_tapes[indexof({listed(POLICIES)}, {CHOSEN})]"
    values = dict(zip(PARTS, [*STATE.values(), own], strict=True))
    rows = [{"i": i, "part": name, "name": part[0], "dark": part[1]} for i, (name, part) in enumerate(PARTS.items())]
    columns = 4 if wide else 2
    places = [0, 0.23, 0.47, 0.8] if wide else [0, 0.5]
    x = f"width * {places}[datum.i % {columns}]"
    y = f"{layout.text} + floor(datum.i / {columns}) * {round(layout.text * 1.5)}"
    chart = (
        alt.Chart(Data(rows))
        .transform_calculate(value=pick(values))
        .transform_calculate(text=f"datum.name + (isFinite(datum.value) ? ' ' + {amount('datum.value')} : '')")
    )
    side = 10
    boxes = chart.mark_rect(
        x=PX(x),
        x2=PX(f"{x} + {side}"),
        y=PX(f"{y} - {side / 2:g}"),
        y2=PX(f"{y} + {side / 2:g}"),
        fill=theme.CAPACITY,
        fillOpacity=PX("datum.dark"),
        stroke=theme.CAPACITY,
        strokeWidth=1,
    )
    words = chart.mark_text(
        x=PX(f"{x} + {side + 6}"),
        y=PX(y),
        align="left",
        baseline="middle",
        fontSize=layout.small,
        text=PX("datum.text"),
    )
    named = {"capacity_boxes": boxes, "capacity_parts": words}
    return [layer.encode(**PLACED).properties(name=name) for name, layer in named.items()]


def note(layout: Layout) -> Any:
    """Return what the bars are of, below the axis; or why there are none."""
    wide = layout.name == "wide"
    there = f"({DEVICES} === 1 ? 'is 1' : 'are ' + {DEVICES})"
    # Bars may well fit where devices are too few for all of them.
    share = f"(isFinite({HELD}) ? 'Each bar is the share of one device. ' : '') + " if wide else ""
    few = f"{share}'One copy {'of the network ' if wide else ''}needs ' + {COPY} + ' devices; there ' + {there}"
    flying = f"{ALIVE} + ({ALIVE} === 1 ? ' micro-batch' : ' micro-batches') + ' in flight'"
    stage = f"'{'bytes that a device must hold on the ' if wide else ''}first of ' + {STAGES} + ' stages, ' + {flying}"
    of = f"{STAGES} > 1 ? {stage} : 'bytes that one device must hold'"
    text = (
        f"{FEW} ? {few} : {STATE_WORDS} !== '' ? 'Nothing to show: ' + {STATE_WORDS}"
        f" : {TAPE_WORDS} !== '' ? 'The tape is not counted: ' + {TAPE_WORDS} : {of}"
    )
    return (
        alt.Chart(ONE)
        .mark_text(
            x=0,
            y=PX("height + 40"),
            align="left",
            baseline="middle",
            fontSize=layout.small,
            fill=PX(f"{FEW} || {TAPE_WORDS} !== '' ? '{theme.INK}' : '{theme.MUTED}'"),
            text=PX(text),
        )
        .encode(**PLACED)
        .properties(name="capacity_note")
    )
