"""Read content/catalogue/*.yaml into the records of the model, and say everything that is wrong in them at once.

A file has the keys `sources` (works that several rows cite) and `rows`. What a row may hold is said by its record
class: field types, units and bounds are read from there, so that a new field needs no line here. Each mistake names
file, line, column, row, and the nearest right word.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from model.bounds import indivisible
from model.machine import Machine
from model.network import Network, count
from model.records import Catalogue, Constant, MemoryLevel, Price, Rate, Run, Trend, Trick
from report import between, memory, yamlnodes
from report.errors import BuildError, Problem, nearest
from report.keys import judged
from report.rows import BAD, Reader, Reference, slots, unread
from report.yamlnodes import At, entries, place

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
# No machine ever built is outside these balances, in FLOP/B: a slip of a prefix is.
BALANCE = (1e-4, 1e5)
# Nothing of computers has doubled faster, and what doubles slower hardly grows, in years: a slip of a digit is outside.
DOUBLING = (0.2, 20.0)
AGREED = 0.05  # of a doubling time: that stated, to two digits, and that which follows from the growth
# Rounding of printed rates: the dense one is half of the sparse one within this fraction.
HALF = 0.005


@dataclass
class _File:
    """One file as read: its rows by id, where each and each of its keys begins, and what they refer to."""

    rows: dict[str, Any] = field(default_factory=dict)
    at: dict[str, At] = field(default_factory=dict)
    keys: dict[str, dict[str, At]] = field(default_factory=dict)
    references: list[Reference] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def load(folder: Path) -> Catalogue:
    """Return the catalogue kept in a folder; raise BuildError with every mistake of every file."""
    files = {name: _remembered(folder, name) for name in KINDS}
    return memory.recalled("catalogue", tuple(memory.Same(file) for file in files.values()), lambda: _whole(files))


def _remembered(folder: Path, name: str) -> _File:
    """Return a file as read now, or when it last held the same bytes."""
    path = folder / f"{name}.yaml"
    held = path.read_bytes() if memory.active() and path.is_file() else None
    return memory.recalled("rows", (str(folder), name, held), lambda: _file(folder, name))


def _whole(files: Mapping[str, _File]) -> Catalogue:
    """Return the catalogue that the files make together, once their rows agree with each other."""
    problems = [problem for file in files.values() for problem in file.problems]
    known = {name: file.at for name, file in files.items()}
    for reference in (reference for file in files.values() for reference in file.references):
        # A file with mistakes of its own may lack any row; what refers to it is judged once those are mended.
        if reference.word not in known[reference.to] and not files[reference.to].problems:
            problems.append(_dangling(reference, known[reference.to]))
    for name, check in CHECKS.items():
        for key, row in files[name].rows.items():
            for where, text in check(row):
                at = files[name].keys[key].get(where, files[name].at[key])
                problems.append(at.problem(f"{KINDS[name][1]} '{key}': {text}"))
    rows = {name: file.rows for name, file in files.items()}
    for check_all in between.CHECKS:
        for name, key, text in check_all(rows):
            message, _, hint = f"{KINDS[name][1]} '{key}': {text}".partition("; ")
            problems.append(files[name].at[key].problem(message, hint))
    if problems:
        raise BuildError(problems)
    return Catalogue(**rows)


def _dangling(reference: Reference, known: Mapping[str, At]) -> Problem:
    message = f"{reference.row}: there is no {KINDS[reference.to][1]} '{reference.word}'"
    return reference.at.problem(message, nearest(reference.word, known))


def _file(folder: Path, name: str) -> _File:
    path = f"{folder.parent.name}/{folder.name}/{name}.yaml"
    text, problems = yamlnodes.decoded(folder / f"{name}.yaml", path)
    top, problems = (None, problems) if text is None else yamlnodes.composed(text, path, _TOP)
    file = _File(problems=problems)
    if top is None or text is None:
        return file
    keys = entries(top)
    wrong = judged(keys, _TOP, ("rows",))
    for key, hint in wrong.unknown.items():
        said = hint or "the keys are 'sources' and 'rows'"
        problems.append(place(path, keys[key][0]).problem(f"unknown key '{key}' at the top", said))
    problems += [place(path, top).problem(f"the key '{key}' is missing") for key in wrong.missing]
    if "rows" not in keys:
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
    return file


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
        file.keys[key] = {name: place(reader.path, part) for name, (_, part) in entries(node).items()}
    said = f"{called} '{key}'" if key else f"{called} without id"
    row, problems, references = memory.recalled(
        "row", (at, record, said, *text), lambda: reader.alone(node, record, said)
    )
    file.problems += problems
    file.references += references
    if row is not BAD and key:
        file.rows.setdefault(key, row)


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


Fault = tuple[str, str]  # the key of the row at which it is told ('': at its id), and what is wrong


def _machine(row: Machine) -> list[Fault]:
    """Return what is inconsistent in a machine whose fields are each in order."""
    if row.balance_format not in row.peak:
        peaks = ", ".join(row.peak)
        return [("balance_format", f"balance_format '{row.balance_format}' is not among its peaks ({peaks})")]
    found = _balances(row)
    for name, peak in row.peak.items():
        if peak.sparse and abs(2 * peak.value / peak.sparse - 1) > HALF:
            found.append(("peak", f"its {name} peak {peak.text} is not half of the sparse rate that its maker prints"))
    return found


def _balances(row: Machine) -> list[Fault]:
    """Return the balances out of all reason: of one format at its peaks, of several at the bandwidth they share."""
    low, high = BALANCE
    every = {name: peak.value / row.bandwidth.value for name, peak in row.peak.items()}
    odd = {name: balance for name, balance in every.items() if not low <= balance <= high}
    if not odd:
        return []
    first = next(iter(odd))
    others = len(odd) - 1
    more = f", and at {others} more format{'s' if others > 1 else ''}" if others else ""
    said = f"a balance of {odd[first]:.3g} FLOP/B at {first}{more}; check peak and bandwidth, and their prefixes"
    return [("bandwidth" if others else "peak", said)]


def _network(row: Network) -> list[Fault]:
    try:
        count(row)
    except ValueError as error:
        return [("", str(error))]
    return [*_weaker(row), *_shares(row)]


def _shares(row: Network) -> Iterator[Fault]:
    """Yield which heads do not share out what they should: the width, unless the row gives theirs, or the heads."""
    own = row.head_dim is not None or row.latent is not None
    for part, few, whole, many in (
        ("heads", None if own else row.heads, "d", row.d),
        ("kv_heads", row.kv_heads, "heads", row.heads),
    ):
        right = indivisible(few, many) if few and many else None
        if right:
            yield part, f"{few} {part} do not divide {whole}, {many}; {right}"


def _weaker(row: Network | Run) -> list[Fault]:
    """Return the numbers whose weaker sources are named, but which the row does not hold."""
    return [
        ("weaker", f"'weaker' names '{name}', which the row does not hold")
        for name in row.weaker
        if getattr(row, name) in (None, "", ())
    ]


def _constant(row: Constant) -> list[Fault]:
    wanted = row.value if row.itemised_total is None else row.itemised_total
    total = sum(item.value for item in row.items)
    if row.items and abs(total - wanted) > 1e-9 * wanted:
        return [("items", f"its items sum to {total:g}, not to {wanted:g}")]
    if row.itemised_total is not None and not row.rounding:
        return [("itemised_total", "itemised_total differs from value; say why under 'rounding'")]
    return [] if row.low <= row.value <= row.high else [("value", f"its value {row.value:g} is outside low to high")]


def _trend(row: Trend) -> list[Fault]:
    """Return what is out of reason in a growth rate: its doubling time, or the years over which it was seen."""
    found: list[Fault] = []
    if row.growth is not None and row.growth <= 1:
        said = f"a growth of {row.growth:g} times is none; a rate that falls is written the other way round"
        return [("growth", said)]
    follows = row.years * math.log(2) / math.log(row.growth) if row.growth and row.years else None
    low, high = DOUBLING
    stated, implied = ("doubling", "'doubling' says", row.doubling), ("growth", "'growth' and 'years' say", follows)
    for key, what, time in (stated, implied):
        if time is not None and not low <= time <= high:
            found.append((key, f"{what} that it doubles in {time:.3g} years, out of all reason; check the number"))
    if row.doubling and follows and abs(row.doubling / follows - 1) > AGREED and not found:
        said = f"'doubling' says {row.doubling:g} years, but 'growth' and 'years' come to {follows:.3g}"
        found.append(("doubling", said))
    if row.start and row.end and row.start > row.end:
        found.append(("start", f"it starts in {row.start}, after its end in {row.end}"))
    return found


CHECKS: Mapping[str, Callable[[Any], list[Fault]]] = {
    "machines": _machine,
    "networks": _network,
    "constants": _constant,
    "runs": _weaker,
    "trends": _trend,
}
