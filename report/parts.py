"""What prose can place on a page besides text: tables, figures and boards, by name.

A shelf holds them for the whole site, and Parts is what one page took from it, in the order of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from report.asking import AuthorError
from report.blocks import CAPTION
from report.desk import Desk
from report.errors import nearest
from report.figures.slot import Slot
from report.tables import markup
from report.tables.board import Board
from report.tables.table import Table


@dataclass(frozen=True, slots=True)
class Shelf:
    """What makes each part, by kind and name; on what a figure can be opened."""

    templates: Environment
    tables: Mapping[str, Callable[[], Table]]
    figures: Mapping[str, Callable[[], Slot]]
    boards: Mapping[str, Callable[[], Board]]
    openings: Callable[[str], Sequence[Mapping[str, str]]] = lambda _: ()

    @property
    def known(self) -> Mapping[str, Mapping[str, Callable[[], Any]]]:
        """Return what makes each part, by kind and name."""
        return {"table": self.tables, "figure": self.figures, "board": self.boards}

    def take(self, kind: str, name: str) -> Any:
        """Return a part; raise AuthorError where there is none of the name."""
        known = self.known[kind]
        if name not in known:
            raise AuthorError(f"there is no {kind} '{name}'", nearest(name, known))
        return known[name]()


@dataclass(frozen=True, slots=True)
class Placed:
    """A part where it stands: its kind, its name, and what it is."""

    kind: str
    name: str
    part: Any


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one page; root is the way from the page to the site's top."""

    shelf: Shelf
    root: str
    placed: list[Placed] = field(default_factory=list)
    used: list[Table] = field(default_factory=list)
    drawn: list[Slot] = field(default_factory=list)
    shown: list[Board] = field(default_factory=list)

    def blocks(self) -> dict[str, Callable[..., str]]:
        """Return the tags that place a part, by name."""
        return {"table": self.table, "figure": self.figure, "board": self.board}

    def table(self, desk: Desk, name: str) -> str:
        """Return a table's markup, with room for its caption."""
        table = self._take("table", name)
        files = [{"name": kind.upper(), "href": f"{self.root}data/{table.file}.{kind}"} for kind in ("csv", "json")]
        return self._made("_table.html", table=markup.context(table, desk, CAPTION, files))

    def board(self, desk: Desk, name: str) -> str:
        """Return a board's markup, with room for its caption."""
        board = self._take("board", name)
        return self._made("_board.html", board=board.context(desk, CAPTION))

    def figure(self, _desk: Desk, name: str, title: str) -> str:
        """Return a figure's markup, with room for its caption and its pictures."""
        slot = self._take("figure", name)
        # Only the first picture for wide windows is part of the page itself: it is met before the others can be there.
        given = slot.context(self.root, apart=bool(self.drawn[1:]))
        texts = {"title": str(Markup.escape(title)), "caption_html": CAPTION, "number": len(self.drawn)}
        return self._made("_figure.html", figure={**given, **texts, "presets": self.shelf.openings(name)})

    def again(self, placed: Sequence[Placed]) -> bool:
        """Place parts as a text did that is not read again; False, and nothing placed, where they are no longer so."""
        known = self.shelf.known
        for one in placed:
            kept = one.kind != "figure" or (one.name in known["figure"] and known["figure"][one.name]() is one.part)
            if not kept:
                return False
        for one in placed:
            self._note(one)
        return True

    def forget(self, count: int) -> None:
        """Take away all parts but the first ones; count says how many stay."""
        for one in reversed(self.placed[count:]):
            self._lists()[one.kind].pop()
        del self.placed[count:]

    def _take(self, kind: str, name: str) -> Any:
        part = self.shelf.take(kind, name)
        self._note(Placed(kind, name, part))
        return part

    def _note(self, placed: Placed) -> None:
        self.placed.append(placed)
        self._lists()[placed.kind].append(placed.part)

    def _lists(self) -> Mapping[str, list[Any]]:
        return {"table": self.used, "figure": self.drawn, "board": self.shown}

    def _made(self, template: str, **context: Any) -> str:
        return self.shelf.templates.get_template(template).render(context)
