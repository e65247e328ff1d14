"""Texts of a YAML file that a # cuts off: behind a blank it begins a comment, also in `title: NVIDIA H100 #1 in sales`.

A comment is set apart by two blanks or more, with one behind its #, as in `short: Example 1  # what a label has room
for`. Leaves out: numbers with units, which no # goes on with, and what stands between quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

_AMBIGUOUS = re.compile(r"(?<=\S)(?: |[ \t]+(?=#\S))(#[^\n]*)")
HINT = "put the whole text in quotes, or two blanks before a comment and one behind its #"


def cut(text: str, top: yaml.Node | None) -> Iterator[tuple[int, str]]:
    """Yield where in a file each # stands that may have cut a text off, and what it says of it."""
    if _AMBIGUOUS.search(text):  # in few files, and a walk takes time
        for node in _plain(top):
            end = node.end_mark.index
            found = _AMBIGUOUS.match(text, end)
            if found and not node.value[:1].isdigit():
                yield found.start(1), f"the text ends before ' #', which begins a comment: '{node.value}'"


def _plain(node: yaml.Node | None) -> Iterator[yaml.ScalarNode]:
    """Yield the texts without quotes in a node and below it."""
    for child in node.value if isinstance(node, yaml.CollectionNode) else ():
        for one in child[1:] if isinstance(child, tuple) else (child,):
            yield from _plain(one)
    if isinstance(node, yaml.ScalarNode) and not node.style and node.tag == "tag:yaml.org,2002:str":
        yield node
