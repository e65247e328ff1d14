"""What a device must hold: the training state, divided by its sharding, and the tape of saved activations.

On the first of p pipeline stages (one forward, one backward) as many micro-batches are alive as there are stages.
Tensor parallelism is counted with sequence parallelism, so that it divides all of the tape.
"""

from __future__ import annotations

from typing import Any

from model.formula import Fork, Formula, smallest
from model.inputs import (
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
    weight_bytes,
    zero,
)
from model.ledger import P_a, attention_width, flops_per_token, params
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

tape_per_device = Formula(
    "tape_per_device",
    r"M_{\text{tape}}^{\text{device}}",
    _BYTE,
    "saved activations on the fullest device under tensor and pipeline parallelism",
    expr=lambda: tape_bytes * smallest(micro_batches, pp) / replica,
    source="one-forward-one-backward schedule",
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


def _sharded(whole: Any, split: Any) -> Any:
    return (whole + split / dp) * params / replica


_state = ("state_per_device", r"M_{\text{state}}^{\text{device}}", _BYTE, "training state on one device")
state_per_device = Fork(
    zero,
    {
        "0": Formula(*_state, expr=lambda: state_bytes_per_param * params / replica, source="not sharded"),
        "1": Formula(
            *_state,
            expr=lambda: _sharded(weight_bytes + gradient_bytes, state_bytes_per_param - weight_bytes - gradient_bytes),
            source="ZeRO stage 1",
        ),
        "2": Formula(
            *_state, expr=lambda: _sharded(weight_bytes, state_bytes_per_param - weight_bytes), source="ZeRO stage 2"
        ),
        "3": Formula(*_state, expr=lambda: state_bytes_per_param * params / (replica * dp), source="ZeRO stage 3"),
    },
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
