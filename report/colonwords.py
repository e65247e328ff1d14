"""What is wrong with the keys of a YAML file: one without its colon, a colon too many, a value where none may stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from report.slips import KEY, Slip, Words, content, shortened

_RUN_ON = re.compile(r"[ ]*(?:- +)*(?P<key>[\w.-]+)(?P<mark>:|\s*=\s*)(?P<value>\S.*)")
_SENTENCE = 4  # words from which on a line without a colon is prose


def second(slip: Slip) -> Words:
    """Say what is wrong with a colon where no key may stand: a second one in a value, or a line that is too deep."""
    found = KEY.match(slip.before)
    if found:
        value = shortened(slip.line(slip.row)[found.end() :].strip())
        if value.startswith("("):
            return Words(slip.row + 1, found.end() + 2, "round brackets where braces belong", "write '{' and '}'")
        return slip.here("a second colon in one value", f"put the text in quotes: {found['key']}: '{value}'")
    above = next((row for row in range(slip.row - 1, -1, -1) if slip.line(row).strip()), slip.row)
    if head := unparted(slip) or _head(slip, slip.row):
        return head
    dashless = re.fullmatch(r"( *)((\w[\w-]*): .*)", slip.line(above))
    if dashless and (dashless[3] == "id" or _begins(slip, dashless[1], dashless[3])):
        return undashed(above, len(dashless[1]), dashless[2])
    if bare := _bare(slip, above):
        return bare
    if listed := _listed(slip, above):
        return listed
    if not KEY.match(slip.line(above)) and content(slip.line(slip.row)) <= content(slip.line(above)):
        return keyless(replace(slip, began=(above, content(slip.line(above)))))
    deep = len(slip.line(slip.row)) - len(slip.line(slip.row).lstrip())
    message = "the line is indented deeper than the one above it, which has its value already"
    at = content(slip.line(above))
    said = Words(slip.row + 1, deep + 1, message, f"begin it in column {at + 1}")
    return said.misplaced(" " * at + slip.line(slip.row).lstrip())


def _begins(slip: Slip, lead: str, key: str) -> bool:
    """Tell whether a key begins other rows, behind their dash in the same column."""
    return any(line.startswith(f"{lead}- {key}:") for line in slip.lines)


def _bare(slip: Slip, row: int) -> Words | None:
    """Say that a word is a key whose colon is missing."""
    found = re.fullmatch(r"( *(?:- +)*)([\w.-]*[\w-])( *(?:#.*)?)", slip.line(row))
    if not found:
        return None
    said = Words(row + 1, len(found[1]) + 1, f"a colon is missing behind '{found[2]}'", f"write '{found[2]}:'")
    return said.meant(f"{found[1]}{found[2]}:{found[3]}")


def _listed(slip: Slip, above: int) -> Words | None:
    """Say that a list stands below a key that has a value beside it."""
    found = KEY.match(slip.line(above))
    if not found or not re.match(r" *- ", slip.line(slip.row)):
        return None
    value = slip.line(above)[found.end() :].strip()
    said = f"'{found['key']}' has a value already, so no list can stand below it"
    return Words(above + 1, found.start("key") + 1, said, f"delete '{shortened(value)}'")


def _head(slip: Slip, at: int) -> Words | None:
    """Say that a text of several lines, of which row `at` is one, holds a colon and needs a bar behind its key."""
    deep = content(slip.line(at))
    for row in range(at - 1, -1, -1):
        line = slip.line(row)
        if line.strip() and content(line) < deep:
            found = re.fullmatch(r"( *(?:- +)*)([\w.-]+): *", line)
            if any(KEY.match(between) for between in slip.lines[row + 1 : at]) or _keyed(slip, at, deep):
                return None
            if not found:
                return None
            said = "a text of several lines, one of them with a colon"
            return Words(row + 1, len(found[1]) + 1, said, f"write '{found[2]}: |' here").meant(f"{line.rstrip()} |")
    return None


def _keyed(slip: Slip, row: int, deep: int) -> bool:
    """Tell whether most lines from a row on, as deep as it, are keys and values, or begin as keys elsewhere do."""
    below = takewhile(lambda line: not line.strip() or content(line) >= deep, slip.lines[row:])
    beside = [line for line in below if line.strip() and content(line) == deep]
    keys = [found["key"] for found in map(KEY.match, beside) if found]
    names = [found["key"] for found in map(KEY.match, slip.lines) if found and found.end("lead") == deep]
    bare = [line.split(maxsplit=1)[0] for line in beside if not KEY.match(line)]
    known = any(names.count(key) > 1 for key in keys) or not set(bare).isdisjoint(names)
    return known or 2 * len(keys) > len(beside) > 1


def keyless(slip: Slip) -> Words:
    """Say what a line lacks that should read `key: value`."""
    row, line = slip.began[0], slip.line(slip.began[0])
    found, right = _RUN_ON.fullmatch(line), parted(slip.lines, row)
    if not found and not right and re.match(r" *- ", slip.line(row - 1)) and ":" not in slip.line(row - 1):
        return slip.start("a line of a list without its '-'", f"write '- {line.strip()}'")
    if bare := heading(slip, row):
        return bare
    prose = len(line.split()) >= _SENTENCE and not re.match(r" *(?:- +)*[\w.-]+ *[{\[]", line)
    if not found and prose and (head := _head(slip, row)):
        return head
    if not found:
        said = slip.start("a line that is no 'key: value'", _meant(line.strip().removeprefix("- ")))
        return said.meant(right)
    colon = found["mark"] == ":"
    message = "a blank is missing after the colon" if colon else "an equals sign where a colon belongs"
    meant = f"{found['key']}: {found['value']}"
    said = Words(row + 1, found.start("mark") + 1, message, f"write '{meant}'")
    return said.meant(line[: found.start("key")] + meant)


def heading(slip: Slip, row: int) -> Words | None:
    """Say that a word with entries below it is a key whose colon is missing."""
    return _bare(slip, row) if _holds(slip, row) else None


def parted(every: Sequence[str], row: int) -> str:
    """Return a line with a colon behind its first word, if that is a key which stands in this column elsewhere."""
    found = re.fullmatch(r"( *(?:- +)*)([\w.-]+) +(\S.*)", every[row])
    others = (KEY.match(line) for n, line in enumerate(every) if n != row)
    known = found and any(one and one.end("lead") == len(found[1]) and one["key"] == found[2] for one in others)
    return f"{found[1]}{found[2]}: {found[3]}" if found and known else ""


def _holds(slip: Slip, row: int) -> bool:
    """Tell whether entries stand below a line: those of a list, or deeper keys."""
    below = next((one for one in slip.lines[row + 1 :] if one.strip() and not one.lstrip().startswith("#")), "")
    deeper = content(below) > content(slip.line(row)) and KEY.match(below)
    return bool(deeper or re.match(r" *- ", below)) and not slip.line(row).lstrip().startswith("-")


def _meant(line: str) -> str:
    """Return what was probably meant by a line without a colon."""
    if line.startswith(("//", "/*", "<!--", "%", ";")):
        return "a comment begins with '#'"
    if not re.search(r"\w", line):
        return "delete it"
    first, rest = re.split(r"[\s;,=:-]+", f"{line} ", maxsplit=1)
    return f"write '{first}: {rest.strip() or '...'}', or indent it deeper if it goes on with the line above"


def unparted(slip: Slip) -> Words | None:
    """Say that a colon is missing between a key and the bracket of its value."""
    found = re.match(r"( *(?:- +)*)([\w.][\w.-]*)(?: *[=;]? +| *[=;])([{\[])", slip.before)
    if not found:
        return None
    said = f"a colon is missing behind '{found[2]}'"
    words = Words(slip.row + 1, len(found[1]) + 1, said, f"write '{found[2]}: {found[3]}...'")
    return words.meant(f"{found[1]}{found[2]}: {slip.line(slip.row)[found.start(3) :]}")


def undashed(row: int, column: int, line: str) -> Words:
    """Say that a row begins in a row and column, counted from 0, without its dash."""
    said = Words(row + 1, column + 1, "a row begins here without its '-'", f"write '- {shortened(line)}'")
    return said.meant(" " * column + f"- {line}")
