"""What a device must hold: the parts make the whole, sharding divides what it says, and real runs fit their devices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from model.book import ask
from model.records import Catalogue
from model.scenario import base
from tests.model.algebra import letter, letters, spelled_out

PARTS = ("weights_per_device", "gradients_per_device", "optimizer_per_device")
FEW = settings(max_examples=40)


def answer(catalogue: Catalogue, key: str, **scenario: Any) -> float:
    found = ask(key, base(catalogue, scenario))
    assert found.value is not None, f"{key}: {found.state}"
    return found.value


def same(one: Any, other: Any) -> bool:
    return bool(sp.simplify(one - other) == 0)


# --- the training state


@pytest.mark.parametrize("zero", ["0", "1", "2", "3"])
@pytest.mark.parametrize("family", ["dense", "experts", "counted"])
def test_the_parts_of_the_state_make_the_whole(zero: str, family: str) -> None:
    keep = ("params", "dp", "replica", "held_params")
    parts = sum(spelled_out(part, keep, zero=zero, family=family) for part in PARTS)
    assert same(parts, spelled_out("state_per_device", keep, zero=zero, family=family))


def test_each_stage_shards_one_part_more() -> None:
    dp, held, params, replica = letters("dp held_params params replica")
    per_param = dict(zip(PARTS, (letter("weight_bytes"), letter("gradient_bytes"), None), strict=True))
    per_param[PARTS[2]] = letter("state_bytes_per_param") - letter("weight_bytes") - letter("gradient_bytes")
    first = {PARTS[0]: 3, PARTS[1]: 2, PARTS[2]: 1}
    for part, bytes_ in per_param.items():
        for stage in range(4):
            found = spelled_out(part, ("params", "dp", "replica", "held_params"), zero=str(stage))
            whole = params / (replica * dp) if stage >= first[part] else held / replica
            assert same(found, bytes_ * whole), (part, stage)


@FEW
@given(
    zero=st.sampled_from(["0", "1", "2", "3"]),
    network=st.sampled_from(["generic-7b", "deepseek-v3", "mixtral-8x7b", "nettalk-80", "resnet50"]),
    split=st.sampled_from([(1, 1), (8, 1), (1, 16), (8, 16)]),
    ep=st.sampled_from([1, 2, 8]),
    copies=st.sampled_from([8, 64]),
)
def test_what_all_devices_hold_is_every_copy_of_the_whole(
    catalogue: Catalogue, zero: str, network: str, split: tuple[int, int], ep: int, copies: int
) -> None:
    """Count the copies: what is sharded exists once, an expert once in each group, all else once in each replica."""
    tp, pp = split
    scenario = {"network": network, "zero": zero, "tp": tp, "pp": pp, "ep": ep, "devices": copies * tp * pp}
    params, held = answer(catalogue, "params", **scenario), answer(catalogue, "held_params", **scenario)
    per = {"weights_per_device": 3, "gradients_per_device": 2, "optimizer_per_device": 1}
    for part, first in per.items():
        one = answer(catalogue, part, **scenario)
        alone = answer(catalogue, part, network=network, devices=1)
        total = one * copies * tp * pp
        copied = alone if int(zero) >= first else alone * copies * held / params
        assert total == pytest.approx(copied, rel=1e-9)


def test_an_expert_parallel_group_divides_the_experts_and_nothing_else(catalogue: Catalogue) -> None:
    whole = answer(catalogue, "held_params", network="deepseek-v3")
    assert whole == answer(catalogue, "params", network="deepseek-v3")
    experts = answer(catalogue, "layer_params", network="deepseek-v3") - answer(
        catalogue, "common_params", network="deepseek-v3"
    )
    for ep in (2, 64, 256):
        held = answer(catalogue, "held_params", network="deepseek-v3", devices=256, ep=ep)
        assert whole - held == pytest.approx(experts * (1 - 1 / ep), rel=1e-9)
    assert answer(catalogue, "held_params", network="llama3-8b", ep=8) == answer(
        catalogue, "params", network="llama3-8b"
    )


# --- the tape


def test_a_stage_has_checkpoints_of_its_own_and_reversible_layers_keep_one_each() -> None:
    c, d, L, T, tp, pp, n = letters("c d L T tp pp micro_batches")
    flying = sp.Min(n, pp)
    assert same(spelled_out("tape_per_device", policy="sqrt"), 2 * c * d * sp.sqrt(L / pp) * T * flying / tp)
    assert same(spelled_out("tape_per_device", policy="reversible"), c * d * T * flying / tp)
    for policy in ("selective", "store-all", "inputs"):
        found = spelled_out("tape_per_device", ("tape_bytes",), policy=policy)
        assert same(found, letter("tape_bytes") * flying / (tp * pp))


@pytest.mark.parametrize("policy", ["selective", "store-all", "inputs", "sqrt", "reversible"])
def test_on_a_single_device_it_is_the_whole_tape(catalogue: Catalogue, policy: str) -> None:
    for network in ("gpt2-small", "generic-7b", "llama3-405b"):
        scenario = {"network": network, "policy": policy, "micro_batches": 8}
        assert answer(catalogue, "tape_per_device", **scenario) == pytest.approx(
            answer(catalogue, "tape_bytes", **scenario), rel=1e-12
        )


# --- need against memory


@pytest.mark.parametrize("need", [0.5, 1 - 1e-9, 1.0, 1 + 1e-9, 2.0])
def test_headroom_and_shortage_are_two_sides_of_one_line(catalogue: Catalogue, need: float) -> None:
    held = answer(catalogue, "device_bytes")
    have = held / need
    given = base(catalogue, {"capacity": have})
    shortage, headroom = ask("shortage", given), ask("headroom", given)
    if held > have:
        assert headroom.state == "does-not-fit"
        assert shortage.value == held - have
    else:
        assert shortage.value == 0
        assert headroom.value == have - held


RUNS: Mapping[str, Mapping[str, Any]] = {
    "Llama-3 405B on H100": {
        "network": "llama3-405b",
        "machine": "h100-sxm5",
        "T": 8192,
        "s": 8192,
        "micro_batches": 16,
        "tp": 8,
        "pp": 16,
        "devices": 16384,
        "zero": "2",
    },
    "DeepSeek-V3 on H800": {
        "network": "deepseek-v3",
        "machine": "h800-sxm5",
        "T": 4096,
        "s": 4096,
        "micro_batches": 16,
        "pp": 16,
        "ep": 64,
        "devices": 2048,
        "zero": "1",
    },
}


@pytest.mark.parametrize("run", RUNS)
def test_a_published_run_fits_its_devices_under_its_own_sharding(catalogue: Catalogue, run: str) -> None:
    """Llama 3 shards gradients and optimizer, DeepSeek the optimizer; with less of their sharding neither would fit."""
    assert answer(catalogue, "headroom", **RUNS[run]) > 0
    for less in ({"pp": 1}, {"zero": str(int(RUNS[run]["zero"]) - 1)}):
        assert ask("headroom", base(catalogue, {**RUNS[run], **less})).state == "does-not-fit"
