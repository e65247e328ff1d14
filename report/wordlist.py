"""The file content/vocabulary.yaml, read into the checked vocabulary (report/vocabulary.py) as far as it can be.

A word with a mistake in it stands for nothing; what could not be read at all may be a name, a term or a numeral, so
that prose is told of none of these, and of all else.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import yaml

from model.units import UnknownUnit, split
from report import rounding, values, yamlgrammar, yamlnodes
from report.asking import AuthorError
from report.conditions import condition
from report.errors import BuildError, Problem
from report.keys import judged, lacking
from report.numbers import Const
from report.vocabulary import Vocabulary, Word, evaluate
from report.yamlgrammar import Read
from report.yamlpieces import defined, unfounded

_MAPS = ("words", "counted")
_LISTS = ("comparatives", "terms", "numerals")
_KEYS = (*_MAPS, *_LISTS)
_WORD = ("phrase", "takes", "holds", "says")
_COUNT = ("many", "unit")
_HIGHEST = 10**9  # of the numerals that a formula may hold
_DIGITS = 6  # to which a word may round
_APART = r"[,:#\[\]{}\"']"  # what stands between the texts of a list, well-formed or not
_WHOLE = re.compile(r"(?<![\w.])\d[\d,]*(?!\.?\w)")  # a number, or a few with only commas between them


def load(file: Path, path: str = "content/vocabulary.yaml") -> Vocabulary:
    """Return the vocabulary of a file; raise BuildError with every mistake in it."""
    found, problems = read(file, path)
    if problems:
        raise BuildError(problems)
    return found


def read(file: Path, path: str) -> tuple[Vocabulary, tuple[Problem, ...]]:
    """Return the vocabulary of a file as far as it could be read, and every mistake in it."""
    text, problems = yamlgrammar.decoded(file, path)
    if text is None:
        return Vocabulary(unknown=frozenset(_KEYS)), tuple(problems)
    found = yamlgrammar.composed(text, path, _KEYS)
    if found.top is None:
        return _doubtful(Vocabulary(), [text]), tuple(found.problems)
    lines = ["", *text.split("\n")]
    reader = _Reader(path, found, found.top)
    known = reader.vocabulary()
    lost = [*found.lost, *reader.unread, *(lines[problem.line] for problem in found.problems)]
    return _doubtful(known, lost), tuple(unfounded(reader.problems, found.lost))


def _doubtful(known: Vocabulary, lost: Iterable[str]) -> Vocabulary:
    """Return a vocabulary with what may stand in texts that could not be read: any name, term and numeral."""
    texts = list(lost)
    words = frozenset(word for text in texts for word in re.findall(r"\w+", text))
    parts = (part for text in texts for way in (_APART, rf"{_APART}|\n") for part in re.split(way, text))
    terms = {" ".join(part.split()) for part in parts if re.search(r"\d", part)}
    numbers = [one for text in texts for one in _WHOLE.findall(text)]
    numerals = {part for one in numbers for part in (one.replace(",", ""), *one.split(","))} - {""}
    return replace(
        known, terms=(*known.terms, *sorted(terms)), numerals=(*known.numerals, *sorted(numerals)), lost=words
    )


class _Reader:
    """Reads the file's nodes into records; collects what is wrong with them, and the texts that are of no use."""

    def __init__(self, path: str, found: Read, top: yaml.MappingNode) -> None:
        self.path, self.top = path, yamlnodes.entries(top)
        self.problems, self.unread = [*found.problems], list[str]()
        self.lost, self.unknown = defined(found.lost), set[str]()
        self.amiss = found.torn.union(problem.line - 1 for problem in found.problems)
        for key, node in top.value:
            if node is not self.top[key.value][1]:
                self.pass_over(node)  # of a doubled key

    def vocabulary(self) -> Vocabulary:
        """Return all that the file holds and that makes sense."""
        self.keys()
        words = {name: self.word(name, *nodes) for name, nodes in self.entries("words")}
        counted = {name: self.count(name, *nodes) for name, nodes in self.entries("counted")}
        compared, terms, numerals = (self.parts(key, self.top[key][1]) if key in self.top else [] for key in _LISTS)
        whole = [part for part in numerals if self.whole(part, "numerals", _HIGHEST)]
        return Vocabulary(
            words, counted, _texts(compared), _texts(terms), _texts(whole), unknown=frozenset(self.unknown)
        )

    def keys(self) -> None:
        """Note what is wrong with the keys of the file; one that is misspelt is read as what it was meant to be.

        Of a missing one nothing is known, and of none where the file is cut short.
        """
        wrong = judged(self.top, _KEYS, _KEYS)
        odd = [key for key in wrong.unknown if key not in wrong.meant.values()]
        free = [key for key in wrong.missing if key not in self.lost]
        if len(odd) == len(free) == 1 and self.fits(odd[0], free[0]):
            key = free[0]
            wrong.meant[key], wrong.unknown[odd[0]] = odd[0], f"did you mean '{key}'?"
            odd = []
        for key, hint in wrong.unknown.items():
            self.fail(self.top[key][0], f"unknown key '{key}'", hint or values.one_of(_KEYS))
        for key in odd:
            self.pass_over(self.top[key][1])
        self.top |= {word: self.top[key] for word, key in wrong.meant.items()}
        self.adopt()
        if missing := [key for key in _KEYS if key not in self.top and key not in self.lost]:
            hint = "was a part of the file taken away?" if len(missing) > 1 else ""
            self.problems.append(Problem(self.path, 1, 1, lacking(missing), hint))
            self.unknown.update(missing if len(missing) == 1 else _KEYS)

    def fits(self, key: str, wanted: str) -> bool:
        """Tell whether what stands under a key is of the kind that stands under another."""
        return isinstance(self.top[key][1], yaml.MappingNode if wanted in _MAPS else yaml.SequenceNode)

    def adopt(self) -> None:
        """Read what is counted by itself where it stands below the words, since its key is gone."""
        _, words = self.top.get("words", (None, None))
        if "counted" in self.top or not isinstance(words, yaml.MappingNode):
            return
        there = list(yamlnodes.entries(words).values())
        stray = [(at, node) for at, node in there if isinstance(node, yaml.MappingNode) and _counts(node)]
        if stray:
            at, node = stray[0]
            self.fail(at, "entries begin here without the key they belong to", "is 'counted:' missing above?")
            words.value = [pair for pair in words.value if pair not in stray]
            self.top["counted"] = at, yaml.MappingNode(words.tag, stray, at.start_mark, node.end_mark)

    def fail(self, node: yaml.Node, message: str, hint: str = "", word: str = "") -> None:
        """Note a mistake at a node, or at a word of it."""
        self.problems.append(yamlnodes.within(self.path, node, word).problem(message, hint))

    def pass_over(self, node: yaml.Node, key: str = "") -> None:
        """Note the texts in a node as of no use; where a key of the file has none, nothing is known of it."""
        if key and not node.value and not self.unread:
            self.unknown.add(key)
        if isinstance(node, yaml.ScalarNode):
            self.unread.append(str(node.value))
        for child in node.value if isinstance(node, yaml.CollectionNode) else ():
            for one in child if isinstance(child, tuple) else (child,):
                self.pass_over(one)

    def entries(self, key: str) -> Iterator[tuple[str, tuple[yaml.Node, yaml.MappingNode]]]:
        """Yield the named mappings under a key of the file."""
        _, node = self.top.get(key, (None, None))
        if not isinstance(node, yaml.MappingNode):
            if node is not None:
                self.fail(
                    node, f"'{key}' is {yamlnodes.kind(node)}, but a mapping is wanted", "write name: {key: value}"
                )
                self.pass_over(node, key)
            return
        for name, (at, value) in yamlnodes.entries(node).items():
            if isinstance(value, yaml.MappingNode):
                yield name, (at, value)
            else:
                self.fail(at, f"'{name}' is not a mapping", "write {key: value, ...}")
                self.pass_over(at)

    def parts(self, key: str, node: yaml.Node) -> list[yaml.ScalarNode]:
        """Return the nodes of the texts in a list."""
        if not isinstance(node, yaml.SequenceNode):
            self.fail(node, f"'{key}' is {yamlnodes.kind(node)}, but a list is wanted", yamlnodes.listed(node))
            self.pass_over(node, key)
            return []
        for part in node.value:
            if not _is_text(part):
                held = "an empty text" if isinstance(part, yaml.ScalarNode) else yamlnodes.kind(part)
                self.fail(part, f"'{key}' holds {held}, but texts are wanted")
                self.pass_over(part)
        return [part for part in node.value if _is_text(part)]

    def sound(self, at: yaml.Node, node: yaml.MappingNode, before: int) -> bool:
        """Tell whether nothing is wrong with an entry, which was read when that many mistakes had been found."""
        end = node.end_mark.line + bool(node.flow_style)  # what stands in lines ends where the next entry begins
        return before == len(self.problems) and self.amiss.isdisjoint(range(at.start_mark.line, end))

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

    def word(self, name: str, at: yaml.Node, node: yaml.MappingNode) -> Word:
        """Return a word, which stands for nothing where something is wrong with it."""
        before = len(self.problems)
        if not name.isidentifier():
            right = re.sub(r"\W+", "_", name).strip("_")
            self.fail(at, f"'{name}' is no name that prose can call", f"write {right}" if right.isidentifier() else "")
            self.unread.append(right)
        own = self.fields(name, node, _WORD, ("rounds",))
        if not own:
            return Word(name)
        takes = _texts(self.parts(f"{name}': 'takes", own["takes"]))
        if len(self.problems) == before:
            self.arguments(name, own, takes)
        rounds = self.whole(own["rounds"], f"{name}': 'rounds", _DIGITS) if "rounds" in own else None
        phrase, holds, says = (str(own[key].value) for key in ("phrase", "holds", "says"))
        return Word(name, phrase, takes, holds, says, rounds) if self.sound(at, node, before) else Word(name)

    def arguments(self, name: str, own: Mapping[str, yaml.Node], takes: tuple[str, ...]) -> None:
        """Note what is wrong with the arguments of a word, and with what it prints and asserts of them."""
        odd = [part for part in takes if not part.isidentifier()]
        if odd:
            hint = f"write [{', '.join(odd[0].split())}]" if " " in odd[0] else ""
            self.fail(own["takes"], f"'{name}': '{odd[0]}' is no name of an argument", hint)
        elif not takes:
            self.fail(own["takes"], f"'{name}' takes no argument", "name what it is about, as in [x]")
        else:
            for part in re.findall(r"\{(\w+)\}", str(own["phrase"].value)):
                if part not in takes:
                    said = f"'{name}': the phrase prints '{part}', which it does not take"
                    self.fail(own["phrase"], said, _takes(takes), part)
            self.condition(name, own["holds"], takes)

    def condition(self, name: str, node: yaml.Node, takes: tuple[str, ...]) -> None:
        """Note what is wrong with what a word asserts of its arguments."""
        said = f"'{name}': '{node.value}' is no condition"
        try:
            condition(evaluate(ast.parse(node.value, mode="eval").body, {part: Const(1.0) for part in takes}))
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
            self.pass_over(node)
            return None

    def count(self, name: str, at: yaml.Node, node: yaml.MappingNode) -> tuple[rounding.Label, str]:
        """Return how something counted is called and the unit that it has, '' where something is wrong with it."""
        before = len(self.problems)
        own = self.fields(name, node, _COUNT)
        unit = self.unit(name, own["unit"]) if own else ""
        many = str(own["many"].value) if own else name
        return rounding.Label(name, many), unit if self.sound(at, node, before) else ""

    def unit(self, name: str, node: yaml.Node) -> str:
        """Return the unit of something counted."""
        text = str(node.value)
        try:
            measured, factor = split(text)
        except UnknownUnit as error:
            message, _, hint = str(error).partition("; ")
            self.fail(node, f"'{name}': {message}", hint, message.split("'")[1])
            return ""
        if factor != 1:
            said = f"'{name}': what is counted is one of its kind, not {factor:g} {measured} as in '{text}'"
            self.fail(node, said, f"write {measured}")
        return str(measured)


def _counts(node: yaml.MappingNode) -> bool:
    """Tell whether an entry says how something is counted, and not what a word asserts."""
    found = set(yamlnodes.entries(node))
    return not found.isdisjoint(_COUNT) and found.isdisjoint(_WORD)


def _texts(nodes: Iterable[yaml.Node]) -> tuple[str, ...]:
    return tuple(str(node.value) for node in nodes)


def _is_text(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and bool(node.value)


def _takes(takes: tuple[str, ...]) -> str:
    return f"it takes {', '.join(takes)}"
