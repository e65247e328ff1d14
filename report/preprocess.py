"""Before Jinja sees a text: front matter, formulas and code are taken out of its way, and lines are marked.

One pass with alternatives in a fixed order: comments, fences, code spans, template tags, escaped dollars, displays,
formulas, then whatever is left over and wrong. Formulas keep their line ends inside the tag that replaces them, so
that Jinja's line numbers hold. A character before each line end says, after rendering, which line it came from.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from jinja2 import Environment
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

from report.yamlwords import CONFLICT, LEFT

if TYPE_CHECKING:
    from report.desk import Desk

_LINE = 0x100000
_LINES = re.compile(f"[{chr(_LINE)}-{chr(sys.maxunicode)}]")
_JINJA = frozenset({"for", "if", "set", "with", "macro", "call", "filter", "include", "import", "from", "raw"})
_BRACE = "\ue000"  # stands for { inside code while Jinja runs
LABEL = r"[a-z][a-z0-9-]*"
_FRONT = re.compile(r"\A---\n(.*?\n)?---[ \t]*(?=\n|\Z)", re.DOTALL)
_PARTS = re.compile(
    r"(?P<comment>[ \t]?\{%#.*?#%\})"
    r"|(?P<fence>^[ \t>]*(?P<ticks>`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t>]*(?P=ticks)[`~]*[ \t]*$|\Z))"
    r"|(?P<code>(?<!`)(?P<tick>`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)(?P=tick)(?!`))"
    r"|(?P<tag>\{\{.*?\}\}|\{%.*?%\})"
    r"|(?P<escaped>\\\$)"
    r"|(?P<bracket>\\[()\[\]])"
    rf"|(?P<display>\$\$(?P<shown>(?:[^$\\]|\\.)+?)\$\$(?:[ \t]*\{{\#(?P<label>{LABEL})\}})?)"
    r"|(?P<maths>\$(?=[^\s$])(?P<inline>(?:(?!\n[ \t]*\n)(?:[^$\\]|\\.))+?)(?<!\s)\$(?!\d))"
    r"|(?P<opened>\$\$)"
    r"|(?P<dollar>\$)"
    rf"|(?P<heading>(?<=[^\n])\{{\#{LABEL}\}}[ \t]*$)"
    r"|(?P<hash>\{\#)",
    re.DOTALL | re.MULTILINE,
)
_WRONG = {
    "dollar": ("a dollar sign that opens no formula", r"write \$ for the sign, $x$ without inner blanks for a formula"),
    "opened": ("'$$' opens a formula that is never closed", "write $$ at its end too"),
    "bracket": ("formulas in \\(...\\) or \\[...\\] are not read", "write $...$ or $$...$$"),
    "hash": ("'{#' belongs to the end of a heading, as in ## Title {#name}", "a comment is written {%# ... #%}"),
}


class Preprocess(Extension):
    """Takes formulas and code out of Jinja's way and marks the lines of plain text."""

    environment: PageEnvironment

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return the source with front matter, formulas and code made harmless; the line count stays."""
        text = _FRONT.sub(lambda found: "\n" * found[0].count("\n"), source)
        text = text if text.endswith("\n") else text + "\n"
        self._path, self._text = name or "", text
        for conflict in CONFLICT.finditer(text):
            line = text.count("\n", 0, conflict.start()) + 1
            self.environment.desk.fail(*LEFT, line=line, path=self._path)
        return _PARTS.sub(self._part, text)

    def _part(self, found: re.Match[str]) -> str:
        match found.lastgroup if found.lastgroup in _WRONG else _kind(found):
            case "comment":
                return found[0].lstrip()  # the blank before it would leave two in the text
            case "fence" | "code":
                return found[0].replace("{", _BRACE)
            case "display":
                return _call(found["shown"], True, found["label"] or "", found[0])
            case "maths":
                return _call(found["inline"], False, "", found[0])
            case "heading":
                return self._heading(found)
            case "dollar" | "opened" | "bracket" | "hash" as wrong:
                return self._fail(found, wrong)
        return found[0]

    def _heading(self, found: re.Match[str]) -> str:
        start = self._text.rfind("\n", 0, found.start()) + 1
        return found[0] if re.match(r" {0,3}#{1,6} ", self._text[start:]) else self._fail(found, "hash")

    def _fail(self, found: re.Match[str], wrong: str) -> str:
        line = self._text.count("\n", 0, found.start()) + 1
        self.environment.desk.fail(*_WRONG[wrong], line=line, path=self._path)
        return ""

    def filter_stream(self, stream: TokenStream) -> Iterable[Token]:
        """Yield the tokens with a mark of its line before each line end of plain text."""
        for token in stream:
            yield Token(token.lineno, token.type, _marked(token)) if token.type == "data" else token


class PageEnvironment(Environment):
    """A Jinja environment that knows the page it is for."""

    desk: Desk

    def tags(self) -> frozenset[str]:
        """Return the tags that a page may use: Jinja's own and those of the page's extensions."""
        return _JINJA.union(*(one.tags for one in self.extensions.values()))


def _kind(found: re.Match[str]) -> str:
    names = ("comment", "fence", "code", "tag", "escaped", "display", "maths", "heading")
    return next((name for name in names if found[name] is not None), "")


def _call(tex: str, display: bool, label: str, whole: str) -> str:
    """Return the tag that sets a formula; its TeX travels as hexadecimal digits, which nothing reads by mistake."""
    ends = "\n" * whole.count("\n")
    return f'{{{{ _maths("{tex.encode().hex()}", {"true" if display else "false"}, "{label}"{ends}) }}}}'


def _marked(token: Token) -> str:
    lines = token.value.split("\n")
    return "".join(_marks(lines, token.lineno))


def _marks(lines: list[str], first: int) -> Iterator[str]:
    for offset, line in enumerate(lines):
        yield line + (chr(_LINE + first + offset) + "\n" if offset < len(lines) - 1 else "")


def unmark(text: str) -> tuple[str, list[int]]:
    """Return the rendered text without its marks, and the source line of each of its lines."""
    origin, last = [], 0
    for line in text.split("\n"):
        found = _LINES.findall(line)
        last = ord(found[-1]) - _LINE if found else last
        origin.append(last)
    return _LINES.sub("", text).replace(_BRACE, "{"), origin


def front_matter(source: str) -> str:
    """Return the YAML between the two lines of dashes at the top, or an empty text."""
    found = _FRONT.match(source)
    return (found[1] or "") if found else ""


def tags(source: str) -> Iterator[tuple[str, int, bool]]:
    """Yield each template tag outside code and comments: its first word, its line, whether it holds an equals sign."""
    for found in _PARTS.finditer(source):
        word = re.match(r"\{%[-+]?\s*(\w+)", found[0]) if found["tag"] else None
        if word:
            yield word[1], source.count("\n", 0, found.start()) + 1, "=" in found[0]
