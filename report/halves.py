"""Quotation marks and brackets of a {{ }} or {% %} that lack their other half: which, and what to write for it."""

from __future__ import annotations

import re
from typing import NamedTuple

from report.grammar import Said
from report.tags import TEXTS

_CLOSES = {"(": ")", "[": "]", "{": "}"}
_BEHIND = re.compile(r"(?<=[=(,\[ ])([A-Za-z][\w.-]*)[\"']")  # a text that is closed alone
_BEFORE = re.compile(r"[\"']([A-Za-z][\w.-]*)(?=\s*[,)|\]])")  # a text that is opened alone


class Half(NamedTuple):
    """What is said of a half: where in its tag it stands, and the words that the caret belongs under."""

    said: Said
    at: int
    about: str


def alone(tag: str) -> Half | None:
    """Return the first quotation mark or bracket of a tag that stands alone; None where each has its other half."""
    return _quote(tag) or _bracket(TEXTS.sub(lambda text: "_" * len(text[0]), tag))


def _quote(tag: str) -> Half | None:
    """Return the first quotation mark that stands alone, if they are odd in number and all of one kind."""
    marks = set(re.findall(r"[\"']", tag))
    if len(marks) != 1 or tag.count(mark := marks.pop()) % 2 == 0:
        return None
    halves = [(found, what) for form, what in ((_BEHIND, "begins"), (_BEFORE, "ends")) for found in form.finditer(tag)]
    for found, what in sorted(halves, key=lambda half: half[0].start()):
        if tag.count(mark, 0, found.start()) % 2 == 0 and not tag.startswith(mark, found.end()):
            told = Said(f"a text in quotes never {what}", f"write {mark}{found[1]}{mark}")
            return Half(told, found.start(), found[0])
    return None


def _bracket(tag: str) -> Half | None:
    """Return the first bracket that closes nothing, or is never closed; texts are masked."""
    stack: list[int] = []
    for at, mark in enumerate(tag[2:-2], 2):
        if mark in _CLOSES:
            stack.append(at)
        elif mark in _CLOSES.values():
            if not stack:
                return Half(Said(f"'{mark}' closes nothing", f"delete it, or write '{_opens(mark)}' before"), at, "")
            stack.pop()
    if not stack:
        return None
    mark, name = tag[stack[0]], re.search(r"[\w.]*\Z", tag[: stack[0]])
    whose = f" of {name[0]}" if name and name[0] else ""
    hint = f"write {_CLOSES[mark]} behind what belongs in it"
    return Half(Said(f"'{mark}'{whose} is never closed", hint), stack[0], "")


def _opens(mark: str) -> str:
    return next(opens for opens, closes in _CLOSES.items() if closes == mark)
