"""What points at a heading that has lost its own id: told by the heading alone, where the last good site had that id.

    "## The second floor {#reuse}" for {#pole}: nothing is told of the texts that point at 'pole'

Nobody knows which id a heading had that has none, or that of another. The last good site does; where there is none, a
word that a heading shares with a name tells. Leaves out: which names point nowhere (report/crossrefs.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from report.errors import Problem

_HEADING = re.compile(r"heading '(.+)' has no id$")
_TELLS = 4  # letters of a word that says something
_OWNER = re.compile(r'<(?:h[1-6]|div class="equation")(?: [^<>]*)? id="([^"]+)"')


def left(problems: Iterable[Problem], site: Path) -> list[Problem]:
    """Return mistakes without the names that point nowhere, that a heading may have lost, and that the site has."""
    every = list(problems)
    if not any(one.nameless for one in every):
        return every
    had = set(_ids(site)) or set(_guessed(every))
    return [one for one in every if one.nameless not in had]


def _guessed(problems: Sequence[Problem]) -> Iterator[str]:
    """Yield for each heading without an id the name that points nowhere and shares most of its words with it.

    A name that is close to a known one was misspelt.
    """
    names = sorted({one.nameless for one in problems if not one.hint} - {""})
    for heading in filter(None, (_HEADING.match(one.message) for one in problems)):
        shared = {name: _shared(name, heading[1]) for name in names}
        likely = max(names, key=lambda name: shared[name], default="")
        if likely and shared[likely]:
            yield likely


def _shared(name: str, title: str) -> float:
    """Return which part of the words of a name a title has, whatever their endings; short ones tell nothing."""
    words = re.findall(r"\w+", title.lower())
    parts = name.split("-")
    return sum(len(part) >= _TELLS and any(_alike(part, word) for word in words) for part in parts) / len(parts)


def _alike(one: str, other: str) -> bool:
    return len(other) >= _TELLS and (one.startswith(other[: max(len(other) - 2, _TELLS)]) or other.startswith(one))


def _ids(site: Path) -> Iterator[str]:
    """Yield the ids of the headings and equations of a site; none where there is no site, or it can't be read."""
    for page in site.rglob("*.html"):
        try:
            yield from _OWNER.findall(page.read_text(encoding="utf-8", errors="replace"))
        except OSError:
            continue
