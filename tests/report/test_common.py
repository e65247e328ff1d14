"""Where no edit is known, many mistakes that rest on one row stand below it."""

from __future__ import annotations

from pathlib import Path

import pytest

from report.common import MANY, common
from report.errors import Problem
from report.excerpts import Place, placed
from report.telling import telling
from tests.report.catalogues import MACHINES, lay_out

BANDWIDTH, CAPACITY, ROW = "machines/toy-1/bandwidth", "machines/toy-1/capacity", "machines/toy-1"


@pytest.fixture
def content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return lay_out(tmp_path).parent


def false(number: int, *rests: str) -> Problem:
    return Problem("content/report/a.md", number, 0, f"claim 'c{number}' is false. Rests on {rests}.", rests=rests)


def places(content: Path, problems: list[Problem]) -> list[Place]:
    return [placed(problem, content) for problem in problems]


def test_what_all_of_many_rest_on_is_named_by_field_with_its_place(content: Path) -> None:
    problems = [false(n, BANDWIDTH, f"networks/n{n}/d") for n in range(MANY)]
    ((rows, borne),) = common(places(content, problems), content)
    line = next(n for n, text in enumerate(MACHINES.splitlines(), 1) if "bandwidth:" in text)
    assert [str(row) for row in rows] == [f"bandwidth of machine 'toy-1' (content/catalogue/machines.yaml:{line})"]
    assert len(borne) == MANY


def test_what_rests_on_the_whole_row_rests_on_its_field_too(content: Path) -> None:
    problems = [false(n, BANDWIDTH if n % 2 else ROW) for n in range(MANY)]
    ((rows, borne),) = common(places(content, problems), content)
    assert [row.said for row in rows] == ["bandwidth of machine 'toy-1'"]
    assert len(borne) == MANY


def test_where_only_the_row_is_common_the_row_is_named(content: Path) -> None:
    problems = [false(n, ROW) for n in range(MANY)]
    ((rows, _),) = common(places(content, problems), content)
    assert [row.said for row in rows] == ["machine 'toy-1'"]


def test_all_that_they_have_in_common_is_named(content: Path) -> None:
    problems = [false(n, BANDWIDTH, CAPACITY) for n in range(MANY)]
    ((rows, _),) = common(places(content, problems), content)
    assert [row.said for row in rows] == ["bandwidth of machine 'toy-1'", "capacity of machine 'toy-1'"]


def test_few_are_left_as_they_are_and_so_is_what_rests_on_nothing(content: Path) -> None:
    few = [false(n, BANDWIDTH) for n in range(MANY - 1)]
    assert [rows for rows, _ in common(places(content, few), content)] == [[]]
    assert list(common([], content)) == []
    many = [*(false(n, BANDWIDTH) for n in range(MANY)), false(99), false(98, CAPACITY)]
    (first, last) = common(places(content, many), content)
    assert len(first[1]) == MANY
    assert last[0] == []
    assert {place.problem.line for place in last[1]} == {98, 99}


def test_a_row_that_is_gone_is_named_without_a_place(content: Path) -> None:
    problems = [false(n, "machines/toy-9/bandwidth") for n in range(MANY)]
    ((rows, _),) = common(places(content, problems), content)
    assert [str(row) for row in rows] == ["bandwidth of machine 'toy-9'"]


def test_the_row_heads_them_and_stands_in_the_summary(content: Path) -> None:
    problems = [*(false(n, BANDWIDTH) for n in range(1, MANY + 1)), false(99)]
    told = telling(problems, content, content / "no-site")
    where = "content/catalogue/machines.yaml:14"
    assert told.summary == f"{MANY + 1} problems, {MANY} of them rest on bandwidth of machine 'toy-1' ({where})"
    lines = told.lines()
    assert lines[0] == told.summary
    assert not [line for line in lines if "Rests on ('machines" in line]
    assert lines[2] == f"{where}:24: bandwidth of machine 'toy-1'"
    assert f"These {MANY} rest on it:" in lines
    assert "This one has another cause:" in lines
    assert "and 1 more, in short:" in lines
    assert not [line for line in told.lines(whole=True) if "in short" in line]
    alone = telling(problems[:-1], content, content / "no-site")
    assert alone.summary.startswith(f"{MANY} problems, all rest on bandwidth of machine")


def test_very_many_that_have_nothing_in_common_are_told_in_short_as_well(content: Path) -> None:
    told = telling([false(n) for n in range(1, 31)], content, content / "no-site")
    assert told.summary == "30 problems"
    assert "and 10 more, in short:" in told.lines()
    assert len(told.lines(whole=True)) == 30
