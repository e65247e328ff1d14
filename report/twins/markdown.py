"""A page's HTML as Markdown (CommonMark with tables): all that is read on it, formulas as TeX, figures in words.

What the page hides, draws or uses to steer is left out: pictures, controls, variants of sentences that are not true
here. Links within the page lead to the page itself, which has the anchors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from report.twins.nodes import Node
from report.twins.tex import tex

_SKIPPED = frozenset({"svg", "script", "style", "button", "input", "select", "label", "option", "output"})
_UNREAD = frozenset({"drawing", "controls", "table-hint", "claim-link", "back", "needs-script"})
_MARKS: Mapping[str, str] = {"em": "*", "i": "*", "cite": "*", "strong": "**", "b": "**"}
_KEPT = frozenset({"sup", "sub"})
_LINES = re.compile(r"\s*\n\s*")
_ESCAPED = re.compile(r"([\\`*_\[\]<>$|])")
_START = re.compile(r"^(\d+)([.)])(?= )|^([#+-])(?= )")
_BLOCKS = frozenset(
    {"p", "div", "section", "ul", "ol", "dl", "table", "figure", "details", "pre", "blockquote", "aside", "h1"}
) | {"h2", "h3", "h4", "figcaption", "li", "nav", "header", "main"}


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes the Markdown of one page; home is the page's own file, to which its anchors belong."""

    home: str

    def blocks(self, nodes: Iterable[Node | str]) -> list[str]:
        """Return paragraphs, headings, lists and tables, in order; text between them becomes paragraphs."""
        found: list[str] = []
        run: list[Node | str] = []
        for node in nodes:
            if isinstance(node, str) or node.tag not in _BLOCKS:
                run.append(node)
                continue
            found.append(_opened(self.inline(run)))
            run = []
            found += self.block(node)
        found.append(_opened(self.inline(run)))
        return [block for block in found if block.strip()]

    def block(self, node: Node) -> list[str]:
        """Return the blocks of one element."""
        if _silent(node):
            return []
        special = {"table": self.table, "figure": self.figure, "details": self.details, "dl": self.terms}
        if node.tag in special:
            return special[node.tag](node)
        if re.fullmatch("h[1-6]", node.tag):
            return [f"{'#' * int(node.tag[1])} {self.inline(_title(node))}"]
        if node.tag in ("ul", "ol"):
            return [self.points(node)]
        if node.tag == "pre":
            return [f"```\n{node.text().strip()}\n```"]
        if "equation" in node.classes:
            return [self.equation(node)]
        inner = self.blocks(node.content)
        return [_quoted("\n\n".join(inner))] if node.tag in ("blockquote", "aside") and inner else inner

    def equation(self, node: Node) -> str:
        """Return a formula on lines of its own, with its number."""
        (formula,) = node.find("math")
        number = next((part.text().strip("()") for part in node.elements if part.tag == "span"), "")
        tag = rf" \tag{{{number}}}" if number else ""
        return f"$$\n{tex(formula)}{tag}\n$$"

    def points(self, node: Node) -> str:
        """Return a list; what belongs to a point is set in under it."""
        found = []
        for place, point in enumerate((one for one in node.elements if one.tag == "li"), 1):
            mark = f"{place}. " if node.tag == "ol" else "- "
            text = "\n\n".join(self.blocks(point.content))
            found.append(mark + re.sub(r"\n(?!\n)", "\n" + " " * len(mark), text))
        return "\n".join(found)

    def terms(self, node: Node) -> list[str]:
        """Return a list of terms and what is said of each."""
        lines = []
        for part in node.find("dt", "dd"):
            text = self.inline(part.content)
            if part.tag == "dt":
                lines.append(f"- **{text}**:")
            else:
                lines[-1] += f" {text}"
        return ["\n".join(lines)]

    def details(self, node: Node) -> list[str]:
        """Return what a reader would open: what it is called, and all that is in it."""
        title = [f"**{self.inline(part.content)}**" for part in node.elements if part.tag == "summary"]
        return title + self.blocks(part for part in node.content if isinstance(part, str) or part.tag != "summary")

    def figure(self, node: Node) -> list[str]:
        """Return a figure in words: its caption, what it shows, its tables, and the files that hold it."""
        found: list[str] = []
        for part in node.elements:
            found += self.blocks([part])
            if part.tag == "figcaption":
                found.append(f"What it shows: {_escaped(node.attributes.get('data-alt', ''))}")
        return found

    def table(self, node: Node) -> list[str]:
        """Return a table: heads with their units in one line, then a line for each row."""
        caption = [self.inline(part.content) for part in node.find("caption")]
        head = [self.cells(row) for part in node.find("thead") for row in part.find("tr")]
        rows = [self.cells(row) for part in node.find("tbody") for row in part.find("tr")]
        width = max(map(len, [*head, *rows]))
        heads = [" ".join(filter(None, parts)) for parts in zip(*(_wide(row, width) for row in head), strict=True)]
        lines = [heads, ["---"] * width, *(_wide(row, width) for row in rows)]
        return [*caption, "\n".join(f"| {' | '.join(line)} |" for line in lines)]

    def cells(self, row: Node) -> list[str]:
        """Return the cells of a row."""
        return [" ".join(self.blocks(cell.content)).replace("\n", " ") for cell in row.elements]

    def inline(self, nodes: Iterable[Node | str]) -> str:
        """Return running text on one line."""
        return _LINES.sub(" ", "".join(map(self.run, nodes))).strip()

    def run(self, node: Node | str) -> str:
        """Return a piece of running text."""
        if isinstance(node, str):
            return _escaped(node)
        if _silent(node):
            return ""
        special: Mapping[str, Callable[[Node], str]] = {"a": self.link, "math": _math, "code": _code, "br": _break}
        if node.tag in special:
            return special[node.tag](node)
        text = "".join(map(self.run, node.content))
        if node.tag in _KEPT:
            return f"<{node.tag}>{text}</{node.tag}>"
        if "note" in node.classes:
            return f" (Note: {text.strip()})"
        mark = _MARKS.get(node.tag, "")
        if mark and text.strip():
            before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
            return f"{before}{mark}{text.strip()}{mark}{after}"
        return f" {text} " if node.tag in _BLOCKS else text

    def link(self, node: Node) -> str:
        """Return a link; an anchor is one of the page itself."""
        text, href = "".join(map(self.run, node.content)), node.attributes.get("href", "")
        if not href or not text.strip():
            return text
        target = self.home + href if href.startswith("#") else href
        return f"[{text}]({target.replace(' ', '%20').replace('(', '%28').replace(')', '%29')})"


def _title(heading: Node) -> Sequence[Node | str]:
    """Return what a heading says, without the link by which it leads to itself."""
    own = heading.elements
    leads = (
        len(own) == len(heading.content) == 1 and own[0].attributes.get("href") == f"#{heading.attributes.get('id')}"
    )
    return own[0].content if leads else heading.content


def _silent(node: Node) -> bool:
    """Tell whether an element is not read: hidden, drawn, or there to steer."""
    if node.tag in _SKIPPED or not node.given:
        return node.tag in _SKIPPED
    hidden = "hidden" in node.attributes or node.attributes.get("aria-hidden") == "true"
    return hidden or bool(node.classes & _UNREAD)


def _escaped(text: str) -> str:
    return _ESCAPED.sub(r"\\\1", text.replace("\u00a0", " "))


def _opened(text: str) -> str:
    """Return a paragraph whose first word does not make it a list or a heading."""
    return _START.sub(lambda found: f"{found[1]}\\{found[2]}" if found[1] else f"\\{found[3]}", text)


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _wide(row: list[str], width: int) -> list[str]:
    return row + [""] * (width - len(row))


def _math(node: Node) -> str:
    return f"${tex(node)}$"


def _code(node: Node) -> str:
    text = node.text()
    fence = "``" if "`" in text else "`"
    return f"{fence}{text}{fence}"


def _break(_: Node) -> str:
    return " "
