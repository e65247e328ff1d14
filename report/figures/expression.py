"""Writes a quantity of the model as a Vega expression, so that a figure computes with the page's own formulas.

Whatever does not depend on the running variable (T, say) comes in as a signal, one for each quantity and named
`<figure>_<key>`; what does depend on it is spelled out, with a condition where the formula depends on a choice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from model.formula import ABSENCES, Base, Fork, Formula, Memo, Quantity, ask
from model.inputs import family
from model.scenario import DEFAULT

NOTHING = "(0/0)"  # NaN: what a chart gets for an absent value, never 0 or null


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """What a figure is told about a scenario, and where it comes from.

    kind: value, a number, NaN for an absence; choice, the word of a choice; state, the words of an absence, or none;
    setting, the scenario's own text. when: the choices under which the quantity exists at all, by key.
    """

    kind: str
    key: str
    when: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def js(self) -> dict[str, Any]:
        """Return the signal as figures.js reads it."""
        found: dict[str, Any] = {"kind": self.kind, "key": self.key}
        if self.when:
            found["when"] = {key: list(words) for key, words in self.when.items()}
        if self.kind == "state":
            found["words"] = dict(ABSENCES)
        if self.kind == "setting":
            found["otherwise"] = DEFAULT[self.key]
        return found


class Writer:
    """Writes the expressions of one figure and collects the signals that they need."""

    def __init__(self, figure: str, running: Quantity) -> None:
        self.figure, self.running = figure, running
        self.signals: dict[str, Signal] = {}

    def text(self, quantity: Quantity, running: str, given: Mapping[str, str] | None = None) -> str:
        """Return a quantity as a Vega expression; running is the text of the variable, given that of other keys.

        Of a choice it is the word: text(tape_bytes, "sqrt") writes that branch alone.
        """
        return self._text(quantity, {self.running.key: running, **(given or {})}, {})

    def _text(self, quantity: Quantity, given: Mapping[str, str], when: Mapping[str, tuple[str, ...]]) -> str:
        if quantity.key in given:
            return given[quantity.key]
        if not self._runs(quantity, set(given)):
            return self._signal("value", quantity.key, when)
        if isinstance(quantity, Fork):
            return self._fork(quantity, given, when)
        return self._formula(quantity, given, when)

    def _formula(self, formula: Quantity, given: Mapping[str, str], when: Mapping[str, tuple[str, ...]]) -> str:
        assert isinstance(formula, Formula)
        return formula.vega({part.key: f"({self._text(part, given, when)})" for part in formula.inputs})

    def _fork(self, fork: Fork, given: Mapping[str, str], when: Mapping[str, tuple[str, ...]]) -> str:
        if fork.by.key in given:
            return self._formula(fork.branches[given[fork.by.key]], given, when)
        choice = self._signal("choice", fork.by.key, {})
        still = tuple(word for word, branch in fork.branches.items() if not self._runs(branch, set(given)))
        text = NOTHING
        for word, branch in reversed(tuple(fork.branches.items())):
            if word in still:  # the fork itself can be asked then: one signal for all its still branches
                part = self._signal("value", fork.key, {**when, fork.by.key: still})
            else:
                part = self._text(branch, given, {**when, fork.by.key: (word,)})
            text = f"({choice} === '{word}' ? ({part}) : {text})"
        return text

    def _runs(self, quantity: Quantity, given: set[str]) -> bool:
        """Tell whether a quantity depends on the running variable or on another key whose text is given."""
        if quantity.key in given:
            return True
        if isinstance(quantity, Fork):
            return quantity.by.key in given or any(self._runs(branch, given) for branch in quantity.branches.values())
        return isinstance(quantity, Formula) and any(self._runs(part, given) for part in quantity.inputs)

    def _signal(self, kind: str, key: str, when: Mapping[str, tuple[str, ...]]) -> str:
        name = f"{self.figure}_{key}"
        known = self.signals.get(name)
        # Needed on two ways: it exists wherever both agree that it does.
        shared = when if known is None else {k: words for k, words in known.when.items() if when.get(k) == words}
        self.signals[name] = Signal(kind=kind, key=key, when=dict(shared))
        return name

    def value(self, quantity: Quantity) -> str:
        """Return the signal that carries a quantity as it is."""
        return self._signal("value", quantity.key, {})

    def choice(self, quantity: Quantity) -> str:
        """Return the signal that carries the word of a choice."""
        return self._signal("choice", quantity.key, {})

    def thing(self, many: str = "false") -> str:
        """Return what shares a visit, or many such: a token, an example where a network's weights are counted."""
        plural = "" if many == "false" else f" + ({many} ? 's' : '')"
        return f"(({self.choice(family)} === 'counted' ? 'example' : 'token'){plural})"


def told(
    signals: Mapping[str, Signal], quantities: Mapping[str, Quantity], base: Base, settings: Mapping[str, Any]
) -> dict[str, float | str]:
    """Return what a figure is told about a scenario: NaN for an absence, inf at a limit."""
    memo: Memo = {}
    return {name: _told(signal, quantities, base, memo, settings) for name, signal in signals.items()}


def _told(
    signal: Signal, quantities: Mapping[str, Quantity], base: Base, memo: Memo, settings: Mapping[str, Any]
) -> float | str:
    if signal.kind == "setting":
        return str(settings[signal.key])
    if signal.kind == "choice":
        return _word(base, signal.key)
    if any(_word(base, key) not in words for key, words in signal.when.items()):
        return float("nan")
    answer = ask(quantities[signal.key], base, memo)
    if signal.kind == "state":
        return ABSENCES.get(answer.state or "", "")
    return float("nan") if answer.number is None else answer.number


def _word(base: Base, key: str) -> str:
    word = base[key].value
    return word if isinstance(word, str) else ""
