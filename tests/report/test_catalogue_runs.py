"""Constants, prices, runs, rates and trends of the catalogue: sums, ranges, and what cannot be."""

import math
from collections import Counter
from pathlib import Path

import pytest

from model.records import Catalogue
from report.catalogue import load


@pytest.fixture(scope="module")
def catalogue(root: Path) -> Catalogue:
    return load(root / "content" / "catalogue")


# --- constants and prices


def test_every_constant_is_the_sum_of_its_items(catalogue: Catalogue) -> None:
    itemised = [row for row in catalogue.constants.values() if row.items]
    assert len(itemised) >= 28
    for row in itemised:
        wanted = row.itemised_total if row.itemised_total is not None else row.value
        assert math.fsum(item.value for item in row.items) == pytest.approx(wanted), row.id
        assert row.itemised_total is None or row.rounding


def test_a_symbol_means_one_row_by_itself(catalogue: Catalogue) -> None:
    marked = Counter(row.symbol for row in catalogue.constants.values() if row.default)
    assert set(marked) == {row.symbol for row in catalogue.constants.values()}
    assert set(marked.values()) == {1}
    assert catalogue.constant("b_w").value == 12
    with pytest.raises(KeyError):
        catalogue.constant("nothing")


@pytest.mark.parametrize(
    ("number_format", "recipe", "wanted"),
    [
        ("fp64", "in-place", 24),
        ("fp64", "accumulator", 32),
        ("fp32", "in-place", 12),
        ("fp32", "accumulator", 16),
        ("bf16", "accumulator", 12),
        ("bf16", "plain", 6),
        ("fp8", "accumulator", 10),
    ],
)
def test_weight_traffic_by_format_and_recipe(
    catalogue: Catalogue, number_format: str, recipe: str, wanted: float
) -> None:
    found = [
        row.value
        for row in catalogue.constants.values()
        if (row.symbol, row.format, row.recipe) == ("b_w", number_format, recipe)
    ]
    assert found == [wanted]


def test_the_presets_of_training_state(catalogue: Catalogue) -> None:
    assert [catalogue.constants[f"state-{size}"].value for size in (16, 18, 20)] == [16, 18, 20]


def test_energy_prices_belong_to_their_machine(catalogue: Catalogue) -> None:
    prices = {
        (symbol, machine): catalogue.price(symbol, machine)
        for symbol in ("e_B", "e_F", "static_power")
        for machine in ("a100-sxm4-80gb", "h100-sxm5")
    }
    values = [price.price.value for price in prices.values() if price]
    assert values == pytest.approx([60e-12, 50e-12, 0.9e-12, 0.55e-12, 60, 90])
    assert catalogue.price("e_B", "b200-sxm") is None


def test_what_is_published_of_a_price_lies_in_its_range_or_is_explained(catalogue: Catalogue) -> None:
    inside = 0
    for row in catalogue.prices.values():
        low, high = row.price.range
        inside += sum(0.99 * low <= other.value <= 1.01 * high for other in row.published)
        assert row.published, row.id
    assert inside / sum(len(row.published) for row in catalogue.prices.values()) > 0.9


def test_a_wire_is_priced_by_the_bit(catalogue: Catalogue) -> None:
    assert catalogue.prices["wire"].price.value == pytest.approx(100e-15 * 8 * 1000)
    assert catalogue.prices["wire"].price.unit == "J/(B m)"


# --- runs


def test_no_run_is_above_a_hundred_percent(catalogue: Catalogue) -> None:
    seen = 0
    for row in catalogue.runs.values():
        for share in (row.mfu, row.hfu, row.mfu_causal, row.mfu_fp8):
            if share is not None:
                seen += 1
                assert 0 < share < 1, row.id
    assert seen > 400


def test_a_rate_over_the_peak_is_the_printed_utilization(catalogue: Catalogue) -> None:
    compared = 0
    for row in catalogue.runs.values():
        share = row.mfu or row.hfu
        if not share or not row.rate or row.excluded or row.id == "palm-t3-gpt3":
            continue
        kind = row.peak_format or {"fp16": "fp16", "bf16": "bf16"}[row.precision]
        peak = catalogue.machines[row.machine].peak[kind].value  # type: ignore[index]
        compared += 1
        assert row.rate / peak == pytest.approx(share, rel=0.06, abs=0.006), row.id
    assert compared > 200


def test_a_run_in_fp8_says_whose_peak_its_utilization_is_of(catalogue: Catalogue) -> None:
    rows = [row for row in catalogue.runs.values() if row.precision in ("fp8", "mxfp8") and (row.mfu or row.hfu)]
    assert len(rows) > 10
    assert all(row.peak_format for row in rows)
    deepseek = catalogue.runs["deepseek-v3-pretrain"]
    assert (deepseek.peak_format, deepseek.mfu, deepseek.mfu_fp8) == (
        "bf16",
        pytest.approx(0.346),
        pytest.approx(0.173),
    )


def test_the_split_of_a_run_uses_its_devices(catalogue: Catalogue) -> None:
    whole = 0
    for row in catalogue.runs.values():
        if row.devices and row.tp and row.pp and row.dp:
            whole += 1
            assert row.tp * row.pp * row.dp * (row.cp or 1) == row.devices, row.id
    assert whole > 40


def test_executed_operations_are_no_fewer_than_those_of_the_model(catalogue: Catalogue) -> None:
    for row in catalogue.runs.values():
        if row.mfu and row.hfu:
            assert row.hfu >= row.mfu, row.id


def test_a_batch_in_tokens_is_its_sequences(catalogue: Catalogue) -> None:
    for row in catalogue.runs.values():
        if row.batch and row.s and row.batch_tokens:
            assert row.batch_tokens == pytest.approx(row.batch * row.s, rel=0.03), row.id


# --- rates and trends


def test_learning_is_never_faster_than_the_forward_pass(catalogue: Catalogue) -> None:
    both = [row for row in catalogue.rates.values() if row.cps and row.cups]
    assert len(both) >= 10
    for row in both:
        assert row.cups.value < row.cps.value, row.id  # type: ignore[union-attr]


def test_no_connection_rate_exceeds_the_peak_of_its_machine(catalogue: Catalogue) -> None:
    for row in catalogue.rates.values():
        if row.machine and row.cups:
            machine = catalogue.machines[row.machine]
            peak = machine.peak.get("fp32") or machine.peak[machine.balance_format]
            cheapest = 4.2 if row.network else 6.0
            best = max(peak.value, machine.peak[machine.balance_format].value)
            assert row.cups.value * cheapest <= 1.001 * best, row.id


def test_a_stated_doubling_follows_from_the_growth(catalogue: Catalogue) -> None:
    stated = [row for row in catalogue.trends.values() if row.doubling and row.growth and row.years]
    assert len(stated) >= 6
    for row in stated:
        assert row.growth is not None
        assert row.years is not None
        assert row.years * math.log(2) / math.log(row.growth) == pytest.approx(row.doubling, rel=0.02), row.id


def test_a_ratio_of_trends_names_two_that_grow(catalogue: Catalogue) -> None:
    ratios = [row for row in catalogue.trends.values() if row.of]
    assert len(ratios) == 6
    for row in ratios:
        of, over = catalogue.trends[row.of or ""], catalogue.trends[row.over or ""]
        assert of.growth is not None
        assert over.growth is not None
        assert of.growth ** (1 / (of.years or 1)) > over.growth ** (1 / (over.years or 1)), row.id
