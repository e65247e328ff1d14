"""The essentials in a second browser: every page opens from disk without a complaint, text and figures follow."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import firefox
from tests.browser.firefox import ENTER, ESCAPE, TAB, Firefox

AWAKE = (
    "dispatchEvent(new Event('pointermove')), document.querySelector('#fig-{0}').scrollIntoView({{block: 'center'}})"
)


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    program = firefox.find()
    if program is None:
        pytest.skip("no Firefox here: install firefox-esr, or set FIREFOX to the program's path")
    with firefox.running(program, tmp_path_factory.mktemp("firefox")) as running:
        yield running


@pytest.fixture
def window(started: Firefox) -> Iterator[Firefox]:
    """Return the window; what a page complains of fails the test that opened it."""
    started.complaints.clear()
    yield started
    assert started.complaints == []


def test_every_page_opens_from_disk(window: Firefox, site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 2
    for page in pages:
        window.open(page.as_uri())
        assert window.run("document.querySelector('h1').textContent"), page


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_scrolls_sideways(window: Firefox, site: Path, width: int) -> None:
    for page in sorted(site.rglob("*.html")):
        window.open(page.as_uri(), width)
        assert window.run("document.documentElement.scrollWidth") <= width, page


def test_sentences_follow_the_bar_and_the_link_keeps_it(window: Firefox, site: Path) -> None:
    window.open((site / "index.html").as_uri())
    said = "document.querySelector('.board .n.live').textContent"
    before = window.run(said)
    window.run(
        "(control => { control.value = 'cray-1'; control.dispatchEvent(new Event('change', { bubbles: true })); })"
        "(document.querySelector('#control-machine'))"
    )
    window.until(f"{said} !== {before!r}")
    window.run("turns.settled()")
    address, now = window.run("location.href"), window.run(said)
    assert address.endswith("#v=1&machine=cray-1")
    window.open(address)
    window.run("turns.settled()")
    assert window.run(said) == now


def test_a_wrong_link_is_refused(window: Firefox, site: Path) -> None:
    window.open((site / "index.html").as_uri() + "#v=1&machine=no-such-machine")
    assert "no-such-machine" in window.run("document.querySelector('#refused').textContent")
    assert window.run("document.querySelector('#refused').hidden") is False


def test_every_figure_of_the_report_comes_alive_and_has_a_name(window: Firefox, site: Path) -> None:
    window.open((site / "index.html").as_uri())
    names = window.run("[...document.querySelectorAll('figure[id^=fig-]')].map(one => one.id.slice(4))")
    assert len(names) >= 6
    for name in names:
        window.run(f"({AWAKE.format(name)}, null)")
        window.until(f"document.querySelector('#fig-{name} .vega-embed svg') !== null")
        picture = f"document.querySelector('#fig-{name} .vega-embed svg')"
        assert window.run(f"{picture}.getAttribute('role')") == "img"
        assert len(window.run(f"{picture}.getAttribute('aria-label')")) > 20
        text = window.run(f"{picture}.textContent")
        assert not any(wrong in text for wrong in ("NaN", "undefined", "Infinity", "null"))


def test_a_number_opens_its_card_by_keyboard(window: Firefox, site: Path) -> None:
    window.open((site / "index.html").as_uri())
    window.press(TAB)
    window.run("document.querySelector('main p .n-link').focus()")
    window.press(ENTER)
    window.until("!document.querySelector('#card').hidden")
    assert window.run("document.querySelector('#card .card-title').textContent")
    window.press(ESCAPE)
    window.until("document.querySelector('#card').hidden")


def test_the_theme_can_be_switched(window: Firefox, site: Path) -> None:
    window.open((site / "index.html").as_uri())
    ground = (
        "getComputedStyle(document.body).backgroundColor + getComputedStyle(document.documentElement).backgroundColor"
    )
    before = window.run(ground)
    window.run("document.querySelector('[data-action=theme]').click()")
    window.until(f"({ground}) !== {before!r}")
    window.run("document.querySelector('[data-action=theme]').click()")
    window.until(f"({ground}) === {before!r}")
