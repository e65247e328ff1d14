"""The claim tag: a sentence with its condition, variants for when it is not true, and the verdict at build.

    {% claim "pole", d_min(machine="h100-sxm5") > 768 %}sentence{% otherwise "no-batch" %}...{% endclaim %}

and, or, not and a < b < c in the condition are rewritten while the tag is parsed: Python's own would call the first
half's truth value and drop the rest. Leaves out: how a claim is shown (report/fill.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from markupsafe import Markup

from model.formula import STATES
from report import spots
from report.asking import AuthorError
from report.conditions import Bad, Cond, Join, condition, join
from report.described import resolved
from report.desk import Desk, Mark, OpenClaim
from report.environment import PageEnvironment
from report.errors import Near, Problem, nearest
from report.marks import unmark
from report.numbers import Num
from report.resting import Resting, resting
from report.spoken import Spoken, valued

RESTING = " Rests on "
_ENDS = ("name:endclaim", "name:otherwise")
_TAG, _OTHERWISE = Near("{% claim", 3, 8), Near("{% otherwise", 3, 12)


def _imported(name: str, *arguments: nodes.Expr) -> nodes.Call:
    return nodes.Call(nodes.ImportedName(f"report.conditions.{name}"), list(arguments), [], None, None)


def rewrite(node: nodes.Expr) -> nodes.Expr:
    """Return a condition with and, or, not and chained comparisons as calls that keep every half."""
    match node:
        case nodes.And():
            return _imported("both", rewrite(node.left), rewrite(node.right))
        case nodes.Or():
            return _imported("either", rewrite(node.left), rewrite(node.right))
        case nodes.Not():
            return _imported("negate", rewrite(node.node))
        case nodes.Compare() if len(node.ops) > 1:
            return _chain(node)
    return node


def _chain(node: nodes.Compare) -> nodes.Expr:
    """Return a < b < c as both(a < b, b < c)."""
    left = node.expr
    found: nodes.Expr | None = None
    for operand in node.ops:
        part = nodes.Compare(left, [operand])
        found = part if found is None else _imported("both", found, part)
        left = operand.expr
    assert found is not None
    return found


class ClaimTag(Extension):
    """Parses {% claim name, condition %} ... {% otherwise state %} ... {% endclaim %}."""

    tags = {"claim"}  # noqa: RUF012  # Jinja declares it so
    environment: PageEnvironment

    def parse(self, parser: Parser) -> list[nodes.Node]:
        """Return the nodes of a claim: its opening, one block for each variant, its end."""
        line = next(parser.stream).lineno  # with the tag's number (report/spots.py)
        name = parser.parse_expression()
        if isinstance(name, nodes.Sub):  # a name with hyphens and without quotes
            name = nodes.Const(None)
        cond: nodes.Expr = nodes.Const(None)
        if parser.stream.skip_if("comma"):
            cond = rewrite(parser.parse_expression())
        found: list[nodes.Node] = [self._output("_begin", [name, cond, nodes.Const(spots.line(line))], line)]
        when: nodes.Expr = nodes.Const("true")
        at = line
        while True:
            body = parser.parse_statements(_ENDS, drop_needle=False)
            call = self.call_method("_variant", [when])
            found.append(nodes.CallBlock(call, [], [], body).set_lineno(at))
            token = next(parser.stream)
            at = token.lineno
            if token.value == "endclaim":
                return [*found, self._output("_end", [], token.lineno)]
            plain = parser.stream.current.type == "block_end"
            when = nodes.Const("false") if plain else parser.parse_expression()

    def _output(self, method: str, arguments: list[nodes.Expr], line: int) -> nodes.Node:
        call = nodes.MarkSafe(self.call_method(method, arguments))
        return nodes.Output([call]).set_lineno(line)

    def _begin(self, name: object, cond: object, line: int) -> str:
        desk, name = self.environment.desk, resolved(name)
        if desk.open:
            desk.fail(f"claim '{name}' stands inside claim '{desk.open.name}'", line=line, near=named(str(name)))
        if not isinstance(name, str) or not name:
            if not isinstance(name, Bad):
                desk.fail("a claim has no name", 'write {% claim "name", condition %}', line, near=_TAG)
            name = ""
        elif not re.fullmatch(r"[\w.-]+", name):
            right = re.sub(r"[^\w.-]+", "-", name).strip("-") or "name"
            desk.fail(f"'{name}' is no name of a claim", f'write {{% claim "{right}", ...', line, near=named(name))
        desk.open = OpenClaim(name, line, self._condition(name, cond, line), outer=desk.open, doubtful=desk.doubts > 0)
        if desk.claims.setdefault(name, desk.open) is not desk.open and name:
            message = f"the name of claim '{name}' is taken in line {desk.claims[name].line}"
            desk.fail(message, line=line, near=named(name))
        return desk.put(Mark(desk.open, "open"))

    def _condition(self, name: str, cond: object, line: int) -> Cond | None:
        try:
            return None if cond is None else condition(resolved(cond))
        except AuthorError as error:
            return self.environment.desk.fail(f"claim '{name}': {error.message}", error.hint, line, near=named(name))

    def _variant(self, when: object, caller: Callable[[], Any]) -> str:
        desk = self.environment.desk
        claim = desk.open
        assert claim is not None
        when = resolved(when)
        state, told = str(when), isinstance(when, Bad)
        if not told and state not in ("true", "false", *STATES):
            message = f"claim '{claim.name}': unknown state '{state}'"
            desk.fail(message, nearest(state, STATES), near=Near(f'otherwise "{state}"', 11, 11 + len(state)))
        if not told and state in claim.places:
            message = f"claim '{claim.name}' has two variants for '{state}', the first in line {claim.places[state][0]}"
            desk.fail(message, "delete one of them", near=_OTHERWISE)
        claim.places.setdefault(state, desk.stands()[1:])
        claim.when = state
        text = str(caller())
        claim.variants.append((state, text))
        return Markup(desk.put(Mark(claim, "variant", state)) + text + desk.put(Mark(claim, "end", state)))

    def _end(self) -> str:
        desk = self.environment.desk
        claim = desk.open
        assert claim is not None
        desk.open = claim.outer
        return desk.put(Mark(claim, "close"))


def named(name: str) -> Near:
    """Return where a claim's name stands in its tag."""
    return Near(f'claim "{name}"', 7, 7 + len(name)) if name else Near('claim ""', 6, 8)


def whole(claim: OpenClaim) -> Cond | None:
    """Return the claim's condition with those of its words; None where it has none."""
    return _joined(claim, claim.spoken)


def _joined(claim: OpenClaim, spoken: Iterable[Spoken]) -> Cond | None:
    parts = [claim.cond, *(one.words.cond for one in spoken)]
    given = [part for part in parts if part is not None]
    return join("and", given) if given else None


def check(desk: Desk, claim: OpenClaim) -> None:
    """Note what is wrong with a claim: no condition, live numbers with a pinned one, or not true at build."""
    cond = whole(claim)
    if claim.doubtful:
        return
    if cond is None:
        if not claim.name or claim.unsure:
            return  # what stands in the place of the name is the condition, or words were told
        _note(desk, claim, "has no condition", "give it one, or bound words in its sentence")
        return
    if cond.bad:
        return
    if not unmark(claim.variants[0][1])[0].strip() and claim.name not in desk.mended:
        _note(desk, claim, "says nothing", "write its sentence before its end")
        return
    numbers = [number for number in desk.numbers if number.claim is claim]
    pinned = not (cond.live or claim.unsure)
    if pinned and any(number.live for number in numbers):
        _note(desk, claim, "holds live numbers, but its condition is pinned", "compare live.* in the condition")
        return
    if pinned and len(claim.variants) > 1:
        _note(desk, claim, "has variants, but its condition is pinned", "they could never be shown")
    if runs_over(claim) and claim.name not in desk.mended:
        _note(desk, claim, "runs over a paragraph", "close it before the blank line")
    false = [one for one in claim.spoken if one.false]
    if false:
        sentence = desk.plain(claim.variants[0][1])
        desk.problems += [one.problem(claim.name, sentence) for one in false]
    _judge(desk, claim, _joined(claim, [one for one in claim.spoken if one not in false]) if false else cond)


def _judge(desk: Desk, claim: OpenClaim, cond: Cond | None) -> None:
    """Note a claim whose condition is not true, but for words that were told."""
    holds = True if cond is None else cond.holds()
    if cond is not None and holds is not True:
        on = resting(*cond.sides())
        says = f"claim '{claim.name}' {verdict(desk, claim, cond, holds, on)}"
        near = named(claim.name)
        desk.problems.append(Problem(desk.path, claim.line, 0, says, near=near, rests=on.rows, broad=on.broad))


def runs_over(claim: OpenClaim) -> bool:
    """Say whether a blank line stands in a claim's sentence."""
    return any(re.search(r"\n[ \t]*\n", unmark(text)[0]) for _, text in claim.variants)


def _note(desk: Desk, claim: OpenClaim, message: str, hint: str = "") -> None:
    said = f"claim '{claim.name}' {message}"
    desk.problems.append(Problem(desk.path, claim.line, 0, said, hint, near=named(claim.name)))


def verdict(desk: Desk, claim: OpenClaim, cond: Cond, holds: bool | None, on: Resting) -> str:
    """Return what a false or undecided claim is told: condition, values, sentence, the rows behind the values."""
    word = "is false" if holds is False else "is undecided"
    failed = _failing(cond)
    borne = f"{RESTING}{', '.join(on.rows)}." if on.rows else ""
    return f'{word}: {failed.say()}; {_sides(failed)}. Sentence: "{desk.plain(claim.variants[0][1])}"{borne}'


def _failing(cond: Cond) -> Cond:
    """Return the part of a conjunction that is not true, where only one is not."""
    if isinstance(cond, Join) and cond.op == "and":
        parts = [part for part in cond.parts if part.holds() is not True]
        if len(parts) == 1:
            return _failing(parts[0])
    return cond


def _sides(cond: Cond) -> str:
    """Return the values of the numbers that a condition compares, typed ones left out."""
    return "; ".join({num.say(): valued(num) for num in cond.sides() if not _typed(num)}.values())


def _typed(num: Num) -> bool:
    return num.say().replace(".", "").isdigit()
