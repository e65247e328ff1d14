"""A figure in words: its tables follow the reader, a change is announced once, named scenarios open it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from model.book import ask
from model.formula import STATES
from report.catalogue import load
from report.figures import tables
from report.figures.book import FIGURES
from report.figures.openings import SHOWN
from tests.browser import stage

Open = Callable[..., Page]
CATALOGUE = load(stage.ROOT / "content" / "catalogue")
ASKED: Mapping[str, Mapping[str, tables.Table]] = {
    name: found for name, module in FIGURES.items() if (found := getattr(module, "TABLES", {}))
}
SCENARIOS: tuple[dict[str, str], ...] = (
    {},
    {"machine": "a100-sxm4-80gb", "network": "llama3-405b", "tp": "8", "pp": "16", "devices": "16384", "s": "8192"},
    {"machine": "vax-11-780-fpa", "network": "xor-2-2-1"},
    {"machine": "vax-11-780-fpa", "network": "nettalk-80", "T": "4"},
    {"network": "gpt2-small", "form": "l2"},
    {"machine": "own", "peak": "2PFLOP/s", "bandwidth": "8TB/s"},
)


@pytest.fixture
def opened(new_page: Callable[..., Page], site: Path) -> Open:
    """Return a function that opens the report from disk with a fragment."""

    def open_report(fragment: str = "", **options: Any) -> Page:
        page = new_page(**{"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **options})
        page.goto((site / "index.html").as_uri() + fragment)
        return stage.settle(page)

    return open_report


def near(page: Page, figure: str) -> None:
    """Bring a figure into the middle of the window; what lies above it is laid out on the way."""
    for _ in range(4):
        page.evaluate("name => document.getElementById(`fig-${name}`).scrollIntoView({ block: 'center' })", figure)
        stage.frames(page)


def link(settings: Mapping[str, str]) -> str:
    return "&".join(["#v=1", *(f"{key}={value}" for key, value in settings.items())]) if settings else ""


# --- tables


def expected(table: tables.Table, settings: Mapping[str, str]) -> list[list[str]]:
    """Return what the table says: why there is no value once in a column, and a dash where that goes on."""
    found = []
    above: list[str | None] = [None] * len(table.columns)
    for row in table.rows:
        given = tables.scenario(row, settings, CATALOGUE)
        untold = given["family"].value == "counted"
        answers = [ask(column.key, given) for column in table.columns]
        answers = [
            replace(answer, value=None, state="not-a-transformer") if column.of_texts and untold else answer
            for column, answer in zip(table.columns, answers, strict=True)
        ]
        cells = [
            ("\u2013" if said.state == before else STATES[said.state])
            if said.state
            else column.written(said.value or 0.0)
            for column, said, before in zip(table.columns, answers, above, strict=True)
        ]
        above = [said.state for said in answers]
        found.append([row.head, *cells])
    return found


CELLS = """name => [...document.querySelectorAll(`#fig-${name} table.asked`)].map(table =>
  [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent)))"""


@pytest.mark.parametrize("settings", SCENARIOS, ids=lambda one: " ".join(one.values()) or "default")
def test_the_tables_under_figures_follow_the_reader(opened: Open, settings: dict[str, str]) -> None:
    page = opened(link(settings))
    shown = [name for name in ASKED if page.locator(f"#fig-{name}").count()]
    assert len(shown) >= 4
    for name in shown:
        page.evaluate("name => { document.querySelector(`#fig-${name} .in-words`).open = true; }", name)
        wanted = [expected(table, settings) for table in ASKED[name].values()]
        stage.becomes(page, partial(page.evaluate, CELLS, name), wanted)


def test_headings_count_examples_where_a_network_learns_from_them(opened: Open) -> None:
    for network, thing in (("xor-2-2-1", "examples"), ("llama3-8b", "tokens")):
        page = opened(link({"network": network}))
        page.evaluate("() => { document.querySelector('#fig-window .in-words').open = true; }")
        heads = page.locator("#fig-window table.asked thead th[data-ask]")
        expect(heads).to_have_text([re.compile(f", {thing}$")] * heads.count())
        assert heads.count() > 1


THINGS = """() => [...document.querySelectorAll('table.asked :is(caption, th)')].map(part => part.textContent)
  .filter(text => /token|example|sequence/i.test(text))"""


def test_labels_captions_and_headings_say_what_the_network_counts(opened: Open) -> None:
    page = opened()
    before = page.evaluate(THINGS)
    assert {"T, tokens", "Bytes of a token"} <= set(before)
    page.evaluate("() => scenario.set({ network: 'nettalk-80', T: '4' }, 'reader')")
    after = stage.settle(page).evaluate(THINGS)
    assert {"T, examples", "Bytes of an example"} <= set(after)
    for figure in ("roofline", "bytes"):
        expect(page.locator(f"label[for={figure}-T]")).to_contain_text("Examples per weight visit, T")
    texts = page.locator("[data-things]").all_text_contents()
    assert texts
    assert not [text for text in texts if re.search("token|sequence", text, re.IGNORECASE)]
    page.evaluate("() => scenario.set({ network: 'llama3-8b', T: undefined }, 'reader')")
    assert stage.settle(page).evaluate(THINGS) == before


def test_the_cases_of_the_note_are_told_in_examples(new_page: Callable[..., Page], site: Path) -> None:
    page = new_page()
    page.goto((site / "note" / "index.html").as_uri() + link({"network": "nettalk-80", "s": "100"}))
    stage.settle(page)
    heads = page.locator("#fig-note table.asked").nth(2).locator("tbody th").all_text_contents()
    assert heads == [
        "an update after every example",
        "after 100 examples, on one device",
        "after 100 examples on each device",
        "after 6,400 examples on each device",
    ]
    widths = page.locator("#fig-note table.asked").nth(1)
    expect(widths.locator("caption")).to_have_text("(b) Tokens that a GPT layer needs on this machine, by its width")
    expect(widths.locator("thead th").nth(1)).to_have_text("to reach the balance, tokens")


def test_a_control_that_moves_nothing_for_a_network_without_tokens_is_put_away(opened: Open) -> None:
    page = opened(link({"network": "nettalk-80", "T": "4"}))
    expect(page.locator("#window-loss")).to_be_hidden()
    expect(page.locator("#window-devices")).to_be_visible()
    page.evaluate("() => scenario.set({ network: 'llama3-8b' }, 'reader')")
    stage.settle(page)
    expect(page.locator("#window-loss")).to_be_visible()


def test_micro_batches_of_a_network_without_tokens_are_counted_in_examples(opened: Open) -> None:
    page = opened(link({"network": "nettalk-80", "T": "4"}))
    select = page.locator("#capacity-sequences")
    expect(page.locator("label[for=capacity-sequences]")).to_contain_text("Examples per micro-batch")
    expect(select).to_have_value("4")
    select.select_option("16")
    assert stage.settle(page).evaluate("() => scenario.get().T") == "16"
    page.evaluate("() => scenario.set({ T: '2048' }, 'reader')")
    stage.settle(page)
    expect(select).to_have_value("2048")
    expect(select.locator("option:checked")).to_have_text("2,048")


def test_an_open_table_moves_with_the_controls(opened: Open) -> None:
    page = opened()
    near(page, "capacity")
    page.locator("#fig-capacity .in-words > summary").click()
    page.locator("#capacity-tp").select_option("8")
    wanted = [expected(ASKED["capacity"]["capacity"], {"tp": "8"})]
    stage.becomes(page, partial(page.evaluate, CELLS, "capacity"), wanted)


def test_the_tape_s_words_and_table_follow_its_own_controls(opened: Open) -> None:
    page = opened()
    near(page, "tape")
    page.locator("#fig-tape .in-words > summary").click()
    words, first = page.locator("#fig-tape .summary"), page.locator("#fig-tape .in-words tbody tr").first
    before = words.text_content() or ""
    assert before.startswith("32 layers, memory for 6. Step 32 of ")
    page.locator("#tape-L").focus()
    page.keyboard.press("Home")
    layers = page.locator("#tape-L").input_value()
    assert (words.text_content() or "").startswith(f"{layers} layer")
    assert first.locator("td").nth(2).text_content() == layers, "all of them are alive when all are stored"


# --- one announcement a change

REGIONS = """() => {
  const live = '[role=status], [role=alert], [role=log], [aria-live]:not([aria-live=off]), output:not([aria-live=off])';
  globalThis.heard = [];
  for (const region of document.querySelectorAll(live)) {
    if (region.getAttribute('aria-live') === 'off') continue;
    new MutationObserver(() => heard.push([region.id || region.className, region.textContent]))
      .observe(region, { childList: true, characterData: true, subtree: true });
  }
}"""


def heard(page: Page) -> list[list[str]]:
    """Return what live regions said since they were last asked, once nothing waits any more and they had time to."""
    stage.settle(page)
    page.wait_for_timeout(400)
    return list(page.evaluate("() => heard.splice(0)"))


def test_a_change_in_the_bar_is_announced_once_with_the_figure_in_view(opened: Open) -> None:
    page = opened()
    near(page, "roofline")
    page.evaluate(REGIONS)
    page.locator("#control-machine").select_option("a100-sxm4-80gb")
    ((region, said),) = heard(page)
    assert region == "said"
    assert "the 7B class: the step reaches the balance at " in said
    assert "where the balance asks for 153" in said


@pytest.mark.parametrize(
    ("figure", "control", "words"),
    [
        ("roofline", "#roofline-T", "memory holds it to"),
        ("bytes", "#bytes-T", "through main memory"),
        ("window", "#window-devices", "your window"),
        ("capacity", "#capacity-devices", "state and tape come to"),
    ],
)
def test_a_control_of_a_figure_is_announced_once_by_its_own_figure(
    opened: Open, figure: str, control: str, words: str
) -> None:
    page = opened()
    near(page, figure)
    page.evaluate(REGIONS)
    page.locator(control).focus()
    page.keyboard.press("Home")
    ((region, said),) = heard(page)
    assert region == "said"
    assert words in said
    assert "reaches the balance at" not in said


def test_a_mark_that_is_chosen_is_announced_once(opened: Open) -> None:
    page = opened()
    near(page, "roofline")
    page.wait_for_selector("#fig-roofline .vega-embed svg", state="visible")
    page.locator("#fig-roofline .vega-embed").focus()
    page.keyboard.press("Home")
    page.evaluate(REGIONS)
    page.keyboard.press("Enter")
    said = [words for region, words in heard(page) if region == "said"]
    assert len(said) == 1
    assert said[0].startswith("At ")


def test_another_way_of_counting_is_announced_once_and_said_below(opened: Open) -> None:
    page = opened()
    near(page, "drift")
    page.wait_for_selector("#fig-drift .vega-embed svg", state="visible")
    page.evaluate(REGIONS)
    page.locator("#drift-format").select_option("fp32")
    ((region, said),) = heard(page)
    assert region == "said"
    assert said.startswith("Counted at fp32: ")
    assert page.locator("#fig-drift .summary").text_content() == said


def test_a_step_of_the_tape_is_announced_once(opened: Open) -> None:
    page = opened()
    near(page, "tape")
    page.evaluate(REGIONS)
    page.locator("#tape-forward").click()
    ((region, said),) = heard(page)
    assert region == "said"
    assert "Step 33 of " in said


def test_dragging_says_nothing_until_it_ends(opened: Open) -> None:
    page = opened()
    near(page, "bytes")
    page.evaluate(REGIONS)
    slider = page.locator("#bytes-T")
    for value in ("9", "8", "7"):
        slider.evaluate("(one, value) => { one.value = value; one.dispatchEvent(new Event('input')); }", value)
    assert heard(page) == []
    slider.dispatch_event("change")
    assert len(heard(page)) == 1


OWN = "#v=1&machine=own&peak=3PFLOP/s&bandwidth=6TB/s"


def test_the_list_of_machines_begins_with_the_reader_s_own_and_marks_its_row(opened: Open) -> None:
    page = opened()
    near(page, "drift")
    table = page.locator("#fig-drift table.listed")
    page.locator("#fig-drift details.in-words").evaluate("one => { one.open = true; }")
    mine, marked = table.locator("tr.mine"), table.locator("tr[aria-current]")
    expect(mine).to_contain_text("yours: H100")
    expect(marked).to_have_attribute("data-id", "h100-sxm5")
    page.evaluate("() => scenario.set({ machine: 'cray-1' }, 'reader')")
    expect(mine.locator("th")).to_contain_text("Cray-1")
    expect(mine.locator("td").nth(2)).to_have_text("fp64")
    expect(mine.locator("td").nth(3)).to_have_text("160\u00a0MFLOP/s")
    expect(marked).to_have_attribute("data-id", "cray-1")
    page = opened(OWN)
    near(page, "drift")
    page.locator("#fig-drift details.in-words").evaluate("one => { one.open = true; }")
    expect(mine_of(page)).to_have_text("3\u00a0PFLOP/s")
    expect(page.locator("#fig-drift table.listed tr[aria-current]")).to_have_count(0)


def mine_of(page: Page) -> Locator:
    """Return the peak of the reader's own machine in the list under the figure of the drift."""
    return page.locator("#fig-drift tr.mine td").nth(3)


# --- named scenarios


@pytest.mark.parametrize("figure", SHOWN)
def test_each_named_scenario_is_a_link_that_sets_the_page_and_stays(opened: Open, figure: str) -> None:
    page = opened()
    near(page, figure)
    links = page.locator(f"#fig-{figure} .presets a")
    titles = links.all_text_contents()
    assert "Llama-3 405B on H100s, 2024" in titles
    assert ("NETtalk on a VAX, 1987" in titles) == (figure != "window")
    place = page.evaluate("() => scrollY")
    page.locator(f"#fig-{figure} .presets a", has_text="Llama-3 405B").click()
    expect(page.locator("#control-network")).to_have_value("llama3-405b")
    assert abs(page.evaluate("() => scrollY") - place) < 200
    expect(page.locator(f"#fig-{figure} .presets .yours")).to_have_text(["Llama-3 405B on H100s, 2024"])
    fragment = stage.settle(page).evaluate("() => location.hash")
    assert f"at=fig-{figure}" in fragment
    assert "tp=8&pp=16" in fragment


def test_a_named_scenario_is_the_reader_s_only_on_its_own_machine(opened: Open) -> None:
    """Links leave out what is default: a network and a batch alone are not the scenario that another machine reads."""
    marked = "#fig-roofline .presets .yours"
    page = opened("#v=1&network=nettalk-80&T=1")
    expect(page.locator(marked)).to_have_text(["NETtalk on an H100"])
    page.evaluate("() => scenario.set({ machine: 'cray-1' }, 'reader')")
    expect(page.locator(marked)).to_have_count(0)


def test_on_a_phone_the_named_scenarios_are_one_row(opened: Open) -> None:
    page = opened(viewport={"width": 360, "height": 740})
    near(page, "capacity")
    tops = page.locator("#fig-capacity .presets a").evaluate_all("all => all.map(one => one.offsetTop)")
    assert len(set(tops)) == 1
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


# --- a caption and its figure say the same number in the same digits

# Numbers with their units, in the caption as it is read and in the picture.
AMOUNTS = r"""name => {
  const figure = document.getElementById(`fig-${name}`);
  const unit = /(\d[\d,]*(?:\.\d+)?)\s((?:[kMGTPE]?B|million tokens|billion tokens|tokens|examples)(?![\w/]))/g;
  const found = text => [...text.replaceAll('\u00a0', ' ').matchAll(unit)]
    .map(([, number, of]) => [number.replaceAll(',', ''), of]);
  const seen = part => [...part.childNodes].filter(one => !one.hidden).map(one => one.textContent).join('');
  const read = [...figure.querySelectorAll('figcaption .claim')].filter(one => !one.hidden).map(seen);
  const drawn = [...figure.querySelectorAll('.vega-embed text')].map(one => one.textContent);
  return [found(read.join(' ')), found(drawn.join('; '))];
}"""


def digits(number: str) -> int:
    return max(2, len(number.replace(".", "").strip("0")))


def same_but_shorter(one: str, other: str) -> bool:
    """Tell whether a number is the other one with fewer digits."""
    if float(one) == float(other) or digits(one) >= digits(other):
        return False
    return float(f"{float(other):.{digits(one)}g}") == float(one)


READ: tuple[dict[str, str], ...] = (
    {},
    {"machine": "rubin", "network": "llama3-405b"},
    {"network": "gpt2-small", "devices": "1024"},
)


@pytest.mark.parametrize("name", ["window", "capacity", "bytes", "roofline"])
@pytest.mark.parametrize("settings", READ, ids=lambda one: " ".join(one.values()) or "default")
def test_a_caption_rounds_as_its_figure_does(opened: Open, name: str, settings: dict[str, str]) -> None:
    """140 GB under a bar that says 144 GB leaves a reader to wonder which two things these are."""
    page = opened(link(settings))
    near(page, name)
    page.mouse.move(5, 5)
    page.wait_for_selector(f"#fig-{name} .vega-embed svg", state="visible")
    stage.frames(stage.settle(page))
    caption, figure = page.evaluate(AMOUNTS, name)
    pairs = [(one, other) for one, of in caption if [one, of] not in figure for other, unit in figure if unit == of]
    assert [pair for pair in pairs if same_but_shorter(*pair) or same_but_shorter(*pair[::-1])] == []
