"""What a device must hold: the training state, divided by its sharding, and the tape of saved activations.

On the first of p pipeline stages (one forward, one backward) as many micro-batches are alive as there are stages.
Tensor parallelism is counted with sequence parallelism, so that it divides all of the tape. An expert-parallel group
lies within data parallelism: it divides the experts' weights, and what ZeRO shards is shared by all replicas anyhow.
Left out: the layer or two that ZeRO stage 3 gathers at a time, buffers, and what the allocator wastes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.formula import Fork, Formula, largest, root, smallest
from model.inputs import (
    ONE_LAYER,
    TWO_FLOP,
    L,
    T,
    attention_flops,
    c,
    c_input,
    c_scores,
    capacity,
    d,
    family,
    gradient_bytes,
    heads,
    micro_batches,
    policy,
    pp,
    s,
    state_bytes_per_param,
    tp,
    weight_bytes,
    zero,
)
from model.ledger import P_a, attention_width, flops_per_token, held_params, params
from model.step import dp, replica
from model.tape import tape_high_water
from model.units import ONE, unit

_BYTE = unit("B")
_KORTHIKANTI = "Korthikanti and colleagues 2022"

_tape = ("tape_bytes", r"M_{\text{tape}}", _BYTE, "saved activations of one micro-batch, all layers")
tape_bytes = Fork(
    policy,
    {
        "selective": Formula(*_tape, expr=lambda: c * d * L * T, source=_KORTHIKANTI),
        "store-all": Formula(*_tape, expr=lambda: (c * d + c_scores * heads * s) * L * T, source=_KORTHIKANTI),
        "inputs": Formula(*_tape, expr=lambda: c_input * d * L * T, source=_KORTHIKANTI),
        "sqrt": Formula(*_tape, expr=lambda: c * d * tape_high_water * T, source="Chen and colleagues 2016"),
        "reversible": Formula(*_tape, expr=lambda: c * d * tape_high_water * T, source="Gomez and colleagues 2017"),
    },
)

_SCHEDULE = "one-forward-one-backward schedule"
in_flight = Formula(
    "in_flight",
    r"n_{\text{alive}}",
    ONE,
    "micro-batches whose tapes are alive at once on the first pipeline stage",
    expr=lambda: smallest(micro_batches, pp),
    source=_SCHEDULE,
)

stage_layers = Formula(
    "stage_layers",
    r"L_{\text{stage}}",
    unit("layer"),
    "layers of one pipeline stage",
    expr=lambda: L / pp,
    source="stages of equal depth",
)

_device_tape = (
    "tape_per_device",
    r"M_{\text{tape}}^{\text{device}}",
    _BYTE,
    "saved activations on the fullest device under tensor and pipeline parallelism",
)
_divided = Formula(*_device_tape, expr=lambda: tape_bytes * in_flight / replica, source=_SCHEDULE)
# A root, or a single layer, is not divided by the stages: each stage has its own.
_rooted = Formula(
    *_device_tape,
    expr=lambda: c * d * (2 * root(stage_layers)) * T * in_flight / tp,
    source="checkpoints within a stage",
    reads_as=unit("layer").root(),
)
_inverted = Formula(
    *_device_tape, expr=lambda: c * d * ONE_LAYER * T * in_flight / tp, source="the output of each stage, kept"
)
tape_per_device = Fork(
    policy,
    {"selective": _divided, "store-all": _divided, "inputs": _divided, "sqrt": _rooted, "reversible": _inverted},
)

state_bytes = Formula(
    "state_bytes",
    r"M_{\text{state}}",
    _BYTE,
    "training state: weights, gradients, master copy and moments",
    expr=lambda: state_bytes_per_param * params,
    source="itemised in the constants",
)

weights_bytes = Formula(
    "weights_bytes",
    r"M_{\text{weights}}",
    _BYTE,
    "all weights at the training format",
    expr=lambda: weight_bytes * params,
    source="definition",
)


def _whole(per_param: Any) -> Any:
    return per_param * held_params / replica


def _split(per_param: Any) -> Any:
    return per_param * params / (replica * dp)


def _optimizer_bytes() -> Any:
    return state_bytes_per_param - weight_bytes - gradient_bytes


def _part(key: str, latex: str, says: str, per_param: Callable[[], Any], split_from: int) -> Fork:
    """Return a part of the training state on one device: its own until the ZeRO stage that shards it, in B."""
    names = (key, rf"M_{{\text{{{latex}}}}}^{{\text{{device}}}}", _BYTE, says)
    own = Formula(*names, expr=lambda: _whole(per_param()), source="not sharded")
    shared = Formula(*names, expr=lambda: _split(per_param()), source=f"sharded from ZeRO stage {split_from} on")
    return Fork(zero, {str(stage): shared if stage >= split_from else own for stage in range(4)})


weights_per_device = _part("weights_per_device", "weights", "weights on one device", lambda: weight_bytes, 3)
gradients_per_device = _part("gradients_per_device", "gradients", "gradients on one device", lambda: gradient_bytes, 2)
optimizer_per_device = _part(
    "optimizer_per_device", "optimizer", "optimizer's state on one device: master copy, moments", _optimizer_bytes, 1
)

state_per_device = Formula(
    "state_per_device",
    r"M_{\text{state}}^{\text{device}}",
    _BYTE,
    "training state on one device",
    expr=lambda: weights_per_device + gradients_per_device + optimizer_per_device,
    source="Rajbhandari and colleagues 2020",
)

device_bytes = Formula(
    "device_bytes",
    r"M_{\text{device}}",
    _BYTE,
    "what one device must hold",
    expr=lambda: state_per_device + tape_per_device,
    source="state and tape",
)

headroom = Formula(
    "headroom",
    r"M_{\text{free}}",
    _BYTE,
    "memory that is left on a device",
    expr=lambda: capacity - device_bytes,
    guards=lambda: ((capacity < device_bytes, "does-not-fit"),),
    source="capacity against need",
)

shortage = Formula(
    "shortage",
    r"M_{\text{short}}",
    _BYTE,
    "memory that a device lacks; none where everything fits",
    expr=lambda: largest(device_bytes - capacity, 0),
    source="need against capacity",
)

tape_over_weights = Formula(
    "tape_over_weights",
    r"M_{\text{tape}}/M_{\text{weights}}",
    ONE,
    "tape of a micro-batch over the weights",
    expr=lambda: tape_bytes / weights_bytes,
    source="report, what reverse mode remembers",
)

_forward = ("forward_flops", r"F_{\text{forward}}", unit("FLOP/token"), "operations of the forward pass per token")


def _forward_attention() -> Any:
    """Of attention's operations 4 in 12 are the forward pass."""
    return attention_flops * s * attention_width * L / 3


_with_attention = Formula(*_forward, expr=lambda: TWO_FLOP * P_a + _forward_attention(), source="note, section 2")
forward_flops = Fork(
    family,
    {
        "dense": _with_attention,
        "experts": _with_attention,
        "counted": Formula(*_forward, expr=lambda: TWO_FLOP * P_a, source="a multiply and an add for each use"),
    },
)

_again = (
    "recompute_flops",
    r"F_{\text{again}}",
    unit("FLOP/token"),
    "operations per token that the backward pass does a second time, because the tape did not keep them",
)
_whole_forward = Formula(*_again, expr=lambda: forward_flops, source="every layer's forward pass, once more")
recompute_flops = Fork(
    policy,
    {
        "selective": Formula(*_again, expr=_forward_attention, source=_KORTHIKANTI),
        "store-all": Formula(*_again, expr=lambda: 0, source="nothing is computed twice"),
        "inputs": _whole_forward,
        "sqrt": _whole_forward,
        "reversible": _whole_forward,
    },
)

recompute_share = Formula(
    "recompute_share",
    r"\varphi_{\text{again}}",
    ONE,
    "operations done a second time, over those of the model: what HFU counts and MFU does not",
    expr=lambda: recompute_flops / flops_per_token,
    source="note, section 4",
)
