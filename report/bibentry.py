"""One entry of a BibTeX file that its reader did not take: every slip in it, and what of it can be read all the same.

    @article{pope2026
      year {2026},              a comma and an equals sign are put in
      title = {The Math,        left out, up to the next line that looks like a field
      jornal = {Lectures},      read as it stands
    }

So one slip hides no other: what is left has its lines where the file has them, and is judged as any entry is. Leaves
out: where entries begin (report/bibpieces.py), and what fields mean (report/references.py).
"""

from __future__ import annotations

import re

from report.bibdraft import BEGINS, RESUMES, Entry, Lost
from report.bibfields import Fields
from report.bibwords import ENTRY, KINDS, past, stray

_KIND = re.compile(r"[ \t]*(@?)(\w*)[ \t]*")
_RUN_TOGETHER = re.compile(rf"({'|'.join(sorted(KINDS, key=len, reverse=True))}|)(?=\w+[ \t]*,)")  # a kind with a key
_ODD = re.compile(r"[^\n{(,]*[{(]|,?\s*\{|[=:<,)}\]](?=\w)")  # between a kind and its brace
_KEY = re.compile(r"\s*([^\s,{}=]*)")
_SPACED = re.compile(r"\s*([^\s,{}=]+(?:[ \t]+[^\s,{}=]+)+)[ \t]*,")  # a key of several words
_SIGNED = re.compile(r"=\s*[{\"\d]")
_WORDS = re.compile(r"[\w-]+(?=\s*=)")


def read(text: str, start: int) -> Entry:
    """Return the entry that begins at a place of a text; the text ends where the next one begins at the latest."""
    return _Reader(text, Entry(start)).read()


class _Reader(Fields):
    """Goes through an entry."""

    def read(self) -> Entry:
        """Return the entry."""
        entry = self.entry
        try:
            entry.end = self.fields(self._head())
        except Lost as lost:
            entry.end = lost.at
            return entry
        entry.text = self.mended()
        entry.words |= set(_WORDS.findall(self.text, entry.start, entry.end)) if entry.slips else set()
        return entry

    def _head(self) -> int:
        """Return where the first field begins; raise Lost where there is no entry."""
        kind = _KIND.match(self.text, self.entry.start)
        assert kind is not None, "the pattern fits anything"
        if not kind[1]:
            self.entry.slips.append(stray(kind.start(2), self.line_end(kind.start(2))))
            self.edit(kind.start(2), kind.start(2), "@")
        place = kind.end() + 1
        if self.mark(kind.end()) not in ("{", "("):
            place = self._unbraced(kind)
        self.closing = ")" if self.mark(kind.end()) == "(" else "}"
        return self._key(place, kind.span(2))

    def _unbraced(self, kind: re.Match[str]) -> int:
        """Return where the key begins of an entry that has no brace right behind its kind; put one in."""
        start, end = kind.span(2)
        run = None if kind[2].lower() in KINDS else _RUN_TOGETHER.match(self.text, start)
        if run:
            end = run.end(1)
        self.tell(start, end, f"a brace is missing behind '@{self.text[start:end]}'", ENTRY)
        if not RESUMES.search(self.text, end):
            raise Lost(kind.end())
        if run:
            self.edit(end, end, "{" if run[1] else "misc{")
            return end
        odd = _ODD.match(self.text, kind.end())
        behind = odd.end() if odd else kind.end()
        lines = self.text.count("\n", kind.end(), behind)
        self.edit(kind.end(), behind, ("" if kind[2] else "misc") + "{" + "\n" * lines)
        return behind

    def _key(self, place: int, kind: tuple[int, int]) -> int:
        """Return where the first field begins, behind the key."""
        key = _KEY.match(self.text, place)
        assert key is not None, "the pattern fits anything"
        behind = past(self.text, key.end())
        if not key[1] or _SIGNED.match(self.text, behind):
            self.entry.at = kind[0]
            return self._keyless(key.start(1), kind)
        self.entry.at, self.entry.key = key.start(1), key[1]
        if spaced := _SPACED.match(self.text, place):
            self.entry.key = re.sub(r"\s+", "", spaced[1])
            self.tell(*spaced.span(1), f"the key '{spaced[1]}' holds a blank", f"write '{self.entry.key}'")
            self.edit(*spaced.span(1), self.entry.key)
            behind = spaced.end() - 1
        self.whose = f"reference '{self.entry.key}': "
        if self.mark(behind) in (",", self.closing, ""):
            return past(self.text, behind + 1) if self.mark(behind) == "," else behind
        self.tell(*key.span(1), f"a comma is missing after '{key[1]}'", ENTRY)
        self.edit(key.end(1), key.end(1), ",")
        return behind if self.begins(key.end(), behind) else self.without(behind, behind + 1)

    def _keyless(self, place: int, kind: tuple[int, int]) -> int:
        self.tell(*kind, "the entry has no key", ENTRY)
        if self.mark(place) == ",":
            return past(self.text, place + 1)
        self.edit(place, place, ",")
        fielded = BEGINS.match(self.text, place) or self.mark(place) in (self.closing, "")
        return place if fielded else self.without(place, place + 1)
