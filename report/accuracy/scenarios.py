"""A published run as a question to the model: its scenario, or the fields that its row lacks for one.

A network outside the catalogue is taken for a GPT of the run's width, depth and parameters: four times as wide inside
unless the row says otherwise, the rest of its parameters in one tied embedding. Leaves out: what is asked about it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from model.book import ask
from model.machine import Machine
from model.records import Catalogue, Run
from report.given import base

Scenario = Mapping[str, str | float]
# What a row needs for a ceiling -> how its absence is told.
NEEDED: Mapping[str, str] = {
    "share": "a share of peak, or a rate of tokens",
    "shape": "the shape of the network",
    "micro_batch": "the micro-batch",
    "s": "the length of a sequence",
}
# How much of attention's operations a row counts; where nobody says, it is read as in full.
COUNTED: Mapping[str, float] = {"full": 1.0, "halved": 0.5, "none": 0.0, "unsaid": 1.0}
# What was computed again: the word of the verdict -> what the model takes the tape to keep.
POLICIES: Mapping[str, str] = {"none": "store-all", "part": "selective", "full": "inputs", "unsaid": "store-all"}


def missing(run: Run) -> tuple[str, ...]:
    """Return what a run's row lacks for a ceiling, as keys of NEEDED."""
    shaped = run.network is not None or (not run.moe and run.d is not None and run.L is not None)
    known = {
        "share": any(value is not None for value in (run.mfu, run.hfu, run.tokens)),
        "shape": shaped,
        "micro_batch": run.micro_batch is not None,
        "s": run.s is not None,
    }
    return tuple(name for name in NEEDED if not known[name])


def recompute(run: Run) -> str:
    """Return how much of the forward pass a run computed twice: none, part, full, or unsaid."""
    if not run.recompute:
        return "unsaid"
    return run.recompute if run.recompute in ("none", "full") else "part"


def number_format(run: Run, machine: Machine) -> str:
    """Return the format whose peak a run's share is of; 16 bits are 16 bits."""
    name = run.peak_format or {"mxfp8": "fp8"}.get(run.precision, run.precision)
    return "bf16" if name == "fp16" and "fp16" not in machine.peak else name


def scenario(run: Run, catalogue: Catalogue, at: str) -> dict[str, str | float]:
    """Return the scenario of a run whose fields are all known, at the peak of a number format."""
    found: dict[str, str | float] = {"machine": run.machine, "format": at, "form": "plain"}
    found |= {"policy": POLICIES[recompute(run)], "attention_counted": COUNTED[run.attention]}
    found |= dict(_split(run)) | _network(run, catalogue)
    visit = ask("run_visit", base(catalogue, found)).value
    return found if visit is None else found | {"T": visit}


def _split(run: Run) -> Iterator[tuple[str, float]]:
    """Yield how a run is divided over its devices, as far as its row says."""
    names = {"s": run.s, "sequences": run.micro_batch, "cp": run.cp, "tp": run.tp, "pp": run.pp, "ep": run.ep}
    for name, value in {**names, "devices": run.devices}.items():
        if value is not None:
            yield name, float(value)
    if (count := micro_batches(run)) is not None:
        yield "micro_batches", count


def replicas(run: Run) -> float | None:
    """Return how many copies of the network share the batch; None where the row does not say."""
    if run.dp:
        return float(run.dp)
    return run.devices / ((run.tp or 1) * (run.pp or 1) * (run.cp or 1)) if run.devices else None


def micro_batches(run: Run) -> float | None:
    """Return the micro-batches of a step on one replica; None where they are not known, or no whole number."""
    if run.accumulation:
        return float(run.accumulation)
    ranks = replicas(run)
    if not run.batch or not run.micro_batch or not ranks:
        return None
    count = run.batch / (ranks * run.micro_batch)
    return count if count.is_integer() else None


def _network(run: Run, catalogue: Catalogue) -> dict[str, str | float]:
    if run.network:
        # A published count is of all parameters; of a mixture each token uses a part, which the shape tells.
        return {"network": run.network} | ({} if run.moe else {"active_params": run.params})
    shape: dict[str, str | float] = {"network": "own", "tied": "1", "active_params": run.params}
    shape |= {key: float(value) for key in ("d", "L", "heads", "d_ff") if (value := getattr(run, key)) is not None}
    inside = ask("layer_params", base(catalogue, shape)).value or 0.0
    return shape | {"vocab": max(1.0, round((run.params - inside) / float(run.d or 1)))}
