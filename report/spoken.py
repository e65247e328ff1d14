"""Words that assert something where a text says them, and what is told of them where they are false."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from report.errors import Near, Problem, Tag
from report.numbers import Const, Num
from report.resting import resting
from report.shown import Words


@dataclass(frozen=True, slots=True)
class Spoken:
    """Words in a file: the line and the {{ }} that says them."""

    words: Words
    path: str
    line: int
    tag: Callable[[], Tag]  # only a mistake asks

    @property
    def false(self) -> bool:
        """Say whether they are false at build."""
        return self.words.cond is not None and self.words.cond.holds() is False

    def problem(self, claim: str = "", sentence: str = "") -> Problem:
        """Return what is told of false words: what they say, and what is so; claim: whose they are."""
        words, name = self.words, self.words.name
        assert words.cond is not None
        on = resting(*words.cond.sides())
        whose = f"claim '{claim}' is false: its words '{name}'" if claim else f"the words '{name}' are false: they"
        message = f'{whose} say "{"".join(map(str, words.parts))}", but {_values(words)}'
        message += f'. Sentence: "{sentence}"' if sentence else ""
        near = Near(f"{name}(", 0, len(name))
        hint = f"they mean {words.says}"
        return Problem(self.path, self.line, 0, message, hint, near=near, tag=self.tag(), rests=on.rows, broad=on.broad)


def _values(words: Words) -> str:
    """Return the values of the numbers that words are about; those that are typed stand in the words."""
    asked = [num for num in words.given if not isinstance(num, Const)]
    return " and ".join(dict.fromkeys(map(valued, asked))) or f"the number is {words.given[-1].say()}"


def valued(num: Num) -> str:
    """Return a number with its value, or with why it has none."""
    reading = num.read()
    value = f"= {reading.number:.6g}" if reading.number is not None else f"has no value ({reading.state})"
    return f"{num.say()} {value}"
