"""The accuracy page in a real browser: the figure's controls, a run that is chosen, and the table that sorts."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from model.records import Catalogue
from report.accuracy.book import Accuracy, accuracy
from report.catalogue import load
from report.figures import accuracy as figure
from tests.browser import stage
from tests.browser.accessibility import NEAR, axe_source, violations

DESK = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}
PHONE = {"viewport": {"width": 390, "height": 800}, "reduced_motion": "reduce"}
NARROW = {"viewport": {"width": 320, "height": 700}, "reduced_motion": "reduce"}
SIZES = pytest.mark.parametrize("size", [DESK, PHONE, NARROW], ids=["desk", "phone", "narrow"])
LOOKED_AT = {"name": "accuracy", "lines": ["accuracy_bound"], "marks": ["accuracy_runs"]}


@pytest.fixture(scope="module")
def rows() -> Catalogue:
    """Return the real catalogue."""
    return load(stage.ROOT / "content" / "catalogue")


@pytest.fixture(scope="module")
def known(rows: Catalogue) -> Accuracy:
    """Return its runs against the model."""
    return accuracy(rows)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, rows: Catalogue) -> Path:
    """Write a page that holds the figure alone, and return its folder."""
    out = tmp_path_factory.mktemp("accuracy")
    stage.write(out, {"accuracy": figure}, rows)
    return out


@pytest.fixture
def opened(new_page: Callable[..., Page], folder: Path) -> Callable[..., Page]:
    """Return a function that opens the page and waits for the live view."""
    return lambda **options: stage.show(new_page(**options), folder, ("accuracy",))


@SIZES
def test_words_and_marks_keep_apart_at_every_width(
    opened: Callable[..., Page], known: Accuracy, size: dict[str, object]
) -> None:
    page = opened(**size)
    assert stage.marks(page, "accuracy_runs").count() == known.measured.n
    assert "; ".join(page.evaluate(stage.AUDIT, LOOKED_AT)) == ""


@SIZES
def test_a_class_stands_out_and_says_its_verdict(
    opened: Callable[..., Page], known: Accuracy, size: dict[str, object]
) -> None:
    page = opened(**size)
    for trait in ("size", "machine", "format", "recompute", "counted"):
        for some in known.classes(trait):
            page.select_option("#accuracy-class", f"{trait}:{some.name}")
            page.wait_for_function(
                f"() => document.querySelectorAll('.accuracy_runs_marks > *').length === {some.n}", timeout=5000
            )
            said = " ".join(stage.words(page, "accuracy"))
            assert f"{some.n} run" in said
            assert "; ".join(page.evaluate(stage.AUDIT, LOOKED_AT)) == ""


@SIZES
@pytest.mark.parametrize("d", ["64", "256", "512", "4096"])
def test_the_reader_s_own_ceiling_is_in_nobody_s_way(
    opened: Callable[..., Page], size: dict[str, object], d: str
) -> None:
    page = opened(**size)
    page.evaluate("d => read({ d })", d)
    assert "; ".join(page.evaluate(stage.AUDIT, LOOKED_AT)) == ""
    assert stage.marks(page, "accuracy_yours").count() == 1


def test_the_way_of_counting_moves_the_runs(opened: Callable[..., Page]) -> None:
    page = opened(**DESK)
    first = stage.marks(page, "accuracy_runs").first
    before = first.get_attribute("transform")
    page.select_option("#accuracy-way", "printed")
    page.wait_for_function(
        "before => document.querySelector('.accuracy_runs_marks > *').getAttribute('transform') !== before", arg=before
    )


def test_a_run_tells_itself_and_can_be_chosen(opened: Callable[..., Page], known: Accuracy) -> None:
    page = opened(**DESK)
    box = stage.marks(page, "accuracy_runs").last.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector(".tip:visible")
    assert "allowed" in page.locator(".tip").inner_text()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    changes, how = page.evaluate("() => moves.at(-1)")
    assert how == "reader"
    assert {"machine", "T", "format"} <= set(changes)


# --- the table on the page itself


@pytest.fixture
def table(new_page: Callable[..., Page], site: Path) -> Page:
    """Open the accuracy page from disk."""
    page = new_page(**DESK)
    page.goto((site / "accuracy" / "index.html").as_uri())
    page.wait_for_selector("#measured-runs .sort", state="attached")
    return page


COLUMN = """column => [...document.querySelectorAll('#measured-runs tbody tr')]
  .map(row => row.cells[column].querySelector('abbr') ? '' : row.cells[column].textContent.trim())"""


def heading(page: Page, name: str) -> int:
    """Return the place of a column, by its heading."""
    names: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('#measured-runs thead tr:first-child th')].map(one => one.textContent)"
    )
    return [one.strip() for one in names].index(name)


@pytest.mark.parametrize("name", ["Executed", "Devices", "Width"])
def test_numbers_sort_by_size_and_back(table: Page, name: str) -> None:
    place = heading(table, name)
    button = table.locator("#measured-runs .sort").nth(place)
    before = table.evaluate(COLUMN, place)
    for order in ("descending", "ascending"):
        button.evaluate("one => one.click()")
        assert button.evaluate("one => one.parentNode.getAttribute('aria-sort')") == order
        shown = table.evaluate(COLUMN, place)
        assert sorted(shown) == sorted(before), "no row is lost"
        numbers = [float(text.rstrip("%").replace(",", "")) for text in shown if text]
        assert numbers == sorted(numbers, reverse=order == "descending")
        assert not any(shown[len(numbers) :]), "what has no value comes last"


def test_words_sort_by_the_alphabet_and_one_heading_at_a_time_says_so(table: Page) -> None:
    place = heading(table, "Machine")
    for column in (heading(table, "Ceiling"), place):
        table.locator("#measured-runs .sort").nth(column).evaluate("one => one.click()")
    shown = [text.lower() for text in table.evaluate(COLUMN, place)]
    assert shown[0].startswith("a100")
    assert shown[-1].startswith("tpu")
    assert table.locator("#measured-runs [aria-sort]").count() == 1
    assert table.locator("#measured-runs [aria-sort]").get_attribute("aria-sort") == "ascending"


def test_headings_sort_by_the_keyboard(table: Page) -> None:
    button = table.locator("#measured-runs .sort").first
    button.focus()
    table.keyboard.press("Enter")
    assert button.evaluate("one => one.parentNode.getAttribute('aria-sort')") == "ascending"
    assert table.evaluate("() => document.activeElement.className") == "sort"


def test_without_script_the_table_is_whole(new_page: Callable[..., Page], site: Path, known: Accuracy) -> None:
    page = new_page(java_script_enabled=False)
    page.goto((site / "accuracy" / "index.html").as_uri())
    assert page.locator("#measured-runs tbody tr").count() == known.measured.n
    assert page.locator("#measured-runs .sort").count() == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_on_the_page_and_in_a_sorted_table(
    new_page: Callable[..., Page], site: Path, theme: str
) -> None:
    page = new_page(**PHONE, color_scheme=theme)
    page.goto((site / "accuracy" / "index.html").as_uri())
    page.evaluate(NEAR)
    page.locator("#measured-runs .sort").nth(2).evaluate("one => one.click()")
    assert violations(page, axe_source()) == []
