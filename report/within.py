"""What is inconsistent within one row whose fields are each in order: balances, shares of heads, sums, growth rates.

Each check takes a row and returns where and what; the place is a key of the row, or one of its peaks (peak.bf16).
Leaves out: what rows owe each other (report/between.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from model.bounds import indivisible
from model.machine import Machine
from model.network import Network, count
from model.records import Constant, Run, Trend

# No machine ever built is outside these balances, in FLOP/B: a slip of a prefix is.
BALANCE = (1e-4, 1e5)
# Nothing of computers has doubled faster, and what doubles slower hardly grows, in years: a slip of a digit is outside.
DOUBLING = (0.2, 20.0)
AGREED = 0.05  # of a doubling time: that stated, to two digits, and that which follows from the growth
# Rounding of printed rates: the dense one is half of the sparse one within this fraction.
HALF = 0.005

# What makes the shape of a transformer, and what the feed-forward parts of one with experts have in the place of d_ff.
SHAPE = ("d", "L", "heads", "kv_heads", "head_dim", "d_ff", "vocab")
_EXPERTS = ("experts", "top_k", "expert_d_ff")

Fault = tuple[str, str]  # the key of the row at which it is told ('': at its id), and what is wrong


def _machine(row: Machine) -> list[Fault]:
    """Return what is inconsistent in a machine whose fields are each in order."""
    if row.balance_format not in row.peak:
        peaks = ", ".join(row.peak)
        return [("balance_format", f"balance_format '{row.balance_format}' is not among its peaks ({peaks})")]
    found = _balances(row)
    for name, peak in row.peak.items():
        if peak.sparse and abs(2 * peak.value / peak.sparse - 1) > HALF:
            found.append(
                (f"peak.{name}", f"its {name} peak {peak.text} is not half of the sparse rate that its maker prints")
            )
    return found


def _balances(row: Machine) -> list[Fault]:
    """Return the balances out of all reason: of one format at its peaks, of several at the bandwidth they share."""
    low, high = BALANCE
    every = {name: peak.value / row.bandwidth.value for name, peak in row.peak.items()}
    odd = {name: balance for name, balance in every.items() if not low <= balance <= high}
    if not odd:
        return []
    first = next(iter(odd))
    others = len(odd) - 1
    more = f", and at {others} more format{'s' if others > 1 else ''}" if others else ""
    said = f"a balance of {odd[first]:.3g} FLOP/B at {first}{more}; check peak and bandwidth, and their prefixes"
    return [("bandwidth" if others else f"peak.{first}", said)]


def _network(row: Network) -> list[Fault]:
    try:
        count(row)
    except ValueError as error:
        return [("", str(error))]
    return [*_weaker(row), *_shape(row), *_shares(row)]


def _shape(row: Network) -> Iterator[Fault]:
    """Yield what a transformer lacks; a network of layers has no such shape, nor one of which nothing is public."""
    whole = (
        SHAPE
        if all(getattr(row, key) is None for key in _EXPERTS)
        else (*(key for key in SHAPE if key != "d_ff"), *_EXPERTS)
    )
    there = [key for key in (*SHAPE, *_EXPERTS) if getattr(row, key) is not None]
    if not there or row.layers or row.parameters is not None:
        return
    for key in whole:
        if getattr(row, key) is None:
            yield "", f"the key '{key}' is missing; a transformer that has '{there[0]}' has {', '.join(whole)}"


def _shares(row: Network) -> Iterator[Fault]:
    """Yield which heads do not share out what they should: the width, unless the row gives theirs, or the heads."""
    own = row.head_dim is not None or row.latent is not None
    for part, few, whole, many in (
        ("heads", None if own else row.heads, "d", row.d),
        ("kv_heads", row.kv_heads, "heads", row.heads),
    ):
        right = indivisible(few, many) if few and many else None
        if right:
            yield part, f"{few} {part} do not divide {whole}, {many}; {right}"


def _weaker(row: Network | Run) -> list[Fault]:
    """Return the numbers whose weaker sources are named, but which the row does not hold."""
    return [
        ("weaker", f"'weaker' names '{name}', which the row does not hold")
        for name in row.weaker
        if getattr(row, name) in (None, "", ())
    ]


def _constant(row: Constant) -> list[Fault]:
    wanted = row.value if row.itemised_total is None else row.itemised_total
    total = sum(item.value for item in row.items)
    if row.items and abs(total - wanted) > 1e-9 * wanted:
        return [("items", f"its items sum to {total:g}, not to {wanted:g}")]
    if row.itemised_total is not None and not row.rounding:
        return [("itemised_total", "itemised_total differs from value; say why under 'rounding'")]
    said = f"its value {row.value:g} is outside low to high"
    if row.value < row.low:
        return [("low", f"{said}: 'low' is above it")]
    return [("high", f"{said}: 'high' is below it")] if row.value > row.high else []


def _trend(row: Trend) -> list[Fault]:
    """Return what is out of reason in a growth rate: its doubling time, or the years over which it was seen."""
    found: list[Fault] = []
    for one, other in (("growth", "years"), ("of", "over")):
        left, right = getattr(row, one), getattr(row, other)
        if (left is None) is not (right is None):
            there, lacking = (one, other) if right is None else (other, one)
            found.append((there, f"'{there}' stands without '{lacking}', and either alone says nothing"))
    if row.growth is not None and row.growth <= 1:
        said = f"a growth of {row.growth:g} times is none; a rate that falls is written the other way round"
        return [("growth", said)]
    follows = row.years * math.log(2) / math.log(row.growth) if row.growth and row.years else None
    low, high = DOUBLING
    stated, implied = ("doubling", "'doubling' says", row.doubling), ("growth", "'growth' and 'years' say", follows)
    for key, what, time in (stated, implied):
        if time is not None and not low <= time <= high:
            found.append((key, f"{what} that it doubles in {time:.3g} years, out of all reason; check the number"))
    if row.doubling and follows and abs(row.doubling / follows - 1) > AGREED and not found:
        said = f"'doubling' says {row.doubling:g} years, but 'growth' and 'years' come to {follows:.3g}"
        found.append(("doubling", said))
    if row.start and row.end and row.start > row.end:
        found.append(("start", f"it starts in {row.start}, after its end in {row.end}"))
    return found


CHECKS: Mapping[str, Callable[[Any], list[Fault]]] = {
    "machines": _machine,
    "networks": _network,
    "constants": _constant,
    "runs": _weaker,
    "trends": _trend,
}
