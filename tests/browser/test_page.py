"""The page follows its reader: bar, link, sentences, table and figure in step; wrong links are refused whole."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from model.book import ask
from model.scenario import base
from report import rounding
from report.catalogue import load
from tests.browser.stage import settle

Open = Callable[..., Page]


@pytest.fixture
def opened(new_page: Callable[..., Page], site: Path) -> Open:
    """Return a function that opens the report from disk with a fragment."""

    def open_report(fragment: str = "", **options: Any) -> Page:
        page = new_page(**{"viewport": {"width": 1280, "height": 800}, **options})
        page.goto((site / "index.html").as_uri() + fragment)
        return page

    return open_report


def sentence(page: Page, claim: str) -> str:
    """Return what a claim shows, without its hidden variants."""
    script = """name => {
      const claim = document.querySelector(`[data-claim="${name}"]`), copy = claim.cloneNode(true);
      copy.querySelectorAll('[hidden]').forEach(part => part.remove());
      return copy.textContent;
    }"""
    return " ".join(str(settle(page).evaluate(script, claim)).replace("\u00a0", " ").split())


def fragment(page: Page) -> str:
    """Return the fragment in the address bar, once it says what the reader changed last."""
    return str(settle(page).evaluate("() => location.hash"))


def test_the_lead_follows_the_reader_and_opens_its_number(opened: Open) -> None:
    page = opened()
    assert ", 295 on the one you are reading with, " in sentence(page, "lead-now")
    page.evaluate("() => scenario.set({ machine: 'vax-11-780-fpa', network: 'xor-2-2-1' })")
    assert "though 0.083 will do on the one you are reading with, " in sentence(page, "lead-now")
    page.locator(".lead .n-link:visible").click()
    expect(page.locator("#card")).to_contain_text("VAX-11/780 with floating-point accelerator")


def test_there_and_back_changes_no_text(opened: Open) -> None:
    # The value is one number, written either way: 9.894e+14 or 989400000000000.
    texts = r"""all => all.map(one =>
      one.outerHTML.replace(/value="([^"]+)"/g, (_, value) => `value="${Number(value)}"`))"""
    plain, live = opened(java_script_enabled=False), opened()
    parts = "main :is(h1, h2, p, td, th, figcaption, .equation)"
    before = plain.locator(parts).evaluate_all(texts)
    assert len(before) > 100
    assert live.locator(parts).evaluate_all(texts) == before
    live.evaluate(
        "() => { scenario.set({ machine: 'cray-1', network: 'xor-2-2-1' }); dispatchEvent(new Event('beforeprint')); }"
    )
    assert live.locator(parts).evaluate_all(texts) != before
    live.evaluate("""() => {
      scenario.set({ machine: model.SCHEMA.default.machine, network: model.SCHEMA.default.network });
      dispatchEvent(new Event('beforeprint'));
      dispatchEvent(new Event('afterprint'));
    }""")
    assert live.locator(parts).evaluate_all(texts) == before


def test_what_is_near_is_written_at_once_and_the_rest_follows(opened: Open) -> None:
    page = opened()
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 100)))")
    far = page.locator("main .n.live").last
    before = far.text_content()
    at_once = page.evaluate(
        """() => {
          const live = [...document.querySelectorAll('main .n.live')], was = live.map(one => one.textContent);
          scenario.set({ machine: 'cray-1', network: 'xor-2-2-1', T: '3' });
          return live.map((one, i) => one.textContent !== was[i]);
        }"""
    )
    assert any(at_once)
    assert not all(at_once)
    assert not at_once[-1]
    expect(far).not_to_have_text(before or "")


@pytest.mark.parametrize(
    ("settings", "claim"),
    [
        ({}, "your-floor"),
        ({"machine": "a100-sxm4-80gb"}, "your-floor"),
        ({"machine": "cray-1", "network": "llama3-405b", "T": "1"}, "your-floor"),
        ({"machine": "own", "peak": "2PFLOP/s", "bandwidth": "8TB/s"}, "your-floor"),
        ({"network": "own", "d": "8192", "L": "80"}, "your-floor"),
    ],
)
def test_a_sentence_says_what_the_model_says(opened: Open, root: Path, settings: dict[str, str], claim: str) -> None:
    link = "&".join(["#v=1", *(f"{key}={value}" for key, value in settings.items())]) if settings else ""
    page = opened(link)
    answer = ask("T_min", base(load(root / "content" / "catalogue"), settings))
    assert answer.value is not None
    tokens = rounding.count(answer.value, 3, rounding.LABELS["token"]).replace("\u00a0", " ")
    assert f"at {tokens} per weight visit" in sentence(page, claim)


STATES = {
    "#v=1&machine=b200-sxm&network=gpt2-small": "never reaches the balance",
    "#v=1&machine=h100-sxm5&network=nettalk-80": "stay in the machine’s cache",
    "#v=1&network=resnet50": "is not a transformer",
    "#v=1&machine=vax-11-780-fpa&format=bf16": "does not train in this number format",
}


@pytest.mark.parametrize("link", STATES)
def test_a_state_is_said_in_a_sentence_of_its_own(opened: Open, link: str) -> None:
    page = opened(link)
    assert STATES[link] in sentence(page, "your-floor")
    shown = page.locator("main").inner_text()
    assert not any(word in shown for word in ("NaN", "undefined", "Infinity", "null"))


def test_the_bar_moves_sentence_link_and_history(opened: Open) -> None:
    page = opened()
    first = sentence(page, "your-balance")
    page.locator("#control-machine").select_option("a100-sxm4-80gb")
    assert "153" in sentence(page, "your-balance")
    assert fragment(page) == "#v=1&machine=a100-sxm4-80gb"
    page.locator("#control-T").fill("512")
    page.locator("#control-T").press("Enter")
    assert fragment(page) == "#v=1&machine=a100-sxm4-80gb&T=512"
    page.go_back()
    expect(page.locator("#control-T")).to_have_value("2048")
    page.go_back()
    expect(page.locator("#control-machine")).to_have_value("h100-sxm5")
    assert sentence(page, "your-balance") == first
    page.go_forward()
    expect(page.locator("#control-machine")).to_have_value("a100-sxm4-80gb")


def test_the_formats_offered_are_those_of_the_machine(opened: Open) -> None:
    page = opened()
    page.locator("#control-format").select_option("fp8")
    assert fragment(page) == "#v=1&format=fp8"
    page.locator("#control-machine").select_option("cray-1")
    assert fragment(page) == "#v=1&machine=cray-1"
    options = page.locator("#control-format option").evaluate_all("all => all.map(one => one.textContent)")
    assert options == ["fp64"]


def test_reset_returns_to_the_default(opened: Open) -> None:
    page = opened("#v=1&machine=cray-1&T=3")
    page.locator("[data-action=reset]").click()
    assert fragment(page) == ""
    expect(page.locator("#control-machine")).to_have_value("h100-sxm5")


REFUSED = [
    "#v=2&machine=cray-1",
    "#machine=cray-1",
    "#v=1&machine=cray-9",
    "#v=1&machin=cray-1",
    "#v=1&T=1&T=2",
    "#v=1&T=0",
    "#v=1&T=-5",
    "#v=1&T=1e999",
    "#v=1&T=",
    "#v=1&T",
    "#v=1&machine=%3Cscript%3E",
    "#v=1&machine=__proto__",
    "#v=1&network=constructor",
    "#v=1&format=toString",
    "#v=1&peak=%E0%A4%A",
    "#v=1&machine=cray-1&devices=1.5",
    "#v=1&network=llama3-405b&d=4096",
    "#v=1&machine=own",
    "#v=1&T=" + "9" * 10000,
]


@pytest.mark.parametrize("link", REFUSED, ids=lambda link: link[:40])
def test_a_wrong_link_is_refused_as_a_whole_and_politely(opened: Open, link: str) -> None:
    page = opened(link)
    expect(page.locator("#refused")).to_be_visible()
    expect(page.locator("#control-machine")).to_have_value("h100-sxm5")
    expect(page.locator("#control-T")).to_have_value("2048")
    assert "295" in sentence(page, "your-balance")


def test_a_plain_anchor_keeps_the_scenario(opened: Open) -> None:
    page = opened("#v=1&machine=a100-sxm4-80gb")
    page.evaluate("() => { location.hash = 'pole'; }")
    page.wait_for_function("() => location.hash.includes('at=pole')")
    assert fragment(page) == "#v=1&machine=a100-sxm4-80gb&at=pole"
    expect(page.locator("#control-machine")).to_have_value("a100-sxm4-80gb")


def test_back_undoes_a_change_made_after_a_jump(opened: Open) -> None:
    page = opened()
    page.evaluate("() => { location.hash = 'machines'; }")
    page.wait_for_function("() => history.state && history.state.at === 'machines'")
    page.locator("#control-machine").select_option("cray-1")
    settle(page).go_back()
    expect(page.locator("#control-machine")).to_have_value("h100-sxm5")
    assert fragment(page) == "#machines"


def test_a_link_with_a_place_opens_there(opened: Open) -> None:
    page = opened("#v=1&machine=a100-sxm4-80gb&at=pole")
    page.wait_for_function(
        "() => { const { y } = document.querySelector('#pole').getBoundingClientRect(); return y >= 0 && y < 400; }"
    )


def test_a_row_of_the_table_sets_the_machine(opened: Open) -> None:
    page = opened()
    page.locator("#modern-machines-amd-mi300x th a").click()
    expect(page.locator("#control-machine")).to_have_value("amd-mi300x")
    assert "machine=amd-mi300x" in fragment(page)


def test_a_wrong_value_in_the_bar_is_not_taken(opened: Open) -> None:
    page = opened()
    page.locator("#control-T").fill("-3")
    page.locator("#control-T").press("Enter")
    assert fragment(page) == ""
    assert "2,048 tokens" in sentence(page, "roofline-now")


def test_a_network_without_a_text_is_told_of_examples(opened: Open) -> None:
    page = opened("#v=1&machine=vax-11-780-fpa&network=nettalk-80&T=1")
    assert sentence(page, "roofline-now").startswith("At 1 example per visit")
    assert sentence(page, "drift-your-sequence") == "The network you are reading with takes no sequences."
    page.locator("#control-machine").select_option("cray-1")
    expect(page.locator("#said")).to_contain_text("reaches the balance at 1.9 examples per weight visit")
    page.locator("#control-network").select_option("gpt2-xl")
    expect(page.locator("[data-claim=roofline-now]")).to_contain_text("At 1 token per visit")


def test_the_change_is_announced_once_in_words(opened: Open) -> None:
    page = opened()
    assert page.locator("#said").inner_text() == ""
    page.locator("#control-machine").select_option("a100-sxm4-80gb")
    said = settle(page).locator("#said").inner_text()
    assert said.startswith("A100")
    assert "341 tokens" in said.replace("\u00a0", " ")


@pytest.mark.parametrize("width", [320, 390, 768, 1024, 1440, 1920])
def test_nothing_scrolls_sideways(opened: Open, width: int) -> None:
    page = opened(viewport={"width": width, "height": 800})
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width


def test_the_theme_is_switched_and_remembered(opened: Open) -> None:
    page = opened(color_scheme="light")
    before = page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor")
    page.locator("[data-action=theme]").click()
    after = page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor")
    assert after != before
    page.reload()
    assert page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor") == after


def test_without_script_everything_but_the_bar_is_there(opened: Open) -> None:
    page = opened(java_script_enabled=False)
    expect(page.locator("#fig-roofline svg").first).to_be_visible()
    expect(page.locator("#modern-machines table")).to_be_visible()
    expect(page.locator("#scenario")).to_be_hidden()


def test_specs_bundle_and_exporter_are_of_one_version(site: Path) -> None:
    import altair
    import vl_convert

    spec = json.loads((site / "data" / "roofline.vl.json").read_text(encoding="utf-8"))
    schema = spec["$schema"].rsplit("/", 1)[1].removesuffix(".json")
    assert schema == altair.SCHEMA_VERSION
    newest = sorted(vl_convert.get_vegalite_versions(), key=lambda text: [int(part) for part in text.split(".")])[-1]
    assert schema.removeprefix("v").split(".")[0] == newest.split(".")[0]
    bundle = next((site / "assets").glob("vega-*.js")).read_text(encoding="utf-8")
    assert vl_convert.get_vega_version() in bundle


def test_the_scenario_goes_along_to_the_other_pages(opened: Open) -> None:
    page = opened("#v=1&machine=cray-1")
    note = page.locator(".site-pages a[data-page]").nth(1)
    expect(note).to_have_attribute("href", "note/index.html#v=1&machine=cray-1")
    note.click()
    expect(page.locator("#control-machine")).to_have_value("cray-1")
    page.locator("[data-action=reset]").click()
    expect(page.locator(".site-pages a[data-page]").first).to_have_attribute("href", "../index.html")


@pytest.mark.parametrize("width", [390, 1280])
def test_the_other_pages_are_at_hand_at_every_width(opened: Open, width: int) -> None:
    page = opened(viewport={"width": width, "height": 800})
    if width < 700:
        page.locator(".open-contents").click()
        expect(page.locator(".contents-pages a").first).to_be_visible()
    listed = page.locator(".contents-pages a:visible, .site-pages a:visible").all_text_contents()
    assert {"Note", "Research", "Accuracy", "Numbers"} <= set(listed)
