"""Entries whose keys lack their colons are told line by line, and read as if the colons stood there."""

from __future__ import annotations

import pytest
import yaml

from report.yamlgrammar import composed

FILE = """\
sources:
  first:
    title: A note
    rank: one
  second:
    title: Another
    rank: two
rows:
  - id: one
    name: One
    year: 1
    of: {a: 1, b: 2}
  - id: two
    name: Two
    year: 2
    of: {a: 2, b: 2}
  - id: three
    year: 3
    of: {a: 3, b: 3}
"""
# the lines that lack their colons, by their number
SLIPS = {
    "all keys of a row": (9, 10, 11),
    "all but the last": (13, 14, 15),
    "all, the last with braces": (9, 10, 11, 12),
    "every second": (9, 11, 14),
    "the last two before braces": (10, 11),
    "braces alone": (12,),
    "the first two": (9, 10),
    "all of an entry with a name": (6, 7),
    "entries here and there": (3, 4, 9, 10, 11, 12, 15, 16),
}


def without_colons(text: str, numbers: tuple[int, ...]) -> str:
    every = text.split("\n")
    for number in numbers:
        every[number - 1] = every[number - 1].replace(": ", " ", 1)
    return "\n".join(every)


def read(text: str) -> object:
    top = composed(text, "f.yaml").top
    assert top is not None
    return yaml.safe_load(yaml.serialize(top))


@pytest.mark.parametrize("numbers", SLIPS.values(), ids=SLIPS)
def test_each_line_is_told_and_all_are_read(numbers: tuple[int, ...]) -> None:
    text = without_colons(FILE, numbers)
    found = composed(text, "f.yaml").problems
    assert sorted(one.line for one in found) == list(numbers), found
    assert all("colon is missing" in one.message or "no 'key: value'" in one.message for one in found)
    assert all(text.split("\n")[one.line - 1][: one.column - 1].strip(" -") == "" for one in found)
    assert read(text) == read(FILE)


def test_an_entry_that_is_all_texts_is_told_too() -> None:
    text = without_colons(FILE.replace(", b: 2}", "}").replace("of: {a: 1}", "of: x"), (9, 10, 11, 12))
    assert sorted(one.line for one in composed(text, "f.yaml").problems) == [9, 10, 11, 12]


@pytest.mark.parametrize(
    "row",
    ["- a text", "- id", "- 'id two'", "- id two\n    nothing known", "- {id: two}", "- [id, two]", "- id two: 2"],
)
def test_no_other_text_is_taken_for_an_entry(row: str) -> None:
    found = composed(f"{FILE}  {row}\n", "f.yaml").problems
    assert not [one for one in found if "colon is missing" in one.message], found


def test_a_list_of_texts_holds_no_entries() -> None:
    assert not composed("rows:\n  - id: x\nwords:\n  - id one\n  - id two\n", "f.yaml").problems
    assert not composed("rows:\n  - id: x\nwords: [id one]\ntitle:\n  id one\n", "f.yaml").problems
