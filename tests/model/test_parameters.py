"""Parameters counted from shapes against what is published; the right ones for each purpose; conventions itemised."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from model.layers import network_layer
from model.network import Network
from model.records import Catalogue
from report.catalogue import load

CATALOGUE = load(Path(__file__).parent.parent.parent / "content" / "catalogue")
PUBLISHED = [
    pytest.param(network, which, id=f"{name}-{which}")
    for name, network in CATALOGUE.networks.items()
    for which in ("total", "active")
    if which in network.published
]
COUNTED = {"total": "params", "active": "active_params"}


@pytest.mark.parametrize(("network", "which"), PUBLISHED)
def test_a_count_from_the_shape_comes_near_the_published_one(network: Network, which: str, value: Any) -> None:
    published, allowed = network.published[which], network.tolerance if which == "total" else network.tolerance_active  # type: ignore[index]
    assert allowed is not None
    assert allowed <= 0.03
    assert value(COUNTED[which], network=network.id) == pytest.approx(published.value, rel=allowed)


@pytest.mark.parametrize(
    "name",
    ["gpt3-175b", "llama3-8b", "llama3-70b", "llama3-405b", "mixtral-8x7b", "deepseek-v3", "gpt2-small", "palm-540b"],
)
def test_the_networks_that_matter_are_among_them(name: str) -> None:
    assert "total" in CATALOGUE.networks[name].published
    if CATALOGUE.networks[name].experts:
        assert "active" in CATALOGUE.networks[name].published


def test_every_transformer_with_a_public_shape_is_checked() -> None:
    shaped = {name for name, network in CATALOGUE.networks.items() if network.d is not None and network.L is not None}
    assert shaped == {name for name in shaped if "total" in CATALOGUE.networks[name].published}
    assert len(shaped) > 20


# --- by hand, from the papers' tables


def test_gated_blocks_have_three_matrices_and_grouped_heads_fewer_keys(value: Any) -> None:
    llama = {"network": "llama3-8b"}
    assert value("mlp_params", **llama) == 3 * 4096 * 14336
    assert value("attention_params", **llama) == 2 * 4096 * 4096 + 2 * 4096 * 8 * 128
    assert value("params", **llama) == 32 * (3 * 4096 * 14336 + 2 * 4096**2 + 2 * 4096 * 1024) + 2 * 128256 * 4096
    assert value("attention_params", network="palm-540b") == 18432 * 256 * (2 * 48 + 2)


def test_tied_tables_count_once_and_positions_have_rows(value: Any) -> None:
    assert value("embedding_params", network="gpt2-small") == (50257 + 1024) * 768
    assert value("embedding_params", network="generic-7b") == 2 * 50257 * 4096


def test_relative_positions_have_a_matrix_a_layer(value: Any) -> None:
    assert value("attention_params", network="gopher-280b") == 5 * 16384**2


def test_mixtral_uses_two_experts_of_eight(value: Any) -> None:
    mixtral = {"network": "mixtral-8x7b"}
    expert, attention, router = 3 * 4096 * 14336, 2 * 4096 * 128 * (32 + 8), 4096 * 8
    assert value("layer_params", **mixtral) == 32 * (attention + router + 8 * expert)
    assert value("P_a", **mixtral) == 32 * (attention + router + 2 * expert)
    assert value("P_r", **mixtral) == value("layer_params", **mixtral)
    assert value("P_r", **mixtral, ep=8) == 32 * (attention + router + expert)


def test_deepseek_has_dense_layers_first_a_shared_expert_and_latent_attention(value: Any) -> None:
    deepseek = {"network": "deepseek-v3"}
    expert, router = 3 * 7168 * 2048, 7168 * 256
    queries = 7168 * 1536 + 1536 * 128 * (128 + 64)
    keys_values = 7168 * (512 + 64) + 512 * 128 * (128 + 128)
    attention = queries + keys_values + 128 * 128 * 7168
    dense = 3 * 7168 * 18432
    assert value("attention_params", **deepseek) == attention
    assert value("common_params", **deepseek) == 61 * attention + 3 * dense + 58 * (expert + router)
    assert value("P_a", **deepseek) == 61 * attention + 3 * dense + 58 * (9 * expert + router)
    assert value("layer_params", **deepseek) == 61 * attention + 3 * dense + 58 * (257 * expert + router)
    assert value("expert_layers", **deepseek) == 58
    assert value("attention_width", **deepseek) == 128 * (128 + 64 + 128) / 2


def test_arithmetic_uses_active_bytes_use_reached_state_uses_all(answer: Any, value: Any) -> None:
    mixtral = {"network": "mixtral-8x7b", "T": 1}
    f, P_a, reached = (value(key, **mixtral) for key in ("f", "P_a", "reached_params"))
    assert value("weight_intensity", **mixtral) == pytest.approx(f * P_a / (12 * reached))
    assert value("state_bytes", **mixtral) == 16 * value("params", **mixtral)
    assert "top_k" in answer("flops_per_token", **mixtral).leaves()
    assert value("reached_params", network="mixtral-8x7b", T=1e5) == pytest.approx(value("P_r", **mixtral))


def test_a_dense_network_has_no_experts(value: Any) -> None:
    for key in ("experts", "top_k", "shared_experts", "expert_params", "expert_layers"):
        assert value(key, network="llama3-8b") == 0
    assert value("common_params", network="llama3-8b") == value("layer_params", network="llama3-8b")
    assert value("tokens_per_expert", network="llama3-8b", T=512) == 512
    assert value("weight_reuse", network="llama3-8b") == 1


def test_a_counted_network_is_counted_by_its_layers(value: Any) -> None:
    lenet = {"network": "lenet-1989"}
    assert (value("params", **lenet), value("P_a", **lenet)) == (9760, 64660)
    assert value("flops_per_token", **lenet) == 6 * 64660 - 2 * 19200
    for key in ("layer_params", "active_params", "common_params"):
        assert value(key, **lenet) == 9760
    assert value("expert_layers", **lenet) == 0
    assert value("tokens_per_expert", **lenet, T=3) == 3
    assert value("forward_flops", **lenet) == 2 * 64660


# --- conventions


@pytest.mark.parametrize(("preset", "total"), [("state-16", 16), ("state-18", 18), ("state-20", 20)])
def test_a_recipe_of_training_state_is_the_sum_of_its_items(preset: str, total: float, catalogue: Catalogue) -> None:
    row = catalogue.constants[preset]
    assert sum(item.value for item in row.items) == row.value == total
    named = " ".join(item.what for item in row.items)
    for part in ("weight", "gradient", "master", "first moment", "second moment"):
        assert part in named


@pytest.mark.parametrize("total", [16, 18, 20])
def test_the_state_follows_the_recipe(total: float, value: Any) -> None:
    assert value("state_bytes", state_bytes_per_param=f"{total} B/param") == total * value("params")


def test_the_gradient_s_part_of_the_state_is_the_recipe_s_own(value: Any, catalogue: Catalogue) -> None:
    (gradient,) = [item.value for item in catalogue.constants["state-16"].items if "gradient" in item.what]
    assert value("gradient_bytes") == gradient == 2


def test_recomputation_changes_what_is_executed_and_not_what_counts(value: Any) -> None:
    """Model utilization counts the operations of the model; hardware utilization also those done again."""
    scenario = {"network": "generic-7b"}
    whole, selective = ({**scenario, "policy": policy} for policy in ("sqrt", "selective"))
    assert value("flops_per_token", **whole) == value("flops_per_token", **selective)
    assert value("mfu", **whole, train_tokens=1e12, device_time=1e9) == value(
        "mfu", **selective, train_tokens=1e12, device_time=1e9
    )
    executed = value("flops_per_token", **whole) + value("recompute_flops", **whole)
    assert executed / value("flops_per_token", **whole) == pytest.approx(4 / 3)
    assert value("recompute_share", **selective) == pytest.approx(4 * 2048 / (72 * 4096 + 12 * 2048))


def test_a_layer_of_the_catalogue_s_network_needs_no_other_number() -> None:
    for network in CATALOGUE.networks.values():
        if network.d is not None and network.L is not None:
            layer = network_layer(network)
            assert all(layer[key].value is not None for key in ("d", "L", "heads", "kv_heads", "head_dim", "d_ff"))
