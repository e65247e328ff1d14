"""The other kinds of row in the catalogue, and the catalogue itself.

Constants and prices feed the ledger; runs, rates and trends are what the model is compared with; tricks and memory
levels are tables of the report. A plain number of a run or a rate rests on the row's status; `weaker` names those
that rest on less.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from model import bounds
from model.figure import CITED, Candidate, Figure, Provenance, Source, Status
from model.machine import Machine
from model.network import Network

__all__ = ["Candidate", "Catalogue", "Constant", "Figure", "Machine", "MemoryLevel", "Network", "Price", "Provenance"]
__all__ += ["Rate", "Run", "Source", "Trend", "Trick"]

_COUNT: dict[str, Any] = {"low": 1, "high": 10**9}
_FIELDS = {"refs": "fields"}


def _count() -> Any:
    return field(default=None, metadata=_COUNT)


def _of(key: str) -> Any:
    return field(default=None, metadata=bounds.field(key))


def _quantity(unit: str, low: float, high: float) -> Any:
    return field(default=None, metadata={"unit": unit, "low": low, "high": high})


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One part of an itemised sum, in the unit of the constant."""

    what: str
    value: float
    group: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """The same constant under other circumstances, in the unit of the constant."""

    id: str
    value: float
    how: str
    slope: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant:
    """A constant of the ledger as a sum of items; `default` marks the one meant by its symbol alone."""

    id: str
    symbol: str
    name: str
    value: float
    unit: str = field(metadata={"is": "unit"})
    items: tuple[Item, ...] = ()
    itemised_total: float | None = None
    rounding: str = ""
    low: float
    high: float
    range_why: str
    status: Status
    cited: tuple[str, ...] = field(metadata=CITED)
    derivation: str
    default: bool = False
    format: Literal["fp64", "fp32", "bf16", "fp8"] | None = None
    recipe: Literal["in-place", "accumulator", "plain", "inference"] | None = None
    variants: tuple[Variant, ...] = ()
    formula: str = ""
    where: str = ""
    note: str = ""
    sources: Mapping[str, Source]


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A price as somebody measured or printed it, and under what conditions."""

    value: float = field(metadata={"quantity": True})
    low: float | None = field(default=None, metadata={"quantity": True})
    high: float | None = field(default=None, metadata={"quantity": True})
    conditions: str
    status: Status
    sources: tuple[str, ...] = field(metadata=CITED)
    derived: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """An energy price or a static power, with the spread of what is published."""

    id: str
    symbol: str
    name: str
    machine: str | None = field(default=None, metadata={"refs": "machines"})
    price: Figure = field(metadata={"unit": "any", "low": 1e-30, "high": 1e6})
    range_why: str = ""
    default: bool = False
    published: tuple[Published, ...] = field(default=(), metadata={"unit": "any", "low": 1e-30, "high": 1e6})
    sources: Mapping[str, Source]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A published training run: what ran where, how it was split, and what it reached. Rates are per device."""

    id: str
    model: str
    network: str | None = field(default=None, metadata={"refs": "networks"})
    machine: str = field(metadata={"refs": "machines"})
    L: int | None = _of("L")
    d: int | None = _of("d")
    d_ff: int | None = _of("d_ff")
    heads: int | None = _of("heads")
    moe: bool = False
    params: float = field(metadata={"unit": "param", "low": 1e5, "high": 1e15})
    devices: int | None = _of("devices")
    tp: int | None = _of("tp")
    pp: int | None = _of("pp")
    dp: int | None = _of("dp")
    ep: int | None = _of("ep")
    cp: int | None = _of("cp")
    # Sequences: of one micro-batch on one data-parallel rank, and of the whole batch.
    micro_batch: int | None = _count()
    s: int | None = _of("s")
    batch: int | None = _count()
    batch_tokens: float | None = _quantity("token", 1.0, 1e10)
    accumulation: int | None = _count()
    recompute: str = ""
    sharding: str = ""
    precision: Literal["bf16", "fp16", "fp8", "mxfp8"]
    # mfu and hfu are fractions of the dense peak at this format; absent: that of the precision.
    peak_format: Literal["bf16", "fp8"] | None = None
    convention: str = ""
    # How the model's operations count attention: in full, halved by a causal mask, not at all, or nobody says.
    attention: Literal["full", "halved", "none", "unsaid"] = "unsaid"
    utilization: Literal["printed", "derived", "none"]
    mfu: float | None = _quantity("%", 0.1, 100)
    hfu: float | None = _quantity("%", 0.1, 100)
    mfu_causal: float | None = _quantity("%", 0.1, 100)
    mfu_fp8: float | None = _quantity("%", 0.1, 100)
    rate: float | None = _quantity("FLOP/s", 1e9, 1e17)
    tokens: float | None = _quantity("token/s", 1e-2, 1e9)
    peak: float | None = _quantity("FLOP/s", 1e9, 1e17)
    step: float | None = _quantity("s", 1e-3, 1e5)
    train_tokens: float | None = _quantity("token", 1.0, 1e15)
    state_bytes: float | None = _quantity("B", 1.0, 1e15)
    tape_bytes: float | None = _quantity("B", 1.0, 1e15)
    tape_bytes_selective: float | None = _quantity("B", 1.0, 1e15)
    # The most that one device held, as its allocator counted it while the run went on.
    peak_memory: float | None = _quantity("B", 1.0, 1e15)
    excluded: str = ""
    status: Status
    cited: tuple[str, ...] = field(metadata=CITED)
    weaker: Mapping[str, Provenance] = field(default_factory=dict, metadata=_FIELDS)
    sources: Mapping[str, Source] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A connection rate of the 1980s and 1990s: uses of a weight a second, forward (cps) or in learning (cups)."""

    id: str
    system: str
    machine: str | None = field(default=None, metadata={"refs": "machines"})
    network: str | None = field(default=None, metadata={"refs": "networks"})
    task: str = ""
    year: int = field(metadata={"low": 1950, "high": 2035})
    cps: Figure | None = _quantity("connection/s", 1e2, 1e16)
    cups: Figure | None = _quantity("connection/s", 1e2, 1e16)
    kind: Literal["measured", "survey rating", "vendor claim", "projected", "simulated hardware", "derived"]
    precision: str = ""
    confidence: Literal["high", "medium", "low"]
    sources: Mapping[str, Source]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """A growth rate as published: by `growth` times over `years` years; or the ratio of two such, or a law."""

    id: str
    kind: str
    quantity: str
    group: str = ""
    growth: float | None = None
    years: float | None = None
    doubling: float | None = None
    start: int | None = field(default=None, metadata={"low": 1900, "high": 2050})
    end: int | None = field(default=None, metadata={"low": 1900, "high": 2050})
    population: str = ""
    claim: str
    of: str | None = field(default=None, metadata={"refs": "trends"})
    over: str | None = field(default=None, metadata={"refs": "trends"})
    latency_per_doubling: float | None = None
    recent_growth: float | None = None
    status: Status
    confidence: Literal["high", "medium", "low"] | None = None
    cited: tuple[str, ...] = field(metadata=CITED)
    derivation: str = ""
    note: str = ""
    sources: Mapping[str, Source]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """An effect of a trick as a paper reports it; `value` is a plain number in the words of `unit`."""

    claim: str
    value: float | None = None
    unit: str = ""
    status: Status
    sources: tuple[str, ...] = field(metadata=CITED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Worked:
    """An example worked by hand: a check for the model, in the words of `unit`."""

    scenario: str
    what: str
    value: float
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trick:
    """A known way of training with less of something, as a trade: what it spends, what it saves, where it stops."""

    id: str
    name: str
    year: int | None = field(default=None, metadata={"low": 1950, "high": 2035})
    spends: tuple[str, ...]
    saves: tuple[str, ...]
    ledger: str
    says: str
    worked: tuple[Worked, ...] = ()
    limits: str = ""
    reported: tuple[Reported, ...]
    reference: str = ""
    status: Status
    sources: Mapping[str, Source]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryLevel:
    """A level of memory between a machine's arithmetic units and its main memory: all of the chip together."""

    id: str
    machine: str | None = field(default=None, metadata={"refs": "machines"})
    name: str
    level: str
    kind: Literal["peak", "measured", "scaled", "approximate"]
    capacity: Figure | None = _quantity("B", 1e3, 1e12)
    bandwidth: Figure = field(metadata={"unit": "B/s", "low": 1e9, "high": 1e16})
    peak: Figure | None = _quantity("FLOP/s", 1e9, 1e17)
    sources: Mapping[str, Source]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """All rows that an author edits, by kind and by id, in the order of the files."""

    machines: Mapping[str, Machine]
    networks: Mapping[str, Network]
    constants: Mapping[str, Constant]
    prices: Mapping[str, Price]
    runs: Mapping[str, Run]
    rates: Mapping[str, Rate]
    trends: Mapping[str, Trend]
    tricks: Mapping[str, Trick]
    memory_levels: Mapping[str, MemoryLevel]

    def constant(self, symbol: str) -> Constant:
        """Return the constant that a symbol means unless another is asked for by its id."""
        for row in self.constants.values():
            if row.symbol == symbol and row.default:
                return row
        raise KeyError(symbol)

    def price(self, symbol: str, machine: str) -> Price | None:
        """Return the price of a machine, or None: a price belongs to the machine on which it was found."""
        for row in self.prices.values():
            if row.symbol == symbol and row.machine == machine and row.default:
                return row
        return None
