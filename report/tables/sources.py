"""How a table names the works that bear its numbers: whose they are and when, linked where they have an address."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from markupsafe import Markup

from model.figure import Source
from report.rounding import NBSP
from report.tables.table import Cell

_INITIAL = re.compile(r"\b([A-Z]\.) ")


def short_name(source: Source) -> str:
    """Return whose work a source is, and when: Chen 2016, PyTorch team 2024."""
    head = source.publisher.split(",")[0].strip()
    name = source.title if not head or head.startswith("arXiv") else head
    return f"{name} {source.year}" if source.year else name


def linked(source: Source, text: str = "") -> Markup:
    """Return the short name, or another text, with the title behind it; a link where the source has an address."""
    name = _INITIAL.sub(rf"\1{NBSP}", text or short_name(source))  # an initial stays with its name
    if not source.url:
        return Markup('<span title="{}">{}</span>').format(source.title, name)
    return Markup('<a href="{}" title="{}">{}</a>').format(source.url, source.title, name)


def works(sources: Mapping[str, Source], keys: Iterable[str]) -> Cell:
    """Return a cell with the works behind a row."""
    found = [sources[key] for key in keys]
    names = [short_name(one) for one in found]
    texts = [one.title if names.count(name) > 1 else name for one, name in zip(found, names, strict=True)]
    marked = (linked(one, text) for one, text in zip(found, texts, strict=True))
    return Cell((Markup(", ").join(marked),), "; ".join(one.title for one in found))
