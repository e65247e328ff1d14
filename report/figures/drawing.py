"""A figure as pages take it up: pictures for both layouts, the live specs as scripts, the data to download.

Every figure module gives rows, chart, data, controls, SIGNALS and ALT; this is what is done with them, once for all.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from html import escape
from typing import Any, Protocol

from model.records import Catalogue
from model.units import unit
from report import rounding
from report.figures import export, stills, tables
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
    """One figure, drawn: SVG by layout and as files by plain name, controls, scripts by plain name, downloads."""

    name: str
    alt: str
    pictures: Mapping[str, str]
    stills: Mapping[str, str]
    controls: Sequence[Mapping[str, Any]]
    scripts: Mapping[str, str]
    downloads: Mapping[str, str]
    table: str
    says: str = ""

    def context(self, root: str) -> dict[str, Any]:
        """Return the part of the context of _figure.html that prose does not give; root leads to the site's top."""
        files = [*self.downloads, f"{self.name}.svg", f"{self.name}.png"]
        links = [{"name": _kind(file), "href": f"{root}data/{file}"} for file in files]
        return {
            "id": f"fig-{self.name}",
            "alt": self.alt,
            "svg": self.pictures["wide"],
            "svg_phone": self.pictures["phone"],
            "summary": escape(self.says),
            "table": self.table,
            "controls": [_printed(control) for control in self.controls],
            "downloads": links,
        }

    def apart(self, layout: str, root: str) -> str:
        """Return the markup that shows a still picture from its own file; root leads to the site's top."""
        file = stills.file_name(self.name, layout)
        return stills.image(file, self.stills[file], self.alt, root)


def _printed(control: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a control as the page has it: of a list that comes late, the option alone that is chosen."""
    if not control.get("late"):
        return control
    return {**control, "options": [one for one in control["options"] if one["value"] == control["value"]]}


def _kind(file: str) -> str:
    return "Vega-Lite" if file.endswith(".vl.json") else file.rsplit(".", 1)[-1].upper()


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that a figure depends on besides the code: the rows that it draws, its controls, the table beside it."""

    rows: Any
    controls: Sequence[Mapping[str, Any]]
    table: str

    @property
    def key(self) -> str:
        """Return the hash of the inputs: plain records show all that they hold."""
        return sha256(repr((self.rows, self.controls, self.table)).encode("utf-8", "surrogatepass")).hexdigest()


def inputs(module: Module, catalogue: Catalogue) -> Inputs:
    """Return what a figure draws of a catalogue, on the default scenario."""
    drawn = module.rows(catalogue)
    return Inputs(drawn, module.controls(catalogue), _table(module, drawn, catalogue))


def draw(name: str, module: Module, given: Inputs) -> Drawing:
    """Draw a figure in both layouts."""
    drawn = given.rows
    with export.unchecked():
        charts = {layout.name: export.lite(module.chart(drawn, layout)) for layout in module.LAYOUTS}
    specs = {layout: export.vega(chart) for layout, chart in charts.items()}
    offers = {control["id"]: control["options"] for control in given.controls if control.get("late")}
    pictures = {layout: export.svg(spec, f"{name}-{layout}", module.ALT) for layout, spec in specs.items()}
    return Drawing(
        name=name,
        alt=module.ALT,
        pictures=pictures,
        stills=stills.stills(name, pictures),
        controls=given.controls,
        scripts={
            f"spec-{name}-{layout}.js": export.script(name, layout, spec, _signals(module), offers)
            for layout, spec in specs.items()
        },
        downloads={**_series(name, module, drawn), f"{name}.vl.json": export.vega_lite(charts["wide"])},
        table=given.table,
        says=_says(module, drawn),
    )


def redated(drawing: Drawing, module: Module, given: Inputs) -> Drawing:
    """Return a figure with the numbers of other inputs, but still with its old pictures: those take longer."""
    downloads = {**drawing.downloads, **_series(drawing.name, module, given.rows)}
    says = _says(module, given.rows)
    return replace(drawing, controls=given.controls, downloads=downloads, table=given.table, says=says)


def _says(module: Module, drawn: Any) -> str:
    says: str = module.says(drawn) if hasattr(module, "says") else ""
    return says


def _series(name: str, module: Module, drawn: Any) -> dict[str, str]:
    series = module.data(drawn)
    return {f"{name}.csv": export.csv_text(series), f"{name}.json": export.json_text(series)}


def _table(module: Module, drawn: Any, catalogue: Catalogue) -> str:
    """Return what a reader reads instead of the picture: tables that follow the scenario, or the series as drawn."""
    if hasattr(module, "table"):
        listed: str = module.table(drawn, catalogue)
        return listed
    asked: Mapping[str, tables.Table] = getattr(module, "TABLES", {})
    if asked:
        return "".join(tables.html(one, catalogue) for one in asked.values())
    # Where the series is long, a figure has a shorter one to read.
    return table(getattr(module, "summary", module.data)(drawn))


# How the columns of a figure's data are headed and written: the suffix of a name is its unit.
_UNITS: Mapping[str, str] = {
    "_token": "token",
    "_FLOP_per_B": "FLOP/B",
    "_FLOP_per_s": "FLOP/s",
    "_B_per_s": "B/s",
    "_B": "B",
    "_layer": "layers",
    "_step": "steps",
    "_device": "devices",
    "_of_peak": "of peak",
    "_of_arithmetic": "of the arithmetic",
    "_of_ceiling": "of the ceiling",
}
# Digits of these mean nothing to a reader without a prefix.
_PREFIXED = ("_FLOP_per_s", "_B_per_s", "_B")
_COUNTED = ("_token", "_layer", "_step", "_device")


def table(series: Sequence[Mapping[str, Any]]) -> str:
    """Return the main series as a plain table for readers who do not see the picture."""
    heads = "".join(f'<th scope="col"{_side(value)}>{escape(_heading(name))}</th>' for name, value in series[0].items())
    body = "".join(f"<tr>{''.join(_cell(name, value) for name, value in row.items())}</tr>" for row in series)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _unit(name: str) -> str:
    return next((suffix for suffix in _UNITS if name.endswith(suffix)), "")


def _heading(name: str) -> str:
    suffix = _unit(name)
    words = name.removesuffix(suffix).replace("_", " ")
    return f"{words}, {_UNITS[suffix]}" if suffix else words


def _cell(name: str, value: float | str | None) -> str:
    return f"<td{_side(value)}>{escape(_written(_unit(name), value))}</td>"


def _side(value: float | str | None) -> str:
    return "" if isinstance(value, str) else ' class="num"'


def _written(suffix: str, value: float | str | None) -> str:
    """Return a value as text; words, and calendar years as words, stand as they are."""
    if isinstance(value, str):
        return value
    if value is None or not math.isfinite(value):
        return rounding.DASH
    if suffix.startswith("_of_"):
        return rounding.percent(value, 2)
    if suffix in _PREFIXED:
        return rounding.qty(value, 3, rounding.label(unit(_UNITS[suffix])))
    whole = suffix in _COUNTED and float(value).is_integer()
    return rounding.exact(value) if whole else rounding.sig(value, 3)


def _signals(module: Module) -> dict[str, Any]:
    return {name: signal.js() for name, signal in module.SIGNALS.items()}
