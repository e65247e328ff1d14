"""axe-core in a page, and how a page is laid out whole before it is judged.

axe-core (MPL-2.0) comes with the Python package axe-playwright-python.
"""

from functools import cache
from importlib.resources import files

from playwright.sync_api import Page

RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
    "preload": False,
}
# What scrolls sideways is made reachable by keyboard some time after it is laid out (contents.js).
REACHABLE = """() => [...document.querySelectorAll('main .equation, main pre, .entry-formula')].every(
  one => one.scrollWidth <= one.clientWidth + 1 || one.tabIndex === 0)"""
# All of the page at once: what is far away is otherwise not laid out, and axe cannot judge it.
NEAR = "() => document.querySelectorAll('.part, .entry').forEach(part => { part.style.contentVisibility = 'visible'; })"


@cache
def axe_source() -> str:
    """Return axe-core as a script."""
    return (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Page, axe: str) -> list[str]:
    """Run axe; return each violation with the first places where it lies."""
    page.wait_for_function(REACHABLE)
    page.evaluate(axe)
    found = page.evaluate("rules => axe.run(document, rules).then(({ violations }) => violations)", RULES)
    return [f"{one['id']}: {[node['html'][:160] for node in one['nodes'][:3]]}" for one in found]
