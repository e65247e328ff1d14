"""Measure one device: how large the kernels are, in which order they run, and what comes out."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from report.measure.counters import NoCounter
from report.measure.energy import Bench, Counts, Energy, prices
from report.measure.kernel import Device, Facts, Kernel
from report.measure.steady import QUICK, STEADY, Clock, Rate, rate

_SMALL, _LARGE = 1024, 16384
_SHARE = 8  # the matrices take at most one part in so many of the memory
# A product that lasts this long (s) is large enough to be at its best; quick: it may not be.
_LASTS, _QUICK_LASTS = 0.5, 0.1
_SECONDS, _QUICK_SECONDS = 5.0, 1.0  # of each kernel under the energy counter; a second is the least


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What was found out about a device; `why` says why there is no energy, where there is none."""

    facts: Facts
    peak: Mapping[str, Rate]
    bandwidth: Rate
    energy: Energy | None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """How to measure: the clock and the pause (s), whom to tell, the counter (which may say why there is none)."""

    counter: Callable[[], Counts]
    quick: bool = False
    clock: Clock = time.perf_counter
    sleep: Callable[[float], None] = time.sleep
    tell: Callable[[str], None] = lambda said: None


def measure(device: Device, means: Means) -> Measured:
    """Measure a device: its copy, its products in every format that it has, then the energy of both."""
    rule = QUICK if means.quick else STEADY
    copy = device.stream(device.stream_size(means.quick))
    bandwidth = rate(copy, rule, means.clock, means.tell)
    peak, product = {}, None
    for number_format in device.formats:
        kernel = product_of(device, number_format, _QUICK_LASTS if means.quick else _LASTS, means)
        peak[number_format] = rate(kernel, rule, means.clock, means.tell)
        if number_format == device.facts.balance_format:
            product = kernel
    assert product is not None, "the format of the balance is one of the formats"
    energy, why = _energy(copy, product, means)
    return Measured(facts=device.facts, peak=peak, bandwidth=bandwidth, energy=energy, why=why)


def product_of(device: Device, number_format: str, seconds: float, means: Means) -> Kernel:
    """Return a product so large that one run lasts that long, or as large as the memory or good sense allows."""
    n = _SMALL
    while True:
        kernel = device.matrix(number_format, n)
        kernel.run(1)
        begin = means.clock()
        kernel.run(1)
        full = 4 * kernel.moves > (device.facts.capacity or float("inf")) / _SHARE
        if means.clock() - begin >= seconds or full or n == _LARGE:
            return kernel
        n *= 2


def _energy(copy: Kernel, product: Kernel, means: Means) -> tuple[Energy | None, str]:
    seconds = _QUICK_SECONDS if means.quick else _SECONDS
    try:
        bench = Bench(counter=means.counter(), clock=means.clock, sleep=means.sleep, seconds=seconds, tell=means.tell)
        return prices(copy, product, bench), ""
    except NoCounter as reason:
        return None, str(reason)
