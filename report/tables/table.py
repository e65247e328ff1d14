"""What a table is before it is markup: columns, rows, cells; and what of it can be downloaded.

A cell is what the page prints (text, markup, numbers of the model or of a row, citations) and beside it the plain
value that the CSV and the JSON hold, in the unit of its column. Leaves out: the markup (markup.py), which needs the
page on which the table stands, since its numbers are numbers of that page.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from report.rowwise import as_json
from report.shown import Cell as RowValue
from report.shown import Shown


@dataclass(frozen=True, slots=True)
class Cite:
    """A work of the bibliography, by its key."""

    key: str


# Markup is HTML made here; a plain string is text.
Part = str | Markup | Shown | RowValue | Cite
Plain = float | int | str | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its key in downloads, its heading, the unit of its numbers, how they are written and what they mean.

    note stands after the unit on the page, where a heading of its own may stand for the unit. A column that is not
    shown is for downloads alone.
    """

    key: str
    title: str
    unit: str = ""
    digits: int = 3
    align: str = "right"
    meaning: str = ""
    note: str = ""
    heading: str | None = None
    shown: bool = True

    @property
    def name(self) -> str:
        """Return what heads the column in a download."""
        return f"{self.key} ({self.unit})" if self.unit else self.key


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: what the page prints, the plain value behind it, and the state that says why there is none."""

    parts: tuple[Part, ...]
    value: Plain
    state: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its id, the fragment of its scenario ('' for none), its cells in the order of the columns, its status."""

    id: str
    link: str
    cells: tuple[Cell, ...]
    status: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table: what it is called in prose, its columns, its rows.

    scrolls: too wide for text and margin together. stacked: mostly words, so that on a phone each row becomes a block.
    sorts: a reader with script can order the rows by any column.
    renamed: what its downloads are called, where a catalogue has the table's own name.
    """

    id: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    scrolls: bool = False
    stacked: bool = False
    sorts: bool = False
    renamed: str = ""

    @property
    def file(self) -> str:
        """Return the plain name of its downloads, without an ending."""
        return self.renamed or self.id

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row.cells) != len(self.columns):
                raise ValueError(f"row {row.id} of {self.id} has {len(row.cells)} cells, not {len(self.columns)}")

    def records(self) -> list[dict[str, Any]]:
        """Return the rows as plain records, keyed by column; `states` says why a number is missing, where one is."""
        return [self._record(row) for row in self.rows]

    def _record(self, row: Row) -> dict[str, Any]:
        pairs = list(zip(self.columns, row.cells, strict=True))
        found: dict[str, Any] = {"id": row.id}
        found |= {column.name: _short(cell.value) for column, cell in pairs}
        states = {column.key: cell.state for column, cell in pairs if cell.state}
        tail = {"status": row.status, "scenario": row.link.removeprefix("#")}
        return found | {key: text for key, text in tail.items() if text} | ({"states": states} if states else {})

    def csv(self) -> bytes:
        """Return the table as CSV (RFC 4180, UTF-8); the unit stands in the heading, a missing value is empty."""
        heads, records = [column.name for column in self.columns], self.records()
        said = set().union(*records) - set(heads)
        tail = [key for key in ("status", "scenario") if key in said]
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow(["id", *heads, *tail])
        writer.writerows(_line(record, ["id", *heads, *tail]) for record in records)
        return text.getvalue().encode("utf-8")

    def json(self) -> bytes:
        """Return the table as JSON, one record a row."""
        return as_json(self.records())


def _line(record: dict[str, Any], keys: Iterable[str]) -> list[str]:
    return ["" if record.get(key) is None else str(record[key]) for key in keys]


def _short(value: Plain) -> Plain:
    """Return a number with as many digits as processors agree on, a whole one as such."""
    if not isinstance(value, float):
        return value
    short = float(f"{value:.10g}")
    return int(short) if short.is_integer() and abs(short) < _WHOLE else short


_WHOLE = 1e15  # beyond it a whole number is written as a power of ten
