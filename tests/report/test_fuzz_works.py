"""Two slips in one entry of the bibliography: both are told, each where it is, and nothing else is.

Entries of the real file, two of their fields drawn, a slip drawn for each: of grammar or of meaning.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from report import references
from report.errors import BuildError
from tests.report.test_carets import told

ENTRY = re.compile(r"^@\w+\{[^,\n]+,\n(?:  [^\n]*\n)+\}\n", re.MULTILINE)
LITERAL = ("url", "doi", "eprint", "eprinttype", "year")  # no texts that TeX would set


class Slip(NamedTuple):
    """A slip in a field: what its line (a pattern) turns into, and what is told, in which {} is its name."""

    old: str
    new: str
    said: str


SLIPS = {
    "comma": Slip(r",$", "", "a comma is missing after '{}'"),
    "two commas": Slip(r",$", ",,", "',' stands where a field begins"),
    "brace not closed": Slip(r"\},$", ",", "a brace is opened and never closed"),
    "brace not closed, no comma": Slip(r"\},$", "", "a brace is opened and never closed"),
    "brace not opened": Slip(r"= \{(?=\{|[^\s=]+$)", "= ", "a brace is closed that was never opened"),
    "brace not opened before words": Slip(r"= \{(?=\w[^\s,]* )", "= ", "the value of '{}' stands in no braces"),
    "no braces": Slip(r"= \{(\w[^\s,]* .*)\},$", r"= \1,", "the value of '{}' stands in no braces"),
    "brace too many": Slip(r"\},$", "}},", "a brace is closed that was never opened"),
    "brace for comma": Slip(r"\},$", "}}", "a brace is closed that was never opened"),
    "quotation mark not closed": Slip(r"= \{(.*)\},$", r'= "\1,', "a quotation mark is opened and never closed"),
    "quotation mark for a brace": Slip(r"= \{", '= "', "a quotation mark is opened and never closed"),
    "equals sign": Slip(r" =", "", "an equals sign is missing after '{}'"),
    "comma for equals sign": Slip(r" =", ",", "an equals sign is missing after '{}'"),
    "name alone": Slip(r" =.*", ",", "an equals sign is missing after '{}'"),
    "name alone, no comma": Slip(r" =.*", "", "an equals sign is missing after '{}'"),
    "colon": Slip(r" =", ":", "a colon where an equals sign belongs"),
    "colon and equals sign": Slip(r" =", " :=", "a colon where an equals sign belongs"),
    "name": Slip(r"\w+ ", "", "'=' stands where a field begins"),
    "two names": Slip(r"(\w+) ", r"\1 odd ", "an equals sign is missing after '{}'"),
    "value": Slip(r"= .*", "= ,", "a value is missing here"),
    "value and comma": Slip(r"= .*", "=", "a value is missing here"),
    "twice": Slip(r".*", r"\g<0>\n\g<0>", "the field '{}' stands twice"),
    "remark": Slip(r"^  ", "  % ", "'%' stands where a field begins"),
    "remark behind": Slip(r"$", " % as they say", "'%' stands where a field begins"),
    "unknown field": Slip(r" =", "x =", "unknown field '{}x'"),
    "command": Slip(r"= \{", r"= {\\nosuchthing ", "is not known here, and would be lost"),
    "ampersand": Slip(r"= \{", "= {& ", "parts the columns of a table in TeX"),
    "no year": Slip(r"= \{\d{4}\}", "= {0}", "is no year"),
}
TEXTS = ("command", "ampersand")


def spoilt(line: str, name: str) -> tuple[str, str] | None:
    """Return a line with a slip and what is told of it; None where it has no place for it."""
    slip, field = SLIPS[name], line.split(maxsplit=1)[0]
    if field in LITERAL and name in TEXTS:
        return None
    changed = re.sub(slip.old, slip.new, line, count=1)
    return None if changed == line else (changed, slip.said.format(field))


@pytest.fixture(scope="module")
def entries(root: Path) -> list[str]:
    """Return the entries of the bibliography."""
    text = (root / "content" / "references.bib").read_text(encoding="utf-8")
    found = ENTRY.findall(text)
    assert len(found) == text.count("\n@")
    return found


SPLIT = ("name alone, no comma", "name")  # in two lines that follow each other: a field that is split


def test_two_slips_in_an_entry_are_both_told_and_nothing_else(entries: list[str], tmp_path: Path) -> None:
    slip = st.tuples(st.integers(0, 20), st.sampled_from(sorted(SLIPS)))

    @given(st.integers(1, len(entries) - 2), slip, slip)
    def check(at: int, a_slip: tuple[int, str], another: tuple[int, str]) -> None:
        lines = entries[at].split("\n")
        many = len(lines) - 3
        drawn = sorted((1 + number % many, name) for number, name in (a_slip, another))
        wanted = []
        for number, name in drawn:
            made = None if (number, name) == (many, "comma") else spoilt(lines[number], name)  # the last one needs none
            assume(made)
            assert made is not None
            lines[number] = made[0]
            wanted.append(made[1])
        (one, first), (other, second) = drawn
        assume(one != other and not (other == one + 1 and (first, second) == SPLIT))
        text = "\n".join([entries[at - 1], *lines, entries[at + 1]])
        file = tmp_path / f"{crc32(text.encode())}.bib"  # lines of a file are kept as long as it seems the same
        file.write_text(text, encoding="utf-8")
        with pytest.raises(BuildError) as caught:
            references.load(file, "works.bib")
        problems = caught.value.problems
        assert len(problems) == len(wanted), [str(one) for one in problems]
        carets = sorted(told(problems, file).items())
        assert all(column for (_, column, _), _ in carets)
        assert [words in said for words, (_, said) in zip(wanted, carets, strict=True)] == [True, True], carets

    check()
