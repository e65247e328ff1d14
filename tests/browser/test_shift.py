"""Nothing jumps, nothing is heavy: layout shifts, what the first paint needs, and what waits until it is near."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

Open = Callable[..., Page]
LIMIT = 120_000  # bytes of page, style sheet and one font, compressed
# Three decimals, as such shifts are counted: a pill of the bar may grow by a letter.
WATCH = """() => {
  globalThis.shifts = [];
  new PerformanceObserver(list => {
    for (const { value, sources } of list.getEntries()) {
      if (value > 1e-3) shifts.push([value, sources.map(({ node }) => node?.outerHTML?.slice(0, 90))]);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}"""
SETTLED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100))))"


@pytest.fixture
def asked() -> list[str]:
    """Return the names of the files that the page asks for, as it goes on."""
    return []


@pytest.fixture
def opened(new_page: Callable[..., Page], site: Path, asked: list[str]) -> Open:
    """Return a function that opens the report with its layout shifts watched."""

    def open_report(fragment: str = "", **options: Any) -> Page:
        page = new_page(**{"viewport": {"width": 1280, "height": 800}, **options})
        page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[1]))
        page.add_init_script(f"({WATCH})()")
        page.goto((site / "index.html").as_uri() + fragment)
        page.evaluate("() => document.fonts.ready.then(() => true)")
        page.evaluate(SETTLED)
        return page

    return open_report


def shifts(page: Page) -> list[Any]:
    page.evaluate(SETTLED)
    found: list[Any] = page.evaluate("() => shifts")
    return found


@pytest.mark.parametrize("width", [390, 1280])
def test_the_default_page_does_not_shift(opened: Open, width: int) -> None:
    assert shifts(opened(viewport={"width": width, "height": 800})) == []


@pytest.mark.parametrize("width", [390, 1280])
def test_another_scenario_in_the_link_shifts_little(opened: Open, width: int) -> None:
    found = shifts(opened("#v=1&machine=cray-1&network=llama3-405b&T=1", viewport={"width": width, "height": 800}))
    assert sum(value for value, _ in found) <= 0.1, found


def test_the_watch_sees_a_shift(opened: Open) -> None:
    page = opened()
    page.evaluate("() => { document.querySelector('h1').style.marginTop = '200px'; }")
    page.wait_for_function("() => shifts.length")


def test_no_control_of_the_bar_shifts_the_page(opened: Open) -> None:
    page = opened()
    page.locator("#control-machine").select_option("a100-sxm4-80gb")
    page.locator("#control-network").select_option("gpt3-175b")
    page.locator("#control-T").fill("512")
    page.locator("#control-T").press("Enter")
    page.locator(".more > summary").click()
    page.locator("#control-fabric").select_option("scale_up")
    page.locator("#control-form").select_option("l2")
    page.locator("[data-action=reset]").click()
    assert shifts(page) == []


def test_a_figure_that_comes_alive_moves_nothing(opened: Open) -> None:
    page = opened()
    page.locator("#fig-roofline").scroll_into_view_if_needed()
    page.evaluate(SETTLED)
    page.evaluate("() => { shifts.length = 0; }")
    page.mouse.move(300, 300)
    expect(page.locator("#fig-roofline .vega-embed svg")).to_be_visible(timeout=20_000)
    assert shifts(page) == []


# --- the first paint


def test_the_first_paint_needs_little(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    [sheet] = re.findall(r'<link rel="stylesheet" href="([^"]+)"', text)
    [serif] = (site / "assets").glob("serif-????????.woff2")
    compressed = [gzip.compress(data, 9) for data in (text.encode(), (site / sheet).read_bytes())]
    assert sum(map(len, compressed)) + serif.stat().st_size <= LIMIT


def test_no_script_stands_in_the_way_but_that_of_the_theme(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    blocking = re.findall(r"<script(?![^>]*\bdefer\b)[^>]*src=\"([^\"]+)\"", text)
    assert len(blocking) == 1
    assert (site / blocking[0]).stat().st_size <= 1000
    assert "vega-" not in re.sub(r'data-files="[^"]*"', "", text)


def test_the_chart_runtime_waits_for_the_reader(opened: Open, asked: list[str]) -> None:
    page = opened()
    assert not [name for name in asked if name.startswith(("vega", "spec-", "card-data"))]
    page.locator("#fig-roofline").scroll_into_view_if_needed()
    page.mouse.move(200, 200)
    expect(page.locator("#fig-roofline .vega-embed svg")).to_be_visible(timeout=20_000)
    assert [name for name in asked if name.startswith("vega")]


@pytest.mark.parametrize(("width", "layout"), [(390, "phone"), (1280, "wide")])
def test_a_far_picture_comes_when_near_in_the_layout_that_shows(
    opened: Open, asked: list[str], width: int, layout: str
) -> None:
    page = opened(viewport={"width": width, "height": 800})
    assert not [name for name in asked if name.startswith("still-capacity")]
    with page.expect_request(lambda request: "/still-capacity-" in request.url):
        page.evaluate("() => document.querySelector('#fig-capacity').scrollIntoView()")
    assert {name.split("-")[2] for name in asked if name.startswith("still-")} == {layout}


def test_without_script_every_figure_has_its_picture(new_page: Callable[..., Page], site: Path) -> None:
    page = new_page(viewport={"width": 390, "height": 800}, java_script_enabled=False)
    page.goto((site / "index.html").as_uri())
    for figure in page.locator("figure[id^=fig-]").all():
        figure.scroll_into_view_if_needed()
        picture = figure.locator(".for-phone img")
        expect(picture).to_be_visible()
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("one => one.naturalWidth") > 300


# --- what is far costs nothing


def test_far_sections_are_not_laid_out(opened: Open) -> None:
    page = opened()
    far = page.locator(".part").last
    assert far.evaluate("one => getComputedStyle(one).contentVisibility") == "auto"
    assert not far.evaluate("one => one.firstElementChild.checkVisibility({ contentVisibilityAuto: true })")
    far.evaluate("one => one.scrollIntoView()")
    page.wait_for_function(
        "one => one.firstElementChild.checkVisibility({ contentVisibilityAuto: true })", arg=far.element_handle()
    )


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("anchor", ["tricks", "appendix", "pole", "fig-capacity"])
def test_an_anchor_far_away_lands(opened: Open, anchor: str, width: int) -> None:
    page = opened(f"#{anchor}", viewport={"width": width, "height": 800})
    page.wait_for_function(
        "id => Math.abs(document.getElementById(id).getBoundingClientRect().top - 68) < 90", arg=anchor
    )


# --- contents


def test_the_contents_fit_the_window_and_open_the_section_that_is_read(opened: Open) -> None:
    page = opened(viewport={"width": 1440, "height": 900})
    nav = page.locator("#contents")
    assert nav.evaluate("one => one.scrollHeight <= one.clientHeight + 1")
    expect(nav.locator(".level-3").first).to_be_hidden()
    page.evaluate("() => { location.hash = 'pole'; }")
    expect(nav.locator(".level-3.in").first).to_be_visible()
    assert nav.locator("[aria-current]").count() == 1


def test_the_contents_keep_up_with_whoever_jumps_and_turns_back(opened: Open) -> None:
    page = opened(viewport={"width": 1440, "height": 900})
    read = page.locator("#contents [aria-current]")
    expect(read).to_have_count(0)
    for jump, title in (
        ("document.getElementById('joules').scrollIntoView()", "The tape is cheap in joules and dear in seconds"),
        (
            "document.getElementById('joules').scrollIntoView({ block: 'end' })",
            "The tape can be bought back with arithmetic",
        ),
        ("document.getElementById('fig-roofline').scrollIntoView()", "Training visits each weight more often"),
    ):
        page.evaluate(jump)
        expect(read).to_have_text(title)
    page.evaluate("scrollTo(0, 0)")
    expect(read).to_have_count(0)
    expect(page.locator("#contents .in")).to_have_count(0)


def test_without_script_the_contents_show_everything(new_page: Callable[..., Page], site: Path) -> None:
    page = new_page(viewport={"width": 1440, "height": 900}, java_script_enabled=False)
    page.goto((site / "index.html").as_uri())
    expect(page.locator("#contents .level-3").first).to_be_visible()
