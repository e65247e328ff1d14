"""Single numbers of the evidence by name, for prose: how many runs bear on what, what limits the constants, memory.

A fact is worked out only when a page asks for it. Leaves out: classes of runs (verdict.py), fits (fit.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median

from report.accuracy import effects, fit, scenarios
from report.accuracy.book import Accuracy

TIGHT = 0.8  # of a device's memory


@dataclass(frozen=True, slots=True)
class Fact:
    """One number: how it is found, what it is, and whether it counts things."""

    find: Callable[[Accuracy], float]
    says: str
    counts: bool = True


def _bearing(name: str) -> Callable[[Accuracy], float]:
    return lambda known: effects.bearing(known.readings)[name]


def _lacking(name: str) -> Callable[[Accuracy], float]:
    return lambda known: sum(name in one.missing for one in known.readings)


def _fared(verdict: str) -> Callable[[Accuracy], float]:
    return lambda known: sum(one.verdict == verdict for one in known.needs)


def _kept(known: Accuracy) -> list[float]:
    return [pair.kept for pair in effects.scaling(known.pairs)]


def _width(place: int, part: int) -> Callable[[Accuracy], float]:
    return lambda known: list(effects.widths(known.readings).values())[place][part]


def _eight_beaten(known: Accuracy) -> float:
    return sum(one.other is not None and one.other.ratio() > 1 for one in known.readings)


def _measured(known: Accuracy) -> float:
    return sum(bool(one.run.peak_memory) for one in known.needs)


_HARDLY_TESTED: Mapping[str, str] = {
    "floor": "runs below their weight-reuse floor",
    "near_floor": "runs within four times their floor",
    "pole": "runs where no batch reaches the balance",
    "experts": "runs with experts",
    "weights": "runs whose ceiling weights set",
    "pipeline": "runs with a pipeline",
    "tensor": "runs with tensor parallelism",
    "eight": "runs against the peak of fp8",
}
_FARED: Mapping[str, str] = {
    "fits": "fits as the row says it was shared",
    "either": "fits however it was shared",
    "shared": "fits if the state was shared",
    "not": "does not fit",
    "unknown": "cannot be asked",
}
FACTS: Mapping[str, Fact] = {
    "rows": Fact(lambda known: len(known.readings), "runs in the catalogue"),
    "unasked": Fact(lambda known: sum(bool(one.missing) for one in known.readings), "runs that lack a field"),
    "excluded": Fact(lambda known: sum(bool(one.run.excluded) for one in known.readings), "runs set aside"),
    "derived": Fact(
        lambda known: sum(one.own is not None and one.own.derived for one in known.readings),
        "shares of peak worked out here from a rate of tokens",
    ),
    "eight_beaten": Fact(_eight_beaten, "runs at fp8 that pass the ceiling of the 16-bit peak"),
    **{f"without_{name}": Fact(_lacking(name), f"runs without {said}") for name, said in scenarios.NEEDED.items()},
    **{name: Fact(_bearing(name), said) for name, said in _HARDLY_TESTED.items()},
    "nearest_floor": Fact(
        lambda known: effects.nearest_floor(known.readings), "least tokens of a visit over their floor", counts=False
    ),
    "largest_a": Fact(lambda known: fit.largest_a(known.readings)[0], "largest a that no run contradicts", False),
    "largest_a_printed": Fact(
        lambda known: fit.largest_a(known.readings, "printed")[0], "largest a, shares as printed", counts=False
    ),
    "pairs": Fact(lambda known: len(_kept(known)), "runs made on few devices and on many, without a pipeline"),
    "scaling": Fact(lambda known: median(_kept(known)), "median share kept on more devices", counts=False),
    "scaling_worst": Fact(lambda known: min(_kept(known)), "least share kept on more devices", counts=False),
    "bubbles": Fact(lambda known: len(effects.bubbles(known.pairs)), "pairs of runs whose pipeline differs"),
    "bubble_missed": Fact(
        lambda known: max(abs(pair.kept / (pair.told or 1.0) - 1) for pair in effects.bubbles(known.pairs)),
        "largest distance of what a pipeline cost from what its bubble says",
        counts=False,
    ),
    "narrow": Fact(_width(0, 1), "median share of peak, narrowest networks", counts=False),
    "narrow_ceiling": Fact(_width(0, 2), "median ceiling, narrowest networks", counts=False),
    "wide": Fact(_width(-1, 1), "median share of peak, widest networks", counts=False),
    "wide_ceiling": Fact(_width(-1, 2), "median ceiling, widest networks", counts=False),
    "memory_rows": Fact(lambda known: len(known.needs), "runs asked for their memory"),
    **{f"memory_{word}": Fact(_fared(word), f"runs whose memory {said}") for word, said in _FARED.items()},
    "memory_measured": Fact(_measured, "peaks of memory that were measured"),
    "memory_tight": Fact(
        lambda known: sum((one.share or 0.0) > TIGHT for one in known.needs), "runs above four fifths of their memory"
    ),
    "fullest": Fact(
        lambda known: max(one.share or 0.0 for one in known.needs), "largest need over capacity", counts=False
    ),
    "state_bytes": Fact(
        lambda known: effects.state_measured(known.needs), "bytes of state a parameter, as measured", counts=False
    ),
}
