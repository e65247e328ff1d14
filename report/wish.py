"""What a watch and its builder say to each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

RENEW = "renew"  # the answer of a builder that must be replaced


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a builder builds: content, output, address; and whether it says so in colour, and keeps things on disk."""

    content: str
    out: str
    base_url: str | None = None
    colour: bool = False
    cached: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of a build: lines for the terminal, mistakes for the page, figures whose new pictures are to come.

    seconds is how long a build took that failed; one that was good says it in its lines.
    """

    good: bool
    says: Sequence[str] = ()
    wrong: Sequence[str] = ()
    late: Sequence[str] = ()
    changed: bool = False
    seconds: float | None = None
