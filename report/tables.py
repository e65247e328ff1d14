"""The report's tables: which machines, which quantities, and the text of each cell.

A table is rows of cells before it is markup, so that the page, the CSV and the JSON hold the same numbers. A cell is
a number of the model on the row's machine, or a value of its catalogue row; what has no value says why.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from model.book import ask
from model.formula import STATES, Base
from model.machine import Machine
from model.records import Catalogue
from model.scenario import base
from report import rounding


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its key, heading (markup) and unit, how its numbers are written, and what colour they mean."""

    key: str
    title: str
    unit: str
    scale: float = 1.0
    digits: int = 3
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: what is printed, and the number behind it in the column's unit."""

    text: str
    value: float | str | None
    state: str | None = None

    @property
    def html(self) -> str:
        """Return the cell's markup; a dash says aloud why there is no number."""
        if self.state:
            return f'<abbr title="{escape(STATES[self.state])}">–</abbr>'
        return escape(self.text)


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its id, the scenario that it links to, its cells in the order of the columns."""

    id: str
    link: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: what it is called in prose, its columns, its rows."""

    id: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    def context(self, caption: str, downloads: Sequence[Mapping[str, str]]) -> dict[str, Any]:
        """Return the context of the template _table.html."""
        columns = [
            {
                "key": column.key,
                "title": column.title,
                "unit": column.unit,
                "align": "left" if column.key == "machine" else "right",
                "class": f"n-{column.meaning}" if column.meaning else "",
            }
            for column in self.columns
        ]
        rows = [
            {"id": f"{self.id}-{row.id}", "link": row.link, "cells": [cell.html for cell in row.cells]}
            for row in self.rows
        ]
        return {
            "id": self.id,
            "caption": caption,
            "wide": True,
            "scrolls": False,
            "columns": columns,
            "rows": rows,
            "downloads": downloads,
        }

    def records(self) -> list[dict[str, Any]]:
        """Return the rows as plain records, keyed by column, numbers in the column's unit."""
        keys = [self._name(column) for column in self.columns]
        return [dict(zip(keys, (_plain(cell) for cell in row.cells), strict=True)) for row in self.rows]

    def csv(self) -> bytes:
        """Return the table as CSV; the unit stands in the heading."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([self._name(column) for column in self.columns])
        writer.writerows([_plain(cell) for cell in row.cells] for row in self.rows)
        return text.getvalue().encode("utf-8")

    def json(self) -> bytes:
        """Return the table as JSON, one record a row."""
        return (json.dumps(self.records(), indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8")

    def _name(self, column: Column) -> str:
        return f"{column.key} ({column.unit})" if column.unit else column.key


def _plain(cell: Cell) -> float | str | None:
    return float(f"{cell.value:.10g}") if isinstance(cell.value, float) else cell.value


# β at fp8 is asked on another scenario than the rest; "format" says so.
_MODERN = (
    Column("machine", "Machine", ""),
    Column("year", "Year", ""),
    Column("peak", "Peak", "TFLOP/s, 16-bit", 1e12, 3, "arithmetic"),
    Column("bandwidth", "Bandwidth", "TB/s", 1e12, 3, "bytes"),
    Column("beta", "β", "FLOP/B", 1.0, 3),
    Column("beta_fp8", "β at fp8", "FLOP/B", 1.0, 3),
    Column("capacity", "Memory", "GB", 1e9, 3, "capacity"),
    Column("cache", "On chip", "MB", 1e6, 3, "capacity"),
    Column("drain_time", "Drain", "ms", 1e-3, 3, "bytes"),
)


def modern_machines(catalogue: Catalogue, ids: Sequence[str]) -> Table:
    """Return the table of the machines of today: rates, balances, memories, drain time."""
    return Table("modern-machines", _MODERN, tuple(_machine(catalogue, catalogue.machines[name]) for name in ids))


def _machine(catalogue: Catalogue, row: Machine) -> Row:
    plain = base(catalogue, {"machine": row.id})
    fp8 = base(catalogue, {"machine": row.id, "format": "fp8"})
    cells = [Cell(_name(row), row.short), Cell(str(row.year), float(row.year))]
    cells += [_asked(column, fp8 if column.key == "beta_fp8" else plain) for column in _MODERN[2:]]
    return Row(row.id, f"#v=1&machine={row.id}", tuple(cells))


def _name(row: Machine) -> str:
    return row.short + (" (announced)" if row.status == "announced" else "")


def _asked(column: Column, inputs: Base) -> Cell:
    answer = ask(column.key.removesuffix("_fp8"), inputs)
    if answer.value is None:
        return Cell(rounding.DASH, None, answer.state)
    scaled = answer.value / column.scale
    return Cell(rounding.sig(scaled, column.digits), scaled)
