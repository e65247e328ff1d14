"""One value of a row: from what stands in YAML to a number, a quantity in base units, or a word of a list.

A mistake is a ValueError: its message, and what was probably meant behind a semicolon.
"""

from __future__ import annotations

import math
import sys
import types
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import yaml

from model.bounds import nearest as nearest_of
from model.bounds import plain, written
from model.units import WORDS, countable, parse, split
from model.unitwords import meant
from report import numberwords, yamlnodes
from report.errors import nearest

_NOTHING: Mapping[str, Any] = types.MappingProxyType({})
_PERCENT = " %"


@lru_cache(maxsize=4096)
def quantity(text: str, unit: str, bits: bool = True) -> tuple[float, str]:
    """Return a quantity as written, in base units, and the base unit; unit 'any' takes the unit that it finds."""
    try:
        if unit == "%":
            return _share(text), "1"
        wanted = split(unit if unit != "any" else _unit_of(text))[0]
        return parse(text, wanted, bits=bits), str(wanted)
    except ValueError as error:
        raise ValueError(_why(text, unit, bits) or _in_words(str(error), text, unit)) from None


def unit(text: str) -> None:
    """Read a unit that stands by itself; raise ValueError with the reason where it is none."""
    if " per " in text:
        raise ValueError(f"'{text}': 'per' is written as a stroke; write '{meant(text, WORDS)}'")
    split(text)


def other_unit(node: yaml.Node, unit: str) -> str:
    """Return what is wrong with a quantity that is measured in another unit than its partner, else an empty text."""
    found = quantity(node.value, "any")[1]
    has = "has no unit" if found == "1" else f"is in {found}"
    return f"{has}, but the value is in {unit}" if found != unit else ""


def _share(text: str) -> float:
    if not text.endswith(_PERCENT):
        raise ValueError(f"'{text}' is not a percentage; write it as '41.5 %'")
    return float(parse(text.removesuffix(_PERCENT), split("")[0])) / 100


def _in_words(said: str, text: str, unit: str) -> str:
    """Return what the model says of a quantity with its unit as the row's field names it: W and not J/s, FLOP/s."""
    if unit in ("%", "any"):
        return said
    return said.replace(str(split(unit)[0]), unit)


def _why(text: str, unit: str, bits: bool) -> str:
    """Return what is wrong with a quantity where more can be said than that it is none, else an empty text."""
    if why := numberwords.said(text):
        return f"'{text}' is not a quantity: {why}"
    if unit == "%" and (found := numberwords.share(text)):
        return f"'{text}' is not a percentage; write it as '{found}'"
    if unit == "B/s" and (found := numberwords.bits(text, held=not bits)):
        return found
    many = numberwords.counted(text)
    if many and unit not in ("%", "any"):
        return _letter(text, many, unit)
    if parted := numberwords.parted(text):
        return f"'{text}' is not a quantity: a blank parts the prefix from its unit; write '{parted}'"
    if " per " in text:
        number, _, measure = text.partition(" ")
        return f"'{text}' is not a quantity: 'per' is written as a stroke; write '{number} {meant(measure, WORDS)}'"
    return ""


def _letter(text: str, many: str, unit: str) -> str:
    """Return what is wrong with a letter for a size behind a number: of things that are counted, or of bytes."""
    if countable(split(unit)[0]):
        return f"'{text}' is no count: B is a byte here, and no letter or word stands for a size; write '{many} {unit}'"
    right = f"{text[:-1].strip()} {text[-1]}{unit}"
    return f"'{text}' has no unit behind its prefix; write '{right}'" if text[-1] in "kMGT" else ""


def _unit_of(text: str) -> str:
    """Return the unit part of a quantity whose dimension the row chooses."""
    _, _, word = text.partition(" ")
    return word


def number(node: yaml.Node, wanted: Any, meta: Mapping[str, Any]) -> Any:
    """Return a number within the bounds of its field: a quantity where the field has a unit, else a plain one."""
    if "unit" in meta:
        if not isinstance(node, yaml.ScalarNode):
            raise ValueError(f"{yamlnodes.kind(node)} where a quantity with its unit is wanted; {yamlnodes.bare(node)}")
        found = quantity(node.value, meta["unit"], meta.get("bits", True))[0]
    else:
        found = yamlnodes.number(node)
    shown = f"'{node.value}'"
    if found <= 0:
        raise ValueError(f"{shown} is not more than zero; leave the key out where there is none")
    scale = 0.01 if meta.get("unit") == "%" else 1.0
    low, high = meta.get("low", 0) * scale, meta.get("high", sys.float_info.max) * scale
    if not low <= found <= high:
        raise ValueError(f"{shown} is out of all reason; {_end(found < low, low, high, meta.get('unit', '1'))}")
    if wanted is int and found != int(found):
        raise ValueError(f"{shown} is not a whole number; {nearest_of((math.floor(found), math.ceil(found)))}")
    return wanted(found)


def _end(under: bool, low: float, high: float, unit: str) -> str:
    """Return words for the end of a field's bounds that a number is beyond, as a row may write it."""
    word, value = ("least", low) if under else ("most", high)
    if unit in ("1", "%"):
        return f"the {word} is {plain(100 * value)} %" if unit == "%" else f"the {word} is {plain(value)}"
    end = plain(value) if unit == "any" else written(value, split(unit)[0])
    return f"the {word} is {end}; check the prefix of the unit"


def word(word: str, allowed: tuple[str, ...], meta: Mapping[str, Any]) -> str:
    """Return a word that is among those allowed."""
    if word in allowed:
        return word
    why = meta.get("explain", _NOTHING).get(word)
    if why:
        raise ValueError(f"'{word}' is refused; {why}")
    raise ValueError(f"unknown word '{word}'; {nearest(word, allowed) or one_of(allowed)}")


def one_of(words: Any) -> str:
    """Return the hint that lists all right words."""
    return "one of " + ", ".join(sorted(words)) if words else "there is none"
