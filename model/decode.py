"""What a transformer costs when it writes one token at a time: weights shared by a batch, a cache that nobody shares.

A decode step reads every weight once for all T requests, and for each request the keys and values of the s tokens
before it. The second part grows with the batch, as activations do in training, and so there is an intensity that no
batch exceeds. Left out: the output head, and writing the new keys and values.
"""

from __future__ import annotations

from model.capacity import forward_flops
from model.formula import Fork, Formula, largest
from model.inputs import (
    TWO_WAYS,
    L,
    T,
    attention,
    head_dim,
    kv_heads,
    kv_rank,
    qk_rope_dim,
    s,
    weight_bytes,
)
from model.ledger import reached_params
from model.roofline import beta
from model.units import ONE, unit

_INTENSITY = unit("FLOP/B")
_HERE = "counted from the shape"
_CACHE_UNIT = unit("param/(layer token)")

_kept = ("kv_bytes", r"m_{\text{KV}}", unit("B/token"), "keys and values that inference keeps of a token, all layers")
_heads = Formula(
    *_kept,
    expr=lambda: TWO_WAYS * kv_heads * head_dim * L * weight_bytes,
    source=_HERE,
    reads_as=_CACHE_UNIT,
)
kv_bytes = Fork(
    attention,
    {
        "grouped": _heads,
        "relative": _heads,
        "latent": Formula(
            *_kept,
            expr=lambda: (kv_rank + qk_rope_dim) * L * weight_bytes,
            source="DeepSeek-V3 technical report, section 2.1",
            reads_as=_CACHE_UNIT,
        ),
    },
)

context_bytes = Formula(
    "context_bytes",
    r"m_{\text{context}}",
    unit("B/token"),
    "keys and values that decoding reads for each token that it writes: those of the s tokens before it",
    expr=lambda: kv_bytes * s,
    source=_HERE,
    reads_as=ONE / unit("token"),
)

decode_intensity = Formula(
    "decode_intensity",
    r"I_{\text{decode}}",
    _INTENSITY,
    "operations of a decode step for T requests per byte of weights and of cached keys and values",
    expr=lambda: forward_flops * T / (weight_bytes * reached_params + context_bytes * T),
    source="note, section 5: the cache belongs to a request",
)

decode_limit = Formula(
    "decode_limit",
    r"I_{\text{decode},\infty}",
    _INTENSITY,
    "intensity of decoding that no batch exceeds: keys and values alone",
    expr=lambda: forward_flops / context_bytes,
    source="limit of the intensity for many requests",
)

decode_slowdown = Formula(
    "decode_slowdown",
    r"\max(1, \beta/I_{\text{decode}})",
    ONE,
    "how much longer than its arithmetic a decode step takes",
    expr=lambda: largest(1, beta / decode_intensity),
    source="Williams, Waterman and Patterson 2009",
)
