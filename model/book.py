"""All quantities by key: what can be asked, and the one way to ask it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from types import MappingProxyType, ModuleType

from model import (
    capacity,
    decode,
    energy,
    formula,
    history,
    inputs,
    ledger,
    measured,
    roofline,
    spatial,
    step,
    tape,
    traffic,
    tricks,
    window,
)
from model.formula import Answer, Base, Coefficient, Memo, Quantity

CHAPTERS = (
    *(inputs, ledger, roofline, step, traffic, window, capacity, tape),
    *(energy, spatial, decode, history, tricks, measured),
)


def _declared(module: ModuleType) -> Iterator[Quantity]:
    for name, value in vars(module).items():
        if isinstance(value, Quantity) and not isinstance(value, Coefficient) and not name.startswith("_"):
            yield value


def _collect() -> dict[str, Quantity]:
    found: dict[str, Quantity] = {}
    for chapter in CHAPTERS:
        for quantity in _declared(chapter):
            if found.setdefault(quantity.key, quantity) is not quantity:
                raise ValueError(f"two quantities have the key '{quantity.key}'")
    return found


QUANTITIES: Mapping[str, Quantity] = MappingProxyType(_collect())


def quantity(key: str) -> Quantity:
    """Return the quantity of a key; raise KeyError whose message names the nearest ones."""
    if key not in QUANTITIES:
        near = difflib.get_close_matches(key, QUANTITIES, n=3, cutoff=0.5)
        raise KeyError(
            f"unknown quantity '{key}'" + (f"; did you mean {' or '.join(map(repr, near))}?" if near else "")
        )
    return QUANTITIES[key]


def ask(key: str, base: Base, memo: Memo | None = None) -> Answer:
    """Return the answer to a quantity, by key, on a scenario's inputs."""
    return formula.ask(quantity(key), base, memo)
