"""Where else reuse comes from: positions of an image, tokens of a text, nothing at all; and what a cache takes back.

A case brings so many uses of a weight with one example; the machine wants so many. The rest has to be examples.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from report import shown
from report.asking import World
from report.numbers import Const, Num
from report.tables import cells
from report.tables.table import Cell, Column, Row, Table

_COLUMNS = (
    Column("case", "Case", align="left"),
    Column("uses", "Uses of a weight in one example"),
    Column("a100", "Examples wanted, A100"),
    Column("h100", "Examples wanted, H100"),
    Column("limit", "Intensity no batch exceeds, FLOP/B", "FLOP/B", heading=""),
    Column("source", "The reuse comes from", align="left"),
)
MACHINES = ("a100-sxm4-80gb", "h100-sxm5")


@dataclass(frozen=True, slots=True)
class _Case:
    """A case: how often one example uses a weight, what limits the intensity, where the reuse comes from."""

    id: str
    says: str
    uses: str
    source: str
    limit: str = ""
    held: Mapping[str, str | float] = field(default_factory=dict)


_SEVEN: Mapping[str, str | float] = {"network": "generic-7b", "s": 2048.0}
_CASES = (
    _Case(
        "image", "a convolution on an image of 224 × 224", "image_positions", "positions", held={"image_side": 224.0}
    ),
    _Case("resnet", "ResNet-50, all its layers together", "weight_reuse", "positions", held={"network": "resnet50"}),
    _Case("lenet", "the zip-code network of 1989", "weight_reuse", "positions", held={"network": "lenet-1989"}),
    _Case(
        "sequence",
        "a transformer on a sequence of 2,048",
        "s",
        "tokens of the text",
        "saturation_intensity",
        {"network": "generic-7b", "form": "plain", "s": 2048.0},
    ),
    _Case("vector", "a perceptron of layers on one vector", "", "nothing"),
    _Case("decode", "decoding a token after 2,048 others", "", "nothing; the cache is its own", "decode_limit", _SEVEN),
    _Case(
        "decode-grouped",
        "the same by Llama 3 8B, keys and values shared by heads",
        "",
        "nothing; the cache is its own",
        "decode_limit",
        {"network": "llama3-8b", "s": 2048.0},
    ),
)


NETWORKS = tuple(str(case.held["network"]) for case in _CASES if "network" in case.held)


def contrasts(world: World) -> Table:
    """Return the cases, how many examples each wants on two machines, and what limits its intensity."""
    return Table("contrasts", _COLUMNS, tuple(_row(world, case) for case in _CASES), stacked=True)


def _row(world: World, case: _Case) -> Row:
    uses = cells.pinned(world, case.uses, case.held) / _unit(case.uses) if case.uses else Const(1.0)
    found = (
        cells.words(case.says),
        _exactly(uses),
        *(_wanted(world, case, uses, name) for name in MACHINES),
        _limit(world, case),
        cells.words(case.source),
    )
    return Row(case.id, "", found)


def _unit(key: str) -> str | int:
    """Return what makes a plain count of a quantity: a sequence is counted in tokens, one use each."""
    return "1 token" if key == "s" else 1


def _exactly(num: Num) -> Cell:
    """Return a whole count in full, any other to three digits."""
    value = num.read().value
    if isinstance(num, Const):
        return Cell(("1",), value)
    return cells.exact(num) if value == int(value or 0) else cells.printed(shown.sig(num, 3))


def _wanted(world: World, case: _Case, uses: Num, name: str) -> Cell:
    """Return the examples that must share one visit; where the cache holds the intensity down, that none are enough."""
    balance = cells.pinned(world, "beta", {"machine": name})
    limit = cells.pinned(world, case.limit, case.held) if case.limit == "decode_limit" else None
    if limit is not None and (limit.read().number or 0.0) < (balance.read().number or 0.0):
        return cells.words("none are enough")
    floor = cells.pinned(world, "examples_per_fetch", {"machine": name}) / "1 token"
    return cells.printed(shown.sig(floor / uses, 2))


def _limit(world: World, case: _Case) -> Cell:
    if not case.limit:
        return cells.words("not counted")
    held = {key: value for key, value in case.held.items() if key != "s" or case.limit == "decode_limit"}
    return cells.number(cells.pinned(world, case.limit, held), _COLUMNS[4])
