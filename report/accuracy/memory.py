"""Whether each published run fits its devices: the capacity ledger on the run's own sharding, beside what it had.

Where a row does not say how the training state was shared, the run is asked at its worst (not shared) and at its
best (all of it shared over the replicas): no run may need more than it had at its best. The tape is counted where
the tokens of a visit are known. Leaves out: gathered layers, buffers, the allocator's waste, attention's logits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from model.book import ask
from model.formula import Memo
from model.records import Catalogue, Run
from report.accuracy import scenarios
from report.given import base
from report.memory import Same, recalled

# How a row names its sharding -> the stage of ZeRO that it comes to, and the bytes of state where they are not 16.
SHARDING: Mapping[str, int] = {
    "FSDP": 3,
    "FSDP, pure bf16": 3,
    "ZeRO-3": 3,
    "HSDP": 3,
    "FSDP, gradients and optimizer": 2,
    "ZeRO-2": 2,
    "ZeRO-1": 1,
    "data parallel": 0,
    "tensor, pipeline and data": 0,
}
_PURE = {"FSDP, pure bf16": 8.0}  # weights, gradients and both moments in two bytes, no master copy
_OFFLOADED = "ZeRO-3 + CPU offload"
NEVER, ALWAYS = 0, 3
# What the tape keeps at least: where a row names no more than "selective", that may be layer inputs alone.
_KEPT = {"none": "selective", "part": "inputs", "full": "inputs", "unsaid": "inputs"}
_SCORES_ALONE = "selective, with sequence parallelism"
WORDS = {
    "fits": "fits as stated",
    "either": "fits however it was shared",
    "shared": "fits if the state was shared",
    "not": "does not fit",
    "unknown": "cannot be asked",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What one device of a run must hold, in bytes: state and tape (None where unknown), beside its capacity.

    tape is the least that the row allows, whole the tape without any recompute; scores is one copy of the output
    scores at four bytes, which the ledger does not count.
    """

    run: Run
    verdict: str  # a key of WORDS
    zero: int | None = None
    state: float | None = None
    tape: float | None = None
    whole: float | None = None
    scores: float | None = None
    capacity: float | None = None
    tokens: float | None = None

    @property
    def share(self) -> float | None:
        """Return the need over the capacity."""
        if self.state is None or not self.capacity:
            return None
        return (self.state + (self.tape or 0.0)) / self.capacity


def needs(catalogue: Catalogue) -> tuple[Need, ...]:
    """Return what every run of the catalogue that was not set aside needs on each device."""
    return tuple(
        recalled("need", (Same(catalogue), name), partial(_named, name, catalogue))
        for name, run in catalogue.runs.items()
        if not run.excluded
    )


def _named(name: str, catalogue: Catalogue) -> Need:
    return need(catalogue.runs[name], catalogue)


def need(run: Run, catalogue: Catalogue) -> Need:
    """Return what one device of a run must hold, and whether it does."""
    machine = catalogue.machines[run.machine]
    shaped = run.network is not None or (not run.moe and run.d is not None and run.L is not None)
    if not run.devices or not shaped or machine.capacity is None or run.sharding == _OFFLOADED:
        return Need(run=run, verdict="unknown")
    stated = SHARDING.get(run.sharding)
    if stated is not None:
        found = _at(run, catalogue, stated)
        return Need(run=run, verdict="fits" if _fits(found) else "not", zero=stated, **found)
    worst, best = _at(run, catalogue, NEVER), _at(run, catalogue, ALWAYS)
    if _fits(worst):
        return Need(run=run, verdict="either", zero=NEVER, **worst)
    return Need(run=run, verdict="shared" if _fits(best) else "not", zero=ALWAYS, **best)


def _fits(found: Mapping[str, float | None]) -> bool:
    return (found["state"] or 0.0) + (found["tape"] or 0.0) <= (found["capacity"] or 0.0)


def _at(run: Run, catalogue: Catalogue, zero: int) -> dict[str, float | None]:
    """Return what a device holds, in bytes, at a stage of ZeRO, and the tokens of a visit."""
    known = not {"micro_batch", "s"} & set(scenarios.missing(run))
    scenario = scenarios.scenario(run, catalogue, catalogue.machines[run.machine].balance_format)
    kept = "selective" if run.recompute == _SCORES_ALONE else _KEPT[scenarios.recompute(run)]
    scenario |= {"zero": f"{zero}", "policy": kept}
    if (bytes_each := _PURE.get(run.sharding)) is not None:
        scenario["state_bytes_per_param"] = bytes_each
    memo: Memo = {}
    given = base(catalogue, scenario)
    keys = {"state": "state_per_device", "tape": "tape_per_device", "capacity": "capacity"}
    keys |= {"scores": "scores_bytes", "tokens": "T"}
    found = {name: ask(key, given, memo).value for name, key in keys.items()}
    found["whole"] = ask("tape_per_device", base(catalogue, scenario | {"policy": "selective"})).value
    return found if known else {**found, **dict.fromkeys(("tape", "whole", "scores", "tokens"))}
