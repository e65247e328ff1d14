"""The bars of the figure of what matters most: where each stands, its colours, its texts, the scale above and below."""

from __future__ import annotations

from typing import Any

import altair as alt

from report.figures import theme
from report.figures.parts import BOLD, ONE, PLACED, PX, rule
from report.figures.theme import Layout

MOST = 5  # inputs that are shown for each number
_KINDS = {
    "bytes": theme.BYTES,
    "arithmetic": theme.ARITHMETIC,
    "fabric": theme.FABRIC,
    "statistics": theme.STATISTICS,
    "capacity": theme.CAPACITY,
}
_GROUND = {"stroke": theme.PAPER, "strokeWidth": 5, "strokeJoin": "round"}  # keeps lines away from a text
_TICKS = (0.5, 0.7, 1, 1.4, 2)


def derived() -> dict[str, str]:
    """Return the parameters that follow: how many px a factor of e takes."""
    return {"sensitivity_scale": "log(sensitivity_to / sensitivity_from)"}


def px(factor: str) -> str:
    """Return where a factor lies, in px of the plot from the left, as a Vega expression."""
    return f"width * log(({factor}) / sensitivity_from) / sensitivity_scale"


def layers(layout: Layout, numbers: int) -> list[Any]:
    """Return the scale, the bars of all numbers, and their texts."""
    return [*_scale(layout, numbers), *_bars(layout, numbers), *_texts(layout, numbers)]


def _step(numbers: int) -> str:
    """Return the height of a row: each number has a heading, its bars, and half a row of space."""
    return f"height / {numbers * (MOST + 2.5):g}"


def _top(numbers: int) -> str:
    """Return where a row begins, in px from the top."""
    return f"{_step(numbers)} * (datum.group * {MOST + 2.5:g} + 1 + datum.place)"


def _slots(numbers: int) -> Any:
    every = [(group, place) for group in range(numbers) for place in range(MOST + 1)]
    values = [{"i": i, "group": group, "place": place} for i, (group, place) in enumerate(every)]
    return alt.Chart(alt.Data(values=values)).transform_filter("sensitivity_name[datum.i] !== ''")


def _heads(numbers: int) -> Any:
    return alt.Chart(alt.Data(values=[{"group": group, "place": -1} for group in range(numbers)]))


def _scale(layout: Layout, numbers: int) -> list[Any]:
    """Return thin lines at round factors with their names below, and the line of the number itself."""
    ticks = [{"factor": factor, "name": _named(factor)} for factor in _TICKS if layout.name == "wide" or factor != 0.7]
    ticks = [tick for tick in ticks if layout.name == "wide" or tick["factor"] != 1.4]
    chart, x = alt.Chart(alt.Data(values=ticks)), px("datum.factor")
    lines = chart.mark_rule(color=theme.RULE).encode(**rule(x, "0", x, "height"))
    names = chart.mark_text(
        x=PX(x), y=PX(f"height + {layout.small}"), fontSize=layout.small, fill=theme.MUTED, text=PX("datum.name")
    ).encode(**PLACED)
    one = alt.Chart(ONE).mark_rule(color=theme.INK).encode(**rule(px("1"), "0", px("1"), "height"))
    return [
        lines.properties(name="sensitivity_grid"),
        names.properties(name="sensitivity_factors"),
        one.properties(name="sensitivity_itself"),
    ]


def _named(factor: float) -> str:
    return "as it is" if factor == 1 else f"× {factor:g}" if factor > 1 else f"÷ {1 / factor:.2g}"


def _colour() -> str:
    """Return the colour of what an input is about, as a Vega expression."""
    found = "".join(f"sensitivity_kind[datum.i] === '{kind}' ? '{colour}' : " for kind, colour in _KINDS.items())
    return f"{found}'{theme.MUTED}'"


def _bars(layout: Layout, numbers: int) -> list[Any]:
    """Return each input's two bars: hollow towards its low end, filled towards its high end."""
    made = []
    shown = _slots(numbers).transform_calculate(
        said="sensitivity_name[datum.i] === '' ? '' : sensitivity_name[datum.i] + '\\n' + sensitivity_text[datum.i]"
    )
    for end, fill in (("low", theme.PAPER), ("high", _colour())):
        bar = shown.mark_rect(
            x=PX(px("1")),
            x2=PX(px(f"sensitivity_{end}[datum.i]")),
            y=PX(f"{_top(numbers)} + {_step(numbers)} * 0.2"),
            y2=PX(f"{_top(numbers)} + {_step(numbers)} * 0.8"),
            stroke=PX(_colour()),
            strokeWidth=1.25,
            fill=fill if end == "low" else PX(fill),
        )
        made.append(bar.encode(**PLACED, tooltip=alt.Tooltip("said:N")).properties(name=f"sensitivity_bar_{end}"))
    return made


def _texts(layout: Layout, numbers: int) -> list[Any]:
    """Return the inputs' names at left, the number at both ends at right, and the number itself above."""
    middle: dict[str, Any] = {"y": PX(f"{_top(numbers)} + {_step(numbers)} * 0.5"), "baseline": "middle"}
    name = _slots(numbers).mark_text(
        x=-8, align="right", fontSize=layout.small, text=PX("sensitivity_name[datum.i]"), **middle
    )
    text = _slots(numbers).mark_text(
        x=PX("width + 8"), align="left", fontSize=layout.small, text=PX("sensitivity_text[datum.i]"), **middle
    )
    looks: dict[str, Any] = {"x": 2 - layout.left, "align": "left", "fontSize": layout.text, **middle, **BOLD}
    looks["text"] = PX("sensitivity_head[datum.group]")
    head, ground = _heads(numbers).mark_text(**looks), _heads(numbers).mark_text(**looks, **_GROUND)
    return [
        ground.encode(**PLACED).properties(name="sensitivity_heads_ground"),
        name.encode(**PLACED).properties(name="sensitivity_names"),
        text.encode(**PLACED).properties(name="sensitivity_ends"),
        head.encode(**PLACED).properties(name="sensitivity_heads"),
    ]
