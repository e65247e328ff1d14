"""The tape in a real browser: its schedules are Python's, and it plays, pauses, steps and stops as a reader wants."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from model.records import Catalogue
from report.catalogue import load
from report.figures import tape
from tests.browser import stage

LOOKED_AT = {"name": "tape", "lines": ["tape_turn"], "marks": ["tape_peaks", "tape_dots"]}
DESK = {"viewport": {"width": 1280, "height": 900}}
TABLET = {"viewport": {"width": 640, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 800}}
NARROW = {"viewport": {"width": 320, "height": 700}}
SIZES = pytest.mark.parametrize("size", [DESK, TABLET, PHONE, NARROW], ids=["desk", "tablet", "phone", "narrow"])
STILL = {**DESK, "reduced_motion": "reduce"}
SHAPES = ((32, 6), (8, 2), (128, 2), (128, 16), (126, 6), (9, 16))
DEPTHS = (1, 2, 3, 5, 8, 12, 31, 32, 61, 64, 100, 126, 128)


@pytest.fixture(scope="module")
def rows() -> Catalogue:
    """Return the real catalogue."""
    return load(stage.ROOT / "content" / "catalogue")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, rows: Catalogue) -> Path:
    """Write a page that holds the figure alone, and return its folder."""
    out = tmp_path_factory.mktemp("tape")
    stage.write(out, {"tape": tape}, rows, ("tape.js",))
    return out


@pytest.fixture
def opened(new_page: Callable[..., Page], folder: Path) -> Callable[..., Page]:
    """Return a function that opens the page and waits for the live view."""
    return lambda **options: stage.show(new_page(**options), folder, ("tape",))


def words(page: Page) -> list[str]:
    return stage.words(page, "tape")


def at(page: Page) -> int:
    return int(page.locator("#tape-at").input_value())


def drag(page: Page, name: str, value: int) -> None:
    """Move a slider as a reader does."""
    page.locator(f"#tape-{name}").fill(str(value))


def filled(page: Page) -> list[int]:
    """Return how many cells of each row are full."""
    script = """all => {
      const rows = new Map();
      for (const cell of all) {
        const y = Math.round(cell.getBoundingClientRect().y);
        rows.set(y, (rows.get(y) || 0) + (Number(cell.getAttribute('fill-opacity') ?? 1) > 0.5));
      }
      return [...rows.entries()].sort((one, other) => one[0] - other[0]).map(([, count]) => count);
    }"""
    counts: list[int] = page.locator(".tape_cells_marks path").evaluate_all(script)
    return counts


# --- the twin


def test_the_browser_runs_the_same_schedules(opened: Any) -> None:
    page = opened(**DESK)
    # As a text: the driver takes its time over lists of lists.
    script = "([n, most]) => JSON.stringify(Array.from({ length: most }, (_, i) => tape.run(n, i + 1)))"
    for layers in DEPTHS:
        for memory, ran in enumerate(json.loads(page.evaluate(script, [layers, tape.MOST_MEMORY])), start=1):
            drawn = tape.run(layers, memory)
            assert list(ran) == list(drawn.events)
            for name, events in drawn.events.items():
                same = [[event.action, event.layer, list(event.held)] for event in events]
                assert ran[name]["events"] == same, (name, layers, memory)
                assert ran[name]["alive"] == drawn.signals["tape_alive"][name]
                assert ran[name]["again"] == drawn.signals["tape_again"][name]
                assert ran[name]["share"] == drawn.signals["tape_share"][name]


# --- the picture


@SIZES
def test_no_picture_of_any_depth_and_memory_is_broken(opened: Any, size: dict[str, Any]) -> None:
    page = opened(**size)
    for layers, memory in SHAPES:
        drag(page, "L", layers)
        drag(page, "memory", memory)
        last = int(page.locator("#tape-at").get_attribute("max") or 0)
        for step in (0, layers, layers + 3, last):
            drag(page, "at", step)
            assert page.evaluate(stage.AUDIT, LOOKED_AT) == [], (layers, memory, step)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_audit_sees_a_word_under_the_line_between_the_passes(opened: Any) -> None:
    page = opened(**DESK)
    page.evaluate("""() => {
      const line = document.querySelector('.tape_turn_marks line').getBoundingClientRect();
      const frame = document.querySelector('.vega-embed svg').getBoundingClientRect();
      const word = document.querySelector('.tape_passes_marks text');
      word.setAttribute('transform', `translate(${line.left - frame.left - 30},${line.top - frame.top + 20})`);
    }""")
    assert "crossed" in " ".join(page.evaluate(stage.AUDIT, LOOKED_AT))


def test_it_is_first_seen_at_the_turn_and_the_still_picture_shows_the_same(new_page: Any, folder: Path) -> None:
    page = new_page(**DESK)
    page.goto((folder / "index.html").as_uri())
    texts = "() => [...document.querySelectorAll('.for-desk svg text')].map(text => text.textContent)"
    still = page.evaluate(texts)
    assert page.locator(".vega-embed").count() == 0
    stage.show(page, folder, ("tape",))
    assert page.evaluate(texts) == still
    assert at(page) == 32
    assert filled(page) == [32, 6, 6, 1]


# --- play, pause, step, scrub


def test_nothing_moves_before_it_is_played(opened: Any) -> None:
    page = opened(**DESK)
    before = page.evaluate("document.querySelector('.vega-embed svg').outerHTML")
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("document.querySelector('.vega-embed svg').outerHTML") == before
    assert page.locator("#tape-play").text_content() == "Play"


def test_it_plays_from_the_start_and_pauses(opened: Any) -> None:
    page = opened(**DESK)
    # Asked in one turn: it plays on between two questions.
    begun = page.evaluate("""() => {
      const play = document.querySelector('#tape-play');
      play.click();
      return [play.textContent, document.querySelector('#tape-at').value];
    }""")
    assert begun == ["Pause", "0"]
    page.wait_for_function("() => document.querySelector('#tape-at').value > 2")
    page.click("#tape-play")
    assert page.locator("#tape-play").text_content() == "Play"
    there = at(page)
    page.evaluate("() => new Promise(done => setTimeout(done, 400))")
    assert at(page) == there


def test_it_plays_and_pauses_by_keyboard_and_goes_on_from_where_it_stood(opened: Any) -> None:
    page = opened(**DESK)
    drag(page, "at", 90)
    page.evaluate("""() => {
      const play = document.querySelector('#tape-play'), at = document.querySelector('#tape-at');
      globalThis.seen = [];
      new MutationObserver(() => seen.push([play.textContent, Number(at.value)])).observe(play, { childList: true });
    }""")
    page.locator("#tape-play").focus()
    page.keyboard.press("Space")
    page.wait_for_function("() => seen.length === 2", timeout=20_000)
    assert page.evaluate("() => seen") == [["Pause", 90], ["Play", 96]], "at the end it stops by itself"
    assert at(page) == 96
    page.keyboard.press("Enter")
    page.wait_for_function("() => seen.length === 3")
    assert page.evaluate("() => seen[2]") == ["Pause", 0]


def test_steps_go_one_by_one_and_stop_at_both_ends(opened: Any) -> None:
    page = opened(**DESK)
    page.click("#tape-forward")
    assert (at(page), filled(page)) == (33, [31, 7, 5, 1])
    page.click("#tape-back")
    page.click("#tape-back")
    assert (at(page), filled(page)) == (31, [31, 6, 5, 1])
    drag(page, "at", 0)
    page.click("#tape-back")
    assert (at(page), filled(page)) == (0, [0, 0, 0, 0])
    drag(page, "at", 96)
    page.click("#tape-forward")
    assert (at(page), filled(page)) == (96, [0, 0, 0, 0])


def test_a_step_stops_what_plays(opened: Any) -> None:
    page = opened(**DESK)
    page.click("#tape-play")
    page.click("#tape-forward")
    assert page.locator("#tape-play").text_content() == "Play"


def test_the_step_says_what_is_alive(opened: Any) -> None:
    page = opened(**DESK)
    slider = page.locator("#tape-at")
    slider.focus()
    page.keyboard.press("ArrowRight")
    said = "step 33 of 96; layers alive: all stored 31, checkpoints 7, optimal 5, reversible 1"
    assert slider.get_attribute("aria-valuetext") == said
    assert "31 layers alive now, 32 at most, nothing computed again" in words(page)
    assert "1 layer alive now, 1 at most, +33% arithmetic" in words(page)


def test_with_reduced_motion_it_is_still_and_can_be_stepped(opened: Any) -> None:
    page = opened(**STILL)
    page.evaluate("() => new Promise(done => setTimeout(done, 400))")
    assert at(page) == 32
    page.click("#tape-forward")
    assert (at(page), filled(page)) == (33, [31, 7, 5, 1])
    assert page.locator("#tape-play").text_content() == "Play"


def test_it_stops_when_nobody_sees_it(opened: Any) -> None:
    page = opened(viewport={"width": 1000, "height": 500})
    page.evaluate("document.body.style.paddingBottom = '3000px'")
    page.click("#tape-play")
    page.evaluate("scrollTo(0, 2500)")
    expect(page.locator("#tape-play")).to_have_text("Play")
    there = at(page)
    page.evaluate("() => new Promise(done => setTimeout(done, 300))")
    assert at(page) == there < 96


# --- depth and memory


def test_depth_and_memory_run_the_schedules_again(opened: Any) -> None:
    page = opened(**DESK)
    drag(page, "memory", 4)
    assert "4 optimal" in words(page)
    assert "4 layers alive now, 4 at most, +48% arithmetic" in words(page)
    drag(page, "L", 64)
    assert {"64 store all", "15 every √L", "4 optimal", "1 reversible"} <= set(words(page))
    assert at(page) == 64, "the turn, as long as no other step was asked for"
    assert filled(page) == [64, 8, 4, 1]
    assert page.locator("#tape-L + output").text_content() == "64"


def test_the_depth_is_that_of_the_scenario_until_it_is_moved(opened: Any) -> None:
    page = opened(**DESK)
    page.evaluate("read({ network: 'llama3-405b' })")
    assert page.locator("#tape-L").input_value() == "126"
    page.wait_for_function(
        "() => [...document.querySelectorAll('.tape_names_marks text')][0].textContent.startsWith('126')"
    )
    drag(page, "L", 20)
    page.evaluate("read({ network: 'llama3-405b', T: '64' })")
    assert page.locator("#tape-L").input_value() == "20"
    page.evaluate("read({ network: 'xor-2-1-direct' })")
    assert page.locator("#tape-L").input_value() == "20", "a network without layers of this kind asks for no depth"
    assert page.evaluate("moves") == [], "the figure's depth is its own"


def test_a_mark_says_how_high_a_schedule_goes(opened: Any) -> None:
    page = opened(**DESK)
    page.locator(".vega-embed").focus()
    page.keyboard.press("End")
    tip = page.locator(".tip").text_content() or ""
    assert tip == "Checkpoint every √L10 layers alive at most90 steps, +27% arithmetic"


def test_the_theme_changes_the_drawn_colours_and_keeps_the_step(opened: Any) -> None:
    page = opened(**DESK, color_scheme="light")
    drag(page, "at", 40)
    colour = "() => getComputedStyle(document.querySelector('.tape_cells_marks path')).fill"
    day = page.evaluate(colour)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(colour) != day
    assert at(page) == 40


@pytest.mark.parametrize("layers", ["1", "2", "5", "128", "200", "1000"])
def test_any_depth_of_the_readers_is_drawn_or_said_to_be_cut(opened: Any, layers: str) -> None:
    page = opened(**NARROW, reduced_motion="reduce")
    page.evaluate("L => read({ network: 'own', d: '1024', L })", layers)
    page.wait_for_timeout(200)
    drawn = min(int(layers), tape.MOST_LAYERS)
    assert page.locator("#tape-L").input_value() == str(drawn)
    said = words(page)
    assert f"{drawn} store all" in said
    assert ("the last of 256 drawn, of 1,000" in said) is (int(layers) > tape.MOST_LAYERS)
    assert "; ".join(page.evaluate(stage.AUDIT, LOOKED_AT)) == ""
    start = page.locator("#fig-tape .summary").text_content() or ""
    whole = "256 of 1,000 layers" if int(layers) > tape.MOST_LAYERS else f"{layers} layer"
    assert start.startswith(whole)


def test_a_network_without_layers_brings_the_published_depth_back(opened: Any) -> None:
    page = opened(**DESK, reduced_motion="reduce")
    page.evaluate("() => read({ network: 'llama3-405b' })")
    assert page.locator("#tape-L").input_value() == "126"
    page.evaluate("() => read({ network: 'xor-2-2-1' })")
    assert page.locator("#tape-L").input_value() == "32"
