"""What the catalogue knows about a network: a transformer by its shape, an older one by its layers.

Counts of transformers are formulas of the ledger. Here are only the sums over an itemised list of layers, by which
the networks of the 1980s and the convolutional ones are counted: weights, biases, connections (uses of a weight in
one forward pass of one pattern), parameters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from model import bounds
from model.figure import CITED, Figure, Provenance, Source, Status

_PARAMETERS = {"unit": "param", "low": 1.0, "high": 1e15}
_CONNECTIONS = {"unit": "connection", "low": 1.0, "high": 1e15}
_TOKENS = {"unit": "token", "low": 1.0, "high": 1e16}
_COUNT: dict[str, Any] = {"low": 1, "high": 10**12}


def _count() -> Any:
    return field(default=None, metadata=_COUNT)


def _of(key: str) -> Any:
    """Return a field that holds what a scenario may set too, within the same bounds."""
    return field(default=None, metadata=bounds.field(key))


@dataclass(frozen=True, slots=True, kw_only=True)
class Positions:
    """What tells a transformer where a token stands, if it holds weights: learned rows, or one d x d matrix a layer."""

    rows: int | None = _count()
    relative: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Latent:
    """Ranks and head widths of multi-head latent attention; the value head has the width `v_dim`."""

    q_rank: int = field(metadata=_COUNT)
    kv_rank: int = field(metadata=_COUNT)
    qk_nope_dim: int = field(metadata=_COUNT)
    qk_rope_dim: int = field(metadata=_COUNT)
    v_dim: int = field(metadata=_COUNT)


# What a layer of each kind must say of itself.
_NEEDS: Mapping[str, tuple[str, ...]] = {
    "full": ("inputs", "units"),
    "convolution": ("kernel", "channels", "maps", "positions"),
    "sum": ("maps", "positions"),
    "scale": ("maps",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """`repeat` equal layers of a network without attention.

    full: each of `units` units sees all `inputs`. convolution: each of `maps` maps has `positions` units that share
    `kernel` x `in` weights. sum: each map has one weight, and one unit that adds its `positions` inputs. scale: one
    factor and one offset a map, as in a normalisation; no product of matrices.
    """

    kind: Literal["full", "convolution", "sum", "scale"]
    what: str = ""
    inputs: int | None = _count()
    units: int | None = _count()
    kernel: int | None = _count()
    channels: int | None = field(default=None, metadata={**_COUNT, "key": "in"})
    maps: int | None = _count()
    positions: int | None = _count()
    bias: Literal["unit", "map", "none"] = "unit"
    repeat: int = field(default=1, metadata=_COUNT)
    # It sees the network's inputs; the first layer of a list always does.
    sees_input: bool = False

    def _sizes(self) -> tuple[int, ...]:
        found = tuple(getattr(self, name) for name in _NEEDS[self.kind])
        if None in found:
            raise ValueError(f"a {self.kind} layer needs {', '.join(_NEEDS[self.kind]).replace('channels', 'in')}")
        return found

    @property
    def weights(self) -> int:
        """Return the trainable weights, biases apart, in param."""
        sizes = self._sizes()
        shared = self.kind in ("convolution", "sum")
        return self.repeat * math.prod(sizes[:-1] if shared else sizes)

    @property
    def outputs(self) -> int:
        """Return the units of the layer: places that hold a value of their own; none for a scale."""
        sizes = self._sizes()
        per_layer = {"full": sizes[-1], "convolution": math.prod(sizes[2:]), "sum": sizes[0], "scale": 0}
        return self.repeat * per_layer[self.kind]

    @property
    def biases(self) -> int:
        """Return the trainable biases, in param."""
        if self.bias == "none":
            return 0
        return self.repeat * (self.maps or 0) if self.bias == "map" else self.outputs

    @property
    def products(self) -> int:
        """Return the multiply-adds of one forward pass of one pattern: uses of a weight, biases apart."""
        if self.kind == "scale":
            return 0
        return self.weights * ((self.positions or 1) if self.kind != "full" else 1)

    @property
    def connections(self) -> int:
        """Return the uses of a weight or a bias in one forward pass of one pattern."""
        return self.products + (self.outputs if self.bias != "none" else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """One row of the networks catalogue. A field that is absent does not apply, or was never published.

    Plain numbers rest on the row's own status and sources; `weaker` names those that rest on less.
    """

    id: str
    name: str
    short: str
    year: int = field(metadata={"low": 1950, "high": 2035})
    kind: Literal["dense", "moe", "encoder", "cnn", "mlp"]
    status: Status
    cited: tuple[str, ...] = field(metadata=CITED)
    weaker: Mapping[str, Provenance] = field(default_factory=dict, metadata={"refs": "fields"})
    sources: Mapping[str, Source]
    note: str = ""
    # The shape of a transformer. d_ff of a mixture is that of its dense layers, where it has any.
    d: int | None = _of("d")
    L: int | None = _of("L")
    heads: int | None = _of("heads")
    kv_heads: int | None = _of("kv_heads")
    head_dim: int | None = _of("head_dim")
    d_ff: int | None = _of("d_ff")
    gated: bool | None = None
    vocab: int | None = _of("vocab")
    tied: bool | None = None
    s: int | None = _of("s")
    positions: Positions | None = None
    token_types: int | None = _count()
    experts: int | None = _of("experts")
    top_k: int | None = _of("top_k")
    shared_experts: int | None = _of("shared_experts")
    expert_d_ff: int | None = _of("expert_d_ff")
    dense_layers: int | None = _of("dense_layers")
    latent: Latent | None = None
    # How it was trained, in tokens.
    train_tokens: Figure | None = field(default=None, metadata=_TOKENS)
    batch_tokens: Figure | None = field(default=None, metadata=_TOKENS)
    # A network without attention, and how it was trained, in patterns.
    layers: tuple[Layer, ...] = ()
    direct: int | None = _count()
    weights: int | None = _count()
    biases: int | None = _count()
    products: int | None = _count()
    first_products: int | None = _count()
    parameters: Figure | None = field(default=None, metadata=_PARAMETERS)
    connections: Figure | None = field(default=None, metadata=_CONNECTIONS)
    patterns: int | None = _count()
    sweeps: int | None = _count()
    presentations: int | None = _count()
    patterns_per_update: int | None = _count()
    update: Literal["in-place", "accumulate"] | None = None
    rule: str = ""
    machine: str | None = field(default=None, metadata={"refs": "machines"})
    ran_on: str = ""
    run_time: str = ""
    # What its makers print for the whole, and how near a count from the shape must come.
    published: Mapping[Literal["total", "active"], Figure] = field(default_factory=dict, metadata=_PARAMETERS)
    tolerance: float | None = field(default=None, metadata={"low": 1e-9, "high": 0.1})
    tolerance_active: float | None = field(default=None, metadata={"low": 1e-9, "high": 0.1})
    tolerance_why: str = ""

    def provenance(self, name: str) -> Provenance:
        """Return what the plain number in the field `name` rests on."""
        return self.weaker.get(name) or Provenance(status=self.status, sources=self.cited)


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """The counts of a network that is itemised layer by layer: param, and uses in one forward pass."""

    weights: int
    biases: int
    products: int
    connections: int
    first: int

    @property
    def parameters(self) -> int:
        """Return weights and biases together, in param."""
        return self.weights + self.biases


def count(network: Network) -> Count | None:
    """Return the sums over the itemised layers of a network, or None for one that has no such list.

    Products with the network's inputs need no error sent back: those weights cost 4 FLOPs each, not 6. Connections
    from the inputs that skip a layer (`direct`) are weights of their own.
    """
    if not network.layers:
        return None
    direct = network.direct or 0
    seeing = (network.layers[0], *(layer for layer in network.layers[1:] if layer.sees_input))
    return Count(
        weights=sum(layer.weights for layer in network.layers) + direct,
        biases=sum(layer.biases for layer in network.layers),
        products=sum(layer.products for layer in network.layers) + direct,
        connections=sum(layer.connections for layer in network.layers) + direct,
        first=sum(layer.products for layer in seeing) + direct,
    )
