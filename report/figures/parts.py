"""Small parts that figures share: parameters, ends of an axis, a label's width, labels that give way to each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2
from typing import Any

import altair as alt

from report.figures import theme
from report.figures.export import spelled
from report.figures.theme import Layout

PX = alt.ExprRef


class Data(alt.Data):
    """The rows that a chart draws, plain as JSON has them: its copies share them, where Altair would copy each row."""

    def __init__(self, values: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(values=list(values))

    def __deepcopy__(self, _memo: Any = None) -> Data:
        return self

    def to_dict(self, *_: Any, **__: Any) -> dict[str, Any]:
        """Return the rows as they are."""
        return dict(self._kwds)


ONE = Data([{}])
XY = {"x": alt.X("x:Q"), "y": alt.Y("y:Q")}
BOLD: Mapping[str, Any] = {"fontWeight": theme.SEMIBOLD}
PLACED = {"opacity": alt.OpacityValue(1)}  # a mark placed by hand needs an encoding all the same


def params(signals: Mapping[str, Any], derived: Mapping[str, str]) -> list[alt.VariableParameter]:
    """Return the parameters of a chart: what the page tells it, then what follows from that."""
    given = [{"name": name, **spelled(value, "expr")} for name, value in signals.items()]
    follows = [{"name": name, "expr": text} for name, text in derived.items()]
    return [alt.VariableParameter(**{**one, "name": alt.ParameterName(one["name"])}) for one in (*given, *follows)]


def slider(name: str, param: str, label: str, most: int, value: float) -> dict[str, Any]:
    """Return a control that moves a key of the scenario by doublings, from 1 to 2^most."""
    moves = {"kind": "range", "id": name, "key": "", "param": param, "label": label}
    return {**moves, "min": 0, "max": most, "step": 1, "value": log2(value)}


def frame(chart: Any, name: str, layout: Layout) -> Any:
    """Return a chart with the name, the size and the look that every figure of a layout has."""
    width, height = layout.plot
    return chart.properties(
        name=name, width=width, height=height, padding=layout.padding, autosize="none", config=theme.config(layout)
    )


# --- Vega expressions


def known(text: str, otherwise: str) -> str:
    """Return a value where it has a place on a logarithmic axis, else another."""
    return f"({text} > 0 && isFinite({text}) ? {text} : {otherwise})"


def decade(text: str, rounded: str) -> str:
    """Return the power of ten at or below (floor), at or above (ceil) a value."""
    return f"pow(10, {rounded}(log({text}) / LN10))"


def decades(low: str, high: str) -> str:
    """Return how many decades lie between two values."""
    return f"round(log(({high}) / ({low})) / LN10)"


def letters(text: str, size: int) -> str:
    """Return about how wide a text is, in px."""
    return f"{size * theme.LETTER:g} * length({text})"


# --- places


def rule(x: str, y: str, x2: str, y2: str) -> dict[str, Any]:
    """Return the encoding of a straight line between two places in px."""
    places = {"x": (alt.XValue, x), "y": (alt.YValue, y), "x2": (alt.X2Value, x2), "y2": (alt.Y2Value, y2)}
    return {name: channel(PX(text)) for name, (channel, text) in places.items()}


def apart(chart: Any, step: float | str, top: float = 2) -> Any:
    """Return a chart whose rows, asking for places `at` in px, are put in places `put` at least a step apart.

    Keeping every distance, all rows can give way downwards or all upwards: a running maximum or minimum of what each
    asks for. The mean of both keeps the distances too, and stays near; a last pass heeds the upper edge.
    """
    down = [alt.SortField("at", "ascending"), alt.SortField("id", "ascending")]
    up = [alt.SortField("at", "descending"), alt.SortField("id", "descending")]
    return (
        chart.transform_window([{"op": "row_number", "as": "i"}], sort=down, frame=[None, 0])
        .transform_calculate(asks=f"datum.at - {step} * datum.i")
        .transform_window([{"op": "max", "field": "asks", "as": "lower"}], sort=down, frame=[None, 0])
        .transform_window([{"op": "min", "field": "asks", "as": "upper"}], sort=up, frame=[None, 0])
        .transform_calculate(mean=f"max((datum.lower + datum.upper) / 2, {top} - {step} * datum.i)")
        .transform_window([{"op": "max", "field": "mean", "as": "kept"}], sort=down, frame=[None, 0])
        .transform_calculate(put=f"datum.kept + {step} * datum.i")
    )


def row(layout: Layout) -> int:
    """Return the height of a row of small text, in px."""
    return round(layout.small * 1.35)
