"""A research page in a real browser: quiet, no wider than a phone, its rows open by key, accessible in both themes."""

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

Open = Callable[..., Page]
PHONE = {"viewport": {"width": 360, "height": 740}}
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], "preload": False}
NEAR = "() => document.querySelectorAll('.part').forEach(part => { part.style.contentVisibility = 'visible'; })"


def opened(new_page: Open, site: Path, path: str, **options: object) -> Page:
    page = new_page(**options)
    page.goto((site / "research" / path).as_uri())
    page.evaluate(NEAR)
    page.evaluate("() => document.querySelectorAll('details').forEach(one => { one.open = true; })")
    return page


@pytest.mark.parametrize("path", ["index.html", "machines/index.html", "red-team/index.html"])
def test_nothing_is_wider_than_a_phone(new_page: Open, site: Path, path: str) -> None:
    page = opened(new_page, site, path, **PHONE)
    assert page.evaluate("() => document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", ["index.html", "tricks/index.html", "machines/index.html"])
def test_axe_finds_nothing(new_page: Open, site: Path, path: str, theme: str) -> None:
    page = opened(new_page, site, path, color_scheme=theme)
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("rules => axe.run(document, rules).then(({ violations }) => violations)", RULES)
    assert [f"{one['id']}: {[node['html'][:160] for node in one['nodes'][:3]]}" for one in found] == []


def test_a_row_opens_by_key_and_a_number_has_its_card(new_page: Open, site: Path) -> None:
    page = new_page()
    page.goto((site / "research" / "machines" / "index.html").as_uri())
    row = page.locator('details[data-row="machines/cray-1"]')
    row.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(row.locator(".fact").first).to_be_visible()
    page.locator(".research-says .n-link").first.click()
    expect(page.locator("#card")).to_be_visible()
    expect(page.locator("#card .card-title")).not_to_be_empty()
