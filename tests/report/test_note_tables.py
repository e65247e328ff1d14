"""The companion note's tables: each cell is the model's answer to the row's own scenario, at the note's settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from model.book import QUANTITIES, ask
from model.scenario import base
from report import content
from report.asking import World
from report.content import Content
from report.shown import Shown
from report.tables import contrasts, steps, wall
from report.tables.book import tables
from report.tables.table import Table

ROOT = Path(__file__).resolve().parents[2]
Value = Callable[..., float | None]


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
def value(found: Content) -> Value:
    return lambda key, scenario=None: ask(key, base(found.catalogue, scenario or {})).value


def records(table: Table) -> dict[str, dict[str, Any]]:
    return {record["id"]: record for record in table.records()}


def scenario(record: Mapping[str, Any]) -> dict[str, str]:
    """Return the scenario of a row as its link spells it."""
    pairs = (part.split("=", 1) for part in record["scenario"].split("&"))
    return {key: text.replace("%20", " ") for key, text in pairs if key != "v"}


def near(number: float | None) -> Any:
    return pytest.approx(number, rel=1e-8)


def test_balances_are_asked_of_the_machine_of_the_row(made: dict[str, Table], value: Value) -> None:
    found = records(made["balances"])
    assert set(found) == {"a100-sxm4-40gb", "a100-sxm4-80gb", "h100-sxm5", "b200-sxm"}
    for name, record in found.items():
        on = {"machine": name}
        assert record["beta (FLOP/B)"] == near(value("beta", on))
        assert record["d_min_plain"] == near(value("d_min", {**on, "form": "plain"}))
        assert record["d_min"] == near(value("d_min", {**on, "form": "l2"}))
        assert record["d_min"] > record["d_min_plain"]
    assert found["a100-sxm4-80gb"]["beta_shared (FLOP/B)"] == near(312 / 19.49)
    assert found["b200-sxm"]["beta_E (FLOP/B)"] is None
    assert found["b200-sxm"]["states"]["beta_E"] == "no-price"
    assert found["b200-sxm"]["states"]["beta_L2"] == "unknown"


def test_floors_by_width_count_both_ways(made: dict[str, Table], value: Value) -> None:
    for record in made["floor-by-width"].records():
        for width in (512, 768, 1024, 2048, 4096, 8192, 12288, 16384):
            answer = value("T_min", {**scenario(record), "d": float(width)})
            assert record[f"d{width} (token)"] == (None if answer is None else near(answer))
    assert records(made["floor-by-width"])["h100-sxm5-l2"]["states"] == {"d512": "no-batch", "d768": "no-batch"}


def test_the_price_list_is_in_picojoules_and_adds(made: dict[str, Table], value: Value) -> None:
    found = records(made["price-list"])
    add = value("e_add")
    assert add
    for name, record in found.items():
        assert record["adds"] == near(record["energy (pJ)"] * 1e-12 / add), name
        assert record["low"] <= record["energy (pJ)"] <= record["high"] or name in ("l2", "memory-a100", "memory-h100")
        assert record["low"] <= record["high"]
    assert found["memory-a100"]["energy (pJ)"] == near(60.0)
    assert found["die"]["energy (pJ)"] == near(12.8)
    assert found["hop"]["high"] == near(0.96)
    assert "105" in found["memory-a100"]["published"]
    assert found["memory-a100"]["published"].count(";") >= 2


def test_the_layer_s_streams_add_up(made: dict[str, Table]) -> None:
    found = records(made["layer-ledger"])
    amount, each = "amount (B)", "per_token (B)"
    assert found["a"][amount] == near(12 * 12 * 4096**2)
    assert found["a-reads"][amount] + found["a-sums"][amount] == near(found["a"][amount])
    assert found["e"][amount] == near(30 * 12 * 4096**2)
    for name in ("a", "e", "f"):
        assert found[name][each] == near(found[name][amount] / 2048), name
    for name in ("b", "c", "d"):
        assert found[name][each] == near(found[name][amount]), name
    assert found["b"][amount] == near(200 * 4096)
    assert found["c"][amount] == near(34 * 4096)


def test_floors_of_a_step_follow_from_balance_and_bytes(made: dict[str, Table]) -> None:
    found = records(made["step-floors"])
    per_byte = {"optimizer": 30 / 6, "reduce-nvlink": 4 / 6, "reduce-nic": 4 / 6, "fsdp-nvlink": 1, "fsdp-nic": 1}
    for name, tokens in per_byte.items():
        record = found[name]
        assert record["parity (token)"] == near(tokens * record["balance (FLOP/B)"])
        assert record["tenth (token)"] == near(10 * record["parity (token)"])
        assert record["intensity (FLOP/B)"] is None
    assert found["tensor"]["intensity (FLOP/B)"] == near(4.5 * 4096 / 8)
    assert found["pipeline"]["intensity (FLOP/B)"] == near(18 * 4096 * 32 / 8)
    assert found["tensor"]["parity (token)"] is None


def test_the_best_batch_is_the_geometric_mean(made: dict[str, Table]) -> None:
    for record in made["best-batch"].records():
        devices = record["devices"]
        assert record["B_opt (token)"] == near((1e6 * devices * record["T_fixed (token)"]) ** 0.5)
        assert record["T_dev (token)"] == near(record["B_opt (token)"] / devices)
        assert record["ratio"] == near(record["T_dev (token)"] / record["T_fixed (token)"])


def test_six_ways_of_taking_a_step(made: dict[str, Table], value: Value) -> None:
    found = made["single-example"].records()
    assert [record["id"] for record in found] == [way.id for way in steps.WAYS]
    for record in found:
        on = scenario(record)
        tokens = float(on.get("T", 2048)) * float(on.get("micro_batches", 1))
        time = value("step_time", on)
        assert time
        assert record["tokens (token)"] == tokens
        assert record["step_time (s)"] == near(time)
        assert record["time (ms/token)"] == near(1000 * time / tokens)
        assert record["slowdown"] == near(value("slowdown", on))
        shares = [record[key] for key in ("arithmetic_share", "memory_share", "static_share")]
        assert sum(shares) == near(1.0)


def test_proposals_are_priced_where_the_ledger_can(made: dict[str, Table]) -> None:
    found = records(made["wall-parts"])
    assert found["reversible"]["tape"] == near(32.0)
    assert found["reversible"]["price"] == near(1 / 3)
    assert found["zeroth-order"]["floor (token)"] == near(312e12 / 2.039e12)
    assert found["low-rank"]["toll"] == near(4096 * 16384 / (16 * (4096 + 16384)))
    assert found["forward-forward"]["floor (token)"] == "not counted"
    assert all(record["gives_up"] for record in found.values())
    assert len(found) == 7


def test_contrasts_divide_the_floor_by_the_reuse(made: dict[str, Table], value: Value) -> None:
    found = records(made["contrasts"])
    floor = value("examples_per_fetch", {"machine": "a100-sxm4-80gb"})
    assert floor
    for name in ("image", "resnet", "lenet", "sequence", "vector"):
        assert found[name]["a100"] == near(floor / found[name]["uses"]), name
    assert found["image"]["uses"] == 224**2
    assert found["vector"]["uses"] == 1
    assert found["decode"]["limit (FLOP/B)"] == near(13.0)
    assert found["decode"]["a100"] == "none are enough"


def test_a_cache_that_a_machine_can_feed_wants_a_number_of_requests(world: World) -> None:
    case = contrasts._Case(
        "short", "a short context", "", "nothing", "decode_limit", {"network": "generic-7b", "s": 8.0}
    )
    cell = contrasts._wanted(world, case, contrasts.Const(1.0), "a100-sxm4-80gb")
    assert isinstance(cell.parts[0], Shown)


def test_the_parameters_end_with_every_price(made: dict[str, Table], found: Content) -> None:
    rows = made["note-parameters"].rows
    prices = list(found.catalogue.prices)
    assert [row.id for row in rows][-len(prices) :] == prices
    shown = records(made["note-parameters"])
    assert shown["hbm-a100"]["range"] == "60 to 120"
    assert shown["static-h100"]["unit"] == "W"
    assert all(record["source"] for record in shown.values())


def test_a_word_in_the_place_of_a_number_stays_a_word(world: World) -> None:
    cell = wall._figure(world, "not counted", lambda num: pytest.fail(str(num)))
    assert (cell.parts, cell.value) == (("not counted",), "not counted")
