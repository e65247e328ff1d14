"""What a machine's row means, and what a figure says of its own reliability."""

from typing import Any

import pytest

from model.figure import SPREAD, STATUSES, Figure, weakest
from model.machine import FORMATS, Machine, Peak


def figure(value: float = 100.0, status: Any = "verified", **more: Any) -> Figure:
    return Figure(value=value, unit="B/s", text=f"{value:g} B/s", status=status, sources=("s1",), **more)


def machine(peak: Any = "verified", bandwidth: Any = "verified") -> Machine:
    rate = Peak(value=1e14, unit="FLOP/s", text="100 TFLOP/s", status=peak, sources=("s1",), sparsity="dense")
    return Machine(
        id="toy",
        name="Toy",
        short="Toy",
        vendor="Toys",
        year=2022,
        kind="gpu",
        trains=True,
        balance_format="bf16",
        peak={"bf16": rate},
        bandwidth=figure(1e12, bandwidth),
        sources={},
    )


@pytest.mark.parametrize("status", STATUSES)
def test_a_number_without_a_range_gets_that_of_its_status(status: str) -> None:
    low, high = SPREAD[status]
    assert figure(200.0, status).range == (pytest.approx(200 * low), pytest.approx(200 * high))


def test_the_range_widens_with_every_weaker_status() -> None:
    widths = [SPREAD[status][1] / SPREAD[status][0] for status in STATUSES]
    assert widths == sorted(widths)


def test_a_stated_bound_goes_before_that_of_the_status() -> None:
    assert figure(100.0, low=60.0).range == (60.0, 101.0)
    assert figure(100.0, high=300.0).range == (99.0, 300.0)


@pytest.mark.parametrize(
    ("peak", "bandwidth", "wanted"),
    [
        ("verified", "verified", "verified"),
        ("verified", "secondary", "secondary"),
        ("announced", "secondary", "announced"),
        ("estimate", "announced", "estimate"),
    ],
)
def test_a_machine_is_as_trustworthy_as_the_weaker_half_of_its_balance(peak: str, bandwidth: str, wanted: str) -> None:
    assert machine(peak, bandwidth).status == wanted


def test_nothing_has_no_weakest_status() -> None:
    with pytest.raises(ValueError, match="statuses is empty"):
        weakest(())


def test_what_a_machine_lacks_is_absent_and_not_zero() -> None:
    toy = machine()
    assert (toy.capacity, toy.on_chip, toy.scale_up, toy.nic, toy.power) == (None, None, None, None, None)
    assert toy.vector == {}


def test_records_do_not_change() -> None:
    with pytest.raises(AttributeError):
        machine().year = 1999  # type: ignore[misc]


def test_the_formats_are_those_that_the_report_speaks_of() -> None:
    assert FORMATS == ("fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "fp4", "int8")
