"""Sites made in this process as a build makes them: with what earlier builds kept, so that no test waits for pictures.

Whatever is kept is kept by what it was made from, the whole code included (report/cache.py): a site comes out the same.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import html5lib

from report import cache, site


def rendered(content: Path, address: str | None = None) -> dict[str, bytes]:
    """Return the site that a folder makes; raise BuildError as the build does."""
    with cache.using(cache.FOLDER):
        return site.render(content, address)


@lru_cache(maxsize=128)
def parsed(page: bytes) -> Any:
    """Return a page as a real HTML parser reads it, once for all who ask; nobody may change it."""
    return html5lib.parse(page.decode("utf-8"), namespaceHTMLElements=False)
