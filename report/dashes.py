"""The lines of dashes around a text's front matter, also where they are not as they should be.

Leaves out: what front matter holds (report/front.py).
"""

from __future__ import annotations

import re

_FRONT = re.compile(r"\A---[ \t]*\n(.*?\n)?---[ \t]*(?=\n|\Z)", re.DOTALL)
# What was meant as front matter: a line of dashes too many or too few, or none; up to the next one, or to a blank line.
_MEANT = re.compile(
    r"\A(?P<before>\s*)(?P<open>[-–—]+)?(?P<between>\s*)(?P<held>(?P<key>title|description|sections)[ \t]*:.*?\n)"
    r"(?:(?P<close>[-–—]+)[ \t]*(?=\n|\Z)|(?=[ \t]*\n|\Z))",
    re.DOTALL,
)


def fronted(source: str) -> re.Match[str] | None:
    """Return the front matter at the top of a text with its lines of dashes, or what was meant as that."""
    return _FRONT.match(source) or _MEANT.match(source)


def front_matter(source: str) -> tuple[str, int]:
    """Return the YAML between the two lines of dashes at the top, or an empty text, and how many lines stand above."""
    found = fronted(source)
    if found is None:
        return "", 0
    group = "held" if found.re is _MEANT else 1
    return found[group] or "", source.count("\n", 0, max(found.start(group), 0))


def amiss(found: re.Match[str]) -> tuple[str, str, str] | None:
    """Return what is wrong with the lines of dashes around front matter, a hint, and the group that is meant."""
    if found.re is not _MEANT:
        return None
    opened, closed = found["open"] or "", found["close"] or ""
    if not opened:
        return "no line of --- stands above the front matter", "write three hyphens in line 1", "key"
    if opened != "---":
        return f"front matter opens with '{opened}'", "write three hyphens in line 1", "open"
    if "\n" not in found["between"]:
        return "the three hyphens share their line with a key", "begin a new line after them", "key"
    if found["before"]:
        return "front matter does not begin in line 1", "delete what stands before its three hyphens", "open"
    if closed:
        return f"front matter closes with '{closed}'", "write three hyphens", "close"
    return "front matter is never closed", "write three hyphens below its last key", "open"
