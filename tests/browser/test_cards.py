"""Cards in a real browser: what they say is what the build says, and every way of asking opens them."""

import math
import re
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from report import carddata, numbers_page
from report.asking import HERE, Scenario
from report.cards import Card, Maker
from report.inputs import Input
from report.links import anchors, entries
from report.numbers import core
from report.page import Page as Text
from report.verdicts import Verdict, share
from report.written import Written
from tests.browser.stage import settle, told

Open = Callable[..., Page]
READERS: tuple[Scenario, ...] = (
    HERE,
    {"machine": "cray-1", "T": "1"},
    {"machine": "b200-sxm", "network": "gpt2-small", "fabric": "scale_up"},
    {"network": "deepseek-v3", "form": "l2", "devices": "2048", "ep": "64"},
    {"machine": "own", "peak": "2PFLOP/s", "bandwidth": "8TB/s", "a": "34"},
    {"network": "own", "d": "820", "L": "12"},
    {"machine": "vax-11-780-fpa", "network": "nettalk-80"},
)
RECORDS = """reader => Object.fromEntries(cardData.DATA.numbers.map(([name, tree]) => {
  const card = cardData.numberCard(tree, reader);
  if (card.spread) delete card.spread.bars;
  const inputs = card.inputs.map(({ spot, v, ...rest }) => rest), steps = card.steps.map(({ inputs, ...rest }) => rest);
  return [name, { ...card, inputs, steps }];
}))"""
CLAIMS = """reader => Object.fromEntries(Object.entries(cardData.DATA.claims).map(([name, [condition]]) =>
  [name, cardData.claimCard(condition, reader)]))"""


@pytest.fixture(scope="module")
def text(written: Written) -> tuple[Text, Maker]:
    """Return the report's text as it is built, and what makes its cards."""
    return written.pages[0], written.maker


@pytest.fixture
def opened(new_page: Callable[..., Page], site: Path) -> Open:
    """Return a function that opens the report from disk with a fragment."""

    def open_report(fragment: str = "", **options: Any) -> Page:
        page = new_page(**{"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **options})
        page.goto((site / "index.html").as_uri() + fragment)
        return settle(page)

    return open_report


def expected(card: Card) -> dict[str, Any]:
    """Return a card of the build in the words of the browser's record."""
    return {
        "title": card.title,
        "text": card.text,
        "steps": [{key: value for key, value in asdict(step).items() if key != "source"} for step in card.steps],
        "inputs": [_input(part) for part in card.inputs],
        "spread": numbers_page.span(card),
        "otherwise": share(card.otherwise),
    }


def _input(part: Input) -> dict[str, Any]:
    given = part.given
    ranged = isinstance(given.value, float) and given.low is not None and given.high is not None
    return {
        "key": part.key,
        "label": part.label,
        "symbol": part.symbol,
        "says": part.says,
        "text": part.text,
        "row": part.row,
        "status": given.status,
        "sources": [carddata.written(source) for source in given.sources],
        "note": given.note,
        "range": [given.low, given.high] if ranged else None,
        "unit": "" if part.unit is None else str(part.unit),
    }


@pytest.fixture(scope="module")
def asked(lasting_page: Open, site: Path) -> Page:
    """Open the report from disk, with the cards' data at hand; what is asked of them changes nothing on it."""
    page = lasting_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    page.goto((site / "index.html").as_uri())
    page = settle(page)
    page.locator("main .n-link").first.focus()
    page.evaluate("() => cards.show(document.querySelector('main .n-link'))")
    return page


@pytest.mark.parametrize("reader", READERS, ids=str)
def test_a_number_says_in_the_browser_what_it_says_at_build(
    asked: Page, text: tuple[Text, Maker], reader: Scenario
) -> None:
    page, maker = text
    records = told(asked, RECORDS, dict(reader))
    assert set(records) == set(anchors(page.numbers))
    for name, number in anchors(page.numbers).items():
        mine = expected(maker.card(core(number.num), reader))
        theirs = {key: records[name][key] for key in mine}
        for here, there in zip(mine["inputs"], theirs["inputs"], strict=True):
            assert bool(here["range"]) == bool(there["range"]), (name, here)
            assert (here.pop("range") or []) == pytest.approx(there.pop("range") or [], rel=1e-12)
        assert theirs == mine, name


@pytest.mark.parametrize("reader", READERS, ids=str)
def test_a_claim_says_in_the_browser_what_it_says_at_build(
    asked: Page, text: tuple[Text, Maker], reader: Scenario
) -> None:
    page, maker = text
    records = told(asked, CLAIMS, dict(reader))
    assert set(records) == {claim.name for claim in page.claims}
    for claim in page.claims:
        record, margin = records[claim.name], claim.cond.margin(reader)
        assert record["holds"] == claim.cond.holds(reader), claim.name
        assert (record["margin"] is None) == (margin is None), claim.name
        assert margin is None or math.isclose(record["margin"], margin, rel_tol=1e-9, abs_tol=1e-12), claim.name
        words = Verdict(claim.cond, maker, reader).told()
        assert {key: record[key] for key in words} == words, claim.name


def card(page: Page) -> Locator:
    return page.locator("#card")


@pytest.fixture(scope="module")
def places(text: tuple[Text, Maker]) -> dict[str, int]:
    """Return where each thing that is asked is first read in a sentence, by the address of its entry."""
    read = [one for one in text[0].numbers if one.shown and one.where == "text"]
    names = entries(text[0].numbers)
    return {names[one.n]: one.n for one in reversed(read)}


@pytest.fixture
def number(places: dict[str, int]) -> Callable[[Page, str], Locator]:
    """Return a function that finds the number with an entry."""
    return lambda page, entry: page.locator(f"#n{places[entry]}")


FLOOR = "T_min-plain-h100-sxm5-generic-7b"
Find = Callable[[Page, str], Locator]


def test_pointing_at_a_number_opens_its_card_beside_the_line_and_leaving_closes_it(opened: Open, number: Find) -> None:
    page = opened()
    asked = number(page, FLOOR)
    asked.hover()
    expect(card(page)).to_be_visible()
    expect(card(page)).to_contain_text("Tokens per weight visit")
    expect(card(page)).to_contain_text("NVIDIA H100 product page")
    expect(card(page)).to_contain_text("verified")
    box, line = card(page).bounding_box(), page.locator("main > p").first.bounding_box()
    assert box
    assert line
    assert box["x"] > line["x"] + line["width"]
    assert box["y"] + box["height"] <= 800
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.mouse.move(5, 400)
    expect(card(page)).to_be_hidden()


def test_the_keyboard_asks_reads_and_comes_back(opened: Open, number: Find) -> None:
    page = opened()
    page.keyboard.press("Tab")
    asked = number(page, FLOOR)
    asked.focus()
    expect(card(page)).to_be_visible()
    assert asked.get_attribute("aria-describedby") == "card-says"
    assert page.evaluate("() => document.activeElement.className").startswith("n-link")
    page.keyboard.press("Enter")
    expect(card(page)).to_be_focused()
    page.keyboard.press("Tab")
    expect(card(page).get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("Escape")
    expect(card(page)).to_be_hidden()
    expect(asked).to_be_focused()
    assert asked.get_attribute("aria-expanded") is None


def test_a_click_keeps_the_card_and_a_click_elsewhere_closes_it(opened: Open, number: Find) -> None:
    page = opened()
    number(page, FLOOR).click()
    expect(card(page)).to_be_visible()
    page.mouse.move(5, 400)
    page.wait_for_timeout(600)
    expect(card(page)).to_be_visible()
    assert page.url.endswith("index.html")
    page.locator("h1").click()
    expect(card(page)).to_be_hidden()


def test_on_a_phone_the_card_is_a_sheet_that_leaves_the_line_in_sight(opened: Open, number: Find) -> None:
    page = opened(viewport={"width": 390, "height": 800}, has_touch=True)
    asked = number(page, FLOOR)
    asked.scroll_into_view_if_needed()
    asked.tap()
    expect(card(page)).to_be_visible()
    box, line = card(page).bounding_box(), asked.bounding_box()
    assert box
    assert line
    assert (box["x"], box["width"], box["y"] + box["height"]) == (0, 390, 800)
    assert line["y"] + line["height"] < box["y"]
    page.touchscreen.tap(3, line["y"])
    expect(card(page)).to_be_hidden()


def test_a_live_card_follows_the_reader_and_a_pinned_one_stays(opened: Open, number: Find) -> None:
    page = opened("#v=1&machine=a100-sxm4-80gb")
    number(page, "live.T_min").click()
    expect(card(page)).to_contain_text("Follows the machine")
    expect(card(page)).to_contain_text("NVIDIA A100 SXM4 80 GB")
    page.evaluate("() => scenario.set({ machine: 'b200-sxm' })")
    expect(card(page)).to_contain_text("B200")
    page.keyboard.press("Escape")
    number(page, FLOOR).click()
    expect(card(page)).to_contain_text("Stays at H100")
    expect(card(page)).to_contain_text("738.6 tokens")


def test_a_claim_opens_from_its_bar_and_from_its_sentence(opened: Open) -> None:
    page = opened()
    page.locator('[data-claim="floor-7b"] > .claim-link').hover()
    expect(card(page)).to_contain_text("A claim, checked at every build")
    expect(card(page)).to_contain_text(re.compile(r"It holds, by a margin of 20%"))
    page.keyboard.press("Escape")
    page.mouse.move(5, 400)
    page.locator('[data-claim="your-floor"]').click(position={"x": 4, "y": 8})
    expect(card(page)).to_contain_text("A claim about your machine")
    page.evaluate("() => scenario.set({ machine: 'b200-sxm', network: 'gpt2-small' })")
    expect(card(page)).to_contain_text("It does not hold here")


def test_a_citation_shows_its_entry_and_the_entry_leads_back(opened: Open) -> None:
    page = opened()
    cite = page.locator("a.cite").first
    cite.hover()
    expect(card(page)).to_contain_text("Reference 1")
    entry = page.locator(cite.get_attribute("href") or "")
    expect(card(page)).to_contain_text(entry.locator("cite").inner_text())
    assert not card(page).locator(".back").count()
    cite.click()
    expect(entry).to_be_in_viewport()
    entry.locator(".back a").first.click()
    expect(cite).to_be_in_viewport()


def test_without_script_a_number_leads_to_its_entry_and_the_entry_back(opened: Open, number: Find) -> None:
    page = opened(java_script_enabled=False)
    number(page, FLOOR).click()
    entry = page.locator(f'[id="{FLOOR}"]')
    expect(entry).to_be_in_viewport()
    expect(entry).to_contain_text("738.6 tokens")
    entry.locator(".entry-places a").first.click()
    expect(number(page, FLOOR)).to_be_in_viewport()


def test_the_card_says_where_else_the_number_stands(opened: Open, text: tuple[Text, Maker]) -> None:
    page = opened()
    read = [one for one in text[0].numbers if one.shown and one.where == "text"]
    names = entries(text[0].numbers)
    here = next(one for one in read if any(names[one.n] == names[other.n] and one.n < other.n for other in read))
    page.locator(f"#n{here.n}").click()
    other = card(page).locator(".card-also a").first
    place = other.get_attribute("href") or ""
    other.click()
    expect(page.locator(place)).to_be_in_viewport()


SWINGS = """() => [...document.querySelectorAll('#card .card-swings > div')].map(row => {
  const number = (part, name) => Number(part.getAttribute(name));
  const [low, high] = [...row.querySelectorAll('rect')].map(part => [number(part, 'x'), number(part, 'width')]);
  const at = Number(row.querySelector('path').getAttribute('d').match(/[\\d.]+/)[0]);
  const name = row.querySelector('dt').textContent, seen = row.querySelector('svg').getBoundingClientRect().width;
  return { name, text: row.lastElementChild.textContent, low, high, at, seen };
})"""


@pytest.mark.parametrize("width", [390, 1280])
def test_the_card_ranks_what_moves_a_number_and_draws_it(opened: Open, number: Find, width: int) -> None:
    page = opened(viewport={"width": width, "height": 800})
    page.evaluate("element => cards.show(element)", number(page, FLOOR).element_handle())
    expect(card(page)).to_contain_text("Each input alone, at its low end (hollow) and high end:")
    rows = page.evaluate(SWINGS)
    assert [row["name"] for row in rows] == ["bw", "f", "a", "bandwidth", "peak"]
    assert rows[0]["text"] == "492 to 985"
    for row in rows:
        parts = (row["low"], row["high"])
        assert row["seen"] > 40
        assert all(x >= 0 and x + length <= 100 for x, length in parts)
        # A bar begins or ends at the number itself, as long as the logarithm of the factor is.
        assert all(min(abs(x - row["at"]), abs(x + length - row["at"])) < 0.02 for x, length in parts)
    assert rows[0]["low"][1] / rows[0]["high"][1] == pytest.approx(math.log(12 / 8) / math.log(16 / 12), rel=0.01)


def test_the_small_tornado_follows_the_reader(opened: Open, number: Find) -> None:
    page = opened()
    page.evaluate("element => cards.show(element)", number(page, "live.T_min").element_handle())
    expect(card(page).locator(".card-swings")).to_contain_text("492 to 985")
    page.evaluate("() => scenario.set({ machine: 'cray-1' })")
    expect(card(page).locator(".card-swings")).not_to_contain_text("492 to 985")
    page.evaluate("() => scenario.set({ machine: 'h100-sxm5', network: 'gpt2-medium' })")
    expect(card(page)).to_contain_text("up, without end")
    assert page.evaluate(SWINGS)[0]["text"] == "1,450 to ∞"


def test_a_claim_says_where_it_flips_and_that_it_is_nearly_a_tie(opened: Open) -> None:
    page = opened()
    page.evaluate("() => cards.show(document.querySelector('[data-claim=pole] > .claim-link'))")
    expect(card(page)).to_contain_text("it flips where a falls to 187 (from 200 B/(layer token); it may be 148 to 262)")
    page.evaluate("() => cards.show(document.querySelector('[data-claim=drift-patterson] > .claim-link'))")
    expect(card(page)).to_contain_text("It holds, but is nearly a tie: the sides are 1.4% apart")
    page.evaluate("() => cards.show(document.querySelector('[data-claim=cray-balance] > .claim-link'))")
    expect(card(page)).to_contain_text("It holds over the whole range of its inputs")


@pytest.mark.parametrize("height", [700, 850, 1080])
def test_a_card_stays_clear_of_the_bars(new_page: Callable[..., Page], site: Path, height: int) -> None:
    page = new_page(viewport={"width": 1440, "height": height})
    page.goto((site / "index.html").as_uri() + "#v=1&machine=b200-sxm&network=llama3-405b")
    page.locator(".board .n-link").last.click()
    card = page.locator("#card")
    expect(card).to_be_visible()
    bar, box = page.locator(".scenario").bounding_box(), card.bounding_box()
    assert bar is not None
    assert box is not None
    assert box["y"] >= bar["y"] + bar["height"]
    card.locator(".card-close").click()
    expect(card).to_be_hidden()
