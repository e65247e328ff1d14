"""The pieces of a YAML file, its rows and entries, so that one that cannot be read hides no mistake of the others.

    rows:
      - id: cray-1          a piece: each entry one level below the top
        name: Cray-1
      - id: sun-3           the next one

YAML's own readers stop at the first mistake. A piece is at fault if it cannot be read by itself; without the pieces at
fault the file is read as usual. Leaves out: what is wrong with a piece (report/yamlwords.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

import yaml

from report.errors import Problem

_TOP = re.compile(r"[^\s#-][^\n]*?:(?:[ \t]+#.*)?\s*$")  # a key of the file with its entries on the lines below it
_REMARK = re.compile(r"\s*#")
_OTHER = re.compile(r"[^\s#-]")
_DEFINED = re.compile(r"(?:^|[{,\s])(?:- +)?(?:id: *[\"']?([\w./-]+)|[\"']?([\w./-]+)[\"']? *:)", re.MULTILINE)
_LACKING = re.compile(r"\b(?:there is no [a-z ]+|unknown source) '([^']+)'")


class Piece(NamedTuple):
    """The key of the file below which a piece stands, and its lines, from and up to, counted from 0."""

    key: str
    start: int
    end: int


def pieces(text: str) -> Iterator[Piece]:
    """Yield the entries below the keys of a file: each begins where least is in front of it."""
    every = text.split("\n")
    tops = [number for number, line in enumerate(every) if _OTHER.match(line)]
    for top, end in pairwise([*tops, len(every)]):
        held = [number for number in range(top + 1, end) if every[number].strip() and not _REMARK.match(every[number])]
        depths = {number: _depth(every[number]) for number in held}
        if depths and _TOP.fullmatch(every[top]):
            least = min(depths.values())
            starts = [number for number, depth in depths.items() if depth == least or number == min(depths)]
            yield from (Piece(every[top], *span) for span in pairwise([*starts, end]))


def _depth(line: str) -> int:
    whole = line.expandtabs()
    return len(whole) - len(whole.lstrip())


def without(text: str, gone: Iterable[Piece]) -> str:
    """Return a text with blanks where pieces of it were."""
    lines = text.split("\n")
    for piece in gone:
        for number in range(piece.start, piece.end):
            lines[number] = " " * len(lines[number])  # places stay what they are
    return "\n".join(lines)


def faults(text: str, read: Callable[[str], object]) -> list[tuple[Piece, str, yaml.YAMLError]]:
    """Return the pieces of a text that can't be read by themselves: each with the text without the others, its mistake.

    read raises the mistake of a text. Nothing is returned where the text without them cannot be read either, or where a
    key of the file would have no entry left.
    """
    every = list(pieces(text))
    bad = [piece for piece in every if _fault(f"{piece.key}\n{lines(text, piece)}", read)]
    left = {piece.key for piece in every if piece not in bad}
    if not bad or any(piece.key not in left for piece in bad) or _fault(without(text, bad), read):
        return []
    alone = [(piece, without(text, [one for one in bad if one != piece])) for piece in bad]
    return [(piece, rest, error) for piece, rest in alone if (error := _fault(rest, read))]


def lines(text: str, piece: Piece) -> str:
    """Return the lines of a piece."""
    return "\n".join(text.split("\n")[piece.start : piece.end])


def _fault(text: str, read: Callable[[str], object]) -> yaml.YAMLError | None:
    try:
        read(text)
    except yaml.YAMLError as error:
        return error
    return None


def defined(text: str) -> frozenset[str]:
    """Return the words of a text that name something: ids and keys."""
    return frozenset(one for names in _DEFINED.findall(text) for one in names if one)


def unfounded(problems: Iterable[Problem], lost: str) -> Iterator[Problem]:
    """Yield problems but those that miss a name which stands in what could not be read."""
    held = defined(lost)
    for problem in problems:
        missed = _LACKING.search(problem.message)
        if not missed or missed[1] not in held:
            yield problem
