"""What can be taken away from the site: data of all kinds, pictures, the page that lists them, pages as plain text."""

from __future__ import annotations

from dataclasses import dataclass
from html import unescape

from report import (
    downloads,
    fill,
    lead,
    memory,
)
from report.documents import Preview
from report.memory import Same
from report.twins import files as twins
from report.twins import index
from report.twins.pages import Source
from report.written import Written


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


def takeaway(all_written: Written) -> Takeaway:
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
    shelf.add("Tables", "tables", twins.tables(tables))
    drawn = [(one.entry.address, slot, all_written.drawings[slot.name]()) for one in made for slot in one.parts.drawn]
    shelf.add("Figures", "figures", twins.figures(drawn))
    firsts = {one.entry.name: (one, all_written.drawings[one.parts.drawn[0].name]()) for one in made if one.parts.drawn}
    cards = {name: (one.page.title, one.entry.address, drawing) for name, (one, drawing) in firsts.items()}
    shelf.add("Previews of links", "previews", twins.previews(cards))
    shelf.add("Schemas for editors", "schemas", memory.recalled("schemas", (), lambda: list(twins.checked())))
    called = {one.entry.address.replace(".html", ".json"): one.page.title for one in made}
    shelf.groups.append(twins.pages(all_written.twins, called))
    body = index.body(shelf.groups, fields, shelf.files | all_written.twins, all_written.templates)
    previews = {one[1]: Preview(f"data/previews/{name}.png", one[2].alt) for name, one in cards.items()}
    return Takeaway(shelf.files, body, tuple(index.headings(shelf.groups)), shelf.groups, previews)


def sources(all_written: Written, away: Takeaway) -> list[Source]:
    """Return what is read on each page, for its twin in Markdown."""
    works = all_written.found.references
    found = [
        Source(
            one.entry.address,
            one.page.title,
            one.page.description,
            *lead.parted(one.page.html),
            works=[works[key].html for key in one.page.citations],
        )
        for one in all_written.made
    ]
    return [*found, Source(index.ADDRESS, index.TITLE, index.DESCRIPTION, index.DESCRIPTION, away.body)]
