"""One row of a catalogue, from YAML nodes to a record of the model.

The record's own field types and metadata say what is wanted (see model/figure.py). A mistake is noted and reading
goes on; the value BAD stands for what could not be read, and a record with a BAD part is BAD.
"""

from __future__ import annotations

import dataclasses
import math
import re
import sys
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple

import yaml

from model.bounds import nearest as nearest_of
from model.bounds import plain, written
from model.figure import Figure, Source
from model.units import parse, split
from report import yamlnodes
from report.errors import Problem, nearest
from report.yamlnodes import At, entries, place

BAD: Any = type("Bad", (), {"__repr__": lambda self: "BAD"})()
_NOTHING: Mapping[str, Any] = types.MappingProxyType({})
_PERCENT = " %"
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


def _present(hint: Any) -> Any:
    """Return X for X | None: absence is said by leaving the key out."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        return next(part for part in typing.get_args(hint) if part is not type(None))
    return hint


@lru_cache(maxsize=4096)
def quantity(text: str, unit: str, bits: bool = True) -> tuple[float, str]:
    """Return a quantity as written, in base units, and the base unit; unit 'any' takes the unit that it finds."""
    if unit == "%":
        if not text.endswith(_PERCENT):
            raise ValueError(f"'{text}' is not a percentage; write it as '41.5 %'")
        return float(parse(text.removesuffix(_PERCENT), split("")[0])) / 100, "1"
    wanted = split(unit if unit != "any" else _unit_of(text))[0]
    return parse(text, wanted, bits=bits), str(wanted)


def _unit_of(text: str) -> str:
    """Return the unit part of a quantity whose dimension the row chooses."""
    _, _, word = text.partition(" ")
    return word


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

    def fail(self, node: yaml.Node, message: str, hint: str = "") -> Any:
        """Note a mistake at a node and return BAD."""
        prefix = f"{self.called}: " if self.called else ""
        self.problems.append(place(self.path, node).problem(prefix + message, hint))
        return BAD

    def share(self, node: yaml.Node) -> None:
        """Read the works that several rows of the file cite."""
        found = self.mapping(node, str, Source, _NOTHING, "sources")
        self.shared = dict.fromkeys(_names(node), BAD) if found is BAD else found

    def row(self, node: yaml.MappingNode, record: type, called: str) -> Any:
        """Return the record of one row, or BAD; `called` is what messages call it."""
        self.called, self.cites = called, set()
        self.fields = tuple(slot.key for slot in slots(record))
        own = entries(node).get("sources")
        mine = self.mapping(own[1], str, Source, _NOTHING, "sources") if own else {}
        broken = mine is BAD
        # A source that could not be read is still known by its key: one mistake is told once.
        self.known = self.shared | (dict.fromkeys(_names(own[1]), BAD) if own and broken else mine)
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
            return self.fail(node, f"{yamlnodes.kind(node)} where a mapping is wanted", _keys(record))
        keys, broken = entries(node), False
        given: dict[str, Any] = {}
        known = {slot.key for slot in slots(record)}
        for key, (at, _) in keys.items():
            if key not in known:
                broken = self.fail(at, f"unknown key '{key}'", yamlnodes.meant(key, known) or _keys(record)) is BAD
        for slot in slots(record):
            if slot.key in skip:
                given[slot.name] = {}
            elif slot.key in keys:
                given[slot.name] = self.value(keys[slot.key][1], slot.type, inherit(slot.meta, meta), slot.key)
            elif slot.required:
                broken = self.fail(node, f"the key '{slot.key}' is missing") is BAD
        if broken or any(value is BAD for value in given.values()):
            return BAD
        return self.build(node, record, given, meta)

    def build(self, node: yaml.Node, record: type, given: dict[str, Any], meta: Mapping[str, Any]) -> Any:
        """Return the record of values that are each in order; a figure gets its text and its unit."""
        if not issubclass(record, Figure):
            return record(**given)
        written = entries(node)["value"][1].value  # type: ignore[arg-type]  # a record's node is a mapping
        made = record(**given, text=written, unit=quantity(written, meta["unit"])[1])
        low, high = made.range
        if not low <= made.value <= high:
            return self.fail(node, f"its value {written} is outside low to high")
        if made.candidates and not made.chosen:
            return self.fail(node, "it has candidates; say under 'chosen' why this value is taken")
        if not made.sources and made.status != "estimate":
            return self.fail(node, f"a {made.status} number needs 'from', the keys of the sources that bear it")
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
            return self.fail(node, f"'{key}': {message}", hint)

    def list(self, node: yaml.Node, wanted: Any, meta: Mapping[str, Any], key: str) -> Any:
        """Return the tuple of a list's values, or BAD."""
        if not isinstance(node, yaml.SequenceNode):
            return self.fail(node, f"'{key}' is {yamlnodes.kind(node)}, but a list is wanted", "write it as [s1, s2]")
        found = tuple(self.value(child, wanted, meta, key) for child in node.value)
        return BAD if any(value is BAD for value in found) else found

    def mapping(self, node: yaml.Node, keys: Any, wanted: Any, meta: Mapping[str, Any], key: str) -> Any:
        """Return the dict of a mapping with free keys, or with those that a Literal or the row's fields list."""
        if not isinstance(node, yaml.MappingNode):
            return self.fail(node, f"'{key}' is {yamlnodes.kind(node)}, but a mapping is wanted")
        allowed = self.fields if meta.get("refs") == "fields" else typing.get_args(keys)
        found, broken = {}, False
        for name, (at, child) in entries(node).items():
            if allowed and name not in allowed:
                hint = yamlnodes.meant(name, allowed) or _one_of(allowed)
                broken = self.fail(at, f"'{key}': unknown key '{name}'", hint) is BAD
            found[name] = self.value(child, wanted, without_refs(meta), name)
        return BAD if broken or any(value is BAD for value in found.values()) else found

    def scalar(self, node: yaml.Node, wanted: Any, meta: Mapping[str, Any]) -> Any:
        """Return a single value; raise ValueError with a reason, and a hint after a semicolon."""
        if typing.get_origin(wanted) is Literal:
            return _word(yamlnodes.text(node), typing.get_args(wanted), meta)
        if wanted is bool:
            return yamlnodes.flag(node)
        if wanted is str:
            return self.words(node, meta)
        return _number(node, wanted, meta)

    def words(self, node: yaml.Node, meta: Mapping[str, Any]) -> str:
        """Return a text, having checked or noted what it refers to."""
        found = yamlnodes.text(node)
        to = meta.get("refs")
        if to == "sources":
            if found not in self.known:
                raise ValueError(f"unknown source '{found}'; {nearest(found, self.known) or _one_of(self.known)}")
            self.cites.add(found)
        elif to:
            self.references.append(Reference(to, found, place(self.path, node), self.called))
        elif meta.get("is") == "unit":
            split(found)
        elif meta.get("is") == "address" and not _ADDRESS.fullmatch(found):
            raise ValueError(f"'{found}' is no address; write https://...")
        return found


def _names(node: yaml.Node) -> list[str]:
    return list(entries(node)) if isinstance(node, yaml.MappingNode) else []


def _number(node: yaml.Node, wanted: Any, meta: Mapping[str, Any]) -> Any:
    """Return a number within the bounds of its field: a quantity where the field has a unit, else a plain one."""
    if "unit" in meta:
        if not isinstance(node, yaml.ScalarNode):
            raise ValueError(f"{yamlnodes.kind(node)} where a quantity with its unit is wanted")
        found = quantity(node.value, meta["unit"], meta.get("bits", True))[0]
    else:
        found = yamlnodes.number(node)
    shown = f"'{node.value}'"
    if found <= 0:
        raise ValueError(f"{shown} is not more than zero; leave the key out where there is none")
    scale = 0.01 if meta.get("unit") == "%" else 1.0
    low, high = meta.get("low", 0) * scale, meta.get("high", sys.float_info.max) * scale
    if not low <= found <= high:
        raise ValueError(f"{shown} is out of all reason; {_end(found < low, low, high, meta.get('unit', '1'))}")
    if wanted is int and found != int(found):
        raise ValueError(f"{shown} is not a whole number; {nearest_of((math.floor(found), math.ceil(found)))}")
    return wanted(found)


def _end(under: bool, low: float, high: float, unit: str) -> str:
    """Return words for the end of a field's bounds that a number is beyond, as a row may write it."""
    word, value = ("least", low) if under else ("most", high)
    if unit in ("1", "%"):
        return f"the {word} is {plain(100 * value)} %" if unit == "%" else f"the {word} is {plain(value)}"
    end = plain(value) if unit == "any" else written(value, split(unit)[0])
    return f"the {word} is {end}; check the prefix of the unit"


def _word(word: str, allowed: tuple[str, ...], meta: Mapping[str, Any]) -> str:
    if word in allowed:
        return word
    why = meta.get("explain", _NOTHING).get(word)
    if why:
        raise ValueError(f"'{word}' is refused; {why}")
    raise ValueError(f"unknown word '{word}'; {nearest(word, allowed) or _one_of(allowed)}")


def inherit(own: Mapping[str, Any], owner: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a field's metadata; a number that is the quantity of its owner takes the owner's unit and bounds."""
    return owner if own.get("quantity") or not own else own


def without_refs(meta: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the metadata for what stands under the keys of a mapping: they refer to something, their values do not."""
    return {name: value for name, value in meta.items() if name != "refs"}


def _one_of(words: Any) -> str:
    return "one of " + ", ".join(sorted(words)) if words else "there is none"


def _keys(record: type) -> str:
    return "its keys are " + ", ".join(slot.key for slot in slots(record))
