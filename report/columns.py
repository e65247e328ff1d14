"""Lines of a YAML file as they were meant, where a slip moved one out of its column or took its dash, bar or blank.

    - id: cray-1
       name: Cray-1      # one column too deep: with it back in its place, all else of the row is read
      year: 1976

What is told of such a line says what it was meant to be (report/yamlwords.py). The parser stops at the first line that
does not fit, and the one that was moved may be another: of a few ways to move it and those around it, the one counts
with which the file can be read furthest. Leaves out: lines of which nobody knows what was meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import yaml

from report import yamlwords
from report.asmeant import AsMeant
from report.colonless import run
from report.slips import KEY, Mended, Words, content

_DASH = re.compile(r" *- ")
_HEADS = 4  # lines above one that may have been moved in its stead
_NEAR = 2  # lines above and below one that show whether it is one of several keys
_END = 1 << 30
_WHOLE = (_END, 0)
Place = tuple[int, int]
Read = Callable[[str], object]


def mended(text: str, error: yaml.YAMLError, read: Read) -> Mended | None:
    """Return how a text that can't be read was meant, if with that it can be read further.

    Where nobody knows what a line was meant to be, one that was moved may stand right beside it: if all can be read
    once that one is put right and the other left out, both are told.
    """
    found = _moved(text, error, read) or _run(text, error, read)
    if found or not isinstance(error, yaml.MarkedYAMLError):
        return found
    words, every = yamlwords.explain(text, error), text.split("\n")
    row = words.line - 1
    if not 0 <= row < len(every) or not _spared(every, row):
        return None
    left = AsMeant(text, {row: " " * len(every[row])})
    try:
        read(left.whole)
    except yaml.YAMLError as other:
        found = _moved(left.whole, other, read)
        both = {**left.lines, **found.lines} if found else {}
        sure = found and row not in found.lines and _known(every, min(found.lines), content(both[min(found.lines)]))
        if found and sure and _reach(AsMeant(text, both).whole, read) == _WHOLE:
            return Mended((words, *found.words), both, (row,))
    return None


def again(words: Words, before: Sequence[Words], text: str) -> bool:
    """Tell whether a line was moved as the one above it was, of which that is told: several were moved together."""
    if not before or replace(before[-1], line=words.line, instead=words.instead) != words:
        return False
    between = text.split("\n")[before[-1].line : words.line - 1]
    deep = max(words.column - 1, _depth(words.instead))
    return all(_depth(line) > deep for line in between if _held(line))


def follows(words: Words, said: Mapping[int, Words], text: str) -> bool:
    """Tell whether a mistake only follows from others, which were told; said maps their lines, from 0, to them.

    So does what makes no key of a line that was told already, and the place of a line right below one that is no key,
    stands wrong itself or holds what is below it.
    """
    every, row = text.split("\n"), words.line - 1
    above = next((one for one in range(row - 1, -1, -1) if _held(every[one])), -1)
    if row in said:
        return words.moved or not KEY.match(every[row])
    head = every[above].rstrip() if above in said else ""
    return words.moved and above in said and (said[above].moved or not KEY.match(head) or head.endswith(":"))


def _spared(every: Sequence[str], row: int) -> bool:
    """Tell whether a line is one of several keys, and no first one behind a dash."""
    above = [line for line in every[:row] if _held(line)][-_NEAR:]
    below = [line for line in every[row + 1 :] if _held(line)][:_NEAR]
    return not _DASH.match(every[row]) and any(content(line) == content(every[row]) for line in (*above, *below))


def _moved(text: str, error: yaml.YAMLError, read: Read) -> Mended | None:
    """Return how the line that can't be read was meant, or one of those above it, if with that one can read further."""
    if not isinstance(error, yaml.MarkedYAMLError):
        return None
    words, every = yamlwords.explain(text, error), text.split("\n")
    stop = _place(error, every)
    if words.line > len(every):  # YAML counts lines otherwise
        return None
    tried, ranks = list[dict[int, str]](), list[tuple[Place, tuple[int, bool, bool], int]]()
    for way in _ways(every, stop[0], words):
        if way in tried:
            continue
        tried.append(way)
        ranks.append((_reach(AsMeant(text, way).whole, read), _likely(every, stop[0], way), -len(ranks)))
        if ranks == [(_WHOLE, (-1, True, True), 0)]:
            break  # nothing else is as likely
    row, dash = words.line - 1, _DASH.match(every[stop[0]])
    for reach, (_, known, _), at in sorted(ranks, reverse=True):
        best = tried[-at]
        first = words.instead and best == {row: words.instead}
        further = reach[0] > stop[0] and len(best) == 1 and content(best[min(best)]) > 0 and not dash
        if reach > stop and (first or ((known or further or reach == _WHOLE) and _is_key(text, best))):
            told = words.instead and row in best and (best[row] == words.instead or "column" not in words.hint)
            return Mended((words if told else _misplaced(every, best),), best)
    return None


def _run(text: str, error: yaml.YAMLError, read: Read) -> Mended | None:
    """Return how a line without its colon was meant, with those above it that are taken for one text with it."""
    words = yamlwords.explain(text, error) if isinstance(error, yaml.MarkedYAMLError) else None
    found = run(text.split("\n"), words) if words and words.instead else None
    reads = found and _reach(AsMeant(text, found.lines).whole, read) > _place(error, text.split("\n"))
    return found if reads else None


def _is_key(text: str, way: Mapping[int, str]) -> bool:
    """Tell whether the first line of a way is no part of a text."""
    place = min(way), content(way[min(way)])
    try:
        for token in yaml.scan(AsMeant(text, way).whole, Loader=yaml.CSafeLoader):
            if (token.start_mark.line, token.start_mark.column) >= place:
                return (token.start_mark.line, token.start_mark.column) == place
    except yaml.YAMLError:
        pass
    return False


def _misplaced(every: Sequence[str], way: Mapping[int, str]) -> Words:
    row = min(way)
    old, new = _depth(every[row]) + 1, _depth(way[row]) + 1
    said = f"the line begins in column {old}, and what belongs beside it in column {new}"
    return Words(row + 1, old, said, f"begin it in column {new}").misplaced(way[row])


def _ways(every: Sequence[str], stop: int, words: Words) -> Iterator[dict[int, str]]:
    """Yield ways in which lines may have been moved: the one told, with those below it, or one of those above."""
    row, line = words.line - 1, words.instead
    if line:
        yield {row: line}
    dash = (stop, _depth(every[stop])) == (row, words.column - 1) and _DASH.match(every[stop])
    if line.lstrip(" -") != every[row].lstrip(" -") if line else not dash:
        return
    if re.match("  +- ", line) and not _DASH.match(every[row]):  # the dash was where blanks are
        yield {row: line[2:]}
    for one, moved in (*([(row, line)] if line else ()), *_others(every, stop)):
        depth, by = _depth(every[one]), _depth(moved) - _depth(every[one])
        if one == row or not _swallows(every, one, moved):
            yield {one: moved}
        for least in (depth + 1, depth):
            yield {one: moved, **{each: _shifted(every[each], by) for each in _below(every, one, least)}}


def _others(every: Sequence[str], stop: int) -> Iterator[tuple[int, str]]:
    """Yield a line and those that it belongs to, nearest first, each in the columns of what stands around it."""
    held = [row for row in range(stop) if _held(every[row])]
    heads, least = list[int](), _END
    for row in reversed(held):
        if content(every[row]) < least and KEY.match(every[row]):
            least = content(every[row])
            heads.append(row)
    for row in [stop, *heads[:_HEADS]]:
        before = [content(every[one]) for one in held if one < row and KEY.match(every[one])][-3:]
        outer = [content(every[one]) for one in heads] if row == stop else []
        for column in dict.fromkeys([_depth(every[stop]), *before, *outer]):
            by = column - content(every[row])
            if by and (_known(every, row, column) if row == stop else _fits(every, row, column)):
                yield row, _shifted(every[row], by)


def _fits(every: Sequence[str], row: int, column: int) -> bool:
    """Tell whether the next line above that is not deeper than a column is a key there, or one that holds what is."""
    for line in reversed(every[:row]):
        if _held(line) and content(line) <= column:
            return bool(KEY.match(line)) and (content(line) == column or line.rstrip().endswith(":"))
    return False


def _swallows(every: Sequence[str], row: int, line: str) -> bool:
    """Tell whether a line, put where another is, would have what stands below it for a part of its own value."""
    key, below = KEY.match(line), next(filter(_held, every[row + 1 :]), "")
    ends = line.rstrip().endswith((":", "|", ">", "-", ",", "{", "["))
    return bool(key) and not ends and content(line) < content(below) <= content(every[row])


def _held(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _shifted(line: str, by: int) -> str:
    return " " * max(0, _depth(line) + by) + line.lstrip()


def _below(every: Sequence[str], row: int, least: int) -> list[int]:
    """Return the lines right below one that begin in a column, from 0, or deeper."""
    found = []
    for one in range(row + 1, len(every)):
        if every[one].strip():
            if _depth(every[one]) < least:
                break
            found.append(one)
    return found


def _likely(every: Sequence[str], stop: int, way: Mapping[int, str]) -> tuple[int, bool, bool]:
    """Return how few lines a way moves, whether its first key stands there elsewhere too, and whether any line does."""
    row = min(way)
    column = content(way[row])
    others = sum(content(line) == column for n, line in enumerate(every) if n not in way and n != stop)
    return -len(way), _known(every, row, column), others > 1


def _known(every: Sequence[str], row: int, column: int) -> bool:
    """Tell whether the key of a line stands in a column elsewhere."""
    key = KEY.match(every[row])
    found = (KEY.match(line) for n, line in enumerate(every) if n != row and content(line) == column)
    return any(key and one and one["key"] == key["key"] for one in found)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _place(error: yaml.YAMLError, every: Sequence[str]) -> Place:
    """Return the line, from 0, in which a text can't be read on, and how far before its end."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    return (mark.line, mark.column - len(every[mark.line])) if mark and mark.line < len(every) else (0, 0)


def _reach(text: str, read: Read) -> Place:
    """Return where a text can't be read on; far below it where it can."""
    try:
        read(text)
    except yaml.YAMLError as error:
        return _place(error, text.split("\n"))
    return _WHOLE
