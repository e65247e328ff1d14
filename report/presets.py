"""What becomes of a page's live numbers and claims when a reader picks another machine or network.

Every live number and claim is evaluated on each machine with the default network and on each network with the default
machine. A number that has no value on one of them stands in prose only inside a claim, whose variants can say why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from report.asking import HERE, Scenario
from report.claims import whole
from report.desk import Desk, OpenClaim, Printed
from report.errors import Problem
from report.shown import Shown


def of(catalogue: object) -> dict[str, Scenario]:
    """Return the presets of a reader: each machine, and each network, with all else at its default."""
    machines: Mapping[str, object] = getattr(catalogue, "machines", {})
    networks: Mapping[str, object] = getattr(catalogue, "networks", {})
    found: dict[str, Scenario] = {f"machine={name}": {"machine": name} for name in machines}
    return found | {f"network={name}": {"network": name} for name in networks}


def check(desk: Desk, placed: list[Printed]) -> dict[str, Mapping[str, int]]:
    """Return how each live claim fares on the presets; note live numbers in prose that may lack a value."""
    readers = {"the default": HERE, **desk.setting.presets}
    for printed in placed:
        if printed.live and printed.claim is None and printed.where == "text":
            _covered(desk, printed, readers)
    return {name: _tally(claim, placed, readers) for name, claim in desk.claims.items()}


def _covered(desk: Desk, printed: Printed, readers: Mapping[str, Scenario]) -> None:
    assert isinstance(printed.shown, Shown)
    for label, reader in readers.items():
        state = printed.shown.num.read(reader).state
        if state:
            message = f"{printed.shown.num.say()} has no value on {label} ({state})"
            hint = f'put the sentence into a claim with {{% otherwise "{state}" %}}'
            desk.problems.append(Problem(desk.path, printed.line, 0, message, hint))
            return


def _tally(claim: OpenClaim, placed: list[Printed], readers: Mapping[str, Scenario]) -> Mapping[str, int]:
    """Return on how many presets a live claim is true, false, or in which state."""
    cond = whole(claim)
    if cond is None or not cond.live:
        return {}
    shown = [number.shown for number in placed if number.claim is claim and number.when == "true" and number.live]
    nums = [part.num for part in shown if isinstance(part, Shown)]
    tally: Counter[str] = Counter()
    for reader in readers.values():
        states = [state for num in nums if (state := num.read(reader).state)]
        holds = cond.holds(reader)
        if holds is None:  # what decides it is missing: that state chooses the variant
            states += [state for num in cond.sides() if (state := num.read(reader).state)]
        tally[states[0] if states else {True: "true", False: "false", None: "undecided"}[holds]] += 1
    return dict(sorted(tally.items()))
