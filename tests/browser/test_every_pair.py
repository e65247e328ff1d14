"""Every figure draws every machine with every network: marks where the model has a value, nothing broken anywhere.

`make test` takes each machine with three networks and each network with three machines; with EVERY_PAIR set, as in
continuous integration and by `make pairs`, it takes all pairs. One page is told one scenario after another. What is not
looked at here, in other sizes and with more care, is in the tests of each figure: words that meet words or lines.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from report.catalogue import load
from report.figures.book import FIGURES
from tests.browser import stage

CATALOGUE = load(stage.ROOT / "content" / "catalogue")
MACHINES = ("vax-11-780-fpa", "a100-sxm4-80gb", "rubin")
NETWORKS = ("xor-2-2-1", "gpt2-small", "llama3-405b")
# Of each figure: what it shows marks of when the model has a value for it, and layers that stay inside their axes.
LOOKED_AT: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "drift": (
        "peak",
        "drift_c_yours",
        tuple(f"drift_{panel}_{layer}" for panel in "abcd" for layer in ("points", "yours")),
    ),
    "roofline": ("overlapped_ceiling", "roofline_point", ("roofline_point", "roofline_path", "roofline_reached")),
    "bytes": ("budget_use", "bytes_point", ("bytes_point", "bytes_dots", "bytes_crossing_mark")),
    "window": ("global_batch", "window_point", ("window_point", "window_path", "window_runs", "window_closing_mark")),
    "capacity": ("state_per_device", "capacity_bars", ()),
    "accuracy": ("utilization_ceiling", "accuracy_yours", ("accuracy_runs", "accuracy_others")),
    "note": (
        "operational_intensity",
        "note_dots",
        ("note_dots", "note_point", "note_floor_dots", "note_network_point"),
    ),
}


def pairs() -> Iterator[dict[str, str]]:
    """Yield the scenarios: the product of machines and networks, or the cross of a few with all others."""
    if os.environ.get("EVERY_PAIR"):
        listed = list(product(CATALOGUE.machines, CATALOGUE.networks))
    else:
        listed = [*product(CATALOGUE.machines, NETWORKS), *product(MACHINES, CATALOGUE.networks)]
    yield from ({"machine": machine, "network": network} for machine, network in dict.fromkeys(listed))


# Reads each scenario in turn; returns how many pictures it saw, and what was wrong with them. A picture that is the
# same as before (another network does not move a machine in the history) has been looked at.
WATCH = r"""async ([scenarios, figures]) => {
  const FAULT = /NaN|Infinity|undefined|\bnull\b/, YEAR = /^(19|20)\d\d$/, found = [], last = {};
  const NUMBER = /^(\d{1,3}(,\d{3})*|\d*\.\d+)( million| billion)?%?$/;
  const UNIT = /^\d+(\.\d+)? [kMGTPE]?(FLOP\/s|B\/s|B)$/;
  const drawn = mark => mark.localName !== 'path' || mark.getAttribute('d');

  function axisOf(layer) {
    let group = layer;
    while (!group.querySelector('.role-axis-domain line')) group = group.parentNode;
    return group.querySelector('.role-axis-domain line').getBoundingClientRect();
  }

  function* outside(svg, names) {
    const { top } = svg.getBoundingClientRect();
    for (const layer of names.flatMap(name => [...svg.querySelectorAll(`.${name}_marks`)])) {
      const axis = axisOf(layer);
      for (const mark of layer.children) {
        const box = mark.getBoundingClientRect(), x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
        const within = x >= axis.left - 1 && x <= axis.right + 1 && y <= axis.bottom + 1 && y >= top;
        if (!within) yield `${layer.getAttribute('class').split(' ').pop()} outside the axes`;
      }
    }
  }

  function* ticks(svg, name) {
    const labels = [...svg.querySelectorAll('.role-axis-label text')].map(({ textContent }) => textContent.trim());
    const years = labels.filter(label => YEAR.test(label));
    if ((name === 'drift') !== years.length > 0) yield `${years.length} years`;
    for (const label of labels) {
      if (label && !years.includes(label) && !NUMBER.test(label) && !UNIT.test(label)) yield `tick ${label}`;
    }
  }

  function* faults(svg, text, name, [asks, layer, inside], ask) {
    if (FAULT.test(text)) yield text.match(/.{60}(NaN|Infinity|undefined|\bnull\b).{20}/)[0];
    if (!svg.querySelector('[class*=role-mark] > :is(path, line, text, rect)')) yield 'no marks';
    const { v } = ask(asks), marks = [...svg.querySelectorAll(`.${layer}_marks > *`)].filter(drawn).length;
    if ((marks > 0) !== (v !== null)) yield `${marks} marks of ${layer} where ${asks} is ${v}`;
    yield* outside(svg, inside);
    yield* ticks(svg, name);
  }

  let seen = 0;
  for (const scenario of scenarios) {
    await read(scenario);
    const base = model.baseOf(scenario), memo = new Map(), ask = key => model.ask(key, base, memo);
    for (const [name, looked] of Object.entries(figures)) {
      const svg = document.querySelector(`#fig-${name} .vega-embed svg`), text = svg.outerHTML;
      seen += 1;
      if (text === last[name]) continue;
      last[name] = text;
      const wrong = [...new Set(faults(svg, text, name, looked, ask))];
      if (wrong.length) found.push([name, ...Object.values(scenario), ...wrong].join(' | '));
    }
  }
  return [seen, found];
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a page with all figures that follow the scenario."""
    where = tmp_path_factory.mktemp("pairs")
    stage.write(where, {name: FIGURES[name] for name in LOOKED_AT}, CATALOGUE)
    return where


@pytest.fixture
def shown(new_page: Callable[..., Page], folder: Path) -> Page:
    """Open that page, every figure live."""
    page = new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    return stage.show(page, folder, tuple(LOOKED_AT))


def test_all_figures_that_follow_the_scenario_are_looked_at() -> None:
    assert set(LOOKED_AT) == {name for name, module in FIGURES.items() if module.SIGNALS}


def test_no_machine_with_any_network_breaks_a_figure(shown: Page) -> None:
    asked = list(pairs())
    seen, wrong = 0, []
    for start in range(0, len(asked), 100):
        more, found = shown.evaluate(WATCH, [asked[start : start + 100], LOOKED_AT])
        seen, wrong = seen + more, wrong + found
    assert seen == len(asked) * len(LOOKED_AT)
    assert not wrong, f"{len(wrong)} pictures of {seen}:\n" + "\n".join(wrong[:20])


def test_the_watch_sees_what_it_is_there_for(shown: Page) -> None:
    """A broken word, a tick without a unit, a grouped year, a missing point and one off the axes are all found."""
    spoil: dict[str, Any] = {
        "roofline": "svg.querySelector('.roofline_point_marks > *').setAttribute('transform', 'translate(-400,10)')",
        "bytes": "svg.querySelector('.bytes_point_marks > *').remove()",
        "window": "svg.querySelector('.role-axis-label text').textContent = '1G'",
        "drift": "svg.querySelectorAll('.role-axis-label text').forEach(one => { one.textContent = '1,980'; })",
        "note": "svg.querySelector('text').textContent = 'undefined'",
        "capacity": "svg.querySelectorAll('[class*=role-mark]').forEach(one => one.replaceChildren())",
    }
    told = {"roofline": "outside", "bytes": "0 marks", "window": "tick 1G", "drift": "0 years", "note": "undefined"}
    for name, change in spoil.items():
        script = f"() => {{ const svg = document.querySelector('#fig-{name} .vega-embed svg'); {change}; }}"
        shown.evaluate(script)
    still = WATCH.replace("await read(scenario);", "")
    _, wrong = shown.evaluate(still, [[{}], LOOKED_AT])
    for name, words in {**told, "capacity": "no marks"}.items():
        assert any(one.startswith(name) and words in one for one in wrong), (name, wrong)
