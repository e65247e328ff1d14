"""JSON Schemas of the catalogue's files and of the research pages, for editors that check YAML while it is typed.

They are made from the same record classes that the build reads by: keys, types, words and bounds. A quantity is checked
for its form only; units, references and what rows owe each other are the build's business. The site publishes them
under data/schema/, and the first line of each file names its own.
"""

from __future__ import annotations

import dataclasses
import inspect
import sys
import typing
from collections.abc import Mapping
from typing import Any, Literal

from model.figure import Source
from report.catalogue import KINDS
from report.research.records import Dossier
from report.rows import inherit, slots, without_refs

DRAFT = "http://json-schema.org/draft-07/schema#"  # what editors know best
_QUANTITY = r"^\d[\d.,eE+-]*( \S.*)?$"
_ID = r"^[a-z0-9]+(-[a-z0-9]+)*$"
_WORDS: Mapping[str, Any] = {"type": "string", "minLength": 1}

Schema = dict[str, Any]
Meta = Mapping[str, Any]


def of_files() -> dict[str, Schema]:
    """Return the schema of each catalogue file by its plain name."""
    return {name: _file(name, record) for name, (record, _) in KINDS.items()}


def of_research() -> Schema:
    """Return the schema of a research page."""
    page = _record(Dossier, {}, ())
    page["properties"]["entries"]["items"]["properties"]["id"] = {"type": "string", "pattern": _ID}
    return {"$schema": DRAFT, "title": "research/*.yaml", **page}


def _file(name: str, record: type) -> Schema:
    sources = {"type": "object", "additionalProperties": _record(Source, {}, ())}
    fields = tuple(slot.key for slot in slots(record))
    row = _record(record, {}, fields)
    row["properties"] |= {"id": {"type": "string", "pattern": _ID}, "sources": sources}
    # A row may rest on works that the file lists at its top alone.
    row["required"] = [key for key in row["required"] if key != "sources"]
    return {
        "$schema": DRAFT,
        "title": f"catalogue/{name}.yaml",
        "type": "object",
        "properties": {"sources": sources, "rows": {"type": "array", "items": row}},
        "required": ["rows"],
        "additionalProperties": False,
    }


def _record(record: type, meta: Meta, fields: tuple[str, ...]) -> Schema:
    """Return the schema of a mapping that becomes a record; meta is what its owner says of units and bounds."""
    known = slots(record)
    return {
        "type": "object",
        "description": inspect.getdoc(record) or "",
        "properties": {slot.key: _value(slot.type, inherit(slot.meta, meta), fields) for slot in known},
        "required": [slot.key for slot in known if slot.required],
        "additionalProperties": False,
    }


def _value(wanted: Any, meta: Meta, fields: tuple[str, ...]) -> Schema:
    origin = typing.get_origin(wanted)
    if origin is tuple:
        return {"type": "array", "items": _value(typing.get_args(wanted)[0], meta, fields)}
    if origin is Literal:
        return {"enum": list(typing.get_args(wanted))}
    if origin is not None:
        keys, values = typing.get_args(wanted)
        return _mapping(keys, values, meta, fields)
    if dataclasses.is_dataclass(wanted) and isinstance(wanted, type):
        return _record(wanted, meta, fields)
    return _scalar(wanted, meta)


def _mapping(keys: Any, wanted: Any, meta: Meta, fields: tuple[str, ...]) -> Schema:
    """Return the schema of a mapping: of free keys, or of those that a Literal or the row's own fields list."""
    inner = _value(wanted, without_refs(meta), fields)
    allowed = fields if meta.get("refs") == "fields" else typing.get_args(keys)
    if not allowed:
        return {"type": "object", "additionalProperties": inner}
    return {"type": "object", "properties": dict.fromkeys(allowed, inner), "additionalProperties": False}


def _scalar(wanted: Any, meta: Meta) -> Schema:
    if wanted is bool:
        return {"type": "boolean"}
    if wanted is str:
        return dict(_WORDS)
    if "unit" in meta:
        example = "a quantity with its unit" if meta["unit"] == "any" else f"a quantity in {meta['unit']}"
        return {"type": ["string", "number"], "pattern": _QUANTITY, "description": example}
    low, high = meta.get("low", 0), meta.get("high", sys.float_info.max)
    bounds = {"minimum": low} if low else {"exclusiveMinimum": 0}
    bounds |= {"maximum": high} if high < sys.float_info.max else {}
    return {"type": "integer" if wanted is int else "number", **bounds}
