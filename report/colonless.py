"""Entries of a YAML file of which no key has its colon, so that YAML takes them for a text.

    - id: cray-1
      name: Cray-1
    - id sun-3           # one text, 'id sun-3 name Sun-3'
      name Sun-3

Among entries with keys, a text of which every line begins with a key that others have in the same column is such a one;
each of its lines is told; so are those above one that YAML refuses. Leaves out: keys with a colon (report/columns.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import yaml

from report.colonwords import parted
from report.slips import Mended, Words, content


def colonless(top: yaml.Node | None, text: str) -> Mended | None:
    """Return the lines of such entries as they were meant, and what is told of each; none where there are none."""
    every, meant = text.split("\n"), dict[int, str]()
    for node in _texts(top):
        rows = [row for row in range(node.start_mark.line, node.end_mark.line + 1) if every[row].strip()]
        lines = {row: parted(every, row) for row in rows}
        meant |= lines if all(lines.values()) else {}
    return Mended(tuple(_missing(row, line) for row, line in meant.items()), meant) if meant else None


def run(every: Sequence[str], words: Words) -> Mended | None:
    """Return a line without its colon and those right above it as they were meant; none if it is alone."""
    row = words.line - 1
    lines = {row: words.instead}
    while row > 0 and content(every[row - 1]) == content(every[row]) and (line := parted(every, row - 1)):
        row -= 1
        lines[row] = line
    told = (_missing(one, line) for one, line in lines.items() if one != words.line - 1)
    return Mended((*told, words), lines) if lines.keys() - {words.line - 1} else None


def _texts(top: yaml.Node | None) -> Iterator[yaml.ScalarNode]:
    """Yield texts without quotes that stand where others have keys: below a key of the file, in a list or not."""
    for _, value in top.value if isinstance(top, yaml.MappingNode) else ():
        held = [one[1] if isinstance(one, tuple) else one for one in value.value] if _in_lines(value) else []
        if any(isinstance(one, yaml.MappingNode) for one in held):
            yield from (one for one in held if isinstance(one, yaml.ScalarNode) and not one.style)


def _in_lines(node: yaml.Node) -> bool:
    return isinstance(node, yaml.CollectionNode) and not node.flow_style


def _missing(row: int, line: str) -> Words:
    key = line.partition(":")[0].lstrip(" -")
    return Words(row + 1, line.index(key) + 1, f"a colon is missing behind '{key}'", f"write '{key}: ...'")
