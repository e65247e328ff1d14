"""What an author is told about all mistakes of a build: those that follow from an edited row stand below that row.

    82 problems, 71 of them since an edit: bandwidth of machine 'h100-sxm5', 3.35 TB/s -> 1 TB/s (machines.yaml:812)

One edited number can make many sentences false, and mending it mends them all: so it heads them, with its value in
the last good site. Where no edit is known, a row that many of them rest on heads them (report/common.py); and
so does a row that is gone, and that many of them name (report/gone.py). Leaves out:
what a mistake is (report/errors.py), how it is shown in its line (report/excerpts.py), and how many are folded into few
lines (report/folding.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from report import nameless
from report.claims import RESTING
from report.common import Common, common
from report.errors import Problem
from report.excerpts import Place, placed, shown
from report.folding import FULL, folded
from report.gone import Gone, gone
from report.moved import Move, moves

_MOST = 4  # edits that a line names
_PERHAPS = 2  # mistakes that may follow from an edit, and are told in full
_APART = 20  # mistakes that have nothing in common and are told in full


@dataclass(frozen=True, slots=True)
class Edit:
    """A field of the catalogue that moved since the last good site, and the place where it stands, if it does."""

    move: Move
    place: Place | None

    def __str__(self) -> str:
        return f"{self.move.said} ({self.place.where})" if self.place else self.move.said


@dataclass(frozen=True, slots=True)
class Group:
    """Mistakes that follow from the same edits; none: from no edit that is known.

    broad: they rest on many rows together, of which some were edited. rows: what they all rest on, where there are many
    of them and no edit is known to be behind them. gone: a row or a work that there is not, and that they all name.
    """

    edits: Sequence[Edit] = ()
    broad: bool = False
    places: list[Place] = field(default_factory=list)
    rows: Sequence[Common] = ()
    gone: Gone | None = None

    @property
    def headed(self) -> bool:
        """Say whether something is known that its mistakes have in common, and that mends them all."""
        return bool(self.edits or self.rows or self.gone)


@dataclass(frozen=True, slots=True)
class Telling:
    """All mistakes of a build, ready to be told."""

    groups: Sequence[Group]

    @property
    def summary(self) -> str:
        """Return in one line how many mistakes there are, and which edits are behind how many of them."""
        number = sum(len(group.places) for group in self.groups)
        count = f"{number} problem{'s' if number > 1 else ''}"
        caused = [group for group in self.groups if group.edits]
        edits = list(dict.fromkeys(str(edit) for group in caused for edit in group.edits))
        since = sum(len(group.places) for group in caused)
        share = "" if number == 1 else "all " if since == number else f"{since} of them "
        says = [f"{share}since an edit: {_listed(edits)}"] if edits else []
        for group in (group for group in self.groups if group.rows or group.gone):
            share = "all" if len(group.places) == number else f"{len(group.places)} of them"
            on = f"rest on {_listed([str(row) for row in group.rows])}" if group.rows else _for(group.gone)
            says.append(f"{share} {on}")
        return ", ".join([count, *says])

    def lines(self, colour: bool = False, *, whole: bool = False) -> list[str]:
        """Return the lines: where an edit is behind several mistakes a summary, and each group below its edits.

        whole: every mistake in full, for whoever can scroll; else those of one cause are folded, and so are very many.
        """
        if sum(len(group.places) for group in self.groups if group.headed) < 2:
            return [line for group in self.groups for line in _apart(group, colour, whole)]
        found = [self.summary]
        for group in self.groups:
            full = len(group.places) if whole else _full(group)
            found += [
                "",
                *_head(group, colour),
                *folded(group.places, colour, full, group.gone.missed if group.gone else ()),
            ]
        return found


def _for(gone: Gone | None) -> str:
    return f"for one name: {gone}" if gone and len(gone.names) == 1 else f"as {gone}"


def _listed(words: Sequence[str]) -> str:
    more = f"; and {len(words) - _MOST} more" if len(words) > _MOST else ""
    return f"{'; '.join(words[:_MOST])}{more}"


def _once(listed: Sequence[Place]) -> list[Place]:
    """Return places without those at which the same was said before, of whatever asked, as in P_a: unknown key."""
    first: dict[tuple[str, int, str], Place] = {}
    for place in listed:
        about, colon, said = place.problem.message.partition(": ")
        first.setdefault((place.where, place.start, said if colon and about.isidentifier() else about + said), place)
    return list(first.values())


def telling(problems: Iterable[Problem], content: Path, site: Path) -> Telling:
    """Return all mistakes, those together that follow from the same edits; sorted by place within a group."""
    places = (placed(problem, content) for problem in nameless.left(problems, site))
    listed = _once(sorted(places, key=lambda place: place.order))
    known = moves(site, content) if any(one.problem.rests or one.problem.broad for one in listed) else []
    edits = [Edit(move, _place(move, content)) for move in known]
    groups: dict[tuple[int, ...] | None, Group] = {}
    for one in listed:
        behind = tuple(n for n, move in enumerate(known) if any(map(move.bears, one.problem.rests)))
        broad = bool(edits) and one.problem.broad and not behind
        group = Group([edits[n] for n in behind], broad)
        groups.setdefault(None if broad else behind, group).places.append(_brief(one) if behind else one)
    rest = groups.pop((), Group()).places
    named = dict(gone(rest, content, site))
    rest = named.pop(None)
    told = [*groups.values(), *(Group(places=places, gone=name) for name, places in named.items())]
    told += [_resting(rows, places) for rows, places in common(rest, content)]
    return Telling(sorted(told, key=_rank))


def _resting(rows: Sequence[Common], places: Sequence[Place]) -> Group:
    return Group(places=[_brief(place) for place in places] if rows else list(places), rows=rows)


def _rank(group: Group) -> tuple[bool, bool, bool, bool, int]:
    return (not group.edits, not group.broad, not group.gone, not group.rows, -len(group.places))


def _place(move: Move, content: Path) -> Place | None:
    if move.at is None:
        return None
    place = placed(move.at.problem(move.said), content)
    written = place.text.startswith(move.now, place.start - 1)
    return replace(place, end=place.start + len(move.now)) if written and move.now else place


def _brief(place: Place) -> Place:
    """Return a mistake without the list of all that it rests on: what moved says more."""
    message = place.problem.message.partition(RESTING)[0]
    return replace(place, problem=replace(place.problem, message=message))


def _full(group: Group) -> int:
    """Return how many mistakes of a group are told in full, where not all are."""
    if group.broad:
        return _PERHAPS
    return FULL if group.headed else _APART


def _apart(group: Group, colour: bool, whole: bool) -> Iterator[str]:
    """Yield the lines about mistakes of which at most one follows from an edit, which a note names."""
    if not group.edits:
        yield from folded(group.places, colour, len(group.places) if whole else _APART)
        return
    notes = [f"moved since the last good site: {edit}" for edit in group.edits[:_MOST]]
    for place in group.places:
        yield from shown(place, notes, colour)


def _head(group: Group, colour: bool) -> Iterator[str]:
    """Yield what stands over a group: its edits or rows, each in its line, and how many mistakes follow."""
    causes: list[Edit | Common | Gone] = [
        *group.edits[:_MOST],
        *group.rows[:_MOST],
        *([group.gone] if group.gone else []),
    ]
    for cause in causes:
        yield from shown(cause.place, colour=colour) if cause.place else [str(cause)]
    number = len(group.places)
    those = "This one" if number == 1 else f"These {number}"
    if group.broad:
        yield f"{those} rest{'s' if number == 1 else ''} on many rows together, so perhaps on an edit too:"
    elif group.edits:
        yield f"{those} follow{'s' if number == 1 else ''} from {'it' if len(group.edits) == 1 else 'them together'}:"
    elif group.gone:
        name = "them" if len(group.gone.names) > 1 else f"'{group.gone.names[0]}'"
        yield f"{those} name{'s' if number == 1 else ''} {name}:"
    elif group.rows:
        yield f"{those} rest on {'it' if len(group.rows) == 1 else 'all of these'}:"
    elif all(place.problem.rests or place.problem.broad for place in group.places):
        yield f"{those} follow{'s' if number == 1 else ''} from no edited row:"
    else:
        yield f"{those} ha{'s another cause' if number == 1 else 've other causes'}:"
