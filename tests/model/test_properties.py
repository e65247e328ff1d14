"""What holds on every machine, network and batch: floors meet balances, shares sum to one, more never means less."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from model.book import QUANTITIES, ask
from model.formula import Given
from model.records import Catalogue
from tests.model.between import between

FEW = settings(max_examples=40)
FORM = st.sampled_from(["plain", "l2"])
BATCH = st.floats(1, 1e7)
WIDTH = st.integers(64, 65536).map(float)
RATE = st.floats(1e11, 1e16)
BANDWIDTH = st.floats(1e9, 1e14)
DENSE = ("generic-7b", "gpt2-small", "llama3-8b", "llama3-405b", "gopher-280b")
MACHINES = ("h100-sxm5", "a100-sxm4-80gb", "b200-sxm", "tpu-v4", "amd-mi300x")


class Asker:
    """One scenario, asked for many quantities."""

    def __init__(self, catalogue: Catalogue, **scenario: str | float) -> None:
        self.base, self.memo = between(catalogue, scenario), {}

    def __call__(self, key: str) -> float:
        answer = ask(key, self.base, self.memo)
        assert answer.number is not None, f"{key}: {answer.state}"
        return answer.number

    def state(self, key: str) -> str | None:
        return ask(key, self.base, self.memo).state


@FEW
@given(machine=st.sampled_from(MACHINES), network=st.sampled_from(DENSE), form=FORM)
def test_intensity_at_the_floor_equals_the_balance(catalogue: Catalogue, machine: str, network: str, form: str) -> None:
    first = Asker(catalogue, machine=machine, network=network, form=form)
    assume(first.state("T_min") is None)
    there = Asker(catalogue, machine=machine, network=network, form=form, T=first("T_min"))
    assert there("operational_intensity") == pytest.approx(there("beta"), rel=1e-9)
    assert there("compute_to_commute") == pytest.approx(1, rel=1e-9)


@FEW
@given(peak=RATE, bandwidth=BANDWIDTH, d=WIDTH, form=FORM)
def test_a_floor_is_positive_or_there_is_none(
    catalogue: Catalogue, peak: float, bandwidth: float, d: float, form: str
) -> None:
    ask_it = Asker(catalogue, machine="own", peak=peak, bandwidth=bandwidth, cache=50e6, d=d, form=form)
    if ask_it.state("T_min") is None:
        assert ask_it("T_min") > 0
        assert ask_it("d_min") < d
    else:
        assert ask_it("T_min") == math.inf
        assert ask_it("d_min") >= d * (1 - 1e-12)


@FEW
@given(T=BATCH, more=st.floats(1.001, 1e3), d=WIDTH, form=FORM)
def test_intensity_rises_with_the_batch_and_stays_below_its_saturation(
    catalogue: Catalogue, T: float, more: float, d: float, form: str
) -> None:
    low, high = (Asker(catalogue, d=d, form=form, T=batch) for batch in (T, T * more))
    assert low("operational_intensity") < high("operational_intensity") < high("saturation_intensity")


@FEW
@given(d=WIDTH, T=BATCH)
def test_re_blocking_only_ever_lowers_the_intensity(catalogue: Catalogue, d: float, T: float) -> None:
    plain, blocked = (Asker(catalogue, d=d, T=T, form=form) for form in ("plain", "l2"))
    assert blocked("operational_intensity") < min(plain("operational_intensity"), blocked("I_L2"))
    assert blocked("T_min") > plain("T_min") or plain("T_min") == blocked("T_min") == math.inf


@FEW
@given(factor=st.floats(1e-3, 1e3), d=WIDTH, T=BATCH)
def test_doubling_peak_and_bandwidth_leaves_balance_floor_and_ceiling_alone(
    catalogue: Catalogue, factor: float, d: float, T: float
) -> None:
    rates = {"peak": 989e12, "bandwidth": 3.35e12, "fabric": 50e9}
    first = Asker(catalogue, d=d, T=T, **rates)
    second = Asker(catalogue, d=d, T=T, **{key: rate * factor for key, rate in rates.items()})
    for key in ("beta", "beta_net", "T_min", "d_min", "elementwise_tax", "utilization_ceiling", "T_fixed", "slowdown"):
        assert second(key) == pytest.approx(first(key), rel=1e-9), key
    assert second("step_time") == pytest.approx(first("step_time") / factor, rel=1e-9)


@FEW
@given(
    machine=st.sampled_from(["h100-sxm5", "a100-sxm4-80gb"]),
    network=st.sampled_from([*DENSE, "mixtral-8x7b", "deepseek-v3"]),
    T=BATCH,
    micro_batches=st.integers(1, 512),
    devices=st.integers(1, 4096),
    form=FORM,
)
def test_shares_of_energy_sum_to_one(  # noqa: PLR0917
    catalogue: Catalogue, machine: str, network: str, T: float, micro_batches: int, devices: int, form: str
) -> None:
    scenario = {"network": network, "T": T, "micro_batches": micro_batches, "devices": devices, "form": form}
    ask_it = Asker(catalogue, machine=machine, **scenario)
    shares = [ask_it(key) for key in ("arithmetic_share", "memory_share", "static_share")]
    assert sum(shares) == pytest.approx(1, rel=1e-12)
    assert all(0 < share < 1 for share in shares)


@FEW
@given(T=BATCH, devices=st.integers(1, 4096), micro_batches=st.integers(1, 64), form=FORM)
def test_a_step_takes_at_least_its_parts_and_its_bytes(
    catalogue: Catalogue, T: float, devices: int, micro_batches: int, form: str
) -> None:
    ask_it = Asker(catalogue, T=T, devices=devices, micro_batches=micro_batches, form=form)
    parts = sum(ask_it(key) for key in ("arithmetic_time", "elementwise_time", "optimizer_time", "allreduce_time"))
    assert ask_it("step_time") >= parts * (1 - 1e-12)
    assert ask_it("step_time") * ask_it("bandwidth") >= ask_it("step_bytes") * (1 - 1e-9)
    assert ask_it("slowdown") >= 1


@FEW
@given(tp=st.sampled_from([1, 2, 8]), pp=st.sampled_from([1, 4, 16]), copies=st.sampled_from([1, 8]))
def test_a_replica_of_many_devices_shares_the_work_of_one(catalogue: Catalogue, tp: int, pp: int, copies: int) -> None:
    one = Asker(catalogue, devices=copies, micro_batches=4)
    many = Asker(catalogue, devices=copies * tp * pp, tp=tp, pp=pp, micro_batches=4)
    for key in ("global_batch", "slowdown", "step_intensity", "energy_per_token", "T_fixed", "B_opt", "batch_window"):
        assert many(key) == pytest.approx(one(key), rel=1e-9), key
    for key in ("step_time", "arithmetic_time", "state_per_device"):
        assert many(key) == pytest.approx(one(key) / (tp * pp), rel=1e-9), key


@FEW
@given(T=BATCH, network=st.sampled_from(["deepseek-v3", "mixtral-8x7b"]), ep=st.sampled_from([1, 2, 4, 8]))
def test_a_micro_batch_reaches_no_more_than_is_held(catalogue: Catalogue, T: float, network: str, ep: int) -> None:
    ask_it = Asker(catalogue, network=network, T=T, ep=ep)
    assert ask_it("common_params") < ask_it("reached_params") <= ask_it("P_r") * (1 + 1e-12)
    larger = Asker(catalogue, network=network, T=2 * T, ep=ep)
    assert larger("reached_params") >= ask_it("reached_params")
    assert ask_it("tokens_per_expert") == pytest.approx(ep * T * ask_it("top_k") / ask_it("experts"))


def test_one_token_reaches_as_many_experts_as_it_uses(catalogue: Catalogue) -> None:
    for network in ("deepseek-v3", "mixtral-8x7b"):
        ask_it = Asker(catalogue, network=network, T=1)
        assert ask_it("reached_params") == pytest.approx(ask_it("P_a"), rel=1e-12)


def exact_floor(catalogue: Catalogue, beta: float, **scenario: Any) -> float:
    """Return the batch at which the exact law of reached experts meets the balance, by bisection."""
    low, high = 1e-3, 1e12
    for _ in range(200):
        middle = math.sqrt(low * high)
        found = Asker(catalogue, T=middle, **scenario)("operational_intensity")
        low, high = (middle, high) if found < beta else (low, middle)
    return high


@pytest.mark.parametrize("network", ["mixtral-8x7b", "deepseek-v3"])
@pytest.mark.parametrize(("beta", "off"), [(20, 1e-8), (150, 1e-8), (2, None), (0.5, None)])
def test_the_floor_with_all_experts_is_exact_from_a_balance_of_twenty_and_a_bound_below(
    catalogue: Catalogue, network: str, beta: float, off: float | None
) -> None:
    scenario = {"machine": "own", "peak": beta * 1e12, "bandwidth": 1e12, "network": network, "form": "plain"}
    bound = Asker(catalogue, **scenario)("T_min")
    exact = exact_floor(catalogue, beta, **scenario)
    assert bound >= exact * (1 - 1e-9)
    if off is not None:
        assert bound == pytest.approx(exact, rel=off)


@FEW
@given(loss=st.floats(1.5, 6), N=st.integers(2, 8192), zero=st.sampled_from([0, 1]))
def test_the_best_batch_is_the_geometric_mean_and_beats_its_neighbours(
    catalogue: Catalogue, loss: float, N: int, zero: int
) -> None:
    ask_it = Asker(catalogue, loss=loss, devices=N, zero=zero)
    best, critical, fixed = ask_it("B_opt"), ask_it("B_crit"), ask_it("T_fixed")
    assert best == pytest.approx(math.sqrt(critical * N * fixed), rel=1e-12)

    def total(batch: float) -> float:
        return (1 + critical / batch) * (batch / N + fixed)

    assert total(best) <= min(total(best * 1.01), total(best / 1.01))


@FEW
@given(network=st.sampled_from(DENSE), T=BATCH, pp=st.sampled_from([1, 2, 8]), n=st.integers(1, 64))
def test_a_tape_grows_with_the_batch_and_the_policies_keep_their_order(
    catalogue: Catalogue, network: str, T: float, pp: int, n: int
) -> None:
    kept = {
        policy: Asker(catalogue, network=network, T=T, pp=pp, micro_batches=n, policy=policy)
        for policy in ("store-all", "selective", "sqrt", "reversible", "inputs")
    }
    tapes = {policy: ask_it("tape_bytes") for policy, ask_it in kept.items()}
    assert tapes["store-all"] > tapes["selective"] > tapes["sqrt"] > tapes["reversible"]
    assert tapes["selective"] == pytest.approx(17 * tapes["inputs"])
    held = kept["selective"]("tape_per_device")
    assert held <= tapes["selective"] * (1 + 1e-12)
    assert held == pytest.approx(tapes["selective"] * min(n, pp) / pp)


@FEW
@given(
    zero=st.sampled_from([0, 1, 2, 3]),
    dp=st.integers(1, 1024),
    state=st.sampled_from([16.0, 18.0, 20.0]),
)
def test_sharding_never_adds_state_and_the_next_stage_never_keeps_more(
    catalogue: Catalogue, zero: int, dp: int, state: float
) -> None:
    held = [
        Asker(catalogue, zero=stage, devices=dp, state_bytes_per_param=state)("state_per_device")
        for stage in range(zero + 1)
    ]
    assert held == sorted(held, reverse=True)
    whole = Asker(catalogue, state_bytes_per_param=state)("state_bytes")
    assert held[0] == whole
    assert held[-1] >= whole / dp * (1 - 1e-12)


@FEW
@given(
    policy=st.sampled_from(["store-all", "selective", "inputs", "sqrt", "reversible"]), network=st.sampled_from(DENSE)
)
def test_recomputing_leaves_the_model_s_operations_alone(catalogue: Catalogue, policy: str, network: str) -> None:
    ask_it = Asker(catalogue, network=network, policy=policy)
    plain = Asker(catalogue, network=network, policy="store-all")
    assert ask_it("flops_per_token") == plain("flops_per_token")
    executed = ask_it("flops_per_token") + ask_it("recompute_flops")
    assert executed / ask_it("flops_per_token") == pytest.approx(1 + ask_it("recompute_share"))
    assert 0 <= ask_it("recompute_share") <= 1 / 3 + 1e-12


@FEW
@given(numbers=st.lists(st.floats(1e-3, 1e3), min_size=20, max_size=20), data=st.data())
def test_a_number_by_hand_is_the_answer_whatever_the_formula(numbers: list[float], data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(sorted(QUANTITIES)))
    assert ask(key, {key: Given(value=numbers[0])}).value == numbers[0]
