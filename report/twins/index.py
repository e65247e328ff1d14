"""The page that lists every file of the site's data, with its size and what it is."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from jinja2 import Environment

from model.units import unit
from report import rounding
from report.twins.files import FOLDER, Group

ADDRESS = f"{FOLDER}index.html"
TITLE = "Data"
DESCRIPTION = "Every catalogue, table, figure and number of the site as files, with sizes and what each field means."
_BYTES = rounding.label(unit("B"))


def body(
    groups: Sequence[Group], fields: Iterable[Mapping[str, str]], files: Mapping[str, bytes], templates: Environment
) -> str:
    """Return the body of the index."""
    listed = [_group(group, files) for group in groups]
    parts = [{"file": file, "rows": list(rows)} for file, rows in groupby(fields, key=lambda entry: entry["file"])]
    total = sum(len(data) for path, data in files.items() if path.startswith(FOLDER))
    return templates.get_template("data.html").render(groups=listed, fields=parts, total=size(total))


def headings(groups: Sequence[Group]) -> list[tuple[str, str, int]]:
    """Return what the contents of the page list."""
    return [*((group.id, group.title, 2) for group in groups), ("dictionary", "What the fields mean", 2)]


def _group(group: Group, files: Mapping[str, bytes]) -> dict[str, Any]:
    items = [
        {
            "name": item.name,
            "says": item.says[0].upper() + item.says[1:],
            "where": f"../{item.where}" if item.where else "",
            "files": [_file(path, files[path]) for path in item.files],
        }
        for item in group.items
    ]
    return {"id": group.id, "title": group.title, "things": items}


def _file(path: str, data: bytes) -> dict[str, str]:
    return {"href": posixpath.relpath(path, FOLDER), "kind": kind(path), "size": size(len(data))}


def kind(path: str) -> str:
    """Return what a file is called by its ending."""
    return "Vega-Lite" if path.endswith(".vl.json") else path.rsplit(".", 1)[-1].upper()


def size(count: int) -> str:
    """Return a number of bytes as people read it."""
    return rounding.qty(float(count), 2, _BYTES)
