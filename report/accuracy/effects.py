"""What the ceiling leaves out, as far as runs show it: more devices, emptier pipelines, narrow layers.

Runs that differ in one thing alone are set beside each other, so that the rest cancels. Leaves out: what no pair of
published runs can tell apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from model.records import Run
from report.accuracy import scenarios
from report.accuracy.memory import Need
from report.accuracy.readings import Reading

# A width from which on a class begins, in units of one: what it is called.
WIDTHS = {"up to 1,024": 1024, "1,025 to 2,048": 2048, "2,049 to 4,096": 4096, "4,097 to 8,192": 8192, "wider": 10**9}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two runs that differ in devices alone, fewer first; kept is what the second reaches of the first's share."""

    few: Reading
    many: Reading
    kept: float
    told: float | None = None  # what the pipeline's bubble alone would leave

    @property
    def more(self) -> float:
        """Return how many times more devices the second has."""
        return (self.many.run.devices or 1) / (self.few.run.devices or 1)


def _alike(one: Reading) -> tuple[object, ...]:
    run = one.run
    split = (run.tp, run.pp, run.cp, run.ep, run.sharding)
    return (run.model, run.machine, run.s, run.micro_batch, run.precision, run.recompute, run.cited, *split)


def pairs(readings: Iterable[Reading]) -> tuple[Pair, ...]:
    """Return, for each run that was made on several numbers of devices, the fewest beside the most."""
    found: dict[tuple[object, ...], list[Reading]] = {}
    for one in readings:
        if one.own and one.run.devices:
            found.setdefault(_alike(one), []).append(one)
    # Where two alike ran on the same devices, something differs that no row tells.
    clear = (group for group in found.values() if len({one.run.devices for one in group}) == len(group) > 1)
    ranked = (sorted(group, key=lambda one: one.run.devices or 0) for group in clear)
    return tuple(_pair(group[0], group[-1]) for group in ranked)


def _pair(few: Reading, many: Reading) -> Pair:
    assert few.own
    assert many.own
    shares = [1 / (1 + bubble) if (bubble := _bubble(one)) is not None else None for one in (few, many)]
    told = shares[1] / shares[0] if shares[0] and shares[1] and (few.run.pp or 1) > 1 else None
    return Pair(few=few, many=many, kept=many.own.executed / few.own.executed, told=told)


def _bubble(one: Reading) -> float | None:
    known = one.own is not None and scenarios.micro_batches(one.run) is not None
    return one.own.values["pipeline_bubble"] if known and one.own else None


def scaling(found: Iterable[Pair]) -> tuple[Pair, ...]:
    """Return the pairs without a pipeline: more devices change the fabric's part alone."""
    return tuple(pair for pair in found if pair.told is None and (pair.few.run.pp or 1) == 1)


def bubbles(found: Iterable[Pair]) -> tuple[Pair, ...]:
    """Return the pairs whose pipeline is emptier on more devices."""
    return tuple(pair for pair in found if pair.told is not None and pair.told < 1)


def widths(readings: Iterable[Reading]) -> dict[str, tuple[int, float, float]]:
    """Return by width: how many runs, the median share of peak that they executed, the median of their ceilings."""
    found: dict[str, list[Reading]] = {}
    for one in readings:
        if one.own:
            wide = one.own.values["d"] or 0.0
            found.setdefault(next(name for name, most in WIDTHS.items() if wide <= most), []).append(one)
    return {
        name: (
            len(found[name]),
            median(one.own.executed for one in found[name] if one.own),
            median(one.own.ceiling for one in found[name] if one.own),
        )
        for name in WIDTHS
        if name in found
    }


def bearing(readings: Iterable[Reading]) -> dict[str, int]:
    """Return how many measured runs bear on what the data hardly test."""
    own = [(one, one.own) for one in readings if one.own]
    below = [one for one, against in own if (against.values["T"] or 0.0) < (against.values["T_min"] or 0.0)]
    return {
        "all": len(own),
        "floor": len(below),
        "near_floor": sum((a.values["T"] or 0.0) < 4 * (a.values["T_min"] or 0.0) for _, a in own),
        "pole": sum(against.states["T_min"] == "no-batch" for _, against in own),
        "experts": sum(one.run.moe for one, _ in own),
        "weights": sum(against.binds == "weights" for _, against in own),
        "pipeline": sum((one.run.pp or 1) > 1 for one, _ in own),
        "tensor": sum((one.run.tp or 1) > 1 for one, _ in own),
        "eight": sum(against.format == "fp8" for _, against in own),
    }


def nearest_floor(readings: Iterable[Reading]) -> float:
    """Return the least tokens per visit that a run has, over its own weight-reuse floor."""
    found = [(one.own.values["T"], one.own.values["T_min"]) for one in readings if one.own]
    return min(tokens / floor for tokens, floor in found if tokens and floor)


def state_measured(needs: Iterable[Need]) -> float:
    """Return the bytes of state of a parameter that memory shows, in B: the median over pairs of runs.

    The same run on few devices and on many, its state shared by all of them: what is gone from each is state.
    """
    found: dict[tuple[object, ...], list[Need]] = {}
    for one in needs:
        run = one.run
        if run.peak_memory and run.devices:
            found.setdefault((run.model, run.s, run.micro_batch, run.precision, run.cp, run.recompute), []).append(one)
    sizes = []
    for group in found.values():
        ranked = sorted(group, key=lambda one: (one.run.devices or 0, one.run.peak_memory or 0.0))
        few = [one.run for one in ranked if one.run.devices == ranked[0].run.devices]
        many = [one.run for one in ranked if one.run.devices == ranked[-1].run.devices]
        if few != many and len(few) == len(many):
            # Two kinds of the same run, compiled and not, keep their order on any number of devices.
            sizes += [_gone(less, more) for less, more in zip(few, many, strict=True)]
    return median(sizes) if sizes else 0.0


def _gone(few: Run, many: Run) -> float:
    """Return the bytes of each parameter that more devices take from one."""
    shared = few.params * (1 / (few.devices or 1) - 1 / (many.devices or 1))
    return ((few.peak_memory or 0.0) - (many.peak_memory or 0.0)) / shared
