"""The words in which an author is told what is wrong with a BibTeX file, and the marks by which its parts are known.

Leaves out: which slips an entry holds (report/bibentry.py, report/bibfields.py), where entries begin and what stands
between them (report/bibpieces.py), and what fields mean (report/references.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from report.conflicts import LEFT, conflicts
from report.errors import Near, Problem
from report.lines import line_and_column
from report.yamlwords import UNSEEN, control

VENUES = ("journal", "booktitle", "publisher", "school", "institution", "howpublished")
FIELDS = frozenset({"author", "title", "year", "doi", "url", "eprint", "eprinttype", "annotation", *VENUES})
KINDS = frozenset(
    {"article", "book", "inbook", "incollection", "inproceedings", "manual", "misc", "phdthesis", "proceedings"}
    | {"mastersthesis", "online", "techreport", "unpublished"}
)
ENTRY = "an entry reads @article{key, name = {text}, ...}"
FIELD = "each field reads name = {text},"
_BLANK = re.compile(r"\s*")
_BRACES = re.compile(r'(?<!\\)[{}"]')


@dataclass(eq=False)
class Slip:
    """A mistake: from where to where in the file it stands, what it is, and a hint."""

    start: int
    end: int
    message: str
    hint: str = FIELD

    def problem(self, text: str, path: str) -> Problem:
        """Return the mistake with its line and column."""
        near = Near.whole(text[self.start : self.end])
        return Problem(path, *line_and_column(text, self.start), self.message, self.hint, near=near)


def stray(start: int, end: int) -> Slip:
    """Return the mistake of what stands outside of all entries."""
    hint = "an entry begins with @, as in @article{key, and a comment with %"
    return Slip(start, end, "this belongs to no entry", hint)


def unseen(text: str) -> Iterator[Slip]:
    """Yield what no file may hold: the marks of a merge, and characters that nobody sees."""
    for found in conflicts(text):
        yield Slip(*found.span(), *LEFT)
    for found in UNSEEN.finditer(text):
        yield Slip(*found.span(), *control(found[0]))


def past(text: str, place: int) -> int:
    """Return the next place that is not blank."""
    found = _BLANK.match(text, place)
    return len(text) if found is None else found.end()


def paired(text: str, place: int, end: int) -> int:
    """Return the place behind the other half of a brace or a quotation mark; -1 without one before the end."""
    depth, quoted = 0, text[place] == '"'
    for found in _BRACES.finditer(text, place, end):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        ends = found[0] == '"' and found.start() > place and not depth if quoted else depth == 0
        if ends:
            return found.end()
    return -1
