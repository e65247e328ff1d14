"""A machine that stands still: its clock moves when a kernel runs or someone sleeps, and its counter follows."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import cycle

from report.measure.kernel import Facts, Kernel, matrix_kernel, stream_kernel

FACTS = Facts(
    name="Toy 9000 (R)",
    vendor="Toys",
    kind="gpu",
    how="Toylib 1.0",
    capacity=80e9,
    balance_format="bf16",
)


@dataclass
class Machine:
    """A device with known rates (FLOP/s, B/s), known prices (J/FLOP, J/B) and a known idle power (W)."""

    peak: float = 300e12
    bandwidth: float = 2e12
    e_F: float = 0.9e-12
    e_B: float = 60e-12
    idle: float = 60.0
    noise: tuple[float, ...] = (1.0,)
    facts: Facts = FACTS
    formats: tuple[str, ...] = ("fp32", "bf16")
    now: float = 0.0
    spent: float = 0.0
    closed: bool = False
    sizes: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._noise = cycle(self.noise)

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.spent += self.idle * seconds

    def joules(self) -> float:
        return self.spent

    name = "toy counter"

    def matrix(self, number_format: str, n: int) -> Kernel:
        self.sizes.append(n)
        rate = self.peak if number_format == "bf16" else self.peak / 16
        kernel = matrix_kernel(number_format, n, lambda: self.take(kernel, rate, self.e_F))
        return kernel

    def stream(self, size: int) -> Kernel:
        kernel = stream_kernel(size, lambda: self.take(kernel, self.bandwidth, 0.0))
        return kernel

    def stream_size(self, quick: bool) -> int:
        return 2**28 if quick else 2**31

    def take(self, kernel: Kernel, rate: float, price: float) -> None:
        self.sleep(kernel.work / rate * next(self._noise))
        self.spent += kernel.work * price + kernel.moves * self.e_B

    def close(self) -> None:
        self.closed = True
