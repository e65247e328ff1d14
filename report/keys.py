"""Which keys of a mapping are unknown and which are missing, each slip told once.

A misspelt key is both: it is unknown, and the one that was meant is missing. The unknown key takes the blame, with the
nearest right word as its hint; a missing key that none of the unknown ones is like is told by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from report.errors import LIKENESS, like, nearest


class Judged(NamedTuple):
    """What is wrong with the keys of a mapping.

    unknown: each unknown key with its hint, '' where nothing is like it. missing: what no unknown key stands for.
    meant: each right word that an unknown key is taken for, with that key.
    """

    unknown: dict[str, str]
    missing: list[str]
    meant: dict[str, str]


_GOOD = Judged({}, [], {})


def judged(given: Collection[str], known: Collection[str], wanted: Iterable[str] = ()) -> Judged:
    """Return what is wrong with the keys of a mapping, in the order in which they are given and wanted."""
    unknown = [key for key in given if key not in known]
    missing = [key for key in wanted if key not in given]
    if not unknown:
        return Judged({}, missing, {}) if missing else _GOOD
    words = dict(_pairs(unknown, [word for word in known if word not in given]))
    hints = {key: _hint(key, words.get(key), given, known) for key in unknown}
    meant = {word: key for key, word in words.items()}
    return Judged(hints, [key for key in missing if key not in meant], meant)


def _pairs(unknown: Iterable[str], free: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each unknown key with the word that it is taken for, the most alike first; no word is taken twice."""
    ranked = sorted((-_likeness(key, word), key, word) for key in unknown for word in free)
    done: set[str] = set()
    taken: set[str] = set()
    for less, key, word in ranked:
        if -less >= LIKENESS and key not in done and word not in taken:
            done.add(key)
            taken.add(word)
            yield key, word


def _likeness(key: str, word: str) -> float:
    """Return how alike two words are, from 0 to 1; capitals, and a hyphen for an underscore, don't count."""
    if _folded(key) == _folded(word):
        return 1.0
    return SequenceMatcher(None, word, key).ratio()


def _folded(word: str) -> str:
    return word.lower().replace("-", "_")


def _hint(key: str, meant: str | None, given: Collection[str], known: Collection[str]) -> str:
    if meant:
        return f"did you mean '{meant}'?"
    there = like(key, [word for word in known if word in given])
    return f"there is '{there}' already; delete one of them" if there else nearest(key, known)


def lacking(missing: Iterable[str]) -> str:
    """Return in words which keys are missing; there is at least one."""
    *some, last = [f"'{key}'" for key in missing]
    return f"the keys {', '.join(some)} and {last} are missing" if some else f"the key {last} is missing"
