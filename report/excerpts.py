"""How one mistake is shown: at its place, with the line itself, a caret under the word, and notes.

    content/report/pole.md:47:10: claim 'pole' is false: d_min(machine=h100-sxm5) > 768; d_min(...) = 310.2
       47 | {% claim "pole", d_min(machine="h100-sxm5") > 768 %}No batch, however large, fills an H100.
          |           ^^^^
          = moved since the last good site: bandwidth of machine 'h100-sxm5', 3.35 TB/s -> 10 TB/s

Leaves out: what a mistake is (report/errors.py), where in its line it stands (report/carets.py), and which of them
belong together (report/telling.py).
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TextIO

from report import carets
from report.errors import Problem, as_text, printable

ROOM = 110  # letters of a source line that are shown; of a longer one, those around the caret
_BOLD, _RED, _BLUE, _OFF = "\x1b[1m", "\x1b[1;31m", "\x1b[34m", "\x1b[0m"


def colourful(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Tell whether a stream is a terminal that takes colours; NO_COLOR with any text in it says no."""
    return stream.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


@dataclass(frozen=True, slots=True)
class Place:
    """A mistake with the line of the source that it is in, and where in that line: start and end count from 1."""

    problem: Problem  # its path as seen from here, its column filled in where the line gives it away
    text: str
    start: int
    end: int

    @property
    def order(self) -> tuple[str, int, int, str]:
        """Return what mistakes are sorted by: file, line, column, words."""
        return (self.problem.path, self.problem.line, self.start, self.problem.message)

    @property
    def where(self) -> str:
        """Return file and line."""
        return f"{self.problem.path}:{self.problem.line}" if self.problem.line else self.problem.path


def placed(problem: Problem, content: Path) -> Place:
    """Return a mistake with its line of the source."""
    file = _file(problem.path, content)
    lines = _whole(file) if file else ()
    line, start, end = carets.found(problem, lines)
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    path = near(file) if file else problem.path
    return Place(replace(problem, path=path, line=line, column=start), text, start, end)


def shown(place: Place, notes: Iterable[str] = (), colour: bool = False) -> list[str]:
    """Return the lines about one mistake: what is wrong where, the line with a caret, and notes."""
    said = str(place.problem)
    head, _, words = said.partition(": ")
    found = [f"{_BOLD}{head}:{_OFF} {words}" if colour else said]
    blue, red, off = (_BLUE, _RED, _OFF) if colour else ("", "", "")
    edge, *drawn = _drawn(place.text, place.start, place.end, str(place.problem.line or ""))
    margin = " " * (len(edge) - 3)
    if drawn:
        found.append(f"{blue}{edge}{off}{drawn[0]}")
    if drawn[1:]:
        found.append(f"{blue}{margin} | {off}{red}{drawn[1]}{off}")
    return [*found, *(f"{blue}{margin} = {off}{printable(note)}" for note in notes)]


def _file(path: str, content: Path) -> Path | None:
    """Return the file that a message means: its paths begin with the plain name of the content folder."""
    first, _, rest = path.partition("/")
    return content / rest if rest and first == content.name else None


def near(file: Path) -> str:
    """Return a path as short as it can be written from here."""
    try:
        near = os.path.relpath(file)
    except ValueError:  # on another drive
        return os.fspath(file)
    return min(near, os.fspath(file.absolute()), key=len)


@cache
def _lines(file: Path, _stamp: int) -> tuple[str, ...]:
    return tuple(re.split("\r\n?|\n", as_text(file.read_bytes())))


def _whole(file: Path) -> tuple[str, ...]:
    try:
        return _lines(file, file.stat().st_mtime_ns)
    except OSError:
        return ()


def _drawn(text: str, start: int, end: int, number: str) -> list[str]:
    """Return the edge, the part of the line that has room, and the caret below it; only the edge for an empty line."""
    edge = f"{number:>5} | "
    if not text.strip():
        return [edge]
    first = max(0, min(start - 1 - ROOM // 3, len(text) - ROOM)) if len(text) > ROOM else 0
    shown = text[first : first + ROOM].rstrip()
    before, after = "…" if first else "", "…" if first + ROOM < len(text) else ""
    found = [edge, before + printable(shown) + after]
    if start:
        lead = printable(text[first : start - 1])
        mark = printable(text[start - 1 : min(end - 1, first + ROOM)]) or " "
        found.append(" " * (len(before) + _width(lead)) + "^" * max(1, _width(mark)))
    return found


def _width(text: str) -> int:
    """Return how many columns of a terminal a text takes: letters of the Far East take two, accents none."""
    wide = sum(unicodedata.east_asian_width(mark) in "WF" for mark in text)
    return len(text) + wide - sum(unicodedata.combining(mark) > 0 for mark in text)
