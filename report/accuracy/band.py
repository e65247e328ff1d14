"""The band that the model is stated to keep, asserted at each build: no run above its ceiling, the median within.

    accuracy: {highest: 1, median: [0.5, 0.7]}

in content/site.yaml, of measured over ceiling in executed operations and as printed. A run that beats its ceiling is
a mistake of the model or of its row: mend one, or set the row aside with its reason (`excluded`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from report import yamlgrammar, yamlnodes
from report.accuracy.book import Accuracy
from report.accuracy.readings import Reading
from report.errors import Problem
from report.keys import judged
from report.yamlnodes import At

_HINT = "write accuracy: {highest: 1, median: [0.5, 0.7]}"
WANTED = f"without it nothing holds the published runs to the model's ceiling; {_HINT}"
_KEYS = ("highest", "median")
_ENDS = 2
_HELD = ("executed", "printed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """How high measured over ceiling may be for any run, where its median lies, and where that is stated."""

    highest: float
    low: float
    high: float
    at: At


def read(node: yaml.Node, path: str) -> tuple[Band | None, list[Problem]]:
    """Return the band of the settings, or what is wrong with it."""
    at = yamlnodes.place(path, node)
    if not isinstance(node, yaml.MappingNode):
        return None, [at.problem(f"'accuracy' is {yamlnodes.kind(node)}, but a mapping is wanted", _HINT)]
    parts = yamlnodes.entries(node)
    wrong = judged(parts, _KEYS, _KEYS)
    problems = [
        yamlnodes.place(path, parts[key][0]).problem(f"accuracy: unknown key '{key}'", hint or _HINT)
        for key, hint in wrong.unknown.items()
    ]
    problems += [at.problem(f"accuracy: the key '{key}' is missing", _HINT) for key in wrong.missing]
    if problems:
        return None, problems
    ends = parts["median"][1]
    if not isinstance(ends, yaml.SequenceNode) or len(ends.value) != _ENDS:
        return None, [yamlnodes.place(path, ends).problem("accuracy: the median has two ends", _HINT)]
    return _band(at, path, parts["highest"][1], *ends.value)


def _band(at: At, path: str, *nodes: yaml.Node) -> tuple[Band | None, list[Problem]]:
    """Return the band of three numbers: the highest, and the ends of the median."""
    numbers: list[float] = []
    for node in nodes:
        try:
            numbers.append(yamlnodes.number(node))
        except ValueError as error:
            message, _, hint = str(error).partition("; ")
            return None, [yamlnodes.place(path, node).problem(f"accuracy: {message}", hint)]
    highest, low, high = numbers
    if not 0 < low <= high <= highest:
        return None, [at.problem("'accuracy' is no band: the median's ends lie in order, below the highest", _HINT)]
    return Band(highest=highest, low=low, high=high, at=at), []


def check(band: Band | None, accuracy: Accuracy, folder: Path) -> list[Problem]:
    """Return a problem for each run above the band, at its row, and one for a median outside, where it is stated."""
    if band is None or not accuracy.measured.n:
        return []
    beaten = [
        (one, way, one.own.ratio(way))
        for way in _HELD
        for one in accuracy.measured.readings
        if one.own and one.own.ratio(way) > band.highest
    ]
    problems = [_beaten(one, way, ratio, band, folder) for one, way, ratio in beaten]
    middle = accuracy.measured.median()
    if not band.low <= middle <= band.high:
        said = f"the median of measured over ceiling is {middle:.4g}, outside {band.low:g} to {band.high:g}"
        hint = "find what changed the model or the runs, then state the band anew"
        problems.append(replace(band.at.problem(said, hint), broad=True))
    return problems


def _beaten(one: Reading, way: str, ratio: float, band: Band, folder: Path) -> Problem:
    assert one.own
    share, bound = getattr(one.own, way), one.own.bound(way)
    said = f"run '{one.run.id}' beats the model: {share:.4g} of peak ({way}) is {ratio:.4g} of its ceiling {bound:.4g}"
    hint = f"at most {band.highest:g} is stated; mend the model or the row, or say under 'excluded' why it is set aside"
    rests = (f"machines/{one.run.machine}", *_own(one))
    # Its ceiling rests on constants of the ledger as well, which no path of its own names.
    return replace(_place(one.run.id, folder).problem(said, hint), rests=rests, broad=True)


def _own(one: Reading) -> tuple[str, ...]:
    """Return the rows of the run's own that its ceiling and its share rest on."""
    network = (f"networks/{one.run.network}",) if one.run.network else ()
    return (f"runs/{one.run.id}", *network)


def _place(name: str, folder: Path) -> At:
    """Return where a run's row begins; the file is read once more, since only a mistake asks."""
    path = f"{folder.name}/catalogue/runs.yaml"
    top, *_ = yamlgrammar.read(folder / "catalogue" / "runs.yaml", path)
    rows = yamlnodes.entries(top)["rows"][1] if top else None
    for node in rows.value if rows else ():
        if yamlnodes.entries(node)["id"][1].value == name:
            return yamlnodes.place(path, node)
    return At(path, 0, 0)
