"""A slip in the form of a research page leaves the rest of its prose to be checked, each text at its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from report.research import files

PAGE = """\
# a page
title: The title
called: the page
description: What it is about
lead: |
  The lead.
intro: |
  The first line,
  and the second.
entries:
- id: one
  title: First
  says: |
    What it says: this.
  derivation: |
    How that is known.
  sources: []
  status: estimate
- id: two
  title: Second
  says: |
    What else.
  derivation: |
    And how.
  sources: []
  status: estimate
log:
- what: A claim
  against: a text
  result: held
  status: held
"""
FRONT = ["---", "title: The title", "called: the page", "description: What it is about", "---"]
STAND_IN = ["---", "{title: A page, description: A page}", "---"]
BODY = {
    6: "{% lead %}  The lead.",
    8: "The first line,",
    9: "and the second.",
    12: "## First {#one}",
    14: "What it says: this.",
    16: "How that is known.",
    20: "## Second {#two}",
    22: "What else.",
    24: "And how.",
    28: "- A claim",
    29: "- a text",
    30: "- held",
}
# how a line is spoilt -> what stands in the lines of the Markdown that are others
SLIPS: dict[str, tuple[str, str, dict[int, str]]] = {
    "a word that is wrong": ("status: held", "status: hold", {}),
    "a text that is no block": ("lead: |\n  The lead.", "lead:\n  The lead.", {6: ""}),
    "a block that is no line": ("title: Second", "title: |", {20: ""}),
    "a key that is misspelt": ("  derivation: |\n    How", "  derivaton: |\n    How", {}),
    "a list that is misspelt": ("entries:", "entires:", {}),
    "an id that is none": ("id: one", "id: One", {12: "## First {#entry-0-without-id}"}),
    "an id that stands twice": ("id: two", "id: one", {20: "## Second {#entry-1-without-id}"}),
    "no id": ("- id: two\n  title: Second", "- title: Second\n ", {19: "## Second {#entry-1-without-id}", 20: ""}),
    "a line that parts": ("And how.", "---", {24: ""}),
    "a list that is none": ("log:\n", "log: x\nlag:\n", {28: "", 29: "", 30: ""}),
    "an entry that is none": (
        "- id: two\n  title: Second\n",
        "- x\n- title: Second\n",
        {20: "## Second {#entry-1-without-id}"},
    ),
}


def rest(folder: Path, text: str) -> list[str]:
    (folder / "research").mkdir()
    (folder / "research" / "page.yaml").write_text(text, encoding="utf-8")
    whole, others = files.texts(folder)
    assert not whole
    (found,) = others.values()
    return found.split("\n")


@pytest.mark.parametrize(("old", "new", "others"), SLIPS.values(), ids=SLIPS)
def test_the_texts_that_are_in_order_stand_on_their_lines(
    tmp_path: Path, old: str, new: str, others: dict[int, str]
) -> None:
    assert PAGE.count(old) == 1
    found = rest(tmp_path, PAGE.replace(old, new))
    assert found[: len(FRONT)] == FRONT
    lines = {number: line for number, line in enumerate(found[len(FRONT) :], len(FRONT) + 1) if line}
    expected = {number: line for number, line in (BODY | others).items() if line}
    assert {number: line.removesuffix("{% endlead %}").replace("  ", "") for number, line in lines.items()} == {
        number: line.replace("  ", "") for number, line in expected.items()
    }


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("title: The title", "titel: The title"),
        ("called: the page\n", ""),
        ("# a page\n", ""),
        ("about\n", "about: x\n"),
    ],
    ids=["misspelt", "missing", "no line above", "not read"],
)
def test_another_head_stands_in_for_one_that_is_not_in_order(tmp_path: Path, old: str, new: str) -> None:
    text = PAGE.replace(old, new, 1)
    found = rest(tmp_path, text)
    assert found[: len(STAND_IN)] == STAND_IN
    assert found[text.split("\n").index("    And how.")] == "And how."


def test_of_a_page_that_is_in_order_nothing_is_a_rest_and_of_none_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "research").mkdir()
    for name, text in (("good", PAGE), ("bad", "- x\n")):
        (tmp_path / "research" / f"{name}.yaml").write_text(text, encoding="utf-8")
    whole, others = files.texts(tmp_path)
    assert [Path(path).name for path in whole] == ["good.yaml"]
    assert not others
