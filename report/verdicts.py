"""What is said of a claim's verdict over the ranges of its inputs: where it turns, how often, whether it is a near tie.

Leaves out: how that is found (report/robust.py). templates/static/records.js says the same of the reader's scenario.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from report import memory, rounding
from report.alike import identity
from report.asking import Scenario
from report.cards import Maker
from report.conditions import Cond
from report.digits import label
from report.inputs import Input, spots_of
from report.memory import Same, remembered
from report.robust import NEAR, Flip, Robust, robust

_FEW = 0.095
Written: TypeAlias = Callable[[float, rounding.Label, int], str]


@dataclass(frozen=True)
class Verdict:
    """A condition on a reader's scenario, or that which the report opens with, and what its inputs' ranges do to it."""

    cond: Cond
    maker: Maker
    reader: Scenario = field(default_factory=dict)

    @remembered
    def inputs(self) -> tuple[Input, ...]:
        """Return what the condition rests on."""
        return self.maker.rests(self.cond.sides(), self.reader)

    @remembered
    def robust(self) -> Robust:
        """Return how the verdict fares over the ranges."""
        return robust(self.cond, list(spots_of(self.inputs)), self.maker.asker, self.reader)

    @remembered
    def near(self) -> bool:
        """Tell whether the two sides of the nearest comparison are at the point of changing places."""
        margin = self.cond.margin(self.reader)
        return margin is not None and abs(margin) < NEAR

    def told(self) -> dict[str, Any]:
        """Return all of it as texts, for a page."""
        return self._texts

    @remembered
    def _texts(self) -> dict[str, Any]:
        found = self.robust
        return {
            "near": self.near,
            "over": found.over,
            "share": share(found.share) if found.over in ("together", "flips") else "",
            "flips": [_told(self._of(flip), flip) for flip in found.flips],
        }

    def data(self) -> dict[str, Any]:
        """Return all of it as data: over_range says whether the verdict holds, or at which input it flips."""
        found = self.robust
        flips = [_data(self._of(flip), flip) for flip in found.flips]
        return {
            "near_tie": self.near,
            "over_range": {"verdict": found.over, "share_of_draws": found.share, "flips_at": flips},
        }

    def _of(self, flip: Flip) -> Input:
        return self.inputs[spots_of(self.inputs)[flip.spot]]


def verdict(cond: Cond, maker: Maker) -> Verdict:
    """Return the verdict of a condition on the scenario that the report opens with; it is worked out once."""
    if not memory.active():
        found: Verdict = maker.verdicts.setdefault(cond, Verdict(cond, maker))
        return found
    return memory.recalled("verdict", (identity(cond), Same(maker)), lambda: Verdict(cond, maker))


def share(part: float) -> str:
    """Return a share of the draws in percent, as far as they can tell; nothing for none."""
    return rounding.percent(part, 1 if part < _FEW else 2) if part else ""


def _told(part: Input, flip: Flip) -> dict[str, Any]:
    words, (_, value, low, high) = label(part.unit), flip.spot
    return {
        "symbol": part.symbol,
        "label": part.label,
        "says": part.says,
        "rises": flip.rising,
        "to": apart(flip.value, value, words, rounding.bare),
        "stands": apart(value, flip.value, words, rounding.amount),
        "low": rounding.bare(low, words, 3),
        "high": rounding.bare(high, words, 3),
    }


def apart(value: float, other: float, words: rounding.Label, written: Written) -> str:
    """Return an amount with as many digits as it takes to tell it from another one, three to six."""
    digits = (n for n in (3, 4, 5) if rounding.amount(value, words, n) != rounding.amount(other, words, n))
    return written(value, words, next(digits, 6))


def _data(part: Input, flip: Flip) -> Mapping[str, Any]:
    row, value, low, high = flip.spot
    return {
        "input": part.key,
        "row": row,
        "unit": "" if part.unit is None else str(part.unit),
        "stands_at": short(value),
        "low": short(low),
        "high": short(high),
        "flips_at": short(flip.value),
    }


def short(value: float) -> float:
    """Return a number with six digits: where a verdict flips is not known to more."""
    return float(f"{value:.6g}")
