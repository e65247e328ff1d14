"""How fast machines changed: what each reads at a format, straight lines through the logarithms, and crossings.

A fit runs over the training machines that the figure shows; its interval is Student's, at 95 %. Leaves out: how prose
asks for it (trendcells.py), what others published (tables/growth.py), how it is drawn (figures/drift.py).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from model.book import ask
from model.figure import Status, weakest
from model.formula import Memo
from model.machine import Machine, Peak
from model.records import Catalogue
from report import memory
from report.given import base
from report.memory import Same

KEYS = ("peak", "bandwidth", "beta", "examples_per_fetch")
# How the arithmetic of all machines is counted: at the format in which each trained in its day, or all alike.
WAYS: Mapping[str, str] = MappingProxyType(
    {"day": "the training format of its day", "fp32": "fp32", "bf16": "16 bits", "fp8": "fp8"}
)
_FORMATS: Mapping[str, tuple[str, ...]] = {"fp32": ("fp32",), "bf16": ("bf16", "fp16"), "fp8": ("fp8",)}
# Until then weights were updated in place after each pattern; since then gradients are summed up first.
IN_PLACE_UNTIL = 1992
# Classes of machine, oldest first, and which kinds each holds; an attached processor of the 1980s is an array.
CLASSES: Mapping[str, str] = MappingProxyType(
    {
        "super": "supercomputers",
        "desk": "minis and desktops",
        "cpu": "CPUs",
        "gpu": "GPUs",
        "tpu": "TPUs and others",
        "wafer": "wafer-scale",
    }
)
_CLASS_OF: Mapping[str, str] = {"vector": "super", "simd": "super", "systolic": "super"}
_CLASS_OF = {**_CLASS_OF, "mini": "desk", "workstation": "desk", "pc": "desk"}
_ARRAYS_UNTIL = 2000
# Fewer machines or years than these say nothing about a trend.
_LEAST_MACHINES, _LEAST_YEARS, _SURE = 10, 10, 0.95
_TIED = 1e-9  # a machine that just equals a line does not lie above it


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One machine counted one way: the format, how sure it is, and the value of each key (absent: None)."""

    machine: Machine
    format: str
    status: Status
    values: Mapping[str, float | None]

    @property
    def counts(self) -> bool:
        """Tell whether fits and crossings heed it."""
        return self.machine.shown and self.machine.trains


def class_of(machine: Machine) -> str:
    """Return the class of a machine."""
    otherwise = "super" if machine.kind == "other" and machine.year < _ARRAYS_UNTIL else "tpu"
    return _CLASS_OF.get(machine.kind, machine.kind if machine.kind in CLASSES else otherwise)


def readings(catalogue: Catalogue, way: str) -> tuple[Reading, ...]:
    """Return what the machines read when counted one way, oldest first; those without the format are left out."""
    rows = sorted(catalogue.machines.values(), key=lambda row: (row.year, row.id))
    found = (
        memory.recalled("counted", (Same(catalogue), row.id, way), partial(_reading, catalogue, row.id, way))
        for row in rows
    )
    return tuple(reading for reading in found if reading)


def _reading(catalogue: Catalogue, machine: str, way: str) -> Reading | None:
    """Return a machine's reading; its examples are left out where it cannot train."""
    row = catalogue.machines[machine]
    name = row.balance_format if way == "day" else next((name for name in _FORMATS[way] if name in row.peak), "")
    peak = _peak(row, name, plain=way == "fp32")
    if not peak:
        return None
    update = "in-place" if row.year <= IN_PLACE_UNTIL else "accumulate"
    given = base(catalogue, {"machine": row.id, "format": name, "peak": peak.value, "update": update})
    memo: Memo = {}
    values = {key: ask(key, given, memo).value for key in KEYS}
    if not row.trains:
        values["examples_per_fetch"] = None
    return Reading(machine=row, format=name, status=weakest((peak.status, row.bandwidth.status)), values=values)


def _peak(row: Machine, name: str, *, plain: bool) -> Peak | None:
    """Return the peak at a format; the plain one is that of the vector units, not of the matrix units."""
    fastest: Peak | None = row.peak.get(name)  # type: ignore[call-overload]
    if not plain or not fastest or fastest.engine != "matrix":
        return fastest
    found: Peak | None = row.vector.get(name)  # type: ignore[call-overload]
    return found


# --- a straight line through the logarithms


@dataclass(frozen=True, kw_only=True)
class Fit:
    """The growth of one key: doubling time in years with its interval, over n machines from the first year to the last.

    high is infinite, and the growth not clear, where the interval of the slope reaches zero.
    """

    key: str
    n: int
    first: int
    last: int
    slope: float  # doublings a year
    start: float  # log2 of the value in year 0
    wide: float  # half the interval of the slope
    years: tuple[float, float]  # mean of the years, and the sum of their squared distances from it
    noise: float  # half the interval of one mean value at the middle of the years, in doublings, times sqrt(n)

    @property
    def doubling(self) -> float:
        """Return the doubling time in years."""
        return 1 / self.slope

    @property
    def low(self) -> float:
        """Return the shortest doubling time in the interval."""
        return 1 / (self.slope + self.wide)

    @property
    def high(self) -> float:
        """Return the longest doubling time in the interval."""
        return 1 / (self.slope - self.wide) if self.clear else math.inf

    @property
    def clear(self) -> bool:
        """Tell whether there is growth at all, as far as the interval goes."""
        return self.slope > self.wide

    def line(self, year: float) -> tuple[float, float, float]:
        """Return the fitted value in a year, and the lower and upper end of its interval."""
        middle = self.start + self.slope * year
        mean, spread = self.years
        half = self.noise * math.sqrt(1 / self.n + (year - mean) ** 2 / spread)
        return 2**middle, 2 ** (middle - half), 2 ** (middle + half)

    def year_of(self, value: float) -> float:
        """Return the year in which the fitted line passes a value."""
        return (math.log2(value) - self.start) / self.slope


def fit(points: Sequence[tuple[int, float]], key: str = "") -> Fit | None:
    """Return the line through (year, value); None where the machines are too few or too close in time."""
    years = [year for year, _ in points]
    if len(points) < _LEAST_MACHINES or max(years) - min(years) < _LEAST_YEARS:
        return None
    from scipy.special import stdtrit  # scipy.stats has all of this, and takes half a second to import

    logs = [math.log2(value) for _, value in points]
    mean, middle = math.fsum(years) / len(years), math.fsum(logs) / len(logs)
    spread = math.fsum((year - mean) ** 2 for year in years)
    slope = math.fsum((year - mean) * log for year, log in zip(years, logs, strict=True)) / spread
    start = middle - slope * mean
    missed = math.fsum((log - start - slope * year) ** 2 for year, log in zip(years, logs, strict=True))
    free = len(points) - 2
    wide = float(stdtrit(free, (1 + _SURE) / 2)) * math.sqrt(missed / free / spread)
    return Fit(
        key=key,
        n=len(points),
        first=min(years),
        last=max(years),
        slope=slope,
        start=start,
        wide=wide,
        years=(mean, spread),
        noise=wide * math.sqrt(spread),
    )


def fits(found: Iterable[Reading]) -> dict[str, Fit]:
    """Return the fits over the readings that count, by key, as far as there are enough."""
    counted = [reading for reading in found if reading.counts]
    made = {key: fit(_points(counted, key), key) for key in KEYS}
    return {key: one for key, one in made.items() if one}


def _points(found: Iterable[Reading], key: str) -> list[tuple[int, float]]:
    pairs = ((reading.machine.year, reading.values[key]) for reading in found)
    return [(year, value) for year, value in pairs if value is not None]


# --- when a class of machines leaves a reuse behind


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing:
    """When a class passed a reuse: from `since` on every machine of it wants more; `last` is the last that did not."""

    group: str
    last: Machine
    since: int


def crossing(found: Iterable[Reading], group: str, value: float) -> Crossing | None:
    """Return when a class passed a value; None where it never did, or began above it."""
    inside = [reading for reading in found if reading.counts and class_of(reading.machine) == group]
    asked = [(reading.machine, reading.values["examples_per_fetch"]) for reading in inside]
    below = [machine for machine, examples in asked if examples is not None and examples <= value * (1 + _TIED)]
    if not below:
        return None
    last = max(below, key=lambda machine: machine.year)
    later = [machine.year for machine, examples in asked if examples is not None and machine.year > last.year]
    return Crossing(group=group, last=last, since=min(later)) if later else None
