"""Scenarios that no reader can set: a batch or a text of no whole number of tokens, where the formulas hold as well."""

from __future__ import annotations

from model.formula import Given
from model.layers import Layer
from model.records import Catalogue
from model.scenario import Settings, base

REAL = ("T", "s")


def between(catalogue: Catalogue, scenario: Settings) -> Layer:
    """Return the inputs of a scenario whose tokens need not be whole numbers."""
    real = {key: Given(value=float(scenario[key])) for key in REAL if key in scenario}
    return base(catalogue, {key: value for key, value in scenario.items() if key not in real}) | real
