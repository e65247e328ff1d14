"""The marks that a text carries through Jinja: from which line of the source each line came, choices, braces in code.

A character before each line end says, after rendering, which line it came from. One says where a choice of the text
begins, and one behind it where a branch would stand that was not taken, so that it can be read with what is around it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence

from jinja2.lexer import Token

_LINE, _CHOICE, _ASIDE = 0x100000, 0x108000, 0x10C000  # each with a number on top
_ROOM = 0x3000
# Before, between and behind branches that both stand.
FIRST, SECOND, BOTH = PARTS = ("\U0010fff0", "\U0010fff1", "\U0010fff2")
_LINES = re.compile(f"[{chr(_LINE)}-{chr(_CHOICE - 1)}]")
_MARKS = f"[{chr(_LINE)}-{chr(sys.maxunicode)}]"
_ANY = re.compile(_MARKS)
_ASIDES = re.compile(f"[{chr(_ASIDE)}-{chr(_ASIDE + _ROOM)}]")
_BRANCHES = re.compile(f"{FIRST}([^{FIRST}{BOTH}]*){SECOND}([^{FIRST}{BOTH}]*){BOTH}")
_BLANK = re.compile(rf"\n(?:[ \t]|{_MARKS})*\n")
BRACE = "\ue000"  # stands for { inside code while Jinja runs
# In what of a text can't be read: a whole text that is missing, which may hold any name; a heading without its own id.
ANYTHING = "\ue013"
UNNAMED = "\ue014"


def marked(token: Token) -> str:
    """Return plain text with a mark of its line before each line end."""
    lines = token.value.split("\n")
    return "".join(_marks(lines, token.lineno))


def _marks(lines: list[str], first: int) -> Iterator[str]:
    for offset, line in enumerate(lines):
        yield line + (ended(first + offset) if offset < len(lines) - 1 else "")


def ended(line: int) -> str:
    """Return what ends a line of rendered text: the mark of the source line from which it came, and the end itself."""
    return f"{chr(_LINE + line)}\n"


def line(number: int) -> str:
    """Return the mark of the source line from which what stands before it came; nothing where that is not known."""
    return chr(_LINE + number) if number else ""


def unmark(text: str) -> tuple[str, list[int]]:
    """Return the rendered text without its marks, and the source line of each of its lines."""
    origin, last = [], 0
    for line in text.split("\n"):
        found = _LINES.findall(line)
        last = ord(found[-1]) - _LINE if found else last
        origin.append(last)
    return _ANY.sub("", text).replace(BRACE, "{"), origin


def choice(n: int) -> str:
    """Return the mark of where a choice begins."""
    return chr(_CHOICE + min(n, _ROOM))  # of more, which nobody writes, the last are taken for one


def aside(n: int) -> str:
    """Return the mark of where a branch would stand that was not taken."""
    return chr(_ASIDE + n) if n < _ROOM else ""


def untaken(text: str, asides: Sequence[tuple[int, str]]) -> Iterator[str]:
    """Yield each branch that was not taken with the paragraph around it; asides are its choice and what it prints."""
    for found in _ASIDES.finditer(text):
        n, printed = asides[ord(found[0]) - _ASIDE]
        start = text.rfind(choice(n), 0, found.start())
        if start < 0:
            continue
        blanks = [0, *(blank.end() for blank in _BLANK.finditer(text, 0, start))]
        blank = _BLANK.search(text, found.end())
        # What stands behind it in its line is told by itself, so that the line may be that of the branch.
        rest, end, others = text[found.end() : blank.start() if blank else len(text)].partition("\n")
        rest = _LINES.sub("", rest) if _LINES.search(printed[-1:]) else rest
        for way in dict.fromkeys(_ways(printed)):
            yield text[blanks[-1] : start] + way + rest + end + others


def _ways(printed: str) -> Iterator[str]:
    """Yield a text with the first branches that both stand in it, and with the second."""
    for way in (r"\1", r"\2"):
        one = printed
        while _BRANCHES.search(one):
            one = _BRANCHES.sub(way, one)
        yield one
