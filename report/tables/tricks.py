"""The tricks as trades: what each spends and saves, what the ledger makes of it on the reader's scenario, what is told.

A gain is how often smaller the saved thing is with the trick, a price what it costs; both follow the reader. Where a
trick is a choice of the scenario the model is asked twice, with it and without; the rest are formulas of the model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from model.records import Catalogue, Reported, Trick
from model.units import split
from report import shown
from report.asking import AuthorError, World
from report.errors import nearest
from report.numbers import Const, Num
from report.rounding import Label
from report.shown import Shown
from report.tables import cells
from report.tables.sources import linked, short_name
from report.tables.table import Cell, Cite, Column, Part, Row, Table

_COLUMNS = (
    Column("trick", "Trick", align="left"),
    Column("year", "Year", shown=False),
    Column("spends", "Spends", align="left"),
    Column("saves", "Saves", align="left"),
    Column("gain", "Gain on your scenario", align="left"),
    Column("gain_of", "Gain of", align="left", shown=False),
    Column("price", "Price on your scenario", align="left"),
    Column("price_of", "Price in", align="left", shown=False),
    Column("reported", "Reported", align="left"),
)
# How many of the effects that papers report are shown; all stand in the catalogue.
_SHOWN = 2
# A width that a box of eight devices has, where the reader has not divided the network.
_BOX = 8.0
_TOKEN = split("token")[0]

Make = Callable[[World], Num]


@dataclass(frozen=True, slots=True)
class _Side:
    """A gain or a price: the number, how it is written, and what it is a number of. No number: the words alone."""

    says: str
    num: Make | None = None
    way: Callable[[Num], Shown] = lambda num: shown.sig(num, 3)
    counts: str = ""

    @property
    def of(self) -> str:
        """Return what the number is a number of, for downloads, where it stands without its noun."""
        return f"{self.counts} {self.says}".strip()


def _of(key: str, **held: str | float) -> Make:
    """Return the question for a quantity on the reader's scenario, some keys held fast."""
    return lambda world: cells.live(world, key, held)


def _over(key: str, without: cells.Given, trick: cells.Given) -> Make:
    """Return the question for how often smaller a quantity is with a trick than without."""
    return lambda world: cells.live(world, key, without) / cells.live(world, key, trick)


def _bytes(key: str) -> Make:
    """Return the question for the bytes that a token sends."""
    return lambda world: cells.live(world, key) * Const(1.0, _TOKEN)


def _gain(says: str, num: Make) -> _Side:
    return _Side(f"× {says}", num)


def _percent(says: str, num: Make) -> _Side:
    return _Side(says, num, lambda one: shown.percent(one, 2))


def _amount(says: str, num: Make) -> _Side:
    return _Side(says, num, lambda one: shown.qty(one, 3))


def _plain(says: str, num: Make) -> _Side:
    return _Side(says, num)


def _counted(word: str, says: str, num: Make) -> _Side:
    label = Label(word, f"{word}s")
    return _Side(says, num, lambda one: Shown(one, "count", 3, label), label.many)


def _upto(word: str, says: str, num: Make) -> _Side:
    """Return a limit on what comes in whole ones: how many of them it leaves room for."""
    label = Label(word, f"{word}s")
    return _Side(says, num, lambda one: Shown(one, "upto", 3, label), label.many)


_MORE = "more arithmetic"
_NOT_COUNTED = _Side("nothing that the ledger counts")
_FP32, _FP8, _SELECTIVE = {"format": "fp32"}, {"format": "fp8"}, {"policy": "selective"}

# trick -> (gain, price)
TRADES: Mapping[str, tuple[_Side, _Side]] = {
    "batching": (
        _Side("× fewer weight bytes per token", _of("batching_gain"), lambda one: shown.sig(one, 4)),
        _amount("of tape", _of("tape_bytes")),
    ),
    "gradient-accumulation": (
        _Side("× as many tokens share each update", _of("micro_batches"), shown.exact),
        _counted("token", "a step", _of("global_batch")),
    ),
    "checkpoint-full": (
        _gain("less tape", _over("tape_bytes", _SELECTIVE, {"policy": "inputs"})),
        _percent(_MORE, _of("recompute_share", policy="inputs")),
    ),
    "checkpoint-selective": (
        _gain("less tape", _over("tape_bytes", {"policy": "store-all"}, _SELECTIVE)),
        _percent(_MORE, _of("recompute_share", **_SELECTIVE)),
    ),
    "reversible": (
        _gain("less tape", _over("tape_bytes", _SELECTIVE, {"policy": "reversible"})),
        _percent(_MORE, _of("recompute_share", policy="reversible")),
    ),
    "flash-attention": (
        _gain("less activation traffic", _of("flash_gain")),
        _percent(_MORE, _of("flash_share")),
    ),
    "fusion": (
        _gain("faster with all kernels fused than with none", _of("fusion_gain")),
        _NOT_COUNTED,
    ),
    "mixed-precision": (
        _gain("less time in arithmetic than at fp32", _over("arithmetic_time", _FP32, {})),
        _plain("× the tokens a visit must serve", _over("examples_per_fetch", {}, _FP32)),
    ),
    "fp8": (
        _gain("less time in arithmetic", _over("arithmetic_time", {}, _FP8)),
        _plain("× the tokens a visit must serve", _over("examples_per_fetch", _FP8, {})),
    ),
    "zero1": (
        _gain("less state on a device", _over("state_per_device", {"zero": "0"}, {"zero": "1"})),
        _Side("no traffic beyond the all-reduce"),
    ),
    "zero2": (
        _gain("less state on a device", _over("state_per_device", {"zero": "0"}, {"zero": "2"})),
        _plain("× the traffic of an all-reduce", _of("zero2_traffic")),
    ),
    "zero3": (
        _gain("less state on a device", _over("state_per_device", {"zero": "0"}, {"zero": "3"})),
        _plain("× the traffic of an all-reduce", _of("zero3_traffic")),
    ),
    "tensor-parallel": (
        _upto("device", "on one batch before the links in the box are full", _of("tp_limit", fabric="scale_up")),
        _amount("sent per token", _bytes("tp_bytes")),
    ),
    "sequence-parallel": (
        _gain("less tape, eight devices wide", _of("sequence_gain", tp=_BOX)),
        _Side("no traffic beyond tensor parallelism’s"),
    ),
    "pipeline-1f1b": (
        _upto("stage", "before the fabric is full", _of("pp_limit")),
        _plain("× the busy time idle, with eight stages", _of("pipeline_bubble", pp=_BOX)),
    ),
    "expert-parallel": (
        _gain("as many tokens for each expert, at most (1 without experts)", _of("pooling_limit")),
        _Side("each token’s way to its experts and back, over the fabric"),
    ),
    "context-parallel": (
        _upto("piece", "of a sequence before one falls below the floor", _of("cp_limit")),
        _Side("keys and values sent around the ring"),
    ),
    "offload": (
        _gain("less state on the device", _of("offload_gain")),
        _counted("token", "a step before the host’s link is hidden", _of("offload_floor")),
    ),
    "lora": (
        _gain("fewer tokens that a visit must serve", _of("lora_gain")),
        _Side("updates of low rank only"),
    ),
    "adam-8bit": (
        _gain("fewer bytes an update", _of("adam8_traffic")),
        _NOT_COUNTED,
    ),
    "large-batch": (
        _plain("× the fewest steps", _of("steps_factor")),
        _plain("× the fewest tokens", _of("examples_factor")),
    ),
}


def tricks(world: World, catalogue: Catalogue, ids: Sequence[str]) -> Table:
    """Return the chosen tricks, in the order in which they were chosen."""
    rows = tuple(_row(world, catalogue.tricks[name]) for name in ids)
    return Table("tricks", _COLUMNS, rows, scrolls=True, stacked=True, renamed="trick-costs")


def untraded(name: str) -> tuple[str, str]:
    """Return what is told of a trick without gain and price, and what was probably meant."""
    return f"the ledger has no factor for the trick '{name}'", nearest(name, TRADES)


def _row(world: World, row: Trick) -> Row:
    if row.id not in TRADES:
        raise AuthorError(*untraded(row.id))
    gain, price = TRADES[row.id]
    found = (
        _name(row),
        cells.hidden(row.year),
        cells.prose("; ".join(row.spends)),
        cells.prose("; ".join(row.saves)),
        _side(world, gain),
        cells.hidden(gain.of),
        _side(world, price),
        cells.hidden(price.of),
        _reported(row),
    )
    return Row(row.id, "", found)


def _name(row: Trick) -> Cell:
    parts: tuple[Part, ...] = (row.name, " ", Cite(row.reference)) if row.reference else (row.name,)
    return Cell(parts, row.name)


def _side(world: World, side: _Side) -> Cell:
    """Return a gain or a price as a number with what it counts; for downloads the number."""
    if side.num is None:
        return Cell((side.says,), None)
    return cells.counted(side.way(side.num(world)), side.says)


def _reported(row: Trick) -> Cell:
    """Return what papers report, those first that give a number, each with its works."""
    told = sorted(row.reported, key=lambda one: one.value is None)[:_SHOWN]
    lines = Markup("").join(
        Markup("<li>{} {}</li>").format(cells.set_words(one.claim), _works(row, one)) for one in told
    )
    return Cell((Markup("<ul>{}</ul>").format(lines),), " · ".join(_line(row, one) for one in told))


def _works(row: Trick, one: Reported) -> Markup:
    """Return the works that bear a claim."""
    return Markup("(") + Markup(", ").join(linked(row.sources[key]) for key in one.sources) + Markup(")")


def _line(row: Trick, one: Reported) -> str:
    return f"{one.claim} ({', '.join(short_name(row.sources[key]) for key in one.sources)})"
