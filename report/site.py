"""From content to a site: every file of it as path -> bytes, or every mistake that stands in the way.

The order is the argument's: inputs, model, tables and figures, prose, pages, scripts, fonts. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import unescape
from pathlib import Path

from report import (
    addresses,
    assets,
    browser,
    carddata,
    fill,
    fonts,
    frame,
    memory,
    numbers_page,
    workers,
)
from report.content import Content
from report.documents import LOST, Shell
from report.errors import BuildError, Problem, readable
from report.figures import export, sensitivity
from report.figures.drawing import Drawing, script_name
from report.figures.slot import Slot, hung
from report.memory import Same
from report.numbers_page import Sheet
from report.page import Page
from report.takeaway import Takeaway, sources, takeaway
from report.twins import index
from report.twins import pages as markdown
from report.written import TEMPLATES, WRITTEN, Made, Written, written

__all__ = ["render", "written"]

STATIC = TEMPLATES / "static"
_RECORDS = ("records.js", "ranges.js")
_KNOWN = "card-data.js"  # what the cards of all pages share
_TEXT_FACES = ("serif", "serif-italic", "serif-semibold", "sans", "sans-semibold")


def render(folder: Path, base_url: str | None) -> dict[str, bytes]:
    """Return the site that a content folder makes; raise BuildError with everything that is wrong in it."""
    with readable(folder):
        all_written = written(folder)
    return _site(all_written, base_url or all_written.found.settings.address)


def _site(all_written: Written, address: str) -> dict[str, bytes]:
    found = all_written.found
    sheets = [_sheet(all_written, one) for one in all_written.made]
    cards = _cards(all_written)
    all_written.maker.world.forget()
    workers.trim()
    away = takeaway(all_written)
    made = [_hung(one, all_written) for one in all_written.made]  # last: pictures are drawn beside all that went before
    published, paths = assets.publish(_assets(all_written, made, sheets, away) | cards)
    shell = Shell(found, all_written.templates, paths, address, away.previews)
    documents = {one.entry.address: _document(shell, one) for one in made}
    documents |= {one.entry.numbers: shell.numbers(sheet, one.entry) for one, sheet in zip(made, sheets, strict=True)}
    documents[index.ADDRESS] = shell.data(away.body, away.headings)
    documents[LOST] = shell.lost()
    read = sources(all_written, away)
    texts = markdown.twins(read)
    first = made[0].page
    texts[markdown.LLMS] = markdown.llms(found.settings.title, first.description, read, away.groups)
    documents |= {"sitemap.xml": shell.sitemap()} if address else {}
    pages = {path: text.encode("utf-8") for path, text in documents.items()}
    files = pages | published | away.files | all_written.twins | texts
    if lost := [problem for one in made for problem in _lost(one, found, files)]:
        raise BuildError(lost)
    return files


def _hung(one: Made, all_written: Written) -> Made:
    """Return a page with its pictures, the same as before as long as these are."""
    drawings = {slot.name: all_written.drawings[slot.name]() for slot in one.parts.drawn}
    if not drawings:
        return one
    key = (Same(one.page), tuple(map(Same, drawings.values())))
    return replace(one, page=memory.recalled("hung", key, lambda: _with_pictures(one.page, drawings)))


def _with_pictures(page: Page, drawings: Mapping[str, Drawing]) -> Page:
    letters = page.characters.union(*map(_letters, drawings.values()))
    return replace(page, html=hung(page.html, drawings), characters=letters)


def _letters(drawing: Drawing) -> frozenset[str]:
    """Return the letters of a figure's pictures."""
    pictures = drawing.pictures.values()
    return memory.recalled("letters", Same(drawing), lambda: frozenset(unescape("".join(map(_visible, pictures)))))


def _visible(html: str) -> str:
    return "".join(fill.visible(html))


def _lost(one: Made, found: Content, files: Mapping[str, bytes]) -> Iterator[Problem]:
    """Yield the links of a page that lead nowhere."""
    leads = memory.recalled("addresses", Same(one.page), lambda: addresses.of(one.page.html))
    return addresses.check(leads, one.entry.address, files.keys(), found.folder, one.entry.text)


def _sheet(all_written: Written, one: Made) -> Sheet:
    home = (f"../{one.entry.root}{one.entry.address}", one.entry.called)
    vocabulary, maker = all_written.found.vocabulary, all_written.maker
    key = (*map(Same, (one.page, maker, vocabulary)), home)
    return memory.recalled(
        "sheet", key, lambda: numbers_page.sheet(one.page, maker, vocabulary, all_written.templates, home)
    )


def _document(shell: Shell, one: Made) -> str:
    late = {
        "figures.js": ("vega.js", *(name for slot in one.parts.drawn for name in _specs(slot))),
        "cards.js": (_KNOWN, one.cards),
    }
    return shell.page(one.page, one.entry, one.scripts, late, live=one.live)


def _assets(all_written: Written, made: Sequence[Made], sheets: Sequence[Sheet], away: Takeaway) -> dict[str, bytes]:
    """Return scripts, style sheet and fonts by their plain names; made are the pages with their pictures."""
    found = all_written.found
    texts = {
        "model.js": _model(found),
        "choices.js": browser.choices_script(frame.choices(found.catalogue)),
        "vega.js": export.bundle(),
        **{name: _static(name) for name in (*WRITTEN, "sort.js", "theme.js")},
        "sensitivity.js": f"const WORDS = {browser.script(sensitivity.words())};\n{_static('sensitivity.js')}",
        "style.css": assets.lean(_static("style.css")),
        **{one.index: _index(one.page) for one in made if one.live},
        **{name: text for one in made for name, text in _drawn(one, all_written.drawings)},
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


def _cards(all_written: Written) -> dict[str, bytes]:
    pages, maker, rows = all_written.pages, all_written.maker, all_written.found.catalogue
    key = tuple(map(Same, (*pages, maker)))
    records = "\n".join(map(_static, _RECORDS))
    scripts = memory.recalled("cards", key, lambda: carddata.scripts(pages, maker, rows, records))
    own = zip(all_written.made, scripts.own, strict=True)
    texts = {_KNOWN: scripts.shared, **{one.cards: text for one, text in own}}
    return {name: text.encode("utf-8") for name, text in texts.items()}


def _specs(slot: Slot) -> list[str]:
    return sorted(script_name(slot.name, layout) for layout in slot.layouts)


def _drawn(one: Made, drawings: Mapping[str, Callable[[], Drawing]]) -> list[tuple[str, str]]:
    """Return the files of the figures of a page by plain name: live specs, and the still pictures that it shows."""
    mine = [drawings[slot.name]() for slot in one.parts.drawn]
    stills = [(name, still) for drawing in mine for name, still in drawing.stills.items()]
    shown = [(name, still) for name, still in stills if assets.hashed_name(name, still.encode()) in one.page.html]
    return [*(item for drawing in mine for item in drawing.scripts.items()), *shown]


def _static(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def _fonts(characters: frozenset[str]) -> dict[str, bytes]:
    text = "".join(sorted(characters))
    return fonts.subset(dict.fromkeys(_TEXT_FACES, text) | {"math": fonts.maths_letters(unescape(text))})
