"""What is wrong with a BibTeX file that its reader did not take, in an author's words, and where.

The reader drops what it cannot read, up to the next entry; here the file is gone through once more, entry by entry, to
the first slip in each: a brace, a comma, an equals sign, a key. Leaves out: what fields mean (report/references.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from report.conflicts import LEFT, conflicts
from report.errors import Near, Problem
from report.lines import line_and_column
from report.yamlwords import UNSEEN, control

_BEGINS = re.compile(r"^[ \t]*@", re.MULTILINE)
_KIND = re.compile(r"[ \t]*@(\w*)[ \t]*")
_KEY = re.compile(r"\{\s*([^\s,{}=]*)")
_SPACED = re.compile(r"([^\s,{}=]+(?:[ \t]+[^\s,{}=]+)+)[ \t]*,")  # a key of several words
_OUTSIDE = re.compile(r"^[ \t]*((?!%)\S.*)$", re.MULTILINE)
_NAME = re.compile(r"([^\s=:{},\"#%@]+)[ \t]*")
_BARE = re.compile(r"[^\s,{}\"=@]+")
_OTHERS = ("comment", "preamble", "string")
_BLANK = re.compile(r"\s*")
_NEXT = re.compile(r"\n[ \t]*(?:[\w-]+[ \t]*=|@\w+[ \t]*\{|\}[ \t]*$)", re.MULTILINE)  # where a value has ended at last
ENTRY = "an entry reads @article{key, name = {text}, ...}"
_FIELD = "each field reads name = {text},"


@dataclass(eq=False)
class Slip(Exception):
    """A mistake: from where to where in the file it stands, what it is, and a hint."""

    start: int
    end: int
    message: str
    hint: str = _FIELD

    def problem(self, text: str, path: str) -> Problem:
        """Return the mistake with its line and column."""
        near = Near.whole(text[self.start : self.end])
        return Problem(path, *line_and_column(text, self.start), self.message, self.hint, near=near)


def unseen(text: str) -> Iterator[Slip]:
    """Yield what no file may hold: the marks of a merge, and characters that nobody sees."""
    for found in conflicts(text):
        yield Slip(*found.span(), *LEFT)
    for found in UNSEEN.finditer(text):
        yield Slip(*found.span(), *control(found[0]))


def slips(text: str) -> Iterator[tuple[int, Slip]]:
    """Yield the first slip of each entry, and the first line behind it that belongs to none, with where it begins."""
    starts = [found.start() for found in _BEGINS.finditer(text)]
    yield from _outside(text, 0, min(starts, default=len(text)))
    for start, end in pairwise([*starts, len(text)]):
        if _at(_KIND, text, start)[1].lower() in _OTHERS:
            continue
        try:
            ended = _entry(text[:end], start)
        except Slip as slip:
            yield start, slip
        else:
            yield from _outside(text, ended, end)


def _outside(text: str, start: int, end: int) -> Iterator[tuple[int, Slip]]:
    if found := _OUTSIDE.search(text, start, end):
        hint = "an entry begins with @, as in @article{key, and a comment with %"
        yield found.start(), Slip(*found.span(1), "this belongs to no entry", hint)


def _entry(text: str, place: int) -> int:
    """Return where an entry ends; raise its first slip."""
    kind = _at(_KIND, text, place)
    key = _KEY.match(text, kind.end())
    if key is None:
        raise Slip(*kind.span(1), f"a brace is missing behind '@{kind[1]}'", ENTRY)
    if not key[1]:
        raise Slip(*kind.span(1), "the entry has no key", ENTRY)
    place, names = _past(text, key.end()), set[str]()
    if spaced := _SPACED.match(text, key.start(1)):
        right = re.sub(r"\s+", "", spaced[1])
        raise Slip(*spaced.span(1), f"the key '{spaced[1]}' holds a blank", f"write '{right}'")
    if text[place : place + 1] not in (",", "}"):
        raise Slip(*key.span(1), f"a comma is missing after '{key[1]}'", ENTRY)
    while text[place : place + 1] == ",":
        place = _past(text, place + 1)
        if text[place : place + 1] not in ("", "}"):
            place = _field(text, place, names, f"reference '{key[1]}': ")
    if place >= len(text):
        hint = "write } in a line below its last field"
        raise Slip(*key.span(1), f"the entry '{key[1]}' is never closed", hint)
    if text[place + 1 :].lstrip(" \t").startswith((",", "}")):
        raise Slip(place, place + 1, f"reference '{key[1]}': a brace is closed that was never opened", _FIELD)
    return place + 1


def _field(text: str, place: int, names: set[str], whose: str) -> int:
    """Return where the comma or brace stands behind a field; raise its slip."""
    try:
        return _named(text, place, names)
    except Slip as slip:
        slip.message = whose + slip.message
        raise


def _named(text: str, place: int, names: set[str]) -> int:
    name = _NAME.match(text, place)
    if name is None:
        raise Slip(place, place + 1, f"'{text[place]}' stands where a field begins")
    mark = text[name.end() : name.end() + 1]
    if mark == ":":
        raise Slip(name.end(), name.end() + 1, "a colon where an equals sign belongs")
    if mark != "=":
        raise Slip(*name.span(1), f"an equals sign is missing after '{name[1]}'")
    if name[1].lower() in names:
        raise Slip(*name.span(1), f"the field '{name[1]}' stands twice", "delete one of them")
    names.add(name[1].lower())
    ended = _value(text, _past(text, name.end() + 1))
    place = _past(text, ended)
    if text[place : place + 1] not in (",", "}", ""):
        raise Slip(ended - 1, ended, f"a comma is missing after '{name[1]}'", "each field ends in a comma")
    return place


def _value(text: str, place: int) -> int:
    """Return where a value ends: in braces, in quotation marks, or a bare number."""
    opened = text[place : place + 1]
    if opened not in ("{", '"'):
        bare = _BARE.match(text, place)
        if bare is None:
            raise Slip(place, place + 1, "a value is missing here")
        return bare.end()
    last = _NEXT.search(text, place)
    ended = _paired(text, place, len(text))
    if ended < 0 or (last and ended > last.start() and _paired(text, place, last.start()) < 0):
        said = "a brace is opened" if opened == "{" else "a quotation mark is opened"
        raise Slip(place, place + 1, f"{said} and never closed")
    return ended


def _paired(text: str, place: int, end: int) -> int:
    """Return the place behind the other half of a brace or a quotation mark; -1 without one."""
    depth, quoted = 0, text[place] == '"'
    for found in re.compile(r'(?<!\\)[{}"]').finditer(text, place, end):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        ends = found[0] == '"' and found.start() > place and not depth if quoted else depth == 0
        if ends:
            return found.end()
    return -1


def _past(text: str, place: int) -> int:
    """Return the next place that is not blank."""
    return _at(_BLANK, text, place).end()


def _at(pattern: re.Pattern[str], text: str, place: int) -> re.Match[str]:
    found = pattern.match(text, place)
    assert found is not None, "the pattern fits anything"
    return found
