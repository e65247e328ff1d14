"""What holds for each page of the site: axe finds nothing in either theme, it reflows, it has one order of headings."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.accessibility import NEAR, axe_source, violations

Each = Callable[..., Iterator[tuple[str, Page]]]
WIDTHS = (320, 390, 640, 768, 1024, 1440, 1920)
# What is too wide scrolls inside itself; everything else is inside the window.
CUT = """([all, width]) => [...document.querySelectorAll(all)].filter(one => {
  const box = one.getBoundingClientRect();
  const scrolls = one.closest('.equation, .strip, pre, .drawing, table, .entry-formula');
  return box.width && (box.right > width + 1 || box.left < -1) && !scrolls && one.checkVisibility();
}).map(one => one.outerHTML.slice(0, 90))"""
TEXTS = "main :is(p, h1, h2, h3, li, figcaption, summary, img, dt, dd)"


def _judged(site: Path) -> list[Path]:
    """Return every page; of the long lists of numbers, which one template makes, the shortest."""
    pages = sorted(site.rglob("*.html"))
    lists = [page for page in pages if page.relative_to(site).parts[0] == "numbers"]
    return [page for page in pages if page not in lists] + [min(lists, key=lambda page: page.stat().st_size)]


@pytest.fixture
def each(new_page: Callable[..., Page], site: Path) -> Each:
    """Return a function that yields every page of the site, opened from disk and laid out as a whole."""

    def pages(**options: Any) -> Iterator[tuple[str, Page]]:
        page = new_page(**{"viewport": {"width": 1280, "height": 800}, **options})
        for file in _judged(site):
            page.goto(file.as_uri())
            page.evaluate(NEAR)
            yield file.relative_to(site).as_posix(), page

    return pages


def test_axe_finds_nothing_on_any_page_in_either_theme(each: Each) -> None:
    found = {}
    for name, page in each(reduced_motion="reduce"):
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            if wrong := violations(page, axe_source()):
                found[f"{name} {theme}"] = wrong
    assert found == {}


def test_every_page_reflows_at_every_width(each: Each) -> None:
    found = {}
    for name, page in each():
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            across = page.evaluate("() => document.documentElement.scrollWidth")
            cut = page.evaluate(CUT, [TEXTS, width])
            if across > width or cut:
                found[f"{name} {width}"] = [across, cut]
    assert found == {}


def test_every_page_has_one_title_and_headings_in_order(each: Each) -> None:
    for name, page in each():
        levels = page.locator("h1, h2, h3, h4, h5, h6").evaluate_all("all => all.map(one => Number(one.localName[1]))")
        assert levels[0] == 1, name
        assert levels.count(1) == 1, name
        assert all(after - before <= 1 for before, after in pairwise(levels)), name


def test_every_page_has_its_landmarks_with_names(each: Each) -> None:
    for name, page in each():
        for tag in ("main", "body > header", "body > footer"):
            assert page.locator(tag).count() == 1, name
        names = page.locator("nav, aside, form, section[role]").evaluate_all(
            "all => all.map(one => one.ariaLabel || one.getAttribute('role'))"
        )
        assert all(names), name


def test_lines_of_text_are_of_a_length_that_reads_well(each: Each) -> None:
    """45 to 80 characters from 480 px up, at least 30 below: of the longest line that a full paragraph has."""
    measure = """() => {
      const range = document.createRange(), found = [];
      for (const text of document.querySelectorAll('main > p, main > section > p')) {
        const walk = document.createTreeWalker(text, NodeFilter.SHOW_TEXT), lines = new Map();
        for (let node = walk.nextNode(); node; node = walk.nextNode()) {
          if (node.parentElement.closest('[hidden], .note, math')) continue;
          for (let at = 0; at < node.length; at += 1) {
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            const [box] = range.getClientRects();
            if (box) lines.set(Math.round(box.bottom / 12), (lines.get(Math.round(box.bottom / 12)) ?? 0) + 1);
          }
        }
        if (lines.size > 3) found.push(Math.max(...lines.values()));
        if (found.length > 7) break;
      }
      return found.sort((a, b) => a - b)[Math.floor(found.length / 2)] ?? null;
    }"""
    for name, page in each():
        for width in (390, 480, 768, 1440, 1920):
            page.set_viewport_size({"width": width, "height": 800})
            length = page.evaluate(measure)
            if length is not None:
                assert (45 <= length <= 80) if width >= 480 else length >= 30, (name, width, length)
