"""The note's three panels in a browser: no picture is broken, and a machine is chosen by its curve in three ways."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from report.catalogue import load
from report.figures import note
from tests.browser import stage

CATALOGUE = load(stage.ROOT / "content" / "catalogue")
LOOKED_AT = {
    "name": "note",
    "lines": [
        f"note_{layer}" for layer in ("widths", "own_intensity", "balance_line", "machines", "own_floor", "pole_line")
    ],
    "marks": ["note_dots", "note_point"],
}
DESK = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}
TABLET = {"viewport": {"width": 640, "height": 900}, "reduced_motion": "reduce"}
PHONE = {"viewport": {"width": 390, "height": 800}, "reduced_motion": "reduce"}
NARROW = {"viewport": {"width": 320, "height": 700}, "reduced_motion": "reduce"}
SIZES = pytest.mark.parametrize("size", [DESK, TABLET, PHONE, NARROW], ids=["desk", "tablet", "phone", "narrow"])
OWN = {"machine": "own", "peak": "989TFLOP/s", "bandwidth": "33TB/s", "capacity": "80GB"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a page that holds the figure alone, and return its folder."""
    out = tmp_path_factory.mktemp("note")
    stage.write(out, {"note": note}, CATALOGUE)
    return out


@pytest.fixture
def opened(new_page: Callable[..., Page], folder: Path) -> Callable[..., Page]:
    """Return a function that opens the page and waits for the live view."""
    return lambda **options: stage.show(new_page(**options), folder, ("note",))


@SIZES
def test_no_picture_of_any_machine_or_network_is_broken(opened: Any, size: dict[str, Any]) -> None:
    scenarios: list[dict[str, str]] = [{"machine": name} for name in CATALOGUE.machines]
    scenarios += [{"network": name, "T": T} for name in CATALOGUE.networks for T in ("1", "1048576")]
    scenarios += [
        OWN,
        {"network": "own", "d": "64", "L": "1"},
        {"machine": "cray-1", "network": "nettalk-80", "T": "1"},
    ]
    assert opened(**size).evaluate(stage.SWEEP, [scenarios, [LOOKED_AT]]) == [len(scenarios), {}]


# --- choosing a machine by its curve

# Returns a place on the curve of the A100 in the window, well away from dots.
ON_CURVE = """() => {
  const lines = [...document.querySelectorAll('.note_machines_marks path')];
  const line = lines.find(one => [one.__data__].flat()[0]?.tooltip?.startsWith('A100'));
  const { x, y } = line.getPointAtLength(line.getTotalLength() * 0.3).matrixTransform(line.getScreenCTM());
  return [x, y];
}"""
CHOSEN = [[{"machine": "a100-sxm4-80gb"}, "reader"]]


def on_curve(page: Page) -> tuple[float, float]:
    page.locator("#fig-note .vega-embed").scroll_into_view_if_needed()
    x, y = page.evaluate(ON_CURVE)
    page.evaluate("y => scrollBy(0, y - innerHeight / 2)", y)
    x, y = stage.frames(page).evaluate(ON_CURVE)
    return x, y


def test_a_click_on_a_curve_reads_the_page_with_its_machine(opened: Any) -> None:
    page = opened(**DESK)
    x, y = on_curve(page)
    page.mouse.move(x + 3, y)
    expect(page.locator(".tip strong")).to_have_text("A100")
    expect(page.locator(".tip button")).to_have_count(0)
    page.mouse.click(x + 3, y)
    assert page.evaluate("moves") == CHOSEN
    assert stage.words(page, "note").count("A100") == 1


def test_a_finger_chooses_a_machine_in_two_taps(opened: Any) -> None:
    page = opened(**PHONE, has_touch=True, is_mobile=True)
    x, y = on_curve(page)
    page.touchscreen.tap(x, y)
    expect(page.locator(".tip strong")).to_have_text("A100")
    assert page.evaluate("moves") == []
    page.locator(".tip button").tap()
    stage.becomes(page, lambda: page.evaluate("moves"), CHOSEN)
    expect(page.locator(".tip")).to_be_hidden()


def test_a_finger_finds_no_button_where_nothing_can_be_chosen(opened: Any) -> None:
    page = opened(**PHONE, has_touch=True, is_mobile=True)
    page.locator(".note_network_point_marks path").scroll_into_view_if_needed()
    stage.frames(page)
    page.locator(".note_network_point_marks path").tap(force=True)
    expect(page.locator(".tip")).to_contain_text("your network")
    expect(page.locator(".tip button")).to_have_count(0)


def test_arrow_keys_come_to_each_curve_and_enter_chooses_it(opened: Any) -> None:
    page = opened(**DESK)
    stage.focus(page)
    seen = []
    for _ in range(120):
        page.keyboard.press("ArrowRight")
        seen.append(page.locator(".tip strong").text_content())
        if seen[-1] == "A100":
            break
    assert seen[-1] == "A100"
    page.keyboard.press("Enter")
    assert page.evaluate("moves") == CHOSEN
