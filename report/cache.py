"""What earlier builds made, kept by what it was made from: figures, fonts, the exporter's bundle, whole sites.

A key is the hash of everything that the thing depends on: its inputs, the whole code of this project, the versions of
all installed libraries, and Python's. An entry holds the hash of its own bytes; one that does not match counts as
absent. Entries are written under a temporary name and moved into place, at the end of a build and only if the code is
then what it was at the start. So the folder can be deleted at any time, two builds can share it, and bytes from it
are those that a build without it makes. Where it cannot be written, nothing is kept and nothing is said.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeAlias

from report import workers

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".cache"
CODE = ("build.py", "CITATION.cff", "model", "report", "templates")
MOST = 256e6  # bytes kept; what was not used for the longest time goes first
_HALF = ".new-"  # begins the name of a file that is being written, which takes milliseconds
_ABANDONED = 60.0  # seconds after which nobody is at it any more
_HASH = hashlib.sha256
_LENGTH = _HASH().digest_size
_INSTALLED = (".dist-info", ".egg-info")
_COMPILED = ("__pycache__", ".pyc")
Pieces: TypeAlias = Sequence[bytes]  # of what is kept: a site is too much to hold once more in one piece


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Files as they were at one moment: a hash of names and contents, and the time stamps that tell of a rewrite."""

    digest: bytes
    stamps: tuple[tuple[str, int, int], ...]


def snapshot(top: Path, names: Iterable[str] = (".",)) -> Snapshot:
    """Read all files below some entries of a folder; raise OSError for one that cannot be read."""
    parts, stamps = [], []
    for path in _files(top, names):
        stat = path.stat()
        name = path.relative_to(top).as_posix()
        stamps.append((name, stat.st_mtime_ns, stat.st_size))
        parts += [name.encode("utf-8", "surrogateescape"), path.read_bytes()]
    return Snapshot(digest(*parts), tuple(stamps))


def _files(top: Path, names: Iterable[str]) -> Iterator[Path]:
    for name in names:
        entry = top / name
        if not entry.is_dir():
            yield entry
            continue
        for folder, inner, files in os.walk(entry, followlinks=True):
            inner[:] = sorted(set(inner).difference(_COMPILED))
            yield from (Path(folder, file) for file in sorted(files) if not file.endswith(_COMPILED))


def digest(*parts: bytes) -> bytes:
    """Return the hash of several parts; where one ends and the next begins matters."""
    found = _HASH()
    for part in parts:
        found.update(len(part).to_bytes(8, "big") + part)
    return found.digest()


def installed() -> bytes:
    """Return the hash of Python's version and of the names and versions of all libraries that can be imported."""
    found = [sys.version, sys.platform, platform.machine()]
    for folder in sys.path:
        with contextlib.suppress(OSError):
            found += sorted(path.name for path in Path(folder or ".").iterdir() if path.suffix in _INSTALLED)
    return digest(*(text.encode("utf-8", "surrogateescape") for text in found))


@dataclass(slots=True)
class Store:
    """The cache during one build: what it has made so far waits in memory until the build is over."""

    folder: Path
    code: Snapshot
    libraries: bytes
    made: dict[str, Pieces] = field(default_factory=dict)

    def key(self, kind: str, *parts: bytes) -> str:
        """Return the name of an entry: its kind, and a hash of all that it depends on."""
        return f"{kind}-{digest(kind.encode(), self.code.digest, self.libraries, *parts).hex()}"

    def get(self, key: str) -> bytes | None:
        """Return an entry's bytes, or None where there is none or it is damaged."""
        if key in self.made:
            return b"".join(self.made[key])
        path = self.folder / key
        try:
            with path.open("rb") as file:
                mark, data = file.read(_LENGTH), file.read()
            os.utime(path)  # it was of use
        except OSError:
            return None
        return data if _HASH(data).digest() == mark else None

    def put(self, key: str, data: Pieces) -> None:
        """Keep bytes, given in pieces; they are written at the end of the build."""
        self.made[key] = data

    def close(self) -> None:
        """Write what was made, unless the code was edited meanwhile: then nobody knows which code made it."""
        with contextlib.suppress(OSError):
            if self.made and snapshot(ROOT, CODE) == self.code and installed() == self.libraries:
                self.folder.mkdir(parents=True, exist_ok=True)
                for key, data in self.made.items():
                    _write(self.folder, key, data)
                _prune(self.folder)
        self.made.clear()


def _write(folder: Path, key: str, data: Pieces) -> None:
    """Write an entry so that others see it whole or not at all."""
    mark = _HASH()
    for piece in data:
        mark.update(piece)
    handle, name = tempfile.mkstemp(prefix=_HALF, dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines([mark.digest(), *data])
        os.replace(name, folder / key)  # noqa: PTH105  # mkstemp gives a text
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)  # noqa: PTH108
        raise


def _prune(folder: Path) -> None:
    """Remove what killed builds left half written, and what was of no use for the longest time where there is much."""
    for path in folder.glob(f"{_HALF}*"):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime > _ABANDONED:
                path.unlink()
    kept = 0
    for stat, path in sorted(((path.stat(), path) for path in folder.iterdir()), key=_newest_first):
        kept += stat.st_size
        if kept > MOST:
            path.unlink(missing_ok=True)


def _newest_first(entry: tuple[os.stat_result, Path]) -> tuple[int, str]:
    return -entry[0].st_mtime_ns, entry[1].name


_STORES: list[Store] = []  # the innermost is in use; none: nothing is kept


@contextlib.contextmanager
def using(folder: Path | None) -> Iterator[Store | None]:
    """Keep what is made in a folder while the block runs; None, or code that cannot be read: keep nothing."""
    store = None
    if folder is not None:
        with contextlib.suppress(OSError):
            store = Store(folder, snapshot(ROOT, CODE), installed())
    with keeping(store):
        yield store


@contextlib.contextmanager
def keeping(store: Store | None, *, open_after: bool = False) -> Iterator[None]:
    """Keep what is made in a store while the block runs, and close it unless told; None: keep nothing."""
    if store is None:
        yield
        return
    _STORES.append(store)
    try:
        yield
    finally:
        _STORES.remove(store)
        if not open_after:
            store.close()


def kept(kind: str, inputs: str, make: Callable[[], bytes]) -> bytes:
    """Return what make returns, from the cache if it holds that; inputs say all that it depends on besides the code."""
    if not _STORES:
        return make()
    store = _STORES[-1]
    key = store.key(kind, inputs.encode())
    found = store.get(key)
    if found is None:
        found = make()
        store.put(key, (found,))
    return found


def all_kept(kind: str, jobs: Mapping[str, tuple[str, ...]]) -> dict[str, bytes]:
    """Return what several functions by name return for their arguments, as `kept`; the worker takes a share.

    The arguments say all that the result depends on besides the code.
    """
    for job in reversed(list(jobs.values())):  # it begins at one end and this process at the other
        if not known(kind, _said(job)):
            workers.ahead(*job)
    return {name: kept(kind, _said(job), partial(workers.made, *job)) for name, job in jobs.items()}


def known(kind: str, inputs: str) -> bool:
    """Tell whether something is kept."""
    return bool(_STORES) and _STORES[-1].get(_STORES[-1].key(kind, inputs.encode())) is not None


def _said(job: tuple[str, ...]) -> str:
    return "\0".join(job)


def holds(kind: str, folder: Path) -> bool:
    """Tell whether all of a kind was made before from just these files; noted for the next time."""
    if not _STORES:
        return False
    with contextlib.suppress(OSError):
        key = _STORES[-1].key(kind, snapshot(folder).digest)
        found = _STORES[-1].get(key)
        _STORES[-1].put(key, ())
        return found is not None
    return False


# --- whole sites


def whole(content: Path, base_url: str | None, make: Callable[[], dict[str, bytes]]) -> dict[str, bytes]:
    """Return the site that make makes of a content folder, from the cache if nothing has changed since."""
    if not _STORES:
        return make()
    store = _STORES[-1]
    try:
        before = snapshot(content)
    except OSError:  # whatever it is, the build has better words for it
        return make()
    key = store.key("site", before.digest, content.name.encode(), str(base_url).encode())
    found = store.get(key)
    if found is not None:
        return unpacked(found)
    files = make()
    with contextlib.suppress(OSError):
        if snapshot(content) == before:  # else the site may be made of old and new files
            store.put(key, packed(files))
    return files


def packed(files: dict[str, bytes]) -> Pieces:
    """Return files by name as pieces of one run of bytes: for each, the lengths of both, then both."""
    found = []
    for name, data in files.items():
        plain = name.encode()
        found += [len(plain).to_bytes(4, "big"), len(data).to_bytes(8, "big"), plain, data]
    return found


def unpacked(data: bytes) -> dict[str, bytes]:
    """Return the files of the pieces that `packed` gave, joined."""
    found, at = {}, 0
    while at < len(data):
        middle = at + 12 + int.from_bytes(data[at : at + 4], "big")
        end = middle + int.from_bytes(data[at + 4 : at + 12], "big")
        found[data[at + 12 : middle].decode()] = data[middle:end]
        at = end
    return found
