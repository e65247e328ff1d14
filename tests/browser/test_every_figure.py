"""What holds for every figure of the site, on the page where it stands: it fits, it lets the page scroll, it tells."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.stage import focus, frames, settle

Open = Callable[..., Page]
DESK = {"viewport": {"width": 1280, "height": 900}}
TOUCH = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def places(site: Path) -> list[tuple[str, list[str]]]:
    """Return each page with figures, by its address in the site, and the names of those that come alive."""
    found = []
    for file in sorted(site.rglob("*.html")):
        text = file.read_text(encoding="utf-8")
        if names := re.findall(r'<figure id="fig-([\w-]+)"', text):
            alive = [name for name in names if f"spec-{name}-wide.js" in text]
            found.append((file.relative_to(site).as_posix(), alive))
    assert sum(len(alive) for _, alive in found) >= 7
    return found


@pytest.fixture
def opened(
    new_page: Callable[..., Page], site: Path, places: list[tuple[str, list[str]]]
) -> Callable[..., Iterator[Any]]:
    """Return a function that opens each page in turn and yields it with the names of its figures."""

    def pages(**options: Any) -> Iterator[tuple[Page, list[str]]]:
        for path, names in places:
            page = new_page(**{"reduced_motion": "reduce", **options})
            page.goto((site / path).as_uri())
            yield page, names
            page.close()

    return pages


def alive(page: Page, name: str) -> None:
    """Bring a figure into the middle of the window, as a reader would, and wait until it is live."""
    page.evaluate("() => dispatchEvent(new Event('scroll'))")
    for _ in range(4):
        page.evaluate(
            "name => document.querySelector(`#fig-${name} .drawing`).scrollIntoView({ block: 'center' })", name
        )
        frames(page)
    page.wait_for_selector(f"#fig-{name} .vega-embed svg", state="visible")
    page.evaluate("name => document.querySelector(`#fig-${name} .drawing`).scrollIntoView({ block: 'center' })", name)
    frames(page)


# --- it fits its column, on every screen

FITS = """name => {
  const drawing = document.querySelector(`#fig-${name} .drawing`), svg = drawing.querySelector('.vega-embed svg');
  const { left, right } = drawing.getBoundingClientRect(), box = svg.getBoundingClientRect(), wrong = [];
  if (box.left < left - 1 || box.right > right + 1) wrong.push(`${box.left}..${box.right} in ${left}..${right}`);
  const room = document.documentElement;
  if (room.scrollWidth > room.clientWidth) wrong.push(`the page is ${room.scrollWidth} wide in ${room.clientWidth}`);
  for (const text of svg.querySelectorAll('text')) {
    const size = parseFloat(getComputedStyle(text).fontSize) * box.width / svg.viewBox.baseVal.width;
    if (text.textContent.trim() && size < 10.99) wrong.push(`${size} px: ${text.textContent}`);
  }
  return wrong;
}"""


@pytest.mark.parametrize("width", [320, 390, 768, 1440])
def test_no_figure_is_wider_than_its_column_nor_its_words_too_small(opened: Any, width: int) -> None:
    """Panels of a chart take no width from their container by themselves: here they do, and stack on a phone."""
    for page, names in opened(viewport={"width": width, "height": 800}):
        for name in names:
            alive(page, name)
            assert page.evaluate(FITS, name) == [], name
        if width == 390:
            page.set_viewport_size({"width": 800, "height": 390})
            page.wait_for_timeout(200)
            for name in names:
                alive(page, name)
                assert page.evaluate(FITS, name) == [], f"{name}, turned"


def test_the_strict_policy_stands_on_every_page_with_a_figure(site: Path, places: list[tuple[str, list[str]]]) -> None:
    """The charts run without building code from text; a page that complained would fail its test."""
    for path, _ in places:
        (policy,) = re.findall(
            r'http-equiv="Content-Security-Policy" content="([^"]+)"', (site / path).read_text("utf-8")
        )
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy


# --- fingers and wheels move the page, and what a pointer sees a finger can see

MARKS = """name => {
  const svg = document.querySelector(`#fig-${name} .vega-embed svg`), seen = [];
  for (const mark of svg.querySelectorAll('.mark-symbol > path, .mark-rect > path, .mark-rule > line')) {
    const { left, top, width, height } = mark.getBoundingClientRect();
    const within = top > 0 && top + height < innerHeight;
    if (mark.__data__?.tooltip && within) seen.push([left + width / 2, top + height / 2]);
  }
  return seen.sort((one, other) => one[0] - other[0]);
}"""


def test_a_swipe_that_starts_on_a_figure_scrolls_the_page(opened: Any) -> None:
    for page, names in opened(**TOUCH):
        for name in names:
            alive(page, name)
            box = page.locator(f"#fig-{name} .drawing").bounding_box()
            assert box
            x, y = box["x"] + box["width"] / 2, min(500, max(200, box["y"] + box["height"] / 2))
            start, finger = page.evaluate("() => scrollY"), page.context.new_cdp_session(page)
            finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
            for step in range(1, 13):
                at = [{"x": x, "y": y + 12 * step}]
                finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": at})
            finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
            page.wait_for_function("start => scrollY < start - 40", arg=start)


def test_a_tap_tells_what_a_pointer_is_told_and_another_hides_it(opened: Any) -> None:
    for page, names in opened(**TOUCH):
        for name in names:
            alive(page, name)
            marks, tip = page.evaluate(MARKS, name), page.locator(".tip")
            assert marks, name
            for x, y in (marks[0], marks[len(marks) // 2], marks[-1]):
                page.touchscreen.tap(x, y)
                expect(tip, name).to_be_visible()
                box = tip.bounding_box()
                assert box
                assert box["x"] >= 0, name
                assert box["x"] + box["width"] <= 360, name
                assert box["y"] >= 0, name
                page.wait_for_timeout(350)  # sooner it would be one double tap
                page.touchscreen.tap(x, y)
                expect(tip, name).to_be_hidden()
                page.wait_for_timeout(350)


def test_a_wheel_over_a_figure_scrolls_the_page(opened: Any) -> None:
    for page, names in opened(**DESK):
        for name in names:
            alive(page, name)
            box = page.locator(f"#fig-{name} .drawing").bounding_box()
            assert box
            page.mouse.move(box["x"] + box["width"] / 2, min(800, max(100, box["y"] + box["height"] / 2)))
            start = page.evaluate("() => scrollY")
            page.mouse.wheel(0, -200)
            page.wait_for_function("start => scrollY < start - 50", arg=start)


def test_arrow_keys_reach_the_first_and_the_last_mark_of_every_figure(opened: Any) -> None:
    for page, names in opened(**DESK):
        for name in names:
            alive(page, name)
            focus(page, f"#fig-{name}")
            told = []
            for key in ("Home", "ArrowRight", "End"):
                page.keyboard.press(key)
                expect(page.locator(".tip"), name).to_be_visible()
                told.append(page.locator(".tip").text_content())
            assert told[0] != told[2], name
            page.keyboard.press("Escape")
            expect(page.locator(".tip"), name).to_be_hidden()


# --- a figure's own control moves that figure alone

OTHERS = """name => [...document.querySelectorAll('.vega-embed svg')]
  .filter(one => !one.closest(`#fig-${name}`)).map(one => one.outerHTML)"""
OWN = "name => document.querySelector(`#fig-${name} .vega-embed svg`).outerHTML"


def test_a_control_of_the_view_moves_its_own_figure_and_no_other(opened: Any) -> None:
    """Parameters that look alike are easily merged, and one slider then moves two charts."""
    moved = 0
    for page, names in opened(**DESK):
        for name in names:
            alive(page, name)
        for name in names:
            alive(page, name)
            controls = page.locator(f"#fig-{name} [data-param]:is(select, [type=checkbox])")
            for i in range(controls.count()):
                control = controls.nth(i)
                others, own = page.evaluate(OTHERS, name), page.evaluate(OWN, name)
                if control.evaluate("one => one.localName") == "select":
                    last = control.locator("option").last.get_attribute("value")
                    control.select_option(last)
                else:
                    control.click()
                frames(settle(page))
                assert page.evaluate(OTHERS, name) == others, name
                moved += page.evaluate(OWN, name) != own
    assert moved >= 8


# --- it has a name, a caption, words and data


def test_every_figure_is_named_captioned_told_and_downloadable(opened: Any, site: Path) -> None:
    for page, names in opened(**DESK):
        for name in names:
            alive(page, name)
            picture = page.locator(f"#fig-{name} .vega-embed svg")
            assert picture.get_attribute("role") == "img"
            assert len(picture.get_attribute("aria-label") or "") > 40, name
            figure = page.locator(f"#fig-{name}")
            assert figure.locator("figcaption").count() == 1
            assert figure.locator(".in-words table tbody tr").count() >= 2, name
            files = [link.get_attribute("href") or "" for link in figure.locator(".below a[download]").all()]
            kinds = {href.rsplit("/", 1)[1].split(".", 1)[1] for href in files}
            assert kinds == {"csv", "json", "vl.json", "svg", "png"}, name


# The smallest letters of each picture that stands before any script, in px as they are shown.
STILL = """async () => {
  const found = {};
  for (const figure of document.querySelectorAll('figure[id^="fig-"]')) {
    const pictures = [...figure.querySelectorAll('.drawing :is(svg, img)')];
    const shown = pictures.filter(one => one.getBoundingClientRect().width);
    const sizes = shown.map(one => {
      const own = one.localName === 'img' ? Number(one.getAttribute('width')) : one.viewBox.baseVal.width;
      const least = own < 500 ? 11 : 12;  // what a layout promises
      return least * one.getBoundingClientRect().width / own;
    });
    found[figure.id] = sizes.length === 1 ? sizes[0] : -sizes.length;
  }
  return found;
}"""


def test_letters_are_large_enough_without_script_too(
    new_page: Open, site: Path, places: list[tuple[str, list[str]]]
) -> None:
    """A still picture is scaled, not laid out anew: a wide one on a tablet would have letters that nobody can read."""
    for path, _ in places:
        page = new_page(java_script_enabled=False)
        page.goto((site / path).as_uri())
        for width in (390, 600, 768, 1024, 1100, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            sizes = page.evaluate(STILL)
            assert sizes, path
            assert {name: size for name, size in sizes.items() if size < 10.99} == {}, (path, width)
        page.close()
