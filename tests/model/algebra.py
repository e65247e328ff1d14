"""The model's formulas as plain SymPy expressions, to be solved, differentiated and taken to limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import sympy as sp

from model.book import QUANTITIES
from model.formula import Coefficient, Fork, Formula, Letter, Quantity

# What most proofs are about: a dense transformer.
DENSE: Mapping[str, str] = {"family": "dense", "attention": "grouped", "ring": "ring", "policy": "selective"}


def letter(key: str) -> Any:
    """Return the plain symbol of a quantity: positive, as all of them are."""
    return sp.Symbol(key, positive=True)


def letters(keys: str) -> Any:
    return tuple(letter(key) for key in keys.split())


def spelled_out(key: str, keep: Iterable[str] = (), **choices: str) -> Any:
    """Return a quantity in terms of inputs, and of those derived ones that are kept as symbols."""
    return _spelled_out(QUANTITIES[key], frozenset(keep) - {key}, {**DENSE, **choices})


def _spelled_out(quantity: Quantity, keep: frozenset[str], choices: Mapping[str, str]) -> Any:
    if isinstance(quantity, Coefficient):
        return sp.Integer(quantity.value)
    if quantity.key in keep:
        return letter(quantity.key)
    if isinstance(quantity, Fork):
        return _spelled_out(quantity.branches[choices[quantity.by.key]], keep, choices)
    if not isinstance(quantity, Formula):
        return letter(quantity.key)
    meant = {found: _spelled_out(found.quantity, keep, choices) for found in quantity.expr.atoms(Letter)}
    return quantity.expr.xreplace(meant).doit()


def gpt(expr: Any) -> Any:
    """Return the expression for GPT's shape: four square matrices of attention, a block of width 4 d, f = 6."""
    d, heads = letter("d"), letter("heads")
    shape = {"kv_heads": heads, "head_dim": d / heads, "d_ff": 4 * d, "mlp_matrices": 2, "f": 6}
    return sp.simplify(expr.subs({letter(key): value for key, value in shape.items()}))
