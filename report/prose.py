"""A page: its Markdown run through Jinja, its numbers, claims and formulas put in, and everything that is wrong named.

    page("content/report/index.md", root, setting) -> Page, problems

Leaves out: the frame around a page (report/site.py) and the script beside it (report/browser.py).
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from jinja2 import FileSystemLoader, TemplateError, TemplateNotFound, TemplateSyntaxError

from report import authoring, checks, claims, crossrefs, fill, markdown, presets
from report.asking import listening
from report.blocks import BlockTag
from report.desk import Desk, Html, Plain, Setting
from report.errors import BuildError, Problem, nearest
from report.missing import missing
from report.page import Claim, Number, Page, assemble, join
from report.preprocess import PageEnvironment, Preprocess, front_matter, unmark

__all__ = ["Claim", "Html", "Number", "Page", "Plain", "Setting", "page"]


def page(path: str, root: Path, setting: Setting) -> Page:
    """Return the page written in a file below root, and in the files that its front matter lists as sections.

    Raises BuildError with everything that is wrong with any of them.
    """
    found, problems = attempt(path, root, setting)
    pages = [found] if found else []
    for section in _sections(path, root, problems):
        first = max((number.n for page in pages for number in page.numbers), default=0)
        cited = pages[-1].citations if pages else ()
        found, more = attempt(section, root, setting, first, cited, whole=False)
        problems += more
        pages += [found] if found else []
    problems += tuple(_twice(pages))
    if not pages or problems:
        raise BuildError(problems)
    whole, lost = crossrefs.resolve(join(pages), pages)
    if lost:
        raise BuildError(lost)
    return whole


def attempt(
    path: str, root: Path, setting: Setting, first: int = 0, cited: Sequence[str] = (), *, whole: bool = True
) -> tuple[Page | None, tuple[Problem, ...]]:
    """Return the page of one file if it could be put together at all, and every problem found on the way.

    first and cited continue the numbers and citations of the files before it; a file that is not the whole page has
    no front matter of its own.
    """
    desk = Desk(path, setting, first, cited)
    source = (root / path).read_text(encoding="utf-8")
    meta = _meta(desk, source) if whole else {"title": "", "description": ""}
    with listening(desk.listen):
        text = _run(desk, root)
        if text is None:
            return None, tuple(sorted(set(desk.problems)))
        body, origin = unmark(text)
        read = markdown.render(body, origin)
        checks.check(desk, read, [*_front_blocks(meta), *_texts(desk)])
        html = fill.fill(desk, read.html)
        placed = [number for number in desk.numbers if number.where]
        for claim in desk.claims.values():
            claims.check(desk, claim)
        tallies = presets.check(desk, placed)
        found = assemble(desk, html, meta, read, placed, tallies) if not desk.problems else None
    return found, tuple(sorted(set(desk.problems)))


def _sections(path: str, root: Path, problems: tuple[Problem, ...]) -> list[str]:
    """Return the files that a page's front matter lists, as paths below root."""
    try:
        meta = yaml.safe_load(front_matter((root / path).read_text(encoding="utf-8"))) or {}
    except yaml.YAMLError:
        return []  # said already
    names = meta.get("sections", []) if isinstance(meta, dict) else []
    if not isinstance(names, list):
        raise BuildError([*problems, Problem(path, 1, 0, "'sections' is not a list of files")])
    folder = Path(path).parent
    known = sorted(file.name for file in (root / folder).glob("*.md"))
    left = [name for name in known if names and name not in (*names, Path(path).name)]
    hint = "list it in 'sections', or move it away"
    said = [Problem((folder / name).as_posix(), 0, 0, "no page takes this file up", hint) for name in left]
    lost = [str(name) for name in names if name not in known]
    said += [Problem(path, 1, 0, f"there is no section '{name}'", nearest(name, known)) for name in lost]
    if said:
        raise BuildError([*problems, *said])
    return [(folder / name).as_posix() for name in names]


def _twice(pages: Sequence[Page]) -> Iterator[Problem]:
    """Yield a problem for each claim or heading whose name another file of the page has taken."""
    claimed: dict[str, str] = {}
    headed: dict[str, str] = {}
    for part in pages:
        for claim in part.claims:
            if claimed.setdefault(claim.name, part.path) != part.path:
                yield Problem(part.path, claim.line, 0, f"claim '{claim.name}' stands in {claimed[claim.name]} too")
        for name, _, _ in part.headings:
            if headed.setdefault(name, part.path) != part.path:
                yield Problem(part.path, 0, 0, f"the heading {{#{name}}} stands in {headed[name]} too")


def environment(desk: Desk, root: Path) -> PageEnvironment:
    """Return the Jinja environment of one page: strict, without globals or filters that are not the page's own."""
    env = PageEnvironment(
        loader=FileSystemLoader(root, encoding="utf-8"),
        autoescape=True,
        keep_trailing_newline=True,
        comment_start_string="{%#",
        comment_end_string="#%}",
        finalize=authoring.finalize(desk),
        extensions=[Preprocess, claims.ClaimTag, crossrefs.NoteTag, BlockTag],
        cache_size=0,
    )
    env.desk = desk
    env.globals.clear()
    env.globals.update(authoring.names(desk))
    env.filters.clear()
    env.filters.update(authoring.filters(desk))
    env.undefined = missing(desk, env.globals)
    return env


def _run(desk: Desk, root: Path) -> str | None:
    """Return the rendered template, or None where Jinja could not read it."""
    env = environment(desk, root)
    try:
        return env.get_template(desk.path).render()
    except TemplateSyntaxError as error:
        message = re.sub(r"\s+", " ", error.message or "the template cannot be read")
        known = re.search(r"No (filter|test) named '(\w+)'", message)
        hint = nearest(known[2], env.filters if known[1] == "filter" else env.tests) if known else ""
        desk.fail(message.rstrip("."), hint, error.lineno, error.name or desk.path)
    except TemplateNotFound as error:
        desk.fail(f"there is no file '{error.name}'", "", *_where(error, root))
    except TemplateError as error:
        desk.fail(str(error.message), "", *_where(error, root))
    except (TypeError, ArithmeticError) as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        if not last.filename.endswith(".md"):
            raise  # a fault of ours, not of the page's own expression
        desk.fail(str(error), "", *_where(error, root))
    return None


def _where(error: Exception, root: Path) -> tuple[int, str]:
    """Return line and file of the template in which an error arose; Jinja puts them into its traceback."""
    frames = reversed(traceback.extract_tb(error.__traceback__))
    frame = next((frame for frame in frames if frame.filename.endswith(".md")), None)
    return (frame.lineno or 0, Path(frame.filename).relative_to(root).as_posix()) if frame else (0, "")


def _meta(desk: Desk, source: str) -> dict[str, Any]:
    """Return the front matter of a page; title and description are wanted."""
    try:
        found = yaml.safe_load(front_matter(source)) or {}
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        desk.fail(f"front matter: {getattr(error, 'problem', error)}", line=mark.line + 2 if mark else 1)
        return {}
    if not isinstance(found, dict):
        desk.fail("front matter is not a mapping", "write title: ... and description: ...", 1)
        return {}
    for key in ("title", "description"):
        if not isinstance(found.get(key), str):
            desk.fail(f"the page has no {key}", f"write '{key}: ...' between lines of --- at the top", 1)
    return found


def _texts(desk: Desk) -> list[markdown.Block]:
    """Return the captions and titles that the page hands to other parts."""
    return [markdown.Block(text, "caption", (line,)) for line, text in desk.texts]


def _front_blocks(meta: Mapping[str, Any]) -> list[markdown.Block]:
    return [markdown.Block(str(meta[key]), "front", (1,)) for key in ("title", "description") if key in meta]
