"""What is wrong between brackets and quotation marks of a YAML file: one that stays open, a comma that is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import yaml

from report.slips import CLOSES, KEY, Slip, Words

_RUNS_ON = re.compile(r",\s*$| #")  # a line that ends in a comma, or in a comment


def inside(slip: Slip) -> Words:
    """Say what is wrong between brackets: one that stays open, a comma that is missing, a bracket too many."""
    row, column = slip.began
    opened = slip.line(row)[column : column + 1]
    closes = CLOSES.get(opened, "")
    if quoted := long_quote(slip):
        return quoted
    if slip.row > row:
        if comment := _comment(slip, closes):
            return comment
        if slip.line(row)[column + 1 : column + 2] == opened:
            return slip.start(f"'{opened * 2}' opens two, and one of them is never closed", f"write one '{opened}'")
        return _never(slip, opened)
    if slip.rest[:1] in CLOSES.values():
        hint, meant = _closing(slip, opened, column)
        said = f"'{slip.rest[:1]}' stands where '{opened}' of column {column + 1} is still open"
        return slip.here(said, hint).meant(meant)
    word = re.search(r"[\w.-]*$", slip.before)
    back = word[0] if word and slip.rest.startswith(":") else ""
    meant = f"{slip.before[: slip.column - len(back)].rstrip('; ')}, {back}{slip.rest}" if _known(slip, back) else ""
    if semicolon := re.search(r"; *[\w.-]*$", slip.before):
        return slip.here("a semicolon where a comma belongs", "write ', '", len(semicolon[0])).meant(meant)
    what = back or (re.match(r"[\w.-]+|\S?", slip.rest) or [""])[0]
    return slip.here(f"a comma is missing before '{what}'", "write ', ' between the parts", len(back)).meant(meant)


def _closing(slip: Slip, opened: str, column: int) -> tuple[str, str]:
    """Return how to mend a bracket that closes another than is open, and the line as it was meant if that is sure."""
    if opened == "[":
        return "write ']' before it", "" if ":" in slip.before[column:] else f"{slip.before}]{slip.rest}"
    bare = re.search(r"([\w.-]+): +([^][{}:]*)$", slip.before)
    if bare and slip.rest[0] == "]" and any(f" {bare[1]}: [" in line for line in slip.lines):
        listed = f"{slip.before[: bare.start(2)]}[{bare[2]}{slip.rest}"
        return f"write '[' behind '{bare[1]}:', or delete it", listed
    return "delete it", slip.before + slip.rest[1:] if slip.before.endswith("]") else ""


def _known(slip: Slip, word: str) -> bool:
    """Tell whether a word is a key on other lines."""
    key = re.compile(rf"(?:^|[{{,\s]){re.escape(word)}:(?:\s|$)")
    return bool(word) and any(key.search(line) for row, line in enumerate(slip.lines) if row != slip.row)


def unclosed(slip: Slip) -> Words | None:
    """Say that a bracket of a line above is never closed, where the parser gave up on a dash or at the end."""
    opened: list[yaml.Token] = []
    for token in _tokens(slip.text):
        if isinstance(token, yaml.FlowSequenceStartToken | yaml.FlowMappingStartToken):
            opened.append(token)
        elif opened and isinstance(token, yaml.FlowSequenceEndToken | yaml.FlowMappingEndToken):
            opened.pop()
        if token.start_mark.line >= slip.row:
            break
    if not opened or opened[-1].start_mark.line >= slip.row or slip.rest[:2] not in ("- ", ""):
        return None
    mark = opened[-1].start_mark
    sign = "{" if isinstance(opened[-1], yaml.FlowMappingStartToken) else "["
    return _never(replace(slip, began=(mark.line, mark.column)), sign)


def _never(slip: Slip, opened: str) -> Words:
    write, line = f"write '{CLOSES.get(opened, '')}'", slip.row + 1
    hint = f"{write} before the next key, in line {line}" if slip.rest else f"{write} where the value ends"
    if slip.rest.startswith("- "):
        hint = f"delete it, or {write} in front of line {line}"
    said, first = slip.start(f"'{opened}' is never closed", hint), slip.line(slip.began[0])
    ends = not any(line.strip() for line in slip.lines[slip.began[0] + 1 : slip.row]) and not _RUNS_ON.search(first)
    part = first[slip.began[1] + 1 :].strip()  # where there is none, all of it may stand elsewhere
    held = bool(part) and (opened == "[" or ":" in part)
    return said.meant(first.rstrip() + CLOSES[opened]) if ends and held else said


def _comment(slip: Slip, closes: str) -> Words | None:
    """Say that a comment between brackets hides the comma or the bracket that is missed."""
    for row in range(slip.began[0], slip.row):
        at = slip.line(row).find(" #")
        if at >= 0 and set(slip.line(row)[at:]) & {",", closes}:
            hint = "put the comment on a line of its own above, or a text that holds a '#' in quotes"
            return Words(row + 1, at + 2, "a '#' behind a blank makes a comment of the rest of its line", hint)
    return None


def long_quote(slip: Slip) -> Words | None:
    """Say that a text in quotes runs over several lines to where the parser gave up: its end was forgotten."""
    last = None
    for token in _tokens(slip.text):
        if (token.start_mark.line, token.start_mark.column) >= (slip.row, slip.column):
            break
        if isinstance(token, yaml.ScalarToken) and token.style in ("'", '"'):
            last = token
    if last is None or last.start_mark.line == last.end_mark.line or last.end_mark.line < slip.row - 1:
        return None
    inside = slip.lines[last.start_mark.line + 1 : last.end_mark.line + 1]
    if not any(KEY.match(line) for line in inside):
        return None  # a text of several lines, as there are many
    message = f"a text in quotes that goes on to line {last.end_mark.line + 1}"
    hint = f"is the {last.style} at its end missing?"
    return Words(last.start_mark.line + 1, last.start_mark.column + 1, message, hint)


def _tokens(text: str) -> Iterator[yaml.Token]:
    try:
        yield from yaml.scan(text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError:
        return


def valueless(slip: Slip) -> Words:
    """Say that a key between brackets has nothing behind its colon, not even a blank."""
    word = re.search(r"[\w.-]*$", slip.before)
    key = word[0] if word else ""
    return slip.here(f"'{key}:' has no value", f"write '{key}: ...', with a blank behind the colon", len(key))
