"""Read content/catalogue/*.yaml into the records of the model, and say everything that is wrong in them at once.

A file has the keys `sources` (works that several rows cite) and `rows`. What a row may hold is said by its record
class: field types, units and bounds are read from there, so that a new field needs no line here. Each mistake names
file, line, column, row, and the nearest right word.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from model.machine import Machine
from model.network import Network
from model.records import Catalogue, Constant, MemoryLevel, Price, Rate, Run, Trend, Trick
from report import between, memory, needs, within, yamlgrammar, yamlnodes
from report.errors import Absent, BuildError, Problem, like, nearest
from report.keys import judged
from report.rows import BAD, Reader, Reference, slots, unread
from report.yamlgrammar import Read
from report.yamlnodes import At, entries, place
from report.yamlpieces import defined, unfounded

# Name of the file and of the catalogue's field -> (the record of its rows, what one row is called).
KINDS: Mapping[str, tuple[type, str]] = {
    "machines": (Machine, "machine"),
    "networks": (Network, "network"),
    "constants": (Constant, "constant"),
    "prices": (Price, "price"),
    "runs": (Run, "run"),
    "rates": (Rate, "rate"),
    "trends": (Trend, "trend"),
    "tricks": (Trick, "trick"),
    "memory_levels": (MemoryLevel, "memory level"),
}
_TOP = ("sources", "rows")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass
class _File:
    """One file as read: its rows by id, where each and each of its keys begins, and what they refer to."""

    rows: dict[str, Any] = field(default_factory=dict)
    at: dict[str, At] = field(default_factory=dict)
    keys: dict[str, dict[str, At]] = field(default_factory=dict)
    references: list[Reference] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    path: str = ""
    torn: frozenset[int] = frozenset()  # lines, from 0, in which rows begin that lack a key
    lost: frozenset[str] | None = None  # names in rows that could not be read; None: any row may be lost

    @property
    def ids(self) -> set[str] | None:
        """Return the ids that rows of the file have or may have; None where that is not known."""
        return None if self.lost is None else {*self.at, *self.lost}


def load(folder: Path) -> Catalogue:
    """Return the catalogue kept in a folder; raise BuildError with every mistake of every file."""
    files = {name: _remembered(folder, name) for name in KINDS}
    strays = tuple(_strays(folder))
    key = (*(memory.Same(file) for file in files.values()), strays)
    return memory.recalled("catalogue", key, lambda: _whole(files, strays))


def _strays(folder: Path) -> Iterator[Problem]:
    """Yield a problem for each file beside the catalogue's own that looks as if its rows were read."""
    for file in sorted(folder.glob("[!.#]*.y*ml")):  # what editors put beside a file begins with a dot or a hash
        if file.stem not in KINDS or file.suffix != ".yaml":
            message = f"the catalogue has no file '{file.name}', and its rows are not read"
            near = nearest(file.name, [f"{name}.yaml" for name in KINDS])
            if any(f"'{name}.yaml'" in near and not (folder / f"{name}.yaml").exists() for name in KINDS):
                continue  # the file that is missing tells of it
            hint = near or "move it away"
            yield Problem(f"{folder.parent.name}/{folder.name}/{file.name}", 0, 0, message, hint)


def known(folder: Path) -> dict[str, set[str] | None]:
    """Return the ids of the rows of each file; None where it has mistakes because of which it may lack any."""
    return {name: _remembered(folder, name).ids for name in KINDS}


def _remembered(folder: Path, name: str) -> _File:
    """Return a file as read now, or when it last held the same bytes."""
    path = folder / f"{name}.yaml"
    held = path.read_bytes() if memory.active() and path.is_file() else None
    return memory.recalled("rows", (str(folder), name, held), lambda: _file(folder, name))


def _whole(files: Mapping[str, _File], strays: Sequence[Problem]) -> Catalogue:
    """Return the catalogue that the files make together, once their rows agree with each other."""
    problems = [*strays]
    problems += [problem for file in files.values() for problem in file.problems]
    for reference in (reference for file in files.values() for reference in file.references):
        known = files[reference.to].ids
        if known is not None and reference.word not in known:
            problems.append(_dangling(reference, known))
    for name, check in within.CHECKS.items():
        for key, row in files[name].rows.items():
            for where, text in check(row):
                at = files[name].keys[key].get(where, files[name].at[key])
                problems.append(at.problem(f"{KINDS[name][1]} '{key}': {text}"))
    rows = {name: file.rows for name, file in files.items()}
    whole = {name: file.rows for name, file in files.items() if not file.problems}
    judged_by = [*((check_all, rows) for check_all in between.CHECKS), *((needed, whole) for needed in needs.CHECKS)]
    for check_all, known_rows in judged_by:
        for name, key, text in check_all(known_rows):
            message, _, hint = f"{KINDS[name][1]} '{key}': {text}".partition("; ")
            problems.append(files[name].at[key].problem(message, hint))
    if problems:
        raise BuildError(problems)
    return Catalogue(**{name: Rows(files[name].path, name, part) for name, part in rows.items()})


class Rows(dict[str, Any]):
    """The rows of one file by id."""

    def __init__(self, path: str, name: str, rows: Mapping[str, Any]) -> None:
        super().__init__(rows)
        self.path, self.name = path, name

    def __missing__(self, key: str) -> Any:
        raise Absent([absent(self.path, self.name, key, self)])


def absent(path: str, name: str, key: str, known: Collection[str]) -> Problem:
    """Return the mistake of whoever took away or renamed a row that is asked for by its id."""
    said = f"there is no {KINDS[name][1]} '{key}', which the model or a part of the report asks for by its id"
    return Problem(path, 0, 0, said, nearest(key, known) or "bring the row back", renamed=like(key, known))


def _dangling(reference: Reference, known: Collection[str]) -> Problem:
    message = f"{reference.row}: there is no {KINDS[reference.to][1]} '{reference.word}'"
    return reference.at.problem(message, nearest(reference.word, known))


def _file(folder: Path, name: str) -> _File:
    path = f"{folder.parent.name}/{folder.name}/{name}.yaml"
    text, problems = yamlgrammar.decoded(folder / f"{name}.yaml", path)
    read = Read(None, problems) if text is None else yamlgrammar.composed(text, path, _TOP, ("rows",))
    top, problems, lost, torn = read
    file = _File(problems=problems, path=path, torn=torn)
    if top is None or text is None:
        return file
    keys = entries(top)
    wrong = judged(keys, _TOP, ("rows",))
    for key, hint in wrong.unknown.items():
        said = hint or "the keys are 'sources' and 'rows'"
        problems.append(place(path, keys[key][0]).problem(f"unknown key '{key}' at the top", said))
    problems += [place(path, top).problem(f"the key '{key}' is missing") for key in wrong.missing]
    if "rows" not in keys:
        file.problems = list(unfounded(problems, lost))
        return file
    reader = Reader(path, problems, file.references)
    if "sources" in keys:
        reader.share(keys["sources"][1])
    elif "sources" in wrong.meant:
        reader.shared = unread(keys[wrong.meant["sources"]][1])
    rows = keys["rows"][1]
    if not isinstance(rows, yaml.SequenceNode):
        problems.append(place(path, rows).problem(f"'rows' is {yamlnodes.kind(rows)}, but a list is wanted"))
        return file
    shared = yamlnodes.part(text, keys["sources"][1]) if "sources" in keys else ""
    for node in _whole_rows(reader, rows.value, *KINDS[name]):
        _row(reader, file, node, *KINDS[name], (shared, yamlnodes.part(text, node)))
    file.problems = list(_once(list(unfounded(file.problems, lost))))
    file.lost = defined(lost) if all(map(_named, rows.value)) else None
    return file


def _once(problems: Sequence[Problem]) -> Iterator[Problem]:
    """Yield the mistakes of a file, but a source that many numbers cite and that there is not only once."""
    same: dict[str, list[Problem]] = {}
    for problem in problems:
        word = re.search(r"unknown source '([^']*)'", problem.message)
        same.setdefault(word[1] if word else str(problem), []).append(problem)
    for first, *others in same.values():
        times = "once" if len(others) == 1 else f"{len(others)} times"
        more = f" here and {times} more, next in line {others[0].line}" if others else ""
        yield replace(first, message=f"{first.message}{more}")


def _whole_rows(reader: Reader, nodes: Sequence[yaml.Node], record: type, called: str) -> Iterator[yaml.Node]:
    """Yield the rows of a file; one that a dash has torn in two is told, and goes on as one."""
    whole: list[yaml.Node] = []
    for node in nodes:
        key = _torn(node, record)
        if not key:
            whole.append(node)
            continue
        message = f"a {called} without id begins here, with '{key}'"
        hint = "if it belongs to the row above, delete the '-'; else begin with '- id:'"
        reader.problems.append(place(reader.path, node).problem(message, hint))
        if whole and isinstance(whole[-1], yaml.MappingNode):
            both = [*whole[-1].value, *node.value]
            whole[-1] = yaml.MappingNode(node.tag, both, whole[-1].start_mark, node.end_mark)
    yield from whole


def _torn(node: yaml.Node, record: type) -> str:
    """Return the key with which a row without id begins, if it is one of a row's."""
    if not isinstance(node, yaml.MappingNode) or not node.value or not isinstance(node.value[0][0], yaml.ScalarNode):
        return ""
    first = str(node.value[0][0].value)
    known = first != "id" and "id" not in entries(node) and first in {slot.key for slot in slots(record)}
    return first if known else ""


def _row(  # where to, what, and what it was read from
    reader: Reader, file: _File, node: yaml.Node, record: type, called: str, text: tuple[str, str]
) -> None:
    """Read one row into the file's rows; its id comes first, so that every message can name it.

    text is that of the shared sources and of the row: the same at the same place is not read once more.
    """
    at = place(reader.path, node)
    if not isinstance(node, yaml.MappingNode):
        file.problems.append(at.problem(f"a {called} is {yamlnodes.kind(node)}, but a mapping is wanted"))
        return
    key, where = _identity(reader, node, called)
    if key in file.at:
        file.problems.append(where.problem(f"{called} '{key}' stands twice, first in line {file.at[key].line}"))
    elif key:
        file.at[key] = where
        parts = entries(node)
        file.keys[key] = {name: place(reader.path, part) for name, (_, part) in parts.items()}
        peaks = parts["peak"][1] if "peak" in parts else None
        if isinstance(peaks, yaml.MappingNode):
            file.keys[key] |= {f"peak.{name}": place(reader.path, at) for name, (at, _) in entries(peaks).items()}
    said = f"{called} '{key}'" if key else f"{called} without id"
    row, problems, references = memory.recalled(
        "row", (at, record, said, *text), lambda: reader.alone(node, record, said)
    )
    file.problems += problems
    file.references += references
    if row is not BAD and key and node.start_mark.line not in file.torn:
        file.rows.setdefault(key, row)


def _named(node: yaml.Node) -> bool:
    """Tell whether a row has an id, whatever else is wrong with it."""
    found = entries(node).get("id") if isinstance(node, yaml.MappingNode) else None
    return found is not None and isinstance(found[1], yaml.ScalarNode) and bool(_ID.fullmatch(found[1].value))


def _identity(reader: Reader, node: yaml.MappingNode, called: str) -> tuple[str, At]:
    found = entries(node).get("id")
    if not found:
        return "", place(reader.path, node)
    at = place(reader.path, found[1])
    word = found[1].value if isinstance(found[1], yaml.ScalarNode) else ""
    if not _ID.fullmatch(word):
        right = re.sub(r"[^a-z0-9]+", "-", word.lower()).strip("-")
        hint = "ids are lower case with hyphens" + (f": '{right}'" if right else "")
        reader.problems.append(at.problem(f"{called}: '{word}' is no id", hint))
    return word, at
