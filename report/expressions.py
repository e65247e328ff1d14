"""An author's own calculation: its parts, and as MathML with brackets where they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from report import rounding
from report.numbers import Num, Op

_SIGNS = {"*": "×", "/": "/", "+": "+", "-": "−"}


def parts(num: Num) -> Iterator[Num]:
    """Yield the questions and catalogue values of a tree from left to right."""
    if isinstance(num, Op):
        yield from parts(num.left)
        yield from parts(num.right)
    else:
        yield num


def expression(num: Num, leaf: Any) -> str:
    """Return an author's calculation as MathML; leaf writes a number of it."""
    return _expression(num, leaf, "mfrac")


def _expression(num: Num, leaf: Any, quotient: str) -> str:
    if not isinstance(num, Op):
        return f"<mrow>{leaf(num)}</mrow>"
    sides = [_expression(side, leaf, "mrow") for side in (num.left, num.right)]
    if num.op == "/" and quotient == "mfrac":
        return f"<mfrac>{sides[0]}{sides[1]}</mfrac>"
    fenced = [_fenced(text, num.op, side) for text, side in zip(sides, (num.left, num.right), strict=True)]
    return f"<mrow>{fenced[0]}<mo>{_SIGNS[num.op]}</mo>{fenced[1]}</mrow>"


def _fenced(text: str, op: str, side: Num) -> str:
    """Put brackets around a sum inside a product, and around what is taken away or divided by."""
    loose = isinstance(side, Op) and (op == "/" or (side.op in "+-" and op in "*-"))
    return f"<mrow><mo>(</mo>{text}<mo>)</mo></mrow>" if loose else text


def typed(num: Num) -> str:
    """Return a number that an author typed into an expression, as the page writes it."""
    text = getattr(num, "text", "")
    return text or rounding.typed(num.read().number or 0.0)
