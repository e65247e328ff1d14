"""What a trick gains and what it costs, where asking the model twice, with it and without, does not say it.

A gain is a factor, above one where the trick helps. Tricks that are a choice of the scenario (a policy of the tape, a
stage of ZeRO, a format) need no formula: the table asks for both sides. What stands here is the rest.
"""

from __future__ import annotations

from typing import Any

from model.formula import Coefficient, Fork, Formula, Quantity, largest
from model.history import weight_stall
from model.inputs import (
    TWO_WAYS,
    L,
    T,
    a,
    b_w,
    c,
    d,
    ep,
    experts,
    f,
    family,
    g,
    gradient_bytes,
    heads,
    micro_batches,
    o,
    peak,
    pp_traffic,
    s,
    state_bytes_per_param,
    tp,
    tp_traffic,
    weight_bytes,
    z,
)
from model.ledger import P_a, attention_share, reached_params
from model.roofline import T_min, beta
from model.step import T_fixed, beta_net
from model.units import ONE, unit

_TOKEN, _PER_LAYER = unit("token"), unit("B/(layer token)")

a_scores = Quantity(
    "a_scores", r"a_{\text{scores}}", unit("B/(layer token^2)"), "attention scores through memory, per head"
)
a_unfused = Quantity(
    "a_unfused", r"a_{\text{unfused}}", _PER_LAYER, "activation traffic with bias and dropout in kernels of their own"
)
a_fused = Quantity("a_fused", r"a_{\text{fused}}", _PER_LAYER, "activation traffic with all element-wise work fused")
c_replicated = Quantity(
    "c_replicated", r"c_{\text{whole}}", _PER_LAYER, "tape that tensor parallelism alone leaves whole, in units of d"
)
o_8bit = Quantity("o_8bit", r"o_{8}", unit("B/param"), "optimizer traffic per step with 8-bit moments")
state_8bit = Quantity("state_8bit", r"S_{8}", unit("B/param"), "training state with 8-bit moments")
host_link = Quantity("host_link", r"\text{host}", unit("B/s"), "link between a device and its host, one direction")
_FROZEN = Coefficient(4, unit("FLOP/(param token)"), "forward 2, gradient of the input 2")

_LEDGER_A = "ledger term (a)"
_batching = (
    "batching_gain",
    r"T P_a/P_r(T)",
    ONE,
    "weight bytes per token one by one, over those of T tokens that share each visit",
)
_shared_visits = Formula(*_batching, expr=lambda: T * P_a / reached_params, source=_LEDGER_A, reads_as=ONE / _TOKEN)
batching_gain = Fork(
    family,
    {
        "dense": _shared_visits,
        "experts": _shared_visits,
        # An example alone reaches every weight already, however often its layers use one.
        "counted": Formula(
            *_batching, expr=lambda: T * 1, needs=(reached_params,), source=_LEDGER_A, reads_as=ONE / _TOKEN
        ),
    },
)

fixed_share = Formula(
    "fixed_share",
    r"T_{\text{fixed}}/(n T)",
    ONE,
    "what is paid once per step, over the arithmetic of the step",
    expr=lambda: T_fixed / (T * micro_batches),
    source="note, section 3, floor 3",
)

flash_gain = Formula(
    "flash_gain",
    r"1 + a_{\text{scores}} h s/(a d)",
    ONE,
    "activation traffic with the scores through memory, over that without",
    expr=lambda: (a * d + a_scores * heads * s) / (a * d),
    source="Dao and colleagues 2022",
)

flash_share = Formula(
    "flash_share",
    r"\varphi_{\text{flash}}",
    ONE,
    "operations by which attention computes its scores again, over those of the model: one product of six",
    expr=lambda: attention_share / 6,
    source="Dao and colleagues 2022",
)


def _serial(traffic: Quantity) -> Any:
    """Time of a micro-batch over its arithmetic, when the element-wise kernels move so much."""
    return largest(1, weight_stall) + traffic * d * L * beta / (f * P_a)


fusion_gain = Formula(
    "fusion_gain",
    r"t_{\text{unfused}}/t_{\text{fused}}",
    ONE,
    "time of a micro-batch with separate element-wise kernels, over that with all of them fused",
    expr=lambda: _serial(a_unfused) / _serial(a_fused),
    source="report, utilization ceiling",
)

zero2_traffic = Formula(
    "zero2_traffic",
    r"(n + 1)/2",
    ONE,
    "fabric traffic of a step whose gradients are scattered in every micro-batch, over that of one all-reduce",
    expr=lambda: (micro_batches + 1) / 2,
    source="Rajbhandari and colleagues 2020",
)

zero3_traffic = Formula(
    "zero3_traffic",
    r"z n/g",
    ONE,
    "fabric traffic of a step whose weights are gathered in every micro-batch, over that of one all-reduce",
    expr=lambda: z * micro_batches / g,
    source="Rajbhandari and colleagues 2020",
)

tp_limit = Formula(
    "tp_limit",
    r"t_{\text{max}}",
    ONE,
    "tensor-parallel width at which the fabric takes as long as the arithmetic",
    expr=lambda: f * P_a / (tp_traffic * d * L * beta_net),
    source="fabric intensity set equal to the fabric balance",
)

tp_bytes = Formula(
    "tp_bytes",
    r"b_{\text{tp}} d L",
    unit("B/token"),
    "bytes that tensor parallelism sends per token, before (t−1)/t",
    expr=lambda: tp_traffic * d * L,
    source="note, heuristic 8",
)

sequence_gain = Formula(
    "sequence_gain",
    r"c_t/(c/t)",
    ONE,
    "tape under tensor parallelism alone, over that with sequence parallelism too",
    expr=lambda: (c_replicated + (c - c_replicated) / tp) / (c / tp),
    needs=(d,),
    source="Korthikanti and colleagues 2022",
)

pp_limit = Formula(
    "pp_limit",
    r"p_{\text{max}}",
    ONE,
    "pipeline stages at which the fabric takes as long as the arithmetic",
    expr=lambda: f * P_a / (pp_traffic * d * beta_net),
    source="fabric intensity set equal to the fabric balance",
)

_pooling = ("pooling_limit", r"E/e_p", ONE, "factor by which a wider expert-parallel group can still raise T_E")
_no_pool = Formula(*_pooling, expr=lambda: 1, source="without experts every token uses every weight")
pooling_limit = Fork(
    family,
    {
        "dense": _no_pool,
        "experts": Formula(*_pooling, expr=lambda: experts / ep, source="a device for each expert"),
        "counted": _no_pool,
    },
)

cp_limit = Formula(
    "cp_limit",
    r"s/T_{\text{min}}",
    ONE,
    "ways to cut a sequence before a piece falls below the floor",
    expr=lambda: s / T_min,
    guards=lambda: ((s / T_min <= 0, "no-batch"),),
    needs=(d,),
    source="report, the tricks",
)

offload_gain = Formula(
    "offload_gain",
    r"S/(b_{\text{weight}} + S_{\text{gradient}})",
    ONE,
    "training state over what stays on the device when master weights and moments do not",
    expr=lambda: state_bytes_per_param / (weight_bytes + gradient_bytes),
    needs=(d,),
    source="Ren and colleagues 2021",
)

offload_floor = Formula(
    "offload_floor",
    r"T_{\text{host}}",
    _TOKEN,
    "tokens per device and step at which gradients out and weights in cost as much as the arithmetic",
    expr=lambda: (weight_bytes + gradient_bytes) * peak / (host_link * f),
    source="Ren and colleagues 2021",
)

lora_gain = Formula(
    "lora_gain",
    r"T_{\text{min}}/T_{\text{min}}^{\text{frozen}}",
    ONE,
    "token floor of a wide layer over that of frozen weights: two reads, four operations, no gradient to sum",
    expr=lambda: (b_w / f) / (TWO_WAYS * weight_bytes / _FROZEN),
    source="Hu and colleagues 2021",
)

adam8_traffic = Formula(
    "adam8_traffic",
    r"o/o_8",
    ONE,
    "optimizer traffic with moments of 32 bits, over that with moments of 8",
    expr=lambda: o / o_8bit,
    guards=lambda: ((o <= 0, "unknown"),),
    source="Dettmers and colleagues 2021",
)

adam8_state = Formula(
    "adam8_state",
    r"S/S_8",
    ONE,
    "training state with moments of 32 bits, over that with moments of 8",
    expr=lambda: state_bytes_per_param / state_8bit,
    source="Dettmers and colleagues 2021",
)
