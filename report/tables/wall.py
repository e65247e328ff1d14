"""The three parts of the wall and the proposals that attack each; and networks that meet another wall, or none.

What the ledger can price is computed for the 7B class; what a proposal gives up is told in words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from report import shown
from report.asking import World
from report.numbers import Num
from report.tables import cells
from report.tables.table import Cell, Cite, Column, Part, Row, Table

_NETWORK: Mapping[str, str] = {"network": "generic-7b"}
_A100: Mapping[str, str] = {"machine": "a100-sxm4-80gb"}
Make = Callable[[World], Num]

_WALL = (
    Column("proposal", "Proposal", align="left"),
    Column("part", "Attacks", align="left"),
    Column("exact", "Gradient", align="left"),
    Column("tape", "Tape, times smaller", align="left"),
    Column("floor", "Floor on an A100, tokens", "token", heading="", align="left"),
    Column("toll", "Toll, times smaller", align="left"),
    Column("price", "More arithmetic", align="left"),
    Column("gives_up", "Gives up", align="left"),
)


def _tape(policy: str) -> Make:
    """Return how often smaller the tape is when only so much of it is kept."""
    return lambda world: _tape_bytes(world, "selective") / _tape_bytes(world, policy)


def _tape_bytes(world: World, policy: str) -> Num:
    return cells.pinned(world, "tape_bytes", {**_NETWORK, "T": 2048.0, "policy": policy})


def _floor(**held: str) -> Make:
    return lambda world: cells.pinned(world, "examples_per_fetch", {**_A100, **held})


def _again(world: World) -> Num:
    return cells.pinned(world, "recompute_share", {**_NETWORK, "s": 2048.0, "policy": "reversible"})


def _rank(world: World) -> Num:
    return cells.pinned(world, "rank_redundancy", {"d": 4096.0, "T": 16.0})


@dataclass(frozen=True, slots=True)
class _Proposal:
    """A proposal: whose, which part of the wall it attacks, what the ledger makes of it, what it gives up."""

    id: str
    says: str
    works: tuple[str, ...]
    part: str
    exact: str
    tape: Make | str
    floor: Make | str
    toll: Make | str
    price: Make | str
    gives_up: str


_TAPE, _AS_BEFORE = "the tape", "as before"
_SAME = _floor()
_FORWARD_ONLY = _floor(b_w="4 B/param", f="4 FLOP/(param token)")
_PROPOSALS = (
    _Proposal(
        "reversible",
        "reversible layers",
        ("gomez2017",),
        _TAPE,
        "exact",
        _tape("reversible"),
        _SAME,
        _AS_BEFORE,
        _again,
        "free choice of layers; exactness only up to rounding in the inversion",
    ),
    _Proposal(
        "local-losses",
        "a loss at every layer",
        ("nokland2019", "belilovsky2019"),
        _TAPE,
        "of another objective",
        _tape("reversible"),
        _SAME,
        _AS_BEFORE,
        "a head for each loss",
        "agreement between layers; near backpropagation on images up to ImageNet, not shown for large language models",
    ),
    _Proposal(
        "synthetic-gradients",
        "synthetic gradients",
        ("jaderberg2017",),
        _TAPE,
        "predicted",
        _tape("reversible"),
        _SAME,
        _AS_BEFORE,
        "a predictor for each cut",
        "accuracy of the gradient, which the predictor has to learn too",
    ),
    _Proposal(
        "forward-forward",
        "forward-forward",
        ("hinton2022",),
        _TAPE,
        "of another objective",
        _tape("reversible"),
        "not counted",
        _AS_BEFORE,
        "a second forward pass",
        "accuracy; its author offers it for small networks and low power",
    ),
    _Proposal(
        "forward-gradients",
        "forward gradients",
        ("baydin2022", "ren2023"),
        _TAPE,
        "right on average",
        "keeps none",
        "not counted",
        _AS_BEFORE,
        "a tangent along with the pass",
        "variance, which grows with the number of weights that one direction perturbs",
    ),
    _Proposal(
        "zeroth-order",
        "two forward passes",
        ("malladi2023",),
        "the tape and the toll",
        "along one random direction",
        "keeps none",
        _FORWARD_ONLY,
        "a scalar to agree on",
        "a third less a step, more steps",
        "steps; shown for fine-tuning, where few directions matter",
    ),
    _Proposal(
        "low-rank",
        "updates of low rank",
        ("hu2021", "zhao2024"),
        "the visit and the toll",
        "exact within the rank",
        _AS_BEFORE,
        _FORWARD_ONLY,
        _rank,
        "a third less",
        "updates beyond the rank; the tape stays",
    ),
)


def wall_parts(world: World) -> Table:
    """Return the proposals, what the ledger makes of each for the 7B class on an A100, what each gives up."""
    return Table("wall-parts", _WALL, tuple(_proposal(world, row) for row in _PROPOSALS), stacked=True)


def _proposal(world: World, row: _Proposal) -> Row:
    cited: list[Part] = [row.says]
    for key in row.works:
        cited += [" ", Cite(key)]
    found = (
        Cell(tuple(cited), row.says),
        cells.words(row.part),
        cells.words(row.exact),
        _figure(world, row.tape, lambda num: shown.sig(num, 2)),
        _figure(world, row.floor, lambda num: shown.sig(num, 3)),
        _figure(world, row.toll, lambda num: shown.sig(num, 3)),
        _figure(world, row.price, lambda num: shown.percent(num, 2)),
        cells.words(row.gives_up),
    )
    return Row(row.id, "", found)


def _figure(world: World, make: Make | str, way: Callable[[Num], shown.Shown]) -> Cell:
    if isinstance(make, str):
        return cells.words(make)
    return cells.printed(way(make(world)))
