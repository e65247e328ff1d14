"""A second process that makes ahead what a build will want: the parts that take long and are worth a core.

Both run the same functions. Whatever the worker has not begun, the build makes itself; whatever goes wrong over there
is made again here, where mistakes are named; and a build goes on without a worker that has died, as the largest process
does where memory is short. So the worker changes when things are made, never what is made. Leaves out: what the parts
are (the callers say).
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import multiprocessing
import os
import sys
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from typing import Any

_BESIDE: dict[tuple[Any, ...], Future[Any]] = {}
_POOLS: list[ProcessPoolExecutor] = []


@contextlib.contextmanager
def beside() -> Iterator[None]:
    """Have a worker while the block runs, on a computer that has a core for it."""
    if (os.cpu_count() or 1) < 2 or _POOLS:
        yield
        return
    pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=_quietly)
    _POOLS.append(pool)
    try:
        yield
    finally:
        _POOLS.clear()
        _BESIDE.clear()
        # It finishes what it is at, a second at most: killed while it hands over, it would leave this process waiting.
        pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def unswept() -> Iterator[None]:
    """Let garbage lie while the block runs: a build makes little, and looking for it takes a tenth of the time."""
    swept = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if swept:
            gc.enable()


def _quietly() -> None:
    """Leave Ctrl-C to the build, and say nothing: the build says it."""
    import signal

    gc.disable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123  # for as long as the process lives


def ahead(what: str, *arguments: Any) -> None:
    """Have something made by the worker, if there is one; what was asked first is made first.

    What is a function by name, "report.fonts:cut": so it is asked for before its libraries are imported here.
    """
    key = (what, *arguments)
    if _POOLS and key not in _BESIDE:
        with contextlib.suppress(BrokenExecutor):  # it has died: all is made here then
            _BESIDE[key] = _POOLS[0].submit(_run, what, *arguments)


def made(what: str, *arguments: Any) -> Any:
    """Return what a function returns for the arguments: the worker's result, where it has begun with it."""
    found = begun(what, *arguments)
    return _run(what, *arguments) if found is None else found


def begun(what: str, *arguments: Any) -> Any:
    """Return the worker's result; None where it has not begun with it, or failed."""
    future = _BESIDE.pop((what, *arguments), None)
    if future is None or future.cancel():
        return None
    try:
        return future.result()
    except Exception:
        return None


def _run(what: str, *arguments: Any) -> Any:
    module, _, name = what.partition(":")
    return getattr(importlib.import_module(module), name)(*arguments)
