"""JSON files in which each row of a table has a line of its own, so that versions can be compared line by line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

_DEPTH = 2  # a file holds tables by name, a table rows by id
_ONE = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def as_json(value: object) -> bytes:
    """Return a value as a JSON file; raise ValueError for a number that JSON has no word for."""
    return f"{_lines(value, _DEPTH)}\n".encode()


def _lines(value: object, depth: int) -> str:
    """Return a value on one line, or spread out as long as it is a table or holds some."""
    if depth and isinstance(value, Mapping) and _holds_rows(value.values()):
        parts = (f"{_ONE.encode(str(key))}: {_lines(part, depth - 1)}" for key, part in value.items())
        return "{\n" + ",\n".join(parts) + "\n}"
    if depth and isinstance(value, list | tuple) and _holds_rows(value):
        return "[\n" + ",\n".join(map(_ONE.encode, value)) + "\n]"
    return _ONE.encode(value)


def _holds_rows(parts: Iterable[object]) -> bool:
    return any(isinstance(part, Mapping | list | tuple) for part in parts)
