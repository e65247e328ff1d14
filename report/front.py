"""The front matter of a text: its title, what it is about, and the files that go on with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from report import hashes, markdown, yamlnodes, yamlwords
from report.conflicts import LEFT, conflicts, one_side
from report.constructs import LABEL
from report.dashes import front_matter
from report.desk import Desk
from report.errors import BuildError, Near, Problem, like, nearest
from report.keys import judged
from report.lines import line_and_column, line_of, line_with, places
from report.marks import ANYTHING

Read: TypeAlias = Callable[[str], str | None]  # a text by its path; None where there is none
_TEXTS = ("title", "description")
_KEYS = (*_TEXTS, "sections")
_BELOW = {"lead": "it stands below the front matter, in {% lead %}...{% endlead %}"}  # texts that are none of its keys


def meta(desk: Desk, source: str) -> dict[str, Any]:
    """Return the front matter of a page; title and description are wanted."""
    if not source.strip():
        hint = "between lines of --- it begins with title: ... and description: ..."
        desk.problems.append(Problem(desk.path, 0, 0, "the file is empty", hint))
        return {}
    held, above = front_matter(source)
    held = _cleaned(desk, held, above)
    try:
        found = yaml.safe_load(held) or {}
    except yaml.MarkedYAMLError as error:
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
        hint = _BELOW.get(key) or meant or f"the keys are {', '.join(_KEYS)}"
        desk.fail(f"front matter: unknown key '{key}'", hint, _at(held, key) + above, near=Near.whole(key))
    for key in keys.missing:
        hint = f"write '{key}: ...' between lines of --- at the top"
        desk.problems.append(Problem(desk.path, 1, 1, f"the page has no {key}", hint))
    for key in (one for one in _TEXTS if one in found):
        _texted(desk, key, found[key], _at(held, key) + above)
    return found


def _cleaned(desk: Desk, held: str, above: int) -> str:
    """Return front matter without the marks of a merge and without what nobody sees, each of which is told."""
    for begin in conflicts(held):
        desk.fail(*LEFT, line_of(held, begin.start()) + above, near=Near.whole(begin[0]))
    held = one_side(held)
    odd = [(unseen.start(), *yamlwords.control(unseen[0])) for unseen in yamlwords.UNSEEN.finditer(held)]
    held = yamlwords.UNSEEN.sub(" ", held)
    with suppress(yaml.YAMLError):  # which is told where it is read
        odd += [(at, said, hashes.HINT) for at, said in hashes.cut(held, yaml.compose(held, Loader=yaml.CSafeLoader))]
    for at, message, hint in odd:
        line, column = line_and_column(held, at)
        words = Near.whole(re.split(r"\n", held[at:])[0] if hint == hashes.HINT else held[at])
        desk.problems.append(Problem(desk.path, line + above, column, f"front matter: {message}", hint, near=words))
    return held


def _unread(path: str, held: str, above: int, error: yaml.MarkedYAMLError) -> Problem:
    """Return what is wrong with front matter that is no YAML; above is how many lines stand before it."""
    said = yamlwords.explain(held, error)
    blank = re.search(r"^[ \t]*$", held.rstrip(), re.MULTILINE)
    if blank and line_of(held, blank.start()) <= said.line:
        hint = "write three hyphens below its last key"
        return Problem(path, max(above, 1), 1, "front matter is never closed", hint)
    return Problem(path, said.line + above, said.column, f"front matter: {said.message}", said.hint)


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
    return line_of(held, every[-1 if last else 0]) if every else 1


def blocks(meta: Mapping[str, Any]) -> list[markdown.Block]:
    """Return the texts of the front matter that readers see."""
    return [markdown.Block(str(meta[key]), "front", (1,)) for key in _TEXTS if key in meta]


def sections(path: str, read: Read, root: Path) -> tuple[list[str], list[Problem], str]:
    """Return the files that a page lists, what is wrong with the list, and what of the page's text is not read.

    The files are paths below root, in the order of the front matter. Where one is missing, those that no page takes up
    are returned too: they may be what was meant. A copy, and what lies beside files that are all there, is only told.
    """
    folder, own = Path(path).parent, Path(path).name
    # What editors put beside a file begins with a dot or a hash; a folder or a link to nothing is no text.
    known = [file.name for file in sorted((root / folder).glob("[!.#]*.md")) if file.is_file() and file.name != own]
    names, problems = _listed(path, read)
    if not names:
        beside = [(folder / name).as_posix() for name in known]
        unlisted = _unlisted(path, beside) if names == [] and own == "index.md" else ()
        lost = _blank(path, read) or bool(unlisted)
        return beside if names is None else [], [*problems, *unlisted], ANYTHING if lost else ""
    whole = _parted(names, known)
    left = [name for name in known if name not in whole]
    gone = [name for name in dict.fromkeys(whole) if name not in known]
    told = {like(name, left) for name in gone}  # as what was meant by another name
    hint = "list it in 'sections', or move it away"
    stray = [(folder / name).as_posix() for name in left if name not in told]
    problems += [Problem(name, 0, 0, "no page takes this file up", hint) for name in stray]
    problems += _unlike(path, read(path) or "", names, known, left)
    found = [(folder / name).as_posix() for name in dict.fromkeys(whole) if name in known]
    same = _same(found, read, root)
    problems += same.values()
    found = [name for name in found if name not in same]
    empty = [name for name in found if _blank(name, read)]
    hint = "write its text, or take it out of 'sections' and delete it"
    problems += [Problem(name, 0, 0, "the file is empty", hint) for name in empty]
    meant = [(folder / name).as_posix() for name in left] if gone else []
    held = _headed([path, *found], read)
    meant = [name for name in meant if not held & _headed([name], read)]  # others are copies
    lost = bool(empty or same) or len(gone) > len(meant)
    return [*found, *meant], problems, ANYTHING if lost else "\n".join(_sources(stray, read))


def _sources(paths: Sequence[str], read: Read) -> Iterator[str]:
    for path in paths:
        with suppress(BuildError):
            yield read(path) or ""


def _same(paths: Sequence[str], read: Read, root: Path) -> dict[str, Problem]:
    """Return what is told of each section that holds the very text of another, by its path: a link, or a copy."""
    found: dict[str, Problem] = {}
    first: dict[str, str] = {}
    for path in sorted(paths, key=lambda one: (root / one).is_symlink()):
        with suppress(BuildError):  # no text at all, which is said already
            other = first.setdefault(read(path) or "", path)
            if other != path and not _blank(path, read):
                how = "is a link to" if (root / path).is_symlink() else "holds the very text of"
                said = f"the file {how} {Path(other).name}, which is a section too"
                found[path] = Problem(path, 0, 0, said, "write its own text, or take it out of 'sections'")
    return found


def _unlisted(path: str, beside: Sequence[str]) -> list[Problem]:
    """Return what is to be said of the files beside a page that lists none."""
    if len(beside) == 1:
        hint = f"list it in 'sections' of {Path(path).name}, or move it away"
        return [Problem(beside[0], 0, 0, "no page takes this file up", hint)]
    names = ", ".join(Path(name).name for name in beside)
    said = f"the page has no 'sections', and {len(beside)} files stand beside it"
    hint = f"write 'sections: [{names}]' in their order, or move them away"
    return [Problem(path, 1, 1, said, hint)] if beside else []


def _parted(names: Sequence[str], known: Collection[str]) -> list[str]:
    """Return the names of a list, those apart that only a lost comma joins."""
    torn = {name: name.split() for name in names if name not in known and set(name.split()) <= set(known)}
    return [part for name in names for part in torn.get(name) or [name]]


def _unlike(
    path: str, source: str, names: Sequence[str], known: Collection[str], left: Sequence[str]
) -> Iterator[Problem]:
    """Yield what is wrong with the names of a list: a lost comma, no such file, one that stands twice."""
    for name in dict.fromkeys(names):
        every = places(rf"(?<![\w./-])({re.escape(name)})(?![\w./-])", source.partition("\n---")[0])
        if name in known:
            line, column = every[1] if len(every) > 1 else (line_with(source, name), 0)
            said, hint = f"the section '{name}' is listed twice", "delete one of them"
        else:
            line, column = line_with(source, name), 0
            said, hint = f"there is no section '{name}'", nearest(name, left)
            if _parted([name], known) != [name]:
                said, hint = f"a comma is missing in '{name}'", f"write {', '.join(name.split())}"
        if name not in known or names.count(name) > 1:
            hint = hint or "bring the file back, or take it out of 'sections'"
            yield Problem(path, line, column, said, hint, near=Near.whole(name))


def _headed(paths: Sequence[str], read: Read) -> set[str]:
    """Return the names of the headings of some texts."""
    found = set[str]()
    for path in paths:
        with suppress(BuildError):  # no text at all, which is said already
            found |= set(re.findall(rf"\{{#({LABEL})\}}[ \t]*$", read(path) or "", re.MULTILINE))
    return found


def _blank(path: str, read: Read) -> bool:
    try:
        return not (read(path) or "").strip()
    except BuildError:
        return False  # no text at all, which is said already


def _listed(path: str, read: Read) -> tuple[list[str] | None, list[Problem]]:
    """Return the names of the sections, None where they can't be read."""
    try:
        meta = yaml.safe_load(front_matter(read(path) or "")[0]) or {}
    except (yaml.YAMLError, BuildError):
        return None, []  # said already
    if _blank(path, read):
        return None, []
    given = {str(key): value for key, value in meta.items()} if isinstance(meta, dict) else {}
    meant = judged(given, _KEYS).meant.get("sections", "sections")
    names = given.get("sections", given.get(meant, []))
    if not isinstance(names, list):
        return None, [Problem(path, line_with(read(path) or "", "sections:"), 0, "'sections' is not a list of files")]
    return [str(name) for name in names], []
