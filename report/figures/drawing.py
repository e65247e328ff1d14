"""A figure drawn: pictures for both layouts, the live specs as scripts, the Vega-Lite spec to download.

Every figure module gives rows, chart, data, controls, SIGNALS and ALT; this is what is drawn of them, once for all.
Leaves out: what texts take up of a figure besides its pictures (report/figures/slot.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, Protocol

from model.records import Catalogue
from report.figures import export, images, stills
from report.figures.theme import Layout


class Module(Protocol):
    """What a figure module offers."""

    ALT: str
    SIGNALS: Mapping[str, Any]

    @property
    def LAYOUTS(self) -> tuple[Layout, ...]:
        """Return the layouts, the wide one first."""

    def rows(self, catalogue: Catalogue) -> Any:
        """Return what the figure draws."""

    def chart(self, drawn: Any, layout: Layout) -> Any:
        """Return the Altair chart of one layout."""

    def data(self, drawn: Any) -> Sequence[Mapping[str, Any]]:
        """Return the main series."""

    def controls(self, catalogue: Catalogue) -> list[dict[str, Any]]:
        """Return the figure's own controls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """One figure, drawn: SVG by layout and as files by plain name, scripts by plain name, the Vega-Lite spec."""

    name: str
    alt: str
    pictures: Mapping[str, str]
    stills: Mapping[str, str]
    scripts: Mapping[str, str]
    spec: str

    def apart(self, layout: str, root: str) -> str:
        """Return the markup that shows a still picture from its own file; root leads to the site's top."""
        file = stills.file_name(self.name, layout)
        return stills.image(file, self.stills[file], self.alt, root)


@dataclass(frozen=True)
class Inputs:
    """All that a drawing depends on besides the code: the rows that it draws, and the figure's controls."""

    rows: Any
    controls: Sequence[Mapping[str, Any]]

    @cached_property
    def key(self) -> str:
        """Return the hash of the inputs: plain records show all that they hold."""
        return sha256(repr((self.rows, self.controls)).encode("utf-8", "surrogatepass")).hexdigest()


def inputs(module: Module, catalogue: Catalogue) -> Inputs:
    """Return what a figure draws of a catalogue, on the default scenario."""
    return Inputs(module.rows(catalogue), module.controls(catalogue))


def draw(name: str, module: Module, given: Inputs) -> Drawing:
    """Draw a figure in both layouts."""
    with export.unchecked():
        charts = {layout.name: export.lite(module.chart(given.rows, layout)) for layout in module.LAYOUTS}
    specs = {layout: export.vega(chart) for layout, chart in charts.items()}
    offers = {control["id"]: control["options"] for control in given.controls if control.get("late")}
    pictures = {layout: images.svg(spec, f"{name}-{layout}", module.ALT) for layout, spec in specs.items()}
    return Drawing(
        name=name,
        alt=module.ALT,
        pictures=pictures,
        stills=stills.stills(name, pictures),
        scripts={
            script_name(name, layout): export.script(name, layout, spec, _signals(module), offers)
            for layout, spec in specs.items()
        },
        spec=export.vega_lite(charts["wide"]),
    )


def script_name(name: str, layout: str) -> str:
    """Return the plain name of the script that holds a figure's live spec."""
    return f"spec-{name}-{layout}.js"


def _signals(module: Module) -> dict[str, Any]:
    return {name: signal.js() for name, signal in module.SIGNALS.items()}
