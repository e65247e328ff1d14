"""A text some lines of which were put right to read on, and the way back to the places where they stand in the file.

A line put right ends as it did; only what it begins with, or what was added to its end, is another. Leaves out: what is
right (report/columns.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile

import yaml

from report.errors import Problem

_COLUMN = re.compile(r"(?<=of column )\d+")


@dataclass(frozen=True)
class AsMeant:
    """A text, and those of its lines that were meant to be others, by their number from 0."""

    text: str
    lines: Mapping[int, str]

    @property
    def whole(self) -> str:
        """The text as it was meant."""
        return "\n".join(self.lines.get(row, line) for row, line in enumerate(self._old))

    def placed(self, problems: Iterable[Problem]) -> Iterator[Problem]:
        """Yield problems of the text as it was meant where they are in the text, the columns that they name too."""
        for one in problems:
            yield replace(one, column=self._counted(one, one.column), message=self._said(one)) if one.column else one

    def _said(self, one: Problem) -> str:
        return _COLUMN.sub(lambda found: str(self._counted(one, int(found[0]))), one.message)

    def _counted(self, one: Problem, column: int) -> int:
        return self._column(one.line - 1, column - 1) + 1

    def move(self, top: yaml.Node) -> None:
        """Move every node below one to where it is in the text."""
        move(top, self._mark)

    def _mark(self, mark: yaml.Mark) -> yaml.Mark:
        column = self._column(mark.line, mark.column)
        grown = sum(self._grown(row) for row in self.lines if row < mark.line) + mark.column - column
        return yaml.Mark(mark.name, mark.index - grown, mark.line, column, None, 0)

    def _column(self, row: int, column: int) -> int:
        """Return where a column of a line is in the text; both count from 0."""
        if row not in self.lines:
            return column
        both = zip(self._old[row], self.lines[row], strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], both))
        return column if column < same else max(column - self._grown(row), same)

    def _grown(self, row: int) -> int:
        return len(self.lines[row]) - len(self._old[row])

    @cached_property
    def _old(self) -> Sequence[str]:
        return self.text.split("\n")


def move(top: yaml.Node, back: Callable[[yaml.Mark], yaml.Mark]) -> None:
    """Move every node from one on to where back says that it is."""
    nodes, seen = [top], set[int]()
    while nodes:
        node = nodes.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        node.start_mark, node.end_mark = back(node.start_mark), back(node.end_mark)
        if isinstance(node, yaml.CollectionNode):
            for held in node.value:
                nodes += held if isinstance(held, tuple) else [held]
