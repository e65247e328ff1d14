"""What prose can place on a page besides text: tables, figures and boards, by name; each stands once on the site.

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
from report.figures.drawing import Drawing
from report.tables import markup
from report.tables.board import Board
from report.tables.table import Table


@dataclass(frozen=True, slots=True)
class Shelf:
    """What makes each part, by kind and name, and which of them a page has taken; on what a figure can be opened."""

    templates: Environment
    tables: Mapping[str, Callable[[], Table]]
    figures: Mapping[str, Callable[[], Drawing]]
    boards: Mapping[str, Callable[[], Board]]
    openings: Callable[[str], Sequence[Mapping[str, str]]] = lambda _: ()
    taken: set[tuple[str, str]] = field(default_factory=set)

    def take(self, kind: str, name: str, known: Mapping[str, Callable[[], Any]]) -> Any:
        """Return a part; raise AuthorError where there is none of the name, or where it stands already."""
        if name not in known:
            raise AuthorError(f"there is no {kind} '{name}'", nearest(name, known))
        if (kind, name) in self.taken:
            raise AuthorError(f"{kind} '{name}' stands on the site already", "ref() points at it from any page")
        self.taken.add((kind, name))
        return known[name]()


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one page; root is the way from the page to the site's top."""

    shelf: Shelf
    root: str
    used: list[Table] = field(default_factory=list)
    drawn: list[Drawing] = field(default_factory=list)
    shown: list[Board] = field(default_factory=list)

    def blocks(self) -> dict[str, Callable[..., str]]:
        """Return the tags that place a part, by name."""
        return {"table": self.table, "figure": self.figure, "board": self.board}

    def table(self, desk: Desk, name: str) -> str:
        """Return a table's markup, with room for its caption."""
        table = self.shelf.take("table", name, self.shelf.tables)
        self.used.append(table)
        files = [{"name": kind.upper(), "href": f"{self.root}data/{table.file}.{kind}"} for kind in ("csv", "json")]
        return self._made("_table.html", table=markup.context(table, desk, CAPTION, files))

    def board(self, desk: Desk, name: str) -> str:
        """Return a board's markup, with room for its caption."""
        board = self.shelf.take("board", name, self.shelf.boards)
        self.shown.append(board)
        return self._made("_board.html", board=board.context(desk, CAPTION))

    def figure(self, _desk: Desk, name: str, title: str) -> str:
        """Return a figure's markup, with room for its caption."""
        drawing = self.shelf.take("figure", name, self.shelf.figures)
        self.drawn.append(drawing)
        texts = {"title": str(Markup.escape(title)), "caption_html": CAPTION, "number": len(self.drawn)}
        # Only the first picture for wide windows is part of the page itself: it is met before the others can be there.
        apart = {"svg_phone": drawing.apart("phone", self.root)}
        apart |= {"presets": self.shelf.openings(name)}
        apart |= {"svg": drawing.apart("wide", self.root)} if self.drawn[1:] else {}
        return self._made("_figure.html", figure={**drawing.context(self.root), **texts, **apart})

    def _made(self, template: str, **context: Any) -> str:
        return self.shelf.templates.get_template(template).render(context)
