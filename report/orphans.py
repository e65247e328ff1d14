"""Entries of a YAML file whose key at the top was deleted, so that one line too few hides no mistake of the others.

    sources:
      note: {title: A note}
      - id: cray-1             # 'rows:' is missing above

Where just one known key of a file is missing, or just one that holds a list or none, and entries of another shape end
what another key holds, the key is put in above them, the text is read with it, and all places are moved back to where
they are in the file. So is one that stands behind a dash. Leaves out: keys that are spelled wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import yaml

from report.asmeant import move
from report.errors import Problem

_TOP = re.compile(r"[\"']?([\w-]+)[\"']?:(?:\s|\Z)")
_OPEN = re.compile(r"[^#\n]*:\s*(?:#.*)?")
_ENTRY = re.compile(r"\s*(?:(-)\s+(?:([\w.-]+):(?=\s|\Z))?|[\w./-]+:(?=\s|\Z)\s*([\[{]|(?:#.*)?\Z)?)")
_LINES = re.compile(r"\bline (\d+)")
_LEAST = 2  # entries that are a list of their own; one alone may be a slip within the list above


class Orphans(NamedTuple):
    """Where entries without their key begin, counted from 0, and the key; it may be there, behind a dash."""

    row: int
    column: int
    key: str
    dashed: bool = False

    def problem(self, path: str) -> Problem:
        """Return what an author is told of it."""
        if self.dashed:
            said = f"a '-' before '{self.key}', a key of the file"
            return Problem(path, self.row + 1, self.column + 1, said, "delete it")
        said = "entries begin here without the key they belong to"
        return Problem(path, self.row + 1, self.column + 1, said, f"is '{self.key}:' missing above?")

    def adopted(self, text: str) -> str:
        """Return the text with the key in a line of its own above the entries, or as long as ever without its dash."""
        every = text.split("\n")
        if self.dashed:
            every[self.row] = every[self.row].replace(f"- {self.key}:", f'"{self.key}":', 1)
            return "\n".join(every)
        return "\n".join([*every[: self.row], f"{self.key}:", *every[self.row :]])

    def placed(self, problems: Iterable[Problem]) -> Iterator[Problem]:
        """Yield problems of the text with the key as they are without its line, the lines that they name too."""

        def moved(said: str) -> str:
            return _LINES.sub(lambda found: f"line {self._line(int(found[1]) - 1) + 1}", said)

        for one in problems:
            line = self._line(one.line - 1) + 1
            yield replace(one, line=line, message=moved(one.message), hint=moved(one.hint))

    def torn(self, rows: Iterable[int]) -> frozenset[int]:
        """Return lines of the text with the key, counted from 0, as they are without its line."""
        return frozenset(map(self._line, rows))

    def move(self, top: yaml.Node) -> None:
        """Move every node below one to where it is in the text without the key."""
        move(top, self._mark)

    def _mark(self, mark: yaml.Mark) -> yaml.Mark:
        if mark.line <= self.row or self.dashed:
            return mark
        return yaml.Mark(mark.name, mark.index - len(self.key) - 2, mark.line - 1, mark.column, None, 0)

    def _line(self, row: int) -> int:
        return row - 1 if row > self.row and not self.dashed else row


def orphans(
    text: str, keys: Iterable[str], read: Callable[[str], object], lists: Collection[str] = ()
) -> Orphans | None:
    """Return the entries that belong to the one known key which a text lacks, if there are such.

    read raises the mistake of a text; lists are those of the keys that hold lists.
    """
    every = text.split("\n")
    heads = [row for row, line in enumerate(every) if _TOP.match(line)]
    there = {head[1] for row in heads if (head := _TOP.match(every[row]))}
    missing = [key for key in keys if key not in there]
    kinds = ([key for key in missing if key not in lists], [key for key in missing if key in lists])
    for key in (kind[0] for kind in kinds if len(kind) == 1):
        for found in _found(every, heads, key, read):
            if len(missing) == 1 or bool(re.match(r"\s*- ", every[found.row])) == (key in lists):
                return found
    return None


def _found(every: Sequence[str], heads: Sequence[int], key: str, read: Callable[[str], object]) -> Iterator[Orphans]:
    """Yield entries that may belong to a key: those above all others that are there, and those below each."""
    if found := _first(every[: [*heads, len(every)][0]], key):
        yield found
    for start, end in pairwise([*heads, len(every)]):
        if found := _within(every[start:end], key, read):
            yield found._replace(row=found.row + start)


def _first(block: Sequence[str], key: str) -> Orphans | None:
    """Return the entries above all keys that are there, if they are such as stand below a key."""
    row = next((row for row, line in enumerate(block) if not _apart(line)), None)
    entry = _ENTRY.match(block[row]) if row is not None else None
    if row is None or entry is None or not (_depth(block[row]) or entry[1]):
        return None
    return Orphans(row, _depth(block[row]), key, dashed=block[row].startswith(f"- {key}:"))


def _within(block: Sequence[str], key: str, read: Callable[[str], object]) -> Orphans | None:
    """Return the entries of another shape that end what a key of the file holds, if with their own key they read."""
    torn = _fault("\n".join(block), read)
    rows = _other(block, whole=torn is None)
    if len(rows) < _LEAST or (torn is None and not _apart(block[rows[0] - 1])):
        return None
    found = Orphans(rows[0], _depth(block[rows[0]]), key)
    still = _fault(found.adopted("\n".join(block)), read)
    return found if still is None or (torn is not None and still > max(torn + 1, rows[1])) else None


def _other(block: Sequence[str], *, whole: bool) -> list[int]:
    """Return where entries of one shape, unlike those above them, begin, if they go on to the end; else nothing."""
    held = [row for row, line in enumerate(block) if row and line.strip() and not line.lstrip().startswith("#")]
    if not _OPEN.fullmatch(block[0]):
        first = next((row for row in held if _ENTRY.match(block[row]) and not _in_text(block, row)), len(block))
        above: str | None = None
    elif held:
        deep, above = _depth(block[held[0]]), _shape(block, held[0], whole=whole)
        beside = (row for row in held if _depth(block[row]) <= deep)
        first = next(
            (row for row in beside if (_shape(block, row, whole=whole), _depth(block[row])) != (above, deep)),
            len(block),
        )
    else:
        return []
    after = [row for row in held if row >= first]
    rows = [row for row in after if _depth(block[row]) <= _depth(block[first])]
    shapes = {(_shape(block, row, whole=whole), _depth(block[row])) for row in rows}
    return rows if len(shapes) == 1 and _shape(block, first, whole=whole) else []


def _in_text(block: Sequence[str], row: int) -> bool:
    """Tell whether a line belongs to a text that begins on the lines below its key."""
    return bool(re.search(r":\s+[|>][-+\d]*\s*(?:#.*)?\Z", block[0])) and _depth(block[row]) > 0


def _shape(block: Sequence[str], row: int, *, whole: bool) -> str:
    """Return what an entry looks like, nothing for a key with a plain value.

    The key behind a dash counts only where the text is whole.
    """
    found = _ENTRY.match(block[row])
    if not found:
        return ""
    if found[1]:
        return f"- {found[2]}" if whole else "-"
    if found[3] is None:
        return ""
    below = next((line for line in block[row + 1 :] if line.strip() and not line.lstrip().startswith("#")), "")
    return "a list" if found[3] == "[" or (found[3] != "{" and below.lstrip().startswith("- ")) else "keys"


def _apart(line: str) -> bool:
    """Tell whether a line, as those before a key at the top do, keeps apart what stands above and below it."""
    return not line.strip() or line.lstrip().startswith("#")


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _fault(text: str, read: Callable[[str], object]) -> int | None:
    """Return the line, from 0, in which a text can't be read on; none where it can."""
    try:
        read(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        return mark.line if mark else 0
    return None
