"""The verdict in numbers: how often the bound holds, how tight it is, for all runs and for each class of them.

A class is one value of one trait: a size, a machine, a number format, how much was computed twice, MFU or HFU.
Measured over ceiling is read three ways (readings.WAYS); the bound holds where the ratio is at most one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import median, quantiles

from report.accuracy.readings import SIZES, Against, Reading

_FORMATS = {"bf16": "16 bits", "fp16": "16 bits"}
RECOMPUTE = {"none": "nothing", "part": "a part", "full": "every layer", "unsaid": "not said"}
# trait -> (how it is headed, the class of a reading).
TRAITS: Mapping[str, tuple[str, Callable[[Reading, Against], str]]] = {
    "size": ("Parameters", lambda reading, own: reading.size),
    "machine": ("Machine", lambda reading, own: reading.machine),
    "format": ("Peak of", lambda reading, own: _FORMATS.get(own.format, own.format)),
    "recompute": ("Computed twice", lambda reading, own: RECOMPUTE[reading.recompute]),
    "counted": ("Counted as", lambda reading, own: own.kind),
}
# Classes in an order of their own; others by the number of their runs.
_ORDERS: Mapping[str, tuple[str, ...]] = {"size": tuple(SIZES), "recompute": tuple(RECOMPUTE.values())}


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The measured runs of one class; ratios are measured over ceiling."""

    trait: str
    name: str
    readings: tuple[Reading, ...]

    def ratios(self, way: str = "executed") -> list[float]:
        """Return measured over ceiling of each run, read one of the ways."""
        return [reading.own.ratio(way) for reading in self.readings if reading.own]

    @property
    def key(self) -> str:
        """Return the class as prose and links name it: 10b-to-100b."""
        kept = "".join(letter if letter.isalnum() else " " for letter in self.name.lower())
        return "-".join(kept.split())

    @property
    def n(self) -> int:
        """Return how many runs there are."""
        return len(self.readings)

    def held(self, way: str = "executed") -> int:
        """Return for how many runs the bound holds."""
        return sum(ratio <= 1 for ratio in self.ratios(way))

    def median(self, way: str = "executed") -> float:
        """Return the median of measured over ceiling."""
        return median(self.ratios(way))

    def quartiles(self, way: str = "executed") -> tuple[float, float]:
        """Return between what the middle half of measured over ceiling lies."""
        ratios = self.ratios(way)
        if len(ratios) == 1:
            return ratios[0], ratios[0]
        low, _, high = quantiles(ratios, n=4, method="inclusive")
        return low, high

    def best(self, way: str = "executed") -> Reading:
        """Return the run that comes nearest to its ceiling."""
        return max(self.readings, key=lambda reading: reading.own.ratio(way) if reading.own else 0.0)


def measured(readings: Iterable[Reading]) -> Group:
    """Return all runs that could be set beside a ceiling."""
    return Group(trait="", name="all runs", readings=tuple(one for one in readings if one.own))


def classes(readings: Iterable[Reading], trait: str) -> tuple[Group, ...]:
    """Return the classes of a trait, as many as there are."""
    found: dict[str, list[Reading]] = {}
    for one in readings:
        if one.own:
            found.setdefault(TRAITS[trait][1](one, one.own), []).append(one)
    order = _ORDERS.get(trait)
    names = [name for name in order if name in found] if order else sorted(found, key=lambda name: -len(found[name]))
    return tuple(Group(trait=trait, name=name, readings=tuple(found[name])) for name in names)
