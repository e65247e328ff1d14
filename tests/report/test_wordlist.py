"""A mistake in the vocabulary hides nothing in prose but what rests on it, and nothing that it hides is missed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from report import wordlist
from report.vocabulary import Vocabulary
from tests.report.toy import Writer

TEXT = (Path(wordlist.__file__).resolve().parents[1] / "content" / "vocabulary.yaml").read_text(encoding="utf-8")
SOUND = """## A heading {#one}

{% set floor = T_min(machine="h100", network="wide", form="plain") %}In 1986 a card like the Gaudi 2, in fp32, had
{{ about(700, floor) }} tokens, {{ more_than(500, floor) }} or {{ hundreds(floor) }} of them, which is
{{ floor | count("token", 2) }} on the H100 SXM5 80 GB: $100 x + 1000$.
{% claim "a", about(700, live.T_min) and live.T_min > 600 and twice(live.T_min, 350) %}It is so.
{% otherwise "no-shape" %}No one knows.{% endclaim %}
{% claim "b", live.beta > 1 %}It is {{ about(700, live.T_min) }}.
{% otherwise "no-shape" %}No one knows.{% endclaim %}
"""
FAULTS = """
Another card has 42 of them, {{ abuot(700, live.beta) }} and {{ T_mni() }}, or {{ live.beta | count("tokn") }} $4711$.
"""
TOLD = (
    "the numeral '42' is typed into the text",
    "unknown name 'abuot'; did you mean 'about'?",
    "unknown name 'T_mni'; did you mean 'T_min'?",
    "count: unknown word 'tokn'; did you mean 'token'?",
    "the numeral 4711 is typed into a formula",
)
SLIPS = {
    "a key of the file": ("\nwords:\n", "\nwrods:\n"),
    "a key of the file that is like no other": ("\nterms: [", "\nqqq: ["),
    "a key of the file without its colon": ("\nwords:\n", "\nwords\n"),
    "the key of what is counted gone": ("\ncounted:\n", "\n"),
    "the key of the words gone": ("\nwords:\n", "\n"),
    "a key of the file twice": ("\nterms: [", "\nterms: [odd]\nterms: ["),
    "words that are a list": ("\nwords:\n", "\nwords: []\nodd:\n"),
    "a name without its colon": ("  about: {", "  about {"),
    "a name that no one can call": ("  more_than: {", "  more-than: {"),
    "a name twice": ("  twice: {", "  about: {"),
    "an unknown key of a word": ("phrase: hundreds,", "phrse: hundreds,"),
    "no mapping": ("  hundreds: {", "  hundreds: x\n  hundred: {"),
    "no condition": ("200 <= x < 2000,", "200 = x,"),
    "another argument": ("200 <= x < 2000,", "200 <= y < 2000,"),
    "no argument": ("phrase: hundreds, takes: [x]", "phrase: hundreds, takes: []"),
    "an argument of two words": ("phrase: hundreds, takes: [x]", "phrase: hundreds, takes: [x y]"),
    "arguments that are no list": ("phrase: hundreds, takes: [x]", "phrase: hundreds, takes: x"),
    "an unknown number in a phrase": ('"about {n}"', '"about {k}"'),
    "a phrase without its end": ('"about {n}"', '"about {n}'),
    "rounded to nothing": ("rounds: 1,", "rounds: one,"),
    "a key twice": ("phrase: hundreds,", "phrase: hundreds, phrase: odd,"),
    "a unit": ("unit: token}", "unit: tokn}"),
    "a unit with a prefix": ("unit: FLOP}", "unit: GFLOP}"),
    "a plural": ("many: tokens", "mnay: tokens"),
    "an open bracket of comparatives": ("at least, at most]", "at least, at most"),
    "an empty comparative": ("comparatives: [", 'comparatives: ["", '),
    "comparatives in quotes": ("comparatives: [more than, ", "comparatives: ['more than, "),
    "an open bracket of terms": ("  8-bit, 16-bit, 32-bit, 64-bit]", "  8-bit, 16-bit, 32-bit, 64-bit"),
    "terms in quotes": ("terms: [", "terms: ['"),
    "a term that a sign cuts off": ("Gaudi 2, ", "Gaudi #2, Gaudi 2, "),
    "a mapping among terms": ("Gaudi 2, ", "Gaudi: 2, Gaudi 2, "),
    "a term without a comma": ("Gaudi 2, ", "{Gaudi 2}, "),
    "terms that are a text": ("numerals: [100, 1000]", "numerals: 100, 1000"),
    "a numeral with a unit": ("numerals: [100, 1000]", "numerals: [100 B, 1000]"),
    "a numeral with its thousands set apart": ("numerals: [100, 1000]", "numerals: [100, '1,000']"),
    "the file": ("\nwords:\n", "\n- words:\n"),
}


def known(folder: Path, old: str, new: str, text: str = TEXT) -> tuple[Vocabulary, list[str]]:
    """Return the vocabulary with a slip in it, and what is told of it."""
    assert old in text
    file = folder / "vocabulary.yaml"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    found, problems = wordlist.read(file, "vocabulary.yaml")
    return found, list(map(str, problems))


@pytest.mark.parametrize(("old", "new"), SLIPS.values(), ids=SLIPS)
def test_a_slip_in_the_vocabulary_hides_no_fault_of_prose_and_makes_none(tmp_path: Path, old: str, new: str) -> None:
    words, told = known(tmp_path, old, new)
    assert told
    writer = Writer(tmp_path)
    assert not writer.told(SOUND, vocabulary=words, partial=True)
    assert not Writer(tmp_path).told(SOUND)
    found = [one.partition(": ")[2] for one in writer.told(SOUND + FAULTS, vocabulary=words, partial=True)]
    assert all(any(said in one for one in found) for said in TOLD), found
    assert len(found) == len(TOLD), found


def test_an_old_name_of_a_word_is_told_beside_any_slip(tmp_path: Path) -> None:
    for old, new in (("  about: {", "  about {"), ("unit: token}", "unit: tokn}")):
        words, _ = known(tmp_path, old, new, TEXT.replace("  twice: {", "  doubled: {"))
        (told,) = Writer(tmp_path).told(SOUND, vocabulary=words, partial=True)
        assert "unknown name 'twice'" in told


def test_a_word_in_order_asserts_what_it_says_beside_a_slip(tmp_path: Path) -> None:
    words, _ = known(tmp_path, "  hundreds: {", "  hundreds {")
    (told,) = Writer(tmp_path).told(SOUND.replace("about(700, floor)", "about(900, floor)"), vocabulary=words)
    assert "the words 'about' are false" in told


def test_comparatives_that_could_be_read_are_looked_for(tmp_path: Path) -> None:
    words, _ = known(tmp_path, "comparatives: [", "comparatives: [{odd: {}}, ")
    (told,) = Writer(tmp_path).told("The H100 SXM5 80 GB is faster than I thought.\n", vocabulary=words)
    assert "'faster' compares in a sentence with a number or a name" in told


@pytest.mark.parametrize(
    ("key", "hidden"),
    [("words", (1, 2)), ("counted", (3,)), ("comparatives", ()), ("terms", (0,)), ("numerals", (4,))],
    ids=str,
)
def test_a_key_that_is_gone_hides_what_no_one_can_know(tmp_path: Path, key: str, hidden: tuple[int, ...]) -> None:
    (part,) = re.findall(rf"^{key}:.*\n(?:(?!\w).*\n)*", TEXT, re.MULTILINE)
    for left in ("", f"{key}:\n"):
        words, told = known(tmp_path, part, left)
        assert len(told) == 1, told
        assert not Writer(tmp_path).told(SOUND, vocabulary=words, partial=True)
        found = Writer(tmp_path).told(SOUND + FAULTS, vocabulary=words, partial=True)
        assert [n for n, said in enumerate(TOLD) if not any(said in one for one in found)] == list(hidden), found


def test_a_file_that_is_cut_short_makes_nothing_wrong_in_prose(tmp_path: Path) -> None:
    words, told = known(tmp_path, TEXT[TEXT.index("  twice:") :], "")
    assert "the keys 'counted', 'comparatives', 'terms' and 'numerals' are missing" in told[0]
    assert not Writer(tmp_path).told(SOUND, vocabulary=words, partial=True)
    assert wordlist.read(tmp_path / "none.yaml", "none.yaml")[0].unknown == words.unknown
