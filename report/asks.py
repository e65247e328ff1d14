"""Questions to the model as prose writes them: T_min(machine="h100-sxm5", network="generic-7b") and live.T_min.

A pinned number names every key of the scenario that its answer rests on, so that no default changes it silently, and
no key that changes nothing. Leaves out: what is done with the numbers (report/numbers.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from model.formula import Formula, Given
from model.scenario import DEFAULT, QUIET, ScenarioError
from report.asking import AuthorError
from report.conditions import BAD, Bad
from report.described import describe, real, resolved
from report.desk import Desk
from report.errors import Near, nearest
from report.numbers import Num
from report.questions import Asked
from report.tool import refuse

Keys: TypeAlias = tuple[tuple[str, str | float], ...]  # of a question, each with its value
Found = TypeVar("Found")

# Keys that choose among inputs, and which inputs they choose: naming one is of use where such an input is touched.
SELECTS: Mapping[str, frozenset[str]] = {
    "format": frozenset({"format", "peak", "b_w", "weight_bytes", "element_bytes"}),
    "update": frozenset({"b_w"}),
    "network": frozenset({"b_w"}),  # it says how its weights are usually updated
    "fabric": frozenset({"fabric"}),
    "gated": frozenset({"mlp_matrices"}),
    "tied": frozenset({"embeddings"}),
}


def _asked(
    desk: Desk, key: str, given: Mapping[str, object], make: Callable[[Keys], Found], *more: AuthorError
) -> Found | list[AuthorError]:
    """Return what is made of a question's keys, or else all that is wrong with it and was not told yet: more, too."""
    fit, wrong = _fit(desk, key, given)
    world = desk.setting.world
    if more or len(fit) < len(given):
        return [*more, *wrong, *world.faults(dict(fit), whole=False)]
    try:
        return make(fit)
    except AuthorError as error:
        return list(world.faults(dict(fit))) if isinstance(error.__cause__, ScenarioError) else [error]


def _fit(desk: Desk, key: str, given: Mapping[str, object]) -> tuple[Keys, list[AuthorError]]:
    """Return the keys of a question as the model takes them, texts or floats, and what is wrong with the others."""
    found: list[tuple[str, str | float]] = []
    wrong: list[AuthorError] = []
    for name, value in sorted(given.items()):
        if isinstance(resolved(value), Bad):
            continue
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            said = f"{key}: {name} is {describe(value)}"
            wrong.append(AuthorError(said, "a key takes a name in quotes or a number"))
            continue
        found.append((name, value if isinstance(value, str) else real(value)))
    desk.given |= {value for _, value in found if isinstance(value, float)}
    return tuple(found), wrong


class Ask:
    """A quantity's name in prose: T_min(machine="h100-sxm5", network="generic-7b") is a pinned number."""

    def __init__(self, desk: Desk, key: str) -> None:
        self._desk, self._key = desk, key

    def __call__(self, *arguments: object, **given: object) -> Num:
        """Return the pinned number; it must name every key that it depends on, and none that it does not."""
        desk, key = self._desk, self._key
        bare = [AuthorError(f"{key} takes keys only", f'write {key}(machine="...")')] if arguments else []
        found = _asked(desk, key, given, self._pinned, *bare)
        if isinstance(found, Asked):
            return found
        for error in found:
            desk.fail(f"{key}: {error.message}" if key not in error.message else error.message, error.hint)
        return BAD

    def _pinned(self, keys: Keys) -> Asked:
        found = Asked(self._desk.setting.world, self._key, keys, False)
        _check(found)
        return found

    def say(self) -> str:
        """Return the bare name."""
        return self._key

    def bare(self, *_: object) -> Bad:
        """Note that the name stands where its number belongs."""
        key = self._key
        near = Near(key, 0, len(key))
        return self._desk.fail(f"{key} is a name, not a number", f'write {key}(machine="...") or live.{key}', near=near)

    __hash__ = object.__hash__


refuse(Ask, Ask.bare)


@dataclass(frozen=True, eq=False, repr=False)
class LiveAsk(Asked):
    """A quantity that follows the reader: live.T_min, or with some keys held fast: live.T_min(T=512)."""

    desk: Desk

    def __call__(self, *arguments: object, **given: object) -> Num:
        """Return the live number with the given keys held fast."""
        key = self.key
        bare = [AuthorError(f"live.{key} takes keys only", f"write live.{key}(T=512)")] if arguments else []
        found = _asked(self.desk, key, given, self._held, *bare)
        if isinstance(found, Asked):
            return found
        for error in found:
            self.desk.listen(error)
        return BAD

    def _held(self, keys: Keys) -> LiveAsk:
        found = follow(self.desk, self.key, keys)
        found.answer()
        return found


def follow(desk: Desk, key: str, given: Keys = ()) -> LiveAsk:
    """Return a quantity on the reader's scenario, some keys held fast."""
    return LiveAsk(desk.setting.world, key, given, True, desk)


class Unasked(Ask):
    """A quantity's name where there is nothing to ask: whatever is asked stands as a mistake that was told."""

    def __call__(self, *_: object, **given: object) -> Num:
        """Return what stands for a mistake; it must name rows that there are."""
        for key in ("machine", "network"):
            rows, name = getattr(self._desk.setting.catalogue, f"{key}s", {}), given.get(key)
            if rows and isinstance(name, str) and name not in rows:
                self._desk.fail(f"unknown {key} '{name}'", nearest(name, rows))
        return BAD


class Live:
    """What prose calls `live`: the quantities on the reader's scenario; itself neither number nor condition."""

    cond = None

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def say(self) -> str:
        """Return what messages call it."""
        return "live"

    def __getattr__(self, key: str) -> Num:
        if key.startswith("_"):
            raise AttributeError(key)
        quantities = self._desk.setting.world.quantities
        if key not in quantities:
            return self._desk.fail(f"live.{key}: there is no quantity '{key}'", nearest(key, quantities))
        if self._desk.setting.blind:
            return BAD
        return follow(self._desk, key)


def touched(asked: Asked) -> Mapping[str, Given]:
    """Return the inputs on which the value of a question's answer depends.

    Inputs that a formula merely needs to exist (a pole needs a width, whatever it is) are left out.
    """
    found: dict[str, Given] = {}
    stack = [asked.answer()]
    while stack:
        answer = stack.pop()
        if answer.given is not None:
            found[answer.quantity.key] = answer.given
        unused = idle(answer.formula) if answer.formula else frozenset()
        stack.extend(part for part in answer.inputs if part.quantity.key not in unused)
    return found


def idle(formula: Formula) -> frozenset[str]:
    """Return the inputs that a formula needs without using them."""
    parts = (formula.expr, *(guard for guard, _ in formula.guards))
    used = {letter.name for part in parts for letter in part.free_symbols}
    return frozenset(quantity.key for quantity in formula.needs) - used


def _check(asked: Asked) -> None:
    """Raise AuthorError where a pinned number leaves a key to the default, or names one that changes nothing."""
    leaves = touched(asked)
    missing = sorted({_owner(key, given) for key, given in leaves.items() if given.default})
    if missing:
        raise AuthorError(
            f"{asked.say()} does not name {' and '.join(missing)}, on which it depends",
            f"a pinned number names every key that it touches, such as {', '.join(map(_usual, missing))}",
        )
    for key, _ in asked.given:
        if not _matters(asked, key, asked.answer().leaves()):
            raise AuthorError(f"{asked.say()} names {key}, which changes nothing", f"leave {key} out")


def _usual(key: str) -> str:
    """Return how a pinned number names what the report starts from."""
    value = DEFAULT.get(key, QUIET.get(key))
    return f'{key}="{value}"' if isinstance(value, str) else f"{key}={value:g}" if value is not None else key


def _owner(key: str, given: Given) -> str:
    """Return which key of a scenario would have set an input."""
    if given.status == "default":
        return key
    if given.row.startswith("networks/") or key in ("attention", "family"):
        return "network"
    return "machine"


def _matters(asked: Asked, key: str, leaves: Mapping[str, Given]) -> bool:
    if key in leaves or SELECTS.get(key, frozenset()) & set(leaves):
        return True
    fewer = tuple(part for part in asked.given if part[0] != key)
    try:
        return Asked(asked.world, asked.key, fewer, False).answer().leaves() != leaves
    except AuthorError:
        return True  # without the key the question makes no sense
