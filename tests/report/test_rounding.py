"""How numbers are written. The same cases go through the browser's twin in tests/browser/test_format.py."""

import pytest

from model.units import unit
from report import rounding
from report.rounding import LABELS, NBSP, Label

HALVES = [
    (2.5, 1, "3"),
    (0.5, 1, "0.5"),
    (3.5, 1, "4"),
    (1.25, 2, "1.3"),
    (-2.5, 1, "−3"),
    (9.79, 2, "9.8"),
    (9.96, 2, "10"),
    (9.995, 3, "9.99"),  # the float lies below the half
    (999.5, 3, "1,000"),
]


@pytest.mark.parametrize(("value", "n", "text"), HALVES)
def test_halves_of_the_exact_value_go_away_from_zero(value: float, n: int, text: str) -> None:
    assert rounding.sig(value, n) == text


@pytest.mark.parametrize(
    ("value", "n", "text"),
    [
        (738.6, 3, "739"),
        (14457, 3, "14,500"),
        (2048, 4, "2,048"),
        (999, 3, "999"),
        (1000, 1, "1,000"),
        (2, 3, "2"),
        (2.004, 3, "2.00"),
        (2 + 1e-12, 3, "2"),
        (1250, 6, "1,250"),
        (0.00123, 2, "0.0012"),
        (0.0001, 1, "0.0001"),
        (0.00009, 1, "9 × 10⁻⁵"),
        (999999, 3, "1.00 million"),
        (405e9, 3, "405 billion"),
        (15.6e12, 3, "15.6 trillion"),
        (3.8e25, 2, "3.8 × 10²⁵"),
        (0.0, 3, "0"),
        (-0.0, 2, "0"),
        (-14457, 2, "−14,000"),
    ],
)
def test_significant_digits_are_written_as_a_reader_sees_them(value: float, n: int, text: str) -> None:
    assert rounding.sig(value, n).replace(NBSP, " ") == text


@pytest.mark.parametrize(
    ("value", "measure", "n", "text"),
    [
        (3.35e12, "B/s", 3, "3.35 TB/s"),
        (9126805504.0, "B", 3, "9.13 GB"),
        (999.96e9, "B/s", 3, "1.00 TB/s"),
        (139e3, "FLOP/s", 3, "139 kFLOP/s"),
        (3.8e25, "FLOP", 2, "3.8 × 10²⁵ FLOP"),
        (0.0241, "s", 2, "24 ms"),
        (90.0, "s", 2, "90 s"),
        (3.6e-12, "s", 2, "3.6 ps"),
        (600.0, "s", 2, "10 min"),
        (4.7e6, "s", 2, "54 days"),
        (9e7, "s", 2, "2.9 years"),
        (0.0016, "J", 2, "1.6 mJ"),
        (5e-11, "J/B", 2, "50 pJ/B"),
        (700.0, "J/s", 3, "700 W"),
        (80e9, "B", 3, "80 GB"),
        (36.0, "B", 3, "36 B"),
        (79.97e9, "B", 3, "80.0 GB"),
        (295.3, "FLOP/B", 3, "295 FLOP/B"),
        (739.0, "token", 3, "739 tokens"),
        (1.0, "token", 1, "1 token"),
        (7e9, "param", 1, "7 billion parameters"),
        (0.0, "B", 3, "0 B"),
        (-3.35e12, "B/s", 3, "−3.35 TB/s"),
    ],
)
def test_quantities_get_prefix_and_unit(value: float, measure: str, n: int, text: str) -> None:
    assert rounding.qty(value, n, rounding.label(unit(measure))) == text.replace(" ", NBSP)


@pytest.mark.parametrize(
    ("value", "n", "text"),
    [
        (0.4112, 2, "41%"),
        (0.9996, 2, "100%"),
        (12.5, 2, "1,300%"),
        (0.00071, 1, "0.07%"),
        (0.0, 2, "0%"),
        (0.05, 1, "5%"),
        (0.5, 3, "50%"),
        (0.50004, 3, "50.0%"),
    ],
)
def test_percents_move_the_point_and_nothing_else(value: float, n: int, text: str) -> None:
    assert rounding.percent(value, n) == text


@pytest.mark.parametrize(
    ("value", "n", "text"),
    [
        (1.0, None, "1 token"),
        (1.4, None, "1.4 tokens"),
        (0.0, None, "0 tokens"),
        (738.628, None, "739 tokens"),
        (738.5, None, "739 tokens"),
        (0.49999999999999994, None, "0.5 tokens"),
        (0.504, None, "0.50 tokens"),
        (0.0304, 3, "0.030 tokens"),
        (0.00999, 3, "0 tokens"),
        (2e-5, 3, "0 tokens"),
        (64.0, 3, "64 tokens"),
        (64.4, 3, "64 tokens"),
        (8.378, 3, "8.4 tokens"),
        (9.6, 3, "10 tokens"),
        (1.0, 3, "1 token"),
        (16777216.0, None, "16,777,216 tokens"),
        (14457.0, 3, "14,500 tokens"),
        (1.2e6, 2, "1.2 million tokens"),
    ],
)
def test_counts_agree_with_their_word(value: float, n: int | None, text: str) -> None:
    assert rounding.count(value, n, LABELS["token"]) == text.replace(" ", NBSP)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (8.378, "8 tokens"),
        (8.999, "8 tokens"),
        (7.9999999999, "8 tokens"),
        (1.7, "1 token"),
        (0.4, "0 tokens"),
        (1736.0, "1,740 tokens"),
    ],
)
def test_a_limit_leaves_room_for_whole_things(value: float, text: str) -> None:
    assert rounding.upto(value, 3, LABELS["token"]) == text.replace(" ", NBSP)


@pytest.mark.parametrize(
    ("value", "text"), [(2048.0, "2,048"), (0.5, "0.5"), (1e-6, "1 × 10⁻⁶"), (1048576.0, "1,048,576")]
)
def test_exact_keeps_every_digit(value: float, text: str) -> None:
    assert rounding.exact(value).replace(NBSP, " ") == text


@pytest.mark.parametrize(("value", "text"), [(600.0, "600"), (16000.0, "16,000"), (405e9, "405 billion"), (1.5, "1.5")])
def test_typed_numbers_are_written_with_a_word_for_the_millions(value: float, text: str) -> None:
    assert rounding.typed(value).replace(NBSP, " ") == text


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), float("nan")])
def test_no_number_is_no_text(value: float) -> None:
    with pytest.raises(ValueError, match="cannot be printed"):
        rounding.exact(value)


@pytest.mark.parametrize("n", [0, 16])
def test_digits_are_from_one_to_fifteen(n: int) -> None:
    with pytest.raises(ValueError, match="digits"):
        rounding.sig(1.0, n)


def test_every_label_with_prefixes_covers_the_plain_unit() -> None:
    for name, label in LABELS.items():
        assert label.low <= 0 <= label.high, name
        assert label.js() == [label.one, label.many, label.low, label.high]


def test_a_unit_without_a_label_is_written_out() -> None:
    assert rounding.label(unit("FLOP/(param token)")) == Label("FLOP/(param token)", "FLOP/(param token)")
