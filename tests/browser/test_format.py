"""The browser writes every number as the build does: several thousand values through both, and the golden cases."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from report import rounding
from report.rounding import LABELS, Label

EDGES = (0.0, -0.0, 0.5, 1.0, 1.5, 2.5, 9.79, 9.995, 99.95, 119.999, 120.0, 7199.9, 999.5, 999999.5, 1e15, 1e21, 5e-324)
EDGES += (0.49999999999999994, 0.00009999, 0.0001, 1e-5, 172800.0, 63072000.0, 1.7976931348623157e308, 2.0**53, -2.5)
Case = tuple[str, int | None, list[str | int] | None, float, str]


def values() -> list[float]:
    """Return edges, and many values over forty decades whose digits often end in a half."""
    draw = random.Random(5)
    found = [draw.choice((1, 1, 1, -1)) * round(draw.uniform(1, 10), draw.randint(0, 5)) for _ in range(1500)]
    return [*EDGES, *(value * 10.0 ** draw.randint(-16, 24) for value in found)]


def cases() -> Iterator[Case]:
    draw = random.Random(7)
    labels = [*LABELS.values(), Label("FLOP/B", "FLOP/B"), Label("", "")]
    for value in values():
        n, label = draw.randint(1, 6), draw.choice(labels)
        yield "sig", n, None, value, rounding.sig(value, n)
        yield "percent", n, None, value, rounding.percent(value, n)
        yield "exact", None, None, value, rounding.exact(value)
        yield "qty", n, label.js(), value, rounding.qty(value, n, label)
        yield "count", None, label.js(), value, rounding.count(value, None, label)
        yield "count", n, label.js(), value, rounding.count(value, n, label)
        if abs(value) < 1e290:
            yield "upto", n, label.js(), value, rounding.upto(value, n, label)
        yield "amount", n, label.js(), value, rounding.amount(value, label, n)
        yield "bare", n, label.js(), value, rounding.bare(value, label, n)
        yield "held", n, label.js(), value, rounding.held(value, label, n)


def test_browser_and_build_write_the_same(page: Page, root: Path) -> None:
    script = (root / "templates" / "static" / "format.js").read_text(encoding="utf-8")
    written = list(cases())
    page.goto("about:blank")
    card = "({ amount, bare, held })[filter]?.(value, label, n)"
    one = f"([filter, n, label, value]) => {card} ?? format(filter, n, label, value)"
    run = f"cases => {{ {script}; return cases.map({one}); }}"
    found: list[Any] = page.evaluate(run, [case[:4] for case in written])
    assert len(found) == len(written) > 9000
    said = [float(text) if case[0] == "held" else text for case, text in zip(written, found, strict=True)]
    assert [(*case[:4], text) for case, text in zip(written, said, strict=True)] == written
