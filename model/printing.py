"""How an expression of letters becomes text: Python, JavaScript, and LaTeX that reads as it was written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp
from sympy.printing.jscode import JavascriptCodePrinter
from sympy.printing.pycode import PythonCodePrinter

from model.quantity import Coefficient, Letter

PYTHON = PythonCodePrinter({"order": "none", "fully_qualified_modules": False})
JAVASCRIPT = JavascriptCodePrinter({"order": "none"})


def _flat(part: Any) -> Any:
    """Return the expression with sums of sums joined and factors of one left out, for reading."""
    if not part.args:
        return part
    args = [_flat(arg) for arg in part.args]
    if isinstance(part, sp.Add):
        args = [term for arg in args for term in (arg.args if isinstance(arg, sp.Add) else (arg,))]
    if isinstance(part, sp.Mul):
        args = [arg for arg in args if not _is_one(arg)] or args[:1]
        if len(args) == 1:
            return args[0]
    return part.func(*args, evaluate=False) if isinstance(part, sp.Add | sp.Mul | sp.Pow) else part.func(*args)


def _is_one(part: Any) -> bool:
    return isinstance(part, Letter) and isinstance(part.quantity, Coefficient) and part.quantity.value == 1


def latex(expr: Any, values: Mapping[str, str]) -> str:
    """Return an expression as LaTeX, with texts put in for the letters that have one."""
    with sp.evaluate(False):
        expr = _flat(expr)
    names = {letter: values.get(letter.name, letter.quantity.latex) for letter in expr.atoms(Letter)}
    text: str = sp.latex(expr, order="none", symbol_names=names, mul_symbol="times" if values else None)
    return text
