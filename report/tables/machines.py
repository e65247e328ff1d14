"""Machines as tables: those of today, and those on which backpropagation grew up."""

from __future__ import annotations

from collections.abc import Sequence

from model.machine import Machine
from model.records import Catalogue
from report.asking import World
from report.named import spelled
from report.tables import cells
from report.tables.table import Cell, Column, Row, Table

_NAME = Column("machine", "Machine", align="left")
_YEAR = Column("year", "Year")
_FORMAT = Column("format", "Format", align="left")

# β at fp8 is asked on another scenario than the rest.
_MODERN = (
    _NAME,
    _YEAR,
    Column("format", "Format", align="left", shown=False),
    Column("peak", "Peak", "TFLOP/s", meaning="arithmetic", note="16-bit"),
    Column("bandwidth", "Bandwidth", "TB/s", meaning="bytes"),
    Column("beta", "β", "FLOP/B"),
    Column("beta_fp8", "β at fp8", "FLOP/B"),
    Column("capacity", "Memory", "GB", meaning="capacity"),
    Column("cache", "On chip", "MB", meaning="capacity"),
    Column("drain_time", "Drain", "ms", meaning="bytes"),
)

_OLD = (
    _NAME,
    _YEAR,
    _FORMAT,
    Column("peak", "Peak", "MFLOP/s", meaning="arithmetic"),
    Column("linpack", "LINPACK", "MFLOP/s", meaning="arithmetic"),
    Column("bandwidth", "Bandwidth", "MB/s", meaning="bytes"),
    Column("cache", "Cache", "KiB", meaning="capacity"),
    Column("beta", "β at peak", "FLOP/B", digits=2),
    Column("beta_sustained", "β sustained", "FLOP/B", digits=2),
)
# What the row says; the rest is worked out.
_GIVEN = frozenset({"peak", "linpack", "bandwidth", "capacity", "cache"})


def modern(world: World, catalogue: Catalogue, ids: Sequence[str]) -> Table:
    """Return the machines of today: rates, balances, memories, drain time."""
    rows = (catalogue.machines[name] for name in ids)
    return Table("modern-machines", _MODERN, tuple(_row(world, _MODERN, row) for row in rows))


def old(world: World, catalogue: Catalogue, ids: Sequence[str]) -> Table:
    """Return the machines of 1976 to 1990: rates, caches, balance at peak and on what programs sustained."""
    rows = (catalogue.machines[name] for name in ids)
    return Table("old-machines", _OLD, tuple(_row(world, _OLD, row) for row in rows))


def _row(world: World, columns: Sequence[Column], row: Machine) -> Row:
    found = tuple(_cell(world, column, row) for column in columns)
    return Row(row.id, spelled({"machine": row.id}), found, row.status)


def _cell(world: World, column: Column, row: Machine) -> Cell:
    match column.key:
        case "machine":
            return cells.words(row.short)
        case "year":
            return cells.year(row.year)
        case "format":
            return cells.words(row.balance_format)
        case "beta_fp8":
            return cells.asked(world, column, {"machine": row.id, "format": "fp8"}, "beta")
    if column.key in _GIVEN:
        return cells.given(world, column, {"machine": row.id})
    return cells.asked(world, column, {"machine": row.id})
