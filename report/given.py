"""The inputs of a scenario as model/scenario.py puts them together, the constants of a catalogue only once."""

from __future__ import annotations

from model import scenario
from model.layers import Layer, constants
from model.records import Catalogue
from model.scenario import Settings
from report import memory
from report.memory import Same

_LATEST: list[tuple[Catalogue, Layer]] = []


def base(catalogue: Catalogue, settings: Settings) -> Layer:
    """Return the inputs of all formulas on a scenario; raise ScenarioError as the model does."""
    return scenario.base(catalogue, settings, always(catalogue))


def always(catalogue: Catalogue) -> Layer:
    """Return the layer that is the same on every scenario."""
    if memory.active():
        return memory.recalled("constants", Same(catalogue), lambda: constants(catalogue), again=True)
    if not _LATEST or _LATEST[0][0] is not catalogue:
        _LATEST[:] = [(catalogue, constants(catalogue))]
    return _LATEST[0][1]
