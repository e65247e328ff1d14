"""What a watch and its builder say to each other."""

from __future__ import annotations

import signal
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


def ended(who: str, code: int) -> str:
    """Say how a process ended: by itself with a code, or by a signal, which is a code below zero."""
    if code >= 0:
        return f"{who} ended with code {code}"
    why = ", as the system does where memory is short" if code == -signal.SIGKILL else ""
    return f"{who} was ended by signal {-code}{why}"
