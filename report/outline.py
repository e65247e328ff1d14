"""Which pages the site has, as content/site.yaml lists them, and where each of them stands.

    pages:
      - {folder: report, nav: Report, called: the report}
      - {folder: note, nav: Note, called: the note}

The text of a page stands in a folder of the content, in index.md. The first page is what a reader of the site meets
first; each other one stands in a folder of the same name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from report import yamlnodes
from report.errors import Problem, nearest
from report.keys import judged

TEXT = "index.md"
_KEYS = ("folder", "nav", "called")
_PAGE = "write {folder: note, nav: Note, called: the note}"
_NAME = re.compile(r"[a-z][a-z0-9-]*")
_TAKEN = frozenset({"assets", "data", "numbers", "catalogue"})  # folders of the site or of the content itself


@dataclass(frozen=True, slots=True)
class Entry:
    """A page in the outline: its folder in the content, its name in the navigation, what other pages call it.

    A page without a name in the navigation stands under the one in whose folder it is. text is the file of its prose,
    below the content folder.
    """

    folder: str
    nav: str
    called: str
    address: str
    text: str

    @property
    def name(self) -> str:
        """Return a word for the page that can stand in the name of a file."""
        return self.folder.replace("/", "-")

    @property
    def root(self) -> str:
        """Return the way from the page to the site's top."""
        return "../" * self.address.count("/")

    @property
    def numbers(self) -> str:
        """Return the address of the page that lists this page's numbers."""
        return f"numbers/{self.address}"


def read(node: yaml.Node, path: str, content: Path) -> tuple[tuple[Entry, ...], list[Problem]]:
    """Return the pages that the settings list, in order, and every mistake in the list."""
    if not isinstance(node, yaml.SequenceNode) or not node.value:
        return (), [yamlnodes.place(path, node).problem("'pages' is not a list of pages", "write - {folder: report}")]
    problems: list[Problem] = []
    found: list[Entry] = []
    for part in node.value:
        wrong = list(_faults(part, path, content, {entry.folder for entry in found}))
        problems += wrong
        if not wrong:
            texts = {key: str(value.value) for key, (_, value) in yamlnodes.entries(part).items()}
            folder = texts["folder"]
            address = f"{folder}/index.html" if found or problems else "index.html"
            found.append(Entry(folder, texts["nav"], texts["called"], address, f"{folder}/{TEXT}"))
    if not problems:
        problems += _unlisted(content, path, {entry.folder for entry in found})
    return tuple(found), problems


def _faults(node: yaml.Node, path: str, content: Path, before: set[str]) -> Iterator[Problem]:
    if not isinstance(node, yaml.MappingNode):
        yield yamlnodes.place(path, node).problem("a page is not a mapping", _PAGE)
        return
    parts = yamlnodes.entries(node)
    wrong = judged(parts, _KEYS, _KEYS)
    for key, hint in wrong.unknown.items():
        yield yamlnodes.place(path, parts[key][0]).problem(f"page: unknown key '{key}'", hint or _PAGE)
    for key in wrong.missing:
        yield yamlnodes.place(path, node).problem(f"a page has no '{key}'", _PAGE)
    for key, (_, value) in parts.items():
        if key in _KEYS and (not isinstance(value, yaml.ScalarNode) or not value.value):
            yield yamlnodes.place(path, value).problem(f"page: '{key}' is not a text")
    if "folder" in parts and isinstance(parts["folder"][1], yaml.ScalarNode):
        yield from _misplaced(parts["folder"][1], path, content, before)


def _misplaced(node: yaml.ScalarNode, path: str, content: Path, before: set[str]) -> Iterator[Problem]:
    folder, at = node.value, yamlnodes.place(path, node)
    known = sorted(file.parent.name for file in content.glob(f"*/{TEXT}"))
    if not _NAME.fullmatch(folder) or folder in _TAKEN:
        hint = nearest(folder.strip("/"), known) or "lower case, and none of the site's own"
        yield at.problem(f"'{folder}' can't be the folder of a page", hint)
    elif folder in before:
        yield at.problem(f"the page '{folder}' is listed twice")
    elif (content / folder).is_dir():
        yield from _textless(folder, at, content)
    else:
        yield at.problem(f"there is no {content.name}/{folder}/{TEXT}", nearest(folder, known))


def _textless(folder: str, at: yamlnodes.At, content: Path) -> Iterator[Problem]:
    """Yield what a folder lacks that is a page's: the file with its text."""
    text = f"{content.name}/{folder}/{TEXT}"
    if (content / folder / TEXT).is_dir():
        yield at.problem(f"{text} is a folder", "the text of a page is a file")
    elif not (content / folder / TEXT).is_file():
        others = sorted(file.name for file in (content / folder).glob("[!.#]*.md") if file.is_file())
        hint = f"was it renamed to '{others[0]}'?" if len(others) == 1 else "write it, or take the page out of 'pages'"
        yield at.problem(f"the folder '{folder}' has no {TEXT}, which is the text of its page", hint)


def _unlisted(content: Path, path: str, listed: set[str]) -> Iterator[Problem]:
    for file in sorted(content.glob(f"*/{TEXT}")):
        folder = file.parent.name
        if folder not in listed:
            place, hint = f"{content.name}/{folder}/{TEXT}", f"list it under 'pages' in {path}, or move it away"
            yield Problem(place, 0, 0, "no page of the site", hint)
