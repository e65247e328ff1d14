"""The page of numbers: every number once with its trace, every claim with its margin, the table of checked words."""

from __future__ import annotations

import json
import re
from typing import Any

import html5lib
import pytest

from report import links, numbers_page
from report.cards import Maker
from report.content import Content
from report.prose import Page
from report.robust import NEAR
from report.wordlist import load
from report.written import TEMPLATES, Written


@pytest.fixture(scope="module")
def parts(written: Written) -> tuple[Content, Page, Any, Maker]:
    """Return the inputs, the report, what makes its parts, and the maker of cards."""
    return written.found, written.pages[0], written, written.maker


@pytest.fixture(scope="module")
def sheet(parts: tuple[Content, Page, Any, Maker]) -> numbers_page.Sheet:
    found, page, whole, maker = parts
    return numbers_page.sheet(page, maker, found.vocabulary, whole.templates, ("../index.html", "the report"))


@pytest.fixture(scope="module")
def document(sheet: numbers_page.Sheet) -> Any:
    return html5lib.parse(sheet.html, namespaceHTMLElements=False)


def entry(document: Any, name: str) -> Any:
    (found,) = [one for one in document.iter("section") if one.get("id") == name]
    return found


def text(element: Any) -> str:
    return " ".join("".join(element.itertext()).split())


def test_every_number_of_the_page_has_one_entry(document: Any, parts: tuple[Content, Page, Any, Maker]) -> None:
    _, page, _, _ = parts
    ids = [found.get("id") for found in document.iter() if found.get("id")]
    assert len(ids) == len(set(ids))
    assert set(links.entries(page.numbers).values()) <= set(ids)
    assert {links.claim_anchor(claim.name) for claim in page.claims} <= set(ids)
    assert {
        f"word-{word.name}" for word in load(TEMPLATES.parent / "content" / "vocabulary.yaml").words.values()
    } <= set(ids)


def test_an_entry_tells_formula_values_inputs_range_and_place(document: Any) -> None:
    found = entry(document, "T_min-plain-h100-sxm5-generic-7b")
    said = text(found)
    assert said.startswith("Tokens per weight visit at which the step reaches the balance: 738.6 tokens")
    assert "pinned: H100, the 7B class" in said
    assert "6.442 billion" in said
    assert re.search(r"From \d+ to \d+ tokens", said)
    assert "verified · NVIDIA H100 SXM5: NVIDIA H100 product page (NVIDIA, 2026)" in said
    assert "python -m model T_min form=plain machine=h100-sxm5 network=generic-7b" in said
    assert "Printed as 739 tokens in “" in said
    assert not [part for part in found.iter() if part.get("data-k") is not None]


def test_a_live_entry_says_so(document: Any) -> None:
    assert text(entry(document, "live.T_min")).split(": ")[1].startswith("738.6 tokens live")


def test_a_claim_tells_both_sides_and_its_margin(document: Any) -> None:
    said = text(entry(document, "claim-h100-balance"))
    assert said.startswith("“An H100 computes at")
    assert "295.3 FLOP/B > 290 FLOP/B" in said
    assert "Nearly a tie: the sides are 1.8% apart." in said
    assert "It holds over the range of each input alone; with all at their worst ends it does not" in said
    assert "about: within 10 % of the number named." in said


def test_a_claim_says_at_which_input_it_flips(document: Any) -> None:
    said = text(entry(document, "claim-pole"))
    assert "Margin 6.4%." in said
    assert "it flips where a falls to 187 (from 200 B/(layer token); it may be 148 to 262), or f rises to 6.41" in said
    assert "It holds over the whole range of its inputs" in text(entry(document, "claim-cray-balance"))


def test_the_claims_are_counted_by_how_they_fare(document: Any, parts: tuple[Content, Page, Any, Maker]) -> None:
    (said,) = [
        text(part) for part in document.iter("p") if text(part).startswith("Of ") and "claims here" in text(part)
    ]
    every, holds, exact, together, flips, near = map(int, re.findall(r"\d+", said))
    assert every == len(parts[1].claims) == holds + exact + together + flips
    assert near == sum(claim.margin < NEAR for claim in parts[1].claims)


def test_an_entry_ranks_what_moves_its_number(document: Any) -> None:
    said = text(entry(document, "T_min-plain-h100-sxm5-gpt2-medium"))
    assert "up, without end. What moves it, each alone over its range, the most first: a, activation traffic" in said
    assert re.search(r"to ∞; f, 2,970 to 1,110; bw, 1,980 to 3,960; bandwidth, .*In \d% of the draws: no batch", said)


def test_the_words_stand_with_their_tolerance(document: Any) -> None:
    (row,) = [one for one in document.iter("tr") if one.get("id") == "word-thousand_times"]
    assert [text(cell) for cell in row] == ["a thousand times", "a, b", "670 ≤ a / b ≤ 1500", "from 670 to 1,500 times"]


def test_the_page_lists_its_headings_and_letters(sheet: numbers_page.Sheet, document: Any) -> None:
    ids = {found.get("id") for found in document.iter() if found.get("id")}
    assert {name for name, _, _ in sheet.headings} <= ids
    assert {"β", "≤", "“"} <= sheet.characters


def test_the_spread_of_a_status_is_that_of_the_model(document: Any) -> None:
    rows = {text(row[0]): text(row[2]) for row in document.findall(".//table")[0].iter("tr")}
    assert rows | {"Status": ""} == {
        "Status": "",
        "verified": "±1%",
        "secondary": "±5%",
        "announced": "±15%",
        "estimate": "÷ or × 1.5",
    }


def test_the_list_of_claims_holds_page_values_and_margin(tree: dict[str, bytes]) -> None:
    claims = json.loads(tree["data/claims.json"])["claims"]
    (balance,) = [claim for claim in claims if claim["id"] == "h100-balance"]
    assert {"id", "page", "sentence", "condition", "values", "margin"} <= set(balance)
    assert balance["page"] == "index.html"
    assert balance["margin"] == pytest.approx(1 - 290 / (989.4e12 / 3.35e12))
    assert all(0 <= claim["margin"] <= 1 for claim in claims)
    by_id = {claim["id"]: claim for claim in claims}
    assert all(claim["near_tie"] is (claim["margin"] < NEAR) for claim in claims)
    assert by_id["drift-patterson"]["near_tie"]
    for claim in claims:
        over = claim["over_range"]
        assert set(over) == {"verdict", "share_of_draws", "flips_at"}
        assert over["verdict"] in {"exact", "holds", "together", "flips"}
        assert bool(over["flips_at"]) is (over["verdict"] == "flips")
        assert 0 <= over["share_of_draws"] < 1
    (first, *_) = by_id["pole"]["over_range"]["flips_at"]
    assert (first["input"], first["row"], first["unit"]) == ("a", "constants/activation-traffic", "B/(layer token)")
    assert first["flips_at"] == pytest.approx(768 * 12 * 6 / (989.4e12 / 3.35e12), rel=1e-4)
