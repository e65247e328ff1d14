"""A row or a work that many mistakes name and that there is not stands once above them, with what became of it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from report.errors import Near, Problem
from report.telling import telling
from tests.report.catalogues import lay_out

ROWS = "rows:\n  - id: one\n  - id: {}\n  - id: three\n"


@pytest.fixture
def content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return lay_out(tmp_path).parent


def site(folder: Path, **kinds: list[str]) -> Path:
    """Lay out a good site that knew rows and works by name."""
    (folder / "site" / "data").mkdir(parents=True)
    for kind, names in kinds.items():
        (folder / "site" / "data" / f"{kind}.json").write_text(json.dumps({kind: {name: {} for name in names}}))
    return folder / "site"


def missing(number: int, name: str = "two", kind: str = "network") -> list[Problem]:
    return [
        Problem("content/report/a.md", line, 3, f"there is no {kind} '{name}'", "did you mean 'three'?")
        for line in range(1, number + 1)
    ]


def test_a_row_with_the_same_neighbour_was_renamed(content: Path, tmp_path: Path) -> None:
    (content / "catalogue" / "networks.yaml").write_text(ROWS.format("zwei"), encoding="utf-8")
    other = Problem("content/report/b.md", 1, 1, "a comma is missing")
    run = Problem("content/catalogue/runs.yaml", 9, 9, "run 'r': there is no network 'two'")
    told = telling([*missing(2), run, other], content, site(tmp_path, networks=["one", "two", "three"]))
    said = "network 'two' is now 'zwei'"
    assert told.summary == f"4 problems, 3 of them for one name: {said} (content/catalogue/networks.yaml:3)"
    assert told.lines() == [
        told.summary,
        "",
        f"content/catalogue/networks.yaml:3:9: {said}",
        "    3 |   - id: zwei",
        "      |         ^^^^",
        "These 3 name 'two':",
        "content/catalogue/runs.yaml:9:9: run 'r': there is no network 'two'",
        "content/report/a.md:1:3: there is no network 'two'",
        "content/report/a.md:2:3: there is no network 'two'",
        "",
        "This one has another cause:",
        "content/report/b.md:1:1: a comma is missing",
    ]


def test_a_row_that_was_given_the_name_of_another_is_found(content: Path, tmp_path: Path) -> None:
    (content / "catalogue" / "networks.yaml").write_text(ROWS.format("three"), encoding="utf-8")
    told = telling(missing(2), content, site(tmp_path, networks=["one", "two", "three"]))
    assert told.lines()[2:5] == [
        "content/catalogue/networks.yaml:3:9: network 'two' is now 'three'",
        "    3 |   - id: three",
        "      |         ^^^^^",
    ]


def test_a_new_name_that_another_row_has_is_told_once(content: Path, tmp_path: Path) -> None:
    (content / "catalogue" / "networks.yaml").write_text(ROWS.format("three"), encoding="utf-8")
    path = "content/catalogue/networks.yaml"
    twice = Problem(path, 3, 9, "network 'three' stands twice, first in line 4", near=Near.whole("three"))
    elsewhere = Problem(path, 2, 9, "network 'one' stands twice, first in line 1")
    told = telling([*missing(2), twice, elsewhere], content, site(tmp_path, networks=["one", "two", "three"]))
    said = "network 'two' is now 'three', which stands twice, first in line 4"
    assert told.summary == f"3 problems, 2 of them for one name: {said} ({path}:3)"
    assert f"{path}:3:9: {said}" in told.lines()
    assert "This one has another cause:" in told.lines()


def test_a_row_that_nothing_stands_for_is_gone(content: Path, tmp_path: Path) -> None:
    (content / "catalogue" / "networks.yaml").write_text("rows:\n  - id: one\n  - id: three\n", encoding="utf-8")
    told = telling(missing(2), content, site(tmp_path, networks=["one", "two", "three"]))
    said = "network 'two' is gone since the last good site"
    assert told.summary == f"2 problems, all for one name: {said} (content/catalogue/networks.yaml)"
    assert told.lines()[2] == f"content/catalogue/networks.yaml: {said}"


def test_a_row_elsewhere_in_the_file_is_not_taken_for_a_new_name(content: Path, tmp_path: Path) -> None:
    rows = "rows:\n  - id: new\n  - id: one\n  - id: three\n"
    (content / "catalogue" / "networks.yaml").write_text(rows, encoding="utf-8")
    told = telling(missing(2), content, site(tmp_path, networks=["one", "two", "three"]))
    assert "'two' is gone" in told.summary


def test_a_work_is_looked_for_in_the_bibliography(content: Path, tmp_path: Path) -> None:
    (content / "references.bib").write_text("@misc{a1,\n}\n@book{b22,\n}\n", encoding="utf-8")
    problems = [*missing(1, "b2", "reference"), *missing(1, "b2", "source")]
    told = telling(problems, content, site(tmp_path, references=["a1", "b2"]))
    assert told.summary.endswith("reference 'b2' is now 'b22' (content/references.bib:3)")
    assert "content/references.bib:3:7: reference 'b2' is now 'b22'" in told.lines()


def test_a_row_that_is_a_source_is_the_row(content: Path, tmp_path: Path) -> None:
    problems = [*missing(1), *missing(1, "networks/two", "source")]
    told = telling(problems, content, site(tmp_path, networks=["two"]))
    assert told.summary.startswith("2 problems, all for one name: network 'two' is gone")


def test_without_a_good_site_it_takes_more_to_blame_one_name(content: Path, tmp_path: Path) -> None:
    assert telling(missing(2), content, tmp_path / "none").summary == "2 problems"
    told = telling(missing(3), content, tmp_path / "none")
    assert told.summary == "3 problems, all for one name: there is no network 'two'; did you mean 'three'?"
    assert told.lines()[2:5] == [
        "there is no network 'two'; did you mean 'three'?",
        "These 3 name 'two':",
        "content/report/a.md:1:3: there is no network 'two'",
    ]


def test_one_place_is_left_as_it_is(content: Path, tmp_path: Path) -> None:
    told = telling(missing(1), content, site(tmp_path, networks=["two"]))
    assert told.lines() == ["content/report/a.md:1:3: there is no network 'two'; did you mean 'three'?"]


def test_very_many_are_told_by_place_alone(content: Path, tmp_path: Path) -> None:
    run = Problem("content/catalogue/runs.yaml", 9, 9, "run 'r': there is no network 'two'")
    text = [replace(one, message="unknown network 'two'") for one in missing(60)]
    told = telling([*text, run], content, tmp_path / "none")
    assert any(line.startswith("  content/report/a.md, ") and "network" not in line for line in told.lines())


def test_a_source_of_one_row_is_no_work(content: Path, tmp_path: Path) -> None:
    problems = [Problem("content/catalogue/runs.yaml", n, 1, f"run 'r{n}': unknown source 's1'") for n in range(1, 5)]
    assert telling(problems, content, tmp_path / "none").summary == "4 problems"


def test_many_of_one_kind_are_one_cause(content: Path, tmp_path: Path) -> None:
    (content / "catalogue" / "networks.yaml").write_text("rows:\n  - id: one\n", encoding="utf-8")
    before = ["one", *"abcdef"]
    problems = [*missing(3, "b"), *(one for name in "acdef" for one in missing(2, name)), *missing(1, "g")]
    told = telling(problems, content, site(tmp_path, networks=before))
    said = "6 networks that are named are gone since the last good site: 'b', 'a', 'c', 'd' and 2 more"
    said += "; was a part of content/catalogue/networks.yaml taken away?"
    assert told.summary == f"14 problems, 13 of them as {said}"
    lines = told.lines()
    assert lines[2:5] == [said, "These 13 name them:", "content/report/a.md:1:3: there is no network 'a'"]
    assert lines[-1] == "content/report/a.md:1:3: there is no network 'g'; did you mean 'three'?"


def test_very_many_of_one_kind_are_told_by_place_alone(content: Path, tmp_path: Path) -> None:
    told = telling([one for name in "abcdef" for one in missing(9, name)], content, tmp_path / "none")
    assert "6 networks that are named are gone: 'a', 'b', 'c', 'd' and 2 more" in told.summary
    (line,) = [line for line in told.lines() if line.startswith("  content/report/a.md, ")]
    assert "network" not in line


def test_a_renamed_row_is_told_apart_from_those_that_are_gone(content: Path, tmp_path: Path) -> None:
    (content / "catalogue" / "networks.yaml").write_text(ROWS.format("zwei"), encoding="utf-8")
    problems = [one for name in ("two", *"abcd") for one in missing(2, name)]
    told = telling(problems, content, site(tmp_path, networks=["one", "two", "three", *"abcd"]))
    assert "network 'two' is now 'zwei'" in told.summary
    assert "4 networks that are named are gone since the last good site" in told.summary


def test_a_word_that_prose_uses_in_vain_stands_once_above_its_uses(content: Path, tmp_path: Path) -> None:
    uses = [Problem("content/report/a.md", n, 1, "unknown name 'twice'", "did you mean 'thrice'?") for n in range(1, 4)]
    counts = [Problem("content/report/b.md", n, 1, "count: unknown word 'token'") for n in range(1, 4)]
    kinds = [Problem("content/report/c.md", n, 1, f"machine 'm{n}': unknown word 'gpuu'") for n in range(1, 4)]
    lines = telling([*uses, *counts, *kinds], content, tmp_path / "none").lines()
    assert lines[2:5] == [
        "there is no name 'twice'; did you mean 'thrice'?",
        "These 3 name 'twice':",
        "content/report/a.md:1:1: there is no name 'twice'",
    ]
    assert "there is no word 'token'" in lines
    many = [replace(counts[0], line=n) for n in range(1, 60)]
    assert any(
        re.match(r"  content/report/b.md, \d+: 6:1, 7:1,", one) for one in telling(many, content, tmp_path).lines()
    )
    assert "content/report/c.md:1:1: machine 'm1': unknown word 'gpuu'" in lines
