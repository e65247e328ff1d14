"""What a text says twice in a row: a small word, or the unit behind a number that is printed with its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from report.desk import MARKS, Desk, Printed
from report.leftovers import Fault
from report.markdown import Block
from report.shown import Cell

# Words that are never meant twice, as "still still" may be. Where something was left out, two blanks stand.
_TWICE = re.compile(
    r"(?<![\w'’-])(the|an?|of|to|in|on|and|or|at|by|for|with|from|as|be|are|was|its|this)(?P<gap>[ \n])\1(?![\w'’-])",
    re.IGNORECASE,
)
_BEHIND = re.compile(rf"([{MARKS}])(\s+)([A-Za-zµ%][^\s{MARKS},.;:)]*)")
_SIDES = re.compile(
    rf"(?P<before>[A-Za-z]{{2,}})?(?P<number>[{MARKS}])(?:[ \u00a0]?(?P<percent>%)|(?P<behind>[A-Za-z]{{2,}}))?"
)
_OPPOSITE = {"before": "behind", "behind": "before"}
_PRINTED = re.compile(r"\d ?([A-Za-zµ%].*)\Z")


def repeated(desk: Desk, block: Block) -> Iterator[Fault]:
    """Yield each small word that stands twice, and each unit behind a number that has it."""
    for found in _TWICE.finditer(block.text):
        again = found.end("gap")
        word = block.text[again : found.end()]
        yield again, word, f"'{word}' stands twice", "delete one of them"
    yield from _beside(desk, block)
    for found in _BEHIND.finditer(block.text):
        item = desk.item(found[1])
        unit = _unit(item, found[3]) if isinstance(item, Printed) else ""
        if unit and block.text.startswith(unit, found.start(3)):
            yield (
                found.start(3),
                unit,
                f"the unit '{unit}' stands twice",
                "the number is printed with it; delete it here",
            )


def _beside(desk: Desk, block: Block) -> Iterator[Fault]:
    """Yield what stands beside a number and was meant otherwise: a percent sign, a word without a blank."""
    for found in _SIDES.finditer(block.text):
        item = desk.item(found["number"])
        if not isinstance(item, Printed):
            continue
        if found["percent"] and not (item.text() or "%").endswith("%"):
            yield (
                found.start("percent"),
                found["percent"],
                "'%' stands behind a number",
                "write | percent(2) in its {{ }}",
            )
        for side in ("before", "behind"):
            if found[side]:
                yield (
                    found.start(side),
                    found[side],
                    f"a blank is missing {_OPPOSITE[side]} '{found[side]}'",
                    "write one",
                )


def _unit(item: Printed, word: str) -> str:
    """Return the unit that a number is printed with, if a word begins as it does."""
    shown = item.shown
    label = None if isinstance(shown, Cell) else shown.label
    first = {name.split(" ")[0] for name in (label.one, label.many)} if label else {word}
    if not any(word.endswith(name) or name.startswith(word) for name in first):
        return ""
    found = _PRINTED.search((item.text() or "").replace("\u00a0", " "))
    return found[1] if found else ""
