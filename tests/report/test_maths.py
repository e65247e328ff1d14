"""Formulas: TeX in, MathML out, values from the model inside, and nothing that a page's policy would refuse."""

from __future__ import annotations

import re

import html5lib
import pytest

from report import maths
from report.asking import AuthorError
from tests.report.toy import QUANTITIES, VOCABULARY


def asked(value: maths.Value) -> str:
    key, live, given, way, digits = value
    return f'<mn class="n">{key} {live} {dict(given)} {way} {digits}</mn>'


def render(tex: str, display: bool = False) -> str:
    return maths.mathml(tex, display, QUANTITIES, asked, VOCABULARY.numerals)


def test_a_formula_is_mathml_once_and_nothing_else() -> None:
    html = render(r"T_{\text{min}} = \frac{\beta b_w}{f}")
    assert html.startswith("<math><mrow><msub><mi>T</mi><mtext>min</mtext></msub>")
    assert html.count("<math") == html.count("</math>") == 1
    assert not re.search(r"annotation|semantics|katex|class=|style=|href=", html)


def test_a_display_says_so() -> None:
    assert render("x", True).startswith('<math display="block">')


@pytest.mark.parametrize(
    ("tex", "slots"),
    [
        (r"\val{T_min(machine=h100-sxm5, T=512)}{3}", ["T_min False {'machine': 'h100-sxm5', 'T': 512.0} sig 3"]),
        (r"\val{live.T_min}{qty 2}", ["T_min True {} qty 2"]),
        (r"\val{live.T_min(T=1e3)}{exact}", ["T_min True {'T': 1000.0} exact None"]),
        (r"\val{beta()}{percent 2}", ["beta False {} percent 2"]),
        (r"3\val{live.d}{1}\val{live.T}{2}", ["d True {} sig 1", "T True {} sig 2"]),
        (r"\frac{\val{live.d}{1}}{x^\val{live.T}{2}}", ["d True {} sig 1", "T True {} sig 2"]),
    ],
)
def test_a_value_becomes_one_element(tex: str, slots: list[str]) -> None:
    html = render(tex)
    assert re.findall(r'<mn class="n">(.*?)</mn>', html) == slots
    assert "9000000000" not in html
    assert "<mrow></mrow>" not in html


def test_a_formula_of_the_model_is_its_own_expression() -> None:
    assert render(r"\beta = \formula{beta}") == render(r"\beta = {\frac{\text{peak}}{\text{bandwidth}}}")
    assert render(r"\formula{T_min}") != render(r"\formula{T_min}[l2]")
    assert "<mn>2</mn>" in render(r"\formula{T_min}")


def test_braces_of_tex_survive() -> None:
    assert render(r"{{a}}_{{b}}") == "<math><mrow><msub><mi>a</mi><mi>b</mi></msub></mrow></math>"


@pytest.mark.parametrize(
    ("tex", "message"),
    [
        (r"\foo", "formula: there is no command '\\foo'"),
        (r"\bet", "formula: there is no command '\\bet'"),
        (r"x_{", "formula: a brace is opened and never closed"),
        ("a\\", "formula: a backslash without a command"),
        (r"x}", "formula: a brace is closed that was never opened"),
        (r"\text{β}", "formula: the character 'β' does not work in a formula"),
        (r"\href{javascript:x}{y}", "\\href does not work here"),
        (r"\htmlClass{a}{b}", "\\htmlClass does not work here"),
        (r"\color{red}x", "asks for mathcolor"),
        (r"T_\min", "\\min does not work here"),
        (r"\mathbf{x}", "\\mathbf does not work here"),
        (r"\formula{T_mn}", "there is no quantity 'T_mn'"),
        (r"\formula{peak}", "'peak' is an input and has no formula"),
        (r"\formula{T_min}[l3]", "'T_min' has no form 'l3'"),
        (r"\formula", "there is no quantity ''"),
        (r"\val{T_min}{3}", "does not say on what"),
        (r"\val{T_min(h100)}{3}", "'h100' in \\val{T_min(h100)}{3} is not understood"),
        (r"\val{T_min()}{three}", "is not understood"),
        (r"\val x", "is not understood"),
        (r"\text{\val{live.d}{3}}", "a \\val stands where the formula has no place for a number"),
        (r"T = 2{,}048", "the numeral 2,048 is typed into a formula"),
        (r"0.5 d", "the numeral 0.5 is typed into a formula"),
        ("\U0001d6fd", "does not work in a formula"),
    ],
)
def test_what_cannot_be_set_is_said_on_one_line(tex: str, message: str) -> None:
    with pytest.raises(AuthorError) as raised:
        render(tex)
    assert message in raised.value.message
    assert "\n" not in raised.value.message
    assert not re.search("[\u0332\u0333]", raised.value.message)


@pytest.mark.parametrize(
    "tex", [r"12 d^2", r"10^{15}", r"2^{20}", r"\frac{1}{2}", r"100\,\%", r"a_{12} \\[20pt] b", r"\hspace{20pt}"]
)
def test_coefficients_exponents_and_lengths_are_no_typed_values(tex: str) -> None:
    assert render(rf"\begin{{aligned}}{tex}\end{{aligned}}" if r"\\" in tex else tex)


def test_every_formula_of_the_toy_world_parses_as_html() -> None:
    for key, quantity in QUANTITIES.items():
        if hasattr(quantity, "tex") or hasattr(quantity, "branches"):
            tree = html5lib.parse(render(rf"{quantity.latex} = \formula{{{key}}}"), namespaceHTMLElements=False)
            assert len([part for part in tree.iter() if str(part.tag).endswith("math")]) == 1


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        ("a", "a"),
        (r"2\sqrt L", "2√L"),
        (r"T_{\text{min}} = \frac{\beta b_w}{f}", "T_min = βb_w/f"),
        (r"x^{2}", "x^2"),
        (r"\sqrt{a + b}", "√(a + b)"),
    ],
)
def test_a_formula_is_a_line_of_text_where_no_formula_can_stand(tex: str, text: str) -> None:
    """A message or a data file that dropped it would print a sentence without its subject."""
    assert maths.in_line(render(tex)) == text
