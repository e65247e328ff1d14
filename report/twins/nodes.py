"""HTML of our own pages as a tree, read by the standard library's parser; a page's own markup closes what it opens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = frozenset({"br", "hr", "img", "input", "wbr", "mspace"})


@dataclass(slots=True)
class Node:
    """An element with its attributes, and its content in order: elements and texts."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    content: list[Node | str] = field(default_factory=list)

    @property
    def classes(self) -> frozenset[str]:
        """Return the classes of the element."""
        return frozenset(self.attributes.get("class", "").split())

    @property
    def elements(self) -> list[Node]:
        """Return the elements among its content."""
        return [part for part in self.content if isinstance(part, Node)]

    def text(self) -> str:
        """Return all text in it."""
        return "".join(part if isinstance(part, str) else part.text() for part in self.content)

    def find(self, *tags: str) -> Iterator[Node]:
        """Yield the elements below that have one of the names, in order."""
        for part in self.elements:
            if part.tag in tags:
                yield part
            yield from part.find(*tags)


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Node("")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].content.append(node)
        if tag not in _VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Put down an element without content."""
        self.open[-1].content.append(Node(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        """Close an element."""
        if tag in _VOID:
            return
        found = self.open.pop()
        if found.tag != tag:
            raise ValueError(f"<{found.tag}> is closed by </{tag}>")

    def handle_data(self, data: str) -> None:
        """Put down text."""
        self.open[-1].content.append(data)


def parse(html: str) -> Node:
    """Return the tree of some markup; raise ValueError where it does not close what it opens."""
    builder = _Builder()
    builder.feed(html)
    builder.close()
    (top,) = builder.open
    return top
