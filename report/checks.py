"""What is wrong with a page's words: naked numerals, unclaimed comparatives, leftovers of TeX and HTML.

A number that the report knows is never typed. Names of the catalogue, registered terms, years, number words up to
twelve, code, citations and cross-references may hold digits. Comparatives beside a number or a name need a claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from functools import lru_cache

from report import dialects, leftovers, memory, repeats
from report.desk import MARKS, Desk, Mark, Plain, Printed
from report.errors import Near, Problem
from report.leftovers import Fault
from report.markdown import Block, Heading, Text

YEARS = range(1936, 2036)
# A range is one slip, and so is a number whose thousands a blank sets apart.
_NUMERAL = re.compile(r"[\d¼½¾²³]+(?:[.,:\u00a0–][\d]+| \d{3}\b)*[%\w-]*")
_YEAR = re.compile(r"(?<![\d.,$€])(\d{4})s?(?![\d%]|[.,]\d|-?[A-Za-z])")
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_TEENS = "thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_SCALES = "hundred|thousand|million|billion|trillion"
_LARGE = re.compile(rf"\b(?:{_TEENS}|{_TENS}|{_SCALES})(?:s|th|ths|fold)?\b", re.IGNORECASE)
_TEX = re.compile(r"\\[A-Za-z]+")
_SENTENCE = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+")
_WORD_HINT = "use bound words, or cite it with fact(...)"
_ANY = re.compile(f"[{MARKS}]")
HINT = "take it from the model or the catalogue, cite it with fact(...), or register the term in vocabulary.yaml"


def names_of(catalogue: object) -> tuple[str, ...]:
    """Return the names by which the catalogue calls its rows."""
    return memory.recalled("names", memory.Same(catalogue), lambda: _names(catalogue), again=True)


def _names(catalogue: object) -> tuple[str, ...]:
    found = set()
    for part in fields(catalogue) if hasattr(catalogue, "__dataclass_fields__") else ():  # type: ignore[arg-type]
        for row in getattr(catalogue, part.name).values():
            found |= {getattr(row, key, "") for key in ("name", "short")}
    return tuple(sorted(found - {""}))


@lru_cache(maxsize=8)
def _any_of(words: tuple[str, ...], plural: bool = False) -> re.Pattern[str]:
    """Return a pattern for any of the words or names, the longest first, blanks of any kind."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    texts = [re.escape(word).replace(r"\ ", r"\s+").replace("\u00a0", r"\s+") for word in ordered]
    return re.compile(rf"(?<!\w)(?:{'|'.join(texts) or '(?!)'})(?:{'s' if plural else ''})?(?!\w)")


def check(desk: Desk, text: Text, front: Iterable[Block] = ()) -> None:
    """Note everything that is wrong with a page's words."""
    desk.problems += words(desk, text, front)
    _levels(desk, text)
    _doubles(desk, text)


def words(desk: Desk, text: Text, front: Iterable[Block] = ()) -> Iterator[Problem]:
    """Yield what is wrong with each run of text and each heading by itself."""
    names = names_of(desk.setting.catalogue)
    for block in (*front, *text.blocks):
        for offset, found, message, hint in _faults(desk, block, names):
            near = block.near(offset, len(found))
            yield Problem(desk.path, block.line(offset), 0, message, hint, near=near)
    for odd in text.odd:
        yield Problem(desk.path, odd.line, 0, odd.message, odd.hint, near=odd.near)
    for heading in text.headings:
        yield from _heading(desk, heading)


def _heading(desk: Desk, heading: Heading) -> Iterator[Problem]:
    if not heading.title.strip():
        message = "a heading has no words"
        near = Near.whole(f"{{#{heading.id}}}" if heading.id else "#")
        yield Problem(desk.path, heading.line, 0, message, "write a title before its id", near=near)
    elif not heading.id and heading.level > 1:
        message = f"heading '{desk.plain(heading.title)}' has no id"
        yield Problem(desk.path, heading.line, 0, message, "write {#name} after it", near=_first(heading))
    if follows := desk.follows(heading.title):
        message = f"heading '{desk.plain(heading.title)}' holds a number that follows the reader"
        hint = "contents and references repeat a heading as it was built; write the number in the text"
        yield Problem(desk.path, heading.line, 0, message, hint, near=Near.whole(follows))


def _first(heading: Heading) -> Near:
    return Near.whole(heading.title.partition("\n")[0] or "#")


def _levels(desk: Desk, text: Text) -> None:
    """Note each heading that is the page's own, or more than one level below the one before it."""
    above = 2
    for heading in text.headings:
        message = hint = ""
        if heading.level == 1:
            message, hint = "is of the level of the page's title", "write ## before it"
        elif heading.level > above + 1:
            message, hint = "leaves out a level", f"write {'#' * (above + 1)} before it"
        if message:
            said = f"heading '{desk.plain(heading.title)}' {message}"
            desk.problems.append(Problem(desk.path, heading.line, 0, said, hint, near=_first(heading)))
        else:
            above = heading.level


def _doubles(desk: Desk, text: Text) -> None:
    seen: dict[str, int] = {}
    for heading in text.headings:
        if heading.id and seen.setdefault(heading.id, heading.line) != heading.line:
            message = f"the id '{heading.id}' is taken in line {seen[heading.id]}"
            near = Near(f"{{#{heading.id}}}", 2, 2 + len(heading.id))
            desk.problems.append(Problem(desk.path, heading.line, 0, message, near=near))


def _faults(desk: Desk, block: Block, names: tuple[str, ...]) -> Iterator[Fault]:
    for amiss in (dialects.foreign, leftovers.links):
        for fault, (start, end) in amiss(block):
            yield fault
            masked = re.sub(r"\S", "_", block.text[start:end])
            block = replace(block, text=block.text[:start] + masked + block.text[end:])
    yield from _numerals(desk, block, names)
    yield from _comparatives(desk, block, names)
    for found in _TEX.finditer(block.text):
        yield found.start(), found[0], f"the TeX command {found[0]} stands outside a formula", "write $...$ around it"
    yield from leftovers.signs(block)
    yield from repeats.repeated(desk, block)


def _numerals(desk: Desk, block: Block, names: tuple[str, ...]) -> Iterator[Fault]:
    """Yield each number that is typed by hand."""
    vocabulary = desk.setting.vocabulary
    # Blanking keeps every offset, so that a fault's line is still right.
    text = _blank(_any_of((*names, *vocabulary.terms), True), block.text)
    text = _blank_years(text, tuple(label.many for label, _ in vocabulary.counted.values()))
    for found in _NUMERAL.finditer(text) if "terms" not in vocabulary.unknown else ():
        yield found.start(), found[0], f"the numeral '{found[0]}' is typed into the text", HINT
    for found in _LARGE.finditer(text):
        yield found.start(), found[0], f"the number word '{found[0]}' is typed into the text", _WORD_HINT


def _blank(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda found: re.sub(r"\S", "_", found[0]), text)


def _blank_years(text: str, counted: tuple[str, ...]) -> str:
    """Blank out years, but not a number that counts something."""
    thing = _any_of(counted)

    def year(found: re.Match[str]) -> str:
        counts = thing.match(text, found.end() + 1) if found.end() < len(text) else None
        return found[0] if int(found[1]) not in YEARS or counts else "_" * len(found[0])

    return _YEAR.sub(year, text)


def _comparatives(desk: Desk, block: Block, names: tuple[str, ...]) -> Iterator[Fault]:
    """Yield each comparative outside a claim in a sentence that holds a number or a name."""
    word = _compared(desk.setting.vocabulary.comparatives)
    claimed = _claimed(desk, block.text)
    start = 0
    for end in [*(found.end() for found in _SENTENCE.finditer(block.text)), len(block.text)]:
        sentence = block.text[start:end]
        found = next((hit for hit in word.finditer(sentence) if not claimed[start + hit.start()]), None)
        if found and _measured(desk, sentence, names):
            message = f"'{found[0]}' compares in a sentence with a number or a name"
            yield start + found.start(), found[0], message, "put it into a claim, or use bound words"
        start = end


@lru_cache(maxsize=8)
def _compared(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(_any_of(words).pattern, re.IGNORECASE)


def _claimed(desk: Desk, text: str) -> list[bool]:
    """Say of each character whether it stands inside a claim."""
    inside, found = False, [False] * len(text)
    for mark in _ANY.finditer(text):
        item = desk.item(mark[0])
        if isinstance(item, Mark) and item.edge in ("open", "close"):
            inside = item.edge == "open"
            found[mark.start() :] = [inside] * (len(text) - mark.start())
    return found


def _measured(desk: Desk, sentence: str, names: tuple[str, ...]) -> bool:
    items = [desk.item(found[0]) for found in _ANY.finditer(sentence)]
    if any(isinstance(item, Printed) for item in items):
        return True
    named = any(isinstance(item, Plain) and item.kind in ("name", "words") for item in items)
    return named or bool(_any_of(names).search(sentence))
