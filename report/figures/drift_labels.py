"""What the large panel of the drift figure holds beside machines: lines of reuse, when they were passed, words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from report import trends
from report.figures import drift_marks as marks
from report.figures import drift_panels as panels
from report.figures import drift_words as words
from report.figures import theme
from report.figures.drift_panels import FIRST_YEAR, LAST_YEAR, PANELS, XY
from report.figures.drift_words import KEY_ROWS, RECIPES, RECIPES_SHORT, Reuse
from report.figures.export import strict
from report.figures.parts import PLACED, PX, Data, row
from report.figures.theme import Layout
from report.trends import CLASSES, WAYS, Crossing, Fit, Reading

_HERO = PANELS[0]


def layers(
    readings: Mapping[str, Sequence[Reading]],
    reuses: Sequence[Reuse],
    fits: Mapping[str, Mapping[str, Fit]],
    at: Mapping[str, float],
    bounds: tuple[float, float],
    layout: Layout,
) -> tuple[list[Any], list[Any]]:
    """Return what lies under the machines (lines), and what over them (words)."""
    passed = {way: words.crossings(readings[way], reuses) for way in WAYS}
    segments = [_segment(way, found, i) for way, found in passed.items() for i in range(len(found))]
    named = words.sought(readings, reuses, fits, at, bounds, layout)
    return [_lines(reuses), _passed(segments)], [*_drawn(named, layout), *_recipes(layout)]


def _drawn(named: Sequence[Mapping[str, Any]], layout: Layout) -> list[Any]:
    """Return the layer of all words, and of leaders to those that stand farther off; a class takes its words along."""
    kept = "datum.group === '' || indexof(drift_kinds, datum.group) >= 0"
    width = panels.across(_HERO, layout)
    room = f"{width} >= datum.least && {width} < datum.most"
    gone = "isArray(datum.gone) && indexof(datum.gone, drift_machine) >= 0"
    colours = strict({"": theme.MUTED, **theme.KINDS})
    shown = alt.Chart(Data(list(named))).transform_filter(
        f"datum.f === drift_format && ({kept}) && ({room}) && !({gone})"
    )
    text = (
        shown.mark_text(
            dx=PX("datum.dx"),
            dy=PX("datum.dy"),
            align=PX("datum.align"),
            baseline="middle",
            text=PX("datum.text"),
            fontSize=layout.small,
            fontWeight=PX(f"datum.class ? {theme.SEMIBOLD} : 400"),
            fill=PX(f"datum.id ? '{theme.INK}' : ({colours})[datum.group]"),
        )
        .encode(**XY)
        .properties(name="drift_words")
    )
    # From the rim of the mark to the near end of the words.
    reach = "sqrt(datum.dx * datum.dx + datum.dy * datum.dy)"
    leaders = (
        shown.transform_filter("datum.lead")
        .transform_calculate(part=f"{_RIM} / {reach}")
        .mark_rule(
            xOffset=PX("datum.dx * datum.part"),
            yOffset=PX("datum.dy * datum.part"),
            x2Offset=PX("datum.dx + (datum.dx < 0 ? 3 : -3)"),
            y2Offset=PX("datum.dy"),
            color=theme.INK,
            strokeWidth=0.75,
        )
        .encode(**XY, x2=alt.X2("at:Q"), y2=alt.Y2("y:Q"))
        .properties(name="drift_word_leaders")
    )
    return [leaders, text]


_RIM = 5.0  # px from the middle of a mark


# --- lines and key


def _lines(reuses: Sequence[Reuse]) -> Any:
    """Return the dashed line of each reuse."""
    rows = [{"at": FIRST_YEAR, "end": LAST_YEAR, "y": reuse.value} for reuse in reuses]
    return (
        alt.Chart(Data(rows))
        .mark_rule(color=theme.EDGE, strokeWidth=1, strokeDash=[4, 3])
        .encode(**XY, x2=alt.X2("end:Q"))
        .properties(name="drift_reuses")
    )


def _segment(way: str, crossings: Sequence[tuple[Reuse, Crossing]], index: int) -> dict[str, Any]:
    """Return the stretch of a reuse's line in which a class passed it, and what is said of it; two lie side by side."""
    reuse, crossing = crossings[index]
    same = [i for i, (other, _) in enumerate(crossings) if other is reuse]
    aside = _ASIDE * (same.index(index) - (len(same) - 1) / 2)
    said = (
        f"{CLASSES[crossing.group]} pass {reuse.value:.3g} in {crossing.since}\n"
        f"the last that did not: {crossing.last.short}, {crossing.last.year}\ncounted on the peak of the memory bus"
    )
    ends = {"at": crossing.last.year, "end": crossing.since, "y": reuse.value, "aside": aside}
    return {"f": way, "group": crossing.group, **ends, "said": said}


_ASIDE = 4.0  # px


def _passed(segments: Sequence[Mapping[str, Any]]) -> Any:
    """Return the stretches in which classes passed reuses."""
    return (
        alt.Chart(Data(list(segments)))
        .transform_filter("datum.f === drift_format && indexof(drift_kinds, datum.group) >= 0")
        .mark_rule(stroke=PX(marks.COLOUR), strokeWidth=4, yOffset=PX("datum.aside"), opacity=1)
        .encode(**XY, x2=alt.X2("end:Q"), tooltip=alt.Tooltip("said:N"))
        .properties(name="drift_passed")
    )


def key(layout: Layout) -> list[Any]:
    """Return what the shapes mean: in the corner of the large panel, or below the last panel of a narrow layout."""
    step = row(layout)
    if layout.name == "wide":
        x, y = f"drift_a_width - {words.key_size(layout)[0]:.0f} + datum.x", f"drift_a_height - {step} * datum.y - 4"
        places = [(0.0, len(KEY_ROWS) - i - 0.5) for i in range(len(KEY_ROWS))]
    else:
        x, y = "datum.x - 48", f"drift_d_height + 38 + {step} * datum.y"
        places = [(column, float(line)) for line in (0, 1) for column in _COLUMNS][: len(KEY_ROWS)]
    rows = [
        {"text": text, "shape": shape, "x": across, "y": down}
        for (text, shape), (across, down) in zip(KEY_ROWS, places, strict=True)
    ]
    base = alt.Chart(Data(rows))
    ring, round_ = "datum.shape === 'ring'", "indexof(['hollow', 'ring'], datum.shape) >= 0"
    shapes = base.mark_point(
        x=PX(f"{x} + 4"),
        y=PX(y),
        shape=PX(f"{round_} ? 'circle' : datum.shape"),
        size=PX(f"{ring} ? 95 : datum.shape === 'circle' ? 34 : 40"),
        fill=PX(f"{round_} ? '{theme.PAPER}' : '{theme.MUTED}'"),
        stroke=PX(f"{ring} ? '{theme.INK}' : '{theme.MUTED}'"),
        strokeWidth=PX(f"{ring} ? 2 : 1.25"),
        opacity=1,
    )
    text = base.mark_text(
        x=PX(f"{x} + 14"),
        y=PX(y),
        text=PX("datum.text"),
        align="left",
        baseline="middle",
        fontSize=layout.small,
        fill=theme.MUTED,
    )
    named = {"shapes": shapes, "key": text}
    return [layer.encode(**PLACED).properties(name=f"drift_{name}") for name, layer in named.items()]


_COLUMNS = (0.0, 76.0, 184.0)  # px; the last word ends within a window of 320


def _recipes(layout: Layout) -> list[Any]:
    """Return how weights are updated before and after the year in which that changes, along the axis of years."""
    height = row(layout)
    year = trends.IN_PLACE_UNTIL + 0.5
    sides = (("right", -6), ("left", 6))
    rows = [
        {"at": year, "long": long, "short": short, "align": align, "dx": dx}
        for (long, short), (align, dx) in zip(RECIPES, sides, strict=True)
    ]
    base = alt.Chart(Data(rows)).transform_filter("drift_format === 'day' || drift_format === 'fp32'")
    text = base.mark_text(
        y=PX(f"drift_a_height - {height / 2 + 2:g}"),
        dx=PX("datum.dx"),
        align=PX("datum.align"),
        baseline="middle",
        text=PX(f"{panels.across(_HERO, layout)} < {RECIPES_SHORT[layout.name]} ? datum.short : datum.long"),
        fontSize=layout.small,
        fill=theme.MUTED,
    )
    tick = base.mark_rule(
        y=PX(f"drift_a_height - {height + 2}"), y2=PX("drift_a_height"), color=theme.EDGE, strokeWidth=1
    )
    named = {"recipes": text, "recipe_tick": tick}
    return [layer.encode(x=alt.X("at:Q"), **PLACED).properties(name=f"drift_{name}") for name, layer in named.items()]
