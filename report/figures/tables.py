"""The table that stands under a figure: what is asked in each cell, so that the page can ask again for its reader.

A row lays changes over the scenario, a column asks one quantity. The build writes the cells of the default scenario;
figures.js asks the same questions of the reader's and writes them alike. Leaves out: tables of the catalogue's rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from model.book import QUANTITIES, ask
from model.formula import STATES, Base, Memo
from model.records import Catalogue
from model.scenario import DEFAULT, base, over
from report import rounding
from report.figures.export import strict

Settings = Mapping[str, str | float]


@dataclass(frozen=True, slots=True)
class Row:
    """A row: what it is called, what it changes; a change to "=s" takes what the scenario has for s."""

    head: str
    changes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: what it is called, the key it asks, and how its numbers are written: sig, qty, percent."""

    head: str
    key: str
    way: str = "sig"
    digits: int = 3

    @property
    def label(self) -> rounding.Label:
        """Return how the unit is written after a number."""
        return rounding.label(QUANTITIES[self.key].unit)

    def written(self, value: float) -> str:
        """Return a value as a reader sees it."""
        if self.way == "qty":
            return rounding.qty(value, self.digits, self.label)
        return rounding.percent(value, self.digits) if self.way == "percent" else rounding.sig(value, self.digits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What is asked: a caption, the heading of the rows, the rows and the columns."""

    caption: str
    rows_are: str
    rows: Sequence[Row]
    columns: Sequence[Column]


def doublings(key: str, most: int) -> list[Row]:
    """Return a row for every second doubling of a key from 1 on; the downloads have them all."""
    return [Row(rounding.exact(2.0**k), {key: str(2**k)}) for k in range(0, most + 1, 2)]


def resolved(changes: Mapping[str, str], given: Base) -> dict[str, str]:
    """Return changes with the scenario's own values put in."""
    return {key: _own(value[1:], given) if value.startswith("=") else value for key, value in changes.items()}


def _own(key: str, given: Base) -> str:
    value = ask(key, given).value
    return "" if value is None else f"{value:.10g}"


def scenario(row: Row, settings: Settings, catalogue: Catalogue) -> Base:
    """Return the inputs of a row on a scenario."""
    return base(catalogue, over(settings, resolved(row.changes, base(catalogue, settings))))


def series(table: Table, catalogue: Catalogue, settings: Settings, **named: str) -> list[dict[str, Any]]:
    """Return a table as one row for each value: the row's name, the quantity, its value in base units."""
    found: list[dict[str, Any]] = []
    for row in table.rows:
        given = scenario(row, settings, catalogue)
        memo: Memo = {}
        for column in table.columns:
            quantity = QUANTITIES[column.key]
            value = ask(column.key, given, memo).number
            found.append(
                {**named, "row": row.head, "quantity": column.head, "unit": str(quantity.unit), "value": value}
            )
    return found


def html(table: Table, catalogue: Catalogue) -> str:
    """Return a table of the default scenario that says in its own cells what was asked."""
    heads = "".join(_heading(column) for column in table.columns)
    rows = "".join(_row(row, table, catalogue) for row in table.rows)
    head = f'<thead><tr><th scope="col">{escape(table.rows_are)}</th>{heads}</tr></thead>'
    return f'<table class="asked"><caption>{escape(table.caption)}</caption>{head}<tbody>{rows}</tbody></table>'


def _heading(column: Column) -> str:
    unit = QUANTITIES[column.key].unit
    words = f"{column.head}, {unit}" if column.way == "sig" and str(unit) != "1" else column.head
    asks = f' data-ask="{column.key}" data-way="{column.way}" data-digits="{column.digits}"'
    label = column.label
    written = strict([label.one, label.many, label.low, label.high])
    asks += f" data-label='{escape(written)}'" if column.way == "qty" else ""
    return f'<th scope="col"{asks}>{escape(words)}</th>'


def _row(row: Row, table: Table, catalogue: Catalogue) -> str:
    given = scenario(row, DEFAULT, catalogue)
    memo: Memo = {}
    cells = "".join(f"<td>{escape(_cell(column, given, memo))}</td>" for column in table.columns)
    changes = " ".join(f"{key}={value}" for key, value in row.changes.items())
    return f'<tr data-given="{escape(changes)}"><th scope="row">{escape(row.head)}</th>{cells}</tr>'


def _cell(column: Column, given: Base, memo: Memo) -> str:
    answer = ask(column.key, given, memo)
    return STATES[answer.state] if answer.value is None and answer.state else column.written(answer.value or 0.0)
