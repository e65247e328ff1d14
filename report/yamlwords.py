"""What is wrong with a file that is no YAML, in an author's words; the parser's own speak of block mappings.

The parser says where it gave up, and sometimes where it began; the slip is often before that: a bracket that is never
closed is told at the bracket, a line that is indented too deep at its own beginning. Leaves out: files that are YAML.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import yaml

from report.bracketwords import inside, long_quote, unclosed, valueless
from report.colonwords import heading, keyless, second, undashed, unparted
from report.conflicts import LEFT, conflicts
from report.lines import line_of
from report.slips import CLOSES, KEY, Slip, Words, content

# What a slip of the keyboard or an editor leaves and nobody sees; YAML allows none of it.
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
# That, and what YAML allows and no text here means: soft hyphens, blanks without width, marks that turn a line round.
UNSEEN = re.compile(f"{CONTROL.pattern[:-1]}\u00ad\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffd]")
_BLANKS = "[\u00a0\u2000-\u200b\u202f\u3000\ufeff]"


def control(mark: str) -> tuple[str, str]:
    """Return what is said of a character that nobody sees."""
    called = unicodedata.name(mark, "").lower()
    return f"the character U+{ord(mark):04X}{f' ({called})' if called else ''} has no place in a text", "delete it"


def explain(text: str, error: yaml.MarkedYAMLError) -> Words:
    """Return what is wrong with a text that could not be parsed."""
    if conflict := next(conflicts(text), None):
        return Words(line_of(text, conflict.start()), 1, *LEFT)
    mark = error.problem_mark or error.context_mark
    if mark is None:
        return Words(0, 0, f"not YAML: {error.problem or error.context}")
    began = error.context_mark or mark
    slip = Slip(text, error.problem or "", mark.line, mark.column, (began.line, began.column))
    if odd := _odd_blank(slip) or _touching(slip) or _braces(slip):
        return odd
    if slip.rest.startswith("\t") or re.match(r"\s*\t", slip.line(slip.row)):
        return slip.here("a tab", "YAML is indented with spaces")
    for pattern, say in _SAYS:
        if re.search(pattern, slip.problem) and (found := say(slip)):
            return found
    return slip.here(f"not YAML: {slip.problem} {error.context or ''}".rstrip())


def _odd_blank(slip: Slip) -> Words | None:
    """Say that what looks like a blank is none: word processors and web pages leave them where YAML wants a blank."""
    for row in dict.fromkeys((slip.began[0], slip.row - 1, slip.row)):
        found = re.match(rf" *(?:- +)*(?:[\w.-]+:)?({_BLANKS})", slip.line(row)) if row >= 0 else None
        if found:
            code = f"U+{ord(found[1]):04X}"
            return Words(row + 1, found.start(1) + 1, f"a blank that is none ({code}) stands here", "write a blank")
    return None


def _touching(slip: Slip) -> Words | None:
    """Say that a '-' touches the key behind it, and so begins no row."""
    for row in dict.fromkeys((slip.began[0], slip.row - 1, slip.row)):
        found = re.fullmatch(r"( *)-([A-Za-z][\w.-]*:(?: .*)?|[{\[].*)", slip.line(row)) if row >= 0 else None
        if found:
            said = Words(row + 1, len(found[1]) + 1, "a blank is missing behind '-'", f"write '- {found[2]}'")
            return said.meant(f"{found[1]}- {found[2]}")
    return None


def _braces(slip: Slip) -> Words | None:
    """Say that a row in braces, as others are, begins without its dash."""
    for row in dict.fromkeys((slip.began[0], slip.row)):
        found = re.fullmatch(r"( *)(\{.*)", slip.line(row))
        above = next((line.rstrip() for line in reversed(slip.lines[:row]) if line.strip()), ":")
        if found and not above.endswith((":", ",")):
            for lead in (found[1], found[1][2:]):
                if any(line.startswith(f"{lead}- {{") for line in slip.lines):
                    return undashed(row, len(lead), found[2])
    return None


def _quotation(slip: Slip) -> Words:
    mark = slip.line(slip.began[0])[slip.began[1] : slip.began[1] + 1] or "'"
    return slip.start("a quotation mark without its other half", f"write {mark} at both ends of the text")


def _escape(slip: Slip) -> Words:
    said = f"the backslash of '{slip.rest[:2]}' means something else inside double quotes"
    return slip.here(said, "put the text in single quotes")


def _token(slip: Slip) -> Words:
    return slip.here(f"a text cannot begin with '{slip.rest[:1]}'", "put it in quotes")


def _name(slip: Slip) -> Words:
    return slip.start(f"a text cannot begin with '{slip.line(slip.began[0])[slip.began[1] :][:1]}'", "put it in quotes")


def _code(slip: Slip) -> Words:
    at = max(slip.before.rfind("\\"), 0)
    said = "a backslash inside double quotes that begins no letter's code"
    return Words(slip.row + 1, at + 1, said, "put the text in single quotes")


def _inline(slip: Slip) -> Words:
    return slip.here(
        "a '-' behind a key", "a list begins on the next line; a text that begins with '-' stands in quotes"
    )


def _block(slip: Slip) -> Words:
    mark = slip.line(slip.began[0])[slip.began[1] : slip.began[1] + 1]
    return slip.start(f"after '{mark}' the text begins on the next line", "or put the text in quotes")


def _document(slip: Slip) -> Words:
    return slip.here(f"a line '{slip.rest[:3]}' ends the file here", "delete it")


def _misplaced(slip: Slip) -> Words | None:
    """Say what is wrong with a line that fits nowhere: a bracket, text after a value, a dash, an indent."""
    if quoted := long_quote(slip):
        return quoted
    if slip.rest[:1] in CLOSES.values():
        return slip.here(f"'{slip.rest[:1]}' closes nothing", "delete it, or open it before")
    if slip.before.strip():
        return _after(slip)
    if slip.rest.startswith("- "):
        return _dashless(slip) or _dash(slip)
    return _indent(slip)


def _after(slip: Slip) -> Words:
    """Say what is wrong with text that stands behind a value which has ended."""
    if found := unparted(slip):
        return found
    mark = slip.before.rstrip()[-1]
    if mark == "'":
        hint = "inside single quotes a quotation mark is written twice ('')"
        return slip.here("the text in quotes ends before this", hint)
    return slip.here(f"text behind {mark}, where the value has ended", "delete it, or put the whole value in quotes")


def _dashless(slip: Slip) -> Words | None:
    """Say that a row begins without its dash, which the dash of the next row shows."""
    if not re.match(r"- +id:", slip.rest):
        return None
    for row in range(slip.row - 1, -1, -1):
        if found := re.fullmatch(r"( *)(-? *)(id:.*)", slip.line(row)):
            return None if found[2] else undashed(row, len(found[1]), found[3])
    return None


def _dash(slip: Slip) -> Words:
    """Say where the dash of a list belongs: below the dashes before it; or that there is no list."""
    dashes = [line.index("- ") for line in slip.lines[: slip.row] if re.match(r" *- ", line)]
    above = next((line for line in reversed(slip.lines[: slip.row]) if line.strip()), "")
    row = re.match(r"- +id:", slip.rest)
    beside = slip.column in ({content(above)} if row else {content(above), *map(content, _enclosing(slip))})
    at = dashes[-1] if slip.column not in dashes and dashes and not beside else _list_above(slip)
    if at is not None:
        said = slip.here("a '-' that stands below no other", f"begin it in column {at + 1}, as those above")
        return said.misplaced(" " * at + slip.rest)
    said = slip.here("a '-' among the keys of a row", "delete it: a '-' begins a new row or a part of a list")
    return said if row else said.meant(slip.before + slip.rest[1:].lstrip())


def _list_above(slip: Slip) -> int | None:
    """Return the column, from 0, of the dashes of a list right above that stands deeper, as its next part should."""
    for line in reversed(slip.lines[: slip.row]):
        deep = len(line) - len(line.lstrip())
        if line.strip() and deep <= slip.column:
            return None
        if line.lstrip().startswith("- "):
            return deep
    return None


def _indent(slip: Slip) -> Words:
    if slip.rest.startswith("id:"):
        return undashed(slip.row, slip.column, slip.rest)
    above = next((line for line in reversed(slip.lines[: slip.row]) if line.strip()), "")
    below = next((content(line) for line in slip.lines[slip.row + 1 :] if line.strip()), 0)
    held = below if slip.rest.rstrip().endswith(":") and below > slip.column else 1 << 30
    levels = sorted({content(line) for line in _enclosing(slip) if content(line) < held})
    near = min(levels or [content(above)], key=lambda level: (abs(level - slip.column), -level))
    message = f"the line begins in column {slip.column + 1}, where nothing above it does"
    said = slip.here(message, f"begin it in column {near + 1}, or below the row that it belongs to")
    return said.misplaced(" " * near + slip.rest)


def _enclosing(slip: Slip) -> Iterator[str]:
    """Yield the lines above, from the nearest on, that are less deep than all below them."""
    least = 1 << 30
    for line in reversed(slip.lines[: slip.row]):
        if line.strip() and not line.lstrip().startswith("#") and content(line) < least and KEY.match(line):
            least = content(line)
            yield line


def _beginning(slip: Slip) -> Words:
    if open_above := unclosed(slip):
        return open_above
    return slip.here(f"a value cannot begin with '{slip.rest[:1]}'", "delete it, or put the whole value in quotes")


def _headless(slip: Slip) -> Words | None:
    """Say that the first line of a file is missing, so that it begins deeper than it goes on, or lacks its colon."""
    row = next((n for n, line in enumerate(slip.lines) if line.strip() and not line.lstrip().startswith("#")), 0)
    deep = len(slip.line(row)) - len(slip.line(row).lstrip())
    said = f"the file begins in column {deep + 1}, but goes on in column {slip.column + 1}, in line {slip.row + 1}"
    return Words(row + 1, deep + 1, said, "is the key above it missing?") if deep > slip.column else heading(slip, row)


_SAYS = (
    ("expected <document start>", _headless),
    ("unexpected ':'", valueless),
    ("did not find expected node content", _beginning),
    ("mapping values are not allowed", second),
    ("could not find expected ':'", keyless),
    ("unexpected end of stream", _quotation),
    ("unexpected document indicator", _quotation),
    ("unknown escape character", _escape),
    ("hexdecimal|invalid Unicode character escape", _code),
    ("cannot start any token", _token),
    ("block sequence entries are not allowed", _inline),
    ("mapping keys are not allowed|second occurrence", _token),
    ("undefined tag handle|expected '>'|expected tag URI|expected whitespace", _name),
    ("undefined alias", _token),
    ("expected alphabetic or numeric character", _name),
    ("expected comment or line break|indentation indicator", _block),
    ("another document", _document),
    (r"expected ',' or", inside),
    (r"expected key|expected '-' indicator|expected <block end>", _misplaced),
)
