"""What people write for a unit, and the unit that is proposed for it."""

from __future__ import annotations

import pytest

from model.units import WORDS, UnknownUnit, parse, split, unit
from model.unitwords import meant


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("TBps", "TB/s"),
        ("tbps", "TB/s"),
        ("TB/S", "TB/s"),
        ("GB/second", "GB/s"),
        ("GiB/sec", "GiB/s"),
        ("TB per s", "TB/s"),
        ("TFLOPS", "TFLOP/s"),
        ("TFLOPS/s", "TFLOP/s"),
        ("TFLOPs/s", "TFLOP/s"),
        ("TOPS", "TFLOP/s"),
        ("TFLOPs", "TFLOP"),
        ("teraflops", "TFLOP"),
        ("gigabytes", "GB"),
        ("KB", "kB"),
        ("FLOPs/byte", "FLOP/B"),
        ("FLOP per byte", "FLOP/B"),
        ("FLOP-per-byte", "FLOP/B"),
        ("per year", "1/year"),
        ("tok/sec", "token/s"),
        ("bytes/param", "B/param"),
        ("TFLOP/s/W", "TFLOP/(s W)"),
        ("TFLOP/(s*W)", "TFLOP/(s W)"),
        ("TFLOPS/W", "TFLOP/(s W)"),
        ("um^2", "um^2"),
        ("microns", "microns"),
        ("Wats", "W"),
        ("tokns", "token"),
        ("fJoule", "fJ"),
        ("exaflops", "EFLOP"),
        ("hours", "hours"),
        ("percent", "percent"),
    ],
)
def test_a_unit_is_read_as_it_was_meant(text: str, right: str) -> None:
    assert meant(text, WORDS) == right


def test_what_is_like_no_unit_has_no_other_proposed() -> None:
    with pytest.raises(UnknownUnit, match=r"^unknown unit 'hours'$"):
        split("hours")
    with pytest.raises(UnknownUnit, match=r"^'a/b/c' is not a unit; write it as FLOP/s, B/s or GiB$"):
        split("a/b/c")


def test_a_count_is_proposed_as_a_rate_where_a_rate_is_wanted() -> None:
    for text, wanted, right in (
        ("3 TFLOPs", "FLOP/s", "TFLOP/s"),
        ("3 TFLOPs", "FLOP", "TFLOP"),
        ("3 TBs", "B/s", "TB/s"),
    ):
        with pytest.raises(UnknownUnit, match=f"did you mean '{right}'"):
            parse(text, unit(wanted))
