"""What tricks gain and cost, and how old machines were rated: against the examples worked by hand in the catalogue."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from model.records import Catalogue, Worked

Value = Callable[..., float]


def worked(catalogue: Catalogue, trick: str, what: str) -> float:
    """Return a number that was worked out by hand."""
    found: list[Worked] = [one for one in catalogue.tricks[trick].worked if one.what == what]
    return found[0].value


def near(value: float, rel: float = 1e-3) -> Any:
    return pytest.approx(value, rel=rel)


# --- against the catalogue's worked examples


def test_batching_divides_weight_bytes_by_the_tokens_that_share_a_visit(value: Value) -> None:
    assert value("batching_gain", T=2048.0) == near(2048)
    one, many = value("batching_gain", network="mixtral-8x7b", T=1.0), value("batching_gain", network="mixtral-8x7b")
    assert one == near(1)  # a single token reaches exactly the experts that it uses
    assert many < 2048


def test_accumulation_thins_what_is_paid_once_per_step(value: Value, catalogue: Catalogue) -> None:
    once, often = value("fixed_share"), value("fixed_share", micro_batches=16.0)
    assert once * 2048 == near(worked(catalogue, "gradient-accumulation", "T_fixed"))
    assert often * 2048 == near(worked(catalogue, "gradient-accumulation", "T_fixed per micro-batch"))


def test_flash_attention_takes_the_scores_out_of_memory(value: Value, catalogue: Catalogue) -> None:
    assert value("flash_gain", a=196.0) == near(worked(catalogue, "flash-attention", "factor on a"))
    assert value("flash_share") == near(worked(catalogue, "flash-attention", "extra FLOPs"), 2e-3)


def test_fusion_is_the_ratio_of_the_two_taxes_beside_the_arithmetic(value: Value, catalogue: Catalogue) -> None:
    loose, tight = (worked(catalogue, "fusion", f"tax at a = {a}") for a in (262, 148))
    assert value("fusion_gain") == near((1 + loose) / (1 + tight))


def test_zero_moves_what_its_stages_say(value: Value) -> None:
    assert value("zero2_traffic") == 1
    assert value("zero2_traffic", micro_batches=3.0) == 2
    assert value("zero3_traffic") == 1.5
    assert value("zero3_traffic", micro_batches=4.0) == 6


def test_tensor_parallelism_ends_where_its_links_are_full(value: Value, catalogue: Catalogue) -> None:
    limit = worked(catalogue, "tensor-parallel", "largest TP")
    assert value("tp_limit", fabric="scale_up") == near(limit)
    intensity = value("fabric_intensity", axis="tp", tp=8.0)
    assert value("tp_limit", fabric="scale_up") / 8 == near(intensity / value("beta_net", fabric="scale_up"))


def test_stages_end_where_the_fabric_is_full(value: Value) -> None:
    intensity = value("fabric_intensity", axis="pp", pp=16.0)
    assert value("pp_limit") / 16 == near(intensity / value("beta_net"))


def test_sequence_parallelism_divides_what_tensor_parallelism_leaves_whole(value: Value, catalogue: Catalogue) -> None:
    assert value("sequence_gain", tp=8.0) == near(worked(catalogue, "sequence-parallel", "factor"))
    assert value("sequence_gain", tp=1.0) == 1


def test_pooling_raises_the_tokens_of_an_expert_to_one_device_each(value: Value) -> None:
    scenario = {"network": "deepseek-v3", "T": 4096.0, "devices": 256.0}
    gain = value("pooling_limit", **scenario, ep=64.0)
    assert gain == 4
    now, most = (value("tokens_per_expert", **scenario, ep=ep) for ep in (64.0, 256.0))
    assert most / now == near(gain)
    assert value("pooling_limit") == 1


def test_a_sequence_is_cut_until_its_pieces_reach_the_floor(value: Value, answer: Any) -> None:
    pieces = value("cp_limit", s=8192.0)
    assert 8192 / pieces == near(value("T_min"))
    assert answer("cp_limit", network="gpt2-small").state == "no-batch"


def test_offload_moves_the_floor_to_the_link_of_the_host(value: Value, catalogue: Catalogue) -> None:
    assert value("offload_floor") == near(worked(catalogue, "offload", "tokens per step for parity"))
    assert value("offload_gain") == 4


def test_frozen_weights_halve_the_floor(value: Value, catalogue: Catalogue) -> None:
    floor = worked(catalogue, "lora", "floor b_w beta/f")
    assert value("examples_per_fetch") / value("lora_gain") == near(floor)


def test_eight_bit_moments_shrink_the_update(value: Value, catalogue: Catalogue) -> None:
    before, after = (worked(catalogue, "adam-8bit", f"parity {when}") for when in ("before", "after"))
    assert value("adam8_traffic") == near(before / after)
    assert value("adam8_state") == 1.6


def test_an_update_in_place_has_no_optimizer_to_shrink(answer: Any) -> None:
    assert answer("adam8_traffic", machine="cray-1", update="in-place").state == "unknown"


# --- what machines were rated by


def test_a_visit_serves_positions_and_experts(value: Value) -> None:
    assert value("visit_tokens", T=512.0) == 512
    assert value("visit_tokens", machine="sun-4-260", network="lenet-1989", T=1.0) == near(64660 / 9760)
    assert value("visit_tokens", network="deepseek-v3", T=4096.0) == 128


def test_an_h100_rated_as_in_1988_waits_for_its_weights(value: Value) -> None:
    alone = {"machine": "h100-sxm5", "T": 1.0}
    assert value("update_arithmetic_time", **alone) == near(0.0061e-12, 0.01)
    assert value("update_memory_time", **alone) == near(3.6e-12, 0.01)
    assert value("update_share", **alone) == near(0.0017, 0.01)
    assert value("update_rate", **alone) == near(1 / value("update_memory_time", **alone))
    assert value("forward_rate", **alone) == near(3.35e12 / 2)


def test_enough_examples_to_a_visit_bring_the_rating_to_peak(value: Value) -> None:
    assert value("update_share", T=1e6) == near(1)
    assert value("update_share", machine="cray-1", update="in-place", T=1.0) == near(1)


def test_one_example_offers_half_an_operation_a_byte(value: Value) -> None:
    assert value("example_intensity") == 0.5
    assert value("beta") / value("example_intensity") == near(value("examples_per_fetch"))


def test_an_update_after_every_token_costs_what_was_worked_out(value: Value) -> None:
    alone = {"T": 1.0, "devices": 1.0}
    assert 1 / value("update_ceiling", **alone) == near(2067)
    assert value("update_slowdown", **alone) == near(value("beta") / value("update_intensity", **alone))
    assert value("update_ceiling", T=1e6) == 1


def test_the_weights_stall_by_the_balance_over_their_intensity(value: Value) -> None:
    assert value("weight_stall", T=1.0) == near(590.6)
    assert value("weight_stall", T=1.0) == near(value("beta") / value("weight_intensity", T=1.0))


# --- what two papers told

NETTALK: Any = {"machine": "vax-11-780-fpa", "network": "nettalk-10k", "update": "in-place", "T": 1.0}
NETTALK |= {"example_rate": 2.0, "train_tokens": 250e3}
DIGITS: Any = {"machine": "sun-4-260", "network": "lenet-1989"}


def test_two_letters_a_second_are_what_a_vax_computed_and_little_of_its_bus(value: Value) -> None:
    assert value("run_flops", **NETTALK) == near(0.12e6)
    assert value("run_linpack_share", **NETTALK) == near(0.12 / 0.14)
    assert value("run_bandwidth", **NETTALK) == near(0.24e6)
    assert value("run_bus_share", **NETTALK) == near(0.018, 0.01)
    assert value("run_time", **NETTALK) / 86400 == near(1.4, 0.05)


def test_the_zip_codes_take_most_of_a_day_at_the_linpack_rate(value: Value) -> None:
    # 16 h at six operations a use; the weights that see the image take four.
    assert value("linpack_time", **DIGITS, f=6.0) / 3600 == near(16.4, 0.01)
    assert value("linpack_time", **DIGITS) == near(167693 * value("flops_per_token", **DIGITS) / 1.1e6)


def test_programs_sustained_less_than_the_peak(value: Value, catalogue: Catalogue) -> None:
    rated = [row.id for row in catalogue.machines.values() if row.linpack]
    assert len(rated) >= 10
    for name in rated:
        ratio = value("beta_sustained", machine=name) / value("beta", machine=name)
        assert 0 < ratio < 1, name


def test_the_gradients_of_a_step_take_the_time_that_the_all_reduce_takes(value: Value) -> None:
    assert value("allreduce_bytes") / value("fabric") == near(value("allreduce_time"))
    assert value("allreduce_bytes") == near(4 * value("params") * 63 / 64)
    assert value("allreduce_bytes", devices=1.0) == 0


def test_nothing_is_known_of_a_run_that_nobody_told(answer: Any) -> None:
    for key in ("run_flops", "run_bandwidth", "run_time"):
        assert answer(key).state == "unknown"
    assert answer("beta_sustained").state == "unknown"
    assert math.isfinite(answer("linpack_time", **DIGITS).value)


def test_examples_of_a_network_that_shares_its_kernels_still_share_its_weights(value: Value) -> None:
    assert value("batching_gain", network="resnet50", T=1) == 1
    assert value("batching_gain", network="resnet50", T=256) == 256
    assert value("batching_gain", network="generic-7b", T=256) == pytest.approx(256)
