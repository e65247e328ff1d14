"""Rows and works that many mistakes name and that there are not: renamed since the last good site, or taken away.

    machine 'h100-sxm5' is now 'h100-sxm' (content/catalogue/machines.yaml:2050)

One id that is written anew leaves every other place with the old one. The last good site knows what there was, and in
which order: where one row went and another came beside the same neighbour, it was renamed. Leaves out: rows whose
values moved (report/moved.py).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
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
_WORKS = "references"
_KIND = {word: kind for kind, (_, word) in KINDS.items()} | {"reference": _WORKS, "source": _WORKS}
_NAMES = re.compile(rf"\b(?:there is no|unknown) ({'|'.join(_KIND)}) '([^']+)'")
_UNKNOWN = re.compile(rf"\bunknown (?=(?:{'|'.join(_KIND)}) ')")
_ENTRY = r"^[ \t]*@\w+[ \t]*\{\s*([^\s,{}=]+)"


@dataclass(frozen=True, slots=True)
class Gone:
    """Something that there is not, by the name that many mistakes have for it, what became of it, and where."""

    name: str
    said: str
    place: Place | None = None
    missed: str = ""  # what most of the mistakes say

    def __str__(self) -> str:
        return f"{self.said} ({self.place.where})" if self.place else self.said


def gone(listed: Sequence[Place], content: Path, site: Path) -> Iterator[tuple[Gone | None, list[Place]]]:
    """Yield what several mistakes name in vain with those mistakes, and at the end None with all others."""
    named: dict[tuple[str, str], list[Place]] = {}
    for place in listed:
        named.setdefault(_named(place.problem.message), []).append(place)
    left = named.pop(("", ""), [])
    for (kind, name), those in named.items():
        there = name in _before(site, kind)
        if len(those) < (_FEW if there else _MANY):
            left += those
            continue
        hint = those[0].problem.hint
        fate = replace(_fate(kind, name, content, site, hint), missed=f"there is no {_called(kind, name)}")
        yield fate, [_brief(place) for place in those]
    yield None, sorted(left, key=lambda place: place.order)


def _named(message: str) -> tuple[str, str]:
    """Return the kind and the name of what a mistake says there is not; '' and '' where it says no such thing."""
    found = _NAMES.search(message)
    if not found or found[0].startswith("unknown source"):  # which is a source of one row
        return "", ""
    kind, _, name = found[2].rpartition("/")
    return (kind, name) if kind in KINDS else (_KIND[found[1]], found[2])


def _called(kind: str, name: str) -> str:
    return f"{KINDS[kind][1] if kind in KINDS else 'reference'} '{name}'"


def _brief(place: Place) -> Place:
    """Return a mistake without its own guess at what was meant, and in the words that the others have."""
    message = _UNKNOWN.sub("there is no ", place.problem.message)
    return replace(place, problem=replace(place.problem, message=message, hint=""))


def _fate(kind: str, name: str, content: Path, site: Path, hint: str) -> Gone:
    """Return what became of a row or a work."""
    called = _called(kind, name)
    before, now = _before(site, kind), _now(content, kind)
    if name not in before or name in [one for one, _ in now]:
        return Gone(name, f"there is no {called}" + (f"; {hint}" if hint else ""))
    new, at = next(_renamed(before, now, name), ("", None))
    if at is None:
        said = f"{called} is gone since the last good site"
        return Gone(name, said, placed(Problem(_file(content, kind), 0, 0, said), content))
    said = f"{called} is now '{new}'"
    return Gone(name, said, placed(replace(at.problem(said), near=Near.whole(new)), content))


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
    return f"{content.name}/{'references.bib' if kind == _WORKS else f'catalogue/{kind}.yaml'}"


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
