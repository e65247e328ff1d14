"""A page: its Markdown run through Jinja, its numbers, claims and formulas put in, and everything that is wrong named.

    pages([Wanted("content/report/index.md", "index.html", "the report", setting)], root) -> (Page,)

Leaves out: the frame around a page (report/site.py) and the script beside it (report/browser.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from report import crossrefs, doubles, front, memory
from report.desk import Html, Plain, Setting
from report.draft import Draft, attempt, drafted, reader
from report.errors import BuildError, Problem
from report.front import Read
from report.page import Page, Sketch, join, joined

__all__ = [
    "Drafts",
    "Html",
    "Page",
    "Plain",
    "Setting",
    "Wanted",
    "attempt",
    "drafts",
    "page",
    "pages",
    "reader",
]


Resolved = tuple[Page, tuple[Problem, ...]]


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
    return drafts(wanted, root).pages()


@dataclass(frozen=True)
class Drafts:
    """The files of all pages, each as far as it could be put together, and every mistake in them."""

    wanted: Sequence[Wanted]
    files: Sequence[Sequence[Draft]]
    problems: Sequence[Problem]
    read: Read  # a file as its author wrote it

    @property
    def sketches(self) -> list[list[Sketch]]:
        """Return what is known of the files of each page, whatever is wrong with them."""
        return [[draft.sketch for draft in parts] for parts in self.files]

    def pages(self) -> tuple[Page, ...]:
        """Return the pages, with their references put in; raise BuildError with all mistakes."""
        if self.problems:
            raise BuildError(self.told())
        made = [[draft.page for draft in parts if draft.page] for parts in self.files]
        whole = [replace(join(parts), address=one.address) for one, parts in zip(self.wanted, made, strict=True)]
        known = self._known([page.sketch for page in whole])
        done = [_resolved(page, parts, known, self.read) for page, parts in zip(whole, made, strict=True)]
        if lost := [problem for _, wrong in done for problem in wrong]:
            raise BuildError(lost)
        return tuple(page for page, _ in done)

    def told(self) -> list[Problem]:
        """Return every mistake in the files, and what in them points nowhere."""
        return [*self.problems, *self._lost()]

    def _known(self, whole: Sequence[Sketch]) -> dict[str, crossrefs.Place]:
        return {one.address: crossrefs.place(one.called, page) for one, page in zip(self.wanted, whole, strict=True)}

    def _lost(self) -> Iterator[Problem]:
        """Yield what points nowhere in texts some of which have mistakes."""
        known = self._known([joined(parts) for parts in self.sketches])
        for one, parts in zip(self.wanted, self.sketches, strict=True):
            yield from crossrefs.lost(parts, one.address, known, self.read)


def drafts(wanted: Sequence[Wanted], root: Path) -> Drafts:
    """Return the files of all pages as far as they could be put together."""
    files: list[list[Draft]] = []
    problems: list[Problem] = []
    for one in wanted:
        parts, wrong = _files(one, root, _last(draft for parts in files for draft in parts))
        files.append(parts)
        problems += [*wrong, *(problem for draft in parts for problem in draft.problems)]
    read = reader(root, {}, strict=False)
    problems += doubles.of_site([draft.sketch for parts in files for draft in parts])
    return Drafts(wanted, files, problems, read)


def _last(drafts: Iterable[Draft], before: int = 0) -> int:
    """Return the number of the last number on some files."""
    return max((draft.sketch.last for draft in drafts), default=before) or before


def _resolved(page: Page, parts: Sequence[Page], known: Mapping[str, crossrefs.Place], read: Read) -> Resolved:
    """Return a page with its references put in; the very same one as long as its parts and their targets are."""
    asked = {ref.name for part in parts for ref in part.refs}
    near = tuple(
        (address, place.called, tuple(target for target in place.targets if target.name in asked))
        for address, place in known.items()
    )
    key = (page.address, tuple(map(memory.Same, parts)), near)
    return memory.recalled("page", key, lambda: crossrefs.resolve(page, parts, known, read), page.address)


def _files(wanted: Wanted, root: Path, first: int) -> tuple[list[Draft], list[Problem]]:
    """Return what the files of a page come to, before its references have numbers, and which of them are not there."""
    found = [drafted(wanted.path, root, wanted.setting, first)]
    sections, problems, unread = front.sections(wanted.path, reader(root, wanted.setting.texts), root)
    if unread:
        sketch = found[0].sketch
        found[0] = replace(found[0], sketch=replace(sketch, unread=f"{sketch.unread}\n{unread}"))
    for section in sections:
        last, cited = _last(found, first), found[-1].sketch.cited
        found.append(drafted(section, root, wanted.setting, last, cited, whole=False))
    return found, problems
