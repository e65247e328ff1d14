"""A line that was moved, or lost its dash, bar or blank, is told once, and all else is read as if it stood right."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest
import yaml

from report.asmeant import AsMeant
from report.errors import Problem
from report.yamlgrammar import composed

FILE = """\
title: A file
rows:
  - id: one
    name: One
    year: 1
    peak:
      low: 1
      high: 2
      mean: 3
    of: {a: 1}
    kind: x
  - id: two
    name: Two
    says: |
      Some words: and more
      of them, and some more of others.
    year: 2
    peak: {low: 4}
    kind: y
"""
WHOLE = FILE[FILE.index("  - id: two") :]  # a row
KEYS = WHOLE.partition("\n")[2]
# the line that is spoilt, how -> the line and column that are told, and what is said
SLIPS = {
    "a first key too deep": ("    name: One", "     name: One", "4:6", "indented deeper"),
    "a key too deep": ("    kind: x", "     kind: x", "11:6", "begins in column 6"),
    "a key below a text too deep": ("    year: 2", "     year: 2", "17:6", "begins in column 6"),
    "a key too shallow": ("    year: 1", "   year: 1", "5:4", "begins in column 4, where nothing above it does"),
    "a key below the dash": ("    year: 1", "  year: 1", "5:3", "begins in column 3"),
    "a key in the first column": (
        "    year: 1",
        "year: 1",
        "5:1",
        "in column 1, and what belongs beside it in column 5",
    ),
    "a last key too shallow": ("    kind: y", "   kind: y", "19:4", "begins in column 4"),
    "a key that holds others too deep": ("    peak:\n", "     peak:\n", "6:6", "indented deeper"),
    "a key that holds others too shallow": ("    peak:\n", "   peak:\n", "6:4", "begins in column 4"),
    "a key that holds others in the first column": (
        "    peak:\n",
        "peak:\n",
        "6:1",
        "what belongs beside it in column 5",
    ),
    "a first key that is held too shallow": (
        "      low: 1",
        "     low: 1",
        "7:6",
        "what belongs beside it in column 7",
    ),
    "a first key that is held too deep": ("      low: 1", "       low: 1", "7:8", "what belongs beside it in column 7"),
    "a key that is held too deep": ("      mean: 3", "        mean: 3", "9:9", "indented deeper"),
    "a key that is held too shallow": ("      mean: 3", "     mean: 3", "9:6", "begins in column 6"),
    "all keys of a row too deep": (KEYS, indent(KEYS, " "), "13:6", "indented deeper"),
    "a first row without dash": ("  - id: one", "  id: one", "3:3", "a row begins here without its '-'"),
    "blanks for a first dash": ("  - id: one", "    id: one", "3:5", "a row begins here without its '-'"),
    "a row without dash": ("  - id: two", "  id: two", "12:3", "a row begins here without its '-'"),
    "blanks for a dash": ("  - id: two", "    id: two", "12:5", "the key 'id' stands twice, first in line 3"),
    "a dash too deep": ("  - id: two", "   - id: two", "12:4", "a '-' that stands below no other"),
    "a dash in the first column": ("  - id: two", "- id: two", "12:1", "a '-' that stands below no other"),
    "a row too deep": (WHOLE, indent(WHOLE, " "), "12:4", "a '-' that stands below no other"),
    "a dash too many": ("    of:", "    - of:", "10:5", "a '-' among the keys of a row"),
    "a dash that touches": ("  - id: two", "  -id: two", "12:3", "a blank is missing behind '-'"),
    "a colon that touches": ("    year: 1", "    year:1", "5:9", "a blank is missing after the colon"),
    "no colon above others": ("    peak:\n", "    peak\n", "6:5", "a colon is missing behind 'peak'"),
    "no brace": ("{a: 1}", "{a: 1", "10:9", "'{' is never closed"),
    "no comma": ("{low: 4}", "{low: 4 high: 5}", "18:19", "a comma is missing before 'high'"),
    "a semicolon": ("{low: 4}", "{low: 4; high: 5}", "18:18", "a semicolon where a comma belongs"),
    "no bracket": ("    kind: x", "    kind: [x", "11:11", "'[' is never closed"),
    "no bracket before a brace": ("{a: 1}", "{a: [1}", "10:15", "'}' stands where '[' of column 13 is still open"),
    "a bracket too many": ("{a: 1}", "{a: [1]]}", "10:16", "']' stands where '{' of column 9 is still open"),
    "no bar": ("    says: |", "    says:", "14:5", "a text of several lines, one of them with a colon"),
}


def told(text: str) -> list[str]:
    return sorted(f"{one.line}:{one.column}: {one.message}" for one in composed(text, "f.yaml").problems)


def read(text: str) -> object:
    """Return what a text is read as, without what it says of itself."""
    top = composed(text, "f.yaml").top
    assert top is not None
    return yaml.safe_load(yaml.serialize(top))


@pytest.mark.parametrize(("old", "new", "at", "said"), SLIPS.values(), ids=SLIPS)
def test_a_file_is_read_as_its_line_was_meant(old: str, new: str, at: str, said: str) -> None:
    assert FILE.count(old) == 1
    text = FILE.replace(old, new)
    (one,) = told(text)
    assert one.startswith(f"{at}: ")
    assert said in one
    right = {"high: 5": FILE.replace("low: 4", "low: 4, high: 5"), "[x": FILE.replace(": x", ": [x]")}
    right["[1"] = FILE.replace("a: 1", "a: [1]")
    assert read(text) == read(next((whole for part, whole in right.items() if part in new), FILE))


@pytest.mark.parametrize(("old", "new", "at"), [slip[:3] for slip in SLIPS.values()], ids=SLIPS)
def test_it_hides_no_other_slip_of_its_row(old: str, new: str, at: str) -> None:
    text = FILE.replace(old, new)
    for other, slip, what in (
        ("{a: 1}", "{a: 1", "'{' is never closed"),
        ("name: Two", "name: 'T", "a quotation mark"),
    ):
        if other not in old:
            both = told(text.replace(other, slip))
            row = next(row for row, line in enumerate(text.split("\n"), 1) if other in line)
            assert len(both) == 2
            assert any(one.startswith(f"{at}: ") for one in both), both
            assert any(one.startswith(f"{row}:") and what in one for one in both), both


def test_two_slips_within_one_pair_of_braces_are_both_told() -> None:
    both = told(FILE.replace("{low: 4}", "{low: 4, low: 5 high: 6}"))
    assert [one.partition(",")[0] for one in both] == [
        "18:20: the key 'low' stands twice",
        "18:27: a comma is missing before 'high'",
    ]
    assert "18:28: the key 'high' stands twice, first in line 18" in told(FILE.replace("4}", "4 high: 5, high: 6}"))
    assert len(told(FILE.replace("{low: 4}", "{low: 4, low: [5}"))) == 2
    assert len(told(FILE.replace("{low: 4}", "{low: 4, low: 5"))) == 2


def test_no_comma_is_put_before_a_word_that_is_no_key_elsewhere() -> None:
    found = composed(FILE.replace("{low: 4}", "{low: 4 nope: 5}"), "f.yaml")
    assert [one.message for one in found.problems] == ["a comma is missing before 'nope'"]
    assert found.lost == ("    peak: {low: 4 nope: 5}",)


def test_two_slips_right_below_each_other_are_both_told() -> None:
    for slip in ("[1", "'One", "@", "a: b", "{1"):
        both = told(FILE.replace("name: One\n    year", f"name: {slip}\n     year"))
        assert [one.partition(" ")[0] for one in both][1:] == ["5:6:"]
        assert both[0].startswith("4:")
        assert len(both) == 2
    found = composed(FILE.replace("name: One\n    year", "name: [1\n     year"), "f.yaml")
    assert (found.lost, found.torn) == (("    name: [1",), {2})


def test_what_is_told_of_a_line_that_was_moved_is_told_where_it_stands() -> None:
    text = FILE.replace("    kind: x", "     kind: [x}").replace("    kind: y", "   kind: {q: 1, q: 2}")
    assert told(text)[:2] == [
        "11:14: '}' stands where '[' of column 12 is still open",
        "11:6: the line begins in column 6, where nothing above it does",
    ]
    assert "19:17: the key 'q' stands twice, first in line 19" in told(text)
    found = composed(FILE.replace("    name: One", "     name: One").replace("  - id: two", "  id: two"), "f.yaml")
    assert found.top is not None
    one, two = {key.value: value for key, value in found.top.value}["rows"].value
    (_, name), (_, key) = one.value[1], two.value[0]
    assert (name.start_mark.line, name.start_mark.column, key.start_mark.column) == (3, 11, 6)
    text = FILE.replace("    name: One", "     name: One").replace("  - id: two", "  id: two")
    assert [text[node.start_mark.index : node.end_mark.index] for node in (name, key)] == ["One", "two"]


def test_a_line_that_fits_nowhere_is_no_more_than_told() -> None:
    for text in ("a: b: c\n", "rows:\n  x: 1\n  - id: 2\n"):
        assert len(told(text)) == 1
        assert composed(text, "f.yaml").top is None


def test_places_of_a_text_as_it_was_meant_are_found_in_the_text() -> None:
    back = AsMeant("a:1\n  b: 2\n  c\n", {0: "a: 1", 1: "b: 2", 2: "  c: |"})
    assert back.whole == "a: 1\nb: 2\n  c: |\n"
    problems = [
        Problem("f", line, column, "x of column 4") for line, column in ((1, 1), (1, 4), (2, 1), (3, 6), (4, 1))
    ]
    problems.append(Problem("f", 0, 0, "x"))
    found = [(one.line, one.column, one.message[-1]) for one in back.placed(problems)]
    assert found == [(1, 1, "3"), (1, 3, "3"), (2, 3, "6"), (3, 4, "4"), (4, 1, "4"), (0, 0, "x")]


def test_the_first_of_several_keys_is_known_as_the_one_that_moved() -> None:
    text = "words:\n" + "".join(f"  {word}: {{of: {word}, at: 1}}\n" for word in ("one", "two", "three", "four"))
    moved = text.replace("  one: ", " one: ")
    assert [one[:3] for one in told(moved)] == ["2:2"]
    assert [one[:3] for one in told(moved.replace("three: ", "three: '"))] == ["2:2", "4:1"]


def test_a_row_that_begins_with_another_key_than_id_is_known_without_its_dash() -> None:
    text = "entries:\n- what: One\n  who: A\n- what: Two\n  who: B\n  at: {a: 1}\n"
    assert told(text.replace("- what: Two", "what: Two")) == ["4:1: a row begins here without its '-'"]


@pytest.mark.parametrize("lead", ["  ", "    "])
def test_a_row_in_braces_is_known_without_its_dash(lead: str) -> None:
    text = f"rows:\n  - {{id: one, of: 1}}\n{lead}{{id: two, of: 2,\n     at: 3}}\n  - {{id: three, of: 1}}\n"
    assert told(text) == ["3:3: a row begins here without its '-'"]


def test_a_key_of_several_words_is_one_beside_a_slip(root: Path) -> None:
    every = (root / "content" / "vocabulary.yaml").read_text(encoding="utf-8").split("\n")
    row = next(row for row, line in enumerate(every) if line.startswith("  tile: "))
    assert any(line.startswith("  FLOP per byte: ") for line in every)
    text = "\n".join([*every[: row + 1], "  - some", *every[row + 1 :]])
    assert told(text) == [f"{row + 2}:3: a '-' among the keys of a row"]


def test_the_last_word_of_a_text_is_no_key() -> None:
    text = "rows:\n  one:\n    says: |\n      A text of\n      words.\n    of: {a: 1}\n"
    assert told(text.replace("      words.", "    words.")) == ["5:5: a line that is no 'key: value'"]


def row(key: str, *lines: str) -> str:
    return f"  {key}:\n" + "".join(f"    {line}\n" for line in lines)


@pytest.mark.parametrize(
    ("lines", "at"),
    [
        (("title One", "of:\t- {a: 1}"), ["6:5", "7:9"]),  # both keys of an entry, of which one would be no text
        (("title: One", "- some", "of: {a: 1}"), ["7:5"]),  # a list where none may stand: its words are no key
        (("title: One two: three", "  more: 1"), ["6:19"]),  # two lines run together
        (("title: One", "some words of text", "  and more of them: 1"), ["7:5"]),
        (("title: One", "      some: 1", "    more: 2"), ["7:11"]),
    ],
)
def test_what_only_follows_from_a_slip_is_not_told(lines: tuple[str, ...], at: list[str]) -> None:
    text = "rows:\n" + row("one", "title: First", "of: {a: 2}") + row("two", *lines) + row("three", "title: T")
    assert [one.partition(": ")[0] for one in told(text)] == at
