"""A part of a text that is run for its mistakes alone, since it is not taken, or nobody knows whether it is.

Only what is wrong whatever the numbers are is told of it: a name that there is not, an argument too many. What it
prints, claims and places is left out again. Leaves out: which parts those are (report/branches.py), and what is wrong
with their words (report/draft.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from report.desk import Desk, Formula
from report.errors import Problem

# What is said of mistakes that no number or row puts right.
_STATIC = re.compile(
    r"(?:[\w.]+: )?(?:unknown \w+ '|there is no |'\w+' is missing$|\w+ is a text in quotes|too many )"
    r"|[\w.]+: got an unexpected |[\w.]+ takes (?:keys only|the name of one row)|'.+' stands without its brackets$"
    r"|\w+ is a name, not a number$|a claim has no name$|'.+' is no name of a claim$|claim '.*': unknown state "
    r"|no argument is called |the argument '.+' stands twice$|.+ is printed without a filter$|.+ is no function$"
    r"|\{% \w+ %\} takes |the bare number .+ is printed$|a note (?:says nothing|runs over a paragraph)$|'~' joins "
    r"|the numeral .+ is typed into |the text '.*' is printed with a numeral |claim '.*' stands inside claim "
    r"|the number \S+ is typed, |\w+\([\w.-]+\) has no '[^']+'$|'.*' is not a number of digits$"
    r"|the words '.+' are about typed |'\w+' takes \d+ arguments |\\"
)
_UNKNOWN = re.compile(r"unknown name '(.+)'$")
_LISTS = ("numbers", "citations", "blocks", "unread", "refs")


def looked(desk: Desk, run: Callable[[], object], source: str, *, unsure: bool) -> str:
    """Run a part of a text, note its mistakes, return what it prints; source is the text, whose tests are obeyed.

    unsure: the part may be taken all the same, and what it would place may be pointed at.
    """
    before = {name: len(getattr(desk, name)) for name in (*_LISTS, "items", "typed", "problems")}
    claims, opened, given, mended = desk.claims, desk.open, set(desk.given), set(desk.mended)
    parts = desk.setting.parts
    placed = len(parts.placed) if parts else 0
    desk.claims, desk.open = {}, opened and replace(opened, spoken=[], variants=[], places={})
    printed = str(run())
    stands = "\n".join([printed, *_named(desk, before)])
    pointed = [one for one in desk.refs[before["refs"] :] if not _stands(one.name, stands)]
    unread = [*desk.unread[before["unread"] :], *([stands] if unsure else ())]
    told = [one for one in desk.problems[before["problems"] :] if _static(one, source)]
    desk.typed[before["typed"] :] = [replace(one, given=frozenset(desk.given)) for one in desk.typed[before["typed"] :]]
    for name in (*_LISTS, "problems"):  # what is printed is still made of the items
        del getattr(desk, name)[before[name] :]
    desk.claims, desk.open, desk.given, desk.mended = claims, opened, given, mended
    if parts:
        parts.forget(placed)
    desk.problems += told
    desk.refs += pointed
    desk.unread += unread
    return printed


def _named(desk: Desk, before: dict[str, int]) -> Iterator[str]:
    """Yield the figures, tables and equations of a part of a text, as a text writes them."""
    yield from (f'{one.kind} "{one.name}"' for one in desk.blocks[before["blocks"] :])
    yield from (f"{{#{one.label}}}" for one in desk.items[before["items"] :] if isinstance(one, Formula) and one.label)


def _stands(name: str, text: str) -> bool:
    """Tell whether a part of a text may hold what a name points at."""
    return re.search(rf"\b{re.escape(name.removeprefix('fig-'))}\b", text) is not None


def _static(problem: Problem, source: str) -> bool:
    """Tell whether a mistake is one whatever is chosen; a name that the text tests for may be given elsewhere."""
    unknown = _UNKNOWN.match(problem.message)
    if unknown and re.search(rf"\b{re.escape(unknown[1])}\s+is\s+(?:not\s+)?(?:un)?defined\b", source):
        return False
    return _STATIC.match(problem.message) is not None
