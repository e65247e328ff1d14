"""A folder for what a library reads from files alone; it goes when its process ends, and a worker's with its build."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path

from report.errors import BuildError, Problem

_FOLDERS: list[Path] = []  # the one to use, where another process has made it and clears it away
HINT = "TMPDIR names another place"


def make() -> tempfile.TemporaryDirectory[str]:
    """Return a new folder, which goes with this object; raise BuildError where there is none to be had."""
    try:
        return tempfile.TemporaryDirectory(prefix="report-", ignore_cleanup_errors=True)
    except OSError as error:
        said = f"can't be written: {error.strerror or error}"
        raise BuildError([Problem(os.environ.get("TMPDIR", "temporary files"), 0, 0, said, HINT)]) from error


def use(folder: Path) -> None:
    """Take a folder that another process has made."""
    _FOLDERS[:] = [folder]


def folder() -> Path:
    """Return this process's folder."""
    return _FOLDERS[0] if _FOLDERS else Path(_own().name)


_own = cache(make)
