"""The markup of what a page prints, put in the place of the placeholders after Markdown has done its work.

One walk over the HTML: inside a tag a placeholder becomes plain text, elsewhere an element. The walk knows which
elements are open, and so whether a number stands in a table's cell and whether a claim cuts through an element.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from markupsafe import escape

from model.formula import STATES
from report import rounding
from report.claims import named, runs_over
from report.desk import MARKS, Desk, Formula, Html, Mark, Plain, Printed
from report.errors import Problem
from report.lead import EDGE
from report.numbers import Num
from report.questions import Asked
from report.resting import resting
from report.shown import Cell, Shown

_PIECES = re.compile(rf"<[^<>]*>|[{MARKS}]")
_TAG = re.compile(r"<(/?)([a-z0-9]+)([^<>]*)>")
_VOID = frozenset({"br", "hr", "img"})
_ID = re.compile(r'\bid="([^"]*)"')
# Colour means something: which stream of the ledger a number belongs to, by key or else by unit.
_GROUPS = {"FLOP": "arithmetic", "FLOP/s": "arithmetic", "B": "bytes", "B/s": "bytes"}
_KEYS = {"beta": "arithmetic", "fabric": "fabric", "allreduce_bytes": "fabric", "capacity": "capacity"}
_KEYS |= {"B_crit": "statistics", "loss": "statistics"}


@dataclass
class _Walk:
    desk: Desk
    open: list[tuple[str, int]] = field(default_factory=list)
    count: int = 0
    heading: str = ""
    claims: list[list[tuple[str, int]]] = field(default_factory=list)  # the elements open where each claim began

    def tag(self, text: str) -> None:
        """Follow an element that opens or closes."""
        found = _TAG.match(text)
        if not found:
            return
        if found[1]:
            self.open.pop()
        elif found[2] not in _VOID and not found[3].endswith("/"):
            self.count += 1
            self.open.append((found[2], self.count))
        name = _ID.search(found[3])
        if name and re.fullmatch(r"h[1-6]", found[2]):
            self.heading = name[1]

    def inside(self, *names: str) -> bool:
        """Say whether one of the elements is open."""
        return any(name in names for name, _ in self.open)


def fill(desk: Desk, html: str) -> str:
    """Return the page's HTML with every placeholder replaced; notes what cannot stand where it stands."""
    walk = _Walk(desk)
    # A display or another part's block that is alone in its paragraph needs no paragraph.
    html = re.sub(rf"<p>([{MARKS}])</p>", lambda found: found[1] if _block(desk, found[1]) else found[0], html)
    html = re.sub(rf"<p>(([{MARKS}])[^<]*(?:<(?!/p>)[^<]*)*)</p>", lambda found: _unwrapped(desk, found), html)
    return _PIECES.sub(lambda found: _piece(walk, found[0]), html)


def _unwrapped(desk: Desk, found: re.Match[str]) -> str:
    """Return a part with its caption without the paragraph around both; the paragraph of a lead as one."""
    item = desk.item(found[2])
    if isinstance(item, Html) and item.edge == EDGE:
        return f'<p class="lead">{found[1][1:].lstrip()}</p>'
    return found[1] if isinstance(item, Html) and item.edge == "open" else found[0]


def _block(desk: Desk, mark: str) -> bool:
    item = desk.item(mark)
    return (isinstance(item, Html) and item.block) or (isinstance(item, Formula) and item.display)


def _piece(walk: _Walk, piece: str) -> str:
    if piece.startswith("<"):
        text = re.sub(f"[{MARKS}]", lambda found: _plain(walk, found[0]), piece)
        walk.tag(text)
        return text
    item = walk.desk.item(piece)
    match item:
        case Printed():
            return number(walk.desk, _placed(walk, item))
        case Plain():
            text = str(escape(item.text))
            return f'<span class="name">{text}</span>' if item.kind == "name" else text
        case Html():
            return _html(walk, item)
        case Formula():
            return _formula(walk, item)
    return _edge(walk, item)


def _html(walk: _Walk, item: Html) -> str:
    """Return a part's markup; between its two edges the walk is in a caption."""
    if item.edge == "open":
        walk.count += 1
        walk.open.append(("figcaption", walk.count))
    elif item.edge == "close":
        walk.open.pop()
    return item.markup


def _plain(walk: _Walk, mark: str) -> str:
    """Return the text of a placeholder inside a tag, where no element may stand."""
    item = walk.desk.item(mark)
    if isinstance(item, Printed) and item.live:
        message = f"the live number {item.shown.say()} stands in an alternative text, where it cannot follow the reader"
        walk.desk.problems.append(Problem(walk.desk.path, item.line, 0, message, "use a pinned number"))
    if isinstance(item, Printed):
        _placed(walk, item).where = "attribute"
    return str(escape(walk.desk.seen(mark)))


def _placed(walk: _Walk, number: Printed) -> Printed:
    number.heading = walk.heading
    if not number.where:
        cell, caption = walk.inside("td", "th"), walk.inside("figcaption", "caption")
        number.where = "cell" if cell else "caption" if caption else "text"
    return number


def number(desk: Desk, printed: Printed) -> str:
    """Return the element of a number: <data class="n live n-bytes" data-n="12" value="738.62">739</data>."""
    value, text = _value(printed.shown), printed.text()
    if text is None:
        _absent(desk, printed)
        text = STATES[state(printed.shown) or "unknown"] if printed.where == "cell" else rounding.DASH
    group = _group(printed.shown)
    kind = "live" if printed.live else "row" if isinstance(printed.shown, Cell) else "pinned"
    names = f"n {kind}" + (f" n-{group}" if group else "")
    held = "" if value is None else f"{rounding.near(value, 6):.6g}"
    return f'<data class="{names}" data-n="{printed.n}" value="{held}">{escape(text)}</data>'


def _absent(desk: Desk, printed: Printed) -> None:
    """Note a number without a value where a sentence needs one; cells and hidden variants do without."""
    hidden = printed.claim is not None and printed.when != "true"
    if printed.where == "cell" or hidden or (isinstance(printed.shown, Shown) and printed.shown.num.bad):
        return
    message = f"{printed.shown.say()} has no value: {STATES[state(printed.shown) or 'unknown']}"
    on = resting(printed.shown.num if isinstance(printed.shown, Shown) else printed.shown)
    desk.problems.append(Problem(desk.path, printed.line, 0, message, rests=on.rows, broad=on.broad))


def state(shown: Shown | Cell) -> str | None:
    """Return the state of a printed number at build."""
    return (shown if isinstance(shown, Cell) else shown.num).read().state


def _value(shown: Shown | Cell) -> float | None:
    return (shown if isinstance(shown, Cell) else shown.num).read().value


def _group(shown: Shown | Cell) -> str:
    num: Num = shown if isinstance(shown, Cell) else shown.num
    key = num.key if isinstance(num, Asked) else ""
    return _KEYS.get(key) or ("capacity" if "tape" in key else _GROUPS.get(str(num.unit), ""))


def _formula(walk: _Walk, formula: Formula) -> str:
    for printed in formula.numbers:
        _placed(walk, printed)
    if not formula.display:
        return formula.markup
    name = f' id="{formula.label}"' if formula.label else ""
    if walk.inside("p"):
        return formula.markup
    return f'<div class="equation"{name}>{formula.markup}</div>'


def _edge(walk: _Walk, mark: Mark) -> str:
    """Return the span of a claim's edge; a claim must close in the element in which it opened."""
    claim, varied = mark.claim, len(mark.claim.variants) > 1
    match mark.edge:
        case "open":
            walk.claims.append(list(walk.open))
            return f'<span class="claim" data-claim="{escape(claim.name)}">'
        case "close":
            # One that opened in an address or a title has left nothing in the text.
            if not walk.claims or walk.claims.pop() != walk.open:
                _cut(walk, mark)
            return "</span>"
        case "variant" if varied:
            hidden = "" if mark.when == "true" else " hidden"
            return f'<span class="variant" data-when="{escape(mark.when)}"{hidden}>'
        case "end" if varied:
            return "</span>"
    return ""


def _cut(walk: _Walk, mark: Mark) -> None:
    if runs_over(mark.claim) or mark.claim.name in walk.desk.mended:
        return  # said already
    message = f"claim '{mark.claim.name}' cuts through emphasis, a link, a list or a paragraph"
    hint, near = "open and close it in one place", named(mark.claim.name)
    walk.desk.problems.append(Problem(walk.desk.path, mark.claim.line, 0, message, hint, near=near))


def visible(html: str) -> list[str]:
    """Return the text of a page without its tags, still escaped, piece by piece."""
    return re.split(r"<[^<>]*>", html)
