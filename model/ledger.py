"""What a network is made of and what a token costs: weights, weights in use, operations, activation traffic.

Counts follow from shapes; norms and biases are left out (each catalogue row states how near that comes to the
published total). Networks of the 1980s and convolutional networks are counted in the catalogue instead.
"""

from __future__ import annotations

from typing import Any

from model.formula import Fork, Formula
from model.inputs import (
    ONE_LAYER,
    ONE_PER_LAYER,
    TWELVE_PER_LAYER,
    TWO_PER_LAYER,
    L,
    T,
    a,
    attention,
    attention_flops,
    connections,
    d,
    d_ff,
    dense_layers,
    embeddings,
    ep,
    expert_d_ff,
    experts,
    f,
    family,
    head_dim,
    heads,
    image_side,
    keep,
    kv_heads,
    kv_rank,
    mlp_matrices,
    parameters,
    position_rows,
    q_rank,
    qk_nope_dim,
    qk_rope_dim,
    s,
    shared_experts,
    top_k,
    v_dim,
    vocab,
    weight_bytes,
)
from model.units import ONE, unit

_PARAM, _PER_LAYER = unit("param"), unit("param/layer")
_HERE = "counted from the shape"


def _resident() -> Any:
    """Weights that fit in the cache are fetched once, not for each example."""
    return ((weight_bytes * parameters <= keep, "cache-resident"),)


def _grouped() -> Any:
    return TWO_PER_LAYER * d * head_dim * (heads + kv_heads)


def _latent() -> Any:
    queries = q_rank * (d + heads * (qk_nope_dim + qk_rope_dim))
    keys_values = d * (kv_rank + qk_rope_dim) + kv_rank * heads * (qk_nope_dim + v_dim)
    return ONE_PER_LAYER * (queries + keys_values + heads * v_dim * d)


_attention = ("attention_params", r"W_{\text{att}}", _PER_LAYER, "attention weights of a layer")
attention_params = Fork(
    attention,
    {
        "grouped": Formula(*_attention, expr=_grouped, source=_HERE),
        "relative": Formula(*_attention, expr=lambda: _grouped() + ONE_PER_LAYER * d**2, source=_HERE),
        "latent": Formula(*_attention, expr=_latent, source="DeepSeek-V3 technical report, section 2.1"),
    },
)

_width = ("attention_width", r"d_{\text{att}}", ONE, "width of attention over all heads, keys and values averaged")
attention_width = Fork(
    attention,
    {
        "grouped": Formula(*_width, expr=lambda: heads * head_dim, source=_HERE),
        "relative": Formula(*_width, expr=lambda: heads * head_dim, source=_HERE),
        "latent": Formula(*_width, expr=lambda: heads * (qk_nope_dim + qk_rope_dim + v_dim) / 2, source=_HERE),
    },
)

mlp_params = Formula(
    "mlp_params",
    r"W_{\text{mlp}}",
    _PER_LAYER,
    "feed-forward weights of a dense layer",
    expr=lambda: mlp_matrices * d * d_ff,
    source=_HERE,
)

expert_params = Formula(
    "expert_params",
    r"W_E",
    _PER_LAYER,
    "weights of one expert of a layer",
    expr=lambda: mlp_matrices * d * expert_d_ff,
    source=_HERE,
)

_mixed = ("expert_layers", r"L_E", unit("layer"), "layers with experts")
_no_experts = Formula(*_mixed, expr=lambda: 0, source="no layer has experts")
expert_layers = Fork(
    family,
    {
        "dense": _no_experts,
        "experts": Formula(*_mixed, expr=lambda: L - dense_layers, source=_HERE),
        "counted": _no_experts,
    },
)


def _dense() -> Any:
    return L * (attention_params + mlp_params)


def _beside_experts() -> Any:
    in_each = shared_experts * expert_params + ONE_PER_LAYER * d * experts
    return L * attention_params + dense_layers * mlp_params + expert_layers * in_each


_common = (
    "common_params",
    r"P_{\text{common}}",
    _PARAM,
    "layer weights that every token uses; with experts: attention, dense layers, shared experts, routers",
)
common_params = Fork(
    family,
    {
        "dense": Formula(*_common, expr=_dense, source=_HERE),
        "experts": Formula(*_common, expr=_beside_experts, source=_HERE),
        "counted": Formula(*_common, expr=lambda: parameters, source=_HERE),
    },
)


_layer = ("layer_params", r"P_{\text{layers}}", _PARAM, "weights of all layers, embeddings apart")
layer_params = Fork(
    family,
    {
        "dense": Formula(*_layer, expr=_dense, source=_HERE),
        "experts": Formula(*_layer, expr=lambda: common_params + expert_layers * experts * expert_params, source=_HERE),
        "counted": Formula(*_layer, expr=lambda: parameters, source=_HERE),
    },
)

_active = ("P_a", r"P_a", _PARAM, "layer weights that a token uses, counted once for each use")
P_a = Fork(
    family,
    {
        "dense": Formula(*_active, expr=_dense, source=_HERE),
        "experts": Formula(*_active, expr=lambda: common_params + expert_layers * top_k * expert_params, source=_HERE),
        "counted": Formula(*_active, expr=lambda: connections, source=_HERE),
    },
)

_held = ("P_r", r"P_r", _PARAM, "layer weights that a device holds and a large micro-batch reaches")
P_r = Fork(
    family,
    {
        "dense": Formula(*_held, expr=_dense, source=_HERE),
        "experts": Formula(
            *_held, expr=lambda: common_params + expert_layers * (experts / ep) * expert_params, source=_HERE
        ),
        "counted": Formula(*_held, expr=lambda: parameters, guards=_resident, source=_HERE),
    },
)

draws = Formula(
    "draws",
    r"T_{\text{pool}}",
    ONE,
    "tokens that an expert-parallel group pools, as a count of draws",
    expr=lambda: ep * T,
    source=_HERE,
    reads_as=ONE / unit("token"),
)

_reached = ("reached_params", r"P_r(T)", _PARAM, "layer weights that a micro-batch of T tokens reaches on a device")
reached_params = Fork(
    family,
    {
        "dense": Formula(*_reached, expr=_dense, source=_HERE),
        "experts": Formula(
            *_reached,
            expr=lambda: (
                common_params + expert_layers * (experts / ep) * expert_params * (1 - (1 - top_k / experts) ** draws)
            ),
            source="an expert is missed by one token with probability 1 - k/E",
        ),
        "counted": Formula(*_reached, expr=lambda: parameters, guards=_resident, source=_HERE),
    },
)

_per_expert = ("tokens_per_expert", r"T_E", unit("token"), "tokens that one expert sees per weight visit")
tokens_per_expert = Fork(
    family,
    {
        "dense": Formula(*_per_expert, expr=lambda: T, source="every token uses every weight"),
        "experts": Formula(*_per_expert, expr=lambda: ep * T * top_k / experts, source="tokens spread evenly"),
        "counted": Formula(*_per_expert, expr=lambda: T, source="every example uses every weight"),
    },
)

embedding_params = Formula(
    "embedding_params",
    r"P_{\text{emb}}",
    _PARAM,
    "embedding and position tables",
    expr=lambda: embeddings * vocab * d + position_rows * d,
    source=_HERE,
)

_total = ("params", "P", _PARAM, "trainable parameters")
params = Fork(
    family,
    {
        "dense": Formula(*_total, expr=lambda: layer_params + embedding_params, source=_HERE),
        "experts": Formula(*_total, expr=lambda: layer_params + embedding_params, source=_HERE),
        "counted": Formula(*_total, expr=lambda: parameters, source=_HERE),
    },
)

_copy = ("held_params", r"P_{\text{held}}", _PARAM, "parameters of which a replica holds a copy of its own")
held_params = Fork(
    family,
    {
        "dense": Formula(*_copy, expr=lambda: params, source="all of them"),
        "experts": Formula(*_copy, expr=lambda: P_r + embedding_params, source="its share of the experts"),
        "counted": Formula(*_copy, expr=lambda: parameters, source="all of them"),
    },
)

_used = ("active_params", r"P_{\text{active}}", _PARAM, "parameters that a token uses, embeddings included")
active_params = Fork(
    family,
    {
        "dense": Formula(*_used, expr=lambda: P_a + embedding_params, source=_HERE),
        "experts": Formula(*_used, expr=lambda: P_a + embedding_params, source=_HERE),
        "counted": Formula(*_used, expr=lambda: parameters, source=_HERE),
    },
)

gpt_params = Formula(
    "gpt_params",
    r"P_{\text{GPT}}",
    _PARAM,
    "weights of one GPT layer of this width",
    expr=lambda: TWELVE_PER_LAYER * ONE_LAYER * d**2,
    source="note, section 2: 4 square matrices of attention, 8 of the feed-forward block",
)

gpt_traffic = Formula(
    "gpt_traffic",
    r"A_{\text{GPT}}",
    unit("B/token"),
    "activation traffic of one GPT layer of this width, per token",
    expr=lambda: ONE_LAYER * a * d,
    source="note, ledger term (b)",
)

A = Formula(
    "A",
    "A",
    unit("B/token"),
    "activation traffic between kernels, per token",
    expr=lambda: a * d * L,
    source="note, ledger term (b)",
)

_flops = ("flops_per_token", "F", unit("FLOP/token"), "operations of training per token, attention included")


def _with_attention() -> Any:
    return f * P_a + attention_flops * s * attention_width * L


flops_per_token = Fork(
    family,
    {
        "dense": Formula(*_flops, expr=_with_attention, source="note, section 2"),
        "experts": Formula(*_flops, expr=_with_attention, source="note, section 2"),
        "counted": Formula(*_flops, expr=lambda: f * P_a, source="no error is sent to the inputs"),
    },
)

attention_share = Formula(
    "attention_share",
    r"\varphi_{\text{att}}",
    ONE,
    "share of a token's operations that attention takes, over and above its weights",
    expr=lambda: attention_flops * s * attention_width * L / flops_per_token,
    source="note, section 2",
)

weight_reuse = Formula(
    "weight_reuse",
    "r",
    ONE,
    "times that a weight is used for one token or example: positions of a shared kernel, or the share of the experts",
    expr=lambda: P_a / layer_params,
    source="definition",
)

image_positions = Formula(
    "image_positions",
    r"n_{\text{image}}",
    ONE,
    "times that one image uses a convolution's weight, one position a pixel",
    expr=lambda: image_side**2,
    source="note, section 5",
)
