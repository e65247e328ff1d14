"""Where something stands in a text: its line and its column, both counted from 1."""

from __future__ import annotations

import re


def line_of(text: str, at: int) -> int:
    """Return the line of a place, which is counted from 0."""
    return text.count("\n", 0, at) + 1


def column_of(text: str, at: int) -> int:
    """Return the column of a place, which is counted from 0."""
    return at - text.rfind("\n", 0, at)


def line_and_column(text: str, at: int) -> tuple[int, int]:
    """Return line and column of a place, which is counted from 0."""
    return line_of(text, at), column_of(text, at)


def places(pattern: str, text: str) -> list[tuple[int, int]]:
    """Return line and column of each place where a regular expression matches, or of its first group."""
    starts = (found.start(found.re.groups and 1) for found in re.finditer(pattern, text, re.MULTILINE))
    return [line_and_column(text, at) for at in starts]


def line_with(text: str, words: str) -> int:
    """Return the first line that holds some words, the first of all where none does."""
    return next((n for n, line in enumerate(text.splitlines(), 1) if words in line), 1)
