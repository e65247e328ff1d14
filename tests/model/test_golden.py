"""The numbers of tests/golden: worked out by hand, and printed by the sources."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from model.book import QUANTITIES, ask
from model.records import Catalogue
from model.scenario import base
from model.units import ONE, parse, split
from tests.model.arithmetic import Measured, work_out

FILE = Path(__file__).parent.parent / "golden" / "numbers.yaml"
ROWS: list[dict[str, Any]] = yaml.safe_load(FILE.read_text(encoding="utf-8"))["rows"]
STATED = [row for row in ROWS if "stated" in row]
# As many as were worked out: a row may be explained, never dropped.
WORKED_OUT, BESIDE = 219, 10


@pytest.fixture(scope="module")
def came_out(catalogue: Catalogue) -> Any:
    """Return a function: what the model gives for a row, in the row's unit."""

    @cache
    def found(index: int) -> float:
        row = ROWS[index]
        got = Measured(1.0)
        if "ask" in row:
            got = put(row["ask"], row.get("scenario", {}))
        else:
            got = work_out(row["expr"], lambda name: named(row, name))
        unit, factor = split(row["unit"])
        assert got.unit == unit, f"{row['id']} comes out in {got.unit}, not in {row['unit']}"
        return got.number / factor

    def put(key: str, scenario: dict[str, str | float]) -> Measured:
        answer = ask(key, base(catalogue, scenario))
        assert answer.state is None, f"{key} is {answer.state}"
        assert answer.value is not None
        return Measured(answer.value, answer.quantity.unit)

    def named(row: dict[str, Any], name: str) -> Measured:
        meant = row.get("where", {}).get(name)
        if meant is None:
            return put(name, row.get("scenario", {}))
        if isinstance(meant, dict):
            return put(meant["ask"], meant.get("scenario", {}))
        unit = split(meant.partition(" ")[2])[0]
        return Measured(parse(meant, unit), unit)

    return found


@pytest.mark.parametrize("index", range(len(ROWS)), ids=[row["id"] for row in ROWS])
def test_the_model_gives_the_number_worked_out_by_hand(index: int, came_out: Any) -> None:
    row = ROWS[index]
    assert came_out(index) == pytest.approx(row["value"], rel=row["tolerance"]), row["says"]


@pytest.mark.parametrize("row", STATED, ids=[row["id"] for row in STATED])
def test_the_model_meets_what_the_source_prints(row: dict[str, Any], came_out: Any) -> None:
    assert came_out(ROWS.index(row)) == pytest.approx(row["stated"], rel=row["stated_tolerance"]), row["from"]


def test_no_row_is_missing_and_none_stands_twice() -> None:
    assert len(ROWS) == WORKED_OUT + BESIDE
    assert sum(row["from"] == "beside" for row in ROWS) == BESIDE
    assert [name for name, times in Counter(row["id"] for row in ROWS).items() if times > 1] == []


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_a_row_says_what_it_is_where_it_comes_from_and_how(row: dict[str, Any]) -> None:
    known = {"id", "says", "ask", "expr", "scenario", "where", "value", "unit", "tolerance", "stated"}
    assert set(row) <= known | {"stated_tolerance", "from", "page", "how", "note"}
    assert ("ask" in row) != ("expr" in row)
    assert row["says"]
    assert row["from"]
    assert row["how"]
    assert 0 < row["tolerance"] <= 0.01
    assert ("stated" in row) == ("stated_tolerance" in row)


def test_a_row_with_the_wrong_unit_would_not_pass() -> None:
    lookup = {"time": Measured(2.0, split("s")[0]), "bytes": Measured(6.0, split("B")[0])}
    assert work_out("bytes / time + 2 * bytes / time", lookup.__getitem__) == Measured(9.0, split("B/s")[0])
    assert work_out("(time - 1 * time) ** 2", lookup.__getitem__) == Measured(0.0, split("s^2")[0])
    with pytest.raises(ValueError, match="B and s do not add up"):
        work_out("bytes + time", lookup.__getitem__)
    for text, why in (("bytes // time", "FloorDiv"), ("abs(time)", "not arithmetic"), ("'a'", "not arithmetic")):
        with pytest.raises(ValueError, match=why):
            work_out(text, lookup.__getitem__)


def test_every_asked_quantity_exists() -> None:
    asked = {row["ask"] for row in ROWS if "ask" in row}
    assert asked <= set(QUANTITIES)
    assert split("1")[0] == ONE
