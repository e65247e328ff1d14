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
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from report.errors import BuildError, Problem

_NOT_A_SITE = "it is neither a site, nor a file numbers.json, nor a revision of this repository"
_CACHE = ".cache"
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What one site says: numbers by key, claims by id, machines by id (None: a site that lists none)."""

    numbers: Mapping[str, Row]
    claims: Mapping[str, Row] = field(default_factory=dict)
    machines: Mapping[str, Row] | None = None


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
        found = {claim["id"]: claim for claim in claims or ()}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BuildError([Problem(name, 0, 0, f"no numbers can be read from {file.name}", _NOT_A_SITE)]) from error
    return Shown(numbers=numbers, claims=found, machines=machines)


def _beside(file: Path, part: str) -> Any:
    other = file.with_name(f"{part}.json")
    return json.loads(other.read_bytes())[part] if other.is_file() else None


def _built(revision: str, root: Path, folder: Path) -> Shown:
    """Build a revision in a folder of its own, with its own code, and read the result."""
    _unpack(revision, root, folder / "tree")
    _share_cache(root, folder / "tree")
    print(f"building {revision} aside", file=sys.stderr, flush=True)
    command = [sys.executable, "build.py", "--out", str(folder / "site")]
    done = subprocess.run(command, cwd=folder / "tree", capture_output=True, text=True, check=False)
    if done.returncode:
        said = [Problem(revision, 0, 0, line) for line in done.stderr.splitlines() if line.strip()]
        raise BuildError([*said, Problem(revision, 0, 0, "this revision does not build")])
    return _read(folder / "site" / "data" / "numbers.json", revision)


def _unpack(revision: str, root: Path, tree: Path) -> None:
    """Lay out the files of a revision; whatever does not come with it, such as a site, is not there."""
    if revision.startswith("-"):
        raise BuildError([Problem(revision, 0, 0, _NOT_A_SITE)])
    archive = subprocess.run(["git", "-C", root, "archive", revision], capture_output=True, check=False)
    if archive.returncode:
        raise BuildError([Problem(revision, 0, 0, _NOT_A_SITE)])
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(tree, filter="data")


def _share_cache(root: Path, tree: Path) -> None:
    """Let the build aside take from this checkout's cache, and add to it; entries name all that they were made from."""
    try:
        (root / _CACHE).mkdir(exist_ok=True)
        (tree / _CACHE).symlink_to((root / _CACHE).resolve(), target_is_directory=True)
    except OSError:
        return  # it may not be written, or there are no such links: the build is slower, and the same
