"""A text's Jinja template: read, put right for the time being where it is wrong, and run.

Leaves out: what the names and tags of a text do (report/authoring.py, claims.py, blocks.py), and what its mistakes are
called (report/mending.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import Match, SequenceMatcher
from functools import partial
from pathlib import Path

from jinja2 import FunctionLoader, Template, TemplateSyntaxError
from jinja2.bccache import Bucket, BytecodeCache

from report import authoring, claims, crossrefs, memory, spots
from report.blocks import BlockTag
from report.branches import BROKEN
from report.conditions import BAD
from report.constructs import counted
from report.desk import Desk
from report.environment import PageEnvironment
from report.errors import UNTAGGED, Near, Problem, Tag
from report.front import Read
from report.lead import LeadTag
from report.lines import column_of, line_and_column
from report.mending import Mender
from report.missing import missing
from report.preprocess import Preprocess
from report.tags import tags

_INCLUDE = re.compile(r"\{%[-+]?\s*include\b")
_INCLUDED = re.compile(r"""\{%[-+]?\s*include\s+(["'])([^"'\n]+)\1\s*[-+]?%\}""")
_BOUND = re.compile(r"\{%[-+]?\s*(?:set|for)\s+(\w+)")
_WORD = re.compile(r"[\w.-]+|\S?")
_TESTS = ("defined", "undefined", "none", "string", "number")  # of Jinja's own, those that take any value
_MOST = 100  # mistakes of grammar that are told of one text


class _Codes(BytecodeCache):
    """What templates were translated to, remembered by their text; not where the text had a mistake to note."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.noted = desk, 0

    def load_bytecode(self, bucket: Bucket) -> None:
        self.noted = len(self.desk.problems)
        checksum, code = memory.last("code", bucket.key) or ("", None)
        bucket.code = code if checksum == bucket.checksum else None

    def dump_bytecode(self, bucket: Bucket) -> None:
        if len(self.desk.problems) == self.noted:
            memory.keep("code", bucket.key, (bucket.checksum, bucket.code))


def run(desk: Desk, root: Path, read: Read) -> str | None:
    """Return the text of a desk as its template prints it, None where it is not known how; notes what is wrong."""
    template = opened(desk, root, read)
    return None if template is None else template.render()


def opened(desk: Desk, root: Path, read: Read) -> Template | None:
    """Return the template of a desk's text, put right where it can't be read; None where it is not known how."""
    mended: dict[str, str] = {}

    def now(name: str) -> str | None:
        return mended[name] if name in mended else read(name)

    env = _environment(desk, root, now)
    desk.tag = lambda path, code: _tag(code, now(path) or "", read(path) or "")
    desk.own = lambda: _BOUND.findall(read(desk.path) or "")
    found: dict[str, Template | None] = {}

    def get(path: str, *above: str) -> None:
        for name in _included(desk, now, mended, path, *above):
            if name not in found:
                get(name, path, *above)
        found[path] = _got(env, path, now, mended)

    get(desk.path)
    return None if None in found.values() else found[desk.path]


def _tag(code: int, source: str, written: str) -> Tag:
    """Return the tag of a text as its author wrote it that a number means in the text put right (report/spots.py)."""
    tag = counted(source, spots.tag(code)) if spots.tag(code) else None
    if tag is None or not tag.line <= spots.line(code) <= tag.line + tag.text.count("\n"):
        return UNTAGGED
    start = sum(map(len, source.splitlines(keepends=True)[: tag.line - 1])) + tag.column - 1
    at = _as_written(start, source, written)
    then = written[at : at + len(tag.text)]
    same = len(then) == len(tag.text) and all(a in (b, "_") for a, b in zip(tag.text, then, strict=True))
    return tag._replace(column=column_of(written, at), text=then) if same else UNTAGGED  # _: an unknown filter's name


def _included(desk: Desk, read: Read, mended: dict[str, str], path: str, *above: str) -> list[str]:
    """Return the files that a text takes in; notes what can't be taken in, and leaves it out."""
    source = read(path) or ""
    if not _INCLUDE.search(source):
        return []
    known = []
    for tag in reversed([tag for tag in tags(source) if tag.word == "include"]):
        named = _INCLUDED.fullmatch(tag.text)
        if named and named[2] not in (path, *above) and read(named[2]) is not None:
            known.append(named[2])
            continue
        place = line_and_column(source, tag.start)
        desk.problems.append(Problem(path, *place, *_no_part(named and named[2], read), near=Near.whole(tag.first)))
        mended[path] = source = source[: tag.start] + "\n" * tag.text.count("\n") + source[tag.end :]
    return known


def _no_part(name: str | None, read: Read) -> tuple[str, str]:
    """Return why a text takes in no file of a name, and what helps."""
    if name is None:
        return "an include names one file", 'write {% include "content/part.md" %}'
    if read(name) is None:
        return f"there is no file '{name}'", ""
    return "the text takes itself in", "an include leads back to it"


def _got(env: PageEnvironment, path: str, read: Read, mended: dict[str, str]) -> Template | None:
    """Return a template, put right where Jinja can't read it; notes each mistake."""
    mender = Mender(env.tags(), {*env.filters, *env.tests}, partial(_fault, env))
    written = read(path) or ""
    for _ in range(_MOST):
        before = len(env.desk.problems)
        try:
            return env.get_template(path)
        except TemplateSyntaxError as error:
            source, error.lineno = read(path) or "", spots.line(error.lineno)
            slip = mender.slip(error, source)
            if slip.torn:  # a dollar sign in it, or between it and the next tag, was read as what it is not
                del env.desk.problems[before:]
                _preprocess(env).forget(path)
            if slip.said:
                at = _as_written(slip.at, source, written)
                place = line_and_column(written, at)
                # A text that is made has other columns than the file that it was made of: there the words tell.
                about = slip.about or (_WORD.match(written, at) or [""])[0] * (path in env.desk.setting.texts)
                env.desk.problems.append(Problem(path, *place, *slip.said, near=Near.whole(about)))
            if slip.anything:
                env.filters[slip.anything] = authoring.anything(env.desk)
            env.desk.mended.add(slip.claim)
            env.desk.unread.append(slip.lost)
            if slip.mended is None:
                return None
            mended[path] = slip.mended
    return None


def _preprocess(env: PageEnvironment) -> Preprocess:
    found = env.extensions[Preprocess.identifier]
    assert isinstance(found, Preprocess)
    return found


def _as_written(at: int, source: str, written: str) -> int:
    """Return the place in a text as its author wrote it of a place in the text put right; their lines are the same."""
    line, column = line_and_column(source, at)
    column -= 1
    now, then = source.split("\n")[line - 1], written.split("\n")[line - 1]
    if now != then:
        blocks = SequenceMatcher(None, now, then, autojunk=False).get_matching_blocks()
        before = [block for block in blocks if block.size and block.a <= column] or [Match(0, 0, 0)]
        column = before[-1].b + min(column - before[-1].a, max(before[-1].size - 1, 0))
    return len("\n".join(written.split("\n")[: line - 1])) + (line > 1) + column


def _fault(env: PageEnvironment, text: str) -> str | None:
    """Return what Jinja says of a text, nothing where it can read it."""
    try:
        env.compile(text)
    except TemplateSyntaxError as error:
        return error.message or "it can't be read"
    return None


def _environment(desk: Desk, root: Path, read: Read) -> PageEnvironment:
    """Return the Jinja environment of one page: strict, without globals or filters that are not the page's own."""

    def load(name: str) -> tuple[str, str, Callable[[], bool]] | None:
        text = read(name)
        return None if text is None else (text, str(root / name), lambda: True)

    env = PageEnvironment(
        loader=FunctionLoader(load),
        autoescape=True,
        keep_trailing_newline=True,
        comment_start_string="{%#",
        comment_end_string="#%}",
        finalize=authoring.finalize(desk),
        extensions=[Preprocess, claims.ClaimTag, crossrefs.NoteTag, BlockTag, LeadTag],
        bytecode_cache=_Codes(desk) if memory.active() else None,
        cache_size=0,
        optimized=False,  # a text is run once: folding its constants beforehand costs more than it saves
    )
    env.desk = desk
    env.taken, env.numbers = {}, {}
    env.globals.clear()
    env.globals.update(authoring.names(desk))
    env.globals[BROKEN] = BAD
    env.filters.clear()
    env.filters.update(authoring.filters(desk))
    env.tests = {name: test for name, test in env.tests.items() if name in _TESTS}
    env.undefined = missing(desk, env.globals)
    return env
