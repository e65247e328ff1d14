"""The companion note in a browser: sentences follow the reader, rows open their scenario on it, links lead back."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.stage import settle

NEAR = "() => document.querySelectorAll('.part').forEach(part => { part.style.contentVisibility = 'visible'; })"
YOURS = ("balance", "toll", "store", "rank", "slowdown", "decode")


@pytest.fixture
def opened(new_page: Callable[..., Page], site: Path) -> Callable[[str], Page]:
    """Return a function that opens the note from disk on a scenario, all of it laid out."""

    def open_page(fragment: str = "") -> Page:
        page = new_page()
        page.goto((site / "note" / "index.html").as_uri() + fragment)
        settle(page).evaluate(NEAR)
        return page

    return open_page


def said(page: Page, name: str) -> str:
    """Return what a live sentence of the note reads like now."""
    return page.locator(f"[data-claim='note-your-{name}']").first.inner_text()


def test_sentences_follow_the_reader_to_a_machine_without_prices(opened: Callable[[str], Page]) -> None:
    before = {name: said(opened(""), name) for name in YOURS}
    page = opened("#v=1&machine=vax-11-780-fpa&network=xor-2-2-1")
    expect(page.locator("[data-claim='note-your-balance']").first).to_contain_text("no energy prices are known")
    after = {name: said(page, name) for name in YOURS}
    assert all(before[name] != after[name] for name in YOURS)
    assert all(text.strip() for text in after.values())


def test_a_row_opens_its_scenario_on_the_note(opened: Callable[[str], Page]) -> None:
    page = opened("")
    page.locator("#single-example-token th a").click()
    page.wait_for_function("() => location.hash.includes('machine=a100')")
    assert page.url.split("#")[0].endswith("/note/index.html")
    expect(page.locator("[data-claim='note-your-slowdown']").first).to_contain_text("1,030 times")


def test_the_note_and_the_report_lead_to_each_other(opened: Callable[[str], Page]) -> None:
    page = opened("")
    page.get_by_role("link", name="The report", exact=True).first.click()
    expect(page).to_have_url(re.compile(r"/index\.html#claim$"))
    assert "/note/" not in page.url
    page.evaluate(NEAR)
    page.locator("a.ref[href^='note/index.html#note-summary']").first.click()
    expect(page).to_have_url(re.compile(r"/note/index\.html#note-summary$"))
