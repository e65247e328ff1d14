"""The drift of balance in a real browser: every machine, every way of counting, pointer, keys, choice, filter."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from model.records import Catalogue
from report.catalogue import load
from report.figures import drift, drift_panels
from report.trends import CLASSES, WAYS
from tests.browser import stage

# A class's stretch of a line belongs to the line; a machine's ring may reach its own name.
LOOKED_AT = {"name": "drift", "lines": ["drift_reuses", "drift_a_line"], "marks": ["drift_a_points", "drift_a_yours"]}
DESK = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}
BETWEEN = {"viewport": {"width": 768, "height": 900}, "reduced_motion": "reduce"}
TABLET = {"viewport": {"width": 640, "height": 900}, "reduced_motion": "reduce"}
PHONE = {"viewport": {"width": 390, "height": 800}, "reduced_motion": "reduce"}
NARROW = {"viewport": {"width": 320, "height": 700}, "reduced_motion": "reduce"}
SIZES = pytest.mark.parametrize(
    "size", [DESK, BETWEEN, TABLET, PHONE, NARROW], ids=["desk", "between", "tablet", "phone", "narrow"]
)
PANELS = [panel.short for panel in drift_panels.PANELS]
OWN = {"machine": "own", "peak": "1TFLOP/s", "bandwidth": "1TB/s"}


@pytest.fixture(scope="module")
def rows() -> Catalogue:
    """Return the real catalogue."""
    return load(stage.ROOT / "content" / "catalogue")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, rows: Catalogue) -> Path:
    """Write a page that holds the figure alone, and return its folder."""
    out = tmp_path_factory.mktemp("drift")
    stage.write(out, {"drift": drift}, rows)
    return out


@pytest.fixture
def opened(new_page: Callable[..., Page], folder: Path) -> Callable[..., Page]:
    """Return a function that opens the page and waits for the live view."""
    return lambda **options: stage.show(new_page(**options), folder, ("drift",))


def words(page: Page) -> list[str]:
    return stage.words(page, "drift")


def marks(page: Page, layer: str) -> Locator:
    return page.locator(f".drift_{layer}_marks path")


def middle(mark: Locator) -> tuple[float, float]:
    box = mark.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def dot(page: Page, rows: Catalogue, machine: str, panel: str = "a") -> Locator:
    """Return a machine's mark in a panel, by its place in the order of the rows."""
    drawn = [row["id"] for row in drift.rows(rows).machines if row["shown"] and (panel != "a" or row["trains"])]
    return marks(page, f"{panel}_points").nth(drawn.index(machine))


@SIZES
@pytest.mark.parametrize("way", WAYS)
def test_no_picture_of_any_machine_counted_any_way_is_broken(
    opened: Any, rows: Catalogue, size: dict[str, Any], way: str
) -> None:
    page = opened(**size)
    page.select_option("#drift-format", way)
    scenarios = [*({"machine": name} for name in rows.machines), OWN]
    pictures, wrong = page.evaluate(stage.SWEEP, [scenarios, [LOOKED_AT]])
    assert (pictures, wrong) == (len(scenarios), {})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_network_changes_nothing_but_the_readers_own_machine(opened: Any, rows: Catalogue) -> None:
    page = opened(**DESK)
    before = words(page)
    scenarios = [{"network": name} for name in rows.networks]
    pictures, wrong = page.evaluate(stage.SWEEP, [scenarios, [LOOKED_AT]])
    assert (pictures, wrong) == (len(scenarios), {})
    assert words(page) == before


def test_the_live_view_takes_the_place_of_the_still_one_without_a_jump(new_page: Any, folder: Path) -> None:
    page = new_page(viewport={"width": 1280, "height": 900})
    page.goto((folder / "index.html").as_uri())
    still = page.locator("#fig-drift .for-desk svg text").all_text_contents()
    before = page.locator("#fig-drift").bounding_box()
    page.keyboard.press("Tab")
    page.wait_for_selector(".vega-embed svg", state="visible")
    assert page.locator("#fig-drift").bounding_box() == before
    assert sorted(words(page)) == sorted(text for text in still if text.strip())
    assert page.locator(".vega-embed svg").get_attribute("aria-label") == drift.ALT


def test_pointing_at_a_machine_lights_it_in_all_panels(opened: Any, rows: Catalogue) -> None:
    page = opened(**DESK)
    for panel in PANELS:
        page.mouse.move(*middle(dot(page, rows, "cray-1", panel)))
        for other in PANELS:
            assert marks(page, f"{other}_lit").count() == 1
            assert middle(marks(page, f"{other}_lit")) == pytest.approx(middle(dot(page, rows, "cray-1", other)), abs=1)
        assert {"Cray-1: 1", "0.25 FLOP/B", "160 MFLOP/s", "640 MB/s"} <= set(words(page))
        assert (page.locator(".tip").text_content() or "").startswith("Cray-1, 1976")
    page.mouse.move(5, 5)
    assert marks(page, "a_lit").count() == 0
    assert "H100: 591" in words(page)


def test_arrow_keys_come_to_each_machine_once_and_light_it(opened: Any, rows: Catalogue) -> None:
    page = opened(**DESK)
    stage.focus(page)
    seen = []
    shown = [row for row in drift.rows(rows).machines if row["shown"]]
    for _ in range(3 * len(shown)):
        page.keyboard.press("ArrowRight")
        seen.append((page.locator(".tip").text_content() or "").split("balance")[0])
        if marks(page, "c_lit").count():
            assert marks(page, "d_lit").count() == 1
        if len(seen) > 1 and seen[-1] == seen[-2]:
            break
    told = [text for text in seen[:-1] if "passed" not in text and " pass " not in text]
    assert len(told) == len(set(told)) == len(shown)
    assert told[0].startswith("Cray-1, 1976")
    page.keyboard.press("Escape")
    assert page.locator(".tip").is_hidden()
    assert marks(page, "a_lit").count() == 0


def test_choosing_a_machine_makes_it_the_scenarios(opened: Any, rows: Catalogue) -> None:
    page = opened(**DESK)
    page.mouse.click(*middle(dot(page, rows, "vax-11-780-fpa")))
    assert page.evaluate("moves") == [[{"machine": "vax-11-780-fpa"}, "reader"]]
    page.mouse.move(5, 5)
    for panel in PANELS:
        ring = middle(marks(page, f"{panel}_yours"))
        assert ring == pytest.approx(middle(dot(page, rows, "vax-11-780-fpa", panel)), abs=1)
    assert "VAX-11/780: 0.167" in words(page)
    stage.focus(page)
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    assert page.evaluate("moves.at(-1)") == [{"machine": "cray-1"}, "reader"]


def test_what_a_reader_chose_elsewhere_is_marked_even_if_it_is_not_drawn_for_others(opened: Any) -> None:
    page = opened(**DESK)
    before = marks(page, "a_points").count()
    page.evaluate("read({ machine: 'gaudi-2' })")
    assert marks(page, "a_points").count() == before + 1
    assert "Gaudi 2: 351" in words(page)
    page.evaluate(f"read({OWN})")
    assert any(text.startswith("your machine: ") for text in words(page))
    for panel in PANELS:
        assert marks(page, f"{panel}_yours").count() == 1


def test_boxes_take_classes_away_and_bring_them_back(opened: Any) -> None:
    page = opened(**DESK)
    before = marks(page, "a_points").count()
    page.locator("#drift_kinds-cpu").set_checked(False)
    page.wait_for_function("n => document.querySelectorAll('.drift_a_points_marks path').length < n", arg=before)
    assert not [text for text in words(page) if text.startswith("CPUs")]
    page.emulate_media(color_scheme="dark")
    assert not page.locator("#drift_kinds-cpu").is_checked()
    for name in CLASSES:
        page.locator(f"#drift_kinds-{name}").set_checked(False)
    page.wait_for_function("document.querySelectorAll('.drift_a_points_marks path').length === 1")
    for name in CLASSES:
        page.locator(f"#drift_kinds-{name}").set_checked(True)
    page.wait_for_function("n => document.querySelectorAll('.drift_a_points_marks path').length === n", arg=before)


def test_the_switch_counts_all_machines_another_way(opened: Any) -> None:
    page = opened(**DESK)
    page.select_option("#drift-format", "fp32")
    page.wait_for_function("() => document.body.textContent.includes('H100: 53.3')")
    assert "20 FLOP/B" in words(page)
    page.select_option("#drift-format", "bf16")
    page.wait_for_function("() => document.body.textContent.includes('no clear trend since 2016')")
    assert "H100: 591" in words(page)
    page.select_option("#drift-format", "fp8")
    page.wait_for_function("() => document.body.textContent.includes('too few years for a trend')")
    assert "H100: 985" in words(page)
    page.evaluate("read({ machine: 'cray-1' })")
    assert "Cray-1: no fp8" in words(page)


def test_a_stretch_of_a_line_tells_when_a_class_passed_it(opened: Any) -> None:
    page = opened(**DESK)
    found = page.locator(".drift_passed_marks line, .drift_passed_marks path")
    assert found.count() == 4
    page.mouse.move(*middle(found.nth(0)))
    said = page.locator(".tip").text_content() or ""
    assert said.startswith("CPUs pass 1 in 1995")
    assert "SPARCstation 10, 1992" in said
    assert "peak of the memory bus" in said


def test_a_tap_lights_a_machine_and_a_tap_elsewhere_puts_it_out(opened: Any, rows: Catalogue) -> None:
    page = opened(**PHONE, has_touch=True, is_mobile=True)
    mark = dot(page, rows, "cray-1")
    mark.scroll_into_view_if_needed()
    stage.frames(page)
    page.touchscreen.tap(*middle(mark))
    expect(page.locator(".tip")).to_be_visible()
    expect(page.locator(".tip")).to_have_text(re.compile("^Cray-1, 1976"))
    expect(marks(page, "d_lit")).to_have_count(1)
    page.touchscreen.tap(200, 5)
    expect(page.locator(".tip")).to_be_hidden()
    expect(marks(page, "d_lit")).to_have_count(0)


def test_the_words_of_the_outermost_machines_stay_inside_the_window(opened: Any) -> None:
    page = opened(**NARROW)
    stage.focus(page)
    for key in ("Home", "End"):
        page.keyboard.press(key)
        box = page.locator(".tip").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 320


def test_the_panels_follow_the_window(opened: Any) -> None:
    page = opened(viewport={"width": 1280, "height": 900})
    wide = page.locator(".vega-embed svg").bounding_box()
    page.set_viewport_size({"width": 700, "height": 900})
    page.wait_for_function("() => document.querySelector('.vega-embed svg').getBoundingClientRect().width < 700")
    narrow = page.locator(".vega-embed svg").bounding_box()
    assert wide
    assert narrow
    assert narrow["height"] / narrow["width"] == pytest.approx(wide["height"] / wide["width"], rel=0.01)
    assert page.evaluate(stage.AUDIT, LOOKED_AT) == []
