"""Arguments in a tag that Jinja or Python would take for others: a name given twice, two texts without a comma.

Leaves out: what cannot be read at all (report/mending.py), and what functions take (report/authoring.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

_TEXT = re.compile(r"\"[^\"]*\"|'[^']*'")
_BESIDE = re.compile(r"(?<=[\"'])\s*(?=[\"'])")
_KEYS = re.compile(r"[(,]\s*(\w+)=")
_CALLED = re.compile(r"\([^()]*\)")
_GIVEN = re.compile(r"(?:(?<=\()|,)\s*(\w+)\s*=(?!=)[^,()]*")


class Slip(NamedTuple):
    """A mistake in a tag: where it stands in it, its words, what is wrong, a hint."""

    at: int
    words: str
    message: str
    hint: str


def odd(tag: str) -> bool:
    """Tell whether a tag may hold such a mistake; most hold none, and that is soon seen."""
    keys = _KEYS.findall(tag)
    return len(keys) > len(set(keys)) or _BESIDE.search(tag) is not None


def mended(tag: str) -> tuple[str, list[Slip]]:
    """Return a tag put right, and what was wrong with it."""
    text, slips = tag, list[Slip]()
    while again := _again(text):
        slips.append(Slip(again.start(1), again[1], f"the argument '{again[1]}' stands twice", "delete one of them"))
        text = text[: again.start()] + re.sub(r"[^\n]", " ", text[slice(*again.span())]) + text[again.end() :]
    named = re.match(r"\{%[-+]?\s*claim\b", text) is not None
    for end, other in reversed(list(_beside(text))):
        hint = "delete one of them" if named else "write a comma between them"
        slips.append(Slip(other.start(), other[0], "two texts stand side by side", hint))
        gap = " " * len(other[0]) if named else f", {other[0]}"
        text = f"{text[:end]}{gap}{text[other.end() :]}"
    return text, slips


def _beside(text: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield each text in quotes that Jinja would join to the one before it, and where that ends.

    One that a word touches is none, but a quote too many or too few.
    """
    for one, other in pairwise(_TEXT.finditer(text)):
        if not text[one.end() : other.start()].strip() and not re.match(r"\w", text[other.end() :]):
            yield one.end(), other


def _again(tag: str) -> re.Match[str] | None:
    """Return the first argument of a call whose name stands in it before, with the comma that parts them."""
    bare = _TEXT.sub(lambda text: "_" * len(text[0]), tag)
    for call in _CALLED.finditer(bare):
        seen = set()
        for given in _GIVEN.finditer(bare, *call.span()):
            if given[1] in seen:
                return given
            seen.add(given[1])
    return None
