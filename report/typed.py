"""Numbers that an author typed into an expression and printed: each is one that the text asks or compares with.

    over {{ 64 | exact }} devices a step takes {{ step_time(machine="h100-sxm5", devices=64, ...) | qty(2) }}

Any other would be a number without a source. Leaves out: numbers that stand in the prose itself (report/checks.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from report.errors import Problem, Tag
from report.numbers import Const, Num, Op

FROM = "a number comes from the model, the catalogue or a cited fact"


def typed(num: Num) -> bool:
    """Say whether nothing but typed numbers make a number."""
    return isinstance(num, Const) or (isinstance(num, Op) and typed(num.left) and typed(num.right))


@dataclass(frozen=True, slots=True)
class Typed:
    """A typed number where it is printed: the file, the line and the {{ }}; given are the numbers asked with there."""

    num: Num
    path: str
    line: int
    tag: Callable[[], Tag]  # only a mistake asks
    given: frozenset[float] = frozenset()

    def problem(self, given: Collection[float], source: str) -> Problem | None:
        """Return what is told of it, None where a question is given it, or a condition of the file's source has it."""
        digits = rf"(?<![\w.]){re.escape(self.num.say())}(?![\w.])"
        written = re.search(rf"(?:[(,]\s*\w+\s*=|[<>]=?)\s*{digits}|{digits}\s*[<>]", source)
        if isinstance(self.num, Const) and (written or self.num.number in {*given, *self.given}):
            return None
        message = f"the number {self.num.say()} is typed, and no question or condition of this text has it"
        return Problem(self.path, self.line, 0, message, FROM, tag=self.tag())
