"""What is said to an author whose input is wrong: where, what, and what was probably meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from report.lines import line_and_column


class Near(NamedTuple):
    """Words in a line as it was read, from start to end: what a mistake is about where no column is known.

    report/carets.py finds them in the line of the file, which may hold marks of Markdown and tags between them.
    """

    text: str = ""
    start: int = 0
    end: int = 0

    @classmethod
    def whole(cls, text: str) -> Near:
        """Return words that are all that was read."""
        return cls(text, 0, len(text))


NOWHERE = Near()


class Tag(NamedTuple):
    """One {{ }} or {% %} of a file: its line and column, both counted from 1, and its text; none where line is 0."""

    line: int = 0
    column: int = 0
    text: str = ""


UNTAGGED = Tag()

_MOST = 4  # words that a hint names
LIKENESS = 0.6  # from which on one word may have been meant by another


@dataclass(frozen=True, order=True)
class Problem:
    """One mistake in one input file; line and column count from 1, and 0 means that there is none to name.

    near is what the caret belongs under; where the column is known, only its length counts. rests are the paths of the
    catalogue's numbers that it rests on (machines/h100-sxm5/bandwidth); broad says that it rests on many rows together,
    which no path can name. tag is the {{ }} or {% %} in which it arose, if that is known. nameless is the name that it
    is about, where that points nowhere and a heading has lost its own. renamed is the name that a thing has now which
    the report asks for by another: it is told where that stands (report/asked.py).
    """

    path: str
    line: int
    column: int
    message: str
    hint: str = ""
    near: Near = field(default=NOWHERE, kw_only=True, repr=False)
    tag: Tag = field(default=UNTAGGED, kw_only=True, repr=False)
    rests: tuple[str, ...] = field(default=(), compare=False, repr=False)
    broad: bool = field(default=False, compare=False, repr=False)
    nameless: str = field(default="", compare=False, repr=False)
    renamed: str = field(default="", compare=False, repr=False)

    def __str__(self) -> str:
        place = ":".join([self.path, *(str(number) for number in (self.line, self.column) if number)])
        return printable(f"{place}: {self.message}" + (f"; {self.hint}" if self.hint else ""))


def printable(text: str) -> str:
    """Return a message that quotes an input as one line, and with nothing in it that a terminal would obey."""
    spaced = (" " if mark.isspace() and mark != "\u00a0" else mark for mark in text)
    return "".join(mark if mark.isprintable() or mark == "\u00a0" else f"\\u{ord(mark):04x}" for mark in spaced)


class BuildError(Exception):
    """Every mistake found in the inputs of one build, in the order of the files."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(str(problem) for problem in self.problems))


class Absent(BuildError, KeyError):
    """A row or a named scenario that the report or the model asks for by its name, and that there is not."""


@contextmanager
def readable(folder: Path) -> Iterator[None]:
    """Turn a file below a folder that cannot be read into a mistake of the inputs; any other is a fault of ours."""
    try:
        yield
    except OSError as error:
        path = Path(str(error.filename or ""))
        if not path.is_relative_to(folder):
            raise
        shown = path.relative_to(folder.parent).as_posix()
        raise BuildError([Problem(shown, 0, 0, f"can't be read: {error.strerror}")]) from error


def not_utf8(error: UnicodeDecodeError, path: str) -> Problem:
    """Return what is told of a file that is no text: which byte is wrong, where, and what it may have been saved as."""
    before = re.sub("\r\n?", "\n", error.object[: error.start].decode("utf-8"))
    byte = error.object[error.start : error.start + 1]
    letter = byte.decode("cp1252", "ignore")
    hint = f"save it as UTF-8, not as Windows-1252, where this byte is '{letter}'" if letter else "save it as UTF-8"
    if error.object.startswith(_UTF16):
        hint = "save it as UTF-8, not as UTF-16"
    elif re.search(rb"[\x00-\x08\x0e-\x1f]", error.object[:1024]):
        hint = "it looks like a picture or a program"
    said = f"not a text file: the byte 0x{byte.hex()} is not UTF-8"
    return Problem(path, *line_and_column(before, len(before)), said, hint)


_UTF16 = (b"\xff\xfe", b"\xfe\xff")  # the marks with which such a text begins


def as_text(data: bytes) -> str:
    """Return what can be read of a file that is not UTF-8, so that what stands in it is not missed elsewhere."""
    if data.startswith(_UTF16):
        return data.decode("utf-16", errors="replace")
    of_letters = {"utf-16-le": data[1::2], "utf-16-be": data[::2]}  # which half is zeros, where the mark is missing
    encoding = next((name for name, half in of_letters.items() if half.count(0) * 3 > len(data)), "utf-8")
    return data.decode(encoding, errors="replace")


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the hint "did you mean 'bandwidth'?" for a word close to a known one, else an empty text."""
    words = list(known)
    near = like(word, words)
    # h100 of h100-pcie and h100-sxm5: several are equally near.
    begun = [] if near else sorted(other for other in words if _begins(other, word))[:_MOST]
    named = " or ".join(f"'{one}'" for one in [near, *begun] if one)
    return f"did you mean {named}?" if named else ""


def _begins(known: str, word: str) -> bool:
    """Tell whether a name begins as a word does, hyphens left out: gpt3-175b as GPT-3."""
    head, plain = known.partition("-")[0], word.lower().replace("-", "").replace("_", "").replace(" ", "")
    return len(plain) > 1 and plain in (head, known.replace("-", "")[: len(plain)]) and plain.startswith(head)


def like(word: str, known: Iterable[str]) -> str:
    """Return the known word that is close to a word, else an empty text."""
    words = sorted(known)
    folded = {other.lower().replace("_", "-"): other for other in words}
    same = folded.get(word.lower().replace("_", "-"))
    near = [same] if same else difflib.get_close_matches(word, words, n=1, cutoff=LIKENESS)
    return near[0] if near else ""
