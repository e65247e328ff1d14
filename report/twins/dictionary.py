"""The data dictionary: every field of every file with its unit and its meaning, and every quantity of the model."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

from model.book import QUANTITIES
from report.catalogue import KINDS
from report.rows import slots
from report.tables.table import Table
from report.twins.meanings import meaning
from report.twins.rows import unit_of

Entry = dict[str, str]
_VARIES = "as the column 'unit' says"
_NUMBER = "number, with low, high, status and sources beside it"


def entries(tables: Iterable[Table]) -> list[Entry]:
    """Return the dictionary: the catalogues' fields, the tables' columns, the model's quantities."""
    found = [
        _entry(f"{kind}", slot.key, unit_of(slot), _type(slot.type), meaning(kind, slot.key)) for kind, slot in _slots()
    ]
    found += [_entry(table.file, *column) for table in tables for column in _columns(table)]
    found += [_entry("model", key, str(one.unit), "number", one.says) for key, one in QUANTITIES.items() if one.says]
    return found


def _slots() -> Iterator[tuple[str, Any]]:
    yield from ((kind, slot) for kind, (record, _) in KINDS.items() for slot in slots(record))


def _columns(table: Table) -> Iterator[tuple[str, str, str, str]]:
    for column in table.columns:
        says = column.meaning or column.title or column.key.replace("_", " ")
        yield column.key, column.unit, "number" if column.unit or column.align == "right" else "text", says


def _entry(file: str, field: str, unit: str, kind: str, says: str) -> Entry:
    said = {"*": _VARIES, "1": "plain number"}.get(unit, unit)
    return {"file": file, "field": field, "unit": said, "type": kind, "meaning": says}


def _type(wanted: Any) -> str:
    origin = typing.get_origin(wanted)
    if origin is Literal:
        return "one of " + ", ".join(map(str, typing.get_args(wanted)))
    if isinstance(wanted, type) and dataclasses.is_dataclass(wanted):
        return _NUMBER if "value" in {field.name for field in dataclasses.fields(wanted)} else "parts, as JSON"
    if origin is not None:
        inner = typing.get_args(wanted)[-1]
        if origin is tuple and typing.get_args(wanted)[0] is str:
            return "texts"
        return (
            f"{_NUMBER}, for each key" if _type(inner) == _NUMBER and issubclass(origin, Mapping) else "list, as JSON"
        )
    return {bool: "true or false", int: "whole number", float: "number"}.get(wanted, "text")
