"""The panels of the drift figure: what each shows, how large it is, its axes, and what is said of its trend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import altair as alt

from report import rounding
from report.figures import theme
from report.figures.export import strict
from report.figures.parts import PX
from report.figures.roofline_lines import si
from report.figures.theme import Layout
from report.trends import WAYS, Fit

FIRST_YEAR, LAST_YEAR = 1971, 2030
OWN_YEAR = 2028  # where a machine of the reader's own stands, its ring clear of the edge
HEAD, GAP, GUTTER = 46, 62, 44  # px: above a panel, between two of them, between the large one and those beside it
_HERO_WIDTH, _HERO_HEIGHT = 0.665, 0.46  # the large panel's part of the width beside others, of the height above them


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A panel: the key it shows, its title and colour, its unit, its ticks, the room below and above the data."""

    key: str
    short: str
    title: str
    brief: str
    colour: str
    measured: str
    ticks: tuple[float, ...]
    below: float = 2.0
    above: float = 2.0

    @property
    def hero(self) -> bool:
        """Tell whether it is the large panel."""
        return self.short == "a"


PANELS = (
    Panel(
        key="examples_per_fetch",
        short="a",
        title="Examples that must share one weight fetch",
        brief="Examples to share a fetch",
        colour=theme.INK,
        measured="",
        ticks=(0.01, 0.1, 1, 10, 100, 1000),
        below=4.4,
        above=2.8,
    ),
    Panel(
        key="beta",
        short="b",
        title="Balance β",
        brief="Balance β",
        colour=theme.INK,
        measured="FLOP/B",
        ticks=(0.01, 1, 100),
    ),
    Panel(
        key="peak",
        short="c",
        title="Peak arithmetic",
        brief="Peak",
        colour=theme.ARITHMETIC,
        measured="FLOP/s",
        ticks=(1e6, 1e9, 1e12, 1e15),
    ),
    Panel(
        key="bandwidth",
        short="d",
        title="Memory bandwidth",
        brief="Bandwidth",
        colour=theme.BYTES,
        measured="B/s",
        ticks=(1e6, 1e9, 1e12, 1e15),
    ),
)


# --- sizes


@dataclass(frozen=True, slots=True)
class Share:
    """A length as a part of the plot's width or height, some px left out first."""

    part: float
    whole: str
    less: float = 0.0

    @property
    def text(self) -> str:
        """Return the length as a Vega expression of the whole figure's size."""
        return f"{self.part:.6g} * ({self.whole} - {self.less:g})"

    def px(self, layout: Layout) -> float:
        """Return the length as the layout draws it, in px."""
        width, height = layout.plot
        return self.part * ((width if self.whole == "width" else height) - self.less)


def share(panel: Panel, layout: Layout) -> tuple[Share, Share]:
    """Return width and height of a panel."""
    if layout.name != "wide":
        part = _HERO_HEIGHT if panel.hero else (1 - _HERO_HEIGHT) / 3
        return Share(1, "width"), Share(part, "height", 3 * GAP)
    if panel.hero:
        return Share(_HERO_WIDTH, "width", GUTTER), Share(1, "height")
    return Share(1 - _HERO_WIDTH, "width", GUTTER), Share(1 / 3, "height", 2 * GAP)


def size(panel: Panel, layout: Layout) -> tuple[int, int]:
    """Return width and height of a panel as the layout draws it, in px."""
    width, height = share(panel, layout)
    return round(width.px(layout)), round(height.px(layout))


def sizes(layout: Layout) -> dict[str, str]:
    """Return the size of each panel as an expression of the whole, by the name that Vega-Lite gives it."""
    if layout.name != "wide":
        return {f"drift_{panel.short}_height": share(panel, layout)[1].text for panel in PANELS}
    hero, beside = (share(panel, layout) for panel in PANELS[:2])
    names = ("drift_a_width", "drift_a_height", "drift_side_width", "drift_side_childHeight")
    return {name: length.text for name, length in zip(names, (*hero, *beside), strict=True)}


def across(panel: Panel, layout: Layout) -> str:
    """Return the signal that holds a panel's width."""
    if layout.name == "wide":
        return "drift_a_width" if panel.hero else "drift_side_width"
    return "width"


# --- what follows from the signals


def derived(fits: Mapping[str, Mapping[str, Fit]], bounds: Mapping[str, tuple[float, float]]) -> dict[str, str]:
    """Return the ends of each axis, wide enough for a machine of the reader's own, and what is said of each trend."""
    found: dict[str, str] = {"drift_at": "drift_lit === '' ? drift_machine : drift_lit"}
    for panel in PANELS:
        own, (low, high) = f"drift_{panel.key}", bounds[panel.key]
        for end, pick, value in (("lo", "min", low), ("hi", "max", high)):
            with_own = f"{pick}({value:.4g}, {own} {'/' if end == 'lo' else '*'} 2)"
            found[f"drift_{panel.short}_{end}"] = (
                f"drift_machine === 'own' && {own} > 0 && isFinite({own}) ? {with_own} : {value:.4g}"
            )
        for length in LENGTHS:
            said = {way: _said(fits[way].get(panel.key), length) for way in WAYS}
            found[f"drift_{panel.short}_{length}"] = f"({strict(said)})[drift_format]"
    return found | {"drift_says": f"({strict(spoken(fits))})[drift_format]"}


def spoken(fits: Mapping[str, Mapping[str, Fit]]) -> dict[str, str]:
    """Return what the trends say in one sentence, by way of counting."""
    return {
        way: f"Counted at {words}: "
        + "; ".join(f"{panel.brief.lower()} {_said(fits[way].get(panel.key), 'plain')}" for panel in PANELS)
        + "."
        for way, words in WAYS.items()
    }


LENGTHS = ("long", "plain")  # with the interval, or without


def _said(fit: Fit | None, length: str) -> str:
    """Return what a trend says in words."""
    if fit is None:
        return "too few years for a trend"
    if not fit.clear:
        return f"no clear trend since {fit.first}"
    middle, low, high = (rounding.sig(value, 3) for value in (fit.doubling, fit.low, fit.high))
    return f"doubles every {middle} years" + (f" ({low} to {high})" if length == "long" else "")


# --- axes

XY = {"x": alt.X("at:Q"), "y": alt.Y("y:Q")}


def axes(panel: Panel, layout: Layout) -> dict[str, Any]:
    """Return the encoding of the layer that brings a panel's axes."""
    x_scale = alt.Scale(domain=[FIRST_YEAR, LAST_YEAR], nice=False, zero=False)
    domain = PX(f"[drift_{panel.short}_lo, drift_{panel.short}_hi]")
    y_scale = alt.Scale(type="log", domain=domain, nice=False)
    return {
        "x": alt.X("at:Q", scale=x_scale, axis=_years(panel, layout)),
        "y": alt.Y("y:Q", scale=y_scale, axis=_ticks(panel, layout)),
    }


def _years(panel: Panel, layout: Layout) -> alt.Axis:
    return alt.Axis(
        title=None,
        values=list(range(1980, LAST_YEAR, 10)),
        format="d",
        labels=panel.short in "ad" or layout.name != "wide",
        grid=False,
        labelOverlap=False,
        labelFlush=False,
    )


def _ticks(panel: Panel, layout: Layout) -> alt.Axis:
    plain = "datum.value < 1 ? format(datum.value, '~r') : format(datum.value, ',')"
    with_unit = si("datum.value", panel.measured, ".0s")
    return alt.Axis(
        title=None,
        orient="right" if layout.name == "wide" and not panel.hero else "left",
        values=list(panel.ticks),
        labelExpr=with_unit if panel.measured.endswith("/s") else plain,
        labelOverlap=False,
        labelFlush=False,
        grid=not panel.hero,
        domain=panel.hero,
        ticks=panel.hero,
    )
