"""The marks that a text carries through Jinja: from which line of the source each line came, and braces in code.

A character before each line end says, after rendering, which line it came from.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from jinja2.lexer import Token

_LINE = 0x100000
_LINES = re.compile(f"[{chr(_LINE)}-{chr(sys.maxunicode)}]")
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


def unmark(text: str) -> tuple[str, list[int]]:
    """Return the rendered text without its marks, and the source line of each of its lines."""
    origin, last = [], 0
    for line in text.split("\n"):
        found = _LINES.findall(line)
        last = ord(found[-1]) - _LINE if found else last
        origin.append(last)
    return _LINES.sub("", text).replace(BRACE, "{"), origin
