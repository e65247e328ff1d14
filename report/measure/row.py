"""What a measurement becomes: settings of a scenario, a link that opens the report with them, a row to paste."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Container
from urllib.parse import quote

import yaml

from model.units import Unit, unit
from report import rounding
from report.measure.measuring import Measured
from report.measure.steady import Rate

_DIGITS = 4
_BYTE, _WATT, _PER_BYTE, _PER_FLOP = unit("B"), unit("W"), unit("J/B"), unit("J/FLOP")
# What the report's own links leave as it is within a fragment.
_SAFE = "/"


def written(value: float, measured: Unit) -> str:
    """Return a value as a catalogue writes it: four digits, a prefix, a plain space."""
    return rounding.amount(value, rounding.label(measured), _DIGITS).replace(rounding.NBSP, " ")


def settings(found: Measured) -> dict[str, str]:
    """Return the scenario that reads the report on this machine, in the keys of `python -m model`."""
    facts, chosen = found.facts, found.peak[found.facts.balance_format]
    given = {
        "machine": "own",
        "peak": _of(chosen),
        "bandwidth": _of(found.bandwidth),
        "format": facts.balance_format,
    }
    if facts.capacity is not None:
        given["capacity"] = written(facts.capacity, _BYTE)
    if found.energy is not None:
        energy = found.energy
        given |= {"e_B": written(energy.e_B, _PER_BYTE), "e_F": written(energy.e_F, _PER_FLOP)}
        given |= {"static_power": written(energy.idle, _WATT)} if energy.idle > 0 else {}
    return {key: value.replace(" ", "") for key, value in given.items()}


def fragment(given: dict[str, str]) -> str:
    """Return settings as the fragment of a link; the page and the command read the same words."""
    return "#v=1&" + "&".join(f"{key}={quote(value, safe=_SAFE)}" for key, value in given.items())


def _of(rate: Rate) -> str:
    return written(rate.value, rate.unit)


def row(found: Measured, known: Container[str], year: int) -> str:
    """Return a row of content/catalogue/machines.yaml, indented as it stands there.

    What is measured is an estimate of what the machine can do, with the range that the repetitions gave: the maker's
    own figure is higher, and nobody has checked this one.
    """
    facts = found.facts
    entry = {
        "id": identity(facts.name, known),
        "name": facts.name,
        "short": facts.name[:24].strip(),
        "vendor": facts.vendor,
        "year": year,
        "kind": facts.kind,
        "trains": True,
        "balance_format": facts.balance_format,
        "peak": {name: _figure(rate) | {"sparsity": "dense"} for name, rate in found.peak.items()},
        "bandwidth": _figure(found.bandwidth),
    }
    if facts.capacity is not None:
        capacity = {"value": written(facts.capacity, _BYTE), "status": "secondary", "from": ["run"]}
        entry["capacity"] = capacity | {"note": "as the system reports it"}
    entry["note"] = _note(found)
    title = f"Measured on the machine with python -m model measure ({facts.how})"
    entry["sources"] = {"run": {"title": title, "year": year, "rank": "derived", "seen": True}}
    text = yaml.safe_dump([entry], sort_keys=False, default_flow_style=None, width=110, allow_unicode=True)
    text = text.replace(f"\n  year: {year}\n", f"\n  year: {year}  # of the measurement: when did it first ship?\n", 1)
    return textwrap.indent(text, "  ")


def identity(name: str, known: Container[str]) -> str:
    """Return an id that no row has yet, made of a name."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "machine"
    return f"{plain}-measured" if plain in known else plain


def _figure(rate: Rate) -> dict[str, object]:
    words = {"value": rate.value, "low": min(rate.low, rate.value), "high": max(rate.best, rate.value)}
    text: dict[str, object] = {key: written(value, rate.unit) for key, value in words.items()}
    note = f"{rate.says}, median of {rate.repeats} repetitions"
    return text | {"status": "estimate", "from": ["run"], "note": note + ("" if rate.steady else ", not steady")}


def _note(found: Measured) -> str:
    said = "Reached by the library named in the source, not the maker's peak."
    if found.energy is None:
        return said
    energy = found.energy
    prices = f"{written(energy.e_B, _PER_BYTE)} and {written(energy.e_F, _PER_FLOP)}"
    return f"{said} Above idle ({written(energy.idle, _WATT)}) it took {prices}, by {energy.counter}."
