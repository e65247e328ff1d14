"""What each published run measured beside the model's ceiling at the run's own shape, batch and sharding.

A share of peak is read three ways: as printed; in useful operations (the model's own, attention halved by its mask);
in executed ones (useful ones and those done twice). The ceiling bounds what is executed. Leaves out: the verdict.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from model.book import ask
from model.formula import Base, Memo
from model.records import Catalogue, Run
from report.accuracy import scenarios
from report.accuracy.scenarios import Scenario
from report.given import base
from report.memory import Same, recalled

WAYS = {"executed": "operations executed", "useful": "operations of the model", "printed": "as printed"}
_ASKED: tuple[str, ...] = ("T", "d", "beta", "P_a", "P_r", "params", "layer_params", "T_min", "elementwise_tax", "a")
_ASKED += ("weight_stall", "utilization_ceiling", "useful_ceiling", "causal_share", "counted_flops", "recompute_share")
_ASKED += ("pipeline_bubble", "peak")


Answers = Mapping[str, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """A run against the peak of one number format: what it measured each way, and what the model allows."""

    format: str
    scenario: Scenario
    values: Answers  # what the model answers, by key
    states: Mapping[str, str | None]
    kind: str  # MFU or HFU: what is printed
    printed: float
    derived: bool  # printed is not printed: it follows from the tokens of a second, attention counted in full
    useful: float
    executed: float

    @property
    def ceiling(self) -> float:
        """Return the most of the peak that the model allows, in executed operations."""
        return self.values["utilization_ceiling"] or 0.0

    @property
    def useful_ceiling(self) -> float:
        """Return the most of the peak that the model allows, in operations of the model."""
        return self.values["useful_ceiling"] or 0.0

    def bound(self, way: str) -> float:
        """Return the ceiling that a way of reading is held against: what is printed as MFU holds no second runs."""
        useful = way == "useful" or (way == "printed" and self.kind == "MFU")
        return self.useful_ceiling if useful else self.ceiling

    def ratio(self, way: str = "executed") -> float:
        """Return measured over ceiling, read one of the ways: above one, the run beats the model's bound."""
        return float(getattr(self, way)) / self.bound(way)

    @property
    def binds(self) -> str:
        """Return what sets the ceiling beside arithmetic: weights, where their bytes take longer than products."""
        return "weights" if (self.values["weight_stall"] or 0.0) > 1 else "arithmetic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A run of the catalogue: against its own peak, at fp8 also against the 16-bit one; or what its row lacks."""

    run: Run
    machine: str  # what a figure calls it
    missing: tuple[str, ...] = ()
    own: Against | None = None
    other: Against | None = None

    @property
    def size(self) -> str:
        """Return the class of its size."""
        return next(name for name, (_, high) in SIZES.items() if self.run.params < high)

    @property
    def recompute(self) -> str:
        """Return how much was computed twice."""
        return scenarios.recompute(self.run)


SIZES = {
    "below 1B": (0.0, 1e9),
    "1B to 10B": (1e9, 1e10),
    "10B to 100B": (1e10, 1e11),
    "100B and more": (1e11, float("inf")),
}


def readings(catalogue: Catalogue) -> tuple[Reading, ...]:
    """Return every run of the catalogue, in its order."""
    return tuple(
        recalled("run read", (Same(catalogue), name), partial(_named, name, catalogue)) for name in catalogue.runs
    )


def _named(name: str, catalogue: Catalogue) -> Reading:
    return reading(catalogue.runs[name], catalogue)


def reading(run: Run, catalogue: Catalogue) -> Reading:
    """Return one run against the model."""
    machine = catalogue.machines[run.machine]
    lacks = () if run.excluded else scenarios.missing(run)
    if lacks or run.excluded:
        return Reading(run=run, machine=machine.short, missing=lacks)
    at = scenarios.number_format(run, machine)
    if at not in machine.peak:
        return Reading(run=run, machine=machine.short, missing=("peak",))
    own = against(run, catalogue, at)
    eight = run.precision in ("fp8", "mxfp8")
    other = against(run, catalogue, "fp8" if at != "fp8" else "bf16") if eight and "fp8" in machine.peak else None
    return Reading(run=run, machine=machine.short, own=own, other=other)


def against(run: Run, catalogue: Catalogue, at: str) -> Against:
    """Return a run against the peak of a number format; its share is converted where it is of another peak."""
    machine = catalogue.machines[run.machine]
    scenario = scenarios.scenario(run, catalogue, at)
    values, states = _answers(base(catalogue, scenario))
    counted = run.peak or machine.peak[scenarios.number_format(run, machine)].value  # type: ignore[index]
    part = counted / machine.peak[at].value  # type: ignore[index]
    causal, again = values["causal_share"] or 1.0, 1 + (values["recompute_share"] or 0.0)
    printed, kind = _share(run, values, part), "MFU" if run.hfu is None else "HFU"
    mfu = part * run.mfu if run.mfu is not None else printed if kind == "MFU" else printed / again
    return Against(
        format=at,
        scenario=scenario,
        values=values,
        states=states,
        kind=kind,
        printed=printed,
        derived=run.hfu is None and run.mfu is None,
        useful=causal * mfu,
        executed=causal * (printed if kind == "HFU" else printed * again),
    )


def _share(run: Run, values: Answers, part: float) -> float:
    """Return the share of peak as printed, HFU before MFU, or as the tokens of a second give it."""
    if (told := run.hfu or run.mfu) is not None:
        return part * told
    return (run.tokens or 0.0) * (values["counted_flops"] or 0.0) / (values["peak"] or math.inf)


def _answers(given: Base) -> tuple[dict[str, float | None], dict[str, str | None]]:
    memo: Memo = {}
    found = {key: ask(key, given, memo) for key in _ASKED}
    return {key: one.value for key, one in found.items()}, {key: one.state for key, one in found.items()}
