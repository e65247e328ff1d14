"""A change shows what the reader looks at first, and everything else follows: counted, not timed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.stage import settle

Open = Callable[..., Page]
# Everything that makes the browser lay the page out in the middle of a script.
MEASURES = (
    ("Element", "getBoundingClientRect"),
    ("Element", "getClientRects"),
    ("Element", "checkVisibility"),
    *(("HTMLElement", name) for name in ("offsetWidth", "offsetHeight", "offsetTop", "offsetLeft", "innerText")),
    *(("Element", name) for name in ("clientWidth", "clientHeight", "scrollWidth", "scrollHeight", "scrollTop")),
)
COUNT = """measures => {
  globalThis.measured = [];
  for (const [type, name] of measures) {
    const of = globalThis[type].prototype, was = Object.getOwnPropertyDescriptor(of, name);
    const kind = was.get ? 'get' : 'value';
    const counted = function (...given) {
      measured.push(name);
      return was[kind].apply(this, given);
    };
    Object.defineProperty(of, name, { ...was, [kind]: counted });
  }
  const style = getComputedStyle;
  globalThis.getComputedStyle = (...given) => (measured.push('getComputedStyle'), style(...given));
}"""
# Changes the machine and returns, of the numbers that changed in the end, how many had before the frame, and how many
# of these are in view; what was measured before the frame; and what of the rest of the page had moved by then.
CHANGE = """async machine => {
  const room = document.documentElement.clientHeight, control = document.querySelector('#control-machine');
  const live = [...document.querySelectorAll('main .n.live')], was = live.map(one => one.textContent);
  const seen = live.map(one => {
    const { top, bottom } = one.getBoundingClientRect();
    return one.checkVisibility({ contentVisibilityAuto: true }) && bottom > 0 && top < room;
  });
  const way = () => document.querySelector('a[data-page]').href, entries = history.length, link = location.hash;
  const links = way();
  measured.length = 0;
  control.value = machine;
  control.dispatchEvent(new Event('change', { bubbles: true }));
  const first = live.map(one => one.textContent), by = [...measured];
  const rest = [history.length - entries, location.hash !== link, way() !== links];
  await turns.settled();
  const last = live.map(one => one.textContent), moved = last.map((text, i) => text !== was[i]);
  const count = test => live.filter((_, i) => moved[i] && test(i)).length, at = i => first[i] === last[i];
  return { moved: count(() => true), first: count(at), seen: count(i => seen[i]), both: count(i => seen[i] && at(i)),
    measured: by, rest, links: way() !== links };
}"""


@pytest.fixture
def opened(new_page: Callable[..., Page], site: Path) -> Open:
    """Return a function that opens the report with what it measures counted."""

    def open_report(fragment: str = "", **options: Any) -> Page:
        page = new_page(**{"viewport": {"width": 1280, "height": 800}, **options})
        page.goto((site / "index.html").as_uri() + fragment)
        page.evaluate(COUNT, list(MEASURES))
        return settle(page)

    return open_report


def at(page: Page, place: str) -> Page:
    """Scroll a place to the top, and let the page notice what is near."""
    page.evaluate("place => document.getElementById(place).scrollIntoView()", place)
    page.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
    )
    return page


@pytest.mark.parametrize("place", ["claim", "fig-roofline", "tape", "appendix"])
def test_a_change_writes_what_is_in_view_before_the_frame_and_little_else(opened: Open, place: str) -> None:
    found = at(opened(), place).evaluate(CHANGE, "cray-1")
    assert found["moved"] > 50
    assert found["both"] == found["seen"], "a sentence in view is written after its frame"
    assert found["first"] < found["moved"] / 2, "a sentence far away is written before the frame"
    assert found["measured"] == [], "the page is laid out before the frame"


def test_history_links_and_announcement_follow_the_frame(opened: Open) -> None:
    page = opened()
    found = page.evaluate(CHANGE, "cray-1")
    assert found["rest"] == [0, False, False]
    assert found["links"]
    assert page.evaluate("() => location.hash") == "#v=1&machine=cray-1"
    expect(page.locator("#said")).to_contain_text("Cray-1")


def test_a_change_asks_the_model_for_little_before_the_frame(opened: Open) -> None:
    page = at(opened(), "claim")
    asked, whole = page.evaluate(
        """async () => {
          const ask = model.ask, keys = new Set();
          model.ask = (key, ...given) => (keys.add(key), ask(key, ...given));
          const control = document.querySelector('#control-machine');
          control.value = 'cray-1';
          control.dispatchEvent(new Event('change', { bubbles: true }));
          const first = keys.size;
          await turns.settled();
          return [first, keys.size];
        }"""
    )
    assert 0 < asked < whole / 2


# Writes of its own, so that what is stale is seen whatever the page believes.
STALE = """() => {
  const on = given => given ? model.over(scenario.get(), given) : scenario.get();
  const { numbers } = index((key, given) => model.ask(key, model.baseOf(on(given)), new Map()));
  return [...document.querySelectorAll('main .n-link > data.live')].filter(place => {
    const [way, digits, label, ask] = numbers[place.parentNode.hash.slice(2)], answer = ask();
    const counted = label?.[0] === 'token' && scenario.question('family').w === 'counted';
    const given = [digits, counted ? ['example', 'examples', 0, 0] : label];
    return !answer.s && place.textContent !== model[way](answer.v, ...given);
  }).map(place => place.parentNode.hash);
}"""


@pytest.mark.parametrize("settings", ["#v=1&machine=v100-sxm2", "#v=1&machine=cray-1&network=xor-2-2-1&T=3"])
def test_nothing_is_stale_once_all_is_done(opened: Open, settings: str) -> None:
    page = opened()
    assert page.evaluate(STALE) == []
    change = f"link => {{ scenario.set(model.readLink(link.slice(1)).settings); return ({STALE})(); }}"
    assert page.evaluate(change, settings), "what is far is written at once"
    settle(page)
    assert page.evaluate(STALE) == []


def test_of_many_changes_the_last_one_stands_everywhere(opened: Open) -> None:
    page = opened()
    page.evaluate(
        """async () => {
          for (const machine of ['cray-1', 'b200-sxm', 'v100-sxm2', 'tpu-v5p', 'a100-sxm4-80gb']) {
            scenario.set({ machine }, 'drag');
            await new Promise(requestAnimationFrame);
          }
        }"""
    )
    assert settle(page).evaluate(STALE) == []
    expect(page.locator("#control-machine")).to_have_value("a100-sxm4-80gb")


def test_a_page_that_nobody_sees_is_brought_up_to_date_too(opened: Open) -> None:
    page = opened()
    page.evaluate(
        """() => {
          Object.defineProperty(document, 'hidden', { value: true });
          globalThis.requestAnimationFrame = () => 1;
          scenario.set({ machine: 'cray-1' });
        }"""
    )
    page.wait_for_function("() => location.hash === '#v=1&machine=cray-1'")
    assert settle(page).evaluate(STALE) == []


def test_a_job_that_fails_does_not_keep_the_others(new_page: Callable[..., Page], site: Path) -> None:
    page = new_page()
    page.goto((site / "index.html").as_uri())
    done = page.evaluate(
        """async () => {
          const done = [];
          addEventListener('error', event => { done.push(event.message); event.preventDefault(); });
          turns.later('one', () => { throw new Error('lost'); }, () => done.push('next'));
          turns.later('two', () => done.push('other'));
          await turns.settled();
          return done;
        }"""
    )
    assert done == ["Uncaught Error: lost", "next", "other"]
