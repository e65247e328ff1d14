"""What the files under assets/ are called: a plain name becomes one with a hash of its bytes.

A changed byte changes that file's address and the addresses of those that name it, and no other; nothing is served
stale, and no time stamp enters. Leaves out: who writes the files (writer.py), and what is in them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import PurePosixPath

FOLDER = "assets"
_COMMENT = re.compile(r"""(?P<text>"[^"\n]*"|'[^'\n]*')|/\*.*?\*/""", re.DOTALL)
_URL = re.compile(r"url\(\s*(?P<quote>[\"']?)(?P<name>[^\"')]+)(?P=quote)\s*\)")


def hashed_name(name: str, data: bytes) -> str:
    """Put eight digits of the content's hash before the suffix: style.css becomes style-1a2b3c4d.css."""
    path = PurePosixPath(name)
    if path.name != name or name.startswith((".", "_")):
        raise ValueError(f"asset {name!r}: use a plain file name that begins with neither dot nor underscore")
    return f"{path.stem}-{hashlib.sha256(data).hexdigest()[:8]}{path.suffix}"


def lean(sheet: str) -> str:
    """Return a style sheet without comments and indentation: every reader waits for it. Texts in quotes stay."""
    bare = _COMMENT.sub(lambda found: found["text"] or "", sheet)
    return "".join(f"{line}\n" for line in map(str.strip, bare.splitlines()) if line)


def publish(files: Mapping[str, bytes]) -> tuple[dict[str, bytes], dict[str, str]]:
    """Name every asset by its content; return site path -> bytes, and plain name -> site path.

    Style sheets come last, because the fonts that they name must have their names by then.
    """
    published: dict[str, bytes] = {}
    paths: dict[str, str] = {}
    for name in sorted(files, key=lambda name: (name.endswith(".css"), name)):
        data = _linked(name, files[name], paths) if name.endswith(".css") else files[name]
        paths[name] = f"{FOLDER}/{hashed_name(name, data)}"
        published[paths[name]] = data
    return published, dict(sorted(paths.items()))


def _linked(sheet: str, data: bytes, paths: Mapping[str, str]) -> bytes:
    """Rewrite url("serif.woff2") to the hashed name; style sheet and font lie in one folder."""

    def replace(match: re.Match[str]) -> str:
        name = match["name"]
        if name.startswith("data:"):
            return match[0]
        if name not in paths:
            raise ValueError(f"{sheet} names {name!r}, which is not among the assets: {', '.join(paths) or 'none'}")
        return f'url("{PurePosixPath(paths[name]).name}")'

    return _URL.sub(replace, data.decode("utf-8")).encode("utf-8")
