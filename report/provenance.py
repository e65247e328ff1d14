"""Where a number comes from, in words: the row behind an input, the sources that bear it, the scenario of a question.

Leaves out: how a value follows from its inputs (report/cards.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from model import layers
from model.figure import Provenance
from model.formula import Given
from model.records import Constant
from report.asking import plain
from report.shown import KINDS, Cell

_PATH = re.compile(r"(\w+)\(([^()]*)\)\.(.+)")
# Rows whose id says less than another field of theirs.
_NAMES = ("name", "model", "system", "quantity", "id")
_FIRST = ("machine", "network", "format")


def row_name(catalogue: object, row: str) -> str:
    """Return what people call the row that an input's path names: machines/h100-sxm5/bandwidth is the H100 SXM5."""
    return ", ".join(dict.fromkeys(_called(catalogue, path) for path in row.split(" + ") if path))


def _called(catalogue: object, path: str) -> str:
    kind, name = (*path.split("/"), "", "")[:2]
    record = getattr(catalogue, kind, {}).get(name)
    return next((text for field in _NAMES if (text := getattr(record, field, ""))), path)


def scope(catalogue: object, given: Iterable[tuple[str, str | float]]) -> str:
    """Return on what a question is asked: "H100, T = 512"; the plain form goes without saying."""
    pairs = dict(given)
    keys = [*(key for key in _FIRST if key in pairs), *(key for key in sorted(pairs) if key not in _FIRST)]
    return ", ".join(part for key in keys if (part := _part(catalogue, key, pairs[key])))


def _part(catalogue: object, key: str, value: str | float) -> str:
    record = getattr(catalogue, f"{key}s", {}).get(value) if key in ("machine", "network") else None
    if record is not None:
        return str(record.short)
    if key == "form":
        return "" if value == "plain" else "with re-blocking"
    return str(value) if key == "format" else f"{key} = {plain(value)}"


def of_cell(catalogue: object, cell: Cell) -> Given:
    """Return a printed value of the catalogue as an input: what it rests on, and how sure it is."""
    if cell.given is not None:
        return cell.given
    found = _PATH.fullmatch(cell.path)
    assert found, "a cell says kind(id).field"
    kind, name, field = found[1], found[2], found[3]
    record: Any = getattr(catalogue, KINDS[kind])[name]
    row = f"{KINDS[kind]}/{name}/{field}"
    if isinstance(record, Constant) and field == "value":
        return replace(layers.of_constant(record), value=cell.number)
    if cell.figure is None:
        rests = _provenance(record, field)
        return Given(
            value=cell.number, status=rests.status, row=row, sources=_cited(record, rests.sources), note=rests.note
        )
    figure, (low, high) = cell.figure, cell.figure.range
    return Given(
        value=cell.number,
        status=figure.status,
        row=row,
        sources=_cited(record, figure.sources),
        low=low,
        high=high,
        note=figure.note,
    )


def _provenance(record: Any, field: str) -> Provenance:
    """Return what a plain number of a row rests on: the row's own status, unless the row says otherwise."""
    if hasattr(record, "provenance"):
        found: Provenance = record.provenance(field)
        return found
    return Provenance(status=getattr(record, "status", "verified"), sources=getattr(record, "cited", ()))


def _cited(record: Any, keys: Iterable[str]) -> tuple[Any, ...]:
    sources: Mapping[str, Any] = getattr(record, "sources", {})
    return tuple(sources[key] for key in keys if key in sources)
