"""The ledger of a training step: six streams of bytes on three clocks, each with its constant, amount and formula.

The amounts follow the reader's scenario. The third stream is a capacity, held and not moved.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from model.records import Catalogue, Constant
from model.units import split
from report import rounding, shown
from report.asking import World
from report.numbers import Const, Num
from report.tables import cells
from report.tables.table import Cell, Column, Part, Row, Table

_COLUMNS = (
    Column("stream", "Stream", align="left"),
    Column("clock", "Paid", align="left"),
    Column("formula", "Bytes", align="left"),
    Column("constant", "Constant", align="left"),
    Column("low", "Low", shown=False),
    Column("high", "High", shown=False),
    Column("constant_unit", "Unit", shown=False),
    Column("amount", "On your scenario", "B", heading=""),
)
_TOKEN, _PER_TOKEN = split("token")[0], split("B/token")[0]


@dataclass(frozen=True, slots=True)
class _Stream:
    """One line of the ledger: what moves, when it is paid, the quantity and the branch of its formula, its constant."""

    id: str
    says: str
    clock: str
    key: str
    constant: str
    symbol: str
    branch: str = ""
    held: cells.Given = field(default_factory=dict)


_STREAMS = (
    _Stream(
        "a",
        "(a) weights, read twice, and the gradient’s read-modify-write",
        "per micro-batch",
        "stream_bytes",
        "b-w-bf16-fp32-accumulator",
        "b_w",
        "plain",
        {"form": "plain"},
    ),
    _Stream("b", "(b) activations between kernels", "per token", "A", "activation-traffic", "a"),
    _Stream(
        "c",
        "(c) saved activations, a capacity and no traffic",
        "held per micro-batch",
        "tape_bytes",
        "tape-34",
        "c",
        "selective",
        {"policy": "selective"},
    ),
    _Stream(
        "d",
        "(d) operands that blocked products fetch again",
        "per token",
        "reblocking_traffic",
        "",
        r"I_{\text{L2}}",
        "l2",
        {"form": "l2"},
    ),
    _Stream(
        "e",
        "(e) the optimizer’s state, or the share ω that a replica updates",
        "per step",
        "optimizer_bytes",
        "optimizer-bytes",
        "o",
    ),
    _Stream(
        "f",
        "(f) gradients over the fabric, the share ρ = (N − 1)/N in a ring",
        "per step",
        "allreduce_bytes",
        "all-reduce",
        "g",
        "ring",
    ),
)
CONSTANTS = tuple(stream.constant for stream in _STREAMS if stream.constant)


def ledger(world: World, catalogue: Catalogue) -> Table:
    """Return the six streams, their amounts on the reader's scenario."""
    return Table("ledger", _COLUMNS, tuple(_row(world, catalogue, stream) for stream in _STREAMS), stacked=True)


def _row(world: World, catalogue: Catalogue, stream: _Stream) -> Row:
    constant = catalogue.constants.get(stream.constant)
    found = (
        cells.words(stream.says),
        cells.words(stream.clock),
        cells.right_side(stream.key, stream.branch),
        *(_constant(stream, constant) if constant else _intensity(world, stream)),
        cells.quantity(_in_bytes(cells.live(world, stream.key, stream.held)), 3),
    )
    return Row(stream.id, "", found)


def _constant(stream: _Stream, row: Constant) -> tuple[Cell, ...]:
    """Return a constant with its range, and what downloads hold of it."""
    value = cells.constant(row, rounding.typed(row.value))
    spread = f" ({cells.spread(row.low, row.high)})".replace(" ", rounding.NBSP)
    parts = (*_equals(stream), *value.parts, spread, " ", row.unit)
    return Cell(parts, row.value), cells.hidden(row.low), cells.hidden(row.high), cells.hidden(row.unit)


def _intensity(world: World, stream: _Stream) -> tuple[Cell, ...]:
    """Return the intensity of blocked products, which is the machine's own and has no range."""
    num = cells.live(world, "I_L2")
    found = cells.counted(shown.sig(num, 3), str(num.unit))
    whole = Cell((*_equals(stream), *found.parts), found.value, found.state)
    return whole, cells.hidden(None), cells.hidden(None), cells.hidden(str(num.unit))


def _equals(stream: _Stream) -> tuple[Part, Part]:
    return cells.formula(stream.symbol), f"{rounding.NBSP}={rounding.NBSP}"


def _in_bytes(num: Num) -> Num:
    """Return bytes per token as the bytes of one token, so that they take a prefix."""
    return num * Const(1.0, _TOKEN) if num.unit == _PER_TOKEN else num
