"""What is wrong with a number as people write it, and how it is written here."""

from __future__ import annotations

import pytest
import yaml

from report import numberwords, values, yamlnodes

# As written, the unit that is wanted, what is said.
QUANTITIES = {
    "minus": ("-3.35 TB/s", "B/s", "it has a minus sign, and all numbers here are above zero; write '3.35 TB/s'"),
    "dash for a minus": ("−3.35 TB/s", "B/s", "it has a minus sign, and all numbers here are above zero; write"),
    "plus": ("+3.35 TB/s", "B/s", "it has a plus sign; write '3.35 TB/s'"),
    "decimal comma": ("3,35 TB/s", "B/s", "a decimal point is a point, not a comma; write '3.35 TB/s'"),
    "either comma": ("3,350 GB/s", "B/s", "write '3350 GB/s' for a thousand and more, '3.350 GB/s' for a decimal"),
    "two commas": ("1,234,567 B", "B", "thousands have no mark here; write '1234567 B'"),
    "comma and point": ("1,979.5 TFLOP/s", "FLOP/s", "thousands have no mark here; write '1979.5 TFLOP/s'"),
    "blank in thousands": ("3 350 GB/s", "B/s", "thousands have no mark here; write '3350 GB/s'"),
    "apostrophe": ("3'350 GB/s", "B/s", "thousands have no mark here; write '3350 GB/s'"),
    "underscore": ("3_350 GB/s", "B/s", "thousands have no mark here; write '3350 GB/s'"),
    "two points": ("3.350.000 B", "B", "it has more than one point"),
    "range": ("3.3-3.4 TB/s", "B/s", "it is a range; write the value that is meant"),
    "range in words": ("3.3 to 3.4 TB/s", "B/s", "it is a range; write the value that is meant"),
    "give or take": ("3.3 ± 0.1 TB/s", "B/s", "it is a range; write the value that is meant"),
    "about": ("~3.35 TB/s", "B/s", "'~' stands before it; a number stands alone"),
    "in words": ("up to 3.35 TB/s", "B/s", "'up to' stands before it; a number stands alone"),
    "two blanks": ("3.35  TB/s", "B/s", "one blank is enough; write '3.35 TB/s'"),
    "another blank": ("3.35\u00a0TB/s", "B/s", "the blank in it is none of the keyboard's; write '3.35 TB/s'"),
    "no zero": (".335 TB/s", "B/s", "a zero is missing before the point; write '0.335 TB/s'"),
    "no digit after the point": ("3. TB/s", "B/s", "nothing follows the point; write '3 TB/s'"),
    "product": ("18 x 50 GB/s", "B/s", "it is a product or a power; write what it comes to"),
    "power": ("3.35*10^12 B/s", "B/s", "it is a product or a power; write what it comes to"),
    "blank in a power": ("3.35 e12 B/s", "B/s", "a blank stands inside it; write '3.35e12 B/s'"),
    "no digits": ("TB/s", "B/s", "it begins with no digit"),
    "per": ("3.35 TB per s", "B/s", "'per' is written as a stroke; write '3.35 TB/s'"),
    "prefix alone": ("3.35 T", "B/s", "'3.35 T' has no unit behind its prefix; write '3.35 TB/s'"),
    "prefix apart": ("3.9 M token", "token", "a blank parts the prefix from its unit; write '3.9 Mtoken'"),
    "no time": ("24.6 TFLOPs", "FLOP/s", "unknown unit 'TFLOPs'; did you mean 'TFLOP/s'?"),
    "another prefix": ("640 mb/s", "B/s", "unknown unit 'mb'; did you mean 'MB/s'?"),
    "bits": ("400 Gbps", "B/s", "a rate is written with a stroke; write '400 Gb/s', which is 50 GB/s"),
    "bits in small letters": ("25gbps", "B/s", "write '25 Gb/s', which is 3.125 GB/s"),
    "bytes": ("400 GBps", "B/s", "did you mean 'GB/s'?"),
    "operations": ("500 TFLOPS", "FLOP/s", "unknown unit 'TFLOPS'; did you mean 'TFLOP/s'?"),
    "no rate": ("500 TFLOP", "FLOP/s", "but FLOP/s is wanted; write '500 TFLOP/s', if that is its rate"),
    "a letter for a digit": ("6.O7 TB/s", "B/s", "the letter 'O' stands among its digits; write '6.07 TB/s'"),
    "watts": ("0.7", "W", "'0.7' has no unit; it is measured in W"),
    "billions": ("175B", "param", "no letter or word stands for a size; write '175e9 param'"),
    "billions in words": ("175 billion", "param", "no letter or word stands for a size; write '175e9 param'"),
    "share": ("0.415", "%", "'0.415' is not a percentage; write it as '41.5 %'"),
    "share without blank": ("41.5%", "%", "'41.5%' is not a percentage; write it as '41.5 %'"),
    "share in words": ("41.5 percent", "%", "'41.5 percent' is not a percentage; write it as '41.5 %'"),
    "share with two signs": ("32.5 %%", "%", "'32.5 %%' is not a percentage; write it as '32.5 %'"),
    "share with a comma": ("41,5 %", "%", "a decimal point is a point, not a comma; write '41.5 %'"),
    "share of nothing known": ("half", "%", "it begins with no digit"),
}
PLAIN = {
    "comma": ("4,096", "write '4096' for a thousand and more, '4.096' for a decimal point"),
    "date": ("2023-13-40", "it is a date; write '2023'"),
    "month and year": ("03/2022", "it is a date; write '2022'"),
    "year and month": ("2022-9", "it is a date; write '2022'"),
    "month in words": ("September 2022", "it is a date; write '2022'"),
    "doubtful year": ("2022?", "it is a date; write '2022'"),
    "decade": ("1990s", "it is a date; write '1990'"),
    "letters": ("2Ol4", "the letter 'O' and the letter 'l' stand among its digits; write '2014'"),
    "a letter first": ("l986", "the letter 'l' stands among its digits; write '1986'"),
    "octal": ("0o3746", "digits are decimal"),
    "letter": ("4k", "a letter for its size stands behind it; write 4000"),
    "a letter behind": ("4096x", "'x' stands behind it, and no number behind that; write '4096'"),
    "product": ("64x64", "it is a product or a power; write what it comes to"),
    "percentage": ("50 %", "it is a percentage; write 0.5, or 1.5 for a growth by so much"),
    "bytes": ("8 B", "no unit stands beside it here; write 8, if that is what its key counts in"),
    "unit": ("32 layers", "no unit stands beside it here; write 32, if that is what its key counts in"),
    "zeros": ("02022", "it begins with a zero; write '2022'"),
    "else": ("12:30", "write it as 12, 0.5 or 1.2e12, without quotes or unit"),
}


@pytest.mark.parametrize(("text", "unit", "said"), QUANTITIES.values(), ids=QUANTITIES)
def test_a_quantity_is_told_what_is_wrong_with_it(text: str, unit: str, said: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the message is read below
        values.quantity(text, unit)
    assert text.rsplit(maxsplit=1)[-1].partition("/")[0] in str(caught.value)
    assert said in str(caught.value)


@pytest.mark.parametrize(("text", "said"), PLAIN.values(), ids=PLAIN)
def test_a_plain_number_is_told_what_is_wrong_with_it(text: str, said: str) -> None:
    node = yaml.ScalarNode("tag:yaml.org,2002:str", text)
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the message is read below
        yamlnodes.number(node)
    assert str(caught.value).startswith(f"'{text}' is not a plain number")
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "unit"), [(text, unit) for text, unit, said in QUANTITIES.values() if "; write '" in said]
)
def test_what_is_proposed_is_right_itself(text: str, unit: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the message is read below
        values.quantity(text, unit)
    right = str(caught.value).partition("; write '")[2].partition("'")[0]
    assert values.quantity(right, unit)[0] > 0


@pytest.mark.parametrize("text", ["3.35 TB/s", "1e12", "0.5 mm", "60 pJ/B", "41.5 %", "5 B/(layer token^2)"])
def test_nothing_is_said_of_a_right_number(text: str) -> None:
    assert numberwords.said(text) == ""


def test_a_memory_has_no_rate_in_bits() -> None:
    with pytest.raises(ValueError, match="a memory is read in bytes; did you mean '50 GB/s' or '400 GB/s'"):
        values.quantity("400 Gbps", "B/s", bits=False)
