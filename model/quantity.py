"""What a quantity is: a key, a symbol, a unit and a meaning; and the states that an answer can be in.

A state is a limit, which is a fact about the mathematics, or an absence, which is one about the inputs. Arithmetic on
quantities builds SymPy expressions of their letters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from model.units import Unit

# state -> what a reader is told. A limit is a fact about the mathematics, an absence a fact about the inputs.
LIMITS: Mapping[str, str] = {"no-batch": "no batch reaches the balance"}
ABSENCES: Mapping[str, str] = {
    "does-not-fit": "does not fit",
    "not-a-transformer": "not a transformer",
    "no-shape": "its shape is not public",
    "no-L2": "no cache between memory and arithmetic",
    "no-price": "no energy price known",
    "no-format": "the machine does not train in this format",
    "no-fabric": "no such link on this machine",
    "cache-resident": "the weights stay in the cache",
    "unknown": "not known",
}
STATES: Mapping[str, str] = {**LIMITS, **ABSENCES}


class Letter(sp.Symbol):  # type: ignore[misc]  # sympy ships no types
    """The SymPy symbol of a quantity; it knows which quantity it stands for."""

    quantity: Quantity


class Quantity:
    """Something that has a value on a scenario: a key, a LaTeX symbol, a unit and a meaning."""

    def __init__(self, key: str, latex: str, unit: Unit, says: str) -> None:
        self.key, self.latex, self.unit, self.says = key, latex, unit, says
        self.letter: Letter = sp.Symbol.__xnew__(Letter, key, positive=True)
        self.letter.quantity = self

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.key}>"

    def _sympy_(self) -> Any:
        return self.letter

    def __add__(self, other: Any) -> Any:
        return self.letter + other

    def __radd__(self, other: Any) -> Any:
        return other + self.letter

    def __sub__(self, other: Any) -> Any:
        return self.letter - other

    def __rsub__(self, other: Any) -> Any:
        return other - self.letter

    def __mul__(self, other: Any) -> Any:
        return self.letter * other

    def __rmul__(self, other: Any) -> Any:
        return other * self.letter

    def __truediv__(self, other: Any) -> Any:
        return self.letter / other

    def __rtruediv__(self, other: Any) -> Any:
        return other / self.letter

    def __pow__(self, other: Any) -> Any:
        return self.letter**other

    def __rpow__(self, other: Any) -> Any:
        return other**self.letter

    def __lt__(self, other: Any) -> Any:
        return self.letter < other

    def __le__(self, other: Any) -> Any:
        return self.letter <= other

    def __ge__(self, other: Any) -> Any:
        return self.letter >= other


class Coefficient(Quantity):
    """A number that carries a unit: the 2 parameters of a square pair of matrices, the 12 of a layer."""

    def __init__(self, value: int, unit: Unit, says: str) -> None:
        super().__init__(f"{value} {unit}", str(value), unit, says)
        self.value = value
