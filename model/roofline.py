"""At what rate a training step can run: intensity against balance, the floor, the pole, the ceiling.

Two forms. plain counts main-memory traffic of weights and activations; l2 adds what a blocked matrix product must
move through a cache of finite size (Hong and Kung). Left out of both: attention scores and the output head, whose
operations would only raise the intensity.
"""

from __future__ import annotations

from model.formula import Fork, Formula, largest, root, smallest
from model.inputs import (
    TWELVE_PER_LAYER,
    TWO_FLOP,
    T,
    a,
    b_w,
    bandwidth,
    cache,
    capacity,
    d,
    e_B,
    e_F,
    element_bytes,
    f,
    form,
    peak,
    tile_m,
    tile_n,
    weight_bytes,
)
from model.ledger import A, P_a, P_r, active_params, params, reached_params
from model.units import ONE, unit

_INTENSITY, _TOKEN = unit("FLOP/B"), unit("token")

beta = Formula(
    "beta",
    r"\beta",
    _INTENSITY,
    "machine balance: operations that a byte must feed",
    expr=lambda: peak / bandwidth,
    source="Williams, Waterman and Patterson 2009",
)

beta_E = Formula(
    "beta_E",
    r"\beta_E",
    _INTENSITY,
    "energy balance: operations whose energy equals that of a byte",
    expr=lambda: e_B / e_F,
    source="note, section 1",
)

drain_time = Formula(
    "drain_time",
    r"t_{\text{drain}}",
    unit("s"),
    "time to read the whole memory once",
    expr=lambda: capacity / bandwidth,
    source="report, two numbers per machine",
)

inference_batch = Formula(
    "inference_batch",
    r"B_{\text{inference}}",
    _TOKEN,
    "tokens that a decode step must serve for arithmetic and memory to take equally long",
    expr=lambda: beta * weight_bytes * params / (TWO_FLOP * active_params),
    source="seconds of arithmetic set equal to seconds of memory traffic",
)

examples_per_fetch = Formula(
    "examples_per_fetch",
    r"\beta\,b_w/f",
    _TOKEN,
    "examples that must share one weight fetch when nothing else moves",
    expr=lambda: beta * b_w / f,
    source="limit of T_min for a wide layer",
)

Z = Formula(
    "Z",
    "Z",
    ONE,
    "elements of the last on-chip memory that a blocked product can use: half of it",
    expr=lambda: cache / (2 * element_bytes),
    source="note, appendix",
)

I_L2 = Formula(
    "I_L2",
    r"I_{\text{L2}}",
    _INTENSITY,
    "intensity of a matrix product blocked for the on-chip memory",
    expr=lambda: root(Z),
    source="Hong and Kung 1981",
    reads_as=_INTENSITY,
)

I_w = Formula(
    "weight_intensity",
    r"I_w",
    _INTENSITY,
    "operations per byte of weight traffic",
    expr=lambda: f * P_a * T / (b_w * reached_params),
    source="ledger term (a)",
)

_i = ("operational_intensity", "I", _INTENSITY, "operations of a micro-batch per byte of main-memory traffic")
operational_intensity = Fork(
    form,
    {
        "plain": Formula(
            *_i, expr=lambda: f * P_a * T / (b_w * reached_params + A * T), source="note, section 2; report, ledger"
        ),
        "l2": Formula(
            *_i,
            expr=lambda: 1 / ((b_w * reached_params + A * T) / (f * P_a * T) + 1 / I_L2),
            source="note, section 2, with re-blocking",
        ),
    },
)

_most = ("saturation_intensity", r"I_{\infty}", _INTENSITY, "intensity that no batch exceeds: activations alone")
I_max = Fork(
    form,
    {
        "plain": Formula(
            *_most,
            expr=lambda: f * P_a / A,
            guards=lambda: ((A <= 0, "unknown"),),
            source="limit of I for large T",
        ),
        "l2": Formula(
            *_most, expr=lambda: 1 / (A / (f * P_a) + 1 / I_L2), source="limit of I for large T, with re-blocking"
        ),
    },
)

T_cross = Formula(
    "T_cross",
    r"T_{\times}",
    _TOKEN,
    "tokens per weight visit at which activations move as many bytes as weights",
    expr=lambda: b_w * P_r / A,
    guards=lambda: ((A <= 0, "unknown"),),
    source="note, section 2",
)

_t_min = ("T_min", r"T_{\text{min}}", _TOKEN, "tokens per weight visit at which the step reaches the balance")
T_min = Fork(
    form,
    {
        "plain": Formula(
            *_t_min,
            expr=lambda: b_w * P_r * beta / (f * P_a - A * beta),
            guards=lambda: ((f * P_a <= A * beta, "no-batch"),),
            source="I(T) = beta solved for T",
        ),
        "l2": Formula(
            *_t_min,
            expr=lambda: b_w * P_r / (f * P_a * (1 / beta - 1 / I_L2) - A),
            guards=lambda: (
                (1 / beta <= 1 / I_L2, "no-batch"),
                (f * P_a * (1 / beta - 1 / I_L2) <= A, "no-batch"),
            ),
            source="I(T) = beta solved for T, with re-blocking",
        ),
    },
)

_d_min = ("d_min", r"d_{\text{min}}", ONE, "width of a GPT layer at or below which no batch reaches the balance")
d_min = Fork(
    form,
    {
        "plain": Formula(
            *_d_min, expr=lambda: a * beta / (TWELVE_PER_LAYER * f), needs=(d,), source="pole of T_min, GPT shape"
        ),
        "l2": Formula(
            *_d_min,
            expr=lambda: a / (TWELVE_PER_LAYER * f * (1 / beta - 1 / I_L2)),
            guards=lambda: ((1 / beta <= 1 / I_L2, "no-batch"),),
            needs=(d,),
            source="pole of T_min, GPT shape, with re-blocking",
        ),
    },
)

elementwise_tax = Formula(
    "elementwise_tax",
    r"\tau",
    ONE,
    "time of the element-wise kernels over that of the matrix products at peak",
    expr=lambda: A * beta / (f * P_a),
    source="note, heuristic 5",
)

energy_tax = Formula(
    "energy_tax",
    r"\tau_E",
    ONE,
    "energy of activation traffic over that of the arithmetic",
    expr=lambda: A * e_B / (f * P_a * e_F),
    source="note, heuristic 5",
)

utilization_ceiling = Formula(
    "utilization_ceiling",
    r"u",
    ONE,
    "highest share of peak, when element-wise kernels run after the matrix products",
    expr=lambda: 1 / (largest(1, beta / I_w) + elementwise_tax),
    source="report, utilization ceiling",
)

overlapped_ceiling = Formula(
    "overlapped_ceiling",
    r"u_{\text{overlap}}",
    ONE,
    "highest share of peak, when every byte moves behind the arithmetic",
    expr=lambda: smallest(1, operational_intensity / beta),
    source="Williams, Waterman and Patterson 2009",
)

compute_to_commute = Formula(
    "compute_to_commute",
    r"\chi",
    ONE,
    "intensity over balance: behind the wall when below one",
    expr=lambda: operational_intensity / beta,
    source="note, section 1",
)

wall_slowdown = Formula(
    "wall_slowdown",
    r"\max(1, \beta/I)",
    ONE,
    "how much longer than its arithmetic a micro-batch takes",
    expr=lambda: largest(1, beta / operational_intensity),
    source="note, section 1",
)

commute_share = Formula(
    "commute_share",
    r"\sigma_E",
    ONE,
    "share of the energy that goes into memory bytes",
    expr=lambda: beta_E / (operational_intensity + beta_E),
    source="note, section 1",
)

knee_share = Formula(
    "knee_share",
    r"\sigma_E(\beta)",
    ONE,
    "share of the energy that goes into memory bytes when the intensity just equals the balance",
    expr=lambda: beta_E / (beta + beta_E),
    source="note, section 1",
)

tile_intensity = Formula(
    "tile_intensity",
    r"\mu\nu/(\mu+\nu)",
    _INTENSITY,
    "operations of a matrix product per byte that its output tile draws from the memory on the chip, 16-bit operands",
    expr=lambda: tile_m * tile_n / (tile_m + tile_n),
    source="note, section 1: 2 M N operations for 2 (M + N) bytes",
    reads_as=_INTENSITY,
)

attainable = Formula(
    "attainable",
    r"\text{attainable}",
    unit("FLOP/s"),
    "rate of a step whose bytes move behind its arithmetic",
    expr=lambda: peak * overlapped_ceiling,
    source="Williams, Waterman and Patterson 2009",
)
