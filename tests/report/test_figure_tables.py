"""The table under a figure asks the model in each cell, and says in its own markup what it asked."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from model.book import QUANTITIES, ask
from model.formula import STATES
from model.records import Catalogue
from model.scenario import base
from report import rounding
from report.catalogue import load
from report.content import read
from report.figures import openings, tables
from report.figures.book import FIGURES
from report.figures.tables import Column, Row, Table
from tests.report.pictures import ROOT

ASKED = {name: getattr(module, "TABLES", {}) for name, module in FIGURES.items()}


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load(ROOT / "content" / "catalogue")


def test_every_figure_of_a_step_has_a_table_that_asks() -> None:
    """The others show what no scenario changes: machines, schedules, published runs, what a change does."""
    assert {name for name, found in ASKED.items() if found} == {"roofline", "bytes", "window", "capacity", "note"}
    assert all(column.key in QUANTITIES for found in ASKED.values() for one in found.values() for column in one.columns)


def test_a_cell_is_the_model_s_answer_and_says_what_it_asked(catalogue: Catalogue) -> None:
    table = Table(
        caption="A table",
        rows_are="d",
        rows=[Row("wide", {"network": "own", "d": "4096"}), Row("narrow", {"network": "own", "d": "512"})],
        columns=[
            Column("floor", "T_min"),
            Column("peak", "peak", "qty"),
            Column("share", "overlapped_ceiling", "percent"),
        ],
    )
    root = ET.fromstring(tables.html(table, catalogue))
    heads = [dict(cell.attrib) for cell in root.findall("thead/tr/th")]
    assert heads[1] == {"scope": "col", "data-ask": "T_min", "data-way": "sig", "data-digits": "3"}
    assert heads[2]["data-label"] == '["FLOP/s","FLOP/s",0,6]'
    assert ["".join(cell.itertext()) for cell in root.findall("thead/tr/th")] == ["d", "floor, tokens", "peak", "share"]
    wide, narrow = root.findall("tbody/tr")
    assert wide.get("data-given") == "network=own d=4096"
    floor = ask("T_min", base(catalogue, {"d": "4096"})).value
    assert floor
    assert [cell.text for cell in wide] == ["wide", rounding.sig(floor, 3), "989\u00a0TFLOP/s", "100%"]
    assert next(iter(narrow.findall("td"))).text == STATES["no-batch"]


def test_why_there_is_no_value_is_said_once_in_a_column(catalogue: Catalogue) -> None:
    widths = ("512", "256", "4096", "512")
    rows = [Row(width, {"network": "own", "d": width}) for width in widths]
    table = Table(caption="A table", rows_are="d", rows=rows, columns=[Column("floor", "T_min", "count")])
    cells = [cell.text or "" for cell in ET.fromstring(tables.html(table, catalogue)).findall("tbody/tr/td")]
    assert [cells[0], cells[1], cells[3]] == [STATES["no-batch"], "\u2013", STATES["no-batch"]]
    assert cells[2].isdigit()


def test_what_is_counted_has_its_unit_in_the_heading_and_no_idle_digits(catalogue: Catalogue) -> None:
    column = Column("floor", "T_min", "count")
    table = Table(caption="A table", rows_are="", rows=[Row("", {"T": "64"})], columns=[column, Column("T", "T")])
    root = ET.fromstring(tables.html(table, catalogue))
    assert ["".join(cell.itertext()) for cell in root.findall("thead/tr/th")][1:] == ["floor, tokens", "T, tokens"]
    assert root.findall("thead/tr/th")[1].get("data-label") == '["","",0,0]'
    assert [column.written(value) for value in (0.489, 7.82, 38.4, 1480.4)] == ["0.49", "7.8", "38", "1,480"]
    assert root.findall("tbody/tr/td")[1].text == "64"


def test_a_change_may_take_what_the_scenario_has_for_another_key(catalogue: Catalogue) -> None:
    given = tables.scenario(Row("one sequence", {"T": "=s", "devices": "1"}), {"s": "8192"}, catalogue)
    assert (given["T"].value, given["devices"].value) == (8192.0, 1.0)
    assert tables.resolved({"T": "=d"}, base(catalogue, {"network": "alexnet-2012"})) == {"T": ""}


def test_the_series_of_a_table_has_a_row_for_each_value(catalogue: Catalogue) -> None:
    table = ASKED["note"]["c"]
    rows = tables.series(table, catalogue, {"machine": "b200-sxm"}, panel="c")
    assert {row["value"] for row in rows} == {None}, "no price is known"
    assert [row["unit"] for row in rows[:2]] == ["J/token", "1"]


def test_figures_are_opened_on_what_they_can_show(catalogue: Catalogue) -> None:
    presets = list(read(ROOT / "content").settings.presets.values())
    offered = {name: [one["title"] for one in openings.openings(catalogue, presets, name)] for name in FIGURES}
    assert len(offered["roofline"]) == len(offered["bytes"]) == len(presets)
    assert "NETtalk on a VAX, 1987" not in offered["window"], "a ceiling is known for language models alone"
    assert "GPT-2 small on H100s" in offered["window"], "below the pole the figure says so"
    assert offered["drift"] == offered["tape"] == []
    (link,) = [one["link"] for one in openings.openings(catalogue, presets, "capacity") if "405B" in one["title"]]
    assert link.startswith("#v=1&network=llama3-405b&")
    assert link.endswith("&at=fig-capacity")
