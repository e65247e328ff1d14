"""A measurement in words to read, and as one JSON object with the same content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from model.formula import Answer
from model.units import unit
from report.measure.beside import Prediction, text_of
from report.measure.measuring import Measured
from report.measure.row import written
from report.measure.steady import Rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """All that is told about one device."""

    found: Measured
    answers: dict[str, Answer]
    predictions: Sequence[Prediction]
    row: str
    fragment: str
    link: str


def as_json(told: Told) -> dict[str, Any]:
    """Return everything in base units."""
    found, facts = told.found, told.found.facts
    return {
        "name": facts.name,
        "kind": facts.kind,
        "how": facts.how,
        "warning": facts.warning or None,
        "capacity": facts.capacity,
        "balance_format": facts.balance_format,
        "peak": {name: _rate(rate) for name, rate in found.peak.items()},
        "bandwidth": _rate(found.bandwidth),
        "balance": {name: rate.value / found.bandwidth.value for name, rate in found.peak.items()},
        "energy": asdict(found.energy) if found.energy else None,
        "no_energy": found.why or None,
        "predictions": [asdict(prediction) for prediction in told.predictions],
        "row": told.row,
        "fragment": told.fragment,
        "link": told.link,
    }


def _rate(rate: Rate) -> dict[str, Any]:
    return asdict(rate) | {"unit": str(rate.unit)}


def as_text(told: Told) -> str:
    """Return the measurement as paragraphs of lines."""
    return "\n\n".join([_rates(told), _energy(told), _row(told), f"The report on this machine:\n{told.link}"])


def _rates(told: Told) -> str:
    found, facts = told.found, told.found.facts
    lines = [f"{facts.name}: {facts.how}"]
    lines += [_line(f"peak {name}", rate) for name, rate in found.peak.items()]
    lines += [_line("bandwidth", found.bandwidth)]
    lines += [f"  {'balance ' + facts.balance_format:16} {text_of(told.answers['beta'])}"]
    lines += [f"  {'T_min':16} {text_of(told.answers['T_min'])} per weight visit for the report's default network"]
    lines += [f"  warning: {facts.warning}"] if facts.warning else []
    return "\n".join(lines)


def _line(name: str, rate: Rate) -> str:
    spread = f"within {100 * rate.spread:.1f} %" + ("" if rate.steady else ", NOT STEADY")
    fastest = f"fastest {written(rate.best, rate.unit)}"
    return f"  {name:16} {written(rate.value, rate.unit):16} {spread}; {fastest}; {rate.repeats} × {rate.says}"


def _energy(told: Told) -> str:
    energy = told.found.energy
    if energy is None:
        return f"No energy: {told.found.why}."
    lines = [f"Energy, by {energy.counter}"]
    measured = (("e_B", energy.e_B, "J/B"), ("e_F", energy.e_F, "J/FLOP"), ("static_power", energy.idle, "W"))
    for key, value, measure in measured:
        lines.append(f"  {key:16} {written(value, unit(measure)):16} measured")
        lines += [_beside(one, value) for one in told.predictions if one.key == key]
    for key, value in (("streaming_power", energy.stream), ("arithmetic_power", energy.matrix)):
        lines.append(f"  {key:16} {written(max(value - energy.idle, 0.0), unit('W')):16} measured, above idle")
        lines += [_beside(one, value - energy.idle) for one in told.predictions if one.key == key]
    return "\n".join(lines)


def _beside(one: Prediction, measured: float) -> str:
    if one.value is None:
        return f"  {'':16} {one.text} in the model for {one.machine}"
    times = f", measured is {measured / one.value:.2f} times that"
    return f"  {'':16} {one.text:16} in the model for {one.machine}{times}"


def _row(told: Told) -> str:
    return f"A row for content/catalogue/machines.yaml:\n\n{told.row.rstrip()}"
