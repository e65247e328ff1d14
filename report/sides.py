"""What one side of a comparison says: a site, its file numbers.json, or a revision of this repository.

A site has its numbers as data, so that nothing is built for it. A revision is built aside, by its own code, with the
cache of this checkout: what was built here before is there at once. Leaves out: comparing (report/diff.py).
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from report import scratch
from report.errors import BuildError, Problem

_NOT_A_SITE = "it is neither a site, nor a file numbers.json, nor a revision of this repository"
_NO_FILE = "it is neither a site nor a file numbers.json, and whether it is a revision isn't known: "
_NUMBERS = Path("data", "numbers.json")
_CACHE = ".cache"
_END = "; nothing written\n"  # of what a build says; true there, and no help here
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What one site says: numbers by key, claims by id, machines by id (None: a site that lists none)."""

    numbers: Mapping[str, Row]
    claims: Mapping[str, Row] = field(default_factory=dict)
    machines: Mapping[str, Row] | None = None


def both(old: str, new: str, root: Path) -> tuple[Shown, Shown]:
    """Return what two sites say; each is named by folder, by its numbers.json, or by revision.

    Both names are looked at before anything is built; raise BuildError with what is wrong with either.
    """
    found: list[Shown | Revision] = []
    problems: list[Problem] = []
    for name in (old, new):
        try:
            found.append(_found(name, root))
        except BuildError as error:
            problems += error.problems
    if problems:
        raise BuildError(problems)
    before, after = (one if isinstance(one, Shown) else _aside(one, root) for one in found)
    return before, after


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """A commit of this repository, and the name by which it was asked for."""

    name: str
    commit: str


def _found(name: str, root: Path) -> Shown | Revision:
    """Return what a name means; a folder without numbers may be named like a branch."""
    path = Path(name)
    if path.is_file() or (path / _NUMBERS).is_file():
        return _read(path / _NUMBERS if path.is_dir() else path, name)
    commit = _commit(name, root)
    if commit is None:
        raise BuildError([_amiss(name, _NOT_A_SITE)])
    return Revision(name=name, commit=commit)


def _commit(name: str, root: Path) -> str | None:
    """Return the commit that a name stands for; None where there is none, or no repository."""
    asked = ["git", "-C", str(root), "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
        said = done.stderr.strip()
    except OSError as error:
        raise BuildError([_amiss(name, f"{_NO_FILE}git can't be run ({error.strerror})")]) from error
    if done.returncode and said:  # of a name alone that it doesn't know it says nothing
        raise BuildError([_amiss(name, f"{_NO_FILE}git says: {said.splitlines()[0]}")])
    return done.stdout.strip() if done.returncode == 0 else None


def _amiss(name: str, why: str, hint: str = "") -> Problem:
    return Problem(name, 0, 0, f"can't be compared: {why}", hint)


def _read(file: Path, name: str) -> Shown:
    try:
        numbers = json.loads(file.read_bytes())["numbers"]
        claims, machines = (_beside(file, part) for part in ("claims", "machines"))
        found = {claim["id"]: claim for claim in claims or ()}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BuildError([_amiss(name, f"no numbers can be read from {file.name}", _NOT_A_SITE)]) from error
    return Shown(numbers=numbers, claims=found, machines=machines)


def _beside(file: Path, part: str) -> Any:
    other = file.with_name(f"{part}.json")
    return json.loads(other.read_bytes())[part] if other.is_file() else None


def _aside(revision: Revision, root: Path) -> Shown:
    """Build a revision in a folder of its own, with its own code, and read the result."""
    with scratch.make() as folder:
        tree, site = Path(folder, "tree"), Path(folder, "site")
        with scratch.writing():
            _unpack(revision, root, tree)
        _share_cache(root, tree)
        print(f"building {revision.name} aside", file=sys.stderr, flush=True)
        command = [sys.executable, "build.py", "--out", str(site)]
        done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
        if done.returncode:
            print(done.stderr.removesuffix(_END).rstrip(), file=sys.stderr)
            raise BuildError([_amiss(revision.name, "this revision does not build")])
        return _read(site / _NUMBERS, revision.name)


def _unpack(revision: Revision, root: Path, tree: Path) -> None:
    """Lay out the files of a revision; whatever does not come with it, such as a site, is not there."""
    archive = subprocess.run(["git", "-C", root, "archive", revision.commit], capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(tree, filter="data")
    if not (tree / "build.py").is_file():
        raise BuildError([_amiss(revision.name, "this revision has no build.py")])


def _share_cache(root: Path, tree: Path) -> None:
    """Let the build aside take from this checkout's cache, and add to it; entries name all that they were made from."""
    try:
        (root / _CACHE).mkdir(exist_ok=True)
        (tree / _CACHE).symlink_to((root / _CACHE).resolve(), target_is_directory=True)
    except OSError:
        return  # it may not be written, or there are no such links: the build is slower, and the same
