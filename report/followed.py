"""The catalogue as one object that stays while its rows change, and tells who reads which of them.

What is remembered from one build to the next (report/memory.py) then rests on the rows that it read, and on no others:
an edit to one machine leaves alone what was worked out for another. Rows that an edit did not touch stay the very
same. A process that builds once reads the catalogue as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from model.records import Catalogue
from report import memory
from report.memory import Read


class Followed(Mapping[str, Any]):
    """The rows of one kind by id: a look at one is noted as such, a look through them as one at all their names."""

    def __init__(self) -> None:
        self._rows: dict[str, Any] = {}
        self._newest: Mapping[str, Any] = {}
        self._reads: dict[str, Read] = {}
        self._names = Read()

    def __getitem__(self, key: str) -> Any:
        read = self._reads.get(key)
        memory.note(self._names if read is None else read)
        return self._rows[key] if key in self._rows else self._newest[key]  # which says that there is none

    def __iter__(self) -> Iterator[str]:
        memory.note(self._names)
        return iter(self._rows)

    def __len__(self) -> int:
        memory.note(self._names)
        return len(self._rows)

    def take(self, rows: Mapping[str, Any]) -> None:
        """Take the rows of a newer reading; who read one that is another now, or is gone, has read what is stale."""
        self._newest = rows
        before, self._rows = self._rows, {key: _same(self._rows.get(key), row) for key, row in rows.items()}
        for key in [key for key, row in before.items() if self._rows.get(key) is not row]:
            self._reads.pop(key).stale = True
        for key in self._rows:
            self._reads.setdefault(key, Read())
        if list(before) != list(self._rows):
            self._names.stale = True
            self._names = Read()


def _same(old: Any, new: Any) -> Any:
    """Return the old row where the new one is no other: records show all that they hold."""
    return old if old is new or (old is not None and repr(old) == repr(new)) else new


def followed(fresh: Catalogue) -> Catalogue:
    """Return the catalogue that stays, with the rows of a reading; the reading itself where nothing is remembered."""
    if not memory.active():
        return fresh
    kept: Catalogue | None = memory.last("followed", "catalogue")
    if kept is None:
        kept = Catalogue(**{part.name: Followed() for part in fields(Catalogue)})
        memory.keep("followed", "catalogue", kept)
    for part in fields(Catalogue):
        getattr(kept, part.name).take(getattr(fresh, part.name))
    memory.moved()
    return kept
