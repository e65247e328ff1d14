"""One expression, four texts and an answer: values, limits, absences, and the trace of what they rest on."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import pykatex
import pytest
import sympy as sp

from model import book
from model.book import QUANTITIES, quantity
from model.book import ask as ask_by_key
from model.dimensions import formulas
from model.figure import Source
from model.formula import (
    ABSENCES,
    LIMITS,
    STATES,
    Answer,
    Coefficient,
    Fork,
    Formula,
    Given,
    Letter,
    Quantity,
    Unasked,
    ask,
    largest,
    root,
    smallest,
)
from model.units import ONE, unit

p, q, r = (Quantity(key, rf"\{name}", ONE, key) for key, name in (("p", "pi"), ("q", "theta"), ("r", "rho")))
way = Quantity("way", r"\text{way}", ONE, "a choice")
TWICE = Coefficient(2, ONE, "twice")
ONCE = Coefficient(1, unit("param/layer"), "once")


def written(key: str, expr: Any, **more: Any) -> Formula:
    return Formula(key, key, ONE, key, expr=expr, source="here", **more)


def given(**values: float | str) -> dict[str, Given]:
    return {key: Given(value=value) for key, value in values.items()}


# --- quantities are written like numbers


@pytest.mark.parametrize(
    "work",
    [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.le, operator.lt, operator.ge],
)
def test_a_quantity_takes_part_in_arithmetic_from_either_side(work: Callable[[Any, Any], Any]) -> None:
    symbol = sp.Symbol("p", positive=True)
    for left, right, expected in ((p, 3, work(symbol, 3)), (p, q, work(symbol, sp.Symbol("q", positive=True)))):
        assert str(work(left, right)) == str(expected)
    if work not in (operator.le, operator.lt, operator.ge):
        assert str(work(3, p)) == str(work(3, symbol))


def test_a_quantity_says_which_it_is() -> None:
    assert repr(p) == "<Quantity p>"
    assert repr(written("x", lambda: p)) == "<Formula x>"
    assert isinstance(sp.sympify(p), Letter)
    assert sp.sympify(p).quantity is p


def test_two_quantities_of_one_name_keep_their_own_letters() -> None:
    other = Quantity("p", "p", unit("s"), "another p")
    assert other.letter.quantity is other
    assert p.letter.quantity is p


# --- a formula's texts


def test_a_formula_prints_in_the_order_in_which_it_was_written() -> None:
    made = written("x", lambda: TWICE * r * q / (q - p))
    assert made.python == "((2*r)*q)/(q - p)"
    assert made.javascript == made.python
    assert made.tex == r"\frac{2 \rho \theta}{\theta - \pi}"
    assert [part.key for part in made.inputs] == ["r", "q", "p"]


def test_roots_and_extremes_in_all_languages() -> None:
    made = written("x", lambda: largest(1, root(p)) + smallest(p, q))
    assert made.python == "max(1, sqrt(p)) + min(p, q)"
    assert made.javascript == "Math.max(1, Math.sqrt(p)) + Math.min(p, q)"
    assert made.tex == r"\max\left(1, \sqrt{\pi}\right) + \min\left(\pi, \theta\right)"
    assert made.run(p=16.0, q=2.0) == 6.0


def test_powers_in_all_languages() -> None:
    made = written("x", lambda: (1 - p / q) ** r)
    assert made.python == "(1 - p/q)**r"
    assert made.javascript == "Math.pow(1 - p/q, r)"
    assert made.vega({}) == "pow(1 - p/q, r)"
    assert made.run(p=1.0, q=2.0, r=3.0) == 0.125


def test_vega_text_names_its_own_parameters_and_guards() -> None:
    made = written("x", lambda: 1 / (p - q), guards=lambda: ((p <= q, "no-batch"), (q <= 1, "unknown")))
    names = {"p": "roofline_p", "q": "datum.q"}
    inner = "((datum.q <= 1) ? (0/0) : (1/(roofline_p - datum.q)))"
    assert made.vega(names) == f"((roofline_p <= datum.q) ? (1/0) : ({inner}))"


def test_a_coefficient_prints_as_its_numeral_and_is_no_input() -> None:
    made = written("x", lambda: TWICE * p)
    assert made.inputs == (p,)
    assert (made.python, made.javascript, made.tex) == ("2*p", "2*p", r"2 \pi")


def test_a_coefficient_of_one_is_read_over_in_latex() -> None:
    assert written("x", lambda: ONCE * p**2 + q).tex == r"\pi^{2} + \theta"
    assert written("x", lambda: ONCE * ONCE).tex == "1"


def test_sums_of_sums_print_without_inner_brackets() -> None:
    assert written("x", lambda: p + (q + r)).tex == r"\pi + \theta + \rho"


def test_values_put_in_stand_where_the_symbols_stood() -> None:
    made = written("x", lambda: TWICE * p / q)
    assert made.tex_with({"p": "295", "q": "12"}) == r"\frac{2 \times 295}{12}"
    assert made.tex_with({"p": "295"}) == r"\frac{2 \times 295}{\theta}"


def test_the_formulas_of_the_report_in_their_texts() -> None:
    floor = QUANTITIES["T_min"]
    assert isinstance(floor, Fork)
    plain = floor.branches["plain"]
    assert isinstance(plain, Formula)
    assert plain.python == "((b_w*P_r)*beta)/(f*P_a - A*beta)"
    assert plain.javascript == plain.python
    assert plain.tex == r"\frac{b_w P_r \beta}{f P_a - A \beta}"
    assert plain.guard_texts == (("(f*P_a <= A*beta)", "f*P_a <= A*beta", "no-batch"),)


LATEX = {f"{made.key}-{number}": made for entry in QUANTITIES.values() for number, made in enumerate(formulas(entry))}


@pytest.mark.parametrize("made", LATEX.values(), ids=LATEX.keys())
def test_a_formula_s_latex_is_taken_by_katex(made: Formula) -> None:
    assert "<mo>=</mo>" in pykatex.renderToString(f"{made.latex} = {made.tex}", output="mathml", strict="error")


def test_katex_refuses_what_is_not_latex() -> None:
    with pytest.raises(pykatex.ParseError):
        pykatex.renderToString(r"\frac{a", output="mathml", strict="error")


@pytest.mark.parametrize("entry", QUANTITIES.values(), ids=QUANTITIES.keys())
def test_a_quantity_s_symbol_is_taken_by_katex(entry: Quantity) -> None:
    assert pykatex.renderToString(entry.latex, output="mathml", strict="error")
    assert entry.says
    assert not entry.says.endswith(".")


# --- answers


def test_an_input_answers_with_what_was_given() -> None:
    source = Source(title="A book", rank="primary", seen=True)
    leaf = Given(value=3.0, status="verified", row="machines/x", sources=(source,), low=2.0, high=4.0, note="why")
    answer = ask(p, {"p": leaf})
    assert (answer.value, answer.state, answer.given, answer.number) == (3.0, None, leaf, 3.0)


def test_a_choice_has_a_word_and_no_number() -> None:
    answer = ask(way, given(way="left"))
    assert (answer.value, answer.state) == (None, None)


def test_a_formula_answers_from_its_inputs_and_keeps_the_trace() -> None:
    inner = written("inner", lambda: p * q)
    outer = written("outer", lambda: inner + r)
    answer = ask(outer, given(p=2.0, q=3.0, r=4.0))
    assert answer.value == 10.0
    assert answer.formula is outer
    assert [part.quantity.key for part in answer.inputs] == ["inner", "r"]
    assert list(answer.leaves()) == ["p", "q", "r"]
    assert answer.leaves()["q"].value == 3.0


def test_a_number_by_hand_stands_for_the_formula() -> None:
    inner = written("inner", lambda: p * q)
    outer = written("outer", lambda: inner + 1)
    answer = ask(outer, given(inner=7.0))
    assert answer.value == 8.0
    assert list(answer.leaves()) == ["inner"]


def test_a_memo_is_filled_and_used() -> None:
    memo: dict[str, Answer] = {}
    made = written("x", lambda: p + 1)
    first = ask(made, given(p=1.0), memo)
    assert set(memo) == {"x", "p"}
    assert ask(made, {}, memo) is first


def test_an_input_that_nobody_gave_is_an_error_not_a_state() -> None:
    with pytest.raises(Unasked, match="the scenario gives no p"):
        ask(written("x", lambda: p), {})


# --- states


def test_every_state_is_a_limit_or_an_absence_and_says_something() -> None:
    assert not set(LIMITS) & set(ABSENCES)
    assert set(STATES) == set(LIMITS) | set(ABSENCES)
    assert all(STATES.values())


def test_an_unknown_state_is_refused_when_the_formula_is_written() -> None:
    with pytest.raises(ValueError, match="x: unknown state 'no-luck'"):
        written("x", lambda: p, guards=lambda: ((p <= q, "no-luck"),))


def test_an_absence_absorbs_everything_that_needs_it() -> None:
    base = {"p": Given(value=None, state="no-price"), **given(q=1.0)}
    answer = ask(written("x", lambda: q + p), base)
    assert (answer.value, answer.state, answer.number) == (None, "no-price", None)


def test_the_first_absence_in_the_order_of_writing_wins() -> None:
    base = {"p": Given(value=None, state="no-price"), "q": Given(value=None, state="no-shape")}
    assert ask(written("x", lambda: p + q), base).state == "no-price"
    assert ask(written("x", lambda: q + p), base).state == "no-shape"


def test_an_absence_is_found_before_a_guard_is_asked() -> None:
    guarded = written("x", lambda: p, guards=lambda: ((p <= q, "no-batch"),))
    assert ask(guarded, {"q": Given(value=None, state="unknown"), **given(p=1.0)}).state == "unknown"


def test_a_limit_has_no_value_but_compares_as_infinite_and_flows_on() -> None:
    limit = written("limit", lambda: 1 / (p - q), guards=lambda: ((p <= q, "no-batch"),))
    base = given(p=1.0, q=2.0)
    found = ask(limit, base)
    assert (found.value, found.state, found.number) == (None, "no-batch", math.inf)
    above = ask(written("x", lambda: limit * 3 + 1), base)
    assert (above.value, above.state, above.number) == (None, "no-batch", math.inf)
    under = ask(written("x", lambda: 1 / limit), base)
    assert (under.value, under.state) == (0.0, None)


def test_guards_are_asked_in_order_and_before_the_division() -> None:
    made = written("x", lambda: 1 / (p - q), guards=lambda: ((p <= 0, "unknown"), (p <= q, "no-batch")))
    assert ask(made, given(p=0.0, q=0.0)).state == "unknown"
    assert ask(made, given(p=1.0, q=1.0)).state == "no-batch"
    assert ask(made, given(p=3.0, q=1.0)).value == 0.5


@pytest.mark.parametrize("values", [{"p": 1.0, "q": 0.0}, {"p": 1e300, "q": 1e-300}, {"p": 10.0, "q": 1e-3}])
def test_a_number_out_of_reach_is_unknown_not_infinite(values: dict[str, float]) -> None:
    made = written("x", lambda: p ** (1 / q))
    answer = ask(made, given(**values))
    assert (answer.value, answer.state, answer.number) == (None, "unknown", None)


def test_what_a_formula_needs_must_be_there_though_it_does_not_use_it() -> None:
    made = written("x", lambda: p, needs=(q,))
    assert [part.key for part in made.inputs] == ["p", "q"]
    assert ask(made, {**given(p=1.0), "q": Given(value=None, state="not-a-transformer")}).state == "not-a-transformer"
    assert ask(made, given(p=1.0, q=5.0)).value == 1.0


# --- forks


FORK = Fork(way, {"left": written("x", lambda: p), "right": written("x", lambda: q + r)})


def test_a_fork_takes_the_branch_that_was_chosen() -> None:
    left = ask(FORK, given(way="left", p=1.0))
    assert left.value == 1.0
    assert left.quantity is FORK
    assert left.formula is FORK.branches["left"]
    assert list(left.leaves()) == ["way", "p"]
    assert ask(FORK, given(way="right", q=1.0, r=2.0)).value == 3.0


def test_a_fork_whose_choice_is_absent_takes_its_state() -> None:
    answer = ask(FORK, {"way": Given(value=None, state="no-shape")})
    assert (answer.value, answer.state) == (None, "no-shape")
    assert list(answer.leaves()) == ["way"]


@pytest.mark.parametrize("word", ["up", 3.0])
def test_a_fork_refuses_a_way_that_it_does_not_have(word: str | float) -> None:
    with pytest.raises(Unasked, match="x wants way to be one of left, right"):
        ask(FORK, given(way=word))


def test_a_fork_without_a_choice_says_which_is_missing() -> None:
    with pytest.raises(Unasked, match="the scenario gives no way"):
        ask(FORK, {})


def test_a_fork_on_a_fork_by_formula_has_no_word() -> None:
    with pytest.raises(Unasked):
        ask(Fork(written("way", lambda: p), FORK.branches), given(p=1.0))


def test_the_branches_of_a_fork_agree_on_key_and_unit() -> None:
    with pytest.raises(ValueError, match="the branches of x disagree on key or unit"):
        Fork(way, {"left": written("x", lambda: p), "right": written("y", lambda: p)})
    with pytest.raises(ValueError, match="disagree"):
        Fork(
            way,
            {"left": written("x", lambda: p), "right": Formula("x", "x", unit("s"), "x", expr=lambda: p, source="")},
        )


# --- the book


def test_a_quantity_is_found_by_its_key() -> None:
    assert quantity("beta") is QUANTITIES["beta"]
    assert ask_by_key("beta", given(peak=6.0, bandwidth=2.0)).value == 3.0


def test_an_unknown_key_names_the_nearest() -> None:
    with pytest.raises(KeyError, match="unknown quantity 'betta'; did you mean 'beta'"):
        quantity("betta")
    with pytest.raises(KeyError) as error:
        quantity("zzzzzz")
    assert error.value.args == ("unknown quantity 'zzzzzz'",)


def test_two_quantities_of_one_key_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book.inputs, "beta_again", Quantity("beta", "b", ONE, "another balance"), raising=False)
    with pytest.raises(ValueError, match="two quantities have the key 'beta'"):
        book._collect()


def test_keys_are_their_quantities_own_and_coefficients_are_not_asked() -> None:
    assert all(entry.key == key for key, entry in QUANTITIES.items())
    assert not any(isinstance(entry, Coefficient) for entry in QUANTITIES.values())


def test_python_and_the_expression_agree_on_every_formula() -> None:
    for made in LATEX.values():
        numbers = {part.key: 2.0 + 0.25 * index for index, part in enumerate(made.inputs)}
        plain = {
            found: sp.Integer(found.quantity.value)
            if isinstance(found.quantity, Coefficient)
            else sp.Float(numbers[found.name])
            for found in made.expr.atoms(Letter)
        }
        exact = complex(sp.sympify(made.expr.xreplace(plain)).doit())
        assert complex(made.run(**numbers)) == pytest.approx(exact, rel=1e-12), made.key
