"""Which inputs a catalogue row gives: one layer for the constants, a machine, a format, a network.

A scenario stacks them (scenario.py); the browser gets the same layers ready made. Each input carries the status, the
range and the sources of the number in its row; what a row does not have is an absence with its own name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from model.figure import SPREAD, Figure, Provenance, Source, weakest
from model.formula import Given
from model.machine import Machine
from model.network import Network, count
from model.records import Catalogue, Constant

Layer = dict[str, Given]

# Which key of a scenario names a constant of the catalogue.
CONSTANTS: Mapping[str, str] = MappingProxyType(
    {
        "f": "flop-training",
        "a": "activation-traffic",
        "c": "tape-34",
        "c_input": "tape-layer-input",
        "c_scores": "tape-scores",
        "o": "optimizer-bytes",
        "g": "all-reduce",
        "z": "fsdp",
        "state_bytes_per_param": "state-16",
        "tp_traffic": "tensor-parallel-traffic",
        "pp_traffic": "pipeline-traffic",
        "B_star": "critical-batch-b-star",
        "alpha_B": "critical-batch-alpha-b",
        "c_replicated": "tape-tp-replicated",
        "state_8bit": "state-int8-adam",
        "host_link": "host-link",
    }
)
# Which key names a constant under other circumstances: (row, variant); a slope grows with heads and sequence.
VARIANTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "a_fused": ("activation-traffic", "deep-fusion"),
        "a_unfused": ("activation-traffic", "unfused-bias-and-dropout"),
        "a_scores": ("activation-traffic", "no-flash-attention"),
        "o_8bit": ("optimizer-bytes", "int8-moments"),
    }
)
# Which key names a price that holds for any chip.
PRICES: Mapping[str, str] = MappingProxyType(
    {"e_add": "int8-add", "e_wire": "wire", "e_sram": "shared-memory", "e_L2": "l2"}
    | {"e_datapath": "flop-datapath", "e_interface": "hbm-interface"}
)
# Which constants count attention: forward, and backward.
ATTENTION = ("attention-forward", "attention-backward-model")
GRADIENT = "gradient"  # what the item of the training state says that is one
# What most networks do not have: none of it, until a row or the reader says so.
_FEW_HAVE: tuple[str, ...] = ("experts", "top_k", "shared_experts", "expert_d_ff", "dense_layers")
_FEW_HAVE += ("q_rank", "kv_rank", "qk_nope_dim", "qk_rope_dim", "v_dim")
# What only a row or the reader can say.
_UNSAID = ("parameters", "connections", "train_tokens", "device_time", "example_rate", "sequences")
ENERGY = ("e_B", "e_F", "static_power")
# What a format means in memory, and which weight traffic goes with it: (bytes, family of b_w).
_IN_MEMORY: Mapping[str, tuple[float, str]] = MappingProxyType(
    {"fp64": (8.0, "fp64"), "fp32": (4.0, "fp32"), "tf32": (4.0, "fp32"), "fp16": (2.0, "bf16"), "bf16": (2.0, "bf16")}
    | {"fp8": (1.0, "fp8")}
)


def constants(catalogue: Catalogue) -> Layer:
    """Return the constants of the ledger, the prices that hold for any chip, and what a network need not have."""
    layer = _all(_FEW_HAVE, Given(value=0.0, status="definition", note="none"))
    layer |= _all(_UNSAID, Given(value=None, state="unknown", status="unknown"))
    layer |= {key: of_constant(catalogue.constants[row]) for key, row in CONSTANTS.items()}
    layer |= {key: _variant(catalogue.constants[row], name) for key, (row, name) in VARIANTS.items()}
    layer["attention_flops"] = _attention(catalogue)
    state = catalogue.constants[CONSTANTS["state_bytes_per_param"]]
    gradient = next(item for item in state.items if GRADIENT in item.what)
    layer["gradient_bytes"] = Given(value=gradient.value, status=state.status, row=f"constants/{state.id}")
    for key, row in PRICES.items():
        price = catalogue.prices[row]
        layer[key] = _figure(price.price, price.sources, f"prices/{price.id}")
    return layer


def _variant(row: Constant, name: str) -> Given:
    """Return a constant under other circumstances; what grows with heads and sequence, by its slope."""
    found = next(variant for variant in row.variants if variant.id == name)
    value = found.value if found.slope is None else found.slope
    low, high = (value * factor for factor in SPREAD[row.status])
    sources = tuple(row.sources[key] for key in row.cited)
    return Given(
        value=value,
        status=row.status,
        row=f"constants/{row.id}/{name}",
        sources=sources,
        low=low,
        high=high,
        note=found.how,
    )


def _attention(catalogue: Catalogue) -> Given:
    """Return the operations of attention, forward and backward together."""
    parts = [catalogue.constants[row] for row in ATTENTION]
    return Given(
        value=sum(part.value for part in parts),
        status=weakest(tuple(part.status for part in parts)),
        row=" + ".join(f"constants/{part.id}" for part in parts),
        sources=tuple(part.sources[key] for part in parts for key in part.cited),
        low=sum(part.low for part in parts),
        high=sum(part.high for part in parts),
    )


def machine_layer(catalogue: Catalogue, machine: Machine) -> Layer:
    """Return what a machine gives whatever the format: memory, links, energy prices."""
    row = f"machines/{machine.id}"
    chip = machine.on_chip if machine.on_chip and machine.on_chip.role == "cache" else None
    layer = {
        "bandwidth": _figure(machine.bandwidth, machine.sources, f"{row}/bandwidth"),
        "capacity": _maybe(machine.capacity, machine.sources, f"{row}/capacity", "unknown"),
        "linpack": _maybe(machine.linpack, machine.sources, f"{row}/linpack", "unknown"),
        "cache": _maybe(chip, machine.sources, f"{row}/on_chip", "no-L2"),
        "keep": _figure(chip, machine.sources, f"{row}/on_chip")
        if chip
        else Given(value=0.0, status="verified", row=row),
    }
    for key in ENERGY:
        price = catalogue.price(key, machine.id)
        sources = price.sources if price else {}
        layer[key] = _maybe(price.price if price else None, sources, f"prices/{price.id if price else ''}", "no-price")
    return layer


def peak_layer(machine: Machine, number_format: str) -> Layer:
    """Return the peak of a machine at a format, or that it has none."""
    found = machine.peak.get(number_format)  # type: ignore[call-overload]
    return {"peak": _maybe(found, machine.sources, f"machines/{machine.id}/peak.{number_format}", "no-format")}


def link_layer(machine: Machine, fabric: str) -> Layer:
    """Return the bandwidth of the named link of a machine, one direction."""
    link = machine.nic if fabric == "nic" else machine.scale_up
    return {"fabric": _maybe(link, machine.sources, f"machines/{machine.id}/{fabric}", "no-fabric")}


def format_layer(catalogue: Catalogue, number_format: str, update: str) -> Layer:
    """Return what a number format means in memory: bytes of a weight, of an operand, and the weight traffic."""
    if number_format not in _IN_MEMORY:
        absent = Given(value=None, state="no-format", status="definition")
        return {"weight_bytes": absent, "element_bytes": absent, "b_w": absent}
    size, kin = _IN_MEMORY[number_format]
    recipe = _recipe(kin, update)
    traffic = next(
        row for row in catalogue.constants.values() if (row.symbol, row.format, row.recipe) == ("b_w", kin, recipe)
    )
    updated = Given(value=0.0, status="definition", note="the update is part of the weight traffic")
    return {
        "weight_bytes": Given(value=size, status="definition"),
        # Operands of a product narrower than 16 bits still meet 16-bit results in the cache.
        "element_bytes": Given(value=max(size, 2.0), status="definition"),
        "b_w": of_constant(traffic),
        **({"o": updated} if recipe == "in-place" else {}),
    }


def _recipe(kin: str, update: str) -> str:
    return "in-place" if update == "in-place" and kin in ("fp64", "fp32") else "accumulator"


# Format and recipe of each constant that is a weight traffic of the model.
TRAFFICS = frozenset((kin, _recipe(kin, update)) for _, kin in _IN_MEMORY.values() for update in ("in-place", "add"))


def network_layer(network: Network) -> Layer:
    """Return the shape of a network, or the counts of one without attention, or that its shape is not public."""
    if network.parameters is not None or network.layers:
        return _counted(network)
    if network.d is None or network.L is None:
        return _all(_SHAPE, Given(value=None, state="no-shape", status=network.status, row=f"networks/{network.id}"))
    layer = {key: _plain(network, key, value) for key, value in _sizes(network).items()}
    for key, figure in (("parameters", network.published.get("total")), ("train_tokens", network.train_tokens)):
        layer |= {key: _figure(figure, network.sources, f"networks/{network.id}/{key}")} if figure else {}
    relative = network.positions is not None and network.positions.relative
    layer["attention"] = word("latent" if network.latent else "relative" if relative else "grouped")
    layer["family"] = word("experts" if network.experts else "dense")
    return layer


def _sizes(network: Network) -> dict[str, float]:
    """Return the plain numbers of a transformer's shape."""
    values: dict[str, float | None] = {key: getattr(network, key) for key in (*_SHAPE[:7], *_FEW_HAVE[:5])}
    values |= {key: getattr(network.latent, key, None) for key in _FEW_HAVE[5:]}
    values["expert_d_ff"] = values["expert_d_ff"] or (values["d_ff"] if network.experts else None)
    # Without dense layers no feed-forward block has this width; the sum over none of them still asks for it.
    values["d_ff"] = values["d_ff"] or values["expert_d_ff"]
    values["mlp_matrices"] = 3 if network.gated else 2
    values["embeddings"] = 1 if network.tied else 2
    rows = network.positions.rows if network.positions and network.positions.rows else 0
    values["position_rows"] = rows + (network.token_types or 0)
    return {key: float(value) for key, value in values.items() if value is not None}


def own_machine_layer() -> Layer:
    """Return what a machine of the reader's own lacks until it is given by hand."""
    absent = {"capacity": "unknown", "linpack": "unknown", "cache": "no-L2", "fabric": "no-fabric"}
    absent |= dict.fromkeys(ENERGY, "no-price")
    return {key: Given(value=None, state=state) for key, state in absent.items()} | {"keep": Given(value=0.0)}


_SHAPE: tuple[str, ...] = (
    "d",
    "L",
    "heads",
    "kv_heads",
    "head_dim",
    "d_ff",
    "vocab",
    "mlp_matrices",
    "embeddings",
    "position_rows",
)
_SHAPE += ("attention", "family")
# Which inputs alone bring an absence with them; any may be unknown, and what else has a state has it from a guard.
BORNE_BY: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"no-price": ENERGY, "no-fabric": ("fabric",), "no-L2": ("cache",), "does-not-fit": ("ep", "cp")}
    | {"no-format": ("peak", "weight_bytes", "element_bytes", "b_w")}
    | {"no-shape": _SHAPE, "not-a-transformer": (*_SHAPE, "A")}
)


def _all(keys: Iterable[str], given: Given) -> Layer:
    return dict.fromkeys(keys, given)


def _counted(network: Network) -> Layer:
    """Return the layer of a network whose weights and connections are counted, not derived from d and L."""
    row, itemised = f"networks/{network.id}", count(network)
    layer = _all(_SHAPE, Given(value=None, state="not-a-transformer", status=network.status, row=row))
    for key in ("parameters", "connections"):
        figure: Figure | None = getattr(network, key)
        summed = _plain(network, key, getattr(itemised, key) if itemised else None)
        layer[key] = _figure(figure, network.sources, f"{row}/{key}") if figure else summed
    if network.presentations:
        layer["train_tokens"] = _plain(network, "presentations", network.presentations)
    # Networks of the 1980s keep activations in registers or cache; what a later one moves is not counted here.
    kept = network.year < _ACTIVATIONS_LEAVE
    traffic, state = (0.0, None) if kept else (None, "not-a-transformer")
    layer["A"] = Given(value=traffic, state=state, status="estimate", row=row)
    uses, first = layer["connections"].value, network.first_products or (itemised.first if itemised else 0)
    if isinstance(uses, float):
        note = "no error is sent to the inputs: first-layer weights cost 4, all others 6"
        layer["f"] = Given(value=6 - 2 * first / uses, status="estimate", row=f"{row}/first_products", note=note)
    layer["family"] = word("counted")
    return layer


_ACTIVATIONS_LEAVE = 2000


def word(text: str) -> Given:
    """Return a choice as an input."""
    return Given(value=text, status="choice")


def _plain(network: Network, key: str, value: float | None) -> Given:
    """Return a plain number of a network's row with what it rests on."""
    rests: Provenance = network.provenance(key)
    sources = tuple(network.sources[name] for name in rests.sources)
    if value is None:
        return Given(value=None, state="unknown", status=rests.status, row=f"networks/{network.id}")
    row = f"networks/{network.id}/{key}"
    return Given(value=float(value), status=rests.status, row=row, sources=sources, note=rests.note)


def _figure(figure: Figure, sources: Mapping[str, Source], row: str) -> Given:
    low, high = figure.range
    cited = tuple(sources[key] for key in figure.sources)
    return Given(value=figure.value, status=figure.status, row=row, sources=cited, low=low, high=high, note=figure.note)


def _maybe(figure: Figure | None, sources: Mapping[str, Source], row: str, state: str) -> Given:
    return _figure(figure, sources, row) if figure else Given(value=None, state=state, status="unknown", row=row)


def of_constant(row: Constant) -> Given:
    """Return a constant of the ledger as an input, with its range and its sources."""
    return Given(
        value=row.value,
        status=row.status,
        row=f"constants/{row.id}",
        sources=tuple(row.sources[key] for key in row.cited),
        low=row.low,
        high=row.high,
        note=row.derivation,
    )
