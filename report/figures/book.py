"""The figures of the report, by name and in the order of the page; each is drawn once for its rows, and kept.

A figure depends on the rows that it draws, its controls and the code, on nothing else: an edit to the catalogue that
moves none of them costs nothing. While a builder holds pictures back, a figure whose rows moved is shown with its old
pictures, and drawn beside. Leaves out: what each one draws (its own module).
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache as once
from functools import lru_cache, partial
from pathlib import Path

from model.records import Catalogue
from report import cache, catalogue, memory, workers
from report.ahead import DRAWN
from report.figures import accuracy, capacity, drift, note, roofline, sensitivity, tape, window
from report.figures import bytes as token_bytes
from report.figures.drawing import Drawing, Inputs, Module, draw, inputs
from report.figures.slot import Slot, slot
from report.memory import Same

FIGURES: Mapping[str, Module] = {
    "roofline": roofline,
    "drift": drift,
    "bytes": token_bytes,
    "window": window,
    "tape": tape,
    "capacity": capacity,
    "note": note,
    "accuracy": accuracy,
    "sensitivity": sensitivity,
}
_HELD: list[dict[str, Callable[[], Drawing]]] = []  # figures left with old pictures; none: they are waited for


def slots(rows: Catalogue) -> dict[str, Callable[[], Slot]]:
    """Return what gives the place of each figure that draws rows of a catalogue."""
    return {name: partial(_slot, name, rows) for name in FIGURES}


def drawings(rows: Catalogue, folder: Path) -> dict[str, Callable[[], Drawing]]:
    """Return what draws each figure of a catalogue, which was read from a folder, the first time that it is asked."""
    return {name: once(partial(_drawing, name, rows, folder)) for name in FIGURES}


@contextmanager
def held_back() -> Iterator[dict[str, Callable[[], Drawing]]]:
    """Let figures whose rows moved keep their old pictures while the block runs; what draws each anew is noted."""
    held: dict[str, Callable[[], Drawing]] = {}
    _HELD.append(held)
    try:
        yield held
    finally:
        _HELD.remove(held)


def _inputs(name: str, rows: Catalogue) -> Inputs:
    key = (name, Same(rows))
    return memory.recalled("inputs", key, lambda: _worked(*key), again=True) if memory.active() else _once(*key)


def _worked(name: str, rows: Same) -> Inputs:
    return inputs(FIGURES[name], rows.held)


_once = lru_cache(maxsize=len(FIGURES))(_worked)  # a process that builds once asks for the words, then for the picture


def _slot(name: str, rows: Catalogue) -> Slot:
    def make() -> Slot:
        return slot(name, FIGURES[name], _inputs(name, rows), rows)

    return memory.recalled("slot", (name, Same(rows)), make, again=True)


def _drawing(name: str, rows: Catalogue, folder: Path) -> Drawing:
    """Return a figure: remembered, from the cache, from the worker if it has read the same rows, or drawn here."""
    given = _inputs(name, rows)
    ask = (DRAWN, str(folder), name, given.key)
    if _HELD and (old := memory.last("figure", name)) and not _at_hand(name, given.key):
        workers.ahead(*ask)
        _HELD[-1][name] = partial(_drawing, name, rows, folder)
        found: Drawing = old
        return found

    def make() -> bytes:
        seen, data = workers.begun(*ask) or workers.begun(DRAWN, str(folder), name, "") or ("", b"")
        return data if seen == given.key else _packed(draw(name, FIGURES[name], given))

    found = memory.recalled("figure", (name, given.key), lambda: _unpacked(_kept(name, given.key, make)), name)
    memory.keep("figure", name, found)
    return found


def _kept(name: str, key: str, make: Callable[[], bytes]) -> bytes:
    return cache.kept("figure", f"{name} {key}", make)


def _at_hand(name: str, key: str) -> bool:
    return memory.held("figure", (name, key)) or cache.known("figure", f"{name} {key}")


def drawn(folder: str, name: str, key: str) -> tuple[str, bytes]:
    """Return what a figure of a folder's catalogue depends on, as read now, and the figure.

    key is that of the inputs which are asked for: another one means another reading of the files. It is empty where
    the asker has read nothing yet.
    """
    given = inputs(FIGURES[name], _read(folder, key))
    return given.key, _packed(draw(name, FIGURES[name], given))


@lru_cache(maxsize=1)
def _read(folder: str, _key: str) -> Catalogue:
    return catalogue.load(Path(folder))


def _packed(drawing: Drawing) -> bytes:
    return json.dumps(dataclasses.asdict(drawing)).encode()


def _unpacked(data: bytes) -> Drawing:
    return Drawing(**json.loads(data))
