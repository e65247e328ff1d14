"""The page's numbers and claims as data that can be downloaded, and compared with the next build's."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from report.cards import Maker
from report.page import Page
from report.verdicts import verdict


def numbers(pages: Iterable[Page]) -> dict[str, Any]:
    """Return every printed number of the pages under a key that other edits leave alone."""
    return {
        "numbers": {
            number.key: {
                "text": number.text,
                "value": short(number.value),
                "unit": number.unit,
                "state": number.state,
                "live": number.live,
            }
            for page in pages
            for number in page.numbers
        }
    }


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
