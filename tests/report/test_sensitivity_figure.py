"""The figure and the table of what matters most: their bars are what the cards say, their signs what formulas say."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path

import pytest

from model.book import QUANTITIES, ask
from model.records import Catalogue
from model.scenario import base
from report.asking import World
from report.cards import Maker
from report.catalogue import load
from report.figures import sensitivity
from report.figures.sensitivity_bars import MOST
from report.numbers import Asked
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
    for place, key in enumerate(sensitivity.NUMBERS):
        num = Asked(world, key, (), False)
        spread, value = maker.card(num).spread, num.read().value
        assert spread is not None
        assert value
        bars = [row for row in drawn.series if row["number"] == sensitivity.NUMBERS[key]]
        assert (bars[0]["at_low_end"], bars[0]["at_high_end"]) == (spread.low, spread.high)
        assert len(bars) == 1 + min(MOST, len(spread.swings))
        for row, swing in zip(bars[1:], spread.swings, strict=False):
            assert (row["at_low_end"], row["at_high_end"]) == (swing.at_low.value, swing.at_high.value)
        first = place * (MOST + 1)
        lows = drawn.signals["sensitivity_low"][first : first + len(bars)]
        assert lows == pytest.approx([row["at_low_end"] / value for row in bars], rel=1e-4)


def test_every_input_of_the_figure_has_a_name_of_its_own(catalogue: Catalogue) -> None:
    names = [row["input"] for row in sensitivity.rows(catalogue).series]
    known = {name for name, _ in (*sensitivity.INPUTS.values(), sensitivity.ALL)}
    assert set(names) <= known
    assert len({name for name, _ in sensitivity.INPUTS.values()}) == len(sensitivity.INPUTS)


def test_what_has_no_end_is_drawn_to_the_edge_and_said(catalogue: Catalogue) -> None:
    drawn = sensitivity.rows(catalogue, {"network": "gpt2-medium"})
    texts, highs = drawn.signals["sensitivity_text"], drawn.signals["sensitivity_high"]
    endless = [place for place, text in enumerate(texts) if text.endswith("∞")]
    assert endless
    assert all(highs[place] == drawn.signals["sensitivity_to"] for place in endless)


def test_a_number_without_a_value_has_a_heading_and_no_bars(catalogue: Catalogue) -> None:
    drawn = sensitivity.rows(catalogue, {"network": "gpt2-small"})
    assert drawn.signals["sensitivity_head"][0] == "Token floor, no batch reaches the balance"
    assert drawn.signals["sensitivity_name"][: MOST + 1] == [""] * (MOST + 1)
    assert all(math.isfinite(low) for low in drawn.signals["sensitivity_low"])


def test_an_absence_at_an_end_is_a_dash(catalogue: Catalogue) -> None:
    from report import rounding
    from report.asking import Reading

    words = rounding.Label("", "")
    assert sensitivity._text("T_min", Reading(None, "does-not-fit"), words) == rounding.DASH
    assert sensitivity._factor(Reading(None, "does-not-fit"), 2.0) == 2.5


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
