"""The front matter of a text: its title, what it is about, and the files that go on with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from report import markdown, yamlnodes, yamlwords
from report.desk import Desk
from report.errors import BuildError, Problem, nearest
from report.preprocess import front_matter

Read: TypeAlias = Callable[[str], str | None]  # a text by its path; None where there is none
_KEYS = ("title", "description", "lead", "sections")


def meta(desk: Desk, source: str) -> dict[str, Any]:
    """Return the front matter of a page; title and description are wanted."""
    try:
        found = yaml.safe_load(front_matter(source)) or {}
    except yaml.YAMLError as error:
        said = yamlwords.explain(front_matter(source), error) if isinstance(error, yaml.MarkedYAMLError) else None
        message, hint = (said.message, said.hint) if said else ("it holds a control character", "")
        line, column = (said.line + 1, said.column) if said else (1, 0)
        desk.problems.append(Problem(desk.path, line, column, f"front matter: {message}", hint))
        return {}
    if not isinstance(found, dict):
        desk.fail("front matter is not a mapping", "write title: ... and description: ...", 1)
        return {}
    unknown = [str(key) for key in found if key not in _KEYS and desk.path.endswith(".md")]  # others are no text alone
    for key in unknown:
        hint = yamlnodes.meant(key, _KEYS) or f"the keys are {', '.join(_KEYS)}"
        desk.fail(f"front matter: unknown key '{key}'", hint, line_of(source, f"{key}:"))
    for key in ("title", "description"):
        if not isinstance(found.get(key), str) and not any(nearest(one, [key]) for one in unknown):
            desk.fail(f"the page has no {key}", f"write '{key}: ...' between lines of --- at the top", 1)
    return found


def blocks(meta: Mapping[str, Any]) -> list[markdown.Block]:
    """Return the texts of the front matter that readers see."""
    return [markdown.Block(str(meta[key]), "front", (1,)) for key in ("title", "description") if key in meta]


def sections(path: str, read: Read, root: Path) -> list[str]:
    """Return the files that a page's front matter lists, as paths below root."""
    try:
        meta = yaml.safe_load(front_matter(read(path) or "")) or {}
    except yaml.YAMLError:
        return []  # said already
    names = meta.get("sections", []) if isinstance(meta, dict) else []
    if not isinstance(names, list):
        raise BuildError([Problem(path, 1, 0, "'sections' is not a list of files")])
    folder = Path(path).parent
    # What editors put beside a file begins with a dot or a hash; a folder or a link to nothing is no text.
    known = sorted(file.name for file in (root / folder).glob("[!.#]*.md") if file.is_file())
    left = [name for name in known if names and name not in (*names, Path(path).name)]
    hint = "list it in 'sections', or move it away"
    said = [Problem((folder / name).as_posix(), 0, 0, "no page takes this file up", hint) for name in left]
    for name in (str(name) for name in names if name not in known):
        at = line_of(read(path), name)
        near = nearest(name, left) or "bring the file back, or take it out of 'sections'"
        said.append(Problem(path, at, 0, f"there is no section '{name}'", near))
    if said:
        raise BuildError(said)
    return [(folder / name).as_posix() for name in names]


def line_of(text: str | None, words: str) -> int:
    """Return the first line that holds some words, the first of all where none does."""
    return next((n for n, line in enumerate((text or "").splitlines(), 1) if words in line), 1)
