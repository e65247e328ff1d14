"""Writes the model's script: the formulas as JavaScript, the catalogue rows that the reader can pick, the defaults.

One classic script, model.js, defines globalThis.model. Its formulas are printed from the expressions of model/, its
rules are plain files beside the style sheet, its data comes from the catalogue; a test holds both languages equal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from model.book import QUANTITIES
from model.bounds import BOUNDS, written
from model.formula import LIMITS, STATES, Fork, Formula, Given, Quantity
from model.layers import (
    Layer,
    format_layer,
    link_layer,
    machine_layer,
    network_layer,
    own_machine_layer,
    peak_layer,
)
from model.machine import FORMATS
from model.records import Catalogue
from model.scenario import BELONGS, CHOICES, DEFAULT, FIRST, QUIET, settable
from model.units import DERIVED, WORDS, countable
from report.given import always
from report.memory import Same, recalled

PARTS = ("format.js", "ask.js", "scenario.js")
EXPORTS = (
    "ask, baseOf, over, isLink, readLink, writeLink, differing, Refused, numberFor, k, op, lt, le, gt, ge, and, or, "
    "not, sig, qty, percent, count, upto, exact, amount, bare, held, LIMITS, STATES, SCHEMA, LAYERS"
)


def model_script(catalogue: Catalogue, static: Path) -> str:
    """Return model.js: data first, then the rules, in one scope of their own."""
    rules = "\n".join((static / name).read_text(encoding="utf-8") for name in PARTS)
    return "\n".join(
        (
            '"use strict";',
            "globalThis.model = (() => {",
            f"const LIMITS = {script(sorted(LIMITS))}, STATES = {script(dict(STATES))};",
            f"const QUANTITIES = {{\n{_quantities()}\n}};",
            f"const SCHEMA = {script(schema())};",
            f"const LAYERS = {script(layers(catalogue))};",
            rules,
            f"return {{ {EXPORTS} }};",
            "})();",
            "",
        )
    )


def script(value: object) -> str:
    """Return a value as a JavaScript literal that is safe in a script element as well."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _quantities() -> str:
    return ",\n".join(
        f"{key}: {_entry(entry)}" for key, entry in QUANTITIES.items() if isinstance(entry, Formula | Fork)
    )


def _entry(entry: Quantity) -> str:
    if isinstance(entry, Fork):
        branches = ", ".join(f"{script(word)}: {_entry(branch)}" for word, branch in entry.branches.items())
        return f"{{by: {script(entry.by.key)}, to: {{{branches}}}}}"
    assert isinstance(entry, Formula)
    keys = ", ".join(part.key for part in entry.inputs)
    guards = ", ".join(f"[({keys}) => {test}, {script(state)}]" for _, test, state in entry.guard_texts)
    inputs = script([part.key for part in entry.inputs])
    return f"{{i: {inputs}" + (f", g: [{guards}]" if guards else "") + f", f: ({keys}) => {entry.javascript}}}"


def schema() -> dict[str, Any]:
    """Return the rules of a scenario as data: keys, defaults, choices, the unit of each number, the unit words."""
    names = {"machine", "network", "gated", "tied", *CHOICES}
    numbers = [key for key in settable() if key not in names]
    texts = {key: f"{value:.10g}" if isinstance(value, float) else value for key, value in DEFAULT.items()}
    return {
        "keys": list(settable()),
        "default": texts,
        "batch": {key: value for key, value in (*DEFAULT.items(), *QUIET.items()) if isinstance(value, float)},
        "choices": {key: list(words) for key, words in CHOICES.items()},
        "first": {**FIRST, "form": DEFAULT["form"]},
        "numbers": {key: _measured(key) for key in numbers},
        "words": {word: [DERIVED.get(base, {base: 1}), factor] for word, (base, factor) in WORDS.items()},
        "parts": {kind: list(keys) for kind, keys in BELONGS.items()},
        "counts": sorted({_measured(key)["unit"] for key in numbers if countable(QUANTITIES[key].unit)} - {""}),
    }


def _measured(key: str) -> dict[str, Any]:
    """Return how a number is measured, what it lies between, and the words for both ends."""
    unit, bounds = QUANTITIES[key].unit, BOUNDS[key]
    ends = [bounds.low, bounds.high, written(bounds.low, unit), written(bounds.high, unit)]
    found = {"unit": "" if str(unit) == "1" else str(unit), "whole": bounds.whole, "ends": ends}
    return found if bounds.bits else found | {"bytes": True}


Written = Callable[[Mapping[str, Given]], dict[str, Any]]


def layers(catalogue: Catalogue, written: Written | None = None) -> dict[str, Any]:
    """Return the parts from which the browser puts a scenario's inputs together; written says what of each input."""
    written, updates = written or plain, CHOICES["update"]
    return {
        "constants": written(always(catalogue)),
        "own": written(own_machine_layer()),
        "machines": {
            name: recalled("machine", (Same(catalogue), name), partial(_machine, catalogue, name)).written(written)
            for name in catalogue.machines
        },
        "networks": {
            name: recalled("network", (Same(catalogue), name), partial(_network, catalogue, name)).written(written)
            for name in catalogue.networks
        },
        "formats": {
            name: {update: written(format_layer(catalogue, name, update)) for update in updates} for name in FORMATS
        },
    }


@dataclass(frozen=True, slots=True)
class _Machine:
    """The layers of a machine: its own, its peak at each format, its links."""

    format: str
    peak: Mapping[str, Layer]
    links: Mapping[str, Layer]
    layer: Layer

    def written(self, written: Written) -> dict[str, Any]:
        return {
            "format": self.format,
            "peak": {name: written(layer)["peak"] for name, layer in self.peak.items()},
            **{name: written(layer)["fabric"] for name, layer in self.links.items()},
            "layer": written(self.layer),
        }


def _machine(catalogue: Catalogue, name: str) -> _Machine:
    row = catalogue.machines[name]
    return _Machine(
        format=row.balance_format,
        peak={name: peak_layer(row, name) for name in row.peak},
        links={name: link_layer(row, name) for name in ("nic", "scale_up")},
        layer=machine_layer(catalogue, row),
    )


@dataclass(frozen=True, slots=True)
class _Network:
    """The layer of a network, and how it updates its weights where its row says so."""

    layer: Layer
    update: str

    def written(self, written: Written) -> dict[str, Any]:
        return {"layer": written(self.layer), **({"update": self.update} if self.update else {})}


def _network(catalogue: Catalogue, name: str) -> _Network:
    row = catalogue.networks[name]
    return _Network(network_layer(row), row.update or "")


def plain(layer: Mapping[str, Given]) -> dict[str, Any]:
    """Return a layer without its provenance: a number, a word, or {s: state}."""
    return {key: {"s": given.state} if given.state else given.value for key, given in layer.items()}


def index_script(numbers: Iterable[str], claims: Iterable[str]) -> str:
    """Return a page's own script: its live numbers and claims as functions over the model's helpers."""
    body = ",\n".join(numbers), ",\n".join(claims)
    return "\n".join(
        (
            '"use strict";',
            "globalThis.index = (q => {",
            "const { k, op, lt, le, gt, ge, and, or, not } = model;",
            f"return {{ numbers: {{\n{body[0]}\n}}, claims: {{\n{body[1]}\n}} }};",
            "});",
            "",
        )
    )


def choices_script(choices: Mapping[str, object]) -> str:
    """Return the script of what the bar offers."""
    return f'"use strict";\nglobalThis.choices = {script(choices)};\n'
