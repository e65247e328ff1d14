"""What a step costs besides its arithmetic: floors in tokens, the squeeze, and the note's six ways of taking a step.

All rows are of the 7B class on A100s, with blocked products (form l2) and an optimizer sharded over the replicas.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from report.asking import World
from report.named import fragment
from report.numbers import Num
from report.tables import cells
from report.tables.table import Cell, Column, Row, Table

_A100 = {"machine": "a100-sxm4-80gb"}
_LINKS = {"": "memory", "scale_up": "NVLink", "nic": "one network card"}
_EIGHT = 8.0


@dataclass(frozen=True, slots=True)
class _Floor:
    """A line of the floors: the traffic, its clock, operations per byte, over which wire, the floor if there is one."""

    id: str
    says: str
    clock: str
    tex: str
    link: str
    floor: str = ""
    held: Mapping[str, str | float] = field(default_factory=dict)


_STEP, _VISIT, _TOKEN = "per step", "per micro-batch", "per token"
_TENSOR: Mapping[str, str | float] = {"axis": "tp", "tp": _EIGHT}
_PIPELINE: Mapping[str, str | float] = {"axis": "pp", "pp": _EIGHT}
_FLOORS = (
    _Floor("optimizer", "Adam’s state", _STEP, r"f\,T/o", "", "T_optimizer"),
    _Floor("reduce-nvlink", "gradient all-reduce", _STEP, r"f\,T/g", "scale_up", "T_allreduce"),
    _Floor("reduce-nic", "gradient all-reduce", _STEP, r"f\,T/g", "nic", "T_allreduce"),
    _Floor("fsdp-nvlink", "sharded weights", _VISIT, r"f\,T/z", "scale_up", "T_fsdp"),
    _Floor("fsdp-nic", "sharded weights", _VISIT, r"f\,T/z", "nic", "T_fsdp"),
    _Floor("tensor", "tensor parallelism, eight wide", _TOKEN, r"12\,f d/(b_{\text{tp}}\,t)", "scale_up", held=_TENSOR),
    _Floor("pipeline", "pipeline of eight stages", _TOKEN, r"12\,f d L/(b_{\text{pp}}\,p)", "nic", held=_PIPELINE),
)
_FLOOR_COLUMNS = (
    Column("traffic", "Traffic", align="left"),
    Column("clock", "Paid", align="left"),
    Column("link", "Over", align="left"),
    Column("formula", "Operations per byte", align="left"),
    Column("intensity", "On the 7B class", "FLOP/B"),
    Column("balance", "Balance to reach", "FLOP/B"),
    Column("parity", "Equal to the arithmetic at", "token"),
    Column("tenth", "A tenth of it at", "token"),
)


def step_floors(world: World) -> Table:
    """Return the floors of a step in tokens per device, and the two kinds of traffic that set none."""
    return Table("step-floors", _FLOOR_COLUMNS, tuple(_floor_row(world, line) for line in _FLOORS), scrolls=True)


def _floor_row(world: World, line: _Floor) -> Row:
    on = _A100 | ({"fabric": line.link} if line.link else {})
    balance = cells.pinned(world, "beta_net" if line.link else "beta", on)
    found = (
        cells.words(line.says),
        cells.words(line.clock),
        cells.words(_LINKS[line.link]),
        Cell((cells.formula(line.tex),), line.tex),
        _intensity(world, line),
        cells.number(balance, _FLOOR_COLUMNS[5]),
        *_tokens(world, line, on),
    )
    return Row(line.id, "", found)


def _intensity(world: World, line: _Floor) -> Cell:
    """Return the operations per byte that no batch changes; for the others they grow with the tokens."""
    if line.floor:
        return Cell(("grows with T",), None)
    return cells.number(
        cells.pinned(world, "fabric_intensity", {"network": "generic-7b", **line.held}), _FLOOR_COLUMNS[4]
    )


def _tokens(world: World, line: _Floor, on: cells.Given) -> tuple[Cell, Cell]:
    if not line.floor:
        return Cell(("any batch",), None), Cell(("",), None)
    floor = cells.pinned(world, line.floor, on)
    parity, tenth = _FLOOR_COLUMNS[6:]
    return cells.whole(floor, parity), cells.whole(floor * 10, tenth)


_CRITICAL = "1e6 token"
_CARD = "25 GB/s"
_SQUEEZE = (
    Column("devices", "Devices"),
    Column("link", "Over", align="left"),
    Column("T_fixed", "Paid per step", "token"),
    Column("B_opt", "Best batch", "token"),
    Column("T_dev", "Of it on each device", "token"),
    Column("ratio", "Over what is paid", digits=2),
)
_CASES = ((8.0, "scale_up"), (1024.0, "scale_up"), (64.0, _CARD), (256.0, _CARD), (1024.0, _CARD))


def squeeze(world: World) -> Table:
    """Return the fastest batch on NVLink and through one card, for a critical batch of a million tokens."""
    return Table("best-batch", _SQUEEZE, tuple(_squeezed(world, *case) for case in _CASES))


def _squeezed(world: World, devices: float, link: str) -> Row:
    scenario = {**_SHARDED, "devices": devices, "fabric": link, "B_crit": _CRITICAL}
    fixed, best, share = (cells.pinned(world, key, scenario) for key in ("T_fixed", "B_opt", "T_dev"))
    found = (
        cells.exact(cells.pinned(world, "devices", {"devices": devices})),
        cells.words("NVLink" if link == "scale_up" else "one network card"),
        cells.whole(fixed, _SQUEEZE[2]),
        cells.number(best, _SQUEEZE[3]),
        cells.whole(share, _SQUEEZE[4]),
        cells.number(share / fixed, _SQUEEZE[5]),
    )
    name = "nvlink" if link == "scale_up" else "card"
    return Row(f"{name}-{devices:.0f}", fragment(scenario), found)


_SHARDED: Mapping[str, str | float] = {**_A100, "network": "generic-7b", "zero": "1"}


@dataclass(frozen=True, slots=True)
class _Way:
    """A way of taking a step: what differs from one token on one device."""

    id: str
    says: str
    changes: Mapping[str, str | float]

    @property
    def scenario(self) -> dict[str, str | float]:
        """Return the scenario: sharded, blocked, as the note counts."""
        return {**_SHARDED, "form": "l2", "T": 2048.0, **self.changes}


_ON_64: Mapping[str, str | float] = {"devices": 64.0, "fabric": _CARD}
WAYS = (
    _Way("token", "one token, one GPU", {"T": 1.0, "devices": 1.0}),
    _Way("sequence", "one sequence, one GPU", {"devices": 1.0}),
    _Way("sequence-8", "one sequence on each of 8, NVLink", {"devices": _EIGHT, "fabric": "scale_up"}),
    _Way("sequence-64", "one sequence on each of 64, one card", _ON_64),
    _Way("sequences-8-64", "eight sequences on each of 64", {**_ON_64, "micro_batches": 8.0}),
    _Way("sequences-64-64", "sixty-four sequences on each of 64", {**_ON_64, "micro_batches": 64.0}),
)
_SINGLE = (
    Column("way", "A step of", align="left"),
    Column("tokens", "Tokens on a GPU", "token"),
    Column("step_time", "Step", "s"),
    Column("time", "A token", "ms/token", heading="ms"),
    Column("energy", "A token", "mJ/token", heading="mJ"),
    Column("arithmetic_share", "Arithmetic", note="of energy"),
    Column("memory_share", "Memory", note="of energy"),
    Column("static_share", "Static", note="of energy"),
    Column("step_intensity", "I", "FLOP/B", meaning="bytes"),
    Column("slowdown", "Slowdown"),
)


def single_example(world: World) -> Table:
    """Return the six ways of taking a step: seconds and joules of a token, and where they go."""
    return Table("single-example", _SINGLE, tuple(_way_row(world, way) for way in WAYS), scrolls=True)


def _way_row(world: World, way: _Way) -> Row:
    def ask(key: str) -> Num:
        return cells.pinned(world, key, way.scenario)

    columns = {column.key: column for column in _SINGLE}
    tokens = cells.pinned(world, "T", _only(way, "T")) * cells.pinned(
        world, "micro_batches", _only(way, "micro_batches")
    )
    shares = (cells.share(ask(key), 3) for key in ("arithmetic_share", "memory_share", "static_share"))
    found = (
        cells.words(way.says),
        cells.exact(tokens),
        cells.number(ask("step_time"), columns["step_time"]),
        cells.number(ask("step_time") / tokens, columns["time"]),
        cells.number(ask("energy_per_token"), columns["energy"]),
        *shares,
        cells.number(ask("step_intensity"), columns["step_intensity"]),
        cells.whole(ask("slowdown"), columns["slowdown"]),
    )
    return Row(way.id, fragment(way.scenario), found)


def _only(way: _Way, key: str) -> dict[str, str | float]:
    """Return the one key of a way that an input rests on."""
    return {key: way.scenario.get(key, 1.0)}
