"""An author at work: the watch beside an open page, which keeps its place and its scenario, and says what is wrong.

The whole command runs on a copy of the content, and real files are edited.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.accessibility import NEAR, axe_source, violations

PATIENCE = 300_000  # ms: a build on a busy machine
# The first paragraph below the bar: how it begins, and how far below the top of the window.
READING = """() => {
  const bar = document.querySelector('.scenario').getBoundingClientRect().bottom;
  const one = [...document.querySelectorAll('main p')].find(p => p.getBoundingClientRect().top > bar);
  return [one.textContent.slice(0, 80), one.getBoundingClientRect().top];
}"""
WHERE = """text => [...document.querySelectorAll('main p')].find(p => p.textContent.startsWith(text))
  ?.getBoundingClientRect().top"""


class Author:
    """A copy of the content under watch, and the page that its author has open."""

    def __init__(self, content: Path, page: Page) -> None:
        self.content, self.page = content, page

    def edit(self, old: str, new: str, file: str = "report/two-numbers.md") -> None:
        path = self.content / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def reloaded(self) -> None:
        """Wait until the page is another one than that which was marked, and stands still."""
        self.page.wait_for_function("() => globalThis.marked === undefined", timeout=PATIENCE)
        self.page.wait_for_load_state("load")
        self.page.wait_for_timeout(1000)

    def mark(self) -> None:
        self.page.evaluate("() => { globalThis.marked = true; }")


@pytest.fixture(scope="module")
def watched(root: Path, site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """Watch a copy of the content, and return it with the address of the preview once the first build is done."""
    folder = tmp_path_factory.mktemp("watched")
    content, out = Path(shutil.copytree(root / "content", folder / "content")), folder / "site"
    shutil.copytree(site, out)
    command = [sys.executable, "build.py", "watch", "--content", str(content), "--out", str(out)]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as run:
        assert run.stdout is not None
        try:
            address = next(found[0] for line in run.stdout if (found := re.search(r"http://127\.0\.0\.1:\d+/", line)))
            assert next(line for line in run.stdout if re.match(r"\d+ files in ", line))
            yield content, address
        finally:
            run.terminate()


@pytest.fixture
def author(browser: Browser, watched: tuple[Path, str]) -> Iterator[Author]:
    """Open the report as a reader of another machine, who has scrolled to its middle."""
    content, address = watched
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    complaints: list[str] = []
    page = context.new_page()
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    page.locator("#control-machine").select_option("a100-sxm4-80gb")
    page.locator("#floors").scroll_into_view_if_needed()
    page.mouse.wheel(0, 900)
    page.wait_for_timeout(1000)
    yield Author(content, page)
    context.close()
    assert complaints == []


def test_a_reload_keeps_the_place_and_the_scenario(author: Author) -> None:
    page = author.page
    text, top = page.evaluate(READING)
    down, hash_before = page.evaluate("() => [scrollY, location.hash]")
    assert down > 2000
    assert "machine=a100-sxm4-80gb" in hash_before
    author.mark()
    above = "A paragraph that came in above. " * 40
    author.edit("{#floors}\n", f"{{#floors}}\n\n{above}\n", "report/floors.md")
    author.reloaded()
    assert page.evaluate(WHERE, "A paragraph that came in above.") < top - 100, "the page grew above what is read"
    assert page.evaluate(WHERE, text) == pytest.approx(top, abs=3)
    assert page.evaluate("() => location.hash") == hash_before
    expect(page.locator("#control-machine")).to_have_value("a100-sxm4-80gb")
    assert page.evaluate("() => history.scrollRestoration") == "auto"


def test_a_mistake_is_said_over_the_last_good_page_until_it_is_mended(author: Author) -> None:
    page, panel = author.page, author.page.locator("#preview-wrong")
    text, top = page.evaluate(READING)
    author.mark()
    author.edit("{{ live.beta | sig(3) }}", "{{ live.betta | sig(3) }}")
    expect(panel).to_be_visible(timeout=PATIENCE)
    assert page.evaluate("() => globalThis.marked"), "the page was not reloaded"
    assert page.evaluate(WHERE, text) == pytest.approx(top, abs=1)
    expect(panel).to_contain_text("Not built. This is the last good site.")
    expect(panel).to_contain_text("two-numbers.md:")
    expect(panel).to_contain_text("did you mean 'beta'?")
    assert panel.locator(".source").last.text_content().rstrip().endswith("^^^^^"), "the caret keeps its columns"
    covered = page.evaluate(
        "() => document.querySelector('#preview-wrong').getBoundingClientRect().height / innerHeight"
    )
    assert covered < 0.5, "the page can still be read"
    page.evaluate(NEAR)
    assert violations(page, axe_source()) == []
    hidden_by_keys(page)
    author.edit("{{ live.betta | sig(3) }}", "{{ live.beta | sig(3) }}")
    author.reloaded()
    expect(panel).to_have_count(0)
    assert page.evaluate(WHERE, text) == pytest.approx(top, abs=3)


def hidden_by_keys(page: Page) -> None:
    """Hide the panel and show it again, by keyboard alone."""
    words, button = page.locator("#preview-wrong pre"), page.locator("#preview-wrong button")
    page.keyboard.press("Escape")
    expect(words).to_be_hidden()
    expect(button).to_have_attribute("aria-expanded", "false")
    button.focus()
    page.keyboard.press("Enter")
    expect(words).to_be_visible()
    page.keyboard.press("Tab")
    expect(words).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    expect(words).to_be_hidden()
    expect(button).to_have_text("Show what is wrong")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_mistakes_fit_a_phone(browser: Browser, watched: tuple[Path, str], theme: str) -> None:
    content, address = watched
    context = browser.new_context(viewport={"width": 360, "height": 640}, color_scheme=theme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(address)
    author = Author(content, page)
    author.edit("title: ", "titel: ", "site.yaml")
    try:
        expect(page.locator("#preview-wrong")).to_contain_text("did you mean 'title'?", timeout=PATIENCE)
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        page.evaluate(NEAR)
        assert violations(page, axe_source()) == []
        page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
        last = "() => document.querySelector('footer').getBoundingClientRect().bottom"
        panel = "() => document.querySelector('#preview-wrong').getBoundingClientRect().top"
        assert page.evaluate(last) <= page.evaluate(panel) + 1, "the end of the page can be scrolled clear of the panel"
    finally:
        author.edit("titel: ", "title: ", "site.yaml")
        expect(page.locator("#preview-wrong")).to_have_count(0, timeout=PATIENCE)  # else the next page is reloaded
        context.close()
