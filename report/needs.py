"""What the model needs of constants and prices beyond their ids: one row that a symbol means, formats, variants, items.

    constants.yaml:150:9: constant 'b-w-bf16-fp32-accumulator': no row with the symbol 'b_w' has 'default: true'

Without it a number would go without a word, or come from another row. It is judged where every row could be read, as
report/between.py does, and told at a row of the same symbol. Leaves out: rows that are gone (report/asked.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from model.layers import CONSTANTS, GRADIENT, TRAFFICS, VARIANTS
from model.records import Trend
from model.scenario import DEFAULT
from report.between import Fault, Rows
from report.errors import nearest

_STATE = CONSTANTS["state_bytes_per_param"]


def defaults(rows: Rows) -> Iterator[Fault]:
    """Name each symbol that means no row by itself, or several; a price belongs to its machine."""
    for kind in ("constants", "prices"):
        for (symbol, machine), those in _by_symbol(rows.get(kind, {})).items():
            about = f"symbol '{symbol}'" + (f" for machine '{machine}'" if machine else "")
            first, *more = [row.id for row in those if row.default] or [""]
            if not first:
                said = f"no row with the {about} has 'default: true'"
                yield kind, those[0].id, f"{said}; write it in the one that the symbol means by itself"
            for other in more:
                yield kind, other, f"the {about} means '{first}' already; leave 'default: true' in one of them"


def _by_symbol(rows: Mapping[str, Any]) -> Mapping[tuple[str, str | None], list[Any]]:
    found: dict[tuple[str, str | None], list[Any]] = {}
    for row in rows.values():
        found.setdefault((row.symbol, getattr(row, "machine", None)), []).append(row)
    return found


def traffics(rows: Rows) -> Iterator[Fault]:
    """Name each format and recipe for which the model needs the traffic of a weight and has none."""
    those = [row for row in rows.get("constants", {}).values() if row.symbol == "b_w"]
    there = {(row.format, row.recipe) for row in those}
    for number_format, recipe in sorted(TRAFFICS - there) if those else ():
        at = next((row for row in those if row.format == number_format), those[0])
        said = f"the model needs a row of its symbol with 'format: {number_format}' and 'recipe: {recipe}'"
        yield "constants", at.id, f"{said}; no row has both"


def parts(rows: Rows) -> Iterator[Fault]:
    """Name the variants and the item that the model asks a constant for, and that it has not."""
    constants = rows.get("constants", {})
    for name, variant in VARIANTS.values():
        known = [one.id for one in constants[name].variants] if name in constants else [variant]
        if variant not in known:
            said = f"it has no variant '{variant}', which the model asks for by its id"
            yield "constants", name, f"{said}; {nearest(variant, known) or 'bring it back'}"
    if _STATE in constants and not any(GRADIENT in item.what for item in constants[_STATE].items):
        said = f"none of its items says under 'what' that it is the {GRADIENT}, which the model asks for"
        yield "constants", _STATE, said


def start(rows: Rows) -> Iterator[Fault]:
    """Name what the machine and the network lack on which every page opens."""
    machine = rows.get("machines", {}).get(str(DEFAULT["machine"]))
    if machine and machine.nic is None:
        yield "machines", machine.id, "the key 'nic' is missing, and every page opens on this machine and its network"
    network = rows.get("networks", {}).get(str(DEFAULT["network"]))
    if network and network.d is None:
        yield "networks", network.id, "the key 'd' is missing, and every page opens on this network as a transformer"


def ratios(rows: Rows) -> Iterator[Fault]:
    """Name each ratio of two rates that does not grow, or that lacks one of the two."""
    trends = rows.get("trends", {})
    for row in trends.values():
        if row.of not in trends or row.over not in trends:
            continue
        fast, slow = (_doubling(trends[name]) for name in (row.of, row.over))
        for name, time in ((row.of, fast), (row.over, slow)):
            if time is None:
                said = f"it is the ratio of two rates, and '{name}' has no 'doubling', nor 'growth' and 'years'"
                yield "trends", row.id, said
        if fast and slow and fast >= slow:
            yield "trends", row.id, f"'{row.of}' grows no faster than '{row.over}'; are 'of' and 'over' interchanged?"


def _doubling(row: Trend) -> float | None:
    """Return in how many years a rate doubles; None where it does not say."""
    if row.doubling is not None or not (row.growth and row.years and row.growth > 1):
        return row.doubling
    return row.years * math.log(2) / math.log(row.growth)


CHECKS: tuple[Callable[[Rows], Iterator[Fault]], ...] = (defaults, traffics, parts, start, ratios)
