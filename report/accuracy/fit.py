"""Which activation traffic and which kernel efficiency explain the measured runs best, and how sure that is.

The model with kernels that reach a share eta of the peak: 1/u = m / eta + a x, where m is the stall for weights (one
where they do not bind) and x the element-wise tax for each unit of a. Squares of the logarithms are least. Runs of
one source resemble each other, so that intervals count sources, not runs (a sandwich over clusters; Student's, 95 %).
Nothing here changes the model: a = 200 stays what the ledger itemises.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from report.accuracy.readings import Against, Reading

_SURE, _LEAST_RUNS, _LEAST_SOURCES = 0.95, 20, 3
_NONE = 1e-3
_START, _BOUNDS = (0.7, 100.0), ((0.05, 0.0), (1.0, 5000.0))
_SIXTEEN = ("bf16", "fp16")
# Which runs a fit explains -> what it is called, and which they are.
POPULATIONS: Mapping[str, tuple[str, Callable[[Reading, Against], bool]]] = {
    "all": ("all runs", lambda reading, own: True),
    "sixteen": ("at 16 bits", lambda reading, own: own.format in _SIXTEEN),
    "a100": ("A100 at 16 bits", lambda reading, own: "a100" in reading.run.machine and own.format in _SIXTEEN),
    "h100": ("H100 at 16 bits", lambda reading, own: "h100" in reading.run.machine and own.format in _SIXTEEN),
    "tpu": ("TPUs", lambda reading, own: reading.run.machine.startswith("tpu")),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """The best eta and a over n runs of so many sources, each with its interval; scatter is a factor."""

    key: str
    name: str
    n: int
    sources: int
    eta: tuple[float, float, float]  # value, low, high
    a: tuple[float, float, float]
    scatter: float


def points(readings: Iterable[Reading], key: str = "all") -> list[tuple[float, float, float, str]]:
    """Return (x, m, measured share, source) of the runs of a population, in operations executed."""
    _, wanted = POPULATIONS[key]
    return [
        (_tax(one.own), max(1.0, one.own.values["weight_stall"] or 1.0), one.own.executed, one.run.cited[0])
        for one in readings
        if one.own and wanted(one, one.own)
    ]


def _tax(own: Against) -> float:
    """Return the element-wise tax for each unit of a."""
    return (own.values["elementwise_tax"] or 0.0) / (own.values["a"] or math.inf)


def largest_a(readings: Iterable[Reading], way: str = "executed") -> tuple[float, Reading]:
    """Return the largest a that no run contradicts, kernels at full peak, and the run that sets it."""
    found = [
        ((1 / (own.executed if way == "executed" else own.printed) - max(1.0, own.values["weight_stall"] or 1.0)), one)
        for one in readings
        if (own := one.own)
    ]
    return min(((room / _tax(one.own), one) for room, one in found if one.own), key=lambda pair: pair[0])


def fit(readings: Iterable[Reading], key: str = "all") -> Fit | None:
    """Return the best fit over a population; None where runs or sources are too few to tell."""
    rows = points(readings, key)
    sources = sorted({row[3] for row in rows})
    if len(rows) < _LEAST_RUNS or len(sources) < _LEAST_SOURCES:
        return None
    import numpy as np
    from scipy.optimize import least_squares

    x, m, u = (np.array([row[place] for row in rows]) for place in range(3))
    found = least_squares(
        lambda p: np.log(u) + np.log(m / p[0] + p[1] * x), _START, bounds=_BOUNDS, x_scale=(0.1, 100.0)
    )
    half = _half_widths(np, found.jac, found.fun, [row[3] for row in rows], sources)
    eta, a = (float(value) for value in found.x)
    a = a if a > _NONE else 0.0  # the search stops just short of its bound
    return Fit(
        key=key,
        name=POPULATIONS[key][0],
        n=len(rows),
        sources=len(sources),
        eta=(eta, max(0.0, eta - half[0]), min(1.0, eta + half[0])),
        a=(a, max(0.0, a - half[1]), a + half[1]),
        scatter=math.exp(math.sqrt(float(np.mean(found.fun**2)))),
    )


def _half_widths(np: Any, jac: Any, missed: Any, source: list[str], sources: list[str]) -> tuple[float, float]:
    """Return half the interval of each parameter: a sandwich in which each source counts once."""
    from scipy.special import stdtrit

    bread = np.linalg.inv(jac.T @ jac)
    names, meat = np.array(source), np.zeros((2, 2))
    for one in sources:
        score = jac[names == one].T @ missed[names == one]
        meat += np.outer(score, score)
    free = len(sources) - 1
    spread = np.sqrt(np.diag(bread @ meat @ bread) * len(sources) / free)
    wide = float(stdtrit(free, (1 + _SURE) / 2))
    return wide * float(spread[0]), wide * float(spread[1])


def fits(readings: Iterable[Reading]) -> tuple[Fit, ...]:
    """Return the fits over all populations that bear one."""
    found = tuple(readings)
    return tuple(one for key in POPULATIONS if (one := fit(found, key)))
