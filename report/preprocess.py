"""Before Jinja sees a text: front matter, formulas and code are taken out of its way, and lines are marked.

Formulas keep their line ends inside the tag that replaces them, so that Jinja's line numbers hold. Leaves out: what
there is in a text (report/constructs.py), and what its marks are (report/marks.py).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from jinja2 import Environment
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

from report import arguments, dashes, spots
from report.conflicts import LEFT, LINE, conflicts, one_side
from report.constructs import LABEL, PARTS, kind
from report.dashes import fronted
from report.errors import Near
from report.fences import amiss
from report.lines import line_of
from report.marks import BRACE, UNNAMED, marked
from report.yamlwords import UNSEEN, control

if TYPE_CHECKING:
    from report.environment import PageEnvironment

_ODD = re.compile(f"{UNSEEN.pattern[:-1]}\ue000-\uf8ff{chr(0xF0000)}-{chr(sys.maxunicode)}]")  # ours among them
_OPEN = "'{#' is never closed"
_ENDS = re.compile(rf"\$\$\s*(?:\{{\#{LABEL}\}}\s*)?")
_HEADED = re.compile(r"[ \t>]*(?:[-*+] +|\d+[.)] +)?#{1,6}(?:(?P<blank>[ \t])|(?=[^#\s]))")
_WRONG = {
    "dollar": ("a dollar sign that opens no formula", r"write \$ for the sign, $x$ without inner blanks for a formula"),
    "opened": ("'$$' opens a formula that is never closed", "write $$ at its end too"),
    "bracket": ("formulas in \\(...\\) or \\[...\\] are not read", "write $...$ or $$...$$"),
    "hash": (
        "'{#' belongs to the end of a heading or a display, as in ## Title {#name} and $$x$$ {#eq-name}",
        "a comment is written {%# ... #%}",
    ),
    "half": ("'$$' closes what a single '$' opens", "write $$ at both ends"),
    "closing": ("'$$' closes a formula that was never opened", "write $$ at its beginning too"),
}


class Preprocess(Extension):
    """Takes formulas and code out of Jinja's way and marks the lines of plain text."""

    environment: PageEnvironment
    _half: int | None  # where what may open a formula stands, and is none

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        self._read = {""}

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return the source with front matter, formulas and code made harmless; the line count stays."""
        self._path, self._text = name or "", source
        self._noted = self._path in self._read  # what was put right is read again, and parts of it with no name
        self._read |= {self._path}
        text = self._behind_front(source)
        text = text if text.endswith("\n") else text + "\n"
        self._text, self._half = text, None
        if LINE.search(text):
            text = self._one_side(text)
        if not text.replace("\n", "").isprintable():  # as most texts are, and that is soon seen
            text = _ODD.sub(self._unseen, text)
        return PARTS.sub(self._part, text)

    def forget(self, path: str) -> None:
        """Note mistakes of a text anew, as it is no longer cut where it was."""
        self._read -= {path}

    def _one_side(self, text: str) -> str:
        """Return a text without the lines that git leaves, each conflict told where it begins."""
        for found in conflicts(text):
            self._wrong(found, *LEFT)
        kept = one_side(text)
        self.environment.desk.unread += [
            was for was, now in zip(text.split("\n"), kept.split("\n"), strict=True) if was != now
        ]
        return kept

    def _unseen(self, found: re.Match[str]) -> str:
        """Return what stands for a character that nobody sees, while the rest is read."""
        self._wrong(found, *control(found[0]))
        return " "

    def _behind_front(self, source: str) -> str:
        """Return the text with empty lines where its front matter was."""
        found = fronted(source)
        if found is None:
            return source
        if wrong := dashes.amiss(found):
            self._wrong(found, *wrong)
        return "\n" * found[0].count("\n") + source[found.end() :]

    def _part(self, found: re.Match[str]) -> str:
        if found.lastgroup == "tag":  # as most are
            return self._tag(found) if arguments.odd(found[0]) else found[0]
        match found.lastgroup if found.lastgroup in _WRONG else kind(found):
            case "comment":
                return found[0].lstrip()  # the blank before it would leave two in the text
            case "fence" | "code":
                return found[0].replace("{", BRACE)
            case "display":
                return _call(found["shown"], True, found["label"] or "", found[0])
            case "maths":
                return _call(found["inline"], False, "", found[0])
            case "heading" | "hash" | "bare" | "raw" as other:
                return {"heading": self._heading, "raw": self._raw}.get(other, self._hash)(found)
            case "dollar" | "bracket" as wrong if self._closes(found):
                return ""  # said where it opens; what may follow it is told apart
            case "dollar" | "opened" | "bracket" | "unclosed" as wrong:
                return self._fail(found, wrong)
        return found[0]

    def _tag(self, found: re.Match[str]) -> str:
        """Return a tag whose arguments are put right."""
        text, slips = arguments.mended(found[0])
        for slip in slips:
            self._told(found.start() + slip.at, *slip[1:])
        return text

    def _raw(self, found: re.Match[str]) -> str:
        """Return what stands for Jinja's own way to print a text as it stands; what is between is read."""
        if "endraw" not in found[0]:
            self._told(
                found.start(), found[0], "there is no tag 'raw'", "code between backticks is printed as it stands"
            )
        return "\n" * found[0].count("\n")

    def _closes(self, found: re.Match[str]) -> bool:
        """Say whether a dollar sign or bracket is the other half of one in its paragraph that was told."""
        opens = found[0] in (r"\(", r"\[") or (found["dollar"] and self._text[found.end("dollar")].strip() != "")
        awaited = self._awaited(found.start())
        self._half = None if awaited and not opens else found.start()
        self.environment.desk.unread.append(found[0])  # an id may stand in it
        return awaited and not opens

    def _awaited(self, at: int) -> bool:
        """Say whether what opens a formula stands in the same paragraph before a place, and nothing closes it."""
        return self._half is not None and not re.search(r"\n[ \t]*\n", self._text[self._half : at])

    def _heading(self, found: re.Match[str]) -> str:
        headed = _HEADED.match(self._before(found))
        if headed and not headed["blank"]:
            self.environment.desk.unread.append(found[0])
            return ""  # what is missing is said of the text
        if headed and found["trail"]:
            self._told(found.start("trail"), found["trail"], "a heading ends with its id", "write this before it")
            return found[0].replace(f"}}{found['trail']}", "}")
        return found[0] if headed else self._hash(found)

    def _hash(self, found: re.Match[str]) -> str:
        """Return what stands for an id that is none, or in no place of one."""
        before, inner = self._before(found), found[0].lstrip("{#").rstrip("} \t")
        last = not self._text[found.end() :].partition("\n")[0].strip() and "\n" not in inner
        label = re.sub(r"^(?=\d)", "n", re.sub(r"[^a-z0-9]+", "-", inner.lower()).strip("-"))
        meant = last and re.fullmatch(LABEL, label) and found[0] != f"{{#{label}}}"
        above = self._text[: found.start() - len(before)].rpartition("\n")[0].rpartition("\n")[2]
        below = not before.strip() and _HEADED.match(above)  # the id of a heading, which is told as it has none
        if last and (below or self._awaited(found.start())):  # or that of a display whose end is missing
            self.environment.desk.unread.append(found[0])
            return ""
        if meant and (_HEADED.match(before) or "$$" in before):
            self._told(found.start(), found[0].rstrip(), _misnamed(found, inner, label), f"write {{#{label}}}")
            return self._labelled(before, label, inner)
        if found["bare"]:
            return found[0]  # its braces are told as they are read
        self._told(found.start(), found[0] if found["heading"] else "{#", *_WRONG["hash"])
        self.environment.desk.unread.append(found[0])
        return "\n" * found[0].count("\n")

    def _labelled(self, before: str, label: str, written: str) -> str:
        """Return an id that was put right; that of a display is left out, as its formula was read."""
        if label != written.strip().lower():
            self.environment.desk.unread.append(UNNAMED)
        if _HEADED.match(before):
            return f"{{#{label}}}"
        self.environment.desk.unread.append(f"{{#{label}}}")
        return ""

    def _before(self, found: re.Match[str]) -> str:
        """Return what stands before it in its line."""
        return self._text[self._text.rfind("\n", 0, found.start()) + 1 : found.start()]

    def _fail(self, found: re.Match[str], wrong: str) -> str:
        if wrong == "opened":
            self._half = found.start()
        group, message, hint = self._unclosed(found) if wrong == "unclosed" else (wrong, *_WRONG[self._which(found)])
        self._wrong(found, message, hint, group)
        self.environment.desk.unread.append(found[0])
        return "\n" * found[0].count("\n")

    def _which(self, found: re.Match[str]) -> str:
        """Return which slip a dollar sign or bracket is: $$ closes a display if its paragraph stands before it."""
        before = re.split(r"\n[ \t]*\n", self._text[: found.start()])[-1]
        if found["opened"] and _ENDS.fullmatch(found[0]) and before.strip():
            return "closing"
        return "half" if found["dollar"] and before.endswith("$") else str(found.lastgroup)

    def _unclosed(self, found: re.Match[str]) -> tuple[str, str, str]:
        """Return what is wrong with code that never ends; the code above may be what has no end."""
        group, message, hint = amiss(found)
        before = PARTS.finditer(self._text[: found.start()]) if group == "run" else ()
        long = next((code for code in before if code["fence"] and "\n\n" in code[0]), None)
        if long:
            hint += f", or below the code that line {self._text.count(chr(10), 0, long.start()) + 1} opens"
        return group, message, hint

    def _wrong(self, found: re.Match[str], message: str, hint: str, group: str | int = 0) -> None:
        self._told(found.start(group), found[group], message, hint)

    def _told(self, at: int, words: str, message: str, hint: str) -> None:
        """Note a mistake under its words, once."""
        if self._noted:
            return
        start = self._text.rfind("\n", 0, at) + 1
        near = Near(self._text[start:].partition("\n")[0], at - start, at - start + len(words))
        self.environment.desk.fail(message, hint, line_of(self._text, at), self._path, near=near)

    def filter_stream(self, stream: TokenStream) -> Iterable[Token]:
        """Yield the tokens with a mark of its line before each line end of plain text."""
        for token in spots.numbered(stream):
            yield Token(token.lineno, token.type, marked(token)) if token.type == "data" else token


def _misnamed(found: re.Match[str], inner: str, label: str) -> str:
    """Return what is said of an id that is written otherwise."""
    if not found[0].rstrip().endswith("}"):
        return _OPEN
    if found["bare"]:
        return f"a # is missing before the id '{label}'"
    if inner.strip() == label:
        return f"a blank stands before the id '{label}'"
    return f"'{inner}' is no id; it is lower-case letters, digits and hyphens"


def _call(tex: str, display: bool, label: str, whole: str) -> str:
    """Return the tag that sets a formula; its TeX travels as hexadecimal digits, which nothing reads by mistake."""
    ends = "\n" * whole.count("\n")
    return f'{{{{ _maths("{tex.encode().hex()}", {"true" if display else "false"}, "{label}"{ends}) }}}}'
