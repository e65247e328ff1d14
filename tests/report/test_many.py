"""Many answers at once are the answers one by one: values, limits, absences, and three-valued conditions."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from model.book import QUANTITIES, ask
from model.formula import Fork, Formula, Given
from model.records import Catalogue
from model.scenario import base
from report.asking import HERE, World
from report.catalogue import load
from report.conditions import Bad, Cond, both, either, negate
from report.many import Asker, Spot, at_ends, column, draws, spot
from report.numbers import Const, Num, Op, number
from report.points import DRAWS
from report.questions import Asked
from report.shown import Cell, cell

KEYS = sorted(key for key, quantity in QUANTITIES.items() if isinstance(quantity, Formula | Fork))
SCENARIOS: tuple[Mapping[str, str | float], ...] = (
    {},
    {"machine": "h100-sxm5", "network": "gpt2-medium", "T": 4096.0},
    {"machine": "b200-sxm", "network": "gpt2-small", "form": "l2", "devices": 1.0},
    {"machine": "vax-11-780-fpa", "network": "nettalk-80", "T": 1.0, "update": "in-place"},
    {"network": "deepseek-v3", "ep": 64.0, "devices": 2048.0, "zero": "3", "policy": "sqrt"},
    {"machine": "vax-11-780-fpa", "format": "bf16"},
)


@pytest.fixture(scope="module")
def catalogue(root: Path) -> Catalogue:
    return load(root / "content" / "catalogue")


@pytest.fixture(scope="module")
def asker(catalogue: Catalogue) -> Asker:
    return Asker(World(QUANTITIES, partial(base, catalogue)), catalogue)


def asked(asker: Asker, key: str, **given: str | float) -> Asked:
    return Asked(asker.world, key, tuple(sorted(given.items())), False)


def moved_by_hand(inputs: Mapping[str, Given], table: Mapping[Spot, np.ndarray], row: int) -> dict[str, Given]:
    """Return a scenario's inputs with a row of moved values put in."""
    found = dict(inputs)
    for key, given in inputs.items():
        name = spot(given)
        if name in table:
            found[key] = replace(given, value=float(table[name][row]))  # type: ignore[index]
    return found


@pytest.mark.parametrize("scenario", SCENARIOS, ids=str)
def test_every_quantity_on_a_column_is_what_it_is_row_by_row(asker: Asker, scenario: Mapping[str, str | float]) -> None:
    known = asker.world.known(scenario)
    spots = list(dict.fromkeys(asker.spots(known).values()))
    # Four times as far as the ranges go, so that limits and absences come up.
    wide = [(row, value, low**4 / value**3, high**4 / value**3) for row, value, low, high in spots if low > 0]
    table = dict(zip(spots, draws(wide).values(), strict=False))
    many = asker.many(table, DRAWS)
    for row in range(0, DRAWS, 37):
        memo: dict[str, object] = {}
        by_hand = moved_by_hand(known.base, table, row)
        for key in KEYS:
            one = ask(key, by_hand, memo)  # type: ignore[arg-type]
            found = many.number(asked(asker, key, **scenario), HERE).reading(row)
            assert found.state == one.state, key
            same = one.number is None and found.number is None
            assert same or found.number == pytest.approx(one.number, rel=1e-12), key


def test_the_columns_come_through_states(asker: Asker) -> None:
    known = asker.world.known({"machine": "h100-sxm5", "network": "gpt2-medium"})
    spots = list(dict.fromkeys(asker.spots(known).values()))
    found = asker.many(draws(spots), DRAWS).number(
        asked(asker, "T_min", machine="h100-sxm5", network="gpt2-medium"), HERE
    )
    assert 0 < found.shares()["no-batch"] < 0.5
    assert np.isinf(found.numbers).mean() == found.shares()["no-batch"]


def test_ends_move_one_number_at_a_time() -> None:
    one, two = ("a", 2.0, 1.0, 4.0), ("b", 20.0, 10.0, 40.0)
    table = at_ends([one, two])
    assert table[one].tolist() == [1.0, 4.0, 2.0, 2.0]
    assert table[two].tolist() == [20.0, 20.0, 10.0, 40.0]


def test_a_number_that_stands_under_two_keys_moves_in_both(asker: Asker) -> None:
    names = asker.spots(asker.world.known({"machine": "h100-sxm5"}))
    assert names["cache"] == names["keep"]


def test_a_value_of_the_catalogue_moves_with_the_question_that_rests_on_it(asker: Asker, catalogue: Catalogue) -> None:
    figure = catalogue.machines["h100-sxm5"].bandwidth
    printed = cell("machine(h100-sxm5).bandwidth", figure)
    ratio = number(printed) / asked(asker, "bandwidth", machine="h100-sxm5")
    name = spot(asker.world.inputs({"machine": "h100-sxm5"})["bandwidth"])
    assert name is not None
    found = asker.many(draws([name]), DRAWS).number(ratio, HERE)
    assert found.numbers == pytest.approx(np.ones(DRAWS))


def test_what_does_not_move_is_asked_once(asker: Asker) -> None:
    fixed: list[Num] = [
        Const(3.0),
        asked(asker, "beta", machine="cray-1"),
        Cell("run(x).mfu", None, None, "", None, given=Given(value=None)),
    ]
    for num in fixed:
        found, one = asker.many({}, 3).number(num, HERE), num.read()
        assert found.reading(2).number == one.number
        assert found.reading(0).state == one.state


@pytest.mark.parametrize("op", ["+", "-", "*", "/"])
def test_operations_treat_limits_and_zeros_as_one_by_one(asker: Asker, op: str) -> None:
    limit = asked(asker, "T_min", machine="b200-sxm", network="gpt2-small", form="plain")
    absent = asked(asker, "beta", machine="vax-11-780-fpa", format="bf16")
    sides: list[Num] = [*(Const(value) for value in (2.0, 0.0, -3.0)), limit, absent]
    for left, right in itertools.product(sides, sides):
        num = Op(op, left, right, None)
        found, one = asker.many({}, 2).number(num, HERE).reading(1), num.read()
        assert (found.number, found.state) == (one.number, one.state), num.say()


def test_conditions_are_true_false_or_undecided(asker: Asker) -> None:
    limit = asked(asker, "T_min", machine="b200-sxm", network="gpt2-small", form="plain")
    absent = asked(asker, "T_cross", machine="vax-11-780-fpa", network="nettalk-80")
    yes, no, open_ = limit > Const(1.0), limit < Const(1.0), absent > Const(1.0)
    parts = (yes, no, open_)
    for one, two in itertools.product(parts, parts):
        for cond in (both(one, two), either(one, two), negate(one)):
            assert isinstance(cond, Cond)
            found = asker.many({}, 2).holds(cond, HERE)
            assert found.tolist() == [{True: 1, False: 0, None: -1}[cond.holds()]] * 2, cond.say()


def test_a_mistake_is_no_condition(asker: Asker) -> None:
    with pytest.raises(TypeError):
        asker.many({}, 1).holds(Bad(), HERE)


def test_a_column_without_states_has_no_shares() -> None:
    assert column(np.array([1.0, 2.0])).shares() == {}
