"""The {{ }} and {% %} of a text as an author wrote them: where each stands, which are open, which was never closed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from report.constructs import between, constructs

LATER = ("elif", "else", "otherwise")  # tags inside another, which is not closed by them
ALONE = frozenset({"set", "include", "import", "from", "extends", "do", "print", "break", "continue"})
OWNER = {"elif": "if", "else": "if", "otherwise": "claim"}
_WORD = re.compile(r"\{%[-+]?\s*(\w+)")
TEXTS = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_BEGINS = re.compile(r"\{%#|\{\{|\{%")
_CALL = r"(?:\((?:[^(){}\n]|\((?:[^(){}\n]|\([^(){}\n]*\))*\))*\))"
# What an author may have meant to end where an expression is not closed: a name, its arguments, its filters.
_MEANT = re.compile(rf"\{{\{{\s*[\w.]++{_CALL}?+(?:\s*\|\s*\w++{_CALL}?+)*+(?![ \t]*[(|])[ \t]*[}}%]?")
_STOP = re.compile(r"\n|\{\{|\{%")
_BEYOND = re.compile(r"\{\{|\{%|\n[ \t]*\n")  # what a tag holds that runs on into the next one
_TEX = re.compile(r"\$|\\[A-Za-z]")  # or into a formula, whose braces end it
_HALF = re.compile(r"[^{}]*\}")  # up to a brace that may have been meant as the end


@dataclass(frozen=True, slots=True)
class Tag:
    """One {{ }} or {% %}, or what was begun as one: where it begins in the source, and its text."""

    start: int
    text: str

    @property
    def end(self) -> int:
        """Return where it ends."""
        return self.start + len(self.text)

    @property
    def first(self) -> str:
        """Return what of it stands on its first line."""
        return self.text.partition("\n")[0]

    @property
    def head(self) -> str:
        """Return how it begins, up to its first name."""
        found = re.match(r"\{(?:%#|\{|%)[-+]?[ \t]*[\w.]*", self.text)
        return found[0] if found else self.first

    @property
    def word(self) -> str:
        """Return the first word of a {% %}, an empty text for {{ }}."""
        found = _WORD.match(self.text)
        return found[1] if found else ""

    @property
    def opens(self) -> bool:
        """Tell whether an end tag belongs to it."""
        alone = self.word in (*ALONE, *LATER) and not (self.word == "set" and "=" not in self.text)
        return bool(self.word) and not self.word.startswith("end") and not alone

    @property
    def name(self) -> str:
        """Return the first text in quotes, which names a claim."""
        found = TEXTS.search(self.text)
        return found[0][1:-1] if found else ""


def tags(source: str) -> Iterator[Tag]:
    """Yield each {{ }} and {% %} outside code and comments."""
    yield from (Tag(*found) for found in constructs(source))


def open_tags(source: str, before: int | None = None) -> list[Tag]:
    """Return the tags that are open at the end of a text, or at a place in it, the innermost last."""
    stack: list[Tag] = []
    for tag in tags(source):
        if before is not None and tag.start >= before:
            break
        if tag.opens:
            stack.append(tag)
        elif stack and tag.word == f"end{stack[-1].word}":
            stack.pop()
    return stack


def torn(source: str, sound: Callable[[Tag], bool]) -> Tag | None:
    """Return the first {{, {% or {%# that is never closed, with what was probably meant to be inside.

    sound tells whether a tag that seems to run on into the next one can be read as it is.
    """
    loose = [at + found.start() for at, text in between(source) for found in _BEGINS.finditer(text)]
    runs_on = (tag for tag in tags(source) if _BEYOND.search(tag.text, 2) or _TEX.search(TEXTS.sub("_", tag.text)))
    at = min([*loose, *(tag.start for tag in runs_on if not sound(tag))], default=None)
    if at is None:
        return None
    if source.startswith("{%#", at):
        return Tag(at, source[at : _end_of_line(source, at)])
    meant = _MEANT.match(source, at)
    if meant:
        return Tag(at, meant[0])
    stop = _STOP.search(source, at + 2)
    end = stop.start() if stop else len(source)
    half = _HALF.match(source, at + 2, end)
    return Tag(at, source[at : half.end() if half else end])


def unclosed(tag: Tag) -> int | None:
    """Return where in a tag the first bracket stands that is never closed in it."""
    inside = TEXTS.sub(lambda text: "_" * len(text[0]), tag.text[2:-2])
    stack: list[int] = []
    for at, mark in enumerate(inside, 2):
        if mark in "([{":
            stack.append(at)
        elif mark in ")]}" and stack:
            stack.pop()
    return stack[0] if stack else None


def flat(text: str) -> str:
    """Return a text of the same length without what stands between quotes or in brackets."""
    flat = TEXTS.sub(lambda held: held[0][0] + "_" * (len(held[0]) - 2) + held[0][0], text)
    while found := re.search(r"\([^()]*\)", flat):
        flat = flat[: found.start()] + "_" * len(found[0]) + flat[found.end() :]
    return flat


def _end_of_line(source: str, at: int) -> int:
    end = source.find("\n", at)
    return len(source) if end < 0 else end
