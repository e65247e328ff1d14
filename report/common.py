"""Which rows many mistakes rest on together, where nobody knows what was edited: a first build, or content from afar.

    These 71 all rest on bandwidth of machine 'h100-sxm5' (content/catalogue/machines.yaml:2067)

That is true of many a sound sentence as well: it says where to look first, and no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from report.excerpts import Place, placed
from report.moved import Move, where

MANY = 6  # mistakes that make it worth saying what they have in common


@dataclass(frozen=True, slots=True)
class Common:
    """A field of a row, or a whole row, that several mistakes rest on, and where it stands."""

    said: str
    place: Place | None

    def __str__(self) -> str:
        return f"{self.said} ({self.place.where})" if self.place else self.said


def common(places: Sequence[Place], content: Path) -> Iterator[tuple[list[Common], list[Place]]]:
    """Yield what many mistakes rest on with those mistakes, the most first, and at the end nothing with the others."""
    left = list(places)
    while found := _most(left):
        borne = [place for place in left if _bears(found, place)]
        if len(borne) < MANY:
            break
        yield [_named(path, content) for path in _shared(borne)], borne
        left = [place for place in left if place not in borne]
    if left:
        yield [], left


def _bears(path: str, place: Place) -> bool:
    """Tell whether a mistake rests on a field, or on the row where that is all that is known of either."""
    row = _row(path)
    return any(one in (path, row) or (path == row and _row(one) == row) for one in place.problem.rests)


def _row(path: str) -> str:
    return "/".join(path.split("/", 2)[:2])


def _most(places: Sequence[Place]) -> str:
    """Return the path that most mistakes rest on, a field rather than its row; '' where none rests on any."""
    paths = sorted({path for place in places for path in place.problem.rests})
    counts = Counter({path: sum(_bears(path, place) for place in places) for path in paths})
    return max(paths, key=lambda path: (counts[path], path.count("/")), default="")


def _shared(places: Sequence[Place]) -> list[str]:
    """Return all paths that every one of some mistakes rests on, fields rather than their rows."""
    paths = sorted({path for place in places for path in place.problem.rests})
    every = [path for path in paths if all(_bears(path, place) for place in places)]
    return [path for path in every if not any(other != path and _row(other) == path for other in every)]


def _named(path: str, content: Path) -> Common:
    row = _row(path)
    said = Move(row, path[len(row) + 1 :], "", "", None).called
    at = where(path, content)
    return Common(said, placed(at.problem(said), content) if at else None)
