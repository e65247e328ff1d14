"""What may stand once and stands twice: claims and parts on the whole site, ids on a page.

Leaves out: two claims of a name, and two headings of an id, in one file (report/claims.py, checks.py).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePosixPath
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

_COPY = 2  # claims and parts from which on a file that holds no others is taken for a copy


class _Stood(NamedTuple):
    """Where something of a name stands: file and line, and its tag where it has one."""

    path: str
    line: int
    tag: Callable[[], Tag] = lambda: UNTAGGED

    def seen_from(self, path: str) -> str:
        """Return how a message in a file names the place."""
        return f"in line {self.line}" if path == self.path else f"in {self.path}:{self.line}"


def of_site(parts: Sequence[Sketch]) -> Iterator[Problem]:
    """Yield a problem for each claim, figure, table and board of the site whose like stands before it."""
    every = [one[:2] for part in parts for one in _stood(part)]
    if len(every) == len(set(every)):
        return
    first: dict[tuple[str, str], _Stood] = {}
    for part in sorted(parts, key=lambda part: _copies(part.path, parts)):
        all_of_it = list(_stood(part))
        again = [(*one, first[one[:2]]) for one in all_of_it if one[:2] in first]
        whence = {before.path for *_, before in again} - {part.path}
        if len(again) == len(all_of_it) >= _COPY and len(whence) == 1:
            said = f"all {len(again)} claims and parts of this file stand in {whence.pop()} already"
            yield Problem(part.path, 0, 0, said, "is it a copy? delete it, or give them other names")
            continue
        for kind, name, here in all_of_it:
            before = first.setdefault((kind, name), here)
            if before is not here:
                yield _again(kind, name, here, before)


def _copies(path: str, parts: Iterable[Sketch]) -> int:
    """Return of how many files beside it a file may be a copy, as heuristics-copy.yaml is: its name holds theirs."""
    own = PurePosixPath(path)
    others = (PurePosixPath(part.path) for part in parts)
    return sum(own.parent == one.parent and one.stem != own.stem and one.stem in own.stem for one in others)


def _again(kind: str, name: str, here: _Stood, before: _Stood) -> Problem:
    once = "it stands once on the site, and ref() points at it from any page"
    hint = "give it another name" if kind == "claim" else once
    near = Near(f'{kind} "{name}"', len(kind) + 2, len(kind) + 2 + len(name))
    said = f"{kind} '{name}' stands {before.seen_from(here.path)} already"
    return Problem(here.path, here.line, 0, said, hint, near=near, tag=here.tag())


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
