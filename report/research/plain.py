r"""Markup as plain text, for machine readers: what is hidden left out, formulas written in a line.

plain('<p>It takes <data>739</data> tokens, $\frac{a}{b}$.</p>')  ->  "It takes 739 tokens, a/b."
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

_BLOCKS = frozenset({"p", "div", "li", "ul", "ol", "table", "tr", "blockquote", "h1", "h2", "h3", "h4"})
_SIGNS = re.compile("[\u2061-\u2064]")  # MathML's signs that nobody sees
_UNSAID = frozenset({"claim-link", "note-back", "research-label"})
_VOID = frozenset({"br", "hr", "img", "input", "wbr"})
# Elements of a formula -> what stands before, between and after their parts: a fraction must not read as one number.
_AROUND = {
    "mfrac": ("", "/", ""),
    "msqrt": ("√(", "", ")"),
    "msub": ("", "_", ""),
    "msup": ("", "^", ""),
}


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.open: list[tuple[str, bool]] = []  # each element, and whether it and what is in it is hidden
        self.parts: list[int] = []  # of each open element, how many children it has had

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Follow an element; in a formula a sign parts it from the one before, and a fraction's parts get brackets."""
        names = dict(attrs)
        before = ""
        if self.open:
            around = _AROUND.get(self.open[-1][0], ("", "", ""))
            before, self.parts[-1] = around[1] if self.parts[-1] else "", self.parts[-1] + 1
        self._edge(tag)
        if tag in _VOID:
            return
        hidden = "hidden" in names or names.get("class") in _UNSAID
        self.found.append("" if self._hidden() else before + self._bracket(tag, "(") + _AROUND.get(tag, ("",))[0])
        self.open.append((tag, self._hidden() or hidden))
        self.parts.append(0)

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        if tag in _VOID:
            return
        self.open.pop()
        self.parts.pop()
        self.found.append("" if self._hidden() else _AROUND.get(tag, ("",) * 3)[2] + self._bracket(tag, ")"))
        self._edge(tag)

    def _bracket(self, tag: str, sign: str) -> str:
        """Return a bracket where the element is a whole row above or below a fraction's line."""
        return sign if tag == "mrow" and self.open and self.open[-1][0] == "mfrac" else ""

    def handle_data(self, data: str) -> None:
        """Take what a reader sees."""
        if not self._hidden():
            self.found.append(_SIGNS.sub("", data))

    def _edge(self, tag: str) -> None:
        if tag in _BLOCKS:
            self.found.append("\n\n")

    def _hidden(self) -> bool:
        return bool(self.open) and self.open[-1][1]


def plain(html: str) -> str:
    """Return the text of markup: one line a paragraph, an empty line between them."""
    reader = _Text()
    reader.feed(html)
    reader.close()
    paragraphs = (" ".join(part.split()) for part in re.split(r"\n{2,}", "".join(reader.found)))
    return "\n\n".join(part for part in paragraphs if part)
