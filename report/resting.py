"""What numbers of the tree rest on: those of the catalogue that are behind them, by path.

    machines/h100-sxm5/bandwidth, machines/h100-sxm5/peak.bf16, networks/generic-7b/d

Leaves out: what many rows make together (a fit, a median of runs), which no path can name; `broad` says that there is
such a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from report.numbers import Num, Op
from report.shown import KINDS, Cell

_CELL = re.compile(r"(\w+)\(([^()]*)\)\.(.+)")
_ROW = re.compile(rf"({'|'.join(KINDS.values())})/[\w.-]+(/.*)?")


@dataclass(frozen=True, slots=True)
class Resting:
    """Paths of the catalogue's numbers, sorted; broad: many rows together bear a part too."""

    rows: tuple[str, ...] = ()
    broad: bool = False


def resting(*numbers: Num) -> Resting:
    """Return what numbers rest on."""
    found = [row for num in numbers for row in _rows(num)]
    named = {path for row in found for path in row.split(" + ") if _ROW.fullmatch(path)}
    return Resting(tuple(sorted(named)), broad=any(not _ROW.match(row) for row in found))


def _rows(num: Num) -> Iterator[str]:
    """Yield what bears each part of a number: paths, or words for many rows together."""
    if isinstance(num, Op):
        yield from _rows(num.left)
        yield from _rows(num.right)
    elif isinstance(num, Cell) and num.behind is None:
        yield _borne(num)
    else:
        asked = num.behind if isinstance(num, Cell) and num.behind is not None else num
        answers = asked.read().answers
        yield from (given.row for answer in answers for given in answer.leaves().values() if given.row)


def _borne(cell: Cell) -> str:
    if cell.given is not None:
        return cell.given.row
    found = _CELL.fullmatch(cell.path)
    return f"{KINDS[found[1]]}/{found[2]}/{found[3]}" if found and found[1] in KINDS else cell.path
