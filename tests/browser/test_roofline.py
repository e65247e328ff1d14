"""The roofline in a real browser: it draws from disk under the strict policy, and follows every scenario."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from model.book import ask
from model.scenario import base
from report.catalogue import load
from report.figures import roofline
from report.rounding import percent
from tests.browser import stage

LAYERS = {
    "name": "roofline",
    "lines": [f"roofline_{layer}" for layer in ("ghost_lines", "slope", "roof", "balance", "point_leader")],
    "marks": [f"roofline_{layer}" for layer in ("path", "point", "reached", "end")],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a page that holds the figure alone, and return its folder."""
    out = tmp_path_factory.mktemp("roofline")
    stage.write(out, {"roofline": roofline}, load(stage.ROOT / "content" / "catalogue"))
    return out


@pytest.fixture
def opened(new_page: Callable[..., Page], folder: Path) -> Callable[..., Page]:
    """Return a function that opens the page and waits for the live view."""

    def open_page(**options: Any) -> Page:
        page = new_page(**options)
        page.goto((folder / "index.html").as_uri())
        page.mouse.move(5, 5)
        page.wait_for_selector(".vega-embed svg", state="visible")
        return page

    return open_page


# Reads every pair in turn and audits each picture.
SWEEP = f"""async ([machines, networks, batches, forms, layers]) => {{
  const audit = {stage.AUDIT}, found = {{}};
  let pictures = 0;
  for (const machine of machines) for (const network of networks) for (const T of batches) for (const form of forms) {{
    await read({{ machine, network, T, form }});
    pictures += 1;
    const wrong = audit(layers);
    if (wrong.length) found[`${{machine}} ${{network}} T=${{T}} ${{form}}`] = wrong;
  }}
  return [pictures, found];
}}"""
NETWORKS = ("nettalk-80", "gpt2-small", "deepseek-v3")
MACHINES = ("vax-11-780-fpa", "h100-sxm5", "rubin")
DESK = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}
TABLET = {"viewport": {"width": 640, "height": 900}, "reduced_motion": "reduce"}
PHONE = {"viewport": {"width": 390, "height": 800}, "reduced_motion": "reduce"}
NARROW = {"viewport": {"width": 320, "height": 700}, "reduced_motion": "reduce"}
SIZES = pytest.mark.parametrize("size", [DESK, TABLET, PHONE, NARROW], ids=["desk", "tablet", "phone", "narrow"])


def words(page: Page) -> list[str]:
    texts: list[str] = page.evaluate("() => [...document.querySelectorAll('.vega-embed text')].map(t => t.textContent)")
    return texts


def point(page: Page) -> tuple[float, float]:
    box = page.locator(".roofline_point_marks path").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@SIZES
def test_no_picture_of_any_machine_with_three_networks_is_broken(opened: Any, size: dict[str, Any]) -> None:
    rows = load(stage.ROOT / "content" / "catalogue")
    page = opened(**size)
    pictures, wrong = page.evaluate(SWEEP, [list(rows.machines), NETWORKS, ["1", "2048", "1048576"], ["plain"], LAYERS])
    assert (pictures, wrong) == (3 * len(NETWORKS) * len(rows.machines), {})


@SIZES
def test_no_picture_of_any_network_on_three_machines_is_broken(opened: Any, size: dict[str, Any]) -> None:
    rows = load(stage.ROOT / "content" / "catalogue")
    page = opened(**size)
    pictures, wrong = page.evaluate(SWEEP, [MACHINES, list(rows.networks), ["64"], ["plain", "l2"], LAYERS])
    assert (pictures, wrong) == (2 * len(MACHINES) * len(rows.networks), {})


def test_the_audit_sees_what_it_is_there_for(opened: Any) -> None:
    page = opened(**DESK)
    assert page.evaluate(stage.AUDIT, LAYERS) == []
    page.evaluate("""() => {
      const [first, second] = document.querySelectorAll('.roofline_balance_words_marks text');
      const name = document.querySelector('.roofline_names_marks text');
      first.setAttribute('transform', 'translate(300,100)');
      first.setAttribute('font-size', '9px');
      second.setAttribute('transform', 'translate(300,100)');
      document.querySelector('.roofline_reached_marks path').setAttribute('transform', 'translate(0,-400)');
      name.textContent = 'NaN';
    }""")
    wrong = " ".join(page.evaluate(stage.AUDIT, LAYERS))
    for kind in ("overlap", "small", "crossed", "NaN", "outside the axes"):
        assert kind in wrong, kind


@pytest.mark.parametrize("name", roofline.OFFERED)
def test_a_machine_drawn_for_comparison_keeps_every_label_free(opened: Any, name: str) -> None:
    page = opened(**DESK)
    page.evaluate("read({ T: '64' })")
    for box in page.locator("[data-param=roofline_ghosts]").all():
        box.set_checked(True)
    page.select_option("#roofline-kept", "h200-sxm")
    page.wait_for_function("() => document.querySelectorAll('.roofline_names_marks text').length === 7")
    _, wrong = page.evaluate(SWEEP, [[name], NETWORKS, ["1", "64", "2048"], ["plain"], LAYERS])
    assert wrong == {}


def test_the_live_view_takes_the_place_of_the_still_one_without_a_jump(new_page: Any, folder: Path) -> None:
    page = new_page(viewport={"width": 1000, "height": 800})
    page.goto((folder / "index.html").as_uri())
    before = page.locator("#fig-roofline").bounding_box()
    assert page.locator(".vega-embed").count() == 0, "nothing is loaded before the reader acts"
    page.keyboard.press("Tab")
    page.wait_for_selector(".vega-embed svg", state="visible")
    assert page.locator("#fig-roofline").bounding_box() == before
    assert page.locator(".for-desk svg").count() == 1
    assert page.locator(".vega-embed svg").get_attribute("role") == "img"
    assert page.locator(".vega-embed svg").get_attribute("aria-label") == roofline.ALT


def test_a_scenario_that_differs_is_drawn_without_waiting_for_the_reader(new_page: Any, folder: Path) -> None:
    page = new_page()
    page.goto((folder / "index.html").as_uri())
    page.evaluate("read({ machine: 'cray-1', network: 'lenet-1989', T: '1' })")
    page.wait_for_selector(".vega-embed svg", state="visible")
    assert "Cray-1, 1976" in words(page)


def test_the_scenario_moves_point_and_words(opened: Any) -> None:
    page = opened(**DESK)
    page.evaluate("read({ T: '64' })")
    assert "T = 64 tokens: 11% of peak" in words(page)
    low = point(page)
    page.evaluate("read({ T: '512' })")
    high = point(page)
    assert high[0] > low[0]
    assert high[1] < low[1]
    page.evaluate("read({ network: 'gpt2-small' })")
    assert "no batch reaches the balance" in words(page)
    assert page.locator(".roofline_reached_marks path").count() == 0
    page.evaluate("read({ machine: 'v100-sxm2', format: 'fp8' })")
    assert "No point: the machine does not train in this format" in words(page)
    assert page.locator(".roofline_point_marks path").count() == 0
    page.evaluate("read({ machine: 'own', peak: '1TFLOP/s', bandwidth: '1TB/s' })")
    assert "your machine" in words(page)


def test_the_point_glides_to_where_it_belongs(opened: Any) -> None:
    page = opened(viewport={"width": 1280, "height": 900})
    page.evaluate("read({ T: '4' })")
    page.evaluate("read({ T: '512' })")
    given = base(load(stage.ROOT / "content" / "catalogue"), {"T": 512.0})
    share = ask("overlapped_ceiling", given).value
    assert share
    assert f"T = 512 tokens: {percent(share, 2)} of peak" in words(page)


def test_the_slider_moves_the_scenario_by_doublings(opened: Any) -> None:
    page = opened(**DESK)
    slider = page.locator("#roofline-T")
    assert (slider.input_value(), slider.get_attribute("aria-valuetext")) == ("11", "2,048")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("moves") == [[{"T": "1024"}, "drag"], [{"T": "1024"}, "reader"]]
    assert page.locator("output").text_content() == "1,024"
    assert "T = 1,024 tokens: 100% of peak" in words(page)


def test_marks_speak_to_pointer_and_keyboard_and_a_dot_can_be_chosen(opened: Any) -> None:
    page = opened(**DESK)
    tip = page.locator(".tip")
    page.mouse.move(*point(page))
    assert (tip.text_content() or "").startswith("T = 2,048 tokens per weight visit")
    page.mouse.move(5, 5)
    assert tip.is_hidden()
    stage.focus(page)
    page.keyboard.press("ArrowRight")
    assert (tip.text_content() or "").startswith("T = 1 token per weight visit")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.evaluate("moves") == [[{"T": "2"}, "reader"]]
    page.keyboard.press("End")
    assert "balance" in (tip.text_content() or "")
    page.keyboard.press("Escape")
    assert tip.is_hidden()


def test_a_tap_shows_what_a_pointer_shows_and_a_second_one_hides_it(opened: Any) -> None:
    page = opened(**PHONE, has_touch=True, is_mobile=True)
    x, y = point(page)
    tip = page.locator(".tip")
    page.touchscreen.tap(x, y)
    expect(tip).to_be_visible()
    expect(tip).to_have_text(re.compile("^T = 2,048 tokens"))
    page.touchscreen.tap(x, y)
    expect(tip).to_be_hidden()
    page.touchscreen.tap(x, y)
    expect(tip).to_be_visible()
    page.touchscreen.tap(30, 30)
    expect(tip).to_be_hidden()


@pytest.mark.parametrize("mark", ["first", "last"])
def test_the_words_of_a_mark_stay_inside_the_window(opened: Any, mark: str) -> None:
    page = opened(**NARROW)
    stage.focus(page)
    page.keyboard.press({"first": "Home", "last": "End"}[mark])
    box = page.locator(".tip").bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 320


def test_turning_a_phone_brings_the_other_layout(opened: Any) -> None:
    page = opened(**PHONE)
    page.set_viewport_size({"width": 800, "height": 390})
    page.wait_for_selector(".for-desk .vega-embed svg", state="visible")
    page.evaluate("read({ T: '64' })")
    assert "T = 64 tokens: 11% of peak" in words(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_theme_changes_the_drawn_colours_and_keeps_what_was_chosen(opened: Any) -> None:
    page = opened(**DESK, color_scheme="light")
    page.locator("#roofline_ghosts-cray-1").set_checked(False)
    colour = "() => getComputedStyle(document.querySelector('.roofline_slope_marks path')).stroke"
    day = page.evaluate(colour)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(colour) != day
    assert "Cray-1, 1976" not in words(page)


def test_a_wheel_over_the_figure_scrolls_the_page(opened: Any) -> None:
    page = opened(viewport={"width": 390, "height": 300})
    page.evaluate("scrollTo(0, 211)")
    page.mouse.move(200, 150)
    page.mouse.wheel(0, 60)
    page.wait_for_function("() => scrollY > 211")


def test_a_finger_that_starts_on_the_figure_scrolls_the_page(opened: Any) -> None:
    page = opened(viewport={"width": 390, "height": 300}, has_touch=True, is_mobile=True)
    page.evaluate("scrollTo(0, 211)")
    finger = page.context.new_cdp_session(page)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": 200, "y": 200}]})
    for y in range(190, 90, -10):
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": 200, "y": y}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function("() => scrollY > 211")
