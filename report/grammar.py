"""What an author is told when Jinja cannot read a page; its own words speak of tokens.

An unclosed tag is named where it was opened. Leaves out: mistakes that show only while a page is put together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from jinja2 import TemplateSyntaxError

from report.errors import nearest
from report.preprocess import tags

_LATER = ("elif", "else", "otherwise")  # tags inside another, which is not closed by them
_OWNER = {"elif": "if", "else": "if", "otherwise": "claim"}
_ALONE = frozenset({"set", "include", "import", "from", "extends", "do", "break", "continue"})
_ENDS = {"end of print statement": "}}", "end of statement block": "%}", "end of template": "the end of the file"}
_KINDS = {"name": "a name", "integer": "a number", "float": "a number", "string": "a text in quotes"}


@dataclass(frozen=True, slots=True)
class Said:
    """What is wrong, what may have been meant, and in which line; 0 leaves the line to whoever raised the error."""

    message: str
    hint: str = ""
    line: int = 0


def said(error: TemplateSyntaxError, source: str, known: Iterable[str], words: Iterable[str]) -> Said:
    """Return an error of Jinja's grammar in the author's terms; known are the tags, words the filters."""
    message = re.sub(r"\s+", " ", error.message or "the template cannot be read").rstrip(".")
    line = error.lineno
    for pattern, say in (
        (r"Unexpected end of template\. .*block that needs to be closed is '(\w+)'", lambda _: _unclosed(source)),
        (r"Encountered unknown tag '(\w+)'", lambda found: _tag(found[1], source, line, known)),
        (r"No (?:filter|test) named '(\w+)'", lambda found: Said(message, nearest(found[1], words))),
        (
            r"unexpected end of template, expected '([^']+)'",
            lambda _: Said("{{ or {% is never closed", "write }} or %}"),
        ),
        (r"Missing end of comment tag", lambda _: Said("{%# is never closed", "write #%}")),
        (r"unexpected char ['\"](.)['\"] at \d+", lambda found: _character(found[1])),
        (r"(?:e|E)xpected (?:token '([^']+)'|(an expression)), got '([^']+)'", _expected),
        (r"unexpected '([^']+)', expected '([^']+)'", lambda found: _stray(found[1], f"'{found[2]}'")),
        (r"unexpected '([^']+)'", lambda found: _stray(found[1], "")),
    ):
        found = re.search(pattern, message)
        if found:
            return say(found)
    return Said(message)


def _expected(found: re.Match[str]) -> Said:
    return _stray(found[3], found[2] or _named(found[1]))


def _stray(what: str, wanted: str) -> Said:
    if what == "=":
        return Said("'=' compares nothing", "write <, <=, > or >=")
    if wanted == "}}":
        said = f"{_named(what)} stands where the expression in {{{{ }}}} has ended"
        return Said(said, "is }} missing before it, or a bracket, as in sig(3)?")
    if what in _ENDS:
        return Said(f"something is missing before {_ENDS[what]}", f"{wanted} belongs there" if wanted else "")
    hint = f"{wanted} was expected" if wanted else ""
    return Said(f"{_named(what)} stands where it cannot", hint)


def _named(token: str) -> str:
    return _ENDS.get(token) or _KINDS.get(token) or f"'{token}'"


def _character(mark: str) -> Said:
    if mark in "“”„‘’«»":
        return Said(f"the quotation mark {mark} is for prose", "inside {{ }} and {% %} write \" or '")
    if mark in "\"'":
        return Said("a quotation mark without its other half", f"write {mark} at both ends")
    return Said(f"the character '{mark}' has no place in {{{{ }}}} or {{% %}}")


def _tag(name: str, source: str, line: int, known: Iterable[str]) -> Said:
    """Say what is wrong with a tag that Jinja did not expect."""
    open_here = list(_open(source, line))
    awaited = f"{{% {open_here[-1][0]} %}} of line {open_here[-1][1]} is still open" if open_here else ""
    opener = name.removeprefix("end") if name.startswith("end") else _OWNER.get(name, "")
    if opener in known and awaited:
        return Said(f"{{% {name} %}} comes too early: {awaited}", f"write {{% end{open_here[-1][0]} %}} first")
    if opener in known:
        return Said(f"{{% {name} %}} belongs to a {opener}, and none is open")
    every = {*known, *(f"end{tag}" for tag in known if tag not in _ALONE), *_LATER}
    return Said(f"there is no tag '{name}'", nearest(name, every))


def _unclosed(source: str) -> Said:
    """Name the innermost tag that is never closed, at its own line."""
    found = list(_open(source))
    if not found:
        return Said("a tag is never closed")
    name, line = found[-1]
    return Said(f"{{% {name} %}} is never closed", f"write {{% end{name} %}} after it", line)


def _open(source: str, before: int | None = None) -> Iterator[tuple[str, int]]:
    """Yield the tags that are open at the end of a text, or before a line, with the line of each."""
    stack: list[tuple[str, int]] = []
    for name, line, assigns in tags(source):
        if before is not None and line >= before and name.startswith("end"):
            break
        if name.startswith("end"):
            if stack and stack[-1][0] == name.removeprefix("end"):
                stack.pop()
        elif name not in (*_ALONE, *_LATER) or (name == "set" and not assigns):
            stack.append((name, line))
    yield from stack
