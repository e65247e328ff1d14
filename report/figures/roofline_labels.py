"""Where the words of the roofline figure stand, so that none crosses a line or another word, whatever is drawn.

Names of machines stand right of the plot, pushed apart; the balance below the lines; the words at the point take the
first free of four places. Positions are in px of the plot: Vega's own scales give those of the data.
"""

from __future__ import annotations

from typing import Any

import altair as alt

from model.formula import STATES
from report.figures import ends, theme
from report.figures.parts import Data
from report.figures.roofline_lines import (
    BETA,
    END,
    ONE,
    PEAK,
    T_MIN,
    WRITER,
    intensity_at,
    of_peak,
    px,
    py,
    rate,
    row,
    shown,
    strip,
    tokens,
)
from report.figures.theme import Layout

_PX = alt.ExprRef
Box = tuple[str, str, str, str, str]  # left, top, right, bottom, and whether there is room for it
_PLACED = {"opacity": alt.OpacityValue(1)}  # a mark placed by hand needs an encoding all the same


def derived(layout: Layout) -> dict[str, str]:
    """Return the words at the reader's point: a line, or two on a phone."""
    first, second = f"'T = ' + {tokens('roofline_T')}", of_peak("roofline_share")
    text = f"[{first} + ': ' + {second}]" if layout.name == "wide" else f"[{first}, {second}]"
    return {"roofline_label": f"roofline_rate > 0 && isFinite(roofline_rate) ? {text} : ['']"}


def _rule(x: str, y: str, x2: str, y2: str) -> dict[str, Any]:
    """Return the encoding of a straight line between two places in px."""
    places = {"x": (alt.XValue, x), "y": (alt.YValue, y), "x2": (alt.X2Value, x2), "y2": (alt.Y2Value, y2)}
    return {name: channel(_PX(text)) for name, (channel, text) in places.items()}


# --- names of machines, right of the plot


def names(machines: alt.Data, layout: Layout) -> list[Any]:
    """Return the names of the machines, each beside its roof."""
    placed = shown(machines, also_own=True).transform_calculate(
        at=py("datum.top", layout),
        text=_name(layout),
        ink=f"datum.own ? '{theme.INK}' : '{theme.MUTED}'",
        heavy=f"datum.own ? {theme.SEMIBOLD} : 400",
    )
    return ends.names(placed, ("roofline_leaders", "roofline_names"), layout, told=True)


def _name(layout: Layout) -> str:
    if layout.name != "wide":
        return "datum.name"
    return "datum.name + (datum.year && length(datum.name) < 14 ? ', ' + datum.year : '')"


# --- the balance, below the lines


def balance(layout: Layout) -> Any:
    """Return what is known of the balance and the path, beside the foot of the balance's line."""
    lines = _block(layout)
    width = f"{layout.small * theme.LETTER:g} * datum.longest"
    text = " : ".join(f"datum.i === {i} ? {line}" for i, line in enumerate(lines)) + " : ''"
    return (
        alt.Chart(Data([{"i": i} for i in range(len(lines))]))
        .transform_filter(f"{BETA} > 0 && isFinite({BETA})")
        .transform_calculate(text=text)
        .transform_calculate(letters="length(datum.text)", at=px(BETA))
        .transform_joinaggregate(longest="max(letters)")
        .transform_calculate(right=f"datum.at + 8 + {width} <= width")
        .mark_text(
            x=_PX("datum.at + (datum.right ? 8 : -8)"),
            y=_PX(f"height - {strip(layout) - 14} + {row(layout)} * datum.i"),
            align=_PX("datum.right ? 'left' : 'right'"),
            baseline="middle",
            fontSize=layout.small,
            text=_PX("datum.text"),
            fill=_PX(f"datum.i === 0 ? '{theme.INK}' : '{theme.MUTED}'"),
            fontWeight=_PX(f"datum.i === 0 ? {theme.SEMIBOLD} : 400"),
        )
        .encode(**_PLACED)
        .properties(name="roofline_balance_words")
    )


def _block(layout: Layout) -> tuple[str, str, str]:
    wide = layout.name == "wide"
    reached = f"'reached at T = ' + format({T_MIN}, ',.3~r')" + (f" + ' ' + {WRITER.thing('true')}" if wide else "")
    at_once = f"'reached by a single ' + {WRITER.thing()}" if wide else "'reached at T = 1'"
    never = STATES["no-batch"] if wide else "no batch reaches it"
    end = f"'path ends at ' + format({END}, ',.3~r')" + (" + ' FLOP/B'" if wide else "")
    return (
        f"'β = ' + format({BETA}, ',.3~r') + ' FLOP/B'",
        f"{T_MIN} <= 1 ? {at_once} : isFinite({T_MIN}) ? {reached} : {T_MIN} > 0 ? '{never}' : ''",
        f"isFinite({END}) ? {end} : ''",
    )


# --- the reader's point


def point(machines: alt.Data, layout: Layout) -> list[Any]:
    """Return the words at the point in the first place that no line crosses, over a halo, with a leader if far."""
    found = _placed(machines, layout)
    letters: dict[str, Any] = {
        "x": _PX("datum.x0"),
        "y": _PX("datum.y0"),
        "align": _PX("datum.align"),
        "baseline": "top",
        "text": _PX("roofline_label"),
        "fontSize": layout.text,
        "lineHeight": _line(layout),
        "fontWeight": theme.SEMIBOLD,
    }
    ends = _rule("datum.px", "datum.y1 + 1", "datum.px", "datum.py - 9")
    far = found.transform_filter("datum.place >= 2")
    leader = far.mark_rule(color=theme.INK, strokeWidth=1).encode(**ends)
    halo = found.mark_text(**letters, fill=theme.PAPER, stroke=theme.PAPER, strokeWidth=5, strokeJoin="round")
    text = found.mark_text(**letters, fill=theme.INK)
    named = {"roofline_point_leader": leader, "roofline_point_halo": halo, "roofline_point_words": text}
    return [layer.encode(**_PLACED).properties(name=name) for name, layer in named.items()]


def _line(layout: Layout) -> float:
    return layout.text * 1.2


def _boxes(layout: Layout) -> dict[str, Box]:
    """Return the places for the words, best first: left, top, right, bottom and whether the place exists."""
    rise = rate(intensity_at("datum.px - 4 + datum.w"), PEAK, BETA)
    clear = "datum.bx < datum.px + 8 || datum.bx > datum.px + 12 + datum.w"
    foot = f"height - {strip(layout)}"
    over = f"{py(rise, layout)} - 9"
    middle = "clamp(datum.px - datum.w / 2, 0, width - datum.w)"
    return {
        "before": ("datum.px - 9 - datum.w", "datum.py - 7 - datum.h", "datum.px - 9", "datum.py - 7",
                   "datum.px - 9 - datum.w >= 0"),
        "after": ("datum.px + 10", "datum.py + 8", "datum.px + 10 + datum.w", "datum.py + 8 + datum.h",
                  f"datum.px + 10 + datum.w <= width && datum.py + 8 + datum.h < {foot} && ({clear})"),
        "over": ("datum.px - 4", f"{over} - datum.h", "datum.px - 4 + datum.w", over,
                 "datum.px - 4 + datum.w <= width"),
        "top": (middle, "1", f"{middle} + datum.w", "1 + datum.h", "true"),
    }  # fmt: skip


def _placed(machines: alt.Data, layout: Layout) -> Any:
    """Return one row: the point in px, and the place of its words."""
    boxes = _boxes(layout)
    tests = {name: _crossed(box, layout) for name, box in boxes.items() if name != "top"}
    free = [f"datum.{name}_free && !datum.{name}_hits" for name in tests]
    place = " : ".join(f"{test} ? {i}" for i, test in enumerate(free)) + " : 3"
    lines = 1 if layout.name == "wide" else 2
    longest = "max(length(roofline_label[0]), length(roofline_label[1] || ''))"
    return (
        shown(machines, also_own=True)
        .transform_calculate(
            px=px("roofline_intensity"),
            py=py("roofline_rate", layout),
            bx=px(BETA),
            w=f"{layout.text * theme.LETTER:g} * {longest}",
            h=f"{lines * _line(layout):g}",
        )
        .transform_calculate(**{f"{name}_crossed": test for name, test in tests.items()})
        .transform_joinaggregate(**{f"{name}_hits": f"max({name}_crossed)" for name in tests})
        .transform_filter("datum.own && isFinite(datum.px) && isFinite(datum.py)")
        .transform_calculate(**{f"{name}_free": boxes[name][4] for name in tests})
        .transform_calculate(place=place)
        .transform_calculate(
            x0=f"datum.place === 0 ? datum.px - 9 : {_choose(boxes, 0)}",
            y0=_choose(boxes, 1),
            y1=_choose(boxes, 3),
            align="datum.place === 0 ? 'right' : 'left'",
        )
    )


def _choose(boxes: dict[str, Box], side: int) -> str:
    places = list(boxes.values())
    return "[" + ", ".join(place[side] for place in places) + "][datum.place]"


def _crossed(box: Box, layout: Layout) -> str:
    """Tell whether a machine's roofline meets a box: it only ever rises, so its ends in the box's columns say."""
    left, top, right, bottom, _ = box
    ends = (rate(intensity_at(x), "datum.top", "datum.beta") for x in (left, right))
    at_left, at_right = (py(end, layout) for end in ends)
    return f"{at_right} <= {bottom} + 3 && {at_left} >= {top} - 3 ? 1 : 0"


def words(layout: Layout) -> Any:
    """Return why there is no point."""
    said = "'No point: ' + roofline_words" if layout.name == "wide" else "['No point:', roofline_words]"
    text = _PX(f"roofline_words === '' ? '' : {said}")
    return (
        alt.Chart(ONE)
        .mark_text(
            x=0, y=1, align="left", baseline="top", lineHeight=layout.text * 1.2, fontSize=layout.text, text=text
        )
        .encode(**_PLACED)
        .properties(name="roofline_absent")
    )
