"""The paths of all files that a site has besides its assets, known before any of them is made.

A build with mistakes makes nothing, and still has to tell which links of its texts lead nowhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from report import schemas
from report.catalogue import KINDS
from report.content import Content
from report.documents import LOST
from report.outline import Entry
from report.parts import Shelf
from report.twins import index
from report.twins.files import FOLDER
from report.twins.pages import LLMS, twin

_RESULTS = ("numbers", "claims", "references", "dictionary")
_CITED = ("references.bib", "citation.bib", "CITATION.cff")


def names(found: Content, shelf: Shelf) -> frozenset[str]:
    """Return the paths of pages, of their twins, and of all data; a page that draws nothing has no preview."""
    data = {f"{name}.{kind}" for name in (*KINDS, *_RESULTS) for kind in ("csv", "json")} | {*_CITED}
    data |= {f"{make().file}.{kind}" for make in shelf.tables.values() for kind in ("csv", "json")}
    data |= {name for make in shelf.figures.values() for name in make().files}
    data |= {f"schema/{name}.json" for name in (*schemas.of_files(), "research")}
    return of_pages(found.pages) | {FOLDER + name for name in data} | {one.twin for one in found.dossiers}


def of_pages(pages: Iterable[Entry]) -> frozenset[str]:
    """Return the paths of pages, of what goes with each, and of what every site has."""
    every = {index.ADDRESS, twin(index.ADDRESS), LOST, LLMS}
    return frozenset(every | {path for entry in pages for path in _of_page(entry)})


def _of_page(entry: Entry) -> Iterator[str]:
    yield from (entry.address, entry.numbers, twin(entry.address), f"{FOLDER}previews/{entry.name}.png")
