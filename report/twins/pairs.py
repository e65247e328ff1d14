"""A table as the two files that hold it, JSON and CSV, and tables that follow each other as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from report.rowwise import as_json
from report.twins import tabular


def both(name: str, content: Any, records: list[dict[str, Any]]) -> dict[str, bytes]:
    """Return a thing as JSON and as CSV."""
    return {f"{name}.json": as_json(content), f"{name}.csv": tabular.table(records)}


def joined(name: str, tables: Sequence[Mapping[str, bytes]]) -> dict[str, bytes]:
    """Return tables of some name and the same columns as one, as `both` makes it of all rows."""
    if not tables:
        return both(name, {name: {}}, [])
    before, after = f'{{\n"{name}": {{\n'.encode(), b"\n}\n}\n"
    rows = [table[f"{name}.json"].removeprefix(before).removesuffix(after) for table in tables]
    first, *others = (table[f"{name}.csv"] for table in tables)
    return {
        f"{name}.json": before + b",\n".join(rows) + after,
        f"{name}.csv": first + b"".join(other.partition(b"\n")[2] for other in others),
    }
