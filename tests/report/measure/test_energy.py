"""The joules of a byte and of an operation come back out of a machine that was built from them."""

from __future__ import annotations

import pytest

from report.measure.counters import NoCounter
from report.measure.energy import Bench, Energy, prices
from tests.report.measure.bench import Machine


def priced(machine: Machine, seconds: float = 1.0) -> Energy:
    bench = Bench(counter=machine, clock=machine.clock, sleep=machine.sleep, seconds=seconds)
    return prices(machine.stream(2**31), machine.matrix("bf16", 8192), bench)


@pytest.mark.parametrize(
    "machine",
    [Machine(), Machine(e_B=120e-12, e_F=0.5e-12, idle=5.0), Machine(peak=1e12, bandwidth=5e10, e_F=40e-12)],
    ids=["as the note has it", "dear bytes", "slow"],
)
def test_the_prices_come_back(machine: Machine) -> None:
    found = priced(machine)
    assert found.e_B == pytest.approx(machine.e_B, rel=1e-9)
    assert found.e_F == pytest.approx(machine.e_F, rel=1e-9)
    assert found.idle == pytest.approx(machine.idle)
    assert found.stream == pytest.approx(machine.idle + machine.e_B * machine.bandwidth)


def test_the_bytes_of_a_product_are_not_charged_to_its_arithmetic() -> None:
    """A product that moves many bytes for its work: without the correction e_F would come out far too large."""
    machine = Machine(peak=1e9, e_F=0.01e-12, e_B=500e-12)
    bench = Bench(counter=machine, clock=machine.clock, sleep=machine.sleep, seconds=1.0)
    small = machine.matrix("bf16", 64)
    found = prices(machine.stream(2**31), small, bench)
    assert found.e_F == pytest.approx(machine.e_F, rel=1e-6)
    assert small.moves * machine.e_B > 100 * small.work * machine.e_F


@pytest.mark.parametrize("seconds", [1.0, 5.0])
def test_each_kernel_lasts_as_long_as_asked(seconds: float) -> None:
    machine = Machine()
    priced(machine, seconds)
    assert machine.now >= 3 * seconds


def test_a_counter_that_stands_still_gives_no_price() -> None:
    machine = Machine(e_F=0.0, e_B=0.0, idle=0.0)
    with pytest.raises(NoCounter, match="toy counter stood still"):
        priced(machine)


def test_a_kernel_that_draws_no_more_than_idle_gives_no_price() -> None:
    machine = Machine(e_B=0.0)
    with pytest.raises(NoCounter, match="no price comes of that"):
        priced(machine)
