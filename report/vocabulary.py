"""The checked vocabulary: words about numbers, each with what it asserts; what may be counted; names with digits.

A word's `holds` is a condition over its arguments, kept as the text that a reader may open and evaluated here by
walking its syntax tree: arithmetic, comparisons, and, or, not; nothing else. Leaves out: how content/vocabulary.yaml is
read (report/wordlist.py).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from report import rounding, shown
from report.asking import AuthorError
from report.conditions import BAD, Bad, Cond, join, negate
from report.numbers import Const, Num, number, quantity
from report.shown import Shown, Words


@dataclass(frozen=True)
class Word:
    """A phrase, its arguments, and the condition that it asserts of them.

    One with a mistake in it takes nothing, and every call of it stands for that mistake.
    """

    name: str
    phrase: str = ""
    takes: tuple[str, ...] = ()
    holds: str = ""
    says: str = ""
    rounds: int | None = None

    def __call__(self, *arguments: object) -> Words | Bad:
        """Return the words bound to their condition on the arguments; further ones repeat the last: all must hold."""
        if not self.takes:
            return BAD
        if len(arguments) == 1 < len(self.takes) and self.rounds:
            return self._rounding(number(arguments[0]))
        if len(arguments) < len(self.takes):
            raise AuthorError(f"'{self.name}' takes {len(self.takes)} arguments ({', '.join(self.takes)})")
        nums = _alike(arguments)
        if any(num.bad for num in nums):
            return Words(self.name, (), BAD, False, self.says)
        texts = {name: _text(num) for name, num in zip(self.takes, nums, strict=False)}
        fixed, last = nums[: len(self.takes) - 1], nums[len(self.takes) - 1 :]
        tree = ast.parse(self.holds, mode="eval").body
        cond = join("and", [evaluate(tree, dict(zip(self.takes, [*fixed, num], strict=True))) for num in last])
        return Words(self.name, tuple(self._fill(texts)), cond, cond.live, self.says, tuple(nums))

    def _rounding(self, num: Num) -> Words:
        """Return the words around the number itself, rounded: they can fail nowhere."""
        needs = str(num.unit) in rounding.NEEDS_PREFIX
        printed = (shown.qty if needs else shown.sig)(num, self.rounds or 1)
        return Words(
            self.name, tuple(self._fill(dict.fromkeys(self.takes, printed))), None, num.live, self.says, (num,)
        )

    def _fill(self, values: Mapping[str, str | Shown]) -> Iterator[str | Shown]:
        """Yield the parts of the phrase with the arguments put in."""
        for index, part in enumerate(re.split(r"\{(\w+)\}", self.phrase)):
            if part:
                yield values[part] if index % 2 else part


@dataclass(frozen=True)
class Vocabulary:
    """Everything that content/vocabulary.yaml holds, as far as it could be read.

    counted gives for each thing how it is called, and its unit; '' where something is wrong with it. lost are the words
    of what could not be read: any of them may be a name. unknown names the other fields of which nothing is known.
    """

    words: Mapping[str, Word] = field(default_factory=dict)
    counted: Mapping[str, tuple[rounding.Label, str]] = field(default_factory=dict)
    comparatives: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    numerals: tuple[str, ...] = ()
    lost: frozenset[str] = frozenset()
    unknown: frozenset[str] = frozenset()

    def may_hold(self, name: str, kind: str) -> bool:
        """Tell whether a name of words or of what is counted may stand in what could not be read."""
        parts = re.findall(r"\w+", name)
        return kind in self.unknown or (bool(parts) and self.lost.issuperset(parts))


def _alike(arguments: tuple[object, ...]) -> list[Num]:
    """Return the arguments as numbers; a bare number takes the unit of its partner, one in quotes is read in it."""
    unit = next((value.unit for value in arguments if isinstance(value, Num) and value.unit is not None), None)
    nums = [quantity(value, unit) if isinstance(value, str) else number(value) for value in arguments]
    return [replace(num, unit=unit) if isinstance(num, Const) and num.unit is None else num for num in nums]


def _text(num: Num) -> str:
    """Return an argument as the phrase prints it; only typed numbers are printed."""
    if not isinstance(num, Const):
        return ""
    return num.text.replace(" ", rounding.NBSP) or rounding.typed(num.number)


_SIGNS: Mapping[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


def evaluate(node: ast.expr, names: Mapping[str, Num]) -> Num | Cond:
    """Return what a condition's syntax tree comes to on the arguments; raise AuthorError for other syntax."""
    match node:
        case ast.Name():
            return names[node.id]
        case ast.Constant(value=int() | float()):
            return number(node.value)
        case ast.BinOp(op=op) if type(op) in _SIGNS:
            left, right = number(evaluate(node.left, names)), number(evaluate(node.right, names))
            return _binary(_SIGNS[type(op)], left, right)
        case ast.Compare():
            return _chain(node, names)
        case ast.BoolOp():
            word = "and" if isinstance(node.op, ast.And) else "or"
            return join(word, [evaluate(part, names) for part in node.values])
        case ast.UnaryOp(op=ast.Not()):
            return negate(evaluate(node.operand, names))
    raise AuthorError(f"'{ast.unparse(node)}' is not arithmetic or a comparison")


def _chain(node: ast.Compare, names: Mapping[str, Num]) -> Cond:
    sides = [number(evaluate(part, names)) for part in (node.left, *node.comparators)]
    pairs = zip(node.ops, sides, sides[1:], strict=False)
    return join("and", [_binary(_sign(op), left, right) for op, left, right in pairs])


def _sign(op: ast.cmpop) -> str:
    if type(op) not in _SIGNS:
        raise AuthorError("a condition compares with <, <=, > or >=")
    return _SIGNS[type(op)]


def _binary(sign: str, left: Num, right: Num) -> Num | Cond:
    match sign:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
    return left >= right
