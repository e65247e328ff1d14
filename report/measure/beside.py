"""What the model says beside a measurement: the balance, and the energy prices that the catalogue holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model.book import ask
from model.formula import Answer
from model.records import Catalogue
from model.scenario import base
from report.ask import said
from report.measure.row import written


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """One quantity of one machine of the catalogue, in base units, with the range that is published."""

    key: str
    machine: str
    value: float | None
    low: float | None
    high: float | None
    text: str


def answers(catalogue: Catalogue, settings: Mapping[str, str]) -> dict[str, Answer]:
    """Return the balance of the measured machine, and what the default network needs on it."""
    layer = base(catalogue, settings)
    return {key: ask(key, layer) for key in ("beta", "T_min")}


def predictions(catalogue: Catalogue, machine: str | None) -> list[Prediction]:
    """Return the prices of a byte, of an operation and of time on a machine; None: on all that have them.

    Raises ScenarioError for a machine that the catalogue does not hold.
    """
    return [
        _prediction(catalogue, key, name)
        for name in ([machine] if machine else priced(catalogue))
        for key in ("e_B", "e_F", "static_power", "streaming_power", "arithmetic_power")
    ]


def priced(catalogue: Catalogue) -> Sequence[str]:
    """Return the machines whose byte has a price, in the order of the catalogue."""
    return [name for name in catalogue.machines if catalogue.price("e_B", name)]


def _prediction(catalogue: Catalogue, key: str, machine: str) -> Prediction:
    answer = ask(key, base(catalogue, {"machine": machine}))
    given = answer.given
    low, high = (given.low, given.high) if given else (None, None)
    return Prediction(key=key, machine=machine, value=answer.value, low=low, high=high, text=text_of(answer))


def text_of(answer: Answer) -> str:
    """Return a value as a catalogue writes it, or the words of its state."""
    return said(answer) if answer.value is None else written(answer.value, answer.quantity.unit)
