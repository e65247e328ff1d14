"""What a reader gets who takes a card's formula at its word: the shown values come to the shown result."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from xml.etree import ElementTree

import pytest

from report.asking import HERE
from report.numbers import Const, Num, Op, core
from report.page import Number, Page
from report.questions import Asked
from report.steps import Step
from report.written import Written

PREFIXES = {
    "f": 1e-15,
    "p": 1e-12,
    "n": 1e-9,
    "µ": 1e-6,
    "m": 1e-3,
    "k": 1e3,
    "M": 1e6,
    "G": 1e9,
    "T": 1e12,
    "P": 1e15,
    "E": 1e18,
}
WORDS = {
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "days": 86400.0,
    "h": 3600.0,
    "min": 60.0,
}
# Units that take a prefix; the others follow a plain number.
SCALED = re.compile(r"([fpnµmkMGTPE])?(FLOP|B|J|W|s|m)(?![a-z])")
NUMBER = re.compile(r"−?(\d[\d,]*(?:\.\d+)?)(?: × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?")
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
SIGNS = {"×": "*", "⋅": "*", "−": "-", "+": "+", "/": "/", "(": "(", ")": ")"}


def number(text: str) -> tuple[float, float]:
    """Return what a text like 3.35 TB/s or 6.4425 billion says, and what one in its last digit, or fourth, is worth."""
    text = text.replace("\u00a0", " ").strip()
    found = NUMBER.match(text)
    assert found, text
    digits, raised = found[1].replace(",", ""), int((found[2] or "⁰").translate(RAISED))
    scale = 10.0**raised * unit(text[found.end() :].strip())
    zeros = max(0, len(digits.partition(".")[0]) - 4)  # 14,460 tokens are shown to four digits
    worth = scale * 10.0 ** (zeros - len(digits.partition(".")[2]))
    return math.copysign(float(digits) * scale, -1.0 if text.startswith("−") else 1.0), worth


def unit(words: str) -> float:
    """Return what the words after a number multiply it by."""
    first = words.split(" ", maxsplit=1)[0]
    if first in WORDS:
        return WORDS[first]
    found = SCALED.match(words)
    return PREFIXES.get(found[1], 1.0) if found and found[1] else 1.0


def code(part: ElementTree.Element) -> str:
    """Return a formula that holds nothing but numbers as Python."""
    inner = list(part)
    match part.tag:
        case "mn":
            return repr(number(part.text or "")[0])
        case "mo":
            return SIGNS[part.text or ""]
        case "mfrac":
            return f"(({code(inner[0])})/({code(inner[1])}))"
        case "msup":
            return f"(({code(inner[0])})**({code(inner[1])}))"
        case "msqrt":
            return f"(({''.join(map(code, inner))})**0.5)"
        case "mrow" | "math" | "mstyle":
            return f"({''.join(map(code, inner))})" if inner else ""
    raise KeyError(part.tag)


def plain(step: Step) -> bool:
    """Tell whether both sides of a step are numbers, and not the words of a state."""
    return bool(NUMBER.match(step.text)) and "∞" not in step.filled and "?" not in step.filled


@pytest.fixture(scope="module")
def steps(written: Written) -> list[Step]:
    """Return every formula with values that a card of the site shows."""
    asked = chain.from_iterable(page.numbers for page in written.pages)
    found = {step.filled + step.text: step for number in asked for step in written.maker.card(number.num).steps}
    return [step for step in found.values() if plain(step)]


def off(steps: list[Step]) -> Iterator[tuple[Step, float | None]]:
    """Yield each step with how far it is off, in units of its result's last digit; none where it is no arithmetic."""
    for step in steps:
        try:
            comes_to = float(eval(code(ElementTree.fromstring(f"<math>{step.filled}</math>"))))  # noqa: S307  # the site's own formulas
        except KeyError:  # a maximum, a minimum, a logarithm
            yield step, None
            continue
        said, worth = number(step.text)
        yield step, abs(comes_to - said) / worth


def test_a_text_is_read_as_a_reader_reads_it() -> None:
    assert number("3.35\u00a0TB/s") == pytest.approx((3.35e12, 1e10))
    assert number("6.4425\u00a0billion")[0] == pytest.approx(6.4425e9)
    assert number("2.04\u00a0×\u00a010⁻⁵\u00a0tokens")[0] == pytest.approx(2.04e-5)
    assert number("1,643\u00a0tokens") == (1643.0, 1.0)
    assert number("14,460\u00a0tokens") == (14460.0, 10.0)
    assert number("18\u00a0m") == (18.0, 1.0)


def test_every_formula_comes_to_what_is_shown_beside_it(steps: list[Step]) -> None:
    found = list(off(steps))
    reckoned = [(step, wrong) for step, wrong in found if wrong is not None]
    assert len(reckoned) > 300
    assert len(reckoned) > 0.9 * len(found)
    wrong = [f"{step.key}: {step.filled} = {step.text}, off by {far:.1f}" for step, far in reckoned if far > 1.0]
    assert not wrong, "\n".join(wrong[:10])


def last(number: Number) -> float:
    """Return what one in the last digit of a printed number is worth."""
    digits = re.search(r"\d+", number.way)
    if not digits or not number.value:
        return 0.5  # written out in full
    return 10.0 ** (math.floor(math.log10(abs(number.value))) + 1 - int(digits[0]))


def comes_to(num: Num, beside: Callable[[float], float | None]) -> float | None:
    """Return what a number comes to on the numbers beside it as they are printed; none where a part is not there."""
    if isinstance(num, Op):
        if isinstance(num.right, Const):  # a change of unit
            return None
        left, right = (beside(side.read().number or 0.0) for side in (num.left, num.right))
        if left is None or right is None:
            return None
        return {"/": left / right, "*": left * right, "+": left + right, "-": left - right}[num.op]
    if not isinstance(num, Asked) or (formula := num.answer(HERE).formula) is None:
        return None
    inputs = {part.quantity.key: part.number for part in num.answer(HERE).inputs}
    values = {part.key: beside(inputs[part.key] or 0.0) for part in formula.inputs}
    return None if None in values.values() else formula.run(**values)


def reckoned(page: Page) -> Iterator[tuple[Number, float]]:
    """Yield each number of the text whose parts all stand in its own paragraph, and what they come to as printed."""
    for line in {number.line for number in page.numbers}:
        here = [one for one in page.numbers if one.line == line and one.where == "text" and one.shown and one.value]

        def beside(value: float, here: Sequence[Number] = here) -> float | None:
            return next((shown_value(one) for one in here if one.value and math.isclose(one.value, value)), None)

        for one in here:
            found = comes_to(core(one.num), beside)
            if found is not None:
                yield one, found


def test_what_a_sentence_reckons_comes_out_on_its_own_numbers(written: Written) -> None:
    pages = written.pages
    found = list(chain.from_iterable(map(reckoned, pages)))
    assert len(found) > 8
    wrong = [
        f"{page.path}:{one.line}: {one.say} is printed as {one.text}, its paragraph's numbers come to {value:.6g}"
        for page in pages
        for one, value in reckoned(page)
        if abs(value - shown_value(one)) > last(one)
    ]
    assert not wrong, "\n".join(wrong)


def shown_value(part: Number) -> float:
    """Return what a printed number says."""
    text = (part.text or "").replace("%", "")
    return number(text)[0] * (0.01 if "%" in (part.text or "") else 1.0)
