"""The HTML documents of the site: the shell around each page's body, with what is its own and what all pages share."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from report import citing, frame, links, memory, numbers_page
from report.citing import Citation
from report.content import Content
from report.memory import Same
from report.numbers_page import Sheet
from report.outline import Entry
from report.page import Page
from report.twins import index
from report.twins.prints import CARD

NUMBERS = "Numbers"
LOST = "404.html"
TWIN = "index.md"  # beside every page of text
CITED: Mapping[str, str] = {"BibTeX": "data/citation.bib", "CITATION.cff": "data/CITATION.cff"}


@dataclass(frozen=True, slots=True)
class Preview:
    """The picture of a page: where it lies on the site, and what it shows."""

    path: str
    alt: str


@dataclass(frozen=True, slots=True)
class Shell:
    """What all documents share: content, templates, addresses of assets, where the site is published."""

    found: Content
    templates: Environment
    paths: Mapping[str, str]
    address: str = ""
    previews: Mapping[str, Preview] = field(default_factory=dict)
    works: tuple[Citation, Citation] = field(default_factory=citing.load)

    def page(
        self, page: Page, entry: Entry, scripts: Sequence[str], late: Mapping[str, Sequence[str]], *, live: bool
    ) -> str:
        """Return a page of text; late lists for a script what it loads later, live gives the page the scenario bar."""
        numbers = entry.root + entry.numbers
        linked = memory.recalled("linked", (Same(page), numbers), lambda: links.link(page.html, numbers, page.numbers))
        files: dict[str, dict[str, str]] = {
            script: {name: entry.root + self.paths[name] for name in names} for script, names in late.items()
        }
        files["cards.js"]["numbers"] = numbers
        return self._document(
            path=entry.address,
            root=entry.root,
            title=page.title,
            description=page.description,
            body=_in_parts(linked.html),
            contents=_contents(page.headings),
            references=frame.works(page.citations, self.found.references, linked.cited),
            scripts=scripts,
            script_data={name: json.dumps(names) for name, names in files.items() if name in scripts},
            citation=self._citation(page, entry),
            twin=TWIN,
            **(frame.bar(self.found.catalogue) if live else {"scenario": {}}),
        )

    def numbers(self, sheet: Sheet, entry: Entry) -> str:
        """Return a page of numbers; all that its script does is to let the keyboard into what scrolls."""
        description = numbers_page.DESCRIPTION.format(entry.called)
        return self._document(
            path=entry.numbers,
            root="../" + entry.root,
            title=numbers_page.TITLE.format(entry.called),
            description=description,
            lead=str(Markup.escape(description)),
            body=sheet.html,
            contents=_contents(sheet.headings),
            references=[],
            scripts=("contents.js",),
            script_data={},
            scenario={},
        )

    def data(self, body: str, headings: Sequence[tuple[str, str, int]]) -> str:
        """Return the page that lists all files; like a page of numbers, it needs a script for what scrolls alone."""
        return self._document(
            path=index.ADDRESS,
            root="../",
            title=index.TITLE,
            description=index.DESCRIPTION,
            lead=str(Markup.escape(index.DESCRIPTION)),
            body=body,
            contents=_contents(headings),
            references=[],
            scripts=("contents.js",),
            script_data={},
            twin=TWIN,
            scenario={},
        )

    def lost(self) -> str:
        """Return the page for an address that has none: its links are whole, or it has no need of any."""
        if not self.address:
            text = self.templates.get_template("404.html")
            return text.render(site_title=self.found.settings.title, home=self.found.pages[0].address)
        return self._document(
            path=LOST,
            root=self.canonical(""),
            title="No such page",
            description="There is no page at this address.",
            body="<p>There is no page at this address. It may have moved, or the link may be cut.</p>",
            contents=[],
            references=[],
            scripts=(),
            script_data={},
            scenario={},
            canonical="",
            robots="noindex",
        )

    def _citation(self, page: Page, entry: Entry) -> dict[str, Any]:
        """Return how a page of text wants to be cited; an address is in it where the site has one."""
        mine, theirs = self.works
        title = mine.title if entry is self.found.pages[0] else f"{page.title} ({mine.title})"
        return {
            "authors": mine.authors,
            "date": mine.date,
            "bibtex": mine.bibtex(title, self.canonical(entry.address) if self.address else ""),
            "original": theirs.bibtex(),
            "files": [{"name": name, "href": href} for name, href in CITED.items()],
        }

    def canonical(self, path: str) -> str:
        """Return the address of a page, a folder's index without its name."""
        return self.address.rstrip("/") + "/" + path.removesuffix("index.html")

    def sitemap(self) -> str:
        """Return the list of pages for search engines; it needs the site's address."""
        entries = self.found.pages
        paths = [*(entry.address for entry in entries), *(entry.numbers for entry in entries), index.ADDRESS]
        places = "".join(f"<url><loc>{Markup.escape(self.canonical(path))}</loc></url>\n" for path in paths)
        head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        return f"{head}{places}</urlset>\n"

    def _document(self, *, path: str, root: str, **own: Any) -> str:
        shared = {
            "site_title": self.found.settings.title,
            "root": root,
            "pages": self._pages(path),
            "assets": self.paths,
            "data_href": index.ADDRESS,
            "original": self.found.settings.original,
            "canonical": self.canonical(path) if self.address else "",
            "preview": self._preview(path),
            "lead": "",  # of a page of text, it is in the text
            "citation": {},
            "twin": "",
            "robots": "",
        }
        return self.templates.get_template("page.html").render(shared | own)

    def _preview(self, path: str) -> dict[str, Any]:
        """Return the picture of a page, of the first page where it has none; previews want its whole address."""
        found = self.previews.get(path) or self.previews.get(self.found.pages[0].address)
        if not found or not self.address:
            return {}
        width, height = CARD
        return {"src": self.canonical(found.path), "alt": found.alt, "width": width, "height": height}

    def _pages(self, path: str) -> list[dict[str, Any]]:
        """Return the navigation as seen from a page; all pages of numbers stand behind one entry, that of this page."""
        entries = self.found.pages
        here = next((entry for entry in entries if path in (entry.address, entry.numbers)), entries[0])
        listed = [(entry.nav, entry.address, True) for entry in entries if entry.nav]
        return [
            {"title": title, "href": href, "current": _current(href, path, here), "text": text}
            for title, href, text in (*listed, (NUMBERS, here.numbers, False), (index.TITLE, index.ADDRESS, False))
        ]


def _current(href: str, path: str, here: Entry) -> str:
    """Return how a link of the navigation stands to a page: it is the page itself, holds it, or neither."""
    if href == path:
        return "page"
    folder = href.removesuffix("index.html")
    return "true" if folder and path == here.address and path.startswith(folder) else ""


def _in_parts(html: str) -> str:
    """Wrap each section but the first, which is seen at once: what is far away need not be laid out yet."""
    first, *others = re.split(r"(?=<h2 )", html)
    before = [first] if "<h2" in first or not others else [first, others.pop(0)]
    return "".join([*before, *(f'<section class="part">\n{part}</section>\n' for part in others)])


def _contents(headings: Iterable[tuple[str, str, int]]) -> list[dict[str, Any]]:
    return [{"id": name, "title": title, "level": level} for name, title, level in headings]
