"""Which units the report knows, and how a quantity is read from text.

The list is closed: an unknown unit is an error that names the nearest known one. A number is stored in base
units (FLOP, byte, token, param, second, joule, ...). Leaves out: offsets, currencies, anything not measured here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from types import MappingProxyType

from model.unitwords import meant

# SI prefixes are decimal, IEC prefixes binary: GB is 1e9 bytes, GiB is 2**30.
DECIMAL: Mapping[str, float] = MappingProxyType(
    {"f": 1e-15, "p": 1e-12, "n": 1e-9, "u": 1e-6, "µ": 1e-6, "m": 1e-3, "": 1.0}
    | {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
)
BINARY: Mapping[str, float] = MappingProxyType({"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40})
_LARGE = tuple(p for p in DECIMAL if DECIMAL[p] >= 1)
_SMALL = tuple(p for p in DECIMAL if DECIMAL[p] <= 1)

# name -> (base unit, factor, prefixes it takes). Bits are bytes divided by eight, and appear in rates only.
ATOMS: Mapping[str, tuple[str, float, tuple[str, ...]]] = MappingProxyType(
    {
        "FLOP": ("FLOP", 1.0, _LARGE),
        "B": ("B", 1.0, (*_LARGE, *BINARY)),
        "b": ("B", 0.125, _LARGE),
        "bit": ("B", 0.125, (*_LARGE, *BINARY)),
        "token": ("token", 1.0, ("", "k", "M", "G", "T")),
        "param": ("param", 1.0, ("",)),
        "element": ("element", 1.0, ("",)),
        "layer": ("layer", 1.0, ("",)),
        "device": ("device", 1.0, ("",)),
        "hop": ("hop", 1.0, ("",)),
        "tile": ("tile", 1.0, ("",)),
        "connection": ("connection", 1.0, ("", "k", "M", "G")),
        "s": ("s", 1.0, _SMALL),
        "year": ("year", 1.0, ("",)),
        "J": ("J", 1.0, (*_SMALL, "k", "M", "G")),
        "W": ("W", 1.0, (*_SMALL, "k", "M", "G")),
        "m": ("m", 1.0, ("", "m", "u", "µ", "n")),
    }
)
# Derived units are spelled out in base units, so that W and J/s are the same dimension.
DERIVED: Mapping[str, Mapping[str, int]] = MappingProxyType({"W": {"J": 1, "s": -1}})


@dataclass(frozen=True, slots=True)
class Unit:
    """A dimension: base units with their exponents (whole, but for square roots), and the text a reader sees."""

    powers: tuple[tuple[str, int | Fraction], ...]

    def __mul__(self, other: Unit) -> Unit:
        return _unit(dict(self.powers), other.powers, 1)

    def __truediv__(self, other: Unit) -> Unit:
        return _unit(dict(self.powers), other.powers, -1)

    def __pow__(self, exponent: int | Fraction) -> Unit:
        return Unit(tuple((base, power * exponent) for base, power in self.powers if exponent))

    def root(self) -> Unit:
        """Return the unit whose square this is."""
        return self ** Fraction(1, 2)

    def __str__(self) -> str:
        return _said(self)


@cache
def _said(unit: Unit) -> str:
    top = [_power(base, power) for base, power in unit.powers if power > 0]
    low = [_power(base, -power) for base, power in unit.powers if power < 0]
    under = low[0] if len(low) == 1 else "(" + " ".join(low) + ")"
    return " ".join(top) + ("/" + under if low and top else "") or ("1/" + under if low else "1")


def _power(base: str, power: int | Fraction) -> str:
    return base if power == 1 else f"{base}^{power}"


def _unit(powers: dict[str, int | Fraction], more: tuple[tuple[str, int | Fraction], ...], sign: int) -> Unit:
    for base, power in more:
        powers[base] = powers.get(base, 0) + sign * power
    return Unit(tuple(sorted((base, power) for base, power in powers.items() if power)))


ONE = Unit(())
SECOND = Unit((("s", 1),))


class UnknownUnit(ValueError):
    """Raised for a unit outside the closed list; the message names the nearest known one."""


def _words() -> dict[str, tuple[str, float]]:
    """Return every spelling with its prefix: 'TB' -> ('B', 1e12)."""
    found = {}
    for name, (base, factor, prefixes) in ATOMS.items():
        for prefix in prefixes:
            scale = DECIMAL[prefix] if prefix in DECIMAL else BINARY[prefix]
            found[prefix + name] = (base, factor * scale)
    return found


WORDS: Mapping[str, tuple[str, float]] = MappingProxyType(_words())
_BITS = frozenset(prefix + name for name in ("b", "bit") for prefix in (*_LARGE, *BINARY))
_FACTOR = re.compile(r"^(?P<word>[A-Za-zµ]+)(?:\^(?P<power>[2-9]))?$")
_PARTS = re.compile(r"^(?P<top>[^/()]+)(?:/(?P<low>[^/()]+|\([^/()]+\)))?$")


def split(text: str, wanted: Unit | None = None) -> tuple[Unit, float]:
    """Return the dimension of a unit text and its factor to base units: 'TB/s' -> (B/s, 1e12).

    Raises UnknownUnit for a word outside the list and for anything that is not a product over a product. wanted: which
    dimension it should have, if that is known.
    """
    try:
        return _read(text)
    except UnknownUnit as error:
        right = _right(text, wanted)
        odd = not right and str(error).endswith("is not a unit")
        raise UnknownUnit(f"{error}{right or '; write it as FLOP/s, B/s or GiB' * odd}") from None


def _read(text: str) -> tuple[Unit, float]:
    if text in ("", "1"):
        return ONE, 1.0
    found = _PARTS.match(text.strip())
    if not found:
        raise UnknownUnit(f"'{text}' is not a unit")
    unit, factor = _product(found["top"])
    if found["low"]:
        low, divisor = _product(found["low"].strip("()"))
        unit, factor = unit / low, factor / divisor
    return unit, factor


def _product(factors: str) -> tuple[Unit, float]:
    unit, factor = ONE, 1.0
    for part in factors.split():
        if part == "1":
            continue
        found = _FACTOR.match(part)
        if not found or found["word"] not in WORDS:
            raise UnknownUnit(f"unknown unit '{part}'")
        base, scale = WORDS[found["word"]]
        power = int(found["power"] or 1)
        unit = unit * Unit(tuple(sorted(DERIVED.get(base, {base: 1}).items()))) ** power
        factor *= scale**power
    return unit, factor


def _right(text: str, wanted: Unit | None) -> str:
    """Return the hint that gives a unit text as it was probably meant; a count is a rate where one is wanted."""
    right = meant(text, WORDS)
    try:
        count = wanted is not None and _read(right)[0] == wanted * SECOND
        right += "/s" if count else ""
        _read(right)
    except UnknownUnit:
        return ""
    return f"; did you mean '{right}'?"


def unit(text: str) -> Unit:
    """Return the dimension of a unit text written in base units: unit('FLOP/B')."""
    found, factor = split(text)
    if factor != 1.0:
        raise ValueError(f"'{text}' is not in base units")
    return found


_QUANTITY = re.compile(r"^(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?) ?(?P<unit>[A-Za-zµ(].*)?$")


def parse(text: str, wanted: Unit, *, bits: bool = True) -> float:
    """Return a quantity as people write it ('3.35 TB/s', '400 Gb/s', '175e9 param') in the wanted base unit.

    Raises ValueError with the reason: not a number, an unknown unit, the wrong dimension, bits where bytes are
    held, out of range. A bare number is accepted only for a dimensionless quantity, a count, or an amount per
    token, parameter or layer. bits: whether a rate may count them, as those of networks do and those of memories don't.
    """
    found = _QUANTITY.match(text.strip())
    if not found:
        raise ValueError(f"'{text}' is not a quantity; write a plain number and its unit, as in '3.35 TB/s'")
    number, word = float(found["number"]), (found["unit"] or "").strip()
    if not word and wanted.powers and not countable(wanted):
        raise ValueError(f"'{text}' has no unit; it is measured in {wanted}")
    measured, factor = split(word, wanted) if word else (wanted, 1.0)
    if measured != wanted:
        rate = f"; write '{text}/s', if that is its rate" if measured == wanted * SECOND else ""
        raise ValueError(f"'{text}' is in {measured}, but {wanted} is wanted{rate}")
    if _BITS & set(re.findall(r"[A-Za-zµ]+", word)):
        _refuse_bits(text, number, word, wanted, bits=bits)
    if not math.isfinite(number * factor):
        raise ValueError(f"'{text}' is out of range")
    return number * factor


def _refuse_bits(text: str, number: float, word: str, wanted: Unit, *, bits: bool) -> None:
    if str(wanted) == "B":
        raise ValueError(f"'{text}' counts bits; bits are for rates of a network, a memory is written in bytes (B)")
    if not bits:
        bytewise = re.sub(r"b(it)?(?![a-z])", "B", word)
        said = f"'{text}' counts bits, and is {number / 8:g} {bytewise}; a memory is read in bytes"
        raise ValueError(f"{said}: did you mean '{number:g} {bytewise}'?")


# Things that are counted and take no other prefix by habit: a bare number of them cannot be misread.
_COUNTED = frozenset({"token", "param", "layer", "element", "device", "hop", "tile", "connection", "year"})


def countable(wanted: Unit) -> bool:
    """Say whether a bare number is plain enough: a count, or a ledger constant per token, parameter or layer."""
    return any(base in _COUNTED for base, _ in wanted.powers)
