"""The inputs of a scenario as model/scenario.py puts them together, each layer of a catalogue made once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial

from model import scenario
from model.layers import Layer, constants
from model.records import Catalogue
from model.scenario import Settings
from report import memory
from report.memory import Same

_LATEST: list[tuple[Catalogue, dict[Hashable, Layer]]] = []


def base(catalogue: Catalogue, settings: Settings) -> Layer:
    """Return the inputs of all formulas on a scenario; raise ScenarioError as the model does."""
    return scenario.base(catalogue, settings, partial(_kept, catalogue))


def always(catalogue: Catalogue) -> Layer:
    """Return the layer that is the same on every scenario."""
    return _kept(catalogue, "constants", partial(constants, catalogue))


def _kept(catalogue: Catalogue, name: Hashable, make: Callable[[], Layer]) -> Layer:
    if memory.active():
        return memory.recalled("layer", (Same(catalogue), name), make, again=True)
    if not _LATEST or _LATEST[0][0] is not catalogue:
        _LATEST[:] = [(catalogue, {})]
    layers = _LATEST[0][1]
    if name not in layers:
        layers[name] = make()
    return layers[name]
