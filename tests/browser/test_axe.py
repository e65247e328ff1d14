"""Accessible to all: axe finds nothing in the report with all that opens open, and what it leaves is settled here.

It does not judge contrast inside an SVG, nor what the keyboard meets, nor how the page behaves when its colours are
forced. What holds for every page is in test_every_page.py.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import contrast
from tests.browser.accessibility import NEAR, axe_source, violations

Open = Callable[..., Page]
THEMES = ("light", "dark")
WIDE = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 800}}


@pytest.fixture
def opened(new_page: Callable[..., Page], site: Path) -> Open:
    """Return a function that opens a page of the site from disk, all of it laid out."""

    def open_page(path: str = "index.html", fragment: str = "", **options: Any) -> Page:
        page = new_page(**{**WIDE, **options})
        page.goto((site / path).as_uri() + fragment)
        page.evaluate(NEAR)
        return page

    return open_page


@pytest.fixture(scope="module")
def axe() -> str:
    """Return axe-core as a script."""
    return axe_source()


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_on_a_phone_with_all_that_opens_open(opened: Open, axe: str, theme: str) -> None:
    page = opened(
        fragment="#v=1&machine=own&peak=1PFLOP/s&bandwidth=2TB/s&network=own&d=64", color_scheme=theme, **PHONE
    )
    page.evaluate("() => document.querySelectorAll('details').forEach(one => { one.open = true; })")
    page.locator("#own-peak").fill("fast")
    page.locator("#own-peak").press("Tab")
    assert violations(page, axe) == []


def test_axe_finds_nothing_beside_an_open_card(opened: Open, axe: str) -> None:
    page = opened()
    page.locator("main .n-link").nth(12).click()
    expect(page.locator("#card")).to_be_visible()
    assert violations(page, axe) == []


def test_axe_would_find_a_fault(opened: Open, axe: str) -> None:
    page = opened()
    page.evaluate("() => document.querySelector('label').remove()")
    assert violations(page, axe)


# --- contrast inside the figures


@pytest.mark.parametrize("theme", THEMES)
def test_every_word_in_a_live_figure_can_be_read(opened: Open, theme: str) -> None:
    page = opened(color_scheme=theme)
    page.mouse.move(300, 300)
    for figure in page.locator("figure[id^=fig-]").all():
        figure.scroll_into_view_if_needed()
        expect(figure.locator(".vega-embed svg")).to_be_visible(timeout=20_000)
    count, faults = page.evaluate(contrast.IN_FIGURES)
    assert count > 100
    assert faults == []


# --- order, landmarks, names


def test_every_figure_has_a_caption_and_a_spoken_name(opened: Open) -> None:
    page = opened()
    figures = page.locator("figure").all()
    assert len(figures) >= 6
    for figure in figures:
        assert figure.locator("figcaption").inner_text().startswith("Figure")
        spoken = figure.locator("svg[role=img], img").evaluate_all("all => all.map(one => one.ariaLabel || one.alt)")
        assert spoken
        assert all(len(name) > 20 for name in spoken)


def test_every_table_says_what_heads_what(opened: Open) -> None:
    heads = opened().locator("table th").evaluate_all("all => all.map(one => one.scope)")
    assert len(heads) > 100
    assert set(heads) <= {"col", "row", "colgroup", "rowgroup"}


# --- by keyboard


def test_tab_reaches_the_text_first_and_every_stop_can_be_seen(opened: Open) -> None:
    page = opened()
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.className") == "skip"
    seen = """() => {
      const one = document.activeElement, style = getComputedStyle(one.closest('.pill') || one);
      return [one.outerHTML.slice(0, 80), style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1];
    }"""
    stops = []
    for _ in range(60):
        stops.append(page.evaluate(seen))
        page.keyboard.press("Tab")
    assert [html for html, visible in stops if not visible] == []
    assert len({html for html, _ in stops}) > 50


def test_the_skip_link_leads_past_the_bar(opened: Open) -> None:
    page = opened()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()


def test_the_bar_s_panel_opens_and_closes_by_keyboard(opened: Open) -> None:
    page = opened()
    page.locator(".more > summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#control-s")).to_be_visible()
    page.locator("#control-s").focus()
    page.keyboard.press("Escape")
    expect(page.locator("#control-s")).to_be_hidden()
    assert page.evaluate("() => document.activeElement.localName") == "summary"


# --- motion, forced colours


def test_nothing_moves_for_a_reader_who_wants_it_still(opened: Open) -> None:
    page = opened(reduced_motion="reduce")
    slow = """all => all.filter(one => {
      const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(one);
      return parseFloat(transitionDuration) > 0 || animationName !== 'none' || scrollBehavior === 'smooth';
    }).length"""
    assert page.locator("body *").evaluate_all(slow) == 0


def test_forced_colours_keep_controls_claims_and_sliders_visible(opened: Open) -> None:
    page = opened(forced_colors="active")
    assert page.evaluate("() => matchMedia('(forced-colors: active)').matches")
    edges = page.locator(".pill").evaluate_all(
        "all => all.map(one => parseFloat(getComputedStyle(one).borderTopWidth))"
    )
    assert all(edge >= 1 for edge in edges)
    bar = "one => getComputedStyle(one, '::before').borderLeftWidth"
    assert page.locator("p .claim").first.evaluate(bar) == "2px"


def test_the_tree_that_a_screen_reader_meets_names_every_control(opened: Open) -> None:
    page = opened()
    tree = page.locator("#scenario").aria_snapshot()
    for name in ("Machine", "Number format", "Network", "tokens per weight visit", "Copy link", "Reset"):
        assert name in tree, json.dumps(tree)
