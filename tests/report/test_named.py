"""What content/site.yaml chooses: rows of tables and named scenarios, each mistake told at its line."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from model.book import ask
from model.scenario import base
from report import content, named
from report.asking import AuthorError
from report.content import Content

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def found() -> Content:
    return content.read(ROOT / "content")


@pytest.fixture
def spoilt(tmp_path: Path) -> Iterator[Callable[[str, str], list[str]]]:
    """Return a function: what is said of the settings after one change."""

    def run(old: str, new: str) -> list[str]:
        folder = Path(shutil.copytree(ROOT / "content", tmp_path / "content"))
        file = folder / "site.yaml"
        written = file.read_text(encoding="utf-8")
        assert written.count(old) >= 1
        file.write_text(written.replace(old, new, 1), encoding="utf-8")
        line = written[: written.index(old)].count("\n") + 1
        with pytest.raises(content.BuildError) as caught:
            content.read(folder)
        return [f"{problem.line - line:+d} {problem}" for problem in caught.value.problems]

    return run


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("network: gpt3-175b", "network: gpt4", ("+0", "preset 'gpt3-v100'", "unknown network 'gpt4'")),
        ("{network: gpt2-small, T: 65536", "{network: gpt2-small, T: many", ("preset 'gpt2-small-h100'", "T:")),
        ("run: palm-t3-gpt3", "run: palm-t3-gpt4", ("+0", "no run 'palm-t3-gpt4'", "palm-t3-gpt3")),
        ("title: GPT-3 on V100s, 2020", "tittle: GPT-3", ("unknown key 'tittle'", "title")),
        ("    scenario: {T: 1, devices: 1}", "    scenario: nothing", ("+0", "preset '7b-token': 'scenario' is text")),
        ("- 7b-token\n", "- 8b-token\n", ("+0", "no preset '8b-token'", "7b-token")),
        ("- warp-10", "- warp-11", ("+0", "no rate 'warp-11'", "warp-10")),
        ("  weight-visits:", "  weight-visit:", ("+0", "no table 'weight-visit'", "weight-visits")),
        ("- state-16", "- state-17", ("no constant 'state-17'",)),
        ("presets:\n", "presets: none\nother:\n", ("'presets' is not a mapping",)),
    ],
)
def test_a_wrong_choice_is_named_at_its_line(spoilt: Any, old: str, new: str, says: tuple[str, ...]) -> None:
    said = spoilt(old, new)
    assert any(all(word in line for word in says) for line in said), said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("title: Backprop", "titel: Backprop", "+0 content/site.yaml:2:1: unknown key 'titel'; did you mean 'title'?"),
        (
            "title: Backprop versus the memory wall",
            "title:",
            "+0 content/site.yaml:2:7: 'title' is empty, but text is wanted",
        ),
        ("\npresets:", "\npreset:", "unknown key 'preset'; did you mean 'presets'?"),
        ("original: https:", "original: htps:", "is no address; write https://..."),
        ("\npages:", "\npags:", "unknown key 'pags'; did you mean 'pages'?"),
        (
            "\noriginal: ",
            "\nhome: ",
            "unknown key 'home'; one of accuracy, address, original, pages, presets, tables, title",
        ),
        (
            "accuracy: {highest: 1, median: [0.5, 0.65]}",
            "",
            "the key 'accuracy' is missing; without it nothing holds the published runs to the model's ceiling; write",
        ),
        ("title: GPT-3 on V100s, 2020", "tittle: GPT-3", "unknown key 'tittle'; did you mean 'title'?"),
        (
            "    scenario: {T: 1, devices: 1}",
            "    scenarios: {T: 1}",
            "unknown key 'scenarios'; did you mean 'scenario'?",
        ),
        (
            "    scenario: {T: 1, devices: 1}",
            "  scenario: {T: 1, devices: 1}",
            "'scenario' stands beside the presets; indent",
        ),
        ("- h100-sxm5", "- H100", "there is no machine 'H100'; did you mean 'h100-"),
    ],
)
def test_one_slip_is_told_once(spoilt: Any, old: str, new: str, said: str) -> None:
    lines = spoilt(old, new)
    assert said in lines[0] + lines[-1]
    assert len(lines) == (2 if "home" in new else 1), lines  # the key that nobody means is missing as well


def test_a_table_that_is_no_list_is_refused(spoilt: Any) -> None:
    said = spoilt("  tricks:\n    - batching\n", "  tricks: batching\n  more:\n    - batching\n")
    assert any("'tricks' is not a list of tricks" in line for line in said), said


def test_a_link_spells_only_what_differs() -> None:
    assert named.fragment({"machine": "h100-sxm5", "T": "1", "devices": 64.0}) == "#v=1&T=1"
    assert named.spelled({"machine": "h100-sxm5"}) == "#v=1&machine=h100-sxm5"
    assert named.fragment({"a": "6 FLOP/(param token)"}) == "#v=1&a=6%20FLOP/(param%20token)"


def test_every_named_scenario_can_be_asked(found: Content) -> None:
    assert len(found.settings.presets) >= 11
    for preset in found.settings.presets.values():
        assert ask("beta", base(found.catalogue, preset.scenario)).value, preset.id
        assert preset.link.startswith("#v=1")


def test_a_preset_has_the_sharding_of_its_run(found: Content) -> None:
    for preset in found.settings.presets.values():
        run = found.catalogue.runs.get(preset.run)
        for key, field in (("tp", "tp"), ("pp", "pp"), ("ep", "ep"), ("devices", "devices"), ("s", "s")):
            if run and getattr(run, field) not in (None, 1):
                told = ask(key, base(found.catalogue, preset.scenario)).value
                assert told == getattr(run, field), (preset.id, key)


def test_an_unknown_preset_is_refused_by_name(found: Content) -> None:
    presets = found.settings.presets
    assert named.link(presets, "nettalk-vax") == presets["nettalk-vax"].link
    with pytest.raises(AuthorError, match="no preset 'nettalk-vaxx'") as caught:
        named.link(presets, "nettalk-vaxx")
    assert "nettalk-vax" in caught.value.hint


def test_all_that_nobody_knows_in_one_scenario_is_told(spoilt: Any) -> None:
    old = "{machine: v100-sxm2, network: gpt3-175b, T: 2048"
    said = spoilt(old, old.replace("sxm2", "sxm").replace("T:", "TT:"))
    assert len(said) == 2
    assert any("unknown machine 'v100-sxm'" in one for one in said)
    assert any("unknown key 'TT'" in one for one in said)


@pytest.mark.parametrize(
    ("changed", "messages"),
    [
        ("{netwrk: lenet-1989, T: one", ["unknown key 'netwrk'", "T: "]),
        ("{machine: v100-sxm, devices: 0, T: 0", ["unknown machine 'v100-sxm'", "devices: ", "T: "]),
        ("{netwrk: own, d: 64, heads: 7, T: 1", ["unknown key 'netwrk'"]),  # 7 heads may suit what was meant
        ("{network: gpt3-175b, d: 64, T: 1", ["give a network or its d, not both"]),
    ],
)
def test_a_value_beside_a_mistake_is_told_if_it_is_wrong_by_itself(
    spoilt: Any, changed: str, messages: list[str]
) -> None:
    said = spoilt("{machine: v100-sxm2, network: gpt3-175b, T: 2048", changed)
    assert len(said) == len(messages), said
    assert all(any(message in one for one in said) for message in messages), said
