"""Which paths a site may have, and which folder a build may fill.

A folder is ours when its `data/site.json` lists, as files of this generator, everything that it holds. Anything else
in it makes a build stop: what no build wrote, no build removes. Leaves out: writing, which is `report/writer.py`.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from report.errors import BuildError, Problem

MARKER = "data/site.json"
GENERATOR = "backprop-memory-wall"
NO_JEKYLL = ".nojekyll"  # without it a branch deployment drops names that begin with an underscore
LITTER = frozenset({".DS_Store", "lost+found"})  # the system's own, in folders that are otherwise empty or ours
STAGING = re.compile(r"\.build-[a-z0-9_]{8}")  # a staging folder that had to lie in the site itself
_OWN = (".git", ".github", ".ci", ".cache", ".venv", "model", "report", "templates", "tests", "bench", "tools")
_SEGMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._~+-]*")  # needs no escape in an address, is a name on every system


def complete(tree: Mapping[str, bytes]) -> dict[str, bytes]:
    """Check every path of a rendered tree, and add the two files that each site has."""
    whole = {NO_JEKYLL: b"", **tree}
    problems = [Problem(path, 0, 0, "no file of a site can have this path", why) for path, why in _misnamed(whole)]
    if problems:
        raise BuildError(problems)
    return {**whole, MARKER: marker({*whole, MARKER})}


def marker(files: set[str]) -> bytes:
    """Return the list by which a later build knows its own files."""
    return (json.dumps({"generator": GENERATOR, "files": sorted(files)}, indent=0) + "\n").encode()


def admit(out: Path, root: Path, content: Path) -> None:
    """Refuse an output folder in which a build could destroy something; to be called before the work of rendering."""
    _look_through_links(out)
    place, sources = real(out), real(content)
    reserved = {"this project": real(root), "the content": sources, "your home folder": real(Path.home())}
    for name, folder in reserved.items():
        if folder.is_relative_to(place):
            raise refusal(out, f"a build can't replace {'' if folder == place else 'a folder that holds '}{name}")
    if place.is_relative_to(sources):
        raise refusal(out, "a build can't write into its own content")
    if own := next((name for name in _OWN if place.is_relative_to(real(root) / name)), None):
        raise refusal(out, f"a build can't write into this project's own folder '{own}'")
    if site := next(filter(_is_site, place.parents), None):
        raise refusal(out, f"it lies in another site, '{site}', whose next build would stop at it")
    with plain_words(out):
        if above := next((folder for folder in place.parents if folder.exists() and not folder.is_dir()), None):
            raise refusal(out, f"'{above}' is a file, not a folder")
        standing(place, out)
        if not place.parent.exists():
            raise refusal(out, f"there is no folder '{place.parent}' to make it in", "make that one, or mend --out")
        above = next(folder for folder in place.parents if folder.exists())
        if not any(os.access(folder, os.W_OK | os.X_OK) for folder in (place, above) if folder.exists()):
            reason = errno.EROFS if _read_only(place if place.exists() else above) else errno.EACCES
            raise OSError(reason, os.strerror(reason))


def _read_only(folder: Path) -> bool:
    """Tell whether nobody may write on the file system of a folder, where the system says that."""
    return hasattr(os, "statvfs") and bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


def _look_through_links(out: Path) -> None:
    """Refuse a link that leads nowhere: what it led to may be a disk that isn't there now, or a name mistyped."""
    for link in (out, *out.parents):
        if os.path.islink(link) and not os.path.exists(link):  # noqa: PTH110, PTH114  # these raise nothing
            what = "it" if link == out else f"'{link}'"
            said = f"{what} is a link to '{os.readlink(link)}', and there is no such folder"  # noqa: PTH115
            raise refusal(out, said, "make that folder, or name another with --out")


def standing(place: Path, named: Path) -> frozenset[str]:
    """List the files of the site in place; refuse, under the name it was given, a folder that isn't a build's."""
    if not place.exists():
        return frozenset()
    if not place.is_dir():
        raise refusal(named, "it is a file, not a folder")
    known = _known(place)
    found = dict(_walk(place))
    # A shell that is told to delete all that a site holds leaves what begins with a dot.
    foreign = sorted(path for path, regular in found.items() if not regular or path not in {*known, NO_JEKYLL})
    if foreign and not known:
        raise refusal(named, f"the folder isn't empty and holds no site of ours ('{foreign[0]}' is in it)")
    if foreign:
        raise refusal(named, f"the folder holds '{foreign[0]}', which no build wrote", "move it away first")
    return frozenset(found)


def real(path: Path) -> Path:
    """Return the folder that a path means, links followed; unlike Path.resolve, a loop of links raises nothing."""
    return Path(os.path.realpath(path))


def refusal(out: Path, message: str, hint: str = "name another folder with --out") -> BuildError:
    """Return the error that says why nothing is written to a folder."""
    return BuildError([Problem(os.fspath(out), 0, 0, message, hint)])


@contextlib.contextmanager
def plain_words(out: Path) -> Iterator[None]:
    """Turn what the system refuses (no space, no permission, a file in the way) into one line for the author."""
    try:
        yield
    except OSError as error:
        hint = _WAYS_OUT.get(error.errno or 0, "")
        said = f"can't be written: {error.strerror or error}"
        raise BuildError([Problem(os.fspath(out), 0, 0, said, hint)]) from error


# What helps against some of the system's refusals.
_WAYS_OUT = {
    errno.ENOSPC: "a new site needs room beside the old one: make some, or name another folder with --out",
    errno.EDQUOT: "a new site needs room beside the old one: make some, or name another folder with --out",
    errno.EACCES: "name a folder with --out that you may write to",
    errno.EPERM: "name a folder with --out that you may write to",
    errno.EROFS: "name a folder with --out that you may write to",
}


def _misnamed(tree: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """Yield each path that some system, server or deployment would lose or confuse, with the reason."""
    seen: dict[str, str] = {}
    for path in sorted(tree):
        reason = None if path == NO_JEKYLL else _fault(path) or _clash(path, tree, seen)
        if reason:
            yield path, reason


def _fault(path: str) -> str:
    """Say what is wrong with a path taken alone."""
    for segment in path.split("/"):
        if segment in {"", ".", ".."}:
            return "write it relative to the site, without '..' or doubled slashes"
        if segment[0] in "._":
            return f"deployments drop names like '{segment}'; begin it with a letter or a digit"
        if not _SEGMENT.fullmatch(segment) or segment.endswith("."):
            return f"'{segment}' needs plain letters, digits, '-', '_', '~', '+' and inner dots"
    if path.casefold().endswith(".py"):
        return "a site holds no Python, which has a module of that name"
    return "the build keeps its own list there" if path.casefold() == MARKER else ""


def _clash(path: str, tree: Mapping[str, bytes], seen: dict[str, str]) -> str:
    """Say which other path stands in the way of this one, on a system that may ignore case."""
    for part in (path, *(str(parent) for parent in PurePosixPath(path).parents if parent.name)):
        other = seen.setdefault(unicodedata.normalize("NFC", part).casefold(), part)
        if other != part:
            return f"it differs from '{other}' only by case"
        if part != path and part in tree:
            return f"'{part}' is a file already"
    return ""


def _walk(folder: Path) -> Iterator[tuple[str, bool]]:
    """Yield each entry but folders, with whether it is a regular file; litter and staging are left out."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name in LITTER or STAGING.fullmatch(entry.name):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from ((f"{entry.name}/{inner}", regular) for inner, regular in _walk(Path(entry)))
            else:
                yield entry.name, entry.is_file(follow_symlinks=False)


def _is_site(folder: Path) -> bool:
    """Tell whether a folder holds a site of ours, as far as we may look."""
    with contextlib.suppress(OSError):
        return bool(_known(folder))
    return False


def _known(place: Path) -> frozenset[str]:
    """Return the files that the last build lists as its own; none where there is no such list."""
    try:
        listed = json.loads((place / MARKER).read_bytes())
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, ValueError):
        return frozenset()
    if not isinstance(listed, dict) or listed.get("generator") != GENERATOR:
        return frozenset()
    files = listed.get("files")
    return frozenset(files) if isinstance(files, list) and all(isinstance(path, str) for path in files) else frozenset()
