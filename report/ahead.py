"""The figures, in the order in which the worker had better begin with them before anything is read."""

from __future__ import annotations

from pathlib import Path

from report import workers

# What takes longest, then what the page wants least.
FIGURES = ("drift", "sensitivity", "accuracy", "note", "capacity", "tape", "window", "bytes", "roofline")
DRAWN = "report.figures.book:drawn"  # by name: that module imports libraries which take a while


def draw(folder: Path) -> None:
    """Have the worker draw the figures of a folder's catalogue."""
    for name in FIGURES:
        workers.ahead(DRAWN, str(folder), name, "")
