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
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import yaml

from report.errors import Problem
from report.keys import lacking

_TOP = re.compile(r"[^\s#-][^\n]*?:(?:[ \t]+#.*)?\s*$")  # a key of the file with its entries on the lines below it
_REMARK = re.compile(r"\s*#")
_OTHER = re.compile(r"[^\s#-]")
_DEFINED = re.compile(r"(?:^|[{,\s])(?:- +)?(?:id: *[\"']?([\w./-]+)|[\"']?([\w./-]+)[\"']? *:)", re.MULTILINE)
_KEY = re.compile(r"(?:\A\s*|^\s*(?=\S+:))[\"']?([\w./-]+)", re.MULTILINE)  # of an entry that was lost
_KEYLESS = re.compile(r"\bthe keys? ('.*') (?:is|are) missing$")
_HAS_NO = re.compile(r" (?:has no|lacks) '?([\w-]+)'?$")
_LACKING = re.compile(r"\b(?:there is no [a-z ]+|unknown source) '([^']+)'")


class Piece(NamedTuple):
    """The key of the file below which a piece stands, and its lines, from and up to, counted from 0."""

    key: str
    start: int
    end: int


class Fault(NamedTuple):
    """What cannot be read, the line in which its entry begins, the text without all others, and its mistake."""

    piece: Piece
    entry: int
    alone: str
    error: yaml.YAMLError


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


def faults(text: str, read: Callable[[str], object]) -> list[Fault]:
    """Return what of a text can't be read by itself: keys of its entries where that is all, else whole entries.

    read raises the mistake of a text. Nothing is returned where the text without them cannot be read either, or where a
    key of the file would have no entry left.
    """
    every = list(pieces(text))
    bad = [piece for piece in every if _fault(f"{piece.key}\n{lines(text, piece)}", read)]
    if not bad or _fault(without(text, bad), read):
        return []
    finer = [(one, piece) for piece in bad for one in _within(text, piece, [o for o in bad if o != piece], read)]
    if _fault(without(text, [one for one, _ in finer]), read):  # what is left of one entry runs on into another
        finer = [(piece, piece) for piece in bad]
    gone = [one for one, _ in finer]
    if any(all(one in gone for one in every if one.key == piece.key) for piece in bad):
        return []
    alone = [(one, piece, without(text, [other for other in gone if other != one])) for one, piece in finer]
    return [Fault(one, piece.start, rest, error) for one, piece, rest in alone if (error := _fault(rest, read))]


def _within(text: str, piece: Piece, others: list[Piece], read: Callable[[str], object]) -> list[Piece]:
    """Return the keys of an entry that cannot be read, if it can be read without them; else the entry itself."""
    every = text.split("\n")
    held = [number for number in range(piece.start + 1, piece.end) if every[number].strip()]
    least = min((_depth(every[number]) for number in held), default=0)
    starts = [number for number in held if _depth(every[number]) == least]
    head = f"{piece.key}\n{every[piece.start]}"
    inner = [Piece(head, *span) for span in pairwise([*starts, piece.end])]
    bad = [one for one in inner if _fault(f"{head}\n{lines(text, one)}", read)]
    return [piece] if not bad or _fault(without(text, [*others, *bad]), read) else bad


def lines(text: str, piece: Piece) -> str:
    """Return the lines of a piece."""
    return "\n".join(text.split("\n")[piece.start : piece.end])


def _fault(text: str, read: Callable[[str], object]) -> yaml.YAMLError | None:
    try:
        read(text)
    except yaml.YAMLError as error:
        return error
    return None


def defined(lost: Iterable[str]) -> frozenset[str]:
    """Return the words that name something in what could not be read: ids and keys."""
    return frozenset(one for text in lost for names in _DEFINED.findall(text) for one in names if one)


def unfounded(problems: Iterable[Problem], lost: Iterable[str]) -> Iterator[Problem]:
    """Yield problems but what only misses a name, or a key of an entry, that stands in what could not be read."""
    lost = list(lost)
    held, keys = defined(lost), {found[1] for text in lost for found in _KEY.finditer(text)}
    for problem in problems:
        missed, without_keys, without_key = (way.search(problem.message) for way in (_LACKING, _KEYLESS, _HAS_NO))
        if without_keys:
            left = [key for key in re.findall(r"'([^']+)'", without_keys[1]) if key not in keys]
            if left:
                yield replace(problem, message=problem.message[: without_keys.start()] + lacking(left))
        elif not (missed and missed[1] in held) and not (without_key and without_key[1] in keys):
            yield problem
