"""What an author is told about all mistakes of a build: those that follow from an edited row stand below that row.

    82 problems, 71 of them since an edit: bandwidth of machine 'h100-sxm5', 3.35 TB/s -> 1 TB/s (machines.yaml:812)

One edited number can make many sentences false, and mending it mends them all: so it heads them, with its value in
the last good site. Leaves out: what a mistake is (report/errors.py), how it is shown in its line (report/excerpts.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from report.claims import RESTING
from report.errors import Problem
from report.excerpts import Place, placed, shown
from report.moved import Move, moves

_MOST = 4  # edits that a line names


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

    broad: they rest on many rows together, of which some were edited.
    """

    edits: Sequence[Edit] = ()
    broad: bool = False
    places: list[Place] = field(default_factory=list)


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
        if not edits:
            return count
        since = sum(len(group.places) for group in caused)
        more = f"; and {len(edits) - _MOST} more" if len(edits) > _MOST else ""
        share = "" if number == 1 else "all " if since == number else f"{since} of them "
        return f"{count}, {share}since an edit: {'; '.join(edits[:_MOST])}{more}"

    def lines(self, colour: bool = False) -> list[str]:
        """Return the lines: where an edit is behind several mistakes a summary, and each group below its edits."""
        if sum(len(group.places) for group in self.groups if group.edits) < 2:
            return [line for group in self.groups for place in group.places for line in _alone(place, group, colour)]
        found = [self.summary]
        for group in self.groups:
            found += ["", *_head(group, colour)]
            found += [line for place in group.places for line in shown(place, colour=colour)]
        return found


def telling(problems: Iterable[Problem], content: Path, site: Path) -> Telling:
    """Return all mistakes, those together that follow from the same edits; sorted by place within a group."""
    listed = sorted((placed(problem, content) for problem in problems), key=lambda place: place.order)
    known = moves(site, content) if any(one.problem.rests or one.problem.broad for one in listed) else []
    edits = [Edit(move, _place(move, content)) for move in known]
    groups: dict[tuple[int, ...] | None, Group] = {}
    for one in listed:
        behind = tuple(n for n, move in enumerate(known) if any(map(move.bears, one.problem.rests)))
        broad = bool(edits) and one.problem.broad and not behind
        group = Group([edits[n] for n in behind], broad)
        groups.setdefault(None if broad else behind, group).places.append(_brief(one) if behind else one)
    return Telling(sorted(groups.values(), key=lambda group: (not group.edits, not group.broad, -len(group.places))))


def _place(move: Move, content: Path) -> Place | None:
    return placed(move.at.problem(move.said), content) if move.at else None


def _brief(place: Place) -> Place:
    """Return a mistake without the list of all that it rests on: what moved says more."""
    message = place.problem.message.partition(RESTING)[0]
    return replace(place, problem=replace(place.problem, message=message))


def _alone(place: Place, group: Group, colour: bool) -> list[str]:
    return shown(place, [f"moved since the last good site: {edit}" for edit in group.edits[:_MOST]], colour)


def _head(group: Group, colour: bool) -> Iterator[str]:
    """Yield what stands over a group: its edits, each in its line, and how many mistakes follow."""
    for edit in group.edits[:_MOST]:
        yield from shown(edit.place, colour=colour) if edit.place else [edit.move.said]
    number = len(group.places)
    those = "This one" if number == 1 else f"These {number}"
    if group.broad:
        yield f"{those} rest{'s' if number == 1 else ''} on many rows together, so perhaps on an edit too:"
    elif group.edits:
        yield f"{those} follow{'s' if number == 1 else ''} from {'it' if len(group.edits) == 1 else 'them together'}:"
    else:
        yield f"{those} follow{'s' if number == 1 else ''} from no edited row:"
