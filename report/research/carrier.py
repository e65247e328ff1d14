"""A research page's YAML as Markdown, line for line, so that prose finds every mistake at the file's own line.

Each text stands on the lines on which it was written; a title becomes a heading, the key of a text a rule that parts
it from the one before, a line of the log the point of a list, and all else an empty line. What the rules part is put
together again by report/research/layout.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from report.yamlnodes import entries

LOG = "log"  # the id of the log's heading
LOG_TITLE = "Verification log"
HEAD = ("title", "called", "description", "lead")
TEXTS = ("says", "derivation")
CHECKS = ("what", "against", "result")
# Lines that Markdown would take for a heading or a rule, which part the page's own fields.
PARTS = re.compile(r"\s*(#{1,6}\s|([-_*=])(\s*\2){2,}\s*$|[-=]+\s*$)")


def carrier(text: str, top: yaml.MappingNode) -> str:
    """Return Markdown with as many lines as the file; the file must be in order."""
    lines = [""] * (text.count("\n") + 1)
    for at, line in _lines(text, top):
        lines[at] = line
    return "\n".join(lines)


def _lines(text: str, top: yaml.MappingNode) -> Iterator[tuple[int, str]]:
    keys = entries(top)
    yield from front(text, top)
    yield from lead(keys["lead"][1])
    if "intro" in keys:
        yield from block(keys["intro"][1])
    for entry in keys["entries"][1].value:
        found = entries(entry)
        title = found["title"][1]
        yield title.start_mark.line, f"## {line(title)} {{#{found['id'][1].value}}}"
        for key in TEXTS:
            yield found[key][0].start_mark.line, "***"
            yield from block(found[key][1])
    yield keys["log"][0].start_mark.line, f"## {LOG_TITLE} {{#{LOG}}}"
    for check in keys["log"][1].value:
        for key in CHECKS:
            node = entries(check)[key][1]
            yield node.start_mark.line, f"- {line(node)}"


def front(text: str, top: yaml.MappingNode) -> Iterator[tuple[int, str]]:
    """Yield the keys at the top as the front matter of a page; a comment before them makes room for its dashes."""
    first = top.value[0][0].start_mark.line
    after = top.value[3][0].start_mark.line
    yield first - 1, "---"
    yield from enumerate(text.split("\n")[first:after], first)
    yield after, "---"


def lead(node: yaml.Node) -> Iterator[tuple[int, str]]:
    """Yield the lines of the lead within its tag."""
    (first, opening), *others = block(node)
    between = [(first, f"{{% lead %}}{opening}"), *others]
    last, closing = between.pop()
    yield from (*between, (last, f"{closing}{{% endlead %}}"))


def block(node: yaml.Node) -> Iterator[tuple[int, str]]:
    """Yield the lines of a block of text, which begins under its key."""
    yield from enumerate(node.value.rstrip("\n").split("\n"), node.start_mark.line + 1)


def line(node: yaml.Node) -> str:
    """Return a text in one line."""
    return " ".join(str(node.value).split())
