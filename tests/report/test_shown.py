"""Every number of tests/golden stands on a page of the site, asked as its row asks it and printed as it came out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from report.asking import World
from report.page import Number, Page
from report.written import Written
from tests.report import shown


@pytest.fixture(scope="module")
def site(written: Written) -> tuple[World, dict[str, Page]]:
    return shown.world_of(written.found), shown.pages(written)


def _row(name: str) -> Mapping[str, Any]:
    return next(row for row in shown.ROWS if row["id"] == name)


@pytest.mark.parametrize("row", shown.ROWS, ids=[row["id"] for row in shown.ROWS])
def test_a_golden_number_stands_on_its_page(row: Mapping[str, Any], site: tuple[World, dict[str, Page]]) -> None:
    world, written = site
    page = shown.page_of(row)
    found = shown.places(row, written[page], world)
    assert found, f"no number on the page '{page}' asks and prints: {row['says']}"


def _number(site: tuple[World, dict[str, Page]], name: str) -> Number:
    world, written = site
    found = shown.places(_row(name), written["report"], world)
    return next(number for number in found if number.where != "cell")


def test_another_question_or_another_text_is_no_place(site: tuple[World, dict[str, Page]]) -> None:
    world, written = site
    row, page = _row("tape-llama"), written["report"]
    number = _number(site, "tape-llama")
    assert number.text == "575\u00a0GB"
    for wrong in ("576\u00a0MB", "580\u00a0GB", "0.575\u00a0GB", "575\u00a0B"):
        assert not shown.agrees(row, replace(number, text=wrong)), wrong
    assert shown.agrees(row, replace(number, text="0.575\u00a0TB"))
    other = {**row, "scenario": {"network": "llama3-405b", "T": 4096}}
    assert not shown.places(other, page, world)
    assert not shown.places({**row, "unit": "J"}, page, world)
    assert not shown.places(row, replace(page, numbers=(replace(number, live=True),)), world)
    assert not shown.places(row, replace(page, numbers=(replace(number, shown=False),)), world)


def test_a_machine_of_the_same_numbers_is_another_machine(site: tuple[World, dict[str, Page]]) -> None:
    world, written = site
    row = _row("fetch-h100")
    assert all("h800" not in place.key for place in shown.places(row, written["report"], world))


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("39.2\u00a0ms", "drain-a100", 0.0392),
        ("2\u00a0min", "drain-a100", 120.0),
        ("1,477\u00a0tokens", "update-parity-h100", 1477.0),
        ("6.85\u00a0billion", "update-parity-h100", 6.85e9),
        ("95.2%", "ceiling-llama", 0.952),
        ("−5.13\u00a0×\u00a010⁻⁵", "ceiling-llama", -5.13e-5),
    ],
)
def test_a_text_is_read_as_a_reader_reads_it(
    site: tuple[World, dict[str, Page]], text: str, name: str, value: float
) -> None:
    assert shown.as_read(text, _number(site, name)) == pytest.approx(value, rel=1e-12)
