"""The curves of the note's figure: intensity against tokens for several widths, floors against width by machine."""

from __future__ import annotations

from typing import Any

import altair as alt

from report.figures import ends, theme, titles
from report.figures.note_panels import (
    B_W,
    BETA,
    DOUBLINGS,
    I_L2,
    NARROWEST,
    NO_FLOOR,
    POLE,
    T_MIN,
    WIDEST,
    WIDTH,
    WRITER,
    across,
    down,
    gpt_floor,
    gpt_intensity,
    gpt_pole,
    intensity,
)
from report.figures.parts import ONE, PX, XY, Data, decades, rule
from report.figures.roofline_lines import tokens
from report.figures.theme import Layout

_FINE = 60  # pieces of a curve of panel (b)
_LAST = 2**DOUBLINGS
_OWN = "datum.id === note_machine"


# --- places


def _log(text: str, low: str, high: str) -> str:
    return f"log(({text}) / ({low})) / log(({high}) / ({low}))"


def px(panel: str, text: str, layout: Layout) -> str:
    """Return where a value lies along a panel, in px from the left, as a Vega expression."""
    low, high = (1, _LAST) if panel == "a" else (2**NARROWEST, 2**WIDEST)
    return f"{across(panel, layout)} * {_log(text, str(low), str(high))}"


def py(panel: str, text: str, layout: Layout) -> str:
    """Return where a value lies in a panel, in px from the top, as a Vega expression."""
    return f"{down(panel)} * (1 - {_log(text, f'note_{panel}_lo', f'note_{panel}_hi')})"


def _inside(panel: str) -> str:
    low, high = (1, _LAST) if panel == "a" else (2**NARROWEST, 2**WIDEST)
    along = f"datum.x >= {low} && datum.x <= {high}"
    return f"{along} && datum.y >= note_{panel}_lo && datum.y <= note_{panel}_hi && isFinite(datum.y)"


_PLAIN = "datum.value < 1 ? format(datum.value, '~r') : format(datum.value, ',')"
_TICKS = f"datum.value >= 1e6 ? format(datum.value / 1e6, ',') + ' million' : {_PLAIN}"


_ALONG: dict[str, tuple[str | None, list[float], list[float]]] = {
    "a": (None, [1, 100, 1e4, 1e6], [1, _LAST]),
    "b": ("width of a layer, d", [128, 1024, 8192], [2**NARROWEST, 2**WIDEST]),
}


def _axes(panel: str) -> dict[str, Any]:
    title, values, domain = _ALONG[panel]
    shared: dict[str, Any] = {"labelExpr": _TICKS, "labelOverlap": False, "labelFlush": False}
    along = alt.Axis(title=title, values=values, grid=False, **shared)
    count = decades(f"note_{panel}_lo", f"note_{panel}_hi")
    ticks = PX(f"max(1, ceil({count} / ceil({count} / 6)))")
    up = alt.Axis(title=None, tickCount=ticks, domain=False, ticks=False, labelPadding=8, gridOpacity=0.7, **shared)
    x_scale = alt.Scale(type="log", domain=domain, nice=False)
    y_scale = alt.Scale(type="log", domain=PX(f"[note_{panel}_lo, note_{panel}_hi]"), nice=False)
    return {"x": alt.X("x:Q", scale=x_scale, axis=along), "y": alt.Y("y:Q", scale=y_scale, axis=up)}


# --- (a) intensity


def rising(names: alt.Data, layout: Layout) -> list[Any]:
    """Return panel (a): GPT layers of other widths, the machine's balance, the reader's network and its point."""
    return [
        _widths(names),
        _balance(layout),
        _own_curve(),
        *_right("a", _ends(names, layout), layout),
        _dots(layout),
        _point(layout),
        titles.below(
            "note_a_along",
            f"{WRITER.thing('true')} + ' per weight visit, T'",
            layout,
            room=(across("a", layout), down("a")),
            padding=4,
        ),
    ]


_OWN_AT, _OWN_END = intensity("datum.x"), intensity(str(_LAST))
_WIDTH_AT, _WIDTH_END = (gpt_intensity("datum.d", t, "datum.f") for t in ("datum.x", str(_LAST)))
# A GPT layer whose curve would hide under that of the reader's network is not drawn.
_HIDDEN = f"datum.kind === 'width' && abs(({_WIDTH_END}) / ({_OWN_END}) - 1) < 0.03"


def _widths(names: alt.Data) -> Any:
    return (
        alt.Chart(names)
        .transform_filter(f"datum.kind === 'width' && !({_HIDDEN})")
        .transform_calculate(k=f"sequence(0, {2 * DOUBLINGS + 1})")
        .transform_flatten(["k"])
        .transform_calculate(x="pow(2, datum.k / 2)")
        .transform_calculate(y=_WIDTH_AT)
        .transform_filter(_inside("a"))
        .mark_line(color=theme.EDGE, strokeWidth=1)
        .encode(**_axes("a"), detail=alt.Detail("id:N"))
        .properties(name="note_widths")
    )


def _own_curve() -> Any:
    return (
        alt.Chart(alt.sequence(0, 4 * DOUBLINGS + 1, 1, as_="k"))
        .transform_calculate(x="pow(2, datum.k / 4)")
        .transform_calculate(y=_OWN_AT)
        .transform_filter(_inside("a"))
        .mark_line(color=theme.INK, strokeWidth=2.5, strokeCap="round")
        .encode(**XY)
        .properties(name="note_own_intensity")
    )


def _balance(layout: Layout) -> Any:
    """Return the line of the machine's balance, from end to end."""
    y = py("a", BETA, layout)
    return (
        alt.Chart(ONE)
        .transform_filter(f"{BETA} > 0 && isFinite({BETA})")
        .mark_rule(color=theme.ARITHMETIC, strokeWidth=1.5, strokeDash=[5, 4])
        .encode(**rule("0", y, across("a", layout), y))
        .properties(name="note_balance_line")
    )


def _said(t: str, y: str) -> str:
    return f"'T = ' + {tokens(t, WRITER)} + ' per weight visit\\n' + format({y}, ',.3~r') + ' FLOP/B'"


def _dots(layout: Layout) -> Any:
    """Return a dot for each doubling of T; each says its intensity, and can be chosen."""
    return (
        alt.Chart(alt.sequence(0, DOUBLINGS + 1, 1, as_="k"))
        .transform_calculate(t="pow(2, datum.k)", x="pow(2, datum.k)")
        .transform_calculate(y=_OWN_AT)
        .transform_filter(_inside("a"))
        .transform_calculate(said=_said("datum.t", "datum.y"))
        .mark_point(shape="circle", filled=True, size=20 if layout.name == "wide" else 14, opacity=1)
        .encode(**XY, color=alt.ColorValue(theme.INK), tooltip=alt.Tooltip("said:N"))
        .properties(name="note_dots")
    )


def _point(layout: Layout) -> Any:
    return (
        alt.Chart(ONE)
        .transform_calculate(x="note_T", y="note_intensity", said=_said("note_T", "note_intensity"))
        .transform_filter(_inside("a"))
        .mark_point(
            shape="circle", size=110 if layout.name == "wide" else 90, strokeWidth=2.5, fill=theme.PAPER, opacity=1
        )
        .encode(**XY, stroke=alt.StrokeValue(theme.INK), tooltip=alt.Tooltip("said:N"))
        .properties(name="note_point")
    )


def _ends(names: alt.Data, layout: Layout) -> Any:
    """Return where the lines of panel (a) end and what they are called: other widths, the network, the balance."""
    return (
        alt.Chart(names)
        .transform_filter(f"!({_HIDDEN}) && (datum.kind !== 'network' || datum.id === note_network)")
        .transform_calculate(
            y=f"datum.kind === 'width' ? ({_WIDTH_END}) : datum.kind === 'network' ? ({_OWN_END}) : {BETA}",
            ink=f"datum.kind === 'width' ? '{theme.MUTED}' : datum.kind === 'beta' ? '{theme.ARITHMETIC}' : "
            f"'{theme.INK}'",
            heavy=f"datum.kind === 'width' ? 400 : {theme.SEMIBOLD}",
        )
    )


def _right(panel: str, rows: Any, layout: Layout) -> list[Any]:
    """Return names right of a panel where its lines end."""
    placed = rows.transform_filter(
        f"datum.y >= note_{panel}_lo && datum.y <= note_{panel}_hi && isFinite(datum.y)"
    ).transform_calculate(at=py(panel, "datum.y", layout), text="datum.name")
    return ends.names(placed, (f"note_{panel}_leaders", f"note_{panel}_names"), layout, across(panel, layout))


# --- (b) floors


def falling(machines: alt.Data, layout: Layout) -> list[Any]:
    """Return panel (b): the tokens that a GPT layer needs on each machine, and the reader's network among them."""
    return [
        _floors(machines, others=True),
        _pole(layout),
        _floors(machines, others=False),
        *_right("b", _floor_ends(machines), layout),
        _marks(layout),
        _network(layout),
    ]


# The reader's own machine is read from the signals, so that a format or a figure set by hand counts.
_READ = {
    "beta": f"{_OWN} ? {BETA} : datum.beta",
    "b_w": f"{_OWN} ? {B_W} : datum.b_w",
    "I_L2": f"{_OWN} ? {I_L2} : datum.I_L2",
}
_MACHINE = {"beta": "datum.beta", "b_w": "datum.b_w", "I_L2": "datum.I_L2", "f": "datum.f"}
_POLE_OF = gpt_pole(_MACHINE)
_THERE = {**_MACHINE, "beta": BETA, "b_w": B_W, "I_L2": I_L2}
_FLOOR_AT, _FLOOR_END, _FLOOR_THERE = (
    gpt_floor("datum.x", _MACHINE),
    gpt_floor(str(2**WIDEST), _MACHINE),
    gpt_floor("datum.x", _THERE),
)


def _shown(machines: alt.Data, test: str) -> Any:
    return alt.Chart(machines).transform_filter(test).transform_calculate(**_READ)


def _floors(machines: alt.Data, *, others: bool) -> Any:
    """Return the curves of the machines drawn beside the reader's, with the axes of all; or of the reader's own."""
    curves = (
        _shown(machines, f"datum.beside && !({_OWN})" if others else _OWN)
        .transform_calculate(start=f"max({2**NARROWEST}, 1.001 * ({_POLE_OF}))", k=f"sequence(0, {_FINE + 1})")
        .transform_flatten(["k"])
        # The steeper the curve the more of its places lie there: close to its pole.
        .transform_calculate(x=f"datum.start * pow({2**WIDEST} / datum.start, pow(datum.k / {_FINE}, 3))")
        .transform_calculate(y=_FLOOR_AT)
        .transform_filter(_inside("b"))
        .transform_calculate(said=_ABOUT, set="{machine: datum.id}" if others else "null")
    )
    told = alt.Tooltip("said:N")
    if others:
        look = {"stroke": PX(f"{_LIT} ? '{theme.INK}' : '{theme.EDGE}'"), "strokeWidth": PX(f"{_LIT} ? 2 : 1")}
        line = curves.mark_line(**look).encode(**_axes("b"), detail=alt.Detail("id:N"), tooltip=told)
        return line.properties(name="note_machines")
    own = curves.mark_line(color=theme.INK, strokeWidth=2.5, strokeCap="round").encode(**XY, tooltip=told)
    return own.properties(name="note_own_floor")


_LIT = "datum.id === note_lit"
_ABOUT = (
    f"datum.name + '\\npole at a width of ' + format({_POLE_OF}, ',.3~r')"
    f" + '\\nthe widest layer needs ' + format({_FLOOR_END}, ',.3~r') + ' tokens'"
)


def _floor_ends(machines: alt.Data) -> Any:
    return _shown(machines, f"datum.beside || {_OWN}").transform_calculate(
        y=_FLOOR_END,
        ink=f"{_OWN} ? '{theme.INK}' : '{theme.MUTED}'",
        heavy=f"{_OWN} ? {theme.SEMIBOLD} : 400",
    )


def _pole(layout: Layout) -> Any:
    """Return the vertical at the width below which no batch reaches the balance of the reader's machine."""
    x = px("b", POLE, layout)
    return (
        alt.Chart(ONE)
        .transform_filter(f"{NO_FLOOR} === '' && {POLE} >= {2**NARROWEST} && {POLE} <= {2**WIDEST}")
        .mark_rule(color=theme.INK, strokeWidth=1, strokeDash=[2, 3])
        .encode(**rule(x, "0", x, down("b")))
        .properties(name="note_pole_line")
    )


def _marks(layout: Layout) -> Any:
    """Return a dot for each doubling of the width on the curve of the reader's machine; each says what it needs."""
    return (
        alt.Chart(Data([{"k": k, "f": 6.0} for k in range(NARROWEST, WIDEST + 1)]))
        .transform_calculate(x="pow(2, datum.k)")
        .transform_calculate(y=_FLOOR_THERE)
        .transform_filter(_inside("b"))
        .transform_calculate(
            said="'a GPT layer of width ' + format(datum.x, ',') + '\\nneeds ' + format(datum.y, ',.3~r') + ' tokens'"
        )
        .mark_point(shape="circle", filled=True, size=20 if layout.name == "wide" else 14, opacity=1)
        .encode(**XY, color=alt.ColorValue(theme.INK), tooltip=alt.Tooltip("said:N"))
        .properties(name="note_floor_dots")
    )


def _network(layout: Layout) -> Any:
    """Return the reader's network at its own width and floor."""
    needs = f"format({T_MIN}, ',.3~r') + ' ' + {WRITER.thing('true')}"
    said = f"'your network: width ' + format({WIDTH}, ',') + '\\nneeds ' + {needs}"
    return (
        alt.Chart(ONE)
        .transform_calculate(x=WIDTH, y=T_MIN, said=said)
        .transform_filter(_inside("b"))
        .mark_point(
            shape="circle", size=110 if layout.name == "wide" else 90, strokeWidth=2.5, fill=theme.PAPER, opacity=1
        )
        .encode(**XY, stroke=alt.StrokeValue(theme.INK), tooltip=alt.Tooltip("said:N"))
        .properties(name="note_network_point")
    )
