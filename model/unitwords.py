"""What unit was probably meant by a text that is none: TBps, TFLOPS, FLOPs per byte, tokens/sec.

Leaves out: which units there are (model/units.py).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection

_PREFIXES = {"kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "milli": "m", "micro": "u", "nano": "n"}
_PREFIXES |= {"pico": "p", "femto": "f", "exa": "E"}
_LONG = (("", ""), *_PREFIXES.items(), *((short.lower(), short) for short in _PREFIXES.values()))
_NAMES = {
    **{"watt": "W", "joule": "J", "byte": "B", "bit": "bit", "second": "s", "sec": "s", "flop": "FLOP", "metre": "m"},
    **{"op": "FLOP", "operation": "FLOP", "parameter": "param", "tok": "token", "yr": "year", "meter": "m"},
}
_TIMES = re.compile(r"\s*[*·×⋅∙]\s*")
_PER = re.compile(r"[\s-]+per[\s-]+|^per\s+|\s*/\s*")
_RATE = re.compile(r"(?P<what>.+?)(?:ps|(?<=FLOP)S|(?<=OP)S)")


def meant(text: str, known: Collection[str]) -> str:
    """Return a unit text as it was probably meant; a word that is like none of the known stays as it is."""
    top, *low = (part.strip("() ") for part in _PER.split(_TIMES.sub(" ", text)))
    above, below = _factors(top, known)
    for part in low:
        upper, lower = _factors(part, known)
        below += [one for one in upper if one not in below or one != "s"]
        below += [one for one in lower if one not in below]
    under = " ".join(below)
    return (" ".join(above) or "1") + (f"/({under})" if below[1:] else f"/{under}" if below else "")


def _factors(text: str, known: Collection[str]) -> tuple[list[str], list[str]]:
    """Return the factors of a product as they were meant, and what they are divided by."""
    above, below = list[str](), list[str]()
    for word in text.split():
        bare, power, exponent = word.partition("^")
        rate = None if bare in known else _RATE.fullmatch(bare)
        one = _same(rate["what"], known) if rate else ""
        below += ["s"] if one else []
        above.append((one or _same(bare, known) or _near(bare, known) or bare) + power + exponent)
    return above, below


def _same(word: str, known: Collection[str]) -> str:
    """Return the unit that is written as a word but for capitals, or that the word writes out; "" for others."""
    if word in known:
        return word
    small = word.lower()
    for one in (small, small.removesuffix("s")):
        if same := next((unit for unit in known if unit.lower() == one), ""):
            return same
        spelt = (short + _NAMES.get(one.removeprefix(long), "?") for long, short in _LONG if one.startswith(long))
        if found := next((unit for unit in spelt if unit in known), ""):
            return found
    return ""


def _near(word: str, known: Collection[str]) -> str:
    """Return the unit that a word is most like, written out or not."""
    names = difflib.get_close_matches(word.lower().removesuffix("s"), _NAMES, n=1, cutoff=0.8)
    if names and _NAMES[names[0]] in known:
        return _NAMES[names[0]]
    near = difflib.get_close_matches(word, [unit for unit in known if unit[0] == word[0]], n=1, cutoff=0.6)
    return near[0] if near else ""
