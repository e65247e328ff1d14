"""From content to a site: every file of it as path -> bytes, or every mistake that stands in the way.

The order is the argument's: inputs, model, tables and figures, prose, pages, scripts, fonts. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from model.book import QUANTITIES
from model.scenario import base
from report import assets, browser, carddata, content, downloads, fonts, links, named, numbers_page, presets, prose
from report.asking import AuthorError, World
from report.blocks import CAPTION
from report.cards import Maker
from report.content import Content
from report.desk import Desk, Setting
from report.documents import REPORT, Shell
from report.errors import BuildError, Problem, nearest
from report.figures import export
from report.figures.book import figures
from report.figures.drawing import Drawing
from report.numbers_page import Sheet
from report.prose import Page
from report.tables import markup
from report.tables.board import Board
from report.tables.book import boards, tables
from report.tables.table import Table
from report.trendcells import Trends

TEMPLATES = Path(__file__).resolve().parent.parent / "templates"
STATIC = TEMPLATES / "static"
_WRITTEN = ("figures.js", "tape.js", "own.js", "page.js", "cards.js", "print.js")
SCRIPTS = ("model.js", "index.js", *_WRITTEN)
_TEXT_FACES = ("serif", "serif-italic", "serif-semibold", "sans", "sans-semibold")


@dataclass(frozen=True, slots=True)
class Parts:
    """What prose can place on a page besides text, by name; drawn and used note what it did place, in order."""

    templates: Environment
    tables: Mapping[str, Callable[[], Table]]
    figures: Mapping[str, Callable[[], Drawing]]
    boards: Mapping[str, Callable[[], Board]]
    used: list[Table] = field(default_factory=list)
    drawn: list[Drawing] = field(default_factory=list)
    shown: list[Board] = field(default_factory=list)

    def table(self, desk: Desk, name: str) -> str:
        """Return a table's markup, with room for its caption."""
        table = self.tables[_known("table", name, self.tables, [used.id for used in self.used])]()
        self.used.append(table)
        files = [{"name": kind.upper(), "href": f"data/{name}.{kind}"} for kind in ("csv", "json")]
        context = markup.context(table, desk, CAPTION, files)
        return self.templates.get_template("_table.html").render(table=context)

    def board(self, desk: Desk, name: str) -> str:
        """Return a board's markup, with room for its caption."""
        board = self.boards[_known("board", name, self.boards, [shown.id for shown in self.shown])]()
        self.shown.append(board)
        return self.templates.get_template("_board.html").render(board=board.context(desk, CAPTION))

    def figure(self, _desk: Desk, name: str, title: str) -> str:
        """Return a figure's markup, with room for its caption."""
        drawing = self.figures[_known("figure", name, self.figures, [drawn.name for drawn in self.drawn])]()
        self.drawn.append(drawing)
        texts = {"title": str(Markup.escape(title)), "caption_html": CAPTION, "number": len(self.drawn)}
        # Only the first picture for wide windows is part of the page itself: it is met before the others can be there.
        apart = {"svg_phone": drawing.apart("phone")} | ({"svg": drawing.apart("wide")} if self.drawn[1:] else {})
        return self.templates.get_template("_figure.html").render(figure={**drawing.context(), **texts, **apart})


def _known(kind: str, name: str, known: Mapping[str, Any], used: Sequence[str]) -> str:
    if name not in known:
        raise AuthorError(f"there is no {kind} '{name}'", nearest(name, known))
    if name in used:
        raise AuthorError(f"{kind} '{name}' stands on the page already")
    return name


def render(folder: Path, base_url: str | None) -> dict[str, bytes]:
    """Return the site that a content folder makes; raise BuildError with everything that is wrong in it."""
    found, page, parts, maker = written(folder)
    return _site(found, page, parts, maker, base_url or found.settings.address)


def written(folder: Path) -> tuple[Content, Page, Parts, Maker]:
    """Return what a content folder comes to before it is laid out: inputs, text, what stands in it, maker of cards."""
    found = content.read(folder)
    world = World(QUANTITIES, partial(base, found.catalogue))
    drawings = figures(found.catalogue, folder / "catalogue")
    parts = Parts(_templates(), tables(found, world), drawings, boards(found, world))
    page = _page(found, _setting(found, world, parts))
    return found, page, parts, Maker(world, found.catalogue)


def _templates() -> Environment:
    loader = FileSystemLoader(TEMPLATES, encoding="utf-8")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined)


def _setting(found: Content, world: World, parts: Parts) -> Setting:
    history = Trends(found.catalogue)
    return Setting(
        world=world,
        catalogue=found.catalogue,
        vocabulary=found.vocabulary,
        references=found.references,
        presets=presets.of(found.catalogue),
        extras={"preset": partial(named.link, found.settings.presets), "fit": history.fit, "crossed": history.crossed},
        blocks={"table": parts.table, "figure": parts.figure, "board": parts.board},
    )


def _page(found: Content, setting: Setting) -> Page:
    path = f"{found.name}/report/index.md"
    if not (found.folder / "report" / "index.md").is_file():
        raise BuildError([Problem(path, 0, 0, "the file is missing", "the report's text stands there")])
    return prose.page(path, found.folder.parent, setting)


def _site(found: Content, page: Page, parts: Parts, maker: Maker, address: str) -> dict[str, bytes]:
    sheet = numbers_page.sheet(page, maker, found.vocabulary, parts.templates, f"../{REPORT}")
    published, paths = assets.publish(_assets(found, page, parts, maker, sheet))
    data = _data(page, parts) | downloads.catalogue(found.catalogue)
    shell = Shell(found, parts.templates, paths, data, address)
    documents = {REPORT: shell.report(page, SCRIPTS), links.NUMBERS: shell.numbers(sheet)}
    documents |= {"sitemap.xml": shell.sitemap()} if address else {}
    return {path: text.encode("utf-8") for path, text in documents.items()} | published | data


def _assets(found: Content, page: Page, parts: Parts, maker: Maker, sheet: Sheet) -> dict[str, bytes]:
    """Return scripts, style sheet and fonts by their plain names."""
    numbers = [f"{number.n}: {number.js}" for number in page.numbers if number.js]
    claims = [f"{browser.script(claim.name)}: {claim.js}" for claim in page.claims if claim.js]
    texts = {
        "model.js": browser.model_script(found.catalogue, STATIC),
        "index.js": browser.index_script(numbers, claims),
        "card-data.js": carddata.script(page, maker, found.catalogue, _static("records.js")),
        "vega.js": export.bundle(),
        **{name: _static(name) for name in (*_WRITTEN, "theme.js", "style.css")},
        **{name: script for drawing in parts.drawn for name, script in drawing.scripts.items()},
        **{
            name: still for drawing in parts.drawn for name, still in drawing.stills.items() if _seen(name, still, page)
        },
        "fonts-licence.txt": fonts.licence(),
    }
    return {name: text.encode("utf-8") for name, text in texts.items()} | _fonts(page.characters | sheet.characters)


def _seen(name: str, still: str, page: Page) -> bool:
    return assets.hashed_name(name, still.encode("utf-8")) in page.html


def _static(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def _fonts(characters: frozenset[str]) -> dict[str, bytes]:
    text = "".join(sorted(characters))
    return fonts.subset(dict.fromkeys(_TEXT_FACES, text) | {"math": fonts.maths_letters(unescape(text))})


def _data(page: Page, parts: Parts) -> dict[str, bytes]:
    """Return what can be downloaded: numbers, claims, and the data behind tables and figures."""
    files = {
        "data/numbers.json": downloads.as_json(downloads.numbers(page)),
        "data/claims.json": downloads.as_json(downloads.claims(page, REPORT)),
    }
    for table in parts.used:
        files |= {f"data/{table.id}.csv": table.csv(), f"data/{table.id}.json": table.json()}
    for drawing in parts.drawn:
        files |= {f"data/{name}": data.encode("utf-8") for name, data in drawing.downloads.items()}
    return files
