"""The tables: their cells are the model's answers and the catalogue's values, on the page and in the downloads."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from model.book import QUANTITIES, ask
from model.figure import Source
from model.formula import STATES
from model.scenario import base
from model.units import split
from report import content, rounding
from report.asking import AuthorError, World
from report.content import Content
from report.desk import Desk, Setting
from report.errors import Absent
from report.named import Presets
from report.tables import board, breakdowns, cells, checks, markup, prices, rates, sources, tricks
from report.tables.book import boards, tables
from report.tables.table import Cell, Column, Row, Table

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("modern-machines", "old-machines", "connection-rates", "weight-visits", "ledger", "tricks", "breakdowns")
NAMES += ("cross-checks", "parameters", "growth-rates")
NOTE = ("price-list", "balances", "floor-by-width", "layer-ledger", "step-floors", "best-batch", "single-example")
NOTE += ("wall-parts", "contrasts", "note-parameters")
NAMES += (*NOTE, "elasticity")
NAMES += ("measured-runs", "unasked-runs", "run-classes", "run-fits", "run-pairs", "run-memory")
EACH = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(scope="module")
def found() -> Content:
    return content.read(ROOT / "content")


@pytest.fixture(scope="module")
def world(found: Content) -> World:
    return World(QUANTITIES, partial(base, found.catalogue))


@pytest.fixture(scope="module")
def made(found: Content, world: World) -> dict[str, Table]:
    return {name: make() for name, make in tables(found, world).items()}


@pytest.fixture(scope="module")
def value(found: Content) -> Callable[..., float | None]:
    """Return a function: the value of a quantity on a scenario of texts, None for a state."""
    return lambda key, scenario=None: ask(key, base(found.catalogue, scenario or {})).value


def scenario(record: Mapping[str, Any]) -> dict[str, str]:
    """Return the scenario of a row as its link spells it."""
    pairs = (part.split("=", 1) for part in record["scenario"].split("&"))
    return {key: text.replace("%20", " ") for key, text in pairs if key != "v"}


def near(number: float) -> Any:
    return pytest.approx(number, rel=1e-9)


# --- what the tables are


def test_every_table_that_prose_can_place_is_looked_at_here(made: dict[str, Table]) -> None:
    assert set(made) == set(NAMES)


@EACH
def test_rows_have_names_of_their_own_and_cells_for_every_column(made: dict[str, Table], name: str) -> None:
    table = made[name]
    assert table.id == name
    assert len({row.id for row in table.rows}) == len(table.rows) > 3
    assert len({column.name for column in table.columns}) == len(table.columns)
    assert table.columns[0].shown


def test_a_row_that_does_not_fit_its_columns_is_refused() -> None:
    with pytest.raises(ValueError, match="row one of few has 1 cells, not 2"):
        Table("few", (Column("a", "A"), Column("b", "B")), (Row("one", "", (Cell((), 1.0),)),))


# --- the model's answers


@pytest.mark.parametrize("name", ["modern-machines", "old-machines"])
def test_machines_show_what_the_model_answers(made: dict[str, Table], value: Any, name: str) -> None:
    keys = {column.key: column for column in made[name].columns if column.key in QUANTITIES}
    assert len(keys) >= 6
    for record in made[name].records():
        for key, column in keys.items():
            answer, factor = value(key, scenario(record)), split(column.unit)[1]
            assert record[column.name] == (None if answer is None else near(answer / factor)), (record["id"], key)


def test_an_eight_bit_balance_is_asked_at_eight_bits(made: dict[str, Table], value: Any) -> None:
    records = {record["id"]: record for record in made["modern-machines"].records()}
    assert records["h100-sxm5"]["beta_fp8 (FLOP/B)"] == near(value("beta", {"format": "fp8"}))
    assert records["a100-sxm4-80gb"]["beta_fp8 (FLOP/B)"] is None
    assert records["a100-sxm4-80gb"]["states"] == {"beta_fp8": "no-format"}


def test_breakdowns_show_what_the_model_answers(made: dict[str, Table], value: Any) -> None:
    for record in made["breakdowns"].records():
        if record["id"].endswith("-updated"):
            continue
        asked = {"operational_intensity": "operational_intensity (FLOP/B)", "beta": "beta (FLOP/B)"}
        asked |= {"visit_tokens": "visit_tokens (token)", "utilization_ceiling": "ceiling"}
        for key, column in asked.items():
            answer = value(key, scenario(record))
            assert record[column] == (None if answer is None else near(answer)), (record["id"], key)


LIVE: Mapping[str, Mapping[str, float]] = {
    "ledger": {"a": 7.7309e10, "b": 2.6214e7, "c": 9.1268e9, "d": 1.0933e7, "e": 2.0562e11, "f": 2.6988e10},
    "tricks": {"batching": 2048, "checkpoint-full": 17, "checkpoint-selective": 3.3529, "reversible": 32, "fp8": 2.0}
    | {"zero1": 3.8209, "zero3": 64, "tensor-parallel": 8.383, "offload": 4, "adam-8bit": 1.6667, "lora": 2}
    | {"context-parallel": 2.7727, "sequence-parallel": 3.0588, "flash-attention": 2.76},
}


@pytest.mark.parametrize("name", LIVE)
def test_live_cells_hold_the_default_scenario(made: dict[str, Table], name: str) -> None:
    column = {"ledger": "amount (B)", "tricks": "gain"}[name]
    records = {record["id"]: record for record in made[name].records()}
    for row, number in LIVE[name].items():
        assert records[row][column] == pytest.approx(number, rel=1e-3), row


# --- the numbers that the argument leans on


def one(made: dict[str, Table], name: str, row: str) -> dict[str, Any]:
    return next(record for record in made[name].records() if record["id"] == row)


@pytest.mark.parametrize(
    ("name", "row", "column", "number"),
    [
        ("modern-machines", "h100-sxm5", "beta (FLOP/B)", 295.224),
        ("modern-machines", "a100-sxm4-80gb", "beta (FLOP/B)", 153.016),
        ("modern-machines", "a100-sxm4-80gb", "drain_time (ms)", 39.2),
        ("modern-machines", "h100-sxm5", "drain_time (ms)", 23.9),
        ("modern-machines", "b200-sxm", "drain_time (ms)", 22.5),
        ("breakdowns", "gpt3-v100", "operational_intensity (FLOP/B)", 831.519),
        ("breakdowns", "gpt3-v100", "beta (FLOP/B)", 138.889),
        ("breakdowns", "gpt3-v100", "ceiling", 0.97),
        ("breakdowns", "llama3-405b", "ceiling", 0.952),
        ("breakdowns", "gpt2-small-h100", "ceiling", 0.484),
        ("breakdowns", "7b-token", "ceiling", 0.00169),
        ("breakdowns", "7b-token-updated", "ceiling", 1 / 2067),
        ("breakdowns", "zip-codes-sun4", "visit_tokens (token)", 6.625),
        ("breakdowns", "deepseek-v3", "visit_tokens (token)", 128),
        ("breakdowns", "deepseek-v3-ep64", "visit_tokens (token)", 8192),
        ("breakdowns", "deepseek-v3-ep64", "measured", 0.173),
        ("connection-rates", "h100-sxm5", "share_of_peak", 0.0017),
        ("connection-rates", "warp-10", "share_of_peak", 0.72),
        ("cross-checks", "run-flops", "computed", 0.12),
        ("cross-checks", "run-bandwidth", "ratio", 0.018),
        ("cross-checks", "run-time", "computed", 1.45),
        ("parameters", "activation-traffic", "value", 200),
        ("parameters", "host-link", "value", 64e9),
        ("weight-visits", "nettalk-80", "parameters", 18629),
    ],
)
def test_the_numbers_of_the_argument_stand_where_they_belong(
    made: dict[str, Table], name: str, row: str, column: str, number: float
) -> None:
    assert one(made, name, row)[column] == pytest.approx(number, rel=0.006)


def test_what_binds_is_what_takes_longest(world: World, made: dict[str, Table]) -> None:
    said = {record["id"]: record["binds"] for record in made["breakdowns"].records()}
    assert said["nettalk-vax"] == said["gpt3-v100"] == said["llama3-405b"] == "arithmetic"
    assert said["nettalk-h100-streamed"] == said["7b-token"] == said["deepseek-v3"] == "weights"
    assert said["gpt2-small-h100"] == "activations"
    assert "cache" in said["zip-codes-sun4"]
    assert breakdowns.binds(world, {"T": "2048"}) == "arithmetic"


def test_model_and_hardware_utilization_are_told_apart(found: Content, world: World) -> None:
    preset = found.settings.presets["gpt3-v100"]
    runs = [run for run in found.catalogue.runs.values() if run.mfu is None and run.hfu is not None]
    table = breakdowns.breakdowns(world, found.catalogue, [replace(preset, run=runs[0].id)])
    measured = table.rows[0].cells[7]
    assert measured.parts[-1] == " HFU"
    assert measured.value == runs[0].hfu
    printed = breakdowns.breakdowns(world, found.catalogue, [preset]).rows[0].cells[7]
    assert printed.parts[-1] == " MFU"


def test_a_published_rate_is_compared_with_the_peak_of_its_machine(found: Content, world: World) -> None:
    table = rates.connection_rates(world, found.catalogue, ["warp-10", "darpa-cray-xmp", "gf11"])
    warp, cray, gf11 = (row.cells[4] for row in table.rows[:3])
    assert warp.value == pytest.approx(17e6 * (6 - 2 * 16240 / 18629) / 100e6, rel=1e-6)
    assert cray.value == pytest.approx(50e6 * 2 / 210.5e6, rel=1e-6)
    assert gf11.state == "unknown"


def test_constants_are_the_sums_of_their_items(found: Content, made: dict[str, Table]) -> None:
    for record in made["parameters"].records():
        row = found.catalogue.constants[record["id"]]
        assert record["value"] == row.value
        assert (record["low"], record["high"]) == (row.low, row.high)
        assert all(f"{rounding.typed(item.value)} {item.what}" in record["items"] for item in row.items)
        if row.items:
            assert sum(item.value for item in row.items) == pytest.approx(row.itemised_total or row.value)


# --- the downloads


@EACH
def test_a_download_reads_back_as_the_same_table(made: dict[str, Table], name: str) -> None:
    table = made[name]
    text = table.csv().decode("utf-8")
    assert text.endswith("\r\n")
    assert "\n" not in text.replace("\r\n", "")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    records = json.loads(table.json())
    assert [row["id"] for row in rows] == [record["id"] for record in records] == [row.id for row in table.rows]
    for row, record in zip(rows, records, strict=True):
        assert None not in row
        for key, told in row.items():
            kept = record.get(key)
            assert told == ("" if kept is None else str(kept)), (row["id"], key)


@EACH
def test_the_unit_of_a_number_stands_in_its_heading(made: dict[str, Table], name: str) -> None:
    for column in made[name].columns:
        if column.unit:
            split(column.unit)  # raises for a unit outside the list
            assert column.name.endswith(f"({column.unit})")


@EACH
def test_what_has_no_value_says_why(made: dict[str, Table], name: str) -> None:
    for record in made[name].records():
        for key, state in record.get("states", {}).items():
            assert state in STATES
            assert [kept for column, kept in record.items() if column.split(" (")[0] == key] == [None]


# --- mistakes


def desk(found: Content, world: World) -> Desk:
    return Desk("page.md", Setting(world=world, catalogue=found.catalogue, references=found.references))


def test_markup_in_a_catalogue_stays_text(found: Content, world: World) -> None:
    nasty = 'a<script>"&'
    cell = cells.prose(f"{nasty} s^2")
    assert markup.cell_html(cell, desk(found, world), "k") == "a&lt;script&gt;&#34;&amp; s<sup>2</sup>"
    assert markup.cell_html(cells.words(nasty), desk(found, world), "k") == "a&lt;script&gt;&#34;&amp;"


def test_a_price_of_which_nobody_states_another_is_listed(found: Content, world: World) -> None:
    alone = replace(found.catalogue.prices["wire"], published=())
    listed = prices.price_list(world, replace(found.catalogue, prices={**found.catalogue.prices, "wire": alone}))
    cell = next(row for row in listed.rows if row.id == "wire").cells[6]
    assert cell.parts == ("nothing",)


def test_a_trick_without_a_factor_is_refused_by_name(found: Content, world: World) -> None:
    with pytest.raises(AuthorError, match="no factor for the trick 'dualpipe'"):
        tricks.tricks(world, found.catalogue, ["dualpipe"])


def test_the_cross_checks_want_their_scenarios(found: Content, world: World) -> None:
    with pytest.raises(Absent, match="no preset 'nettalk-rate'"):
        checks.cross_checks(world, found.catalogue, Presets("content/site.yaml", {}))


def test_a_board_is_made_of_four_lines(found: Content, world: World) -> None:
    made = boards(found, world)["claim"]()
    assert [line.id for line in made.lines] == ["balance", "example", "visit", "price"]
    assert made.id == "claim"
    assert board.THEN in found.catalogue.machines


def test_an_initial_stays_with_its_name() -> None:
    source = Source(title="A title", rank="secondary", seen=True, publisher="Y. Bulatov, blog", year=2026)
    assert "Y.\u00a0Bulatov 2026" in sources.linked(source)
    assert sources.short_name(source) == "Y. Bulatov 2026"  # in a download it is plain text
