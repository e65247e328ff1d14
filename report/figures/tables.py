"""The table that stands under a figure: what is asked in each cell, so that the page can ask again for its reader.

A row lays changes over the scenario, a column asks one quantity. The build writes the cells of the default scenario;
in-words.js asks the same questions of the reader's and writes them alike. Why there is no value is said once in a
column: further down a dash means the same. A table of the catalogue's rows begins with the reader's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from model.book import QUANTITIES, ask
from model.formula import STATES, Answer, Base, Memo
from model.records import Catalogue
from model.scenario import DEFAULT, over
from report import rounding
from report.figures.export import strict
from report.figures.things import marked
from report.given import base

Settings = Mapping[str, str | float]


@dataclass(frozen=True, slots=True)
class Row:
    """A row: what it is called, what it changes; a change to "=s" takes what the scenario has for s."""

    head: str
    changes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: what it is called, the key it asks, and how its numbers are written: sig, count, qty, percent.

    of_texts: what it asks holds for language models alone. counted: the heading says what is counted.
    """

    head: str
    key: str
    way: str = "sig"
    digits: int = 3
    of_texts: bool = False
    counted: bool = False

    @property
    def label(self) -> rounding.Label:
        """Return how the unit is written after a number: of what is counted the heading says it, or the caption."""
        if self.way == "count":
            return _UNSAID
        unit = rounding.label(QUANTITIES[self.key].unit)
        one, many = (word.removesuffix("/token") for word in (unit.one, unit.many))
        return rounding.Label(one, many, unit.low, unit.high)

    @property
    def heading(self) -> str:
        """Return what stands above the cells: the unit too, where they do not say it."""
        unit = QUANTITIES[self.key].unit
        said = self.counted or self.way in ("qty", "percent") or str(unit) == "1"
        return self.head if said else f"{self.head}, {rounding.label(unit).many}"

    def written(self, value: float) -> str:
        """Return a value as a reader sees it."""
        if self.way == "qty":
            return rounding.qty(value, self.digits, self.label)
        if self.way == "count":
            return rounding.count(value, self.digits, self.label).strip()
        return rounding.percent(value, self.digits) if self.way == "percent" else rounding.sig(value, self.digits)


_UNSAID = rounding.Label("", "")


# What a column of a list asks for the reader: a number, the word of a choice, or nothing.
Asked = Column | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What is asked: a caption, the heading of the rows, the rows and the columns.

    of_texts: its rows are language models, and count tokens whatever the reader's network has.
    """

    caption: str
    rows_are: str
    rows: Sequence[Row]
    columns: Sequence[Column]
    of_texts: bool = False

    def marked(self, text: str) -> str:
        """Return one of its texts as HTML, which follows what the reader's network counts."""
        return escape(text) if self.of_texts else marked(text)


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
    heads = "".join(_heading(column, table.marked(column.heading)) for column in table.columns)
    rows = _rows(table, catalogue)
    head = f'<thead><tr><th scope="col">{table.marked(table.rows_are)}</th>{heads}</tr></thead>'
    caption = f"<caption>{table.marked(table.caption)}</caption>"
    return f'<table class="asked">{caption}{head}<tbody>{rows}</tbody></table>'


def _heading(column: Column, heading: str) -> str:
    asks = f' data-ask="{column.key}" data-way="{column.way}" data-digits="{column.digits}"'
    label = column.label
    written = strict([label.one, label.many, label.low, label.high])
    asks += f" data-label='{escape(written)}'" if column.way in ("qty", "count") else ""
    asks += ' data-of-texts=""' if column.of_texts else ""
    return f'<th scope="col"{asks}>{heading}</th>'


def _rows(table: Table, catalogue: Catalogue) -> str:
    found, above = "", [""] * len(table.columns)
    for row in table.rows:
        given = scenario(row, DEFAULT, catalogue)
        memo: Memo = {}
        answers = [ask(column.key, given, memo) for column in table.columns]
        told = zip(table.columns, answers, above, strict=True)
        cells = "".join(f"<td>{escape(cell(column, answer, before))}</td>" for column, answer, before in told)
        above = [answer.state or "" for answer in answers]
        changes = " ".join(f"{key}={value}" for key, value in row.changes.items())
        found += f'<tr data-given="{escape(changes)}"><th scope="row">{table.marked(row.head)}</th>{cells}</tr>'
    return found


def listed(
    setting: str, caption: str, columns: Mapping[str, Asked], mine: Sequence[str], rows: Sequence[Listed]
) -> str:
    """Return a table of rows of the catalogue under one of the reader's own, which in-words.js keeps.

    setting is the key that chooses a row. The first column names the row; another asks the reader's scenario, or says
    for the reader what the listed row says.
    """
    name, *others = columns.items()
    heads = f'<th scope="col" data-named="{setting}">{escape(name[0])}</th>'
    heads += "".join(_listed_heading(head, column) for head, column in others)
    first = f'<tr class="mine"><th scope="row">yours: <span data-choice="{setting}">{escape(mine[0])}</span></th>'
    first += "".join(f"<td>{escape(text)}</td>" for text in mine[1:]) + "</tr>"
    body = "".join(_listed_row(*row, current=row[0] == DEFAULT[setting]) for row in rows)
    return (
        f'<table class="listed" data-listed="{setting}"><caption>{escape(caption)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{first}{body}</tbody></table>"
    )


Listed = tuple[str, Sequence[str]]  # the id of a row, and its cells


def _listed_heading(head: str, column: Asked) -> str:
    if isinstance(column, Column):
        return _heading(column, escape(column.heading))
    asks = f' data-ask="{column}"' if column else ""
    return f'<th scope="col"{asks}>{escape(head)}</th>'


def _listed_row(name: str, cells: Sequence[str], *, current: bool) -> str:
    chosen = ' class="yours" aria-current="true"' if current else ""
    others = "".join(f"<td>{escape(text)}</td>" for text in cells[1:])
    return f'<tr data-id="{escape(name)}"{chosen}><th scope="row">{escape(cells[0])}</th>{others}</tr>'


def cell(column: Column, answer: Answer, above: str) -> str:
    """Return what a cell says; above is the state of the cell over it."""
    if answer.state:
        return rounding.DASH if answer.state == above else STATES[answer.state]
    assert answer.value is not None
    return column.written(answer.value)
