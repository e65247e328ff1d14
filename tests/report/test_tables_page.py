"""The tables on a page: their markup, their numbers among the page's own, and the board."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import html5lib
import pytest

from model.book import QUANTITIES
from model.formula import STATES
from model.scenario import base
from report import content
from report.asking import World
from report.content import Content
from report.tables.book import tables
from report.tables.table import Table
from report.twins.tabular import fit
from tests import one_page
from tests.rendering import rendered

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def found() -> Content:
    return content.read(ROOT / "content")


@pytest.fixture(scope="module")
def made(found: Content) -> dict[str, Table]:
    world = World(QUANTITIES, partial(base, found.catalogue))
    return {name: make() for name, make in tables(found, world).items()}


PAGE = """---
title: Tables
description: All of them.
---
## Tables {{#tables}}

{{% board "claim" %}}{{% endboard %}}

See [Llama]({{{{ preset("llama3-405b") }}}}).

{tables}
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory, made: dict[str, Table]) -> dict[str, bytes]:
    """Build a site whose page holds the board and every table."""
    folder = one_page.copied(tmp_path_factory.mktemp("tables") / "content")
    placed = "\n\n".join(f'{{% table "{name}" %}}What it shows.{{% endtable %}}' for name in made)
    one_page.instead(folder, PAGE.format(tables=placed))
    return rendered(folder)


@pytest.fixture(scope="module")
def page(tree: dict[str, bytes]) -> Any:
    return html5lib.parse(tree["index.html"].decode("utf-8"), namespaceHTMLElements=False)


def inside(page: Any, name: str) -> Any:
    return next(part for part in page.iter() if part.get("id") == name)


def text(part: Any) -> str:
    return "".join(part.itertext())


def test_a_table_on_the_page_has_its_rows_heads_and_downloads(
    tree: dict[str, bytes], page: Any, made: dict[str, Table]
) -> None:
    for name in made:
        whole(tree, page, made, name)


def whole(tree: dict[str, bytes], page: Any, made: dict[str, Table], name: str) -> None:
    """Look at one table: rows under their names, links, downloads."""
    table = inside(page, name)
    rows = [row for row in table.iter("tr") if (row.get("id") or "").startswith(f"{name}-")]
    assert [row.get("id") for row in rows] == [f"{name}-{row.id}" for row in made[name].rows]
    shown = [column for column in made[name].columns if column.shown]
    for row, made_row in zip(rows, made[name].rows, strict=True):
        assert [part.tag for part in row] == ["th", *["td"] * (len(shown) - 1)]
        links = [link.get("href") for link in row[0].iter("a") if (link.get("href") or "").startswith("#v=")]
        assert links == ([made_row.link] if made_row.link else [])
    for kind in ("csv", "json"):
        assert any(link.get("href") == f"data/{made[name].file}.{kind}" for link in table.iter("a"))
        data = getattr(made[name], kind)()
        assert tree[f"data/{made[name].file}.{kind}"] == (fit(data) if kind == "csv" else data)


def test_numbers_of_tables_are_numbers_of_the_page_under_keys_of_their_own(tree: dict[str, bytes]) -> None:
    numbers = json.loads(tree["data/numbers.json"])["numbers"]
    ours = {key: entry for key, entry in numbers.items() if key.startswith(("tables/", "boards/"))}
    assert len(ours) > 400
    assert ours["tables/modern-machines#h100-sxm5.beta"]["text"] == "295"
    assert ours["tables/breakdowns#llama3-405b.ceiling"]["text"] == "95.2%"
    assert ours["boards/claim#visit.then"]["text"] == "1"
    live = {key for key, entry in ours.items() if entry["live"]}
    assert {f"tables/ledger#{row}.amount" for row in "abcdef"} <= live
    assert "boards/claim#price.now" in live
    assert "boards/claim#price.then" not in live
    assert not any(key.endswith(")") for key in ours)  # an ordinal would mean that two cells have the same name


def test_a_missing_number_is_a_dash_that_says_why(page: Any) -> None:
    row = inside(page, "modern-machines-a100-sxm4-80gb")
    dashes = list(row.iter("abbr"))
    assert [(text(dash), dash.get("title")) for dash in dashes] == [("–", STATES["no-format"])]


def test_weak_rows_say_so(page: Any) -> None:
    said = {
        row.get("id"): [text(part) for part in row.iter("span") if part.get("class") == "status"]
        for row in page.iter("tr")
    }
    assert said["modern-machines-rubin"] == ["announced"]
    assert said["modern-machines-h100-sxm5"] == []
    assert said["old-machines-warp"] == ["estimate"]


def test_the_board_compares_a_cray_with_the_readers_machine(page: Any) -> None:
    lines = [row for row in inside(page, "board-claim").iter("tr") if row.find("td/span") is not None]
    seen = [[text(part) for part in line.iter("span") if part.get("class") == "value"] for line in lines]
    assert seen == [["0.25", "295"], ["0.25", "0.5"], ["1", "591"], ["1", "591"]]
    head = next(part for part in inside(page, "board-claim").iter("thead"))
    assert [text(cell) for cell in head.iter("th")] == ["Cray-1, 1976", "H100, 2022"]


def test_tricks_cite_their_papers(page: Any) -> None:
    row = inside(page, "tricks-checkpoint-full")
    cited = [link.get("href") for link in row.iter("a") if link.get("class") == "cite"]
    assert cited == ["#ref-chen2016"]
    assert inside(page, "ref-chen2016") is not None


def test_prose_can_link_to_a_named_scenario(page: Any, found: Content) -> None:
    link = next(part for part in page.iter("a") if text(part) == "Llama")
    assert link.get("href") == found.settings.presets["llama3-405b"].link
