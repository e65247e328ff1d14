"""What is wrong with a number as somebody wrote it, and how it is written here: '3,35 TB/s' -> '3.35 TB/s'.

Leaves out: units, whose nearest right one is known to model/units.py, and what a number may be (model/bounds.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_N = r"\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?"
_GOOD = re.compile(rf"{_N}(?: ?[A-Za-zµ(%].*)?")
_MARK = "[ _'’\u00a0\u2009\u202f]"  # what people put between the thousands of a number
_ALONE = "a number stands alone: how sure it is, say under 'status', 'low' and 'high'"
# Prefixes that count things by themselves in daily use, and what they stand for.
_LETTERS = {3: "k K thousand", 6: "M Mio mn million", 9: "G B b bn billion", 12: "T tn trillion"}
COUNTS: Mapping[str, int] = {word: power for power, words in _LETTERS.items() for word in words.split()}

Says = Callable[[re.Match[str]], str]


def said(text: str) -> str:
    """Return what is wrong with the digits of a number, and how to write it, as `why; hint`; '' where nothing is known.

    text may end in a unit, which is left as it is.
    """
    for pattern, say in _SLIPS:
        if found := pattern.fullmatch(text):
            return say(found)
    return ""


def plain(text: str) -> str:
    """Return what is wrong with a number that should stand without unit, as `: why; hint`, or only a hint."""
    if why := said(text):
        return f": {why}"
    right = counted(text)
    if right and text[-1] not in "BbG":  # which are units as well
        return f": a letter for its size stands behind it; write {float(right):.0f}"
    if found := re.fullmatch(rf"({_N}) ?%", text):
        part = float(found[1]) / 100
        return f": it is a percentage; write {part:.10g}, or {1 + part:.10g} for a growth by so much"
    if found := re.fullmatch(rf"({_N}) ?[A-Za-zµ].*", text):
        return f": no unit stands beside it here; write {found[1]}, if that is what its key counts in"
    return "; write it as 12, 0.5 or 1.2e12, without quotes or unit"


def counted(text: str) -> str:
    """Return a count with a letter for its size in plain digits, 7B as 7e9; '' for any other text."""
    found = re.fullmatch(rf"({_N}) ?({'|'.join(COUNTS)})", text)
    return f"{found[1]}e{COUNTS[found[2]]}" if found and "e" not in found[1].lower() else ""


def parted(text: str) -> str:
    """Return a quantity with its prefix at its unit, 3.9 M token as 3.9 Mtoken; '' for any other text."""
    found = re.fullmatch(rf"({_N} ?[kMGTPE]) ([A-Za-z]\S*)", text)
    return f"{found[1]}{found[2]}" if found else ""


def bits(text: str, *, held: bool) -> str:
    """Return what 400 Gbps is in bytes and how it is written; '' for any other text. held: of a memory."""
    found = re.fullmatch(rf"({_N}) ?([kKMGTPgt]?)bps", text)
    if not found:
        return ""
    prefix = found[2] if found[2] == "k" else found[2].upper().replace("K", "k")
    rate, bytewise = f"{found[1]} {prefix}b/s", f"{float(found[1]) / 8:g} {prefix}B/s"
    if held:
        meant = f"did you mean '{bytewise}' or '{found[1]} {prefix}B/s'?"
        return f"'{text}' counts bits, and a memory is read in bytes; {meant}"
    return f"'{text}' is not a quantity: a rate is written with a stroke; write '{rate}', which is {bytewise}"


def share(text: str) -> str:
    """Return a share as a percentage, 0.415 as 41.5 %; '' for a text that is no number."""
    found = re.fullmatch(rf"({_N})(?:\s*(?:%+|percent|per cent|pct))?", text)
    if not found:
        return ""
    number = float(found[1])
    return f"{number * 100 if found[1] == text and number <= 1 else number:.10g} %"


def _write(right: str) -> str:
    """Return the hint that gives the right text, if it is one."""
    return f"; write '{right}'" if _GOOD.fullmatch(right) else ""


def _comma(found: re.Match[str]) -> str:
    whole, parts, rest = found[1], found[2], found[3]
    bare = f"{whole}{parts.replace(',', '')}{rest}"
    point = f"{whole}.{parts[1:]}{rest}"
    if parts.count(",") > 1 or rest.startswith("."):
        return f"thousands have no mark here{_write(bare)}"
    if len(parts) == 4 and whole != "0":
        return f"it has a comma; write '{bare}' for a thousand and more, '{point}' for a decimal point"
    return f"a decimal point is a point, not a comma{_write(point)}"


def _thousands(found: re.Match[str]) -> str:
    return f"thousands have no mark here{_write(re.sub(_MARK, '', found[1]) + found[2])}"


def _no_break(found: re.Match[str]) -> str:
    return f"the blank in it is none of the keyboard's{_write(f'{found[1]} {found[2]}')}"


def _range(_: re.Match[str]) -> str:
    return "it is a range; write the value that is meant, and the ends of a range under 'low' and 'high'"


def _words(found: re.Match[str]) -> str:
    return f"'{found[1]}' stands before it; {_ALONE}"


def _letters(found: re.Match[str]) -> str:
    odd = dict.fromkeys(letter for letter in found[1] if letter.isalpha())
    named = " and ".join(f"the letter '{letter}'" for letter in odd)
    right = found[1].translate(str.maketrans("lLIiOo", "111100"))
    return f"{named} {'stands' if len(odd) == 1 else 'stand'} among its digits{_write(right + found[2])}"


def _sign(found: re.Match[str]) -> str:
    return f"'{found[2]}' stands behind it, and no number behind that{_write(found[1] + found[3])}"


_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?|[qh][1-4]"
_DATE = rf"(?:(?:{_MONTH}) |\d{{1,2}}[-/. ])*((?:19|20)\d\d)(?:[-/]\d{{1,2}}|[- ](?:{_MONTH})|[?s])*"


_SLIPS: tuple[tuple[re.Pattern[str], Says], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), say)
    for pattern, say in (
        (_DATE, lambda found: f"it is a date{_write(found[1])}"),
        (r"0[xob].*", lambda _: "digits are decimal"),
        (r"(?=\S*[lio])(?=\S*\d)([\dlio]+(?:\.[\dlio]+)?)((?: .*)?)", _letters),
        (r"[-−–] ?(\d.*)", lambda found: f"it has a minus sign, and all numbers here are above zero{_write(found[1])}"),
        (r"\+ ?(\d.*)", lambda found: f"it has a plus sign{_write(found[1])}"),
        (r"\d+(?:\.\d+){2,}.*", lambda _: "it has more than one point"),
        (r"(\d+)((?:,\d+)+)((?:\.\d+)?\D*.*)", _comma),
        (rf"(\d{{1,3}}(?:{_MARK}\d{{3}})+)(?!\d)(.*)", _thousands),
        (rf"{_N}[^\d.]*?\s*(?:-|−|–|—|\.\.+|…|to|or|±|\+-|\+/-)\s*{_N}.*", _range),
        (r"(~|≈|<|>|≤|≥|=|[A-Za-z]+\.?(?: to)?)\s*\d.*", _words),
        (rf"({_N})[\u00a0\u2007\u2009\u202f](\S.*)", _no_break),
        (rf"({_N})\s\s+(\S.*)", lambda found: f"one blank is enough{_write(f'{found[1]} {found[2]}')}"),
        (r"(\.\d.*)", lambda found: f"a zero is missing before the point{_write(f'0{found[1]}')}"),
        (r"(\d+)\.(\D.*|)", lambda found: f"nothing follows the point{_write(found[1] + found[2])}"),
        (rf"({_N}) ?([x×*·^])((?: \D.*)?)", _sign),
        (rf"{_N} ?[x×*·^].*", lambda _: "it is a product or a power; write what it comes to, as in '1.2e12'"),
        (r"0+(\d.*)", lambda found: f"it begins with a zero{_write(found[1])}"),
        (rf"({_N})\s+([eE][+-]?\d+.*)", lambda found: f"a blank stands inside it{_write(found[1] + found[2])}"),
        (r"[A-Za-zµ$€£].*", lambda _: "it begins with no digit"),
    )
)
