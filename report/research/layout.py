"""A research page laid out: what prose made of its texts, put together again with sources, standing and facts.

    lay(page, written, found, templates) -> the page, and the content of its twin in JSON

Both come from one list of laid-out entries. Leaves out: the frame around the page (report/documents.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import unescape
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from model.figure import Source
from report import fill, lead, memory
from report.asking import AuthorError
from report.content import Content
from report.desk import Html
from report.errors import nearest
from report.page import Page
from report.references import Reference
from report.research import facts
from report.research.carrier import LOG
from report.research.facts import Fact
from report.research.files import Written
from report.research.plain import plain
from report.research.records import Check, Entry
from report.rowwise import as_json

_HEADING = re.compile(r'<h2 id="([^"]*)">(.*?)</h2>', re.DOTALL)
_RULE = re.compile(r"<hr ?/?>")
_POINT = re.compile(r"<li>(.*?)</li>", re.DOTALL)
_CITE = re.compile(r'<a class="cite"[^<>]*data-cite="([^"]*)">\[(\d+)')
_AROUND = re.compile(r"^\s*(?:<p>)?|(?:</p>)?\s*$")

# How a standing is said beside an entry, and an outcome in the log.
STANDINGS: Mapping[str, str] = {
    "verified": "Verified: read in a primary source.",
    "secondary": "Secondary: as others report it, or as it is well known.",
    "announced": "Announced: a maker's figure for what is not yet sold.",
    "estimate": "Estimate: worked out here.",
    "unconfirmed": "Unconfirmed: from memory, no text that bears it was at hand.",
}
OUTCOMES: Mapping[str, str] = {"held": "Held", "corrected": "Corrected", "open": "Open"}
# What one row of a kind is called beside the sources.
_KINDS: Mapping[str, str] = {"memory_levels": "memory level"}


@dataclass(frozen=True, slots=True)
class Support:
    """A source of an entry: a work of the bibliography by its number, or a row of the catalogue with what it says."""

    name: str
    title: str
    checked: str
    number: int = 0
    url: str = ""
    kind: str = ""
    facts: tuple[Fact, ...] = ()
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Laid:
    """An entry whose texts are markup."""

    entry: Entry
    title: Markup
    says: Markup
    derivation: Markup
    supports: tuple[Support, ...]

    @property
    def standing(self) -> str:
        """Return how far the entry is to be trusted, in words."""
        return STANDINGS[self.entry.status]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the log whose texts are markup."""

    check: Check
    what: Markup
    against: Markup
    result: Markup

    @property
    def outcome(self) -> str:
        """Return what came of the check, in a word."""
        return OUTCOMES[self.check.status]


def lay(page: Page, written: Written, found: Content, templates: Environment) -> tuple[Page, dict[str, Any]]:
    """Return the page with its parts in place, and its twin."""
    html, citations = _cited(page, written)
    before, pieces = _divided(html)
    opening, intro = lead.parted(before)
    laid = [_laid(entry, *pieces[entry.id], found, citations) for entry in written.dossier.entries]
    log = list(_log(written, pieces[LOG][1]))
    html = templates.get_template("_research.html").render(
        lead=Markup(opening),
        intro=Markup(intro.strip()),
        entries=laid,
        log=log,
        log_id=LOG,
        log_title=Markup(pieces[LOG][0]),
        others=[_other(one, written) for one in found.dossiers],
    )
    seen = frozenset(unescape("".join(fill.visible(html))))
    whole = replace(page, html=html, citations=tuple(citations), characters=page.characters | seen)
    return whole, _twin(page, (plain(opening), plain(intro)), laid, log)


def laid(pages: Sequence[Page], found: Content, templates: Environment) -> tuple[tuple[Page, ...], dict[str, bytes]]:
    """Return the pages with those of research laid out, and the twins of these by address."""
    written = {one.entry.address: one for one in found.dossiers}
    done: list[Page] = []
    twins: dict[str, bytes] = {}
    for page in pages:
        one = written.get(page.address)
        if one is None:
            done.append(page)
            continue
        key = tuple(map(memory.Same, (page, one, found.catalogue, found.references)))
        whole, twin = memory.recalled("laid", key, partial(lay, page, one, found, templates))
        done.append(whole)
        twins[one.twin] = memory.recalled("twin", memory.Same(twin), partial(as_json, twin))
    return tuple(done), twins


def listing(dossiers: Sequence[Written], *names: str) -> Html:
    """Return the list of the research pages, in the order that the index gives them; it names them all."""
    known = {one.slug: one for one in dossiers}
    for name in names:
        if name not in known:
            raise AuthorError(f"there is no research page '{name}'", nearest(str(name), known))
    left = [name for name in known if name not in names]
    if left:
        raise AuthorError(f"the research page '{left[0]}' is not listed", "name every page, in the order wanted")
    lines = (_listed(known[name]) for name in names)
    return Html(Markup('<ul class="research-list">{}</ul>').format(Markup("").join(lines)), block=True)


def _listed(one: Written) -> Markup:
    count = len(one.dossier.entries)
    return Markup(
        '<li><a class="ref" href="{}/index.html">{}</a><p>{}</p><small>{} entries, {} checks</small></li>'
    ).format(one.slug, one.dossier.title, one.dossier.description, count, len(one.dossier.log))


def _other(one: Written, here: Written) -> dict[str, Any]:
    return {"slug": one.slug, "title": one.dossier.title, "current": one.slug == here.slug}


def _cited(page: Page, written: Written) -> tuple[str, list[str]]:
    """Return the markup with its citations numbered as they are met when each entry's sources stand under it."""
    _, pieces = _divided(page.html)
    met: dict[str, None] = {}
    for markup, sources in _in_order(page.html, pieces, written):
        met |= dict.fromkeys(key for key, _ in _CITE.findall(markup)) | dict.fromkeys(sources)
    citations = [key for key in met if key in page.citations or "/" not in key]
    return _CITE.sub(
        lambda one: one[0].replace(f">[{one[2]}", f">[{citations.index(one[1]) + 1}"), page.html
    ), citations


def _in_order(
    html: str, pieces: Mapping[str, tuple[str, str]], written: Written
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each stretch of the page with the sources that stand under it."""
    yield _divided(html)[0], ()
    for entry in written.dossier.entries:
        yield "".join(pieces[entry.id]), entry.sources
    yield pieces[LOG][1], ()


def _divided(html: str) -> tuple[str, dict[str, tuple[str, str]]]:
    """Return what stands before the first heading, and under each heading's id its own markup and what follows it."""
    intro, *rest = _HEADING.split(html)
    return intro.strip(), {rest[at]: (rest[at + 1], rest[at + 2]) for at in range(0, len(rest), 3)}


def _laid(entry: Entry, title: str, body: str, found: Content, citations: list[str]) -> Laid:
    _, says, derivation = (part.strip() for part in _RULE.split(body))
    supports = tuple(_support(name, found, citations) for name in entry.sources)
    return Laid(entry, Markup(title), Markup(says), Markup(derivation), supports)


def _support(name: str, found: Content, citations: list[str]) -> Support:
    """Return what an entry's source is: a work of the bibliography, or a row of the catalogue."""
    if name in found.references:
        return _work(found.references[name], citations.index(name) + 1)
    kind, _, key = name.partition("/")
    row = getattr(found.catalogue, kind)[key]
    sources = tuple(row.sources.values())
    seen = sum(source.seen for source in sources)
    return Support(
        name=name,
        title=getattr(row, "name", "") or getattr(row, "system", "") or getattr(row, "quantity", "") or key,
        checked=f"{seen} of its {len(sources)} sources seen" if len(sources) > 1 else "seen" if seen else "not seen",
        kind=_KINDS.get(kind, kind.removesuffix("s")),
        facts=tuple(facts.of(row)),
        sources=sources,
    )


def _work(work: Reference, number: int) -> Support:
    return Support(name=work.key, title=work.title, checked=work.annotation, number=number, url=work.url)


def _log(written: Written, body: str) -> Iterator[Line]:
    texts = [Markup(_AROUND.sub("", text)) for text in _POINT.findall(body)]
    for at, check in enumerate(written.dossier.log):
        yield Line(check, *texts[3 * at : 3 * at + 3])


def _twin(page: Page, before: tuple[str, str], laid: list[Laid], log: list[Line]) -> dict[str, Any]:
    """Return the page as data: texts plain, numbers as printed; before the entries stand lead and introduction."""
    return {
        "title": page.title,
        "description": page.description,
        "lead": before[0],
        "intro": before[1],
        "entries": [_entry(one) for one in laid],
        "log": [
            {name: plain(getattr(line, name)) for name in ("what", "against", "result")} | {"status": line.check.status}
            for line in log
        ],
    }


def _entry(one: Laid) -> dict[str, Any]:
    return {
        "id": one.entry.id,
        "title": plain(one.title),
        "says": plain(one.says),
        "derivation": plain(one.derivation),
        "status": one.entry.status,
        "sources": [_source(support) for support in one.supports],
    }


def _source(support: Support) -> dict[str, Any]:
    """Return a source as data: whose it is, how far it was checked, and what a row of the catalogue says."""
    held = [
        {
            "what": fact.label,
            "value": fact.text,
            "status": fact.status,
            "sources": [work.title for work in fact.sources],
        }
        for fact in support.facts
    ]
    return {
        "id": support.name,
        "title": support.title,
        "url": support.url,
        "checked": support.checked,
        "facts": held,
    }
