"""The rows of a YAML file apart from each other: one that cannot be read hides no mistake of the others."""

from __future__ import annotations

import pytest

from report.errors import Problem
from report.yamlgrammar import composed
from report.yamlpieces import Piece, defined, pieces, unfounded, without

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


def told(text: str) -> list[str]:
    return [f"{one.line}:{one.column}: {one.message}" for one in composed(text, "f.yaml").problems]


def held(text: str) -> dict[str, list[tuple[int, int]]]:
    """Return the lines of what each key of a file holds."""
    return {text.split("\n")[key.start]: [one[1:3] for one in pieces(text, key)] for key in pieces(text)}


def test_pieces_are_the_keys_of_a_file_and_the_entries_below_them() -> None:
    assert list(pieces(FILE)) == [Piece("", 1, 2), Piece("", 2, 12), Piece("", 12, 15), Piece("", 15, 17)]
    assert held(FILE) == {
        "title: A file": [],
        "rows:": [(4, 9), (9, 11), (11, 12)],
        "words:": [(13, 14), (14, 15)],
        "last: {x: 1}": [],
    }


def test_a_row_without_its_dash_and_one_behind_a_tab_are_pieces_too() -> None:
    assert held("rows:\n  id: one\n  a: 1\n- id: two\n\tb: 2\n") == {"rows:": [(1, 3), (3, 6)]}


def test_a_list_as_deep_as_its_key_is_one_piece_with_it() -> None:
    text = "rows:\n- id: one\n  of:\n  - a\n  - b\n  x: 1\n- id: two\n"
    (key,) = pieces(text)
    row, _ = pieces(text, key)
    assert [one[1:3] for one in pieces(text, row)] == [(2, 5), (5, 6)]


def test_a_key_without_its_colon_is_a_piece_by_itself() -> None:
    text = "rows  # all\n  - id: one\n    peak\n      x: 1\n"
    key, row = pieces(text)
    assert key == Piece("", 0, 1, instead="rows:")
    assert row == Piece("\nrows:", 1, 5)
    assert list(pieces(text, row)) == [
        Piece("\nrows:\n  - id: one", 2, 3, instead="    peak:"),
        Piece("\nrows:\n  - id: one\n    peak:", 3, 5),
    ]


def test_places_stay_what_they_are_without_a_piece() -> None:
    left = without(FILE, [Piece("rows:", 9, 11)])
    assert len(left) == len(FILE)
    assert left.index("three") == FILE.index("three")
    assert "Two" not in left


def test_each_row_that_cannot_be_read_is_told_and_all_others_are_read() -> None:
    text = FILE.replace("Two}", "Two,").replace("- id: three", '- id: "three').replace("- a", "- [a")
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
    peak: {bf16: 1,
    name: One
    from: [a, b,
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
    assert [one.strip() for one in found.lost] == ["peak: {bf16: 1,", "from: [a, b,", 'name: "Two']


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


def test_a_key_that_was_lost_behind_others_in_its_line_is_not_missing() -> None:
    problems = [Problem("f.yaml", 1, 1, f"the key '{key}' is missing") for key in ("status", "of", "low", "in")]
    lost = ["     rate: 24.6 TFLOP/s; status: verified, at: {low: 1}, from: [x], of: {a: 1, in: 2"]
    assert [one.message for one in unfounded(problems, lost)] == ["the key 'low' is missing", "the key 'in' is missing"]


@pytest.mark.parametrize(
    ("text", "mistakes"),
    [
        ("title: 'A\nrows:\n  - id: [one\n", ["1:8: a quotation mark", "3:9: '[' is never closed"]),
        ("rows:\n  - id: 'one\nlast: {x\n", ["2:9: a quotation mark", "3:7: '{' is never closed"]),  # nothing is left
        ("title 'A'\nlast: {x\nrows:\n  - a\n", ["1:1: a line that is no", "2:7: '{' is never closed"]),
        ("a:\n  b x\n  c: 'd\n", ["2:3: a line that is no", "3:6: a quotation mark"]),
        ("a: [x\n", ["1:4: '[' is never closed"]),
        ("a\n- b: 'x\n", ["1:1: a colon is missing behind 'a'", "2:6: a quotation mark"]),
        (
            "rows\n  - id: one\n    peak\n      w: 1\n      x: [a\n      y: 'b\n    of:\n    - c\n    - [d\n    z: {e",
            [
                *("1:1: a colon is missing behind 'rows'", "3:5: a colon is missing behind 'peak'"),
                *("5:10: '[' is never", "6:10: a quotation mark", "9:7: '[' is never", "10:8: '{' is never"),
            ],
        ),
        (
            "rows:\n  one: 'a\n  - id: two\n    c\nlast: x\n",  # what is left of two rows is no list
            ["2:8: a quotation mark", "4:5: a line that is no"],
        ),
    ],
)
def test_every_mistake_of_a_file_is_told_wherever_it_stands(text: str, mistakes: list[str]) -> None:
    found = sorted(told(text))
    assert [one[: len(other)] for one, other in zip(found, sorted(mistakes), strict=True)] == sorted(mistakes)


def test_a_key_with_nothing_left_below_it_goes_with_what_it_held() -> None:
    found = composed("title: x\nrows:\n  - id: one\n    peak:\n      x: [1,\n      y: {2\n    of: 3\n", "f.yaml")
    assert len(found.problems) == 2
    assert found.top is not None
    rows = {key.value: value for key, value in found.top.value}["rows"]
    assert [key.value for key, _ in rows.value[0].value] == ["id", "of"]
    assert found.torn == {2}
    assert set(found.lost) == {"    peak:\n      x: [1,\n      y: {2"}


@pytest.mark.parametrize(
    "text",
    [
        "a: b: c\n",
        "\r{{",  # YAML counts one line more than an editor
    ],
)
def test_a_mistake_that_is_no_pieces_own_is_told_alone(text: str) -> None:
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
