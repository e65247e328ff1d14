"""Put a rendered site in place in one step, so that a reader meets the old site or the new one, never a mixture.

The tree is staged in a folder beside the old one and the two are exchanged by a single call of the system. Where
that call is missing or refused, files are replaced one by one, pages last. Builds beside each other take turns by a
lock on the parent folder, which leaves no file behind. Leaves out: what the files say, which folders are refused.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from report.tree import LITTER, MARKER, STAGING, complete, marker, plain_words, real, refusal, standing

PATIENCE = 60.0  # seconds that a build waits for another one that is writing beside it


@dataclass(frozen=True, slots=True)
class Changes:
    """Which files of the site a build added, changed and removed; paths sorted.

    left: staging folders, whole sites each, that could not be removed: the old site may belong to somebody else.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    left: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)

    def __str__(self) -> str:
        kinds = {"added": self.added, "changed": self.changed, "removed": self.removed}
        said = ", ".join(f"{len(paths)} {kind}" for kind, paths in kinds.items() if paths) or "nothing changed"
        return "; ".join([said, *(f"'{path}' can't be removed: delete it" for path in self.left)])


def write(tree: Mapping[str, bytes], out: Path) -> Changes:
    """Make the folder hold exactly this tree, and say which files that changed."""
    whole, place = complete(tree), real(out)
    with plain_words(out):
        place.parent.mkdir(parents=True, exist_ok=True)
        with _turn(place.parent, out) as alone:
            if alone:
                _sweep(place)
            try:
                changes = _put(whole, place, out)
            except FileNotFoundError:  # somebody deletes the old site at this moment
                changes = _put(whole, place, out)
            left = tuple(map(str, _leftovers(place))) if alone else ()
    return replace(changes, left=left)


def _put(tree: Mapping[str, bytes], place: Path, named: Path) -> Changes:
    """Put a tree in place; raise FileNotFoundError where what stands there is gone before that is done."""
    old = standing(place, named)
    changes = _compare(tree, place, old)
    if changes and not _exchange_trees(tree, place, changes):
        _replace_files(tree, place, old, changes)
    _prune(place)
    return changes


def _compare(tree: Mapping[str, bytes], out: Path, old: frozenset[str]) -> Changes:
    return Changes(
        added=tuple(sorted(set(tree) - old)),
        changed=tuple(sorted(path for path in old & set(tree) if not _same(out / path, tree[path]))),
        removed=tuple(sorted(old - set(tree))),
    )


def _same(path: Path, data: bytes) -> bool:
    return path.stat().st_size == len(data) and path.read_bytes() == data


def _exchange_trees(tree: Mapping[str, bytes], out: Path, changes: Changes) -> bool:
    """Stage the whole tree beside the old one and exchange them; False, and nothing changed, where that is refused."""
    if Path.cwd().is_relative_to(out):
        return False  # the shell that called would be left standing in a folder that is gone
    try:
        stage = Path(tempfile.mkdtemp(prefix=f".{out.name}.build-", dir=out.parent))
    except OSError:
        return False  # we may not write beside the site, yet perhaps inside it
    try:
        kept = set(tree).difference(changes.added, changes.changed)
        _fill(stage, {path: data for path, data in tree.items() if path not in kept})
        for path in sorted(kept):
            _keep(out / path, stage, path, tree[path])
        if out.exists():
            return _exchange(stage, out)
        stage.rename(out)
        return True
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two folders in one step of the file system; False where the system has no such call or refuses."""
    here, flag = -100, 2  # AT_FDCWD; RENAME_EXCHANGE, which macOS calls RENAME_SWAP
    names = os.fsencode(one), os.fsencode(other)
    try:
        system = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            return bool(system.renamex_np(*names, ctypes.c_uint(flag)) == 0)
        return bool(system.renameat2(here, names[0], here, names[1], ctypes.c_uint(flag)) == 0)
    except (AttributeError, OSError, TypeError):
        return False  # the system's library lacks the call, or there is no such library


def _replace_files(tree: Mapping[str, bytes], out: Path, old: frozenset[str], changes: Changes) -> None:
    """Replace file by file: all are staged first, pages move last, what is gone goes after them."""
    if not old:  # else it stands there, or is deleted at this moment, with the files that need not be replaced
        out.mkdir(exist_ok=True)
    out.chmod(0o755)
    stage = Path(tempfile.mkdtemp(prefix=".build-", dir=out))
    moved = sorted({*changes.added, *changes.changed} - {MARKER}, key=lambda path: (path.endswith(".html"), path))
    try:
        _fill(stage, {MARKER: marker({*tree, *old}), **{path: tree[path] for path in moved}})
        _move(stage, out, MARKER)  # a build killed from here on leaves old and new files, and its list names both
        _fill(stage, {MARKER: tree[MARKER]})
        for path in moved:
            _move(stage, out, path)
        for path in changes.removed:
            if (out / path).is_file():  # else a folder stands there by now, or a file where its folder was
                (out / path).unlink()
        _move(stage, out, MARKER)
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _fill(stage: Path, tree: Mapping[str, bytes]) -> None:
    """Write the files into the staging folder, readable by any web server whatever the umask."""
    stage.chmod(0o755)
    for path in sorted(tree):
        target = stage / path
        _make_folders(stage, target.parent)
        target.write_bytes(tree[path])
        target.chmod(0o644)


def _make_folders(top: Path, folder: Path) -> None:
    """Make the folders between, and clear away the old file where a folder must stand."""
    for part in reversed([folder, *folder.parents]):
        if part != top and part.is_relative_to(top) and not part.is_dir():
            part.unlink(missing_ok=True)
            part.mkdir()
            part.chmod(0o755)


def _move(stage: Path, out: Path, path: str) -> None:
    _make_folders(out, (out / path).parent)
    if (out / path).is_dir():
        shutil.rmtree(out / path)  # it holds our own files only: `standing` has looked
    (stage / path).replace(out / path)


def _keep(old: Path, stage: Path, path: str, data: bytes) -> None:
    """Take over an unchanged file with its time, so that servers and copying tools see that it is the same."""
    target = stage / path
    _make_folders(stage, target.parent)
    try:
        os.link(old, target, follow_symlinks=False)
    except (OSError, NotImplementedError):  # a file system without such links
        _fill(stage, {path: data})
        times = old.stat()
        os.utime(target, ns=(times.st_atime_ns, times.st_mtime_ns))
    else:
        target.chmod(0o644)


def _sweep(out: Path) -> None:
    """Remove what killed builds left; only with the lock held, when no other build can own a staging folder."""
    for entry in _leftovers(out):
        shutil.rmtree(entry, ignore_errors=True)


def _leftovers(out: Path) -> Iterator[Path]:
    """Yield the staging folders that there are, beside a site and in it."""
    beside = re.compile(re.escape(f".{out.name}") + STAGING.pattern)
    for folder, staging in ((out.parent, beside), (out, STAGING)):
        for entry in sorted(folder.iterdir()) if folder.is_dir() else ():
            if staging.fullmatch(entry.name) and entry.is_dir() and not entry.is_symlink():
                yield entry


def _prune(out: Path) -> None:
    """Remove folders that hold nothing any more, which a clean build would not have."""
    for folder in sorted((Path(name) for name, _, _ in os.walk(out)), reverse=True):
        if folder != out and folder.name not in LITTER and not any(folder.iterdir()):
            folder.rmdir()


@contextlib.contextmanager
def _turn(folder: Path, out: Path) -> Iterator[bool]:
    """Hold the lock on a folder, so that builds beside each other take turns; False where there are no such locks."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:  # also what Windows says to every folder
        yield False
        return
    try:
        yield _locked(handle, out)
    finally:
        os.close(handle)  # which lets go of the lock, as the end of a killed process does


def _locked(handle: int, out: Path) -> bool:
    """Wait for the lock as long as patience lasts."""
    import fcntl

    last = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() >= last:
                raise refusal(out, "another build has been writing here for too long", "end it first") from None
            time.sleep(0.02)
        except OSError:
            return False  # a network file system without locks
