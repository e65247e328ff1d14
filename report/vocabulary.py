"""The checked vocabulary: words about numbers, each with what it asserts; what may be counted; names with digits.

Read from content/vocabulary.yaml. A word's `holds` is a condition over its arguments, kept as the text that a reader
may open and evaluated here by walking its syntax tree: arithmetic, comparisons, and, or, not; nothing else.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import yaml

from model.units import UnknownUnit, split
from report import rounding, shown, values, yamlgrammar, yamlnodes
from report.asking import AuthorError
from report.conditions import BAD, Cond, condition, join, negate
from report.errors import BuildError, Problem
from report.keys import judged
from report.numbers import Const, Num, number, quantity
from report.shown import Shown, Words
from report.yamlpieces import unfounded

_LISTS = ("comparatives", "terms", "numerals")
_KEYS = ("words", "counted", *_LISTS)


@dataclass(frozen=True)
class Word:
    """A phrase, its arguments, and the condition that it asserts of them."""

    name: str
    phrase: str
    takes: tuple[str, ...]
    holds: str
    says: str
    rounds: int | None = None

    def __call__(self, *arguments: object) -> Words:
        """Return the words bound to their condition on the arguments; further ones repeat the last: all must hold."""
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
        cond = join("and", [_evaluate(tree, dict(zip(self.takes, [*fixed, num], strict=True))) for num in last])
        return Words(self.name, tuple(self._fill(texts)), cond, cond.live, self.says, tuple(nums))

    def _rounding(self, num: Num) -> Words:
        """Return the words around the number itself, rounded: they can fail nowhere."""
        needs = str(num.unit) in rounding.NEEDS_PREFIX
        printed = (shown.qty if needs else shown.sig)(num, self.rounds or 1)
        return Words(self.name, tuple(self._fill({"n": printed})), None, num.live, self.says, (num,))

    def _fill(self, values: Mapping[str, str | Shown]) -> Iterator[str | Shown]:
        """Yield the parts of the phrase with the arguments put in."""
        for index, part in enumerate(re.split(r"\{(\w+)\}", self.phrase)):
            if part:
                yield values[part] if index % 2 else part


@dataclass(frozen=True)
class Vocabulary:
    """Everything that content/vocabulary.yaml holds."""

    words: Mapping[str, Word] = field(default_factory=dict)
    counted: Mapping[str, tuple[rounding.Label, str]] = field(default_factory=dict)
    comparatives: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    numerals: tuple[str, ...] = ()


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


def _evaluate(node: ast.expr, names: Mapping[str, Num]) -> Num | Cond:
    """Return what a condition's syntax tree comes to on the arguments; raise AuthorError for other syntax."""
    match node:
        case ast.Name():
            return names[node.id]
        case ast.Constant(value=int() | float()):
            return number(node.value)
        case ast.BinOp(op=op) if type(op) in _SIGNS:
            left, right = number(_evaluate(node.left, names)), number(_evaluate(node.right, names))
            return _binary(_SIGNS[type(op)], left, right)
        case ast.Compare():
            return _chain(node, names)
        case ast.BoolOp():
            word = "and" if isinstance(node.op, ast.And) else "or"
            return join(word, [_evaluate(part, names) for part in node.values])
        case ast.UnaryOp(op=ast.Not()):
            return negate(_evaluate(node.operand, names))
    raise AuthorError(f"'{ast.unparse(node)}' is not arithmetic or a comparison")


def _chain(node: ast.Compare, names: Mapping[str, Num]) -> Cond:
    sides = [number(_evaluate(part, names)) for part in (node.left, *node.comparators)]
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


def load(file: Path, path: str = "content/vocabulary.yaml") -> Vocabulary:
    """Return the vocabulary of a file; raise BuildError with every mistake in it."""
    top, problems, lost, _ = yamlgrammar.read(file, path, _KEYS)
    if top is None:
        raise BuildError(problems)
    return _Reader(path, top, problems, lost).vocabulary()


class _Reader:
    """Reads the file's nodes into records and collects what is wrong with them."""

    def __init__(self, path: str, top: yaml.MappingNode, problems: list[Problem], lost: Sequence[str]) -> None:
        self.path, self.top, self.problems, self.lost = path, yamlnodes.entries(top), problems, lost

    def vocabulary(self) -> Vocabulary:
        for key, hint in judged(self.top, _KEYS).unknown.items():
            self.fail(self.top[key][0], f"unknown key '{key}'", hint or values.one_of(_KEYS))
        words = {name: self.word(name, node) for name, node in self.maps("words")}
        counted = {name: self.count(name, node) for name, node in self.maps("counted")}
        lists = [self.texts(key, self.top[key][1]) if key in self.top else () for key in _LISTS]
        for part in self.parts("numerals"):
            self.whole(part, "numerals", 10**9)
        if self.problems:
            raise BuildError(unfounded(self.problems, self.lost))
        return Vocabulary(words, counted, *lists)

    def fail(self, node: yaml.Node, message: str, hint: str = "", word: str = "") -> None:
        """Note a mistake at a node, or at a word of it."""
        self.problems.append(yamlnodes.within(self.path, node, word).problem(message, hint))

    def maps(self, key: str) -> Iterator[tuple[str, yaml.MappingNode]]:
        """Yield the named mappings under a key of the file."""
        _, node = self.top.get(key, (None, None))
        for name, (at, value) in (yamlnodes.entries(node) if isinstance(node, yaml.MappingNode) else {}).items():
            if isinstance(value, yaml.MappingNode):
                yield name, value
            else:
                self.fail(at, f"'{name}' is not a mapping", "write {key: value, ...}")

    def parts(self, key: str) -> list[yaml.Node]:
        """Return the parts of a list at the top of the file."""
        _, node = self.top.get(key, (None, None))
        return list(node.value) if isinstance(node, yaml.SequenceNode) else []

    def texts(self, key: str, node: yaml.Node) -> tuple[str, ...]:
        """Return the texts of a list."""
        if not isinstance(node, yaml.SequenceNode):
            self.fail(node, f"'{key}' is {yamlnodes.kind(node)}, but a list is wanted", yamlnodes.listed(node))
            return ()
        for part in node.value:
            if not isinstance(part, yaml.ScalarNode):
                self.fail(part, f"'{key}' holds {yamlnodes.kind(part)}, but texts are wanted")
        return tuple(str(part.value) for part in node.value)

    def fields(
        self, name: str, node: yaml.MappingNode, wanted: tuple[str, ...], more: tuple[str, ...] = ()
    ) -> dict[str, yaml.Node]:
        """Return the values of a mapping by key; none of them where a key is unknown, missing or without text."""
        found = yamlnodes.entries(node)
        wrong = judged(found, (*wanted, *more), wanted)
        for key, hint in wrong.unknown.items():
            self.fail(found[key][0], f"'{name}': unknown key '{key}'", hint or values.one_of((*wanted, *more)))
        for key in wrong.missing:
            self.fail(node, f"'{name}' has no '{key}'")
        odd = {key: value for key, (_, value) in found.items() if key != "takes" and not _is_text(value)}
        for key, value in odd.items():
            what = "empty" if isinstance(value, yaml.ScalarNode) else yamlnodes.kind(value)
            self.fail(value, f"'{name}': '{key}' is {what}, but text is wanted")
        return {} if wrong.unknown or wrong.missing or odd else {key: value for key, (_, value) in found.items()}

    def word(self, name: str, node: yaml.MappingNode) -> Word:
        """Return a word, which stands for nothing where something is wrong with it."""
        own = self.fields(name, node, ("phrase", "takes", "holds", "says"), ("rounds",))
        if not own:
            return Word(name, "", (), "", "")
        takes, phrase = self.texts(f"{name}': 'takes", own["takes"]), str(own["phrase"].value)
        odd = [part for part in takes if not part.isidentifier()]
        if odd:
            hint = f"write [{', '.join(odd[0].split())}]" if " " in odd[0] else ""
            self.fail(own["takes"], f"'{name}': '{odd[0]}' is no name of an argument", hint)
        elif takes:
            for part in re.findall(r"\{(\w+)\}", phrase):
                if part not in takes:
                    said = f"'{name}': the phrase prints '{part}', which it does not take"
                    self.fail(own["phrase"], said, _takes(takes), part)
            self.condition(name, own["holds"], takes)
        rounds = self.whole(own["rounds"], f"{name}': 'rounds", 6) if "rounds" in own else None
        return Word(name, phrase, takes, str(own["holds"].value), str(own["says"].value), rounds)

    def condition(self, name: str, node: yaml.Node, takes: tuple[str, ...]) -> None:
        """Note what is wrong with what a word asserts of its arguments."""
        said = f"'{name}': '{node.value}' is no condition"
        try:
            condition(_evaluate(ast.parse(node.value, mode="eval").body, {part: Const(1.0) for part in takes}))
        except SyntaxError:
            self.fail(node, said, "write it as 0.9 <= x / n <= 1.1, with <, <=, > or >=")
        except KeyError as error:
            self.fail(node, f"'{name}': '{error.args[0]}' is none of its arguments", _takes(takes), error.args[0])
        except AuthorError as error:
            self.fail(node, f"{said}: {error}")

    def whole(self, node: yaml.Node, name: str, high: int) -> int | None:
        """Return a whole number from 1 on; None where it is none."""
        try:
            return int(values.number(node, int, {"low": 1, "high": high}))
        except ValueError as error:
            message, _, hint = str(error).partition("; ")
            self.fail(node, f"'{name}': {message}", hint)
            return None

    def count(self, name: str, node: yaml.MappingNode) -> tuple[rounding.Label, str]:
        """Return how something counted is called and the unit that it has."""
        own = self.fields(name, node, ("many", "unit"))
        if not own:
            return rounding.Label(name, name), ""
        text, unit = str(own["unit"].value), ""
        try:
            measured, factor = split(text)
            unit = str(measured)
        except UnknownUnit as error:
            message, _, hint = str(error).partition("; ")
            self.fail(own["unit"], f"'{name}': {message}", hint, message.split("'")[1])
        else:
            if factor != 1:
                said = f"'{name}': what is counted is one of its kind, not {factor:g} {unit} as in '{text}'"
                self.fail(own["unit"], said, f"write {unit}")
        return rounding.Label(name, str(own["many"].value)), unit


def _is_text(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and bool(node.value)


def _takes(takes: tuple[str, ...]) -> str:
    return f"it takes {', '.join(takes)}"
