"""What the catalogue knows about a machine: rates, memory, links. Derived values (balance, drain time) are formulas.

A peak is dense: multiplications by a structured zero are not counted. A link is one direction, per device.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from model import bounds
from model.figure import Figure, Source, Status, weakest

Format = Literal["fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "fp4", "int8"]
FORMATS: tuple[str, ...] = get_args(Format)
Kind = Literal["vector", "mini", "workstation", "pc", "simd", "systolic", "cpu", "gpu", "tpu", "wafer", "other"]
_SPARSE = "a sparse peak counts products with zero as work; write the dense rate, as a rule half of it"
_RATE = bounds.field("peak", unit="FLOP/s")
_BANDWIDTH = bounds.field("bandwidth", unit="B/s")
_LINK = bounds.field("fabric", unit="B/s")
_MEMORY = bounds.field("capacity", unit="B")


@dataclass(frozen=True, slots=True, kw_only=True)
class Peak(Figure):
    """A peak rate in FLOP/s at one format, and the format of the sum where it is known."""

    sparsity: Literal["dense"] = field(metadata={"explain": {"sparse": _SPARSE}})
    # What the maker prints with structured sparsity: kept as a check, since the dense rate is half of it.
    sparse: float | None = field(default=None, metadata={"quantity": True})
    accumulate: Literal["fp64", "fp32", "fp16", "int32"] | None = None
    # fp32 and fp64 run on the plain vector units or, on some chips, on the matrix units.
    engine: Literal["vector", "matrix"] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OnChip(Figure):
    """The largest memory on the chip, in bytes: a cache, or the main memory itself."""

    role: Literal["cache", "main"]
    what: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link(Figure):
    """A link to other devices, in bytes per second and direction."""

    what: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """One row of the machines catalogue: a chip, or the part of a computer that one memory feeds.

    peak holds the fastest dense rate at each format; where that is a matrix unit's at fp32 or fp64, vector holds the
    plain one, if it is known. processors counts what shares the peak and the bandwidth. shown: fit for a chart that
    has no room for all.
    """

    id: str
    name: str
    short: str
    vendor: str
    year: int = field(metadata={"low": 1960, "high": 2035})
    kind: Kind
    trains: bool
    balance_format: Format
    peak: Mapping[Format, Peak] = field(metadata=_RATE)
    vector: Mapping[Format, Peak] = field(default_factory=dict, metadata=_RATE)
    bandwidth: Figure = field(metadata=_BANDWIDTH)
    capacity: Figure | None = field(default=None, metadata=_MEMORY)
    memory: str = ""
    on_chip: OnChip | None = field(default=None, metadata=_MEMORY)
    scale_up: Link | None = field(default=None, metadata=_LINK)
    nic: Link | None = field(default=None, metadata=_LINK)
    linpack: Figure | None = field(default=None, metadata=_RATE)
    power: Figure | None = field(default=None, metadata={"unit": "W", "low": 1.0, "high": 1e6})
    processors: int = 1
    shown: bool = True
    sources: Mapping[str, Source]
    note: str = ""

    @property
    def status(self) -> Status:
        """Return the weaker of the statuses of the peak and the bandwidth that make the machine's balance."""
        return weakest((self.peak[self.balance_format].status, self.bandwidth.status))
