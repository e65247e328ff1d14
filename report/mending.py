"""A text that Jinja cannot read, put right where it is wrong, so that one run tells all of its mistakes and none twice.

Jinja stops at the first mistake. Each is named at the tag that it is about, and what takes the tag's place says nothing
by itself: a name that stands for a mistake, the end of a claim that has none. Such a text is never published.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace

from jinja2 import TemplateSyntaxError

from report import halves
from report.errors import nearest
from report.generator import BEYOND, MOST
from report.grammar import Said, said
from report.lines import line_of
from report.standins import TITLED, alone, opened, stand_in, unbound
from report.tags import ALONE, LATER, OWNER, TEXTS, Tag, flat, open_tags, tags, torn, unclosed

_SHORT = ("set", "claim", "note", "lead", *TITLED)  # tags that end with their paragraph
_DOTS = re.compile(r"\.*")
_QUOTED = re.compile(r"'([^']+)'")
_CLOSES = {"(": ")", "[": "]", "{": "}"}
_ENDING = re.compile(r"\{%[-+]?\s*(/?[^\W\d]+(?:[ \t_-]+[^\W\d]+)?)\s*[-+]?%\}")  # a tag of one word or two
_QUOTE = re.compile(r"""[=(,\[]\s*(["'])((?:(?!\1)\w[\w.-]*)?)(?:(?!\1).)*\Z""", re.DOTALL)  # one that is not closed


@dataclass(frozen=True, slots=True)
class Slip:
    """A mistake, where it stands in the text, and the text without it; None: it is not known how to go on.

    about is what the caret belongs under, if it is more than a word. said is None where the mistake follows from one
    that was told. lost is the tag that is no longer there; claim names the claim whose end is not the author's own.
    torn says that what stands behind the tag was taken for a part of it. anything is the name of a filter in the text
    without the mistake that takes whatever it is given.
    """

    said: Said | None
    at: int
    mended: str | None
    about: str = ""
    lost: str = ""
    claim: str = ""
    torn: bool = False
    anything: str = ""


@dataclass
class Mender:
    """Finds the mistakes of one text, one after the other; known are the tags, words the filters.

    fault returns what Jinja says of a text, nothing where it can read it.
    """

    known: Collection[str]
    words: Collection[str]
    fault: Callable[[str], str | None]
    owed: Counter[str] = field(default_factory=Counter)  # end tags that were put in, and may yet come
    gone: set[str] = field(default_factory=set)  # tags that there are not, whose end tags are not told as well
    torn: set[tuple[str, int]] = field(default_factory=set)  # tags without an end of their own, and their lines

    def slip(self, error: TemplateSyntaxError, source: str) -> Slip:
        """Return the mistake because of which Jinja could not read a text."""
        lost, message = torn(source, lambda tag: not self.fault(alone(tag))), error.message or ""
        if lost:
            return self._torn(source, lost)
        if misspelt := self._misspelt(source):
            return misspelt
        if nested := _nested(source):
            return self._closed(source, nested)
        still_open = open_tags(source)
        if still_open and re.match("Unexpected end of template", message):
            return self._closed(source, still_open)
        if unknown := re.match(r"Encountered unknown tag '(\w+)'", message):
            return self._tag(unknown[1], source, error.lineno)
        return self._inside(error, source)

    def _misspelt(self, source: str) -> Slip | None:
        """Return the first end tag whose word there is not; the end that is awaited there takes its place."""
        for tag in tags(source):
            found = _ENDING.match(tag.text)
            if not found or found[1] in self._words() or found[1].removeprefix("end") in self.gone:
                continue
            stack = open_tags(source, tag.start)
            close = nearest(re.sub(r"\W", "", found[1]), self._words())
            if (stack and stack[-1].word not in self.known) or not (re.match("end|/", found[1]) or "'end" in close):
                continue
            likely = [one.word for one in reversed(stack) if f"'end{one.word}'" in close]
            meant = f"end{[*likely, stack[-1].word][0]}" if stack else ""
            told = Said(f"there is no tag '{found[1]}'", f"did you mean '{meant}'?" if stack else close)
            slip = _replaced(source, tag, f"{{% {meant} %}}" if stack else "", told)
            return replace(slip, at=tag.start + found.start(1), about="")
        return None

    def _words(self) -> set[str]:
        return {*self.known, *(f"end{name}" for name in self.known if name not in ALONE), "endset", *LATER}

    def _torn(self, source: str, tag: Tag) -> Slip:
        """Return the mistake of a tag that is never closed; its end tag may be missing with its own end."""
        opening = "{%#" if tag.text.startswith("{%#") else tag.text[:2]
        close = {"{%#": "#%}", "{{": "}}", "{%": "%}"}[opening]
        self.torn |= {(tag.word, line_of(source, tag.start))} if tag.opens else set()
        told = Said(f"{opening} is never closed", f"write {close}")
        slip = replace(_replaced(source, tag, "" if opening == "{%#" else stand_in(tag), told), torn=True)
        quote = None if opening == "{%#" else _QUOTE.search(tag.text)
        if not quote:
            return replace(slip, about=tag.head)
        told = Said(f"a text in quotes never ends, nor does its {opening}", f"write {quote[1]} and {close}")
        return replace(slip, said=told, at=tag.start + quote.start(1), about=quote[1] + quote[2])

    def _closed(self, source: str, stack: list[Tag]) -> Slip:
        """Return the slip of a tag that has no end tag: it ends with its paragraph, or with the text."""
        tag = stack[-1]
        at = _ends(source, tag, {f"end{one.word}" for one in stack[:-1]})
        told = Said(f"{{% {tag.word} %}} is never closed", f"write {{% end{tag.word} %}} after it")
        known = (tag.word, line_of(source, tag.start)) in self.torn
        mended = f"{source[: tag.start]}{opened(source[tag.start : at])}{{% end{tag.word} %}}{source[at:]}"
        return Slip(None if known else told, tag.start, mended, tag.first, claim=tag.name)

    def _tag(self, name: str, source: str, line: int) -> Slip:
        """Return what is wrong with a tag that Jinja did not expect."""
        here = [tag for tag in _on(source, line) if tag.word == name]
        tag = next((tag for tag in here if not _awaited(source, tag)), None)
        if tag is None:
            return Slip(Said(f"{{% {name} %}} stands where it cannot"), _start(source, line), None)
        opener = name.removeprefix("end") if name.startswith("end") else OWNER.get(name, "")
        if opener in self.gone:
            return _replaced(source, tag, "", None)
        if opener not in self.known:
            return self._unknown(source, tag)
        if self.owed[name]:
            self.owed[name] -= 1
            return _replaced(source, tag, "", None)
        stack = open_tags(source, tag.start)
        if not stack or (opener not in [one.word for one in stack] and _closed_later(source, tag, stack[-1])):
            article = "an" if opener[0] in "aeiou" else "a"
            return _replaced(source, tag, "", Said(f"{{% {name} %}} belongs to {article} {opener}, and none is open"))
        return self._early(source, tag, opener, stack)

    def _unknown(self, source: str, tag: Tag) -> Slip:
        ends = tag.word.startswith("end")
        hint = nearest(tag.word, [word for word in self._words() if word.startswith("end") == ends])
        meant = _QUOTED.search(hint)
        if called := re.match(r"\{%[-+]?\s*(\w+[.(].*?)\s*[-+]?%\}", tag.text):
            hint = f"write {{{{ {called[1]} }}}}"
        instead = tag.text.replace(tag.word, meant[1], 1) if meant else unbound(tag)
        self.gone |= set() if meant else {tag.word}
        slip = _replaced(source, tag, instead, Said(f"there is no tag '{tag.word}'", hint))
        return replace(slip, at=tag.start + tag.text.index(tag.word), about="")

    def _early(self, source: str, tag: Tag, opener: str, stack: list[Tag]) -> Slip:
        """Return the mistake of a tag that comes while one inside its own is open, or that belongs to no open one."""
        last = stack[-1]
        awaited = f"{{% {last.word} %}} of line {line_of(source, last.start)} is still open"
        told = Said(f"{{% {tag.word} %}} comes too early: {awaited}", f"write {{% end{last.word} %}} first")
        end = f"{{% end{last.word} %}}"
        if opener in [one.word for one in stack]:
            self.owed[f"end{last.word}"] += 1
            return _replaced(source, tag, end + tag.text, told, last.name)
        return _replaced(source, tag, end if tag.word.startswith("end") else "", told)

    def _inside(self, error: TemplateSyntaxError, source: str) -> Slip:
        """Return the mistake within a {{ }} or {% %}: the first of its line that can't be read by itself."""
        slips = (self._own(source, tag) for tag in _on(source, error.lineno))
        here = next((slip for slip in slips if slip), None) or self._above(source, error.lineno)
        return here or Slip(said(error.message, self.words), _start(source, error.lineno), None)

    def _own(self, source: str, tag: Tag) -> Slip | None:
        """Return the mistake of a tag that can't be read by itself."""
        fault = self.fault(alone(tag))
        if not fault:
            return None
        if (bracket := unclosed(tag)) is not None and tag.text[bracket] == "{":
            return self._unclosed(source, tag, bracket)
        if half := halves.alone(tag.text):
            slip = _replaced(source, tag, stand_in(tag), half.said)
            return replace(slip, at=tag.start + half.at, about=half.about)
        if unknown := _filter(tag, fault):
            return self._filtered(source, tag, unknown)
        told = _typed(tag, said(fault, self.words))
        slip, at = _replaced(source, tag, stand_in(tag), told), _spot(tag, told, fault)
        held = (TEXTS if told.message.startswith("a text") else _DOTS).match(source, at)
        return slip if at == tag.start else replace(slip, at=at, about=held[0] if held else "")

    def _filtered(self, source: str, tag: Tag, name: re.Match[str]) -> Slip:
        """Return the mistake of a filter that there is not; what it is applied to is judged all the same."""
        anything = "_" * len(name[2])  # as long as it was, so that all else in the tag stays where it is
        instead = tag.text[: name.start(2)] + anything + tag.text[name.end() :]
        slip = _replaced(source, tag, instead, said(f"No filter named '{name[2]}'", self.words))
        return replace(slip, at=tag.start + name.start(2), about="", lost="", anything=anything)

    def _above(self, source: str, line: int) -> Slip | None:
        """Return the mistake of a tag that Jinja read on beyond its end, as a bracket or a quote is open in it."""
        above = [tag for tag in tags(source) if line_of(source, tag.start) < line]
        for tag in above:
            if bracket := unclosed(tag):
                return self._unclosed(source, tag, bracket)
        return next((slip for tag in above if (slip := self._own(source, tag))), None)

    def _unclosed(self, source: str, tag: Tag, bracket: int) -> Slip:
        """Return the mistake of a tag with a bracket that is never closed."""
        mark, end = tag.text[bracket], tag.text[-2:]
        told = Said(f"'{mark}' is never closed", f"write {_CLOSES[mark]} before {end}")
        return replace(_replaced(source, tag, stand_in(tag), told), at=tag.start + bracket, about="")


def _filter(tag: Tag, fault: str) -> re.Match[str] | None:
    """Return where a tag names the filter of which Jinja says that there is none."""
    unknown = re.match(r"No filter named '([\w.]+)'", fault)
    bare = TEXTS.sub(lambda text: "_" * len(text[0]), tag.text)
    return re.search(rf"(?<=\|)(\s*)({re.escape(unknown[1])})\b", bare) if unknown else None


def _typed(tag: Tag, told: Said) -> Said:
    """Return what is said of a tag that can't be read; of a number with a comma or a unit, what to write for it."""
    bare = TEXTS.sub(lambda text: "_" * len(text[0]), tag.text)
    if "','" in told.message and (found := re.search(r"[<>=]\s*(\d{1,3}(?:,\d{3})+)\b", bare)):
        return Said(f"the number '{found[1]}' holds a comma", f"write {found[1].replace(',', '')}")
    if told.message.startswith("a text") and (
        found := re.search(r"(?<!%)\s([a-z]\w*)\s+(\"[^\"]*\")\s*\}\}", tag.text)
    ):
        return told._replace(hint=f"write {found[1]}({found[2]})")
    word = _QUOTED.search(told.message)
    if (
        word
        and word[1].isalpha()
        and (found := re.search(rf"(?<![\w.])(\d[\d.]*(?:[eE][-+]?\d+)?)\s+{re.escape(word[1])}(?:/\w+)?", bare))
    ):
        return told._replace(hint=f'a number with its unit stands in quotes: "{found[0]}"')
    return told


def _replaced(source: str, tag: Tag, instead: str | None, told: Said | None, claim: str = "") -> Slip:
    """Return the slip of a tag in whose place something else stands; the lines stay as they are."""
    if instead is None:
        return Slip(told, tag.start, None, tag.first)
    left = "\n" * (tag.text.count("\n") - instead.count("\n"))
    mended = source[: tag.start] + instead + left + source[tag.end :]
    return Slip(told, tag.start, mended, tag.first, tag.text, claim)


def _nested(source: str) -> list[Tag]:
    """Return the tags that are open where a claim opens within one that has no end; claims do not stand in claims."""
    claims = [tag for tag in tags(source) if tag.word == "claim"]
    if len(claims) <= sum(tag.word == "endclaim" for tag in tags(source)):
        return []
    for tag in claims:
        stack = open_tags(source, tag.start)
        last = max((n for n, one in enumerate(stack) if one.word == "claim"), default=None)
        if last is not None:
            return stack[: last + 1]
    return []


def _ends(source: str, tag: Tag, outer: Collection[str]) -> int:
    if tag.word not in _SHORT:
        return len(source)
    blank = re.compile(r"\s*?\n[ \t]*(?:\n|\Z)|\s*\Z").search(source, tag.end)
    end = blank.start() if blank else len(source)
    others = (one.start for one in tags(source) if one.start >= tag.end and one.word in (tag.word, *outer))
    return min(end, *others, end)


def _on(source: str, line: int) -> list[Tag]:
    """Return what stands on a line, also if it begins or ends on another."""
    return [tag for tag in tags(source) if line_of(source, tag.start) <= line <= line_of(source, tag.end)]


def _start(source: str, line: int) -> int:
    return len("".join(source.splitlines(keepends=True)[: line - 1]))


def _awaited(source: str, tag: Tag) -> bool:
    stack = open_tags(source, tag.start)
    return bool(stack) and tag.word == f"end{stack[-1].word}"


def _spot(tag: Tag, told: Said, fault: str) -> int:
    """Return where in a tag the word stands that a message quotes; where the tag begins if that is not one place."""
    if told.message.startswith(("something is missing before", "'}' stands")):
        return tag.end - 2
    if "behind a dot" in told.message:
        bare = TEXTS.sub(lambda text: "_" * len(text[0]), tag.text)
        return tag.start + next((dot.start() for dot in re.finditer(r"\.(?!\w)", bare)), 0)
    if re.match(r"a (?:number|text in quotes) stands", told.message):
        behind = re.search(r"(?<=[\w)\]])\s+(?=[\d\"'])", flat(tag.text))
        return tag.start + behind.end() if behind else tag.start
    if told.message == BEYOND:
        typed = re.finditer(r"(?<![\w.])\d[\d_]*(?:\.\d+)?(?:[eE]\+?\d+)?", tag.text)
        return tag.start + next((one.start() for one in typed if float(one[0]) > MOST), 0)
    if odd := re.search(r"unexpected char .* at (\d+)$", fault):
        return min(tag.start + int(odd[1]), tag.end - 1)
    if told.message.startswith("'=' compares") and (found := re.search(r"[^(]*?(?<![<>=!])=(?!=)", flat(tag.text))):
        return tag.start + found.end() - 1
    for word in _QUOTED.findall(told.message):
        if tag.text.count(word) == 1:
            return tag.start + tag.text.index(word)
    return tag.start


def _closed_later(source: str, stray: Tag, opener: Tag) -> bool:
    """Tell whether a tag that is open comes to its end if a stray one is left out."""
    rest = source[: stray.start] + " " * len(stray.text) + source[stray.end :]
    return opener.start not in [one.start for one in open_tags(rest)]
