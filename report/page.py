"""A page as the rest of the build takes it up: its HTML, and its numbers and claims as records.

Leaves out: how they came to be (report/prose.py) and what the site makes of them (report/site.py).
"""

from __future__ import annotations

import html as entities
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from model.formula import Answer
from report import claims, fill, markdown
from report.asking import js_text
from report.conditions import Cond
from report.desk import Block, Desk, Printed, Ref
from report.marks import UNNAMED
from report.numbers import Num, core
from report.shown import Shown


@dataclass(frozen=True)
class Number:
    """A number of a page as the number diff, the cards and the page's script need it.

    key is stable under edits elsewhere: page, nearest heading, what is asked, filter, ordinal among equals. num is
    the number itself, from which a card is made; shown says whether it is read as published or waits in a variant.
    """

    n: int
    key: str
    say: str
    way: str
    live: bool
    text: str | None
    unit: str
    value: float | None
    state: str | None
    line: int
    heading: str
    where: str
    claim: str
    js: str
    answers: tuple[Answer, ...] = field(repr=False)
    num: Num = field(repr=False, compare=False)
    shown: bool

    @cached_property
    def question(self) -> str:
        """Return what it asks, however it is written."""
        return core(self.num).say()


@dataclass(frozen=True)
class Claim:
    """A claim of a page: condition, what it compares, its variants, and on how many presets it holds.

    margin is how far it is from flipping at build: the distance of the two sides of the nearest comparison.
    """

    name: str
    path: str
    line: int
    live: bool
    condition: str
    sides: tuple[tuple[str, float | None, str], ...]
    sentence: str
    variants: tuple[tuple[str, str], ...]
    numbers: tuple[int, ...]
    words: tuple[tuple[str, str], ...]
    tally: Mapping[str, int]
    js: str
    cond: Cond = field(repr=False, compare=False)
    margin: float


@dataclass(frozen=True)
class Page:
    """A page as the site takes it up; address is its path from the site's top, by_file are its numbers file by file."""

    path: str
    html: str
    title: str
    description: str
    headings: tuple[tuple[str, str, int], ...]
    numbers: tuple[Number, ...]
    claims: tuple[Claim, ...]
    citations: tuple[str, ...]
    characters: frozenset[str]
    refs: tuple[Ref, ...] = ()
    blocks: tuple[Block, ...] = ()
    address: str = ""
    by_file: tuple[tuple[Number, ...], ...] = ()

    @property
    def sketch(self) -> Sketch:
        """Return what of it others can point at, and what it points at itself."""
        named = tuple((claim.name, claim.line) for claim in self.claims)
        last = max((number.n for number in self.numbers), default=0)
        return Sketch(self.path, self.html, self.headings, self.refs, named, self.blocks, "", last, self.citations)


@dataclass(frozen=True)
class Sketch:
    """What of a text others can point at, and what it points at itself: known of a text with mistakes too.

    html is what it comes to as yet; claims are names and lines. unread is what of the source could not be read, where
    anything may stand; UNNAMED in it is a heading whose own id is not known. last and cited are the last number and the
    works so far, with which the next text goes on.
    """

    path: str
    html: str = ""
    headings: tuple[tuple[str, str, int], ...] = ()
    refs: tuple[Ref, ...] = ()
    claims: tuple[tuple[str, int], ...] = ()
    blocks: tuple[Block, ...] = ()
    unread: str = ""
    last: int = 0
    cited: tuple[str, ...] = ()


def assemble(
    desk: Desk,
    html: str,
    meta: Mapping[str, Any],
    read: markdown.Text,
    placed: list[Printed],
    tallies: Mapping[str, Mapping[str, int]],
) -> Page:
    """Return the page of a desk without mistakes."""
    headings = _headings(desk, read)
    seen = "".join(fill.visible(html))
    numbers = tuple(_numbers(desk.path, placed))
    return Page(
        path=desk.path,
        html=html,
        title=str(meta["title"]),
        description=str(meta["description"]),
        headings=headings,
        numbers=numbers,
        claims=tuple(_claim(desk, name, placed, tallies.get(name, {})) for name in desk.claims),
        citations=tuple(desk.citations),
        characters=frozenset(entities.unescape(seen)),
        refs=tuple(desk.refs),
        blocks=tuple(desk.blocks),
        by_file=(numbers,),
    )


def sketch(desk: Desk, html: str, read: markdown.Text) -> Sketch:
    """Return what is known of a text, whatever is wrong with it."""
    named = tuple((name, claim.line) for name, claim in desk.claims.items())
    last = max((number.n for number in desk.numbers if number.where), default=0)
    nameless = [UNNAMED for heading in read.headings if not heading.id and heading.level > 1]
    unread, cited = "\n".join([*desk.unread, *nameless]), tuple(desk.citations)
    blocks = tuple(desk.blocks)
    return Sketch(desk.path, html, _headings(desk, read), tuple(desk.refs), named, blocks, unread, last, cited)


def joined(parts: Sequence[Sketch]) -> Sketch:
    """Return what is known of the page that several files make together."""
    return Sketch(
        path=parts[0].path,
        html="\n".join(part.html for part in parts),
        headings=tuple(heading for part in parts for heading in part.headings),
        refs=tuple(ref for part in parts for ref in part.refs),
        claims=tuple(claim for part in parts for claim in part.claims),
        unread="\n".join(part.unread for part in parts),
    )


def _headings(desk: Desk, read: markdown.Text) -> tuple[tuple[str, str, int], ...]:
    return tuple((heading.id, desk.plain(heading.title), heading.level) for heading in read.headings)


def join(pages: Sequence[Page]) -> Page:
    """Return the page that several files make together; the first gives its title and front matter."""
    first = pages[0]
    return replace(
        first,
        html="\n".join(page.html for page in pages),
        headings=tuple(heading for page in pages for heading in page.headings),
        numbers=tuple(number for page in pages for number in page.numbers),
        claims=tuple(claim for page in pages for claim in page.claims),
        citations=pages[-1].citations,
        characters=frozenset().union(*(page.characters for page in pages)),
        refs=tuple(ref for page in pages for ref in page.refs),
        by_file=tuple(page.numbers for page in pages),
    )


def _numbers(path: str, placed: list[Printed]) -> list[Number]:
    """Return the numbers of a page with stable keys."""
    seen: Counter[str] = Counter()
    found = []
    for printed in placed:
        shown = printed.shown
        num, way = (shown.num, shown.way()) if isinstance(shown, Shown) else (shown, "row")
        stem = printed.key or f"{path}#{printed.heading} {num.say()} | {way}"
        seen[stem] += 1
        reading = num.read()
        found.append(
            Number(
                n=printed.n,
                key=f"{stem} ({seen[stem]})" if seen[stem] > 1 else stem,
                say=num.say(),
                way=way,
                live=printed.live,
                text=printed.text(),
                unit="" if num.unit is None else str(num.unit),
                value=reading.value,
                state=reading.state,
                line=printed.line,
                heading=printed.heading,
                where=printed.where,
                claim=printed.claim.name if printed.claim else "",
                js=shown.js() if isinstance(shown, Shown) and printed.live else "",
                answers=reading.answers,
                num=num,
                shown=printed.when == "true",
            )
        )
    return found


def _claim(desk: Desk, name: str, placed: list[Printed], tally: Mapping[str, int]) -> Claim:
    claim = desk.claims[name]
    cond = claims.whole(claim)
    assert cond is not None
    margin = cond.margin()
    assert margin is not None, "a claim that cannot be decided is a mistake"
    numbers = tuple(number.n for number in placed if number.claim is claim)
    shows = [number.n for number in placed if number.claim is claim and number.live and number.when == "true"]
    states = [when for when, _ in claim.variants if when != "true"]
    texts = tuple((when, desk.plain(text)) for when, text in claim.variants)
    units = {num.say(): (num.read().value, "" if num.unit is None else str(num.unit)) for num in cond.sides()}
    return Claim(
        name=name,
        path=desk.path,
        line=claim.line,
        live=cond.live,
        condition=cond.say(),
        sides=tuple((said, *rest) for said, rest in units.items()),
        sentence=texts[0][1],
        variants=texts,
        numbers=numbers,
        words=tuple((one.words.name, one.words.says) for one in claim.spoken),
        tally=tally,
        js=_script(cond, shows, states) if cond.live else "",
        cond=cond,
        margin=margin,
    )


def _script(cond: Cond, shows: list[int], states: list[str]) -> str:
    """Return the claim's entry in the page's script: verdict, numbers, variants, and what decides the verdict."""
    asks = ", ".join(num.js() for num in cond.sides() if num.live)
    return f"{{holds: () => {cond.js()}, shows: {shows}, variants: {js_text(states)}, asks: () => [{asks}]}}"
