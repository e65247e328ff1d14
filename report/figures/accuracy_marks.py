"""The marks of the accuracy figure: the bound, the runs below it, the median of a class, the reader's own ceiling.

Both axes are shares of peak, from nothing to all of it. A mark's colour tells GPUs from TPUs, its shape how much was
computed twice; a hollow one is a share of the fp8 peak. What is not of the chosen class stays as a faint dot.
"""

from __future__ import annotations

from typing import Any

import altair as alt

from report.accuracy.verdict import RECOMPUTE
from report.figures import theme
from report.figures.export import strict
from report.figures.parts import BOLD, ONE, PLACED, PX, XY, Data, row, rule
from report.figures.theme import Layout

LEAST = 0.2  # the lowest ceiling that the axis has room for
SHAPES = {"none": "circle", "part": "diamond", "full": "triangle-up", "unsaid": "square"}
CHOSEN = "indexof(datum.in, accuracy_class) >= 0"
_SHAPE = f"({strict(SHAPES)})[datum.again]"
_COLOUR = f"({strict({kind: theme.KINDS[kind] for kind in ('gpu', 'tpu')})})[datum.kind]"
_OWN = "accuracy_utilization_ceiling"


def derived() -> dict[str, str]:
    """Return the parameters that follow: where the reader's own ceiling stands on the axis, at its end if below it."""
    return {"accuracy_own": f"isFinite({_OWN}) ? max({_OWN}, {LEAST}) : NaN"}


def _axes(layout: Layout) -> dict[str, Any]:
    x_axis = alt.Axis(
        title="ceiling, share of peak" if layout.name == "wide" else "ceiling, of peak",
        values=[0.2, 0.4, 0.6, 0.8, 1.0],
        format="%",
        grid=False,
        titlePadding=8,
    )
    y_axis = alt.Axis(
        title="measured, share of peak" if layout.name == "wide" else "measured, of peak",
        values=[0, 0.2, 0.4, 0.6, 0.8, 1.0],
        format="%",
        domain=False,
        ticks=False,
        titleX=14 - layout.left,
    )
    x_scale, y_scale = (alt.Scale(domain=ends, nice=False, zero=False) for ends in ([LEAST, 1.0], [0.0, 1.0]))
    return {"x": alt.X("x:Q", scale=x_scale, axis=x_axis), "y": alt.Y("y:Q", scale=y_scale, axis=y_axis)}


def px(share: str) -> str:
    """Return where a ceiling lies, in px of the plot from the left, as a Vega expression."""
    return f"width * (({share}) - {LEAST}) / {1 - LEAST:g}"


def py(share: str) -> str:
    """Return where a measured share lies, in px of the plot from the top, as a Vega expression."""
    return f"height * (1 - ({share}))"


def bound(layout: Layout) -> list[Any]:
    """Return the diagonal on which a run would reach its ceiling, its name, and the axes of all."""
    ends = Data([{"x": LEAST, "y": LEAST}, {"x": 1, "y": 1}])
    line = alt.Chart(ends).mark_line(color=theme.ARITHMETIC, strokeWidth=2).encode(**_axes(layout))
    # Left of where runs begin, above the line: below the key, and no run can be there.
    at = 0.45
    words = "the bound: a run at its ceiling" if layout.name == "wide" else "the bound"
    place: dict[str, Any] = {"x": PX(f"{px(str(at))} - 8"), "y": PX(f"{py(str(at))} - 4"), "align": "right"}
    look: dict[str, Any] = {"fill": theme.ARITHMETIC, "fontSize": layout.small, "baseline": "bottom", **BOLD}
    name = alt.Chart(ONE).mark_text(**place, **look, text=words).encode(**PLACED)
    return [line.properties(name="accuracy_bound"), name.properties(name="accuracy_bound_name")]


def median(verdicts: alt.Data) -> Any:
    """Return the line of the chosen class: its median share of the ceiling."""
    return (
        alt.Chart(verdicts)
        .transform_filter("datum.c === accuracy_class && datum.w === accuracy_way")
        .transform_calculate(x=str(LEAST), y=f"datum.median * {LEAST}", x2="1", y2="datum.median")
        .mark_rule(color=theme.INK, strokeWidth=1.25, strokeDash=[5, 4])
        .encode(**XY, x2=alt.X2("x2:Q"), y2=alt.Y2("y2:Q"))
        .properties(name="accuracy_median")
    )


def yours(layout: Layout) -> Any:
    """Return the line of the reader's own ceiling."""
    return (
        alt.Chart(ONE)
        .transform_calculate(x="accuracy_own", y="0", y2="accuracy_own")
        .transform_filter("isFinite(datum.x)")
        .mark_rule(color=theme.MUTED, strokeWidth=1)
        .encode(**XY, y2=alt.Y2("y2:Q"))
        .properties(name="accuracy_yours")
    )


def runs(found: alt.Data, layout: Layout) -> list[Any]:
    """Return the runs: those of the chosen class in full, others faint behind, a ring around what is pointed at."""
    placed = alt.Chart(found).transform_calculate(x="datum[accuracy_way + '_bound']", y="datum[accuracy_way]")
    others = placed.transform_filter(f"!({CHOSEN})").mark_point(
        shape="circle", size=10, fill=theme.EDGE, stroke=None, opacity=0.5
    )
    chosen = placed.transform_filter(CHOSEN).mark_point(
        shape=PX(_SHAPE),
        size=34 if layout.name == "wide" else 24,
        fill=PX(f"datum.eight ? '{theme.PAPER}' : {_COLOUR}"),
        stroke=PX(_COLOUR),
        strokeWidth=1.25,
        opacity=PX("accuracy_lit === '' || datum.id === accuracy_lit ? 0.8 : 0.25"),
    )
    lit = placed.transform_filter("datum.id === accuracy_lit").mark_point(
        shape="circle", size=120, fill=None, stroke=theme.INK, strokeWidth=1.5, opacity=1
    )
    return [
        others.encode(**XY).properties(name="accuracy_others"),
        chosen.encode(**XY, tooltip=alt.Tooltip("said:N")).properties(name="accuracy_runs"),
        lit.encode(**XY).properties(name="accuracy_ring"),
    ]


def _chosen(verdicts: alt.Data) -> Any:
    return alt.Chart(verdicts).transform_filter("datum.c === accuracy_class && datum.w === accuracy_way")


def words(verdicts: alt.Data, layout: Layout) -> list[Any]:
    """Return what is said of the chosen class, its median beside its line, and the reader's ceiling or why none."""
    wide = layout.name == "wide"
    said = _chosen(verdicts).mark_text(
        x=8, y=round(layout.text * 1.4), align="left", fontSize=layout.text, text=PX("datum.count"), **BOLD
    )
    # Below the dashed line, left of where runs begin.
    at, look = 0.28, {"fontSize": layout.small, "align": "left"}
    middle = _chosen(verdicts).mark_text(
        x=PX(px(str(at))),
        y=PX(f"{py(f'datum.median * {at}')} + {round(layout.small * 1.2)}"),
        baseline="middle",
        text=PX("'median: ' + datum.middle" + (" + ' of the ceiling'" if wide else "")),
        **look,
    )
    own = (
        alt.Chart(ONE)
        .transform_calculate(x="accuracy_own", none="accuracy_words !== ''")
        .transform_filter("isFinite(datum.x) || datum.none")
        .transform_calculate(left="datum.none || datum.x > 0.6")
        .mark_text(
            x=PX(f"datum.none ? width - 2 : {px('datum.x')} + (datum.left ? -5 : 5)"),
            y=PX("height - 6"),
            align=PX("datum.left ? 'right' : 'left'"),
            baseline="bottom",
            fill=theme.MUTED,
            fontSize=layout.small,
            text=PX(
                f"datum.none ? 'no ceiling of yours: ' + accuracy_words : "
                f"'{'your ceiling' if wide else 'yours'}, ' + format({_OWN}, '.3p')"
            ),
        )
    )
    named = {"accuracy_said": said, "accuracy_middle": middle, "accuracy_own_name": own}
    return [layer.encode(**PLACED).properties(name=name) for name, layer in named.items()]


def nearest(verdicts: alt.Data, layout: Layout) -> list[Any]:
    """Return the name of the chosen run that comes nearest to its ceiling, above the bound, where there is room."""
    if layout.name != "wide":
        return []
    at = "min(datum.x, 0.95)"  # farther right the words would leave the picture
    up = f"{py(at)} - 16"
    chosen = _chosen(verdicts)
    leader = chosen.mark_rule(color=theme.EDGE, strokeWidth=1)
    text = chosen.mark_text(
        x=PX(f"{px(at)} - 4"),
        y=PX(up),
        align="right",
        baseline="middle",
        fontSize=layout.small,
        fill=theme.INK,
        text=PX("datum.nearest"),
    )
    ends = rule(px("datum.x"), f"{py('datum.y')} - 5", px(at), f"{up} - 4")
    return [
        leader.encode(**ends).properties(name="accuracy_leader"),
        text.encode(**PLACED).properties(name="accuracy_nearest"),
    ]


def key(layout: Layout) -> list[Any]:
    """Return what colours, shapes and hollow marks mean, below the words at the upper left."""
    first = round(layout.text * 2.9)
    # The longest words stand highest, where the bound is far to the right.
    rows: list[dict[str, Any]] = [
        {"t": f"computed twice: {words}" if kind == "none" else words, "c": theme.MUTED, "s": SHAPES[kind], "h": False}
        for kind, words in RECOMPUTE.items()
    ]
    hollow = "hollow: of the fp8 peak" if layout.name == "wide" else "hollow: fp8"
    rows += [{"t": hollow, "c": theme.MUTED, "s": "circle", "h": True}]
    rows += [{"t": kind.upper(), "c": theme.KINDS[kind], "s": "circle", "h": False} for kind in ("gpu", "tpu")]
    step = row(layout) + 1
    placed = [{**one, "at": first + step * place} for place, one in enumerate(rows)]
    base = alt.Chart(Data(placed))
    dots = base.mark_point(
        x=14, y=PX("datum.at"), shape=PX("datum.s"), stroke=PX("datum.c"), strokeWidth=1.25, size=30,
        fill=PX(f"datum.h ? '{theme.PAPER}' : datum.c"), opacity=1,
    )  # fmt: skip
    texts = base.mark_text(
        x=24, y=PX("datum.at"), align="left", baseline="middle", fontSize=layout.small, fill=theme.MUTED,
        text=PX("datum.t"),
    )  # fmt: skip
    return [
        dots.encode(**PLACED).properties(name="accuracy_key"),
        texts.encode(**PLACED).properties(name="accuracy_key_words"),
    ]
