"""The keys of a BibTeX file that has mistakes, so that a work that there is not is told all the same.

What may have been meant as a key, in lines that belong to no entry or in those that a conflict has left, is not missed.
Leaves out: the mistakes themselves (report/references.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from report import bibpieces
from report.conflicts import one_side
from report.yamlwords import UNSEEN

_HEAD = re.compile(r"^[ \t]*@?\w*[ \t]*[{(]?[ \t]*([^\s,{}=]+)[ \t]*(?:,|$)", re.MULTILINE)  # a line with a key
_WORD = re.compile(r"[^\s,{}()=@%\"]+")


class Keys(dict[str, None]):
    """The keys of a file; others are words that may have been meant as one, and are not missed."""

    def __init__(self, keys: Iterable[str], others: Iterable[str]) -> None:
        super().__init__(dict.fromkeys(keys))
        self.others = frozenset(others)

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or key in self.others


def read(path: Path) -> Keys | None:
    """Return the keys of a BibTeX file, whatever else is wrong with it; None where they can't be told."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None
    written = bibpieces.read(UNSEEN.sub("x", one_side(text))).entries
    whole = [one for one in written if one.text]
    if not all(one.key for one in whole):
        return None
    places = [0, *(place for one in whole for place in (one.start, one.end)), len(text)]
    parts = [text[start:end] for start, end in list(pairwise(places))[::2]]  # outside of the entries
    heads = ["\n".join(text[one.start :].split("\n", 2)[:2]) for one in whole if one.slips]
    parts += [*heads, *(re.sub(r"[ \t]", "", head) for head in heads)]  # a key may hold a blank
    others = [*_HEAD.findall(text), *(word for part in parts for word in _WORD.findall(part))]
    return Keys((one.key for one in whole), others)
