"""What must fit between a phone and a wide window: the masthead's line, a picture's letters, a formula in a card."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.stage import settle

Open = Callable[..., Page]
# The smallest letters of a figure on the screen, in px: a picture is shrunk or grown as a whole.
LETTERS = """id => {
  const svg = [...document.querySelectorAll(`#${id} .drawing svg`)].find(one => one.getBoundingClientRect().width);
  const shrunk = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  return Math.min(...[...svg.querySelectorAll('text')].map(one => parseFloat(getComputedStyle(one).fontSize) * shrunk));
}"""
FORMULAS = """async () => {
  const found = [], seen = new Set(), wait = ms => new Promise(done => setTimeout(done, ms));
  for (const asker of document.querySelectorAll('main p a.n-link')) {
    if (seen.size === 150) break;
    seen.add(asker);
    asker.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
    await wait(seen.size === 1 ? 1000 : 20);
    for (const one of document.querySelectorAll('#card .card-formula')) {
      const size = parseFloat(getComputedStyle(one).fontSize), wide = one.scrollWidth > one.clientWidth + 1;
      found.push([size, wide, getComputedStyle(one).overflowX]);
    }
  }
  return found;
}"""


@pytest.fixture
def opened(new_page: Callable[..., Page], site: Path) -> Open:
    """Return a function that opens a page of the report from disk, so many px wide."""

    def open_page(width: int, name: str = "index.html", fragment: str = "", **options: Any) -> Page:
        page = new_page(**{"viewport": {"width": width, "height": 800}, "reduced_motion": "reduce", **options})
        page.goto((site / name).as_uri() + fragment)
        return settle(page)

    return open_page


@pytest.mark.parametrize("name", ["index.html", "note/index.html", "research/index.html"])
def test_the_masthead_is_one_line_at_every_width(opened: Open, name: str) -> None:
    page = opened(360, name)
    heights = set()
    for width in (360, 480, 600, 700, 741, 768, 820, 897, 1024, 1100, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        heights.add(round(page.locator(".site-title").bounding_box()["height"] / 10))  # type: ignore[index]
        assert page.locator(".masthead").bounding_box()["height"] < 50, width  # type: ignore[index]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert heights == {2}


@pytest.mark.parametrize("width", [600, 700, 768, 840, 1024])
def test_a_figure_that_a_link_leads_to_has_readable_letters_before_the_reader_acts(opened: Open, width: int) -> None:
    page = opened(width, fragment="#fig-roofline")
    page.wait_for_function("() => document.querySelector('#fig-roofline .vega-embed') || innerWidth > 831")
    assert page.evaluate(LETTERS, "fig-roofline") >= 11


@pytest.mark.parametrize("width", [360, 1440])
def test_a_long_formula_is_set_smaller_or_scrolls_in_its_card(opened: Open, width: int) -> None:
    page = opened(width)
    found = page.evaluate(FORMULAS)
    assert min(size for size, _, _ in found) >= 12.7
    assert {size < 16 for size, _, _ in found} == {True, False}
    assert all(size == pytest.approx(12.8, abs=0.1) and scrolls == "auto" for size, wide, scrolls in found if wide)
