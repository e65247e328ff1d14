"""Where the parser of YAML gave up on a file, and what is said of it there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

# A line that begins with a key, maybe behind the dash of a list.
KEY = re.compile(r"(?P<lead>[ ]*(?:- +)*)(?P<key>[\w.-]+):(?= |$)")
CLOSES = {"{": "}", "[": "]"}
_LONG = 60  # letters of a value that a hint repeats


@dataclass(frozen=True, slots=True)
class Words:
    """A mistake and where it is; line and column count from 1.

    instead is what the line was meant to be, where one can read on with that. moved says that the line is right but
    for where it stands, as one is too that stands below a slip.
    """

    line: int
    column: int
    message: str
    hint: str = ""
    instead: str = ""
    moved: bool = False

    def meant(self, line: str) -> Words:
        """Return the mistake with what its line was meant to be."""
        return replace(self, instead=line)

    def misplaced(self, line: str) -> Words:
        """Return the mistake of a line that is right but for where it stands, with what it was meant to be."""
        return replace(self, instead=line, moved=True)


class Mended(NamedTuple):
    """What is told of slips, the lines that were meant, and of them those left blank; by their number from 0."""

    words: tuple[Words, ...]
    lines: Mapping[int, str]
    gone: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Slip:
    """Where the parser gave up, and where that part of the file began; rows and columns count from 0."""

    text: str
    problem: str
    row: int
    column: int
    began: tuple[int, int]

    @property
    def lines(self) -> list[str]:
        """All lines of the file."""
        return self.text.split("\n")

    def line(self, row: int) -> str:
        """Return a line, empty where there is none."""
        return self.lines[row] if row < len(self.lines) else ""

    @property
    def before(self) -> str:
        """What stands before the place in its line."""
        return self.line(self.row)[: self.column]

    @property
    def rest(self) -> str:
        """What stands from the place on in its line."""
        return self.line(self.row)[self.column :]

    def here(self, message: str, hint: str = "", back: int = 0) -> Words:
        """Return a mistake at the place where the parser gave up, or so many columns before it."""
        return Words(self.row + 1, self.column + 1 - back, message, hint)

    def start(self, message: str, hint: str = "") -> Words:
        """Return a mistake at the place where that part of the file began."""
        return Words(self.began[0] + 1, self.began[1] + 1, message, hint)


def shortened(text: str) -> str:
    """Return the beginning of a text that is too long to be said once more."""
    return text if len(text) <= _LONG else f"{text[:_LONG].rstrip()}…"


def content(line: str) -> int:
    """Return the column, from 0, in which the first key of a line begins, behind the dash of a list."""
    return len(line) - len(re.sub(r"^ *(- +)*", "", line))
