"""Growth rates: doubling times as others published them, beside the fit over the machines of the catalogue.

A doubling time stands as its source states it, else it follows from the growth; that of a ratio follows from the two
rates. What grew, and over which population, stands beside it: the numbers are comparable only where those are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from model.records import Catalogue, Trend
from model.units import unit
from report import rounding
from report.numbers import Num
from report.shown import Cell as RowValue
from report.tables import cells, sources
from report.tables.table import Cell, Column, Row, Table
from report.trendcells import NAMES, FitCells, Trends
from report.trends import WAYS

_YEAR = unit("year")
_COLUMNS = (
    Column("grew", "What grew", align="left"),
    Column("source", "Source", align="left"),
    Column("span", "Years", align="left"),
    Column("doubling", "Doubling time", "year", heading="years"),
    Column("interval", "95% interval", heading="years"),
    Column("low", "Shortest", "year", shown=False),
    Column("high", "Longest", "year", shown=False),
    Column("population", "Over", align="left"),
)
_DOUBLING = _COLUMNS[3]
# The blocks of the table: what is ours in it, and which kinds of published rates stand below.
_OURS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "compute": (("peak", "day"), ("peak", "fp32")),
    "memory bandwidth": (("bandwidth", "day"),),
    "memory latency": (),
    "interconnect": (),
    "balance": (("beta", "day"), ("beta", "fp32")),
}
SQUARED = "kung-1986"  # his law: memory that keeps the balance grows with the square of the ratio


def growth_rates(trends: Trends, catalogue: Catalogue) -> Table:
    """Return the table: for each kind of rate our fit, then what others found."""
    rows: list[Row] = []
    for kind, ours in _OURS.items():
        rows += [_fitted(trends.fit(key, way), key, way) for key, way in ours]
        rows += [row for one in catalogue.trends.values() if one.kind == kind for row in _published(one, catalogue)]
    rows.append(_squared(trends.fit("beta"), catalogue.trends[SQUARED]))
    return Table("growth-rates", _COLUMNS, tuple(rows))


def _fitted(fit: FitCells, key: str, way: str) -> Row:
    found = (
        cells.words(_headed(f"{NAMES[key]}, at {WAYS[way]}")),
        cells.words("this report’s fit"),
        *_times(fit, 1.0),
        cells.words(f"{fit.found.n} machines of the catalogue"),
    )
    return Row(f"fit-{key}-{way}", "", found)


def _times(fit: FitCells, part: float) -> tuple[Cell, ...]:
    """Return the years of a fit, its doubling time and its interval, or a part of both."""
    line = fit.found
    low, high = part * line.low, part * line.high
    time: Num = fit.doubling if part == 1 else fit.doubling * part
    interval = f"{rounding.sig(low, 3)} to {rounding.sig(high, 3)}"
    return (
        cells.words(_span(line.first, line.last)),
        cells.number(time, _DOUBLING),
        cells.words(interval),
        cells.hidden(low),
        cells.hidden(high),
    )


def _published(row: Trend, catalogue: Catalogue) -> Iterator[Row]:
    """Yield the row of a published rate, or of the ratio of two; a rate without a number yields none."""
    years = doubling(row, catalogue)
    if years is None:
        return
    time = cells.number(RowValue(f"trend({row.id}).doubling", None, _YEAR, "", years), _DOUBLING)
    yield Row(row.id, "", (*_what(row, catalogue), time, *_bare(row)), row.status)


def _what(row: Trend, catalogue: Catalogue) -> tuple[Cell, ...]:
    first = catalogue.trends[row.of] if row.of else row
    over = f", {row.note}" if row.of and row.note else ""
    span = _span(first.start, first.end) if first.start and first.end else ""
    return cells.words(_headed(row.quantity + over)), sources.works(row.sources, row.cited[:1]), cells.words(span)


def _bare(row: Trend) -> Sequence[Cell]:
    return cells.words(""), cells.hidden(None), cells.hidden(None), cells.words(row.population)


def _squared(fit: FitCells, row: Trend) -> Row:
    """Return how fast memory would have to grow beside the arithmetic, by Kung's law on our fit of the balance."""
    found = (
        cells.words(_headed(f"{row.quantity} that keeps a matrix product in balance")),
        sources.works(row.sources, row.cited[:1]),
        *_times(fit, 0.5),
        cells.words("the square of the balance, as we fit it"),
    )
    return Row(row.id, "", found, row.status)


def _headed(text: str) -> str:
    return text[0].upper() + text[1:]


def _span(first: int, last: int) -> str:
    return f"{first}{rounding.NBSP}to{rounding.NBSP}{last}"


def doubling(row: Trend, catalogue: Catalogue) -> float | None:
    """Return a doubling time in years: as stated, from the growth, or from the two rates of a ratio."""
    if row.doubling is not None:
        return row.doubling
    if row.growth is not None and row.years is not None:
        return row.years * math.log(2) / math.log(row.growth)
    if row.of is None or row.over is None:
        return None
    rates = [doubling(catalogue.trends[name], catalogue) for name in (row.of, row.over)]
    fast, slow = (1 / rate for rate in rates if rate)
    return 1 / (fast - slow)
