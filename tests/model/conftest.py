"""The catalogue, read once, and one line to ask the model about a scenario."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from model.book import ask
from model.formula import Answer
from model.records import Catalogue
from model.scenario import base
from report.catalogue import load

Question = Callable[..., Answer]


@pytest.fixture(scope="session")
def catalogue(root: Path) -> Catalogue:
    return load(root / "content" / "catalogue")


@pytest.fixture(scope="session")
def answer(catalogue: Catalogue) -> Question:
    """Return a function: the answer to a quantity on a scenario of keywords."""
    return lambda key, **scenario: ask(key, base(catalogue, scenario))


@pytest.fixture(scope="session")
def value(answer: Question) -> Callable[..., float]:
    """Return a function: the value of a quantity that must have one."""

    def found(key: str, **scenario: str | float) -> float:
        got = answer(key, **scenario)
        assert got.state is None, f"{key} is {got.state}"
        assert got.value is not None
        return got.value

    return found
