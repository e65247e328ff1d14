"""A figure as pages take it up: pictures for both layouts, the live specs as scripts, the data to download.

Every figure module gives rows, chart, data, controls, SIGNALS and ALT; this is what is done with them, once for all.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Protocol

from model.records import Catalogue
from model.units import unit
from report import rounding
from report.figures import export
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
    """One figure, drawn: SVG by layout, controls, scripts by plain name, downloads by file name."""

    name: str
    alt: str
    pictures: Mapping[str, str]
    controls: Sequence[Mapping[str, Any]]
    scripts: Mapping[str, str]
    downloads: Mapping[str, str]
    table: str

    def context(self) -> dict[str, Any]:
        """Return the part of the context of _figure.html that prose does not give."""
        links = [{"name": _kind(file), "href": f"data/{file}"} for file in self.downloads]
        return {
            "id": f"fig-{self.name}",
            "alt": self.alt,
            "svg": self.pictures["wide"],
            "svg_phone": self.pictures["phone"],
            "summary": "",
            "table": self.table,
            "controls": self.controls,
            "downloads": links,
        }


def _kind(file: str) -> str:
    return "Vega-Lite" if file.endswith(".vl.json") else file.rsplit(".", 1)[-1].upper()


def draw(name: str, module: Module, catalogue: Catalogue) -> Drawing:
    """Draw a figure of the default scenario in both layouts."""
    drawn = module.rows(catalogue)
    charts = {layout.name: module.chart(drawn, layout) for layout in module.LAYOUTS}
    specs = {layout: export.vega(chart) for layout, chart in charts.items()}
    series = module.data(drawn)
    return Drawing(
        name=name,
        alt=module.ALT,
        pictures={layout: export.svg(spec, f"{name}-{layout}", module.ALT) for layout, spec in specs.items()},
        controls=module.controls(catalogue),
        scripts={
            f"spec-{name}-{layout}.js": export.script(name, layout, spec, _signals(module))
            for layout, spec in specs.items()
        },
        downloads={
            f"{name}.csv": export.csv_text(series),
            f"{name}.json": export.json_text(series),
            f"{name}.vl.json": export.vega_lite(charts["wide"]),
        },
        table=table(series),
    )


# How the columns of a figure's data are headed and written: the suffix of a name is its unit.
_UNITS: Mapping[str, str] = {"_token": "token", "_FLOP_per_B": "FLOP/B", "_FLOP_per_s": "FLOP/s", "_of_peak": "of peak"}


def table(series: Sequence[Mapping[str, Any]]) -> str:
    """Return the main series as a plain table for readers who do not see the picture."""
    heads = "".join(f'<th scope="col">{escape(_heading(name))}</th>' for name in series[0])
    body = "".join(f"<tr>{''.join(_cell(name, value) for name, value in row.items())}</tr>" for row in series)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _unit(name: str) -> str:
    return next((suffix for suffix in _UNITS if name.endswith(suffix)), "")


def _heading(name: str) -> str:
    suffix = _unit(name)
    words = name.removesuffix(suffix).replace("_", " ")
    return f"{words}, {_UNITS[suffix]}" if suffix else words


def _cell(name: str, value: float | None) -> str:
    return f"<td>{escape(_written(_unit(name), value))}</td>"


def _written(suffix: str, value: float | None) -> str:
    if value is None or not math.isfinite(value):
        return rounding.DASH
    if suffix == "_of_peak":
        return rounding.percent(value, 2)
    if suffix == "_FLOP_per_s":
        return rounding.qty(value, 3, rounding.label(unit("FLOP/s")))
    return rounding.exact(value) if suffix == "_token" else rounding.sig(value, 3)


def _signals(module: Module) -> dict[str, Any]:
    return {name: signal.js() for name, signal in module.SIGNALS.items()}
