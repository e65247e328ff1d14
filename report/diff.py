"""What a change did to the printed numbers: `build.py diff OLD NEW`, as Markdown for a pull request.

A number is known by its place and by what it asks, not by where it stands in the file. It has changed when its value
has: other words for the same value are counted apart, and so is a number that only moved to another heading. What
matters most stands open, claims and the largest changes; all else is folded, page by page. Leaves out: reading and
building what is compared (report/sides.py).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from report.robust import NEAR
from report.sides import Row, Shown, both

FIRST = 20  # changes and lines of a list that stand open
MOST = 200  # rows of a folded table: a summary of a run has room for no more than this comfortably
_SAME = 1e-9  # of a value: sites hold ten digits
_FOLD = 10  # times as large: from there on a factor says more than a percentage


def compare(old: str, new: str, root: Path) -> str:
    """Return the differences of two sites as Markdown; raise BuildError for one that cannot be read or built."""
    return report(*both(old, new, root), old, new)


# --- comparing


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A number as it was printed and as it is now; `places` says how many print it, first is one of them."""

    first: str
    asked: str
    old: str
    new: str
    relative: float | None
    places: int = 1

    @property
    def page(self) -> str:
        """Return the file or the table that prints it."""
        return self.first.partition("#")[0].removeprefix("content/")


def changes(old: Shown, new: Shown) -> list[Change]:
    """Return the numbers whose value changed, largest change first; one row for all places that print the same."""
    found: dict[tuple[str, str, str], Change] = {}
    for key, before in old.numbers.items():
        after = new.numbers.get(key)
        if after is None or _alike(before, after):
            continue
        where, _, asked = key.partition(" ")
        same = (asked or where, _text(before), _text(after))
        known = found.get(same)
        found[same] = Change(
            first=known.first if known else where,
            asked=same[0],
            old=same[1],
            new=same[2],
            relative=_relative(before["value"], after["value"]),
            places=known.places + 1 if known else 1,
        )
    return sorted(found.values(), key=lambda change: (-_size(change), change.first, change.asked))


def reworded(old: Shown, new: Shown) -> list[str]:
    """Return the numbers of the same value that are written otherwise."""
    both = ((key, row, new.numbers[key]) for key, row in old.numbers.items() if key in new.numbers)
    return [
        f"`{_code(key)}`: {_cell(_text(before))} → {_cell(_text(after))}"
        for key, before, after in both
        if _alike(before, after) and _text(before) != _text(after)
    ]


def came_and_went(old: Shown, new: Shown) -> tuple[list[str], list[str], int]:
    """Return the keys of new numbers, of those that are gone, and how many only moved to another place."""
    added, gone = ([key for key in one.numbers if key not in two.numbers] for one, two in ((new, old), (old, new)))
    moved = Counter(_what(key, new.numbers[key]) for key in added) & Counter(
        _what(key, old.numbers[key]) for key in gone
    )
    return _less(added, new, moved), _less(gone, old, moved), moved.total()


What = tuple[str, str, object]


def _what(key: str, row: Row) -> What:
    """Return what a number asks, and what it comes to."""
    return key.partition(" ")[2] or key, _text(row), row["value"]


def _less(keys: Iterable[str], site: Shown, moved: Mapping[What, int]) -> list[str]:
    left, found = dict(moved), []
    for key in keys:
        what = _what(key, site.numbers[key])
        if left.get(what, 0):
            left[what] -= 1
        else:
            found.append(key)
    return found


def _alike(before: Row, after: Row) -> bool:
    """Tell whether a number has the value that it had: 1.00 and 1 are the same."""
    if before["state"] != after["state"]:
        return False
    one, other = before["value"], after["value"]
    if one is None or other is None:
        return one is other and _text(before) == _text(after)
    return math.isclose(one, other, rel_tol=_SAME)


def _size(change: Change) -> float:
    """Return how large a change is: half and double are alike, and a lost value is more than any."""
    if change.relative is None:
        return math.inf
    return abs(math.log1p(change.relative)) if change.relative > -1 else math.inf


def _text(number: Row) -> str:
    return str(number["state"] or number["text"] or "")


def _relative(old: float | None, new: float | None) -> float | None:
    """Return the change in parts of the old value; None where there is no value on one side."""
    return None if old is None or new is None or old == 0 else new / old - 1


def claims(old: Shown, new: Shown) -> Iterator[str]:
    """Yield a line for each claim that flipped for some readers, is about to flip, came, went, or was reworded."""
    both = [name for name in sorted(old.claims) if name in new.claims]
    yield from (line for name in both for line in _flipped(name, old.claims[name], new.claims[name]))
    yield from (line for name in both for line in _altered(name, old.claims[name], new.claims[name]))
    for name in sorted(old.claims.keys() ^ new.claims.keys()):
        row = old.claims.get(name) or new.claims[name]
        yield f"`{name}` is {'gone' if name in old.claims else 'new'}: {_cell(row['sentence'])}"


def _flipped(name: str, old: Row, new: Row) -> Iterator[str]:
    before, after = _held(old), _held(new)
    if before != after:
        yield f"`{name}` flipped for some readers: it held on {before}, and now on {after}"
    if new["margin"] is not None and new["margin"] < NEAR and new["margin"] != old["margin"]:
        sides = ", ".join(f"{side['number']} = {side['value']}" for side in new["values"])
        yield f"`{name}` is within {new['margin']:.2%} of flipping (was {old['margin']:.2%}): {_cell(sides)}"


def _altered(name: str, old: Row, new: Row) -> Iterator[str]:
    if old["condition"] != new["condition"]:
        yield f"`{name}` asserts something else: `{_code(old['condition'])}` → `{_code(new['condition'])}`"
    firm = [row.get("over_range", {}).get("verdict") for row in (old, new)]
    if None not in firm and firm[0] != firm[1]:
        was, now = (_FIRM.get(one, one) for one in firm)
        yield f"`{name}` over the ranges of its inputs: {was}, and now {now}"


_FIRM = {
    "exact": "rested on no range",
    "holds": "held everywhere",
    "together": "flipped only with several at their ends",
    "flips": "flipped at some value",
}


def _held(claim: Row) -> str:
    tally = claim["presets"]
    return f"{tally.get('true', 0)} of {sum(tally.values())} machines and networks"


def machines(old: Shown, new: Shown) -> Iterator[str]:
    """Yield a line for each machine that came or went."""
    if old.machines is None or new.machines is None:
        return
    for name in sorted({*old.machines, *new.machines}):
        before, after = old.machines.get(name), new.machines.get(name)
        if before is None or after is None:
            row, what = after or before or {}, "is new" if before is None else "is gone"
            yield f"`{name}` ({_cell(row.get('name', ''))}, {row.get('year')}) {what}"


# --- saying it


def report(old: Shown, new: Shown, before: str, after: str) -> str:
    """Return the comparison as Markdown."""
    changed, otherwise = changes(old, new), reworded(old, new)
    added, gone, moved = came_and_went(old, new)
    printed = sum(change.places for change in changed)
    counts = f"{printed} of {len(new.numbers)} printed numbers changed, {len(added)} are new, {len(gone)} are gone."
    counts += f" {moved} moved to another place." if moved else ""
    counts += f" {len(otherwise)} are written otherwise, and have the same value." if otherwise else ""
    parts = [f"## Numbers: `{_code(before)}` → `{_code(after)}`", counts]
    parts += _list("Claims", claims(old, new)) + _list("Machines", machines(old, new)) + _changes(changed)
    parts += _list("New numbers", (f"`{_code(key)}`: {_cell(_text(new.numbers[key]))}" for key in added))
    parts += _list("Numbers that are gone", (f"`{_code(key)}`: {_cell(_text(old.numbers[key]))}" for key in gone))
    parts += _list("The same, written otherwise", otherwise)
    return "\n\n".join(parts) + "\n"


def _changes(changed: Sequence[Change]) -> list[str]:
    """Return the largest changes, and the others folded, page by page."""
    if not changed:
        return []
    parts = ["### Numbers that changed, the largest change first", _table(changed[:FIRST])]
    pages: dict[str, list[Change]] = {}
    for change in changed[FIRST:]:
        pages.setdefault(change.page, []).append(change)
    return [*parts, *(_folded(f"{page}: {len(found)} more", _table(found)) for page, found in sorted(pages.items()))]


def _table(changed: Sequence[Change]) -> str:
    rows = ["| asked | first printed at | old | new | change |\n|---|---|--:|--:|--:|"]
    for change in changed[:MOST]:
        more = f" and {change.places - 1} more" if change.places > 1 else ""
        cells = (f"`{_code(change.asked)}`", f"{_cell(change.first)}{more}", _cell(change.old), _cell(change.new))
        rows.append(f"| {' | '.join((*cells, _percentage(change.relative)))} |")
    left = [f"\nand {len(changed) - MOST} more, each changed by less"] if len(changed) > MOST else []
    return "\n".join([*rows, *left])


def _percentage(relative: float | None) -> str:
    if relative is None:
        return ""
    return f"×{relative + 1:.3g}" if relative + 1 >= _FOLD else f"{100 * relative:+.3g}%"


def _list(title: str, lines: Iterable[str]) -> list[str]:
    """Return a list under a title: the first lines open, the others folded."""
    found = [f"- {line}" for line in lines]
    if not found:
        return []
    rest = found[FIRST : FIRST + MOST]
    more = [f"- and {len(found) - FIRST - MOST} more"] if len(found) > FIRST + MOST else []
    parts = [f"### {title}", "\n".join(found[:FIRST])]
    return [*parts, _folded(f"{len(found) - FIRST} more", "\n".join([*rest, *more]))] if rest else parts


def _folded(summary: str, text: str) -> str:
    """Return a part that opens at a click; Markdown inside it wants blank lines around."""
    return f"<details><summary>{escape(summary)}</summary>\n\n{text}\n\n</details>"


def _cell(text: object) -> str:
    """Return a text that stays one cell of a table, and shows no markup of its own."""
    plain = " ".join(str(text).split())
    return "".join(f"\\{mark}" if mark in "\\|`*_<>[]" else mark for mark in plain)


def _code(text: str) -> str:
    return " ".join(text.replace("`", "'").replace("|", "\\|").split())
