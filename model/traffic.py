"""Which bytes a token moves, stream by stream, and how many its arithmetic leaves time for.

Weights are visited once per micro-batch and the optimizer once per step, so their bytes thin out as more tokens share
the visit; activations come with every token. The gradient all-reduce goes over the fabric: another wire with a budget
of its own. All is counted on one replica. As in the floor, attention's own operations are left out of the budget.
"""

from __future__ import annotations

from model.formula import Fork, Formula, Quantity
from model.inputs import TWO_WAYS, T, b_w, f, fabric, form, g, micro_batches, ring, weight_bytes
from model.ledger import A, P_a, P_r, held_params, reached_params
from model.roofline import I_L2, beta
from model.step import beta_net, optimizer_bytes, ring_share
from model.units import ONE, unit

_PER_TOKEN = unit("B/token")
_WHERE = "report, what a training step moves"

weight_reads = Formula(
    "weight_reads",
    r"m_{\text{read}}",
    _PER_TOKEN,
    "weights read by the forward and the backward pass, per token",
    expr=lambda: TWO_WAYS * weight_bytes * reached_params / T,
    source="ledger term (a)",
)

gradient_traffic = Formula(
    "gradient_traffic",
    r"m_{\text{gradient}}",
    _PER_TOKEN,
    "the gradient's read-modify-write, or the weight's update in place, per token",
    expr=lambda: (b_w - TWO_WAYS * weight_bytes) * reached_params / T,
    source="ledger term (a)",
)

_blocking = (
    "reblocking_traffic",
    r"m_{\text{L2}}",
    _PER_TOKEN,
    "operands that blocked products fetch again, per token",
)
reblocking_traffic = Fork(
    form,
    {
        "plain": Formula(*_blocking, expr=lambda: 0, source="not counted in the plain form"),
        "l2": Formula(*_blocking, expr=lambda: f * P_a / I_L2, source="ledger term (d)"),
    },
)

optimizer_traffic = Formula(
    "optimizer_traffic",
    r"m_o",
    _PER_TOKEN,
    "optimizer state that the update reads and writes, per token",
    expr=lambda: optimizer_bytes / (T * micro_batches),
    source="ledger term (e)",
)

token_bytes = Formula(
    "token_bytes",
    "m",
    _PER_TOKEN,
    "main-memory bytes of a whole step, per token",
    expr=lambda: weight_reads + gradient_traffic + A + reblocking_traffic + optimizer_traffic,
    source=_WHERE,
)

_reduce = ("allreduce_traffic", r"m_g", _PER_TOKEN, "gradients that the all-reduce sends over the fabric, per token")
allreduce_traffic = Fork(
    ring,
    {
        "none": Formula(*_reduce, expr=lambda: 0, source="a single device reduces nothing"),
        "ring": Formula(
            *_reduce,
            expr=lambda: g * held_params * ring_share / (T * micro_batches),
            needs=(fabric,),
            source="ledger term (f)",
        ),
    },
)

byte_budget = Formula(
    "byte_budget",
    r"f P_a/\beta",
    _PER_TOKEN,
    "main-memory bytes that a token's arithmetic leaves time for",
    expr=lambda: f * P_a / beta,
    source=_WHERE,
)

budget_use = Formula(
    "budget_use",
    r"m \beta/(f P_a)",
    ONE,
    "main-memory bytes of a step over what its arithmetic leaves time for: the step waits for memory above one",
    expr=lambda: token_bytes / byte_budget,
    source=_WHERE,
)


def _part(key: str, name: str, stream: Quantity, says: str) -> Formula:
    """Return the share of a stream among the main-memory bytes of a step."""
    says = f"{says}, as a share of the main-memory bytes of a step"
    return Formula(key, rf"\mu_{{\text{{{name}}}}}", ONE, says, expr=lambda: stream / token_bytes, source=_WHERE)


weight_part = _part("weight_part", "read", weight_reads, "weights read forward and backward")
gradient_part = _part("gradient_part", "gradient", gradient_traffic, "the gradient's read-modify-write")
activation_part = _part("activation_part", "activation", A, "activations between kernels")
reblocking_part = _part("reblocking_part", "L2", reblocking_traffic, "operands that blocked products fetch again")
optimizer_part = _part("optimizer_part", "optimizer", optimizer_traffic, "optimizer state")

fabric_budget = Formula(
    "fabric_budget",
    r"f P_a/\beta_{\text{net}}",
    _PER_TOKEN,
    "bytes over the fabric that a token's arithmetic leaves time for",
    expr=lambda: f * P_a / beta_net,
    source=_WHERE,
)

_within = (
    "T_step",
    r"T_{\text{step}}",
    unit("token"),
    "tokens per weight visit at which all of a step's memory bytes fit the budget, the update among them",
)
T_step = Fork(
    form,
    {
        "plain": Formula(
            *_within,
            expr=lambda: (b_w * P_r + optimizer_bytes / micro_batches) * beta / (f * P_a - A * beta),
            guards=lambda: ((f * P_a <= A * beta, "no-batch"),),
            source="bytes per token set equal to the budget",
        ),
        "l2": Formula(
            *_within,
            expr=lambda: (b_w * P_r + optimizer_bytes / micro_batches) / (f * P_a * (1 / beta - 1 / I_L2) - A),
            guards=lambda: (
                (1 / beta <= 1 / I_L2, "no-batch"),
                (f * P_a * (1 / beta - 1 / I_L2) <= A, "no-batch"),
            ),
            source="bytes per token set equal to the budget, with re-blocking",
        ),
    },
)
