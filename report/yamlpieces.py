"""The pieces of a YAML file, so that one that cannot be read hides no mistake of the others.

    title: Machines           a piece: a key of the file
    rows:                     the next one, which holds pieces
      - id: cray-1            a piece of 'rows', which holds pieces
        name: Cray-1          a piece of the row
      - id: sun-3

YAML's own readers stop at the first mistake. A piece is at fault if it cannot be read by itself; it is left out, or as
little of what it holds as will do, and the file is read as usual. Leaves out: what is wrong with a piece
(report/yamlwords.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import yaml

from report.errors import Problem
from report.keys import lacking

_OPEN = re.compile(r"[^\n]*?:(?:[ \t]+#.*)?\s*")  # a key with its value on the lines below it
_OWNS = re.compile(r"[^\n]*[:\[{](?:[ \t]+#.*)?\s*")  # such a key, or one with a bracket that stays open
_BARE = re.compile(r"\s*[\w-]+(?=[ \t]*(?:#.*)?\Z)")  # such a key that lacks its colon
_ENTRY = re.compile(r"\s*(?:-(?:\s|\Z)|[\"']?[\w./-]+[\"']?:(?:\s|\Z)|[\w./-]+(?: [\w./-]+){1,3}: [{\[])")
_DASH = re.compile(r"\s*-(?:\s|\Z)")
_REMARK = re.compile(r"\s*#")
_DEFINED = re.compile(r"(?:^|[{,\s])(?:- +)?(?:id: *[\"']?([\w./-]+)|[\"']?([\w./-]+)[\"']? *:)", re.MULTILINE)
_KEY = re.compile(r"(?:\A\s*|^\s*(?=\S+:))[\"']?([\w./-]+)", re.MULTILINE)  # of an entry that was lost
_CLOSED = re.compile(r"\[[^][{}]*\]|\{[^{}]*\}")
_BESIDE = re.compile(r"[,;]\s*([\w./-]+):(?=\s)")  # of an entry in braces, behind others in its line
_KEYLESS = re.compile(r"\bthe keys? ('.*') (?:is|are) missing$")
_HAS_NO = re.compile(r" (?:has no|lacks) '?([\w-]+)'?$")
_LACKING = re.compile(r"\b(?:there is no [a-z ]+|unknown source) '([^']+)'")
Read = Callable[[str], yaml.Node | None]


class Piece(NamedTuple):
    """The lines below which a piece stands, and its own, from and up to, counted from 0.

    instead is what its first line was meant to be, where that is known.
    """

    head: str
    start: int
    end: int
    instead: str = ""


class Fault(NamedTuple):
    """What cannot be read, what goes with it, where its entry begins, the text without all others, and its mistake."""

    piece: Piece
    gone: Piece
    entry: int
    alone: str
    error: yaml.YAMLError


def pieces(text: str, whole: Piece | None = None) -> Iterator[Piece]:
    """Yield the keys of a file, or what one piece of it holds: each begins where least is in front of it."""
    every = text.split("\n")
    first, end = (whole.start + 1, whole.end) if whole else (0, len(every))
    held = [number for number in range(first, end) if every[number].strip() and not _REMARK.match(every[number])]
    starts = _starts({number: every[number] for number in held}, top=whole is None)
    head = f"{whole.head}\n{whole.instead or every[whole.start]}" if whole else ""
    for start, stop in pairwise([*starts, end]):
        bare = _BARE.match(every[start])
        below = next((number for number in held if start < number < stop), 0)
        if bare and below and _ENTRY.match(every[below]):
            key = Piece(head, start, start + 1, instead=f"{bare[0]}:")
            yield key
            yield from pieces(text, key._replace(end=stop))
        else:
            yield Piece(head, start, stop)


def _starts(held: Mapping[int, str], *, top: bool) -> list[int]:
    """Return the numbers of the lines that begin a piece: not the dash of a list that is as deep as its key.

    At the top of a file, every key owns the dashes below it.
    """
    depths = {number: _depth(line) for number, line in held.items()}
    least, owns = min(depths.values(), default=0), False
    starts: list[int] = []
    for number, depth in depths.items():
        dash = _DASH.match(held[number])
        if not starts or (depth == least and not (dash and owns)):
            starts.append(number)
        if depth == least and not dash:
            owns = top or bool(_OWNS.fullmatch(held[number]))
    return starts


def _depth(line: str) -> int:
    whole = line.expandtabs()
    return len(whole) - len(whole.lstrip())


def without(text: str, gone: Iterable[Piece]) -> str:
    """Return a text with blanks where pieces of it were, or with what was meant there."""
    lines = text.split("\n")
    for piece in gone:
        for number in range(piece.start, piece.end):
            lines[number] = piece.instead or " " * len(lines[number])  # places stay what they are
    return "\n".join(lines)


def faults(text: str, read: Read) -> list[Fault]:
    """Return the smallest pieces of a text that can't be read by themselves.

    read raises the mistake of a text, and returns None for an empty one. Nothing is returned where the text without
    them cannot be read either. A key that would have no value left goes with what it holds.
    """
    found = _within(text, None, [], read)
    entries = [piece.start for key in pieces(text) for piece in (key, *pieces(text, key))] if found else []
    told = []
    for one, gone in found:
        alone = without(text, [other for other, _ in found if other != one])
        entry = max(start for start in entries if start <= one.start)
        if error := _fault(alone, read):
            told.append(Fault(one, gone, entry, alone, error))
        elif not _entry(text, one):
            told.append(Fault(one, gone, entry, text, _keyless(text, one)))
    return told


def _keyless(text: str, piece: Piece) -> yaml.YAMLError:
    """Return what a reader says of a piece without a key where there is another one beside it."""
    mark = yaml.Mark("", 0, piece.start, _depth(text.split("\n")[piece.start]), None, 0)
    return yaml.scanner.ScannerError("while scanning a simple key", mark, "could not find expected ':'", mark)


def _within(text: str, whole: Piece | None, others: list[Piece], read: Read) -> list[tuple[Piece, Piece]]:
    """Return what of a piece can't be read, each with what goes with it, if the rest can be; else nothing."""
    every = list(pieces(text, whole))
    if 2 * sum(_entry(text, one) for one in every) < len(every):
        return []  # a text, of which some lines have a colon
    bad = _bad(text, every, others, read)
    found = []
    for one in bad:
        line = text.split("\n")[one.start]
        holds = _OPEN.fullmatch(line) or _DASH.match(line)
        beside = [*others, *(other for other in bad if other != one)]
        found += (_within(text, one, beside, read) if holds else []) or [(one, one)]
    if not _whole(without(text, [*others, *(gone for _, gone in found)]), read):  # what is left of one runs on
        found = [(one, one) for one in bad]
    emptied = whole and not _DASH.match(text.split("\n")[whole.start]) and {*every} <= {gone for _, gone in found}
    return [(one, whole) for one, _ in found] if whole and emptied else found


def _bad(text: str, every: Sequence[Piece], others: Iterable[Piece], read: Read) -> list[Piece]:
    """Return those pieces that can't be read, if the text can be read without them and others; else nothing.

    One without a key can be read by itself, as a word, but not beside the others.
    """
    torn = [piece for piece in every if _fault(f"{piece.head}\n{lines(text, piece)}", read)]
    ways = [torn, [piece for piece in every if piece in torn or not _entry(text, piece)]]
    if not any(piece not in torn and _entry(text, piece) for piece in every):
        ways.reverse()  # what would be left is words
    for bad in ways:
        if bad and _whole(without(text, [*others, *bad]), read):
            return bad
    return []


def _entry(text: str, piece: Piece) -> bool:
    """Tell whether a piece begins with a key or a dash."""
    return bool(_ENTRY.match(lines(text, piece)))


def _whole(text: str, read: Read) -> bool:
    """Tell whether a text, if there is any, can be read as keys and values."""
    try:
        return isinstance(read(text), yaml.MappingNode | None)
    except yaml.YAMLError:
        return False


def lines(text: str, piece: Piece) -> str:
    """Return the lines of a piece."""
    return "\n".join(text.split("\n")[piece.start : piece.end])


def _fault(text: str, read: Read) -> yaml.YAMLError | None:
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
    keys |= {key for text in lost for key in _BESIDE.findall(re.split(r"[{\[]", _CLOSED.sub("", text))[0])}
    for problem in problems:
        missed, without_keys, without_key = (way.search(problem.message) for way in (_LACKING, _KEYLESS, _HAS_NO))
        if without_keys:
            left = [key for key in re.findall(r"'([^']+)'", without_keys[1]) if key not in keys]
            if left:
                yield replace(problem, message=problem.message[: without_keys.start()] + lacking(left))
        elif not (missed and missed[1] in held) and not (without_key and without_key[1] in keys):
            yield problem
