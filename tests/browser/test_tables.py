"""The tables and the board in a real browser: they follow the reader, and stay inside a phone's screen."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from model.book import QUANTITIES
from model.formula import STATES
from model.scenario import base
from report import content
from report import site as pipeline
from report.asking import World
from report.shown import Shown
from report.tables.book import boards, tables
from report.tables.table import Cell
from tests import one_page
from tests.browser.stage import settle

ROOT = Path(__file__).resolve().parents[2]
PAGE = """---
title: Tables
description: All of them.
---
## Tables {{#tables}}

{{% board "claim" %}}{{% endboard %}}

{tables}
"""
# A machine of each era, networks with and without experts and attention, and what a reader may bring.
READERS: tuple[Mapping[str, str], ...] = (
    {"machine": "b200-sxm", "network": "deepseek-v3", "T": "4096", "micro_batches": "8", "devices": "1024"},
    {"machine": "vax-11-780-fpa", "network": "xor-2-2-1", "T": "4"},
    {"network": "gpt2-small", "form": "l2", "format": "fp8"},
    {"machine": "own", "peak": "1PFLOP/s", "bandwidth": "1TB/s", "network": "own", "d": "64", "L": "2"},
)
SCROLLS = """() => [document.documentElement.scrollWidth, innerWidth]"""
KEPT = """() => [...document.querySelectorAll('.table-scroll')].filter(one => one.scrollWidth > one.clientWidth + 1)
  .map(one => {
    const name = one.closest('.table').id, head = one.querySelector('tbody th');
    one.scrollLeft = one.scrollWidth;
    const moved = one.scrollLeft > 0, from = one.getBoundingClientRect().left;
    return [name, moved, Math.abs(head.getBoundingClientRect().left - from)];
  })"""


@pytest.fixture(scope="module")
def made() -> dict[str, dict[str, Cell]]:
    """Return the live cells of every table and board by their keys."""
    found = content.read(ROOT / "content")
    world = World(QUANTITIES, partial(base, found.catalogue))
    cells: dict[str, dict[str, Cell]] = {}
    for name, make in tables(found, world).items():
        table = make()
        cells[name] = {
            f"#{name}-{row.id} > :nth-child({[c.key for c in table.columns if c.shown].index(column.key) + 1})": cell
            for row in table.rows
            for column, cell in zip(table.columns, row.cells, strict=True)
            if column.shown and any(isinstance(part, Shown) and part.live for part in cell.parts)
        }
    lines = boards(found, world)["claim"]().lines
    cells["claim"] = {f"#board-claim tr:nth-child({i}) td:nth-child(3)": line.now for i, line in enumerate(lines, 1)}
    return cells


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, made: dict[str, dict[str, Cell]]) -> Path:
    """Write a site whose page holds the board and every table."""
    out = tmp_path_factory.mktemp("tables")
    written = one_page.copied(out / "content")
    names = [name for name in made if name != "claim"]
    placed = "\n\n".join(f'{{% table "{name}" %}}What it shows.{{% endtable %}}' for name in names)
    one_page.instead(written, PAGE.format(tables=placed))
    for path, data in pipeline.render(written, None).items():
        file = out / "site" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return out / "site"


@pytest.fixture
def opened(new_page: Callable[..., Page], folder: Path) -> Callable[..., Page]:
    """Return a function that opens the page on a scenario."""

    def open_page(settings: Mapping[str, str], **options: Any) -> Page:
        page = new_page(**options)
        fragment = "&".join(["v=1", *(f"{key}={value}" for key, value in settings.items())])
        page.goto(f"{(folder / 'index.html').as_uri()}#{fragment}" if settings else (folder / "index.html").as_uri())
        return settle(page)

    return open_page


def seen(page: Page, selector: str) -> str:
    """Return the first number of a cell as the reader sees it."""
    found = page.locator(f"{selector} data.live").first.text_content()
    return found or ""


@pytest.mark.parametrize("reader", READERS, ids=[str(one.get("machine", "h100")) for one in READERS])
def test_live_cells_follow_the_reader(opened: Any, made: dict[str, dict[str, Cell]], reader: Mapping[str, str]) -> None:
    page = opened(reader)
    wrong = []
    for name, cells in made.items():
        for selector, cell in cells.items():
            number = next(part for part in cell.parts if isinstance(part, Shown))
            wanted = number.text(reader) or STATES[number.num.read(reader).state or "unknown"]
            if (found := seen(page, selector)) != wanted:
                wrong.append(f"{name} {selector}: {found}, not {wanted}")
    assert sum(map(len, made.values())) > 40
    assert not wrong, "\n".join(wrong)


def test_a_case_is_the_readers_only_as_a_whole(opened: Any) -> None:
    page = opened({"T": "1", "devices": "1"})
    rows = "rows => rows.map(row => row.id).filter(id => id.startsWith('breakdowns'))"
    assert page.locator("tr.yours").evaluate_all(rows) == ["breakdowns-7b-token", "breakdowns-7b-token-updated"]
    page.evaluate("() => scenario.set({ machine: 'vax-11-780-fpa', network: 'xor-2-2-1' })")
    expect(page.locator("#old-machines-vax-11-780-fpa")).to_have_class(re.compile("yours"))
    assert page.locator("tr.yours").evaluate_all(rows) == []


def test_loading_changes_no_cell(opened: Any, new_page: Callable[..., Page], folder: Path) -> None:
    plain = new_page(java_script_enabled=False)
    plain.goto((folder / "index.html").as_uri())
    read = [page.locator("main").inner_text() for page in (plain, opened({}))]
    assert read[0] == read[1]


def test_what_a_number_counts_goes_with_the_number(opened: Any) -> None:
    page = opened({"machine": "vax-11-780-fpa", "network": "xor-2-2-1"})
    cell = page.locator("#tricks-checkpoint-full > td").nth(2)
    assert cell.inner_text() == STATES["not-a-transformer"]
    assert page.locator("#board-claim tr:nth-child(4) td:nth-child(3)").inner_text() == STATES["cache-resident"]
    page.evaluate("() => scenario.set({ network: 'generic-7b' })")
    expect(cell).to_have_text("17 × less tape")


def test_the_readers_row_and_machine_are_named(opened: Any) -> None:
    page = opened({})
    assert page.locator("tr.yours").evaluate_all("rows => rows.map(row => row.id)") == ["modern-machines-h100-sxm5"]
    page.locator("#old-machines-cray-1 th a[href^='#v=']").click()
    expect(page.locator("#old-machines-cray-1")).to_have_class(re.compile("yours"))
    assert page.locator("tr.yours").evaluate_all("rows => rows.map(row => row.id)") == ["old-machines-cray-1"]
    expect(page.locator("[data-choice=machine]").first).to_have_text("Cray-1, 1976")


def test_every_row_opens_its_scenario(opened: Any) -> None:
    page = opened({})
    links = page.locator(".table tbody th a[href^='#v=']").evaluate_all(
        "all => all.map(one => one.getAttribute('href'))"
    )
    assert len(links) > 60
    refused = page.evaluate(
        """links => links.filter(link => {
          try { return !model.readLink(link.slice(1)); } catch (error) { return true; }
        })""",
        links,
    )
    assert refused == []
    page.locator("#breakdowns-llama3-405b th a[href^='#v=']").click()
    expect(page.locator("#control-network")).to_have_value("llama3-405b")
    given = page.evaluate("() => scenario.get()")
    assert given == {"network": "llama3-405b", "T": "8192", "s": "8192", "micro_batches": "16", "devices": "16384"} | {
        "tp": "8",
        "pp": "16",
        "zero": "2",
    }
    expect(page.locator("tr.yours#breakdowns-llama3-405b")).to_have_count(1)


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("reader", [{}, READERS[1]], ids=["default", "vax"])
def test_a_phone_never_scrolls_the_page_sideways(opened: Any, width: int, reader: Mapping[str, str]) -> None:
    page = opened(reader, viewport={"width": width, "height": 700}, has_touch=True)
    content_width, screen = page.evaluate(SCROLLS)
    assert content_width == screen == width


@pytest.mark.parametrize("width", [320, 390])
def test_a_wide_table_scrolls_inside_itself_and_keeps_its_first_column(opened: Any, width: int) -> None:
    page = opened({}, viewport={"width": width, "height": 700}, has_touch=True)
    wide = page.evaluate(KEPT)
    assert {name for name, _, _ in wide} >= {"modern-machines", "old-machines", "connection-rates", "breakdowns"}
    assert [name for name, moved, off in wide if not moved or off > 1] == []


def test_a_table_of_words_becomes_blocks_on_a_phone(opened: Any) -> None:
    page = opened({}, viewport={"width": 390, "height": 700})
    cell = page.locator("#tricks-batching > td").first
    assert cell.evaluate("cell => getComputedStyle(cell, '::before').content") == '"Spends"'
    assert page.locator("#tricks thead").is_hidden()
    head, first = page.locator("#tricks-batching > th").bounding_box(), cell.bounding_box()
    assert head["y"] + head["height"] <= first["y"] + 1
    bare = page.locator(".stacked tbody td").filter(has=page.locator("div:empty"))
    assert bare.count() > 10
    assert bare.evaluate_all("cells => cells.filter(cell => cell.checkVisibility()).length") == 0
    wide = opened({}, viewport={"width": 1280, "height": 800})
    assert wide.locator("#tricks thead").is_visible()
    assert (
        wide.locator("#tricks-batching > td").first.evaluate("c => getComputedStyle(c, '::before').content") == "none"
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_printed_quietly_can_be_read(opened: Any, scheme: str) -> None:
    page = opened({"machine": "vax-11-780-fpa", "network": "xor-2-2-1"}, color_scheme=scheme)
    for selector in ("#old-machines-warp .status", "#tricks-checkpoint-full data.live", "#board-claim .unit"):
        shades = page.locator(selector).first.evaluate(
            """one => {
              const part = text => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
              let back = one;
              while (getComputedStyle(back).backgroundColor === 'rgba(0, 0, 0, 0)') back = back.parentElement;
              return [part(getComputedStyle(one).color), part(getComputedStyle(back).backgroundColor)];
            }"""
        )
        light, dark = sorted((luminance(shade) for shade in shades), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, selector


def luminance(shade: list[float]) -> float:
    """Return the relative luminance of an RGB colour, as WCAG defines it."""
    parts = [part / 255 for part in shade]
    bright = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * bright[0] + 0.7152 * bright[1] + 0.0722 * bright[2]
