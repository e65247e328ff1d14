"""Which variants of a claim can never be shown, as none of its numbers can be in their state.

What a number may lack is read off the model: the guards of its formulas, and the inputs that it rests on. Leaves out:
whether a state occurs on a preset (report/presets.py); a reader may set more than presets do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from model.formula import STATES, Fork, Formula
from model.layers import BORNE_BY
from model.quantity import Quantity
from report.desk import Desk, OpenClaim
from report.errors import Near, Problem
from report.numbers import Num

_ALWAYS = frozenset({"true", "false", "unknown"})  # what overflows is unknown too


def check(desk: Desk, claim: OpenClaim, nums: Iterable[Num]) -> None:
    """Note each variant of a live claim for a state that none of its numbers can have."""
    quantities = desk.setting.world.quantities
    states = set(_ALWAYS)
    for asked in (one for num in nums for one in num.asked() if one.live):
        states |= may_be(quantities[asked.key])
    for state, _ in claim.variants:
        if state in STATES and state not in states:
            message = f"claim '{claim.name}': none of its numbers can be in the state '{state}'"
            hint = f"they can be: {', '.join(sorted(states - {'true', 'false'}))}"
            near = Near(f'otherwise "{state}"', 11, 11 + len(state))
            line, tag = claim.places[state]
            desk.problems.append(Problem(desk.path, line, 0, message, hint, near=near, tag=tag()))


@lru_cache(maxsize=1024)
def may_be(quantity: Quantity) -> frozenset[str]:
    """Return the states that the answer to a quantity may have: of its formulas, and of all that they ask for."""
    parts = {part.key: part for part in _below(quantity, set())}
    guards = {state for part in _below(quantity, set()) if isinstance(part, Formula) for _, state in part.guards}
    return frozenset(guards | {state for state, keys in BORNE_BY.items() if parts.keys() & set(keys)})


def _below(quantity: Quantity, seen: set[int]) -> Iterator[Quantity]:
    """Yield a quantity and each that it may be asked through, once; the branches of a fork share its key."""
    if id(quantity) in seen:
        return
    seen.add(id(quantity))
    yield quantity
    parts: tuple[Quantity, ...] = quantity.inputs if isinstance(quantity, Formula) else ()
    if isinstance(quantity, Fork):
        parts = (quantity.by, *quantity.branches.values())
    for part in parts:
        yield from _below(part, seen)
