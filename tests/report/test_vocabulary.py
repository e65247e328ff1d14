"""Words about numbers assert what the table says; the table itself is checked when it is read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from report import wordlist
from report.asking import AuthorError
from report.conditions import BAD
from report.errors import BuildError
from report.numbers import Const
from report.questions import Asked
from report.shown import Shown
from tests.report.test_carets import told, unmarked
from tests.report.toy import VOCABULARY, WORLD

FLOOR = Asked(WORLD, "T_min", (), False)
WEIGHTS = Asked(WORLD, "weights", (), False)
LIVE = Asked(WORLD, "T_min", (), True)


@pytest.mark.parametrize(
    ("name", "arguments", "text", "holds"),
    [
        ("about", (700, FLOOR), "about 700", True),
        ("about", (600, FLOOR), "about 600", False),
        ("more_than", (500, FLOOR), "more than 500", True),
        ("about", ("34 MB", WEIGHTS), "about 34\u00a0MB", True),
        ("between", (700, 800, FLOOR), "between 700 and 800", True),
        ("between", (700, 800, FLOOR, FLOOR * 2), "between 700 and 800", False),
        ("hundreds", (FLOOR,), "hundreds", True),
        ("twice", (2 * FLOOR, FLOOR), "twice", True),
        ("twice", (3 * FLOOR, FLOOR), "twice", False),
        ("a_third_more", (1.33 * FLOOR, FLOOR), "a third more", True),
        ("more_than_half", (0.6, 1), "more than half", True),
        ("thousand_times", (1000, 1), "a thousand times", True),
        ("two_orders", (100, 1), "two orders of magnitude", True),
    ],
)
def test_words_print_their_phrase_and_assert_their_condition(
    name: str, arguments: tuple[object, ...], text: str, holds: bool
) -> None:
    words = VOCABULARY.words[name](*arguments)
    assert "".join(str(part) for part in words.parts) == text
    assert words.cond is not None
    assert words.cond.holds() is holds
    assert not words.live
    assert words.say() == f"{name}(...)"


def test_about_alone_rounds_the_number_itself() -> None:
    words = VOCABULARY.words["about"](LIVE)
    before, number = words.parts
    assert before == "about "
    assert isinstance(number, Shown)
    assert (number.way(), words.cond, words.live) == ("sig(1)", None, True)
    _, heavy = VOCABULARY.words["about"](WEIGHTS).parts
    assert isinstance(heavy, Shown)
    assert heavy.text() == "30\u00a0MB"


def test_live_words_are_live() -> None:
    words = VOCABULARY.words["twice"](LIVE, FLOOR)
    assert words.live
    assert words.cond is not None
    assert words.cond.js().startswith("and(le(k(1.85, null), op('/', q(\"T_min\"), k(734.0570932, null)))")


def test_a_mistake_among_the_arguments_is_not_reported_twice() -> None:
    assert VOCABULARY.words["twice"](BAD, FLOOR).cond is BAD


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((FLOOR,), "'twice' takes 2 arguments (a, b)"),
        ((FLOOR, "40 ms"), "'40 ms' is in s, but token is wanted"),
        (("5 pints", 3), "unknown unit 'pints'"),
        ((FLOOR, None), "None is not a number"),
    ],
)
def test_wrong_arguments_are_said(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(AuthorError) as raised:
        VOCABULARY.words["twice"](*arguments)
    assert message in raised.value.message


def test_the_tolerance_of_every_word_is_told_and_its_condition_can_be_met() -> None:
    for word in VOCABULARY.words.values():
        assert word.says
        grid = [Const(10.0 ** (step / 10)) for step in range(-30, 130)] + [Const(step / 50) for step in range(1, 150)]
        fixed = {1: (), 2: (Const(1.0),), 3: (Const(0.5), Const(2.0))}[len(word.takes)]
        calls = [word(*fixed, x) if "{" in word.phrase else word(x, *fixed) for x in grid]
        held = [words.cond.holds() for words in calls if words.cond is not None]
        assert True in held, word.name
        assert False in held, word.name


EMPTY = {"words": "{}", "counted": "{}", "comparatives": "[]", "terms": "[]", "numerals": "[]"}


def write(folder: Path, text: str) -> Path:
    """Write a vocabulary, with nothing under each key that the text leaves out."""
    path = folder / "vocabulary.yaml"
    others = "".join(f"{key}: {nothing}\n" for key, nothing in EMPTY.items() if not re.search(f"^{key}:", text, re.M))
    path.write_text(text + others, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("words:\n  big: large\n", "2:3: 'big' is not a mapping"),
        ("words:\n  big: {phrase: big, takes: [x], holds: x > 2}\n", "2:8: 'big' has no 'says'"),
        ("words:\n  big: {phrase: big, takes: [x], holds: x > 2, says: y, hodls: z}\n", "'big': unknown key 'hodls'"),
        (
            "words:\n  big: {phrase: 'big {n}', takes: [x], holds: x > 2, says: y}\n",
            "prints 'n', which it does not take",
        ),
        (
            "words:\n  big: {phrase: big, takes: [x], holds: x > y, says: y}\n",
            "2:45: 'big': 'y' is none of its arguments; it",
        ),
        ("words:\n  big: {phrase: big, takes: [x], holds: x == 2, says: y}\n", "compares with <, <=, > or >="),
        ("words:\n  big: {phrase: big, takes: [x], holds: f(x) > 2, says: y}\n", "'f(x)' is not arithmetic"),
        ("words:\n  big: {phrase: big, takes: [x], holds: x >, says: y}\n", "'x >' is no condition"),
        ("words:\n  big: {phrase: big, takes: [x], holds: x + 1, says: y}\n", "is no condition"),
        (
            "words:\n  big: {phrase: big, takes: x, holds: x > 2, says: y}\n",
            "2:29: 'big': 'takes' is text, but a list is",
        ),
        (
            "counted:\n  token: {many: tokens, unit: tokn}\n",
            "2:31: 'token': unknown unit 'tokn'; did you mean 'token'?",
        ),
        ("terms: H100\n", "1:8: 'terms' is text, but a list is wanted; write it as [H100]"),
        ("terms: [H100, {a: b}]\n", "1:15: 'terms' holds a mapping, but texts are wanted"),
        ("numerals: [100, many]\n", "1:17: 'numerals': 'many' is not a plain number"),
        ("words:\n  big: {phrase: big, takes: [x], holds: x > 2, say: y}\n", "2:48: 'big': unknown key 'say'; did you"),
        ("words:\n  big: {phrase: big, takes: [], holds: x > 2}\n", "2:8: 'big' has no 'says'"),
        ("words:\n  big: {phrase: big, takes: [x], holds: x > 2, says: }\n", "'big': 'says' is empty, but text"),
        ("words:\n  big: {phrase: [], takes: [x], holds: x > 2, says: y}\n", "2:17: 'big': 'phrase' is a list, but"),
        (
            "words:\n  big: {phrase: b, takes: [x y], holds: x > 2, says: y}\n",
            "'x y' is no name of an argument; write [x, y]",
        ),
        (
            "words:\n  big: {phrase: b, takes: [x], holds: x ~ 2, says: y}\n",
            "2:39: 'big': 'x ~ 2' is no condition; write",
        ),
        (
            "words:\n  big: {phrase: b, takes: [x], holds: x > 2, says: y, rounds: one}\n",
            "'big': 'rounds': 'one' is not a plain number",
        ),
        (
            "counted:\n  token: {many: tokens, units: token}\n",
            "2:25: 'token': unknown key 'units'; did you mean 'unit'?",
        ),
        ("counted:\n  token: {many: tokens}\n", "2:10: 'token' has no 'unit'"),
        ("words: {}\nwords: {}\n", "the key 'words' stands twice"),
        ("terms:\n", "1:7: 'terms' is empty, but a list is wanted; write it as [one, two]"),
        ("terms: ['']\n", "1:9: 'terms' holds an empty text, but texts are wanted"),
        ("words: []\n", "1:8: 'words' is a list, but a mapping is wanted; write name: {key: value}"),
        (
            "words:\n  b c: {phrase: b, takes: [x], holds: x > 2, says: y}\n",
            "2:3: 'b c' is no name that prose can call",
        ),
        ("words:\n  big: {phrase: b, takes: [], holds: x > 2, says: y}\n", "2:27: 'big' takes no argument; name"),
    ],
)
def test_mistakes_in_the_table_are_named_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BuildError) as raised:
        wordlist.load(write(tmp_path, text))
    (problem,) = raised.value.problems
    assert str(problem).startswith("content/vocabulary.yaml:")
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: the file is empty; it holds 'words', 'counted', 'comparatives', 'terms' and 'numerals'"),
        (
            "wrods: {}\ncounted: {}\ncomparatives: []\nterms: []\nnumerals: []\n",
            "1:1: unknown key 'wrods'; did you mean",
        ),
        (
            "words: {}\ncounted: {}\ncomparatives: []\nterms: []\nqqq: [1]\n",
            "5:1: unknown key 'qqq'; did you mean 'numerals'?",
        ),
        ("words: {}\ncounted: {}\ncomparatives: []\nterms: []\n", "1:1: the key 'numerals' is missing"),
        ("words: {}\ncounted: {}\n", "1:1: the keys 'comparatives', 'terms' and 'numerals' are missing; was a part of"),
    ],
)
def test_what_the_whole_file_lacks_is_said_once(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "vocabulary.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(BuildError) as raised:
        wordlist.load(tmp_path / "vocabulary.yaml")
    (problem,) = raised.value.problems
    assert message in str(problem)


def test_a_condition_may_join_and_negate(tmp_path: Path) -> None:
    text = "words:\n  odd: {phrase: odd, takes: [x], holds: not (x < 2) and (x - 1 < 2 or x * 2 + 1 > 99), says: y}\n"
    odd = wordlist.load(write(tmp_path, text)).words["odd"]
    found = [odd(value).cond for value in (1, 2.5, 10, 60)]
    assert [cond.holds() for cond in found if cond is not None] == [False, True, False, True]


SMALL = """words:
  about: {phrase: "about {n}", takes: [n, x], holds: 0.9 <= x / n <= 1.1, says: near}
  millions: {phrase: millions, takes: [x], holds: 2000000 <= x < 2000000000, says: "from 2,000,000 on"}
counted:
  operation: {many: operations, unit: FLOP}
comparatives: []
terms: []
numerals: []
"""


@pytest.mark.parametrize(
    ("old", "new", "hints"),
    [
        ("0.9 <= x / n <= 1.1", "⟦0,9⟧ <= x / n <= ⟦1,1⟧", {"write 0.9", "write 1.1"}),
        ("x < 2000000000,", "x < ⟦2,000,000,000⟧,", {"write 2000000000"}),
        ("says: near", "says: near, ⟦more or less⟧", {"or put the text in quotes: 'near, more or less'"}),
        ("unit: FLOP", "unit: ⟦GFLOP⟧", {"is one of its kind, not 1e+09 FLOP as in 'GFLOP'; write FLOP"}),
        ("unit: FLOP", "unit: ⟦FLOPs⟧/byte", {"unknown unit 'FLOPs'; did you mean 'FLOP/B'?"}),
    ],
)
def test_what_stands_in_the_way_of_a_number_or_a_unit_is_told(
    tmp_path: Path, old: str, new: str, hints: set[str]
) -> None:
    assert old in SMALL
    text, wanted = unmarked(SMALL.replace(old, new, 1))
    (tmp_path / "words.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(BuildError) as caught:
        wordlist.load(tmp_path / "words.yaml", "words.yaml")
    found = told(caught.value.problems, tmp_path / "words.yaml")
    assert set(found) == wanted, found
    assert all(any(said.endswith(hint) for said in found.values()) for hint in hints), found
