"""A file that is no YAML: the slip is named where it was made, in words that say how to mend it."""

from pathlib import Path

import pytest
import yaml

from report.yamlwords import Words, explain
from tests.report.catalogues import BANDWIDTH, MACHINES, edit, lay_out

VENDOR, NOTE, END = "    vendor: Toys\n", "note: a machine for tests", "from: [maker]}\n    capacity"
ROW = "  - id: toy-2\n    name: Toy 2\n"
TEXT = MACHINES + ROW
# what is replaced, by what -> line and column of the slip, what is said of it, how it is mended
SLIPS = {
    "too deep": (VENDOR, " " + VENDOR, 7, 6, "indented deeper than the one above it", "begin it in column 5"),
    "too shallow": (VENDOR, VENDOR[1:], 7, 4, "begins in column 4, where nothing above", "begin it in column 5"),
    "as shallow as the list": (VENDOR, VENDOR[2:], 7, 3, "begins in column 3", "begin it in column 5"),
    "a dash too shallow": (ROW, ROW[2:], 19, 1, "a '-' that stands below no other", "begin it in column 3"),
    "a dash too deep": (ROW, "  " + ROW, 19, 5, "a '-' that stands below no other", "begin it in column 3"),
    "a dash that touches its key": (
        ROW,
        ROW.replace("- id", "-id"),
        19,
        3,
        "a blank is missing",
        "write '- id: toy-2'",
    ),
    "a first dash that touches": ("- id: toy-1", "-id: toy-1", 4, 3, "a blank is missing behind '-'", "'- id: toy-1'"),
    "a dash among keys": (VENDOR, "    - vendor: Toys\n", 7, 5, "a '-' among the keys of a row", "delete it"),
    "a dash behind a key": (VENDOR, "    vendor: - Toys\n", 7, 13, "a '-' behind a key", "begins on the next line"),
    "a question mark": (VENDOR, "    vendor: ? Toys\n", 7, 13, "cannot begin with '?'", "put it in quotes"),
    "an exclamation mark": (VENDOR, "    vendor: !a!b Toys\n", 7, 13, "cannot begin with '!'", "put it in quotes"),
    "a tag without end": (VENDOR, "    vendor: !<a Toys\n", 7, 13, "cannot begin with '!'", "put it in quotes"),
    "two anchors": (VENDOR, "    vendor: &a Toys\n    x: &a y\n", 8, 8, "cannot begin with '&'", "put it in quotes"),
    "no letter's code": (VENDOR, '    vendor: "T\\xZZ"\n', 7, 15, "begins no letter's code", "in single quotes"),
    "half a letter": (VENDOR, '    vendor: "T\\uD800"\n', 7, 15, "begins no letter's code", "in single quotes"),
    "a bar with a zero": (VENDOR, "    vendor: |0\n      Toys\n", 7, 13, "after '|' the text", "in quotes"),
    "a tab": (VENDOR, "\tvendor: Toys\n", 7, 1, "a tab", "spaces"),
    "a tab behind blanks": (VENDOR, "    \tvendor: Toys\n", 7, 5, "a tab", "spaces"),
    "no blank after a colon": (VENDOR, "    vendor:Toys\n", 7, 11, "a blank is missing", "write 'vendor: Toys'"),
    "an equals sign": (VENDOR, "    vendor = Toys\n", 7, 11, "an equals sign where a colon", "write 'vendor: Toys'"),
    "no colon": (VENDOR, "    vendor Toys\n", 7, 5, "no 'key: value'", "write 'vendor: Toys'"),
    "a text without its bar": (
        NOTE,
        "note:\n      on the other side: from these\n      it is told how they are made\n      and sold",
        16,
        5,
        "a text of several lines, one of them with a colon",
        "write 'note: |' here",
    ),
    "a text that is not indented": (
        NOTE,
        "note: a machine\n    for tests",
        17,
        5,
        "no 'key: value'",
        "indent it deeper",
    ),
    "one single quote": (VENDOR, "    vendor: 'Toys\n", 7, 13, "quotation mark without", "write ' at both ends"),
    "one double quote": (VENDOR, '    vendor: "Toys\n', 7, 13, "quotation mark without", 'write " at both ends'),
    "an apostrophe": (VENDOR, "    vendor: 'To's'\n", 7, 17, "ends before this", "written twice ('')"),
    "a backslash": (VENDOR, '    vendor: "To\\ys"\n', 7, 16, "the backslash of '\\y'", "single quotes"),
    "an open brace": (END, END.replace("}", ""), 14, 16, "'{' is never closed", "before the next key, in line 15"),
    "an open bracket": (END, END.replace("]", ""), 14, 62, "'}' stands where '[' of column 56", "write ']' before it"),
    "two open braces": ("{value: 1 TB/s", "{{value: 1 TB/s", 14, 16, "'{{' opens two", "write one '{'"),
    "a brace too many": (END, END.replace("}", "}}"), 14, 64, "'}' closes nothing", "delete it"),
    "a bracket too many": (END, END.replace("]", "]]"), 14, 63, "']' stands where '{' of column 16", "delete it"),
    "no bracket before a list": (
        "[maker]}\n    c",
        "maker]}\n    c",
        14,
        61,
        "']' stands where '{' of",
        "'[' behind 'from:'",
    ),
    "a comma missing before a key": ("1 TB/s, s", "1 TB/s s", 14, 31, "missing before 'status'", "', '"),
    "a comma missing before a list": ("[maker]}\n    c", "[maker] [x]}\n    c", 14, 64, "missing before '['", "', '"),
    "a semicolon": ("1 TB/s, s", "1 TB/s; s", 14, 30, "a semicolon where a comma belongs", "', '"),
    "text behind a brace": (END, END.replace("}", "} x"), 14, 65, "text behind }", "whole value in quotes"),
    "a second colon": (NOTE, "note: see: this", 16, 14, "a second colon in one value", "note: 'see: this'"),
    "a percent sign": (NOTE, "note: %a", 16, 11, "cannot begin with '%'", "put it in quotes"),
    "a star": (NOTE, "note: *a b", 16, 11, "cannot begin with '*'", "put it in quotes"),
    "an ampersand": (NOTE, "note: & b", 16, 11, "cannot begin with '&'", "put it in quotes"),
    "text behind a bar": (NOTE, "note: | a", 16, 11, "after '|' the text begins on the next line", "in quotes"),
    "a comment that hides a brace": (
        "1 TB/s, status",
        "1 TB/s # peak, status",
        14,
        31,
        "a '#' behind a blank makes a comment",
        "in quotes",
    ),
    "a colon without blank between braces": (
        "value: 1 TB/s,",
        "value:,",
        14,
        17,
        "'value:' has no value",
        "'value: ...'",
    ),
    "a value that begins with a comma": (VENDOR, "    vendor: , Toys\n", 7, 13, "cannot begin with ','", "delete it"),
    "no colon before a brace": (
        f"bandwidth: {BANDWIDTH}",
        f"bandwidth {BANDWIDTH}",
        14,
        5,
        "a colon is missing behind 'bandwidth'",
        "write 'bandwidth: {...'",
    ),
    "an equals sign before a brace": (
        f"bandwidth: {BANDWIDTH}",
        f"bandwidth= {BANDWIDTH}",
        14,
        5,
        "a colon is missing behind 'bandwidth'",
        "write 'bandwidth: {...'",
    ),
    "no colon before a block": (
        "s1: {title: The box, ",
        "s1\n        title: {a: b, ",
        18,
        7,
        "missing behind 's1'",
        "'s1:'",
    ),
    "round brackets": (
        f"bandwidth: {BANDWIDTH}",
        "bandwidth: (value: 1 TB/s)",
        14,
        16,
        "round brackets",
        "write '{' and",
    ),
    "a dash among keys after a mapping": (
        f"    bandwidth: {BANDWIDTH}",
        f"    - bandwidth: {BANDWIDTH}",
        14,
        5,
        "a '-' among the keys of a row",
        "delete it",
    ),
    "a dash of a list within a row": (
        NOTE,
        "note:\n      - one:\n        two: 2\n    - three",
        19,
        5,
        "a '-' that stands below no other",
        "begin it in column 7, as those above",
    ),
    "a dash behind a list within a row": (
        NOTE,
        "note:\n      - one\n    weaker: []\n    - three",
        19,
        5,
        "a '-' among the keys of a row",
        "delete it",
    ),
    "a semicolon for a colon": (VENDOR, "    vendor; Toys\n", 7, 5, "no 'key: value'", "write 'vendor: Toys'"),
    "a word alone": (VENDOR, "    Toys\n", 7, 5, "no 'key: value'", "write 'Toys: ...'"),
    "a comment of another language": (VENDOR, "    // Toys\n", 7, 5, "no 'key: value'", "a comment begins with '#'"),
    "dots": (VENDOR, "    ...\n", 7, 5, "no 'key: value'", "delete it"),
    "no first line": (
        "sources:\n",
        "",
        1,
        3,
        "the file begins in column 3, but goes on in column 1, in line 2",
        "is the key",
    ),
    "no colon in the first line": (
        "sources:\n",
        "sources\n  # of all\n",
        1,
        1,
        "a colon is missing behind 'sources'",
        "write 'sources:'",
    ),
    "no bar": (
        NOTE,
        "note:\n      one line\n      two: three",
        16,
        5,
        "a text of several lines, one of them with a colon",
        "write 'note: |' here",
    ),
    "a row without dash": (
        "  - id: toy-1",
        "    id: toy-1",
        4,
        5,
        "a row begins here without its '-'",
        "'- id: toy-1'",
    ),
    "a last row without dash": (ROW, ROW.replace("- ", "", 1), 19, 3, "begins here without its '-'", "'- id: toy-2'"),
    "a part without dash": (
        NOTE,
        "note:\n    - one\n    two",
        18,
        5,
        "a line of a list without its '-'",
        "write '- two'",
    ),
    "a blank that is none": (
        VENDOR,
        "    vendor:\u00a0Toys\n",
        7,
        12,
        "a blank that is none (U+00A0)",
        "write a blank",
    ),
    "an indent that is none": (
        VENDOR,
        f"\u00a0   {VENDOR.strip()}\n",
        7,
        1,
        "a blank that is none (U+00A0)",
        "write a",
    ),
    "dashes": (VENDOR, "---\n" + VENDOR, 7, 1, "a line '---' ends the file here", "delete it"),
}


def said(text: str) -> Words:
    with pytest.raises(yaml.MarkedYAMLError) as caught:
        yaml.compose(text, Loader=yaml.CSafeLoader)
    return explain(text, caught.value)


@pytest.mark.parametrize(("old", "new", "line", "column", "message", "hint"), SLIPS.values(), ids=SLIPS)
def test_a_slip_is_named_where_it_was_made(old: str, new: str, line: int, column: int, message: str, hint: str) -> None:
    assert old in TEXT
    text = TEXT.replace(old, new, 1)
    found = said(text)
    assert (found.line, found.column) == (line, column), found
    assert message in found.message
    assert hint in found.hint
    assert "block" not in found.message + found.hint
    assert "mapping" not in found.message + found.hint


def test_a_quotation_mark_that_finds_a_later_one_is_named_where_it_opens() -> None:
    later = "    note: 'a machine'\n    power: 1 W\n"
    found = said(TEXT.replace("    note: a machine for tests\n", later).replace("vendor: Toys", "vendor: 'Toys"))
    assert (found.line, found.column) == (7, 13)
    assert "goes on to line 16" in found.message
    assert found.hint == "is the ' at its end missing?"
    inside = TEXT.replace("{value: 1 TB/s", "{value: '1 TB/s").replace("80 GB", "'80 GB'")
    assert "goes on to line 15" in said(inside).message


def test_a_text_of_several_lines_is_no_forgotten_quotation_mark() -> None:
    quoted = "note: 'a machine for\n      tests'\n   odd: 1"
    found = said(TEXT.replace(NOTE, quoted))
    assert (found.line, found.column) == (18, 4)
    assert "begins in column 4, where nothing above it does" in found.message


def test_a_long_value_is_not_said_again_in_full() -> None:
    found = said(TEXT.replace(NOTE, f"note: {'long ' * 100}: so"))
    assert len(found.hint) < 120
    assert found.hint.endswith("…'")


def test_what_nobody_thought_of_is_told_in_the_parsers_words() -> None:
    error = yaml.MarkedYAMLError("while looking", None, "something is odd", yaml.Mark("x", 0, 0, 0, None, None))
    assert explain("a: 1\n", error) == Words(1, 1, "not YAML: something is odd while looking")
    assert explain("a: 1\n", yaml.MarkedYAMLError(problem="odd")) == Words(0, 0, "not YAML: odd")


def test_the_words_reach_the_author_with_file_line_and_column(tmp_path: Path) -> None:
    lines = edit(lay_out(tmp_path), VENDOR, "    vendor:Toys\n")
    assert lines == [
        "content/catalogue/machines.yaml:7:11: a blank is missing after the colon; write 'vendor: Toys'",
    ]
