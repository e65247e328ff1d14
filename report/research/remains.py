"""What there is of the prose of a research page whose form is not in order: a slip of form hides none of the prose.

The texts that are what they should be stand on their lines, as report/research/carrier.py sets them; the others are
left out. Leaves out: what is wrong with those (report/research/files.py).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TypeAlias

import yaml

from report.constructs import LABEL
from report.keys import judged
from report.research.carrier import CHECKS, HEAD, LOG, PARTS, TEXTS, block, front, lead, line
from report.research.records import Check, Dossier, Entry
from report.rows import slots
from report.yamlnodes import entries

Keys: TypeAlias = dict[str, tuple[yaml.Node, yaml.Node]]
_STAND_IN = ("---", "{title: A page, description: A page}", "---")


def remains(text: str, top: yaml.MappingNode) -> str:
    """Return Markdown with as many lines as a file."""
    lines = [""] * max(text.count("\n") + 1, len(_STAND_IN))
    for at, words in _body(_keys(top, Dossier)):
        lines[at] = "" if PARTS.match(words) and not words.startswith("## ") else words
    for at, words in front(text, top) if _headed(top) else enumerate(_STAND_IN):
        lines[at] = words
    return "\n".join(lines)


def _body(keys: Keys) -> Iterator[tuple[int, str]]:
    for node in _texts(keys, "lead", "|"):
        yield from lead(node)
    for node in _texts(keys, "intro", "|"):
        yield from block(node)
    names: list[str] = []
    for entry in _listed(keys, "entries", Entry):
        names.append(_name(entry, names))
        for title in _texts(entry, "title"):
            yield title.start_mark.line, f"## {line(title)} {{#{names[-1]}}}"
        for node in (node for key in TEXTS for node in _texts(entry, key, "|")):
            yield from block(node)
    for check in _listed(keys, LOG, Check):
        for node in (node for key in CHECKS for node in _texts(check, key)):
            yield node.start_mark.line, f"- {line(node)}"


def _name(entry: Keys, before: Collection[str]) -> str:
    """Return the id of an entry, or one that stands in where it has none of its own, of which that is told already."""
    name = next((str(node.value) for node in _texts(entry, "id")), "")
    return name if re.fullmatch(LABEL, name) and name not in before else f"entry-{len(before)}-without-id"


def _headed(top: yaml.MappingNode) -> bool:
    """Tell whether a file begins with the texts of its head, below a line that makes room for its dashes."""
    keys = [key.value for key, _ in top.value[: len(HEAD)]]
    first = top.value[0][0].start_mark.line
    return keys == list(HEAD) and first > 0 and all(_texts(entries(top), key) for key in HEAD[:-1])


def _texts(keys: Keys, key: str, style: str = "") -> list[yaml.Node]:
    """Return the text below a key: a block, where that is its style, or one in a line; none where it is no such."""
    node = keys[key][1] if key in keys else None
    if not isinstance(node, yaml.ScalarNode) or not node.value.strip() or (node.style == "|") != (style == "|"):
        return []
    return [node]


def _listed(keys: Keys, key: str, record: type) -> list[Keys]:
    node = keys[key][1] if key in keys else None
    held = node.value if isinstance(node, yaml.SequenceNode) else []
    return [_keys(one, record) for one in held if isinstance(one, yaml.MappingNode)]


def _keys(node: yaml.MappingNode, record: type) -> Keys:
    """Return the keys of a mapping, those that are misspelt by the words that were meant too."""
    found = entries(node)
    meant = judged(found, [slot.key for slot in slots(record)]).meant
    return found | {word: found[key] for word, key in meant.items()}
