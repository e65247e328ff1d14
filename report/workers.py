"""A second process that makes ahead what a build will want: the parts that take long and are worth a core.

Both run the same functions. Whatever the worker has not begun, the build makes itself; whatever goes wrong over there
is made again here, where mistakes are named; and a build goes on without a worker that has died, as the largest process
does where memory is short. So the worker changes when things are made, never what is made. Leaves out: what the parts
are (the callers say).
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import json
import os
import pickle
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import IO, Any

from report import scratch
from report.errors import BuildError

_AHEAD = 2  # things handed out at a time: the one that is being made, and the next
_CODE = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from report.workers import serve; serve(sys.argv[2])"
_LENGTH = 8  # bytes that say how long the pickle is that follows


class Worker:
    """A process that makes one thing after another until it is ended, or whoever started it has ended.

    The standard library has nothing for this: the processes of its pool outlive a main process that is killed, one that
    is killed while it hands a result over leaves the main process waiting, and each start of one wants yet another
    process, to clear up after things that nobody uses here, which warns on the terminal when it is killed.
    """

    def __init__(self) -> None:
        self.wanted: queue.SimpleQueue[tuple[Future[Any], bytes] | None] = queue.SimpleQueue()
        self.handed: queue.SimpleQueue[Future[Any] | None] = queue.SimpleQueue()
        self.room = threading.Semaphore(_AHEAD)
        self.scratch = scratch.make()  # here, since a process that is killed cannot clear up
        command = [sys.executable, "-P", "-c", _CODE, json.dumps(sys.path), self.scratch.name]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
        self.threads = [threading.Thread(target=target, daemon=True) for target in (self._hand_out, self._take_in)]
        for thread in self.threads:
            thread.start()

    def ask(self, what: str, *arguments: Any) -> Future[Any]:
        """Return what will hold the result: None where it fails, or where the process dies before it is made."""
        future: Future[Any] = Future()
        self.wanted.put((future, pickle.dumps((what, *arguments))))
        return future

    def end(self) -> None:
        """End the process at once: it writes nothing but its results."""
        self.process.kill()
        self.wanted.put(None)
        for thread in self.threads:
            thread.join()
        with contextlib.suppress(OSError), self.process:  # what it was not handed any more cannot be written
            pass
        self.scratch.cleanup()

    def _hand_out(self) -> None:
        assert self.process.stdin is not None
        while (asked := self.wanted.get()) is not None:
            self.room.acquire()
            future, job = asked
            if future.set_running_or_notify_cancel():
                self.handed.put(future)
                with contextlib.suppress(OSError):  # it has died, which whoever reads its results will see
                    _send(self.process.stdin, job)
            else:
                self.room.release()
        self.handed.put(None)

    def _take_in(self) -> None:
        assert self.process.stdout is not None
        while (future := self.handed.get()) is not None:
            found = None
            with contextlib.suppress(Exception):  # above all EOFError: it has died
                found = pickle.loads(_received(self.process.stdout))
            future.set_result(found)
            self.room.release()


def _send(pipe: IO[bytes], data: bytes) -> None:
    pipe.write(len(data).to_bytes(_LENGTH, "big"))
    pipe.write(data)
    pipe.flush()


def _received(pipe: IO[bytes]) -> bytes:
    length = int.from_bytes(_exactly(pipe, _LENGTH), "big")
    return _exactly(pipe, length)


def _exactly(pipe: IO[bytes], length: int) -> bytes:
    data = pipe.read(length)
    if len(data) < length:
        raise EOFError
    return data


_BESIDE: dict[tuple[Any, ...], Future[Any]] = {}
_WORKERS: list[Worker] = []


@contextlib.contextmanager
def beside() -> Iterator[None]:
    """Have a worker while the block runs, on a computer that has a core, and room, for it."""
    worker = None if (os.cpu_count() or 1) < 2 or _WORKERS else _started()
    if worker is None:
        yield
        return
    _WORKERS.append(worker)
    try:
        yield
    finally:
        _BESIDE.clear()
        while _WORKERS:
            _WORKERS.pop().end()


def _started() -> Worker | None:
    """Start a worker; None where the system has no place for its files, or no room for one more process."""
    with contextlib.suppress(BuildError, OSError):
        return Worker()
    return None


def mend() -> int | None:
    """Put another worker in the place of one that has died, and return how that one ended; None: none has.

    At once might be too soon, where memory was short.
    """
    ended = _WORKERS[0].process.poll() if _WORKERS else None
    if ended is not None:
        _WORKERS.pop().end()
        _WORKERS.extend(filter(None, [_started()]))
    return ended


@contextlib.contextmanager
def unswept() -> Iterator[None]:
    """Let garbage lie while the block runs, as build.py does all along."""
    swept = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if swept:
            gc.enable()


def trim() -> None:
    """Give back to the system what has been freed, where its C library can: it keeps much for the same thread's use."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def serve(folder: str) -> None:
    """Make what is asked for; leave Ctrl-C to the build, and say nothing: the build says it."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    scratch.use(Path(folder))
    asked, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), 1)  # for whatever a library has to say
    with contextlib.suppress(EOFError, OSError):  # whoever asked has ended
        while True:
            _send(answers, _answer(*pickle.loads(_received(asked))))
    shutil.rmtree(folder, ignore_errors=True)


def _answer(what: str, *arguments: Any) -> bytes:
    try:
        return pickle.dumps(_run(what, *arguments))
    except Exception:
        return pickle.dumps(None)


def ahead(what: str, *arguments: Any) -> None:
    """Have something made by the worker, if there is one; what was asked first is made first.

    What is a function by name, "report.fonts:cut": so it is asked for before its libraries are imported here.
    """
    key = (what, *arguments)
    if _WORKERS and key not in _BESIDE:
        _BESIDE[key] = _WORKERS[0].ask(what, *arguments)


def made(what: str, *arguments: Any) -> Any:
    """Return what a function returns for the arguments: the worker's result, where it has begun with it."""
    found = begun(what, *arguments)
    return _run(what, *arguments) if found is None else found


def begun(what: str, *arguments: Any) -> Any:
    """Return the worker's result; None where it has not begun with it, or failed."""
    future = _BESIDE.pop((what, *arguments), None)
    if future is None or future.cancel():
        return None
    return future.result()


def _run(what: str, *arguments: Any) -> Any:
    module, _, name = what.partition(":")
    return getattr(importlib.import_module(module), name)(*arguments)
