"""Joules of a byte and of an operation, from two kernels of a second or more and a counter of total energy.

The power of an idle device is measured first and taken off: what is left over while bytes stream is the bytes', and
what is left over during a matrix product, less the bytes that it has to move, is the arithmetic's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from report.measure.counters import NoCounter
from report.measure.kernel import Kernel
from report.measure.steady import Clock, runs_for

# A copy that draws no more than this many times the idle power says nothing about its bytes.
_ABOVE = 1.02


class Counts(Protocol):
    """What has a name and counts joules."""

    @property
    def name(self) -> str:
        """Return what the counter is called."""

    def joules(self) -> float:
        """Return the joules since some time in the past."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What an energy measurement needs: a counter, a clock, a way to wait, and how long each kernel lasts, in s."""

    counter: Counts
    clock: Clock
    sleep: Callable[[float], None]
    seconds: float
    tell: Callable[[str], None] = lambda said: None


@dataclass(frozen=True, slots=True)
class Draw:
    """What was drawn over a stretch of time: watts, and the runs of the kernel in each second."""

    watts: float
    runs: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Energy:
    """Prices of a byte and of an operation (J/B, J/FLOP), and the watts that they come from."""

    counter: str
    idle: float
    stream: float
    matrix: float
    e_B: float
    e_F: float


def prices(stream: Kernel, matrix: Kernel, bench: Bench) -> Energy:
    """Return the prices; raise NoCounter where the counter stood still or a kernel drew no more than an idle device.

    e_B = (P_stream - P_idle) / (bytes per second); e_F = (P_matrix - P_idle - e_B x its bytes per second) / (FLOP per
    second), with the bytes that a product moves at least: each matrix once.
    """
    bench.tell("idle power")
    idle = _drawn(1, lambda: bench.sleep(bench.seconds / 10), bench).watts
    bench.tell("power of the copy")
    streaming = _kernel(stream, bench)
    bench.tell("power of the product")
    multiplying = _kernel(matrix, bench)
    if max(streaming.watts, multiplying.watts) <= 0:
        raise NoCounter(f"{bench.counter.name} stood still while the kernels ran")
    e_B = (streaming.watts - idle) / (stream.moves * streaming.runs)
    left = multiplying.watts - idle - e_B * matrix.moves * multiplying.runs
    e_F = left / (matrix.work * multiplying.runs)
    if streaming.watts < _ABOVE * idle or e_F <= 0:
        raise NoCounter(
            f"{bench.counter.name} gave {idle:.3g} W idle, {streaming.watts:.3g} W for the copy and "
            f"{multiplying.watts:.3g} W for the product: no price comes of that; is something else running?"
        )
    return Energy(
        counter=bench.counter.name,
        idle=idle,
        stream=streaming.watts,
        matrix=multiplying.watts,
        e_B=e_B,
        e_F=e_F,
    )


def _kernel(kernel: Kernel, bench: Bench) -> Draw:
    """Run a kernel in batches that leave the device no time to rest; return what it drew."""
    runs = runs_for(kernel, bench.seconds / 20, bench.clock)
    return _drawn(runs, lambda: kernel.run(runs), bench)


def _drawn(batch: int, run: Callable[[], None], bench: Bench) -> Draw:
    """Run a batch over and over until the time is up; return what it drew."""
    batches, before, begin = 0, bench.counter.joules(), bench.clock()
    while (spent := bench.clock() - begin) < bench.seconds or not batches:
        run()
        batches += 1
    return Draw((bench.counter.joules() - before) / spent, batches * batch / spent)
