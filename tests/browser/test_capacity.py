"""The capacity ledger in a real browser: every machine and network, every sharding, controls both ways."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from model.book import ask
from model.records import Catalogue
from model.scenario import base
from report.catalogue import load
from report.figures import capacity
from tests.browser import stage

LOOKED_AT = {"name": "capacity", "lines": ["capacity_line", "capacity_tick"], "marks": ["capacity_bars"]}
DESK = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}
TABLET = {"viewport": {"width": 640, "height": 900}, "reduced_motion": "reduce"}
PHONE = {"viewport": {"width": 390, "height": 800}, "reduced_motion": "reduce"}
NARROW = {"viewport": {"width": 320, "height": 700}, "reduced_motion": "reduce"}
SIZES = pytest.mark.parametrize("size", [DESK, TABLET, PHONE, NARROW], ids=["desk", "tablet", "phone", "narrow"])
LLAMA = {"network": "llama3-405b", "T": "8192", "s": "8192", "tp": "8", "pp": "16", "zero": "3", "devices": "16384"}
LLAMA |= {"micro_batches": "16"}
SHARDED = (
    LLAMA,
    {**LLAMA, "policy": "store-all"},
    {**LLAMA, "devices": "64"},
    {"network": "deepseek-v3", "machine": "h800-sxm5", "pp": "16", "ep": "64", "zero": "1", "devices": "2048"},
    {"network": "deepseek-v3", "policy": "reversible"},
    {"network": "xor-2-1-direct", "zero": "3", "devices": "16384"},
    {"network": "gpt3-175b", "machine": "v100-sxm2", "tp": "8", "pp": "16", "devices": "10240"},
    {"network": "gpt2-small", "machine": "tpu-v5e", "zero": "2", "T": "65536", "policy": "sqrt"},
    {"machine": "own", "peak": "1TFLOP/s", "bandwidth": "1TB/s"},
    {"machine": "own", "peak": "1TFLOP/s", "bandwidth": "1TB/s", "capacity": "1 kB"},
)


@pytest.fixture(scope="module")
def rows() -> Catalogue:
    """Return the real catalogue."""
    return load(stage.ROOT / "content" / "catalogue")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, rows: Catalogue) -> Path:
    """Write a page that holds the figure alone, and return its folder."""
    out = tmp_path_factory.mktemp("capacity")
    stage.write(out, {"capacity": capacity}, rows)
    return out


@pytest.fixture
def opened(new_page: Callable[..., Page], folder: Path) -> Callable[..., Page]:
    """Return a function that opens the page and waits for the live view."""
    return lambda **options: stage.show(new_page(**options), folder, ("capacity",))


def words(page: Page) -> list[str]:
    return stage.words(page, "capacity")


@SIZES
def test_no_picture_of_any_machine_or_network_is_broken(opened: Any, rows: Catalogue, size: dict[str, Any]) -> None:
    page = opened(**size)
    shown: list[dict[str, str]] = [{"machine": name} for name in rows.machines]
    shown += [{"network": name, "policy": policy} for name in rows.networks for policy in ("selective", "store-all")]
    shown += SHARDED
    assert page.evaluate(stage.SWEEP, [shown, [LOOKED_AT]]) == [len(shown), {}]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_audit_sees_a_word_under_a_line_and_a_bar_that_leaves(opened: Any) -> None:
    page = opened(**DESK)
    assert page.evaluate(stage.AUDIT, LOOKED_AT) == []
    page.evaluate("""() => {
      const line = document.querySelector('.capacity_line_marks line').getBoundingClientRect();
      const word = document.querySelector('.capacity_verdicts_marks text');
      const frame = document.querySelector('.vega-embed svg').getBoundingClientRect();
      word.setAttribute('transform', `translate(${line.left - frame.left + 20},${line.top - frame.top + 8})`);
      document.querySelector('.capacity_bars_marks path').setAttribute('transform', 'translate(2000,0)');
    }""")
    wrong = " ".join(page.evaluate(stage.AUDIT, LOOKED_AT))
    assert "crossed: needs 140 GB" in wrong
    assert "capacity_bars outside" in wrong


def test_controls_move_the_scenario(opened: Any) -> None:
    page = opened(**DESK)
    page.select_option("#capacity-tp", "8")
    page.select_option("#capacity-zero", "3")
    page.select_option("#capacity-policy", "sqrt")
    page.select_option("#capacity-sequences", "4")
    assert page.evaluate("moves") == [
        [{"tp": "8"}, "reader"],
        [{"zero": "3"}, "reader"],
        [{"policy": "sqrt"}, "reader"],
        [{"T": "8192"}, "reader"],
    ]
    page.select_option("#capacity-tp", "1")
    page.select_option("#capacity-zero", "0")
    # What is usual leaves the link again.
    assert page.evaluate("Object.keys(moves.at(-1)[0])") == ["zero"]
    assert page.evaluate("[moves.at(-2)[0].tp, moves.at(-1)[0].zero]") == [None, None]
    page.locator("#capacity-devices").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("moves.at(-1)") == [{"devices": "128"}, "reader"]


def test_controls_follow_the_scenario(opened: Any) -> None:
    page = opened(**DESK)
    page.evaluate("settings => read(settings)", {**LLAMA, "policy": "inputs"})
    shown = {name: page.locator(f"#capacity-{name}").input_value() for name in ("tp", "pp", "zero", "policy")}
    assert shown == {"tp": "8", "pp": "16", "zero": "3", "policy": "inputs"}
    assert page.locator("#capacity-sequences").input_value() == "1"
    assert page.locator("#capacity-devices").input_value() == "14"
    page.evaluate("read({ tp: '3', devices: '96', T: '512' })")
    assert page.locator("#capacity-tp").input_value() == "3", "a value that is not on the list is put there"
    assert page.locator("#capacity-sequences").input_value() == "0.25"
    told = "one => one.selectedOptions[0].textContent.replace('\\u00a0', ' ')"
    assert page.locator("#capacity-sequences").evaluate(told) == "512 tokens"


def test_the_words_follow_what_fits(opened: Any) -> None:
    page = opened(**DESK)
    assert "needs 119 GB: 39 GB too much" in words(page)
    page.evaluate("settings => read(settings)", LLAMA)
    assert "needs 72.3 GB: fits with 7.7 GB to spare" in words(page)
    page.evaluate("read({ network: 'resnet50' })")
    assert "The tape is not counted: not a transformer" in words(page)
    page.evaluate("read({ tp: '8', pp: '16' })")
    few = "One copy of the network needs 128 devices; there are 64"
    assert any(word.endswith(few) for word in words(page))


@pytest.mark.parametrize("settings", [{}, LLAMA, {"network": "deepseek-v3", "zero": "2", "tp": "4"}], ids=str)
def test_a_bar_is_as_long_as_the_model_says(opened: Any, rows: Catalogue, settings: dict[str, str]) -> None:
    page = opened(**DESK)
    page.evaluate("settings => read(settings)", settings)
    boxes = "all => all.map(one => { const { x, right, y } = one.getBoundingClientRect(); return [x, right, y]; })"
    bars = page.locator(".capacity_bars_marks path").evaluate_all(boxes)
    (line, *_), *_ = page.locator(".capacity_line_marks line").evaluate_all(boxes)
    left = min(bar[0] for bar in bars)
    given = base(rows, settings)
    need, have = ask("device_bytes", given).value, ask("capacity", given).value
    assert need
    assert have
    # The reader's own policy is the second row.
    second = sorted({bar[2] for bar in bars})[1]
    right = max(bar[1] for bar in bars if bar[2] == second)
    assert (right - left) / (line - left) == pytest.approx(need / have, rel=1e-3)


def test_a_bar_can_be_chosen_by_pointer_and_by_key(opened: Any) -> None:
    page = opened(**DESK)
    bars = page.locator(".capacity_bars_marks path")
    box = bars.last.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert page.evaluate("moves") == [[{"policy": "reversible"}, "reader"]]
    page.locator(".vega-embed").focus()
    page.keyboard.press("Home")
    assert (page.locator(".tip").text_content() or "").split(":")[0] in {
        names[0] for names in capacity.POLICIES.values()
    }
    page.keyboard.press("Enter")
    assert len(page.evaluate("moves")) == 2


def test_a_tap_tells_what_a_part_comes_to(opened: Any) -> None:
    page = opened(**NARROW, has_touch=True, is_mobile=True)
    box = page.locator(".capacity_bars_marks path").nth(2).bounding_box()
    assert box
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".tip")).to_be_visible()
    expect(page.locator(".tip")).to_contain_text("optimizer state 82.2 GB")
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".tip")).to_be_hidden()


def test_the_theme_changes_the_drawn_colours_and_keeps_what_was_chosen(opened: Any) -> None:
    page = opened(**DESK, color_scheme="light")
    page.select_option("#capacity-policy", "inputs")
    colour = "() => getComputedStyle(document.querySelector('.capacity_bars_marks path')).fill"
    day = page.evaluate(colour)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(colour) != day
    assert page.locator("#capacity-policy").input_value() == "inputs"
