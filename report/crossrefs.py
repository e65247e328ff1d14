"""Cross-references and notes: what `{{ ref("fig-roofline") }}` points at gets its number once the page is whole.

A reference may point forward or into another file of the page, so while the text is rendered it is a mark around its
target's name. Here figures, tables, labelled equations and notes are counted in the order of the page, the marks
become words, and whatever points nowhere is a mistake.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from markupsafe import Markup

from report import doubles
from report.addresses import written
from report.asking import AuthorError
from report.constructs import LABEL
from report.desk import Desk, Html, Ref
from report.environment import PageEnvironment
from report.errors import Near, Problem, nearest
from report.front import Read
from report.lines import places
from report.marks import ANYTHING, UNNAMED, unmark
from report.page import Page, Sketch, joined

_FROM, _TO, _NOTE = "\ue010", "\ue011", "\ue012"
_MARK = re.compile(f"{_FROM}({LABEL}){_TO}")
_OWNER = re.compile(r"<(figure|div|table)\b([^<>]*)>")
_ATTRIBUTE = re.compile(r'\b(id|class)="([^"]*)"')
_EQUATION = re.compile(rf'(<div class="equation" id="({LABEL})">)(.*?)(</div>)', re.DOTALL)
_CAPTION = re.compile(rf'<div class="table-caption" id="({LABEL})-caption">')
_OPENING = re.compile(
    r"(?:^|[.!?:][\"”’)]*\s+|<(?:p|li|td|th|figcaption|h\d|div)\b[^<>]*>\s*)(?:<[^<>/][^<>]*>\s*)*$", re.DOTALL
)
_NOTED = re.compile(r'<a class="note-ref".*?class="note-back".*?</a>', re.DOTALL)
_TAG = Near("{% note", 3, 7)
_FAR = re.compile(rf'(<a class="ref" href=")#({LABEL})"')
_INNER = re.compile(r'<a\b[^<>]*\bhref="#([^"]*)"')
_ID = re.compile(r'\bid="([^"]*)"')


@dataclass(frozen=True)
class Target:
    """Something that a text can point at: what it is called in a sentence, and the way there from another page."""

    name: str
    kind: str
    called: str
    href: str = ""

    def words(self, opens: bool) -> str:
        """Return how it is called; a sentence begins with a capital."""
        return self.called[0].upper() + self.called[1:] if opens else self.called


@dataclass(frozen=True)
class Place:
    """A page as other pages see it: what they call it, what on it can be pointed at, and what of it can't be read."""

    called: str
    targets: tuple[Target, ...]
    unread: str = ""


def place(called: str, page: Sketch) -> Place:
    """Return a page as others see it; of two things of one id, the second was probably meant to have another."""
    found = tuple(targets(page))
    doubled = len({target.name for target in found}) < len(found)
    return Place(called, found, f"{page.unread}\n{UNNAMED}" if doubled else page.unread)


def ref(desk: Desk, name: str, words: str = "") -> Html:
    """Return a cross-reference: Figure 2, Table 1, equation 3, the title of a section; or words of the author's own."""
    if not isinstance(name, str) or not re.fullmatch(LABEL, name):
        raise AuthorError(f"'{name}' is not the name of a figure, table, equation or section", 'as in ref("eq-floor")')
    if re.search(r"\d", words):
        raise AuthorError(f"the words '{words}' hold a numeral", f'ref("{name}") alone prints the number')
    path, line = desk.place()
    desk.refs.append(Ref(name, words, path, line))
    text = words or f"{_FROM}{name}{_TO}"
    return Html(f'<a class="ref" href="#{name}">{escape(text)}</a>', text=text)


class NoteTag(Extension):
    """Parses {% note %}...{% endnote %}: a numbered note, in the margin where there is one."""

    tags = {"note"}  # noqa: RUF012  # Jinja declares it so
    environment: PageEnvironment

    def parse(self, parser: Parser) -> nodes.Node:
        """Return the node that lays the note around its text."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endnote",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_note", []), [], [], body).set_lineno(line)

    def _note(self, caller: Callable[[], str]) -> str:
        desk, text = self.environment.desk, str(caller())
        if not unmark(text)[0].strip() and not any("note" in one for one in desk.unread):  # none that was put right
            desk.fail("a note says nothing", "write its words before {% endnote %}", near=_TAG)
        elif re.search(r"\n[ \t]*\n", unmark(text)[0]):
            desk.fail("a note runs over a paragraph", "close it before the blank line", near=_TAG)
        opening = (
            f'<a class="note-ref" id="note-from-{_NOTE}" href="#note-{_NOTE}"><sup>{_NOTE}</sup></a>'
            f'<span class="note" id="note-{_NOTE}" role="note"><a class="note-back" href="#note-from-{_NOTE}"'
            f' aria-label="back to the text">{_NOTE}</a>'
        )
        return Markup(desk.put(Html(opening)) + " " + text.strip(" \n") + desk.put(Html("</span>")))


def resolve(
    page: Page, parts: Iterable[Page], site: Mapping[str, Place], read: Read
) -> tuple[Page, tuple[Problem, ...]]:
    """Return the whole page with its references and notes numbered, and what points nowhere.

    site is what the pages of the site hold, by address: what is not on this page is looked for on the others. read
    gives the source of a file, in which a mistake is looked for.
    """
    known = _known(page.sketch, page.address, site)
    problems = lost([part.sketch for part in parts], page.address, site, read)
    if problems:
        return page, tuple(problems)
    html = _MARK.sub(lambda mark: escape(_called(mark, known), quote=False), _numbered(page.html, known))
    html = _FAR.sub(lambda link: f'{link[1]}{escape(known[link[2]].href)}"', html)
    seen = "".join(re.split(r"<[^<>]*>", html))
    claims = tuple(replace(claim, sentence=_text(claim.sentence, known)) for claim in page.claims)
    claims = tuple(
        replace(claim, variants=tuple((when, _text(text, known)) for when, text in claim.variants)) for claim in claims
    )
    letters = {mark for mark in page.characters if not _FROM <= mark <= _NOTE}
    return replace(page, html=_notes(html), claims=claims, characters=frozenset(letters | set(seen) - {_NOTE})), ()


def lost(parts: Sequence[Sketch], address: str, site: Mapping[str, Place], read: Read) -> list[Problem]:
    """Return what on a page points nowhere: its references to anything on the site, and links into the page.

    Where some texts can't be read, what may stand there is not missed.
    """
    whole = joined(parts)
    own = list(targets(whole))
    known = _elsewhere(address, site) | {target.name: target for target in own}
    here = place("", whole).unread
    unread = "\n".join([here, *(other.unread for other in site.values())])
    twice = doubles.of_page(parts, [target.name for target in own], read)
    return [*twice, *_strays(whole, known, unread, read), *_dead(whole, parts, here, read)]


def _known(whole: Sketch, address: str, site: Mapping[str, Place]) -> dict[str, Target]:
    return _elsewhere(address, site) | {target.name: target for target in targets(whole)}


def _elsewhere(here: str, site: Mapping[str, Place]) -> dict[str, Target]:
    """Return what other pages hold, as it is called from here; of two with one name the earlier page's."""
    found = {}
    for address, place in reversed(list(site.items())):
        if address != here:
            way = posixpath.relpath(address, posixpath.dirname(here) or ".")
            for target in place.targets:
                called = f"{target.called} of {place.called}" if place.called else target.called
                found[target.name] = replace(target, called=called, href=f"{way}#{target.name}")
    return found


def targets(page: Page | Sketch) -> Iterator[Target]:
    """Yield everything on a page that can be pointed at, numbered by kind in the order of the page."""
    count = {"figure": 0, "table": 0, "equation": 0}
    for found in _OWNER.finditer(page.html):
        has = dict(_ATTRIBUTE.findall(found[2]))
        kind = found[1] if found[1] == "figure" else next(iter(has.get("class", "").split()), "")
        if kind in count and "id" in has:
            count[kind] += 1
            called = f"{kind if kind == 'equation' else kind.capitalize()}\u00a0{count[kind]}"
            yield Target(has["id"], kind, called, f"#{has['id']}")
    for name, title, _ in page.headings:
        yield Target(name, "section", f"“{title}”", f"#{name}")


def _strays(page: Sketch, known: Mapping[str, Target], unread: str, read: Read) -> Iterator[Problem]:
    for one in page.refs:
        if one.name not in known and not _may_stand(one.name, unread):
            message = f"there is no figure, table, equation or section '{one.name}'"
            nameless = one.name if UNNAMED in unread else ""
            here = places(rf"\bref\(\s*[\"']({re.escape(one.name)})[\"']", read(one.path) or "")
            columns = [column for line, column in here if line == one.line]
            for column in columns or [0]:
                yield Problem(one.path, one.line, column, message, nearest(one.name, known), nameless=nameless)


def _may_stand(name: str, unread: str) -> bool:
    """Tell whether a text that can't be read may hold what a name points at."""
    part = re.escape(name.removeprefix("fig-"))
    return ANYTHING in unread or bool(
        re.search(rf"\{{#{re.escape(name)}\}}|\b(?:figure|table|board)\s+[\"']?{part}\b", unread)
    )


def _dead(page: Sketch, parts: Iterable[Sketch], unread: str, read: Read) -> Iterator[Problem]:
    """Yield a problem for each link of the text into the page that leads nowhere."""
    ids = set(_ID.findall(page.html)) | doubles.FRAME | {one.name for one in page.refs}
    for part in parts:
        for name in dict.fromkeys(_INNER.findall(part.html)):
            if name not in ids and not name.startswith(("v=", "ref-")) and not _may_stand(name, unread):
                message = f"a link leads to '#{name}', which is nowhere"
                nameless = name if UNNAMED in unread else ""
                for line, column in written(f"#{name}", read(part.path) or "") or [(0, 0)]:
                    yield Problem(part.path, line, column, message, nearest(name, ids), nameless=nameless)


def _called(mark: re.Match[str], known: Mapping[str, Target]) -> str:
    # The link's own tag stands between the sentence and the mark.
    before = re.sub(r"<a class=\"ref\"[^<>]*>$", "", mark.string[max(0, mark.start() - 500) : mark.start()])
    return known[mark[1]].words(_OPENING.search(before) is not None)


def _text(text: str, known: Mapping[str, Target]) -> str:
    return _MARK.sub(lambda mark: known[mark[1]].words(_OPENING.search(text[: mark.start()]) is not None), text)


def _numbered(html: str, known: Mapping[str, Target]) -> str:
    """Put its number beside each labelled equation, and before the caption of each table."""

    def beside(found: re.Match[str]) -> str:
        number = known[found[2]].called.split("\u00a0")[1]
        return f'{found[1]}{found[3]}<span class="equation-number">({number})</span>{found[4]}'

    def named(found: re.Match[str]) -> str:
        return f"{found[0]}<strong>{known[found[1]].called}.</strong> " if found[1] in known else found[0]

    return _CAPTION.sub(named, _EQUATION.sub(beside, html))


def _notes(html: str) -> str:
    """Give each note its number in the order of the page."""
    count = iter(range(1, html.count(_NOTE) + 1))
    return _NOTED.sub(lambda found: found[0].replace(_NOTE, str(next(count))), html)
