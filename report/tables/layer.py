"""The note's ledger: the streams of one GPT layer in units of its width, and what each comes to for a token.

The amounts are pinned to one width; the report's own ledger follows the reader (ledger.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from model.units import split
from report import shown
from report.asking import World
from report.numbers import Const, Num
from report.tables import cells
from report.tables.table import Cell, Column, Row, Table

_COLUMNS = (
    Column("stream", "Stream", align="left"),
    Column("clock", "Paid", align="left"),
    Column("formula", "Bytes", align="left"),
    Column("amount", "At d = 4,096", "B", heading=""),
    Column("per_token", "Of it for each of 2,048 tokens", "B", heading=""),
)
_TOKENS, _ONE_TOKEN = 2048.0, Const(1.0, split("token")[0])
_LAYER = {"d": 4096.0, "L": 1.0}
_MACHINE = {"machine": "a100-sxm4-80gb", "form": "l2"}
_MICRO_BATCH, _TOKEN, _HELD = "per micro-batch", "per token", "held per token"
_STEP = "per step"

Make = Callable[[World], Num]


def _weights(key: str) -> Make:
    """Return the bytes of a stream of weights: one token pays for the whole visit."""
    return lambda world: _bytes(world, key, {"T": 1.0})


def _bytes(world: World, key: str, more: cells.Given) -> Num:
    """Return bytes per token as the bytes of one token, so that they take a prefix."""
    return cells.pinned(world, key, {**_LAYER, **more}) * _ONE_TOKEN


def _per_parameter(key: str) -> Make:
    return lambda world: cells.pinned(world, key, {}) * cells.pinned(world, "P_a", _LAYER)


@dataclass(frozen=True, slots=True)
class _Stream:
    """A line: what moves, when it is paid, its formula for a GPT layer, its bytes, for one token or for all."""

    id: str
    says: str
    clock: str
    tex: str
    make: Make

    @property
    def shared(self) -> bool:
        """Say whether the tokens of a visit or a step share the amount."""
        return self.clock in (_MICRO_BATCH, _STEP)


def _visit(world: World) -> Num:
    return cells.pinned(world, "stream_bytes", {**_LAYER, "T": 1.0, "form": "plain"})


def _tape(world: World) -> Num:
    return cells.pinned(world, "tape_bytes", {**_LAYER, "T": 1.0, "policy": "selective"})


_STREAMS = (
    _Stream("a", "(a) weights, gradients", _MICRO_BATCH, r"12\,b_w d^2", _visit),
    _Stream(
        "a-reads", "of these: read forward, read backward", _MICRO_BATCH, r"4 \cdot 12\,d^2", _weights("weight_reads")
    ),
    _Stream(
        "a-sums",
        "of these: the gradient’s sum in 32 bits",
        _MICRO_BATCH,
        r"8 \cdot 12\,d^2",
        _weights("gradient_traffic"),
    ),
    _Stream("b", "(b) activations between kernels", _TOKEN, r"a\,d", lambda world: _bytes(world, "A", {})),
    _Stream("c", "(c) saved activations, a capacity", _HELD, r"c\,d", _tape),
    _Stream(
        "d",
        "(d) operands fetched again, 40 MB of L2",
        _TOKEN,
        r"12\,f d^2/I_{\text{L2}}",
        lambda world: _bytes(world, "reblocking_traffic", _MACHINE),
    ),
    _Stream("e", "(e) the optimizer’s state", _STEP, r"12\,o\,d^2", _per_parameter("o")),
    _Stream("f", "(f) gradients over the fabric", _STEP, r"12\,g\,d^2", _per_parameter("g")),
)


def layer_ledger(world: World) -> Table:
    """Return the streams of one layer; those that tokens share, also divided among the tokens of one sequence."""
    return Table("layer-ledger", _COLUMNS, tuple(_row(world, stream) for stream in _STREAMS), stacked=True)


def _row(world: World, stream: _Stream) -> Row:
    num = stream.make(world)
    each = num / _TOKENS if stream.shared else num
    found = (
        cells.words(stream.says),
        cells.words(stream.clock),
        Cell((cells.formula(stream.tex),), stream.tex),
        cells.quantity(num, 3),
        cells.printed(shown.qty(each, 3)),
    )
    return Row(stream.id, "", found)
