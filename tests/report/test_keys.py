"""A key that is misspelt, and thereby missing, is told once; which word is meant is judged over all keys together."""

from __future__ import annotations

import pytest

from report.errors import nearest
from report.keys import judged, lacking

KNOWN = ("id", "name", "bandwidth", "balance_format", "capacity", "note")
WANTED = ("id", "name", "bandwidth", "balance_format")
GOOD = dict.fromkeys(WANTED)


def given(*without: str, more: tuple[str, ...] = ()) -> list[str]:
    return [key for key in GOOD if key not in without] + list(more)


def test_missing_keys_are_told_in_one_breath() -> None:
    assert lacking(["id"]) == "the key 'id' is missing"
    assert lacking(["id", "name", "note"]) == "the keys 'id', 'name' and 'note' are missing"


def test_right_keys_are_no_mistake() -> None:
    assert judged(GOOD, KNOWN, WANTED) == ({}, [], {})
    assert judged([*GOOD, "note"], KNOWN, WANTED) == ({}, [], {})


@pytest.mark.parametrize(
    ("key", "word"),
    [
        ("bandwith", "bandwidth"),
        ("Bandwidth", "bandwidth"),
        ("balance-format", "balance_format"),
        ("nam", "name"),
        ("ID", "id"),
    ],
)
def test_a_misspelt_key_is_not_missing_too(key: str, word: str) -> None:
    found = judged(given(word, more=(key,)), KNOWN, WANTED)
    assert found.unknown == {key: f"did you mean '{word}'?"}
    assert found.missing == []
    assert found.meant == {word: key}


def test_a_missing_key_that_no_unknown_one_is_like_is_told() -> None:
    found = judged(given("name", more=("maker",)), KNOWN, WANTED)
    assert found == ({"maker": ""}, ["name"], {})
    assert judged(given("name", "bandwidth"), KNOWN, WANTED).missing == ["name", "bandwidth"]


def test_of_two_unknown_keys_the_nearest_takes_the_blame() -> None:
    found = judged(given("bandwidth", more=("bandwidths", "bndwth")), KNOWN, WANTED)
    assert found.meant == {"bandwidth": "bandwidths"}
    assert found.missing == []
    assert set(found.unknown) == {"bandwidths", "bndwth"}


def test_each_of_two_misspelt_keys_is_taken_for_its_own_word() -> None:
    found = judged(given("name", "bandwidth", more=("nme", "bandwith")), KNOWN, WANTED)
    assert found.meant == {"name": "nme", "bandwidth": "bandwith"}
    assert found.missing == []


def test_a_key_that_means_an_optional_one_leaves_the_missing_one_missing() -> None:
    found = judged(given("name", more=("capacty",)), KNOWN, WANTED)
    assert found == ({"capacty": "did you mean 'capacity'?"}, ["name"], {"capacity": "capacty"})


def test_a_key_whose_right_spelling_stands_beside_it_is_one_too_many() -> None:
    found = judged(given(more=("bandwith",)), KNOWN, WANTED)
    assert found.unknown == {"bandwith": "there is 'bandwidth' already; delete one of them"}


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("H100", "did you mean 'h100-pcie' or 'h100-sxm5'?"),
        ("GPT-3", "did you mean 'gpt3-175b'?"),
        ("h100-sxm", "did you mean 'h100-sxm5'?"),
        ("H", ""),
        ("H10", ""),
        ("gpt", ""),
    ],
)
def test_a_name_that_begins_as_longer_ones_do_means_one_of_them(word: str, hint: str) -> None:
    assert nearest(word, ["h100-sxm5", "h100-pcie", "gpt3-175b", "llama3-405b"]) == hint
