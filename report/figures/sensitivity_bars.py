"""The bars of the figure of what matters most: where each stands, its colours, its texts, the scale and the key.

Rows are counted from the top and stand as far apart as the room allows; the scale is as wide as the bars need.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from report.figures import theme
from report.figures.parts import BOLD, ONE, PLACED, PX, Data, letters, rule
from report.figures.theme import Layout

MOST = 5  # inputs that are shown for each number
KEY, HEAD, GAP = 1.7, 1.0, 0.5  # rows that the key, a heading and the space between numbers take
_KINDS = {
    "bytes": theme.BYTES,
    "arithmetic": theme.ARITHMETIC,
    "fabric": theme.FABRIC,
    "statistics": theme.STATISTICS,
    "capacity": theme.CAPACITY,
}
# Factors that are named on both sides of 1, each with the factor that must take up as much room as a name.
_TICKS: Mapping[float, float] = {4: 2, 2: 2, 1.4: 1.4, 1.2: 1.4 / 1.2}
_TALL = 27  # px: rows of a short figure stand no farther apart


def derived() -> dict[str, str]:
    """Return the parameters that follow: how many px a factor of e takes, how high a row is."""
    return {
        "sensitivity_scale": "log(sensitivity_to / sensitivity_from)",
        "sensitivity_step": f"min(height / sensitivity_rows, {_TALL})",
    }


def px(factor: str) -> str:
    """Return where a factor lies, in px of the plot from the left, as a Vega expression: at the edge beyond it."""
    held = f"clamp({factor}, sensitivity_from, sensitivity_to)"
    return f"width * log({held} / sensitivity_from) / sensitivity_scale"


def layers(layout: Layout) -> list[Any]:
    """Return the scale, the bars of all numbers, their texts, and the key."""
    *ground, itself = _scale(layout)
    return [*ground, *_bars(), itself, *_cuts(), *_texts(layout), *_key(layout)]


def _rows(signal: str) -> Any:
    """Return one row for each entry of a parameter, with the entry's own fields."""
    rows = alt.Chart(ONE).transform_calculate(row=signal).transform_flatten(["row"])
    return rows.transform_calculate(text="datum.row.text", y="sensitivity_step * datum.row.at")


def _scale(layout: Layout) -> list[Any]:
    """Return thin lines at round factors, the number itself in ink, with their names below all."""
    ticks = [{"factor": factor, "name": _named(factor), "apart": apart} for factor, apart in _ticks()]
    x = px("datum.factor")
    inside = "datum.factor > sensitivity_from && datum.factor < sensitivity_to"
    room = f"width * log(datum.apart) / sensitivity_scale >= {layout.small * 3}"
    named = alt.Chart(Data(ticks)).transform_filter(f"{inside} && {room} && isValid(sensitivity_bars[0])")
    # Lines run beside the bars of each number, not through what is said of it.
    lines = named.transform_calculate(row="sensitivity_heads").transform_flatten(["row"])
    lines = lines.transform_filter("datum.row.bars > 0").transform_calculate(
        top=f"sensitivity_step * (datum.row.at + {HEAD:g})"
    )
    lines = lines.transform_calculate(foot="datum.top + sensitivity_step * datum.row.bars")
    grid = lines.transform_filter("datum.factor !== 1").mark_rule(color=theme.RULE)
    itself = lines.transform_filter("datum.factor === 1").mark_rule(color=theme.INK)
    places = rule(x, "datum.top", x, "datum.foot")
    names = named.mark_text(
        x=PX(x),
        y=PX(f"sensitivity_step * sensitivity_rows + {layout.small}"),
        fontSize=layout.small,
        fill=theme.MUTED,
        text=PX("datum.name"),
    )
    return [
        grid.encode(**places).properties(name="sensitivity_grid"),
        names.encode(**PLACED).properties(name="sensitivity_factors"),
        itself.encode(**places).properties(name="sensitivity_itself"),
    ]


def _ticks() -> list[tuple[float, float]]:
    return [(1, 4), *((side, apart) for factor, apart in _TICKS.items() for side in (factor, 1 / factor))]


def _named(factor: float) -> str:
    return "as it is" if factor == 1 else f"× {factor:g}" if factor > 1 else f"÷ {1 / factor:.2g}"


def _colour() -> str:
    """Return the colour of what an input is about, as a Vega expression."""
    found = "".join(f"datum.row.kind === '{kind}' ? '{colour}' : " for kind, colour in _KINDS.items())
    return f"{found}'{theme.MUTED}'"


def _end(end: str) -> str:
    """Return how far an end of a bar lies from the number, as a Vega expression: at the edge where it has no end."""
    return f"(datum.row.{end} === null ? sensitivity_to : datum.row.{end})"


def _bars() -> list[Any]:
    """Return each input's two bars: hollow towards its low end, filled towards its high end."""
    made = []
    shown = _rows("sensitivity_bars").transform_calculate(said="datum.row.name + '\\n' + datum.text")
    for end, fill in (("low", theme.PAPER), ("high", PX(_colour()))):
        bar = shown.mark_rect(
            x=PX(px("1")),
            x2=PX(px(_end(end))),
            y=PX("datum.y + sensitivity_step * 0.2"),
            y2=PX("datum.y + sensitivity_step * 0.8"),
            stroke=PX(_colour()),
            strokeWidth=1.25,
            fill=fill,
        )
        made.append(bar.encode(**PLACED, tooltip=alt.Tooltip("said:N")).properties(name=f"sensitivity_bar_{end}"))
    return made


def _cuts() -> list[Any]:
    """Return the marks of bars that go on beyond the picture, at its edges."""
    made = []
    for side, x, beyond in (
        ("right", "width + 5", "sensitivity_to < max(ends[0], ends[1])"),
        ("left", "-5", "sensitivity_from > min(ends[0], ends[1])"),
    ):
        ends = [f"(datum.row.{end} === null ? 1e99 : datum.row.{end})" for end in ("low", "high")]
        test = beyond.replace("ends[0]", ends[0]).replace("ends[1]", ends[1])
        cut = (
            _rows("sensitivity_bars")
            .transform_filter(test)
            .mark_point(
                shape=f"triangle-{side}",
                x=PX(x),
                y=PX("datum.y + sensitivity_step * 0.5"),
                size=40,
                filled=True,
                opacity=1,
                color=PX(_colour()),
            )
        )
        made.append(cut.encode(**PLACED).properties(name=f"sensitivity_cut_{side}"))
    return made


def _texts(layout: Layout) -> list[Any]:
    """Return the inputs' names at left, the number at both ends at right, and the number itself above."""
    middle: dict[str, Any] = {"y": PX("datum.y + sensitivity_step * 0.5"), "baseline": "middle"}
    bars, heads = _rows("sensitivity_bars"), _rows("sensitivity_heads")
    name = bars.mark_text(x=-10, align="right", fontSize=layout.small, text=PX("datum.row.name"), **middle)
    text = bars.mark_text(x=PX("width + 12"), align="left", fontSize=layout.small, text=PX("datum.text"), **middle)
    looks: dict[str, Any] = {"x": 2 - layout.left, "align": "left", "fontSize": layout.text, **middle, **BOLD}
    looks["text"] = PX("datum.text")
    return [
        name.encode(**PLACED).properties(name="sensitivity_names"),
        text.encode(**PLACED).properties(name="sensitivity_ends"),
        heads.mark_text(**looks).encode(**PLACED).properties(name="sensitivity_head_words"),
    ]


def _key(layout: Layout) -> list[Any]:
    """Return what hollow and filled mean, above the bars, and over the numbers at the right what they are."""
    low, high = ("input at its low end", "at its high end") if layout.name == "wide" else ("low end", "high end")
    rows = [{"i": 0, "text": low}, {"i": 1, "text": high}]
    start = 2 - layout.left
    place = f"({start} + datum.i * ({letters(repr(low), layout.small)} + 36))"
    y = PX(f"{layout.small * 0.7:g}")
    chart = alt.Chart(Data(rows)).transform_filter("isValid(sensitivity_bars[0])")
    boxes = chart.mark_rect(
        x=PX(place),
        x2=PX(f"{place} + 16"),
        y=PX(f"{layout.small * 0.7 - 5:g}"),
        y2=PX(f"{layout.small * 0.7 + 5:g}"),
        stroke=theme.MUTED,
        strokeWidth=1.25,
        fill=PX(f"datum.i ? '{theme.MUTED}' : '{theme.PAPER}'"),
    )
    looks: dict[str, Any] = {"y": y, "baseline": "middle", "align": "left", "fontSize": layout.small}
    looks["fill"] = theme.MUTED
    words = chart.mark_text(x=PX(f"{place} + 22"), text=PX("datum.text"), **looks)
    over = chart.transform_filter("datum.i === 0").mark_text(
        x=PX("width + 12"), text="the number from end to end" if layout.name == "wide" else "end to end", **looks
    )
    named = {"sensitivity_key_boxes": boxes, "sensitivity_key": words, "sensitivity_over": over}
    return [layer.encode(**PLACED).properties(name=name) for name, layer in named.items()]
