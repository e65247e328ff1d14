"""Markdown to HTML: tables, quotes set as quotes, headings with ids of their own, no raw HTML, no inline style.

Placeholders are letters to it. Leaves out: what is wrong with the text (report/checks.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.rules_block.table import escapedSplit
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from report.constructs import LABEL
from report.errors import Near

_ID = re.compile(rf"\s*\{{#({LABEL})\}}\s*$")
OBJECT = "\ufffc"  # stands for code and for a link's own text, which no check reads


@dataclass(frozen=True)
class Heading:
    """A heading: its id, its text with placeholders, its level and the line of the source."""

    id: str
    title: str
    level: int
    line: int


@dataclass(frozen=True)
class Block:
    """A run of text without block structure, and the source line of each of its lines. kind: p, h2, td, alt ..."""

    text: str
    kind: str
    lines: tuple[int, ...]

    def line(self, offset: int) -> int:
        """Return the source line of a character."""
        return self.lines[min(self.text.count("\n", 0, offset), len(self.lines) - 1)]

    def near(self, offset: int, length: int) -> Near:
        """Return some characters with the line in which they were read."""
        start = self.text.rfind("\n", 0, offset) + 1
        line = self.text[start:].partition("\n")[0]
        return Near(line, offset - start, min(offset - start + length, len(line)))


@dataclass(frozen=True)
class Odd:
    """What Markdown reads without a word, and no author means: its line and words, what is wrong, a hint."""

    line: int
    near: Near
    message: str
    hint: str


@dataclass(frozen=True)
class Text:
    """A Markdown text as read: HTML with placeholders, headings in order, every run of text, and what is odd."""

    html: str
    headings: tuple[Heading, ...]
    blocks: tuple[Block, ...]
    odd: tuple[Odd, ...]


def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False, "typographer": True})
    # What is escaped can be told from marks that are left over only before the two are joined.
    reader.core.ruler.before("text_join", "runs", _note_runs)
    reader.core.ruler.after("block", "footnotes", _no_footnotes)
    # Indented code is off: template tags indent text.
    return reader.enable(["table", "replacements", "smartquotes"]).disable("code")


def _no_footnotes(state: StateCore) -> None:
    """Leave [^a] a text, though one word behind `[^a]:` would make it a link to there."""
    known = state.env.get("references", {})
    for name in [name for name in known if name.startswith("^")]:
        del known[name]


def _note_runs(state: StateCore) -> None:
    """Note beside each inline token the runs of text in it."""
    for opener, token in pairwise(state.tokens):
        if token.type == "inline":
            token.meta["runs"] = list(_runs(opener.tag, token))


def render(text: str, origin: list[int]) -> Text:
    """Return a text as HTML; origin holds the source line of each of its lines."""
    reader = _reader()
    tokens = reader.parse(text)
    headings, blocks = [], []
    for index, token in enumerate(tokens):
        _class_for_style(token)
        if token.type != "inline" or not token.map:
            continue
        opener = tokens[index - 1]
        lines = tuple(origin[token.map[0] : token.map[1]]) or (0,)
        if opener.type == "heading_open":
            headings.append(_heading(opener, token, lines[0]))
        blocks += [Block(found, kind, lines) for kind, found in token.meta["runs"]]
    odd = (*_cells(tokens, text.split("\n"), origin), *_unaddressed(tokens, origin))
    html: str = reader.renderer.render(tokens, reader.options, {})
    return Text(html, tuple(headings), tuple(blocks), odd)


def _cells(tokens: list[Token], lines: list[str], origin: list[int]) -> Iterator[Odd]:
    """Yield each row of a table with more or fewer cells than its head: some would be lost, or be empty."""
    columns = 0
    for token in tokens:
        if token.type == "thead_open":
            columns = 0
        columns += token.type == "th_open"
        if token.type != "tr_open" or not token.map or not columns:
            continue
        row = lines[token.map[0]].strip(" \t>")
        cells = escapedSplit(row.removeprefix("|").removesuffix("|"))
        if len(cells) != columns:
            message = f"a row of {_counted(len(cells), 'cell')} stands in a table of {_counted(columns, 'column')}"
            yield Odd(origin[token.map[0]], Near.whole(row), message, r"write \| for a sign within a cell")


def _counted(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def _unaddressed(tokens: list[Token], origin: list[int]) -> Iterator[Odd]:
    """Yield each link and picture without an address."""
    for token in tokens:
        children = token.children or []
        for index, child in enumerate(children):
            if child.attrs.get("href", child.attrs.get("src")) == "":
                called = child.content or children[index + 1].content
                near = Near(f"{called}]()", len(called), len(called) + 3)
                line = origin[token.map[0]] if token.map else 0
                yield Odd(line, near, "a link leads nowhere", "write its address between the brackets")


def _class_for_style(token: Token) -> None:
    """Turn the alignment of a table's cell into a class: the page's policy allows no inline style."""
    style = token.attrs.pop("style", None)
    if style:
        token.attrSet("class", str(style).removeprefix("text-align:"))


def _heading(opener: Token, inline: Token, line: int) -> Heading:
    """Take the id off the end of a heading's text and put it on the element."""
    last = inline.children[-1] if inline.children else None
    found = _ID.search(last.content) if last and last.type == "text" else None
    name = ""
    if found and last:
        name = found[1]
        last.content = last.content[: found.start()]
        opener.attrSet("id", name)
    return Heading(name, flat(inline), int(opener.tag[1]), line)


def flat(inline: Token) -> str:
    """Return the text of an inline token: line ends kept, code and the text of outward links masked."""
    return "".join(_flat(inline.children or []))


def _flat(children: list[Token]) -> Iterator[str]:
    outward = False
    for child in children:
        if child.type == "link_open":
            outward = str(child.attrs.get("href", "")).startswith(("http:", "https:"))
        elif child.type == "link_close":
            outward = False
        elif child.type in ("softbreak", "hardbreak"):
            yield "\n"
        elif child.type == "code_inline":
            yield OBJECT
        elif child.type == "text_special" and child.info == "escape" and len(child.content) == 1:
            yield OBJECT  # it was meant as it stands
        elif child.type in ("text", "text_special"):
            yield OBJECT if outward else child.content


def _runs(tag: str, inline: Token) -> Iterator[tuple[str, str]]:
    """Yield the text of an inline token, and apart from it each alternative text and title."""
    text = flat(inline)
    yield tag, _ID.sub("", text) if tag[:1] == "h" else text
    for child in inline.children or []:
        if child.type == "image":
            yield "alt", flat(child) if child.children else child.content
        if "title" in child.attrs:
            yield "alt", str(child.attrs["title"])
