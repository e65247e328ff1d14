"""What the model needs of constants and prices is told where it is lacking, not met with another number."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from model.records import Catalogue
from report import needs
from report.catalogue import load
from tests.report.catalogues import edit, lay_out

CONTENT = Path(__file__).parents[2] / "content"
B_W, A, STATE = "b-w-bf16-fp32-accumulator", "activation-traffic", "state-16"

FLOPS, RATIO = "ma-patterson-flops", "balance-ma-patterson-2026"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load(CONTENT / "catalogue")


def told(catalogue: Catalogue, kind: str, name: str, **changed: object) -> list[tuple[str, str]]:
    """Return what is told of a catalogue one row of which is another."""
    rows = {part: dict(getattr(catalogue, part)) for part in ("constants", "prices", "machines", "networks", "trends")}
    rows[kind][name] = replace(rows[kind][name], **changed)
    return [(key, text) for check in needs.CHECKS for _, key, text in check(rows)]


def test_the_catalogue_has_all_that_is_needed(catalogue: Catalogue) -> None:
    assert not told(catalogue, "constants", B_W)


@pytest.mark.parametrize(
    ("kind", "name", "changed", "at", "said"),
    [
        ("constants", B_W, {"default": False}, B_W, "no row with the symbol 'b_w' has 'default: true'; write it in"),
        ("constants", "b-w-inference", {"default": True}, "b-w-inference", f"the symbol 'b_w' means '{B_W}' already"),
        ("prices", "hbm-h100", {"default": False}, "hbm-h100", "no row with the symbol 'e_B' for machine 'h100-sxm5'"),
        (
            "constants",
            B_W,
            {"recipe": "plain"},
            B_W,
            "the model needs a row of its symbol with 'format: bf16' and 'rec",
        ),
        ("constants", A, {"variants": ()}, A, "it has no variant 'deep-fusion', which the model asks for by its id"),
        ("machines", "h100-sxm5", {"nic": None}, "h100-sxm5", "the key 'nic' is missing, and every page opens on"),
        ("networks", "generic-7b", {"d": None}, "generic-7b", "the key 'd' is missing, and every page opens on"),
        ("trends", FLOPS, {"growth": None}, RATIO, f"it is the ratio of two rates, and '{FLOPS}' has no 'doubling'"),
        ("trends", FLOPS, {"growth": 2.0}, RATIO, f"'{FLOPS}' grows no faster than 'ma-patterson-bandwidth'; are"),
        ("constants", STATE, {"items": ()}, STATE, "none of its items says under 'what' that it is the gradient"),
    ],
)
def test_what_is_lacking_is_told_at_a_row(
    catalogue: Catalogue, kind: str, name: str, changed: dict[str, Any], at: str, said: str
) -> None:
    key, text = told(catalogue, kind, name, **changed)[0]
    assert (key, text[: len(said)]) == (at, said)


def test_a_misspelt_variant_is_answered_with_the_word(catalogue: Catalogue) -> None:
    row = catalogue.constants["optimizer-bytes"]
    ids = [replace(one, id=one.id.replace("int8", "int-8")) for one in row.variants]
    [(_, text)] = told(catalogue, "constants", row.id, variants=tuple(ids))
    assert text.endswith("; did you mean 'int-8-moments'?")


PRICES = """\
rows:
  - {id: one, symbol: e_add, name: an add, price: {value: 1 pJ, status: estimate, from: [s1], note: a guess},
     sources: {s1: {title: The paper, rank: primary, seen: true}}}
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "an add",
            "an addition",
            ["price 'one': no row with the symbol 'e_add' has 'default: true'; write it in the one"],
        ),
        ("id: one", "id: one, defautl: true", ["price 'one': unknown key 'defautl'; did you mean 'default'?"]),
    ],
)
def test_it_is_judged_where_every_row_could_be_read(tmp_path: Any, old: str, new: str, said: list[str]) -> None:
    folder = lay_out(tmp_path)
    (folder / "prices.yaml").write_text(PRICES, encoding="utf-8")
    found = edit(folder, old, new, "prices")
    assert [one.partition(": ")[2][: len(words)] for one, words in zip(found, said, strict=True)] == said
