"""Numbers that prose asks of a thing by name, as in {{ fit("peak").doubling }}; an unknown name is told."""

from __future__ import annotations

from collections.abc import Iterable

from report.asking import AuthorError, guarded
from report.errors import nearest
from report.shown import Cell


class ByName:
    """Something whose numbers are attributes: a subclass says what it is called, and makes the cell of a name."""

    def __getattr__(self, name: str) -> Cell:
        if name.startswith("_"):
            raise AttributeError(name)
        return guarded(lambda: self._cell(name))

    def say(self) -> str:
        """Return the thing as an author asks for it."""
        raise NotImplementedError

    def _cell(self, name: str) -> Cell:
        raise NotImplementedError


def known(message: str, name: str, names: Iterable[str]) -> None:
    """Raise AuthorError with a message where a name is none of those known."""
    if name not in names:
        raise AuthorError(message, nearest(name, names))
