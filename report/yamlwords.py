"""What is wrong with a file that is no YAML, in an author's words; the parser's own speak of block mappings.

The parser says where it gave up, and sometimes where it began; the slip is often before that: a bracket that is never
closed is told at the bracket, a line that is indented too deep at its own beginning. Leaves out: files that are YAML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

# What git leaves where two edits meet, and what is said of it in any file.
CONFLICT = re.compile(r"^(?:<{7}|>{7})(?: .*)?$", re.MULTILINE)
LEFT = ("git has left a conflict here", "keep one side, and delete the lines of <, = and >")
# What a slip of the keyboard or an editor leaves and nobody sees; YAML allows none of it.
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_CLOSES = {"{": "}", "[": "]"}
_KEY = re.compile(r"(?P<lead>[ ]*(?:- +)*)(?P<key>[\w.-]+):(?= |$)")
_RUN_ON = re.compile(r"[ ]*(?:- +)*(?P<key>[\w.-]+)(?P<mark>:|\s*=\s*)(?P<value>\S.*)")


@dataclass(frozen=True, slots=True)
class Words:
    """A mistake and where it is; line and column count from 1."""

    line: int
    column: int
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class _Slip:
    """Where the parser gave up, and where that part of the file began; rows and columns count from 0."""

    text: str
    problem: str
    row: int
    column: int
    began: tuple[int, int]

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    def line(self, row: int) -> str:
        return self.lines[row] if row < len(self.lines) else ""

    @property
    def before(self) -> str:
        return self.line(self.row)[: self.column]

    @property
    def rest(self) -> str:
        return self.line(self.row)[self.column :]

    def here(self, message: str, hint: str = "", back: int = 0) -> Words:
        return Words(self.row + 1, self.column + 1 - back, message, hint)

    def start(self, message: str, hint: str = "") -> Words:
        return Words(self.began[0] + 1, self.began[1] + 1, message, hint)


def control(mark: str) -> tuple[str, str]:
    """Return what is said of a character that nobody sees."""
    return f"the character U+{ord(mark):04X} has no place in a text", "delete it"


def explain(text: str, error: yaml.MarkedYAMLError) -> Words:
    """Return what is wrong with a text that could not be parsed."""
    if conflict := CONFLICT.search(text):
        return Words(text.count("\n", 0, conflict.start()) + 1, 1, *LEFT)
    mark = error.problem_mark or error.context_mark
    if mark is None:
        return Words(0, 0, f"not YAML: {error.problem or error.context}")
    began = error.context_mark or mark
    slip = _Slip(text, error.problem or "", mark.line, mark.column, (began.line, began.column))
    if slip.rest.startswith("\t") or re.match(r"\s*\t", slip.line(slip.row)):
        return slip.here("a tab", "YAML is indented with spaces")
    for pattern, say in _SAYS:
        if re.search(pattern, slip.problem) and (found := say(slip)):
            return found
    return slip.here(f"not YAML: {slip.problem} {error.context or ''}".rstrip())


def _colon(slip: _Slip) -> Words:
    """Say what is wrong with a colon where no key may stand: a second one in a value, or a line that is too deep."""
    found = _KEY.match(slip.before)
    if found:
        value = slip.line(slip.row)[found.end() :].strip()
        return slip.here("a second colon in one value", f"put the text in quotes: {found['key']}: '{value}'")
    above = next((row for row in range(slip.row - 1, -1, -1) if slip.line(row).strip()), slip.row)
    deep = len(slip.line(slip.row)) - len(slip.line(slip.row).lstrip())
    message = "the line is indented deeper than the one above it, which has its value already"
    return Words(slip.row + 1, deep + 1, message, f"begin it in column {_content(slip.line(above)) + 1}")


def _content(line: str) -> int:
    """Return the column, from 0, in which the first key of a line begins, behind the dash of a list."""
    return len(line) - len(re.sub(r"^ *(- +)*", "", line))


def _keyless(slip: _Slip) -> Words:
    """Say what a line lacks that should read `key: value`."""
    row, line = slip.began[0], slip.line(slip.began[0])
    found = _RUN_ON.fullmatch(line)
    if not found:
        first, _, rest = line.strip().removeprefix("- ").partition(" ")
        hint = f"write '{first}: {rest}', or indent it deeper if it goes on with the line above"
        return slip.start("a line that is no 'key: value'", hint)
    colon = found["mark"] == ":"
    message = "a blank is missing after the colon" if colon else "an equals sign where a colon belongs"
    return Words(row + 1, found.start("mark") + 1, message, f"write '{found['key']}: {found['value']}'")


def _quotation(slip: _Slip) -> Words:
    mark = slip.line(slip.began[0])[slip.began[1] : slip.began[1] + 1] or "'"
    return slip.start("a quotation mark without its other half", f"write {mark} at both ends of the text")


def _escape(slip: _Slip) -> Words:
    said = f"the backslash of '{slip.rest[:2]}' means something else inside double quotes"
    return slip.here(said, "put the text in single quotes")


def _token(slip: _Slip) -> Words:
    return slip.here(f"a text cannot begin with '{slip.rest[:1]}'", "put it in quotes")


def _name(slip: _Slip) -> Words:
    return slip.start(f"a text cannot begin with '{slip.line(slip.began[0])[slip.began[1] :][:1]}'", "put it in quotes")


def _block(slip: _Slip) -> Words:
    mark = slip.line(slip.began[0])[slip.began[1] : slip.began[1] + 1]
    return slip.start(f"after '{mark}' the text begins on the next line", "or put the text in quotes")


def _document(slip: _Slip) -> Words:
    return slip.here(f"a line '{slip.rest[:3]}' ends the file here", "delete it")


def _inside(slip: _Slip) -> Words:
    """Say what is wrong between brackets: one that stays open, a comma that is missing, a bracket too many."""
    row, column = slip.began
    opened = slip.line(row)[column : column + 1]
    closes = _CLOSES.get(opened, "")
    if quoted := _long_quote(slip):
        return quoted
    if slip.row > row:
        if slip.line(row)[column + 1 : column + 2] == opened:
            return slip.start(f"'{opened * 2}' opens two, and one of them is never closed", f"write one '{opened}'")
        return slip.start(
            f"'{opened}' is never closed", f"write '{closes}' before the next key, in line {slip.row + 1}"
        )
    if slip.rest[:1] in _CLOSES.values():
        hint = f"write '{closes}' before it" if opened == "[" else "delete it"
        return slip.here(f"'{slip.rest[:1]}' stands where '{opened}' of column {column + 1} is still open", hint)
    if semicolon := re.search(r"; *[\w.-]*$", slip.before):
        return slip.here("a semicolon where a comma belongs", "write ', '", len(semicolon[0]))
    word = re.search(r"[\w.-]*$", slip.before)
    back = word[0] if word and slip.rest.startswith(":") else ""
    what = back or (re.match(r"[\w.-]+|\S?", slip.rest) or [""])[0]
    return slip.here(f"a comma is missing before '{what}'", "write ', ' between the parts", len(back))


def _long_quote(slip: _Slip) -> Words | None:
    """Say that a text in quotes runs over several lines to where the parser gave up: its end was forgotten."""
    last = None
    for token in _tokens(slip.text):
        if (token.start_mark.line, token.start_mark.column) >= (slip.row, slip.column):
            break
        if isinstance(token, yaml.ScalarToken) and token.style in ("'", '"'):
            last = token
    if last is None or last.start_mark.line == last.end_mark.line or last.end_mark.line < slip.row - 1:
        return None
    message = f"a text in quotes that goes on to line {last.end_mark.line + 1}"
    hint = f"is the {last.style} at its end missing?"
    return Words(last.start_mark.line + 1, last.start_mark.column + 1, message, hint)


def _tokens(text: str) -> Iterator[yaml.Token]:
    try:
        yield from yaml.scan(text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError:
        return


def _misplaced(slip: _Slip) -> Words | None:
    """Say what is wrong with a line that fits nowhere: a bracket, text after a value, a dash, an indent."""
    if quoted := _long_quote(slip):
        return quoted
    if slip.rest[:1] in _CLOSES.values():
        return slip.here(f"'{slip.rest[:1]}' closes nothing", "delete it, or open it before")
    if slip.before.strip():
        return _after(slip)
    if slip.rest.startswith("- "):
        return _dash(slip)
    return _indent(slip)


def _after(slip: _Slip) -> Words:
    """Say what is wrong with text that stands behind a value which has ended."""
    mark = slip.before.rstrip()[-1]
    if mark == "'":
        hint = "inside single quotes a quotation mark is written twice ('')"
        return slip.here("the text in quotes ends before this", hint)
    return slip.here(f"text behind {mark}, where the value has ended", "delete it, or put the whole value in quotes")


def _dash(slip: _Slip) -> Words:
    """Say where the dash of a list belongs: below the dashes before it; or that there is no list."""
    dashes = [line.index("- ") for line in slip.lines[: slip.row] if re.match(r" *- ", line)]
    above = next((line for line in reversed(slip.lines[: slip.row]) if line.strip()), "")
    if slip.column not in dashes and dashes and slip.column != _content(above):
        return slip.here("a '-' that stands below no other", f"begin it in column {dashes[-1] + 1}, as those above")
    return slip.here("a '-' among the keys of a row", "delete it: a '-' begins a new row or a part of a list")


def _indent(slip: _Slip) -> Words:
    above = next((line for line in reversed(slip.lines[: slip.row]) if line.strip()), "")
    levels = sorted({_content(line) for line in _enclosing(slip)})
    near = min(levels or [_content(above)], key=lambda level: (abs(level - slip.column), -level))
    message = f"the line begins in column {slip.column + 1}, where nothing above it does"
    return slip.here(message, f"begin it in column {near + 1}, or below the row that it belongs to")


def _enclosing(slip: _Slip) -> Iterator[str]:
    """Yield the lines above, from the nearest on, that are less deep than all below them."""
    least = 1 << 30
    for line in reversed(slip.lines[: slip.row]):
        if line.strip() and not line.lstrip().startswith("#") and _content(line) < least and _KEY.match(line):
            least = _content(line)
            yield line


_SAYS = (
    ("mapping values are not allowed", _colon),
    ("could not find expected ':'", _keyless),
    ("unexpected end of stream", _quotation),
    ("unexpected document indicator", _quotation),
    ("unknown escape character", _escape),
    ("cannot start any token", _token),
    ("undefined alias", _token),
    ("expected alphabetic or numeric character", _name),
    ("expected comment or line break", _block),
    ("another document", _document),
    (r"expected ',' or", _inside),
    (r"expected key|expected '-' indicator|expected <block end>", _misplaced),
)
