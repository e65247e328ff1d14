"""Python and the browser give the same answers: every machine, every network, every quantity, edges included."""

import itertools
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from model.book import QUANTITIES, ask
from model.bounds import BOUNDS
from model.formula import Fork, Formula
from model.records import Catalogue
from model.scenario import CHOICES, ScenarioError, Settings, base
from report.catalogue import load
from tests.browser.stage import told

KEYS = sorted(key for key, quantity in QUANTITIES.items() if isinstance(quantity, Formula | Fork))
# One token, the default, more than any run: with both forms and the choices that fork a formula.
CORNERS: tuple[Settings, ...] = (
    {"T": "1", "form": "plain"},
    {"T": "2048", "form": "l2"},
    {"T": "1048576", "form": "plain", "devices": "1", "zero": "3"},
)
ANSWERS = """([settings, keys]) => settings.map(one => {
  const base = model.baseOf(one), memo = new Map();
  return keys.map(key => { const answer = model.ask(key, base, memo); return [answer.s ? null : answer.v, answer.s]; });
})"""


@pytest.fixture(scope="module")
def rows(root: Path) -> Catalogue:
    """Return the real catalogue."""
    return load(root / "content" / "catalogue")


@pytest.fixture(scope="module")
def model_page(lasting_page: Callable[..., Page], site: Path) -> Page:
    """Open the site from disk; its model answers in the browser, and keeps nothing of what it was asked."""
    page = lasting_page()
    page.goto((site / "index.html").as_uri())
    return page


def expected(rows: Catalogue, settings: Settings) -> list[tuple[float | None, str | None]]:
    """Return Python's answers to all quantities."""
    inputs, memo = base(rows, settings), {}
    found = [ask(key, inputs, memo) for key in KEYS]
    return [(answer.value, answer.state) for answer in found]


def compare(page: Page, rows: Catalogue, asked: list[Settings]) -> list[str]:
    """Return every answer on which the two languages part."""
    said: list[list[list[Any]]] = told(page, ANSWERS, [[dict(one) for one in asked], KEYS])
    wrong = []
    for settings, answers in zip(asked, said, strict=True):
        for key, (value, state), (seen, name) in zip(KEYS, expected(rows, settings), answers, strict=True):
            near = value is not None and seen is not None and math.isclose(value, seen, rel_tol=1e-12, abs_tol=0)
            if state != name or not (near or value is seen is None):
                wrong.append(f"{key} on {settings}: Python {value} {state}, browser {seen} {name}")
    return wrong


def test_both_languages_agree_on_every_machine_and_network(model_page: Page, rows: Catalogue) -> None:
    wrong = []
    for machine in rows.machines:
        pairs = itertools.product([machine], rows.networks, CORNERS)
        asked: list[Settings] = [{"machine": one, "network": other, **corner} for one, other, corner in pairs]
        wrong += compare(model_page, rows, asked)
    assert not wrong, "\n".join(wrong[:20])


EDGES: tuple[Settings, ...] = (
    {"machine": "own", "peak": "989TFLOP/s", "bandwidth": "3.35TB/s"},
    {"machine": "own", "peak": "1 kFLOP/s", "bandwidth": "100 PB/s", "capacity": "80GiB", "fabric": "400Gb/s"},
    {"network": "own", "d": "4096", "L": "32", "gated": "1", "tied": "1", "kv_heads": "8"},
    {"network": "own", "d": "7168", "L": "61", "experts": "256", "top_k": "8", "expert_d_ff": "2048", "ep": "64"},
    {"d": "820"},
    {"d": "821"},
    {"d": "64", "L": "2", "form": "l2"},
    {"peak": "1e19FLOP/s", "form": "l2"},
    {"format": "fp4"},
    {"machine": "vax-11-780-fpa", "format": "bf16"},
    {"machine": "cray-1", "fabric": "scale_up"},
    {"network": "deepseek-v3", "T": "4096", "ep": "64"},
    {"network": "deepseek-v3", "T": "4096", "ep": "64", "zero": "2", "devices": "256", "sequences": "2", "cp": "2"},
    {"devices": "2", "tp": "8"},
    {"devices": "100", "tp": "8", "dp": "12"},
    {"policy": "inputs", "attention_counted": "0.5", "sequences": "4"},
    {"network": "nettalk-80", "keep": "0 B", "update": "accumulate"},
    {"a": "0"},
    {"loss": "0.1", "alpha_B": "0.01"},
    {"T": "1e9", "devices": "1e7", "micro_batches": "1e6", "s": "1e8", "d": "1e6", "L": "1e4"},
    {"T": "1", "devices": "1", "s": "1", "d": "1", "L": "1", "heads": "1", "vocab": "1"},
    {"fixed": "allreduce", "axis": "dp", "policy": "sqrt", "zero": "1", "devices": "1024"},
    {"axis": "pp", "pp": "16", "tp": "8", "policy": "store-all", "zero": "2"},
    {"policy": "reversible", "B_crit": "1e6", "e_B": "60 pJ/B", "e_F": "0.9 pJ/FLOP", "static_power": "60 W"},
    {"k": "16384", "tiles": "1024", "policy": "inputs", "dp": "3"},
)


def test_both_languages_agree_on_inputs_by_hand(model_page: Page, rows: Catalogue) -> None:
    wrong = compare(model_page, rows, list(EDGES))
    assert not wrong, "\n".join(wrong)


def test_the_grid_covers_every_branch_of_every_fork(rows: Catalogue) -> None:
    taken: set[tuple[str, str]] = set()
    for settings in (*EDGES, *CORNERS, *({"network": name} for name in rows.networks), *({"zero": z} for z in "0123")):
        inputs = base(rows, settings)
        forks = [quantity for quantity in QUANTITIES.values() if isinstance(quantity, Fork)]
        taken |= {(fork.key, str(inputs[fork.by.key].value)) for fork in forks if fork.by.key in inputs}
    forks = [quantity for quantity in QUANTITIES.values() if isinstance(quantity, Fork)]
    missing = {(fork.key, word) for fork in forks for word in fork.branches} - taken
    assert not missing


REFUSED: tuple[Settings, ...] = (
    {"machin": "cray-1"},
    {"machine": "cray-9"},
    {"network": "llama"},
    {"format": "bf17"},
    {"form": "L2"},
    {"machine": "own", "peak": "1 TFLOP/s"},
    {"network": "llama3-405b", "d": "4096"},
    {"peak": "989"},
    {"peak": "989 TFLOPS"},
    {"capacity": "80 Gb"},
    {"bandwidth": "3.35 TB"},
    {"devices": "1.5"},
    {"devices": "0"},
    {"T": "-1"},
    {"T": "nan"},
    {"T": "1e30"},
    {"T": "1.5"},
    {"L": "1e9"},
    {"loss": "21"},
    {"peak": "1 FLOP/s"},
    {"bandwidth": "1 EB/s"},
    {"d": "4096", "heads": "7"},
    {"heads": "32", "kv_heads": "64"},
    {"network": "llama3-8b", "kv_heads": "5"},
    {"T": "0x10"},
    {"d": "4,096"},
    {"gated": "maybe", "d": "64"},
    {"gated": "1", "network": "llama3-405b"},
    {"top_k": "2"},
    {"network": "own", "d": "64", "experts": "8", "top_k": "9"},
    {"network": "deepseek-v3", "ep": "512"},
    {"devices": "100", "tp": "8"},
    {"pp": "3"},
)


@pytest.mark.parametrize("settings", REFUSED, ids=str)
def test_both_languages_refuse_the_same(model_page: Page, rows: Catalogue, settings: Settings) -> None:
    with pytest.raises(ScenarioError) as mine:
        base(rows, settings)
    script = """one => { try { model.baseOf(one); return []; } catch (error) {
      return [error.constructor.name, error.message];
    } }"""
    name, message = model_page.evaluate(script, dict(settings))
    assert name == "Refused"
    # What would be right is said in the same words.
    right = re.search(r"the (nearest|least|most) .*", str(mine.value))
    assert not right or message.endswith(right[0])


def test_units_are_read_alike(model_page: Page) -> None:
    from model.units import WORDS, parse, unit

    texts = [f"{number} {word}" for word in WORDS for number in ("1", "3.35", "2e3")]
    script = "([text, unit]) => { try { return model.numberFor('peak', text); } catch { return null; } }"
    for text in texts:
        try:
            mine: float | None = parse(f"{text}/s", unit("FLOP/s"))
        except ValueError:
            mine = None
        seen = model_page.evaluate(script, [f"{text}/s", ""])
        if mine is not None and not BOUNDS["peak"].low <= mine <= BOUNDS["peak"].high:
            mine = None
        assert seen == mine, text


def test_the_choices_of_the_page_are_those_of_the_model(model_page: Page) -> None:
    assert model_page.evaluate("() => model.SCHEMA.choices") == {key: list(words) for key, words in CHOICES.items()}


def test_an_author_divides_by_zero_alike(model_page: Page) -> None:
    from report.asking import Reading
    from report.combining import combined

    sides = [Reading(2.0), Reading(0.0), Reading(-1.0), Reading(math.inf, "no-batch"), Reading(None, "no-price")]
    script = (
        "([sign, x, y]) => { const found = model.op(sign, model.k(...x), model.k(...y)); return [found.v, found.s]; }"
    )
    for sign, left, right in itertools.product("+-*/", sides, sides):
        mine = combined(sign, left, right)
        number, state = model_page.evaluate(script, [sign, [left.value, left.state], [right.value, right.state]])
        assert (number, state) == (mine.number, mine.state), (sign, left, right)
