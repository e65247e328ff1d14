"""An entry of a BibTeX file while it is gone through: its slips so far, and the changes with which it can be read.

What can't be read is left out, up to the next line that looks like a field, or like the end of the entry. Leaves out:
what stands in an entry (report/bibentry.py, report/bibfields.py).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from report.bibwords import FIELD, FIELDS, Slip, past

_NAMED = r"[\w-]+[ \t]*="
_BEGUN = re.compile(_NAMED)
# How a line begins that is a field, if need be without its equals sign, value or name, or behind a %.
_KNOWN = rf"(?:{'|'.join(sorted(FIELDS))})\b[ \t]*(?:(?:[:,][ \t]*)?(?:[={{\"]|\d+[ \t]*,)|,?[ \t]*$|[\w-]+[ \t]*=)"
_LIKE = rf"{_NAMED}|{_KNOWN}|=[ \t]*[{{\"]|%"
BEGINS = re.compile(_LIKE, re.MULTILINE | re.IGNORECASE)
NEXT = re.compile(rf"\n[ \t]*(?:{_NAMED}|\}}[ \t]*$)", re.MULTILINE)  # where a value has ended at last
RESUMES = re.compile(rf"\n[ \t]*(?={_LIKE}|\}}[ \t]*$)|,[ \t]*(?={_NAMED}[ \t]*[{{\"\d])", re.MULTILINE | re.IGNORECASE)
_CLOSES = re.compile(r"\}(?=[ \t]*$)", re.MULTILINE)
_LINE_ENDS = re.compile(rf"[ \t]*(?:$|[,}})]|{_NAMED}|%)", re.MULTILINE)


@dataclass
class Entry:
    """An entry as it stands in a file: from where up to where, its key and the place of it, and every slip.

    text is what of it can be read, line by line where the file has it, '' for nothing. named are the fields that it
    lacks, as their values could not be read, with their places; words are what else may have been the name of a field,
    '' where one has none.
    """

    start: int
    end: int = 0
    key: str = ""
    at: int = 0
    slips: list[Slip] = field(default_factory=list)
    text: str = ""
    named: dict[str, int] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)


class Lost(Exception):
    """A field can't be read: the place from which on the next one is to be looked for."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class Draft:
    """An entry, its text up to where it may end, and the changes to it, which keep every line where it is."""

    def __init__(self, text: str, entry: Entry) -> None:
        self.text, self.entry = text, entry
        self.closing = "}"
        self.parted = True  # whether a comma, or the key with its comma, stands last
        self.whose = ""
        self.edits: list[tuple[int, int, str]] = []

    def mended(self) -> str:
        """Return the text of the entry with all changes."""
        parts, place = [], self.entry.start
        for start, end, new in sorted(self.edits):
            parts += [self.text[place:start], new]
            place = end
        return "".join([*parts, self.text[place : self.entry.end]])

    def tell(self, start: int, end: int, message: str, hint: str = FIELD) -> None:
        """Note a slip."""
        self.entry.slips.append(Slip(start, end, message, hint))

    def told(self, start: int, end: int, message: str, hint: str = FIELD) -> None:
        """Note a slip of a field."""
        self.tell(start, end, self.whose + message, hint)

    def edit(self, start: int, end: int, new: str) -> None:
        """Note a change."""
        self.edits.append((start, end, new))

    def mark(self, place: int) -> str:
        """Return the character at a place, '' at the end."""
        return self.text[place : place + 1]

    def line_end(self, place: int) -> int:
        """Return where the line of a place ends."""
        end = self.text.find("\n", place)
        return len(self.text) if end < 0 else end

    def begins(self, ended: int, place: int) -> bool:
        """Tell whether a field begins at a place, where the one before has ended without a comma."""
        pattern = BEGINS if "\n" in self.text[ended:place] else _BEGUN
        return pattern.match(self.text, place) is not None

    def without(self, start: int, at: int) -> int:
        """Leave out what can't be read, from its start on; return where the next field behind a place begins."""
        place = past(self.text, at)
        alone = _LINE_ENDS.match(self.text, place + 1)  # or what stands behind the mark is not read either
        if self.mark(place) == "," and alone:
            return self.cut(start, past(self.text, place + 1))
        if (self.mark(place) in (self.closing, "") and alone) or (
            "\n" in self.text[at:place] and self.begins(at, place)
        ):
            return self.cut(start, place)
        found = RESUMES.search(self.text, at) or _CLOSES.search(self.text, at)
        behind = 0 if found is None else found.end() if found[0] != "}" else found.start()
        return self.cut(start, behind or len(self.text))

    def cut(self, start: int, end: int) -> int:
        """Leave out what stands between two places; return the second."""
        self.edits = [one for one in self.edits if one[1] <= start or one[0] >= end]
        self.edit(start, end, re.sub(r"[^\n]", " ", self.text[start:end]))
        self.parted = True
        return end
