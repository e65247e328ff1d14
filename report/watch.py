"""Rebuild at every edit, and show the last good site on this computer, with pages that reload themselves.

Building is the work of another process (report/builder.py), which stays warm from edit to edit. It is replaced when
code changes, or when it ends for whatever reason: neither ends the watch. Leaves out: building, and serving.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import watchfiles

from report.excerpts import near
from report.preview import Preview, preview
from report.tree import MARKER
from report.wish import RENEW, ended

_NAMED = 6  # files of a kind that are named in the terminal
_STEP = 12  # ms between looks for edits; a burst is over when none comes for as long
_GRACE = 1.0  # seconds that an end of the watch leaves a build
# What a site is made from. What editors leave beside it ends otherwise, or begins with a dot or a hash.
_SOURCE = re.compile(r"[^.#].*\.(md|yaml|bib|py|html|css|js|cff)")


class Warm:
    """A builder's process as seen from the watch: asked for builds, its answers handled in a thread of their own."""

    def __init__(self, command: Sequence[str], handle: Callable[[Any], None]) -> None:
        self.command, self.handle = command, handle
        self.process: subprocess.Popen[str] | None = None
        self.reader: threading.Thread | None = None
        self.closing = False
        self.waiting = False  # for what was asked last, late pictures included
        self.again = False  # asked once more for a build that a process did not live to end
        self.turn = threading.RLock()

    def ask(self) -> None:
        """Want a build; a process that has ended is replaced."""
        with self.turn:
            self.again = False
            self._ask()

    def _ask(self) -> None:
        with self.turn:
            self.waiting = True
            for _ in range(2):
                process = self._running()
                assert process.stdin is not None
                try:
                    process.stdin.write("build\n")
                    process.stdin.flush()
                except (OSError, ValueError):  # it ended since it was looked at; the pipe may be closed already
                    self.process = None
                    continue
                return

    def close(self) -> None:
        """End the process: it is left a moment for its last answer, and no more, since somebody waits."""
        with self.turn:
            self.closing = True
            if self.process is not None and self.process.stdin is not None:
                with contextlib.suppress(OSError):
                    self.process.stdin.close()
            process, reader = self.process, self.reader
        if reader is not None:
            reader.join(_GRACE)
            if process is not None and reader.is_alive():
                process.terminate()
            reader.join()

    def _running(self) -> subprocess.Popen[str]:
        if self.process is None or self.process.poll() is not None:
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(self.command, stdin=pipe, stdout=pipe, text=True, encoding="utf-8")
            self.reader = threading.Thread(target=self._read, args=(self.process,), daemon=True)
            self.reader.start()
        return self.process

    def _read(self, process: subprocess.Popen[str]) -> None:
        """Hand on what a process answers; where it ends before it has answered, say so and have another one build."""
        renewed = False
        with process:
            for answer in _answers(process):
                renewed = answer == RENEW
                if not renewed:
                    with self.turn:
                        self.waiting = bool(answer["late"])
                    self.handle(answer)
        with self.turn:
            if self.waiting and not self.closing and self.process is process:
                self._ended(process.returncode, renewed=renewed)

    def _ended(self, code: int, *, renewed: bool) -> None:
        """Have another process build, unless this is the second that did not live to do it."""
        if renewed:
            self._ask()
        elif not self.again:
            self.again = True
            print(f"{ended('The builder', code)}: another one builds", file=sys.stderr, flush=True)
            self._ask()
        else:
            self.waiting = False
            reason = f"{ended('The builder', code)}, twice: the next edit starts another"
            wrong = [f"{reason}; see the terminal"]
            self.handle({"good": False, "says": [reason], "wrong": wrong, "late": [], "seconds": None})


def _answers(process: subprocess.Popen[str]) -> Iterator[Any]:
    """Yield the answers of a process until it ends; it may have been killed in the middle of one."""
    assert process.stdout is not None
    with contextlib.suppress(json.JSONDecodeError):
        yield from map(json.loads, process.stdout)


def watch(
    command: Sequence[str],
    sources: Sequence[Path],
    out: Path,
    port: int | None = None,
    stop: threading.Event | None = None,
) -> None:
    """Build by a builder's command, serve the folder, build again whenever a source changes, until told to stop."""
    # The first batch has no changes and comes at once: the watch stands before the first build reads anything, and
    # what is edited during a build is in the batch after it.
    files = Files()
    batches = watchfiles.watch(
        *(path for path in sources if path.exists()),
        watch_filter=watchfiles.DefaultFilter(ignore_paths=[os.path.realpath(out)]),
        step=_STEP,
        rust_timeout=200,
        stop_event=stop,
        yield_on_timeout=True,
    )
    with preview(out, port) as server:
        print(f"Showing {out} on {server.address} until Ctrl-C", flush=True)
        shown = Shown(out)
        builder = Warm(command, lambda answer: _heard(server, shown, answer))
        try:
            for number, batch in enumerate(batches):
                if number and not batch:
                    if not builder.waiting and shown.lost():
                        builder.ask()
                    continue
                before, files = files, standing(sources)
                told = told_of(before, files) if number else ()
                print(*told, sep="\n", end="\n" if told else "", flush=True)
                if told or not number or any(_SOURCE.fullmatch(Path(path).name) for _, path in batch):
                    builder.ask()
        finally:
            builder.close()


@dataclass
class Shown:
    """Whether the site is there that a watch has written, or has found: somebody may delete it at any time."""

    out: Path
    there: bool = False
    good: bool = True  # what the last build came to
    missed: int = 0  # looks in vain, one after the other: a folder goes file by file

    def __post_init__(self) -> None:
        self.there = self.stands()

    def stands(self) -> bool:
        """Tell whether the whole of a site is there."""
        return (self.out / MARKER).is_file()

    def lost(self) -> bool:
        """Tell whether the site is gone since it was last looked for, and is to be written anew; say so once."""
        self.missed = 0 if self.stands() else self.missed + 1
        gone = self.there and self.missed > 1
        if gone:
            self.there = False
            what = "it is written anew" if self.good else "the next good build writes it anew"
            print(f"Deleted: {self.out}, the site: {what}", flush=True)
        return gone and self.good

    def heard(self, *, good: bool) -> None:
        """Note what a build came to; one that failed as the site was deleted under it may be tried again."""
        self.good = good or (self.there and not self.stands())
        self.there = self.there or good


Files: TypeAlias = dict[str, tuple[int, int, int]]  # path -> its file's number, time and size


def standing(sources: Iterable[Path]) -> Files:
    """Return the source files that there are."""
    found: Files = {}
    for source in sources:
        for folder, _, names in os.walk(source) if source.is_dir() else [(source.parent, (), [source.name])]:
            for path in (os.path.join(folder, name) for name in names if _SOURCE.fullmatch(name)):  # noqa: PTH118
                with contextlib.suppress(OSError):  # gone since it was listed
                    status = os.stat(path)  # noqa: PTH116  # hundreds, at every edit
                    found[path] = (status.st_ino, status.st_mtime_ns, status.st_size)
    return found


def told_of(before: Files, now: Files) -> list[str]:
    """Return in words what became of the files, a line for each kind of change.

    The system's own word for it is not enough: an editor that saves in one step makes a new file of the same name.
    """
    gone = {file[0]: path for path, file in before.items() if path not in now}
    came = [path for path in sorted(now) if path not in before]
    renamed = {path: gone.pop(now[path][0]) for path in came if now[path][0] in gone}
    kinds = {
        "Edited": [_shown(path) for path in sorted(now) if path in before and before[path] != now[path]],
        "Renamed": [f"{_shown(old)} -> {_shown(path)}" for path, old in renamed.items()],
        "New": [_shown(path) for path in came if path not in renamed],
        "Deleted": sorted(_shown(path) for path in gone.values()),
    }
    return [f"{kind}: {_listed(paths)}" for kind, paths in kinds.items() if paths]


def _shown(path: str) -> str:
    return near(Path(path))


def _listed(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return f"{', '.join(paths[:_NAMED])}{more}"


def _heard(server: Preview, shown: Shown, answer: Any) -> None:
    """Say what came of a build, in the terminal and in open pages."""
    shown.heard(good=answer["good"])
    if answer["says"]:
        print(*answer["says"], sep="\n", flush=True, file=sys.stdout if answer["good"] else sys.stderr)
    if answer["good"]:
        server.reload(answer["late"])
        return
    took = "" if answer["seconds"] is None else f" in {answer['seconds']:.2f} s"
    stays = "the last good site stays" if shown.stands() else "there is no site yet"
    print(f"Failed{took}: {stays}", flush=True)
    server.complain(answer["wrong"])
