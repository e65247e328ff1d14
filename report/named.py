"""What content/site.yaml chooses: which rows a table shows, and the named scenarios that table, figure and prose share.

    tables:
      modern-machines: [v100-sxm2, h100-sxm5]
    presets:
      llama3-405b: {title: Llama-3 405B on H100s, run: llama3-405b-16k-gpus, scenario: {network: llama3-405b, T: 8192}}

A preset's scenario is checked as any reader's is. Leaves out: what the tables make of their rows (report/tables/).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias
from urllib.parse import quote

import yaml
from markupsafe import Markup

from model.records import Catalogue
from model.scenario import DEFAULT
from report import yamlnodes
from report.asking import AuthorError, plain
from report.errors import Absent, Problem, like, nearest
from report.given import base, faults
from report.keys import judged

# Each table whose rows are chosen, and of which kind they are: a part of the catalogue, or presets.
TABLES: Mapping[str, str] = {
    "modern-machines": "machines",
    "old-machines": "machines",
    "connection-rates": "rates",
    "weight-visits": "networks",
    "parameters": "constants",
    "note-parameters": "constants",
    "balances": "machines",
    "floor-by-width": "machines",
    "tricks": "tricks",
    "breakdowns": "presets",
}


_PARTS = ("title", "scenario", "run")
_PRESET = "write {title: ..., scenario: {machine: ..., network: ...}}"
_UNQUOTED = "/!'()*"  # what encodeURIComponent leaves alone, and the slash, as scenario.js writes a link


Entries: TypeAlias = dict[str, tuple[yaml.Node, yaml.Node]]  # key -> its node, that of its value


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A named scenario: what it is called, what differs from the default, the published run that it stands for."""

    id: str
    title: str
    scenario: Mapping[str, str]
    run: str = ""

    @property
    def link(self) -> str:
        """Return the fragment that opens the page on the scenario."""
        return fragment(self.scenario)


class Presets(dict[str, Named]):
    """The named scenarios of the settings."""

    def __init__(self, path: str, named: Mapping[str, Named]) -> None:
        super().__init__(named)
        self.path = path

    def __missing__(self, name: str) -> Named:
        raise Absent([absent(self.path, name, self)])


def absent(path: str, name: str, known: Collection[str]) -> Problem:
    """Return the mistake of whoever took away or renamed a scenario that a part of the report asks for."""
    said = f"there is no preset '{name}', which a table of the report asks for by its name"
    return Problem(path, 0, 0, said, nearest(name, known) or "bring it back", renamed=like(name, known))


def fragment(scenario: Mapping[str, str | float]) -> str:
    """Return a scenario as the page's link writes it: #v=1&T=512, with only what differs from the default."""
    default = {key: plain(value) for key, value in DEFAULT.items()}
    return spelled({key: value for key, value in scenario.items() if default.get(key) != plain(value)})


def spelled(scenario: Mapping[str, str | float]) -> str:
    """Return a scenario as a link that names all of its keys."""
    pairs = [f"{key}={quote(plain(value), safe=_UNQUOTED)}" for key, value in scenario.items()]
    return "#" + "&".join(["v=1", *pairs])


def link(presets: Mapping[str, Named], name: str) -> Markup:
    """Return the fragment of a named scenario, for prose: [text]({{ preset("llama3-405b") }})."""
    return Markup(preset(presets, name).link)  # percent-encoded above


def preset(presets: Mapping[str, Named], name: str) -> Named:
    """Return a named scenario; raise AuthorError for a name that there is not."""
    if name not in presets:
        raise AuthorError(f"there is no preset '{name}'", nearest(str(name), presets))
    return presets[name]


def presets(node: yaml.Node | None, path: str, rows: Catalogue | None) -> tuple[Presets, list[Problem]]:
    """Return the named scenarios of the settings, if there are any, and every mistake in them."""
    if node is None:
        return Presets(path, {}), []
    if not isinstance(node, yaml.MappingNode):
        said = "'presets' is not a mapping of names to scenarios"
        return Presets(path, {}), [yamlnodes.place(path, node).problem(said)]
    found: dict[str, Named] = {}
    problems: list[Problem] = []
    sunk: Entries = {}
    for name, (at, value) in reversed(yamlnodes.entries(node).items()):
        if name in _PARTS:  # a part of the preset above it
            said, hint = f"'{name}' stands beside the presets", "indent it below the preset that it belongs to"
            problems.append(yamlnodes.place(path, at).problem(said, hint))
            sunk[name] = (at, value)
            continue
        parts = yamlnodes.entries(value) if isinstance(value, yaml.MappingNode) else {}
        preset, more = _preset(name, at, parts | sunk, path, rows)
        problems, sunk = problems + more, {}
        # One that could not be read is still known by its name: one mistake is told once.
        found[name] = preset or Named(id=name, title="", scenario={})
    return Presets(path, dict(reversed(found.items()))), problems


def _preset(
    name: str, at: yaml.Node, parts: Entries, path: str, rows: Catalogue | None
) -> tuple[Named | None, list[Problem]]:
    wrong = judged(parts, _PARTS, ("title", "scenario"))
    problems = [
        yamlnodes.place(path, parts[word][0]).problem(f"preset '{name}': unknown key '{word}'", hint or _PRESET)
        for word, hint in wrong.unknown.items()
    ]
    problems += [yamlnodes.place(path, at).problem(f"preset '{name}' has no {word}", _PRESET) for word in wrong.missing]
    scenario = parts["scenario"][1] if "scenario" in parts else None
    if scenario is not None and not isinstance(scenario, yaml.MappingNode):
        said = f"preset '{name}': 'scenario' is {yamlnodes.kind(scenario)}, but a mapping is wanted"
        problems.append(yamlnodes.place(path, scenario).problem(said, _PRESET))
    if "title" not in parts or not isinstance(scenario, yaml.MappingNode):
        return None, problems
    settings = {key: str(value.value) for key, (_, value) in yamlnodes.entries(scenario).items()}
    run = parts["run"][1] if "run" in parts else None
    if rows is not None:
        problems += _refused(name, settings, scenario, path, rows)
        if run is not None:
            problems += strangers([run], path, "runs", rows.runs)
    title = str(parts["title"][1].value)
    return Named(id=name, title=title, scenario=settings, run=str(run.value) if run is not None else ""), problems


def _refused(
    name: str, settings: Mapping[str, str], node: yaml.MappingNode, path: str, rows: Catalogue
) -> Iterator[Problem]:
    """Yield the problems of a scenario that cannot be, each at the key that is wrong."""
    try:
        wrong = list(faults(partial(base, rows), settings))
    except Absent:  # told by itself, and nothing can be judged without
        return
    for error in wrong:
        message, _, hint = str(error).partition("; ")
        at = yamlnodes.entries(node).get(getattr(error, "key", ""), (node, node))[0]
        yield yamlnodes.place(path, at).problem(f"preset '{name}': {message}", hint)


def tables(
    node: yaml.Node, path: str, rows: Catalogue | None, named: Mapping[str, Named]
) -> tuple[dict[str, tuple[str, ...]], list[Problem]]:
    """Return which rows each table shows, in which order, and every mistake in the choice."""
    if not isinstance(node, yaml.MappingNode):
        return {}, [yamlnodes.place(path, node).problem("'tables' is not a mapping of tables to rows")]
    found, problems = {}, []
    for key, (at, value) in yamlnodes.entries(node).items():
        if key not in TABLES:
            problems.append(yamlnodes.place(path, at).problem(f"there is no table '{key}'", nearest(key, TABLES)))
        elif not isinstance(value, yaml.SequenceNode):
            problems.append(yamlnodes.place(path, value).problem(f"'{key}' is not a list of {TABLES[key]}"))
        else:
            found[key] = tuple(str(part.value) for part in value.value)
            kind = TABLES[key]
            known = named if kind == "presets" else getattr(rows, kind, None)
            problems += strangers(value.value, path, kind, known)
    return found, problems


def strangers(parts: Sequence[yaml.Node], path: str, kind: str, known: Mapping[str, object] | None) -> list[Problem]:
    """Return a problem for each name that is none of the known ones, or doubled; None: they could not be read."""
    if known is None:
        return []
    word, seen = kind.removesuffix("s"), set[str]()
    found = []
    for part in parts:
        at, name = yamlnodes.place(path, part), str(part.value)
        if name not in known:
            found.append(at.problem(f"there is no {word} '{name}'", nearest(name, known)))
        elif name in seen:
            found.append(at.problem(f"the {word} '{name}' is listed twice", "delete one of them"))
        seen.add(name)
    return found
