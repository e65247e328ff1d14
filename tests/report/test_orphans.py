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


def test_nothing_is_put_in_where_two_keys_are_missing_or_none() -> None:
    assert told(ROWS, ("sources", "rows", "more")) == told(ROWS, ()) == told(ROWS, ("sources",))


def test_the_readers_of_the_content_know_which_keys_stand_at_the_top() -> None:
    assert catalogue._TOP == CATALOGUE
    assert content._KEYS == SITE
