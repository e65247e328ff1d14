"""Each derived result follows from its definition: solved, differentiated, summed or taken to the limit."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import pytest
import sympy as sp

from model.book import ask
from model.formula import Given
from tests.model.algebra import gpt, letter, letters, spelled_out

T, d, L, a, c, b_w, f, P_a, P_r, A = letters("T d L a c b_w f P_a P_r A")
beta, I_L2, peak, bandwidth, fabric, devices, e_B, e_F = letters("beta I_L2 peak bandwidth fabric devices e_B e_F")
KEPT = ("P_a", "P_r", "A", "beta", "I_L2", "reached_params")
FORMS = pytest.mark.parametrize("form", ["plain", "l2"])


def same(left: Any, right: Any) -> bool:
    return bool(sp.simplify(left - right) == 0)


def intensity(form: str) -> Any:
    """Operations over bytes, in a network whose weights are all reached."""
    return spelled_out("operational_intensity", KEPT, form=form).subs(letter("reached_params"), P_r)


# --- the floor and the pole


@FORMS
def test_the_floor_is_where_intensity_equals_balance(form: str) -> None:
    (solution,) = sp.solve(sp.Eq(intensity(form), beta), T)
    assert same(solution, spelled_out("T_min", KEPT, form=form))


@FORMS
def test_the_floor_of_a_gpt_layer_is_that_of_the_general_form(form: str) -> None:
    reuse = 1 / beta - 1 / I_L2 if form == "l2" else 1 / beta
    written = 12 * b_w * d / (72 * d * reuse - a)
    assert same(gpt(spelled_out("T_min", ("beta", "I_L2"), form=form)), written)


@FORMS
def test_the_pole_is_where_the_floor_s_denominator_vanishes(form: str) -> None:
    floor, pole = (gpt(spelled_out(key, ("beta", "I_L2"), form=form)) for key in ("T_min", "d_min"))
    (zero,) = sp.solve(sp.denom(sp.together(floor)), d)
    assert same(zero, pole)


def test_the_floor_grows_without_bound_toward_the_pole_and_is_negative_below_it() -> None:
    numbers = {a: 200, beta: 300, b_w: 12}
    floor, pole = (gpt(spelled_out(key, ("beta",), form="plain")).subs(numbers) for key in ("T_min", "d_min"))
    assert sp.limit(floor, d, pole, "+") == sp.oo
    assert sp.limit(floor, d, pole, "-") == -sp.oo


def test_a_wide_layer_s_floor_is_b_w_beta_over_six() -> None:
    limit = sp.limit(gpt(spelled_out("T_min", ("beta",), form="plain")), d, sp.oo)
    assert same(limit, b_w * beta / 6)
    assert same(limit, spelled_out("examples_per_fetch", ("beta",)).subs(f, 6))
    assert same(limit.subs(b_w, 12), 2 * beta)


def test_re_blocking_is_the_same_as_more_activation_traffic() -> None:
    plain, blocked = (gpt(spelled_out("T_min", ("beta", "I_L2"), form=form)) for form in ("plain", "l2"))
    assert same(plain.subs(a, a + 72 * d / I_L2), blocked)


# --- intensity


def test_intensity_of_a_gpt_layer() -> None:
    found = gpt(spelled_out("operational_intensity", form="plain"))
    assert same(found, 72 * T * d / (12 * b_w * d + a * T))


def test_intensity_starts_at_half_a_token_and_ends_at_its_saturation() -> None:
    found = gpt(spelled_out("operational_intensity", form="plain"))
    assert same(sp.limit(found / T, T, 0), 6 / b_w)
    assert same(sp.limit(found, T, sp.oo), 72 * d / a)


@FORMS
def test_the_saturation_is_the_limit_of_intensity(form: str) -> None:
    assert same(sp.limit(intensity(form), T, sp.oo), spelled_out("saturation_intensity", KEPT, form=form))


def test_the_streams_cross_where_they_move_alike() -> None:
    (crossing,) = sp.solve(sp.Eq(b_w * P_r, A * T), T)
    assert same(crossing, spelled_out("T_cross", KEPT))
    assert same(gpt(spelled_out("T_cross")), 12 * b_w * d / a)


def test_a_gpt_layer_holds_twelve_squares() -> None:
    for key in ("P_a", "P_r", "layer_params", "common_params", "reached_params"):
        assert same(gpt(spelled_out(key)), 12 * d**2 * L)
    vocabulary = letter("embeddings") * letter("vocab") * d + letter("position_rows") * d
    assert same(gpt(spelled_out("params")), 12 * d**2 * L + vocabulary)


def test_operations_of_a_gpt_layer_per_token() -> None:
    s, per_square = letters("s attention_flops")
    assert same(gpt(spelled_out("flops_per_token")), 72 * d**2 * L + per_square * s * d * L)


# --- times set equal


def test_the_inference_batch_makes_arithmetic_and_memory_take_equally_long() -> None:
    batch, active, total, size = letters("batch active_params params weight_bytes")
    (solution,) = sp.solve(sp.Eq(2 * batch * active / peak, total * size / bandwidth), batch)
    assert same(solution, spelled_out("inference_batch", ("active_params", "params")))


@pytest.mark.parametrize(
    ("key", "constant", "link"),
    [("T_optimizer", "o", bandwidth), ("T_allreduce", "g", fabric), ("T_fsdp", "z", fabric)],
)
def test_parity_is_where_bytes_take_as_long_as_arithmetic(key: str, constant: str, link: Any) -> None:
    P = letter("params")
    (solution,) = sp.solve(sp.Eq(letter(constant) * P / link, f * P * T / peak), T)
    assert same(solution, spelled_out(key))


@pytest.mark.parametrize("zero", ["0", "1"])
def test_the_fixed_cost_is_its_time_in_tokens_of_arithmetic(zero: str) -> None:
    times = spelled_out("optimizer_time", ("params", "replica", "dp"), zero=zero) + spelled_out(
        "allreduce_time", ("params", "replica", "dp")
    )
    each_token = f * letter("params") / (peak * letter("replica"))
    assert same(times / each_token, spelled_out("T_fixed", ("dp",), zero=zero, fixed="all"))


def test_storing_and_recomputing_a_layer_cost_the_same_energy_at_the_crossing() -> None:
    stored, recomputed = 2 * c * d * e_B, 24 * d**2 * e_F
    (crossing,) = sp.solve(sp.Eq(stored, recomputed), d)
    assert same(crossing, spelled_out("store_recompute_d"))


def test_the_time_tax_and_the_energy_tax_are_ratios_of_the_same_two_streams() -> None:
    moved, done = A * T, f * P_a * T
    assert same((moved / bandwidth) / (done / peak), spelled_out("elementwise_tax", ("A", "P_a")))
    assert same(moved * e_B / (done * e_F), spelled_out("energy_tax", ("A", "P_a")))
    assert same(gpt(spelled_out("elementwise_tax", ("beta",))), a * beta / (72 * d))


@pytest.mark.parametrize("bound", ["arithmetic", "weights"])
def test_the_ceiling_is_arithmetic_over_products_and_kernels_one_after_the_other(bound: str) -> None:
    done, streamed, kernels = f * P_a * T / peak, b_w * P_r * T / T / bandwidth, A * T / bandwidth
    longest = done if bound == "arithmetic" else streamed
    ceiling = spelled_out("utilization_ceiling", KEPT).subs(letter("reached_params"), P_r)
    (larger,) = ceiling.atoms(sp.Max)
    chosen = sp.Integer(1) if bound == "arithmetic" else next(arg for arg in larger.args if arg != 1)
    found = ceiling.xreplace({larger: chosen}).subs(beta, peak / bandwidth)
    assert same(found, done / (longest + kernels))


def test_slowdown_at_the_wall_is_bytes_over_operations_in_time() -> None:
    done, moved = f * P_a * T, b_w * letter("reached_params") + A * T
    (ratio,) = [arg for arg in spelled_out("wall_slowdown", KEPT, form="plain").args if arg != 1]
    assert same(ratio.subs(beta, peak / bandwidth), (moved / bandwidth) / (done / peak))


def test_the_commute_share_is_the_energy_of_bytes_over_all() -> None:
    done, moved = f * P_a * T, b_w * letter("reached_params") + A * T
    share = spelled_out("commute_share", KEPT, form="plain")
    assert same(share, moved * e_B / (moved * e_B + done * e_F))
    at_the_knee = spelled_out("commute_share", ("operational_intensity", "beta_E"))
    assert same(at_the_knee.subs(letter("operational_intensity"), beta), spelled_out("knee_share", ("beta", "beta_E")))


def test_an_update_each_visit_moves_weights_and_state_for_one_visit_s_arithmetic() -> None:
    o, P = letters("o params")
    assert same(
        ((b_w + o) * P / bandwidth) / (f * P * T / peak),
        spelled_out("update_slowdown"),
    )


# --- batches


def test_the_best_batch_minimises_steps_times_time_per_step() -> None:
    B, B_crit, T_fixed, dp = letters("B B_crit T_fixed dp")
    total = (1 + B_crit / B) * (B / dp + T_fixed)
    (best,) = sp.solve(sp.diff(total, B), B)
    assert same(best, spelled_out("B_opt", ("B_crit", "T_fixed", "dp")))
    assert sp.simplify(sp.diff(total, B, 2).subs(B, best)).is_positive
    assert same(best / dp, spelled_out("T_dev", ("B_opt", "dp")).subs(letter("B_opt"), best))


def test_the_critical_batch_doubles_both_steps_and_tokens() -> None:
    steps, tokens = (spelled_out(key, ("global_batch", "B_crit")) for key in ("steps_factor", "examples_factor"))
    at = {letter("global_batch"): letter("B_crit")}
    assert (steps.subs(at), tokens.subs(at)) == (2, 2)
    assert same((steps - 1) * (tokens - 1), 1)


def test_the_critical_batch_is_a_power_of_the_loss() -> None:
    loss, scale, exponent = letters("loss B_star alpha_B")
    assert same(spelled_out("B_crit"), scale * loss ** (-1 / exponent))


# --- experts


@pytest.mark.parametrize(("experts", "top_k", "tokens", "ep"), [(4, 1, 3, 1), (4, 2, 3, 1), (3, 2, 2, 1), (4, 2, 1, 2)])
def test_a_micro_batch_reaches_as_many_experts_as_all_draws_average(
    experts: int, top_k: int, tokens: int, ep: int
) -> None:
    choices = list(combinations(range(experts), top_k))
    draws = list(product(choices, repeat=ep * tokens))
    reached = sum(len(set().union(*draw)) for draw in draws) / len(draws)
    given = {"experts": experts, "top_k": top_k, "T": tokens, "ep": ep, "expert_layers": 1, "expert_params": ep}
    base = {key: Given(value=float(number)) for key, number in given.items()}
    base |= {"family": Given(value="experts"), "common_params": Given(value=0.0)}
    assert ask("reached_params", base).value == pytest.approx(reached, rel=1e-12)


# --- fabric


def test_tensor_and_pipeline_parallelism_have_a_fabric_intensity_without_the_batch() -> None:
    traffic = {letter("tp_traffic"): 16, letter("pp_traffic"): 4}
    tp, pp = letters("tp pp")
    assert same(gpt(spelled_out("fabric_intensity", axis="tp")).subs(traffic), sp.Rational(9, 2) * d / tp)
    assert same(gpt(spelled_out("fabric_intensity", axis="pp")).subs(traffic), 18 * d * L / pp)
    assert T in spelled_out("fabric_intensity", axis="dp").free_symbols


def test_a_ring_of_many_devices_sends_the_whole_twice() -> None:
    share = spelled_out("ring_share", ("dp",))
    assert sp.limit(share, letter("dp"), sp.oo) == 1
    assert share.subs(letter("dp"), 1) == 0


# --- the tape and the spatial machine


def test_in_flight_is_the_sum_of_the_waits_of_all_layers() -> None:
    layer, waiting = sp.symbols("layer waiting", integer=True, positive=True)
    held = sp.summation(2 * (waiting - layer), (layer, 1, waiting))
    T_tau = letter("T_tau")
    assert same(held.subs(waiting, L) * T_tau * c * d, spelled_out("in_flight_bytes"))
    ratio = spelled_out("in_flight_leading") / spelled_out("in_flight_bytes")
    assert sp.limit(ratio, L, sp.oo) == 1


def test_a_pipeline_s_stages_hold_half_of_layers_times_stages() -> None:
    stage, stages = sp.symbols("stage stages", integer=True, positive=True)
    held = sp.summation((L / stages) * (stages - stage + 1), (stage, 1, stages)) * letter("T_tau") * c * d
    written = spelled_out("pipeline_in_flight").subs(letter("pp"), stages)
    assert sp.limit(held / written, stages, sp.oo) == 1
    # With a stage to every layer it is half the square, not the square.
    assert same(spelled_out("pipeline_in_flight").subs(letter("pp"), L) / spelled_out("in_flight_leading"), 1 / sp.S(2))


def test_byte_hops_of_a_layer_do_not_depend_on_the_batch() -> None:
    k, tiles = letters("k tiles")
    side = sp.sqrt(tiles)
    moved, done = 2 * (d + k) * side * T, 2 * d * k * T
    assert same(moved / done, spelled_out("byte_hops", ("k",)))
    assert same(2 * d * side, spelled_out("rebroadcast_hops"))


def test_moving_a_matrix_repeats_what_the_factors_say() -> None:
    k = letter("k")
    found = spelled_out("rank_redundancy", ("k",))
    assert same(found, d * k / (T * (d + k)))
    (worth_it,) = sp.solve(sp.Eq(found, 1), T)
    assert same(worth_it.subs(k, 4 * d), sp.Rational(4, 5) * d)


def test_the_tape_of_the_first_stage_counts_the_micro_batches_in_flight() -> None:
    n, tp, pp = letters("micro_batches tp pp")
    tape = letter("tape_bytes")
    found = spelled_out("tape_per_device", ("tape_bytes",))
    assert same(found, tape / (tp * pp) * sp.Min(n, pp))


def test_state_is_divided_as_zero_says() -> None:
    P, dp, replica, S, weight, gradient = letters("params dp replica state_bytes_per_param weight_bytes gradient_bytes")
    whole = {"0": S, "1": weight + gradient, "2": weight, "3": sp.Integer(0)}
    for zero, kept in whole.items():
        found = spelled_out("state_per_device", ("params", "dp", "replica"), zero=zero)
        assert same(found, (kept + (S - kept) / dp) * P / replica), zero
        assert same(found.subs(dp, 1), S * P / replica), zero


def test_recomputing_a_whole_forward_pass_adds_a_third() -> None:
    for policy in ("inputs", "sqrt", "reversible"):
        assert same(spelled_out("recompute_share", policy=policy).subs(f, 6), sp.Rational(1, 3))
    s = letter("s")
    selective = gpt(spelled_out("recompute_share", policy="selective")).subs(letter("attention_flops"), 12)
    assert same(selective, 4 * s / (72 * d + 12 * s))
    assert spelled_out("recompute_share", policy="store-all") == 0
