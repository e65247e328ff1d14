"""How long one optimizer step takes, and what is paid once per step instead of once per token.

A step is n micro-batches of T tokens on each replica, then one update. A replica is the devices that hold one copy of
the network: one, or tp pp of them, which divide all work evenly. Matrix products overlap their own memory traffic;
element-wise kernels, optimizer and all-reduce come after them, one by one (the note's accounting). A replica updates
and reduces what it holds: of experts that a group shares, its own part. Left out: the
traffic of tensor and pipeline parallelism and the pipeline's bubble, which have formulas of their own.
"""

from __future__ import annotations

from typing import Any

from model.formula import Fork, Formula, largest
from model.inputs import (
    L,
    T,
    axis,
    b_w,
    bandwidth,
    d,
    device_time,
    devices,
    f,
    fabric,
    fixed,
    form,
    g,
    micro_batches,
    o,
    peak,
    pp,
    pp_traffic,
    ring,
    tp,
    tp_traffic,
    train_tokens,
    weight_bytes,
    z,
    zero,
)
from model.ledger import A, P_a, active_params, flops_per_token, held_params, params, reached_params
from model.roofline import I_L2, beta
from model.units import ONE, unit

_TOKEN, _SECOND, _BYTE = unit("token"), unit("s"), unit("B")
_NOTE = "note, section 3, floor 3"

replica = Formula(
    "replica",
    r"N_{\text{replica}}",
    ONE,
    "devices that hold one copy of the network together",
    expr=lambda: tp * pp,
    source="definition",
)

dp = Formula(
    "dp",
    r"N_{\text{dp}}",
    ONE,
    "data-parallel width: replicas that share the batch",
    expr=lambda: devices / replica,
    guards=lambda: ((devices < replica, "does-not-fit"),),
    source="devices over devices per replica",
)

beta_net = Formula(
    "beta_net",
    r"\beta_{\text{net}}",
    unit("FLOP/B"),
    "fabric balance: operations that a byte over the fabric must feed",
    expr=lambda: peak / fabric,
    source=_NOTE,
)

T_optimizer = Formula(
    "T_optimizer",
    r"T_{\text{optimizer}}",
    _TOKEN,
    "tokens per device and step at which the update costs as much as the arithmetic",
    expr=lambda: o * beta / f,
    source=_NOTE,
)

T_allreduce = Formula(
    "T_allreduce",
    r"T_{\text{all-reduce}}",
    _TOKEN,
    "tokens per device and step at which the gradient all-reduce costs as much as the arithmetic, many devices",
    expr=lambda: g * beta_net / f,
    source=_NOTE,
)

T_fsdp = Formula(
    "T_fsdp",
    r"T_{\text{FSDP}}",
    _TOKEN,
    "tokens per device and micro-batch at which gathering sharded weights costs as much as the arithmetic",
    expr=lambda: z * beta_net / f,
    source=_NOTE,
)

_share = ("optimizer_share", r"\omega", ONE, "share of the optimizer's bytes that falls on one replica")
_sharded = Formula(*_share, expr=lambda: 1 / dp, source="the optimizer's state sharded over data parallelism")
optimizer_share = Fork(
    zero,
    {"0": Formula(*_share, expr=lambda: 1, source="not sharded"), "1": _sharded, "2": _sharded, "3": _sharded},
)

_ring = ("ring_share", r"\rho", ONE, "share of a ring all-reduce's volume that a replica sends: (N−1)/N")
ring_share = Fork(
    ring,
    {
        "none": Formula(*_ring, expr=lambda: 0, source="a single device reduces nothing"),
        "ring": Formula(*_ring, expr=lambda: (dp - 1) / dp, source="ring all-reduce"),
    },
)


def _reduced() -> Any:
    return ring_share * T_allreduce


_t_fixed = ("T_fixed", r"T_{\text{fixed}}", _TOKEN, "what is paid once per step, in tokens of arithmetic per device")
T_fixed = Fork(
    fixed,
    {
        "all": Formula(*_t_fixed, expr=lambda: optimizer_share * T_optimizer + _reduced(), source="note, the squeeze"),
        "allreduce": Formula(*_t_fixed, expr=_reduced, source="note, the squeeze"),
    },
)

_intensity = ("fabric_intensity", r"I_{\text{fabric}}", unit("FLOP/B"), "operations per byte sent over the fabric")
fabric_intensity = Fork(
    axis,
    {
        "tp": Formula(*_intensity, expr=lambda: f * P_a / (tp_traffic * d * L * tp), source="note, heuristic 8"),
        "pp": Formula(*_intensity, expr=lambda: f * P_a / (pp_traffic * d * pp), source="note, heuristic 8"),
        "dp": Formula(*_intensity, expr=lambda: f * T * micro_batches / g, source="note, heuristic 8"),
    },
)

pipeline_bubble = Formula(
    "pipeline_bubble",
    r"(p-1)/n",
    ONE,
    "idle time of a pipeline over its busy time",
    expr=lambda: (pp - 1) / micro_batches,
    source="GPipe",
)

arithmetic_time = Formula(
    "arithmetic_time",
    r"t_F",
    _SECOND,
    "arithmetic of a step, at peak",
    expr=lambda: flops_per_token * T * micro_batches / (peak * replica),
    source="note, section 5",
)

_stream = ("stream_bytes", r"M_w", _BYTE, "bytes that the matrix products of one micro-batch move")
stream_bytes = Fork(
    form,
    {
        "plain": Formula(*_stream, expr=lambda: b_w * reached_params, source="ledger term (a)"),
        "l2": Formula(*_stream, expr=lambda: b_w * reached_params + f * P_a * T / I_L2, source="terms (a) and (d)"),
    },
)

elementwise_time = Formula(
    "elementwise_time",
    r"t_A",
    _SECOND,
    "element-wise kernels of a step",
    expr=lambda: A * T * micro_batches / (bandwidth * replica),
    source="ledger term (b)",
)

_updated = ("updated_params", r"P_{\text{updated}}", unit("param"), "parameters that one replica updates in a step")
_its_share = Formula(*_updated, expr=lambda: params * optimizer_share, source="the update sharded over all replicas")
updated_params = Fork(
    zero,
    {
        "0": Formula(*_updated, expr=lambda: held_params, source="what it holds: of the experts its own share"),
        "1": _its_share,
        "2": _its_share,
        "3": _its_share,
    },
)

optimizer_bytes = Formula(
    "optimizer_bytes",
    r"M_o",
    _BYTE,
    "main-memory bytes of the update, on one replica",
    expr=lambda: o * updated_params,
    source="ledger term (e)",
)

optimizer_time = Formula(
    "optimizer_time",
    r"t_o",
    _SECOND,
    "the update, once per step",
    expr=lambda: optimizer_bytes / (bandwidth * replica),
    source="ledger term (e)",
)

_reduced_bytes = ("allreduce_bytes", r"M_g", _BYTE, "gradients that a replica sends over the fabric, once per step")
allreduce_bytes = Fork(
    ring,
    {
        "none": Formula(*_reduced_bytes, expr=lambda: 0, source="a single device reduces nothing"),
        "ring": Formula(*_reduced_bytes, expr=lambda: g * held_params * ring_share, source="ledger term (f)"),
    },
)

_reduce = ("allreduce_time", r"t_g", _SECOND, "the gradient all-reduce, once per step")
allreduce_time = Fork(
    ring,
    {
        "none": Formula(*_reduce, expr=lambda: 0, source="a single device reduces nothing"),
        "ring": Formula(
            *_reduce, expr=lambda: g * held_params * ring_share / (fabric * replica), source="ledger term (f)"
        ),
    },
)

step_time = Formula(
    "step_time",
    r"t_{\text{step}}",
    _SECOND,
    "time of one optimizer step",
    expr=lambda: (
        largest(arithmetic_time, stream_bytes * micro_batches / (bandwidth * replica))
        + elementwise_time
        + optimizer_time
        + allreduce_time
    ),
    source="note, section 5",
)

slowdown = Formula(
    "slowdown",
    r"t_{\text{step}}/t_F",
    ONE,
    "time of a step over its arithmetic at peak",
    expr=lambda: step_time / arithmetic_time,
    source="note, section 5",
)

step_bytes = Formula(
    "step_bytes",
    r"M",
    _BYTE,
    "main-memory bytes of a step on one replica",
    expr=lambda: (stream_bytes + A * T) * micro_batches + optimizer_bytes,
    source="note, section 5",
)

step_intensity = Formula(
    "step_intensity",
    r"I_{\text{step}}",
    unit("FLOP/B"),
    "operations of a whole step per byte of main-memory traffic, the update included",
    expr=lambda: flops_per_token * T * micro_batches / step_bytes,
    source="note, section 5",
)

update_slowdown = Formula(
    "update_slowdown",
    r"\beta\,(b_w + o)/(f T)",
    ONE,
    "how much longer than its arithmetic a step of one micro-batch takes when weights and update alone move",
    expr=lambda: beta * (b_w + o) / (f * T),
    source="report, single-token row",
)

gather_bytes = Formula(
    "gather_bytes",
    r"M_{\text{gather}}",
    _BYTE,
    "weights that one device gathers over the fabric for one micro-batch, once, when data parallelism shards them",
    expr=lambda: weight_bytes * params / replica,
    source="report, Llama-3 405B",
)

gather_time = Formula(
    "gather_time",
    r"t_{\text{gather}}",
    _SECOND,
    "gathering the sharded weights once for each micro-batch of a step",
    expr=lambda: gather_bytes * micro_batches / fabric,
    source="report, Llama-3 405B",
)

global_batch = Formula(
    "global_batch",
    "B",
    _TOKEN,
    "tokens of one optimizer step over all replicas",
    expr=lambda: dp * T * micro_batches,
    source="definition",
)

mfu = Formula(
    "mfu",
    r"\text{MFU}",
    ONE,
    "share of peak that a whole run reached: operations on weights alone, recomputation not counted",
    expr=lambda: f * active_params * train_tokens / (device_time * peak),
    source="six operations per active parameter and token",
    reads_as=unit("device"),
)

run_step_time = Formula(
    "run_step_time",
    r"t_{\text{MFU}}",
    _SECOND,
    "time of a step at the measured share of peak",
    expr=lambda: f * active_params * global_batch / (devices * peak * mfu),
    source="six operations per active parameter and token",
)
