"""A YAML file as nodes that know where they stand: the grammar of the file, before any meaning.

Refused here, with every place named: what is no YAML, tabs, doubled keys at any level, keys that are no plain word,
aliases and anchors (a value has one home and is written out).
"""

from __future__ import annotations

import datetime
import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from report import yamlwords
from report.errors import Problem, nearest, not_utf8

# What YAML 1.1 takes a bare word for -> how that is said.
_READ_AS = {"bool": "yes or no", "int": "a number", "float": "a number", "null": "empty", "timestamp": "a date"}
_PLAIN_NUMBER = re.compile(r"(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?")


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


def part(text: str, node: yaml.Node) -> str:
    """Return what of a text a node was read from."""
    return text[node.start_mark.index : node.end_mark.index]


def read(file: Path, path: str) -> tuple[yaml.MappingNode | None, list[Problem]]:
    """Return the mapping at the top of a file, and every mistake of its grammar; path is what messages call it."""
    found, problems = decoded(file, path)
    return (None, problems) if found is None else composed(found, path)


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


def composed(text: str, path: str) -> tuple[yaml.MappingNode | None, list[Problem]]:
    """Return the mapping at the top of a text, and every mistake of its grammar."""
    try:
        top = yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.reader.ReaderError as error:
        return None, [_unreadable(path, text, error)]
    except yaml.MarkedYAMLError as error:
        found = yamlwords.explain(text, error)
        return None, [Problem(path, found.line, found.column, found.message, found.hint)]
    if top is None:
        return None, [Problem(path, 1, 1, "the file is empty", "it holds 'sources' and 'rows'")]
    if not isinstance(top, yaml.MappingNode):
        what = "a list" if isinstance(top, yaml.SequenceNode) else "a single value"
        return None, [place(path, top).problem(f"the file is {what}", "at its top are the keys 'sources' and 'rows'")]
    problems = list(_check(path, top, set()))
    return top, problems


def _unreadable(path: str, text: str, error: yaml.reader.ReaderError) -> Problem:
    """Return the problem of a character that YAML does not allow, such as a zero byte."""
    found = yamlwords.CONTROL.search(text)
    at, mark = (found.start(), found[0]) if found else (error.position, text[error.position : error.position + 1])
    before = text[:at]
    line, column = before.count("\n") + 1, at - before.rfind("\n")
    return Problem(path, line, column, *yamlwords.control(mark or "\0"))


def _check(path: str, node: yaml.Node, seen: set[int]) -> Iterator[Problem]:
    """Yield the doubled keys, odd keys and aliases in a node and below it."""
    if id(node) in seen:
        yield place(path, node).problem("an anchor that an alias (*name) repeats", "write the value out")
        return
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        for child in node.value:
            yield from _check(path, child, seen)
    elif isinstance(node, yaml.MappingNode):
        yield from _doubled(path, node)
        for _, child in node.value:
            yield from _check(path, child, seen)


def _doubled(path: str, node: yaml.MappingNode) -> Iterator[Problem]:
    """Yield the keys of a mapping that stand twice, or are no words; a second id begins a row whose dash is missing."""
    first: dict[str, yaml.Node] = {}
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode) or key.tag == "tag:yaml.org,2002:merge":
            yield place(path, key).problem("a key that is not a plain word")
        elif key.value in first:
            message = f"the key '{key.value}' stands twice, first in line {place(path, first[key.value]).line}"
            if key.value == "id":
                yield place(path, key).problem(message, "a new row begins with '- id:'")
                return
            yield place(path, key).problem(message, "delete one of them")
        else:
            first[key.value] = key


def entries(node: yaml.MappingNode) -> dict[str, tuple[yaml.Node, yaml.Node]]:
    """Return key -> (key node, value node); of a doubled key the first, since the double is reported."""
    found: dict[str, tuple[yaml.Node, yaml.Node]] = {}
    for key, value in node.value:
        if isinstance(key, yaml.ScalarNode):
            found.setdefault(key.value, (key, value))
    return found


def meant(key: str, known: Iterable[str]) -> str:
    """Return what was probably meant by an unknown key: one that is like it, or the same with a blank behind its colon.

    YAML takes `value:1 TB/s` for a key without a value, and `3,35 TB/s` between braces for a value and a key.
    """
    if key[:1].isdigit():
        return "a comma ends a value here; a decimal point is written '.'"
    head, colon, rest = key.partition(":")
    if colon and rest:
        return f"a blank is missing after the colon; write '{head}: {rest}'"
    return nearest(key, known)


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


def _quoted(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and bool(node.style)


def text(node: yaml.Node) -> str:
    """Return the text of a node; raise ValueError for anything that YAML would take for something else.

    A bare no, 1986 or 2022-09-01 is refused: in quotes it is text, and nobody has to guess.
    """
    what = kind(node)
    if what != "text":
        shown = f"'{node.value}' is {what}" if isinstance(node, yaml.ScalarNode) and node.value else f"it is {what}"
        quote = "; put it in quotes" if isinstance(node, yaml.ScalarNode) and node.value else ""
        raise ValueError(f"{shown}, but text is wanted{quote}")
    if not str(node.value).strip():
        raise ValueError("the text is empty; leave the key out")
    if node.value[0] in "“„”‘" and node.value[-1] in "“”’":
        raise ValueError(f"{node.value} stands in quotation marks of prose; YAML knows ' and \" alone")
    return str(node.value)


def flag(node: yaml.Node) -> bool:
    """Return the truth of a node that says true or false; raise ValueError for yes, no, on, off and all else."""
    if isinstance(node, yaml.ScalarNode) and not _quoted(node) and node.value in ("true", "false"):
        return bool(node.value == "true")
    shown = f"'{node.value}'" if isinstance(node, yaml.ScalarNode) else kind(node)
    raise ValueError(f"{shown} where true or false is wanted")


def number(node: yaml.Node) -> float:
    """Return the plain number of a node, in any of the notations 12, 12.0, 1e12, 1.0e12, 1e+12, 1.0e+12.

    YAML itself reads 1e12 as text; here it is a number. Quoted, signed, octal, sexagesimal and infinite ones are
    refused with ValueError.
    """
    if not isinstance(node, yaml.ScalarNode):
        raise ValueError(f"{kind(node)} where a plain number is wanted")
    if _quoted(node) or not _PLAIN_NUMBER.fullmatch(node.value):
        raise ValueError(f"'{node.value}' is not a plain number; write it as 12, 0.5 or 1.2e12, without quotes or unit")
    return float(node.value)
