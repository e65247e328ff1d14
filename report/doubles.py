"""What may stand once and stands twice: claims and parts on the whole site, ids on a page.

Leaves out: two claims of a name, and two headings of an id, in one file (report/claims.py, checks.py).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from report.errors import UNTAGGED, Near, Problem, Tag
from report.front import Read
from report.lines import places
from report.page import Sketch

# What the page's frame brings with it (templates/page.html, _references.html).
FRAME = frozenset({"main", "references", "contents"})
# That, and how the ids of controls, numbers, notes, works and claims begin (templates/_scenario.html, report/fill.py).
_OURS = re.compile(
    r"main|references|contents|scenario|panel|said|refused|card|cite-this|n\d+|note-(?:from-)?\d+"
    r"|(?:ref|cite|claim|control|own)-.+"
)


class _Stood(NamedTuple):
    """Where something of a name stands: file and line, and its tag where it has one."""

    path: str
    line: int
    tag: Tag = UNTAGGED

    def seen_from(self, path: str) -> str:
        """Return how a message in a file names the place."""
        return f"in line {self.line}" if path == self.path else f"in {self.path}:{self.line}"


def of_site(parts: Iterable[Sketch]) -> Iterator[Problem]:
    """Yield a problem for each claim, figure, table and board of the site whose like stands before it."""
    first: dict[tuple[str, str], _Stood] = {}
    for kind, name, here in chain.from_iterable(map(_stood, parts)):
        before = first.setdefault((kind, name), here)
        if before is not here:
            claim = kind == "claim"
            hint = (
                "give it another name" if claim else "it stands once on the site, and ref() points at it from any page"
            )
            near = Near(f'{kind} "{name}"', len(kind) + 2, len(kind) + 2 + len(name))
            said = f"{kind} '{name}' stands {before.seen_from(here.path)} already"
            yield Problem(here.path, here.line, 0, said, hint, near=near, tag=here.tag)


def _stood(part: Sketch) -> Iterator[tuple[str, str, _Stood]]:
    for name, line in part.claims:
        yield "claim", name, _Stood(part.path, line)
    for block in part.blocks:
        yield block.kind, block.name, _Stood(part.path, block.line, block.tag)


def of_page(parts: Sequence[Sketch], names: Iterable[str], read: Read) -> Iterator[Problem]:
    """Yield a problem for each heading and formula whose id another has; names are all that can be pointed at."""
    for name, count in Counter(names).items():
        if count > 1 or _OURS.fullmatch(name):
            yield from _doubled(parts, name, read)


def _doubled(parts: Sequence[Sketch], name: str, read: Read) -> Iterator[Problem]:
    """Yield a problem at each place of an id, but not at the first if that is its only owner there."""
    kind, part = ("figure", name[4:]) if name.startswith("fig-") else ("table", name)
    stood = (_Stood(one.path, block.line) for one in parts for block in one.blocks if block[:2] == (kind, part))
    first, headed = next(stood, None), set[str]()
    for path in [one.path for one in parts]:
        text = read(path) or ""
        for line, column in places(rf"\{{#({re.escape(name)})\}}[ \t]*$", text):
            here, heads = _Stood(path, line), text.split("\n")[line - 1].lstrip(" >").startswith("#")
            said = "is one that the frame of each page has" if _OURS.fullmatch(name) else ""
            if first and not said and not (heads and path in headed):  # of two headings in a file it is said there
                said = f"stands {first.seen_from(path)} already"
            if said:
                yield Problem(path, line, column, f"the id '{name}' {said}", "give it another one")
            first = first or here
            headed |= {path} if heads else set()
