"""Bytes per token: the streams make up the step, the crossing is the floor when nothing else moves, shares add up."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp

from model.book import ask
from model.records import Catalogue
from model.scenario import base
from tests.model.algebra import letter, letters, spelled_out

Question = Callable[..., Any]
T, n, o, b_w, P_r, A, beta, f, P_a = letters("T micro_batches o b_w P_r A beta f P_a")
KEPT = ("P_a", "P_r", "A", "beta", "I_L2", "reached_params", "optimizer_bytes", "params", "ring_share")
FORMS = pytest.mark.parametrize("form", ["plain", "l2"])
STREAMS = ("weight_reads", "gradient_traffic", "A", "reblocking_traffic", "optimizer_traffic")
PARTS = ("weight_part", "gradient_part", "activation_part", "reblocking_part", "optimizer_part")
SCENARIOS: tuple[dict[str, Any], ...] = (
    {},
    {"form": "l2", "micro_batches": 16.0},
    {"machine": "vax-11-780-fpa", "network": "nettalk-80", "T": 25.0},
    {"network": "deepseek-v3", "machine": "h800-sxm5", "ep": 64.0, "T": 4096.0},
    {"zero": "3", "devices": 1024.0},
    {"format": "fp8"},
)
ON = pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: " ".join(map(str, scenario.values())) or "-")


def same(left: Any, right: Any) -> bool:
    return bool(sp.simplify(left - right) == 0)


@FORMS
def test_the_streams_are_the_bytes_of_a_step_shared_by_its_tokens(form: str) -> None:
    step = spelled_out("step_bytes", KEPT, form=form) / (T * n)
    assert same(spelled_out("token_bytes", KEPT, form=form), step)


@FORMS
def test_the_crossing_is_where_the_bytes_equal_the_budget(form: str) -> None:
    moved = spelled_out("token_bytes", KEPT, form=form).subs(letter("reached_params"), P_r)
    (solution,) = sp.solve(sp.Eq(moved, spelled_out("byte_budget", KEPT)), T)
    assert same(solution, spelled_out("T_step", KEPT, form=form))


@FORMS
def test_the_crossing_is_the_floor_when_only_weights_and_activations_move(form: str) -> None:
    crossing, floor = (spelled_out(key, KEPT, form=form) for key in ("T_step", "T_min"))
    assert same(crossing.subs(letter("optimizer_bytes"), 0), floor)
    assert same(sp.limit(crossing, n, sp.oo), floor), "and with many micro-batches a step"


def test_the_fabric_s_budget_is_met_at_the_all_reduce_floor_where_every_weight_is_used_once() -> None:
    carried = spelled_out("allreduce_traffic", KEPT).subs({letter("params"): P_a, letter("ring_share"): 1, n: 1})
    (solution,) = sp.solve(sp.Eq(carried, spelled_out("fabric_budget", KEPT)), T)
    assert same(solution, spelled_out("T_allreduce"))


@ON
def test_streams_and_shares_add_up(value: Question, scenario: dict[str, Any]) -> None:
    assert sum(value(key, **scenario) for key in STREAMS) == pytest.approx(value("token_bytes", **scenario), rel=1e-12)
    assert sum(value(key, **scenario) for key in PARTS) == pytest.approx(1, rel=1e-12)
    for stream, part in zip(STREAMS, PARTS, strict=True):
        share = value(stream, **scenario) / value("token_bytes", **scenario)
        assert value(part, **scenario) == pytest.approx(share, rel=1e-12)


@ON
def test_a_step_waits_for_memory_exactly_below_the_crossing(value: Question, scenario: dict[str, Any]) -> None:
    crossing = value("T_step", **scenario)
    for tokens in (math.floor(crossing), math.ceil(crossing)):
        if tokens:
            use = value("budget_use", **{**scenario, "T": float(tokens)})
            assert (use > 1) is (tokens < crossing)


def test_an_update_in_place_has_no_optimizer_s_bytes_beside_the_weights(value: Question) -> None:
    """Read, read, write: the third of b_w is the update itself."""
    in_place = {"network": "lenet-1989", "machine": "vax-11-780-fpa"}
    assert value("b_w", **in_place) == 12
    assert value("optimizer_traffic", **in_place) == 0
    assert value("gradient_traffic", **in_place) * 2 == value("weight_reads", **in_place)


def test_a_single_device_sends_nothing_and_a_machine_without_a_link_cannot(catalogue: Catalogue) -> None:
    assert ask("allreduce_traffic", base(catalogue, {"devices": 1.0})).value == 0
    assert ask("allreduce_traffic", base(catalogue, {"machine": "vax-11-780-fpa"})).state == "no-fabric"


# --- the window


@pytest.mark.parametrize(
    "scenario", [{}, {"tp": 8.0, "pp": 16.0, "devices": 256.0}, {"network": "llama3-405b", "fabric": "scale_up"}]
)
def test_the_window_closes_where_the_floors_meet_the_ceiling(value: Question, scenario: dict[str, Any]) -> None:
    closing = value("closing_devices", **scenario)
    width = value("dp", **scenario) * closing / value("devices", **scenario)
    straight = max(value(key, **scenario) for key in ("T_min", "T_optimizer"))
    # A ring of n replicas pays for n - 1 of them.
    floor = max(width * straight, (width - 1) * value("T_allreduce", **scenario))
    assert floor == pytest.approx(value("B_crit", **scenario), rel=1e-12)
    replica = value("replica", **scenario)
    beyond = {**scenario, "devices": replica * (int(2 * closing / replica) + 1)}
    assert value("batch_window", **beyond) < 1


def test_the_window_s_low_edge_is_its_highest_floor(value: Question) -> None:
    floors = [value(key) for key in ("weight_floor", "optimizer_floor", "allreduce_floor")]
    assert max(floors) == value("window_low")


def test_a_single_replica_pays_no_all_reduce(value: Question) -> None:
    for alone in ({"devices": 1.0}, {"devices": 128.0, "tp": 8.0, "pp": 16.0}):
        assert value("allreduce_floor", **alone) == 0
        assert value("window_low", **alone) == max(value(key, **alone) for key in ("weight_floor", "optimizer_floor"))
    assert value("allreduce_floor") == pytest.approx(63 * value("T_allreduce"))


def test_below_the_pole_the_window_is_closed_from_the_first_device(catalogue: Catalogue) -> None:
    assert ask("closing_devices", base(catalogue, {"network": "gpt2-small"})).value == 0


def test_the_ceiling_says_nothing_of_a_network_that_is_no_transformer(catalogue: Catalogue) -> None:
    given = base(catalogue, {"network": "nettalk-80", "machine": "h100-sxm5", "keep": 0.0})
    assert ask("closing_devices", given).state == "not-a-transformer"
