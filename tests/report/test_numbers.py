"""Numbers and conditions that an author writes: values, states, units, JavaScript."""

from __future__ import annotations

import math

import pytest

from report import conditions, described, shown
from report.asking import AuthorError, Scenario, js_text
from report.conditions import BAD, both, either, negate
from report.numbers import Const, Num
from report.questions import Asked
from report.shown import cell
from tests.report.toy import CATALOGUE, VOCABULARY, WORLD

THIN: Scenario = {"network": "thin"}
SECRET: Scenario = {"network": "secret"}
OLD: Scenario = {"machine": "old"}


def live(key: str, **given: str | float) -> Asked:
    return Asked(WORLD, key, tuple(sorted(given.items())), True)


def pinned(key: str, **given: str | float) -> Asked:
    return Asked(WORLD, key, tuple(sorted(given.items())), False)


FLOOR, BETA = live("T_min"), live("beta")


def test_a_live_number_follows_the_reader_and_a_pinned_one_does_not() -> None:
    assert live("beta").read(OLD).number == 0.25
    assert pinned("beta").read(OLD).number == pinned("beta").read().number
    assert live("beta", machine="h100").read(OLD).number == pinned("beta", machine="h100").read().number


def test_a_limit_carries_infinity_and_an_absence_nothing() -> None:
    assert (FLOOR.read(THIN).number, FLOOR.read(THIN).value, FLOOR.read(THIN).state) == (math.inf, None, "no-batch")
    assert (FLOOR.read(SECRET).number, FLOOR.read(SECRET).state) == (None, "no-shape")


@pytest.mark.parametrize(
    ("num", "number", "state"),
    [
        (FLOOR / live("T"), math.inf, "no-batch"),
        (live("T") / FLOOR, 0.0, None),
        (FLOOR - FLOOR, None, "unknown"),
        (2 * FLOOR, math.inf, "no-batch"),
        (0 * FLOOR, None, "unknown"),
        (1 / (live("T") - live("T")), None, "unknown"),
    ],
)
def test_arithmetic_lets_a_limit_flow_and_invents_no_number(num: Num, number: float | None, state: str | None) -> None:
    reading = num.read(THIN)
    assert (reading.number, reading.state) == (number, state)


def test_arithmetic_on_an_absence_takes_its_state() -> None:
    assert (FLOOR + live("T")).read(SECRET).state == "no-shape"
    assert (live("T") * FLOOR).read(SECRET).number is None


def test_arithmetic_carries_units() -> None:
    assert str((FLOOR / BETA).unit) == "B token/FLOP"
    assert str((2 * FLOOR).unit) == "token"
    assert (FLOOR + 3).unit == (3 + FLOOR).unit == FLOOR.unit
    assert (10 - FLOOR).read().number == pytest.approx(10 - 734.057, abs=1e-3)
    assert (Const(2.0) * Const(3.0)).unit is None


@pytest.mark.parametrize(
    ("run", "message"),
    [
        (lambda: FLOOR + BETA, "live.T_min is in token and live.beta in FLOP/B: they cannot be added"),
        (lambda: FLOOR - BETA, "they cannot be subtracted"),
        (lambda: FLOOR > BETA, "they cannot be compared"),
        (lambda: FLOOR == 3, "computed numbers are not compared with == or !="),
        (lambda: FLOOR != 3, "computed numbers are not compared with == or !="),
        (lambda: bool(FLOOR), "live.T_min is a number, not a condition"),
        (lambda: FLOOR < "40 ms", "'40 ms' is in s, but token is wanted"),
        (lambda: FLOOR < "much", "'much' is not a quantity"),
        (lambda: FLOOR < None, "None is not a number"),
        (lambda: FLOOR + True, "True is not a number"),
        (lambda: bool(FLOOR < 3), "'live.T_min < 3' follows the reader: it cannot choose text at build"),
        (lambda: bool(pinned("T_min", network="secret") < 3), "is undecided: a number in it has no value"),
        (lambda: both(FLOOR, FLOOR < 3), "live.T_min is not a condition"),
        (lambda: negate(3), "3 is not a condition"),
        (lambda: live("T_min", machine="h101").read(), "unknown machine 'h101'"),
        (lambda: live("T_min", form="thin").read(), "T_min wants form to be one of plain, l2"),
    ],
)
def test_what_cannot_be_is_said(run: object, message: str) -> None:
    assert callable(run)
    with pytest.raises(AuthorError) as raised:
        run()
    assert message in raised.value.message


def test_a_pinned_condition_may_choose_text() -> None:
    assert bool(pinned("T_min") < 1000)
    assert not (pinned("T_min") > 1000)


@pytest.mark.parametrize(
    ("reader", "holds"),
    [({}, (True, True, False)), (THIN, (False, True, True)), (SECRET, (None, None, None)), (OLD, (True, False, False))],
)
def test_conditions_are_true_false_or_undecided(reader: Scenario, holds: tuple[bool | None, ...]) -> None:
    assert ((FLOOR < 1e9).holds(reader), (FLOOR >= 10).holds(reader), negate(FLOOR < 1e9).holds(reader)) == holds


def test_a_part_may_decide_though_the_other_is_undecided() -> None:
    true, false, open_ = live("T") > 1, live("T") < 1, FLOOR > 1
    assert [both(part, open_).holds(SECRET) for part in (true, false)] == [None, False]
    assert [either(part, open_).holds(SECRET) for part in (true, false)] == [True, None]
    assert negate(open_).holds(SECRET) is None


def test_everything_has_a_script() -> None:
    assert live("T_min", T=512.0).js() == 'q("T_min", {"T":512})'
    assert (FLOOR / BETA).js() == 'op(\'/\', q("T_min"), q("beta"))'
    assert pinned("T_min").js() == "k(734.0570932, null)"
    assert pinned("T_min", network="thin").js() == 'k(null, "no-batch")'
    assert (pinned("T_min") * 2).js() == "k(1468.114186, null)"
    joined = both(FLOOR < 10, negate(either(BETA >= 2, BETA <= 1)))
    assert (
        joined.js() == 'and(lt(q("T_min"), k(10, null)), not(or(ge(q("beta"), k(2, null)), le(q("beta"), k(1, null)))))'
    )


def test_a_script_cannot_end_its_element() -> None:
    assert js_text("</script><!--") == '"\\u003c/script>\\u003c!--"'
    assert js_text("\u2028é") == '"\\u2028\\u00e9"'


def test_everything_can_be_said() -> None:
    assert pinned("T_min", machine="h100", T=512.0).say() == "T_min(T=512, machine=h100)"
    assert live("T_min", T=512.0).say() == "live.T_min(T=512)"
    assert (1 / (FLOOR / BETA)).say() == "1 / (live.T_min / live.beta)"
    cond = both(FLOOR < 3, either(BETA > 1, negate(BETA > "2 FLOP/B")))
    assert cond.say() == "live.T_min < 3 and (live.beta > 1 or not (live.beta > 2 FLOP/B))"
    assert [num.say() for num in cond.sides()] == ["live.T_min", "3", "live.beta", "1", "live.beta", "2 FLOP/B"]
    assert [asked.key for asked in (FLOOR / BETA + 1 / Const(1.0)).asked()] == ["T_min", "beta"]


def test_a_cell_is_a_number_with_the_text_of_its_row() -> None:
    row = CATALOGUE.machines["h100"]
    speed = cell("machine(h100).bandwidth", row.bandwidth)
    assert (speed.read().number, speed.text, str(speed.unit), speed.live) == (3.35e12, "3.35 TB/s", "B/s", False)
    assert cell("machine(h100).nic", None).read().state == "unknown"
    assert (speed > "3 TB/s").holds()
    assert list(speed.asked()) == []


def test_a_mistake_absorbs_every_use() -> None:
    found = BAD + 3
    assert found is BAD
    assert (BAD < FLOOR) is BAD
    assert (FLOOR < BAD) is BAD
    assert both(FLOOR < 3, BAD) is BAD
    assert BAD.anything(3)["x"] is BAD
    assert not BAD
    assert list(BAD) == []
    assert (BAD == 3, BAD != 3) == (False, False)
    assert (BAD.read().number, BAD.holds(), BAD.sides(), BAD.say(), BAD.js(), BAD.script()) == (
        None,
        None,
        (),
        "?",
        "",
        "",
    )
    assert not hasattr(BAD, "__html__")


@pytest.mark.parametrize(
    ("made", "text", "way", "js"),
    [
        (shown.sig(FLOOR, 3), "734", "sig(3)", "['sig', 3, null, () => q(\"T_min\")]"),
        (shown.percent(FLOOR / live("T"), 2), "36%", "percent(2)", None),
        (shown.qty(live("weights"), 3), "33.6\u00a0MB", "qty(3)", '[\'qty\', 3, ["B","B",0,6], () => q("weights")]'),
        (shown.exact(live("T")), "2,048", "exact", "['exact', null, null, () => q(\"T\")]"),
        (
            shown.count(VOCABULARY.counted, FLOOR, "token"),
            "734\u00a0tokens",
            'count("token")',
            '[\'count\', null, ["token","tokens",0,0], () => q("T_min")]',
        ),
        (
            shown.count(VOCABULARY.counted, BETA, "FLOP per byte", 2),
            "300\u00a0FLOP per byte",
            'count("FLOP per byte", 2)',
            None,
        ),
    ],
    ids=["sig", "percent", "qty", "exact", "count", "count digits"],
)
def test_filters_print_and_script(made: shown.Shown, text: str, way: str, js: str | None) -> None:
    assert made.text() == text
    assert made.way() == way
    assert made.live
    assert js is None or made.js() == js


def test_a_number_without_a_value_has_no_text() -> None:
    assert shown.sig(FLOOR, 3).text(THIN) is None


@pytest.mark.parametrize(
    ("run", "message", "hint"),
    [
        (lambda: shown.sig(live("weights"), 2), "live.weights is in B", "show it with qty(2)"),
        (lambda: shown.qty(live("d"), 2), "live.d has no unit", "show it with sig(2) or percent(2)"),
        (lambda: shown.percent(FLOOR, 2), "live.T_min is in token, percent is for ratios", "show it with qty(2)"),
        (lambda: shown.sig(FLOOR, 0), "0 is not a number of digits", "use 1 to 15"),
        (lambda: shown.sig(FLOOR, True), "True is not a number of digits", "use 1 to 15"),
        (
            lambda: shown.count(VOCABULARY.counted, BETA, "token"),
            "live.beta is in FLOP/B, but 'token' counts token",
            "",
        ),
        (lambda: shown.exact("x"), "'x' is not a number", ""),
    ],
)
def test_a_filter_says_which_other_to_use(run: object, message: str, hint: str) -> None:
    assert callable(run)
    with pytest.raises(AuthorError) as raised:
        run()
    assert (raised.value.message, raised.value.hint) == (message, hint)


def test_parts_that_must_be_given_by_a_node_are_missing_from_the_base() -> None:
    for run in (Num().read, Num().script, Num().say):
        with pytest.raises(NotImplementedError):
            run()
    for face in (conditions.Cond().holds, conditions.Cond().js, conditions.Cond().say, conditions.Cond().sides):
        with pytest.raises(NotImplementedError):
            face()
    assert list(Num().asked()) == []


def test_a_value_is_described_by_what_it_says() -> None:
    assert described.describe(FLOOR) == "live.T_min"
    assert described.describe([1]) == "[1]"
