"""Where the words of the byte figure stand: in rooms that no line crosses.

The reader's words stand above the lines, those of the crossing between the panels, the names of the lines right of
the plot, pushed apart, with the streams' shares below them; the fabric's name stands under its own line.
"""

from __future__ import annotations

from typing import Any

import altair as alt

from model.formula import STATES
from report.figures import ends, theme
from report.figures.bytes_lines import FOOT, crown, head, px, py
from report.figures.bytes_streams import (
    BUDGET,
    CROSSING,
    FLOOR,
    LAST,
    SHOWN,
    STREAMS,
    WIRE_BUDGET,
    WRITER,
    amount,
    times,
    use,
)
from report.figures.parts import BOLD, ONE, PLACED, PX, Data, letters, row, rule
from report.figures.roofline_lines import tokens
from report.figures.theme import Layout


def derived(layout: Layout) -> dict[str, str]:
    """Return the words at the reader's T and at the crossing: a line each, or two on a phone."""
    wide = layout.name == "wide"
    first, moved = (
        f"'T = ' + {tokens('bytes_T', WRITER)}",
        f"{amount('bytes_total')} + ' per ' + {WRITER.thing()} + ', '",
    )
    most = times(use("bytes_total"))
    here = (
        f"[{first} + ': ' + {moved} + {most}]"
        if wide
        else f"[{first} + ':', {moved} + format({use('bytes_total')}, ',.3~r') + ' × budget']"
    )
    crossing, floor = (f"format({text}, ',.3~r')" for text in (CROSSING, FLOOR))
    said = "'compute-bound from T = ' + " + crossing
    without = f"'without the update, from ' + ({FLOOR} > 1 ? {floor} : 'one ' + {WRITER.thing()})"
    both = f"[{said} + ' on; ' + {without}]" if wide else f"[{said},  {without}]"
    reached = f"({FLOOR} < {CROSSING} ? {both} : [{said} + ' on'])"
    at_once, never = f"['compute-bound from a single ' + {WRITER.thing()} + ' on']", f"['{STATES['no-batch']}']"
    return {
        "bytes_label": f"{SHOWN} ? {here} : ['']",
        "bytes_reached": f"!({SHOWN}) ? [''] : {CROSSING} > 1 ? (isFinite({CROSSING}) ? {reached} : {never}) : "
        f"{CROSSING} > 0 ? {at_once} : ['']",
    }


def _line(layout: Layout) -> float:
    return layout.text * 1.2


def _clamped(at: str, width: str) -> str:
    return f"clamp({at} - ({width}) / 2, 0, width - ({width}))"


def _longest(text: str, size: int) -> str:
    return f"max({letters(f'{text}[0]', size)}, {letters(f'({text}[1] || {chr(39) * 2})', size)})"


def here(layout: Layout) -> Any:
    """Return the words at the reader's T, between the panels."""
    return (
        alt.Chart(ONE)
        .mark_text(
            x=PX(_clamped(px("clamp(bytes_T, 1, " + str(LAST) + ")"), _longest("bytes_label", layout.text))),
            y=PX(f"{FOOT} + 6"),
            align="left",
            baseline="top",
            lineHeight=_line(layout),
            fontSize=layout.text,
            **BOLD,
            text=PX("bytes_label"),
        )
        .encode(**PLACED)
        .properties(name="bytes_words_here")
    )


def reached(layout: Layout) -> list[Any]:
    """Return the words at the crossing, above the lines, and the line that leads down to its mark."""
    at = px(f"clamp({CROSSING}, 1, {LAST})")
    shown = alt.Chart(ONE).transform_filter(f"{SHOWN} && {CROSSING} > 0")
    marked = shown.transform_filter(f"{CROSSING} >= 1 && {CROSSING} <= {LAST}")
    leader = marked.mark_rule(color=theme.INK, strokeWidth=1, strokeDash=[3, 3])
    ends = rule(at, f"{head(layout)} - 6", at, f"{py('bytes_crossing', layout)} - 6")
    place = _clamped(f"({CROSSING} < 1e30 ? {at} : width / 2)", _longest("bytes_reached", layout.small))
    text = shown.mark_text(
        x=PX(place),
        y=0,
        align="left",
        baseline="top",
        lineHeight=round(layout.small * 1.25),
        fontSize=layout.small,
        text=PX("bytes_reached"),
    )
    return [
        leader.encode(**ends).properties(name="bytes_reached_leader"),
        text.encode(**PLACED).properties(name="bytes_reached_words"),
    ]


# --- names of the lines, right of the plot


def names(layout: Layout) -> list[Any]:
    """Return the names of the lines that end at the right edge."""
    wide = layout.name == "wide"
    rows = [
        {"id": "total", "text": "all memory bytes" if wide else "memory", "ink": theme.BYTES},
        {"id": "budget", "text": "byte budget" if wide else "budget", "ink": theme.ARITHMETIC},
        {"id": "wire", "text": "budget of the fabric" if wide else "fabric budget", "ink": theme.FABRIC},
    ]
    value = f"datum.id === 'total' ? bytes_last : datum.id === 'budget' ? {BUDGET} : {WIRE_BUDGET}"
    placed = (
        alt.Chart(Data([{**one, "heavy": theme.SEMIBOLD} for one in rows]))
        .transform_calculate(y=value)
        .transform_filter("datum.y >= bytes_lo && datum.y <= bytes_hi && isFinite(datum.y)")
        .transform_calculate(at=py("datum.y", layout))
    )
    return ends.names(placed, ("bytes_leaders", "bytes_names"), layout)


def wire(layout: Layout) -> Any:
    """Return the name of the fabric's line, under the place where it leaves the panel."""
    said = "all-reduce, over the fabric" if layout.name == "wide" else "all-reduce"
    # The line falls by a decade where T grows by one: so far left of its end, the words lie under it.
    back = f"({layout.small * 1.6:g}) * (width / log({LAST})) / (({FOOT} - {head(layout)}) / log(bytes_hi / bytes_lo))"
    end = px(f"min({LAST}, bytes_wire_first / bytes_lo)")
    width = letters(f"'{said}'", layout.small)
    return (
        alt.Chart(ONE)
        .transform_filter("bytes_wire_first > 0")
        .transform_calculate(free=f"{end} - ({back})", at=px("bytes_T"), w=width)
        # The reader's vertical comes down here: the words give way to the left, or stand right of where the line ends.
        .transform_calculate(hit="datum.at < datum.free + 6 && datum.at > datum.free - datum.w - 6", end=f"{end} + 8")
        .transform_calculate(left="(datum.hit ? datum.at - 6 : datum.free) - datum.w")
        .transform_calculate(
            put="datum.left >= 0 ? datum.left : datum.at > datum.end - 6 && datum.at < datum.end + datum.w + 6"
            " ? datum.at + 6 : datum.end"
        )
        .mark_text(
            x=PX("datum.put"),
            y=PX(f"{FOOT} - 4"),
            align="left",
            baseline="bottom",
            fontSize=layout.small,
            **BOLD,
            fill=theme.FABRIC,
            text=said,
        )
        .encode(**PLACED)
        .properties(name="bytes_wire_name")
    )


# --- the streams and their shares at the reader's T


def key(layout: Layout) -> list[Any]:
    """Return the streams in the order of the stack, each with its colour and its share at the reader's T."""
    wide = layout.name == "wide"
    rows = [
        {"id": name, "text": stream[0 if wide else 1], "colour": stream[3], "strength": stream[4]}
        for name, stream in reversed(list(STREAMS.items()))
    ]
    part = " : ".join(f"datum.id === '{name}' ? bytes_{name}" for name in STREAMS) + " : NaN"
    step = row(layout) + 3
    shown = (
        alt.Chart(Data(rows))
        .transform_calculate(part=part)
        .transform_filter("datum.part > 0")
        .transform_window([{"op": "row_number", "as": "i"}], frame=[None, 0])  # type: ignore[list-item]
        .transform_calculate(put=f"{crown(layout)} + {step} * (datum.i - 0.5) + 4")
    )
    swatch = shown.mark_point(
        shape="square",
        size=90,
        filled=True,
        opacity=1,
        x=PX("width + 13"),
        y=PX("datum.put"),
        fill=PX("datum.colour"),
        fillOpacity=PX("datum.strength"),
        stroke=PX("datum.colour"),
        strokeWidth=1,
    )
    share = "format(datum.part, '.0%')"
    if wide:
        share = f"(datum.part < 0.0005 ? '<0.1%' : datum.part < 0.005 ? format(datum.part, '.1%') : {share})"
    text = shown.mark_text(
        x=PX("width + 22"),
        y=PX("datum.put"),
        align="left",
        baseline="middle",
        fontSize=layout.small,
        text=PX(f"datum.text + ' ' + {share}"),
        limit=layout.right - 22,
    )
    return [
        swatch.encode(**PLACED).properties(name="bytes_swatches"),
        text.encode(**PLACED).properties(name="bytes_key"),
    ]


def absent(layout: Layout) -> Any:
    """Return why there is nothing to draw."""
    said = "'No bytes to draw: ' + bytes_words" if layout.name == "wide" else "['No bytes to draw:', bytes_words]"
    return (
        alt.Chart(ONE)
        .mark_text(
            x=0,
            y=1,
            align="left",
            baseline="top",
            lineHeight=_line(layout),
            fontSize=layout.text,
            text=PX(f"bytes_words === '' ? '' : {said}"),
        )
        .encode(**PLACED)
        .properties(name="bytes_absent")
    )
