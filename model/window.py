"""Which global batch is worth running: statistics from above, hardware from below, and the best between them.

Floors are tokens per replica (per device, where each holds the whole network), the window is tokens of the global
batch. The critical batch follows the fit of Kaplan and colleagues to the training loss; the squeeze minimises steps
times time per step.
"""

from __future__ import annotations

from model.formula import Formula, largest, root, smallest
from model.inputs import B_star, alpha_B, d, loss
from model.roofline import T_min
from model.step import T_allreduce, T_fixed, T_optimizer, dp, global_batch, replica, ring_share
from model.units import ONE, unit

_TOKEN = unit("token")

B_crit = Formula(
    "B_crit",
    r"B_{\text{crit}}",
    _TOKEN,
    "critical batch: beyond it, tokens are spent faster than steps are saved",
    expr=lambda: B_star / loss ** (1 / alpha_B),
    source="Kaplan and colleagues 2020",
)

steps_factor = Formula(
    "steps_factor",
    r"S/S_{\text{min}}",
    ONE,
    "steps needed, over the fewest that any batch needs",
    expr=lambda: 1 + B_crit / global_batch,
    needs=(d,),
    source="McCandlish and colleagues 2018",
)

examples_factor = Formula(
    "examples_factor",
    r"E/E_{\text{min}}",
    ONE,
    "tokens needed, over the fewest that any batch needs",
    expr=lambda: 1 + global_batch / B_crit,
    needs=(d,),
    source="McCandlish and colleagues 2018",
)

B_opt = Formula(
    "B_opt",
    r"B_{\text{opt}}",
    _TOKEN,
    "global batch that trains in the least time",
    expr=lambda: root(B_crit * dp * T_fixed),
    source="note, the squeeze: least S(B) t(B)",
)

T_dev = Formula(
    "T_dev",
    r"T_{\text{dev}}",
    _TOKEN,
    "tokens per replica and step at the best batch",
    expr=lambda: B_opt / dp,
    source="note, the squeeze",
)

_floors = "report, three floors and a ceiling"

weight_floor = Formula(
    "weight_floor",
    r"B_{\text{weights}}",
    _TOKEN,
    "global batch at which each replica's weights are reused enough",
    expr=lambda: dp * T_min,
    source=_floors,
)

optimizer_floor = Formula(
    "optimizer_floor",
    r"B_{\text{optimizer}}",
    _TOKEN,
    "global batch at which the update costs as much as the arithmetic",
    expr=lambda: dp * T_optimizer,
    source=_floors,
)

allreduce_floor = Formula(
    "allreduce_floor",
    r"B_{\text{all-reduce}}",
    _TOKEN,
    "global batch at which the gradient all-reduce costs as much as the arithmetic; a single replica has none",
    expr=lambda: dp * ring_share * T_allreduce,
    source=_floors,
)

window_low = Formula(
    "window_low",
    r"B_{\text{low}}",
    _TOKEN,
    "smallest global batch above all three floors",
    expr=lambda: dp * largest(T_min, T_optimizer, ring_share * T_allreduce),
    source=_floors,
)

batch_window = Formula(
    "batch_window",
    r"B_{\text{crit}}/B_{\text{low}}",
    ONE,
    "how wide the window is, ceiling over floor; closed below one",
    expr=lambda: B_crit / window_low,
    source=_floors,
)

closing_devices = Formula(
    "closing_devices",
    r"N_{\text{close}}",
    ONE,
    "devices at which the highest floor meets the ceiling, a ring of them; the ceiling is a fit to transformers",
    expr=lambda: replica * smallest(B_crit / largest(T_min, T_optimizer), B_crit / T_allreduce + 1),
    needs=(d,),
    source=_floors,
)
