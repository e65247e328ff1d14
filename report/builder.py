"""A process that builds again and again, warm: libraries stay imported, and what no edit touched stays made.

It reads one line of JSON for each build that is wanted, and answers in lines of JSON: what came of it, in two steps
where pictures take longer than the page. It asks to be replaced when the code or the libraries are no longer those
that it began with, so what it holds in memory is always made by the code on disk. Its end ends nothing else.
"""

from __future__ import annotations

import gc
import json
import queue
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import IO, Any

from report import ahead, cache, memory, workers
from report.errors import BuildError
from report.figures import book
from report.telling import telling
from report.tree import admit, complete
from report.wish import RENEW, Answer, Wish, ended

_NAMED = 6  # things of a kind that a line names


class Builder:
    """Builds as often as it is asked to; remembers from one build to the next."""

    def __init__(self, wish: Wish) -> None:
        self.wish, self.memory = wish, memory.Memory()
        self.code, self.libraries = cache.snapshot(cache.ROOT, cache.CODE), cache.installed()
        self.store: cache.Store | None = None
        self.numbers: Mapping[bytes, None] = {}  # the lines of numbers.json
        self.wanted: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    @property
    def outdated(self) -> bool:
        """Tell whether code or libraries have changed since this process began."""
        try:
            return cache.snapshot(cache.ROOT, cache.CODE) != self.code or cache.installed() != self.libraries
        except OSError:
            return True

    def build(self) -> Iterator[Answer]:
        """Yield what comes of one build: the page at once, then what was late, unless a newer build is wanted first.

        What was made is kept on disk only after the first answer, for which somebody waits.
        """
        self.store = cache.Store(cache.FOLDER, self.code, self.libraries) if self.wish.cached else None
        try:
            yield from self._answers()
        finally:
            if self.store is not None:
                self.store.close()

    def _answers(self) -> Iterator[Answer]:
        with book.held_back() as late:
            first = self._built(late)
        yield first
        if first.good and late and self._drawn(late.values()):
            second = self._built(())
            yield replace(
                second, says=[*second.says, f"  new pictures: {', '.join(late)}"] if second.good else second.says
            )
        if first.good:
            self.memory.forget()

    def _built(self, late: Collection[str]) -> Answer:
        started, content, out = time.perf_counter(), Path(self.wish.content), Path(self.wish.out)
        lost = workers.mend()
        mended = [] if lost is None else [f"{ended('The process that draws ahead', lost)}: another one does"]
        try:
            admit(out, cache.ROOT, content)
            files, changes = self._written(content, out)
        except BuildError as error:
            told = telling(error.problems, content, out)
            last = ["", told.summary] if len(error.problems) > 1 else []
            says, took = [*mended, *told.lines(self.wish.colour), *last], time.perf_counter() - started
            return Answer(good=False, says=says, wrong=told.lines(whole=True), seconds=took)
        done = f"{len(complete(files))} files in {time.perf_counter() - started:.2f} s: {changes}"
        says = [*mended, done, *_why(self.memory), *self._moved(files)]
        says += [f"old pictures, new ones to come: {', '.join(late)}"] if late else []
        return Answer(good=True, says=says, late=list(late), changed=bool(changes))

    def _written(self, content: Path, out: Path) -> tuple[dict[str, bytes], Any]:
        from report.site import render
        from report.writer import write

        base_url = self.wish.base_url and self.wish.base_url.rstrip("/") + "/"
        self.memory.begin()
        with self._keeping():
            if self.memory.build == 1 and not cache.holds("drawn", content / "catalogue"):
                ahead.draw(content / "catalogue")
            files = render(content, base_url)
            changes = write(files, out)
        return files, changes

    @contextmanager
    def _keeping(self) -> Iterator[None]:
        with cache.keeping(self.store, open_after=True), memory.remembering(self.memory):
            yield

    def _drawn(self, late: Iterable[Callable[[], object]]) -> bool:
        """Draw what was late, from the end, as the worker began at the other; False when a newer build is wanted."""
        for draw in reversed(list(late)):
            if not self.wanted.empty():
                return False
            with self._keeping():
                draw()
        return True

    def _moved(self, files: Mapping[str, bytes]) -> list[str]:
        """Return the printed numbers that are not what they were in the build before; each has a line of the file."""
        before, self.numbers = self.numbers, dict.fromkeys(files["data/numbers.json"].splitlines())
        old = _texts(line for line in before if line not in self.numbers)
        new = _texts(line for line in self.numbers if line not in before)
        moved = [
            f"{key.partition('#')[2] or key}: {old[key]} -> {text}"
            for key, text in new.items()
            if key in old and old[key] != text
        ]
        more = [f"and {len(moved) - _NAMED} more"] if len(moved) > _NAMED else []
        return [f"  {line}" for line in [*moved[:_NAMED], *more]]


def _texts(lines: Iterable[bytes]) -> dict[str, str]:
    """Return what the numbers of some lines of numbers.json print, by key."""
    rows = b",".join(line.rstrip(b",") for line in lines if line.endswith((b"}", b"},")) and line.startswith(b'"'))
    return {key: row["text"] for key, row in json.loads(b"{" + rows + b"}").items()}


_PAUSE = 0.5  # seconds without an edit
_KINDS = (("text", "texts"), ("figure", "figures"), ("page", "pages"))


def _why(remembered: memory.Memory) -> list[str]:
    """Return in words what was made anew, and how much of the same kind was not; nothing of a first build."""
    says: list[str] = []
    if remembered.build == 1:
        return says
    for kind, several in _KINDS:
        made = remembered.made.get(kind, [])
        kept = len(remembered.kept.get(kind, set()).difference(made))
        if made:
            # A text is named by its path below the content, a page by its path below the site.
            named = ", ".join(name.partition("/")[2] if kind == "text" else name for name in made[:_NAMED])
            more = f" and {len(made) - _NAMED} more" if len(made) > _NAMED else ""
            says.append(f"  made anew, {several}: {named}{more} ({kept} kept)")
    return says


def serve(wish: Wish, asked: IO[str], answers: IO[str]) -> None:
    """Build for each line that is read, several that came meanwhile at once, until there are no more."""
    builder = Builder(wish)
    threading.Thread(target=_listen, args=(asked, builder.wanted), daemon=True).start()
    over = False
    with workers.unswept(), workers.beside(), _swept() as sweep:
        while not over and _next(builder, sweep) is not None:
            while not builder.wanted.empty():
                over = builder.wanted.get() is None or over
            if builder.outdated:
                print(json.dumps(RENEW), file=answers, flush=True)
                return
            for answer in builder.build():
                print(json.dumps(asdict(answer)), file=answers, flush=True)


def _next(builder: Builder, sweep: Callable[[], None]) -> str | None:
    """Wait for what is wanted next; sweep up after the last build as soon as its author pauses, and not before."""
    if builder.memory.build:
        try:
            return builder.wanted.get(timeout=_PAUSE)
        except queue.Empty:
            sweep()
    return builder.wanted.get()


@contextmanager
def _swept() -> Iterator[Callable[[], None]]:
    """Give what sweeps up after a build, without another look at what the first one made: most of it stays."""
    seen = gc.get_freeze_count()

    def sweep() -> None:
        gc.collect()
        if gc.get_freeze_count() == seen:
            gc.freeze()

    try:
        yield sweep
    finally:
        gc.unfreeze()


def _listen(asked: IO[str], wanted: queue.SimpleQueue[str | None]) -> None:
    for line in asked:
        wanted.put(line)
    wanted.put(None)


def main() -> None:
    """Serve the wish that is the one argument of the process, over standard input and output."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the watch, which then closes our input
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # it clears up behind itself, as after Ctrl-C
    answers, sys.stdout = sys.stdout, sys.stderr
    serve(Wish(**json.loads(sys.argv[1])), sys.stdin, answers)
    gc.freeze()  # or Python looks through all that it remembers on its way out


if __name__ == "__main__":
    main()
