"""The HTML documents of the site: the shell around each page's body, with what is its own and what all pages share."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from report import frame, links, numbers_page
from report.content import Content
from report.numbers_page import Sheet
from report.prose import Page

REPORT = "index.html"  # written out: opened from disk, a folder shows its files
_PAGES = (("Report", REPORT), ("Numbers", links.NUMBERS))


@dataclass(frozen=True, slots=True)
class Shell:
    """What all documents share: content, templates, addresses of assets, downloads, where the site is published."""

    found: Content
    templates: Environment
    paths: Mapping[str, str]
    downloads: Iterable[str]
    address: str = ""

    def report(self, page: Page, scripts: Sequence[str]) -> str:
        """Return the report."""
        linked = links.link(page.html, "")
        late = {
            "figures.js": {name: self.paths[name] for name in sorted(self.paths) if _late(name)},
            "cards.js": {"card-data.js": self.paths["card-data.js"]},
        }
        return self._document(
            path=REPORT,
            root="",
            title=page.title,
            description=page.description,
            lead=str(Markup.escape(page.meta.get("lead", ""))),
            body=_in_parts(linked.html),
            contents=_contents(page.headings),
            references=frame.works(page.citations, self.found.references, linked.cited),
            scripts=scripts,
            script_data={name: json.dumps(files) for name, files in late.items()},
            **frame.bar(self.found.catalogue),
        )

    def numbers(self, sheet: Sheet) -> str:
        """Return the page of numbers; all that its script does is to let the keyboard into what scrolls."""
        return self._document(
            path=links.NUMBERS,
            root="../",
            title=numbers_page.TITLE,
            description=numbers_page.DESCRIPTION,
            lead=str(Markup.escape(numbers_page.DESCRIPTION)),
            body=sheet.html,
            contents=_contents(sheet.headings),
            references=[],
            scripts=("page.js",),
            script_data={},
            scenario={},
        )

    def canonical(self, path: str) -> str:
        """Return the address of a page, a folder's index without its name."""
        return self.address.rstrip("/") + "/" + path.removesuffix("index.html")

    def sitemap(self) -> str:
        """Return the list of pages for search engines; it needs the site's address."""
        places = "".join(f"<url><loc>{Markup.escape(self.canonical(path))}</loc></url>\n" for _, path in _PAGES)
        head = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        return f"{head}{places}</urlset>\n"

    def _document(self, *, path: str, **own: Any) -> str:
        pages = [{"title": title, "href": href, "current": href == path} for title, href in _PAGES]
        links_to_data = [{"title": name.removeprefix("data/"), "href": name} for name in sorted(self.downloads)]
        shared = {
            "site_title": self.found.settings.title,
            "pages": pages,
            "assets": self.paths,
            "data_links": links_to_data,
            "original": self.found.settings.original,
            "canonical": self.canonical(path) if self.address else "",
        }
        return self.templates.get_template("page.html").render(shared | own)


def _in_parts(html: str) -> str:
    """Wrap each section but the first, which is seen at once: what is far away need not be laid out yet."""
    first, *others = re.split(r"(?=<h2 )", html)
    before = [first] if "<h2" in first or not others else [first, others.pop(0)]
    return "".join([*before, *(f'<section class="part">\n{part}</section>\n' for part in others)])


def _contents(headings: Iterable[tuple[str, str, int]]) -> list[dict[str, Any]]:
    return [{"id": name, "title": title, "level": level} for name, title, level in headings]


def _late(name: str) -> bool:
    """Tell whether a script is loaded only when a figure comes near."""
    return name == "vega.js" or name.startswith("spec-")
