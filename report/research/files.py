"""Read content/research/*.yaml: a page's record, and everything that is wrong in it with line and column.

    read(file, "content/research/machines.yaml", found) -> Dossier, its Markdown

Leaves out: what its prose says (report/prose.py) and how it is laid out (report/research/layout.py).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import NamedTuple

import yaml

from model.records import Catalogue
from report import memory, yamlgrammar
from report.constructs import LABEL
from report.errors import BuildError, Problem, nearest
from report.outline import Entry as Place
from report.references import Reference
from report.research.carrier import HEAD, LOG, PARTS, carrier
from report.research.records import Dossier, Entry
from report.research.remains import remains
from report.rows import BAD, Reader, slots
from report.rows import Reference as Named
from report.yamlnodes import entries, place
from report.yamlpieces import unfounded

FOLDER = "research"
_LISTS = ("entries", LOG)


class Written(NamedTuple):
    """A research page as read: its name in addresses, its record, and the Markdown that its lines carry."""

    slug: str
    path: str
    dossier: Dossier
    text: str

    @property
    def entry(self) -> Place:
        """Return the page's place in the outline."""
        return placed(self.slug, self.dossier.called)

    @property
    def twin(self) -> str:
        """Return the address of the page as data."""
        return f"{FOLDER}/{self.slug}/index.json"


def placed(slug: str, called: str = "") -> Place:
    """Return the place of a research page in the outline."""
    folder = f"{FOLDER}/{slug}"
    return Place(folder, "", called, f"{folder}/index.html", f"{folder}.yaml")


def load(
    folder: Path,
    works: Mapping[str, Reference] | None,
    rows: Catalogue | None,
    listed: Iterable[str] | None,
    keys: Collection[str] | None = None,
) -> tuple[Written, ...]:
    """Return the research pages of a content folder, by name; raise BuildError with every mistake of all of them.

    What is None could not be read: nothing is missed in it. keys are those of works that have mistakes.
    """
    found: list[Written] = []
    problems: list[Problem] = []
    for file in sorted((folder / FOLDER).glob("*.yaml")):
        path = f"{folder.name}/{FOLDER}/{file.name}"
        if listed is not None and FOLDER not in listed:
            problems.append(Problem(path, 0, 0, f"no page '{FOLDER}' lists it", "list one under 'pages' in site.yaml"))
        try:
            key = (
                path,
                file.read_bytes() if memory.active() else b"",
                memory.Same(keys if works is None else works),
                memory.Same(rows),
            )
            found.append(memory.recalled("dossier", key, partial(read, file, path, works, rows, keys)))
        except BuildError as error:
            problems += error.problems
    if problems:
        raise BuildError(problems)
    return tuple(found)


def read(
    file: Path,
    path: str,
    works: Mapping[str, Reference] | None,
    rows: Catalogue | None,
    keys: Collection[str] | None = None,
) -> Written:
    """Return the page written in a file; raise BuildError with every mistake of its form."""
    top, problems, lost, _ = _top(file, path)
    if top is None:
        raise BuildError(problems)
    reader = Reader(path, problems, [])
    dossier = reader.record(top, Dossier, {})
    problems += _form(path, top)
    problems += _strange(reader.references, keys if works is None else works, rows)
    if works is not None and rows is not None and dossier is not BAD and not problems:
        problems += _standing(path, top, dossier, works, rows)
    if problems or dossier is BAD:
        raise BuildError(unfounded(problems, lost))
    return Written(file.stem, path, dossier, carrier(file.read_text(encoding="utf-8"), top))


def texts(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Return the Markdown of the research pages in order, by path, and what there is of that of the others."""
    found, rest = dict[str, str](), dict[str, str]()
    for file in sorted((folder / FOLDER).glob("*.yaml")):
        path = f"{folder.name}/{FOLDER}/{file.name}"
        try:
            found[path] = read(file, path, None, None).text
        except BuildError:  # told already
            top = _top(file, path).top
            if top is not None:
                rest[path] = remains(file.read_text(encoding="utf-8"), top)
    return found, rest


def _top(file: Path, path: str) -> yamlgrammar.Read:
    return yamlgrammar.read(file, path, (slot.key for slot in slots(Dossier)), _LISTS)


def _strange(named: Iterable[Named], works: Collection[str] | None, rows: Catalogue | None) -> Iterator[Problem]:
    """Yield the sources that there are not; none where these could not be read."""
    if works is None or rows is None:
        return
    known = {*works, *row_names(rows)}
    for one in named:
        if one.word not in known and one.word not in works:
            yield one.at.problem(f"there is no source '{one.word}'", nearest(one.word, known))


def row_names(rows: Catalogue) -> list[str]:
    """Return every row of the catalogue as a source is written: machines/cray-1."""
    return [f"{kind.name}/{key}" for kind in fields(rows) for key in getattr(rows, kind.name)]


def _form(path: str, top: yaml.MappingNode) -> Iterator[Problem]:
    """Yield what is wrong with the file's order, its ids and the shape of its texts."""
    keys = list(entries(top))
    head = [key for key in keys if key in HEAD]
    if len(head) == len(HEAD) and head != keys[: len(HEAD)]:
        yield place(path, top).problem("title, called, description and lead come first", "in this order")
    elif not top.value[0][0].start_mark.line:
        yield place(path, top).problem("the first line is a comment", "it names the schema that editors check by")
    seen: dict[str, int] = {}
    for entry in _items(top, "entries"):
        yield from _texts(path, entry)
        found = entries(entry).get("id")
        name = found[1].value if found and isinstance(found[1], yaml.ScalarNode) else None
        if found and (name is None or not re.fullmatch(LABEL, name)):
            yield place(path, found[1]).problem(f"'{name}' is no id", "ids are lower case with hyphens")
        elif found and seen.setdefault(str(name), found[1].start_mark.line) != found[1].start_mark.line:
            first = seen[str(name)] + 1
            yield place(path, found[1]).problem(f"the entry '{name}' stands twice, first in line {first}")
    yield from _texts(path, top)
    for entry in _items(top, "entries"):
        keys = list(entries(entry))
        if "says" in keys and "derivation" in keys[: keys.index("says")]:
            at = place(path, entries(entry)["derivation"][0])
            yield at.problem("'derivation' stands before 'says'", "what an entry says comes first")
    for check in _items(top, "log"):
        lines = [key.start_mark.line for key, _ in check.value]
        if len(set(lines)) < len(lines):
            yield place(path, check).problem("several keys on one line", "each key of the log has a line of its own")


def _items(top: yaml.MappingNode, key: str) -> list[yaml.MappingNode]:
    found = entries(top).get(key)
    nodes = found[1].value if found and isinstance(found[1], yaml.SequenceNode) else []
    return [node for node in nodes if isinstance(node, yaml.MappingNode)]


def _texts(path: str, node: yaml.MappingNode) -> Iterator[Problem]:
    """Yield the blocks whose lines would not be the file's own, or that Markdown would take apart."""
    record = Dossier if "entries" in entries(node) else Entry
    blocks = {slot.key for slot in slots(record) if slot.meta.get("text") == "block"}
    for key, (at, value) in entries(node).items():
        if key not in blocks or not isinstance(value, yaml.ScalarNode):
            continue
        if value.style != "|":
            yield place(path, at).problem(f"'{key}' is not a block of text", f"write '{key}: |' and the text below it")
            continue
        for offset, line in enumerate(value.value.split("\n")):
            if PARTS.match(line):
                where = value.start_mark.line + 2 + offset
                yield Problem(
                    path, where, 0, f"'{line.strip()}' would divide the page", "a text has no headings or rules"
                )


def _standing(
    path: str, top: yaml.MappingNode, dossier: Dossier, works: Mapping[str, Reference], rows: Catalogue
) -> Iterator[Problem]:
    """Yield the entries that claim to be verified and rest on nothing that was seen."""
    for entry, node in zip(dossier.entries, _items(top, "entries"), strict=True):
        at = place(path, entries(node)["status"][1])
        if not entry.sources and entry.status != "estimate":
            yield at.problem(f"'{entry.id}' has no source, and is no estimate")
        elif entry.status == "verified" and not any(_seen(name, works, rows) for name in entry.sources):
            yield at.problem(f"'{entry.id}' is called verified, and none of its sources was", "say what it rests on")


def _seen(name: str, works: Mapping[str, Reference], rows: Catalogue) -> bool:
    """Say whether a source was read: a confirmed work, or a row with a source whose text was seen."""
    if name in works:
        return works[name].confirmed
    kind, _, key = name.partition("/")
    return any(source.seen for source in getattr(rows, kind)[key].sources.values())
