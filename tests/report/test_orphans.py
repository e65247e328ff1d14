"""Entries whose key at the top was deleted are told once, and read as if it stood there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from report import catalogue, content
from report.yamlgrammar import Read, composed

CONTENT = Path("content")
SITE = ("title", "original", "address", "pages", "tables", "presets", "accuracy")
DOSSIER = ("title", "called", "description", "lead", "intro", "entries", "log")
VOCABULARY = ("words", "counted", "comparatives", "terms", "numerals")
CATALOGUE = ("sources", "rows")
ROWS = """\
sources:
  # where it is from
  note:
    title: A note
  - id: one
    name: One
  - id: two
    name: Two
"""


def told(text: str, keys: tuple[str, ...] = CATALOGUE) -> list[str]:
    return [str(one) for one in composed(text, "f.yaml", keys).problems]


def orphaned(line: int, column: int, key: str) -> str:
    return f"f.yaml:{line}:{column}: entries begin here without the key they belong to; is '{key}:' missing above?"


def test_a_key_of_the_file_behind_a_dash_is_read_as_that_key() -> None:
    text = "sources:\n  note:\n    title: A note\nrows:\n  - id: three\n    name: 'x\n"
    (other,) = told(text)
    assert told(f"- {text}") == ["f.yaml:1:1: a '-' before 'sources', a key of the file; delete it", other]
    assert composed(f"- {text}", "f.yaml", CATALOGUE).top is not None


def places(found: Read) -> list[tuple[str, int, int, int]]:
    """Return every plain value of a file, and where it is."""
    nodes: list[yaml.Node] = [found.top] if found.top else []
    at = []
    while nodes:
        node = nodes.pop()
        if isinstance(node, yaml.ScalarNode):
            at.append((node.value, node.start_mark.line, node.start_mark.column, node.start_mark.index))
        for held in node.value if isinstance(node, yaml.CollectionNode) else ():
            nodes += held if isinstance(held, tuple) else [held]
    return at


@pytest.mark.parametrize(
    ("file", "keys", "key"),
    [
        *[(f"catalogue/{name}.yaml", CATALOGUE, "rows") for name in ("machines", "prices", "runs", "tricks")],
        *[(f"research/{name}.yaml", DOSSIER, "entries") for name in ("heuristics", "machines")],
        ("research/heuristics.yaml", DOSSIER, "log"),
        ("site.yaml", SITE, "presets"),
        ("site.yaml", SITE, "tables"),
        ("vocabulary.yaml", VOCABULARY, "words"),
        ("catalogue/machines.yaml", CATALOGUE, "sources"),
    ],
)
def test_a_key_deleted_from_a_file_of_the_content_is_named_where_its_entries_begin(
    file: str, keys: tuple[str, ...], key: str
) -> None:
    whole = (CONTENT / file).read_text(encoding="utf-8")
    line = f"{key}:\n"
    at = re.search(f"^{line}", whole, re.MULTILINE)
    assert at
    text = whole[: at.start()] + whole[at.end() :]
    entry = re.compile(r"^ *(?=[^\s#])", re.MULTILINE).search(text, at.start())
    assert entry
    found = composed(text, "f.yaml", keys)
    row = text.count("\n", 0, entry.end()) + 1
    assert [str(one) for one in found.problems] == [orphaned(row, len(entry[0]) + 1, key)]
    at_key = entry.end() - len(entry[0])
    before = len(whole[: at.start()].split("\n")) - 1
    expected = sorted(
        (value, row - 1, column, index - len(line)) if row > before else (value, row, column, index)
        for value, row, column, index in places(composed(whole, "f.yaml", keys))
        if value != key or row != before
    )
    adopted = sorted(places(found))
    adopted.remove((key, row - 1, 0, at_key))
    assert adopted == expected


def test_the_other_slips_of_the_file_are_told_where_they_are() -> None:
    slips = ROWS + "    name: Twice\n  - id: three\n    name: 'x\n"
    assert orphaned(5, 3, "rows") in told(slips)
    assert any(one.startswith("f.yaml:9:5: the key 'name' stands twice, first in line 8") for one in told(slips))
    assert any(one.startswith("f.yaml:11:11: a quotation mark") for one in told(slips))
    assert len(told(slips)) == 3


@pytest.mark.parametrize(
    "text",
    [
        "rows:\n  - id: one\n    x: 1\n  id: two\n    x: 2\n  - id: three\n    x: 3\n",  # a dash is missing
        "rows:\n  - id: one\n    x: 1\n  id: two\n    x: 2\n",
        "rows:\n  - id: one\n    x: 1\n  id: two\n  x: 2\n",
        "rows:\n  - id: one\n    x: 1\n\n  - x: 2\n    id: two\n",  # another order of keys
        "sources:\n  note:\n    x: 1\n  - id: one\n",  # one alone
        "sources:\n  note:\n    x: 1\n rows:\n  - id: one\n  - id: two\n",  # a key begins too deep
        "sources:\n  note: a text\n    - that goes\n    - on\n",
        "sources:\nwords: x\n",
        "rows: [\n  - id: one\n  - id: two\n",
    ],
)
def test_no_other_slip_is_taken_for_a_key_that_is_missing(text: str) -> None:
    assert not [one for one in told(text) if "entries begin here" in one]
    assert told(text) == told(text, ())


@pytest.mark.parametrize("name", ["constants", "networks", "tricks"])
def test_keys_that_hold_a_list_and_others_may_both_be_missing(name: str) -> None:
    whole = (CONTENT / "catalogue" / f"{name}.yaml").read_text(encoding="utf-8")
    text = re.sub(r"^(sources|rows):\n", "", whole, flags=re.MULTILINE)
    found = composed(text, "f.yaml", CATALOGUE, ("rows",))
    said = [str(one).partition("is '")[2].partition(":'")[0] for one in found.problems]
    assert said == re.findall(r"^(sources|rows):\n", whole, re.MULTILINE)
    lines = text.split("\n")
    assert all(lines[one.line - 1][: one.column - 1].strip() == "" for one in found.problems)
    plain = [place for place in places(composed(whole, "f.yaml", CATALOGUE)) if place[0] not in CATALOGUE]
    there = [place for place in places(found) if place[0] not in CATALOGUE]
    assert sorted(value for value, *_ in there) == sorted(value for value, *_ in plain)
    assert all(
        lines[row][column:].startswith(text[index : index + 3].partition("\n")[0]) for _, row, column, index in there
    )


def test_a_list_is_put_below_no_key_that_holds_none() -> None:
    for keys, lists in ((("sources", "words"), ()), (("sources", "rows", "words"), ("rows", "words"))):
        assert told(ROWS, keys) == [str(one) for one in composed(ROWS, "f.yaml", keys, lists).problems]
    assert "entries begin here" not in str(composed(ROWS, "f.yaml", ("sources", "a", "b"), ("x",)).problems)


def test_nothing_is_put_in_where_two_keys_are_missing_or_none() -> None:
    assert told(ROWS, ("sources", "rows", "more")) == told(ROWS, ()) == told(ROWS, ("sources",))


def test_the_readers_of_the_content_know_which_keys_stand_at_the_top() -> None:
    assert catalogue._TOP == CATALOGUE
    assert content._KEYS == SITE
