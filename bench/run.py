"""Time whole processes: a cold build, builds after edits and after none, edits under watch, and the yardstick for them.

The tree is copied to a temporary folder first, so that cold means cold and no cache or site of this checkout is
touched. Prints the median of several runs beside its limit; ends with 1 when a limit is passed. The peak memory is
that of the largest process of a run.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

if __package__ in (None, ""):  # called as a script
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import watching

ROOT = Path(__file__).resolve().parent.parent
TREE = ("build.py", "CITATION.cff", "model", "report", "content", "templates")
YARDSTICK = [sys.executable, str(ROOT / "bench" / "yardstick.py")]
BUILD = [sys.executable, "build.py"]
COLD_LIMIT = 8.0  # yardsticks
AGAIN_LIMIT = 1.0  # s
PROSE_LIMIT = 0.5  # s
ROW_LIMIT = 1.0  # s
PICTURES_LIMIT = 3.0  # s
TENFOLD_LIMIT = 2.0  # cold builds
IDLE_LIMIT = 1.0  # % of a core
MEMORY_LIMIT = 600e6  # byte
MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024  # byte


@dataclass(frozen=True, slots=True)
class Run:
    """One finished process: its wall-clock time in seconds and its peak memory in bytes."""

    seconds: float
    memory: float


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: what was measured, as a number of `unit`, beside its limit (None: there is none)."""

    says: str
    value: float
    unit: str
    limit: float | None

    @property
    def passed(self) -> bool:
        """Tell whether the value keeps to its limit."""
        return self.limit is None or self.value <= self.limit

    def __str__(self) -> str:
        limit = "" if self.limit is None else f"{self.limit:g} {self.unit}"
        verdict = "" if self.limit is None else "good" if self.passed else "TOO MUCH"
        return f"{self.says:<36} {self.value:>8.2f} {self.unit:<10} {limit:>14}  {verdict}".rstrip()


def measure(command: list[str], folder: Path) -> Run:
    """Run a command in a folder to its end; exit with its message if it fails."""
    with tempfile.TemporaryFile() as said:
        started = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            said.seek(0)
            sys.exit(f"{' '.join(command)} ended with {process.returncode}:\n{said.read().decode()}")
    return Run(seconds, usage.ru_maxrss * MAXRSS_UNIT)


def build_often(folder: Path) -> tuple[Run, ...]:
    """Build a fresh copy of the tree, again unchanged, after an edit to the prose, and after one to a row."""
    copy_tree(folder)
    runs = [measure(BUILD, folder), measure(BUILD, folder)]
    for file, line in (("report/index.md", "\nOne more sentence.\n"), ("catalogue/machines.yaml", "# one more line\n")):
        with (folder / "content" / file).open("a", encoding="utf-8") as text:
            text.write(line)
        runs.append(measure(BUILD, folder))
    return tuple(runs)


def build_tenfold(folder: Path) -> Run:
    """Build a fresh copy of the tree whose catalogue is ten times as long."""
    copy_tree(folder)
    for file in sorted((folder / "content" / "catalogue").glob("*.yaml")):
        file.write_text(tenfold(file.read_text(encoding="utf-8")), encoding="utf-8")
    return measure(BUILD, folder)


_ROW = r" *- id: "


def tenfold(text: str) -> str:
    """Return a file of the catalogue with nine copies of each row, under ids of their own.

    Not the published runs, rows of one line each: they are compared in pairs, and a run beside its copy is no pair.
    A copied machine is not shown: it is read, asked about and sent to the browser as any other, but is no point of a
    fit, whose interval ten equal points would narrow until true sentences were false. No copy is a default: one row is
    what a symbol means.
    """
    head, mark, rows = text.partition("\nrows:\n")
    lead, *items = re.split(rf"^(?={_ROW})", rows, flags=re.MULTILINE)
    copies = [_copy(item, n) for n in range(1, 10) for item in items]
    return head + mark + lead + "".join(items + copies)


def _copy(item: str, n: int) -> str:
    """Return the n-th copy of a row."""
    hidden = "\n    shown: false" if "balance_format:" in item else ""
    left = "default|shown" if hidden else "default"
    bare = re.sub(rf"^ *(?:{left}): \w+\n", "", item, flags=re.MULTILINE)
    return re.sub(rf"^({_ROW})([\w.-]+)", rf"\1\2-copy{n}{hidden}", bare)


def copy_tree(folder: Path) -> None:
    """Copy what a build reads, and nothing that an earlier build left."""
    for name in TREE:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, folder / name)


def table(
    yardsticks: list[Run], builds: list[tuple[Run, ...]], large: Run, watched: watching.Watched | None = None
) -> list[Line]:
    """Reduce the runs to the lines that are printed."""
    yardstick = median(run.seconds for run in yardsticks)
    cold, again, prose, row = (median(runs[which].seconds for runs in builds) for which in range(4))
    memory = max([large.memory, *(run.memory for runs in builds for run in runs)])
    return [
        Line("yardstick: imports and one chart", yardstick, "s", None),
        Line("cold build", cold, "s", None),
        Line("cold build", cold / yardstick, "yardsticks", COLD_LIMIT),
        Line("build again, nothing changed", again, "s", AGAIN_LIMIT),
        Line("build after an edit to the prose", prose, "s", None),
        Line("build after an edit to a catalogue", row, "s", None),
        Line("cold build, catalogue ten times", large.seconds / cold, "cold", TENFOLD_LIMIT),
        Line("peak memory", memory / 1e6, "MB", MEMORY_LIMIT / 1e6),
        *(_edits(watched) if watched else ()),
    ]


def _edits(watched: watching.Watched) -> list[Line]:
    return [
        Line("watch: edit to the prose, page", watched.prose, "s", PROSE_LIMIT),
        Line("watch: edit to a row, page", watched.row, "s", ROW_LIMIT),
        Line("watch: edit to a row, pictures", watched.pictures, "s", PICTURES_LIMIT),
        Line("watch: idle", 100 * watched.idle, "% of a core", IDLE_LIMIT),
        Line("watch: peak memory", watched.memory / 1e6, "MB", MEMORY_LIMIT / 1e6),
    ]


def main() -> int:
    """Measure, print the table, and return 0 if every limit holds, else 1."""
    parser = argparse.ArgumentParser(prog="bench/run.py", description="Time builds as whole processes.")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="how often each is run (3)")
    runs = max(1, parser.parse_args().runs)
    measure(YARDSTICK, ROOT)  # unmeasured: it fills the disk cache
    yardsticks, builds = [], []
    for _ in range(runs):  # by turns, so that a busy spell of the machine falls on both
        yardsticks.append(measure(YARDSTICK, ROOT))
        with tempfile.TemporaryDirectory() as folder:
            builds.append(build_often(Path(folder)))
    with tempfile.TemporaryDirectory() as folder:
        large = build_tenfold(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        copy_tree(Path(folder))
        watched = watching.measure(Path(folder), runs)
    lines = table(yardsticks, builds, large, watched)
    busy = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores" if hasattr(os, "getloadavg") else ""
    print(busy)
    print(f"{'median of ' + str(runs):<36} {'measured':>8} {'':<10} {'at most':>14}", *lines, sep="\n")
    return 0 if all(line.passed for line in lines) else 1


if __name__ == "__main__":
    raise SystemExit(main())
