"""Which {{ }} or {% %} of its line a mistake is in: tokens carry it in their line number, and so does all made of them.

Jinja and Python tell the line of what they run, and a line of prose is a paragraph. So the tags of a text are counted
while it is read, and the count stands above the line in one number. Leaves out: where in a tag a word stands
(report/carets.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from jinja2 import Template
from jinja2.lexer import Token

_LINES = 1 << 14  # more than a text has
_BEGIN = ("variable_begin", "block_begin")


def line(code: int) -> int:
    """Return the line that a number holds."""
    return code % _LINES


def tag(code: int) -> int:
    """Return the number of the tag, 0 for none: the first of a text is 1."""
    return code // _LINES


def numbered(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield tokens, those of tags with the number of their tag above the line."""
    above = 0
    for token in tokens:
        if token.type == "data":
            yield token
            continue
        above += _LINES * (token.type in _BEGIN)
        yield Token(above + token.lineno, token.type, token.value)


@dataclass
class Codes:
    """The numbers of running templates: line of the Python code -> line of the text with its tag."""

    tables: dict[Template, tuple[tuple[int, int], ...]] = field(default_factory=dict)

    def at(self, template: Template, line: int) -> int:
        """Return what a template holds for a line of its code."""
        if template not in self.tables:
            self.tables[template] = tuple(reversed(template.debug_info))
        return next((code for code, start in self.tables[template] if start <= line), 1)
