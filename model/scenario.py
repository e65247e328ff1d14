"""What a question is asked about: a machine, a format, a network, a batch, and whatever is set by hand.

A scenario is a mapping of keys to texts or numbers, the same on the command line, in the prose and in a link.
`base` turns it into the inputs of the formulas, each with where it came from. It is put together in layers
(constants, machine, format, network, batch, hand), so that the browser can put the same layers together.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from types import MappingProxyType
from typing import TypeVar

from model import inputs
from model.book import QUANTITIES
from model.bounds import BOUNDS, fault, indivisible, nearest, plain
from model.formula import Fork, Formula, Given, Quantity
from model.layers import (
    Layer,
    constants,
    format_layer,
    link_layer,
    machine_layer,
    network_layer,
    own_machine_layer,
    peak_layer,
    word,
)
from model.machine import FORMATS
from model.network import Network
from model.records import Catalogue
from model.units import parse

Settings = Mapping[str, str | float]

DEFAULT: Settings = MappingProxyType(
    {
        "machine": "h100-sxm5",
        "network": "generic-7b",
        "form": "plain",
        "T": 2048.0,
        "s": 2048.0,
        "micro_batches": 1.0,
        "devices": 64.0,
        "fabric": "nic",
    }
)
# Inputs that are seldom changed and stand outside the link unless set.
QUIET: Mapping[str, float] = MappingProxyType(
    {"tp": 1.0, "pp": 1.0, "ep": 1.0, "cp": 1.0, "tiles": 256.0, "T_tau": 256.0, "loss": 3.04, "hop_length": 0.0005}
    | {"span": 0.016, "tile_m": 128.0, "tile_n": 128.0, "image_side": 224.0, "attention_counted": 1.0}
)
CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "form": ("plain", "l2"),
        "fixed": ("all", "allreduce"),
        "zero": ("0", "1", "2", "3"),
        "axis": ("tp", "pp", "dp"),
        "policy": ("selective", "store-all", "inputs", "sqrt", "reversible"),
        "update": ("accumulate", "in-place"),
        "format": FORMATS,
    }
)
# What a choice is until somebody makes it.
FIRST: Mapping[str, str] = MappingProxyType({"fixed": "all", "zero": "0", "axis": "tp", "policy": "selective"})
# What a formula gives and a reader may know better.
_MEASURED = ("B_crit", "k", "dp", "mfu", "active_params")
_OWN_WORDS = ("gated", "tied")


_SHAPE = ("d", "L", "heads", "kv_heads", "head_dim", "d_ff", "gated", "vocab", "tied")
_MIXTURE = ("experts", "top_k", "shared_experts", "expert_d_ff", "dense_layers")
# What belongs to a machine or a network: it goes when another one is named.
BELONGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "machine": ("format", "peak", "bandwidth", "capacity", "cache", "keep", "linpack", "fabric"),
        "network": (*_SHAPE, *_MIXTURE),
    }
)
_LINKS = ("nic", "scale_up")


def over(settings: Settings, changes: Settings) -> dict[str, str | float]:
    """Return one scenario laid over another: another machine or network comes with its own figures."""
    gone = {key for kind, keys in BELONGS.items() if kind in changes for key in keys}
    kept = {key: value for key, value in settings.items() if key not in gone or value in _LINKS}
    return kept | dict(changes)


class ScenarioError(ValueError):
    """A key or a value that a scenario cannot have; `key` says which."""

    def __init__(self, key: str, message: str) -> None:
        self.key = key
        super().__init__(message)


class UnfitError(ScenarioError):
    """A key that there is not, or a value that its key never has: wrong whatever else the scenario holds."""


@cache
def settable() -> tuple[str, ...]:
    """Return every key that a scenario may set: names, choices, and numbers by hand."""
    numbers = tuple(key for key, quantity in QUANTITIES.items() if _is_number(quantity))
    return ("machine", "network", "fabric", *CHOICES, *_OWN_WORDS, *numbers)


def _is_number(quantity: Quantity) -> bool:
    derived = isinstance(quantity, Formula | Fork) and quantity.key not in _MEASURED
    return not derived and quantity.key not in (*CHOICES, "fabric", "family", "attention", "ring")


Keep = Callable[[Hashable, Callable[[], Layer]], Layer]


def _made(_name: Hashable, make: Callable[[], Layer]) -> Layer:
    return make()


def base(catalogue: Catalogue, scenario: Settings, keep: Keep = _made) -> Layer:
    """Return the inputs of all formulas for a scenario; what it leaves out comes from the default.

    keep returns a layer by its name where it has been made of this catalogue before; many scenarios share their layers.
    Raises ScenarioError for an unknown key or name (with the nearest ones), a wrong unit, a value out of range, and
    for a network by name together with one by hand.
    """
    known = settable()
    for key in scenario:
        if key not in known:
            raise UnfitError(key, f"unknown key '{key}'{_near(key, known)}")
    given = {key: str(value).strip() if isinstance(value, str) else value for key, value in scenario.items()}
    layer = keep("constants", partial(constants, catalogue)) | _batch(given) | _choices(given)
    layer |= keep(_name("machine", given, _OF_MACHINE), partial(_machine, catalogue, given))
    layer |= keep(_name("network", given, _OF_NETWORK), partial(_network, catalogue, given))
    layer |= _format(catalogue, given, str(layer["family"].value), keep)
    layer |= _hand(given)
    _experts(given, layer)
    _heads(given, layer)
    _replicas(given, layer)
    return layer | _groups(layer)


def _name(layer: str, given: Settings, keys: tuple[str, ...]) -> Hashable:
    return (layer, *((key, given[key]) for key in keys if key in given))


def _marked(layer: Layer, default: bool) -> Layer:
    """Return the layer, each part marked as coming from the default where the scenario did not name its row."""
    return {key: replace(given, default=True) for key, given in layer.items()} if default else layer


# What the layer of a machine, or of a network, is made of.
_OF_MACHINE = ("machine", "format", "fabric", "peak", "bandwidth")
_OF_NETWORK = ("network", "d", "L", "heads", "d_ff", "experts", *_OWN_WORDS)


def _machine(catalogue: Catalogue, given: Settings) -> Layer:
    return _marked(_of_machine(catalogue, given), "machine" not in given)


def _of_machine(catalogue: Catalogue, given: Settings) -> Layer:
    name = str(given.get("machine", DEFAULT["machine"]))
    if name == "own":
        return _own_machine(given)
    machine = _row(catalogue.machines, "machine", name)
    layer = machine_layer(catalogue, machine) | peak_layer(machine, str(given.get("format", machine.balance_format)))
    fabric = str(given.get("fabric", DEFAULT["fabric"]))
    if fabric in ("nic", "scale_up"):
        layer |= link_layer(machine, fabric)
    return layer


def _own_machine(given: Settings) -> Layer:
    for key in ("peak", "bandwidth"):
        if key not in given:
            raise ScenarioError(key, f"a machine of your own needs its {key}, as in {_EXAMPLES[key]}")
    return own_machine_layer()


_EXAMPLES = {"peak": "peak=989TFLOP/s", "bandwidth": "bandwidth=3.35TB/s"}


def _network(catalogue: Catalogue, given: Settings) -> Layer:
    return _marked(_of_network(catalogue, given), not {"network", "d", "L"} & set(given))


def _of_network(catalogue: Catalogue, given: Settings) -> Layer:
    shape = [key for key in ("d", "L") if key in given]
    if shape and "network" in given and given["network"] != "own":
        raise ScenarioError(shape[0], f"give a network or its {' and '.join(shape)}, not both")
    name = str(given.get("network", "own" if shape else DEFAULT["network"]))
    if name != "own":
        if words := [key for key in _OWN_WORDS if key in given]:
            raise ScenarioError(words[0], f"{words[0]} is for a network of your own: give network=own, d or L")
        return network_layer(_row(catalogue.networks, "network", name))
    return _own_network(given, catalogue.networks[str(DEFAULT["network"])])


def _own_network(given: Settings, like: Network) -> Layer:
    """Return a shape set by hand: GPT's where nothing else is said, with the default network's depth and vocabulary."""
    d = _number("d", given["d"]) if "d" in given else float(like.d or 1)
    heads = _number("heads", given["heads"]) if "heads" in given else max(1.0, d // 128)
    gated, tied = _yes("gated", given), _yes("tied", given)
    values = {
        "d": d,
        "L": float(like.L or 1),
        "heads": heads,
        "kv_heads": heads,
        "head_dim": d / heads,
        "d_ff": 4 * d,
        "vocab": float(like.vocab or 1),
        "mlp_matrices": 3.0 if gated else 2.0,
        "embeddings": 1.0 if tied else 2.0,
        "position_rows": 0.0,
        "shared_experts": 0.0,
        "dense_layers": 0.0,
    }
    if "experts" in given:
        values |= {"top_k": 1.0, "expert_d_ff": _number("d_ff", given["d_ff"]) if "d_ff" in given else 4 * d}
    layer = {key: Given(value=value, status="default", note=_GPT, default=True) for key, value in values.items()}
    layer["attention"] = word("grouped")
    layer["family"] = word("experts" if "experts" in given else "dense")
    return layer


_GPT = "GPT's shape, where nothing else is said"


_PART_OF = (("top_k", "experts"), ("ep", "experts"), ("dense_layers", "L"))


def _experts(given: Settings, layer: Layer) -> None:
    """Refuse experts for a network without them, and more of a part than there is of the whole."""
    if layer["family"].value != "experts":
        if words := [key for key in _MIXTURE if key in given]:
            raise ScenarioError(words[0], f"{words[0]}: this network has no experts; give network=own and experts")
        return
    for part, whole in _PART_OF:
        few, many = layer[part].value, layer[whole].value
        if isinstance(few, float) and isinstance(many, float) and few > many:
            raise ScenarioError(part, f"{part}: {plain(few)} is more than {whole}, {plain(many)}")


def _heads(given: Settings, layer: Layer) -> None:
    """Refuse heads that do not share out the width, or key-value heads that do not share out the heads."""
    named = [key for key in ("heads", "kv_heads", "d") if key in given]
    pairs = (("heads", "d"), ("kv_heads", "heads"))
    for part, whole in pairs if named else ():
        few, many = layer[part].value, layer[whole].value
        free = part == "heads" and ("heads" not in given or "head_dim" in given)
        if free or not isinstance(few, float) or not isinstance(many, float):
            continue
        if right := indivisible(few, many):
            key = part if part in given else named[0]
            raise ScenarioError(key, f"{key}: {plain(few)} {part} do not divide {whole}, {plain(many)}; {right}")


def _replicas(given: Settings, layer: Layer) -> None:
    """Refuse devices that make no whole number of replicas; too few for one do not fit, which is a state."""
    many, wide, deep = (float(layer[key].value or 0) for key in ("devices", "tp", "pp"))
    replica = wide * deep
    if "dp" not in given and many > replica and many % replica:
        key = next((key for key in ("devices", "tp", "pp") if key in given), "devices")
        right = nearest((many - many % replica, many - many % replica + replica))
        raise ScenarioError(key, f"{key}: {many:g} devices are no multiple of tp times pp, {replica:g}; {right}")


def _groups(layer: Layer) -> Layer:
    """Return the groups within data parallelism that there are too few replicas for: a state, they do not fit."""
    many, wide, deep = (float(layer[key].value or 0) for key in ("devices", "tp", "pp"))
    replicas = many / (wide * deep)
    wider = [key for key in ("ep", "cp") if float(layer[key].value or 0) > replicas >= 1]
    return {key: replace(layer[key], value=None, state="does-not-fit") for key in wider}


def _yes(key: str, given: Settings) -> bool:
    word = str(given.get(key, "0")).lower()
    if word not in ("0", "1", "0.0", "1.0", "true", "false"):
        raise UnfitError(key, f"{key} is 1 or 0, not '{word}'")
    return word in ("1", "1.0", "true")


def _batch(given: Settings) -> Layer:
    alone = "devices" in given and _number("devices", given["devices"]) == 1
    return {**_NUMBERS, "ring": word("none" if alone else "ring")}


_NUMBERS: Mapping[str, Given] = MappingProxyType(
    {
        key: Given(value=value, status="default", default=True)
        for key, value in (*DEFAULT.items(), *QUIET.items())
        if isinstance(value, float)
    }
)


def _choices(given: Settings) -> Layer:
    layer = {}
    for key, words in CHOICES.items():
        first = FIRST.get(key, DEFAULT.get(key))
        word = given.get(key, first)
        text = f"{word:g}" if isinstance(word, float | int) else word
        if text is None:
            continue
        if text not in words:
            hint = _near(text, words) or f"; one of {', '.join(words)}"
            raise UnfitError(key, f"unknown {key} '{text}'{hint}")
        named = key in given
        layer[key] = Given(value=text, status="by hand" if named else "default", default=not named)
    return layer


def _hand(given: Settings) -> Layer:
    """Return the numbers set by hand, in base units."""
    found = {}
    for key, value in given.items():
        if key in ("machine", "network", *CHOICES, *_OWN_WORDS):
            continue
        if key == "fabric" and value in ("nic", "scale_up"):
            continue
        found[key] = Given(value=_number(key, value))
    if "cache" in found:
        found["keep"] = found["cache"]
    return found


def _format(catalogue: Catalogue, given: Settings, family: str, keep: Keep) -> Layer:
    """Return the format's layer: the machine's own format, and how the network updates its weights, decide it."""
    name = str(given.get("machine", DEFAULT["machine"]))
    native = "bf16" if name == "own" else catalogue.machines[name].balance_format
    number_format = str(given.get("format", native))
    row = catalogue.networks.get(str(given.get("network", DEFAULT["network"])))
    usual = row.update if row and row.update and family == "counted" else "accumulate"
    update, default = str(given.get("update", usual)), "format" not in given and "machine" not in given

    def make() -> Layer:
        return _marked(format_layer(catalogue, number_format, update) | {"format": word(number_format)}, default)

    return keep(("format", number_format, update, default), make)


def _number(key: str, value: str | float) -> float:
    quantity = inputs.fabric if key == "fabric" else QUANTITIES[key]
    try:
        number = parse(value, quantity.unit, bits=BOUNDS[key].bits) if isinstance(value, str) else float(value)
    except ValueError as error:
        raise UnfitError(key, f"{key}: {error}") from None
    text = plain(value) if isinstance(value, float) and math.isfinite(value) else value
    if wrong := fault(key, text, number, quantity.unit):
        raise UnfitError(key, f"{key}: {wrong}")
    return number


Row = TypeVar("Row")


def _row(rows: Mapping[str, Row], kind: str, name: str) -> Row:
    if name not in rows:
        raise UnfitError(kind, f"unknown {kind} '{name}'{_near(name, rows)}")
    return rows[name]


def _near(word: str, known: Iterable[str]) -> str:
    names = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), list(names), n=3, cutoff=0.5)
    likeness = {name: difflib.SequenceMatcher(None, name, word.lower()).ratio() for name in close}
    # What is far less like it than the first was not meant: zero for netwrok.
    near = [f"'{names[name]}'" for name in close if likeness[name] > likeness[close[0]] - 0.15]
    return f"; did you mean {' or '.join(near)}?" if near else ""
