"""A YAML file as far as it can be read: the grammar of the file, before any meaning.

Refused here, with every place named: what is no YAML, tabs, doubled keys at any level, keys that are no plain word,
aliases and anchors (a value has one home and is written out). A row that can't be read hides no mistake of the others.
Leaves out: what a node says (report/yamlnodes.py).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import yaml

from report import commas, hashes, yamlwords
from report.conflicts import LEFT, LINE, conflicts, one_side
from report.errors import Near, Problem, not_utf8
from report.lines import line_and_column, line_of
from report.orphans import Orphans, orphans
from report.yamlnodes import place
from report.yamlpieces import faults, lines, without

_FEW = 2  # doubled keys that are each told


class Read(NamedTuple):
    """What a file comes to: the mapping at its top, every mistake of its grammar, and what of it could not be read.

    Entries, and keys of entries, that could not be read are not in the mapping; what lost holds is not to be missed.
    torn are the lines, counted from 0, in which entries begin that lack a key.
    """

    top: yaml.MappingNode | None
    problems: list[Problem]
    lost: tuple[str, ...] = ()
    torn: frozenset[int] = frozenset()


def read(file: Path, path: str, keys: Iterable[str] = ()) -> Read:
    """Return a file as far as it can be read.

    path is what messages call the file, keys are what they say stands at its top.
    """
    found, problems = decoded(file, path)
    return Read(None, problems) if found is None else composed(found, path, keys)


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


def composed(text: str, path: str, keys: Iterable[str] = ()) -> Read:
    """Return a text as far as it can be read."""
    keys = tuple(keys)
    if LINE.search(text):
        found = composed(one_side(text), path, keys)
        return found._replace(problems=[*(_left(path, one) for one in conflicts(text)), *found.problems])
    lacking = orphans(text, keys, _compose)
    return _adopted(text, path, lacking, keys) if lacking else _apart(text, path, keys)


def _adopted(text: str, path: str, lacking: Orphans, keys: Iterable[str]) -> Read:
    """Return a text, of which entries lack their key at the top, as if it stood there."""
    found = _apart(lacking.adopted(text), path, keys)
    if found.top is not None:
        lacking.move(found.top)
    problems = [lacking.problem(path), *lacking.placed(found.problems)]
    return found._replace(problems=problems, torn=lacking.torn(found.torn))


def _apart(text: str, path: str, keys: Iterable[str]) -> Read:
    """Return a text as far as it can be read, each piece by itself if need be."""
    try:
        return _meant(_compose(text), path, text, keys)
    except yaml.YAMLError as error:
        bad = faults(text, _compose)
        if not bad:
            return Read(None, [_ungrammatical(path, text, error)])
    told = [_ungrammatical(path, one.alone, one.error) for one in bad]
    left = without(text, [one.gone for one in bad])
    top = _compose(left)
    if not isinstance(top, yaml.MappingNode):  # what is left is no file
        return Read(None, told)
    found = _meant(top, path, left, keys)
    lost = [lines(text, one.gone) for one in bad]
    torn = found.torn.union(one.entry for one in bad)
    return Read(found.top, [*told, *found.problems], (*lost, *found.lost), torn)


def _compose(text: str) -> yaml.Node | None:
    return yaml.compose(text, Loader=yaml.CSafeLoader)


def _ungrammatical(path: str, text: str, error: yaml.YAMLError) -> Problem:
    if isinstance(error, yaml.reader.ReaderError):
        return _unreadable(path, text, error)
    assert isinstance(error, yaml.MarkedYAMLError)
    found = yamlwords.explain(text, error)
    return Problem(path, found.line, found.column, found.message, found.hint)


def _meant(top: yaml.Node | None, path: str, text: str, keys: Iterable[str]) -> Read:
    """Return what the node at the top of a text comes to."""
    if top is None:
        return Read(None, [Problem(path, 1, 1, "the file is empty", _top("it holds", keys))])
    if not isinstance(top, yaml.MappingNode):
        what = "a list" if isinstance(top, yaml.SequenceNode) else "a single value"
        return Read(None, [place(path, top).problem(f"the file is {what}", _top("at its top are the keys", keys))])
    seen, stops = {id(top)}, list[Problem]()
    problems = [*_unseen(path, text), *_own(path, top, stops), *_hashes(path, text, top)]
    entries = _Entries(path, text, seen)
    sound = True
    for value in _children(top):
        if isinstance(value, yaml.CollectionNode):
            problems += _own(path, value, stops)
            before = bool(value.value)
            value.value = [entry for entry in value.value if entries.left(entry)]
            sound = sound and bool(value.value) >= before  # a key with nothing left below it would seem empty
        else:
            problems += _check(path, value, seen, stops)
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


@dataclass
class _Entries:
    """Goes through the entries below the keys of a file; what makes no sense is taken out of them.

    Aliases, and what a comma has cut off, are such: what is read there was not meant, so reading it would tell of the
    same slip once more.
    """

    path: str
    text: str
    seen: set[int]
    problems: list[Problem] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    torn: set[int] = field(default_factory=set)

    def left(self, entry: yaml.Node | tuple[yaml.Node, yaml.Node]) -> bool:
        """Tell whether an entry makes sense, if need be without some of its keys."""
        key, node = entry if isinstance(entry, tuple) else (entry, entry)
        stops: list[Problem] = []
        if not isinstance(node, yaml.MappingNode) or id(node) in self.seen:
            return self._sound(key, node, list(_check(self.path, node, self.seen, stops)), stops)
        self.seen.add(id(node))
        if not self._sound(key, node, list(_own(self.path, node, stops)), stops):
            return False
        whole = [pair for pair in node.value if self._key(*pair)]
        self.torn |= {node.start_mark.line} if len(whole) < len(node.value) else set()
        node.value = whole
        return True

    def _key(self, key: yaml.Node, node: yaml.Node) -> bool:
        stops: list[Problem] = []
        return self._sound(key, node, list(_check(self.path, node, self.seen, stops)), stops)

    def _sound(self, key: yaml.Node, node: yaml.Node, found: list[Problem], stops: list[Problem]) -> bool:
        """Note mistakes; those that make no sense of a node hide its others."""
        self.problems += sorted(set(stops)) or found
        self.lost += [self.text[key.start_mark.index : node.end_mark.index]] if stops else []
        return not stops


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


def _check(path: str, node: yaml.Node, seen: set[int], stops: list[Problem]) -> Iterator[Problem]:
    """Yield the doubled and odd keys in a node and below it; those with which it makes no sense go to stops."""
    if id(node) in seen:
        said = "an anchor (&) that an alias (*) repeats"
        stops.append(place(path, node).problem(said, "write the value out at each place"))
        return
    seen.add(id(node))
    yield from _own(path, node, stops)
    for child in _children(node):
        yield from _check(path, child, seen, stops)


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [value for _, value in node.value]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


def _own(path: str, node: yaml.Node, stops: list[Problem]) -> Iterator[Problem]:
    """Yield what is wrong with the keys of a mapping itself."""
    if not isinstance(node, yaml.MappingNode):
        return
    for stop, problem in _doubled(path, node):
        if stop:
            stops.append(problem)
        else:
            yield problem
    if any(not value.value and commas.keyless(key, value) for key, value in node.value):
        stops.extend(place(path, at).problem(said, hint) for at, said, hint in commas.cut(node))


def _doubled(path: str, node: yaml.MappingNode) -> Iterator[tuple[bool, Problem]]:
    """Yield the keys of a mapping that stand twice, or are no words, and whether reading on makes no sense.

    A second id begins a row whose dash is missing: all that follows belongs to that row. So do many keys at once.
    """
    first: dict[str, yaml.Node] = {}
    again: list[tuple[yaml.Node, str]] = []
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode) or key.tag == "tag:yaml.org,2002:merge":
            yield True, place(path, key).problem("a key that is not a plain word")
        elif key.value in first:
            message = f"the key '{key.value}' stands twice, first in line {place(path, first[key.value]).line}"
            if key.value == "id":
                yield True, place(path, key).problem(message, "a new row begins with '- id:'")
                return
            again.append((key, message))
        else:
            first[key.value] = key
    if len(again) > _FEW:
        key, message = again[0]
        more = f"{message}, and so do {len(again) - 1} more"
        yield (
            True,
            place(path, key).problem(more, "is a line there twice, or is the first line of another row missing?"),
        )
        return
    for key, message in again:
        yield False, place(path, key).problem(message, "delete one of them")
