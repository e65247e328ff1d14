"""A research page in a real browser: quiet, no wider than a phone, its rows open by key, accessible in both themes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import NEAR, axe_source, violations

Open = Callable[..., Page]
PHONE = {"viewport": {"width": 360, "height": 740}}


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
    assert violations(page, axe_source()) == []


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
