"""On paper: figures whole, no controls, white, the scenario and its link on the first page, link targets at the end."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tools import pdf

Open = Callable[..., Page]
PAPER = {"A4": 658, "Letter": 680}  # px between the margins


@pytest.fixture
def printed(new_page: Callable[..., Page], site: Path) -> Open:
    """Return a function that opens the report and readies it for paper of some width."""

    def open_report(fragment: str = "", paper: str = "A4", **options: Any) -> Page:
        page = new_page(viewport={"width": PAPER[paper], "height": 900}, **options)
        pdf.prepared(page, (site / "index.html").as_uri() + fragment)
        return page

    return open_report


def test_nothing_that_only_a_screen_can_use_is_printed(printed: Open) -> None:
    page = printed()
    for part in (".masthead", ".scenario", ".contents", ".controls", ".below", "#card", ".table-hint", "figure button"):
        for one in page.locator(part).all():
            expect(one).to_be_hidden()


def test_paper_is_white_though_the_theme_is_dark(printed: Open) -> None:
    page = printed(color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("() => getComputedStyle(document.documentElement).colorScheme") == "light"


def test_the_scenario_and_its_link_stand_under_the_title(printed: Open) -> None:
    line = printed("#v=1&machine=cray-1&T=3").locator("h1 + .printed")
    expect(line).to_be_visible()
    text = (line.text_content() or "").replace("\u00a0", " ")
    assert "Cray-1, 1976 in fp64" in text
    assert "T = 3 tokens" in text
    assert text.endswith("index.html#v=1&machine=cray-1&T=3")


def test_every_link_that_leads_away_has_its_target_at_the_end(printed: Open) -> None:
    page = printed()
    marks = page.locator("main a[href^=http]").evaluate_all("all => all.map(one => [one.dataset.printed, one.href])")
    notes = page.locator(".printed-notes").last.locator("li").all_text_contents()
    assert len(notes) > 20
    assert all(notes[int(mark) - 1] == target for mark, target in marks)


def test_what_was_put_there_for_paper_is_taken_away(printed: Open) -> None:
    page = printed()
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    assert page.locator(".printed, [data-printed]").count() == 0


@pytest.mark.parametrize("paper", PAPER)
def test_every_figure_is_whole_and_inside_the_margins(printed: Open, paper: str) -> None:
    page = printed(paper=paper)
    pictures = page.locator("figure .drawing :is(img, svg):visible").all()
    assert len(pictures) == page.locator("figure[id^=fig-]").count()
    for picture in pictures:
        box = picture.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PAPER[paper] + 1
        assert 150 < box["height"] < 880
    breaks = page.locator("figure").evaluate_all("all => all.map(one => getComputedStyle(one).breakInside)")
    assert set(breaks) == {"avoid"}


@pytest.mark.parametrize("name", ["index.html", "note/index.html", "accuracy/index.html", "sensitivity/index.html"])
def test_nothing_is_wider_than_the_paper(printed: Open, site: Path, name: str) -> None:
    """The browser would print the whole page smaller, to fit the widest table on the sheet."""
    page = printed()
    page.goto((site / name).as_uri())
    assert page.locator(".table").count() > 0
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PAPER["A4"]
    far = "all => all.filter(one => one.getBoundingClientRect().right > innerWidth).map(one => one.closest('[id]').id)"
    assert page.locator("main :is(table, .equation, pre)").evaluate_all(far) == []


def test_a_heading_that_sorts_is_text_on_paper(printed: Open, site: Path) -> None:
    """A button would be missing in the heading of each sheet but the first."""
    page = printed()
    page.goto((site / "accuracy" / "index.html").as_uri())
    shown = page.locator(".sort").evaluate_all("all => all.map(one => getComputedStyle(one).display)")
    assert len(shown) > 10
    assert set(shown) == {"contents"}


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_make_pdf_writes_a_report(site: Path, root: Path, tmp_path: Path, paper: str) -> None:
    out = tmp_path / "report.pdf"
    command = [sys.executable, "-m", "tools.pdf", "--site", str(site), "--out", str(out), "--paper", paper]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, env=os.environ)
    assert done.returncode == 0, done.stderr
    data = out.read_bytes()
    assert data.startswith(b"%PDF-")
    width = 595 if paper == "A4" else 612
    boxes = re.findall(rb"/MediaBox \[0 0 (\d+)", data)
    assert len(boxes) > 10
    assert {int(box) for box in boxes} == {width}


def test_without_a_site_it_says_so(root: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tools.pdf", "--site", str(tmp_path)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "build the site first" in done.stderr


def test_the_cards_of_live_numbers_stand_at_the_end(printed: Open) -> None:
    page = printed("#v=1&machine=cray-1&T=3")
    notes = page.locator(".printed-notes").first
    expect(notes.locator("h2")).to_have_text("How the numbers on your machine come about")
    told = [" ".join(text.split()) for text in notes.locator("li").all_text_contents()]
    assert len(told) > 10
    assert any(text.startswith("0.25") and "balance" in text for text in told)
    assert notes.locator("math").count() > 5
    assert not any(wrong in text for text in told for wrong in ("undefined", "NaN", "null", "[object"))


def test_without_the_cards_data_the_page_prints_all_the_same(new_page: Callable[..., Page], site: Path) -> None:
    page = new_page(viewport={"width": 658, "height": 900})
    page.goto((site / "index.html").as_uri())
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".printed-notes h2").all_text_contents() == ["Where the links lead"]
    page.keyboard.press("Control")
    page.wait_for_function("() => globalThis.cardData !== undefined")
