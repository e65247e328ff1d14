"""The figure of what matters most: how far each input, alone over its range, moves the four numbers of the argument.

Bars are drawn from what the cards say (report/cards.py), hollow towards the low end of an input's range and filled
towards its high end, as factors of the number; above them, in grey, all inputs drawn together.
Vega parameters, a contract with page and tests: sensitivity_head (a text for each number) and, one entry for each
row, sensitivity_name, _low, _high (factors), _text and _kind (what the input is about).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import altair as alt

from model.book import QUANTITIES
from model.formula import LIMITS
from model.records import Catalogue
from model.scenario import DEFAULT, base
from report import rounding
from report.asking import Reading, World
from report.cards import Card, Maker
from report.digits import label
from report.figures import parts, sensitivity_bars
from report.figures.expression import Signal
from report.figures.sensitivity_bars import MOST
from report.figures.theme import Layout
from report.numbers import Asked
from report.spread import Swing

ALT = (
    "Bars for the token floor, the least width, the utilization ceiling and the best batch: how far each input alone "
    "moves them over its own range. Bytes moved for each weight and token move them further than any data sheet."
)
WIDE = Layout(name="wide", width=860, height=588, left=150, right=170, top=4, bottom=24, text=14, small=13)
PHONE = Layout(name="phone", width=350, height=588, left=92, right=132, top=4, bottom=24, text=12, small=11)
LAYOUTS = (WIDE, PHONE)
# The numbers that the argument turns on, and what the figure calls them.
NUMBERS: Mapping[str, str] = {
    "T_min": "Token floor",
    "d_min": "Least width",
    "utilization_ceiling": "Utilization ceiling",
    "B_opt": "Best batch",
}
SHARES = ("utilization_ceiling",)
# The inputs that have a range, in as few words as a phone has room for, and what each is about.
INPUTS: Mapping[str, tuple[str, str]] = {
    "b_w": ("weight bytes", "bytes"),
    "a": ("activation bytes", "bytes"),
    "o": ("optimizer bytes", "bytes"),
    "g": ("all-reduce bytes", "fabric"),
    "f": ("operations", "arithmetic"),
    "peak": ("peak", "arithmetic"),
    "bandwidth": ("bandwidth", "bytes"),
    "fabric": ("fabric", "fabric"),
    "cache": ("cache", "capacity"),
    "B_star": ("critical batch", "statistics"),
    "alpha_B": ("its exponent", "statistics"),
}
ALL = ("all together", "all")
# The page's scenario tells the figure nothing by name: sensitivity.js asks the cards.
SIGNALS: Mapping[str, Signal] = {}
_ENDS = (0.4, 2.5)  # what goes farther is drawn to the edge


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What the figure draws: one row for each bar, and the parameters."""

    series: Sequence[Mapping[str, Any]]
    signals: Mapping[str, Any]


def rows(catalogue: Catalogue, settings: Mapping[str, str | float] = DEFAULT) -> Rows:
    """Return the bars of the four numbers on a scenario."""
    maker = Maker(World(QUANTITIES, partial(base, catalogue)), catalogue)
    given = tuple((key, value) for key, value in settings.items() if DEFAULT.get(key) != value)
    cards = {key: maker.card(Asked(maker.world, key, given, False)) for key in NUMBERS}
    values = {key: maker.world.answer(key, dict(given)).value for key in NUMBERS}
    bars = [_bars(key, values[key], card) for key, card in cards.items()]
    slots = [bar for found in bars for bar in [*found, *[_EMPTY] * (MOST + 1 - len(found))]]
    heads = [f"{name}, {_head(key, values[key], cards[key])}" for key, name in NUMBERS.items()]
    columns = {f"sensitivity_{part}": [bar[part] for bar in slots] for part in ("name", "low", "high", "text", "kind")}
    signals = {"sensitivity_head": heads, **columns, "sensitivity_from": _ENDS[0], "sensitivity_to": _ENDS[1]}
    return Rows(series=[bar["row"] for found in bars for bar in found], signals=signals)


def _head(key: str, value: float | None, card: Card) -> str:
    if value is None:
        return card.text
    return rounding.percent(value, 3) if key in SHARES else rounding.amount(value, label(card.unit), 3)


_EMPTY: Mapping[str, Any] = {"name": "", "low": 1, "high": 1, "text": "", "kind": ""}


def _bars(key: str, value: float | None, card: Card) -> list[dict[str, Any]]:
    """Return the bars of a number: all inputs together, then each alone, the farthest first; none without a value."""
    if card.spread is None or value is None:
        return []
    spread, low = card.spread, Reading(card.spread.low)
    high = Reading(math.inf if spread.high is None else spread.high, spread.state)
    found = [_bar(key, value, ALL, (low, high), card)]
    return found + [_alone(key, value, swing, card) for swing in spread.swings[:MOST]]


def _alone(key: str, value: float, swing: Swing, card: Card) -> dict[str, Any]:
    part = card.inputs[swing.place]
    return _bar(key, value, INPUTS.get(part.key, (part.key, "all")), swing.ends, card)


def _bar(key: str, value: float, called: tuple[str, str], ends: tuple[Reading, Reading], card: Card) -> dict[str, Any]:
    name, kind = called
    words = label(card.unit)
    low, high = (_factor(end, value) for end in ends)
    texts = [_text(key, end, words) for end in ends]
    row = {
        "number": NUMBERS[key],
        "input": name,
        "at_low_end": ends[0].value,
        "at_high_end": ends[1].value,
        "low_end": texts[0],
        "high_end": texts[1],
    }
    return {"name": name, "low": low, "high": high, "text": f"{texts[0]} to {texts[1]}", "kind": kind, "row": row}


def _factor(end: Reading, value: float) -> float:
    """Return how far an end lies from the number, as a factor that has a place in the figure."""
    if end.number is None:
        return _ENDS[1]
    return float(f"{min(max(end.number / value, _ENDS[0]), _ENDS[1]):.5g}")


def _text(key: str, end: Reading, words: rounding.Label) -> str:
    if end.number is None or math.isinf(end.number):
        return "∞" if end.state in LIMITS else rounding.DASH
    return rounding.percent(end.number, 3) if key in SHARES else rounding.bare(end.number, words, 3)


def data(drawn: Rows) -> Sequence[Mapping[str, Any]]:
    """Return the bars for the CSV and the JSON: the number at both ends of each input's range, in base units."""
    return [
        {key: value for key, value in row.items() if not key.endswith("_end") or "at_" in key} for row in drawn.series
    ]


def summary(drawn: Rows) -> Sequence[Mapping[str, Any]]:
    """Return the bars for a reader who does not see them: in words, as the cards write them."""
    return [{key: value for key, value in row.items() if "at_" not in key} for row in drawn.series]


def controls(_: Catalogue) -> list[dict[str, Any]]:
    """Return the figure's own controls: it has none."""
    return []


def chart(drawn: Rows, layout: Layout) -> Any:
    """Encode the rows for one layout: a group of bars for each number, on one scale of factors."""
    known = parts.params(drawn.signals, sensitivity_bars.derived())
    found = alt.layer(*sensitivity_bars.layers(layout, len(NUMBERS)), params=known)
    return parts.frame(found, "sensitivity_view", layout)
