"""Many mistakes of one cause in few lines: the first in full, the others in a line each, or by file.

    content/note/batch.md:5:632: claim 'note-now' is false: live.T 2048 >= live.T_min 6014.22
    content/note/batch.md, 5 more: 5:632 claim 'note-now', 13:318 claim 'note-sequence-h100', ...

Whatever is left out, each mistake keeps its file, line and column, and what it is. Leaves out: which mistakes have one
cause (report/telling.py).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from report.errors import printable
from report.excerpts import Place, shown

FULL = 5  # mistakes of one cause that are shown with sentence, line and caret
LINES = 30  # further ones that have a line each
_ROOM = 120  # letters of a line
_NAMED = re.compile(r"(?:claim|the words|run) '[^']+'")
_SENTENCE = '. Sentence: "'


def folded(places: Sequence[Place], colour: bool = False, full: int = FULL, said: Sequence[str] = ()) -> Iterator[str]:
    """Yield the lines about mistakes that have one cause; what is said above them is not repeated by file."""
    first = _chosen(places, full)
    for place in first:
        yield from shown(place, colour=colour)
    rest = [place for place in places if place not in first]
    if rest:
        few = len(rest) <= LINES
        yield f"and {len(rest)} more, {'in short' if few else 'by file'}:"
        yield from map(short, rest) if few else by_file(rest, said)


def _chosen(places: Sequence[Place], number: int) -> list[Place]:
    """Return some of the mistakes, in their order: those that are the first in their file before any other."""
    if len(places) <= number:
        return list(places)
    heads = list({place.problem.path: place for place in reversed(places)}.values())[::-1]
    others = [place for place in places if place not in heads]
    return sorted([*heads, *others][:number], key=lambda place: place.order)


def short(place: Place) -> str:
    """Return one line about a mistake: its place, what it is, and what the two sides of a condition come to."""
    at = _at(place, whole=True)
    return f"{at}: {_cut(printable(_said(place.problem.message)), max(_ROOM - len(at) - 2, _ROOM // 2))}"


def by_file(places: Iterable[Place], said: Sequence[str] = ()) -> Iterator[str]:
    """Yield for each file, where in it there are how many mistakes, each with its line, its column and what it is.

    said: what most of them end with, and need not say here.
    """
    for path, group in groupby(places, key=lambda place: place.problem.path):
        own = ((place, _without(place.problem.message, said)) for place in group)
        named = Counter(f"{_at(place)} {printable(_name(message))}".strip() for place, message in own)
        each = [name if times == 1 else f"{name} ({times} times)" for name, times in named.items()]
        yield from _wrapped(f"{path}, {sum(named.values())}:", each)


def _without(message: str, said: Sequence[str]) -> str:
    ending = next((one for one in said if message.endswith(one)), "")
    return message.removesuffix(ending).removesuffix(": ")


def _wrapped(head: str, parts: Iterable[str]) -> Iterator[str]:
    """Yield a head and parts behind it, parted by commas, over as many lines as they need; no part is broken."""
    line = f"  {head}"
    *some, last = parts
    for part in (*(f"{one}," for one in some), last):
        if len(line) + 1 + len(part) > _ROOM and line.strip():
            yield line
            line = "   "
        line = f"{line} {part}"
    yield line


def _at(place: Place, whole: bool = False) -> str:
    numbers = [str(number) for number in (place.problem.line, place.problem.column) if number]
    return ":".join([place.problem.path, *numbers] if whole else numbers)


def _name(message: str) -> str:
    """Return what a mistake is, in few words."""
    found = _NAMED.match(message)
    return found[0] if found else _cut(message, _ROOM // 2)


def _said(message: str) -> str:
    """Return what is wrong, without the sentence; a false condition with the values that it was false of."""
    bare = message.partition(_SENTENCE)[0]
    head, _, condition = bare.partition(": ")
    asked, *sides = condition.split("; ")
    if not (found := _NAMED.match(message)) or not found[0].startswith("claim") or not sides:
        return bare
    values = {name: value for name, _, value in (side.rpartition(" = ") for side in sides) if name}
    names = "|".join(map(re.escape, sorted(values, key=len, reverse=True)))
    asked = re.sub(names, lambda side: f"{_quantity(side[0])} {values[side[0]]}", asked) if names else asked
    return f"{head}: {asked}"


def _quantity(side: str) -> str:
    """Return what a number is of, without what it was asked with: d_min of d_min(machine=h100-sxm5)."""
    return re.sub(r"\([^()]*\)", "", side)


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 1].rstrip()}…"
