"""How a number becomes text: significant digits, prefixes, percents, counts; halves go up, away from zero.

The same rules stand in templates/static/format.js. Both work on the decimal digits of the exact binary value
(Decimal here, toExponential there) and shift the decimal point instead of multiplying, so that they cannot part.

Conventions of the page: thousands are grouped by commas from 1,000 up; from a million to a thousand billion a
rounded number is written in words (405 billion); beyond that, and below 0.0001, as a power of ten. Units and words
follow after a no-break space, a percent sign without one. A minus sign is U+2212. Zeros after the point say that a
number was rounded to them: a number that is exact without them is written without (64, not 64.0). What is counted is
counted in whole ones from ten up, however many digits are asked for, and to two digits below.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from types import MappingProxyType

from model.units import Unit

NBSP = "\u00a0"
MINUS = "\u2212"
DASH = "\u2013"
PREFIXES = ("f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E")
_PLAIN = PREFIXES.index("")
_SCALES = ((12, "trillion"), (9, "billion"), (6, "million"))
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_FEW = 9.5  # below it a count that is not whole keeps two digits
_NONE = 0.01  # less than a hundredth of a thing is none
_NOISE = 1e-9  # nearer than this part of itself, a number is the one that it is rounded to
_WORDS_FROM, _POWERS_FROM, _POWERS_BELOW, _GROUPED_FROM = 6, 15, -4, 3
_IN_FULL_BELOW = 1e6
_IDLE_ZEROS = re.compile(r"(\.\d*?)0+(?!\d)")


@dataclass(frozen=True, slots=True)
class Label:
    """How a unit is written after a number: for one, for several, and which prefixes it takes (steps of 1,000)."""

    one: str
    many: str
    low: int = 0
    high: int = 0

    def js(self) -> list[str | int]:
        """Return the label as format.js reads it."""
        return [self.one, self.many, self.low, self.high]


def _symbol(text: str, low: int = 0, high: int = 0) -> Label:
    return Label(text, text, low, high)


# Units whose size varies over many decades take prefixes; a second becomes minutes, hours, days and years.
LABELS: Mapping[str, Label] = MappingProxyType(
    {
        "B": _symbol("B", 0, 6),
        "B/s": _symbol("B/s", 0, 6),
        "B/token": _symbol("B/token", 0, 6),
        "FLOP/token": _symbol("FLOP/token", 0, 6),
        "FLOP": _symbol("FLOP", 0, 6),
        "FLOP/s": _symbol("FLOP/s", 0, 6),
        "s": _symbol("s", -5, 0),
        "J": _symbol("J", -5, 3),
        "J/s": _symbol("W", -5, 3),
        "J/B": _symbol("J/B", -5, 0),
        "J/token": _symbol("J/token", -5, 3),
        "J/FLOP": _symbol("J/FLOP", -5, 0),
        "B/J": _symbol("B/J", 0, 6),
        "FLOP/J": _symbol("FLOP/J", 0, 6),
        "m": _symbol("m", -3, 0),
        "token": Label("token", "tokens"),
        "param": Label("parameter", "parameters"),
        "element": Label("element", "elements"),
        "layer": Label("layer", "layers"),
        "device": Label("device", "devices"),
        "hop": Label("hop", "hops"),
        "tile": Label("tile", "tiles"),
        "connection": Label("connection", "connections"),
        "connection/s": Label("connection/s", "connections/s"),
        "token/s": Label("token/s", "tokens/s"),
        "year": Label("year", "years"),
    }
)
# Digits of these mean nothing to a reader without a prefix: sig() is refused on them.
NEEDS_PREFIX = frozenset({"B", "B/s", "FLOP/s"})
_CLOCK = ((63072000.0, 31536000.0, "years"), (172800.0, 86400.0, "days"), (7200.0, 3600.0, "h"), (120.0, 60.0, "min"))


@lru_cache(maxsize=1024)
def label(unit: Unit) -> Label:
    """Return how a unit is written after a number."""
    text = str(unit)
    return LABELS.get(text, _symbol("" if text == "1" else text))


def _digits(value: float, n: int) -> tuple[str, int]:
    """Return n significant digits of |value| and the exponent of the first one; halves go up.

    Trailing zeros stay only where they tell something: that the value lies near, and not on, the rounded number.
    """
    exact = Decimal(abs(value))
    if not exact:
        return "0", 0
    rounded = Context(prec=n, rounding=ROUND_HALF_UP).create_decimal(exact)
    digits = "".join(map(str, rounded.as_tuple().digits))
    if abs(abs(value) - float(rounded)) <= _NOISE * abs(value):
        return digits.rstrip("0"), rounded.adjusted()
    # A coefficient may have fewer digits than asked for (2 to three digits).
    return digits.ljust(n, "0"), rounded.adjusted()


def _shortest(value: float) -> tuple[str, int]:
    """Return the fewest digits that read back as the same number, and the exponent of the first one."""
    number = Decimal(repr(abs(value))).normalize()
    return "".join(map(str, number.as_tuple().digits)), number.adjusted() if number else 0


def _whole(value: float) -> tuple[str, int]:
    """Return the digits of |value| rounded to a whole number, halves up."""
    near = Decimal(abs(value)).quantize(Decimal(1), rounding=ROUND_HALF_UP, context=Context(prec=400))
    return _shortest(float(near))


def _group(digits: str) -> str:
    """Return whole digits with commas between thousands, from 1,000 up."""
    return f"{int(digits):,}"


def _point(digits: str, exponent: int) -> str:
    """Return digits as a plain decimal number, the first digit having the weight 10^exponent."""
    if exponent < 0:
        return "0." + "0" * (-exponent - 1) + digits
    whole = digits[: exponent + 1].ljust(exponent + 1, "0")
    part = digits[exponent + 1 :]
    return _group(whole) + ("." + part if part else "")


def _power(digits: str, exponent: int) -> str:
    return f"{_point(digits, 0)}{NBSP}×{NBSP}10{str(exponent).translate(_SUPERSCRIPT)}"


def _lay(digits: str, exponent: int, words_from: int = _WORDS_FROM) -> str:
    """Return digits as a reader sees them: plain, with a word for the millions, or with a power of ten."""
    if exponent >= _POWERS_FROM or exponent < _POWERS_BELOW:
        return _power(digits, exponent)
    for scale, word in _SCALES:
        if exponent >= max(scale, words_from):
            return f"{_point(digits, exponent - scale)}{NBSP}{word}"
    return _point(digits, exponent)


def _signed(value: float, text: str) -> str:
    return MINUS + text if value < 0 and any(mark in text for mark in "123456789") else text


def _check(value: float, n: int | None) -> None:
    if not math.isfinite(value):
        raise ValueError(f"{value} cannot be printed as a number")
    if n is not None and not 1 <= n <= 15:
        raise ValueError(f"{n} digits are not to be had; use 1 to 15")


def near(value: float, n: int) -> float:
    """Return a number with n significant digits, as JavaScript's toPrecision rounds."""
    return float(Context(prec=n, rounding=ROUND_HALF_UP).create_decimal(Decimal(value)))


def sig(value: float, n: int) -> str:
    """Return a value to n significant digits, without its unit: 14457 -> '14,500'."""
    _check(value, n)
    return _signed(value, _lay(*_digits(value, n)))


def percent(value: float, n: int) -> str:
    """Return a ratio in percent to n significant digits: 0.4112 -> '41%'."""
    _check(value, n)
    digits, exponent = _digits(value, n)
    return _signed(value, _lay(digits, exponent + 2 if value else 0) + "%")


def count(value: float, n: int | None, words: Label) -> str:
    """Return a whole number, or one to n significant digits, and the word for what is counted: '739 tokens'."""
    _check(value, n)
    if abs(value) < _NONE:
        value = 0.0
    if abs(value) < _FEW and value != int(value):
        n = min(n or 2, 2)  # "0.5 tokens" is not one token
    elif n is not None and abs(value) < 10.0 ** (n - 1):
        n = None
    text = _lay(*_whole(value), _POWERS_FROM) if n is None else _lay(*_digits(value, n))
    return f"{_signed(value, text)}{NBSP}{words.one if text == '1' else words.many}"


def upto(value: float, n: int, words: Label) -> str:
    """Return how many whole things a limit leaves room for, to n significant digits: 8.38 -> '8 devices'."""
    _check(value, n)
    return count(float(math.floor(value * (1 + _NOISE))), n, words)


def exact(value: float) -> str:
    """Return every digit of a value, as few as read back the same: 2048 -> '2,048'."""
    _check(value, None)
    return _signed(value, _lay(*_shortest(value), _POWERS_FROM))


def _clock(value: float, n: int) -> str:
    """Return a time of two minutes or more in the largest unit of which there are two."""
    length, word = next((length, word) for least, length, word in _CLOCK if abs(value) >= least)
    return _lay(*_digits(value / length, n)) + NBSP + word


def qty(value: float, n: int, words: Label) -> str:
    """Return a value to n significant digits with prefix and unit: 3.35e12 B/s -> '3.35 TB/s'."""
    _check(value, n)
    if words.one == "s" and abs(value) >= _CLOCK[-1][0]:
        return _signed(value, _clock(value, n))
    digits, exponent = _digits(value, n)
    step = min(max(exponent // 3, words.low), words.high) if value else 0
    unit = PREFIXES[_PLAIN + step] + words.one
    if words.low == words.high:
        text = _lay(digits, exponent)
        unit = words.one if text == "1" else words.many
    else:
        shifted = exponent - 3 * step
        outside = shifted > _GROUPED_FROM or shifted < -1
        text, unit = (_power(digits, exponent), words.one) if outside else (_point(digits, shifted), unit)
    return _signed(value, text + (NBSP + unit if unit else ""))


def typed(value: float) -> str:
    """Return a number that an author typed, with a word for the millions: 600, 16,000, 405 billion."""
    _check(value, None)
    return _signed(value, _lay(*_shortest(value)))


@lru_cache(maxsize=1 << 15)  # most numbers are said again and again
def amount(value: float, words: Label, n: int = 4) -> str:
    """Return a value with its unit as a card states it: whole numbers in full, others to n digits, no idle zeros."""
    if _in_full(value, words):
        return count(value, None, words).strip()
    return re.sub(r"\.(?!\d)", "", _IDLE_ZEROS.sub(r"\1", qty(value, n, words)))


def bare(value: float, words: Label, n: int = 4) -> str:
    """Return a value as a formula holds it: the unit only where it takes a prefix, without which the digits mislead."""
    return amount(value, words if words.low != words.high else Label("", ""), n)


def held(value: float, words: Label, n: int) -> float:
    """Return the number that bare() writes: what a reader who takes the formula at its word reckons with."""
    if not math.isfinite(value) or _in_full(value, words if words.low != words.high else Label("", "")):
        return value
    digits, exponent = _digits(value, n)
    return math.copysign(float(f"{digits}e{exponent - len(digits) + 1}"), value)


def _in_full(value: float, words: Label) -> bool:
    """Say whether a value is a plain whole number, small enough to write out."""
    return words.low == words.high and value == int(value) and abs(value) < _IN_FULL_BELOW
