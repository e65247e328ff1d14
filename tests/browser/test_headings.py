"""A heading leads to itself: its sign shows under a pointer, at the focus and where one touches, and moves nothing."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import contrast
from tests.browser.accessibility import NEAR, axe_source, violations
from tests.browser.stage import settle

Open = Callable[..., Page]
THEMES = ("light", "dark")
READER = "#v=1&machine=a100-sxm4-80gb"
TITLE = "Three floors and a ceiling hold the batch"
LINKS = "main :is(h2, h3)[id] > a"
# Whether a reader sees the sign behind a heading's link, or of many the number of those whose sign is seen.
SEEN = (
    "one => (style => style.content.includes('#') && style.visibility === 'visible')(getComputedStyle(one, '::after'))"
)
ALL_SEEN = f"all => all.filter({SEEN}).length"


@pytest.fixture
def opened(new_page: Callable[..., Page], site: Path) -> Open:
    """Return a function that opens the report from disk, all of it laid out, the pointer away from the text."""

    def open_report(fragment: str = "", **options: Any) -> Page:
        page = new_page(**{"viewport": {"width": 1280, "height": 800}, **options})
        page.goto((site / "index.html").as_uri() + fragment)
        page.evaluate(NEAR)
        page.mouse.move(2, 2)
        return settle(page)

    return open_report


def phone(width: int) -> dict[str, Any]:
    """Return a window of a device that is touched, and has no pointer to hover with."""
    return {"viewport": {"width": width, "height": 800}, "has_touch": True, "is_mobile": True}


def near(page: Page, name: str) -> Locator:
    """Return the link of a heading, with the heading in the middle of the window."""
    page.evaluate("name => document.getElementById(name).scrollIntoView({ block: 'center' })", name)
    return page.locator(f"#{name} > a")


def test_every_heading_of_the_text_leads_to_itself(opened: Open) -> None:
    leads = (
        opened()
        .locator("main :is(h2, h3)[id]")
        .evaluate_all("all => all.map(one => [one.id, one.querySelector(':scope > a:only-child')?.hash])")
    )
    assert len(leads) > 30
    assert leads == [[name, f"#{name}"] for name, _ in leads]


def test_so_does_every_heading_of_every_other_page(site: Path) -> None:
    for file in site.rglob("index.html"):
        headings = re.findall(r'<h[23] id="([^"]*)"[^>]*>(?:<a href="#([^"]*)">)?', file.read_text(encoding="utf-8"))
        assert [name for name, lead in headings if lead != name] == [], file


def test_the_sign_shows_under_the_pointer_and_where_the_keyboard_is(opened: Open) -> None:
    page = opened()
    assert page.locator(LINKS).evaluate_all(ALL_SEEN) == 0
    link, after = near(page, "floors"), page.locator("#reuse > a")
    page.locator("#floors").hover()
    assert link.evaluate(SEEN)
    assert page.locator(LINKS).evaluate_all(ALL_SEEN) == 1
    page.mouse.move(2, 2)
    assert not link.evaluate(SEEN)
    link.focus()
    page.keyboard.press("Tab")
    expect(after).to_be_focused()
    assert after.evaluate(SEEN)


@pytest.mark.parametrize("theme", THEMES)
def test_on_a_touch_screen_the_sign_is_there_and_can_be_read(opened: Open, theme: str) -> None:
    page = opened(color_scheme=theme, **phone(390))
    links = page.locator(LINKS)
    assert links.evaluate_all(ALL_SEEN) == links.count()
    # A word of the page in the sign's colour is measured in its place: the sign itself is no element.
    page.evaluate("""() => {
      const [link] = document.querySelectorAll('#floors > a'), word = document.createElement('span');
      [word.id, word.textContent, word.style.color] = ['sign', '#', getComputedStyle(link, '::after').color];
      link.append(word);
    }""")
    assert page.evaluate(contrast.IN_PAGE, "#sign") == [1, []]


def test_following_it_keeps_the_scenario_and_back_undoes_it(opened: Open) -> None:
    page = opened(READER)
    link = near(page, "floors")
    box = link.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] + 12, box["y"] + box["height"] / 2)  # on the sign
    page.wait_for_function("whole => location.hash === whole", arg=f"{READER}&at=floors")
    expect(page.locator("#control-machine")).to_have_value("a100-sxm4-80gb")
    page.go_back()
    page.wait_for_function("whole => location.hash === whole", arg=READER)
    expect(page.locator("#control-machine")).to_have_value("a100-sxm4-80gb")


def test_without_script_it_is_a_plain_link(opened: Open, site: Path) -> None:
    page = opened(java_script_enabled=False)
    page.locator("#floors > a").click()
    assert page.url == (site / "index.html").as_uri() + "#floors"


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_the_sign_takes_no_room(opened: Open, width: int) -> None:
    page = opened(**phone(width))
    heights = "all => all.map(one => [one.id, one.getBoundingClientRect().height])"
    headings = page.locator("main :is(h2, h3)[id]")
    with_signs = headings.evaluate_all(heights)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    page.evaluate("""() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(':is(h2, h3) > a::after { content: none !important; }');
      document.adoptedStyleSheets.push(sheet);
    }""")
    assert page.locator(LINKS).evaluate_all(ALL_SEEN) == 0
    assert headings.evaluate_all(heights) == with_signs


def test_the_sign_stands_behind_the_last_word(opened: Open) -> None:
    """A sign that wrapped would lie left of the text's end: what is touched behind the last word is the link."""
    page = opened(**phone(390))
    strays = page.locator(LINKS).evaluate_all("""all => all.filter(one => {
      one.scrollIntoView({ block: 'center' });
      const last = [...one.getClientRects()].filter(box => box.width).at(-1);
      const size = parseFloat(getComputedStyle(one).fontSize);
      return document.elementFromPoint(last.right + 0.5 * size, (last.top + last.bottom) / 2) !== one;
    }).map(one => one.textContent)""")
    assert strays == []


def test_it_is_large_enough_to_touch(opened: Open) -> None:
    sizes = (
        opened(**phone(320))
        .locator(LINKS)
        .evaluate_all(
            "all => all.flatMap(one => [...one.getClientRects()]).filter(box => box.width).map(box => box.height)"
        )
    )
    assert min(sizes) >= 24


def test_a_screen_reader_hears_the_title_alone(opened: Open) -> None:
    page = opened(**phone(390))
    client = page.context.new_cdp_session(page)
    document = client.send("DOM.getDocument")["root"]["nodeId"]
    for selector in ("#floors", "#floors > a"):
        node = client.send("DOM.querySelector", {"nodeId": document, "selector": selector})["nodeId"]
        tree = client.send("Accessibility.getPartialAXTree", {"nodeId": node, "fetchRelatives": False})["nodes"]
        assert tree[0]["name"]["value"] == TITLE


def test_the_sign_is_not_printed(opened: Open) -> None:
    page = opened(**phone(390))
    page.emulate_media(media="print")
    assert page.locator(LINKS).evaluate_all(ALL_SEEN) == 0


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_with_all_signs_shown(opened: Open, theme: str) -> None:
    assert violations(opened(color_scheme=theme, reduced_motion="reduce", **phone(390)), axe_source()) == []
