"""What stands around a page's text: the bar with its choices, the works it cites. Chooses, computes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from model.machine import Machine
from model.network import Network
from model.records import Catalogue
from model.scenario import DEFAULT
from report.references import Reference

_ERAS = (
    ("1976 to 1991", 0, 1991),
    ("1992 to 2015", 1992, 2015),
    ("2016 to 2021", 2016, 2021),
    ("since 2022", 2022, 9999),
)
_KINDS = {
    "mlp": "Networks of the 1980s",
    "cnn": "Convolutional networks",
    "encoder": "Transformers",
    "dense": "Transformers",
    "moe": "Transformers with experts",
}
_FABRICS = (("nic", "network card"), ("scale_up", "links in the box"))
_FORMS = (("plain", "plain"), ("l2", "with re-blocking (L2)"))


def bar(catalogue: Catalogue) -> dict[str, Any]:
    """Return the context of the scenario bar: the default scenario and everything that can be chosen."""
    row = catalogue.machines[str(DEFAULT["machine"])]
    scenario = {key: f"{value:.10g}" if isinstance(value, float) else value for key, value in DEFAULT.items()}
    others = [name for name in row.peak if name != row.balance_format]
    return {
        "scenario": {**scenario, "format": ""},
        "machines": list(_machines(catalogue.machines.values())),
        "networks": list(_networks(catalogue.networks.values())),
        "formats": _options([("", row.balance_format), *((name, name) for name in others)]),
        "fabrics": _options(_FABRICS),
        "forms": _options(_FORMS),
        "own": [],
    }


def _options(pairs: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"id": key, "name": name} for key, name in pairs]


def _machines(rows: Iterable[Machine]) -> Iterable[dict[str, Any]]:
    ordered = sorted(rows, key=lambda row: (-row.year, row.short))
    for label, first, last in reversed(_ERAS):
        inside = [row for row in ordered if first <= row.year <= last]
        yield {"label": label, "options": _options((row.id, f"{row.short}, {row.year}") for row in inside)}


def _networks(rows: Iterable[Network]) -> Iterable[dict[str, Any]]:
    ordered = sorted(rows, key=lambda row: (-row.year, row.short))
    for label in ("Transformers", "Transformers with experts", "Convolutional networks", "Networks of the 1980s"):
        inside = [row for row in ordered if _group(row) == label]
        yield {"label": label, "options": _options((row.id, row.short) for row in inside)}


def _group(row: Network) -> str:
    return "Networks of the 1980s" if row.year < 2000 else _KINDS[row.kind]


def works(citations: Sequence[str], references: Mapping[str, Reference]) -> list[dict[str, str]]:
    """Return the list of references in the order of citation."""
    return [{"id": f"ref-{key}", "html": references[key].html} for key in citations]
