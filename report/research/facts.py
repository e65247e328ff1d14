"""What the catalogue holds of a row, in words for a research page: each number with its status, each with its works.

Leaves out: the numbers that a page's own sentences ask for, which come with a card (report/cells.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from model.figure import Figure, Source
from model.machine import Machine
from model.network import Network
from model.records import Rate, Trend, Trick
from report import rounding

_NBSP = "\u00a0"


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a row says: what it is, its words, how far it is to be trusted, and the works that bear it."""

    label: str
    text: str
    status: str = ""
    sources: tuple[Source, ...] = ()


def of(row: Any) -> list[Fact]:
    """Return what a row says; a kind of row that no research page shows says nothing."""
    say = _SAY.get(type(row))
    return list(say(row)) if say else []


def _works(sources: Mapping[str, Source], keys: Sequence[str]) -> tuple[Source, ...]:
    return tuple(sources[key] for key in keys)


def _figure(row: Any, label: str, figure: Figure | None, detail: str = "") -> Iterator[Fact]:
    if figure is not None:
        text = figure.text.replace(" ", _NBSP)
        yield Fact(label, f"{text}, {detail}" if detail else text, figure.status, _works(row.sources, figure.sources))


def _machine(row: Machine) -> Iterator[Fact]:
    yield Fact("Year", str(row.year))
    for name, peak in row.peak.items():
        yield from _figure(row, f"Peak, {name}", peak)
    yield from _figure(row, "Memory bandwidth", row.bandwidth)
    yield from _figure(row, "Memory", row.capacity)
    yield from _figure(row, "On the chip", row.on_chip)
    yield from _figure(row, "LINPACK", row.linpack)


def _trick(row: Trick) -> Iterator[Fact]:
    yield Fact("Spends", "; ".join(row.spends))
    yield Fact("Saves", "; ".join(row.saves))
    for one in row.reported:
        yield Fact("Reported", one.claim, one.status, _works(row.sources, one.sources))
    if row.limits:
        yield Fact("Stops", row.limits)


def _trend(row: Trend) -> Iterator[Fact]:
    if row.growth and row.years:
        over = "a year" if row.years == 1 else f"in {rounding.typed(row.years)} years"
        yield Fact("Grows", f"{rounding.typed(row.growth)} times {over}", row.status, _works(row.sources, row.cited))
    else:
        yield Fact("Claims", row.claim, row.status, _works(row.sources, row.cited))
    if row.population:
        yield Fact("Counted over", row.population)
    if row.start and row.end:
        yield Fact("Years", f"{row.start} to {row.end}")


def _rate(row: Rate) -> Iterator[Fact]:
    yield Fact("System", f"{row.system}, {row.year}")
    yield from _figure(row, "Connections a second", row.cps)
    yield from _figure(row, "Updates a second", row.cups)
    yield Fact("Kind", row.kind)


def _network(row: Network) -> Iterator[Fact]:
    yield Fact("Year", str(row.year))
    yield from _figure(row, "Parameters", row.parameters)
    yield from _figure(row, "Connections", row.connections)
    for label, number in (("Patterns", row.patterns), ("Sweeps", row.sweeps)):
        if number is not None:
            yield Fact(label, rounding.typed(number), row.provenance(label.lower()).status)


_SAY: Mapping[type, Callable[[Any], Iterator[Fact]]] = {
    Machine: _machine,
    Trick: _trick,
    Trend: _trend,
    Rate: _rate,
    Network: _network,
}
