"""Figures call what shares a visit by its name: tokens of a text, examples where a network's weights are counted."""

from __future__ import annotations

import re
from typing import Any

import pytest

from model.records import Catalogue
from model.scenario import base
from report.catalogue import load
from report.figures import bytes as byte_figure
from report.figures import note, roofline, window
from tests.report import pictures
from tests.report.pictures import ROOT, picture, words

# LeNet's weights, read from memory at every example: it counts examples and still has a place in every figure.
COUNTED = {"network": "lenet-1989", "machine": "h100-sxm5", "keep": "0 B", "T": 64.0}
# The floors of the note's figure are those of GPT layers, whatever the reader's network counts.
LAYERS = "(b) Tokens to reach the balance"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load(ROOT / "content" / "catalogue")


@pytest.mark.parametrize("module", [roofline, note, byte_figure, window], ids=lambda module: module.__name__)
def test_a_network_without_tokens_counts_examples(catalogue: Catalogue, module: Any) -> None:
    found = []
    for spec in pictures.specs(module, catalogue).values():
        said, plain = (
            " | ".join(words(picture(spec, module.params(one, base(catalogue, one))))).replace(LAYERS, "")
            for one in (COUNTED, {})
        )
        assert not re.search(r"\b(tokens?|sequences?)\b", said, re.IGNORECASE)
        assert not re.search(r"\bexamples?\b", plain, re.IGNORECASE)
        found.append(said)
    assert re.search(r"\bexamples?\b", " ".join(found), re.IGNORECASE)
