"""The last pass over a page's HTML: numbers and claims link to their entries, citations can be come back to.

A number links by its place on the page (n12), which is short; the entry itself has an address that other edits leave
alone. The value of a number that nothing moves stands in its entry and in the page's data: beside each text it would
be a thirtieth of the page.

Every number becomes a link to its entry on the page of numbers, so that it can be asked without a script too; the
page's script opens a card instead. A number in a heading, a link or a button stays as it is. MathML has no links: a
formula with numbers gets a mark after it.

A heading is a link to itself, whose words are its own: so a reader has the address of a section, and who only hears the
page hears its title, once. The sign behind it is the style sheet's. One that holds a link already stays as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from report.page import Number

_TAG = re.compile(r"<(/?)([a-z0-9]+)([^<>]*)>")
_CLOSED = frozenset({"a", "button", "summary", "label", "h1", "h2", "h3", "h4", "h5", "h6"})
_BARLESS = frozenset({"td", "th", "figcaption", "caption"})
_VOID = frozenset({"br", "hr", "img", "input", "wbr"})
_N = re.compile(r' data-n="(\d+)"')
_FIXED = re.compile(r' class="n (?:pinned|row)\b[^"]*"')
_HELD = re.compile(r' value="[^"]+"')
_CLAIM = re.compile(r'\bclass="claim" data-claim="([^"]*)"')
_HEADING = re.compile(r'<(h[23]) id="([^"]*)">((?:[^<]|<(?!a\b|/h))*)</\1>')
_CITE = re.compile(r'\bclass="cite"[^<>]*\bdata-cite="([^"]*)"')


@dataclass(frozen=True)
class Linked:
    """A page's HTML with its links, and for each cited work the ids of the places that cite it."""

    html: str
    cited: Mapping[str, tuple[str, ...]]


def anchors(numbers: Iterable[Number]) -> dict[str, Number]:
    """Return an anchor for each thing that is asked, and the first number that asks it; stable under other edits."""
    found: dict[str, Number] = {}
    for number in numbers:
        stem = anchor(number.question)
        name, count = stem, 1
        while name in found and found[name].question != number.question:
            count += 1
            name = f"{stem}-{count}"
        found.setdefault(name, number)
    return found


def entries(numbers: Iterable[Number]) -> dict[int, str]:
    """Return the anchor of each number's entry, by the number's place on the page."""
    numbers = list(numbers)
    by_question = {number.question: name for name, number in anchors(numbers).items()}
    return {number.n: by_question[number.question] for number in numbers}


def claim_anchor(name: str) -> str:
    """Return the anchor of a claim's entry."""
    return f"claim-{anchor(name)}"


@lru_cache(maxsize=8192)
def anchor(say: str) -> str:
    """Return a name for a question that can stand in an address: T_min(T=512) becomes T_min-512."""
    words = re.sub(r"\b\w+=", "", say).replace(").", ".").replace("e+", "e")
    for sign, word in (("/", "over"), ("*", "times"), ("+", "plus"), ("-", "minus")):
        words = words.replace(f" {sign} ", f"-{word}-")
    return re.sub(r"[^A-Za-z0-9_.]+", "-", words).strip("-")


def places(numbers: Iterable[Number]) -> dict[str, list[Number]]:
    """Return where each thing that is asked can be read, by question: once for each text and section that has it."""
    found: dict[str, dict[tuple[str, str], Number]] = {}
    for number in numbers:
        if number.shown and number.where != "attribute":
            found.setdefault(number.question, {}).setdefault((number.text or "", number.heading), number)
    return {asked: list(read.values()) for asked, read in found.items()}


def link(html: str, address: str, numbers: Iterable[Number]) -> Linked:
    """Return the HTML with numbers and claims linked to their entries, headings to themselves, and citations named.

    address is the way from the page to the one that holds the entries; what that leads back to gets an id.
    """
    walk = _Walk(address, {str(number.n) for read in places(numbers).values() for number in read})
    text = _HEADING.sub(r'<\1 id="\2"><a href="#\2">\3</a></\1>', _TAG.sub(walk.tag, html))
    return Linked(text, {key: tuple(ids) for key, ids in walk.cited.items()})


@dataclass
class _Walk:
    address: str
    named: set[str]
    open: list[str] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)  # for each number that is open: the tags that close it
    count: Counter[str] = field(default_factory=Counter)
    cited: dict[str, list[str]] = field(default_factory=dict)
    held: list[str] = field(default_factory=list)  # the numbers of the formula that is open

    def tag(self, found: re.Match[str]) -> str:
        """Return a tag as it goes into the page."""
        name, closes = found[2], bool(found[1])
        if closes:
            self.open.pop()
            if name == "math":
                return found[0] + self._marks()
            return self.ends.pop() if name == "data" else found[0]
        text = self._opened(found, name)
        if name not in _VOID and not found[3].endswith("/"):
            self.open.append(name)
        return text

    def _opened(self, found: re.Match[str], name: str) -> str:
        if number := _N.search(found[3]):
            return self._number(found, name, number[1])
        if name == "data":
            self.ends.append("</data>")
        if claim := _CLAIM.search(found[3]):
            opened = f'<{name} id="{claim_anchor(claim[1])}"{found[3]}>'
            return opened + ("" if self._inside(_CLOSED | _BARLESS) else self._mark(claim[1]))
        if cite := _CITE.search(found[3]):
            self.count[cite[1]] += 1
            place = f"cite-{cite[1]}-{self.count[cite[1]]}"
            self.cited.setdefault(cite[1], []).append(place)
            return f'<a id="{place}"{found[3]}>'
        return found[0]

    def _inside(self, names: frozenset[str]) -> bool:
        return any(name in names for name in self.open)

    def _number(self, found: re.Match[str], name: str, n: str) -> str:
        place = f' id="n{n}"' if n in self.named else ""
        self.named.discard(n)
        if name != "data" and self._inside(frozenset({"math"})):
            self.held.append(n)
        if name != "data":
            return f"<{name}{place}{found[3]}>"
        fixed = bool(_FIXED.search(found[3]) and _HELD.search(found[3]))
        name, rest = ("span", _HELD.sub("", found[3])) if fixed else (name, found[3])
        if self._inside(_CLOSED):
            self.ends.append(f"</{name}>")
            return f"<{name}{place}{rest}>"
        self.ends.append(f"</{name}></a>")
        # The link says which number it is; said twice, it would be another thirtieth.
        return f'<a class="n-link"{place} href="{self.address}#n{n}"><{name}{_N.sub("", rest, count=1)}>'

    def _marks(self) -> str:
        """Return the link of the formula that has ended: to its last number, which as a rule rests on the others."""
        held, self.held = self.held, []
        if not held or self._inside(_CLOSED):
            return ""
        label = "Where the numbers of this formula come from"
        return f'<a class="n-mark" href="{self.address}#n{held[-1]}" aria-label="{label}">†</a>'

    def _mark(self, claim: str) -> str:
        """Return the link that lies over the claim's bar."""
        href = f"{self.address}#{claim_anchor(claim)}"
        return f'<a class="claim-link" href="{href}" aria-label="What this claim rests on"></a>'
