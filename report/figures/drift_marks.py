"""What every panel of the drift figure shows: the fitted line with its band, the machines, two lines of words above.

All machines are one table; `v` is what the chosen way of counting reads on each. Shape says how sure a machine is,
colour which class it belongs to, a hollow mark that it cannot train.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from report.figures import theme
from report.figures.drift_panels import XY, Panel, across, axes
from report.figures.export import strict
from report.figures.parts import ONE, PLACED, PX, Data
from report.figures.roofline_lines import si
from report.figures.theme import Layout
from report.trends import CLASSES, WAYS, Fit

_BAND_YEARS = 12  # in so many steps a band is drawn

# --- the machines

_SHAPES = {"verified": "circle", "secondary": "square", "estimate": "triangle-up", "announced": "diamond"}
_STATUS = "(isValid(datum.v) ? datum.v.status : '')"
COLOUR = f"({strict({**theme.KINDS, 'own': theme.INK})})[datum.group]"
SHAPE = f"({strict(_SHAPES)})[{_STATUS}] || 'circle'"
_CLASS = f"({strict({**CLASSES, 'own': ''})})[datum.group]"
_PICKED = "datum.id === drift_machine"
_SHOWN = f"(datum.shown && indexof(drift_kinds, datum.group) >= 0 || {_PICKED})"


def value(key: str) -> str:
    """Return a machine's value of a key, as the chosen way of counting reads it; NaN where it has none."""
    return f"datum.id === 'own' ? drift_{key} : isValid(datum.v) && isValid(datum.v.{key}) ? datum.v.{key} : NaN"


def read(machines: alt.NamedData, panel: Panel) -> Any:
    """Return the machines with their value in a panel, `y`."""
    return (
        alt.Chart(machines)
        .transform_calculate(v="datum[drift_format]")
        .transform_calculate(y=value(panel.key), examples=value("examples_per_fetch"))
        .transform_filter(_SHOWN)
    )


def trend(fits: Mapping[str, Mapping[str, Fit]], panel: Panel, layout: Layout) -> list[Any]:
    """Return the fitted line of a panel with its band, and the panel's axes."""
    lines = [
        {"f": way, "at": at, "y": middle, "low": low, "high": high}
        for way in WAYS
        if panel.key in fits[way] and fits[way][panel.key].clear
        for at, (middle, low, high) in curve(fits[way][panel.key])
    ]
    rows = alt.Chart(Data(lines)).transform_filter("datum.f === drift_format")
    ends = {"x": alt.X("at:Q"), "y": alt.Y("low:Q"), "y2": alt.Y2("high:Q")}
    band = rows.mark_area(color=panel.colour, opacity=0.1).encode(**ends)
    line = rows.mark_line(color=panel.colour, strokeWidth=1.25).encode(**axes(panel, layout))
    return [band.properties(name=f"drift_{panel.short}_band"), line.properties(name=f"drift_{panel.short}_line")]


def curve(fit: Fit) -> list[tuple[float, tuple[float, float, float]]]:
    """Return years from the first to the last of a fit, and its line and band there."""
    step = (fit.last - fit.first) / _BAND_YEARS
    return [(year, fit.line(year)) for year in (fit.first + step * i for i in range(_BAND_YEARS + 1))]


# Choosing a mark makes its machine the scenario's.
_CHOICE = "datum.id === 'own' ? null : {machine: datum.id}"


def points(machines: alt.NamedData, panel: Panel, layout: Layout) -> list[Any]:
    """Return the machines of a panel, the reader's in a ring and the one that the pointer is at in another."""
    placed = (
        read(machines, panel)
        .transform_filter("datum.y > 0 && isFinite(datum.y)")
        .transform_calculate(said=_ABOUT, set=_CHOICE)
    )
    areas = (34, 40) if layout.name == "wide" else (24, 28)
    dots = placed.mark_point(
        shape=PX(SHAPE),
        size=PX(f"{SHAPE} === 'circle' ? {areas[0]} : {areas[1]}"),
        fill=PX(f"datum.trains ? {COLOUR} : '{theme.PAPER}'"),
        stroke=PX(COLOUR),
        strokeWidth=1.25,
        opacity=PX("drift_lit === '' || datum.id === drift_lit ? 1 : 0.3"),
    ).encode(**XY, tooltip=alt.Tooltip("said:N"))
    ring: dict[str, Any] = {"shape": "circle", "fill": None, "opacity": 1, "stroke": theme.INK}
    yours = placed.transform_filter(_PICKED).mark_point(**ring, size=140, strokeWidth=2).encode(**XY)
    lit = placed.transform_filter("datum.id === drift_lit").mark_point(**ring, size=110, strokeWidth=1.5).encode(**XY)
    named = {"points": dots, "yours": yours, "lit": lit}
    return [layer.properties(name=f"drift_{panel.short}_{name}") for name, layer in named.items()]


_PEAK = f"{si('datum.v.peak', 'FLOP/s')} + ' at ' + datum.v.format + ', ' + {si('datum.v.bandwidth', 'B/s')}"
_OWN = f"{si('drift_peak', 'FLOP/s')} + ', ' + {si('drift_bandwidth', 'B/s')}"
_SHARED = "format(datum.examples, ',.3~r') + ' examples to share a fetch'"
_EXAMPLES = f"(datum.examples > 0 ? {_SHARED} : 'inference only')"
_ABOUT = (
    "datum.name + (datum.year ? ', ' + datum.year : '')"
    f" + '\\n' + (datum.id === 'own' ? {_OWN} : {_PEAK})"
    " + '\\nbalance ' + format(datum.id === 'own' ? drift_beta : datum.v.beta, ',.3~r') + ' FLOP/B'"
    f" + '\\n' + {_EXAMPLES}"
    f" + (datum.id === 'own' ? '' : '\\n' + {_CLASS} + ', ' + datum.v.status)"
)


def head(panel: Panel, machines: alt.NamedData, layout: Layout) -> list[Any]:
    """Return the lines above a panel: its title and what its trend says; at the right a machine's own value."""
    width, wide = across(panel, layout), layout.name == "wide"
    line = round(layout.text * 1.25)
    stacked = panel.hero and not wide  # a machine's name and value have a line of their own there
    first = -8 - line * (2 if stacked else 1)
    text: dict[str, Any] = {"x": 0, "align": "left", "baseline": "alphabetic"}
    strong: dict[str, Any] = {"fontWeight": theme.SEMIBOLD}
    title = alt.Chart(ONE).mark_text(
        **text,
        y=first,
        text=PX(f"{width} < {_BRIEF[panel.hero, wide]} ? {panel.brief!r} : {panel.title!r}"),
        fill=panel.colour,
        **strong,
    )
    said = PX(f"{width} < {_PLAIN} ? drift_{panel.short}_plain : drift_{panel.short}_long")
    doubling = alt.Chart(ONE).mark_text(**text, y=first + line, text=said, fill=theme.MUTED, fontSize=layout.small)
    ends = {"x": 0, "align": "left"} if stacked else {"x": PX(width), "align": "right"}
    value = (
        read(machines, panel)
        .transform_filter("datum.id === drift_at")
        .mark_text(
            **ends,
            y=-8 if stacked else first,
            baseline="alphabetic",
            text=PX(_value(panel)),
            fill=theme.INK,
            **strong,
        )
    )
    named = {"title": title, "doubling": doubling, "value": value}
    return [layer.encode(**PLACED).properties(name=f"drift_{panel.short}_{part}") for part, layer in named.items()]


# px: narrower than that a panel has no room for its long title, (hero, wide); and for the interval of its trend.
_BRIEF = {(True, True): 400, (False, True): 185, (True, False): 240, (False, False): 185}
_PLAIN = 212


def _value(panel: Panel) -> str:
    """Return a machine's value in a panel with its unit, or why there is none; the large panel names the machine."""
    plain = "format(datum.y, ',.3~r')" + (f" + ' {panel.measured}'" if panel.measured else "")
    value = si("datum.y", panel.measured) if panel.measured.endswith("/s") else plain
    name = "datum.name + ': ' + " if panel.hero else ""
    return f"{name}(datum.y > 0 && isFinite(datum.y) ? {value} : {_absent(panel)})"


def _absent(panel: Panel) -> str:
    """Return why a machine has no value in a panel."""
    words = strict({way: f"no {way}" if way != "day" else "–" for way in WAYS})
    none = f"({words})[drift_format]"
    return f"(isValid(datum.v) ? 'does not train' : {none})" if panel.hero else "'–'"
