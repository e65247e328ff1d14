"""Day turns into night while a page with live figures is open: all stays readable, and as it was chosen."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import contrast, stage
from tests.browser.accessibility import NEAR

Open = Callable[..., Page]
PAGES = ("index.html", "note/index.html", "accuracy/index.html", "sensitivity/index.html")
AROUND = "figure[id^=fig-] :is(.controls, .presets, figcaption, details, .below), .tip, math, .card, .scenario"
# Moves every control of a figure's own view or scenario to another value than it has, and returns what each shows.
CHOSEN = """() => [...document.querySelectorAll('figure[id^=fig-] .controls :is(select, input)')].map(one =>
  [one.id, one.type === 'checkbox' ? one.checked : one.value])"""
CHOOSE = """() => {
  for (const name of ['roofline_ghosts-cray-1', 'drift_kinds-desk']) document.getElementById(name)?.click();
  for (const one of document.querySelectorAll('figure[id^=fig-] .controls select[data-param]')) {
    one.value = one.options[one.options.length - 1].value;
    one.dispatchEvent(new Event('change', { bubbles: true }));
  }
  for (const one of document.querySelectorAll('figure[id^=fig-] .controls input[data-param="log2_T"]')) {
    one.value = 6;
    one.dispatchEvent(new Event('change', { bubbles: true }));
  }
}"""
# Every ground that is drawn: a picture is transparent or has the page's own, as its controls have.
GROUNDS = """() => {
  const paper = getComputedStyle(document.documentElement).backgroundColor, wrong = [];
  for (const one of document.querySelectorAll('figure svg.marks, figure .vega-embed, figure .drawing, figure')) {
    const { backgroundColor } = getComputedStyle(one);
    if (!['rgba(0, 0, 0, 0)', paper].includes(backgroundColor)) wrong.push([one.className, backgroundColor]);
  }
  for (const one of document.querySelectorAll('figure svg.marks .background')) {
    const { fill, stroke } = getComputedStyle(one);
    if ([fill, stroke].some(ink => !['none', 'rgba(0, 0, 0, 0)'].includes(ink))) wrong.push([fill, stroke]);
  }
  return wrong;
}"""


def alive(page: Page) -> list[str]:
    """Bring every figure of a page alive and open its words; return their names."""
    page.evaluate(NEAR)
    page.mouse.move(300, 300)
    names = []
    for figure in page.locator("figure[id^=fig-]:has(.drawing)").all():
        figure.scroll_into_view_if_needed()
        expect(figure.locator(".vega-embed svg")).to_be_visible(timeout=20_000)
        figure.locator("details.in-words").evaluate_all("all => all.forEach(one => { one.open = true; })")
        names.append((figure.get_attribute("id") or "").removeprefix("fig-"))
    return names


def audit(page: Page, name: str) -> None:
    """Fail on a word that cannot be read, in or around the figures, or on a ground that is not the page's."""
    stage.focus(page, f"#fig-{name}")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".tip")).to_be_visible()
    _, faults = page.evaluate(contrast.IN_PAGE, ".tip")
    assert faults == []
    page.keyboard.press("Escape")
    count, faults = page.evaluate(contrast.IN_FIGURES)
    assert count > 10
    assert faults == []
    count, faults = page.evaluate(contrast.IN_PAGE, AROUND)
    assert count > 10
    assert faults == []
    assert page.evaluate(GROUNDS) == []


@pytest.mark.parametrize("path", PAGES)
def test_a_switch_of_the_theme_keeps_all_readable_and_all_that_was_chosen(
    new_page: Open, site: Path, path: str
) -> None:
    page = new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce", color_scheme="light")
    page.goto((site / path).as_uri())
    names = alive(page)
    assert names
    page.evaluate(CHOOSE)
    page.wait_for_timeout(200)
    before: dict[str, Any] = {"chosen": page.evaluate(CHOSEN), "words": [stage.words(page, name) for name in names]}
    paper = "() => getComputedStyle(document.documentElement).backgroundColor"
    day = page.evaluate(paper)
    for scheme in ("dark", "light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(250)  # colours of the page's own controls fade over
        for name in names:
            audit(page, name)
        assert page.evaluate(CHOSEN) == before["chosen"]
        assert [stage.words(page, name) for name in names] == before["words"]
    assert page.evaluate(paper) != day


def test_the_audit_sees_a_word_that_does_not_stand_out_and_a_white_box(new_page: Open, site: Path) -> None:
    page = new_page(viewport={"width": 1280, "height": 900}, color_scheme="dark")
    page.goto((site / "note/index.html").as_uri())
    (name,) = alive(page)
    page.evaluate("""() => {
      document.querySelector('#fig-note .vega-embed text').setAttribute('fill', '#555');
      document.querySelector('#fig-note figcaption').style.color = '#666';
      document.querySelector('#fig-note .vega-embed svg').style.background = 'white';
    }""")
    assert len(page.evaluate(contrast.IN_FIGURES)[1]) == 1
    assert page.evaluate(contrast.IN_PAGE, AROUND)[1]
    assert page.evaluate(GROUNDS)
    assert name == "note"
