"""Rows and works that many mistakes name and that there are not: renamed since the last good site, or taken away.

    machine 'h100-sxm5' is now 'h100-sxm' (content/catalogue/machines.yaml:2050)

One id that is written anew leaves every other place with the old one. The last good site knows what there was, and in
which order: where one row went and another came beside the same neighbour, it was renamed. Where many of a kind are
gone, a part of their file is. Leaves out: rows whose values moved (report/moved.py).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from report import yamlgrammar, yamlnodes
from report.catalogue import KINDS
from report.errors import Near, Problem
from report.excerpts import Place, placed
from report.lines import places
from report.yamlnodes import At, entries

_MANY = 3  # mistakes that name one thing, and make it worth a head of its own
_FEW = 2  # the same, where it is known that the thing was there
_SEVERAL = 4  # names of one kind that are gone together
_LISTED = 4  # of them, those that are named
_WORKS = "references"
_KIND = {word: kind for kind, (_, word) in KINDS.items()} | {"reference": _WORKS, "source": _WORKS}
# What prose has from the vocabulary: what it may call, and what it may count.
_KIND |= {"name": "names", "word": "counted"}
_CALLED = {kind: word for kind, (_, word) in KINDS.items()}
_CALLED |= {_WORKS: "reference", "names": "name", "counted": "word"}
_NAMES = re.compile(
    rf"\b(?:there is no|unknown) ({'|'.join(_KIND.keys() - {'name', 'word'})}) '([^']+)'"
    r"|(?:^unknown (name)|^count: unknown (word)) '([^']+)'$"
)
_UNKNOWN = re.compile(rf"\bunknown (?=(?:{'|'.join(_KIND)}) ')")
_TWICE = "stands twice"
_ENTRY = r"^[ \t]*@\w+[ \t]*\{\s*([^\s,{}=]+)"


@dataclass(frozen=True, slots=True)
class Gone:
    """What there is not, by the names that many mistakes have for it, what became of it, and where.

    missed is what most of the mistakes say.
    """

    names: tuple[str, ...]
    said: str
    place: Place | None = None
    missed: tuple[str, ...] = ()
    renamed: bool = False

    def __str__(self) -> str:
        return f"{self.said} ({self.place.where})" if self.place else self.said


def gone(listed: Sequence[Place], content: Path, site: Path) -> Iterator[tuple[Gone | None, list[Place]]]:
    """Yield what several mistakes name in vain with those mistakes, and at the end None with all others."""
    named: dict[str, dict[str, list[Place]]] = {}
    left: list[Place] = []
    for place in listed:
        kind, name = _named(place.problem.message)
        (named.setdefault(kind, {}).setdefault(name, []) if kind else left).append(place)
    groups: list[tuple[Gone, list[Place]]] = []
    for kind, those in named.items():
        found, few = _of_kind(kind, those, content, site)
        groups += found
        left += few
    for fate, naming in groups:
        clash = [place for place in left if _TWICE in place.problem.message and _at(place) == _at(fate.place)]
        left = [place for place in left if place not in clash]
        yield _clashing(fate, clash), [_brief(place) for place in naming]
    yield None, sorted(left, key=lambda place: place.order)


def _at(place: Place | None) -> tuple[str, int] | None:
    return (place.where, place.start) if place else None


def _clashing(fate: Gone, clash: Sequence[Place]) -> Gone:
    """Return what was renamed, with what is told of a new name that another one has."""
    if not clash or not fate.place:
        return fate
    said = f"{fate.said}, which {_TWICE}{clash[0].problem.message.partition(_TWICE)[2]}"
    return replace(fate, said=said, place=replace(fate.place, problem=replace(fate.place.problem, message=said)))


def _of_kind(
    kind: str, named: Mapping[str, list[Place]], content: Path, site: Path
) -> tuple[list[tuple[Gone, list[Place]]], list[Place]]:
    """Return what is gone of a kind with the mistakes that name it, and those that name what only few do."""
    before = _before(site, kind)
    many = {name for name, places in named.items() if len(places) >= (_FEW if name in before else _MANY)}
    fates = {name: _fate(kind, name, content, site, named[name][0].problem.hint) for name in named if name in many}
    lost = [name for name in named if (name in before or name in many) and not (name in fates and fates[name].renamed)]
    found = [(fate, named[name]) for name, fate in fates.items()]
    if len(many.intersection(lost)) >= _SEVERAL:
        lost.sort(key=lambda name: -len(named[name]))
        together = sorted((place for name in lost for place in named[name]), key=lambda place: place.order)
        found = [(_together(kind, lost, before, content), together), *(one for one in found if one[0].renamed)]
    told = {name for fate, _ in found for name in fate.names}
    return found, [place for name, places in named.items() if name not in told for place in places]


def _together(kind: str, names: Sequence[str], before: Sequence[str], content: Path) -> Gone:
    """Return what became of many of a kind."""
    some = ", ".join(f"'{name}'" for name in names[:_LISTED])
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    since = " since the last good site" if set(names) <= set(before) else ""
    what = f"{len(names)} {_CALLED[kind]}s that are named are gone{since}: {some}{more}"
    said = f"{what}; was a part of {_file(content, kind)} taken away?"
    return Gone(tuple(names), said, missed=tuple(_ending(kind, name) for name in names))


def _named(message: str) -> tuple[str, str]:
    """Return the kind and the name of what a mistake says there is not; '' and '' where it says no such thing."""
    found = _NAMES.search(message)
    if not found or found[0].startswith("unknown source"):  # which is a source of one row
        return "", ""
    word, named = found[1] or found[3] or found[4], found[2] or found[5]
    kind, _, name = named.rpartition("/")
    return (kind, name) if kind in KINDS else (_KIND[word], named)


def _called(kind: str, name: str) -> str:
    return f"{_CALLED[kind]} '{name}'"


def _missed(kind: str, name: str) -> str:
    return f"there is no {_called(kind, name)}"


def _ending(kind: str, name: str) -> str:
    """Return with what a mistake ends that names something in vain, and need not say where it stands below the name."""
    return f"{'count: ' if kind == 'counted' else ''}{_missed(kind, name)}"


def _brief(place: Place) -> Place:
    """Return a mistake without its own guess at what was meant, and in the words that the others have."""
    message = _UNKNOWN.sub("there is no ", place.problem.message)
    return replace(place, problem=replace(place.problem, message=message, hint=""))


def _fate(kind: str, name: str, content: Path, site: Path, hint: str) -> Gone:
    """Return what became of a row, a work or a word."""
    called, missed, ending = _called(kind, name), _missed(kind, name), (_ending(kind, name),)
    before, now = _before(site, kind), _now(content, kind)
    if name not in before or name in [one for one, _ in now]:
        return Gone((name,), missed + (f"; {hint}" if hint else ""), missed=ending)
    new, at = next(_renamed(before, now, name), ("", None))
    if at is None:
        said = f"{called} is gone since the last good site"
        return Gone((name,), said, placed(Problem(_file(content, kind), 0, 0, said), content), ending)
    said = f"{called} is now '{new}'"
    place = placed(replace(at.problem(said), near=Near.whole(new)), content)
    return Gone((name,), said, place, ending, renamed=True)


def _renamed(before: Sequence[str], now: Sequence[tuple[str, At]], name: str) -> Iterator[tuple[str, At]]:
    """Yield the names that came where another went: the row above is the same, or the one below.

    Such a name is new, or stands twice since: then a row was given that of another one.
    """
    names, old = [one for one, _ in now], _beside(before, before.index(name))
    for index, (new, at) in enumerate(now):
        fresh = new not in before or names.count(new) > 1
        if fresh and any(one == other for one, other in zip(old, _beside(names, index), strict=True)):
            yield new, at


def _beside(names: Sequence[str], index: int) -> tuple[str, str]:
    """Return the names above and below one; '' at an end."""
    around = ["", *names, ""]
    return around[index], around[index + 2]


def _before(site: Path, kind: str) -> list[str]:
    """Return the names that the last good site has of a kind, in order; none without one."""
    try:
        return list(json.loads((site / "data" / f"{kind}.json").read_bytes())[kind])
    except (OSError, ValueError, KeyError, TypeError):
        return []


def _file(content: Path, kind: str) -> str:
    others = {_WORKS: "references.bib", "names": "vocabulary.yaml", "counted": "vocabulary.yaml"}
    return f"{content.name}/{others.get(kind, f'catalogue/{kind}.yaml')}"


def _now(content: Path, kind: str) -> Sequence[tuple[str, At]]:
    """Return the names that there are of a kind, in order, with their places; the file may have mistakes."""
    path = _file(content, kind)
    file = content.parent / path
    if kind == _WORKS:
        text = file.read_text(encoding="utf-8-sig", errors="replace") if file.is_file() else ""
        every = zip(re.findall(_ENTRY, text, re.MULTILINE), places(_ENTRY, text), strict=True)
        return [(name, At(path, *at)) for name, at in every]
    top, *_ = yamlgrammar.read(file, path)
    rows = entries(top)["rows"][1] if top and "rows" in entries(top) else None
    nodes = rows.value if isinstance(rows, yaml.SequenceNode) else []
    ids = [entries(node).get("id") for node in nodes if isinstance(node, yaml.MappingNode)]
    return [(str(found[1].value), yamlnodes.place(path, found[1])) for found in ids if found]
