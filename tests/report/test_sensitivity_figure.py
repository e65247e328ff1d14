"""The figure and the table of what matters most: their bars are what the cards say, their signs what formulas say."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from model.book import QUANTITIES, ask
from model.records import Catalogue
from model.scenario import base
from report.asking import World
from report.cards import Maker
from report.catalogue import load
from report.figures import sensitivity
from report.figures.sensitivity_bars import GAP, MOST
from report.questions import Asked
from report.tables.sensitivity import NUMBERS, elasticity


@pytest.fixture(scope="module")
def catalogue(root: Path) -> Catalogue:
    return load(root / "content" / "catalogue")


@pytest.fixture(scope="module")
def world(catalogue: Catalogue) -> World:
    return World(QUANTITIES, partial(base, catalogue))


def test_each_bar_is_what_the_card_of_its_number_says(catalogue: Catalogue, world: World) -> None:
    drawn = sensitivity.rows(catalogue)
    maker = Maker(world, catalogue)
    shown = iter(drawn.signals["sensitivity_bars"])
    for key in sensitivity.NUMBERS:
        num = Asked(world, key, (), False)
        spread, value = maker.card(num).spread, num.read().value
        assert spread is not None
        assert value
        bars = [row for row in drawn.series if row["number"] == sensitivity.NUMBERS[key]]
        assert (bars[0]["at_low_end"], bars[0]["at_high_end"]) == (spread.low, spread.high)
        assert len(bars) == 1 + min(MOST, len(spread.swings))
        for row, swing in zip(bars[1:], spread.swings, strict=False):
            assert (row["at_low_end"], row["at_high_end"]) == (swing.at_low.value, swing.at_high.value)
        lows = [bar["low"] for _, bar in zip(bars, shown, strict=False)]
        assert lows == pytest.approx([row["at_low_end"] / value for row in bars], rel=1e-4)


def test_rows_follow_each_other_without_holes_and_the_scale_holds_every_bar(catalogue: Catalogue) -> None:
    told = sensitivity.rows(catalogue).signals
    taken = sorted(row["at"] for row in (*told["sensitivity_heads"], *told["sensitivity_bars"]))
    assert {round(high - low, 6) for low, high in pairwise(taken)} == {1.0, 1.0 + GAP}
    assert taken[-1] + 1 + GAP == pytest.approx(told["sensitivity_rows"])
    factors = [bar[end] for bar in told["sensitivity_bars"] for end in ("low", "high")]
    assert told["sensitivity_from"] <= min(factors)
    assert max(factors) <= told["sensitivity_to"]


def test_what_it_says_names_what_moves_each_number_most(catalogue: Catalogue) -> None:
    said = sensitivity.says(sensitivity.rows(catalogue))
    assert said.startswith("Token floor, 739\u00a0tokens: all together 424 to 985; weight bytes 492 to 985; ")
    assert "Token floor, no batch reaches the balance. " in sensitivity.says(
        sensitivity.rows(catalogue, {"network": "gpt2-small"})
    )


def test_every_input_of_the_figure_has_a_name_of_its_own(catalogue: Catalogue) -> None:
    names = [row["input"] for row in sensitivity.rows(catalogue).series]
    known = {name for name, _ in (*sensitivity.INPUTS.values(), sensitivity.ALL)}
    assert set(names) <= known
    assert len({name for name, _ in sensitivity.INPUTS.values()}) == len(sensitivity.INPUTS)


def test_what_has_no_end_is_said_and_leaves_room_at_the_edge(catalogue: Catalogue) -> None:
    told = sensitivity.rows(catalogue, {"network": "gpt2-medium"}).signals
    endless = [bar for bar in told["sensitivity_bars"] if bar["text"].endswith("∞")]
    assert endless
    assert all(bar["high"] is None for bar in endless)
    known = [bar[end] for bar in told["sensitivity_bars"] for end in ("low", "high") if bar[end] is not None]
    assert told["sensitivity_to"] >= min(1.2 * max(known), 4)


def test_a_number_without_a_value_has_a_heading_and_no_bars(catalogue: Catalogue) -> None:
    told = sensitivity.rows(catalogue, {"network": "gpt2-small"}).signals
    first, second = told["sensitivity_heads"][:2]
    assert first["text"] == "Token floor, no batch reaches the balance"
    assert min(bar["at"] for bar in told["sensitivity_bars"]) > second["at"]


def test_a_scenario_without_any_of_the_numbers_says_so_four_times(catalogue: Catalogue) -> None:
    told = sensitivity.rows(catalogue, {"network": "xor-2-2-1", "machine": "vax-11-780-fpa"}).signals
    assert told["sensitivity_bars"] == []
    assert len(told["sensitivity_heads"]) == len(sensitivity.NUMBERS)


def test_an_absence_at_an_end_is_a_dash(catalogue: Catalogue) -> None:
    from report import rounding
    from report.asking import Reading

    words = rounding.Label("", "")
    assert sensitivity._text("T_min", Reading(None, "does-not-fit"), words) == rounding.DASH
    assert sensitivity._factor(Reading(None, "does-not-fit"), 2.0) is None


def test_the_table_holds_the_elasticities_that_show(world: World, catalogue: Catalogue) -> None:
    table = elasticity(world)
    rows = {row.id: dict(zip(NUMBERS, (cell.value for cell in row.cells[1:]), strict=True)) for row in table.rows}
    assert next(iter(rows)) == "alpha_B"
    assert rows["a"]["d_min"] == pytest.approx(1)
    assert rows["g"]["T_min"] is None
    inputs = base(catalogue, {})
    floor = ask("T_min", inputs).value
    budget = ask("f", inputs).value * ask("P_a", inputs).value  # type: ignore[operator]
    taken = ask("A", inputs).value * ask("beta", inputs).value  # type: ignore[operator]
    assert floor
    assert rows["peak"]["T_min"] == pytest.approx(budget / (budget - taken))
    assert "L" not in rows


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        ("592,000", "1.43 million", "592,000 to 1.43 million"),
        ("2.38 million", "5.75 million", "2.38 to 5.75 million"),
        ("950 million", "1.2 billion", "950 million to 1.2 billion"),
        ("424", "985", "424 to 985"),
    ],
)
def test_a_word_that_both_ends_have_is_said_once(low: str, high: str, said: str) -> None:
    texts = (text.replace(" million", "\u00a0million").replace(" billion", "\u00a0billion") for text in (low, high))
    assert sensitivity._between(*texts).replace("\u00a0", " ") == said


def test_a_network_without_tokens_has_a_floor_of_examples(catalogue: Catalogue) -> None:
    drawn = sensitivity.rows(catalogue, {"network": "nettalk-80", "machine": "vax-11-780-fpa", "T": 4.0})
    assert drawn.signals["sensitivity_heads"][0]["text"] == "Example floor, 0.313\u00a0examples"
    assert {row["number"] for row in drawn.series} == {"Example floor"}
    assert "oken" not in sensitivity.says(drawn)
