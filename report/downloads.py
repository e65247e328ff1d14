"""The page's numbers and claims as data that can be downloaded, and compared with the next build's."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import Any

from report import memory
from report.cards import Maker
from report.memory import Same
from report.page import Number, Page
from report.twins.pairs import both
from report.verdicts import verdict


def numbers(pages: Iterable[Page]) -> list[dict[str, bytes]]:
    """Return every printed number of the pages under a key that other edits leave alone: for each file of text a table.

    A table is its JSON and its CSV; both are remembered with the text.
    """
    texts = [numbers for page in pages for numbers in page.by_file if numbers]
    return [memory.recalled("printed", Same(numbers), partial(_printed, numbers)) for numbers in texts]


def _printed(numbers: Iterable[Number]) -> dict[str, bytes]:
    rows = {
        number.key: {
            "text": number.text,
            "value": short(number.value),
            "unit": number.unit,
            "state": number.state,
            "live": number.live,
        }
        for number in numbers
    }
    return both("numbers", {"numbers": rows}, [{"key": key, **row} for key, row in rows.items()])


def claims(pages: Iterable[Page], maker: Maker) -> dict[str, Any]:
    """Return every claim with the address of its page and its verdict over all ranges."""
    every = [(page, claim) for page in pages for claim in page.claims]
    found = [
        {
            "id": claim.name,
            "page": page.address,
            "file": claim.path,
            "line": claim.line,
            "sentence": claim.sentence,
            "condition": claim.condition,
            "live": claim.live,
            "values": [{"number": said, "value": short(value), "unit": unit} for said, value, unit in claim.sides],
            "margin": short(claim.margin),
            "presets": dict(claim.tally),
            **verdict(claim.cond, maker).data(),
        }
        for page, claim in every
    ]
    return {"claims": found}


def short(value: float | None) -> float | None:
    """Return a number with ten digits; the last digits of a float differ between processors."""
    return None if value is None or not math.isfinite(value) else float(f"{value:.10g}")
