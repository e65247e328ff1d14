"""Where the links of the text lead: to files that the site has, or to addresses of a form that a browser follows.

Whether an outside address answers is not asked: a build needs no network. Leaves out: links within a page, and what
points at figures, tables and sections by name (report/crossrefs.py).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator
from html import unescape
from pathlib import Path
from urllib.parse import unquote

from report.errors import Problem, nearest
from report.lines import places

# Links to the entries of numbers and claims are made by the build, thousands of them.
_LINK = re.compile(r'<(?:a|img)\b(?! class="(?:n-|claim-))[^<>]*?\s(?:href|src)="([^"]*)"')
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_HOST = re.compile(r"https?://[^/\s]+\.[^/\s]+\S*")
_PRIVATE = "\U000f0000"
_SCHEMES = ("http", "https", "mailto")


def of(html: str) -> tuple[str, ...]:
    """Return the addresses to which the links and pictures of a page lead, but those within the page."""
    found = dict.fromkeys(unescape(address) for address in _LINK.findall(html))
    return tuple(address for address in found if not address.startswith("#"))


def check(addresses: Iterable[str], page: str, files: Collection[str], content: Path, text: str) -> Iterator[Problem]:
    """Yield what is wrong with the addresses on a page; text is the file of the content that it begins with."""
    for address in addresses:
        message, hint = _fault(address, page, files)
        if message:
            yield from (Problem(*place, message, hint) for place in _places(address, content, text))


def _places(address: str, content: Path, text: str) -> Iterator[tuple[str, int, int]]:
    """Yield where in the files of a page an address is written: file, line, column; only a mistake asks."""
    first = content / text
    found = False
    for file in dict.fromkeys((first, *sorted(first.parent.glob("*.md")), *sorted(first.parent.glob("*.yaml")))):
        if not file.is_file():
            continue
        for place in written(address, file.read_text(encoding="utf-8", errors="replace")):
            found = True
            yield (file.relative_to(content.parent).as_posix(), *place)
    if not found:
        yield f"{content.name}/{text}", 0, 0


def written(address: str, source: str) -> list[tuple[int, int]]:
    """Return line and column of each place where a text links to an address: (address), <address>, [1]: address."""
    return places(rf"(?<=[(<\s]){re.escape(address)}(?=[)>\s]|$)", source)


def _fault(address: str, page: str, files: Collection[str]) -> tuple[str, str]:
    scheme = _SCHEME.match(address)
    if scheme and scheme[1].lower() not in _SCHEMES:
        return f"'{scheme[1]}:' begins no address of the web", nearest(scheme[1], _SCHEMES) or "write https://..."
    if scheme:
        wrong = scheme[1].lower() != "mailto" and not _HOST.fullmatch(address)
        return (f"'{address}' is no address", "write https://example.org/...") if wrong else ("", "")
    path = unquote(re.split(r"[?#]", address)[0])
    if any(mark >= _PRIVATE for mark in path):  # what stands for a mistake that was told
        return "", ""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
    target = f"{target}/index.html".removeprefix("./") if path.endswith("/") or path in ("", ".", "..") else target
    if target in files:
        return "", ""
    if re.match(r"(?:www\.|[\w-]+\.(?:com|org|net|edu|io|gov)(?:/|$))", path, re.IGNORECASE):
        return (
            f"'{address}' has no https:// before it, and would be looked for on this site",
            f"write https://{address}",
        )
    by_name = '{{ ref("name") }} leads to a section, a table or a figure by its name' if path.endswith(".md") else ""
    return f"a link leads to '{address}', and the site has no '{target}'", by_name or nearest(target, files)
