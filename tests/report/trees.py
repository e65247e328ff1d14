"""An old and a new tree for the tests of the writer: pages and assets that come, go, change, stay and trade places."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OLD = {
    "index.html": b"old <script src=assets/page-0.js>",
    "404.html": b"nothing here",
    "note/index.html": b"old note",
    "gone/index.html": b"a page that goes",
    "assets/page-0.js": b"old script",
    "assets/same.css": b"body {}",
    "swap": b"a file that becomes a folder",
    "turn/index.html": b"a folder that becomes a file",
}
NEW = {
    "index.html": b"new <script src=assets/page-1.js>",
    "404.html": b"nothing here",
    "note/index.html": b"new note",
    "research/pole/index.html": b"a page that comes",
    "assets/page-1.js": b"new script",
    "assets/same.css": b"body {}",
    "swap/index.html": b"the folder",
    "turn": b"the file",
}
PRELUDE = """
import os, sys
from pathlib import Path
from report import writer
from report.errors import BuildError
from report.tree import complete
from tests.report.trees import NEW, OLD, holds, names
"""


def holds(out: Path) -> dict[str, bytes]:
    """Read the whole folder."""
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def names(folder: Path) -> list[str]:
    """List what lies in a folder, hidden things too."""
    return sorted(path.name for path in folder.iterdir())


def child(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run code in a Python of its own, with the trees and the writer at hand."""
    command = [sys.executable, "-c", PRELUDE + code, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
