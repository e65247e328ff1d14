"""What an author is told when Jinja cannot read a page; its own words speak of tokens.

Leaves out: where the mistake stands (report/mending.py), what is put in its place (report/standins.py), and mistakes
that show only while a page is put together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from report.errors import nearest

_ENDS = {"end of print statement": "}}", "end of statement block": "%}", "end of template": "the end of the file"}
_KINDS = {"name": "a name", "integer": "a number", "float": "a number", "string": "a text in quotes"}

_OPENS = {")": "(", "]": "[", "}": "{"}
_MEANT = {
    **{"&": "and", "!": "not", "≤": "<=", "≥": ">=", "│": "|", "¦": "|"},
    **dict.fromkeys("−–—‑", "-"),
    **dict.fromkeys("×·⋅∙", "*"),
    **dict.fromkeys("÷∕⁄", "/"),
}


class Said(NamedTuple):
    """What is wrong, and what may have been meant."""

    message: str
    hint: str = ""


def said(jinja: str | None, words: Iterable[str]) -> Said:
    """Return what Jinja says of a {{ }} or {% %} in the author's terms; words are the filters or tests."""
    message = re.sub(r"\s+", " ", jinja or "the template cannot be read").rstrip(".")
    for pattern, say in (
        (
            r"No (filter|test) named '([\w.]+)'",
            lambda found: Said(f"there is no {found[1]} '{found[2]}'", nearest(found[2], words)),
        ),
        (r"unexpected char ['\"](\\{2}|.)['\"] at \d+", lambda found: _character(found[1])),
        (r"(?:e|E)xpected (?:token '([^']+)'|(an expression)), got '([^']+)'", _expected),
        (r"unexpected '([^']+)', expected '([^']+)'", lambda found: _stray(found[1], f"'{found[2]}'")),
        (r"unexpected '([^']+)'", lambda found: _stray(found[1], "")),
        (
            r"can't assign to '",
            lambda _: Said("a name that is set is letters, digits and _, none of Jinja's words"),
        ),
        (r"expected name or number", lambda _: Said("something is missing behind a dot", "a name belongs there")),
        (r"[Tt]ag name expected", lambda _: Said("{% %} holds no tag", "a comment is written {%# ... #%}")),
    ):
        found = re.search(pattern, message)
        if found:
            return say(found)
    return Said(message)


def _unknown(kind: str, name: str, words: Iterable[str]) -> Said:
    return Said(f"there is no {kind} '{name}'", nearest(name, words))


def _expected(found: re.Match[str]) -> Said:
    return _stray(found[3], found[2] or _named(found[1]))


def _stray(what: str, wanted: str) -> Said:
    if what == "=":
        return Said("'=' compares nothing", "write <, <=, > or >=")
    if what in _OPENS and not wanted:
        return Said(f"'{what}' closes nothing", f"delete it, or write '{_OPENS[what]}' before")
    if wanted == "}}":
        said = f"{_named(what)} stands where the expression in {{{{ }}}} has ended"
        return Said(said, "is }} missing before it, or a bracket, as in sig(3)?")
    if what in _ENDS:
        return Said(f"something is missing before {_ENDS[what]}", f"{wanted} belongs there" if wanted else "")
    hint = "is a comma missing before it?" if wanted == "%}" else f"{wanted} was expected" if wanted else ""
    return Said(f"{_named(what)} stands where it cannot", hint)


def _named(token: str) -> str:
    return _ENDS.get(token) or _KINDS.get(token) or f"'{token}'"


def _character(mark: str) -> Said:
    if mark in "“”„‘’«»":
        return Said(f"the quotation mark {mark} is for prose", "inside {{ }} and {% %} write \" or '")
    if mark in "\"'":
        return Said("a quotation mark without its other half", f"write {mark} at both ends")
    if mark == r"\\":
        return Said(r"a '\' has no place in {{ }} or {% %}", "write | alone, in a table too")
    if mark in _MEANT:
        return Said(f"the character '{mark}' has no place in {{{{ }}}} or {{% %}}", f"write {_MEANT[mark]}")
    return Said(f"the character '{mark}' has no place in {{{{ }}}} or {{% %}}")
