"""The page behind the report's numbers: every number with its trace, every claim with its margin, the checked words.

It is what a number links to where no script runs, and what its card leads to. Leaves out: what a card says
(report/cards.py), and how it is laid out (templates/numbers.html).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from model.figure import SPREAD, Source
from model.formula import LIMITS, STATES
from report import fill, links, memory, rounding
from report.alike import identity
from report.asking import Reading
from report.cards import Card, Maker
from report.conditions import Compare, Cond, Join, Not
from report.digits import label, stated
from report.expressions import expression
from report.inputs import Input
from report.memory import Same
from report.numbers import Num, core, dated
from report.page import Claim, Number, Page
from report.points import DRAWS
from report.questions import Asked
from report.robust import NEAR
from report.spread import Swing
from report.verdicts import share, verdict
from report.vocabulary import Vocabulary, Word

TITLE = "Every number of {}, with its trace"
DESCRIPTION = "Where each number of {} comes from, how sure it is, and what each claim asserts."
_HOW_SURE = {
    "verified": "read in a source of the maker, or counted",
    "secondary": "read in a source at second hand",
    "announced": "announced, and not yet to be measured",
    "estimate": "estimated; the row says how",
}
HEADINGS = (("how-sure", "How sure a number is"), ("claims", "Claims"), ("words", "Words that assert something"))


@dataclass(frozen=True, slots=True)
class Sheet:
    """The page's body, its headings as (id, title, level), and the letters that it shows."""

    html: str
    headings: tuple[tuple[str, str, int], ...]
    characters: frozenset[str]


@dataclass(frozen=True, slots=True)
class Group:
    """Inputs that rest on the same row and sources."""

    inputs: tuple[Input, ...]
    row: str
    status: str
    sources: tuple[Source, ...]
    label: str
    notes: tuple[str, ...]


def sheet(page: Page, maker: Maker, vocabulary: Vocabulary, templates: Environment, home: tuple[str, str]) -> Sheet:
    """Return the page of numbers for a page of text; home is that page's address as seen from here, and its name."""
    write = _Writer(maker, templates, home[0])
    sections = list(_sections(page, write))
    claims = [write.claim(claim) for claim in page.claims]
    context = {
        "home": home[0],
        "called": home[1],
        "sections": sections,
        "statuses": [_status(name, factors) for name, factors in SPREAD.items()],
        "claims": [claim.html for claim in claims],
        "tally": _tally([verdict(claim.cond, maker).told() for claim in page.claims]),
        "words": [_word(word) for word in vocabulary.words.values()],
        "draws": DRAWS,
        "near": rounding.percent(NEAR, 1),
    }
    html = templates.get_template("numbers.html").render(context)
    written = [*claims, *(entry for section in sections for entry in section["written"])]
    bare = templates.get_template("numbers.html").render(context | {"claims": [], "sections": []})
    first, *others = HEADINGS
    parts = [(section["id"], section["title"], 3) for section in sections]
    headings = ((*first, 2), ("numbers", "Numbers", 2), *parts, *((*other, 2) for other in others))
    letters = _letters("".join([bare, *(title for _, title, _ in parts)]))
    return Sheet(html, headings, letters.union(*(one.characters for one in written)))


def _letters(html: str) -> frozenset[str]:
    return frozenset("".join(fill.visible(html)))


@dataclass(frozen=True, slots=True)
class _Piece:
    """An entry of the page as markup, and the letters that it shows."""

    html: Markup
    characters: frozenset[str]


@dataclass(frozen=True)
class _Writer:
    """Writes the entries of a page, each once for what it says; home is the page where its numbers stand."""

    maker: Maker
    templates: Environment
    home: str

    def number(
        self, anchor: str, numbers: Sequence[int], places: Sequence[Mapping[str, Any]], number: Number
    ) -> _Piece:
        """Return the entry of a number that stands in some places; numbers are all that ask the same."""
        num = core(number.num)
        key = (Same(self.maker), self.home, anchor, tuple(numbers), repr(places), number.live, identity(num))

        def make() -> _Piece:
            entry = {"anchor": anchor, "numbers": numbers, "places": places, "live": number.live}
            return self._piece("entry", entry | _entry(num, self.maker))

        return memory.recalled("entry", key, make)

    def claim(self, claim: Claim) -> _Piece:
        """Return the entry of a claim."""
        said = (claim.name, claim.live, claim.sentence, claim.margin, repr((claim.tally, claim.words)))
        key = (Same(self.maker), self.home, said, identity(claim.cond))
        return memory.recalled("claim", key, lambda: self._piece("claim", _claim(claim, self.maker)))

    def _piece(self, kind: str, said: Mapping[str, Any]) -> _Piece:
        html = Markup(getattr(self.templates.get_template("_traced.html").module, kind)(said, self.home))
        return _Piece(html, _letters(html))


def _sections(page: Page, write: _Writer) -> Iterator[dict[str, Any]]:
    """Yield the numbers by the section in which each is first printed."""
    printed: dict[str, list[Number]] = {}
    for number in page.numbers:
        printed.setdefault(number.question, []).append(number)
    titles = {name: title for name, title, _ in page.headings}
    read = links.places(page.numbers)
    grouped: dict[str, list[_Piece]] = {}
    heading = ""
    for anchor, number in links.anchors(page.numbers).items():
        asked = number.question
        places = [_place(one, titles) for one in read.get(asked, [])]
        entry = write.number(anchor, [one.n for one in printed[asked]], places, number)
        # A number of a table stands under no heading of its own, but where the table does.
        heading = number.heading or heading
        grouped.setdefault(heading, []).append(entry)
    for heading, entries in grouped.items():
        title = titles.get(heading, page.title)
        yield {
            "id": f"in-{heading or 'top'}",
            "title": title,
            "entries": [one.html for one in entries],
            "written": entries,
        }


def _place(number: Number, titles: Mapping[str, str]) -> dict[str, Any]:
    return {"n": number.n, "text": number.text or rounding.DASH, "where": titles.get(number.heading, "")}


def _entry(num: Num, maker: Maker) -> dict[str, Any]:
    card = maker.card(num)
    return {
        "title": card.title,
        "text": card.text,
        "scope": maker.label(num),
        "command": command(num),
        "steps": card.steps,
        "groups": groups(card.inputs),
        "range": span(card),
        "otherwise": share(card.otherwise),
    }


def command(num: Num) -> str:
    """Return how to ask the same on the command line, where that can be done."""
    if not isinstance(num, Asked):
        return ""
    return " ".join(["python -m model", num.key, *(f"{key}={value}" for key, value in num.given)])


def groups(inputs: Iterable[Input]) -> list[Group]:
    """Return the inputs by what they share: row, status, sources; choices that follow from a row are left out."""
    found: dict[tuple[Any, ...], list[Input]] = {}
    for part in inputs:
        given = part.given
        if not (isinstance(given.value, str) and given.status in ("choice", "default")):
            row = given.row.rpartition("/")[0] or given.row
            found.setdefault((row, given.status, given.sources, part.label), []).append(part)
    return [_group(parts) for parts in found.values()]


def _group(parts: Sequence[Input]) -> Group:
    first = parts[0].given
    notes = dict.fromkeys(part.given.note for part in parts if part.given.note)
    return Group(tuple(parts), parts[0].row, first.status, first.sources, parts[0].label, tuple(notes))


MOST = 5  # rows of a small tornado: what moves an answer less than the fifth input hardly shows


def span(card: Card) -> dict[str, Any] | None:
    """Return the range of a card in words: from, to, what moves it in order, and states that it can get into."""
    if card.spread is None:
        return None
    words, spread = label(card.unit), card.spread
    return {
        "low": rounding.bare(spread.low, words, 3),
        "high": "" if spread.high is None else rounding.amount(spread.high, words, 3),
        "gone": [{"says": STATES[state], "share": share(part)} for state, part in spread.gone],
        "swings": [_swing(card.inputs[swing.place], swing, words) for swing in spread.swings[:MOST]],
        "more": max(0, len(spread.swings) - MOST),
    }


def _swing(part: Input, swing: Swing, words: rounding.Label) -> dict[str, str]:
    ends = [_end(end, words) for end in swing.ends]
    return {"symbol": part.symbol, "label": part.label, "says": part.says, "low": ends[0], "high": ends[1]}


def _end(end: Reading, words: rounding.Label) -> str:
    if end.state:
        return "∞" if end.state in LIMITS else rounding.DASH
    return rounding.bare(end.number or 0.0, words, 3)


def _status(name: str, factors: tuple[float, float]) -> dict[str, str]:
    low, high = factors
    words = f"±{100 * (high - 1):.3g}%" if abs(high + low - 2) < _SAME else f"÷ or × {high:g}"
    return {"name": name, "says": _HOW_SURE[name], "spread": words}


_SAME = 1e-9


def _claim(claim: Claim, maker: Maker) -> dict[str, Any]:
    held = sum(claim.tally.values())
    return {
        "anchor": links.claim_anchor(claim.name),
        "name": claim.name,
        "live": claim.live,
        "sentence": claim.sentence,
        "lines": list(_lines(claim.cond, maker)),
        "margin": rounding.percent(claim.margin, 2),
        "verdict": verdict(claim.cond, maker).told(),
        "holds": claim.tally.get("true", 0),
        "of": held,
        "words": claim.words,
    }


def _tally(verdicts: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return how many claims there are, how they fare over the ranges of their inputs, and how many are near a tie."""
    found = {"of": len(verdicts), "exact": 0, "holds": 0, "together": 0, "flips": 0, "near": 0}
    for one in verdicts:
        found[one["over"]] += 1
        found["near"] += one["near"]
    return found


def _lines(cond: Cond, maker: Maker, joint: str = "") -> Iterator[dict[str, str]]:
    """Yield a condition comparison by comparison: symbols, values, and the word that joins it to the one before."""
    match cond:
        case Compare():
            yield {"joint": joint, **compared(cond, maker)}
        case Join():
            for index, part in enumerate(cond.parts):
                yield from _lines(part, maker, cond.op if index else joint)
        case Not():
            yield from _lines(cond.part, maker, f"{joint} not".strip())


_OPS = {"<": "&lt;", "<=": "≤", ">": "&gt;", ">=": "≥"}


def compared(cond: Compare, maker: Maker) -> dict[str, str]:
    """Return a comparison in symbols and in values, as MathML."""
    sides = (cond.left, cond.right)
    symbols = [expression(side, maker.symbol) for side in sides]
    unit = cond.left.unit or cond.right.unit
    values = [dated(side) or stated(side.read(), unit) for side in sides]
    sign = f"<mo>{_OPS[cond.op]}</mo>"
    return {"symbols": sign.join(symbols), "left": values[0], "sign": _OPS[cond.op], "right": values[1]}


def _word(word: Word) -> dict[str, Any]:
    return {
        "name": word.name,
        "phrase": word.phrase.replace("{", "").replace("}", ""),
        "takes": ", ".join(word.takes),
        "holds": word.holds.replace("<=", "≤").replace(">=", "≥"),
        "says": word.says,
    }
