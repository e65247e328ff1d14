"""What stands around a page's text: the bar with its choices, the works it cites. Chooses, computes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from model.machine import Machine
from model.network import Network
from model.records import Catalogue
from model.scenario import DEFAULT
from report import rounding
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


_YOURS = {"label": "Not in the list", "options": [{"id": "own", "name": "your own…"}]}


def _field(name: str, label: str, example: str, says: str, required: bool = False) -> dict[str, Any]:
    return {"name": name, "label": label, "example": example, "says": says, "required": required, "options": []}


def _pick(name: str, label: str, no: str, yes: str, says: str) -> dict[str, Any]:
    options = [{"id": "", "name": no}, {"id": "1", "name": yes}]
    return {"name": name, "label": label, "example": "", "says": says, "required": False, "options": options}


# What a machine and a network of the reader's own are asked for. An example shows how the unit is written.
_OWN = [
    {
        "key": "machine",
        "label": "Your machine",
        "fields": [
            _field("peak", "Peak", "989 TFLOP/s", "dense, in the format that the bar names", required=True),
            _field("bandwidth", "Memory bandwidth", "3.35 TB/s", "bytes (B), not bits (b)", required=True),
            _field("capacity", "Memory", "80 GB", "a GiB is 7% more than a GB; may be left empty"),
            _field("cache", "Cache", "50 MB", "last level; may be left empty"),
            _field("fabric", "Fabric", "50 GB/s", "per direction; may be left empty"),
        ],
    },
    {
        "key": "network",
        "label": "Your network",
        "fields": [
            _field("d", "Width, d", "4096", "of the residual stream"),
            _field("L", "Layers, L", "32", "blocks of attention and MLP"),
            _field("heads", "Heads", "32", "of attention; empty: 128 wide each"),
            _field("kv_heads", "Key-value heads", "8", "empty: as many as heads"),
            _field("d_ff", "MLP width", "11008", "of one expert, where there are experts; empty: 4 d"),
            _pick("gated", "MLP", "plain", "gated", "two matrices, or three with a gate"),
            _field("vocab", "Vocabulary", "32000", "tokens it can tell apart"),
            _pick("tied", "Embeddings", "two", "one, shared", "in and out"),
            _field("experts", "Experts", "64", "in a layer; empty: a dense network"),
            _field("top_k", "Experts per token", "8", "empty: 1 where there are experts"),
        ],
    },
]


def bar(catalogue: Catalogue) -> dict[str, Any]:
    """Return the context of the scenario bar: the default scenario, and what can be chosen for it."""
    row = catalogue.machines[str(DEFAULT["machine"])]
    scenario = {key: f"{value:.10g}" if isinstance(value, float) else value for key, value in DEFAULT.items()}
    others = [name for name in row.peak if name != row.balance_format]
    network = catalogue.networks[str(DEFAULT["network"])]
    return {
        "scenario": {**scenario, "format": ""},
        "brief": {
            "machine": f"{row.short}, {row.year}",
            "format": row.balance_format,
            "network": network.short,
            "T": rounding.exact(float(DEFAULT["T"])),
        },
        "machines": _only(_machines(catalogue.machines.values()), row.id),
        "networks": _only(_networks(catalogue.networks.values()), str(DEFAULT["network"])),
        "formats": _options([("", row.balance_format), *((name, name) for name in others)]),
        "fabrics": _options(_FABRICS),
        "forms": _options(_FORMS),
        "own": _OWN,
    }


def choices(catalogue: Catalogue) -> dict[str, list[tuple[str, list[tuple[str, str]]]]]:
    """Return all machines and networks that the bar offers, by choice: in groups, a label and pairs of id and name."""
    groups = {"machine": _machines(catalogue.machines.values()), "network": _networks(catalogue.networks.values())}
    return {
        choice: [(group["label"], [(one["id"], one["name"]) for one in group["options"]]) for group in found]
        for choice, found in groups.items()
    }


def _only(groups: Iterable[dict[str, Any]], chosen: str) -> list[dict[str, Any]]:
    """Return the one option that a page is printed with: the others come by script, without which there is no bar."""
    options = [(group, [one for one in group["options"] if one["id"] == chosen]) for group in groups]
    return [{**group, "options": found} for group, found in options if found]


def _options(pairs: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"id": key, "name": name} for key, name in pairs]


def _machines(rows: Iterable[Machine]) -> Iterable[dict[str, Any]]:
    ordered = sorted(rows, key=lambda row: (-row.year, row.short))
    for label, first, last in reversed(_ERAS):
        inside = [row for row in ordered if first <= row.year <= last]
        yield {"label": label, "options": _options((row.id, f"{row.short}, {row.year}") for row in inside)}
    yield _YOURS


def _networks(rows: Iterable[Network]) -> Iterable[dict[str, Any]]:
    ordered = sorted(rows, key=lambda row: (-row.year, row.short))
    for label in ("Transformers", "Transformers with experts", "Convolutional networks", "Networks of the 1980s"):
        inside = [row for row in ordered if _group(row) == label]
        yield {"label": label, "options": _options((row.id, row.short) for row in inside)}
    yield _YOURS


def _group(row: Network) -> str:
    return "Networks of the 1980s" if row.year < 2000 else _KINDS[row.kind]


def works(
    citations: Sequence[str], references: Mapping[str, Reference], cited: Mapping[str, Sequence[str]]
) -> list[dict[str, Any]]:
    """Return the list of references in the order of citation, each with the places that cite it."""
    return [{"id": f"ref-{key}", "html": references[key].html, "places": cited.get(key, ())} for key in citations]
