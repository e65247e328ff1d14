"""What moves an answer, ranked: elasticities, the answer at the ends of each input's range, and other choices.

For the command line (`python -m model T_min --sensitivity`), and for the page and figure that rank what matters most.
An input is moved alone. One number of the catalogue that is an input under two keys moves under both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from model.formula import Answer, Base, Given, Quantity, ask
from model.scenario import CHOICES
from model.sensitivity import Elasticity, elasticities

# Choices that come with inputs of their own, so that one word cannot be put for another.
_COUPLED = ("format", "update")


@dataclass(frozen=True, slots=True)
class Mover:
    """An input: its elasticity (none where the answer has no value), and the answer at the ends of its range."""

    quantity: Quantity
    given: Given
    elasticity: Elasticity | None
    ends: tuple[Answer, Answer] | None

    @property
    def moves(self) -> bool:
        """Tell whether it moves the answer at all."""
        ends = self.ends or ()
        return bool(self.elasticity and self.elasticity.size) or len({(end.value, end.state) for end in ends}) > 1


def movers(quantity: Quantity, base: Base) -> tuple[Mover, ...]:
    """Return the numbers on which an answer rests, the largest elasticity first; in the trace's order without one."""
    answer = ask(quantity, base)
    if answer.value:
        found = [(one.quantity, one.given, one) for one in elasticities(answer)]
        return tuple(Mover(*one, _ends(quantity, base, one[1])) for one in found)
    leaves = list(_leaves(answer))
    return tuple(Mover(part, given, None, _ends(quantity, base, given)) for part, given in leaves)


def _leaves(answer: Answer) -> Iterator[tuple[Quantity, Given]]:
    """Yield the numbers of a trace, each once."""
    seen: set[str] = set()
    stack = [answer]
    while stack:
        part = stack.pop()
        if part.given is not None and isinstance(part.given.value, float) and part.quantity.key not in seen:
            seen.add(part.quantity.key)
            yield part.quantity, part.given
        stack.extend(reversed(part.inputs))


def _ends(quantity: Quantity, base: Base, given: Given) -> tuple[Answer, Answer] | None:
    """Return the answers at the low and high end of an input's range, if it has one."""
    if given.low is None or given.high is None:
        return None
    return (moved(quantity, base, given, given.low), moved(quantity, base, given, given.high))


def moved(quantity: Quantity, base: Base, given: Given, value: float) -> Answer:
    """Return the answer when one number of the catalogue has another value."""
    same = {key: part for key, part in base.items() if (part.row, part.value) == (given.row, given.value)}
    return ask(quantity, {**base, **{key: replace(part, value=value) for key, part in same.items()}})


def choices(quantity: Quantity, base: Base) -> dict[str, tuple[str, dict[str, Answer]]]:
    """Return the choices behind an answer: what is chosen, and the answer under each other word."""
    found = {}
    for key, given in ask(quantity, base).leaves().items():
        if key in CHOICES and key not in _COUPLED and isinstance(given.value, str):
            others = [word for word in CHOICES[key] if word != given.value]
            answers = {word: ask(quantity, {**base, key: replace(given, value=word)}) for word in others}
            found[key] = (given.value, answers)
    return found


def as_json(quantity: Quantity, base: Base) -> dict[str, Any]:
    """Return the ranking as one JSON object; an elasticity is null where there is none."""
    others = choices(quantity, base)
    return {
        "sensitivity": [_row(one) for one in movers(quantity, base)],
        "choices": [
            {"key": key, "chosen": word, "others": {name: _answer(one) for name, one in found.items()}}
            for key, (word, found) in others.items()
        ],
    }


def _row(one: Mover) -> dict[str, Any]:
    low, high = one.ends or (None, None)
    return {
        "key": one.quantity.key,
        "elasticity": one.elasticity and (None if one.elasticity.kink else one.elasticity.above),
        "below": one.elasticity and one.elasticity.below,
        "above": one.elasticity and one.elasticity.above,
        "at_low": low and _answer(low),
        "at_high": high and _answer(high),
    }


def _answer(answer: Answer) -> dict[str, Any]:
    return {"value": answer.value, "state": answer.state}


Said = Mapping[str, str]


def as_lines(quantity: Quantity, base: Base, said: Any, amount: Any) -> list[str]:
    """Return the ranking as lines to read; said writes an answer, amount a value in a unit."""
    found = movers(quantity, base)
    moving = [one for one in found if one.moves]
    lines = ["", "what 1 % more of each input does, the others as they are, and the answer at the ends of its range"]
    lines += [_line(one, said, amount) for one in moving] or ["  nothing moves it"]
    if still := [one.quantity.key for one in found if not one.moves]:
        lines.append(f"  without influence here: {', '.join(still)}")
    others = choices(quantity, base)
    return lines + ["", "choices"] * bool(others) + list(_chosen(others, said))


def _line(one: Mover, said: Any, amount: Any) -> str:
    value = amount(one.given.value, one.quantity.unit)
    ends = ""
    if one.ends and one.given.low is not None and one.given.high is not None:
        low, high = amount(one.given.low, one.quantity.unit), amount(one.given.high, one.quantity.unit)
        ends = f"{said(one.ends[0])} at {low}, {said(one.ends[1])} at {high}"
    return f"  {one.quantity.key:22} {value:28} {percent(one.elasticity):18} {ends}".rstrip()


def percent(one: Elasticity | None) -> str:
    """Return an elasticity as what one percent more does; both directions at a kink."""
    if one is None:
        return "-"
    if one.kink:
        return f"{one.above:+.3g} % ({-one.below:+.3g} % for 1 % less)"
    return f"{one.above:+.3g} %"


def _chosen(others: Mapping[str, tuple[str, Mapping[str, Answer]]], said: Any) -> Iterable[str]:
    for key, (word, found) in others.items():
        alternatives = "; ".join(f"{name}: {said(answer)}" for name, answer in found.items())
        yield f"  {key:22} {word:28} {alternatives}"
