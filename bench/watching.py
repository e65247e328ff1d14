"""Time edits under watch: from the saved file to the page on disk, to new pictures, and what the watch costs idle.

A copy of the tree is watched as an author would; each edit is timed from its save to the line that says it is built.
Linux only in part: processor time and memory are read from /proc, and left out where there is none.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

IDLE = 5.0  # s for which the watch is left alone
PATIENCE = 300.0  # s after which a build that is not done is taken for lost
TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_BUILT = re.compile(r"^\d+ files in ")
_LATE = "old pictures, new ones to come"
_DONE = "  new pictures: "


@dataclass(frozen=True, slots=True)
class Watched:
    """What was measured: seconds after an edit, share of one core when idle, bytes of the largest process."""

    prose: float
    row: float
    pictures: float
    idle: float
    memory: float


class Author:
    """Edits the files of a watched tree, and reads what the watch says."""

    def __init__(self, folder: Path, process: subprocess.Popen[str]) -> None:
        self.folder, self.process = folder, process
        self.sentences = self.rows = 0

    def until(self, true: Callable[[str], bool]) -> str:
        """Read lines until one is as wanted, and return it; exit with what was said where none comes."""
        assert self.process.stdout is not None
        said, last = [], time.monotonic() + PATIENCE
        for line in self.process.stdout:
            said.append(line)
            if line.startswith("Failed") or time.monotonic() > last:
                break
            if true(line):
                return line
        sys.exit(f"the watch did not build:\n{''.join(said)}")

    def save(self, file: str, change: Callable[[str], str]) -> float:
        """Save an edit, as editors do in one step, and return the moment."""
        path = self.folder / "content" / file
        beside = path.with_name(f".#{path.name}")
        beside.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
        moment = time.perf_counter()
        beside.replace(path)
        return moment

    def prose(self) -> float:
        """Add a sentence, and return the seconds until it is on the page."""
        self.sentences += 1
        words = "one more sentence, " * self.sentences
        saved = self.save("report/floors.md", lambda text: f"{text.rstrip()}\n\nHere is {words}and no number.\n")
        page = self.folder / "site" / "index.html"
        self.until(lambda line: bool(_BUILT.match(line)) and f"Here is {words}and no" in page.read_text("utf-8"))
        return time.perf_counter() - saved

    def row(self) -> tuple[float, float]:
        """Change a number that figures draw, and return the seconds until the page has it, and the pictures."""
        self.rows += 1
        old, new = ROW.format(self.rows - 1), ROW.format(self.rows)
        saved = self.save("catalogue/machines.yaml", lambda text: text.replace(OLD, new).replace(old, new))
        self.until(lambda line: bool(_BUILT.match(line)) and "nothing changed" not in line)
        page = time.perf_counter() - saved
        self.until(lambda line: line.startswith(_DONE))
        return page, time.perf_counter() - saved


# A number of no great consequence: no sentence of the report depends on it, and two figures draw it.
OLD = "value: 2.4 TB/s"
ROW = "value: 2.4{:03d} TB/s"


def measure(folder: Path, runs: int) -> Watched:
    """Watch the tree in a folder, edit it several times, and return what it took: medians of the seconds."""
    with watching(folder) as process:
        author = Author(folder, process)
        author.until(lambda line: bool(_BUILT.match(line)))
        time.sleep(1)
        author.prose(), author.row()  # unmeasured: the first of each finds least in memory
        prose = median(author.prose() for _ in range(runs))
        rows = [author.row() for _ in range(runs)]
        time.sleep(IDLE)  # the last build still tidies up
        family = [process.pid, *descendants(process.pid)]
        before = sum(map(ticks, family))
        time.sleep(IDLE)
        idle = (sum(map(ticks, family)) - before) / TICK / IDLE
        memory = max(map(peak, family))
    return Watched(prose, median(page for page, _ in rows), median(pictures for _, pictures in rows), idle, memory)


@contextmanager
def watching(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Run the watch of the tree in a folder while the block runs."""
    command = [sys.executable, "build.py", "watch"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8"
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


def descendants(pid: int) -> list[int]:
    """Return the processes that a process has started, and those that these have."""
    found = []
    for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, tasks.read_text().split()):
            found += [child, *descendants(child)]
    return found


def ticks(pid: int) -> int:
    """Return the processor time that a process has used, in ticks; 0 where that can't be read."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])


def peak(pid: int) -> float:
    """Return the most memory that a process has held, in bytes; 0 where that can't be read."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    found = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    return 1024.0 * int(found[1]) if found else 0.0
