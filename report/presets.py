"""What becomes of a page's live numbers and claims when a reader picks another machine or network.

Every live number and claim is evaluated on each machine with the default network and on each network with the default
machine. A number that has no value on one of them stands in prose only inside a claim, whose variants say why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from model.formula import STATES
from report import memory, variants
from report.asking import HERE, Scenario
from report.claims import named, whole
from report.conditions import Cond
from report.desk import Desk, OpenClaim, Printed
from report.errors import Problem
from report.numbers import Num
from report.shown import Shown


def of(catalogue: object) -> dict[str, Scenario]:
    """Return the presets of a reader: each machine, and each network, with all else at its default."""
    machines: Mapping[str, object] = getattr(catalogue, "machines", {})
    networks: Mapping[str, object] = getattr(catalogue, "networks", {})
    found: dict[str, Scenario] = {f"machine={name}": {"machine": name} for name in machines}
    return found | {f"network={name}": {"network": name} for name in networks}


@dataclass(frozen=True, slots=True)
class _Fares:
    """How a page fares with one reader: the state of each open number, and what becomes of each live claim."""

    states: tuple[str | None, ...]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Claim:
    """A live claim: its condition, and the live numbers in its own sentence."""

    cond: Cond
    nums: tuple[Num, ...]


def check(desk: Desk, placed: list[Printed]) -> dict[str, Mapping[str, int]]:
    """Return how each live claim fares on the presets; note live numbers in prose that may lack a value."""
    readers = {"the default": HERE, **desk.setting.presets}
    open_ = [one for one in placed if one.live and one.claim is None and one.where == "text"]
    nums = [one.shown.num for one in open_ if isinstance(one.shown, Shown)]
    claims = {name: found for name, claim in desk.claims.items() if (found := _live(claim, placed))}
    for name, found in claims.items():
        if not desk.claims[name].lacking:
            variants.check(desk, desk.claims[name], (*found.nums, *found.cond.sides()))
    # Each reader apart: an edit to one machine is no reason to look at a page's numbers on all others.
    fares = {
        label: memory.recalled(
            "fares", (memory.Same(desk), label), partial(_fares, nums, [*claims.values()], reader), again=True
        )
        for label, reader in readers.items()
    }
    for index, printed in enumerate(open_):
        _covered(desk, printed, {label: one.states[index] for label, one in fares.items()})
    for index, name in enumerate(claims):
        _said(desk, desk.claims[name], {label: one.words[index] for label, one in fares.items()})
    tallies = [Counter(one.words[index] for one in fares.values()) for index in range(len(claims))]
    told = dict(zip(claims, tallies, strict=True))
    return {name: dict(sorted(told.get(name, {}).items())) for name in desk.claims}


def _covered(desk: Desk, printed: Printed, states: Mapping[str, str | None]) -> None:
    assert isinstance(printed.shown, Shown)
    for label, state in states.items():
        if state:
            message = f"{printed.shown.num.say()} has no value on {label} ({state})"
            hint = f'put the sentence into a claim with {{% otherwise "{state}" %}}'
            desk.problems.append(Problem(desk.path, printed.line, 0, message, hint))
            return


def _said(desk: Desk, claim: OpenClaim, words: Mapping[str, str]) -> None:
    """Note the states that a claim comes to with some readers and has no words for, unless it has another mistake."""
    said, unsaid = {state for state, _ in claim.variants}, dict[str, str]()
    for label, word in words.items():
        if word in STATES and word not in said:
            unsaid.setdefault(word, f"{label} ({word})")
    if unsaid and not any(f"claim '{claim.name}'" in one.message for one in desk.problems):
        message = f"claim '{claim.name}' has no value on {' or '.join(unsaid.values())}, and no words for that"
        hint = "write " + "".join(f'{{% otherwise "{state}" %}}...' for state in unsaid) + " before its end"
        desk.problems.append(Problem(desk.path, claim.line, 0, message, hint, near=named(claim.name)))


def _live(claim: OpenClaim, placed: Iterable[Printed]) -> _Claim | None:
    cond = whole(claim)
    if cond is None or not cond.live:
        return None
    shown = [number.shown for number in placed if number.claim is claim and number.when == "true" and number.live]
    return _Claim(cond, tuple(part.num for part in shown if isinstance(part, Shown)))


def _fares(nums: Iterable[Num], claims: Iterable[_Claim], reader: Scenario) -> _Fares:
    return _Fares(tuple(num.read(reader).state for num in nums), tuple(_word(claim, reader) for claim in claims))


def _word(claim: _Claim, reader: Scenario) -> str:
    """Return whether a live claim is true or false with a reader, or the state that is in its way."""
    states = [state for num in claim.nums if (state := num.read(reader).state)]
    holds = claim.cond.holds(reader)
    if holds is None:  # what decides it is missing: that state chooses the variant
        states += [state for num in claim.cond.sides() if (state := num.read(reader).state)]
    return states[0] if states else {True: "true", False: "false", None: "undecided"}[holds]
