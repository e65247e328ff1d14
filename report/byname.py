"""Numbers that prose asks of a thing by name, as in {{ fit("peak").doubling }}; an unknown name is told."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from report.asking import AuthorError, guarded
from report.errors import nearest
from report.shown import Cell


class ByName:
    """Something whose numbers are attributes: a subclass says what it is called, and makes the cell of each name."""

    _names: ClassVar[Collection[str]]

    def __getattr__(self, name: str) -> Cell:
        if name.startswith("_"):
            raise AttributeError(name)
        return guarded(lambda: self._known(name))

    def say(self) -> str:
        """Return the thing as an author asks for it."""
        raise NotImplementedError

    def _known(self, name: str) -> Cell:
        known(f"{self.say()} has no '{name}'", name, self._names)
        return self._cell(f"{self.say()}.{name}", name)

    def _cell(self, path: str, name: str) -> Cell:
        raise NotImplementedError


def known(message: str, name: str, names: Collection[str]) -> None:
    """Raise AuthorError with a message where a name is none of those known."""
    if name not in names:
        raise AuthorError(message, nearest(name, names))
