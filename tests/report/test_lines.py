"""Lines and columns of places in a text."""

from __future__ import annotations

import pytest

from report.lines import line_and_column, line_with, places

TEXT = "one\ntwo two\n\nfour"


@pytest.mark.parametrize(
    ("at", "place"), [(0, (1, 1)), (2, (1, 3)), (3, (1, 4)), (4, (2, 1)), (12, (3, 1)), (13, (4, 1)), (17, (4, 5))]
)
def test_lines_and_columns_count_from_1_and_a_line_holds_its_end(at: int, place: tuple[int, int]) -> None:
    assert line_and_column(TEXT, at) == place


def test_places_are_those_of_the_first_group() -> None:
    assert places("two", TEXT) == [(2, 1), (2, 5)]
    assert places("t(w)o$", TEXT) == [(2, 6)]
    assert places("five", TEXT) == []


def test_words_are_looked_for_line_by_line() -> None:
    assert [line_with(TEXT, words) for words in ("two", "our", "five")] == [2, 4, 1]
