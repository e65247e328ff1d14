"""A YAML file as far as it can be read: the grammar of the file, before any meaning.

Refused here, with every place named: what is no YAML, tabs, and keys that make no sense (report/yamlkeys.py). A line or
a row that can't be read hides no mistake of the others. Leaves out: what a node says (report/yamlnodes.py).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import yaml

from report import columns, hashes, yamlwords
from report.asmeant import AsMeant
from report.colonless import colonless
from report.conflicts import LEFT, LINE, conflicts, one_side
from report.errors import Near, Problem, not_utf8
from report.lines import line_and_column, line_of
from report.orphans import Orphans, orphans
from report.slips import Mended, Words
from report.yamlkeys import Entries, check, children, own
from report.yamlnodes import place
from report.yamlpieces import faults, lines, without


class Read(NamedTuple):
    """What a file comes to: the mapping at its top, every mistake of its grammar, and what of it could not be read.

    Entries, and keys of entries, that could not be read are not in the mapping; what lost holds is not to be missed.
    torn are the lines, counted from 0, in which entries begin that lack a key.
    """

    top: yaml.MappingNode | None
    problems: list[Problem]
    lost: tuple[str, ...] = ()
    torn: frozenset[int] = frozenset()


def read(file: Path, path: str, keys: Iterable[str] = (), lists: Collection[str] = ()) -> Read:
    """Return a file as far as it can be read.

    path is what messages call the file, keys are what they say stands at its top, lists those that hold lists.
    """
    found, problems = decoded(file, path)
    return Read(None, problems) if found is None else composed(found, path, keys, lists)


def decoded(file: Path, path: str) -> tuple[str | None, list[Problem]]:
    """Return the text of a file, or why there is none."""
    try:
        return file.read_bytes().decode("utf-8"), []
    except FileNotFoundError:
        others = sorted(other.name for other in file.parent.glob("*.yaml"))
        near = difflib.get_close_matches(file.name, others, n=1, cutoff=0.85)
        return None, [Problem(path, 0, 0, "the file is missing", f"was it renamed to '{near[0]}'?" if near else "")]
    except OSError as error:
        return None, [Problem(path, 0, 0, f"can't be read: {error.strerror or error}")]
    except UnicodeDecodeError as error:
        return None, [not_utf8(error, path)]


def composed(text: str, path: str, keys: Iterable[str] = (), lists: Collection[str] = ()) -> Read:
    """Return a text as far as it can be read."""
    keys = tuple(keys)
    if LINE.search(text):
        found = composed(one_side(text), path, keys, lists)
        return found._replace(problems=[*(_left(path, one) for one in conflicts(text)), *found.problems])
    lacking = orphans(text, keys, _compose, lists)
    return _adopted(text, path, lacking, keys, lists) if lacking else _apart(text, path, keys)


def _adopted(text: str, path: str, lacking: Orphans, keys: Iterable[str], lists: Collection[str]) -> Read:
    """Return a text, of which entries lack their key at the top, as if it stood there."""
    found = composed(lacking.adopted(text), path, keys, lists)
    if found.top is not None:
        lacking.move(found.top)
    problems = [lacking.problem(path), *lacking.placed(found.problems)]
    return found._replace(problems=problems, torn=lacking.torn(found.torn))


class _Before(NamedTuple):
    """What came of a text so far, by lines counted from 0: those put right, and the mistakes that were told."""

    right: Collection[int] = ()
    said: Mapping[int, Words] = {}


_NOTHING = _Before()


def _apart(text: str, path: str, keys: Iterable[str], before: _Before = _NOTHING) -> Read:
    """Return a text as far as it can be read, each piece by itself if need be."""
    try:
        top = _compose(text)
    except yaml.YAMLError as error:
        bad = faults(text, _compose)
        slips = [(one.alone, one.error, one.entry) for one in bad] or [(text, error, 0)]
    else:
        return _mended(text, path, keys, before, [(colonless(top, text), 0)]) or _meant(top, path, text, keys)
    ways = ((columns.mended(alone, error, _compose), entry) for alone, error, entry in slips)
    mended = _mended(text, path, keys, before, ways)
    if mended and (mended.top or not bad):
        return mended
    said, told = dict(before.said), list[Problem]()
    for alone, slip, _ in slips:
        if isinstance(slip, yaml.MarkedYAMLError):
            told += _new(path, text, yamlwords.explain(alone, slip), said)
        elif isinstance(slip, yaml.reader.ReaderError):
            told.append(_unreadable(path, alone, slip))
    left = without(text, [one.gone for one in bad])
    if not bad or not isinstance(_compose(left), yaml.MappingNode):  # what is left is no file
        return Read(None, told)
    found = _apart(left, path, keys, _Before(before.right, said))
    lost = [lines(text, one.gone) for one in bad]
    torn = found.torn.union(one.entry for one in bad)
    return Read(found.top, [*told, *found.problems], (*lost, *found.lost), torn)


def _new(path: str, text: str, words: Words, said: dict[int, Words]) -> Iterator[Problem]:
    """Yield a mistake unless it only follows from those that were said, and note that it is said now."""
    if not columns.follows(words, said, text):
        yield Problem(path, words.line, words.column, words.message, words.hint)
    said.setdefault(words.line - 1, words)


def _mended(
    text: str, path: str, keys: Iterable[str], before: _Before, ways: Iterable[tuple[Mended | None, int]]
) -> Read | None:
    """Return a text as it is read with lines put right, where one knows what was meant.

    ways are what to put right, and the lines, counted from 0, in which the entries begin.
    """
    told, words, meant, lost, torn = list[Problem](), list[Words](), dict[int, str](), list[str](), set[int]()
    said = dict(before.said)
    for one, entry in ways:
        if one and not {*before.right, *meant} & {*one.lines}:
            new = [each for each in one.words if not columns.again(each, words, text)]
            told += [problem for each in new for problem in _new(path, text, each, said)]
            words += one.words
            meant |= one.lines
            lost += [text.split("\n")[row] for row in one.gone]
            torn |= {entry} if one.gone else set()
    if not meant:
        return None
    back = AsMeant(text, meant)
    found = _apart(back.whole, path, keys, _Before({*before.right, *meant}, said))
    if found.top is not None:
        back.move(found.top)
    return Read(found.top, [*told, *back.placed(found.problems)], (*lost, *found.lost), found.torn | torn)


def _compose(text: str) -> yaml.Node | None:
    return yaml.compose(text, Loader=yaml.CSafeLoader)


def _meant(top: yaml.Node | None, path: str, text: str, keys: Iterable[str]) -> Read:
    """Return what the node at the top of a text comes to."""
    if top is None:
        return Read(None, [Problem(path, 1, 1, "the file is empty", _top("it holds", keys))])
    if not isinstance(top, yaml.MappingNode):
        what = "a list" if isinstance(top, yaml.SequenceNode) else "a single value"
        return Read(None, [place(path, top).problem(f"the file is {what}", _top("at its top are the keys", keys))])
    seen, stops = {id(top)}, list[Problem]()
    problems = [*_unseen(path, text), *own(path, top, stops), *_hashes(path, text, top)]
    entries = Entries(path, text, seen)
    sound = True
    for value in children(top):
        if isinstance(value, yaml.CollectionNode):
            problems += own(path, value, stops)
            held = entries.rows(value) if isinstance(value, yaml.SequenceNode) else value.value
            value.value = [entry for entry in held if entries.left(entry)]
            sound = sound and bool(value.value) >= bool(held)  # a key with nothing left below it would seem empty
        else:
            problems += check(path, value, seen, stops)
    if stops:
        return Read(None, sorted(set(stops)))
    return Read(top if sound else None, [*problems, *entries.problems], tuple(entries.lost), frozenset(entries.torn))


def _unseen(path: str, text: str) -> Iterator[Problem]:
    """Yield each character that YAML allows and nobody sees, but for the mark before the first letter."""
    for found in yamlwords.UNSEEN.finditer(text, text.startswith("\ufeff")):
        yield Problem(path, *line_and_column(text, found.start()), *yamlwords.control(found[0]))


def _hashes(path: str, text: str, top: yaml.Node) -> Iterator[Problem]:
    for at, said in hashes.cut(text, top):
        yield Problem(path, *line_and_column(text, at), said, hashes.HINT, near=Near.whole(text[at:].split("\n", 1)[0]))


def _left(path: str, found: re.Match[str]) -> Problem:
    return Problem(path, line_of(found.string, found.start()), 1, *LEFT, near=Near.whole(found[0]))


def _top(words: str, keys: Iterable[str]) -> str:
    *some, last = [f"'{key}'" for key in keys] or [""]
    return f"{words} {', '.join(some)} and {last}" if some else ""


def _unreadable(path: str, text: str, error: yaml.reader.ReaderError) -> Problem:
    """Return the problem of a character that YAML does not allow, such as a zero byte."""
    found = yamlwords.CONTROL.search(text)
    at, mark = (found.start(), found[0]) if found else (error.position, text[error.position : error.position + 1])
    return Problem(path, *line_and_column(text, at), *yamlwords.control(mark or "\0"))
