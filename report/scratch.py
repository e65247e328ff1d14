"""A folder for what a library reads from files alone; it goes when its process ends, and a worker's with its build."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from report.errors import BuildError, Problem

_FOLDERS: list[Path] = []  # the one to use, where another process has made it and clears it away
HINT = "TMPDIR names another place"
_HINTS = {
    errno.ENOSPC: "make room there, or name another place with TMPDIR",
    errno.EDQUOT: "make room there, or name another place with TMPDIR",
    errno.EFBIG: "the system lets no file grow as large here; raise that limit, which is ulimit -f in a shell",
}


def make() -> tempfile.TemporaryDirectory[str]:
    """Return a new folder, which goes with this object; raise BuildError where there is none to be had."""
    with writing():
        return tempfile.TemporaryDirectory(prefix="report-", ignore_cleanup_errors=True)


@contextlib.contextmanager
def writing() -> Iterator[None]:
    """Turn what the system refuses to write among temporary files into one line for the author, a BuildError."""
    try:
        yield
    except OSError as error:
        said = f"can't be written: {error.strerror or error}"
        place = os.environ.get("TMPDIR", "temporary files")
        raise BuildError([Problem(place, 0, 0, said, _HINTS.get(error.errno or 0, HINT))]) from error


def use(folder: Path) -> None:
    """Take a folder that another process has made."""
    _FOLDERS[:] = [folder]


def folder() -> Path:
    """Return this process's folder."""
    return _FOLDERS[0] if _FOLDERS else Path(_own().name)


_own = cache(make)
