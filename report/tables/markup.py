"""A table on a page: its numbers become numbers of that page, with keys that other edits leave alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

from model.formula import STATES
from report import authoring, fill, rounding
from report.desk import Desk, Printed
from report.shown import Cell as RowValue
from report.shown import Shown
from report.tables.table import Cell, Cite, Column, Part, Row, Table


def context(table: Table, desk: Desk, caption: str, downloads: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Return the context of the template _table.html; every number in it is put down at the page's desk."""
    places = [place for place, column in enumerate(table.columns) if column.shown]
    columns = [table.columns[place] for place in places]
    return {
        "id": table.id,
        "caption": caption,
        "wide": True,
        "scrolls": table.scrolls,
        "stacked": table.stacked,
        "sorts": table.sorts,
        "columns": [
            {
                "key": column.key,
                "title": column.title,
                "unit": _unit(column),
                "align": column.align,
                "class": f"n-{column.meaning}" if column.meaning else "",
            }
            for column in columns
        ],
        "rows": [_row(table, row, places, desk) for row in table.rows],
        "downloads": downloads,
    }


def _unit(column: Column) -> str:
    unit = column.unit if column.heading is None else column.heading
    return ", ".join(part for part in (unit, column.note) if part)


def _row(table: Table, row: Row, places: Sequence[int], desk: Desk) -> dict[str, Any]:
    keys = [f"tables/{table.id}#{row.id}.{table.columns[place].key}" for place in places]
    cells = [cell_html(row.cells[place], desk, key) for place, key in zip(places, keys, strict=True)]
    return {"id": f"{table.id}-{row.id}", "link": row.link, "status": row.status, "cells": cells}


def cell_html(cell: Cell, desk: Desk, key: str) -> Markup:
    """Return the markup of a cell; without a value it is a dash that says why."""
    if not cell.parts and cell.state:
        return _dash(cell.state)
    return Markup("").join(_part(part, desk, key) for part in cell.parts)


def _part(part: Part, desk: Desk, key: str) -> Markup:
    if isinstance(part, Shown | RowValue):
        return _number(desk.printed(part), desk, key)
    if isinstance(part, Cite):
        return Markup(authoring.cite(desk, part.key).markup)  # made there, of a key of the bibliography
    return escape(part)


def _number(printed: Printed, desk: Desk, key: str) -> Markup:
    printed.where, printed.key = "cell", key
    state = fill.state(printed.shown)
    if state and not printed.live:
        return Markup('<data class="n pinned" data-n="{}" value="">{}</data>').format(printed.n, _dash(state))
    return Markup(fill.number(desk, printed))  # escaped there


def _dash(state: str) -> Markup:
    return Markup('<abbr title="{}">{}</abbr>').format(STATES[state], rounding.DASH)
