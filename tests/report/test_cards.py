"""Cards: formula, values, inputs with their sources, ranges; from the real model and from a small one."""

from __future__ import annotations

import math
import re
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from model.book import QUANTITIES
from model.formula import STATES
from model.records import Catalogue
from model.scenario import base
from model.units import unit
from report import carddata, cards, maths
from report.asking import World
from report.cards import Card, Maker
from report.catalogue import load
from report.cells import fetcher
from report.conditions import Cond, both, negate
from report.desk import Desk, Setting
from report.numbers import Const, Num, core
from report.numbers_page import compared
from report.page import Page
from report.questions import Asked
from report.shown import Cell

FLOOR = {"machine": "h100-sxm5", "network": "generic-7b", "form": "plain"}


@pytest.fixture(scope="module")
def catalogue(root: Path) -> Catalogue:
    return load(root / "content" / "catalogue")


@pytest.fixture(scope="module")
def maker(catalogue: Catalogue) -> Maker:
    return Maker(World(QUANTITIES, partial(base, catalogue)), catalogue)


def asked(maker: Maker, key: str, live: bool = False, **given: str | float) -> Asked:
    return Asked(maker.world, key, tuple(sorted(given.items())), live)


def names(card: Card) -> list[str]:
    return [part.key for part in card.inputs]


def test_a_card_holds_the_formula_in_symbols_and_with_values(maker: Maker) -> None:
    card = maker.card(asked(maker, "T_min", **FLOOR))
    own = card.steps[0]
    assert (card.title, card.text) == (
        "tokens per weight visit at which the step reaches the balance",
        "738.6\u00a0tokens",
    )
    assert "<mi>β</mi>" in own.right
    assert "<mn>295.34</mn>" in own.filled  # with 295.3 it would come to 738.5
    assert "data-k" not in own.filled
    assert own.source == "I(T) = beta solved for T"


def test_its_inputs_carry_status_row_and_sources(maker: Maker) -> None:
    card = maker.card(asked(maker, "beta", machine="h100-sxm5"))
    peak, bandwidth = card.inputs
    assert (peak.key, peak.text, peak.given.status, peak.row) == (
        "peak",
        "989.4\u00a0TFLOP/s",
        "verified",
        "NVIDIA H100 SXM5",
    )
    assert [source.title for source in bandwidth.given.sources] == ["NVIDIA H100 product page"]


def test_inputs_that_a_formula_only_needs_to_exist_are_left_out(maker: Maker) -> None:
    assert "d" not in names(maker.card(asked(maker, "d_min", machine="h100-sxm5", form="plain")))


def test_the_range_is_that_of_the_answer_at_the_ends_of_its_inputs(maker: Maker, catalogue: Catalogue) -> None:
    card = maker.card(asked(maker, "beta", machine="cray-1"))
    row = catalogue.machines["cray-1"]
    peak = row.peak[row.balance_format]
    assert card.spread is not None
    assert card.inputs[card.spread.swings[0].place].key == "peak"
    assert peak.range[1] / row.bandwidth.value <= (card.spread.high or 0) < peak.range[1] / row.bandwidth.range[0]
    # Two independent errors: for a ratio the joint draws come to the sum of the squares of their factors.
    factors = math.log(peak.range[1] / peak.value), math.log(row.bandwidth.value / row.bandwidth.range[0])
    assert card.spread.high == pytest.approx(0.25 * math.exp(math.hypot(*factors)), rel=0.002)


def test_a_state_is_said_in_words_and_has_no_range(maker: Maker) -> None:
    card = maker.card(asked(maker, "T_min", machine="b200-sxm", network="gpt2-small", form="plain"))
    assert card.text == "no batch reaches the balance"
    assert card.spread is None
    assert 0.2 < card.otherwise < 0.8, "the width is near the pole, and the pole is not known well"
    far = maker.card(asked(maker, "T_min", machine="h100-sxm5", d=256.0, L=2.0, form="plain"))
    assert (far.text, far.otherwise) == (card.text, 0)
    absent = maker.card(asked(maker, "beta", machine="vax-11-780-fpa", format="bf16"))
    assert absent.text == STATES["no-format"]
    assert "<mn>?</mn>" in absent.steps[0].filled


def test_a_year_is_grouped_nowhere(maker: Maker) -> None:
    late, early = (
        Cell(f"machine({name}).year", None, None, str(year), float(year))
        for name, year in (("h100-sxm5", 2022), ("cray-1", 1976))
    )
    card = maker.card(late - early)
    assert card.steps[0].filled == "<mrow><mrow><mn>2022</mn></mrow><mo>−</mo><mrow><mn>1976</mn></mrow></mrow>"
    assert (card.text, maker.card(late).text) == ("46", "2022")
    found = compared(early < 1997, maker)  # type: ignore[arg-type]  # a comparison as authors write it
    assert (found["left"], found["sign"], found["right"]) == ("1976", "&lt;", "1997")
    assert found["symbols"].endswith("<mrow><mn>1997</mn></mrow>")
    count = Cell("network(generic-7b).d", None, None, "4,096", 4096.0)
    assert compared(count < 5000, maker)["right"] == "5,000"  # type: ignore[arg-type]


def test_parts_of_rows_are_called_in_words(maker: Maker) -> None:
    of_source = Cell("trend(kung-1986).sources.kung-1986.year", None, None, "1986", 1986.0)
    inner = Cell("machine(h100-sxm5).peak.bf16", None, None, "1", 1.0)
    titles = [maker.card(cell).title for cell in (of_source, inner)]
    assert titles == ["local memory: year of its source", "NVIDIA H100 SXM5: peak, bf16"]


def test_a_calculation_names_the_scenario_of_each_of_its_parts(maker: Maker) -> None:
    ratio = asked(maker, "beta", machine="h100-sxm5") / asked(maker, "beta", machine="cray-1")
    card = maker.card(ratio)
    assert (card.title, card.text) == ("A ratio", "1,181")
    assert "(H100)" in card.steps[0].right
    assert "<mfrac>" in card.steps[0].right
    assert [(step.key, step.label) for step in card.steps[1:]] == [("beta", "H100"), ("beta", "Cray-1")]
    assert [(part.key, part.label) for part in card.inputs] == [
        ("peak", "H100"), ("bandwidth", "H100"), ("peak", "Cray-1"), ("bandwidth", "Cray-1")
    ]  # fmt: skip


def test_a_constant_belongs_to_no_scenario(maker: Maker) -> None:
    ratio = asked(maker, "d_min", machine="h100-sxm5", form="plain") / asked(maker, "beta", machine="cray-1")
    labels = {part.key: part.label for part in maker.card(ratio).inputs}
    assert (labels["a"], labels["f"], labels["form"]) == ("", "", "H100")
    price = asked(maker, "beta_E", machine="h100-sxm5") / asked(maker, "e_add")
    assert {part.key: part.label for part in maker.card(price).inputs} == {"e_B": "H100", "e_F": "H100", "e_add": ""}


def test_a_constant_is_the_same_number_in_prose_and_in_a_formula(maker: Maker, catalogue: Catalogue) -> None:
    desk = Desk("page.md", Setting(maker.world, catalogue))
    printed = fetcher(desk, "constant")("tape-34").value  # type: ignore[attr-defined]
    row = catalogue.constants["tape-34"]
    spread = maker.card(printed).spread
    assert spread is not None
    assert (spread.low, spread.high) == (row.low, row.high)
    assert maker.card(printed / asked(maker, "c")).spread is None


def test_an_input_shared_by_both_sides_moves_both(maker: Maker) -> None:
    same = asked(maker, "beta", machine="h100-sxm5")
    assert maker.card(same / same).spread is None


def test_brackets_stand_where_they_must(maker: Maker) -> None:
    one, two = asked(maker, "beta", machine="h100-sxm5"), asked(maker, "beta", machine="cray-1")
    shown: list[Num] = [(one + two) * 2, one - (one - two), one / (two / 2), (one + two) / 2]
    plain = ["".join(re.sub(r"<[^<>]*>|\s|\([HC][^)]*\)", "", cards.expression(num, maker.symbol))) for num in shown]
    assert plain == ["(β+β)×2", "β−(β−β)", "ββ/2", "β+β2"]
    nested = cards.expression(one / 2 / 150, maker.symbol)
    assert nested.count("<mfrac>") == 1
    assert "<mo>/</mo>" in nested


def test_a_value_of_the_catalogue_is_its_own_input(maker: Maker, catalogue: Catalogue) -> None:
    desk = Desk("page.md", Setting(maker.world, catalogue))
    row = fetcher(desk, "machine")("h100-sxm5")
    assert row is not None
    cell = row.peak.bf16  # type: ignore[attr-defined]
    assert isinstance(cell, Cell)
    card = maker.card(cell)
    assert card.title == "NVIDIA H100 SXM5: peak, bf16"
    assert card.text == "989.4\u00a0TFLOP/s"
    assert card.inputs[0].given.sources
    assert card.spread is not None
    width = fetcher(desk, "network")("generic-7b").d  # type: ignore[attr-defined]
    found = maker.card(width)
    assert (found.title, found.text, found.spread) == ("A decoder of the 7B class: width of a layer", "4,096", None)
    assert found.inputs[0].given.status == "estimate"


def test_a_column_in_larger_units_is_about_the_same_number(maker: Maker) -> None:
    num = asked(maker, "peak", machine="h100-sxm5")
    assert core(num / Const(1e12, unit("FLOP/s"), text="1 TFLOP/s")) is num
    ratio = num / 2
    assert core(ratio) is ratio


def test_every_formula_of_the_model_can_be_filled(maker: Maker) -> None:
    for quantity in carddata.reachable(QUANTITIES, QUANTITIES):
        for formula in carddata.formulas(quantity):
            keys = {part.key for part in formula.inputs}
            slots = set(re.findall(r'data-k="(\w+)"', maths.slotted(formula)))
            assert slots <= keys, formula.key
            assert "data-k" not in maths.filled(maths.slotted(formula), dict.fromkeys(keys, "1 & 2"))


def test_what_a_number_can_rest_on_is_closed_over_every_choice() -> None:
    found = {quantity.key for quantity in carddata.reachable(["T_min"], QUANTITIES)}
    assert {"form", "beta", "peak", "I_L2", "attention", "d_ff"} <= found
    assert "B_star" not in found


def page(*nums: Num, **conditions: Cond) -> Page:
    """Return as much of a page as the cards' data are made from."""
    numbers = [SimpleNamespace(n=place, num=num, question=core(num).say()) for place, num in enumerate(nums, 1)]
    claims = [SimpleNamespace(name=name, cond=cond, words=()) for name, cond in conditions.items()]
    return cast(Page, SimpleNamespace(numbers=numbers, claims=claims))


def every(page: Page, maker: Maker, catalogue: Catalogue) -> dict[str, Any]:
    """Return the data of a page's cards, shared and its own."""
    known, (own,) = carddata.data([page], maker, catalogue)
    assert not set(known) & set(own)
    return known | own


def test_pages_share_what_is_known_and_keep_what_is_their_own(maker: Maker, catalogue: Catalogue) -> None:
    one, two = page(asked(maker, "beta", live=True)), page(asked(maker, "T_min", live=True))
    known, own = carddata.data([one, two], maker, catalogue)
    assert {"beta", "T_min"} <= set(known["quantities"])
    assert [tree[1] for part in own for _, tree, _ in part["numbers"]] == ["beta", "T_min"]
    found = carddata.scripts([one, two], maker, catalogue, "/* records */")
    assert "/* records */" in found.shared
    assert [text.count("cardsOf(") for text in found.own] == [1, 1]
    assert max(map(len, found.own)) < len(found.shared)


def test_the_data_ask_in_texts_as_a_link_does(maker: Maker, catalogue: Catalogue) -> None:
    num = asked(maker, "T_fixed", T=512.0, bandwidth=3.35e12, fixed="all", zero=0.0)
    data = every(page(num, num), maker, catalogue)
    ((anchor, tree, places),) = data["numbers"]
    assert tree[2] == {"T": "512.0 token", "bandwidth": "3350000000000.0 B/s", "fixed": "all", "zero": "0"}
    assert (anchor, places) == ("T_fixed-512-3.35e12-all-0", [1, 2])
    assert "T_min" not in data["quantities"]


def test_the_data_hold_conditions_as_trees(maker: Maker, catalogue: Catalogue) -> None:
    one, two = asked(maker, "beta", machine="h100-sxm5"), asked(maker, "beta", live=True)
    held = both(one > 290, negate(two < one))
    assert isinstance(held, Cond)
    tree = every(page(held=held), maker, catalogue)["claims"]["held"][0]
    h100 = ["q", "beta", {"machine": "h100-sxm5"}, 0, "H100"]
    assert tree == ["and", [">", h100, ["k", 290.0, "290"]], ["not", ["<", ["q", "beta", {}, 1, ""], h100]]]


def test_the_data_know_every_row_that_a_reader_can_choose(maker: Maker, catalogue: Catalogue) -> None:
    data = every(page(asked(maker, "beta", live=True)), maker, catalogue)
    assert set(data["rows"]["machines"]) == set(catalogue.machines)
    place = data["rows"]["machines"]["cray-1"]["layer"]["bandwidth"]
    status, name, sources, spread, _, which = data["facts"][place]
    peak = data["facts"][data["rows"]["machines"]["cray-1"]["peak"]["fp64"]]
    assert which != peak[5], "two numbers of one row are two"
    assert (status, data["names"][name], spread) == ("verified", "Cray-1", 1)
    assert all(data["sources"][source][0] for source in sources)
    assert set(data["rows"]["networks"]["generic-7b"]["layer"]) == set()  # a balance rests on no network
