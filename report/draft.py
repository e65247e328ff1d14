"""One file of prose as far as it could be put together, with everything that is wrong in it.

    drafted("content/report/pole.md", root, setting, first=12, cited=["pope2026"], whole=False) -> Draft

A file with mistakes makes no page, but what it holds is known: others may point at it, and it at them. Leaves out: what
files make together (report/prose.py).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from report import checks, claims, fill, front, markdown, memory, presets, template
from report.asking import listening
from report.desk import Desk, Setting
from report.errors import BuildError, Problem, as_text, not_utf8
from report.front import Read
from report.marks import unmark, untaken
from report.page import Page, Sketch, assemble, sketch

_BINARY = re.compile(r"[\x00-\x08\x0e-\x1f]")  # no prose in any encoding
_ZEROS = 0.3  # share of zero bytes in what another encoding wrote


@dataclass(frozen=True)
class Draft:
    """What a file came to: its page if nothing is wrong with it, every mistake, and what is known of it in any case."""

    page: Page | None
    problems: tuple[Problem, ...]
    sketch: Sketch


def attempt(  # noqa: PLR0913  # what a file is read with, and what went before it
    path: str,
    root: Path,
    setting: Setting,
    first: int = 0,
    cited: Sequence[str] = (),
    *,
    whole: bool = True,
    read: Read | None = None,
) -> Draft:
    """Return what one file comes to, and every problem found on the way.

    first and cited continue the numbers and citations of the files before it; a file that is not the whole page has
    no front matter of its own.
    """
    desk = Desk(path, setting, first, cited)
    read = read or reader(root, setting.texts)
    source = read(path)
    assert source is not None, f"there is no {path}"
    meta = front.meta(desk, source) if whole else {"title": "", "description": ""}
    with listening(desk.listen):
        text = template.run(desk, root, read)
        if text is None:
            return Draft(None, _told(desk), Sketch(path, unread=source, last=first, cited=tuple(cited)))
        if not setting.blind:
            desk.problems += [wrong for one in desk.typed if (wrong := one.problem(desk.given, source))]
        body, origin = unmark(text)
        text_read = markdown.render(body, origin)
        checks.check(desk, text_read, [*front.blocks(meta), *_texts(desk)])
        desk.problems += _untaken(desk, text)
        html = fill.fill(desk, text_read.html)
        placed = [number for number in desk.numbers if number.where]
        if setting.blind:
            return Draft(None, _told(desk), sketch(desk, html, text_read))
        for claim in desk.claims.values():
            claims.check(desk, claim)
        tallies = presets.check(desk, placed)
        if desk.problems or setting.partial:
            return Draft(None, _told(desk), sketch(desk, html, text_read))
        page = assemble(desk, html, meta, text_read, placed, tallies)
    return Draft(page, (), page.sketch)


def _untaken(desk: Desk, text: str) -> list[Problem]:
    """Return what is wrong with the words of branches that are not taken, and with no others."""
    found: list[Problem] = []
    for body, origin in map(unmark, untaken(text, desk.asides)):
        told = {one.message for one in desk.problems if one.line in range(min(origin), max(origin) + 1)}
        wrong = checks.words(desk, markdown.render(body, origin))
        found += [one for one in wrong if one.message not in told]
    return found


def _told(desk: Desk) -> tuple[Problem, ...]:
    return tuple(sorted(set(desk.problems)))


@dataclass(frozen=True)
class _Made:
    """What a file came to, with all texts that were read for it, and the parts that it placed."""

    draft: Draft
    read: Mapping[str, str | None]
    placed: tuple[Any, ...]


def drafted(
    path: str, root: Path, setting: Setting, first: int, cited: Sequence[str] = (), *, whole: bool = True
) -> Draft:
    """Return what `attempt` does, or did when all was as it is now; a file that is no text holds what can be read."""
    try:
        return _remembered(path, root, setting, first, cited, whole=whole)
    except BuildError as error:
        return _guessed(error, path, root, setting, first, cited, whole=whole)


def _guessed(  # noqa: PLR0913  # what drafted is given
    error: BuildError, path: str, root: Path, setting: Setting, first: int, cited: Sequence[str], *, whole: bool
) -> Draft:
    """Return what a file comes to with what can be read of texts that are none, told with why they are none."""
    read = reader(root, setting.texts, strict=False)
    source = read(path) or ""
    blank = Draft(None, (), Sketch(path, last=first, cited=tuple(cited)))
    found = blank if _BINARY.search(source) else attempt(path, root, setting, first, cited, whole=whole, read=read)
    return Draft(None, (*error.problems, *found.problems), replace(found.sketch, unread=source))


def _remembered(
    path: str, root: Path, setting: Setting, first: int, cited: Sequence[str] = (), *, whole: bool = True
) -> Draft:
    read, parts = reader(root, setting.texts), setting.parts
    before = tuple((one.kind, one.name) for one in parts.placed) if parts else ()

    def make() -> _Made:
        seen: dict[str, str | None] = {}

        def noted(name: str) -> str | None:
            return seen.setdefault(name, read(name))

        found = attempt(path, root, setting, first, cited, whole=whole, read=noted)
        return _Made(found, seen, tuple(parts.placed[len(before) :]) if parts else ())

    def holds(made: _Made) -> bool:
        unread = all(read(name) == text for name, text in made.read.items())
        return unread and (parts is None or parts.again(made.placed))

    shared = (setting.world, setting.catalogue, setting.vocabulary, setting.references, setting.presets, setting.extras)
    key = (path, str(root), read(path), first, tuple(cited), whole, before, *map(memory.Same, shared))
    return memory.recalled("text", key, make, path, holds).draft


def reader(root: Path, texts: Mapping[str, str], *, strict: bool = True) -> Read:
    """Return what reads a text by its path below root: one that was made, or a file; None where there is none.

    A file that is no text raises BuildError, or gives what can be read of it.
    """

    def read(path: str) -> str | None:
        if path in texts:
            return texts[path]
        file = root / path
        return _text(file, path, strict) if file.is_file() else None

    return read


def _text(file: Path, path: str, strict: bool) -> str:
    try:
        text = file.read_text(encoding="utf-8-sig")  # some editors put a mark before the first letter
        if text.count("\0") <= _ZEROS * len(text):
            return text
        problem = Problem(path, 1, 1, "not a text file: it is full of zeros", "save it as UTF-8, not as UTF-16")
    except UnicodeDecodeError as error:
        problem = not_utf8(error, path)
    if strict:
        raise BuildError([problem])
    return re.sub("\r\n?", "\n", as_text(file.read_bytes()))


def _texts(desk: Desk) -> list[markdown.Block]:
    """Return the captions and titles that the page hands to other parts."""
    return [markdown.Block(text, "caption", (line,)) for line, text in desk.texts]
