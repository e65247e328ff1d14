"""What a text is made of that is more than plain text: comments, code, tags, formulas, and what was meant as one.

One pattern with alternatives in a fixed order: comments, fences, code spans, template tags, escaped dollars, displays,
formulas, then whatever is left over and wrong. Leaves out: what becomes of them (report/preprocess.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from report.dashes import fronted
from report.errors import Tag
from report.fences import CLOSED, UNCLOSED
from report.lines import line_and_column

LABEL = r"[a-z][a-z0-9-]*"
# What a tag is made of that ends where Jinja ends it: brackets and percent signs, also in texts and mappings.
_PLAIN = r"[^\"'{}%]|\"[^\"\n]*\"|'[^'\n]*'|%(?!\})"
_WITHIN = rf"(?:{_PLAIN}|\{{(?![{{%])(?:{_PLAIN}|\{{(?![{{%])(?:{_PLAIN})*+\}})*+\}})*+"
PARTS = re.compile(
    r"(?P<comment>[ \t]?\{%#.*?#%\})"
    rf"|{CLOSED}|{UNCLOSED}"
    r"|(?P<code>(?<!`)(?P<tick>`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)(?P=tick)(?!`))"
    r"|(?P<raw>\{%[-+]?\s*(?:end)?raw\s*[-+]?%\})"
    rf"|(?P<tag>\{{\{{{_WITHIN}\}}\}}|\{{%{_WITHIN}%\}}|\{{\{{.*?\}}\}}|\{{%.*?%\}})"
    r"|(?P<escaped>\\\$)"
    r"|(?P<bracket>\\[()\[\]])"
    rf"|(?P<display>\$\$(?P<shown>(?:(?!\n[ \t]*\n)[^$\\]|\\.)+?)\$\$(?:[ \t]*\{{\#(?P<label>{LABEL})\}})?)"
    r"|(?P<maths>\$(?=[^\s$])(?P<inline>(?:(?!\n[ \t]*\n)(?:[^$\\]|\\.))+?)(?<!\s)\$(?!\d))"
    # What follows is a formula too, and no text: up to the end of its paragraph, or to its last command in the line.
    r"|(?P<opened>\$\$)(?:(?!\n[ \t]*\n|\{[{%])[^$])*"
    rf"|(?P<dollar>\$)(?:[ \t]*\{{\#{LABEL}\}}|(?:(?!\{{[{{%])[^\n$])*\\[A-Za-z]+[^\s$]*)?"
    rf"|(?P<heading>(?<=[^\n])\{{\#{LABEL}\}}(?P<trail>[.,:;]?)[ \t]*$)"
    rf"|(?P<bare>(?<=[ \t])\{{{LABEL}\}}[ \t]*$)"
    rf"|(?P<hash>\{{\#)(?:(?:(?!\n[ \t]*\n)[^{{}}])*\}}|{LABEL}[ \t]*$)?",
    re.DOTALL | re.MULTILINE,
)


def kind(found: re.Match[str]) -> str:
    """Return which of them was found, an empty text for tags and what is wrong."""
    names = ("comment", "fence", "unclosed", "code", "raw", "escaped", "display", "maths", "heading", "bare")
    return next((name for name in names if found[name] is not None), "")


def opens(source: str, line: int) -> bool:
    """Tell whether a tag at the beginning of a line is the first that stands in a text below its front matter."""
    front, lines = fronted(source), source.split("\n")
    between = lines[front[0].count("\n") + 1 : line - 1] if front else ["none"]
    return not "".join(between).strip() and lines[line - 1].lstrip().startswith("{%")


def counted(source: str, number: int) -> Tag | None:
    """Return one of the tags that Jinja meets in a text, counted from 1: a {{ }}, a {% %}, or a formula."""
    front = fronted(source)
    text = "\n" * front[0].count("\n") + source[front.end() :] if front else source
    met = (found for found in PARTS.finditer(text) if found["tag"] or found["display"] or found["maths"])
    for found in islice(met, number - 1, number):
        return Tag(*line_and_column(text, found.start()), found[0])
    return None


def constructs(source: str) -> Iterator[tuple[int, str]]:
    """Yield where each {{ }} and {% %} outside code, formulas and comments begins, and its text."""
    yield from ((found.start(), found[0]) for found in PARTS.finditer(source) if found["tag"])


def between(source: str) -> Iterator[tuple[int, str]]:
    """Yield where each stretch of plain text begins that no construct, code, formula or comment takes up, and it."""
    end = 0
    for found in PARTS.finditer(source):
        yield end, source[end : found.start()]
        end = found.end()
    yield end, source[end:]
