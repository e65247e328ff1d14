"""The evidence as authors and readers meet it: the stated band, numbers for prose, tables, the figure."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from model.records import Catalogue
from model.scenario import base
from report import content, yamlgrammar
from report.accuracy import band
from report.accuracy.band import Band
from report.accuracy.book import Accuracy, accuracy
from report.accuracy.facts import FACTS
from report.accuracy.readings import WAYS
from report.accuracy.verdict import TRAITS
from report.asking import AuthorError
from report.catalogue import load
from report.errors import BuildError
from report.evidencecells import Evidence
from report.figures import accuracy as figure
from report.figures import accuracy_marks as marks
from report.tables import evidence, runs
from report.tables.table import Table
from tests.rendering import rendered
from tests.report import pictures
from tests.report.pictures import group, words

CONTENT = Path(__file__).resolve().parents[2] / "content"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load(CONTENT / "catalogue")


@pytest.fixture(scope="module")
def known(catalogue: Catalogue) -> Accuracy:
    return accuracy(catalogue)


@pytest.fixture(scope="module")
def told(known: Accuracy) -> Evidence:
    return Evidence(known)


# --- the band


def node(text: str) -> yaml.Node:
    found = yaml.compose(text, Loader=yaml.CSafeLoader)
    assert found
    return found


def stated(text: str = "{highest: 1, median: [0.4, 0.8]}") -> Band:
    found, problems = band.read(node(text), "content/site.yaml")
    assert found
    assert not problems
    return found


def test_the_site_states_a_band_and_keeps_it(known: Accuracy) -> None:
    found = content.read(CONTENT).settings.band
    assert found
    assert found.highest == 1
    assert found.low <= known.measured.median() <= found.high
    assert band.check(found, known, CONTENT) == []


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "{highest: 1}",
        "{highest: 1, median: 0.5}",
        "{highest: 1, median: [0.5]}",
        "{highest: one, median: [0.4, 0.8]}",
        "{highest: 1, median: [0.8, 0.4]}",
        "{highest: 0.5, median: [0.4, 0.8]}",
        "{highest: 1, median: [0.4, 0.8], lowest: 0}",
    ],
)
def test_what_is_no_band_is_refused(text: str) -> None:
    found, problems = band.read(node(text), "content/site.yaml")
    assert found is None
    (problem,) = problems
    assert str(problem).startswith("content/site.yaml:1:")
    assert "accuracy" in str(problem)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{highest: 1, median: [0.8, 0.4]}", "1:1: 'accuracy' is no band: the median's ends lie in order, below"),
        ("{highst: 1, median: [0.4, 0.8]}", "1:2: accuracy: unknown key 'highst'; did you mean 'highest'?"),
        ("{highest: 1}", "1:1: accuracy: the key 'median' is missing; write accuracy: {"),
        ("{highest: 1, median: 0.4-0.8}", "1:22: accuracy: the median has two ends; write accuracy: {"),
        (
            "{highest: 1, median: [40 %, 0.8]}",
            "1:23: accuracy: '40 %' is not a plain number: it is a percentage; write 0.4",
        ),
        ("[1]", "1:1: 'accuracy' is a list, but a mapping is wanted; write accuracy: {"),
    ],
)
def test_what_is_wrong_with_a_band_is_told_at_its_place(text: str, said: str) -> None:
    _, (problem,) = band.read(node(text), "content/site.yaml")
    assert str(problem).startswith(f"content/site.yaml:{said}")


def test_a_run_above_its_ceiling_is_named_at_its_row(catalogue: Catalogue) -> None:
    fast = dataclasses.replace(catalogue.runs["nanochat-d20-8xa100"], mfu=0.9)
    broken = dataclasses.replace(catalogue, runs={**catalogue.runs, fast.id: fast})
    found = band.check(stated(), Accuracy(broken), CONTENT)
    assert all(problem.broad and "machines/a100-sxm4-80gb" in problem.rests for problem in found)
    problems = [str(problem) for problem in found]
    lines = (CONTENT / "catalogue" / "runs.yaml").read_text(encoding="utf-8").split("\n")
    line = next(number for number, text in enumerate(lines, 1) if "id: nanochat-d20-8xa100," in text)
    assert len(problems) == 2, "executed, and as printed"
    for problem in problems:
        assert problem.startswith(f"content/catalogue/runs.yaml:{line}:5: run 'nanochat-d20-8xa100' beats the model: ")
        assert "under 'excluded'" in problem


def test_a_row_that_is_nowhere_is_named_without_a_line(catalogue: Catalogue, tmp_path: Path) -> None:
    folder = tmp_path / "content"
    (folder / "catalogue").mkdir(parents=True)
    (folder / "catalogue" / "runs.yaml").write_text("rows: []\n", encoding="utf-8")
    fast = dataclasses.replace(catalogue.runs["nanochat-d20-8xa100"], mfu=0.9)
    alone = dataclasses.replace(catalogue, runs={fast.id: fast})
    problems = [str(problem) for problem in band.check(stated(), Accuracy(alone), folder)]
    assert all(problem.startswith("content/catalogue/runs.yaml: run") for problem in problems[:2])


def test_a_median_outside_is_named_where_it_is_stated(known: Accuracy) -> None:
    (problem,) = band.check(stated("{highest: 1, median: [0.8, 0.9]}"), known, CONTENT)
    assert str(problem).startswith("content/site.yaml:1:1: the median of measured over ceiling is 0.5")


def test_without_runs_or_band_there_is_nothing_to_keep(catalogue: Catalogue) -> None:
    empty = Accuracy(dataclasses.replace(catalogue, runs={}))
    assert band.check(stated(), empty, CONTENT) == []
    assert band.check(None, empty, CONTENT) == []


def test_a_build_fails_when_the_model_leaves_the_band(tmp_path: Path) -> None:
    folder = tmp_path / "content"
    shutil.copytree(CONTENT, folder)
    path = folder / "catalogue" / "constants.yaml"
    top, *_ = yamlgrammar.read(path, "constants")
    assert top
    text = path.read_text(encoding="utf-8")
    start = text.index("id: activation-traffic")
    row = text[start : text.index("- id:", start)]
    path.write_text(text.replace(row, _scaled(row)), encoding="utf-8")
    with pytest.raises(BuildError) as caught:
        rendered(folder)
    said = [str(problem) for problem in caught.value.problems]
    assert any("run 'nanochat-d20-8xa100' beats the model" in problem for problem in said), said


def _scaled(row: str) -> str:
    """Return the row of the activation traffic with a value no run allows: its items, its total and its range."""
    import re

    lines = []
    for line in row.split("\n"):
        found = re.search(r"(\b(?:value|itemised_total|high): )(\d+(?:\.\d+)?)", line)
        lines.append(line.replace(found[0], f"{found[1]}{float(found[2]) * 2:g}") if found else line)
    return "\n".join(lines)


# --- numbers for prose


@pytest.mark.parametrize("name", FACTS)
def test_every_fact_has_a_value_and_says_what_it_is(told: Evidence, name: str) -> None:
    cell = told.evidence(name)
    assert cell.number is not None
    assert cell.number >= 0
    assert cell.says
    assert cell.given
    assert cell.given.status == "computed"
    assert (cell.number == int(cell.number)) or not FACTS[name].counts


def test_prose_asks_for_classes_by_name(told: Evidence, known: Accuracy) -> None:
    assert told.runs().n.number == known.measured.n
    assert told.runs("all", "printed").best.number == pytest.approx(max(known.measured.ratios("printed")))
    assert told.runs("a100").say() == "runs(a100)"
    assert told.runs("a100", "useful").say() == "runs(a100, useful)"
    for trait in TRAITS:
        for one in known.classes(trait):
            cells = told.runs(one.key)
            assert (cells.n.number, cells.median.number) == (one.n, pytest.approx(one.median()))
            assert cells.low.number is not None
            assert cells.low.number <= (cells.median.number or 0) <= (cells.high.number or 0)
    assert told.runs().beaten.text == "0"


def test_prose_asks_for_one_run(told: Evidence) -> None:
    one = told.measured("torchtitan-8b-cp1-fp8")
    assert one.ceiling.number
    assert one.ratio.number == pytest.approx((one.executed.number or 0) / one.ceiling.number)
    assert one.say() == "measured(torchtitan-8b-cp1-fp8)"
    assert one.tape.text.endswith("GB")
    assert str(one.scores.unit) == "B"
    assert one.counted.number == pytest.approx((one.state.number or 0) + (one.tape.number or 0))


def test_prose_asks_for_fits(told: Evidence) -> None:
    found = told.explained()
    assert found.say() == "explained(all)"
    assert (found.a_low.number or 0) < (found.a.number or 0) < (found.a_high.number or 0)


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda told: told.runs("a-hundred"), "no class of runs 'a-hundred'"),
        (lambda told: told.runs("a100", "exact"), "no way of reading 'exact'"),
        (lambda told: told.runs("a100").mean, "runs(a100) has no 'mean'"),
        (lambda told: told.explained("vax"), "no fit over 'vax'"),
        (lambda told: told.explained().b, "explained(all) has no 'b'"),
        (lambda told: told.evidence("poles"), "no evidence 'poles'"),
        (lambda told: told.measured("palm-540b"), "no run 'palm-540b' is set beside a ceiling"),
        (lambda told: told.measured("bloom-176b-production").roof, "has no 'roof'"),
    ],
    ids=["class", "way", "field", "fit", "part", "fact", "run", "part-of-run"],
)
def test_a_wrong_name_is_told(told: Evidence, ask: Callable[[Evidence], object], said: str) -> None:
    with pytest.raises(AuthorError, match=r".*") as caught:
        ask(told)
    assert said in caught.value.message


def test_a_private_name_is_no_number(told: Evidence) -> None:
    for cells in (told.runs(), told.explained(), told.measured("bloom-176b-production")):
        with pytest.raises(AttributeError):
            cells._hidden  # noqa: B018


# --- tables


def records(table: Table) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in table.records()}


def test_every_run_stands_in_one_of_two_tables(known: Accuracy, catalogue: Catalogue) -> None:
    with_ceiling, without = records(runs.measured_runs(known)), records(runs.unasked_runs(known))
    assert {*with_ceiling, *without} == set(catalogue.runs)
    assert not set(with_ceiling) & set(without)
    assert list(with_ceiling) == sorted(with_ceiling, key=lambda name: (-with_ceiling[name]["ratio"], name)), (
        "the nearest first"
    )
    assert without["llmc-gpt3-125m-8xa100-as-stated"]["missing"].startswith("set aside: ")
    assert without["palm-540b"]["missing"] == "the micro-batch"


def test_a_run_s_link_opens_its_own_ceiling(known: Accuracy, catalogue: Catalogue) -> None:
    from model.book import ask

    for one in known.measured.readings:
        assert one.own
        given = base(catalogue, runs.linked(one.own))
        assert ask("utilization_ceiling", given).value == pytest.approx(one.own.ceiling), one.run.id


def test_the_classes_table_holds_the_verdict(known: Accuracy) -> None:
    found = records(evidence.run_classes(known))
    assert found["all-runs"]["n"] == found["all-runs"]["held"] == known.measured.n
    assert found["machine-a100"]["median"] == pytest.approx(_class(known, "machine", "a100").median())


def _class(known: Accuracy, trait: str, key: str) -> Any:
    return next(one for one in known.classes(trait) if one.key == key)


def test_the_fit_stands_beside_what_is_assumed(known: Accuracy, catalogue: Catalogue) -> None:
    found = records(evidence.run_fits(known))
    assert found["assumed"]["a (B/(layer token))"] == catalogue.constant("a").value
    assert {one.key for one in known.fits} == set(found) - {"assumed"}


def test_memory_and_pairs_are_listed_whole(known: Accuracy) -> None:
    assert len(evidence.run_memory(known).rows) == sum(bool(one.run.peak_memory) for one in known.needs)
    assert len(evidence.run_pairs(known).rows) <= len(known.pairs)


# --- the figure


@pytest.fixture(scope="module")
def specs(catalogue: Catalogue) -> Mapping[str, dict[str, Any]]:
    return pictures.specs(figure, catalogue)


@pytest.mark.parametrize("layout", ["wide", "phone"])
@pytest.mark.parametrize("way", WAYS)
def test_every_run_of_the_class_is_drawn(
    specs: Mapping[str, dict[str, Any]], catalogue: Catalogue, known: Accuracy, layout: str, way: str
) -> None:
    some = _class(known, "machine", "tpu-v5e")
    signals = {"accuracy_class": "machine:TPU v5e", "accuracy_way": way}
    drawn = pictures.picture(specs[layout], figure.params({}, base(catalogue, {})) | signals)
    assert len(group(drawn, "accuracy_runs")) == some.n
    assert len(group(drawn, "accuracy_others")) == known.measured.n - some.n
    assert any(f"{some.n} runs" in text for text in words(drawn))
    whole = pictures.picture(specs[layout], figure.params({}, base(catalogue, {})))
    assert len(group(whole, "accuracy_runs")) == known.measured.n
    assert group(whole, "accuracy_others") == []


def test_the_reader_s_own_ceiling_is_drawn_where_there_is_one(
    specs: Mapping[str, dict[str, Any]], catalogue: Catalogue
) -> None:
    drawn = pictures.picture(specs["wide"], figure.params({}, base(catalogue, {})))
    assert "your ceiling, 83.3%" in words(drawn)
    low = {"network": "own", "d": 64.0, "L": 2.0}
    edge = pictures.picture(specs["wide"], figure.params(low, base(catalogue, low)))
    (said,) = [text for text in words(edge) if "your ceiling" in text]
    assert said == "your ceiling, 7.24%", "below the axis it stands at its end, and says so"
    assert len(group(edge, "accuracy_yours")) == 1
    old = {"machine": "vax-11-780-fpa", "format": "bf16"}
    without = pictures.picture(specs["wide"], figure.params(old, base(catalogue, old)))
    assert not [text for text in words(without) if "your ceiling" in text]


def test_lines_are_named_where_they_run_and_the_nearest_run_by_name(
    specs: Mapping[str, dict[str, Any]], catalogue: Catalogue, known: Accuracy
) -> None:
    some, signals = _class(known, "machine", "tpu-v5e"), {"accuracy_class": "machine:TPU v5e"}
    said = words(pictures.picture(specs["wide"], figure.params({}, base(catalogue, {})) | signals))
    assert {"the bound: a run at its ceiling", f"{some.n} runs; the bound holds for all"} <= set(said)
    assert f"median: {some.median():.0%} of the ceiling" in said
    assert f"nearest: {some.best().run.model}, {max(some.ratios()):.0%} of its ceiling" in said


def test_a_scenario_without_a_ceiling_says_why(specs: Mapping[str, dict[str, Any]], catalogue: Catalogue) -> None:
    old = {"machine": "vax-11-780-fpa", "network": "xor-2-2-1"}
    for layout in ("wide", "phone"):
        said = words(pictures.picture(specs[layout], figure.params(old, base(catalogue, old))))
        assert "no ceiling of yours: the weights stay in the cache" in said


def test_the_table_tells_each_class_read_each_way(catalogue: Catalogue, known: Accuracy) -> None:
    rows = {row["class"]: row for row in figure.summary(figure.rows(catalogue))}
    for way in WAYS:
        assert rows["all runs"][f"median_{way}_of_ceiling"] == pytest.approx(known.measured.median(way), abs=1e-5)
    assert (rows["all runs"]["runs"], rows["all runs"]["below_their_ceiling"]) == (known.measured.n, known.measured.n)


def test_a_fit_at_its_bound_says_so(known: Accuracy) -> None:
    """Zero is as low as the search may go: without a word it would read as a measurement."""
    at_bound = dataclasses.replace(known.fits[0], a=(0.0, 0.0, 2000.0))
    cells = evidence._fit(at_bound).cells
    texts = [part if isinstance(part, str) else part.text for cell in cells for part in cell.parts]
    assert "0, the least there can be" in texts


def test_the_axis_has_room_for_every_ceiling(catalogue: Catalogue) -> None:
    drawn = figure.rows(catalogue)
    lows = [row[f"{way}_bound"] for row in drawn.runs for way in WAYS]
    assert min(lows) > marks.LEAST


def test_classes_of_the_control_are_those_of_the_runs(catalogue: Catalogue) -> None:
    classes, ways = figure.controls(catalogue)
    named = {option["value"] for option in classes["options"]}
    assert named == {name for row in figure.rows(catalogue).runs for name in row["in"]}
    assert [option["value"] for option in ways["options"]] == list(WAYS)
    assert len(figure.summary(figure.rows(catalogue))) == len(named)
    assert {"run", "ceiling_of_peak", "executed_of_peak"} <= set(figure.data(figure.rows(catalogue))[0])


def test_evidence_of_which_there_is_none_is_an_authors_mistake(catalogue: Catalogue) -> None:
    """As where each run stands beside a copy of itself: then no two differ in their devices alone."""
    told = Evidence(Accuracy(dataclasses.replace(catalogue, runs={})))
    with pytest.raises(AuthorError, match="evidence 'bubble_missed': no runs of the catalogue bear on it"):
        told.evidence("bubble_missed")
