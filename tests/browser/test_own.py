"""A machine and a network of the reader's own: typed with units, checked beside the field, kept in the link."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from model.book import ask
from model.scenario import base
from report import rounding
from report.catalogue import load
from report.measure import row
from report.measure.measuring import Means, measure
from tests.browser.stage import settle
from tests.report.measure.bench import Machine

Open = Callable[..., Page]


@pytest.fixture
def opened(new_page: Callable[..., Page], site: Path) -> Open:
    """Return a function that opens the report from disk with a fragment."""

    def open_report(fragment: str = "", **options: Any) -> Page:
        page = new_page(**{"viewport": {"width": 1280, "height": 800}, **options})
        page.goto((site / "index.html").as_uri() + fragment)
        return settle(page)

    return open_report


def give(page: Page, **texts: str) -> None:
    """Type into fields as a reader does, one after the other."""
    for name, text in texts.items():
        page.locator(f"#own-{name}").fill(text)
        page.locator(f"#own-{name}").press("Tab")


def fragment(page: Page) -> str:
    return str(settle(page).evaluate("() => decodeURIComponent(location.hash)"))


def wrong(page: Page, name: str) -> str:
    """Return what stands beside a field in which something is amiss."""
    return page.locator(f"#own-{name}-says .wrong").text_content() or ""


def controls(page: Page) -> list[str]:
    return [
        str(text) for text in page.locator("#scenario [name]").evaluate_all("all => all.map(c => c.name + c.value)")
    ]


def board(page: Page) -> str:
    return page.locator("#claim + .board, .board").first.inner_text()


def test_a_machine_of_ones_own_starts_as_a_copy_of_what_is_read(opened: Open) -> None:
    page = opened()
    before = board(page)
    page.locator("#control-machine").select_option("own")
    expect(page.locator("#own-peak")).to_be_focused()
    copied = "machine=own&peak=989.4 TFLOP/s&bandwidth=3.35 TB/s&capacity=80 GB&cache=50 MB&fabric=50 GB/s"
    assert fragment(page) == f"#v=1&{copied}"
    assert board(page).replace("your machine", "H100, 2022") == before


def test_a_network_of_ones_own_starts_as_a_copy_of_what_is_read(opened: Open) -> None:
    page = opened("#v=1&network=llama3-405b")
    numbers = "all => all.map(one => one.textContent)"
    before = page.locator(".board data").evaluate_all(numbers)
    page.locator("#control-network").select_option("own")
    assert "network=own&d=16384&L=126&heads=128&kv_heads=8&d_ff=53248&gated=1&vocab=128256" in fragment(page)
    assert page.locator(".board data").evaluate_all(numbers) == before


def test_what_is_typed_reaches_board_link_and_announcement(opened: Open, root: Path) -> None:
    page = opened()
    page.locator("#control-machine").select_option("own")
    give(page, peak="2 PFLOP/s", bandwidth="8 TB/s", capacity="192 GiB", cache="", fabric="")
    assert fragment(page) == "#v=1&machine=own&peak=2 PFLOP/s&bandwidth=8 TB/s&capacity=192 GiB"
    settings = {"machine": "own", "peak": "2 PFLOP/s", "bandwidth": "8 TB/s", "capacity": "192 GiB"}
    balance = ask("beta", base(load(root / "content" / "catalogue"), settings)).value
    assert balance is not None
    assert rounding.sig(balance, 3) in board(page)
    assert (settle(page).locator("#said").text_content() or "").startswith("Your machine, the 7B class:")


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("peak", "", "needed, as in 989 TFLOP/s"),
        ("peak", "989", "has no unit; it is measured in FLOP/s"),
        ("peak", "fast", "is not a number with a unit"),
        ("peak", "989 TFLOPS", "unknown unit"),
        ("bandwidth", "3 TB", "is not in B/s"),
        ("capacity", "80 Gb", "counts bits"),
        ("bandwidth", "1 Tb/s", "“1 Tb/s” counts bits, and is 0.125 TB/s; a memory is read in bytes: 1 TB/s?"),
        ("capacity", "-5 GB", "is not a number with a unit"),
        ("cache", "0 B", "out of range; the least is 1 kB"),
    ],
)
def test_a_wrong_field_says_so_beside_itself_and_nothing_else_changes(
    opened: Open, name: str, text: str, says: str
) -> None:
    page = opened("#v=1&machine=own&peak=1PFLOP/s&bandwidth=2TB/s")
    link, before = fragment(page), board(page)
    page.locator(".more > summary").click()
    give(page, **{name: text})
    assert says in wrong(page, name)
    assert page.locator(f"#own-{name}").get_attribute("aria-invalid") == "true"
    assert (fragment(page), board(page)) == (link, before)
    expect(page.locator(f"#own-{name}")).to_have_value(text)
    give(page, **{name: {"peak": "4 PFLOP/s", "bandwidth": "4 TB/s"}.get(name, "64 GB")})
    assert wrong(page, name) == ""
    assert fragment(page) != link


def test_a_draft_waits_while_other_controls_move(opened: Open) -> None:
    page = opened()
    page.locator("#control-machine").select_option("own")
    give(page, peak="")
    link = fragment(page)
    page.locator("#control-T").fill("512")
    page.locator("#control-T").press("Enter")
    assert fragment(page) == f"{link}&T=512"
    expect(page.locator("#control-machine")).to_have_value("own")
    expect(page.locator("#own-peak")).to_have_value("")
    give(page, peak="1 PFLOP/s")
    assert "peak=1 PFLOP/s" in fragment(page)


def test_parts_larger_than_their_whole_are_refused_beside_the_field(opened: Open) -> None:
    page = opened()
    page.locator("#control-network").select_option("own")
    give(page, experts="4", top_k="8")
    assert wrong(page, "top_k") == "8 is more than experts, 4"
    give(page, top_k="2")
    assert "experts=4&top_k=2" in fragment(page)


LINKS = [
    "#v=1&machine=own&peak=2%20PFLOP/s&bandwidth=8%20TB/s",
    "#v=1&machine=own&peak=2PFLOP/s&bandwidth=8TB/s&capacity=192GiB&cache=64MiB&fabric=100GB/s&format=fp8",
    "#v=1&network=own&d=8192&L=80&heads=64&kv_heads=8&d_ff=28672&gated=1&vocab=128256&tied=1&experts=16&top_k=2",
    "#v=1&bandwidth=5TB/s",
    "#v=1&T=512&s=1024&devices=8&micro_batches=4&fabric=scale_up&form=l2",
]


@pytest.mark.parametrize("link", LINKS)
def test_a_link_returns_as_it_was_with_every_control(opened: Open, link: str) -> None:
    page = opened(link)
    expect(page.locator("#refused")).to_be_hidden()
    first = controls(page)
    page.locator("#control-T").fill("77")
    page.locator("#control-T").press("Enter")
    settle(page).go_back()
    page.wait_for_function("() => !location.hash.includes('T=77')")
    again = opened(str(page.evaluate("() => location.hash")))
    assert controls(again) == first
    assert again.evaluate("() => Object.keys(scenario.get()).sort().join()") == ",".join(
        sorted(part.split("=")[0] for part in link.split("&")[1:])
    )


def test_a_figure_changed_by_hand_on_a_machine_of_the_list_is_seen(opened: Open) -> None:
    page = opened("#v=1&bandwidth=5TB/s")
    expect(page.locator("[data-own=machine]")).to_have_js_property("hidden", False)
    assert "H100, 2022, changed" in board(page)
    page.locator("#control-machine").select_option("a100-sxm4-80gb")
    assert fragment(page) == "#v=1&machine=a100-sxm4-80gb"


def test_another_machine_or_network_takes_its_own_figures(opened: Open) -> None:
    page = opened("#v=1&machine=own&peak=2PFLOP/s&bandwidth=8TB/s&fabric=9GB/s&network=own&d=8192&L=80")
    page.locator("#control-machine").select_option("cray-1")
    page.locator("#control-network").select_option("gpt2-small")
    assert fragment(page) == "#v=1&machine=cray-1&network=gpt2-small"
    expect(page.locator("[data-own=machine]")).to_be_hidden()
    expect(page.locator("#own-d")).to_have_value("")


def test_a_shape_without_the_word_own_is_a_network_of_ones_own(opened: Open) -> None:
    page = opened("#v=1&d=8192&L=80")
    expect(page.locator("#control-network")).to_have_value("own")


def test_the_figure_calls_it_your_machine(opened: Open) -> None:
    page = opened("#v=1&machine=own&peak=2PFLOP/s&bandwidth=8TB/s")
    page.locator("#fig-roofline").scroll_into_view_if_needed()
    page.wait_for_selector("#fig-roofline .vega-embed svg")
    texts = page.locator("#fig-roofline .vega-embed svg text").evaluate_all("all => all.map(one => one.textContent)")
    assert "your machine" in texts


def test_no_sentence_or_cell_breaks_on_a_bare_machine_and_network(opened: Open) -> None:
    page = opened("#v=1&machine=own&peak=2PFLOP/s&bandwidth=8TB/s&network=own&d=64&L=2")
    shown = page.locator("main").inner_text()
    assert not any(word in shown for word in ("NaN", "undefined", "Infinity", "null", "your own…"))


# --- the bar's own fields


@pytest.mark.parametrize(("name", "text"), [("T", ""), ("T", "-3"), ("devices", "1.5"), ("s", "0")])
def test_a_count_says_why_it_is_refused(opened: Open, name: str, text: str) -> None:
    page = opened()
    if name != "T":
        page.locator(".more > summary").click()
    control = page.locator(f"#control-{name}")
    control.fill(text)
    control.press("Enter")
    assert name in str(control.evaluate("one => one.validationMessage"))
    assert name in (settle(page).locator("#said").text_content() or "")
    assert fragment(page) == ""
    page.locator("[data-action=reset]").click()
    expect(control).to_have_value({"T": "2048", "s": "2048", "devices": "64"}[name])
    assert control.evaluate("one => one.validationMessage") == ""


def test_the_link_can_be_copied_without_leave_for_the_clipboard(opened: Open) -> None:
    page = opened("#v=1&machine=cray-1")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no leave')); }")
    shown: list[str] = []
    page.on("dialog", lambda dialog: (shown.append(dialog.default_value), dialog.dismiss()))
    with page.expect_event("dialog"):
        page.locator("[data-action=copy]").click()
    assert shown[0].endswith("/index.html#v=1&machine=cray-1")


def test_the_link_of_a_measurement_is_read_as_it_was_measured(opened: Open) -> None:
    toy = Machine()
    found = measure(toy, Means(counter=lambda: toy, quick=True, clock=toy.clock, sleep=toy.sleep))
    link = row.fragment(row.settings(found))
    page = opened(link)
    assert fragment(page).startswith("#v=1&machine=own&")
    expect(page.locator("#own-peak")).to_have_value("300TFLOP/s")
    expect(page.locator("#own-bandwidth")).to_have_value("2TB/s")
    expect(page.locator("#own-capacity")).to_have_value("80GB")
    asked = {key: page.evaluate(f"() => scenario.question('{key}').v") for key in ("beta", "e_B", "e_F", "capacity")}
    assert asked == pytest.approx({"beta": 150, "e_B": 60e-12, "e_F": 0.9e-12, "capacity": 80e9})
