"""From content to what it comes to before it is laid out: inputs, model, tables and figures, and the pages of text."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from model.book import QUANTITIES
from report import (
    addresses,
    asked,
    content,
    memory,
    named,
    piecemeal,
    presets,
    prose,
)
from report.accuracy import band
from report.accuracy.book import Accuracy, accuracy
from report.asking import World
from report.cards import Maker
from report.content import Content
from report.desk import Setting
from report.errors import Absent, BuildError, Problem
from report.evidencecells import Evidence
from report.figures import book
from report.figures.drawing import Drawing
from report.figures.openings import openings as openings_of
from report.given import base
from report.memory import Same
from report.movercells import Movers
from report.outline import Entry
from report.page import Page
from report.parts import Parts, Shelf
from report.prose import Drafts, Wanted
from report.research import layout as research
from report.tables.book import boards, tables
from report.trendcells import Trends
from report.twins.names import names

TEMPLATES = Path(__file__).resolve().parent.parent / "templates"
_CARDS = ("elements.js", "numbercard.js", "claimcard.js", "cards.js")
# In order: a script may use what stands before it. Pages on which nothing is live take the second list.
WRITTEN = (
    *("contents.js", "turns.js", "trail.js", "marks.js", "in-words.js", "figures.js", "tape.js", "own.js", "bar.js"),
    *("names.js", "sentences.js", "voice.js", "page.js", *_CARDS, "print.js"),
)
_STILL = ("model.js", "contents.js", *_CARDS)


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
        sort += tuple(f"{slot.name}.js" for slot in self.parts.drawn if slot.name == "sensitivity")
        return ("model.js", "choices.js", self.index, *WRITTEN, *sort) if self.live else (*_STILL, *sort)

    @property
    def live(self) -> bool:
        """Tell whether anything on the page follows the reader."""
        return bool(self.parts.drawn) or any(number.live for number in self.page.numbers)


@dataclass(frozen=True, slots=True)
class Written:
    """What a content folder comes to before it is laid out: inputs, pages without pictures, what draws these."""

    found: Content
    made: tuple[Made, ...]
    maker: Maker
    templates: Environment
    twins: dict[str, bytes]
    drawings: Mapping[str, Callable[[], Drawing]]

    @property
    def pages(self) -> tuple[Page, ...]:
        """Return the texts."""
        return tuple(one.page for one in self.made)


def written(folder: Path) -> Written:
    """Return what a content folder comes to before it is laid out."""
    gathered = content.gather(folder)
    found, missing = gathered.whole, asked.missing(gathered)
    if found is None or missing:
        raise BuildError([*gathered.problems, *missing, *_beside(gathered)])
    return _written(found)


def _beside(gathered: content.Gathered) -> Sequence[Problem]:
    """Return what is wrong with the texts; without a row that the model needs, what is wrong whatever it answers."""
    try:
        return piecemeal.problems(gathered, _alone)
    except Absent:
        return piecemeal.problems(gathered)


def _written(found: Content) -> Written:
    folder = found.folder
    evidence = _evidence(found)
    beaten = band.check(found.settings.band, evidence, folder)
    setting = memory.recalled("setting", (Same(evidence), *_shared(found)), lambda: _setting(found, evidence))
    setting = replace(setting, texts={one.path: one.text for one in found.dossiers})
    world = setting.world
    drawings = book.drawings(found.catalogue, folder / "catalogue")
    named_rows = [found.settings.presets[name] for name in found.settings.tables.get("breakdowns", ())]
    openings = partial(openings_of, found.catalogue, named_rows)
    placing = tables(found, world, evidence), book.slots(found.catalogue), boards(found, world)
    shelf = Shelf(_templates(), *placing, openings)
    placed = [(entry, Parts(shelf, entry.root)) for entry in found.pages]
    wanted = [_wanted(found, entry, replace(setting, blocks=parts.blocks(), parts=parts)) for entry, parts in placed]
    drafts = prose.drafts(wanted, folder.parent)
    pages, twins = research.laid(_pages(drafts, beaten, found, shelf), found, shelf.templates)
    made = tuple(Made(entry, page, parts) for (entry, parts), page in zip(placed, pages, strict=True))
    maker = memory.recalled("maker", Same(world), lambda: Maker(world, found.catalogue))
    return Written(found, made, maker, shelf.templates, twins, drawings)


def _shared(found: Content) -> tuple[Hashable, ...]:
    """Return what all texts rest on, as a key."""
    parts = (found.catalogue, found.vocabulary, found.references)
    listed = str(research.listing(found.dossiers, *(one.slug for one in found.dossiers)))
    return (*map(Same, parts), repr((found.settings.tables, found.settings.presets)), listed)


def _wanted(found: Content, entry: Entry, setting: Setting) -> Wanted:
    return Wanted(f"{found.name}/{entry.text}", entry.address, entry.called, setting)


def _pages(drafts: Drafts, beaten: Sequence[Problem], found: Content, shelf: Shelf) -> tuple[Page, ...]:
    """Return the pages of text; raise BuildError with the runs that beat the model beside what the texts got wrong."""
    problems = list(beaten)
    try:
        pages = drafts.pages()
    except BuildError as error:
        problems += error.problems
    if problems:
        raise BuildError([*problems, *_astray(drafts, found, shelf)])
    return pages


def _astray(drafts: Drafts, found: Content, shelf: Shelf) -> Iterator[Problem]:
    """Yield the links that lead nowhere in texts of which nothing is made."""
    known = names(found, shelf)
    for entry, parts in zip(found.pages, drafts.sketches, strict=True):
        for part in parts:
            text = part.path.removeprefix(f"{found.name}/")
            yield from addresses.check(addresses.of(part.html), entry.address, known, found.folder, text)


def _templates() -> Environment:
    return memory.recalled("templates", (), _environment)


def _environment() -> Environment:
    loader = FileSystemLoader(TEMPLATES, encoding="utf-8")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined)


def _alone(found: Content) -> Setting:
    return _setting(found, _evidence(found))


def _evidence(found: Content) -> Accuracy:
    return memory.recalled("evidence", Same(found.catalogue), lambda: accuracy(found.catalogue))


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
