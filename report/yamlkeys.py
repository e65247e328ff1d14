"""Keys of a YAML file that make no sense, whatever they say: doubled ones at any level, and such as are no plain word.

Aliases and anchors are refused too: a value has one home and is written out. Leaves out: what is no YAML
(report/yamlgrammar.py), and which keys there are (report/keys.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from report import commas
from report.errors import Problem
from report.yamlnodes import place

_FEW = 2  # doubled keys that are each told


@dataclass
class Entries:
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

    def rows(self, node: yaml.SequenceNode) -> list[yaml.Node]:
        """Return what a list holds; where the dash of a row is missing, its keys are parted from those above."""
        return [part for row in node.value for part in self._parted(row)]

    def _parted(self, row: yaml.Node) -> Iterator[yaml.Node]:
        """Yield a row, or the rows that it holds: a second id begins one whose dash is missing, if other keys recur."""
        ids = [key for key, _ in row.value if key.value == "id"] if _in_lines(row) else []
        parts: list[list[tuple[yaml.Node, yaml.Node]]] = [[]]
        for n, (key, value) in enumerate(row.value if ids[1:] else ()):
            if key in ids[1:]:
                said = f"the key 'id' stands twice, first in line {place(self.path, ids[0]).line}"
                self.problems.append(place(self.path, key).problem(said, "a new row begins with '- id:'"))
                if not {one.value for one, _ in parts[-1]} & {one.value for one, _ in row.value[n + 1 :]} - {"id"}:
                    self.lost.append(self.text[key.start_mark.index : value.end_mark.index])
                    continue
                parts.append([])
            parts[-1].append((key, value))
        if not ids[1:]:
            yield row
            return
        for part in parts:
            yield yaml.MappingNode(row.tag, part, part[0][0].start_mark, part[-1][1].end_mark)

    def left(self, entry: yaml.Node | tuple[yaml.Node, yaml.Node]) -> bool:
        """Tell whether an entry makes sense, if need be without some of its keys."""
        key, node = entry if isinstance(entry, tuple) else (entry, entry)
        stops: list[Problem] = []
        if not isinstance(node, yaml.MappingNode) or id(node) in self.seen:
            return self._sound(key, node, list(check(self.path, node, self.seen, stops)), stops)
        self.seen.add(id(node))
        if not self._sound(key, node, list(own(self.path, node, stops)), stops):
            return False
        whole = [pair for pair in node.value if self._key(*pair)]
        self.torn |= {node.start_mark.line} if len(whole) < len(node.value) else set()
        node.value = whole
        return True

    def _key(self, key: yaml.Node, node: yaml.Node) -> bool:
        stops: list[Problem] = []
        return self._sound(key, node, list(check(self.path, node, self.seen, stops)), stops)

    def _sound(self, key: yaml.Node, node: yaml.Node, found: list[Problem], stops: list[Problem]) -> bool:
        """Note mistakes; those that make no sense of a node hide its others."""
        self.problems += sorted(set(stops)) or found
        self.lost += [self.text[key.start_mark.index : node.end_mark.index]] if stops else []
        return not stops


def _in_lines(node: yaml.Node) -> bool:
    """Tell whether a node is a mapping of which each key has a line of its own."""
    return isinstance(node, yaml.MappingNode) and not node.flow_style


def check(path: str, node: yaml.Node, seen: set[int], stops: list[Problem]) -> Iterator[Problem]:
    """Yield the doubled and odd keys in a node and below it; those with which it makes no sense go to stops."""
    if id(node) in seen:
        said = "an anchor (&) that an alias (*) repeats"
        stops.append(place(path, node).problem(said, "write the value out at each place"))
        return
    seen.add(id(node))
    yield from own(path, node, stops)
    for child in children(node):
        yield from check(path, child, seen, stops)


def children(node: yaml.Node) -> list[yaml.Node]:
    """Return the values of a mapping, or what a list holds."""
    if isinstance(node, yaml.MappingNode):
        return [value for _, value in node.value]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


def own(path: str, node: yaml.Node, stops: list[Problem]) -> Iterator[Problem]:
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

    A second id begins another entry, and all that follows belongs to that one. So do many keys at once.
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
