"""The named scenarios on which a figure can be opened: those on which it has something to show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from model.book import ask
from model.records import Catalogue
from report.given import base
from report.named import Named

# What must have a value, or a limit, for a figure to show anything; a roofline without a step says why there is none.
SHOWN: Mapping[str, str] = {
    "roofline": "beta",
    "bytes": "beta",
    "capacity": "state_per_device",
    "window": "closing_devices",
}


def openings(catalogue: Catalogue, presets: Sequence[Named], figure: str) -> list[dict[str, str]]:
    """Return title and link of each scenario that a figure offers, in the order given; it stays in place."""
    if figure not in SHOWN:
        return []
    shown = [preset for preset in presets if _shows(catalogue, preset, SHOWN[figure])]
    return [{"title": preset.title, "link": f"{preset.link}&at=fig-{figure}"} for preset in shown]


def _shows(catalogue: Catalogue, preset: Named, key: str) -> bool:
    return ask(key, base(catalogue, preset.scenario)).number is not None
