"""What a change did to the printed numbers: `build.py diff OLD NEW`, as Markdown for a pull request.

OLD and NEW are sites (folders), files numbers.json, or revisions of this repository, which are built aside. A number
is known by its place and by what it asks, not by where it stands in the file. Leaves out: looks, and words.
"""

from __future__ import annotations

import io
import json
import math
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from report.errors import BuildError, Problem
from report.robust import NEAR

MOST = 200  # rows of a table: a summary of a run has room for no more than this comfortably
_NOT_A_SITE = "it is neither a site, nor a file numbers.json, nor a revision of this repository"
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What one site says: numbers by key, claims by id, machines by id (None: a site that lists none)."""

    numbers: Mapping[str, Row]
    claims: Mapping[str, Row] = field(default_factory=dict)
    machines: Mapping[str, Row] | None = None


def compare(old: str, new: str, root: Path) -> str:
    """Return the differences of two sites as Markdown; raise BuildError for one that cannot be read or built."""
    return report(shown(old, root), shown(new, root), old, new)


# --- reading


def shown(name: str, root: Path) -> Shown:
    """Return what a site says, which is named by folder, by its numbers.json, or by revision."""
    path = Path(name)
    if path.is_dir():
        return _read(path / "data" / "numbers.json", name)
    if path.is_file():
        return _read(path, name)
    with tempfile.TemporaryDirectory() as folder:
        return _built(name, root, Path(folder))


def _read(file: Path, name: str) -> Shown:
    try:
        numbers = json.loads(file.read_bytes())["numbers"]
        claims, machines = (_beside(file, part) for part in ("claims", "machines"))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BuildError([Problem(name, 0, 0, f"no numbers can be read from {file.name}", _NOT_A_SITE)]) from error
    return Shown(numbers=numbers, claims={claim["id"]: claim for claim in claims or ()}, machines=machines)


def _beside(file: Path, part: str) -> Any:
    other = file.with_name(f"{part}.json")
    return json.loads(other.read_bytes())[part] if other.is_file() else None


def _built(revision: str, root: Path, folder: Path) -> Shown:
    """Build a revision in a folder of its own, with its own code, and read the result."""
    if revision.startswith("-"):
        raise BuildError([Problem(revision, 0, 0, _NOT_A_SITE)])
    archive = subprocess.run(["git", "-C", root, "archive", revision], capture_output=True, check=False)
    if archive.returncode:
        raise BuildError([Problem(revision, 0, 0, _NOT_A_SITE)])
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(folder / "tree", filter="data")
    command = [sys.executable, "build.py", "--out", str(folder / "site")]
    done = subprocess.run(command, cwd=folder / "tree", capture_output=True, text=True, check=False)
    if done.returncode:
        said = [Problem(revision, 0, 0, line) for line in done.stderr.splitlines()]
        raise BuildError([*said, Problem(revision, 0, 0, "this revision does not build")])
    return _read(folder / "site" / "data" / "numbers.json", revision)


# --- comparing


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A number as it was printed and as it is now; `places` says how many print it, first is one of them."""

    first: str
    asked: str
    old: str
    new: str
    relative: float | None
    places: int = 1


def changes(old: Shown, new: Shown) -> list[Change]:
    """Return the numbers that changed, largest change first; one row for all places that print the same."""
    found: dict[tuple[str, str, str], Change] = {}
    for key in old.numbers:
        if key not in new.numbers:
            continue
        before, after = old.numbers[key], new.numbers[key]
        if (_text(before), before["value"]) == (_text(after), after["value"]):
            continue
        where, _, asked = key.partition(" ")
        same = (asked or where, _text(before), _text(after))
        known = found.get(same)
        found[same] = Change(
            first=known.first if known else where,
            asked=same[0],
            old=same[1],
            new=same[2],
            relative=_relative(before["value"], after["value"]),
            places=known.places + 1 if known else 1,
        )
    return sorted(found.values(), key=lambda change: (-abs(_size(change)), change.first, change.asked))


def _size(change: Change) -> float:
    return math.inf if change.relative is None else change.relative


def _text(number: Row) -> str:
    return str(number["state"] or number["text"] or "")


def _relative(old: float | None, new: float | None) -> float | None:
    """Return the change in parts of the old value; None where there is no value on one side."""
    return None if old is None or new is None or old == 0 else new / old - 1


def claims(old: Shown, new: Shown) -> Iterator[str]:
    """Yield a line for each claim that came, went, flipped for some readers, or is about to flip."""
    for name in sorted({*old.claims, *new.claims}):
        before, after = old.claims.get(name), new.claims.get(name)
        if before is None or after is None:
            yield f"`{name}` {'is new' if before is None else 'is gone'}: {_cell(_sentence(after or before))}"
        else:
            yield from _moved(name, before, after)


def _moved(name: str, old: Row, new: Row) -> Iterator[str]:
    if old["condition"] != new["condition"]:
        yield f"`{name}` asserts something else: `{_code(old['condition'])}` → `{_code(new['condition'])}`"
    before, after = _held(old), _held(new)
    if before != after:
        yield f"`{name}` flipped for some readers: it held on {before}, and now on {after}"
    if new["margin"] is not None and new["margin"] < NEAR and new["margin"] != old["margin"]:
        sides = ", ".join(f"{side['number']} = {side['value']}" for side in new["values"])
        yield f"`{name}` is within {new['margin']:.2%} of flipping (was {old['margin']:.2%}): {_cell(sides)}"


def _held(claim: Row) -> str:
    tally = claim["presets"]
    return f"{tally.get('true', 0)} of {sum(tally.values())} machines and networks"


def _sentence(claim: Row | None) -> str:
    return str(claim["sentence"]) if claim else ""


def machines(old: Shown, new: Shown) -> Iterator[str]:
    """Yield a line for each machine that came or went."""
    if old.machines is None or new.machines is None:
        return
    for name in sorted({*old.machines, *new.machines}):
        before, after = old.machines.get(name), new.machines.get(name)
        if before is None or after is None:
            row, what = after or before or {}, "is new" if before is None else "is gone"
            yield f"`{name}` ({_cell(row.get('name', ''))}, {row.get('year')}) {what}"


# --- saying it


def report(old: Shown, new: Shown, before: str, after: str) -> str:
    """Return the comparison as Markdown."""
    changed = changes(old, new)
    added, gone = [[key for key in one.numbers if key not in other.numbers] for one, other in ((new, old), (old, new))]
    printed = sum(change.places for change in changed)
    counts = f"{printed} of {len(new.numbers)} printed numbers changed, {len(added)} are new, {len(gone)} are gone."
    parts = [f"## Numbers: `{_code(before)}` → `{_code(after)}`", counts]
    if changed:
        parts.append("\n".join(_table(changed)))
    parts += _list("Claims", claims(old, new)) + _list("Machines", machines(old, new))
    parts += _list("New numbers", (f"`{_code(key)}`: {_cell(_text(new.numbers[key]))}" for key in added))
    parts += _list("Numbers that are gone", (f"`{_code(key)}`: {_cell(_text(old.numbers[key]))}" for key in gone))
    return "\n\n".join(parts) + "\n"


def _table(changed: list[Change]) -> Iterator[str]:
    yield "| asked | first printed at | old | new | change |\n|---|---|--:|--:|--:|"
    for change in changed[:MOST]:
        more = f" and {change.places - 1} more" if change.places > 1 else ""
        size = "" if change.relative is None else f"{change.relative:+.3%}"
        cells = (f"`{_code(change.asked)}`", f"{_cell(change.first)}{more}", _cell(change.old), _cell(change.new), size)
        yield f"| {' | '.join(cells)} |"
    if len(changed) > MOST:
        yield f"\nand {len(changed) - MOST} more, each changed by less"


def _list(title: str, lines: Iterator[str]) -> list[str]:
    found = list(lines)
    more = [f"and {len(found) - MOST} more"] if len(found) > MOST else []
    return [f"### {title}", "\n".join(f"- {line}" for line in [*found[:MOST], *more])] if found else []


def _cell(text: object) -> str:
    """Return a text that stays one cell of a table, and shows no markup of its own."""
    plain = " ".join(str(text).split())
    return "".join(f"\\{mark}" if mark in "\\|`*_<>[]" else mark for mark in plain)


def _code(text: str) -> str:
    return " ".join(text.replace("`", "'").replace("|", "\\|").split())
