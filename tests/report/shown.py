"""Where a page prints a number of tests/golden: the same question to the model, and a text that agrees with it.

A printed number answers a golden row when both ask the same quantities (not the same words: what counts is every
input that the answers rest on), and when what a reader reads, prefix, percent sign and all, is the number worked out
by hand. Numbers that follow the reader do not count, and neither do those that wait in a variant of a sentence.

    python -m tests.report.shown [PAGE]    lists each row with the places that show it, or a dash
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from model.book import QUANTITIES
from model.formula import Fork, Formula
from model.scenario import base
from model.units import parse, split
from report import rounding
from report import site as pipeline
from report.asking import World
from report.asks import touched
from report.content import Content
from report.numbers import Num, core
from report.page import Number, Page
from report.questions import Asked
from report.written import Written
from tests.model.arithmetic import Measured, work_out

ROOT = Path(__file__).resolve().parents[2]
ROWS: Sequence[Mapping[str, Any]] = yaml.safe_load((ROOT / "tests/golden/numbers.yaml").read_text("utf-8"))["rows"]
# A question without its words: the quantity and every input that its answer rests on, with the machine it is of.
Question = tuple[str, frozenset[tuple[str, float | str | None, str]]]
_TEXT = re.compile(r"(?P<minus>−?)(?P<digits>[\d,]*\.?\d+)(?: × 10(?P<power>[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?(?P<rest>.*)")
_PLAIN_DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_WORDS = {"million": 1e6, "billion": 1e9, "trillion": 1e12, "%": 0.01}
_CLOCK = {"min": 60.0, "h": 3600.0, "days": 86400.0, "years": 31536000.0}


def pages(written: Written) -> dict[str, Page]:
    """Return the pages, by the name that a row's `page` gives them."""
    return {one.entry.folder: one.page for one in written.made}


def page_of(row: Mapping[str, Any]) -> str:
    """Return the page on which a row must be shown: the one it names, else the source that it comes from."""
    return str(row.get("page") or row["from"].partition(",")[0])


def places(row: Mapping[str, Any], page: Page, world: World) -> list[Number]:
    """Return the numbers of a page that ask what a golden row asks and print what it says."""
    wanted = _questions(_asked_by(row, world))
    return [
        number
        for number in page.numbers
        if number.text and number.shown and not number.live and _questions(number.num.asked()) == wanted
        if agrees(row, number)
    ]


def agrees(row: Mapping[str, Any], number: Number) -> bool:
    """Say whether the printed text is the row's number: within its tolerance, and to the digits that are printed."""
    unit, factor = split(row["unit"])
    what = core(number.num)
    if (what.unit or split("1")[0]) != unit or number.value is None:
        return False
    value, slack = row["value"] * factor, row["tolerance"]
    if not math.isclose(what.read().value or 0.0, value, rel_tol=slack):
        return False
    assert number.text is not None
    read = as_read(number.text, number) * _column(number.num)
    return math.isclose(read, value, rel_tol=slack) or abs(read - value) <= _half(read, number) + slack * value


def as_read(text: str, number: Number) -> float:
    """Return what a reader takes a printed number for, in the unit of that number."""
    found = _TEXT.fullmatch(text.replace(rounding.NBSP, " "))
    assert found, f"'{text}' is no number that a reader can read"
    value = float(found["digits"].replace(",", "")) * 10.0 ** int((found["power"] or "⁰").translate(_PLAIN_DIGITS))
    for word in found["rest"].split() or ():
        value *= _WORDS.get(word) or _CLOCK.get(word) or _prefix(word, number)
    return -value if found["minus"] else value


def _prefix(word: str, number: Number) -> float:
    """Return what a unit's prefix multiplies by: 1 where the word is the unit itself, or what is counted."""
    named = rounding.label(number.num.unit).one if number.num.unit is not None else ""
    head = word.removesuffix(named) if named and word.endswith(named) else ""
    return 1000.0 ** (rounding.PREFIXES.index(head) - rounding.PREFIXES.index(""))


def _half(read: float, number: Number) -> float:
    """Return half a unit of the last printed digit; none where every digit is printed, at most a twentieth."""
    if number.way.startswith("upto"):
        return 1.0  # whole things, rounded down
    digits = re.search(r"(\d+)\)$", number.way)
    if not digits:
        return 0.5 if number.way.startswith("count") else 0.0
    half = 0.5 * 10.0 ** (math.floor(math.log10(abs(read))) + 1 - int(digits[1])) if read else 0.0
    return min(half, abs(read) / 20)


def _column(num: Num) -> float:
    """Return the unit that a table divides its numbers by, and names over the column instead."""
    what, shown = core(num).read().value, num.read().value
    return what / shown if what and shown else 1.0


def _questions(asked: Iterable[Asked]) -> frozenset[Question]:
    """Return what is asked of formulas; plain inputs count only where nothing else is asked."""
    every = list(asked)
    derived = [one for one in every if isinstance(QUANTITIES[one.key], Formula | Fork)]
    return frozenset((one.key, _inputs(one)) for one in derived or every)


def _inputs(one: Asked) -> frozenset[tuple[str, float | str | None, str]]:
    """Return the inputs that an answer rests on; a shape may be had by name or by hand, a machine is the one named."""
    return frozenset(
        (key, given.value, given.row if given.row.startswith("machines/") else "")
        for key, given in touched(one).items()
    )


def _asked_by(row: Mapping[str, Any], world: World) -> list[Asked]:
    """Return the questions of a golden row."""
    asked: list[Asked] = []

    def put(key: str, scenario: Mapping[str, str | float]) -> Measured:
        given = {name: value if isinstance(value, str) else float(value) for name, value in scenario.items()}
        one = Asked(world, key, tuple(sorted(given.items())), False)
        asked.append(one)
        return Measured(one.read().number or 1.0, one.unit)

    def named(name: str) -> Measured:
        meant = row.get("where", {}).get(name)
        if isinstance(meant, Mapping):
            return put(meant["ask"], meant.get("scenario", {}))
        if meant is None:
            return put(name, row.get("scenario", {}))
        unit = split(meant.partition(" ")[2])[0]
        return Measured(parse(meant, unit), unit)

    if "ask" in row:
        put(row["ask"], row.get("scenario", {}))
    else:
        work_out(row["expr"], named)
    return asked


def world_of(found: Content) -> World:
    """Return the model with the catalogue of a content folder."""
    return World(QUANTITIES, partial(base, found.catalogue))


def listing(only: str = "") -> list[str]:
    """Return a line for each golden row: its id, its page, and each place with what is printed there."""
    whole = pipeline.written(ROOT / "content")
    written, world, lines = pages(whole), world_of(whole.found), []
    for row in ROWS:
        name = page_of(row)
        if only and name != only:
            continue
        shown = [f"{one.text} at {one.key}" for one in places(row, written[name], world)] if name in written else []
        lines.append(f"{row['id']} ({name}): {'; '.join(shown) or '–'}")
    return lines


if __name__ == "__main__":
    print("\n".join(listing(*sys.argv[1:2])))
