"""What in the catalogue is no longer what it was in the last good site, and where it stands now.

The last good site keeps every row as data (site/data/machines.json and so on); those rows are compared with the rows
of today, field by field. Leaves out: which mistakes follow from it (report/telling.py).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from report import yamlgrammar, yamlnodes
from report.catalogue import KINDS, load
from report.errors import BuildError
from report.rounding import NBSP, typed
from report.rows import slots
from report.twins.rows import nested
from report.yamlnodes import At

# Parts of a row that no number rests on.
_WORDS = frozenset({"sources", "cited", "note", "text", "unit", "said", "claim", "name", "short"})
_CLOSE = 1e-9  # the data of a site have ten digits


@dataclass(frozen=True, slots=True)
class Move:
    """A field of a row with its value then and now, '' where there was or is none; field '' means the whole row."""

    row: str  # machines/h100-sxm5
    field: str  # bandwidth, peak.bf16, items.2.value
    before: str
    now: str
    at: At | None

    @property
    def called(self) -> str:
        """Return the field and the row in words: bandwidth of machine 'h100-sxm5'."""
        kind, _, name = self.row.partition("/")
        row = f"{KINDS[kind][1]} '{name}'"
        return f"{self.field} of {row}" if self.field else row

    @property
    def said(self) -> str:
        """Return what became of it."""
        if not self.field:
            return f"{self.called} is {'new' if self.now else 'gone'}"
        return f"{self.called}, {self.before or 'nothing'} -> {self.now or 'nothing'}"

    def bears(self, path: str) -> bool:
        """Tell whether a number rests on it: on this field, or on the row where that is all that its path says."""
        kind, name, field = (*path.split("/", 2), "", "")[:3]
        if self.row != f"{kind}/{name}":
            return False
        known = field.partition(".")[0] in _written(kind)
        return not self.field or not known or _same_field(self.field, field)


def _written(kind: str) -> set[str]:
    """Return the fields that an author writes; a site's data hold some more, which follow from them."""
    return {slot.name for slot in slots(KINDS[kind][0])}


def _same_field(one: str, other: str) -> bool:
    return one == other or one.startswith(f"{other}.") or other.startswith(f"{one}.")


def moves(site: Path, content: Path) -> list[Move]:
    """Return what moved, in the order of the files; nothing where there is no good site, or no good catalogue."""
    try:
        catalogue = load(content / "catalogue")
    except BuildError:
        return []
    return [move for kind in KINDS for move in _of_kind(kind, getattr(catalogue, kind), site, content)]


def _of_kind(kind: str, rows: Mapping[str, Any], site: Path, content: Path) -> Iterator[Move]:
    try:
        before = json.loads((site / "data" / f"{kind}.json").read_bytes())[kind]
        written = _written(kind)
        then = {name: dict(_fields({key: row[key] for key in row if key in written})) for name, row in before.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return
    now = {name: dict(_fields(nested(row))) for name, row in rows.items()}
    nodes = _nodes(content, kind) if then != now else {}
    path = f"{content.name}/catalogue/{kind}.yaml"
    for name in dict.fromkeys((*now, *then)):
        node = nodes.get(name)
        for field, old, new in _differences(then.get(name), now.get(name)):
            at = yamlnodes.place(path, _inner(node, field)) if node else None
            yield Move(f"{kind}/{name}", field, old, new, at)


Value = tuple[object, str]  # a value to compare, and how it is written
Fields = Mapping[str, Value]


def _differences(old: Fields | None, new: Fields | None) -> Iterator[tuple[str, str, str]]:
    """Yield field, value then, value now; the field is '' where the whole row came or went."""
    if old is None or new is None:
        yield "", "" if old is None else "there", "" if new is None else "there"
        return
    for field in dict.fromkeys((*new, *old)):
        if not _alike(old.get(field), new.get(field)):
            before, now = (one.get(field, (0, ""))[1] for one in (old, new))
            yield field, before, now


def _alike(one: Value | None, other: Value | None) -> bool:
    if one is None or other is None:
        return one is other
    if isinstance(one[0], float) and isinstance(other[0], float):
        return abs(one[0] - other[0]) <= _CLOSE * max(abs(one[0]), abs(other[0]))
    return one[0] == other[0]


def _fields(value: Any, path: str = "") -> Iterator[tuple[str, Value]]:
    """Yield the fields of a row as a site's data hold it: numbers, words of a list, yes and no."""
    if isinstance(value, Mapping):
        yield from _of_mapping(value, path)
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from _fields(part, f"{path}.{place}")
    elif isinstance(value, bool):
        yield path, (value, "true" if value else "false")
    elif isinstance(value, int | float):
        yield path, (float(value), str(value) if path == "year" else typed(float(value)).replace(NBSP, " "))
    elif isinstance(value, str) and " " not in value:
        yield path, (value, value)


def _of_mapping(value: Mapping[str, Any], path: str) -> Iterator[tuple[str, Value]]:
    """Yield the fields of a row or of a part of one; a figure is one field, written as its row writes it."""
    figure = "text" in value and "value" in value
    if figure:
        yield path, (float(value["value"]), str(value["text"]))
    for key, part in value.items():
        if key not in _WORDS and not (figure and key == "value"):
            yield from _fields(part, f"{path}.{key}" if path else str(key))


def where(path: str, content: Path) -> At | None:
    """Return where a field of a row stands (machines/h100-sxm5/bandwidth), or the row; None where there is none."""
    kind, name, field = (*path.split("/", 2), "", "")[:3]
    node = _nodes(content, kind).get(name) if kind in KINDS else None
    return yamlnodes.place(f"{content.name}/catalogue/{kind}.yaml", _inner(node, field)) if node else None


def _nodes(content: Path, kind: str) -> Mapping[str, yaml.MappingNode]:
    """Return the rows of a file by id, as nodes that know where they stand."""
    top, *_ = yamlgrammar.read(content / "catalogue" / f"{kind}.yaml", kind)
    rows = yamlnodes.entries(top)["rows"][1].value if top else []
    return {yamlnodes.entries(node)["id"][1].value: node for node in rows}  # a good catalogue: every row has an id


def _inner(node: yaml.Node, field: str) -> yaml.Node:
    """Return the node of a field, or the nearest around it that is written out."""
    for part in (*field.split("."), "value"):
        if isinstance(node, yaml.MappingNode) and part in (found := yamlnodes.entries(node)):
            node = found[part][1]
        elif isinstance(node, yaml.SequenceNode) and part.isdigit() and int(part) < len(node.value):
            node = node.value[int(part)]
        else:
            return node
    return node
