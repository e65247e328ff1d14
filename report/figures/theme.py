"""How every figure looks: colours by what they mean, faces, sizes, and the two layouts.

A colour in a chart is the name of a custom property of the style sheet, so one picture serves day and night; its
values have their one home in templates/static/style.css. A PNG cannot resolve names: `palette` reads them for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

INK, MUTED, EDGE, RULE, PAPER = "var(--ink)", "var(--muted)", "var(--edge)", "var(--rule)", "var(--paper)"
ARITHMETIC, BYTES, CAPACITY = "var(--arithmetic)", "var(--bytes)", "var(--capacity)"
FABRIC, STATISTICS = "var(--fabric)", "var(--statistics)"
# Classes of machine, in the figure of their history alone.
KINDS: Mapping[str, str] = MappingProxyType(
    {name: f"var(--{name})" for name in ("super", "desk", "cpu", "gpu", "tpu", "wafer")}
)
COLOURS = (INK, MUTED, EDGE, RULE, PAPER, ARITHMETIC, BYTES, CAPACITY, FABRIC, STATISTICS, *KINDS.values())

# The family that the pages ship, then a generic one; the exporter registers the same files.
FAMILY = "Source Sans Pro"
FACE = f"{FAMILY}, sans-serif"
SEMIBOLD = 600
# Mean advance of a letter in em, semibold and generous: how much room a label is given.
LETTER = 0.46


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Where a figure has its room, in px: the whole, what lies around the plot, the size of its text."""

    name: str
    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    text: int
    small: int

    @property
    def padding(self) -> dict[str, int]:
        """Return the room around the plot, in px."""
        return {"left": self.left, "right": self.right, "top": self.top, "bottom": self.bottom}

    @property
    def plot(self) -> tuple[int, int]:
        """Return width and height of the plot itself, in px."""
        return self.width - self.left - self.right, self.height - self.top - self.bottom


def config(layout: Layout) -> dict[str, Any]:
    """Return what all charts of a layout share, as a Vega-Lite configuration."""
    labels = {"labelColor": MUTED, "labelFontSize": layout.small, "labelPadding": 6}
    titles = {"titleColor": MUTED, "titleFontSize": layout.small, "titleFontWeight": "normal"}
    lines = {"domainColor": EDGE, "tickColor": EDGE, "tickSize": 4, "gridColor": RULE, "gridWidth": 1}
    return {
        "aria": False,  # one name on the root, not hundreds inside
        "background": "transparent",
        "font": FACE,
        "view": {"stroke": None},
        "axis": {**labels, **titles, **lines},
        "text": {"font": FACE, "fontSize": layout.text, "fill": INK},
    }


def palette(sheet: str, theme: str = "light") -> Mapping[str, str]:
    """Return the value of each colour as the style sheet sets it: `var(--ink)` -> `#211e1a`; theme light or dark."""
    start = {"light": r":root \{", "dark": r':root\[data-theme="dark"\] \{'}[theme]
    block = re.search(start + r"(.*?)\n\}", sheet, re.DOTALL)
    if not block:
        raise ValueError(f"the style sheet has no block of tokens for {theme}")
    found = dict(re.findall(r"(--[a-z]+):\s*(#[0-9a-f]{3,8})", block[1]))
    return MappingProxyType({f"var({name})": value for name, value in found.items()})
