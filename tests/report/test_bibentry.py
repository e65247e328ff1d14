"""One entry of a BibTeX file: every slip in it is told, what can be read is judged, and no slip is told twice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from report import references
from report.bibentry import read
from report.errors import BuildError

GOOD = """\
@article{pope2026,
  author = {Reiner Pope},
  title = {The {Math} of serving},
  journal = {Lectures},
  year = {2026},
  doi = {10.1/x},
  annotation = {confirmed: seen}
}
"""


def told(folder: Path, text: str) -> list[str]:
    """Return what is told of a bibliography, without hints and without whose field it is."""
    file = folder / "r.bib"
    file.write_text(text, encoding="utf-8")
    try:
        references.load(file, "r")
    except BuildError as error:
        lines = (f"{one.line}:{one.column} {one.message}" for one in error.problems)
        return [re.sub(r"(reference 'pope2026'|a reference without key):? ", "", line) for line in lines]
    return []


def changed(*changes: tuple[str, str]) -> str:
    text = GOOD
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


YEAR = "  year = {2026},"
OUTSIDE = "this belongs to no entry"
OPEN, CLOSED = "a brace is opened and never closed", "a brace is closed that was never opened"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            [("{2026},", "{2026,"), ("  journal =", "  jornal ="), ("doi =", "doi"), ("seen}", r"\sen}")],
            [
                "4:0 unknown field 'jornal'",
                f"5:10 {OPEN}",
                "6:3 an equals sign is missing after 'doi'",
                r"7:0 the TeX command '\sen' is not known here, and would be lost",
            ],
        ),
        ([("2026,", "2026"), ("{2026}", "{20}")], ["1:10 a comma is missing after 'pope2026'", "5:0 '20' is no year"]),
        ([("@", ""), ("year =", "year :")], [f"1:1 {OUTSIDE}", "5:8 a colon where an equals sign belongs"]),
        (
            [("year =", "year :="), ("{2026}", "{20}")],
            ["5:0 '20' is no year", "5:8 a colon where an equals sign belongs"],
        ),
        ([("pope2026", ""), ("year", "")], ["1:2 the entry has no key", "5:4 '=' stands where a field begins"]),
        ([("pope2026,\n", "\n"), ("doi", "url")], ["1:2 the entry has no key", "6:0 '10.1/x' is no address"]),
        ([("{pope2026}"[:-1], "{{pope2026}"), (YEAR, "")], ["1:0 has no year", "1:2 the entry has no key"]),
        (
            [("{pope2026", " pope 2026"), ("{2026}", "")],
            [
                "1:2 a brace is missing behind '@article'",
                "1:10 the key 'pope 2026' holds a blank",
                "5:10 a value is missing here",
            ],
        ),
        ([("{pope", "\n{pope"), ("10.1/x", "x")], ["1:2 a brace is missing behind '@article'", "7:0 'x' is no DOI"]),
        ([("{pope", "pope"), ("10.1/x", "x")], ["1:2 a brace is missing behind '@article'", "6:0 'x' is no DOI"]),
        ([("article{", ""), ("10.1/x", "x")], ["1:2 a brace is missing behind '@'", "6:0 'x' is no DOI"]),
        ([("{pope", " of {pope"), ("10.1/x", "x")], ["1:2 a brace is missing behind '@article'", "6:0 'x' is no DOI"]),
        ([("2026,", "2026 by"), ("10.1/x", "x")], ["1:10 a comma is missing after 'pope2026'", "6:0 'x' is no DOI"]),
        ([("{2026},", "2026},"), ("10.1/x", "x")], [f"5:14 {CLOSED}", "6:0 'x' is no DOI"]),
        ([("{2026},", "{2026}}"), ("10.1/x", "x")], [f"5:16 {CLOSED}", "6:0 'x' is no DOI"]),
        ([("{2026},", "{2026},}, "), ("10.1/x", "x")], [f"5:17 {CLOSED}", "6:0 'x' is no DOI"]),
        ([("{2026},", "{2026}\n}"), ("10.1/x", "x")], ["7:0 'x' is no DOI", f"7:3 {OUTSIDE}"]),
        ([("{2026},", "{2026},\n},"), ("10.1/x", "x")], [f"6:1 {CLOSED}", "7:0 'x' is no DOI"]),
        ([("seen}\n}", "seen}}\n}")], [f"7:33 {CLOSED}"]),
        ([("seen}\n}", "seen}\n},")], [f"8:2 {OUTSIDE}"]),
        ([("seen}\n}", "seen}\n")], ["1:10 the entry 'pope2026' is never closed"]),
        ([("pope2026", ""), ("seen}\n}", "seen}\n")], ["1:2 the entry has no key", "1:2 the entry is never closed"]),
        ([("seen}\n}", "seen},\n%}")], ["8:1 '%' stands where a field begins"]),
        ([("seen}\n}", 'seen},\n"')], ["8:1 '\"' stands where a field begins"]),
        (
            [(YEAR, f"  % {YEAR}\n% x"), ("=", "")],
            [
                "2:3 an equals sign is missing after 'author'",
                *(f"{n} '%' stands where a field begins" for n in ("5:3", "6:1")),
            ],
        ),
        (
            [(YEAR, f"{YEAR},"), ("doi =", "doi:")],
            ["5:17 ',' stands where a field begins", "6:6 a colon where an equals sign belongs"],
        ),
        (
            [(YEAR, "  year,"), ("doi =", "doi :=")],
            ["5:3 an equals sign is missing after 'year'", "6:7 a colon where an equals sign belongs"],
        ),
        (
            [(YEAR, "  year: soon,"), ("doi =", "doi,")],
            ["5:7 a colon where an equals sign belongs", "6:3 an equals sign is missing after 'doi'"],
        ),
        ([(YEAR, "  my year = {20},")], ["5:3 an equals sign is missing after 'my'"]),
        (
            [(YEAR, "  year =\n"), ("doi =", "doi")],
            ["5:8 a value is missing here", "7:3 an equals sign is missing after 'doi'"],
        ),
        ([(YEAR, "  year = ,2026},")], ["5:10 a value is missing here"]),
        ([(YEAR, "  yeer = {2026")], ["5:0 unknown field 'yeer'", f"5:10 {OPEN}"]),
        ([(YEAR, f"{YEAR}\n  year = {{2025")], ["6:3 the field 'year' stands twice", f"6:10 {OPEN}"]),
        (
            [("{The {Math} of serving}", "The Math"), (YEAR, "year 2026,")],
            ["3:11 the value of 'title' stands in no braces", "5:1 an equals sign is missing after 'year'"],
        ),
        (
            [("{The {Math} of serving}", "{The} Math}"), ("doi =", "doi")],
            ["3:15 a comma is missing after 'title'", "6:3 an equals sign is missing after 'doi'"],
        ),
        (
            [("{The {Math} of serving}", '"The Math'), ("{Lectures}", '"Lectures')],
            [f"{n} a quotation mark is opened and never closed" for n in ("3:11", "4:13")],
        ),
        (
            [("{The {Math} of serving}", '{The} # " Math"'), ("doi =", "doi")],
            ["6:3 an equals sign is missing after 'doi'"],
        ),
        ([("{Reiner Pope},", "{Reiner Pope,"), ("seen}", "seen}}")], [f"2:12 {OPEN}", f"7:33 {CLOSED}"]),
    ],
)
def test_every_slip_of_an_entry_is_told(tmp_path: Path, changes: list[tuple[str, str]], said: list[str]) -> None:
    assert told(tmp_path, changed(*changes)) == said


ONE_LINE = "@misc{a, author = {X Y}, title = {T}, year = {2020}, annotation = {c}}\n"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("{T}", "{T"), "1:7 the entry 'a' is never closed"),
        (("year =", "="), "1:39 reference 'a': '=' stands where a field begins"),
        (("{T}", '"T'), "1:34 reference 'a': a quotation mark is opened and never closed"),
        (("{c}", '"c'), "1:67 reference 'a': a quotation mark is opened and never closed"),
        (("{T},", "{T}"), "1:36 reference 'a': a comma is missing after 'title'"),
        (("{T}", ""), "1:34 reference 'a': a value is missing here"),
        (("{c}", ""), "1:67 reference 'a': a value is missing here"),
        (("year = ", "year"), "1:39 reference 'a': an equals sign is missing after 'year'"),
        (("{c}}", "{c}"), "1:7 the entry 'a' is never closed"),
    ],
)
def test_an_entry_in_one_line_is_gone_through_as_well(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    assert change[0] in ONE_LINE
    assert told(tmp_path, ONE_LINE.replace(*change, 1)) == [said]


def test_an_entry_in_brackets_and_values_put_together_are_no_slips(tmp_path: Path) -> None:
    text = ONE_LINE.replace("{a,", "(a,").replace("}\n", ")\n").replace("{c}", '{c} # "d" # e')
    assert told(tmp_path, f"{text}{GOOD}") == []
    assert told(tmp_path, f"{text}{GOOD}stray\n") == [f"10:1 {OUTSIDE}"]
    assert told(tmp_path, text.replace("= {T}", "{T}")) == [
        "1:26 reference 'a': an equals sign is missing after 'title'"
    ]


def test_a_field_that_could_not_be_read_is_not_missed_but_any_other_is(tmp_path: Path) -> None:
    text = changed(("  author = {Reiner Pope},\n", ""), ("{2026},", "{2026,"))
    assert told(tmp_path, text) == ["1:0 has no author", f"4:10 {OPEN}"]
    assert told(tmp_path, changed(("year =", "="), ("title =", "title"))) == [
        "3:3 an equals sign is missing after 'title'",
        "5:3 '=' stands where a field begins",
    ]


def test_what_is_left_of_an_entry_has_its_lines_where_they_were() -> None:
    text = changed(("{The", "{{The"), ("{2026}", "{2026\n}"), ("doi =", "doi:"), ("@article{", "@article\n{"))
    found = read(text, 0)
    assert [line.strip() for line in found.text.split("\n")] == [
        *("@article{", "pope2026,", "author = {Reiner Pope},", "", "journal = {Lectures},", "year = {2026", "},"),
        *("doi={10.1/x},", "annotation = {confirmed: seen}", "}"),
    ]
    assert (found.key, found.end, list(found.named)) == ("pope2026", len(text) - 1, ["title"])
