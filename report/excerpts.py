"""What a terminal is told about mistakes: each at its place, with the line itself, and what moved a false claim.

    content/report/pole.md:47:10: claim 'pole' is false: d_min(machine=h100-sxm5) > 768; d_min(...) = 310.2
       47 | {% claim "pole", d_min(machine="h100-sxm5") > 768 %}No batch, however large, fills an H100.
          |           ^^^^
          = moved since the last good site: machines/h100-sxm5/bandwidth, 3.35 TB/s -> 10 TB/s

Leaves out: what a mistake is (report/errors.py) and finding any.
"""

from __future__ import annotations

import json
import math
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TextIO

from model.units import unit
from report import rounding
from report.claims import RESTING
from report.errors import Input, Problem, printable

ROOM = 110  # letters of a source line that are shown; of a longer one, those around the caret
_QUOTED = re.compile(r"'([^']+)'")
_CALLED = re.compile(r"^(\w+)\(")
_WORD = re.compile(r"[\w.-]+|\S")
_BOLD, _RED, _BLUE, _OFF = "\x1b[1m", "\x1b[1;31m", "\x1b[34m", "\x1b[0m"
_MOST = 8  # inputs of a claim that are named


def colourful(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Tell whether a stream is a terminal that takes colours; NO_COLOR with any text in it says no."""
    return stream.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


def told(problems: Iterable[Problem], content: Path, site: Path, colour: bool = False) -> list[str]:
    """Return the lines about all mistakes: paths as seen from here, lines of the sources, the inputs that moved."""
    before = _inputs(site)
    return [line for problem in problems for line in _told(problem, content, before, colour)]


def _told(problem: Problem, content: Path, before: Mapping[str, Any], colour: bool) -> Iterator[str]:
    file = _file(problem.path, content)
    text = _line(file, problem.line) if file and problem.line else ""
    start, end = _span(problem, text)
    moved = list(_moved(problem.inputs, before))
    message = problem.message.partition(RESTING)[0] if moved else problem.message
    there = replace(problem, path=_near(file) if file else problem.path, column=start, message=message)
    place, _, words = str(there).partition(": ")
    yield f"{_BOLD}{place}:{_OFF} {words}" if colour else str(there)
    edge, *drawn = _drawn(text, start, end, str(problem.line) if problem.line else "")
    blue, red, off = (_BLUE, _RED, _OFF) if colour else ("", "", "")
    if drawn:
        yield f"{blue}{edge}{off}{drawn[0]}"
    if drawn[1:]:
        yield f"{blue}{' ' * (len(edge) - 3)} | {off}{red}{drawn[1]}{off}"
    for note in moved:
        yield f"{blue}{' ' * (len(edge) - 3)} = {off}{note}"


def _file(path: str, content: Path) -> Path | None:
    """Return the file that a message means: its paths begin with the plain name of the content folder."""
    first, _, rest = path.partition("/")
    return content / rest if rest and first == content.name else None


def _near(file: Path) -> str:
    """Return a path as short as it can be written from here."""
    try:
        near = os.path.relpath(file)
    except ValueError:  # on another drive
        return os.fspath(file)
    return min(near, os.fspath(file.absolute()), key=len)


@cache
def _lines(file: Path, _stamp: int) -> tuple[str, ...]:
    return tuple(file.read_text(encoding="utf-8", errors="replace").split("\n"))


def _line(file: Path, number: int) -> str:
    try:
        lines = _lines(file, file.stat().st_mtime_ns)
    except OSError:
        return ""
    return lines[number - 1] if number <= len(lines) else ""


def _span(problem: Problem, text: str) -> tuple[int, int]:
    """Return where the caret begins and ends, counted from 1: at the column, else under the word that is quoted.

    A word that stands more than once in the line could be any of them: then there is no caret, 0 and 0.
    """
    words = _QUOTED.findall(problem.message)
    if problem.column:
        at = problem.column - 1
        word = next((word for word in words if text.startswith(word, at)), "")
        found = _WORD.match(text, at)
        return problem.column, problem.column + max(1, len(word) or (len(found[0]) if found else 1))
    for word in (*words, *(f"{word}(" for word in _CALLED.findall(problem.message))):
        if text.count(word) == 1:
            return text.index(word) + 1, text.index(word) + 1 + len(word)
    return 0, 0


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


# --- what moved


def _inputs(site: Path) -> Mapping[str, Any]:
    """Return what the claims of the last good site rest on, as it was then; nothing where there is no such site."""
    try:
        found = json.loads((site / "data" / "claims.json").read_bytes())["inputs"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def _moved(inputs: tuple[Input, ...], before: Mapping[str, Any]) -> Iterator[str]:
    """Yield the inputs of a claim that are not what they were, or new."""
    moved = []
    for row, value, written in inputs:
        old = before.get(row)
        if isinstance(old, int | float) and not math.isclose(old, value, rel_tol=1e-9):
            moved.append(f"{row}, {_amount(old, written)} -> {_amount(value, written)}")
    if moved:
        more = f"; and {len(moved) - _MOST} more" if len(moved) > _MOST else ""
        yield f"moved since the last good site: {'; '.join(moved[:_MOST])}{more}"


def _amount(value: float, written: str) -> str:
    """Return a value with prefix and unit, in plain letters."""
    return rounding.amount(value, rounding.label(unit(written))).replace(rounding.NBSP, " ")
