"""Rows of the catalogue in prose: machine("h100-sxm5").bandwidth prints as the row writes it, and counts as a number.

Leaves out: reading the catalogue (report/catalogue.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from model.figure import Figure
from model.units import split
from report import rounding
from report.conditions import BAD, Bad
from report.described import resolved
from report.desk import Desk, Plain
from report.errors import nearest
from report.shown import KINDS, Cell, cell


class Row:
    """A row of the catalogue in prose: its numbers, its names, and what lies in it."""

    def __init__(self, desk: Desk, path: str, record: object) -> None:
        self._desk, self._path, self._record = desk, path, record

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        record, path = self._record, f"{self._path}.{name}"
        known = list(record) if isinstance(record, Mapping) else _public(record)
        if name not in known:
            return self._desk.fail(f"{self._path} has no '{name}'", nearest(name, known))
        value = record[name] if isinstance(record, Mapping) else getattr(record, name)
        return self._wrap(name, path, value)

    def _wrap(self, name: str, path: str, value: object) -> object:
        if isinstance(value, Figure):
            return _figure(path, value)
        if isinstance(value, str):
            return Plain(value, "name")
        if isinstance(value, bool):
            return self._desk.fail(f"{path} is yes or no", "use it in the catalogue's own tables")
        if value is None or isinstance(value, int | float):
            return _count(name, path, value, getattr(self._record, "unit", ""))
        if isinstance(value, Mapping) or is_dataclass(value):
            return Row(self._desk, path, value)
        return self._desk.fail(f"{path} cannot be printed")

    def __getitem__(self, name: object) -> Any:
        if not isinstance(name, str):
            return self._desk.fail(f"{self._path} is a row, whose parts have names")
        return self.__getattr__(name)

    def say(self) -> str:
        """Return where the row stands."""
        return self._path


def _public(record: object) -> list[str]:
    names = [part.name for part in fields(record)] if is_dataclass(record) else []
    properties = [name for name, value in vars(type(record)).items() if isinstance(value, property)]
    return names + properties


def _figure(path: str, figure: Figure) -> Cell:
    """Return a figure as a cell; a count in powers of ten is written in words, all else as the row writes it."""
    found = cell(path, figure)
    if re.search(r"\d[eE]", figure.text) and found.unit is not None:
        label = rounding.label(found.unit)
        text = f"{rounding.typed(figure.value)} {label.many}".strip()
    else:
        text = figure.text
    return Cell(path, figure, found.unit, text.replace(" ", rounding.NBSP), figure.value)


def _count(name: str, path: str, value: float | None, unit: str) -> Cell:
    """Return a plain number of a row; years are not grouped."""
    if value is None:
        return cell(path, None)
    text = str(value) if name == "year" else rounding.typed(value)
    return Cell(path, None, split(unit)[0] if name == "value" and unit else None, text, float(value))


def fetcher(desk: Desk, kind: str) -> Callable[..., object]:
    """Return the function of prose that fetches a row of a kind by its id."""

    def fetch(*names: object, **given: object) -> object:
        if len(names) != 1 or given:
            return desk.fail(f"{kind} takes the name of one row", f'write {kind}("...")')
        rows: Mapping[str, object] = getattr(desk.setting.catalogue, KINDS[kind], {})
        name = resolved(names[0])
        if isinstance(name, Bad) or (desk.setting.blind and (name in rows or not rows)):
            return BAD
        if not isinstance(name, str) or name not in rows:
            return desk.fail(f"unknown {kind} '{name}'", nearest(str(name), rows))
        return Row(desk, f"{kind}({name})", rows[name])

    return fetch
