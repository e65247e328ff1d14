"""The rows of a YAML file apart from each other: one that cannot be read hides no mistake of the others."""

from __future__ import annotations

import pytest
import yaml

from report.errors import Problem
from report.yamlgrammar import composed
from report.yamlpieces import Piece, defined, faults, pieces, unfounded, without

FILE = """\
# a remark
title: A file
rows:
  # the first
  - id: one
    text: |
      lines

      of text
  - {id: two, name: Two}

  - id: three
words:
- a
- b
last: {x: 1}
"""


def read(text: str) -> object:
    return yaml.compose(text, Loader=yaml.CSafeLoader)


def told(text: str) -> list[str]:
    return [f"{one.line}:{one.column}: {one.message}" for one in composed(text, "f.yaml").problems]


def test_pieces_are_the_entries_below_the_keys_of_a_file() -> None:
    assert list(pieces(FILE)) == [
        Piece("rows:", 4, 9),
        Piece("rows:", 9, 11),
        Piece("rows:", 11, 12),
        Piece("words:", 13, 14),
        Piece("words:", 14, 15),
    ]


def test_a_row_without_its_dash_and_one_behind_a_tab_are_pieces_too() -> None:
    assert [one[1:] for one in pieces("rows:\n  id: one\n  a: 1\n- id: two\n\tb: 2\n")] == [(1, 3), (3, 6)]


def test_places_stay_what_they_are_without_a_piece() -> None:
    left = without(FILE, [Piece("rows:", 9, 11)])
    assert len(left) == len(FILE)
    assert left.index("three") == FILE.index("three")
    assert "Two" not in left


def test_each_row_that_cannot_be_read_is_told_and_all_others_are_read() -> None:
    text = FILE.replace("Two}", "Two").replace("- id: three", '- id: "three').replace("- a", "- [a")
    assert told(text) == [
        "10:5: '{' is never closed",
        "12:9: a quotation mark without its other half",
        "14:3: '[' is never closed",
    ]
    found = composed(text, "f.yaml")
    assert found.top is not None
    rows = {key.value: value for key, value in found.top.value}["rows"]
    assert [{key.value: value.value for key, value in row.value}["id"] for row in rows.value] == ["one"]
    assert {"two", "three"} <= defined(found.lost)


ROW = """\
rows:
  - id: one
    peak: {bf16: 1
    name: One
    from: [a, b
    more:
      - x
  - id: two
    name: "Two
"""


def test_the_keys_of_a_row_that_cannot_be_read_are_told_and_the_others_are_read() -> None:
    assert told(ROW) == [
        "3:11: '{' is never closed",
        "5:11: '[' is never closed",
        "9:11: a quotation mark without its other half",
    ]
    found = composed(ROW, "f.yaml")
    assert found.top is not None
    rows = {key.value: value for key, value in found.top.value}["rows"]
    assert [[key.value for key, _ in row.value] for row in rows.value] == [["id", "name", "more"], ["id"]]
    assert found.torn == {1, 7}
    assert [one.strip() for one in found.lost] == ["peak: {bf16: 1", "from: [a, b", 'name: "Two']


def test_a_key_that_a_comma_cut_is_left_out_of_its_row() -> None:
    found = composed("rows:\n  - id: one\n    peak: {value: 3,35 TB/s}\n    name: One\n", "f.yaml")
    assert found.top is not None
    ((_, rows),) = found.top.value
    assert [key.value for key, _ in rows.value[0].value] == ["id", "name"]
    assert (len(found.problems), found.torn) == (1, {1})


def test_a_key_that_was_lost_is_not_missing() -> None:
    said = [
        *(
            "'x': the keys 'peak', 'name' and 'year' are missing",
            "the key 'peak' is missing",
            "the key 'id' is missing",
        ),
        *("preset 'x' has no year", "preset 'x' has no title", "a page has no 'peak'", "the key 'kind' is missing"),
    ]
    problems = [Problem("f.yaml", 1, 1, one) for one in said]
    lost = ["    peak: {bf16: 1\n\tkind: x", "year: {x: 2"]
    assert [one.message for one in unfounded(problems, lost)] == [
        "'x': the key 'name' is missing",
        "the key 'id' is missing",
        "preset 'x' has no title",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "title: 'A\nrows:\n  - id: one\n",  # not in a row
        "rows:\n  - id: 'one\n",  # no row is left
        "rows:\n  - id: one\n- id: two\n",  # no row by itself
        "rows:\n  one: a\n    b: 1\n  - id: two\n    c\nlast: x\n",  # what is left of two rows is no list
    ],
)
def test_a_mistake_that_is_no_rows_own_is_told_alone(text: str) -> None:
    assert not faults(text, read)
    found = composed(text, "f.yaml")
    assert found.top is None
    assert len(found.problems) == 1


def test_a_row_that_makes_no_sense_is_left_out() -> None:
    found = composed("rows:\n  - {id: one, value: 3,35 TB/s}\n  - {id: two, id: three}\n  - id: four\n", "f.yaml")
    assert found.top is not None
    assert [one.line for one in found.problems] == [2, 3]
    ((_, rows),) = found.top.value
    assert len(rows.value) == 1
    assert {"one", "two"} <= defined(found.lost)


def test_nothing_is_read_where_no_row_makes_sense() -> None:
    found = composed("rows:\n  - {id: one, value: 3,35 TB/s}\n", "f.yaml")
    assert found.top is None
    assert len(found.problems) == 1


def test_what_could_not_be_read_is_not_missed() -> None:
    said = ["there is no source 'one'", "unknown source 'two'; did you mean 'six'?", "there is no preset 'five'", "odd"]
    problems = [Problem("f.yaml", 1, 1, one) for one in said]
    assert [one.message for one in unfounded(problems, ["- {id: one, name: Two}\n  two: 3\n"])] == said[2:]
