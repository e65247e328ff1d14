"""Fits, crossings and published growth rates, each worked out again by hand."""

import math
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from model.book import QUANTITIES, ask
from model.records import Catalogue, Trend
from model.scenario import base
from report import shown, trends
from report.asking import AuthorError, World
from report.cards import Maker
from report.catalogue import load
from report.conditions import compare
from report.questions import Asked
from report.tables import growth
from report.trendcells import Trends
from report.trends import CLASSES, KEYS, WAYS, Reading, class_of, crossing, fit, fits, readings
from tests.report.pictures import strict

ROOT = Path(__file__).resolve().parents[2]
# Student's t, two-sided at 95 %, from a printed table: degrees of freedom -> quantile.
T_95 = {8: 2.306, 9: 2.262, 10: 2.228}
WOBBLY = [(1980 + 2 * i, 2.0 ** (1.0 * i + bend)) for i, bend in enumerate((0, 1, 0, -1, 0, 1, 0, -1, 0, 1))]


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load(ROOT / "content" / "catalogue")


@pytest.fixture(scope="module")
def day(catalogue: Catalogue) -> tuple[Reading, ...]:
    return readings(catalogue, "day")


@pytest.fixture(scope="module")
def history(catalogue: Catalogue) -> Trends:
    return Trends(catalogue)


# --- a line through the logarithms


def test_a_clean_doubling_is_found_exactly_and_without_doubt() -> None:
    found = fit([(1980 + 3 * i, 5.0 * 2**i) for i in range(11)])
    assert found
    assert (found.n, found.first, found.last) == (11, 1980, 2010)
    assert found.doubling == pytest.approx(3)
    assert (found.low, found.high) == (pytest.approx(3, rel=1e-5), pytest.approx(3, rel=1e-5))
    assert found.line(1983)[0] == pytest.approx(10)
    assert found.year_of(40) == pytest.approx(1989)


def test_slope_and_interval_are_those_of_a_regression_done_by_hand() -> None:
    found = fit(WOBBLY)
    assert found
    years, logs = [year for year, _ in WOBBLY], [math.log2(value) for _, value in WOBBLY]
    n, x, y = len(years), sum(years) / len(years), sum(logs) / len(logs)
    across = sum((year - x) ** 2 for year in years)
    slope = sum((year - x) * (value - y) for year, value in zip(years, logs, strict=True)) / across
    left = sum((value - y - slope * (year - x)) ** 2 for year, value in zip(years, logs, strict=True))
    half = T_95[n - 2] * math.sqrt(left / (n - 2) / across)
    assert found.slope == pytest.approx(slope)
    assert found.low == pytest.approx(1 / (slope + half), rel=1e-3)
    assert found.high == pytest.approx(1 / (slope - half), rel=1e-3)
    assert found.low < found.doubling < found.high
    middle, low, high = found.line(x)
    assert math.log2(middle) == pytest.approx(y)
    at_mean = T_95[n - 2] * math.sqrt(left / (n - 2) / n)
    assert math.log2(high / middle) == pytest.approx(at_mean, rel=1e-3)
    assert math.log2(middle / low) == pytest.approx(at_mean, rel=1e-3)
    assert found.line(1970)[2] / found.line(1970)[0] > high / middle, "the band widens away from the middle"


def test_growth_that_may_be_none_has_no_longest_doubling() -> None:
    found = fit([(1980 + 2 * i, 2.0 ** (0.1 * i + (-1) ** i)) for i in range(10)])
    assert found
    assert found.slope > 0
    assert not found.clear
    assert found.high == math.inf


@pytest.mark.parametrize(
    "points",
    [[(1980 + 5 * i, 2.0**i) for i in range(9)], [(2015 + i % 9, 2.0**i) for i in range(30)], []],
    ids=["few", "close", "none"],
)
def test_too_few_machines_or_years_make_no_trend(points: list[tuple[int, float]]) -> None:
    assert fit(points) is None


# --- what the machines read


@pytest.mark.parametrize("way", WAYS)
def test_readings_are_the_models_own_numbers(catalogue: Catalogue, way: str) -> None:
    for one in readings(catalogue, way):
        row = one.machine
        update = "in-place" if row.year <= 1992 else "accumulate"
        scenario = {"machine": row.id, "format": one.format, "update": update}
        if way == "fp32" and row.vector.get("fp32"):
            scenario["peak"] = f"{row.vector['fp32'].value!r} FLOP/s"
        inputs = base(catalogue, scenario)
        for key in KEYS:
            wanted = ask(key, inputs).value if key != "examples_per_fetch" or row.trains else None
            assert one.values[key] == (None if wanted is None else pytest.approx(wanted)), (row.id, key)


def test_a_machine_is_left_out_where_it_lacks_the_format(catalogue: Catalogue) -> None:
    found = {way: {one.machine.id: one for one in readings(catalogue, way)} for way in WAYS}
    assert set(found["day"]) == set(catalogue.machines)
    assert {"cray-1", "tpu-v3"}.isdisjoint(found["fp32"])
    assert found["bf16"]["v100-sxm2"].format == "fp16", "sixteen bits, one kind or the other"
    assert "a100-sxm4-80gb" not in found["fp8"]
    # A matrix unit's fp32 is no plain fp32: MI100 has both, Trainium only the matrix.
    assert found["fp32"]["amd-mi100"].values["peak"] == catalogue.machines["amd-mi100"].vector["fp32"].value
    assert "aws-trainium-2" not in found["fp32"]


def test_weights_are_updated_in_place_until_1992(day: tuple[Reading, ...]) -> None:
    by_name = {one.machine.id: one.values for one in day}
    for name, b_w in {"cray-1": 24, "dec-3000-500": 24, "vax-11-780-fpa": 12, "pentium-pro-200": 32}.items():
        beta = by_name[name]["beta"]
        assert beta
        assert by_name[name]["examples_per_fetch"] == pytest.approx(beta * b_w / 6), name


def test_what_cannot_train_has_no_examples_and_no_part_in_a_fit(day: tuple[Reading, ...]) -> None:
    idle = [one for one in day if not one.machine.trains]
    assert {one.machine.id for one in idle} == {"tpu-v1", "groq-lpu"}
    assert all(one.values["examples_per_fetch"] is None and not one.counts for one in idle)


def test_a_reading_is_as_sure_as_its_weaker_half(day: tuple[Reading, ...]) -> None:
    assert {one.machine.id: one.status for one in day}["rubin"] == "announced"
    assert all(one.status == one.machine.status for one in day)


def test_every_machine_has_a_class(catalogue: Catalogue) -> None:
    found = {row.id: class_of(row) for row in catalogue.machines.values()}
    assert set(found.values()) == set(CLASSES)
    assert (found["warp"], found["intel-i860"], found["gaudi-3"]) == ("super", "super", "tpu")
    assert (found["ibm-pc-at-80287"], found["vax-8800"], found["cm-2"]) == ("desk", "desk", "super")


# --- what the report says of it


def test_the_fits_run_over_the_machines_shown(day: tuple[Reading, ...]) -> None:
    shown_ones = [one for one in day if one.machine.shown and one.machine.trains]
    made = fits(day)
    assert set(made) == set(KEYS)
    assert {one.n for one in made.values()} == {len(shown_ones)}
    assert len(shown_ones) > 40
    again = fits([one for one in day if one.machine.shown])
    assert {key: one.doubling for key, one in again.items()} == {key: one.doubling for key, one in made.items()}


def test_arithmetic_outgrew_bandwidth_beyond_doubt_and_the_rates_add_up(day: tuple[Reading, ...]) -> None:
    made = fits(day)
    assert 1.38 < made["peak"].doubling < 1.6
    assert 2.3 < made["bandwidth"].doubling < 2.7
    assert 3.4 < made["beta"].doubling < 4
    assert made["peak"].high < made["bandwidth"].low
    # A ratio of two straight lines is one: 1 / doubling is the difference of theirs.
    difference = 1 / made["peak"].doubling - 1 / made["bandwidth"].doubling
    assert 1 / made["beta"].doubling == pytest.approx(difference)


def test_at_sixteen_bits_the_balance_has_settled(catalogue: Catalogue) -> None:
    made = fits(readings(catalogue, "bf16"))
    assert not made["beta"].clear
    assert made["peak"].clear
    assert fits(readings(catalogue, "fp8")) == {}, "a few years are no trend"


def test_a_class_has_passed_when_all_later_ones_have(day: tuple[Reading, ...]) -> None:
    found = crossing(day, "cpu", 1.0)
    assert found
    below = [one for one in day if class_of(one.machine) == "cpu" and one.machine.shown]
    values = {one.machine.year: one.values["examples_per_fetch"] for one in below}
    assert found.last.id == "sparcstation-10-51"
    assert found.since == 1995
    assert all(value and value > 1 for year, value in values.items() if year >= found.since)


def test_a_tie_is_no_crossing_and_a_class_may_begin_above(day: tuple[Reading, ...]) -> None:
    assert crossing(day, "super", 1.0) is None, "the Cray-1 needs one pattern exactly"
    assert crossing(day, "desk", 0.5) is None, "none ever came so far"
    assert crossing(day, "gpu", 6.6) is None, "the first GPU was above it already"
    assert crossing(day, "gpu", 1e9) is None
    later = [replace(one, values={**one.values, "examples_per_fetch": 1.0000001}) for one in day]
    assert crossing(later, "super", 1.0) is None


# --- in prose


def test_prose_gets_numbers_with_a_unit_a_text_and_a_range(history: Trends) -> None:
    found = history.fit("peak")
    assert shown.sig(found.doubling, 2).text() == "1.5"
    assert shown.sig(found.low, 2).text() == "1.4"
    assert shown.sig(found.high, 2).text() == "1.6"
    assert found.doubling.text == "1.49\u00a0years"
    assert (found.n.text, found.first.text, found.last.text) == ("52", "1976", "2026")
    assert compare("<", found.doubling, 1.6).holds() is True
    assert compare("<", found.high, history.fit("bandwidth").low).holds() is True
    assert compare(">", history.fit("beta", "fp32").doubling, history.fit("beta").doubling).holds() is True
    assert found.doubling.say() == "fit(peak).doubling"
    assert history.fit("beta", "fp32").doubling.say() == "fit(beta, fp32).doubling"


def test_a_doubling_time_without_an_upper_end_has_no_number(history: Trends) -> None:
    assert history.fit("beta", "bf16").high.read().state == "unknown"
    assert compare(">", history.fit("beta", "bf16").high, 1).holds() is None


def test_prose_gets_the_year_of_a_crossing(history: Trends, catalogue: Catalogue) -> None:
    world = World(QUANTITIES, partial(base, catalogue))
    lenet = Asked(world, "weight_reuse", (("network", "lenet-1989"),), False)
    assert history.crossed("cpu", 1).text == "1995"
    assert history.crossed("cpu", lenet).text == "2009"
    assert history.crossed("cpu", lenet).say() == "crossed(cpu, weight_reuse(network=lenet-1989))"
    assert history.crossed("super", 1).read().state == "unknown"
    with pytest.raises(AuthorError, match="follows the reader"):
        history.crossed("cpu", Asked(world, "beta", (), True))


@pytest.mark.parametrize(
    ("ask_for", "message", "hint"),
    [
        (lambda history: history.fit("peek"), "there is no fit 'peek'", "peak"),
        (lambda history: history.fit("peak", "fp23"), "no way of counting 'fp23'", "fp32"),
        (lambda history: history.fit("beta", "fp8"), "no fit 'beta' at fp8", ""),
        (lambda history: history.fit("peak").doubled, "fit.peak. has no 'doubled'", "doubling"),
        (lambda history: history.crossed("cpus", 1), "no class of machines 'cpus'", "cpu"),
    ],
)
def test_a_wrong_name_is_named_with_the_nearest(history: Trends, ask_for: object, message: str, hint: str) -> None:
    with pytest.raises(AuthorError, match=message) as raised:
        ask_for(history)  # type: ignore[operator]
    assert hint in raised.value.hint


def test_the_card_of_a_fit_says_what_it_rests_on_and_how_sure_it_is(history: Trends, catalogue: Catalogue) -> None:
    maker = Maker(World(QUANTITIES, partial(base, catalogue)), catalogue)
    found = history.fit("peak")
    card = maker.card(found.doubling)
    assert card.title == "doubling time of peak arithmetic"
    assert card.inputs[0].row == "52 training machines, 1976 to 2026"
    assert card.spread
    assert card.spread.low == pytest.approx(found.low.number)
    assert card.spread.high == pytest.approx(found.high.number)
    crossed = maker.card(history.crossed("cpu", 1))
    assert "all CPUs want more than 1 example a fetch" in crossed.title
    assert "more than 25 examples a fetch" in maker.card(history.crossed("gpu", 25)).title
    assert "SPARCstation 10" in crossed.inputs[0].row


# --- what others published


def test_a_doubling_time_follows_from_the_growth(catalogue: Catalogue) -> None:
    rates = catalogue.trends
    assert growth.doubling(rates["gholami-flops"], catalogue) == pytest.approx(2 * math.log(2) / math.log(3))
    assert growth.doubling(rates["wulf-mckee-dram"], catalogue) == pytest.approx(10.245, abs=0.001)
    assert growth.doubling(rates["patterson-processor"], catalogue) == 1.7, "as its source says"
    assert growth.doubling(rates["kung-1986"], catalogue) is None
    both = (1 / growth_of(rates["wulf-mckee-processor"]) - 1 / growth_of(rates["wulf-mckee-dram"])) ** -1
    assert growth.doubling(rates["balance-wulf-mckee-1995"], catalogue) == pytest.approx(both)
    assert both == pytest.approx(1.33, abs=0.01)


def growth_of(row: Trend) -> float:
    assert row.growth
    assert row.years
    return row.years / math.log2(row.growth)


def test_what_a_source_states_agrees_with_the_growth_that_it_gives(catalogue: Catalogue) -> None:
    both = [row for row in catalogue.trends.values() if row.doubling and row.growth]
    assert len(both) > 5
    for row in both:
        assert row.doubling == pytest.approx(growth_of(row), rel=0.03), row.id


def test_the_table_sets_our_fit_beside_the_published_rates(history: Trends, catalogue: Catalogue) -> None:
    table = growth.growth_rates(history, catalogue)
    rows = {row["id"]: row for row in strict(table.json().decode())}
    for key, way in (("peak", "day"), ("bandwidth", "day"), ("beta", "day"), ("beta", "fp32")):
        found, ours = rows[f"fit-{key}-{way}"], history.fit(key, way).found
        assert found["doubling (year)"] == pytest.approx(ours.doubling)
        assert (found["low (year)"], found["high (year)"]) == (pytest.approx(ours.low), pytest.approx(ours.high))
    kung = rows["kung-1986"]
    assert kung["doubling (year)"] == pytest.approx(history.fit("beta").found.doubling / 2)
    assert kung["low (year)"] == pytest.approx(history.fit("beta").found.low / 2)
    published = {
        "wulf-mckee-processor",
        "patterson-memory",
        "gholami-dram",
        "epoch-2023-flops",
        "mccalpin-cost-reversal",
    }
    assert published < set(rows)
    assert "epoch-2026-total-bandwidth" not in rows, "a stock of chips is no trend of technology"
    assert "access time, not bandwidth" in rows["wulf-mckee-dram"]["grew"]
    assert all(row["doubling (year)"] > 0 and row["source"] for row in rows.values())


def test_every_row_of_a_growth_rate_is_in_the_table_or_is_no_rate(history: Trends, catalogue: Catalogue) -> None:
    ids = {row.id for row in growth.growth_rates(history, catalogue).rows}
    left = {row.id for row in catalogue.trends.values()} - ids
    assert {catalogue.trends[name].kind for name in left} <= {
        "law",
        "data point",
        "quotation",
        "stock, not per chip",
        "memory capacity",
    }
    assert trends.IN_PLACE_UNTIL == 1992
