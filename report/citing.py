"""How the report wants to be cited: read from CITATION.cff, the one place that says it, written as BibTeX.

Leaves out: what nobody has said. Without a date there is no year, without an address of the site no link.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from report import yamlwords
from report.errors import BuildError, Problem

FILE = Path(__file__).resolve().parent.parent / "CITATION.cff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A work as it is to be cited; an author is a name in full, as one would write it."""

    key: str
    title: str
    authors: tuple[str, ...]
    version: str = ""
    date: str = ""
    url: str = ""

    def bibtex(self, title: str = "", url: str = "") -> str:
        """Return the entry; title and url are those of one page of the work."""
        fields = {
            "title": title or self.title,
            "author": " and ".join(_whole(author) for author in self.authors),
            "year": self.date[:4],
            "version": self.version,
            "url": url or self.url,
        }
        lines = [f"  {name} = {_marked(name, value)}" for name, value in fields.items() if value]
        return f"@misc{{{self.key},\n" + ",\n".join(lines) + "\n}\n"


def load(file: Path = FILE) -> tuple[Citation, Citation]:
    """Return this report and the one that it goes back to."""
    try:
        return _read(yaml.safe_load(file.read_text(encoding="utf-8")))
    except yaml.MarkedYAMLError as error:
        said = yamlwords.explain(file.read_text(encoding="utf-8"), error)
        problem = Problem(file.name, said.line, said.column, said.message, said.hint)
    except (KeyError, TypeError, ValueError) as error:
        lacks = f"has no {error}" if isinstance(error, KeyError) else "is no citation with authors and one reference"
        problem = Problem(file.name, 0, 0, lacks, "see https://citation-file-format.github.io")
    raise BuildError([problem])


def _read(found: Any) -> tuple[Citation, Citation]:
    (original,) = found["references"]
    mine = Citation(
        key="backprop-memory-wall",
        title=found["title"],
        authors=_authors(found["authors"]),
        version=str(found["version"]),
        date=str(found.get("date-released", "")),
    )
    theirs = Citation(
        key="bulatov-memory-wall",
        title=original["title"],
        authors=_authors(original["authors"]),
        date=str(original.get("year", "")),
        url=original["url"],
    )
    return mine, theirs


def _authors(people: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(one["name"] if "name" in one else f"{one['given-names']} {one['family-names']}" for one in people)


def _whole(author: str) -> str:
    """Return an author so that BibTeX takes a group for one name."""
    return f"{{{author}}}" if author.startswith("The ") else author


def _marked(name: str, value: str) -> str:
    """Return a value between marks; an author's own braces would double those, which templates know as theirs."""
    return f'"{value}"' if name == "author" else f"{{{value}}}"
