"""Rows of the catalogue as flat records for a spreadsheet, and as they are for a program. All in base units.

A number becomes five columns: value with its unit, range, status, and the keys of the sources that bear it. What has
parts of its own and no place in a flat table stands as JSON in its cell.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from model.figure import Figure, Source
from report import memory
from report.downloads import short
from report.rows import Slot, slots
from report.twins.tabular import Plain

Flat = dict[str, Plain]
_SHARE = "1"  # a percentage of the catalogue is held as a share


def nested(value: Any) -> Any:
    """Return a record and all in it as JSON holds it: absent parts are left out, floats have ten digits."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        parts = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return {key: nested(part) for key, part in parts.items() if part not in (None, "", (), {})}
    if isinstance(value, Mapping):
        return {str(key): nested(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [nested(part) for part in value]
    return short(value) if isinstance(value, float) else value


def flat(records: Iterable[Any]) -> list[Flat]:
    """Return rows of one kind as columns, the same for all; a column's name ends with the unit of what stands in it."""
    rows = [memory.recalled("flat", memory.Same(record), partial(_flat, record)) for record in records]
    # What a slot takes up in any row stands together, in the order of the slots.
    columns = dict.fromkeys(name for parts in zip(*rows, strict=True) for part in parts for name in part)
    cells: list[Flat] = [{name: cell for part in row for name, cell in part.items()} for row in rows]
    return [{name: row.get(name) for name in columns} for row in cells]


def _flat(record: Any) -> list[Flat]:
    """Return the columns of a row, slot by slot."""
    return [dict(_columns(record, slot)) for slot in slots(record.__class__)]


def unit_of(slot: Slot) -> str:
    """Return the unit in which the twin holds a field, '' for what has none; '*': a column of its own says it."""
    found = str(slot.meta.get("unit", ""))
    return {"%": _SHARE, "any": "*"}.get(found, found)


def headed(name: str, unit: str) -> str:
    """Return what heads a column: its name, and its unit in brackets."""
    return f"{name} ({unit})" if unit not in ("", "*") else name


def _columns(record: Any, slot: Slot) -> Iterator[tuple[str, Plain]]:
    value = getattr(record, slot.name)
    if isinstance(value, Figure):
        yield from _figure(slot.key, value, unit_of(slot))
    elif isinstance(value, Mapping) and all(isinstance(part, Figure) for part in value.values()):
        for name, part in value.items():
            yield from _figure(f"{slot.key} {name}", part, unit_of(slot))
    else:
        yield headed(slot.key, unit_of(slot)), _cell(value)


def _figure(name: str, figure: Figure, unit: str) -> Iterator[tuple[str, Plain]]:
    low, high = figure.range
    yield headed(name, unit), short(figure.value)
    if unit == "*":
        yield f"{name} unit", figure.unit
    yield headed(f"{name} low", unit), short(low)
    yield headed(f"{name} high", unit), short(high)
    yield f"{name} status", figure.status
    yield f"{name} sources", " ".join(figure.sources)


def _cell(value: Any) -> Plain:
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return short(value)
    if isinstance(value, Mapping) and value and all(isinstance(part, Source) for part in value.values()):
        return "; ".join(f"{key}: {_work(part)}" for key, part in value.items())
    if isinstance(value, tuple) and all(isinstance(part, str) for part in value):
        return "; ".join(value)
    return json.dumps(nested(value), ensure_ascii=False) if value else None


def _work(source: Source) -> str:
    said = ", ".join(str(part) for part in (source.publisher, source.year, source.url) if part)
    return f"{source.title} ({said})" if said else source.title
