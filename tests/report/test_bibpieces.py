"""The pieces of a BibTeX file: where its entries begin, and each stretch that stands outside of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from report.bibpieces import read
from report.lines import line_and_column
from tests.report.test_bibentry import GOOD, OUTSIDE, told

OTHER = GOOD.replace("pope2026", "kung1986")


def places(text: str) -> list[tuple[int, int]]:
    return [line_and_column(text, one.start) for one in read(text).strays]


def test_each_stretch_outside_of_the_entries_is_told(tmp_path: Path) -> None:
    outer = f"% fine\nOne day,\nand more.\n\n Another.\n{GOOD.rstrip()} % fine, too\n\nthe last\n% fine\n"
    text = f"{outer}{OTHER.rstrip()} and behind\n"
    assert places(text) == [(2, 1), (5, 2), (15, 1), (24, 3)]
    assert told(tmp_path, text) == [f"{line}:{column} {OUTSIDE}" for line, column in places(text)]


def test_a_stretch_holds_what_stands_in_its_braces() -> None:
    assert places(f"odd {{\n\n% a\n  b = {{x}}\n}}\nmore\n\nlast\n{GOOD}") == [(1, 1), (8, 1)]
    assert places(f"odd {{\n\n  never closed\n\n{GOOD}") == [(1, 1), (3, 3)]


@pytest.mark.parametrize("head", ["@article{", "  @article (", "@article ", "@article\n{", "article{"])
def test_an_entry_that_is_never_closed_ends_where_the_next_begins(tmp_path: Path, head: str) -> None:
    open_, other = GOOD.removesuffix("}\n"), OTHER.replace("@article{", head).replace("10.1/x", "x")
    other = other.removesuffix("}\n") + ")\n" if "(" in head else other
    found = told(tmp_path, f"{open_}{other}")
    assert found[0] == "1:10 the entry 'pope2026' is never closed"
    assert f"{13 + head.count(chr(10))}:0 reference 'kung1986': 'x' is no DOI" in found
    assert len(found) == 2 + (head in ("@article ", "@article\n{", "article{"))


def test_other_blocks_are_no_entries() -> None:
    text = '@string{a = "b"} x\n@comment{{one}\n\ntwo}\n@preamble("three")\n@comment four\nfive\n\nsix\n@string{b\n'
    assert places(text + GOOD) == [(1, 18), (9, 1)]
    assert [one.key for one in read(text + GOOD).entries] == ["pope2026"]


def test_a_block_that_is_never_closed_is_told(tmp_path: Path) -> None:
    assert told(tmp_path, f'@string{{a = "b"\n{GOOD}') == ["1:1 this entry is not BibTeX"]


def test_an_address_at_the_start_of_a_line_is_told_once(tmp_path: Path) -> None:
    assert told(tmp_path, f"@home we say\nthis\n\n{GOOD}") == ["1:2 a brace is missing behind '@home'"]
    within = GOOD.replace("seen}", "seen\n@home and\n  elsewhere}")
    assert told(tmp_path, f"{within}stray\n") == [f"11:1 {OUTSIDE}"]


def test_two_entries_may_stand_in_a_line(tmp_path: Path) -> None:
    two = GOOD.removesuffix("\n") + " " + OTHER.replace("10.1/x", "x")
    assert told(tmp_path, two) == ["13:0 reference 'kung1986': 'x' is no DOI"]
    assert told(tmp_path, two.replace("year =", "year", 2)) == [
        "5:3 an equals sign is missing after 'year'",
        "12:3 reference 'kung1986': an equals sign is missing after 'year'",
        "13:0 reference 'kung1986': 'x' is no DOI",
    ]


def test_an_entry_whose_key_stands_twice_is_judged_all_the_same(tmp_path: Path) -> None:
    again = GOOD.replace("10.1/x", "x").replace("annotation", "anotation")
    assert told(tmp_path, GOOD.replace("2026}", "2026") + again) == [
        "5:10 a brace is opened and never closed",
        "9:10 the key 'pope2026' stands twice",
        "14:0 'x' is no DOI",
        "15:0 unknown field 'anotation'",
    ]


def test_what_only_the_reader_takes_for_an_entry_is_told_as_such(tmp_path: Path) -> None:
    commented = "".join(f"% {line}\n" for line in OTHER.splitlines())
    assert told(tmp_path, commented + GOOD) == ["1:1 this entry is not BibTeX"]
    assert told(tmp_path, GOOD.replace("year =", "year @")) == ["5:3 an equals sign is missing after 'year'"]
