"""Rows and named scenarios that the model or the report asks for by name, and that there are not: all of them at once.

    content/catalogue/prices.yaml:30:9: there is no price 'wire', which the model or a part of the report asks for by
    its id; did you mean 'wires'?

Each stands at the name that it was probably given; a trick that the code does not know, where a table lists it. They
are looked for before anything is made, whatever else is wrong with the inputs. Leaves out: what texts and settings ask
for, which tell of it themselves.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import yaml

from model.layers import ATTENTION, CONSTANTS, PRICES, VARIANTS
from model.scenario import DEFAULT
from report import catalogue, named, yamlgrammar
from report.content import Gathered
from report.errors import Near, Problem
from report.figures import drift, note, roofline
from report.lines import line_and_column
from report.tables import board, breakdowns, checks, contrasts, growth, ledger, prices, tricks
from report.yamlnodes import entries, place

# Kind -> the ids that stand in the code.
ROWS: Mapping[str, Collection[str]] = {
    "machines": {str(DEFAULT["machine"]), board.THEN, *roofline.OFFERED, *note.MACHINES, *contrasts.MACHINES},
    "networks": {str(DEFAULT["network"]), drift.LENET, *checks.NETWORKS, *contrasts.NETWORKS},
    "constants": {*CONSTANTS.values(), *(row for row, _ in VARIANTS.values()), *ATTENTION, drift.BLOCK}
    | set(ledger.CONSTANTS),
    "prices": {*PRICES.values(), *(line.price for line in prices.LINES)},
    "trends": {growth.SQUARED},
}
PRESETS = (*checks.PRESETS, breakdowns.UPDATED)


def missing(found: Gathered) -> list[Problem]:
    """Return what is asked for by a name that there is not; nothing of a file whose names are not all known."""
    told = (*_rows(found), *_elsewhere(found), *_presets(found))
    return [*(_placed(one, found.folder.parent) for one in told), *_unpriced(found)]


def _rows(found: Gathered) -> Iterator[Problem]:
    ids = catalogue.known(found.folder / "catalogue") if found.rows is None else {}
    for kind, names in ROWS.items():
        path = f"{found.folder.name}/catalogue/{kind}.yaml"
        known: Collection[str] | None = getattr(found.rows, kind, ids.get(kind))
        yield from (catalogue.absent(path, kind, name, known) for name in sorted(names) if known and name not in known)


def _elsewhere(found: Gathered) -> Iterator[Problem]:
    """Yield the prices that the report's list has for one machine, and the catalogue for another or for none."""
    path = f"{found.folder.name}/catalogue/prices.yaml"
    for line in prices.LINES if found.rows else ():
        row, wanted = found.rows and found.rows.prices.get(line.price), line.scenario.get("machine")
        if row and wanted and row.machine != wanted:
            said = f"price '{row.id}': it is of {row.machine or 'no machine'}, and a table asks for it on '{wanted}'"
            yield Problem(path, 0, 0, said, f"write machine: {wanted}", renamed=row.id)


def _presets(found: Gathered) -> Iterator[Problem]:
    path = f"{found.folder.name}/site.yaml"
    known = _written(found.folder / "site.yaml", path) if found.site is None else found.site.presets
    yield from (named.absent(path, name, known) for name in PRESETS if known and name not in known)


def _written(file: Path, path: str) -> Collection[str]:
    """Return the names of the scenarios in settings that have mistakes; none where they can't be read."""
    top, wrong, *_ = yamlgrammar.read(file, path)
    keys = entries(top) if top and not wrong else {}
    node = keys["presets"][1] if "presets" in keys else None
    return entries(node) if isinstance(node, yaml.MappingNode) else ()


def _unpriced(found: Gathered) -> Iterator[Problem]:
    """Yield the tricks that a table lists and for which the code has no gain and no price."""
    listed = found.site.tables.get("tricks", ()) if found.site else ()
    if all(name in tricks.TRADES for name in listed):
        return
    path = f"{found.folder.name}/site.yaml"
    top, *_ = yamlgrammar.read(found.folder / "site.yaml", path)
    chosen = entries(top)["tables"][1] if top else None
    for part in entries(chosen)["tricks"][1].value if isinstance(chosen, yaml.MappingNode) else ():
        if part.value not in tricks.TRADES:
            yield place(path, part).problem(*tricks.untraded(part.value))


def _placed(problem: Problem, root: Path) -> Problem:
    """Return a mistake at the name that was probably meant, if there is one."""
    if not problem.renamed:
        return problem
    text, name = (root / problem.path).read_text(encoding="utf-8"), re.escape(problem.renamed)
    found = re.search(rf"\bid: *[\"']?(?P<id>{name})\b(?!-)|^ *(?P<key>{name}):", text, re.MULTILINE)
    line, column = line_and_column(text, found.start(found.lastgroup or 0)) if found else (0, 0)
    return replace(problem, line=line, column=column, near=Near.whole(problem.renamed))
