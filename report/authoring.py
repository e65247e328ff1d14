"""The names that prose may use: every quantity, live, catalogue rows, bound words, citations; and the filters.

Leaves out: what the names yield (report/asks.py, report/cells.py) and the claim tag (report/claims.py).
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping

from jinja2.runtime import Context
from jinja2.utils import pass_context
from markupsafe import Markup, escape

from model.formula import STATES
from report import callwords, crossrefs, maths, rounding, shown
from report.asking import AuthorError
from report.asks import Ask, Live, Unasked, follow
from report.cells import Row, fetcher
from report.checks import HINT
from report.conditions import BAD, Bad, Cond
from report.described import describe, resolved
from report.desk import Desk, Formula, Html, Plain, Printed
from report.errors import NOWHERE, Near, nearest
from report.numbers import Num
from report.shown import KINDS, Cell, Shown, Words
from report.tool import Tool
from report.typed import FROM


def _guard(desk: Desk, name: str, run: Callable[..., object]) -> Callable[..., object]:
    """Return a callable of a name, whose mistakes are noted at the line of the template, and stand as BAD."""
    signature = inspect.signature(run)
    texts = {one: part.kind is part.VAR_POSITIONAL for one, part in signature.parameters.items() if _is_text(part)}

    def guarded(*arguments: object, **given: object) -> object:
        found = [resolved(value) for value in arguments]
        if any(isinstance(value, Bad) for value in (*found, *map(resolved, given.values()))):
            return BAD
        try:
            bound = signature.bind(*found, **given).arguments
        except TypeError as error:
            return desk.fail(*callwords.misfit(name, signature, str(error)))
        for text, many in texts.items():
            for value in bound.get(text, ()) if many else [bound.get(text, "")]:
                if not isinstance(value, str):
                    said = f"{name}: {text} is a text in quotes, not {describe(value)}"
                    return desk.fail(said, near=Near.whole(describe(value)))
        try:
            return run(*found, **given)
        except AuthorError as error:
            return desk.fail(error.message, callwords.binds(desk.running().text, name) or error.hint)

    return guarded


def _is_text(part: inspect.Parameter) -> bool:
    return part.annotation == "str" and part.kind is not part.VAR_KEYWORD


def cite(desk: Desk, key: str, where: str = "") -> Html:
    """Return a link to a work of the bibliography, with the place in it."""
    if key not in desk.setting.references:
        raise AuthorError(f"there is no reference '{key}'", nearest(str(key), desk.setting.references))
    number = desk.cite(key)
    inside = f"{number}, {where}" if where else str(number)
    markup = f'<a class="cite" href="#ref-{escape(key)}" data-cite="{escape(key)}">[{escape(inside)}]</a>'
    return Html(markup, text=f"[{inside}]")


def _fact(desk: Desk, text: object, key: str, where: str = "") -> Markup:
    """Return a fact in the words of its source, with the citation."""
    if not isinstance(text, str) or not text.strip():
        said = "an empty text" if isinstance(text, str) else describe(text)
        raise AuthorError(f"fact takes words in quotes, not {said}", f'write fact("the words of the source", "{key}")')
    citation = cite(desk, key, where)
    nonbreaking = re.sub(r"(?<=\d) (?=[A-Za-z%])", rounding.NBSP, text)
    return Markup(desk.put(Plain(nonbreaking, "fact")) + rounding.NBSP + desk.put(citation))


def _maths(desk: Desk, tex: str, display: bool, label: str) -> Formula | Bad:
    """Return a formula; the numbers in it are numbers of the page."""
    numbers: list[Printed] = []

    def slot(value: maths.Value) -> str:
        key, live, given, way, digits = value
        quantities = desk.setting.world.quantities
        if key not in quantities:
            raise AuthorError(f"\\val: there is no quantity '{key}'", nearest(key, quantities))
        if desk.setting.blind:
            return ""
        before = len(desk.problems)
        num = (follow(desk, key)(**given) if given else follow(desk, key)) if live else Ask(desk, key)(**given)
        if num.bad:
            said = desk.problems.pop(before)  # told below, where the formula knows its place
            raise AuthorError(said.message, said.hint)
        number = desk.printed(_WAYS[way](num, digits) if digits else shown.exact(num))
        number.where = "maths"
        numbers.append(number)
        return _slot(number)

    vocabulary, quantities = desk.setting.vocabulary, desk.setting.world.quantities
    numerals = None if "numerals" in vocabulary.unknown else vocabulary.numerals
    text = bytes.fromhex(tex).decode()
    try:
        markup = maths.mathml(text, display, quantities, slot, numerals)
    except AuthorError as error:
        below, near = _in_formula(text, "$$" if display else "$", error.at or (0, len(text)))
        desk.fail(error.message, error.hint, desk.place()[1] + below, near=near)
        desk.unread.append(f"{{#{label}}}")
        return BAD
    return Formula(markup, display, label, tuple(numbers))


def _in_formula(tex: str, edge: str, at: tuple[int, int]) -> tuple[int, Near]:
    """Return how many lines below the first of a formula a part of it stands, and the part with its line."""
    start = tex.rfind("\n", 0, at[0]) + 1
    line = tex[start:].partition("\n")[0]
    lead = "" if start else edge
    near = Near(lead + line, len(lead) + at[0] - start, len(lead) + max(min(at[1] - start, len(line)), at[0] - start))
    return tex.count("\n", 0, at[0]), near


_WAYS: Mapping[str, Callable[[object, int], Shown]] = {"sig": shown.sig, "qty": shown.qty, "percent": shown.percent}


def _slot(number: Printed) -> str:
    text = number.text()
    if text is None:
        assert isinstance(number.shown, Shown)
        state = number.shown.num.read().state or "unknown"
        return f'<mtext class="n {_mode(number)}" data-n="{number.n}">{escape(STATES[state])}</mtext>'
    return f'<mn class="n {_mode(number)}" data-n="{number.n}">{escape(text)}</mn>'


def _mode(number: Printed) -> str:
    return "live" if number.live else "pinned"


def names(desk: Desk) -> dict[str, object]:
    """Return every name that a page may use."""
    setting = desk.setting
    ask = Unasked if setting.blind else Ask
    found: dict[str, object] = {key: ask(desk, key) for key in setting.world.quantities}
    for name, word in setting.vocabulary.words.items():
        found[name] = Tool(desk, name, _of_numbers(desk, name, word), ", ".join(word.takes))
    found |= {kind: Tool(desk, kind, fetcher(desk, kind), '"..."') for kind in KINDS}
    tools: dict[str, Callable[..., object]] = {"cite": cite, "fact": _fact, "ref": crossrefs.ref, "_maths": _maths}
    own = {name: functools.partial(tool, desk) for name, tool in tools.items()}
    found |= {name: _tool(desk, name, tool, _guard(desk, name, tool)) for name, tool in own.items()}
    found["live"] = Live(desk)
    others = setting.extras.items()
    return found | {
        name: _tool(desk, name, extra, _overheard(desk, _guard(desk, name, extra))) for name, extra in others
    }


def _tool(desk: Desk, name: str, run: Callable[..., object], guarded: Callable[..., object]) -> Tool:
    return Tool(desk, name, guarded, ", ".join(callwords.takes(inspect.signature(run))))


def _of_numbers(desk: Desk, name: str, run: Callable[..., object]) -> Callable[..., object]:
    """Return a guarded function to which a quantity's bare name is no number."""
    guard = _guard(desk, name, run)

    def reckoned(*arguments: object, **given: object) -> object:
        bare = next((value for value in arguments if isinstance(value, Ask)), None)
        return guard(*arguments, **given) if bare is None else bare.bare()

    return reckoned


def _overheard(desk: Desk, run: Callable[..., object]) -> Callable[..., object]:
    """Return another part's function, whose sentences (captions, titles) are checked like any other prose."""

    def heard(*arguments: object, **given: object) -> object:
        _, line = desk.place()
        values = [value for value in (*arguments, *given.values()) if isinstance(value, str)]
        desk.texts += [(line, value) for value in values if " " in value]
        return run(*arguments, **given)

    return heard


def filters(desk: Desk) -> dict[str, Callable[..., object]]:
    """Return the filters that turn a number into text; there are no others."""
    vocabulary = desk.setting.vocabulary
    counted = vocabulary.counted

    def count(value: object, word: str, n: int | None = None) -> Shown | Bad:
        _, unit = counted.get(word, (None, ""))
        if unit:
            return shown.count(counted, value, word, n)
        if word in counted or vocabulary.may_hold(word, "counted"):
            return BAD
        raise AuthorError(f"count: unknown word '{word}'", nearest(word, {*counted, *vocabulary.lost}))

    ways: dict[str, Callable[..., object]] = {
        "sig": shown.sig,
        "qty": shown.qty,
        "percent": shown.percent,
        "exact": shown.exact,
        "count": count,
    }
    return {name: _of_numbers(desk, name, way) for name, way in ways.items()}


def anything(desk: Desk) -> Callable[..., object]:
    """Return what stands for a filter that there is not: it takes whatever it is given, and gives a mistake."""

    def taken(*_: object, **_given: object) -> Bad:
        return BAD

    return _of_numbers(desk, "anything", taken)


def finalize(desk: Desk) -> Callable[[Context, object], object]:
    """Return what Jinja calls on each printed value: it becomes a placeholder, or a mistake."""

    @pass_context
    def final(context: Context, value: object) -> object:
        value = resolved(value)
        if isinstance(value, Ask):
            value = value.bare()
        if isinstance(value, Markup):
            return value
        if isinstance(value, Bad):
            desk.unsure()
            return desk.put(Html(""))  # so that the text around a mistake that was told reads as if a value stood there
        if isinstance(value, Words):
            return Markup(desk.words(value))
        if isinstance(value, Shown | Cell):
            return desk.shown(value)
        if isinstance(value, Plain | Html | Formula):
            return desk.put(value)
        if isinstance(value, str):
            if re.search(r"\d", value):
                desk.fail(f"the text '{value}' is printed with a numeral in it", HINT)
            return desk.put(Plain(value))
        bare = value is None or isinstance(value, int | float)
        desk.fail(*_unprintable(value), near=Near.whole(str(value).lower()) if bare else NOWHERE)
        return ""

    return final


def _unprintable(value: object) -> tuple[str, str]:
    """Return why a value is not printed, and what to write."""
    if isinstance(value, Num):
        return f"{value.say()} is printed without a filter", "write | sig(3), qty(3), percent(2), count(...) or exact"
    if isinstance(value, Cond):
        return f"the condition {value.say()} is printed", "put it into a claim"
    if isinstance(value, int | float):
        return f"the bare number {value} is printed", FROM
    if isinstance(value, Row):
        return f"{value.say()} is a row", "print one of its fields, such as .name"
    if value is None:
        return "nothing is printed", "the expression gives no value"
    return f"{describe(value)} cannot be printed", ""
