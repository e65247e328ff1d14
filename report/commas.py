"""What commas cut between braces, where YAML takes `3,35 TB/s` for a value and a key without one.

Only a mistake is read here: a key that no colon follows.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import yaml

from report import numberwords

Said: TypeAlias = tuple[yaml.Node, str, str]  # where, what is wrong, what was probably meant
CURLY = tuple("“„”‘")  # how quotation marks of prose begin

_COMMAS = re.compile(r"(?<![\w.,])\d+(?:,\d+)+(?!\w)")
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+")


def keyless(key: yaml.Node, value: yaml.Node) -> bool:
    """Tell whether a key has no colon behind it, as YAML allows between braces alone."""
    return bool(value.start_mark.index == key.end_mark.index)


def cut(node: yaml.MappingNode) -> Iterator[Said]:
    """Yield what commas have cut: between braces YAML takes `3,35 TB/s` for a value and a key without one."""
    pieces = [_nothing(node)]  # a value, and the keys behind it that are none
    for key, value in node.value:
        if isinstance(key, yaml.ScalarNode) and not value.value and keyless(key, value):
            pieces.append(key)
            continue
        if pieces[1:]:
            yield from _typed(pieces) or [_cut_off(pieces)]
        pieces = [value if isinstance(value, yaml.ScalarNode) else _nothing(value)]
    if pieces[1:]:
        yield from _typed(pieces) or [_cut_off(pieces)]


def _nothing(node: yaml.Node) -> yaml.ScalarNode:
    return yaml.ScalarNode("", "", node.end_mark, node.end_mark)


def _cut_off(pieces: Sequence[yaml.ScalarNode]) -> Said:
    """Return what is said of a value and of what stands behind commas after it."""
    first, key = pieces[:2]
    head, colon, rest = key.value.partition(":")
    if colon and rest:
        return key, f"'{key.value}' has no blank after the colon", f"write '{head}: {rest}'"
    if first.value[:1] in CURLY:
        said = f"{first.value} stands in quotation marks of prose"
        return first, said, "YAML knows ' and \" alone"
    text = _whole(pieces)
    why = numberwords.said(text) if first.value.isdigit() and key.value[:1].isdigit() else ""
    if why:
        message, _, hint = why.partition("; ")
        return first, f"'{text}': {message}", hint
    if first.value:
        hint = f"write '{key.value}: ...', or put the text in quotes: '{text}'"
    elif key.value[:1].isdigit():
        return key, f"'{key.value}' has no key", f"write 'value: {key.value}'"
    else:
        word, _, rest = key.value.partition(" ")
        hint = f"write '{word}: {rest or '...'}'"
    return key, f"'{key.value}' has no value", hint


def _typed(pieces: Sequence[yaml.ScalarNode]) -> list[Said]:
    """Return what is said of numbers with commas in what a word asserts: any other text can stand in quotes."""
    first, text = pieces[0].start_mark, _whole(pieces)
    if first.line != pieces[-1].end_mark.line or not re.search("[<>]", text):
        return []
    found: list[Said] = []
    for number in _COMMAS.finditer(text):
        at = yaml.Mark(first.name, first.index + number.start(), first.line, first.column + number.start(), None, 0)
        right = number[0].replace(",", "" if _THOUSANDS.fullmatch(number[0]) else ".")
        found.append((yaml.ScalarNode("", "", at, at), f"the number '{number[0]}' holds a comma", f"write {right}"))
    return found


def _whole(pieces: Sequence[yaml.ScalarNode]) -> str:
    """Return the text that commas have cut."""
    gaps = [" " * (b.start_mark.index - a.end_mark.index - 1) for a, b in itertools.pairwise(pieces)]
    cut = zip(gaps, pieces[1:], strict=True)
    return str(pieces[0].value) + "".join(f",{gap}{one.value}" for gap, one in cut)
