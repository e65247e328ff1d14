"""When a still picture gives way to the live one: after any way of getting near it, and after a script failed once."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

Open = Callable[..., Page]
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}
NAMES = ("roofline", "drift", "bytes", "window", "tape", "capacity")
# Each way goes there at once, without one more scroll by hand: an anchor, a script, the browser's own search.
WAYS = {
    "anchor": "name => { location.hash = `fig-${name}`; }",
    "script": "name => document.querySelector(`#fig-${name}`).scrollIntoView()",
    "search": """name => {
      getSelection().removeAllRanges();
      find(document.querySelector(`#fig-${name} figcaption strong`).textContent);
    }""",
}


@pytest.mark.parametrize("way", WAYS)
def test_a_jump_to_a_figure_brings_it_alive_on_a_phone(new_page: Open, site: Path, way: str) -> None:
    page = new_page(**PHONE)
    page.goto((site / "index.html").as_uri())
    for name in NAMES:
        page.evaluate(WAYS[way], name)
        expect(page.locator(f"#fig-{name} .vega-embed svg"), name).to_be_visible()


def test_a_figure_that_was_unseen_when_last_asked_is_asked_again(new_page: Open, site: Path) -> None:
    """What an observer knew of a section that had not been laid out may be wrong, and it may not tell by itself."""
    page = new_page(**PHONE)
    # An observer that tells only what it knew when it began to observe, as if nothing moved afterwards.
    page.add_init_script("""{
      const Real = globalThis.IntersectionObserver;
      globalThis.IntersectionObserver = class extends Real {
        constructor(tell, options) {
          const told = new Set();
          super((entries, self) => {
            const first = entries.filter(({ target }) => !told.has(target) && told.add(target));
            if (first.length) tell(first, self);
          }, options);
          this.told = told;
        }
        unobserve(target) { this.told.delete(target); super.unobserve(target); }
      };
    }""")
    page.goto((site / "index.html").as_uri())
    for name in ("window", "tape"):
        page.evaluate(WAYS["anchor"], name)
        expect(page.locator(f"#fig-{name} .vega-embed svg"), name).to_be_visible()


def test_a_figure_whose_script_failed_to_load_is_tried_again(new_page: Open, site: Path) -> None:
    page = new_page(**PHONE)
    page.goto((site / "index.html").as_uri())
    page.evaluate("""() => {
      const append = document.head.append.bind(document.head);
      globalThis.failures = 0;
      document.head.append = script => {
        if (failures) return append(script);
        failures = 1;
        return queueMicrotask(() => script.onerror());
      };
    }""")
    page.evaluate(WAYS["anchor"], "roofline")
    page.wait_for_function("() => failures === 1")
    page.evaluate(WAYS["anchor"], "tape")
    page.evaluate(WAYS["anchor"], "roofline")
    expect(page.locator("#fig-roofline .vega-embed svg")).to_be_visible()
