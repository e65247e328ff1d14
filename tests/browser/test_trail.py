"""Back undoes a change: keys that step a control and a drag make one entry of the history, another change its own."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.stage import settle

Open = Callable[..., Page]
SLIDER = "#roofline-T"


@pytest.fixture
def opened(new_page: Callable[..., Page], site: Path) -> Open:
    """Return a function that opens the report and says how many entries the history has beyond the first."""

    def open_report(**options: Any) -> Page:
        page = new_page(**{"viewport": {"width": 1280, "height": 800}, **options})
        page.goto((site / "index.html").as_uri())
        page.evaluate("selector => document.querySelector(selector).scrollIntoView({ block: 'center' })", SLIDER)
        settle(page).evaluate("() => { globalThis.began = history.length; }")
        return page

    return open_report


def entries(page: Page) -> int:
    """Return how many entries were added, once the last change has its link."""
    page.wait_for_function("() => location.hash === scenario.link()")
    return int(settle(page).evaluate("() => history.length - began"))


def value(page: Page) -> float:
    return float(page.locator(SLIDER).input_value())


def test_a_held_key_makes_one_entry_and_back_undoes_all_of_it(opened: Open) -> None:
    page = opened()
    before = value(page)
    page.locator(SLIDER).focus()
    for _ in range(6):
        page.keyboard.down("ArrowLeft")
    page.keyboard.up("ArrowLeft")
    assert value(page) < before - 0.5
    assert entries(page) == 1
    page.go_back()
    page.wait_for_function("() => location.hash === ''")
    settle(page)
    assert value(page) == before
    page.go_forward()
    page.wait_for_function("() => location.hash !== ''")
    settle(page)
    assert value(page) < before - 0.5


def test_a_drag_makes_one_entry(opened: Open) -> None:
    page = opened()
    box = page.locator(SLIDER).bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    for n, to in enumerate((0.2, 0.8), 1):  # a second drag is another change
        page.mouse.move(box["x"] + box["width"] / 2, y)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * to, y, steps=8)
        page.mouse.up()
        assert entries(page) == n


def test_another_control_makes_an_entry_of_its_own(opened: Open) -> None:
    page = opened()
    page.locator(SLIDER).focus()
    page.keyboard.down("ArrowLeft")
    page.keyboard.down("ArrowLeft")
    page.locator("#control-machine").select_option("a100-sxm4-80gb")
    assert entries(page) == 2
    link = page.evaluate("() => location.hash")
    page.go_back()
    expect(page.locator("#control-machine")).to_have_value("h100-sxm5")
    page.wait_for_function("link => location.hash !== link", arg=link)
    assert "T=" in page.evaluate("() => location.hash")


def test_keys_after_a_pause_make_another_entry(opened: Open) -> None:
    page = opened()
    page.locator(SLIDER).focus()
    page.keyboard.press("ArrowLeft")
    assert entries(page) == 1
    page.wait_for_timeout(1200)
    page.keyboard.press("ArrowLeft")
    assert entries(page) == 2


def test_a_reader_who_goes_on_while_a_key_is_held_loses_nothing(opened: Open) -> None:
    page = opened()
    page.locator(SLIDER).focus()
    for _ in range(4):
        page.keyboard.down("ArrowLeft")
    link = page.evaluate("() => scenario.link()")
    page.locator("#contents .level-2 a").last.click()
    page.wait_for_function("() => location.hash.includes('at=')")
    page.go_back()
    page.wait_for_function("() => !location.hash.includes('at=')")
    assert settle(page).evaluate("() => scenario.link()") == link
