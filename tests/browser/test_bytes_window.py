"""Bytes per token and the batch window in a real browser: every scenario draws, controls move figure and words."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from model.book import ask
from model.scenario import base
from report.catalogue import load
from report.figures import bytes as token_bytes
from report.figures import window
from report.rounding import sig
from tests.browser import stage

CATALOGUE = load(stage.ROOT / "content" / "catalogue")
MODULES: Mapping[str, Any] = {"bytes": token_bytes, "window": window}
# What is looked for in each figure: lines that no word may meet, marks that stay inside the axes.
LOOKED_AT = [
    {
        "name": "bytes",
        "asks": "budget_use",
        "point": "bytes_point",
        "lines": [f"bytes_{name}" for name in ("budget", "wire_budget", "wire_line", "total_line", "here_upper")]
        + ["bytes_reached_leader", "bytes_here_lower"],
        "marks": ["bytes_dots", "bytes_point", "bytes_crossing_mark"],
    },
    {
        "name": "window",
        "asks": "global_batch",
        "point": "window_point",
        "lines": [
            f"window_{name}" for name in ("weights", "optimizer", "allreduce", "best", "ceiling", "closing_line")
        ],
        "marks": ["window_runs", "window_path", "window_point", "window_closing_mark"],
    },
]
DESK = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}
TABLET = {"viewport": {"width": 640, "height": 900}, "reduced_motion": "reduce"}
PHONE = {"viewport": {"width": 390, "height": 800}, "reduced_motion": "reduce"}
NARROW = {"viewport": {"width": 320, "height": 700}, "reduced_motion": "reduce"}
SIZES = pytest.mark.parametrize("size", [DESK, TABLET, PHONE, NARROW], ids=["desk", "tablet", "phone", "narrow"])
NETWORKS = ("nettalk-80", "gpt2-small", "deepseek-v3")
MACHINES = ("vax-11-780-fpa", "h100-sxm5", "rubin")
LLAMA = {"network": "llama3-405b", "devices": "16384", "tp": "8", "pp": "16", "T": "8192", "micro_batches": "16"}
EXTREMES: tuple[dict[str, str], ...] = (
    {},
    {"T": "1"},
    {"T": "1048576", "micro_batches": "1024"},
    {"machine": "vax-11-780-fpa", "network": "xor-2-1-direct", "T": "1"},
    {"machine": "rubin", "network": "llama3-405b"},
    LLAMA,
    {**LLAMA, "loss": "1.8"},
    {"machine": "h800-sxm5", "network": "deepseek-v3", "T": "4096"},
    {"machine": "h800-sxm5", "network": "deepseek-v3", "T": "4096", "ep": "64", "pp": "16", "devices": "2048"},
    {"devices": "1"},
    {"devices": "131072", "fabric": "scale_up"},
    {"devices": "4", "tp": "8"},
    {"zero": "3", "fixed": "allreduce"},
    {"machine": "v100-sxm2", "format": "fp8"},
    {"network": "alexnet-2012"},
    {"loss": "1.6"},
    {"loss": "4.6", "machine": "b200-sxm", "form": "l2"},
    {"machine": "own", "peak": "1TFLOP/s", "bandwidth": "1TB/s"},
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a page that holds both figures, and return its folder."""
    out = tmp_path_factory.mktemp("bytes-window")
    stage.write(out, MODULES, CATALOGUE)
    return out


@pytest.fixture
def opened(new_page: Callable[..., Page], folder: Path) -> Callable[..., Page]:
    """Return a function that opens the page and waits for the live views."""
    return lambda **options: stage.show(new_page(**options), folder, tuple(MODULES))


def sweep(page: Page, scenarios: list[dict[str, str]]) -> dict[str, list[str]]:
    pictures, wrong = page.evaluate(stage.SWEEP, [scenarios, LOOKED_AT])
    assert pictures == len(scenarios) * len(LOOKED_AT)
    found: dict[str, list[str]] = wrong
    return found


@pytest.mark.parametrize("size", [DESK, NARROW], ids=["desk", "narrow"])
def test_no_picture_of_any_machine_with_three_networks_is_broken(opened: Any, size: dict[str, Any]) -> None:
    scenarios = [{"machine": machine, "network": network} for machine in CATALOGUE.machines for network in NETWORKS]
    assert sweep(opened(**size), scenarios) == {}


@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
def test_no_picture_of_any_network_on_three_machines_is_broken(opened: Any, size: dict[str, Any]) -> None:
    scenarios = [{"machine": machine, "network": network} for machine in MACHINES for network in CATALOGUE.networks]
    assert sweep(opened(**size), scenarios) == {}


@SIZES
def test_no_picture_of_an_extreme_scenario_is_broken(opened: Any, size: dict[str, Any]) -> None:
    assert sweep(opened(**size), list(EXTREMES)) == {}


@SIZES
def test_no_batch_on_the_slider_breaks_a_picture(opened: Any, size: dict[str, Any]) -> None:
    scenarios = [
        {"T": str(2**k), "micro_batches": str(2 ** (k % 11)), "devices": str(2 ** min(k, 17))} for k in range(21)
    ]
    assert sweep(opened(**size), scenarios) == {}


def test_the_audit_sees_what_it_is_there_for(opened: Any) -> None:
    page = opened(**DESK)
    page.evaluate("""() => {
      const [first, second] = document.querySelectorAll('.window_names_marks text');
      first.setAttribute('transform', 'translate(300,100)');
      first.setAttribute('font-size', '9px');
      second.setAttribute('transform', 'translate(300,100)');
      document.querySelector('.window_run_names_marks text').textContent = 'NaN\\u2026';
      document.querySelector('.window_point_marks path').setAttribute('transform', 'translate(0,-400)');
      const above = document.querySelector('.window_words_above_marks text');
      const closes = document.querySelector('.window_closing_line_marks line');
      above.setAttribute('transform', closes.getAttribute('transform') + ' translate(-20,60)');
    }""")
    wrong = " ".join(page.evaluate(stage.AUDIT, LOOKED_AT[1]))
    for kind in ("overlap", "small", "crossed", "NaN", "cut", "outside the axes"):
        assert kind in wrong, kind


# --- controls


def moved(page: Page, control: str, key: str) -> None:
    page.locator(control).focus()
    page.keyboard.press(key)


def test_more_tokens_per_visit_move_the_point_and_the_words(opened: Any) -> None:
    page = opened(**DESK)
    before = stage.marks(page, "bytes_point").bounding_box()
    assert any(text.startswith("T = 2,048 tokens: 164 MB per token, 1.26 times") for text in stage.words(page, "bytes"))
    moved(page, "#bytes-T", "ArrowRight")
    after = stage.marks(page, "bytes_point").bounding_box()
    assert after["x"] > before["x"]
    assert after["y"] > before["y"]
    assert page.evaluate("moves") == [[{"T": "4096"}, "drag"], [{"T": "4096"}, "reader"]]
    assert any(text.startswith("T = 4,096 tokens: ") for text in stage.words(page, "bytes"))


def test_more_micro_batches_thin_out_the_update_until_only_the_floor_is_left(opened: Any) -> None:
    page = opened(**DESK)
    assert "compute-bound from T = 2,700 on; without the update, from 739" in stage.words(page, "bytes")
    assert "optimizer state 61%" in stage.words(page, "bytes")
    moved(page, "#bytes-n", "End")
    given = base(CATALOGUE, {"micro_batches": 1024.0})
    crossing = ask("T_step", given).value
    assert crossing
    expected = f"compute-bound from T = {sig(crossing, 3)} on; without the update, from 739"
    assert expected in stage.words(page, "bytes")
    assert "optimizer state 0.2%" in stage.words(page, "bytes")


def test_more_devices_bring_the_batch_out_of_the_window(opened: Any) -> None:
    page = opened(**DESK)
    page.evaluate("read({ T: '16384' })")
    assert "64 devices, 1.05 million tokens a step: above the ceiling" in stage.words(page, "window")
    moved(page, "#window-devices", "Home")
    assert "1 device, 16,384 tokens a step: inside the window" in stage.words(page, "window")
    page.evaluate("read({ T: '16' })")
    assert "64 devices, 1,024 tokens a step: below the all-reduce floor" in stage.words(page, "window")


def test_a_lower_loss_raises_the_ceiling_and_the_window_closes_later(opened: Any) -> None:
    page = opened(**DESK)
    assert "closes at 77 devices" in stage.words(page, "window")
    slider = page.locator("#window-loss")
    assert slider.input_value() == "3.04"
    slider.fill("1.9")
    slider.dispatch_event("change")
    closes = ask("closing_devices", base(CATALOGUE, {"loss": 1.9})).value
    assert closes
    assert f"closes at {sig(closes, 3)} devices" in stage.words(page, "window")
    assert slider.evaluate("element => element.parentNode.querySelector('output').textContent") == "1.9"


def test_below_the_pole_the_window_never_opens(opened: Any) -> None:
    page = opened(**DESK)
    page.evaluate("read({ network: 'gpt2-small' })")
    assert "never open here: no batch reaches the balance" in stage.words(page, "window")
    assert "no batch reaches the balance" in stage.words(page, "bytes")
    assert stage.marks(page, "window_closing_mark").count() == 0
    assert stage.marks(page, "bytes_crossing_mark").count() == 0


def test_an_absence_says_why_nothing_is_drawn(opened: Any) -> None:
    page = opened(**DESK)
    page.evaluate("read({ machine: 'vax-11-780-fpa', network: 'xor-2-1-direct' })")
    assert "No bytes to draw: the weights stay in the cache" in stage.words(page, "bytes")
    assert "no window: the weights stay in the cache" in stage.words(page, "window")
    page.evaluate("read({ devices: '4', tp: '8' })")
    assert "no batch: does not fit" in stage.words(page, "window")
    assert stage.marks(page, "window_point").count() == 0


# --- marks


def test_a_dot_of_the_path_sets_the_devices(opened: Any) -> None:
    page = opened(**DESK)
    page.locator("#fig-window").scroll_into_view_if_needed()
    box = stage.marks(page, "window_path").nth(15).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert page.evaluate("moves") == [[{"devices": "32768"}, "reader"]]
    assert any(text.startswith("32,768 devices, 67.1 million tokens") for text in stage.words(page, "window"))


def test_a_run_tells_its_widths_and_becomes_the_reader_s_scenario(opened: Any) -> None:
    page = opened(**DESK)
    page.locator("#fig-window .vega-embed").focus()
    tip = page.locator(".tip")
    for _ in range(200):
        page.keyboard.press("ArrowRight")
        if "DeepSeek-V3, PP 16, EP 64" in (tip.text_content() or ""):
            break
    assert "2,048 devices (H800), 62.9 million tokens a step" in (tip.text_content() or "")
    assert "MFU 35%" in (tip.text_content() or "")
    page.keyboard.press("Enter")
    assert any(text.startswith("2,048 devices, 62.9 million tokens a step") for text in stage.words(page, "window"))
    assert stage.marks(page, "window_closing_mark").count() == 1


def test_a_dot_of_the_bytes_sets_the_tokens(opened: Any) -> None:
    page = opened(**DESK)
    page.locator("#fig-bytes .vega-embed").focus()
    page.keyboard.press("Home")
    tip = page.locator(".tip").text_content() or ""
    assert tip.startswith("T = 1 token per weight visit")
    assert "optimizer state 73%" in tip
    assert "all-reduce, over the fabric: 27 GB" in tip
    page.keyboard.press("Enter")
    assert page.evaluate("moves") == [[{"T": "1"}, "reader"]]


def test_each_control_moves_its_own_figure_alone_or_says_the_same_in_both(opened: Any) -> None:
    page = opened(**DESK)
    bytes_before, window_before = (stage.words(page, name) for name in MODULES)
    moved(page, "#window-loss", "ArrowLeft")
    assert stage.words(page, "bytes") == bytes_before
    assert stage.words(page, "window") != window_before


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_a_colour_of_the_theme(opened: Any, scheme: str) -> None:
    page = opened(**DESK, color_scheme=scheme)
    colours = page.evaluate("""() => [...document.querySelectorAll('.vega-embed text')]
      .filter(text => text.textContent.trim()).map(text => getComputedStyle(text).fill)""")
    page.emulate_media(color_scheme={"light": "dark", "dark": "light"}[scheme])
    others = page.evaluate("""() => [...document.querySelectorAll('.vega-embed text')]
      .filter(text => text.textContent.trim()).map(text => getComputedStyle(text).fill)""")
    assert len(colours) == len(others)
    assert all(one != other for one, other in zip(colours, others, strict=True))


def test_a_finger_on_either_figure_scrolls_the_page(opened: Any) -> None:
    page = opened(viewport={"width": 390, "height": 300}, has_touch=True, is_mobile=True)
    for name in MODULES:
        page.locator(f"#fig-{name} .vega-embed").scroll_into_view_if_needed()
        start = page.evaluate("scrollY")
        finger = page.context.new_cdp_session(page)
        finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": 200, "y": 100}]})
        for y in range(110, 260, 10):
            finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": 200, "y": y}]})
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_function("start => scrollY < start", arg=start)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
