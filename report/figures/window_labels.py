"""Where the words of the window figure stand: verdict above the lines, closing below them, names at the right.

Names of runs stand beside their marks, in the first of a few places that no line crosses; where there is none, only
the mark speaks. What those places are is found beforehand, away from other marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log
from typing import Any

import altair as alt

from model.formula import STATES
from report.figures import ends, theme
from report.figures.parts import BOLD, ONE, PLACED, PX, Data, letters, row
from report.figures.places import Sheet, Size, Way
from report.figures.theme import Layout
from report.figures.window_lines import (
    CLOSES,
    CLOSING,
    COUNTED,
    DEVICE,
    FLOOR,
    FLOORS,
    HERE,
    LAST,
    LINES,
    THING,
    count,
    devices_at,
    head,
    line,
    px,
    py,
    strip,
)

# What the lines are called, in a narrow margin too.
NAMES: Mapping[str, tuple[str, str, str]] = {
    "weights": ("weight floor", "weights", theme.BYTES),
    "optimizer": ("optimizer floor", "optimizer", theme.CAPACITY),
    "allreduce": ("all-reduce floor", "all-reduce", theme.FABRIC),
    "best": ("fastest batch", "fastest", theme.STATISTICS),
    "ceiling": ("critical batch", "critical", theme.STATISTICS),
    "own": ("your batch", "yours", theme.INK),
}


def derived(layout: Layout) -> dict[str, str]:
    """Return the words above and below the lines: a line each, or two on a phone."""
    wide = layout.name == "wide"
    first, second = count(HERE, DEVICE), count("window_batch", THING)
    floors = {"weights": "weight", "optimizer": "optimizer", "allreduce": "all-reduce"}
    tops = {name: f"window_at_{name} >= window_low" for name in FLOORS}
    named = " : ".join(f"{tops[name]} ? 'the {word} floor'" for name, word in floors.items()) + " : 'the floor'"
    above, below = "window_batch > window_ceiling", "window_batch < window_low"
    both = "'above the ceiling and below ' + " if wide else "'above ceiling, below ' + "
    verdict = (
        f"window_words !== '' ? '' : {above} && {below} ? {both} ({named}) : "
        f"{above} ? 'above the ceiling' : {below} ? 'below ' + ({named}) : 'inside the window'"
    )
    said = f"({verdict})"
    text = f"[{first} + ', ' + {second} + ' a step' + ({said} === '' ? '' : ': ' + {said})]"
    if not wide:
        text = f"[{first} + ', ' + {second}, {said}]"
    shown = f"window_batch > 0 && isFinite(window_batch) && isFinite({HERE})"
    none = f"{FLOOR} > 0 && !isFinite({FLOOR}) ? '{STATES['no-batch']}' : 'the floors begin above the ceiling'"
    never = f"['never open here: ' + ({none})]" if wide else f"['never open here:', {none}]"
    why = "['no window: ' + window_words]" if wide else "['no window:', window_words]"
    return {
        "window_label": f"window_missing !== '' ? ['no batch: ' + window_missing] : {shown} ? {text} : ['']",
        "window_closes": f"window_words !== '' ? {why} : {CLOSING} >= window_first ? [{CLOSES}] : {never}",
    }


def above(layout: Layout) -> Any:
    """Return the reader's batch and what is to be said of it, above the lines."""
    return (
        alt.Chart(ONE)
        .mark_text(
            x=0 if layout.name == "wide" else 6 - layout.left,
            y=0,
            align="left",
            baseline="top",
            lineHeight=layout.text * 1.2,
            fontSize=layout.text,
            **BOLD,
            text=PX("window_label"),
        )
        .encode(**PLACED)
        .properties(name="window_words_above")
    )


def scale(layout: Layout) -> Any:
    """Return what the upright axis counts: beside it, or on a phone above it, where it takes no width."""
    wide = layout.name == "wide"
    words = f"'global batch, ' + {THING} + 's'"
    place: dict[str, Any] = {"x": 2 - layout.left, "y": head(layout) - 10, "align": "left"}
    if wide:
        middle = f"({head(layout)} + height - {strip(layout)}) / 2"
        place = {"x": 16 - layout.left, "y": PX(middle), "align": "center", "angle": 270}
    mark = alt.Chart(ONE).mark_text(**place, baseline="middle", fontSize=layout.small, fill=theme.MUTED, text=PX(words))
    return mark.encode(**PLACED).properties(name="window_scale")


def below(layout: Layout) -> Any:
    """Return where the window closes, below the lines, beside the foot of its mark."""
    at = px(f"clamp({CLOSING}, 1, {LAST})")
    width = f"max({letters('window_closes[0]', layout.small)}, {letters('(window_closes[1] || [])', layout.small)})"
    place = f"window_words === '' && {CLOSING} >= window_first ? clamp({at} - ({width}) / 2, 0, width - ({width})) : 0"
    return (
        alt.Chart(ONE)
        .mark_text(
            x=PX(place),
            y=PX(f"height - {strip(layout)} + 6"),
            align="left",
            baseline="top",
            lineHeight=round(layout.small * 1.25),
            fontSize=layout.small,
            text=PX("window_closes"),
        )
        .encode(**PLACED)
        .properties(name="window_words_below")
    )


def _word(layout: Layout) -> Mapping[str, str]:
    """Return the box of the word in the window: under the ceiling, where the window begins."""
    left, top = f"({px('window_first')} + 8)", f"({py('window_ceiling', layout)} + 5)"
    right = f"({left} + {layout.small * theme.LETTER * len(_WINDOW):g})"
    return {"left": left, "top": top, "right": right, "bottom": f"({top} + {layout.small + 2})"}


_WINDOW = "the window"


def inside(runs: alt.Data, layout: Layout) -> Any:
    """Return the word in the window, where there is room for it under the ceiling, between lines and runs."""
    box = _word(layout)
    ends = [py(line(name, devices_at(box["right"])), layout) for name in LINES]
    clear = [f"!({end} < {box['bottom']} + 4 && {end} > {box['top']} - 6)" for end in ends]
    fits = f"{CLOSING} > window_first && {box['right']} < {px(f'min({CLOSING}, {LAST})')}"
    x, y = px("datum.x"), py("datum.y", layout)
    covered = (
        f"{x} > {box['left']} - 5 && {x} < {box['right']} + 5 && {y} > {box['top']} - 5 && {y} < {box['bottom']} + 5"
    )
    return (
        alt.Chart(runs)
        .transform_calculate(covered=f"{covered} ? 1 : 0")
        .transform_joinaggregate(covers="max(covered)")
        .transform_window([{"op": "row_number", "as": "n"}], frame=[None, 0])  # type: ignore[list-item]
        .transform_filter(" && ".join(["datum.n === 1 && datum.covers === 0", fits, *clear]))
        .mark_text(
            x=PX(box["left"]),
            y=PX(box["top"]),
            align="left",
            baseline="top",
            fontSize=layout.small,
            fill=theme.STATISTICS,
            text=_WINDOW,
        )
        .encode(**PLACED)
        .properties(name="window_word")
    )


def names(layout: Layout) -> list[Any]:
    """Return the names of the lines where they end at the right."""
    wide = layout.name == "wide"
    rows = [{"id": name, "text": words[not wide], "ink": words[2]} for name, words in NAMES.items()]
    last = " : ".join(f"datum.id === '{name}' ? window_to_{name}" for name in LINES) + " : window_ceiling"
    placed = (
        alt.Chart(Data([{**one, "heavy": theme.SEMIBOLD} for one in rows]))
        .transform_calculate(y=last)
        .transform_filter("datum.y >= window_lo && datum.y <= window_hi && isFinite(datum.y)")
        .transform_calculate(at=py("datum.y", layout))
    )
    return ends.names(placed, ("window_leaders", "window_names"), layout)


def key(layout: Layout) -> list[Any]:
    """Return what the two kinds of mark for a run mean, right of the plot below all names."""
    wide = layout.name == "wide"
    rows = [
        {"text": "runs, this machine" if wide else "runs here", "fill": theme.INK, "stroke": theme.INK, "up": 1},
        {"text": "runs, other machines" if wide else "elsewhere", "fill": theme.PAPER, "stroke": theme.MUTED, "up": 0},
    ]
    # On a phone the words below the lines may need all of their width.
    at = f"height - {row(layout)} * datum.up - {0 if wide else strip(layout)}"
    shown = alt.Chart(Data(rows)).transform_filter(f"!{COUNTED}")
    dots = shown.mark_point(
        shape="circle",
        size=24,
        filled=True,
        opacity=1,
        strokeWidth=1,
        x=PX("width + 14"),
        y=PX(at),
        fill=PX("datum.fill"),
        stroke=PX("datum.stroke"),
    )
    text = shown.mark_text(
        x=PX("width + 22"),
        y=PX(at),
        align="left",
        baseline="middle",
        fontSize=layout.small,
        fill=theme.MUTED,
        text=PX("datum.text"),
    )
    return [
        dots.encode(**PLACED).properties(name="window_key_marks"),
        text.encode(**PLACED).properties(name="window_key"),
    ]


# --- names of runs


_USUAL = (490, 2.6e9)  # the batches that the axis spans on the default scenario, in tokens
_WAYS: Mapping[str, tuple[Way, ...]] = {
    "right": ((8.0, 0.0, "left"), (9.0, -4.0, "left"), (9.0, 4.0, "left")),
    "above": ((0.0, -13.0, "center"), (-6.0, -13.0, "left"), (6.0, -13.0, "right")),
    "left": ((-8.0, 0.0, "right"), (-9.0, -4.0, "right"), (-9.0, 4.0, "right")),
    "below": ((0.0, 13.0, "center"), (-6.0, 13.0, "left"), (6.0, 13.0, "right")),
}


def places(named: Sequence[Mapping[str, Any]], all_runs: Iterable[Mapping[str, Any]], layout: Layout) -> Any:
    """Return a row for each place at which a run's name covers no other mark and no other name, at any width."""
    low_at, top = strip(layout), head(layout)

    def where(point: tuple[float, float], size: Size) -> tuple[float, float]:
        low = size[1] - low_at
        y = low - (low - top) * log(point[1] / _USUAL[0]) / log(_USUAL[1] / _USUAL[0])
        return size[0] * log(point[0]) / log(LAST), y

    sheet = Sheet(sizes=_sizes(layout), at=where, gap=1.0)
    for run in all_runs:
        sheet.mark((run["x"], run["y"]), 3.5)
    found: list[dict[str, Any]] = []
    for run in named:
        wide = theme.LETTER * layout.small * len(run["name"])
        for way in run["ways"]:
            place = sheet.put([(run["x"], run["y"])], wide, layout.small, ways=_WAYS[way])
            if place:
                shift = {"left": 0.0, "center": 0.5, "right": 1.0}[place.align]
                kept = {key: run[key] for key in ("x", "y", "machine", "name")}
                found.append({**kept, "i": len(found), "dx": place.dx - shift * wide, "dy": place.dy, "w": wide})
    return Data(found)


def _sizes(layout: Layout) -> list[Size]:
    """Return sizes of the plot, in px, when the whole figure is narrower or wider; the page keeps its shape."""
    around, above = layout.width - layout.plot[0], layout.height - layout.plot[1]
    return [(layout.width * part - around, layout.height * part - above) for part in _PARTS[layout.name]]


_PARTS: Mapping[str, tuple[float, ...]] = {"wide": (0.7, 0.75, 0.85, 1.0, 1.05), "phone": (0.82, 0.9, 1.0, 1.2)}


def runs(free: alt.Data, layout: Layout) -> Any:
    """Return the names of runs, each in its first place that no line crosses."""
    half = layout.small / 2 + 1
    box = {
        "left": f"{px('datum.x')} + datum.dx - 2",
        "right": f"{px('datum.x')} + datum.dx + datum.w + 2",
        "top": f"{py('datum.y', layout)} + datum.dy - {half}",
        "bottom": f"{py('datum.y', layout)} + datum.dy + {half}",
    }
    tests = []
    for name in LINES:
        begins, ends = (
            py(line(name, devices_at(f"clamp(datum.{side}, 0, width)")), layout) for side in ("left", "right")
        )
        tests.append(f"{ends} <= datum.bottom && {begins} >= datum.top")
    ceiling = py("window_ceiling", layout)
    tests.append(f"{ceiling} <= datum.bottom && {ceiling} >= datum.top")
    tests.append(f"{px(CLOSING)} >= datum.left && {px(CLOSING)} <= datum.right && datum.bottom >= {ceiling}")
    at, down = px(HERE), py("window_batch", layout)
    point = {"left": f"{at} - 9", "right": f"{at} + 9", "top": f"{down} - 9", "bottom": f"{down} + 9"}
    tests += [
        f"datum.left < {other['right']} && datum.right > {other['left']} && "
        f"datum.top < {other['bottom']} && datum.bottom > {other['top']}"
        for other in (point, _word(layout))
    ]
    chart: Any = alt.Chart(free)
    return (
        chart.transform_calculate(**box)
        .transform_filter(f"!{COUNTED} && datum.left >= 0 && datum.right <= width")
        .transform_filter(" && ".join(f"!({test})" for test in tests))
        .transform_window([{"op": "row_number", "as": "n"}], groupby=["name"], sort=[alt.SortField("i")])
        .transform_filter("datum.n === 1")
        .mark_text(
            x=PX("datum.left + 2"),
            y=PX("(datum.top + datum.bottom) / 2"),
            align="left",
            baseline="middle",
            fontSize=layout.small,
            fill=PX(f"datum.machine === window_machine ? '{theme.INK}' : '{theme.MUTED}'"),
            text=PX("datum.name"),
        )
        .encode(**PLACED)
        .properties(name="window_run_names")
    )
