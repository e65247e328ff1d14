"""From content to a site: every file of it as path -> bytes, or every mistake that stands in the way.

The order is the argument's: inputs, model, tables and figures, prose, pages, scripts, fonts. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape, unescape
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from model.book import QUANTITIES
from report import (
    addresses,
    assets,
    browser,
    carddata,
    content,
    downloads,
    fill,
    fonts,
    frame,
    memory,
    named,
    numbers_page,
    presets,
    prose,
)
from report.accuracy import band
from report.accuracy.book import Accuracy, accuracy
from report.asking import World
from report.cards import Maker
from report.content import Content
from report.desk import Setting
from report.documents import LOST, Preview, Shell
from report.errors import BuildError, Problem, readable
from report.evidencecells import Evidence
from report.figures import export, sensitivity
from report.figures.book import figures
from report.figures.openings import openings as openings_of
from report.given import base
from report.memory import Same
from report.movercells import Movers
from report.numbers_page import Sheet
from report.outline import Entry
from report.parts import Parts, Shelf
from report.prose import Page, Wanted
from report.research import layout as research
from report.tables.book import boards, tables
from report.trendcells import Trends
from report.twins import files as twins
from report.twins import index
from report.twins import pages as markdown
from report.twins.pages import Source

TEMPLATES = Path(__file__).resolve().parent.parent / "templates"
STATIC = TEMPLATES / "static"
_CARDS = ("elements.js", "numbercard.js", "claimcard.js", "cards.js")
# In order: a script may use what stands before it. Pages on which nothing is live take the second list.
_WRITTEN = (
    *("contents.js", "turns.js", "trail.js", "marks.js", "in-words.js", "figures.js", "tape.js", "own.js", "bar.js"),
    *("names.js", "sentences.js", "voice.js", "page.js", *_CARDS, "print.js"),
)
_STILL = ("model.js", "contents.js", *_CARDS)
_RECORDS = ("records.js", "ranges.js")
_KNOWN = "card-data.js"  # what the cards of all pages share
_TEXT_FACES = ("serif", "serif-italic", "serif-semibold", "sans", "sans-semibold")


@dataclass(frozen=True, slots=True)
class Made:
    """A page of text with what stands on it besides text, and its place in the outline."""

    entry: Entry
    page: Page
    parts: Parts

    @property
    def index(self) -> str:
        """Return the plain name of the script with this page's numbers and claims."""
        return f"index-{self.entry.name}.js"

    @property
    def cards(self) -> str:
        """Return the plain name of the script with the data of this page's cards."""
        return f"card-data-{self.entry.name}.js"

    @property
    def scripts(self) -> tuple[str, ...]:
        """Return the plain names of the page's scripts, in order; without anything live, cards are all that moves."""
        sort: tuple[str, ...] = ("sort.js",) if any(table.sorts for table in self.parts.used) else ()
        sort += tuple(f"{drawing.name}.js" for drawing in self.parts.drawn if drawing.name == "sensitivity")
        return ("model.js", "choices.js", self.index, *_WRITTEN, *sort) if self.live else (*_STILL, *sort)

    @property
    def live(self) -> bool:
        """Tell whether anything on the page follows the reader."""
        return bool(self.parts.drawn) or any(number.live for number in self.page.numbers)


@dataclass(frozen=True, slots=True)
class Written:
    """What a content folder comes to before it is laid out: inputs, pages, the maker of cards."""

    found: Content
    made: tuple[Made, ...]
    maker: Maker
    templates: Environment
    twins: dict[str, bytes]

    @property
    def pages(self) -> tuple[Page, ...]:
        """Return the texts."""
        return tuple(one.page for one in self.made)


@dataclass(frozen=True, slots=True)
class Takeaway:
    """What can be taken away: files by path, the page that lists them, the preview of each page by its address."""

    files: dict[str, bytes]
    body: str
    headings: tuple[tuple[str, str, int], ...]
    groups: list[twins.Group]
    previews: dict[str, Preview]

    @property
    def characters(self) -> frozenset[str]:
        """Return the letters of the page."""
        return frozenset(unescape("".join(fill.visible(self.body))))


def render(folder: Path, base_url: str | None) -> dict[str, bytes]:
    """Return the site that a content folder makes; raise BuildError with everything that is wrong in it."""
    with readable(folder):
        all_written = written(folder)
    return _site(all_written, base_url or all_written.found.settings.address)


def written(folder: Path) -> Written:
    """Return what a content folder comes to before it is laid out."""
    found = content.read(folder)
    evidence = memory.recalled("evidence", Same(found.catalogue), lambda: accuracy(found.catalogue))
    beaten = band.check(found.settings.band, evidence, folder)
    setting = memory.recalled("setting", (Same(evidence), *_shared(found)), lambda: _setting(found, evidence))
    setting = replace(setting, texts={one.path: one.text for one in found.dossiers})
    world = setting.world
    drawings = figures(found.catalogue, folder / "catalogue")
    named_rows = [found.settings.presets[name] for name in found.settings.tables.get("breakdowns", ())]
    openings = partial(openings_of, found.catalogue, named_rows)
    shelf = Shelf(_templates(), tables(found, world, evidence), drawings, boards(found, world), openings)
    placed = [(entry, Parts(shelf, entry.root)) for entry in found.pages]
    wanted = [_wanted(found, entry, replace(setting, blocks=parts.blocks(), parts=parts)) for entry, parts in placed]
    pages, twins = research.laid(_pages(wanted, folder, beaten), found, shelf.templates)
    made = tuple(Made(entry, page, parts) for (entry, parts), page in zip(placed, pages, strict=True))
    maker = memory.recalled("maker", Same(world), lambda: Maker(world, found.catalogue))
    return Written(found, made, maker, shelf.templates, twins)


def _shared(found: Content) -> tuple[Hashable, ...]:
    """Return what all texts rest on, as a key."""
    parts = (found.catalogue, found.vocabulary, found.references)
    listed = str(research.listing(found.dossiers, *(one.slug for one in found.dossiers)))
    return (*map(Same, parts), repr((found.settings.tables, found.settings.presets)), listed)


def _wanted(found: Content, entry: Entry, setting: Setting) -> Wanted:
    return Wanted(f"{found.name}/{entry.text}", entry.address, entry.called, setting)


def _pages(wanted: Sequence[Wanted], folder: Path, beaten: Sequence[Problem]) -> tuple[Page, ...]:
    """Return the pages of text; raise BuildError with the runs that beat the model beside what the texts got wrong."""
    try:
        pages = prose.pages(wanted, folder.parent)
    except BuildError as error:
        raise BuildError([*beaten, *error.problems]) from None
    if beaten:
        raise BuildError(beaten)
    return pages


def _templates() -> Environment:
    return memory.recalled("templates", (), _environment)


def _environment() -> Environment:
    loader = FileSystemLoader(TEMPLATES, encoding="utf-8")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined)


def _setting(found: Content, known: Accuracy) -> Setting:
    world = World(QUANTITIES, partial(base, found.catalogue))
    history, evidence = Trends(found.catalogue), Evidence(known)
    moving = Movers(Maker(world, found.catalogue))
    return Setting(
        world=world,
        catalogue=found.catalogue,
        vocabulary=found.vocabulary,
        references=found.references,
        presets=presets.of(found.catalogue),
        extras={
            "preset": partial(named.link, found.settings.presets),
            "fit": history.fit,
            "crossed": history.crossed,
            "dossiers": partial(research.listing, found.dossiers),
            "runs": evidence.runs,
            "measured": evidence.measured,
            "explained": evidence.explained,
            "evidence": evidence.evidence,
            "moves": moving.moves,
            "likely": moving.likely,
        },
    )


def _site(all_written: Written, address: str) -> dict[str, bytes]:
    found, made = all_written.found, all_written.made
    sheets = [_sheet(all_written, one) for one in made]
    away = _data(all_written)
    published, paths = assets.publish(_assets(all_written, sheets, away))
    shell = Shell(found, all_written.templates, paths, address, away.previews)
    documents = {one.entry.address: _document(shell, one) for one in made}
    documents |= {one.entry.numbers: shell.numbers(sheet, one.entry) for one, sheet in zip(made, sheets, strict=True)}
    documents[index.ADDRESS] = shell.data(away.body, away.headings)
    documents[LOST] = shell.lost()
    read = _read(all_written, away)
    texts = markdown.twins(read)
    first = made[0].page
    texts[markdown.LLMS] = markdown.llms(found.settings.title, first.description, read, away.groups)
    documents |= {"sitemap.xml": shell.sitemap()} if address else {}
    pages = {path: text.encode("utf-8") for path, text in documents.items()}
    files = pages | published | away.files | all_written.twins | texts
    if lost := [problem for one in made for problem in _lost(one, found, files)]:
        raise BuildError(lost)
    return files


def _lost(one: Made, found: Content, files: Mapping[str, bytes]) -> Iterator[Problem]:
    """Yield the links of a page that lead nowhere."""
    leads = memory.recalled("addresses", Same(one.page), lambda: addresses.of(one.page.html))
    return addresses.check(leads, one.entry.address, files.keys(), found.folder, one.entry.text)


def _read(all_written: Written, away: Takeaway) -> list[Source]:
    """Return what is read on each page, for its twin in Markdown."""
    works = all_written.found.references
    found = [
        Source(
            address=one.entry.address,
            title=one.page.title,
            description=one.page.description,
            lead=escape(str(one.page.meta.get("lead", ""))),
            html=one.page.html,
            works=[works[key].html for key in one.page.citations],
        )
        for one in all_written.made
    ]
    return [*found, Source(index.ADDRESS, index.TITLE, index.DESCRIPTION, index.DESCRIPTION, away.body)]


def _sheet(all_written: Written, one: Made) -> Sheet:
    home = (f"../{one.entry.root}{one.entry.address}", one.entry.called)
    vocabulary, maker = all_written.found.vocabulary, all_written.maker
    key = (*map(Same, (one.page, maker, vocabulary)), home)
    return memory.recalled(
        "sheet", key, lambda: numbers_page.sheet(one.page, maker, vocabulary, all_written.templates, home)
    )


def _document(shell: Shell, one: Made) -> str:
    late = {
        "figures.js": ("vega.js", *(name for drawing in one.parts.drawn for name in sorted(drawing.scripts))),
        "cards.js": (_KNOWN, one.cards),
    }
    return shell.page(one.page, one.entry, one.scripts, late, live=one.live)


def _assets(all_written: Written, sheets: Sequence[Sheet], away: Takeaway) -> dict[str, bytes]:
    """Return scripts, style sheet and fonts by their plain names."""
    found, made = all_written.found, all_written.made
    texts = {
        "model.js": _model(found),
        "choices.js": browser.choices_script(frame.choices(found.catalogue)),
        "vega.js": export.bundle(),
        **{name: _static(name) for name in (*_WRITTEN, "sort.js", "theme.js")},
        "sensitivity.js": f"const WORDS = {browser.script(sensitivity.words())};\n{_static('sensitivity.js')}",
        "style.css": assets.lean(_static("style.css")),
        **{one.index: _index(one.page) for one in made if one.live},
        **_cards(all_written),
        **{name: text for one in made for name, text in _drawn(one)},
        "fonts-licence.txt": memory.recalled("licence", (), fonts.licence),
    }
    letters = away.characters.union(*(one.page.characters for one in made), *(sheet.characters for sheet in sheets))
    return {name: text.encode("utf-8") for name, text in texts.items()} | _fonts(letters)


def _model(found: Content) -> str:
    rows = found.catalogue
    return memory.recalled("model", Same(rows), lambda: browser.model_script(rows, STATIC))


def _index(page: Page) -> str:
    numbers = [f"{number.n}: {number.js}" for number in page.numbers if number.js]
    claims = [f"{browser.script(claim.name)}: {claim.js}" for claim in page.claims if claim.js]
    return browser.index_script(numbers, claims)


def _cards(all_written: Written) -> dict[str, str]:
    pages, maker, rows = all_written.pages, all_written.maker, all_written.found.catalogue
    key = tuple(map(Same, (*pages, maker)))
    records = "\n".join(map(_static, _RECORDS))
    scripts = memory.recalled("cards", key, lambda: carddata.scripts(pages, maker, rows, records))
    own = zip(all_written.made, scripts.own, strict=True)
    return {_KNOWN: scripts.shared, **{one.cards: text for one, text in own}}


def _drawn(one: Made) -> list[tuple[str, str]]:
    """Return the files of the figures of a page by plain name: live specs, and the still pictures that it shows."""
    stills = [(name, still) for drawing in one.parts.drawn for name, still in drawing.stills.items()]
    shown = [(name, still) for name, still in stills if assets.hashed_name(name, still.encode()) in one.page.html]
    return [*(item for drawing in one.parts.drawn for item in drawing.scripts.items()), *shown]


def _static(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def _fonts(characters: frozenset[str]) -> dict[str, bytes]:
    text = "".join(sorted(characters))
    return fonts.subset(dict.fromkeys(_TEXT_FACES, text) | {"math": fonts.maths_letters(unescape(text))})


def _data(all_written: Written) -> Takeaway:
    """Return what can be downloaded: catalogues, numbers, claims, works, and what is behind tables and figures."""
    found, made, shelf = all_written.found, all_written.made, twins.Shelf()
    pages = [one.page for one in made]
    rows, works = found.catalogue, found.references
    shelf.add("Catalogues", "catalogues", twins.catalogues(rows))
    results = twins.results(downloads.numbers(pages), downloads.claims(pages, all_written.maker))
    bib = (found.folder / "references.bib").read_bytes()
    tables = [(one.entry.address, table) for one in made for table in one.parts.used]
    used = [table for _, table in tables]
    words, fields = memory.recalled("dictionary", tuple(map(Same, used)), lambda: twins.described(used))
    shelf.add(
        "Numbers, claims and works",
        "results",
        [*results, memory.recalled("works", (Same(works), bib), lambda: twins.works(works, bib)), twins.cited(), words],
    )
    same = tuple((page, Same(table)) for page, table in tables)
    shelf.add("Tables", "tables", memory.recalled("tables out", same, lambda: list(twins.tables(tables))))
    drawn = [(one.entry.address, drawing) for one in made for drawing in one.parts.drawn]
    shelf.add("Figures", "figures", twins.figures(drawn))
    cards = {one.entry.name: (one.page.title, one.entry.address, one.parts.drawn[0]) for one in made if one.parts.drawn}
    shelf.add("Previews of links", "previews", twins.previews(cards))
    shelf.add("Schemas for editors", "schemas", memory.recalled("schemas", (), lambda: list(twins.checked())))
    called = {one.entry.address.replace(".html", ".json"): one.page.title for one in made}
    shelf.groups.append(twins.pages(all_written.twins, called))
    body = index.body(shelf.groups, fields, shelf.files | all_written.twins, all_written.templates)
    previews = {one[1]: Preview(f"data/previews/{name}.png", one[2].alt) for name, one in cards.items()}
    return Takeaway(shelf.files, body, tuple(index.headings(shelf.groups)), shelf.groups, previews)
