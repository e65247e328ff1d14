"""Units: a closed list, prefixes that mean what they say, and the confusions that really happen."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.units import BINARY, DECIMAL, ONE, WORDS, UnknownUnit, countable, parse, split, unit

BYTES, RATE = unit("B"), unit("B/s")


@pytest.mark.parametrize(
    ("text", "measured", "number"),
    [
        ("3.35 TB/s", "B/s", 3.35e12),
        ("3.35TB/s", "B/s", 3.35e12),
        ("400 Gb/s", "B/s", 50e9),
        ("450 GB/s", "B/s", 450e9),
        ("1 Gbit/s", "B/s", 125e6),
        ("989.4 TFLOP/s", "FLOP/s", 989.4e12),
        ("15 PFLOP/s", "FLOP/s", 15e15),
        ("1.11 MFLOP/s", "FLOP/s", 1.11e6),
        ("80 GB", "B", 80e9),
        ("80 GiB", "B", 80 * 2**30),
        ("640 KiB", "B", 640 * 1024),
        ("175e9 param", "param", 175e9),
        ("14.8 Ttoken", "token", 14.8e12),
        ("60 pJ/B", "J/B", 60e-12),
        ("0.9 pJ/FLOP", "J/FLOP", 0.9e-12),
        ("8 fJ", "J", 8e-15),
        ("100 fJ/(bit mm)", "J/(B m)", 8e-10),
        ("60 W", "J/s", 60),
        ("60 W", "W", 60),
        ("0.5 mm", "m", 5e-4),
        ("3 um", "m", 3e-6),
        ("3 µm", "m", 3e-6),
        ("5 B/(layer token^2)", "B/(layer token^2)", 5),
        ("6 FLOP/(param token)", "FLOP/(param token)", 6),
        ("64", "1", 64),
        ("2048", "token", 2048),
        ("1E3 token", "token", 1000),
        ("9.6e9 device s", "device s", 9.6e9),
    ],
)
def test_a_quantity_is_read_as_people_write_it(text: str, measured: str, number: float) -> None:
    assert parse(text, unit(measured)) == pytest.approx(number, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "measured", "why"),
    [
        ("3,350 GB/s", "B/s", "is not a quantity"),
        ("-3 TB/s", "B/s", "is not a quantity"),
        ("nan TB/s", "B/s", "is not a quantity"),
        ("2*3 TB/s", "B/s", "is not a quantity"),
        ("3.35  TB/s", "B/s", "is not a quantity"),
        ("TB/s", "B/s", "is not a quantity"),
        ("", "B/s", "is not a quantity"),
        ("3.35", "B/s", "has no unit; it is measured in B/s"),
        ("3", "J/B", "has no unit; it is measured in J/B"),
        ("80", "B", "has no unit; it is measured in B"),
        ("3.35 TBs", "B/s", "unknown unit 'TBs'"),
        ("3.35 tb/s", "B/s", "unknown unit 'tb'; did you mean 'T[Bb]/s'"),
        ("989 Tflop/s", "FLOP/s", "unknown unit 'Tflop'; did you mean 'TFLOP/s'"),
        ("989 TFLOPS", "FLOP/s", "unknown unit 'TFLOPS'; did you mean 'TFLOP/s'"),
        ("5 furlong", "m", "unknown unit 'furlong'"),
        ("3.35 TB/s/s", "B/s", "is not a unit"),
        ("3.35 TB**2/s", "B/s", r"unknown unit 'TB\*\*2'"),
        ("5 1/s", "1/s", "is not a quantity"),
        ("3.35 TB", "B/s", "is in B, but B/s is wanted"),
        ("80 Gb", "B", "counts bits"),
        ("80 Gbit", "B", "counts bits"),
        ("80 Gibit", "B", "counts bits"),
        ("3350 GBps", "B/s", "unknown unit 'GBps'; did you mean 'GB/s'"),
        ("700 Wats", "W", "unknown unit 'Wats'; did you mean 'W'"),
        ("700 watt", "W", "unknown unit 'watt'; did you mean 'W'"),
        ("80 gigabytes", "B", "unknown unit 'gigabytes'; did you mean 'GB'"),
        ("175 B", "param", "is in B, but param is wanted"),
        ("1e400 token", "token", "is out of range"),
        ("9e999", "1", "is out of range"),
        ("1e308 TB", "B", "is out of range"),
        ("5 mB", "B", "unknown unit 'mB'"),
        ("5 kparam", "param", "unknown unit 'kparam'"),
        ("5 mtoken", "token", "unknown unit 'mtoken'"),
    ],
)
def test_what_is_wrong_with_a_quantity_is_said(text: str, measured: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse(text, unit(measured))


def test_decimal_and_binary_prefixes_differ_as_they_do() -> None:
    assert parse("80 GiB", BYTES) / parse("80 GB", BYTES) == pytest.approx(1.0737, rel=1e-4)
    assert set(BINARY) == {"Ki", "Mi", "Gi", "Ti"}
    assert (DECIMAL["M"], DECIMAL["m"]) == (1e6, 1e-3)


def test_a_memory_is_not_read_in_bits() -> None:
    for text, meant in (("1 Tb/s", "1 TB/s"), ("3.35 Tbit/s", "3.35 TB/s"), ("2 Gibit/s", "2 GiB/s")):
        with pytest.raises(ValueError, match=f"counts bits, and is .*: did you mean '{meant}'"):
            parse(text, RATE, bits=False)
    assert parse("1 TB/s", RATE, bits=False) == 1e12


def test_a_bit_is_an_eighth_of_a_byte_in_rates() -> None:
    assert parse("8 Gb/s", RATE) == parse("1 GB/s", RATE) == parse("8 Gbit/s", RATE)


def test_power_is_energy_in_time() -> None:
    assert unit("W") == unit("J/s")
    assert unit("W") * unit("s") == unit("J")


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("FLOP/B", "FLOP/B"),
        ("B/(token layer)", "B/(layer token)"),
        ("1", "1"),
        ("", "1"),
        ("1/s", "1/s"),
        ("1/(B s)", "1/(B s)"),
        ("m^2", "m^2"),
        ("FLOP/(layer token^2)", "FLOP/(layer token^2)"),
        ("B hop/FLOP", "B hop/FLOP"),
    ],
)
def test_a_unit_prints_as_it_is_read(text: str, printed: str) -> None:
    assert str(unit(text)) == printed
    assert unit(printed) == unit(text)


def test_units_multiply_divide_and_have_powers_and_roots() -> None:
    assert RATE * unit("s") == BYTES
    assert BYTES / unit("s") == RATE
    assert BYTES / BYTES == ONE
    assert BYTES**0 == ONE
    assert (BYTES**2).root() == BYTES
    assert BYTES.root() * BYTES.root() == BYTES
    assert str(BYTES.root()) == "B^1/2"
    assert BYTES ** Fraction(1, 2) == BYTES.root()


def test_a_base_unit_has_no_prefix() -> None:
    with pytest.raises(ValueError, match="'TB/s' is not in base units"):
        unit("TB/s")


def test_a_unit_outside_the_list_is_unknown() -> None:
    with pytest.raises(UnknownUnit, match=r"is not a unit; did you mean 'B/\(s token\)'"):
        split("B/s/token")
    with pytest.raises(UnknownUnit, match=r"unknown unit 'zzz'$"):
        split("zzz")
    assert issubclass(UnknownUnit, ValueError)


def test_counts_may_stand_without_their_unit_and_measures_may_not() -> None:
    counts = ("token", "param", "layer", "device", "B/param", "B/(layer token)", "FLOP/(param token)")
    assert [name for name in counts if not countable(unit(name))] == []
    assert [name for name in ("B", "s", "J", "m", "B/s", "FLOP/s", "J/B", "FLOP/B") if countable(unit(name))] == []


@settings(max_examples=60)
@given(number=st.floats(1e-3, 1e6), word=st.sampled_from(sorted(WORDS)))
def test_every_word_is_read_with_its_factor(number: float, word: str) -> None:
    measured, factor = split(word)
    if word.endswith(("b", "bit")):
        assert parse(f"{number!r} {word}/s", measured / unit("s")) == pytest.approx(number * factor)
    else:
        assert parse(f"{number!r} {word}", measured) == pytest.approx(number * factor)
