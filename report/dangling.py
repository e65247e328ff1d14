"""Names of rows and works in settings and research pages, where the catalogue is broken: those that there are not.

    missed(Path("content"), None) -> content/site.yaml:26:7: there is no machine 'gaudi-2'

A row that was renamed breaks the catalogue, where others name it; tables, presets and sources that name it too would be
told only once that is mended. So they are looked through as they are written, for ids alone. Leaves out: the texts
(report/piecemeal.py).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from pathlib import Path

import yaml

from report import yamlgrammar, yamlnodes
from report.catalogue import KINDS, known
from report.errors import Problem, nearest
from report.lines import line_and_column
from report.named import TABLES
from report.yamlnodes import At, entries

_SOURCES = re.compile(r"^[ \t]*sources:[ \t]*\[([^\]\n]*)\]", re.MULTILINE)
_SOURCE = re.compile(r"[^\s,\"']+")
_PRESET = {"machine": "machines", "network": "networks", "run": "runs"}

Names = Mapping[str, Collection[str] | None]  # kind, or works -> what there is; None: it could not be read


def missed(folder: Path, works: Collection[str] | None) -> list[Problem]:
    """Return each place of settings and research pages that names a row or a work that there is not.

    works are the keys of the bibliography, None where they could not be read.
    """
    names = {**known(folder / "catalogue"), "works": works}
    found = list(_in_settings(folder, names))
    for file in sorted(folder.glob("research/*.yaml")):
        source, _ = yamlgrammar.decoded(file, "")  # what is no text is told already
        found += _in_sources(source or "", f"{folder.name}/research/{file.name}", names)
    return found


def _in_sources(source: str, path: str, names: Names) -> Iterator[Problem]:
    """Yield the rows and works that a research page gives as sources, and that there are not."""
    for line in _SOURCES.finditer(source):
        for one in _SOURCE.finditer(source, line.start(1), line.end(1)):
            kind, _, row = one[0].rpartition("/")
            yield from _judged(names, kind or "works", row, _at(source, path, one.start()))


def _in_settings(folder: Path, names: Names) -> Iterator[Problem]:
    """Yield the rows that tables and presets name, and that there are not."""
    path = f"{folder.name}/site.yaml"
    top, wrong, *_ = yamlgrammar.read(folder / "site.yaml", path)
    keys = entries(top) if top and not wrong else {}
    of, judged = partial(_parts, keys), partial(_judged, names)
    for key, rows in of("tables"):
        for row in rows.value if key in TABLES and isinstance(rows, yaml.SequenceNode) else ():
            yield from judged(TABLES[key], str(row.value), yamlnodes.place(path, row))
    for _, preset in of("presets"):
        parts = entries(preset) if isinstance(preset, yaml.MappingNode) else {}
        for key, value in [*_parts(parts, "scenario"), *((key, at[1]) for key, at in parts.items() if key == "run")]:
            if key in _PRESET:
                yield from judged(_PRESET[key], str(value.value), yamlnodes.place(path, value))


def _parts(keys: Mapping[str, tuple[yaml.Node, yaml.Node]], key: str) -> list[tuple[str, yaml.Node]]:
    node = keys[key][1] if key in keys else None
    return [(name, part) for name, (_, part) in entries(node).items()] if isinstance(node, yaml.MappingNode) else []


def _judged(names: Names, kind: str, name: str, at: At) -> Iterator[Problem]:
    there = names.get(kind)
    if there is not None and name not in there:
        word = KINDS[kind][1] if kind in KINDS else "reference"
        yield at.problem(f"there is no {word} '{name}'", nearest(name, there))


def _at(source: str, path: str, place: int) -> At:
    return At(path, *line_and_column(source, place))
