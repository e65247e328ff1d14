"""The nodes of a YAML file: where each stands, what keys it has, what kind of value it is.

Leaves out: the grammar of a file (report/yamlgrammar.py), and what the values mean (report/rows.py).
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass, replace

import yaml

from report import numberwords
from report.commas import CURLY
from report.errors import Problem
from report.slips import shortened

# What YAML 1.1 takes a bare word for -> how that is said.
_READ_AS = {"bool": "yes or no", "int": "a number", "float": "a number", "null": "empty", "timestamp": "a date"}
_TRUTH = dict.fromkeys(("true", "yes", "y", "on", "1"), "true") | dict.fromkeys(
    ("false", "no", "n", "off", "0"), "false"
)
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
