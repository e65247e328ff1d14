"""The entries of a BibTeX file apart from each other, and what stands between them and belongs to none.

An entry whose @ or brace is missing is one too. Of the lines outside of entries each stretch is told once: it ends at
an empty line or a comment, but not within braces. Leaves out: what is wrong with an entry (report/bibentry.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from report import bibentry
from report.bibdraft import Entry
from report.bibwords import KINDS, Slip, paired, stray

_BARE = rf"(?:{'|'.join(sorted(KINDS))})[ \t]*\{{[^\s,{{}}=\"]+,[ \t]*$"  # without its @
_KEYED = r"@\w+[ \t]+[^\s,{}=]+[ \t]*,[ \t]*$|@\w+[ \t]*\n[ \t]*\{"  # without its brace, or with it in the next line
_WHOLE = r"@\w*[ \t]*[{(]"
_NEXT = re.compile(rf"^[ \t]*(?:{_WHOLE}|{_KEYED}|{_BARE})", re.MULTILINE)  # behind an entry that is not closed
_FIRST = re.compile(rf"%[^\n]*|(?P<entry>^[ \t]*@|^[ \t]*{_BARE}|{_WHOLE})", re.MULTILINE)
_OTHERS = re.compile(r"[ \t]*@(?:comment|preamble|string)\b[ \t]*", re.IGNORECASE)
_LINE = re.compile(r"[ \t]*([^\n]*)\n?")
_BRACES = re.compile(r"(?<!\\)[{}]")


class Pieces(NamedTuple):
    """The entries of a file in their order, and what belongs to none."""

    entries: list[Entry]
    strays: list[Slip]


def read(text: str) -> Pieces:
    """Return the pieces of a file."""
    found, place = Pieces([], []), 0
    while place < len(text):
        start = _first(text, place)
        found.strays.extend(_strays(text, place, start))
        if start == len(text):
            break
        after = _NEXT.search(text, start + 1)
        end = after.start() if after else len(text)
        if other := _OTHERS.match(text, start):
            place = _block(text, other.end(), end)
            continue
        entry = bibentry.read(text[:end], start)
        found.entries.append(entry)
        place = entry.end if entry.text else _stretch(text, start, end)
    return found


def _first(text: str, place: int) -> int:
    """Return where the next entry begins outside of all others, the end of the text where none does."""
    starts = (found.start() for found in _FIRST.finditer(text, place) if found["entry"] is not None)
    return next(starts, len(text))


def _block(text: str, place: int, end: int) -> int:
    """Return where a block ends that is no entry, and whose brace or bracket is at a place."""
    mark = text[place : place + 1]
    if mark not in ("{", "("):
        return _stretch(text, place, end)
    closed = paired(text, place, end) if mark == "{" else text.find(")", place, end) + 1
    return closed if closed > 0 else end


def _strays(text: str, place: int, end: int) -> Iterator[Slip]:
    while place < end:
        line = _LINE.match(text, place, end)
        assert line is not None, "the pattern fits anything"
        if _empty(line):
            place = line.end()
        else:
            yield stray(*line.span(1))
            place = _stretch(text, place, end)


def _stretch(text: str, place: int, end: int) -> int:
    """Return where the lines end that hang together, from a place in the first of them."""
    depth, least = 0, 0
    for line in _LINE.finditer(text, place, end):
        if line.start() > place and _empty(line):
            least = least or line.start()
            if depth <= 0:
                return line.start()
        depth += sum(1 if brace == "{" else -1 for brace in _BRACES.findall(line[1]))
        least = least if depth > 0 else 0
    return least or end


def _empty(line: re.Match[str]) -> bool:
    return not line[1] or line[1].startswith("%")
