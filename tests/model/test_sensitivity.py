"""Elasticities: the symbolic derivative is the numerical one, for every quantity; kinks, zeros and limits."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import pytest
import sympy as sp

from model.book import QUANTITIES, ask
from model.formula import Answer, Base, Fork, Formula, Given, largest, smallest
from model.formula import ask as ask_of
from model.inputs import T, a, d, f, peak
from model.records import Catalogue
from model.scenario import base
from model.sensitivity import Elasticity, composed, elasticities
from model.units import ONE

KEYS = sorted(key for key, quantity in QUANTITIES.items() if isinstance(quantity, Formula | Fork))
SCENARIOS: tuple[Mapping[str, str | float], ...] = (
    {},
    {"machine": "a100-sxm4-80gb", "network": "gpt2-medium", "T": 700.0, "form": "l2", "devices": 24.0},
    {"machine": "h800-sxm5", "format": "fp8", "network": "deepseek-v3", "ep": 64.0, "devices": 2048.0, "pp": 16.0}
    | {"zero": "1", "micro_batches": 120.0, "policy": "store-all", "axis": "pp"},
    {"machine": "vax-11-780-fpa", "network": "nettalk-80", "T": 1.0, "update": "in-place"},
    {
        "machine": "v100-sxm2",
        "network": "gpt3-175b",
        "policy": "sqrt",
        "tp": 8.0,
        "pp": 8.0,
        "zero": "3",
        "devices": 1024.0,
    },
    {"d": 4096.0, "L": 30.0, "policy": "reversible", "fixed": "allreduce", "axis": "dp", "fabric": "scale_up"},
)
STEP = 1e-6


def moved(key: str, inputs: Base, name: str, factor: float) -> Answer:
    value = inputs[name].value
    assert isinstance(value, float)
    return ask(key, {**inputs, name: replace(inputs[name], value=value * factor)})


def by_key(answer: Answer) -> dict[str, Elasticity]:
    return {one.quantity.key: one for one in elasticities(answer)}


@pytest.mark.parametrize("scenario", SCENARIOS, ids=str)
def test_the_symbolic_elasticity_is_the_numerical_one(
    catalogue: Catalogue, scenario: Mapping[str, str | float]
) -> None:
    inputs, compared = base(catalogue, scenario), 0
    for key in KEYS:
        answer = ask(key, inputs)
        if not answer.value:
            continue
        for name, one in by_key(answer).items():
            for factor, said in ((1 - STEP, one.below), (1 + STEP, one.above)):
                beside = moved(key, inputs, name, factor)
                if beside.value is None or one.given.value == 0:
                    continue
                seen = (beside.value / answer.value - 1) / (factor - 1)
                # A difference of two numbers with 16 digits, a millionth apart, has about nine; times what it is of.
                assert seen == pytest.approx(said, rel=3e-4, abs=3e-5 * max(1, abs(said))), (key, name)
                compared += 1
    assert compared > 400


@pytest.mark.parametrize(
    "key", ["T_min", "d_min", "utilization_ceiling", "B_opt", "operational_intensity", "I_L2", "T_step"]
)
@pytest.mark.parametrize("scenario", SCENARIOS[:2], ids=str)
def test_the_chain_rule_gives_the_derivative_of_the_formulas_put_into_each_other(
    catalogue: Catalogue, key: str, scenario: Mapping[str, str | float]
) -> None:
    answer = ask(key, base(catalogue, scenario))
    assert answer.value
    whole, values = composed(answer), {name: given.value for name, given in answer.leaves().items()}
    put = {letter: values[letter.name] for letter in whole.free_symbols}
    assert float(whole.subs(put)) == pytest.approx(answer.value, rel=1e-9)
    for name, one in by_key(answer).items():
        letter = next((letter for letter in whole.free_symbols if letter.name == name), None)
        slope = sp.diff(whole, letter).subs(put) if letter is not None else 0
        assert float(slope) * float(one.given.value or 0) / answer.value == pytest.approx(
            one.above, rel=1e-7, abs=1e-9
        ), name


def test_exponents_are_what_the_formula_says(catalogue: Catalogue) -> None:
    found = by_key(ask("d_min", base(catalogue, {"form": "plain"})))
    assert {key: one.above for key, one in found.items()} == pytest.approx(
        {"a": 1, "peak": 1, "bandwidth": -1, "f": -1, "d": 0}
    )


def test_the_largest_comes_first(catalogue: Catalogue) -> None:
    sizes = [one.size for one in elasticities(ask("B_opt", base(catalogue, {})))]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 2


def test_near_its_pole_the_floor_hangs_on_everything(catalogue: Catalogue) -> None:
    wide, narrow = (by_key(ask("T_min", base(catalogue, {"network": name}))) for name in ("gpt3-175b", "gpt2-medium"))
    assert narrow["a"].above > 10 * wide["a"].above
    share = 820.398 / 1024  # d_min over d: what activations take of a token's budget
    assert narrow["a"].above == pytest.approx(share / (1 - share), rel=1e-3)


def answer_of(formula: Formula, **values: float) -> Answer:
    return ask_of(formula, {key: Given(value=value) for key, value in values.items()})


def test_a_kink_tells_both_sides_apart() -> None:
    least = Formula("least", "x", ONE, "the smaller", expr=lambda: smallest(T, peak), source="here")
    most = Formula("most", "x", ONE, "the larger", expr=lambda: largest(T, peak), source="here")
    low, high = by_key(answer_of(least, T=2.0, peak=2.0)), by_key(answer_of(most, T=2.0, peak=2.0))
    assert (low["T"].below, low["T"].above, low["T"].kink) == (1, 0, True)
    assert (high["T"].below, high["T"].above, high["T"].kink) == (0, 1, True)
    apart = by_key(answer_of(least, T=2.0, peak=3.0))
    assert (apart["T"].kink, apart["T"].above, apart["peak"].above) == (False, 1, 0)


def test_a_kink_goes_through_what_is_built_on_it() -> None:
    least = Formula("least", "x", ONE, "the smaller", expr=lambda: smallest(T**2, T * peak), source="here")
    whole = Formula("whole", "y", ONE, "a share of it", expr=lambda: 1 / largest(1, least + d) + 3 * d, source="here")
    answer = answer_of(whole, T=2.0, peak=2.0, d=5.0)
    assert answer.value is not None
    for name, one in by_key(answer).items():
        for factor, said in ((1 - STEP, one.below), (1 + STEP, one.above)):
            beside = answer_of(whole, **{"T": 2.0, "peak": 2.0, "d": 5.0, name: one.given.value * factor})  # type: ignore[dict-item, operator]
            assert beside.value is not None
            assert (beside.value / answer.value - 1) / (factor - 1) == pytest.approx(said, rel=1e-4, abs=1e-7)


def test_an_input_of_zero_moves_nothing_by_a_share() -> None:
    total = Formula("total", "x", ONE, "a sum", expr=lambda: a + f, source="here")
    found = by_key(answer_of(total, a=0.0, f=6.0))
    assert (found["a"].above, found["f"].above) == (0, 1)


@pytest.mark.parametrize(
    ("key", "scenario"),
    [
        ("T_min", {"machine": "b200-sxm", "network": "gpt2-small"}),
        ("beta", {"machine": "vax-11-780-fpa", "format": "bf16"}),
        ("A", {"a": 0.0}),
        ("form", {}),
    ],
    ids=["limit", "absence", "zero", "choice"],
)
def test_what_has_no_value_has_no_elasticity(
    catalogue: Catalogue, key: str, scenario: Mapping[str, str | float]
) -> None:
    with pytest.raises(ValueError, match=key):
        elasticities(ask(key, base(catalogue, scenario)))


def test_an_input_by_hand_moves_itself(catalogue: Catalogue) -> None:
    (own,) = elasticities(ask("peak", base(catalogue, {})))
    assert (own.quantity.key, own.above) == ("peak", 1)


def test_what_is_at_a_limit_is_moved_by_nothing_small() -> None:
    endless = Formula(
        "endless", "x", ONE, "no limit", expr=lambda: T / d, guards=lambda: ((d <= 1, "no-batch"),), source="here"
    )
    share = Formula("share", "y", ONE, "what is left", expr=lambda: peak + 1 / endless, source="here")
    found = by_key(answer_of(share, T=2.0, d=1.0, peak=3.0))
    assert {key: one.above for key, one in found.items()} == {"T": 0, "d": 0, "peak": 1}
    assert math.isfinite(found["peak"].below)
