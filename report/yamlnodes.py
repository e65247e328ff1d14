"""A YAML file as nodes that know where they stand: the grammar of the file, before any meaning.

Refused here, with every place named: what is no YAML, tabs, doubled keys at any level, keys that are no plain word,
aliases and anchors (a value has one home and is written out).
"""

from __future__ import annotations

import datetime
import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from report import commas, hashes, numberwords, yamlwords
from report.commas import CURLY
from report.conflicts import LEFT, LINE, conflicts, one_side
from report.errors import Near, Problem, not_utf8
from report.lines import line_and_column, line_of
from report.slips import shortened

# What YAML 1.1 takes a bare word for -> how that is said.
_READ_AS = {"bool": "yes or no", "int": "a number", "float": "a number", "null": "empty", "timestamp": "a date"}
_TRUTH = dict.fromkeys(("true", "yes", "y", "on", "1"), "true") | dict.fromkeys(
    ("false", "no", "n", "off", "0"), "false"
)
_PLAIN_NUMBER = re.compile(r"(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?")


_FEW = 2  # doubled keys that are each told


@dataclass(frozen=True, slots=True)
class At:
    """A place in an input file; line and column count from 1."""

    path: str
    line: int
    column: int

    def problem(self, message: str, hint: str = "") -> Problem:
        """Return the mistake that stands at this place."""
        return Problem(self.path, self.line, self.column, message, hint)


def place(path: str, node: yaml.Node) -> At:
    """Return where a node begins."""
    return At(path, node.start_mark.line + 1, node.start_mark.column + 1)


def within(path: str, node: yaml.Node, word: str) -> At:
    """Return where a word of a value begins; where the value does, if it runs over lines or holds no such word."""
    at = place(path, node)
    if not isinstance(node, yaml.ScalarNode) or word in ("", node.value) or node.start_mark.line != node.end_mark.line:
        return at
    found = re.search(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])", node.value)
    return replace(at, column=at.column + found.start() + bool(node.style)) if found else at


def part(text: str, node: yaml.Node) -> str:
    """Return what of a text a node was read from."""
    return text[node.start_mark.index : node.end_mark.index]


def read(file: Path, path: str, keys: Iterable[str] = ()) -> tuple[yaml.MappingNode | None, list[Problem]]:
    """Return the mapping at the top of a file, and every mistake of its grammar.

    path is what messages call the file, keys are what they say stands at its top.
    """
    found, problems = decoded(file, path)
    return (None, problems) if found is None else composed(found, path, keys)


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


def composed(text: str, path: str, keys: Iterable[str] = ()) -> tuple[yaml.MappingNode | None, list[Problem]]:
    """Return the mapping at the top of a text, and every mistake of its grammar."""
    if LINE.search(text):
        whole, others = composed(one_side(text), path, keys)
        return whole, [*(_left(path, found) for found in conflicts(text)), *others]
    try:
        top = yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.reader.ReaderError as error:
        return None, [_unreadable(path, text, error)]
    except yaml.MarkedYAMLError as error:
        found = yamlwords.explain(text, error)
        return None, [Problem(path, found.line, found.column, found.message, found.hint)]
    if top is None:
        return None, [Problem(path, 1, 1, "the file is empty", _top("it holds", keys))]
    if not isinstance(top, yaml.MappingNode):
        what = "a list" if isinstance(top, yaml.SequenceNode) else "a single value"
        return None, [place(path, top).problem(f"the file is {what}", _top("at its top are the keys", keys))]
    stops: list[Problem] = []
    problems = [*_unseen(path, text), *_check(path, top, set(), stops), *_hashes(path, text, top)]
    return (None, sorted(set(stops))) if stops else (top, problems)


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


def _unseen(path: str, text: str) -> Iterator[Problem]:
    """Yield each character that YAML allows and nobody sees, but for the mark before the first letter."""
    for found in yamlwords.UNSEEN.finditer(text, text.startswith("\ufeff")):
        yield Problem(path, *line_and_column(text, found.start()), *yamlwords.control(found[0]))


def _hashes(path: str, text: str, top: yaml.Node) -> Iterator[Problem]:
    for at, said in hashes.cut(text, top):
        yield Problem(path, *line_and_column(text, at), said, hashes.HINT, near=Near.whole(text[at:].split("\n", 1)[0]))


def _check(path: str, node: yaml.Node, seen: set[int], stops: list[Problem]) -> Iterator[Problem]:
    """Yield the doubled and odd keys in a node and below it.

    Aliases, and what a comma has cut off, are gathered in stops: what is read there was not meant, so reading it would
    tell of the same slip once more.
    """
    if id(node) in seen:
        said = "an anchor (&) that an alias (*) repeats"
        stops.append(place(path, node).problem(said, "write the value out at each place"))
        return
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        for child in node.value:
            yield from _check(path, child, seen, stops)
    elif isinstance(node, yaml.MappingNode):
        for stop, problem in _doubled(path, node):
            if stop:
                stops.append(problem)
            else:
                yield problem
        for key, child in node.value:
            if not child.value and commas.keyless(key, child):
                stops.extend(place(path, at).problem(said, hint) for at, said, hint in commas.cut(node))
            yield from _check(path, child, seen, stops)


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


def entries(node: yaml.MappingNode) -> dict[str, tuple[yaml.Node, yaml.Node]]:
    """Return key -> (key node, value node); of a doubled key the first, since the double is reported."""
    found: dict[str, tuple[yaml.Node, yaml.Node]] = {}
    for key, value in node.value:
        if isinstance(key, yaml.ScalarNode):
            found.setdefault(key.value, (key, value))
    return found


def kind(node: yaml.Node) -> str:
    """Return in words what a node is, as YAML reads it."""
    if isinstance(node, yaml.MappingNode):
        return "a mapping"
    if isinstance(node, yaml.SequenceNode):
        return "a list"
    return "text" if _quoted(node) else _READ_AS.get(node.tag.rsplit(":", 1)[-1], "text")


def called(value: object) -> str:
    """Return in words what a value is that YAML has read."""
    return {bool: "yes or no", int: "a number", float: "a number", list: "a list", dict: "a mapping"}.get(
        type(value), "a date" if isinstance(value, datetime.date) else "no text"
    )


def empty(node: yaml.Node) -> bool:
    """Tell whether nothing stands at a node, or a word that YAML reads as nothing."""
    return node.tag == "tag:yaml.org,2002:null" and not _quoted(node)


def bare(node: yaml.Node) -> str:
    """Return the hint for one value that stands in a list of its own; '' for any other node."""
    alone = isinstance(node, yaml.SequenceNode) and len(node.value) == 1 and isinstance(node.value[0], yaml.ScalarNode)
    return f"write {node.value[0].value}, without brackets" if alone else ""


def listed(node: yaml.Node) -> str:
    """Return the hint for a text that should be a list."""
    if isinstance(node, yaml.MappingNode):
        return "put the mapping between [ and ]"
    return f"write it as [{shortened(str(node.value))}]" if node.value else "write it as [one, two]"


def _quoted(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and bool(node.style)


def text(node: yaml.Node) -> str:
    """Return the text of a node; raise ValueError for anything that YAML would take for something else.

    A bare no, 1986 or 2022-09-01 is refused: in quotes it is text, and nobody has to guess.
    """
    what = kind(node)
    if what != "text":
        word = node.value if isinstance(node, yaml.ScalarNode) else ""
        shown = f"'{word}' is {what}" if word else f"it is {what}"
        hint = bare(node) or ("put it in quotes" if word else "")
        raise ValueError(f"{shown}, but text is wanted" + (f"; {hint}" if hint else ""))
    if not str(node.value).strip():
        raise ValueError("the text is empty; leave the key out")
    if node.value[0] in CURLY and node.value[-1] in "“”’":
        raise ValueError(f"{node.value} stands in quotation marks of prose; YAML knows ' and \" alone")
    return str(node.value)


def flag(node: yaml.Node) -> bool:
    """Return the truth of a node that says true or false; raise ValueError for yes, no, on, off and all else."""
    if isinstance(node, yaml.ScalarNode) and not _quoted(node) and node.value in ("true", "false"):
        return bool(node.value == "true")
    word = node.value if isinstance(node, yaml.ScalarNode) else ""
    shown = f"'{word}'" if word else kind(node)
    right = _TRUTH.get(str(word).lower())
    hint = f"write {right}{', without quotes' if _quoted(node) else ''}" if right else bare(node)
    raise ValueError(f"{shown} where true or false is wanted; {hint}")


def number(node: yaml.Node) -> float:
    """Return the plain number of a node, in any of the notations 12, 12.0, 1e12, 1.0e12, 1e+12, 1.0e+12.

    YAML itself reads 1e12 as text; here it is a number. Quoted, signed, octal, sexagesimal and infinite ones are
    refused with ValueError.
    """
    if not isinstance(node, yaml.ScalarNode):
        raise ValueError(f"{kind(node)} where a plain number is wanted; {bare(node)}")
    good = _PLAIN_NUMBER.fullmatch(node.value)
    if good and not _quoted(node):
        return float(node.value)
    why = f": it stands in quotes; write {node.value}" if good else numberwords.plain(node.value)
    raise ValueError(f"'{node.value}' is not a plain number{why}")
