"""What rows of the catalogue owe each other: a step back is explained, announcements age, disagreements are listed.

Each check takes the rows of all files and yields the file, the id and the words for each fault. There is no clock in
a build: the newest machine of the catalogue says what year it is. Leaves out: what is wrong within one row
(report/within.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from model.book import QUANTITIES
from model.figure import Figure
from model.layers import CONSTANTS, PRICES
from model.machine import Machine
from model.units import split

Rows = Mapping[str, Mapping[str, Any]]  # file -> id -> row
Fault = tuple[str, str, str]
SAME = 0.005  # rounding of printed rates


def successors(rows: Rows) -> Iterator[Fault]:
    """Ask for a note where a maker's next machine of a kind reads or computes slower than all those before it."""
    for key, row in rows["machines"].items():
        for what, figure, fastest, before in _steps_back(row, _predecessors(row, rows["machines"].values())):
            if not (row.note or figure.note):
                said = f"its {what} of {figure.text} is less than the {fastest.text} of its predecessor '{before.id}'"
                yield "machines", key, f"{said}; say why under 'note'"


def _predecessors(row: Machine, machines: Any) -> list[Machine]:
    """Return the maker's last machines of the kind before this one."""
    before = [other for other in machines if (other.vendor, other.kind) == (row.vendor, row.kind)]
    last = max((other.year for other in before if other.year < row.year), default=None)
    return [other for other in before if other.year == last]


def _steps_back(row: Machine, before: list[Machine]) -> Iterator[tuple[str, Figure, Figure, Machine]]:
    """Yield (what, this machine's, the fastest predecessor's, that machine) where this one is slower."""
    name = row.balance_format
    for what, find in (("bandwidth", _bandwidth), (f"{name} peak", lambda one: one.peak.get(name))):
        mine = find(row)
        known = [(figure, other) for other in before if (figure := find(other))]
        if mine and known:
            fastest, other = max(known, key=lambda pair: pair[0].value)
            if mine.value < fastest.value * (1 - SAME):
                yield what, mine, fastest, other


def _bandwidth(row: Machine) -> Figure:
    return row.bandwidth


def announced(rows: Rows) -> Iterator[Fault]:
    """Ask what became of what was announced for a year that is over."""
    now = max((row.year for row in rows["machines"].values()), default=0)
    for key, row in rows["machines"].items():
        old = [what for what, figure in _figures(row) if figure.status == "announced"]
        if old and row.year < now:
            said = f"{', '.join(old)} of {row.year} still 'announced', while the catalogue has machines of {now}"
            yield "machines", key, f"{said}; read what its maker prints by now, or drop the row"


def _figures(row: Machine) -> Iterator[tuple[str, Figure]]:
    """Yield the numbers of a machine by name."""
    yield from ((f"peak {name}", figure) for name, figure in row.peak.items())
    yield from ((f"vector {name}", figure) for name, figure in row.vector.items())
    for name in ("bandwidth", "capacity", "on_chip", "scale_up", "nic", "linpack", "power"):
        if (figure := getattr(row, name)) is not None:
            yield name, figure


def candidates(rows: Rows) -> Iterator[Fault]:
    """Name candidates that agree with what was chosen, and rates of runs that the machine's row does not know."""
    for key, row in rows["machines"].items():
        for what, figure in _figures(row):
            if any(_same(other.value, figure.value) for other in figure.candidates):
                yield "machines", key, f"a candidate of its {what} is the value itself; list what disagrees"
    for key, run in rows["runs"].items():
        machine = rows["machines"].get(run.machine)
        peak = machine.peak.get(run.peak_format or run.precision) if machine else None
        if run.peak is None or peak is None:
            continue
        if not any(_same(run.peak, value) for value in (peak.value, *(other.value for other in peak.candidates))):
            said = f"it counts with a peak of {run.peak:.4g} FLOP/s, and '{run.machine}' has {peak.text}"
            yield "runs", key, f"{said}; list the other value under the machine's 'candidates', or mend one"


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= SAME * max(one, other)


def units(rows: Rows) -> Iterator[Fault]:
    """Name constants and prices in another unit than the quantity of the model that they are: the number stays.

    A row is the quantity that the model takes it for, or else the one whose symbol it has; a symbol that the rows of
    the model have in two units may stand in either.
    """
    for kind, names in (("constants", CONSTANTS), ("prices", PRICES)):
        taken = {name: key for key, name in names.items()}
        either = {(rows[kind][name].symbol, _unit(rows[kind][name])) for name in taken if name in rows[kind]}
        for name, row in rows[kind].items():
            key, found = taken.get(name, row.symbol), _unit(row)
            if name not in taken and (row.symbol, found) in either:
                continue
            if key in QUANTITIES and split(found) != (QUANTITIES[key].unit, 1.0):
                said = f"it is in {found}, but the model's {key} is in {QUANTITIES[key].unit}"
                yield kind, name, f"{said}; write it in that unit"


def _unit(row: Any) -> str:
    """Return the unit of a constant or of a price."""
    return str(row.unit if hasattr(row, "unit") else row.price.unit)


CHECKS: tuple[Callable[[Rows], Iterator[Fault]], ...] = (successors, announced, candidates, units)
