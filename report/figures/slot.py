"""A figure as texts take it up: its place in a page, with everything but the pictures, which are put in afterwards.

A text is done as soon as the rows are there, and is not read again when a picture changes: where one goes, the page
holds a comment until `hung` puts it in. Leaves out: how pictures are drawn (report/figures/drawing.py).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from model.records import Catalogue
from model.units import unit
from report import rounding
from report.figures import export, tables
from report.figures.drawing import Drawing, Inputs, Module

_ROOM = re.compile(r"<!--picture (?P<name>[\w-]+) (?P<layout>\w+) (?:in the page|(?P<root>[./]*))-->")


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """The place of one figure: name, text in place of the picture, controls, tables and words beside it, its data."""

    name: str
    alt: str
    layouts: Sequence[str]
    controls: Sequence[Mapping[str, Any]]
    table: str
    says: str
    data: Mapping[str, str]

    @property
    def files(self) -> tuple[str, ...]:
        """Return the plain names of what can be downloaded of it."""
        return (*self.data, *(f"{self.name}.{kind}" for kind in ("vl.json", "svg", "png")))

    def context(self, root: str, *, apart: bool) -> dict[str, Any]:
        """Return the part of the context of _figure.html that prose does not give; root leads to the site's top.

        apart: the picture for wide windows comes from a file too, as the one for phones always does.
        """
        return {
            "id": f"fig-{self.name}",
            "alt": self.alt,
            "svg": self._room("wide", root if apart else None),
            "svg_phone": self._room("phone", root),
            "summary": escape(self.says),
            "table": self.table,
            "controls": [_printed(control) for control in self.controls],
            "downloads": [{"name": _kind(file), "href": f"{root}data/{file}"} for file in self.files],
        }

    def _room(self, layout: str, root: str | None) -> str:
        return f"<!--picture {self.name} {layout} {'in the page' if root is None else root}-->"


def hung(html: str, drawings: Mapping[str, Drawing]) -> str:
    """Return a page with the pictures of its figures in their places."""

    def put(room: re.Match[str]) -> str:
        drawing = drawings[room["name"]]
        return drawing.pictures[room["layout"]] if room["root"] is None else drawing.apart(room["layout"], room["root"])

    return _ROOM.sub(put, html)


def slot(name: str, module: Module, given: Inputs, catalogue: Catalogue) -> Slot:
    """Return the place of a figure that draws some rows of a catalogue."""
    return Slot(
        name=name,
        alt=module.ALT,
        layouts=tuple(layout.name for layout in module.LAYOUTS),
        controls=given.controls,
        table=_table(module, given.rows, catalogue),
        says=_says(module, given.rows),
        data=_series(name, module, given.rows),
    )


def _printed(control: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a control as the page has it: of a list that comes late, the option alone that is chosen."""
    if not control.get("late"):
        return control
    return {**control, "options": [one for one in control["options"] if one["value"] == control["value"]]}


def _kind(file: str) -> str:
    return "Vega-Lite" if file.endswith(".vl.json") else file.rsplit(".", 1)[-1].upper()


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
