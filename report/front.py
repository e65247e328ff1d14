"""The front matter of a text: its title, what it is about, and the files that go on with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from report import markdown, yamlnodes, yamlwords
from report.desk import Desk
from report.errors import BuildError, Near, Problem, nearest
from report.keys import judged
from report.preprocess import front_matter

Read: TypeAlias = Callable[[str], str | None]  # a text by its path; None where there is none
_TEXTS = ("title", "description")
_KEYS = (*_TEXTS, "lead", "sections")


def meta(desk: Desk, source: str) -> dict[str, Any]:
    """Return the front matter of a page; title and description are wanted."""
    held, above = front_matter(source)
    try:
        found = yaml.safe_load(held) or {}
    except yaml.YAMLError as error:
        desk.problems.append(_unread(desk.path, held, above, error))
        return {}
    if not isinstance(found, dict):
        desk.fail(
            "front matter is not a mapping",
            "write title: ... and description: ...",
            above + 1,
            near=Near.whole(held.partition("\n")[0]),
        )
        return {}
    for key in _twice(held):
        at = _at(held, key, last=True) + above
        desk.fail(f"front matter: the key '{key}' stands twice", "delete one of them", at, near=Near.whole(key))
    given = [str(key) for key in found]
    keys = judged(given, _KEYS if desk.path.endswith(".md") else (*_KEYS, *given), _TEXTS)  # others are no text alone
    for key, meant in keys.unknown.items():
        hint = meant or f"the keys are {', '.join(_KEYS)}"
        desk.fail(f"front matter: unknown key '{key}'", hint, _at(held, key) + above, near=Near.whole(key))
    for key in keys.missing:
        hint = f"write '{key}: ...' between lines of --- at the top"
        desk.problems.append(Problem(desk.path, 1, 1, f"the page has no {key}", hint))
    for key in (one for one in _TEXTS if one in found):
        _texted(desk, key, found[key], _at(held, key) + above)
    return found


def _unread(path: str, held: str, above: int, error: yaml.YAMLError) -> Problem:
    """Return what is wrong with front matter that is no YAML; above is how many lines stand before it."""
    if not isinstance(error, yaml.MarkedYAMLError):
        found = yamlwords.CONTROL.search(held)
        at = found.start() if found else 0
        line, column = held.count("\n", 0, at) + 1, at - held.rfind("\n", 0, at)
        message, hint = yamlwords.control(found[0] if found else "\0")
    else:
        said = yamlwords.explain(held, error)
        line, column, message, hint = said.line, said.column, said.message, said.hint
        blank = re.search(r"^[ \t]*$", held.rstrip(), re.MULTILINE)
        if blank and held.count("\n", 0, blank.start()) < line:
            hint = "write three hyphens below its last key"
            return Problem(path, max(above, 1), 1, "front matter is never closed", hint)
    return Problem(path, line + above, column, f"front matter: {message}", hint)


def _texted(desk: Desk, key: str, value: object, line: int) -> None:
    """Note a value that is no text."""
    if value is None or value == "":
        desk.fail(f"the page has no {key}", f"write it behind '{key}:'", line, near=Near.whole(key))
    elif not isinstance(value, str):
        desk.fail(
            f"the page's {key} is {yamlnodes.called(value)}, not a text", "put it in quotes", line, near=Near.whole(key)
        )


def _twice(held: str) -> list[str]:
    keys = re.findall(r"^(\w+)[ \t]*:", held, re.MULTILINE)
    return sorted({key for key in keys if keys.count(key) > 1})


def _at(held: str, key: str, *, last: bool = False) -> int:
    """Return the line of front matter in which a key stands."""
    every = [match.start() for match in re.finditer(rf"^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*:", held, re.MULTILINE)]
    return held.count("\n", 0, every[-1 if last else 0]) + 1 if every else 1


def blocks(meta: Mapping[str, Any]) -> list[markdown.Block]:
    """Return the texts of the front matter that readers see."""
    return [markdown.Block(str(meta[key]), "front", (1,)) for key in ("title", "description") if key in meta]


def sections(path: str, read: Read, root: Path) -> tuple[list[str], list[Problem]]:
    """Return the files that a page's front matter lists, as paths below root, and what is wrong with the list.

    Of a list with mistakes, the files that no page takes up are returned too: they may be what was meant.
    """
    folder, own = Path(path).parent, Path(path).name
    # What editors put beside a file begins with a dot or a hash; a folder or a link to nothing is no text.
    known = [file.name for file in sorted((root / folder).glob("[!.#]*.md")) if file.is_file() and file.name != own]
    names, problems = _listed(path, read)
    left = [name for name in known if names is None or (names and name not in names)]
    if names is not None:
        hint = "list it in 'sections', or move it away"
        problems += [Problem((folder / name).as_posix(), 0, 0, "no page takes this file up", hint) for name in left]
    for name in dict.fromkeys(names or ()):
        at = line_of(read(path), name)
        if name not in known:
            near = nearest(name, left) or "bring the file back, or take it out of 'sections'"
            problems.append(Problem(path, at, 0, f"there is no section '{name}'", near))
        elif (names or []).count(name) > 1:
            problems.append(Problem(path, at, 0, f"the section '{name}' is listed twice", "delete one of them"))
    found = dict.fromkeys(name for name in (*(names or ()), *left) if name in known)
    return [(folder / name).as_posix() for name in found], problems


def _listed(path: str, read: Read) -> tuple[list[str] | None, list[Problem]]:
    """Return the names of the sections, None where they can't be read."""
    try:
        meta = yaml.safe_load(front_matter(read(path) or "")[0]) or {}
    except (yaml.YAMLError, BuildError):
        return None, []  # said already
    names = meta.get("sections", []) if isinstance(meta, dict) else []
    if not isinstance(names, list):
        return None, [Problem(path, line_of(read(path), "sections:"), 0, "'sections' is not a list of files")]
    return [str(name) for name in names], []


def line_of(text: str | None, words: str) -> int:
    """Return the first line that holds some words, the first of all where none does."""
    return next((n for n, line in enumerate((text or "").splitlines(), 1) if words in line), 1)
