"""Where in a file the words stand that a mistake is about: at its column, near words that were read, or as quoted.

A text is checked after Markdown and templates have had it; its lines no longer hold the marks that the file holds. So
what was read is laid against the file's line, tags, formulas and code left out, and where that does not tell, what the
message quotes is looked for. Only a mistake asks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from report.errors import UNTAGGED, Near, Problem

Span = tuple[int, int]  # from where to where in a line, counted from 0
_QUOTED = re.compile(r"'([^']+)'")
_CLAIM = re.compile(r"claim '([^']+)'")
_ASKED = re.compile(r"(\w+)\(([^()]*)\)")
_LIVE = re.compile(r"\blive\.\w+")
_ASKS = re.compile(r"(\S.*?)(?:: | is | has | takes | cannot )")  # what a message is about that begins with it
_OPERATOR = re.compile(r"operand type(?:\(s\))? for (?:unary )?([-+*/%]+)")  # Python says so
_STRING = re.compile(r"\"[^\"]*\"|'[^']*'")
_TAG = re.compile(r"\{\{[-+]?\s*(.*?)\s*[-+]?\}\}|\{%[-+]?\s*(.*?)\s*[-+]?%\}")
_WORD = re.compile(r"\\(?:[A-Za-z]+|.)|</?[A-Za-z][^<>]*>|\{#|[\w.-]+|([^\w\s])\1*")
_MASKED = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|(?<!\\)(\$\$?)(?:\\.|[^$\\])+\1|(`+).+?\2|\]\([^()]*\)")
_UNREAD = re.compile("[\ue000-\uf8ff\ufffc\U000f0000-\U0010ffff]")  # what stands for a tag, a formula, code
# What stands before a text of YAML in its line, and before it where it is read (report/research/carrier.py).
_BEFORE = ((r" *", ""), (r" *", "{% lead %}"), (r" *(?:- )?\w+: [\"']?", "- "), (r" *(?:- )?\w+: [\"']?", "## "))
_FAR = 12  # lines below its own in which words of one paragraph are looked for


def found(problem: Problem, lines: Sequence[str]) -> tuple[int, int, int]:
    """Return line, start and end of the caret, counted from 1; where the words are not to be found, the last are 0."""
    tag, about = problem.tag, problem.near.text.strip()
    problem = replace(problem, tag=tag._replace(column=_as_written(tag.text, tag.line, tag.column, lines)))
    problem = replace(problem, column=_as_written(about, problem.line, problem.column, lines))
    if problem.tag.line and not problem.column and (alone := _alone(problem, lines)):
        if given := _given(problem.message, problem.tag.text, lines):
            return given
        held = found(replace(problem, tag=UNTAGGED), alone)
        return held if held[1] else (problem.tag.line, *_inner(problem))
    line = problem.line or _named_line(problem.message, lines)
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    if not problem.column and problem.near.text.strip() and (met := _met(problem.near, lines, line)):
        return met
    for number, below in list(_paragraph(lines, line)) or [(line, text)]:
        start, end = _span(problem, below)
        if start or problem.column:
            return number, start, end
    stood = _stood(problem.near, text)
    if stood:
        return line, stood[0] + 1, stood[1] + 1
    if given := _given(problem.message, text, lines):
        return given
    asks = _asks(problem.message, text)
    if not asks[0] and problem.tag.line and problem.tag.text not in text:  # the author wrote no such tag
        return line, len(text) - len(text.lstrip()) + 1, len(text.rstrip()) + 1
    return line, *asks


def _as_written(words: str, line: int, column: int, lines: Sequence[str]) -> int:
    """Return the column of words where their line of the file has them, 0 where none is known.

    A text of YAML was read without what stands before it in its line.
    """
    row = lines[line - 1] if 0 < line <= len(lines) else ""
    first = words.partition("\n")[0]
    if not first or not column or row.startswith(first, column - 1):
        return column
    every = [found.start() + 1 for found in re.finditer(re.escape(first), row)]
    likely = [
        column + len(before[0]) - len(instead)
        for pattern, instead in _BEFORE
        if (before := re.match(pattern, row)) is not None
    ]
    return min(every, key=lambda at: min(abs(at - one) for one in likely)) if every else column


def _alone(problem: Problem, lines: Sequence[str]) -> list[str]:
    """Return the lines of a file with nothing in them but the tag in which a mistake arose; none where it is not so."""
    line, column, text = problem.tag
    first, *others = text.split("\n")
    row = lines[line - 1] if line <= len(lines) else ""
    if not row.startswith(first, column - 1) or not line <= problem.line <= line + len(others):
        return []
    held = [" " * (column - 1) + first, *others]
    return [*[""] * (line - 1), *held, *[""] * (len(lines) - line - len(others))]


def _inner(problem: Problem) -> Span:
    """Return where the first of the words stands that a mistake quotes, else a tag's whole inside, counted from 1."""
    tag, words = problem.tag, "|".join(map(re.escape, _QUOTED.findall(problem.message)))
    bare = _STRING.sub(lambda string: "_" * len(string[0]), tag.text.partition("\n")[0])
    if words and (quoted := re.search(rf"(?<![\w.])(?:{words})(?!\w)", bare)):
        return tag.column + quoted.start(), tag.column + quoted.end()
    first = tag.text.partition("\n")[0]
    if words and (quoted := re.search(rf"(?<![\w.-])(?:{words})(?![\w-])", first)):
        return tag.column + quoted.start(), tag.column + quoted.end()
    found = _TAG.match(tag.text)
    start, end = found.span(found.lastindex or 0) if found else (0, len(tag.text.partition("\n")[0]))
    return tag.column + start, tag.column + end


def _given(message: str, text: str, lines: Sequence[str]) -> tuple[int, int, int] | None:
    """Return where a word that is quoted stands in the one tag that sets what is given: {% set x = ... %}."""
    for word in [word for word in _QUOTED.findall(message) if word not in text]:
        inside = re.compile(rf"\{{%[-+]?\s*set\b.*?(?<!\w)({re.escape(word)})(?!\w)")
        held = [(number, match) for number, line in enumerate(lines, 1) if (match := inside.search(line))]
        if len(held) == 1:
            number, match = held[0]
            return number, match.start(1) + 1, match.end(1) + 1
    return None


def _named_line(message: str, lines: Sequence[str]) -> int:
    """Return the one line of a file that holds what a mistake without a line quotes; 0 where that is not one line."""
    for word in _QUOTED.findall(message):
        held = [number for number, line in enumerate(lines, 1) if word in line]
        if len(held) == 1:
            return held[0]
    return 0


def _met(near: Near, lines: Sequence[str], line: int) -> tuple[int, int, int] | None:
    """Return line, start and end of words that were read: in their line, else below it in the same paragraph."""
    below = list(_paragraph(lines, line))
    for way in (_exact, _word, _between):
        for number, text in below if way is not _between else below[:1]:
            if span := way(near, text):
                return number, span[0] + 1, span[1] + 1
    return None


def _paragraph(lines: Sequence[str], line: int) -> Iterator[tuple[int, str]]:
    for number in range(max(line, 1), min(line + _FAR, len(lines) + 1)):
        if number > line and not lines[number - 1].strip():
            return
        yield number, lines[number - 1]


def _seen(text: str) -> Iterator[str]:
    """Yield a line without what prose is not read from, and then as it is."""
    yield _MASKED.sub(lambda mask: "\0" * len(mask[0]), text)
    yield text


def _exact(near: Near, text: str) -> Span | None:
    """Return where the words stand in a line that holds all that was read as it was read."""
    read = near.text.strip()
    lead = len(near.text) - len(near.text.lstrip())
    for seen in _seen(text):
        for at in _whole_words(read, seen):
            return at + near.start - lead, at + near.end - lead
    return None


def _word(near: Near, text: str) -> Span | None:
    """Return where the words stand in a line: where they do once, else where the rest of what was read puts them."""
    word = near.text[near.start : near.end]
    for seen in _seen(text) if word.strip() else ():
        every = list(_whole_words(word, seen))
        if not every and seen is not text:  # a part of a word, before the tags and formulas are looked into
            every = [match.start() for match in re.finditer(re.escape(word), seen)]
        if every:
            to = _laid(near.text, seen)
            at = every[0] if len(every) == 1 else min(every, key=lambda one: abs(one - to(near.start)))
            return at, at + len(word)
    return None


def _between(near: Near, text: str) -> Span | None:
    """Return where words begin and end that hold marks of Markdown or tags in the line itself."""
    word = near.text[near.start : near.end]
    bare = _UNREAD.sub(" ", word)
    first, last = len(bare) - len(bare.lstrip()), len(bare.rstrip()) - 1
    if last < 0:
        return None
    to = _laid(near.text, text)
    start, end = to(near.start + first), to(near.start + last)
    fits = 0 <= start <= end < len(text) and (text[start], text[end]) == (word[first], word[last])
    return (start, end + 1) if fits else None


def _stood(near: Near, text: str) -> Span | None:
    """Return where the tag stands in whose place a mark was read: the first is the first, if there are as many."""
    tags = [match.span() for match in _MASKED.finditer(text) if not match[0].startswith("](")]
    marks = [match.start() for match in _UNREAD.finditer(near.text)]
    return tags[marks.index(near.start)] if near.start in marks and len(tags) == len(marks) else None


def _whole_words(words: str, text: str) -> Iterator[int]:
    """Yield where words stand in a text, and not as a part of longer ones."""
    before, after = r"(?<!\w)" if words[:1].isalnum() else "", r"(?!\w)" if words[-1:].isalnum() else ""
    for match in re.finditer(before + re.escape(words) + after, text):
        yield match.start()


def _laid(read: str, text: str) -> Callable[[int], int]:
    """Return what takes a place in what was read to the like place in a line of the file."""
    blocks = SequenceMatcher(None, read, text, autojunk=False).get_matching_blocks()

    def to(place: int) -> int:
        above = [block for block in blocks if block.a <= place and block.size]
        return place - above[-1].a + above[-1].b if above else place

    return to


def _span(problem: Problem, text: str) -> tuple[int, int]:
    """Return where the caret begins and ends, counted from 1: at the column, else under the word that is quoted.

    A word that stands more than once in the line could be any of them: then there is no caret, 0 and 0.
    """
    words = _QUOTED.findall(problem.message)
    if problem.column:
        at = problem.column - 1
        word = next((form for word in words for form in _forms(word) if text.startswith(form, at)), "")
        match = _WORD.match(text, at)
        long = problem.near.end - problem.near.start
        return problem.column, problem.column + max(1, long or len(word) or (len(match[0]) if match else 1))
    for pattern in _patterns(problem.message, words):
        found = [match.span(1) for match in re.finditer(pattern, text)]
        if len(found) == 1:
            return found[0][0] + 1, found[0][1] + 1
    return _asked(problem.message, text)


def _forms(word: str) -> tuple[str, ...]:
    """Return a word as it may stand in a source: bare or in quotation marks, which are then marked with it."""
    return word, f'"{word}"', f"'{word}'"


def _asked(message: str, text: str) -> tuple[int, int]:
    """Return where the question begins and ends that a message begins with; all that ask the same have its mistake."""
    live = _LIVE.match(message)
    if live and "has no value" in message and (match := re.search(rf"\{{\{{[-+]?\s*({live[0]})\b", text)):
        return match.start(1) + 1, match.end(1) + 1
    asked = _ASKED.match(message)
    if not asked:
        return 0, 0
    for behind in (r"\s*\}\}", "") if "without a filter" in message else ("",):
        every = re.finditer(rf"\b{asked[1]}(?=\(([^()]*)\){behind})", text)
        found = [match for match in every if _asks_so(_arguments(asked[2]), _arguments(match[1]))]
        if found:
            match = min(found, key=lambda one: len(_arguments(one[1])))
            return match.start() + 1, match.end() + 1
    return 0, 0


def _asks_so(asked: set[str], written: set[str]) -> bool:
    """Say whether what is written between brackets may be what was asked; a set of keys may hold any of it."""
    return asked <= written or any(one.startswith("**") for one in written)


def _arguments(text: str) -> set[str]:
    """Return the arguments of a question, without blanks and quotes."""
    return {re.sub(r"[\s\"']", "", part) for part in text.split(",") if part.strip()}


def _patterns(message: str, words: Iterable[str]) -> Iterator[str]:
    """Yield what may find the word that a message is about, the surest first: group 1 is the word."""
    if named := _CLAIM.match(message):
        yield rf"\bclaim [\"']({re.escape(named[1])})[\"']"
    for word in words:
        exact = re.escape(word)
        yield rf"[\"']({exact})[\"']"
        yield rf"(?<![\w.-])({exact})(?![\w.-])"
        yield rf"(?<![\w.\"'-])({exact})(?![\w.\"'])"
        yield f"({exact})"
    if "''" in message:
        yield r"(\"\"|'')"
    if "== or !=" in message:
        yield r"(==|!=)"
    for live in _LIVE.findall(message):
        yield rf"({re.escape(live)})\s*\}}\}}" if "without a filter" in message else rf"\b({re.escape(live)})\b"


def _asks(message: str, text: str) -> tuple[int, int]:
    """Return where what a message begins with stands in the tags of a line, or all that the only tag holds."""
    tags = [match.span(match.lastindex or 0) for match in _TAG.finditer(text)]
    bare = _STRING.sub(lambda string: "_" * len(string[0]), text)
    for pattern in _about(message):
        every = (match for start, end in tags for match in re.compile(pattern).finditer(bare, start, end))
        held = [match.span(match.lastindex or 0) for match in every]
        if len(held) == 1 or (held and "has no value" in message):
            return held[0][0] + 1, held[0][1] + 1
    told = _ASKED.match(message) or any(word in text for word in _QUOTED.findall(message))
    return (tags[0][0] + 1, tags[0][1] + 1) if len(tags) == 1 and not told else (0, 0)


def _about(message: str) -> Iterator[str]:
    """Yield what finds in a tag what a message is about: what it begins with, the operator that it names."""
    if about := _ASKS.match(message):
        if " takes keys only" in message:
            yield rf"(?<![\w.])({re.escape(about[1])})(?=\()"
        if re.match(r"\w+: '\w+' is missing$", message):
            yield rf"(?<=\|)\s*\b({re.escape(about[1])})\b(?!\s*\(\s*[^\s)])"
        yield rf"(?<![\w.]){re.escape(about[1])}(?![\w.])"
    for word in _QUOTED.findall(message):
        yield rf"(?<![\w.])({re.escape(word)})(?!\w)"
    if operator := _OPERATOR.search(message):
        yield rf"(?<![-+*/%]){re.escape(operator[1])}(?![-+*/%])"
