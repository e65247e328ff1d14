"""Where the joules of a training step go: arithmetic, main-memory bytes, and power that flows regardless.

Prices are known for few machines; elsewhere the answer is that they are not. Bytes over the fabric carry no price.
"""

from __future__ import annotations

from model.formula import Formula
from model.inputs import TWENTY_FOUR, TWO_WAYS, T, bandwidth, c, e_B, e_F, micro_batches, peak, static_power
from model.ledger import flops_per_token
from model.step import replica, step_bytes, step_time
from model.units import ONE, unit

_PER_TOKEN = unit("J/token")
_NOTE = "note, section 5"

arithmetic_energy = Formula(
    "arithmetic_energy",
    r"E_F",
    _PER_TOKEN,
    "energy of the arithmetic, per token",
    expr=lambda: flops_per_token * e_F,
    source=_NOTE,
)

memory_energy = Formula(
    "memory_energy",
    r"E_B",
    _PER_TOKEN,
    "energy of the main-memory bytes, per token",
    expr=lambda: step_bytes * e_B / (T * micro_batches),
    source=_NOTE,
)

static_energy = Formula(
    "static_energy",
    r"E_{\text{static}}",
    _PER_TOKEN,
    "energy that flows while the step lasts, per token",
    expr=lambda: static_power * step_time * replica / (T * micro_batches),
    source=_NOTE,
)

energy_per_token = Formula(
    "energy_per_token",
    r"E",
    _PER_TOKEN,
    "energy of a training step per token",
    expr=lambda: arithmetic_energy + memory_energy + static_energy,
    source=_NOTE,
)

arithmetic_share = Formula(
    "arithmetic_share",
    r"E_F/E",
    ONE,
    "share of the energy in arithmetic",
    expr=lambda: arithmetic_energy / energy_per_token,
    source=_NOTE,
)

memory_share = Formula(
    "memory_share",
    r"E_B/E",
    ONE,
    "share of the energy in main-memory bytes",
    expr=lambda: memory_energy / energy_per_token,
    source=_NOTE,
)

static_share = Formula(
    "static_share",
    r"E_{\text{static}}/E",
    ONE,
    "share of the energy that flows whatever is computed",
    expr=lambda: static_energy / energy_per_token,
    source=_NOTE,
)

store_recompute_d = Formula(
    "store_recompute_d",
    r"d_{\text{store}}",
    ONE,
    "width above which storing a GPT layer's activations costs less energy than computing them again",
    expr=lambda: TWO_WAYS * c * e_B / (TWENTY_FOUR * e_F),
    source="note, section 4: a round trip to memory against one forward pass",
)

streaming_power = Formula(
    "streaming_power",
    r"P_{\text{stream}}",
    unit("W"),
    "power above idle of a kernel that does nothing but move bytes at full bandwidth",
    expr=lambda: e_B * bandwidth,
    source="note, section 8",
)

arithmetic_power = Formula(
    "arithmetic_power",
    r"P_F",
    unit("W"),
    "power above idle of arithmetic alone, at peak",
    expr=lambda: e_F * peak,
    source="note, section 8",
)
