"""What git leaves in a file where two edits meet, and the text without it, of which all else can be told.

Of a whole conflict the upper side stays; of lines that are left over alone, everything but themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

LEFT = ("git has left a conflict here", "keep one side, and delete the lines of <, = and >")
LINE = re.compile(r"^(?:<{7}|\|{7}|>{7})(?: [^\n]*)?$|^={7}$", re.MULTILINE)


def conflicts(text: str) -> Iterator[re.Match[str]]:
    """Yield the first line of each conflict."""
    before = ">"
    for found in LINE.finditer(text):
        mark = found[0][0]
        if mark == "<" or before == ">" or (mark, before) == ("=", "="):
            yield found
        before = mark


def one_side(text: str) -> str:
    """Return a text of the same length in which only the upper side of each conflict is left."""
    parts, end, side = [], 0, ""
    for found in LINE.finditer(text):
        mark = found[0][0]
        between = text[end : found.start()]
        parts += [_blank(between) if side == "lower" and mark in "=>" else between, _blank(found[0])]
        side = "upper" if mark == "<" else "lower" if side and mark in "|=" else ""
        end = found.end()
    return "".join([*parts, text[end:]])


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
