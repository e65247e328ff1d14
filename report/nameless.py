"""What points at a heading that has lost its own id: told by the heading alone, where the last good site had that id.

    "## The second floor {#reuse}" for {#pole}: nothing is told of the texts that point at 'pole'

Nobody knows which id a heading had that has none, or that of another. The last good site does. Leaves out: which
names point nowhere (report/crossrefs.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from report.errors import Problem

_OWNER = re.compile(r'<(?:h[1-6]|div class="equation")(?: [^<>]*)? id="([^"]+)"')


def left(problems: Iterable[Problem], site: Path) -> list[Problem]:
    """Return mistakes without the names that point nowhere, that a heading may have lost, and that the site has."""
    every = list(problems)
    if not any(one.nameless for one in every):
        return every
    had = set(_ids(site))
    return [one for one in every if one.nameless not in had]


def _ids(site: Path) -> Iterator[str]:
    """Yield the ids of the headings and equations of a site; none where there is no site, or it can't be read."""
    for page in site.rglob("*.html"):
        try:
            yield from _OWNER.findall(page.read_text(encoding="utf-8", errors="replace"))
        except OSError:
            continue
