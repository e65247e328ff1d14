"""The figures of the report, by name and in the order of the page; each is drawn once for a catalogue, and kept.

A figure depends on the catalogue and on the code, on nothing else. Leaves out: what each one draws (its own module).
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from pathlib import Path

from model.records import Catalogue
from report import cache, catalogue, workers
from report.figures import accuracy, capacity, drift, note, roofline, tape, window
from report.figures import bytes as token_bytes
from report.figures.drawing import Drawing, Module, draw

FIGURES: Mapping[str, Module] = {
    "roofline": roofline,
    "drift": drift,
    "bytes": token_bytes,
    "window": window,
    "tape": tape,
    "capacity": capacity,
    "note": note,
    "accuracy": accuracy,
}
DRAWN = "report.figures.book:drawn"


def figures(rows: Catalogue, folder: Path) -> dict[str, Callable[[], Drawing]]:
    """Return what draws each figure of a catalogue, which was read from a folder."""
    inputs = repr(rows)  # a value of plain records: all of it shows
    return {name: partial(_drawing, name, rows, inputs, folder) for name in FIGURES}


def _drawing(name: str, rows: Catalogue, inputs: str, folder: Path) -> Drawing:
    """Return a figure from the cache, from the worker if it has read the same rows, or drawn here."""

    def make() -> bytes:
        seen, data = workers.begun(DRAWN, str(folder), name) or ("", b"")
        return data if seen == inputs else _packed(draw(name, FIGURES[name], rows))

    return Drawing(**json.loads(cache.kept("figure", f"{name} {inputs}", make)))


def drawn(folder: str, name: str) -> tuple[str, bytes]:
    """Return the catalogue of a folder as read, and a figure of it."""
    rows = _read(folder)
    return repr(rows), _packed(draw(name, FIGURES[name], rows))


@lru_cache(maxsize=1)
def _read(folder: str) -> Catalogue:
    return catalogue.load(Path(folder))


def _packed(drawing: Drawing) -> bytes:
    return json.dumps(dataclasses.asdict(drawing)).encode()
