"""A little arithmetic on measured numbers: quantities by name, plain numbers, + - * / ** and brackets.

Units go along, so that a row of tests/golden cannot put a number beside the wrong unit.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from dataclasses import dataclass

from model.units import ONE, Unit


@dataclass(frozen=True)
class Measured:
    number: float
    unit: Unit = ONE


Lookup = Callable[[str], Measured]


def work_out(text: str, lookup: Lookup) -> Measured:
    """Return what the text comes to; raise ValueError for sums of unlike things and for anything but arithmetic."""
    return _node(ast.parse(text, mode="eval").body, lookup)


def _node(node: ast.expr, lookup: Lookup) -> Measured:
    match node:
        case ast.Constant(value=float() | int() as number):
            return Measured(float(number))
        case ast.Name(id=name):
            return lookup(name)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() as exponent)):
            base = _node(left, lookup)
            return Measured(base.number**exponent, base.unit**exponent)
        case ast.BinOp(left=left, op=sign, right=right):
            return _pair(_node(left, lookup), sign, _node(right, lookup))
    raise ValueError(f"'{ast.unparse(node)}' is not arithmetic")


def _pair(left: Measured, sign: ast.operator, right: Measured) -> Measured:
    if isinstance(sign, ast.Add | ast.Sub):
        if left.unit != right.unit:
            raise ValueError(f"{left.unit} and {right.unit} do not add up")
        work = operator.add if isinstance(sign, ast.Add) else operator.sub
        return Measured(work(left.number, right.number), left.unit)
    if isinstance(sign, ast.Mult):
        return Measured(left.number * right.number, left.unit * right.unit)
    if isinstance(sign, ast.Div):
        return Measured(left.number / right.number, left.unit / right.unit)
    raise ValueError(f"'{type(sign).__name__}' is not one of + - * / **")
