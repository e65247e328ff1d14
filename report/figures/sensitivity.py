"""The figure of what matters most: how far each input, alone over its range, moves the four numbers of the argument.

Bars are drawn from what the cards say (report/cards.py), hollow towards the low end of an input's range and filled
towards its high end, as factors of the number; above them, in grey, all inputs drawn together.
Vega parameters, a contract with page and tests: sensitivity_heads (of each number text, place, how many bars),
sensitivity_bars (name, text, kind, place; low and high as factors, null where there is no end), sensitivity_rows (how
many rows these places count), sensitivity_from and _to (the ends of the scale).
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
from model.scenario import DEFAULT
from report import rounding
from report.asking import Reading, World
from report.cards import Card, Maker
from report.digits import label
from report.figures import parts, sensitivity_bars
from report.figures.expression import Signal
from report.figures.sensitivity_bars import GAP, HEAD, KEY, MOST
from report.figures.theme import Layout
from report.given import base
from report.questions import Asked
from report.spread import Swing

ALT = (
    "Bars for the token floor, the least width, the utilization ceiling and the best batch: how far each input alone "
    "moves them over its own range, the one that moves them farthest first, under a bar for all inputs together."
)
WIDE = Layout(name="wide", width=860, height=588, left=130, right=190, top=4, bottom=24, text=14, small=13)
PHONE = Layout(name="phone", width=350, height=588, left=88, right=128, top=4, bottom=24, text=12, small=11)
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
    "parameters": ("parameters", "bytes"),
    "connections": ("connections", "arithmetic"),
}
ALL = ("all together", "all")
# The page's scenario tells the figure nothing by name: sensitivity.js asks the cards, and is this module's twin.
SIGNALS: Mapping[str, Signal] = {}
# The scale reaches as far as the bars, within these factors; what goes farther is drawn to the edge, with a mark.
_LEAST, _MOST, _ROOM, _ENDLESS = 1.25, 4.0, 1.05, 1.4


def words() -> dict[str, Any]:
    """Return what the figure calls its numbers and inputs, for sensitivity.js."""
    return {"numbers": NUMBERS, "shares": SHARES, "inputs": INPUTS, "all": ALL}


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
    groups = {key: _bars(key, values[key], card) for key, card in cards.items()}
    heads, bars, at = [], [], KEY
    counted = base(catalogue, settings)["family"].value == "counted"
    for key, group in groups.items():
        said = f"{NUMBERS[key]}, {_head(key, values[key], cards[key])}"
        heads.append({"text": _of_examples(said) if counted else said, "at": at, "bars": len(group)})
        bars += [{**bar, "at": at + HEAD + place} for place, bar in enumerate(group)]
        at += HEAD + len(group) + GAP
    signals: dict[str, Any] = {
        "sensitivity_heads": heads,
        "sensitivity_bars": [{name: part for name, part in bar.items() if name != "row"} for bar in bars],
        "sensitivity_rows": at,
        **_scale([bar[end] for bar in bars for end in ("low", "high")]),
    }
    names = {name: _of_examples(name) if counted else name for name in NUMBERS.values()}
    return Rows(series=[{**bar["row"], "number": names[bar["row"]["number"]]} for bar in bars], signals=signals)


def _scale(factors: Sequence[float | None]) -> dict[str, float]:
    """Return the ends of the scale: as far as the bars go, with room beyond where one has no end."""
    known = [1.0, *(factor for factor in factors if factor is not None)]
    room = _ENDLESS if None in factors else _ROOM
    low, high = max(min(known) / _ROOM, 1 / _MOST), min(max(known) * room, _MOST)
    ends = {"from": min(low, 1 / _LEAST), "to": max(high, _LEAST)}
    return {f"sensitivity_{name}": float(f"{end:.5g}") for name, end in ends.items()}


def _of_examples(said: str) -> str:
    """Return what is said of tokens as it is of a network without them."""
    return said.replace("Token", "Example").replace("token", "example")


def _head(key: str, value: float | None, card: Card) -> str:
    if value is None:
        return card.text
    return rounding.percent(value, 3) if key in SHARES else rounding.amount(value, label(card.unit), 3)


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
    return {"name": name, "low": low, "high": high, "text": _between(*texts), "kind": kind, "row": row}


def _between(low: str, high: str) -> str:
    """Return both ends in words; a word for the millions, or a unit, that both have is said once."""
    number, _, word = low.partition(rounding.NBSP)
    return f"{number if word and high.endswith(rounding.NBSP + word) else low} to {high}"


def _factor(end: Reading, value: float) -> float | None:
    """Return how far an end lies from the number, as a factor; none where it has no end."""
    if end.number is None or math.isinf(end.number):
        return None
    return float(f"{end.number / value:.5g}")


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


def says(drawn: Rows) -> str:
    """Return what the figure says in words; sensitivity.js says the same of the reader's scenario."""
    heads, bars = drawn.signals["sensitivity_heads"], drawn.signals["sensitivity_bars"]
    starts = [*(head["at"] for head in heads[1:]), math.inf]
    groups = [[bar for bar in bars if head["at"] < bar["at"] < end] for head, end in zip(heads, starts, strict=True)]
    return " ".join(_sentence(head["text"], group) for head, group in zip(heads, groups, strict=True))


def _sentence(head: str, bars: Sequence[Mapping[str, Any]]) -> str:
    if not bars:
        return f"{head}."
    parts = [f"{bar['name']} {bar['text']}" for bar in bars[:3]]
    return f"{head}: {'; '.join(parts)}."


def controls(_: Catalogue) -> list[dict[str, Any]]:
    """Return the figure's own controls: it has none."""
    return []


def chart(drawn: Rows, layout: Layout) -> Any:
    """Encode the rows for one layout: a group of bars for each number, on one scale of factors."""
    known = parts.params(drawn.signals, sensitivity_bars.derived())
    found = alt.layer(*sensitivity_bars.layers(layout), params=known)
    return parts.frame(found, "sensitivity_view", layout)
