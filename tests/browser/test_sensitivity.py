"""What matters most, in a real browser: the figure, its words and its table follow the reader, as Python says them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from model.records import Catalogue
from report.catalogue import load
from report.figures import sensitivity
from tests.browser import stage

DESK = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}
PHONE = {"viewport": {"width": 360, "height": 800}, "reduced_motion": "reduce"}
NARROW = {"viewport": {"width": 320, "height": 700}, "reduced_motion": "reduce"}
UNMOVED = "none moves it"
LOOKED_AT: dict[str, Any] = {"name": "sensitivity", "lines": [], "marks": []}
SCENARIOS: tuple[Mapping[str, str], ...] = (
    {},
    {"machine": "rubin", "network": "llama3-405b"},
    {"network": "gpt2-medium"},
    {"network": "gpt2-small", "devices": "1024"},
    {"machine": "vax-11-780-fpa", "network": "xor-2-2-1"},
    {"machine": "vax-11-780-fpa", "network": "nettalk-80", "T": "4"},
    {"machine": "h800-sxm5", "network": "deepseek-v3", "devices": "2048"},
    {"machine": "tpu-v5p", "network": "resnet50"},
    {"machine": "own", "peak": "500TFLOP/s", "bandwidth": "2TB/s", "capacity": "48GB", "fabric": "25GB/s"},
)
BY_NAME = pytest.mark.parametrize("settings", SCENARIOS, ids=lambda one: " ".join(one.values()) or "default")


@pytest.fixture(scope="module")
def rows() -> Catalogue:
    """Return the real catalogue."""
    return load(stage.ROOT / "content" / "catalogue")


def link(settings: Mapping[str, str]) -> str:
    return "&".join(["#v=1", *(f"{key}={value}" for key, value in settings.items())]) if settings else ""


def told(page: Page, settings: Mapping[str, str]) -> dict[str, Any]:
    """Return what the browser's own twin makes of a scenario, under the names of the parameters."""
    script = "settings => cards.load().then(data => sensitivity.rows(data, settings))"
    found: dict[str, Any] = page.evaluate(script, dict(settings))
    for bar in found["bars"]:
        bar.pop("ends")
    return {f"sensitivity_{name}": value for name, value in found.items()}


def test_the_browser_draws_what_the_build_would(page: Page, site: Path, rows: Catalogue) -> None:
    page.goto((site / "sensitivity" / "index.html").as_uri())
    for settings in SCENARIOS:
        drawn = sensitivity.rows(rows, settings)
        found = told(page, settings)
        for name in ("sensitivity_heads", "sensitivity_bars"):
            for row in (*found[name], *drawn.signals[name]):
                row["at"] = round(row["at"], 6)
        expected = {
            name: pytest.approx(value) if isinstance(value, float) else value for name, value in drawn.signals.items()
        }
        assert found == expected, settings


def cells(page: Page) -> list[list[str]]:
    """Return the table under the figure, row by row."""
    script = "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    rows: list[list[str]] = page.locator("#fig-sensitivity .in-words tbody tr").evaluate_all(script)
    return rows


@BY_NAME
def test_figure_words_and_table_follow_the_reader(
    new_page: Callable[..., Page], site: Path, rows: Catalogue, settings: Mapping[str, str]
) -> None:
    page = new_page(**DESK)
    page.goto((site / "sensitivity" / "index.html").as_uri() + link(settings))
    page.locator("#fig-sensitivity").scroll_into_view_if_needed()
    page.mouse.move(5, 5)
    page.wait_for_selector("#fig-sensitivity .vega-embed svg", state="visible")
    drawn = sensitivity.rows(rows, settings)
    expect(page.locator("#fig-sensitivity .summary")).to_have_text(sensitivity.says(drawn))
    for head in drawn.signals["sensitivity_heads"]:
        expect(page.locator(".sensitivity_head_words_marks text", has_text=head["text"])).to_have_count(1)
    page.evaluate("() => { document.querySelector('#fig-sensitivity .in-words').open = true; }")
    said = [[*map(str, row.values())] for row in sensitivity.summary(drawn)]
    stage.becomes(page, lambda: [row for row in cells(page) if row[2] != "\u2013" and row[1] != UNMOVED], said)
    heads = [head["text"].split(", ", 1) for head in drawn.signals["sensitivity_heads"]]
    assert {row[0] for row in cells(page)} == {name for name, _ in heads}, "a number without a value says why"
    still = [[name, UNMOVED, value, value] for name, value in heads if value == "100%"]
    assert [row for row in cells(page) if row[1] == UNMOVED] == still


@pytest.mark.parametrize("size", [DESK, PHONE, NARROW], ids=["desk", "phone", "narrow"])
def test_words_keep_apart_at_every_width(new_page: Callable[..., Page], site: Path, size: dict[str, Any]) -> None:
    page = new_page(**size)
    for settings in SCENARIOS:
        page.goto("about:blank")
        page.goto((site / "sensitivity" / "index.html").as_uri() + link(settings))
        page.locator("#fig-sensitivity .drawing").scroll_into_view_if_needed()
        page.mouse.move(5, 5)
        page.wait_for_selector("#fig-sensitivity .vega-embed svg", state="visible")
        stage.settle(page).wait_for_timeout(300)
        # The axis that the audit looks for is drawn by hand here: marks are not looked at.
        audit = stage.AUDIT.replace("const axis = ", "if (!marks.length) return wrong; const axis = ")
        assert "; ".join(page.evaluate(audit, LOOKED_AT)) == "", settings
