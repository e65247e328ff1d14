"""Which branch of a text is taken, and which values of `and`, `or` and `if` in an expression; the others are read too.

Where a condition has a mistake of its own nobody can tell: then the first branch is printed, no claim in it is judged,
and the others are read as well. Leaves out: how the other branches come to be run (report/branches.py).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from report import aside, marks
from report.asks import Ask
from report.conditions import BAD, Bad
from report.described import resolved
from report.desk import Desk


class Choices(Environment):
    """The part of a page's environment that a choice of its text asks."""

    desk: Desk
    numbers: dict[tuple[str, int], int]  # of each choice, by its file and its number there: that of the whole text
    taken: dict[int, bool | None]  # whether the first part of each choice is, as far as that can be told

    def begins(self, n: int) -> Markup:
        """Note that a choice of the text is met (report/branches.py), and print a mark of it."""
        self.taken[self._whole(n)] = False
        return Markup(marks.choice(self._whole(n)))

    def _whole(self, n: int) -> int:
        """Return the number that a choice of the running file has in the whole text, which takes in other files."""
        return self.numbers.setdefault((self.desk.place()[0], n), len(self.numbers))

    def ran(self, n: int) -> None:
        """Note that the first part of a choice is taken."""
        self.taken[self._whole(n)] = True

    def chosen(self, n: int, value: object) -> bool:
        """Return whether the first part of a choice is taken; it is where nobody can tell, because of a mistake."""
        taken = self.taken[self._whole(n)] = self._truth(value)
        self.desk.torn |= taken is None
        return taken is not False

    def doubted(self, n: int) -> None:
        """Note that a part begins of which nobody can tell whether it is taken."""
        if self.taken[self._whole(n)] is None:
            self.desk.doubts += 1
            if self.desk.open:
                self.desk.open.doubtful = True

    def sure(self, n: int) -> None:
        """Note that such a part ends."""
        self.desk.doubts -= self.taken[self._whole(n)] is None

    def kept(self, value: object) -> bool:
        """Return whether a loop takes a value that its filter judges; it does where that can't be told."""
        return self._truth(value) is not False

    def looked(self, n: int, part: bool, last: int, caller: Callable[[], object]) -> str:
        """Read a part of a choice for its mistakes if it is the one that was not taken; a mark of it is printed.

        last is the line on which its text ends.
        """
        taken = self.taken[self._whole(n)]
        if (taken is not False) is part:
            return ""
        printed = self._looked(caller, unsure=taken is None) + marks.line(last)
        self.desk.asides.append((self._whole(n), printed))
        return marks.aside(len(self.desk.asides) - 1)

    def _looked(self, run: Callable[[], object], *, unsure: bool) -> str:
        path, _ = self.desk.place()
        return aside.looked(self.desk, run, self.loader.get_source(self, path)[0] if self.loader else "", unsure=unsure)

    def _truth(self, value: Any) -> bool | None:
        """Return whether a value is true, None where it can't be told: a mistake was told of it, or is now."""
        before = len(self.desk.problems)
        found = value.bare() if isinstance(value, Ask) else resolved(value)
        if isinstance(found, Bad):
            return None
        holds = bool(found)
        return holds if len(self.desk.problems) == before else None

    def picked(self, test: object, first: Callable[[], object], second: Callable[[], object]) -> object:
        """Return one value or another, and read the other one for its mistakes; neither where nobody can tell which."""
        holds = self._truth(test)
        value = BAD if holds is None else (first if holds else second)()
        for other in [second, first] if holds is None else [second if holds else first]:
            self._looked(partial(_worked_out, other), unsure=True)
        return value

    def both(self, left: object, right: Callable[[], object]) -> object:
        """Return what `and` gives; the right side is read in any case."""
        return self.picked(left, right, lambda: left)

    def either(self, left: object, right: Callable[[], object]) -> object:
        """Return what `or` gives; the right side is read in any case."""
        return self.picked(left, lambda: left, right)

    def negated(self, value: object) -> object:
        """Return what `not` gives; the opposite of a mistake is none."""
        holds = self._truth(value)
        return BAD if holds is None else not holds


def _worked_out(run: Callable[[], object]) -> object:
    return resolved(run())
