"""What a published run says of itself, made comparable: its tokens per visit, what it counts as work, its bound.

A share of peak counts the operations of the model (MFU) or those that were executed (HFU), and attention in full,
halved by its causal mask, or not at all. Conversions go over the operations of a token; a causal kernel does half of
attention's. Left out: which way a run counted, which its row in the catalogue says.
"""

from __future__ import annotations

from model.capacity import recompute_share
from model.formula import Formula
from model.inputs import FOUR_BYTES, L, T, attention_counted, attention_flops, cp, f, s, sequences, tp, vocab
from model.ledger import active_params, attention_width
from model.roofline import utilization_ceiling
from model.units import ONE, unit

_FLOPS = unit("FLOP/token")
_CHOWDHERY = "Chowdhery and colleagues 2022, appendix B"

run_visit = Formula(
    "run_visit",
    r"T_{\text{run}}",
    unit("token"),
    "tokens per weight visit of a run: sequences of its micro-batch, divided over context parallelism",
    expr=lambda: sequences * s / cp,
    source="definition",
)

counted_flops = Formula(
    "counted_flops",
    r"F_{\text{counted}}",
    _FLOPS,
    "operations of the model per token as a run counts them: all parameters, and attention in full, halved or not",
    expr=lambda: f * active_params + attention_counted * attention_flops * s * attention_width * L,
    source=_CHOWDHERY,
)

causal_flops = Formula(
    "causal_flops",
    r"F_{\text{causal}}",
    _FLOPS,
    "operations of the model per token under a causal mask, which halves attention",
    expr=lambda: f * active_params + attention_flops * s * attention_width * L / 2,
    source=_CHOWDHERY,
)

causal_share = Formula(
    "causal_share",
    r"\kappa",
    ONE,
    "operations under a causal mask, over those that a run counts",
    expr=lambda: causal_flops / counted_flops,
    source="definition",
)

useful_ceiling = Formula(
    "useful_ceiling",
    r"u_{\text{useful}}",
    ONE,
    "highest share of peak in operations of the model alone, where others are done twice",
    expr=lambda: utilization_ceiling / (1 + recompute_share),
    source="the ceiling over executed operations, divided by how many they are",
)

scores_bytes = Formula(
    "scores_bytes",
    r"M_{\text{scores}}",
    unit("B"),
    "one copy of the output scores of a micro-batch on a device, four bytes for each row of the vocabulary",
    expr=lambda: FOUR_BYTES * vocab * T / tp,
    source="not part of the tape: kept for the loss and its gradient alone",
)
