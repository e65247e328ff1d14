"""The fields of an entry of a BibTeX file that its reader did not take: every slip in them, and where each one ends.

A slip that leaves no doubt about what was meant is mended, so that the field is judged; another leaves the field out.
Leaves out: the kind and the key of an entry (report/bibentry.py), and what fields mean (report/references.py).
"""

from __future__ import annotations

import re

from report.bibdraft import BEGINS, NEXT, RESUMES, Draft, Entry, Lost
from report.bibwords import paired, past, stray

_NAME = re.compile(r"([^\s=:{},\"#%@]+)[ \t]*")
_BARE = {end: re.compile(rf"[^\s,{{}}\"=@#%:{end}][^\s,{{}}\"=@#{end}]*") for end in ("}", ")")}
_REMARK = re.compile(r"%[^\n]*")
_WRONG = re.compile(r"[:,][ \t]*|[{}\"@][ \t]*(?==)|[}\"@][ \t]+(?=\{)")  # what may stand for an equals sign
_VALUED = re.compile(r"[={\"]|\d+[ \t]*(?=[,}\n])")  # a value, even without an equals sign before it
_RUNS_ON = re.compile(r"[ \t]*(?:\}|,\s*(?:[\w-]+\s*=|\}))")  # behind a brace that closed nothing
_OUTSIDE = re.compile(r"([\w-]+)\s*=\s*[{\"\d][^\n]*")
_SEVERAL = re.compile(r"[^\n={},\"]*=")  # the rest of a name of several words
_EMPTY = re.compile(r"\n[ \t]*\n")
_WORD = re.compile(r"[\w-]+")


class Fields(Draft):
    """Goes through the fields of an entry."""

    def __init__(self, text: str, entry: Entry) -> None:
        super().__init__(text, entry)
        self.names: set[str] = set()
        self.unclosed = True  # whether it is a slip if no brace closes it

    def fields(self, place: int) -> int:
        """Return where the entry ends, from where its first field begins."""
        while place < len(self.text):
            if self.mark(place) != self.closing:
                place = self._field(place)
            elif (on := self._runs_on(place)) > place:
                place = on
            else:
                return place + 1
        if self.unclosed:
            at, key = self.entry.at, self.entry.key
            end = self.line_end(at) if not key else at + len(key)
            said = f"the entry '{key}' is never closed" if key else "the entry is never closed"
            self.tell(at, end, said, "write } in a line below its last field")
        self.edit(len(self.text), len(self.text), self.closing)
        return len(self.text)

    def _runs_on(self, place: int) -> int:
        """Return where an entry goes on behind a brace that seems to close it; the same place where it does not."""
        if self.closing == "}" and (_RUNS_ON.match(self.text, place + 1) or self._too_early(place)):
            self.told(place, place + 1, "a brace is closed that was never opened")
            return self._reopened(place)
        outside = _OUTSIDE.match(self.text, past(self.text, place + 1))
        if outside is None or outside[1].lower() in self.names:
            return place
        self.entry.slips.append(stray(*outside.span()))
        self.unclosed = False
        return self._reopened(place)

    def _too_early(self, place: int) -> bool:
        """Tell whether an entry that is closed in the line of a value has another field, or another brace, below it."""
        valued = self.text[self.text.rfind("\n", 0, place) + 1 : place].strip()
        found = RESUMES.search(self.text, place)
        if not valued or found is None or _EMPTY.search(self.text, place, found.end()):
            return False
        name = _WORD.match(self.text, found.end())
        return name is None or name[0].lower() not in self.names

    def _reopened(self, place: int) -> int:
        """Leave out a brace that closes nothing; return where the entry goes on."""
        behind = past(self.text, place + 1)
        mark = self.mark(behind)
        if mark == "}":
            self.edit(place, place + 1, "")
            return behind
        comma = mark == ","
        self.edit(place, behind + 1 if comma and self.parted else place + 1, "" if comma or self.parted else ",")
        self.parted = True
        return past(self.text, behind + 1) if comma else behind

    def _field(self, place: int) -> int:
        """Return where the next field begins, or the entry ends."""
        name = _NAME.match(self.text, place)
        if name is None:
            return self._nameless(place)
        try:
            return self._named(name)
        except Lost as lost:
            self.entry.words.add(name[1])
            return self.without(place, lost.at)

    def _nameless(self, place: int) -> int:
        mark = self.text[place]
        self.told(place, place + 1, f"'{mark}' stands where a field begins")
        if remark := _REMARK.match(self.text, place):
            self.unclosed &= "}" not in remark[0]
            return self.cut(place, past(self.text, remark.end()))
        if mark == ",":
            return self.cut(place, past(self.text, place + 1))
        self.entry.words.add("")
        end = self.without(place, place + 1)
        self.unclosed &= end < len(self.text)  # it may stand for the brace
        return end

    def _named(self, name: re.Match[str]) -> int:
        """Return where the next field begins behind this one; raise Lost if it can't be read, or shouldn't."""
        value = self._sign(name)
        if value < 0:  # of several words, none of which is judged
            raise Lost(self._value(-value))
        again = name[1].lower() in self.names
        if again:
            self.told(*name.span(1), f"the field '{name[1]}' stands twice", "delete one of them")
        else:
            self.entry.named[name[1]] = name.start()
        self.names.add(name[1].lower())
        ended = self._value(value)
        place = past(self.text, ended)
        if self.mark(place) not in (",", self.closing, ""):
            self._uncommaed(name[1], value, ended, place)
        if again:
            raise Lost(ended)
        del self.entry.named[name[1]]
        self.parted = self.mark(place) not in (self.closing, "")
        return past(self.text, place + 1) if self.mark(place) == "," else place

    def _uncommaed(self, name: str, value: int, ended: int, place: int) -> None:
        """Tell that a value ends without a comma; raise Lost unless a field begins at the place behind it."""
        begins, start = self.begins(ended, place), past(self.text, value)
        if not begins and self.text[ended - 1] not in '}"' and "\n" not in self.text[ended:place]:
            self.told(start, ended, f"the value of '{name}' stands in no braces")
        else:
            self.told(ended - 1, ended, f"a comma is missing after '{name}'", "each field ends in a comma")
        if not begins:
            raise Lost(ended)
        self.edit(ended, ended, ",")

    def _sign(self, name: re.Match[str]) -> int:
        """Return where the value of a field should begin, less than 0 behind several words; raise Lost without one."""
        sign = past(self.text, name.end())
        if self.mark(sign) == "=":
            return sign + 1
        at = name.end()
        if self.mark(at) == ":":
            self.told(at, at + 1, "a colon where an equals sign belongs")
        else:
            self.told(*name.span(1), f"an equals sign is missing after '{name[1]}'")
        wrong = _WRONG.match(self.text, at)
        behind = wrong.end() if wrong else at
        valued = _VALUED.match(self.text, behind)
        if not valued and (several := _SEVERAL.match(self.text, at)):
            return -several.end()
        if not valued:
            raise Lost(at + 1 if self.mark(at) == ":" else at)
        signed = self.mark(behind) == "="
        self.edit(at, behind, " " if signed else "=")
        return behind + signed

    def _value(self, place: int) -> int:
        """Return where a value ends: in braces, in quotation marks, a bare word or number, or some with # between."""
        start = past(self.text, place)
        opened = self.mark(start)
        if opened not in ("{", '"'):
            bare = _BARE[self.closing].match(self.text, start)
            below = "\n" in self.text[place:start] and BEGINS.match(self.text, start)
            if bare is None or below:
                at = place - 1 if below or not opened else start
                self.told(at, at + 1, "a value is missing here")
                raise Lost(place if below else start)
            ended = bare.end()
        else:
            ended = self._enclosed(start)
        more = past(self.text, ended)
        return self._value(more + 1) if self.mark(more) == "#" else ended

    def _enclosed(self, place: int) -> int:
        quoted = self.text[place] == '"'
        last = (RESUMES if quoted else NEXT).search(self.text, place)
        ended = paired(self.text, place, len(self.text))
        if ended < 0 or (last and ended > last.start()):
            said = "a quotation mark is opened" if quoted else "a brace is opened"
            self.told(place, place + 1, f"{said} and never closed")
            raise Lost(place)
        return ended
