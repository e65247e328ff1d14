"""The evidence in prose: {{ runs("a100").median | percent(2) }}, {{ explained("all").a }}, {{ evidence("pole") }}.

Each number carries what it rests on, since no single row of the catalogue bears it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from model.formula import Given
from model.units import unit
from report import rounding
from report.accuracy.book import Accuracy
from report.accuracy.facts import FACTS
from report.accuracy.fit import POPULATIONS, Fit
from report.accuracy.memory import Need
from report.accuracy.readings import WAYS, Against
from report.accuracy.verdict import TRAITS, Group
from report.asking import AuthorError, guarded
from report.byname import ByName, known
from report.memory import remembered
from report.shown import Cell

_BOUND = "measured over ceiling"
# What prose may ask of a class of runs, read one of the ways, and what it is.
_OF_RUNS: Mapping[str, tuple[Callable[[Group, str], float], str]] = {
    "n": (lambda group, way: group.n, "runs set beside a ceiling"),
    "held": (lambda group, way: group.held(way), "runs for which the bound holds"),
    "beaten": (lambda group, way: group.n - group.held(way), "runs that beat their ceiling"),
    "median": (lambda group, way: group.median(way), f"median of {_BOUND}"),
    "low": (lambda group, way: group.quartiles(way)[0], f"lower quartile of {_BOUND}"),
    "high": (lambda group, way: group.quartiles(way)[1], f"upper quartile of {_BOUND}"),
    "best": (lambda group, way: max(group.ratios(way)), f"highest of {_BOUND}"),
    "worst": (lambda group, way: min(group.ratios(way)), f"lowest of {_BOUND}"),
}
_OF_FIT: Mapping[str, tuple[Callable[[Fit], float], str]] = {
    "n": (lambda one: one.n, "runs in the fit"),
    "sources": (lambda one: one.sources, "sources in the fit"),
    "eta": (lambda one: one.eta[0], "share of peak that kernels reach, fitted"),
    "eta_low": (lambda one: one.eta[1], "share of peak that kernels reach, lower end"),
    "eta_high": (lambda one: one.eta[2], "share of peak that kernels reach, upper end"),
    "a": (lambda one: one.a[0], "activation traffic, fitted"),
    "a_low": (lambda one: one.a[1], "activation traffic, lower end"),
    "a_high": (lambda one: one.a[2], "activation traffic, upper end"),
    "scatter": (lambda one: one.scatter, "factor by which runs differ from the fit"),
}
_COUNTS = ("n", "held", "beaten", "sources")


@dataclass(frozen=True)
class RunCells(ByName):
    """A class of runs as prose asks for it: .n, .held, .beaten, .median, .low, .high, .best, .worst."""

    _names = _OF_RUNS
    group: Group
    way: str

    def say(self) -> str:
        """Return the class as an author asks for it."""
        return f"runs({self.group.key})" if self.way == "executed" else f"runs({self.group.key}, {self.way})"

    def _cell(self, path: str, name: str) -> Cell:
        find, says = _OF_RUNS[name]
        rests = f"{self.group.n} published runs, {WAYS[self.way]}"
        return _cell(path, float(find(self.group, self.way)), says, rests, whole=name in _COUNTS)


_OF_ONE: Mapping[str, tuple[Callable[[Against], float], str]] = {
    "printed": (lambda own: own.printed, "share of peak, as printed"),
    "useful": (lambda own: own.useful, "share of peak, operations of the model"),
    "executed": (lambda own: own.executed, "share of peak, operations executed"),
    "ceiling": (lambda own: own.ceiling, "share of peak that the model allows"),
    "ratio": (lambda own: own.ratio(), _BOUND),
}
_OF_MEMORY: Mapping[str, tuple[Callable[[Need], float | None], str]] = {
    "state": (lambda need: need.state, "training state of a device"),
    "tape": (lambda need: need.tape, "tape of a device, at least"),
    "whole": (lambda need: need.whole, "tape of a device, at most"),
    "scores": (lambda need: need.scores, "one copy of the output scores of a device"),
    "peak_memory": (lambda need: need.run.peak_memory, "the most that a device held, as measured"),
    "counted": (lambda need: (need.state or 0.0) + (need.tape or 0.0), "state and tape of a device, at least"),
}
_BYTES = unit("B")


@dataclass(frozen=True)
class OneCells(ByName):
    """One run as prose asks for it: its shares, its ceiling, and what its devices held, in bytes."""

    _names = (*_OF_ONE, *_OF_MEMORY)
    name: str
    own: Against
    need: Need

    def say(self) -> str:
        """Return the run as an author asks for it."""
        return f"measured({self.name})"

    def _cell(self, path: str, name: str) -> Cell:
        rests = f"runs/{self.name}"
        if name in _OF_ONE:
            find, says = _OF_ONE[name]
            return _cell(path, float(find(self.own)), says, rests)
        size, says = _OF_MEMORY[name]
        value = size(self.need) or 0.0
        given = Given(value=value, status="computed", row=rests, note="the capacity ledger on the run's own sharding")
        return Cell(path, None, _BYTES, rounding.qty(value, 3, rounding.label(_BYTES)), value, says=says, given=given)


@dataclass(frozen=True)
class FitCells(ByName):
    """A fit of the model's constants to runs: .eta, .a, each with _low and _high, .n, .sources, .scatter."""

    _names = _OF_FIT
    found: Fit

    def say(self) -> str:
        """Return the fit as an author asks for it."""
        return f"explained({self.found.key})"

    def _cell(self, path: str, name: str) -> Cell:
        find, says = _OF_FIT[name]
        rests = f"{self.found.n} runs from {self.found.sources} sources, {self.found.name}"
        return _cell(path, float(find(self.found)), says, rests, whole=name in _COUNTS)


def _cell(path: str, value: float, says: str, rests: str, *, whole: bool = False) -> Cell:
    """Return a number as a cell; a count prints as it is, all else to three digits unless a filter says otherwise."""
    given = Given(value=value, status="computed", row=rests, note="worked out at each build from the rows")
    text = rounding.exact(value) if whole else rounding.sig(value, 3)
    return Cell(path, None, None, text, value, says=says, given=given)


class Evidence:
    """What prose asks of the published runs; works out what is asked for alone."""

    def __init__(self, accuracy: Accuracy) -> None:
        self._accuracy = accuracy

    @remembered
    def _groups(self) -> dict[str, Group]:
        found = {"all": self._accuracy.measured}
        for trait in TRAITS:
            found |= {group.key: group for group in self._accuracy.classes(trait)}
        return found

    def runs(self, name: str = "all", way: str = "executed") -> RunCells:
        """Return a class of runs: {{ runs("a100").median | percent(2) }}, or runs("all", "printed").best."""
        return guarded(lambda: self._runs(name, way))

    def _runs(self, name: str, way: str) -> RunCells:
        known(f"there is no class of runs '{name}'", name, self._groups)
        known(f"there is no way of reading '{way}'", way, WAYS)
        return RunCells(self._groups[name], way)

    def explained(self, key: str = "all") -> FitCells:
        """Return a fit: {{ explained("all").a | sig(2) }}."""
        return guarded(lambda: self._explained(key))

    def _explained(self, key: str) -> FitCells:
        fits = {one.key: one for one in self._accuracy.fits}
        known(f"there is no fit over '{key}'", key, fits if key in POPULATIONS else POPULATIONS)
        return FitCells(fits[key])

    def measured(self, name: str) -> OneCells:
        """Return one run: {{ measured("nanochat-d20-8xa100").ceiling | percent(3) }}."""
        return guarded(lambda: self._measured(name))

    def _measured(self, name: str) -> OneCells:
        found = {one.run.id: one.own for one in self._accuracy.measured.readings}
        known(f"no run '{name}' is set beside a ceiling", name, found)
        own = found[name]
        assert own
        return OneCells(name, own, next(one for one in self._accuracy.needs if one.run.id == name))

    def evidence(self, name: str) -> Cell:
        """Return a number of the evidence by name: {{ evidence("pole") }}."""
        return guarded(lambda: self._evidence(name))

    def _evidence(self, name: str) -> Cell:
        known(f"there is no evidence '{name}'", name, FACTS)
        fact = FACTS[name]
        try:
            value, rests = float(fact.find(self._accuracy)), "the published runs of the catalogue"
        except ValueError as error:  # of nothing there is no largest and no median
            raise AuthorError(f"evidence '{name}': no runs of the catalogue bear on it") from error
        return _cell(f"evidence({name})", value, fact.says, rests, whole=fact.counts)
