"""A page: its Markdown run through Jinja, its numbers, claims and formulas put in, and everything that is wrong named.

    pages([Wanted("content/report/index.md", "index.html", "the report", setting)], root) -> (Page,)

Leaves out: the frame around a page (report/site.py) and the script beside it (report/browser.py).
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jinja2 import FunctionLoader, TemplateError, TemplateNotFound, TemplateSyntaxError
from jinja2.bccache import Bucket, BytecodeCache

from report import authoring, checks, claims, crossrefs, fill, front, grammar, markdown, memory, presets
from report.asking import listening
from report.blocks import BlockTag
from report.desk import Desk, Html, Plain, Setting
from report.errors import BuildError, Problem, not_utf8
from report.front import Read
from report.missing import missing
from report.page import Claim, Number, Page, assemble, join
from report.preprocess import PageEnvironment, Preprocess, unmark

__all__ = ["Claim", "Html", "Number", "Page", "Plain", "Setting", "Wanted", "page", "pages"]


Resolved = tuple[Page, tuple[Problem, ...]]
_SOURCES = (".md", ".yaml")  # what templates are written in: a fault in any other file is ours


@dataclass(frozen=True)
class Wanted:
    """A page to be made: the file of its text, where it will stand, what other pages call it, what it may use."""

    path: str
    address: str
    called: str
    setting: Setting


def page(path: str, root: Path, setting: Setting) -> Page:
    """Return the only page of a site."""
    (made,) = pages([Wanted(path, "index.html", "", setting)], root)
    return made


def pages(wanted: Sequence[Wanted], root: Path) -> tuple[Page, ...]:
    """Return the pages written in files below root, and in the files that their front matter lists as sections.

    Numbers are counted on from page to page, citations begin anew. Raises BuildError with everything that is wrong
    with any of them.
    """
    drafts: list[list[Page]] = []
    problems: list[Problem] = []
    for one in wanted:
        first = max((number.n for parts in drafts for part in parts for number in part.numbers), default=0)
        parts, wrong = _draft(one, root, first)
        drafts.append(parts)
        problems += wrong
    texts = {path: text for one in wanted for path, text in one.setting.texts.items()}
    problems += _twice(drafts, reader(root, texts))
    if problems:
        raise BuildError(problems)
    whole = [replace(join(parts), address=one.address) for one, parts in zip(wanted, drafts, strict=True)]
    known = {
        one.address: crossrefs.Place(one.called, tuple(crossrefs.targets(page)))
        for one, page in zip(wanted, whole, strict=True)
    }
    done = [_resolved(page, parts, known) for page, parts in zip(whole, drafts, strict=True)]
    if lost := [problem for _, wrong in done for problem in wrong]:
        raise BuildError(lost)
    return tuple(page for page, _ in done)


def _resolved(page: Page, parts: Sequence[Page], known: Mapping[str, crossrefs.Place]) -> Resolved:
    """Return a page with its references put in; the very same one as long as its parts and their targets are."""
    asked = {ref.name for part in parts for ref in part.refs}
    near = tuple(
        (address, place.called, tuple(target for target in place.targets if target.name in asked))
        for address, place in known.items()
    )
    key = (page.address, tuple(map(memory.Same, parts)), near)
    return memory.recalled("page", key, lambda: crossrefs.resolve(page, parts, known), page.address)


def _draft(wanted: Wanted, root: Path, first: int) -> tuple[list[Page], list[Problem]]:
    """Return what the files of a page come to, before its references have numbers, and every mistake in them."""
    found, wrong = _remembered(wanted.path, root, wanted.setting, first)
    parts, problems = [found] if found else [], list(wrong)
    try:
        sections = front.sections(wanted.path, reader(root, wanted.setting.texts), root)
    except BuildError as error:
        return parts, [*problems, *error.problems]
    for section in sections:
        first = max((number.n for part in parts for number in part.numbers), default=first)
        cited = parts[-1].citations if parts else ()
        found, wrong = _remembered(section, root, wanted.setting, first, cited, whole=False)
        problems += wrong
        parts += [found] if found else []
    return parts, problems


def attempt(  # noqa: PLR0913  # what a file is read with, and what went before it
    path: str,
    root: Path,
    setting: Setting,
    first: int = 0,
    cited: Sequence[str] = (),
    *,
    whole: bool = True,
    read: Read | None = None,
) -> tuple[Page | None, tuple[Problem, ...]]:
    """Return the page of one file if it could be put together at all, and every problem found on the way.

    first and cited continue the numbers and citations of the files before it; a file that is not the whole page has
    no front matter of its own.
    """
    desk = Desk(path, setting, first, cited)
    read = read or reader(root, setting.texts)
    source = read(path)
    assert source is not None, f"there is no {path}"
    meta = front.meta(desk, source) if whole else {"title": "", "description": ""}
    with listening(desk.listen):
        text = _run(desk, root, read)
        if text is None:
            return None, tuple(sorted(set(desk.problems)))
        body, origin = unmark(text)
        text_read = markdown.render(body, origin)
        checks.check(desk, text_read, [*front.blocks(meta), *_texts(desk)])
        html = fill.fill(desk, text_read.html)
        placed = [number for number in desk.numbers if number.where]
        for claim in desk.claims.values():
            claims.check(desk, claim)
        tallies = presets.check(desk, placed)
        found = assemble(desk, html, meta, text_read, placed, tallies) if not desk.problems else None
    return found, tuple(sorted(set(desk.problems)))


@dataclass(frozen=True)
class _Draft:
    """What a file came to, with all texts that were read for it, and the parts that it placed."""

    found: tuple[Page | None, tuple[Problem, ...]]
    read: Mapping[str, str | None]
    placed: tuple[Any, ...]


def _remembered(
    path: str, root: Path, setting: Setting, first: int, cited: Sequence[str] = (), *, whole: bool = True
) -> tuple[Page | None, tuple[Problem, ...]]:
    """Return what `attempt` does, or did when all was as it is now."""
    read, parts = reader(root, setting.texts), setting.parts
    before = tuple((one.kind, one.name) for one in parts.placed) if parts else ()

    def make() -> _Draft:
        seen: dict[str, str | None] = {}

        def noted(name: str) -> str | None:
            return seen.setdefault(name, read(name))

        found = attempt(path, root, setting, first, cited, whole=whole, read=noted)
        return _Draft(found, seen, tuple(parts.placed[len(before) :]) if parts else ())

    def holds(draft: _Draft) -> bool:
        unread = all(read(name) == text for name, text in draft.read.items())
        return unread and (parts is None or parts.again(draft.placed))

    shared = (setting.world, setting.catalogue, setting.vocabulary, setting.references, setting.presets, setting.extras)
    key = (path, str(root), read(path), first, tuple(cited), whole, before, *map(memory.Same, shared))
    return memory.recalled("text", key, make, path, holds).found


def reader(root: Path, texts: Mapping[str, str]) -> Read:
    """Return what reads a text by its path below root: one that was made, or a file; None where there is none."""

    def read(path: str) -> str | None:
        if path in texts:
            return texts[path]
        file = root / path
        return _text(file, path) if file.is_file() else None

    return read


def _text(file: Path, path: str) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")  # some editors put a mark before the first letter
    except UnicodeDecodeError as error:
        raise BuildError([not_utf8(error, path)]) from None


def _twice(drafts: Sequence[Sequence[Page]], read: Read) -> Iterator[Problem]:
    """Yield a problem for each claim of the site, and each heading of a page, whose name another file has taken."""
    claimed: dict[str, str] = {}
    for parts in drafts:
        headed: dict[str, str] = {}
        for part in parts:
            for claim in part.claims:
                if claimed.setdefault(claim.name, part.path) != part.path:
                    yield Problem(part.path, claim.line, 0, f"claim '{claim.name}' stands in {claimed[claim.name]} too")
            for name, _, _ in part.headings:
                if headed.setdefault(name, part.path) != part.path:
                    at = front.line_of(read(part.path), f"{{#{name}}}")
                    yield Problem(part.path, at, 0, f"the heading {{#{name}}} stands in {headed[name]} too")


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


def environment(desk: Desk, root: Path, read: Read) -> PageEnvironment:
    """Return the Jinja environment of one page: strict, without globals or filters that are not the page's own."""

    def load(name: str) -> tuple[str, str, Callable[[], bool]] | None:
        # The file's name is what a traceback gives back (_where).
        text = read(name)
        return None if text is None else (text, str(root / name), lambda: True)

    env = PageEnvironment(
        loader=FunctionLoader(load),
        autoescape=True,
        keep_trailing_newline=True,
        comment_start_string="{%#",
        comment_end_string="#%}",
        finalize=authoring.finalize(desk),
        extensions=[Preprocess, claims.ClaimTag, crossrefs.NoteTag, BlockTag],
        bytecode_cache=_Codes(desk) if memory.active() else None,
        cache_size=0,
        optimized=False,  # a text is run once: folding its constants beforehand costs more than it saves
    )
    env.desk = desk
    env.globals.clear()
    env.globals.update(authoring.names(desk))
    env.filters.clear()
    env.filters.update(authoring.filters(desk))
    env.undefined = missing(desk, env.globals)
    return env


def _run(desk: Desk, root: Path, read: Read) -> str | None:
    """Return the rendered template, or None where Jinja could not read it."""
    env = environment(desk, root, read)
    try:
        return env.get_template(desk.path).render()
    except TemplateSyntaxError as error:
        desk.fail(*_said(error, env, root))
    except TemplateNotFound as error:
        desk.fail(f"there is no file '{error.name}'", "", *_where(error, root))
    except TemplateError as error:
        desk.fail(str(error.message), "", *_where(error, root))
    except (TypeError, ArithmeticError) as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        if not last.filename.endswith(_SOURCES):
            raise  # a fault of ours, not of the page's own expression
        desk.fail(str(error), "", *_where(error, root))
    return None


def _said(error: TemplateSyntaxError, env: PageEnvironment, root: Path) -> tuple[str, str, int, str]:
    """Return what is wrong with a template's grammar, a hint, line and file."""
    path = error.name or env.desk.path
    # Of a comment that is not closed Jinja names the whole path.
    path = Path(path).relative_to(root).as_posix() if Path(path).is_absolute() else path
    assert env.loader is not None
    words = env.tests if "No test" in (error.message or "") else env.filters
    told = grammar.said(error, env.loader.get_source(env, path)[0], env.tags(), words)
    return told.message, told.hint, told.line or error.lineno, path


def _where(error: Exception, root: Path) -> tuple[int, str]:
    """Return line and file of the template in which an error arose; Jinja puts them into its traceback."""
    frames = reversed(traceback.extract_tb(error.__traceback__))
    frame = next((frame for frame in frames if frame.filename.endswith(_SOURCES)), None)
    return (frame.lineno or 0, Path(frame.filename).relative_to(root).as_posix()) if frame else (0, "")


def _texts(desk: Desk) -> list[markdown.Block]:
    """Return the captions and titles that the page hands to other parts."""
    return [markdown.Block(text, "caption", (line,)) for line, text in desk.texts]
