"""What a research page holds: entries with their sources and their standing, and the log of what was checked.

The records say what an author may write: report/research/files.py reads a page by them, report/schemas.py makes of them
what editors check by while one types.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

# How far an entry is to be trusted. Unconfirmed: it stands as remembered, and no text that bears it was read.
Standing = Literal["verified", "secondary", "announced", "estimate", "unconfirmed"]
# What came of a check: it held, something was put right, or there was nothing at hand to check against.
Outcome = Literal["held", "corrected", "open"]

BLOCK: Mapping[str, Any] = {"text": "block"}
LINE: Mapping[str, Any] = {"text": "line"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One finding of a page. sources are keys of references.bib, or rows of the catalogue written kind/id."""

    id: str
    title: str
    says: str = field(metadata=BLOCK)
    derivation: str = field(metadata=BLOCK)
    sources: tuple[str, ...] = field(metadata={"refs": "works"})
    status: Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One line of the verification log: what was checked, against what, and what came of it."""

    what: str = field(metadata=LINE)
    against: str = field(metadata=LINE)
    result: str = field(metadata=LINE)
    status: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Dossier:
    """A research page as written: called is how other pages name it, as in “the tricks catalogue”.

    Texts are prose, with its tags and numbers still in it.
    """

    title: str
    called: str
    description: str
    lead: str = field(metadata=BLOCK)
    intro: str = field(default="", metadata=BLOCK)
    entries: tuple[Entry, ...]
    log: tuple[Check, ...]
