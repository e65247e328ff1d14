"""A copy of the real content cut down to its first page, for a page of the test's own that places what others hold."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def copied(folder: Path) -> Path:
    """Copy the content into a folder that is not there yet, with the report as its only page; return the folder."""
    shutil.copytree(ROOT / "content", folder)
    settings = folder / "site.yaml"
    text = settings.read_text(encoding="utf-8")
    for page in re.findall(r"(?m)^  - \{folder: ([a-z-]+)", text):
        if page != "report":
            shutil.rmtree(folder / page)
            text = re.sub(rf"(?m)^  - \{{folder: {page}\b.*\n", "", text)
    settings.write_text(text, encoding="utf-8")
    return folder


def instead(content: Path, text: str) -> None:
    """Put a text in the place of the report and all of its sections."""
    for file in (content / "report").glob("*.md"):
        file.unlink()
    (content / "report" / "index.md").write_text(text, encoding="utf-8")
