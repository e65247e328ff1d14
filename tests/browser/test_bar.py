"""On a phone the bar says in two lines with what the page is read, and opens its controls over the text."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.stage import settle
from tests.browser.test_shift import WATCH, shifts

Open = Callable[..., Page]
PHONE = {"width": 390, "height": 844}


@pytest.fixture
def opened(new_page: Callable[..., Page], site: Path) -> Open:
    """Return a function that opens the report on a phone with its layout shifts watched."""

    def open_report(fragment: str = "", **options: Any) -> Page:
        page = new_page(**{"viewport": PHONE, **options})
        page.add_init_script(f"({WATCH})()")
        page.goto((site / "index.html").as_uri() + fragment)
        return settle(page)

    return open_report


def brief(page: Page) -> list[str]:
    """Return the lines of the bar that are seen."""
    return [" ".join(text.split()) for text in page.locator(".brief > span:not(.unseen)").all_inner_texts()]


@pytest.mark.parametrize(
    ("link", "lines"),
    [
        ("", ["H100, 2022 in bf16", "the 7B class at T = 2,048"]),
        ("#v=1&machine=cray-1&network=nettalk-80&T=1", ["Cray-1, 1976 in fp64", "NETtalk at T = 1"]),
        (
            "#v=1&machine=own&peak=2PFLOP/s&bandwidth=8TB/s&T=16384",
            ["your machine in bf16", "the 7B class at T = 16,384"],
        ),
    ],
)
@pytest.mark.parametrize("width", [320, 390])
def test_the_bar_says_in_brief_what_is_read_and_cuts_nothing_off(
    opened: Open, width: int, link: str, lines: list[str]
) -> None:
    page = opened(link, viewport={"width": width, "height": 700})
    assert brief(page) == lines
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
    assert page.locator(".brief > span:not(.unseen)").evaluate_all(cut) == 0


def test_it_opens_its_controls_and_follows_them_and_nothing_jumps(opened: Open) -> None:
    page = opened()
    expect(page.locator("#control-machine")).to_be_hidden()
    button = page.locator(".brief")
    expect(button).to_have_attribute("aria-expanded", "false")
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")
    for name in ("machine", "format", "network", "T", "s"):
        box = page.locator(f"#control-{name}").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
    page.locator("#control-machine").select_option("a100-sxm4-80gb")
    page.locator("#control-network").select_option("gpt3-175b")
    assert brief(settle(page)) == ["A100, 2020 in bf16", "GPT-3 at T = 2,048"]
    page.locator("#control-T").fill("512")
    page.keyboard.press("Escape")
    expect(page.locator("#control-machine")).to_be_hidden()
    expect(button).to_be_focused()
    assert brief(settle(page))[1].endswith("T = 512")
    assert shifts(page) == []


def test_what_is_being_typed_stays_when_another_change_arrives(opened: Open) -> None:
    page = opened()
    page.locator(".brief").click()
    page.locator("#control-T").press_sequentially("5")
    page.evaluate("() => scenario.set({ machine: 'cray-1' })")
    expect(settle(page).locator("#control-T")).to_have_value("52048")
    page.locator("[data-action=reset]").click()
    expect(settle(page).locator("#control-T")).to_have_value("2048")


def test_on_a_desk_the_controls_stand_in_the_bar(opened: Open) -> None:
    page = opened(viewport={"width": 1280, "height": 800})
    expect(page.locator(".brief")).to_be_hidden()
    for name in ("machine", "format", "network", "T"):
        expect(page.locator(f"#control-{name}")).to_be_visible()
