"""What moves a number, in prose: elasticity, the number at both ends, the range of all inputs together; mistakes."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from model.book import QUANTITIES
from model.scenario import base
from report.asking import AuthorError, World
from report.cards import Maker
from report.catalogue import load
from report.movercells import Movers

FLOOR = {"machine": "h100-sxm5", "network": "generic-7b", "form": "plain"}


@pytest.fixture(scope="module")
def movers(root: Path) -> Movers:
    catalogue = load(root / "content" / "catalogue")
    return Movers(Maker(World(QUANTITIES, partial(base, catalogue)), catalogue))


def test_an_input_has_an_elasticity_and_the_number_at_both_ends(movers: Movers) -> None:
    found = movers.moves("T_min", "b_w", **FLOOR)
    assert found.elasticity.number == pytest.approx(1)
    assert (found.low.number, found.high.number) == (pytest.approx(492.4, rel=1e-3), pytest.approx(984.8, rel=1e-3))
    assert found.low.unit == QUANTITIES["T_min"].unit
    assert found.elasticity.unit is None
    assert found.high.text == "985\u00a0tokens"


def test_a_cell_says_what_it_is_and_on_which_scenario(movers: Movers) -> None:
    found = movers.moves("T_min", "b_w", **FLOOR)
    assert found.low.says.endswith("with weight-side bytes per parameter and micro-batch at the low end of its range")
    assert found.low.path == "moves(T_min, b_w).low, H100, the 7B class"
    assert found.low.given is not None
    assert (found.low.given.status, found.low.given.row) == ("computed", "T_min, H100, the 7B class")
    card = movers.maker.card(found.low)
    assert (card.text, card.spread) == ("492.4\u00a0tokens", None)


def test_a_limit_at_an_end_is_a_number_that_is_not_there(movers: Movers) -> None:
    found = movers.moves("T_min", "a", **{**FLOOR, "network": "gpt2-medium"})
    assert found.high.number is None
    assert found.high.text == ""


def test_the_range_of_all_inputs_together_is_that_of_the_card(movers: Movers) -> None:
    found = movers.likely("T_min", **FLOOR)
    spread = movers.maker.card(found.num).spread
    assert spread is not None
    assert (found.low.number, found.high.number) == (spread.low, spread.high)
    assert movers.likely("d_min", machine="h100-sxm5", form="plain", T=1).low.number == pytest.approx(550, rel=0.01)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda movers: movers.moves("T_mn", "a"), "there is no quantity 'T_mn'"),
        (lambda movers: movers.moves("T_min", "g"), "T_min does not rest on 'g'"),
        (lambda movers: movers.moves("T_min", "a").middle, "moves(T_min, a) has no 'middle'"),
        (lambda movers: movers.moves("T_min", "d_ff").low, "moves(T_min, d_ff): d_ff has no range"),
        (lambda movers: movers.moves("in_flight", "pp").elasticity, "moves(in_flight, pp) has no elasticity"),
        (lambda movers: movers.likely("d", network="llama3-405b").low, "d(network=llama3-405b) has no range"),
        (lambda movers: movers.likely("T_min", machine="h100-sxm5").hgh, "likely(T_min) has no 'hgh'"),
        (lambda movers: movers.likely("T_min", machine="h1000"), "unknown machine 'h1000'"),
    ],
    ids=["quantity", "input", "part", "exact", "kink", "no range", "end", "scenario"],
)
def test_a_mistake_is_named(movers: Movers, ask: object, said: str) -> None:
    with pytest.raises(AuthorError, match=said.replace("(", r"\(").replace(")", r"\)")):
        ask(movers)  # type: ignore[operator]


def test_what_is_asked_is_told_in_messages(movers: Movers) -> None:
    assert movers.moves("T_min", "a", **FLOOR).say() == "moves(T_min, a)"
    with pytest.raises(AttributeError):
        movers.moves("T_min", "a", **FLOOR)._unknown  # noqa: B018
