"""The inputs of a scenario as model/scenario.py puts them together, each layer of a catalogue made once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import partial

from model import scenario
from model.layers import Layer, constants
from model.records import Catalogue
from model.scenario import Settings, UnfitError
from report import memory
from report.memory import Same

_LATEST: list[tuple[Catalogue, dict[Hashable, Layer]]] = []


def base(catalogue: Catalogue, settings: Settings) -> Layer:
    """Return the inputs of all formulas on a scenario; raise ScenarioError as the model does."""
    return scenario.base(catalogue, settings, partial(_kept, catalogue))


def faults(make: Callable[[Settings], object], settings: Settings, *, whole: bool = True) -> Iterator[ValueError]:
    """Yield what a scenario cannot have: its first mistake, and every other that is wrong by itself.

    Without the key that was told the rest is looked at again, and what does not go together there may follow from its
    want. whole says that no key is wanting yet.
    """
    left = dict(settings)
    while True:
        try:
            make(left)
        except ValueError as error:
            alone = isinstance(error, UnfitError) and left.pop(error.key, None) is not None
            if alone or whole:
                yield error
            if not alone:
                return
            whole = False
        else:
            return


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
