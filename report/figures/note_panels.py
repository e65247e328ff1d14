"""The panels of the note's figure: sizes, heads, tables, and what follows from the signals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from model import ledger, roofline
from model.book import QUANTITIES
from model.formula import LIMITS
from model.inputs import T, a, d, f
from report.figures import theme
from report.figures.expression import Writer
from report.figures.parts import BOLD, ONE, PLACED, PX, decade, known
from report.figures.tables import Column, Row, Table, doublings
from report.figures.theme import Layout

DOUBLINGS = 20  # panel (a) runs from one token to 2^20
NARROWEST, WIDEST = 7, 15  # panel (b) runs from a width of 2^7 to one of 2^15
GUTTER = 164  # px between the panels beside each other: names of lines, then the ticks of the next

WRITER = Writer("note", T)
BETA = WRITER.value(roofline.beta)
T_MIN = WRITER.value(QUANTITIES["T_min"])
POLE = WRITER.value(QUANTITIES["d_min"])
B_W, I_L2 = WRITER.value(QUANTITIES["b_w"]), WRITER.value(QUANTITIES["I_L2"])
WIDTH, _FLOPS, _A = WRITER.value(d), WRITER.value(f), WRITER.value(a)
_OWN_INTENSITY = QUANTITIES["operational_intensity"]


def intensity(t: str) -> str:
    """Return the intensity of the reader's network at so many tokens, as a Vega expression."""
    return WRITER.text(_OWN_INTENSITY, t)


def _gpt(width: str, flops: str) -> dict[str, str]:
    """Return one GPT layer of a width in the place of a network, as Vega expressions."""
    weights = f"({ledger.gpt_params.vega({'d': f'({width})'})})"
    traffic = f"({ledger.gpt_traffic.vega({'d': f'({width})', 'a': _A})})"
    return {"P_a": weights, "P_r": weights, "reached_params": weights, "A": traffic, "f": flops}


def gpt_intensity(width: str, t: str, flops: str) -> str:
    """Return the intensity of a GPT layer of a width, as a Vega expression."""
    return WRITER.text(_OWN_INTENSITY, t, _gpt(width, flops))


def gpt_floor(width: str, machine: Mapping[str, str]) -> str:
    """Return the tokens at which a GPT layer of a width reaches a machine's balance, as a Vega expression."""
    return WRITER.text(QUANTITIES["T_min"], "note_T", {**_gpt(width, machine["f"]), **machine})


_HERE, _FIRST, _END = intensity("note_T"), intensity("1"), intensity(str(2**DOUBLINGS))


def gpt_pole(machine: Mapping[str, str]) -> str:
    """Return the width below which no batch reaches a machine's balance, as a Vega expression."""
    return WRITER.text(QUANTITIES["d_min"], "note_T", machine)


def derived() -> dict[str, str]:
    """Return the parameters that follow from the signals: the step's intensity, the ends of the axes, the heads."""
    here, beta = known("note_intensity", "1"), known(BETA, "1")
    each = {"beta": beta, "b_w": known(B_W, "1"), "f": known(_FLOPS, "1")}
    floor = roofline.examples_per_fetch.vega(each)
    first, end = known(_FIRST, "1"), known(_END, "1")
    return {
        "note_intensity": _HERE,
        "note_balance": f"isFinite(note_T) && note_intensity > 0 && {BETA} > 0 ? note_intensity / {BETA} : NaN",
        "note_a_lo": f"min(0.1, {decade(f'min({beta}, {here}, {first})', 'floor')})",
        "note_a_hi": f"max(1e4, {decade(f'max({beta}, {here}, {end})', 'ceil')})",
        "note_b_lo": f"min(100, {decade(known(T_MIN, floor), 'floor')}, {decade(floor, 'floor')})",
        "note_b_hi": f"max(1e5, {decade(f'{known(T_MIN, floor)} * 2', 'ceil')})",
    }


# --- sizes


def gap(layout: Layout) -> int:
    """Return the room between panels below each other, in px: an axis with its title, then a head."""
    return 96 if layout.name == "wide" else 104


def _rows(layout: Layout) -> int:
    """Return the height of panel (c), in px: the same at every size, since it holds rows of text."""
    return 128 if layout.name == "wide" else 196


def _lengths(panel: str, layout: Layout) -> tuple[int, int]:
    """Return what the panels leave out of the width and the height of the whole before they share it.

    A px of difference between the two makes Vega-Lite size each by a name of its own.
    """
    odd = panel == "b"
    rows = 1 if layout.name == "wide" else 2
    return (GUTTER + odd if layout.name == "wide" else 0), rows * gap(layout) + _rows(layout) + odd


def _parts(layout: Layout) -> tuple[int, int]:
    """Return how many panels with axes share the width, and how many the height."""
    return (2, 1) if layout.name == "wide" else (1, 2)


def sizes(layout: Layout) -> dict[str, str]:
    """Return the size of each panel as an expression of the whole, by the name that Vega-Lite gives it."""
    found = {}
    for panel in "ab":
        less, (columns, rows) = _lengths(panel, layout), _parts(layout)
        found[f"note_panel_{panel}_height"] = f"(height - {less[1]}) / {rows}"
        if columns > 1:
            found[f"note_panel_{panel}_width"] = f"(width - {less[0]}) / {columns}"
    return found


def size(panel: str, layout: Layout) -> dict[str, int]:
    """Return width and height of a panel with axes as the layout draws it, in px."""
    width, height = layout.plot
    less, (columns, rows) = _lengths(panel, layout), _parts(layout)
    return {"width": (width - less[0]) // columns, "height": (height - less[1]) // rows}


def across(panel: str, layout: Layout) -> str:
    """Return the signal that holds a panel's width; panel (c) has the width of the whole."""
    return f"note_panel_{panel}_width" if layout.name == "wide" and panel != "c" else "width"


def down(panel: str) -> str:
    """Return the signal that holds a panel's height."""
    return f"note_panel_{panel}_height"


def under(layout: Layout) -> str:
    """Return where panel (c) begins, in px from the top of the panel above it, whose group it shares."""
    return f"({down(above(layout))} + {gap(layout)})"


def edges(layout: Layout) -> tuple[str, str]:
    """Return where panel (c) begins and ends across, in px: a narrow one takes the room of the axes too."""
    return ("0", "width") if layout.name == "wide" else (f"{2 - layout.left}", f"(width + {layout.right - 2})")


def above(layout: Layout) -> str:
    """Return the panel above (c)."""
    return "a" if layout.name == "wide" else "b"


# --- heads

_ONE = f"({WRITER.thing()} === 'token' ? 'a token' : 'an example')"
_TITLES = {
    "a": "Intensity of a step, FLOP per byte",
    "b": "Tokens to reach the balance",  # the curves are of GPT layers, whatever the reader's network counts
    "c": f"Where the joules of ' + {_ONE} + ' go",
}
_AT = "'T = ' + format(note_T, ',') + ': '"
# Why no count of tokens can be asked for; that none is enough is an answer.
NO_FLOOR = f"(note_no_floor === '{LIMITS['no-batch']}' ? '' : note_no_floor)"
_BELOW = f"'d = ' + format({WIDTH}, ',') + ': ' + ({T_MIN} > 0 && isFinite({T_MIN}) ? "
_SAID = {
    "a": f"note_no_intensity !== '' ? note_no_intensity : !(note_balance > 0) ? '' : {_AT} + "
    "format(note_intensity, ',.3~r') + ' FLOP/B, ' + format(note_balance, ',.3~r') + ' times the balance'",
    "b": f"note_no_pole !== '' ? note_no_pole : {NO_FLOOR} !== '' ? {NO_FLOOR} : "
    f"{_BELOW} format({T_MIN}, ',.3~r') + ' ' + {WRITER.thing('true')} : "
    f"'no batch will do') + ({POLE} > 0 && isFinite({POLE}) ? '; pole at ' + format({POLE}, ',.3~r') : '')",
    "c": "note_unpriced === '' ? 'by when the step updates the weights' : 'not yours: ' + note_unpriced",
}

_INSTEAD = "'(c) Where the joules go: ' + note_instead"


def head(panel: str, layout: Layout) -> list[Any]:
    """Return the two lines above a panel: its title, and what it says of the reader's scenario."""
    line, top = round(layout.text * 1.35), under(layout) if panel == "c" else "0"
    left = edges(layout)[0] if panel == "c" else "0"
    text: dict[str, Any] = {"x": PX(left), "align": "left", "baseline": "alphabetic"}
    title = f"'({panel}) {_TITLES[panel]}'"
    title = f"note_unpriced === '' ? {title} : {_INSTEAD}" if panel == "c" else title
    first = alt.Chart(ONE).mark_text(**text, y=PX(f"{top} - {12 + line}"), text=PX(title), **BOLD)
    said = _SAID[panel] if layout.name == "wide" else _SAID[panel].replace(" times the balance", " × balance")
    second = alt.Chart(ONE).mark_text(
        **text, y=PX(f"{top} - 12"), text=PX(said), fontSize=layout.small, fill=theme.MUTED
    )
    named = {"title": first, "said": second}
    return [layer.encode(**PLACED).properties(name=f"note_{panel}_{part}") for part, layer in named.items()]


# --- tables

_CASE = {"tp": "1", "pp": "1", "zero": "1"}
# The four cases of panel (c): in words, and what they set.
CASES: tuple[tuple[str, Mapping[str, str]], ...] = (
    ("an update after every token", {**_CASE, "T": "1", "micro_batches": "1", "devices": "1"}),
    ("after one sequence, on one device", {**_CASE, "T": "=s", "micro_batches": "1", "devices": "1"}),
    ("after one sequence on each device", {**_CASE, "T": "=s", "micro_batches": "1"}),
    ("after 64 sequences on each device", {**_CASE, "T": "=s", "micro_batches": "64"}),
)
_WIDTHS = [Row(f"{2**k:,}", {"network": "own", "d": str(2**k)}) for k in range(NARROWEST, WIDEST + 1)]
TABLES: Mapping[str, Table] = {
    "a": Table(
        caption="(a) Intensity and balance",
        rows_are="T, tokens",
        rows=doublings("T", DOUBLINGS),
        columns=(
            Column("intensity", "operational_intensity"),
            Column("balance", "beta"),
            Column("share of peak at most", "overlapped_ceiling", "percent", 2),
        ),
    ),
    "b": Table(
        caption="(b) Tokens that a GPT layer needs on this machine, by its width",
        rows_are="d",
        rows=_WIDTHS,
        columns=(Column("to reach the balance", "T_min"),),
        of_texts=True,
    ),
    "c": Table(
        caption="(c) Energy of a token",
        rows_are="update",
        rows=[Row(words, changes) for words, changes in CASES],
        columns=(
            Column("energy of a token", "energy_per_token", "qty", 3),
            Column("arithmetic", "arithmetic_share", "percent", 2),
            Column("memory bytes", "memory_share", "percent", 2),
            Column("static power", "static_share", "percent", 2),
        ),
    ),
}
