"""One row of a catalogue, from YAML nodes to a record of the model.

The record's own field types and metadata say what is wanted (see model/figure.py). A mistake is noted and reading
goes on; the value BAD stands for what could not be read, and a record with a BAD part is BAD.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple

import yaml

from model.figure import Figure, Source
from model.records import Catalogue
from report import values, yamlnodes
from report.errors import Problem, nearest
from report.keys import judged, lacking
from report.yamlnodes import At, entries, place

BAD: Any = type("Bad", (), {"__repr__": lambda self: "BAD"})()
_NOTHING: Mapping[str, Any] = types.MappingProxyType({})
_CITES = ("source", "sources", "src", "ref", "refs", "cite", "cites", "by")
_ADDRESS = re.compile(r"https?://[^/\s]+\.[^/\s]+(/\S*)?")


class Reference(NamedTuple):
    """A word that must be the id of a row elsewhere, checked when all files are read."""

    to: str
    word: str
    at: At
    row: str


class Slot(NamedTuple):
    """A field of a record: its name and key, its type without the option of being absent, its metadata."""

    name: str
    key: str
    type: Any
    meta: Mapping[str, Any]
    required: bool


@cache
def slots(record: type) -> tuple[Slot, ...]:
    """Return the fields of a record that an author writes."""
    hints = typing.get_type_hints(record)
    found = []
    for item in dataclasses.fields(record):
        if "filled" in item.metadata:
            continue
        bare = item.default is dataclasses.MISSING and item.default_factory is dataclasses.MISSING
        key = item.metadata.get("key", item.name)
        found.append(Slot(item.name, key, _present(hints[item.name]), item.metadata, bare))
    return tuple(found)


@cache
def _known(record: type) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the keys of a record, and those that it must have."""
    every = slots(record)
    return frozenset(slot.key for slot in every), tuple(slot.key for slot in every if slot.required)


def _present(hint: Any) -> Any:
    """Return X for X | None: absence is said by leaving the key out."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        return next(part for part in typing.get_args(hint) if part is not type(None))
    return hint


@dataclass
class Reader:
    """Reads the rows of one file; problems and references gather here."""

    path: str
    problems: list[Problem]
    references: list[Reference]

    def __post_init__(self) -> None:
        self.shared: dict[str, Source] = {}
        self.called = ""
        self.known: dict[str, Source] = {}
        self.fields: tuple[str, ...] = ()
        self.cites: set[str] = set()

    def fail(self, node: yaml.Node, message: str, hint: str = "", word: str = "") -> Any:
        """Note a mistake at a node, or at a word of it, and return BAD."""
        prefix = f"{self.called}: " if self.called else ""
        self.problems.append(yamlnodes.within(self.path, node, word).problem(prefix + message, hint))
        return BAD

    def share(self, node: yaml.Node) -> None:
        """Read the works that several rows of the file cite."""
        found = self.mapping(node, str, Source, _NOTHING, "sources")
        self.shared = unread(node) if found is BAD else found

    def row(self, node: yaml.MappingNode, record: type, called: str) -> Any:
        """Return the record of one row, or BAD; `called` is what messages call it."""
        self.called, self.cites = called, set()
        self.fields = tuple(slot.key for slot in slots(record))
        keys = entries(node)
        own = keys.get("sources")
        mine = self.mapping(own[1], str, Source, _NOTHING, "sources") if own else {}
        broken = mine is BAD
        meant = own or keys.get(judged(keys, self.fields).meant.get("sources", ""))
        self.known = self.shared | (unread(meant[1]) if meant and (broken or not own) else mine)
        found = self.record(node, record, _NOTHING, skip=("sources",))
        self.called = ""
        if found is BAD or broken:
            return BAD
        cited = {key: source for key, source in self.known.items() if key in self.cites or key in mine}
        return dataclasses.replace(found, sources=cited)

    def alone(self, node: yaml.MappingNode, record: type, called: str) -> tuple[Any, list[Problem], list[Reference]]:
        """Return the record of one row, or BAD, with what is wrong in it and what it refers to."""
        own = Reader(self.path, [], [])
        own.shared = self.shared
        return own.row(node, record, called), own.problems, own.references

    def record(self, node: yaml.Node, record: type, meta: Mapping[str, Any], skip: tuple[str, ...] = ()) -> Any:
        """Return the record of a mapping; `meta` is what its owner says of units and bounds."""
        if not isinstance(node, yaml.MappingNode):
            what = f"{yamlnodes.kind(node)} where a mapping is wanted"
            return self.fail(node, what, _whole(node, record) or _keys(record))
        keys = entries(node)
        given: dict[str, Any] = {}
        known, wanted = _known(record)
        wrong = judged(keys, known, [key for key in wanted if key not in skip])
        sunk = self.sunk(keys, record, wrong.unknown)
        for key, hint in wrong.unknown.items() if not sunk else ():
            self.fail(keys[key][0], f"unknown key '{key}'", hint or self.elsewhere(key, record) or _keys(record))
        if wrong.missing:
            self.fail(node, lacking(wrong.missing))
        for slot in slots(record):
            if slot.key in skip:
                given[slot.name] = {}
            elif slot.key == sunk:
                given[slot.name] = BAD
            elif slot.key in keys and yamlnodes.empty(keys[slot.key][1]):
                hint = "write what belongs there" + ("" if slot.required else ", or leave the key out")
                given[slot.name] = self.fail(keys[slot.key][1], f"'{slot.key}' is empty", hint)
            elif slot.key in keys:
                given[slot.name] = self.value(keys[slot.key][1], slot.type, inherit(slot.meta, meta), slot.key)
        if wrong.unknown or wrong.missing or any(value is BAD for value in given.values()):
            return BAD
        return self.build(node, record, given, meta)

    def sunk(self, keys: Mapping[str, Any], record: type, unknown: Mapping[str, str]) -> str:
        """Return the key whose parts stand beside it and not below it, once that is noted; '' where there is none."""
        for slot in slots(record) if unknown else ():
            inner = isinstance(slot.type, type) and dataclasses.is_dataclass(slot.type) and slot.key in keys
            if inner and yamlnodes.empty(keys[slot.key][1]) and set(unknown) <= _known(slot.type)[0]:
                hint = f"indent {', '.join(unknown)} deeper than '{slot.key}'"
                self.fail(keys[slot.key][0], f"'{slot.key}' is empty, and what belongs to it stands beside it", hint)
                return slot.key
        return ""

    def elsewhere(self, key: str, record: type) -> str:
        """Return where a key belongs that is none here: in the row around, in a number of the row, in another kind."""
        if key in _CITES and "from" in _known(record)[0]:
            return "did you mean 'from'?"
        if key == "unit" and issubclass(record, Figure):
            return "the unit stands behind the number, as in 'value: 3.35 TB/s'"
        rows = {slot.key: typing.get_args(slot.type)[1] for slot in slots(Catalogue)}
        if record not in rows.values():
            deep = f"'{key}' is a key of the row itself: is it indented too deep, or does a brace close too late?"
            return deep if key in self.fields else ""
        if key in _known(Figure)[0]:
            return f"'{key}' belongs to one of the row's numbers, as in {{value: ..., {key}: ...}}"
        kinds = [kind for kind, row in rows.items() if key in _known(row)[0]]
        return f"'{key}' is a key of {' and '.join(kinds)}" if kinds else ""

    def build(self, node: yaml.Node, record: type, given: dict[str, Any], meta: Mapping[str, Any]) -> Any:
        """Return the record of values that are each in order; a figure gets its text and its unit."""
        if not issubclass(record, Figure):
            return record(**given)
        written = entries(node)["value"][1].value  # type: ignore[arg-type]  # a record's node is a mapping
        made = record(**given, text=written, unit=values.quantity(written, meta["unit"])[1])
        for end in [one for one in ("low", "high") if meta["unit"] == "any" and getattr(made, one) is not None]:
            if wrong := values.other_unit(_at(node, end), made.unit):
                return self.fail(_at(node, end), f"'{end}' {wrong}")
        low, high = made.range
        if not low <= made.value <= high:
            end, side = ("low", "above") if made.value < low else ("high", "below")
            return self.fail(_at(node, end), f"its value {written} is outside low to high: '{end}' is {side} it")
        if made.candidates and not made.chosen:
            return self.fail(_at(node, "candidates"), "it has candidates; say under 'chosen' why this value is taken")
        if not made.sources and made.status != "estimate":
            said = f"a {made.status} number needs 'from', the keys of the sources that bear it"
            return self.fail(_at(node, "from"), said)
        return made

    def value(self, node: yaml.Node, wanted: Any, meta: Mapping[str, Any], key: str) -> Any:
        """Return what a field holds, or BAD."""
        origin = typing.get_origin(wanted)
        if origin is tuple:
            return self.list(node, typing.get_args(wanted)[0], meta, key)
        if origin is not None and origin is not Literal:
            keys, values = typing.get_args(wanted)
            return self.mapping(node, keys, values, meta, key)
        if dataclasses.is_dataclass(wanted) and isinstance(wanted, type):
            return self.record(node, wanted, meta)
        try:
            return self.scalar(node, wanted, meta)
        except ValueError as error:
            message, _, hint = str(error).partition("; ")
            return self.fail(node, f"'{key}': {message}", hint, _quoted(message))

    def list(self, node: yaml.Node, wanted: Any, meta: Mapping[str, Any], key: str) -> Any:
        """Return the tuple of a list's values, or BAD."""
        if not isinstance(node, yaml.SequenceNode):
            return self.fail(node, f"'{key}' is {yamlnodes.kind(node)}, but a list is wanted", yamlnodes.listed(node))
        found = tuple(self.value(child, wanted, meta, key) for child in node.value)
        return BAD if any(value is BAD for value in found) else found

    def mapping(self, node: yaml.Node, keys: Any, wanted: Any, meta: Mapping[str, Any], key: str) -> Any:
        """Return the dict of a mapping with free keys, or with those that a Literal or the row's fields list."""
        if not isinstance(node, yaml.MappingNode):
            return self.fail(node, f"'{key}' is {yamlnodes.kind(node)}, but a mapping is wanted")
        allowed = self.fields if meta.get("refs") == "fields" else typing.get_args(keys)
        given = entries(node)
        unknown = judged(given, allowed).unknown if allowed else {}
        for name, hint in unknown.items():
            self.fail(given[name][0], f"'{key}': unknown key '{name}'", hint or values.one_of(allowed))
        found = {name: self.value(child, wanted, without_refs(meta), name) for name, (_, child) in given.items()}
        return BAD if unknown or any(value is BAD for value in found.values()) else found

    def scalar(self, node: yaml.Node, wanted: Any, meta: Mapping[str, Any]) -> Any:
        """Return a single value; raise ValueError with a reason, and a hint after a semicolon."""
        if typing.get_origin(wanted) is Literal:
            word = str(node.value) if isinstance(node, yaml.ScalarNode) else yamlnodes.text(node)
            return values.word(word, typing.get_args(wanted), meta)
        if wanted is bool:
            return yamlnodes.flag(node)
        if wanted is str:
            return self.words(node, meta)
        return values.number(node, wanted, meta)

    def words(self, node: yaml.Node, meta: Mapping[str, Any]) -> str:
        """Return a text, having checked or noted what it refers to."""
        found = yamlnodes.text(node)
        to = meta.get("refs")
        if to == "sources":
            if found not in self.known:
                raise ValueError(f"unknown source '{found}'; {nearest(found, self.known) or values.one_of(self.known)}")
            self.cites.add(found)
        elif to:
            self.references.append(Reference(to, found, place(self.path, node), self.called))
        elif meta.get("is") == "unit":
            values.unit(found)
        elif meta.get("is") == "address" and not _ADDRESS.fullmatch(found):
            right = "an address holds no blanks" if " " in found else "write https://..."
            raise ValueError(f"'{found}' is no address; {right}")
        return found


def _quoted(message: str) -> str:
    """Return the word that a message is about."""
    return message.partition("'")[2].partition("'")[0]


def _at(node: yaml.Node, key: str) -> yaml.Node:
    """Return the value of a key, or the mapping that lacks it."""
    return entries(node).get(key, (node, node))[1] if isinstance(node, yaml.MappingNode) else node


def unread(node: yaml.Node) -> dict[str, Any]:
    """Return sources that are known by their keys alone, as they could not be read: one mistake is told once."""
    if isinstance(node, yaml.SequenceNode):
        return {key: BAD for part in node.value for key in (unread(part) or {str(part.value): BAD})}
    return dict.fromkeys(entries(node), BAD) if isinstance(node, yaml.MappingNode) else {}


def inherit(own: Mapping[str, Any], owner: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a field's metadata; a number that is the quantity of its owner takes the owner's unit and bounds."""
    return owner if own.get("quantity") or not own else own


def without_refs(meta: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the metadata for what stands under the keys of a mapping: they refer to something, their values do not."""
    return {name: value for name, value in meta.items() if name != "refs"}


def _whole(node: yaml.Node, record: type) -> str:
    """Return the hint for a number that stands alone where its status and its sources belong beside it."""
    alone = isinstance(node, yaml.ScalarNode) and issubclass(record, Figure) and node.value[:1].isdigit()
    return f"write {{value: {node.value}, status: ..., from: [...]}}" if alone else ""


def _keys(record: type) -> str:
    return "its keys are " + ", ".join(slot.key for slot in slots(record))
