"""What a device offers to whoever measures it: two kernels, and facts that no kernel tells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from model.units import Unit, unit

FLOP_RATE = unit("FLOP/s")
BYTE_RATE = unit("B/s")
# Bytes of one number. tf32 is stored as fp32; its products alone are rounded.
SIZE: Mapping[str, int] = {"fp64": 8, "fp32": 4, "tf32": 4, "bf16": 2}


@dataclass(frozen=True, slots=True)
class Kernel:
    """Work that can be repeated: `start` begins it, `wait` returns when all that was begun is done.

    work: what one run does, in FLOP or in bytes; moves: bytes of main memory that one run has to move at least.
    """

    says: str
    rate: Unit
    work: float
    moves: float
    start: Callable[[], object]
    wait: Callable[[], None] = field(default=lambda: None)

    def run(self, times: int) -> None:
        """Run it several times over, and wait for the end."""
        for _ in range(times):
            self.start()
        self.wait()


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a device says of itself. capacity is the main memory in bytes, None where nobody knows it.

    warning: what may spoil the measurement, in words.
    """

    name: str
    vendor: str
    kind: str
    how: str
    capacity: float | None
    balance_format: str
    warning: str = ""


class Device(Protocol):
    """A machine that can be measured."""

    facts: Facts
    formats: tuple[str, ...]

    def matrix(self, number_format: str, n: int) -> Kernel:
        """Return the product of two n by n matrices."""

    def stream(self, size: int) -> Kernel:
        """Return a copy of `size` bytes, which moves twice as many."""

    def stream_size(self, quick: bool) -> int:
        """Return bytes that no cache of the device holds, and that its memory can spare twice."""

    def close(self) -> None:
        """Give back threads and memory."""


def matrix_kernel(
    number_format: str, n: int, start: Callable[[], object], wait: Callable[[], None] = lambda: None
) -> Kernel:
    """Return the kernel of a product of two n by n matrices: 2 n^3 FLOP; two matrices are read, one is written."""
    says = f"{number_format} product of two {n:,} × {n:,} matrices"
    return Kernel(says, FLOP_RATE, 2.0 * n**3, 3.0 * n**2 * SIZE[number_format], start, wait)


def stream_kernel(size: int, start: Callable[[], object], wait: Callable[[], None] = lambda: None) -> Kernel:
    """Return the kernel of a copy: `size` bytes are read and as many are written, as the program sees it."""
    return Kernel(f"copy of {size / 2**20:,.0f} MiB", BYTE_RATE, 2.0 * size, 2.0 * size, start, wait)
