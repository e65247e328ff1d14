"""The data of the cards, as two scripts that a page loads on first use: what all pages share, and what is its own.

They hold what the browser cannot work out: formulas as MathML, what each input means, and the status and sources of
every catalogue number that a reader can choose. Values are not in them: templates/static/cards.js asks the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from model.figure import SPREAD
from model.formula import Coefficient, Fork, Formula, Given, Quantity
from model.records import Catalogue
from model.scenario import CHOICES
from report import browser, links, maths, memory, points, provenance, robust, rounding
from report.asks import idle
from report.cards import Maker
from report.conditions import Compare, Cond, Join, Not
from report.expressions import typed
from report.memory import Same
from report.numbers import Num, Op, core
from report.page import Page
from report.questions import Asked
from report.shown import Cell


@dataclass(frozen=True, slots=True)
class Scripts:
    """The scripts of the cards: the one that all pages share, and each page's own, in the order of the pages."""

    shared: str
    own: tuple[str, ...]


def scripts(pages: Iterable[Page], maker: Maker, catalogue: Catalogue, records: str) -> Scripts:
    """Return the scripts: what is known and the code that makes records of it; each page's numbers and claims."""
    known, own = _told(pages, maker, catalogue)
    return Scripts(
        shared=memory.recalled("known script", (Same(known), records), lambda: _shared(known.data, records)),
        own=tuple(f'"use strict";\nglobalThis.cardData = cardsOf({browser.script(one)});\n' for one in own),
    )


def _shared(known: Mapping[str, Any], records: str) -> str:
    exports = "{ DATA, ENTRIES, numberCard, claimCard, rangesOf }"
    body = f"const DATA = {{ ...KNOWN, ...own }};\n{records}\nreturn {exports};"
    shared = f"const KNOWN = {browser.script(known)};\nreturn own => {{\n{body}\n}};"
    return f'"use strict";\nglobalThis.cardsOf = (() => {{\n{shared}\n}})();\n'


def data(pages: Iterable[Page], maker: Maker, catalogue: Catalogue) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return all that numbers and claims can rest on; and for each page what is asked, at which address and where."""
    known, own = _told(pages, maker, catalogue)
    return known.data, own


def _told(pages: Iterable[Page], maker: Maker, catalogue: Catalogue) -> tuple[_Known, list[dict[str, Any]]]:
    own = [memory.recalled("own", (Same(page), Same(maker)), partial(_own, page, maker)) for page in pages]
    rows = [pair for one in own for pair in one.rows]
    # Only what the pages ask together is a part of this: it stays where a text changes and its questions do not.
    keys = frozenset(key for one in own for key in one.keys)
    units = frozenset(unit for one in own for unit in one.units)
    asked = (keys, units, tuple(given for _, given in rows))
    make = partial(_known, *asked, maker, catalogue)
    known = memory.recalled("known", (*asked, Same(maker), Same(catalogue)), make)
    for (row, _), place in zip(rows, known.places, strict=True):
        row[_FACT] = place
    return known, [one.data for one in own]


@dataclass(frozen=True, slots=True)
class _Known:
    """What all pages share; and for each row of theirs, in order, the place of its fact."""

    data: dict[str, Any]
    places: tuple[int, ...]


def _known(
    asked: frozenset[str], units: frozenset[Any], rows: Iterable[Given], maker: Maker, catalogue: Catalogue
) -> _Known:
    facts = _Facts(catalogue)
    places = tuple(map(facts.fact, rows))
    quantities = reachable(asked, maker.world.quantities)
    keys = frozenset(quantity.key for quantity in quantities)
    known = {
        "quantities": {quantity.key: _quantity(quantity) for quantity in quantities},
        "labels": _labels([*(quantity.unit for quantity in quantities), *units]),
        "rows": browser.layers(catalogue, lambda layer: facts.layer(layer, keys)),
        "facts": facts.found(),
        "names": facts.names.found,
        "sources": facts.sources.found,
        "spread": {status: list(factors) for status, factors in SPREAD.items()},
        "net": list(points.NET),
        "heights": points.heights(),
        "tail": points.TAIL,
        "near": robust.NEAR,
    }
    return _Known(known, places)


@dataclass(frozen=True, slots=True)
class _Own:
    """A page's numbers and claims; the quantities and units that they name; its rows, whose facts get places later."""

    data: dict[str, Any]
    keys: frozenset[str]
    units: tuple[Any, ...]
    rows: tuple[tuple[list[Any], Given], ...]


_FACT = 5  # where the tree of a row says which fact it is


def _own(page: Page, maker: Maker) -> _Own:
    trees = _Trees(maker)
    places: dict[str, list[int]] = {}
    for n, anchor in links.entries(page.numbers).items():
        places.setdefault(anchor, []).append(n)
    asked = links.anchors(page.numbers).items()
    found = {
        "numbers": [[anchor, trees.tree(core(number.num)), places[anchor]] for anchor, number in asked],
        "claims": {claim.name: [trees.condition(claim.cond), claim.words] for claim in page.claims},
    }
    return _Own(found, frozenset(trees.keys), tuple(trees.units), tuple(trees.rows))


def reachable(keys: Iterable[str], quantities: Mapping[str, Quantity]) -> list[Quantity]:
    """Return the quantities on which some may rest, whatever the reader chooses; sorted by key."""
    found: dict[str, Quantity] = {}
    stack = [quantities[key] for key in keys]
    while stack:
        quantity = stack.pop()
        if quantity.key in found or isinstance(quantity, Coefficient):
            continue
        found[quantity.key] = quantity
        stack += _needed(quantity)
    return [found[key] for key in sorted(found)]


def _needed(quantity: Quantity) -> list[Quantity]:
    choices = _choices(quantity)
    return [*choices, *(part for formula in formulas(quantity) for part in formula.inputs)]


def _choices(quantity: Quantity) -> list[Quantity]:
    if not isinstance(quantity, Fork):
        return []
    return [quantity.by, *(choice for branch in quantity.branches.values() for choice in _choices(branch))]


def _quantity(quantity: Quantity) -> dict[str, Any]:
    """Return what a card says of a quantity: meaning, unit, symbol, and its formula or formulas."""
    return {"u": str(quantity.unit), "w": quantity.says, "m": maths.plain(quantity.latex), **_formula(quantity)}


def _formula(quantity: Quantity) -> dict[str, Any]:
    if isinstance(quantity, Fork):
        return {"by": quantity.by.key, "to": {word: _formula(branch) for word, branch in quantity.branches.items()}}
    if isinstance(quantity, Formula):
        unused = idle(quantity)
        inputs = [part.key for part in quantity.inputs]
        return {
            "r": maths.plain(quantity.tex),
            "f": maths.slotted(quantity),
            "i": inputs,
            **({"x": sorted(unused)} if unused else {}),
        }
    return {}


def formulas(quantity: Quantity) -> list[Formula]:
    """Return the formulas that a quantity may follow, one for each choice."""
    if isinstance(quantity, Fork):
        return [formula for branch in quantity.branches.values() for formula in formulas(branch)]
    return [quantity] if isinstance(quantity, Formula) else []


def _labels(units: Iterable[Any]) -> dict[str, list[str | int]]:
    return {str(unit): rounding.label(unit).js() for unit in sorted(set(units), key=str)}


class _Trees:
    """Writes numbers and conditions as plain lists, and notes which quantities, units and rows they name."""

    def __init__(self, maker: Maker) -> None:
        self.maker = maker
        self.keys: set[str] = set()
        self.units: list[Any] = []
        self.rows: list[tuple[list[Any], Given]] = []

    def tree(self, num: Num) -> list[Any]:
        """Return a number as records.js reads it, a list whose first word says of which kind it is."""
        if num.unit is not None:
            self.units.append(num.unit)
        match num:
            case Asked():
                self.keys.add(num.key)
                return ["q", num.key, self._settings(num), int(num.live), self.maker.label(num)]
            case Op():
                return ["op", num.op, self.tree(num.left), self.tree(num.right), str(num.unit or "")]
            case Cell():
                card = self.maker.card(num)
                row = ["row", num.path, num.number, num.text, card.title, None, str(num.unit or "")]
                self.rows.append((row, card.inputs[0].given))
                return row
        return ["k", num.read().number, typed(num)]

    def _settings(self, num: Asked) -> dict[str, str]:
        """Return what is asked as the browser takes it: texts, as in a link."""
        return {key: self._text(key, value) for key, value in num.given}

    def _text(self, key: str, value: str | float) -> str:
        if isinstance(value, str):
            return value
        unit = "" if key in CHOICES else str(self.maker.world.quantities[key].unit)
        return f"{value:g}" if key in CHOICES else f"{value!r} {unit}".removesuffix(" 1")

    def condition(self, cond: Cond) -> list[Any]:
        """Return a condition: ["<", left, right], ["and", ...], ["not", part]."""
        match cond:
            case Compare():
                return [cond.op, self.tree(cond.left), self.tree(cond.right)]
            case Join():
                return [cond.op, *(self.condition(part) for part in cond.parts)]
            case Not():
                return ["not", self.condition(cond.part)]
        raise TypeError(f"{type(cond).__name__} is no condition of the page")


@dataclass
class _Once:
    """Keeps each thing once and gives its place."""

    found: list[Any] = field(default_factory=list)
    places: dict[Any, int] = field(default_factory=dict)

    def place(self, thing: Any, written: Callable[[], Any]) -> int:
        if thing not in self.places:
            self.places[thing] = len(self.found)
            self.found.append(written())
        return self.places[thing]


class _Facts:
    """What is known of catalogue numbers, each fact once: [status, row, sources, range, note, which number it is]."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.seen: dict[int, tuple[Given, int]] = {}  # by identity: most inputs of a layer are met on every page
        self.facts, self.names, self.sources, self.spots = _Once(), _Once(), _Once(), _Once()

    def found(self) -> list[Any]:
        return self.facts.found

    def layer(self, layer: Mapping[str, Given], keys: frozenset[str]) -> dict[str, int]:
        """Return the facts of a layer's inputs by key, those of the keys alone; a link or a peak is asked for one."""
        return {key: self.fact(given) for key, given in layer.items() if key in keys or len(layer) == 1}

    def fact(self, given: Given) -> int:
        """Return the place of what an input rests on. A range is 0 (none), 1 (its status's) or [low, high].

        Only what has a range says which number of the catalogue it is: one number can be an input under two keys.
        """
        if id(given) not in self.seen:
            self.seen[id(given)] = (given, self._fact(given))
        return self.seen[id(given)][1]

    def _fact(self, given: Given) -> int:
        name = provenance.row_name(self.catalogue, given.row)
        row = self.names.place(name, lambda: name)
        cited = tuple(dict.fromkeys(given.sources))
        sources = [self.sources.place(source, partial(written, source)) for source in cited]
        ranged = _range(given)
        which = (self.spots.place(given.row, lambda: given.row),) if ranged else ()
        whole = (given.status, row, tuple(sources), ranged, given.note, *which)
        return self.facts.place(whole, lambda: [given.status, row, sources, ranged, given.note, *which])


def _range(given: Given) -> Any:
    if given.low is None or given.high is None or not isinstance(given.value, float):
        return 0
    low, high = SPREAD.get(given.status, (0.0, 0.0))
    return 1 if (given.low, given.high) == (given.value * low, given.value * high) else (given.low, given.high)


def written(source: Any) -> list[str]:
    """Return a source as a card names it: title with publisher and year, address."""
    made = ", ".join(str(part) for part in (source.publisher, source.year) if part)
    return [f"{source.title} ({made})" if made else source.title, source.url]
