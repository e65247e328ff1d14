"""A number that no scenario can have is refused, in link, bar and figure alike, and the nearest right one is named."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

Open = Callable[[str], Page]


@pytest.fixture
def opened(new_page: Callable[..., Page], site: Path) -> Open:
    """Return a function that opens the report from disk with a fragment."""

    def open_report(fragment: str) -> Page:
        page = new_page()
        page.goto((site / "index.html").as_uri() + fragment)
        return page

    return open_report


@pytest.mark.parametrize(
    ("settings", "right"),
    [
        ("T=1.5&machine=cray-1", "T: “1.5” is not a whole number; the nearest are 1 and 2."),
        ("T=1e30", "T: “1e30” is out of range; the most is 1e9."),
        ("d=4096&L=1e9", "L: “1e9” is out of range; the most is 10000."),
        ("d=4096&heads=7", "heads: 7 heads do not divide d, 4096; the nearest are 4 and 8."),
        ("devices=100&tp=8", "100 devices are no multiple of tp times pp, 8; the nearest are 96 and 104."),
        ("machine=own&peak=2FLOP/s&bandwidth=1TB/s", "peak: “2FLOP/s” is out of range; the least is 1 kFLOP/s."),
    ],
)
def test_a_link_out_of_bounds_is_refused_whole(opened: Open, settings: str, right: str) -> None:
    page = opened(f"#v=1&{settings}")
    expect(page.locator("#refused")).to_contain_text(right)
    assert page.evaluate("() => scenario.get()") == {}


def test_the_bar_takes_no_part_of_a_token(opened: Open) -> None:
    page = opened("#v=1&T=512")
    page.locator("#control-T").fill("1.5")
    page.locator("#control-T").press("Enter")
    expect(page.locator("#said")).to_contain_text("the nearest are 1 and 2")
    assert page.evaluate("() => scenario.get()") == {"T": "512"}


def test_a_control_of_a_figure_that_cannot_be_is_told_and_moves_nothing(opened: Open) -> None:
    page = opened("#v=1&devices=100")
    page.evaluate("() => scenario.set({ tp: '8' })")
    expect(page.locator("#said")).to_contain_text("Not taken: 100 devices are no multiple of tp times pp, 8")
    assert page.evaluate("() => scenario.get()") == {"devices": "100"}


def test_a_question_of_the_page_that_the_reader_s_devices_cannot_share_has_a_state(opened: Open) -> None:
    page = opened("#v=1&devices=100")
    script = "(key) => { const { v, s } = scenario.question(key, { tp: '8' }); return [v, s]; }"
    assert page.evaluate(script, "dp") == [None, "does-not-fit"]
    assert page.evaluate(script, "sequence_gain")[1] is None
