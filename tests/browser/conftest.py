"""A real Chromium for the tests in this folder: one process for all, a fresh profile for each page.

A page that these fixtures open is watched: when its test ends, any error on its console, any uncaught exception and
any request that leaves the site's own files fails the test.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

from tests.browser import chromium

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
LOCAL = ("file:", "data:", "blob:", "about:")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start the machine's Chromium once."""
    try:
        program = chromium.find()
    except chromium.NoChromium as missing:
        pytest.fail(str(missing), pytrace=False)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield running
        running.close()


@pytest.fixture
def new_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Return a function that opens a watched page; it takes Playwright's context options (viewport, color_scheme)."""
    with pages(browser) as open_page:
        yield open_page


@pytest.fixture(scope="module")
def lasting_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Return a function as new_page does, for a page that all tests of a file ask and none of them changes."""
    with pages(browser) as open_page:
        yield open_page


@contextmanager
def pages(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open watched pages while the block runs; at its end they close, and what they complained of fails the test."""
    contexts = []
    complaints: list[str] = []

    def open_page(**options: Any) -> Page:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        watch(page, complaints)
        return page

    yield open_page
    for context in contexts:
        context.close()
    if complaints:
        pytest.fail("the page complained:\n" + "\n".join(complaints), pytrace=False)


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """Open one watched page of desktop size."""
    return new_page(viewport={"width": 1280, "height": 800})


def watch(page: Page, complaints: list[str]) -> None:
    """Add to the complaints whatever goes wrong in the page."""

    def on_request(request: Request) -> None:
        if not request.url.startswith(LOCAL):
            complaints.append(f"request off the site: {request.url}")

    def on_failure(request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the test went on to another page meanwhile
            complaints.append(f"request failed: {request.url}")

    page.on("console", lambda said: complaints.append(f"console: {said.text}") if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(f"exception: {error}"))
    page.on("request", on_request)
    page.on("requestfailed", on_failure)
