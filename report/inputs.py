"""What a number rests on: inputs that no formula gives, and which of them are uncertain numbers of the catalogue."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from model.formula import Given
from model.layers import ENERGY
from model.units import Unit
from report.many import Spot, spot


@dataclass(frozen=True, slots=True)
class Input:
    """Something that the answer rests on and no formula gives; row is what people call where it stands.

    label says on which scenario it was asked, where a card has several and the input is not the same on all.
    """

    key: str
    label: str
    symbol: str
    says: str
    text: str
    row: str
    given: Given
    unit: Unit | None


def shared(key: str, row: str) -> bool:
    """Tell whether an input is a constant, the same on every scenario."""
    return row.startswith("constants/") or (row.startswith("prices/") and key not in ENERGY)


def spots_of(inputs: Iterable[Input]) -> dict[Spot, int]:
    """Return the uncertain numbers of the catalogue among some inputs, each with the first place where it stands."""
    found: dict[Spot, int] = {}
    for place, part in enumerate(inputs):
        if (name := spot(part.given)) is not None:
            found.setdefault(name, place)
    return found
