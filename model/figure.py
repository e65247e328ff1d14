"""A number of the catalogue and what it rests on: its status, its sources, its range, and what others print.

Every value is in base units. Where each field stands in YAML, and in which unit, is said by its metadata:
`quantity` takes the unit that the owner of the number declares, `refs` names what a word must resolve to,
`key` is the YAML key where Python reserves the word, `filled` is set by the reader and never written by hand, `unit`,
`low` and `high` are the unit and the bounds of what can be true, `bits` says whether a rate may count them, `explain`
says why a word is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

Status = Literal["verified", "secondary", "announced", "estimate"]
# From the strongest to the weakest: a row is as trustworthy as its weakest number.
STATUSES: tuple[Status, ...] = ("verified", "secondary", "announced", "estimate")
# The range of a number that states none: (low, high) as factors of its value.
SPREAD: Mapping[str, tuple[float, float]] = MappingProxyType(
    {"verified": (0.99, 1.01), "secondary": (0.95, 1.05), "announced": (0.85, 1.15), "estimate": (1 / 1.5, 1.5)}
)
CITED: Mapping[str, Any] = MappingProxyType({"key": "from", "refs": "sources"})


def weakest(statuses: tuple[Status, ...]) -> Status:
    """Return the least trustworthy of the statuses; raise ValueError for none."""
    if not statuses:
        raise ValueError("statuses is empty; a row has at least one number")
    return max(statuses, key=STATUSES.index)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A work that bears a number: `rank` says how near to the maker it is, `seen` whether its text was read."""

    title: str
    rank: Literal["primary", "secondary", "remembered", "derived"]
    seen: bool
    publisher: str = ""
    year: int | None = field(default=None, metadata={"low": 1900, "high": 2035})
    url: str = field(default="", metadata={"is": "address"})
    part: str = ""
    via: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Another published value for the same number, and where it comes from."""

    value: float = field(metadata={"quantity": True})
    why: str
    sources: tuple[str, ...] = field(default=(), metadata=CITED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One number in the base unit `unit`, with its status and the keys of the row's sources that bear it."""

    value: float = field(metadata={"quantity": True})
    unit: str = field(metadata={"filled": "unit"})
    text: str = field(metadata={"filled": "text"})
    status: Status
    sources: tuple[str, ...] = field(default=(), metadata=CITED)
    low: float | None = field(default=None, metadata={"quantity": True})
    high: float | None = field(default=None, metadata={"quantity": True})
    note: str = ""
    candidates: tuple[Candidate, ...] = ()
    chosen: str = ""

    @property
    def range(self) -> tuple[float, float]:
        """Return the lowest and the highest value thought possible, in the unit of the number."""
        low, high = SPREAD[self.status]
        return (
            self.value * low if self.low is None else self.low,
            self.value * high if self.high is None else self.high,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """What a plain number of a row rests on, where it differs from the rest of the row."""

    status: Status
    sources: tuple[str, ...] = field(default=(), metadata=CITED)
    note: str = ""
