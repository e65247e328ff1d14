"""Whether claims keep their verdict over the ranges of their inputs, and at which input they lose it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from model.book import QUANTITIES
from model.records import Catalogue
from model.scenario import base
from report.asking import HERE, World
from report.cards import Maker
from report.catalogue import load
from report.conditions import Cond, both, either, negate
from report.many import Spot
from report.numbers import Const, Num
from report.points import DRAWS, along
from report.questions import Asked
from report.robust import NEAR, Robust, robust
from report.verdicts import Verdict, apart
from report.written import Written

Ask = Callable[..., Asked]


@pytest.fixture(scope="module")
def catalogue(root: Path) -> Catalogue:
    return load(root / "content" / "catalogue")


@pytest.fixture(scope="module")
def maker(catalogue: Catalogue) -> Maker:
    return Maker(World(QUANTITIES, partial(base, catalogue)), catalogue)


@pytest.fixture
def ask(maker: Maker) -> Ask:
    def asked(key: str, live: bool = False, **given: str | float) -> Asked:
        return Asked(maker.world, key, tuple(sorted(given.items())), live)

    return asked


def found(maker: Maker, cond: object) -> Robust:
    assert isinstance(cond, Cond)
    return Verdict(cond, maker).robust


def test_a_claim_far_from_its_ranges_holds_over_them(maker: Maker, ask: Ask) -> None:
    assert found(maker, ask("beta", machine="h100-sxm5") > Const(200.0)).over == "holds"


def test_a_claim_on_exact_counts_has_no_ranges(maker: Maker, ask: Ask) -> None:
    assert found(maker, ask("d", network="llama3-405b") > Const(16000.0)) == Robust("exact")


def test_a_claim_names_the_input_at_which_it_flips_and_the_value(maker: Maker, ask: Ask) -> None:
    peak = ask("peak", machine="h100-sxm5").read().number or 0.0
    bandwidth = ask("bandwidth", machine="h100-sxm5").read().number or 0.0
    verdict = found(maker, ask("beta", machine="h100-sxm5") > Const(294.0))
    assert verdict.over == "flips"
    by_row = {flip.spot[0].rpartition("/")[2]: flip for flip in verdict.flips}
    assert set(by_row) == {"peak.bf16", "bandwidth"}
    assert by_row["peak.bf16"].value == pytest.approx(294 * bandwidth, rel=1e-6)
    assert by_row["bandwidth"].value == pytest.approx(peak / 294, rel=1e-6)
    assert not by_row["peak.bf16"].rising
    assert by_row["bandwidth"].rising
    assert [flip.part for flip in verdict.flips] == sorted(flip.part for flip in verdict.flips)
    assert 0 < verdict.share < 0.5


def test_at_the_value_named_the_claim_is_false_and_just_before_it_true(maker: Maker, ask: Ask) -> None:
    limit = Const(294.0)
    verdict = found(maker, ask("beta", machine="h100-sxm5") > limit)
    for flip in verdict.flips:
        key, near = flip.spot[0].rpartition("/")[2].partition(".")[0], 1e-5
        before = flip.value + (flip.spot[1] - flip.value) * near * 100
        assert (ask("beta", machine="h100-sxm5", **{key: flip.value}) > limit).holds() is False
        assert (ask("beta", machine="h100-sxm5", **{key: before}) > limit).holds() is True


def test_several_inputs_together_can_turn_what_none_does_alone(maker: Maker, ask: Ask) -> None:
    verdict = found(maker, ask("beta", machine="h100-sxm5") > Const(290.0))
    assert (verdict.over, verdict.flips) == ("together", ())
    assert 0 < verdict.share < 0.05


def test_an_input_on_both_sides_moves_on_both(maker: Maker, ask: Ask) -> None:
    beta = ask("beta", machine="h100-sxm5")
    assert found(maker, beta * 1.001 > beta).over == "holds"
    assert found(maker, ask("d_min", machine="h100-sxm5", form="plain") / ask("a") > Const(0.1)).over == "holds"


def test_a_limit_flips_a_claim_that_needs_a_number(maker: Maker, ask: Ask) -> None:
    verdict = found(maker, ask("T_min", machine="h100-sxm5", network="gpt2-medium", form="plain") < Const(1e9))
    assert verdict.over == "flips"
    assert verdict.flips[0].spot[0] == "constants/activation-traffic"
    assert verdict.flips[0].rising


def test_what_becomes_undecided_has_flipped(maker: Maker, ask: Ask) -> None:
    given: dict[str, str | float] = {"machine": "h100-sxm5", "network": "generic-7b", "devices": 1.0}
    state = ask("state_bytes", **{"network": "generic-7b"}).read().number or 0.0
    need = ask("headroom", **given, capacity=state * 1.3) > Const(0.0)
    assert need.holds() is True
    assert found(maker, need).over == "flips"


@pytest.mark.parametrize("turn", [both, lambda one, two: negate(either(negate(one), negate(two)))])
def test_joined_conditions_flip_where_one_part_does(maker: Maker, ask: Ask, turn: Callable[..., object]) -> None:
    firm, loose = ask("beta", machine="cray-1") < Const(1.0), ask("beta", machine="h100-sxm5") > Const(294.0)
    verdict = found(maker, turn(firm, loose))
    assert verdict.over == "flips"
    assert {flip.spot[0].split("/")[1] for flip in verdict.flips} == {"h100-sxm5"}
    assert found(maker, either(firm, loose)).over == "holds"


def test_a_claim_that_does_not_hold_can_come_true(maker: Maker, ask: Ask) -> None:
    assert found(maker, ask("beta", machine="h100-sxm5") > Const(296.0)).over == "flips"
    assert found(maker, ask("beta", machine="h100-sxm5") > Const(400.0)).over == "holds"


def test_a_claim_follows_the_reader(maker: Maker, ask: Ask) -> None:
    cond = ask("beta", live=True) > Const(294.0)
    assert Verdict(cond, maker, {"machine": "cray-1"}).robust.over == "holds"
    assert Verdict(cond, maker).robust.over == "flips"


def test_sides_nearer_than_the_limit_are_nearly_a_tie(maker: Maker, ask: Ask) -> None:
    beta = ask("beta", machine="h100-sxm5")
    value = beta.read().number or 0.0
    assert Verdict(beta < Const(value * (1 + NEAR / 2)), maker).near
    assert not Verdict(beta < Const(value * (1 + NEAR * 2)), maker).near
    assert not Verdict(ask("beta", machine="vax-11-780-fpa", format="bf16") < Const(1.0), maker).near


def test_a_verdict_is_told_in_texts_and_in_data(maker: Maker, ask: Ask) -> None:
    verdict = Verdict(ask("beta", machine="h100-sxm5") > Const(294.0), maker)
    told, data = verdict.told(), verdict.data()
    by_name = {flip["says"]: flip for flip in told["flips"]}
    flip = by_name["dense peak rate of arithmetic at the format"]
    assert (flip["to"], flip["stands"]) == ("985\u00a0TFLOP/s", "989\u00a0TFLOP/s")
    assert (flip["low"], flip["high"], flip["label"], flip["rises"]) == (
        "980\u00a0TFLOP/s",
        "999\u00a0TFLOP/s",
        "H100",
        False,
    )
    assert told["near"] is data["near_tie"] is True
    assert data["over_range"]["verdict"] == "flips"
    first = data["over_range"]["flips_at"][0]
    assert set(first) == {"input", "row", "unit", "stands_at", "low", "high", "flips_at"}
    assert first["low"] <= first["flips_at"] <= first["high"]


def test_two_amounts_get_the_digits_that_tell_them_apart() -> None:
    from report import rounding

    label = rounding.Label("", "")
    assert apart(2.0014, 2.0, label, rounding.bare) == "2.001"
    assert apart(2.0, 2.00000001, label, rounding.bare) == "2"


@pytest.fixture(scope="module")
def site_claims(written: Written) -> list[Verdict]:
    """Return every claim of the site with what its ranges do to it."""
    return [Verdict(claim.cond, written.maker) for page in written.pages for claim in page.claims]


def test_no_claim_that_holds_over_its_ranges_flips_anywhere_inside_them(site_claims: list[Verdict]) -> None:
    """The worst ends are ends only while comparisons move one way in each input: look inside the ranges as well."""
    firm = [verdict for verdict in site_claims if verdict.robust.over == "holds"]
    assert firm
    for verdict in firm:
        spots: list[Spot] = list(dict.fromkeys(spot for spot in spots_of_verdict(verdict)))
        inside = {name: _within(name, place) for place, name in enumerate(spots)}
        assert verdict.maker.asker.many(inside, DRAWS).holds(verdict.cond, HERE).tolist() == [1] * DRAWS, (
            verdict.cond.say()
        )


def spots_of_verdict(verdict: Verdict) -> list[Spot]:
    from report.inputs import spots_of

    return list(spots_of(verdict.inputs))


def _within(name: Spot, place: int) -> np.ndarray:
    """Return values spread evenly over the whole of a range, its ends included."""
    _, _, low, high = name
    ranks = np.argsort(np.argsort(along(place)))
    return low + (high - low) * ranks / (DRAWS - 1)


def test_every_flip_of_the_site_lies_inside_its_range(site_claims: list[Verdict]) -> None:
    flips = [flip for verdict in site_claims for flip in verdict.robust.flips]
    assert flips
    for flip in flips:
        _, value, low, high = flip.spot
        assert low * (1 - 1e-9) <= flip.value <= high * (1 + 1e-9)
        assert (flip.value > value) is flip.rising


def test_a_bare_number_rests_on_nothing(maker: Maker) -> None:
    nums: list[Num] = [Const(1.0)]
    assert maker.rests(nums) == ()
    assert robust(Const(1.0) < Const(2.0), [], maker.asker).over == "exact"
