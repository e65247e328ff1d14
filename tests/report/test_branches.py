"""Branches that a text does not take are read for their mistakes, and for those alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from jinja2 import Environment

from report import prose
from report.desk import Desk
from report.parts import Parts, Placed, Shelf
from tests.report.toy import FRONT, SETTING, Writer

TRUE, FALSE = 'beta(machine="h100") > 1', 'beta(machine="h100") < 1'
UNJUDGED = ("bta > 1", "not bta > 1", "live.T > 1", "beta", "bta >", "1 < bta < 3", "bta and true", "live.T.x")


@pytest.fixture
def writer(tmp_path: Path) -> Writer:
    return Writer(tmp_path)


def placed(_desk: Desk, name: str) -> str:
    return f'<figure id="fig-{name}"></figure>'


def told(folder: Path, text: str) -> list[str]:
    """Return what is told of the only page of a site, its references followed."""
    (folder / "page.md").write_text(FRONT + text, encoding="utf-8")
    setting = replace(SETTING, extras={}, blocks={"figure": placed})
    found = prose.drafts([prose.Wanted("page.md", "index.html", "", setting)], folder)
    return sorted({one.message for one in found.told()})


def unknown(told: list[str]) -> list[str]:
    return [name for name in ("one", "two", "three") if any(f"unknown name 'bad_{name}'" in line for line in told)]


@pytest.mark.parametrize("condition", [*UNJUDGED, TRUE, FALSE, "1", "0"])
def test_all_branches_of_a_choice_are_read(writer: Writer, condition: str) -> None:
    text = f"{{% if {condition} %}}{{{{ bad_one }}}}{{% elif {condition} %}}{{{{ bad_two }}}}"
    assert unknown(writer.told(text + "{% else %}{{ bad_three }}{% endif %}")) == ["one", "two", "three"]


@pytest.mark.parametrize("over", ["bta", "[]", "[1]", "bta |", "3", '["a"] if bta', '["a"] if 0'])
def test_a_loop_is_read_whatever_it_goes_through(writer: Writer, over: str) -> None:
    text = f"{{% for a in {over} %}}{{{{ bad_one }}}}{{% else %}}{{{{ bad_two }}}}{{% endfor %}}"
    assert unknown(writer.told(text)) == ["one", "two"]


@pytest.mark.parametrize("condition", ["bta > 1", "bta >", TRUE])
def test_all_variants_of_a_claim_are_read(writer: Writer, condition: str) -> None:
    text = f'{{% claim "c", {condition} %}}{{{{ bad_one }}}}{{% otherwise %}}{{{{ bad_two }}}}{{% endclaim %}}'
    assert unknown(writer.told(text)) == ["one", "two"]


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ('machine("h100").bandwith', "machine(h100) has no 'bandwith'"),
        ('beta(machine="h100") | sig("a")', "'a' is not a number of digits"),
        ("about(3, 3)", "the words 'about' are about typed numbers alone"),
    ],
)
@pytest.mark.parametrize("condition", ["1", "0"])
def test_what_no_number_puts_right_is_told_of_both_branches(
    writer: Writer, condition: str, expression: str, said: str
) -> None:
    found = writer.told(f"A {{% if {condition} %}}{{{{ {expression} }}}}{{% endif %}}")
    assert len(found) == 1
    assert said in found[0]


@pytest.mark.parametrize(
    "expression",
    ["bad_one if bta else bad_two", '"a" if bad_one else bad_two', "bad_one and bad_two", "bad_one or bad_two"],
)
def test_all_of_an_expression_is_read(writer: Writer, expression: str) -> None:
    assert "two" in unknown(writer.told(f"{{{{ {expression} }}}}"))


@pytest.mark.parametrize(
    ("inner", "message"),
    [
        ('{{ ref("nope") }}', "there is no figure, table, equation or section 'nope'"),
        ('{{ cite("pope") }}', "there is no reference 'pope'"),
        ('{{ beta(machine="h10") | sig(3) }}', "unknown machine 'h10'"),
        ('{{ beta(machine="h100") }}', "beta(machine=h100) is printed without a filter"),
        ("{{ live.T | sig }}", "sig: 'n' is missing"),
        ("{{ live.T_mn | sig(3) }}", "live.T_mn: there is no quantity 'T_mn'"),
        ('{% claim "c", live.T > 1 %}x{% otherwise "nobatch" %}y{% endclaim %}', "claim 'c': unknown state 'nobatch'"),
        ("$\\bet$", "there is no command '\\bet'"),
        ("{% if 0 %}{{ bta }}{% endif %}", "unknown name 'bta'"),
        ("{{ 64 | exact }}", "the number 64 is typed, and no question or condition of this text has it"),
        ('{{ "64 GB" }}', "the text '64 GB' is printed with a numeral in it"),
        ('{{ "a" ~ 1 }}', "'~' joins texts, and 1 is none"),
        ("a{% note %}b\n\nc{% endnote %}", "a note runs over a paragraph"),
        ("{% for a, b in [] %}{{ a }}{{ b }}{{ bta }}{% endfor %}", "unknown name 'bta'"),
        ("{% set x = 1 %}{% if x %}{% else %}{{ bta }}{% endif %}", "unknown name 'bta'"),
    ],
)
def test_a_branch_that_is_not_taken_is_told_what_is_wrong_in_any_case(tmp_path: Path, inner: str, message: str) -> None:
    for text in (f"{{% if 0 %}}{inner}{{% endif %}}", f"{{% if 1 %}}a{{% else %}}{inner}{{% endif %}}"):
        (said,) = told(tmp_path, text)
        assert message in said


@pytest.mark.parametrize(
    "inner",
    [
        '{% claim "c", live.T < 1 %}It is {{ live.T | exact }}.{% endclaim %}',  # false
        '{{ machine("h100").nic }}',  # there is none
        "{{ about(12, live.T) }}",
        '{{ beta(machine="h100", network="thin") | sig(3) }}',  # another number may rest on it
        '{% set held = "other" %}',
        '{% claim "held", live.T > 1 %}It is {{ live.T | exact }}.{% endclaim %}',  # of the name of another
        "{{ 1 / 0 }}",
        '{{ machine("h100").peak.fp8 }}',
        '{% figure "roofline" %}{% endfigure %}',
        '{% set n = 64 %}{{ n | exact }} {{ beta(machine="h100", network="wide", T=n) | sig(2) }}',
    ],
)
def test_what_hangs_on_values_is_not_judged_where_it_is_not_taken(writer: Writer, inner: str) -> None:
    rest = '{% claim "held", live.T > 2 %}It is {{ live.T | exact }}.{% endclaim %}\n\n{{ held }}\n'
    text = f'{{% set held = "mine" %}}{{% if {FALSE} %}}{inner}{{% endif %}}{rest}'
    page = writer.page(text, blocks={"figure": placed})
    assert "mine" in page.html
    assert "other" not in page.html
    assert [number.text for number in page.numbers] == ["2,048"]
    assert [claim.name for claim in page.claims] == ["held"]
    assert "roofline" not in page.html


WORDS = {
    "a numeral": ("It takes 42 tokens.", "42", "the numeral '42' is typed into the text"),
    "a number word": ("It takes sixty tokens.", "sixty", "the number word 'sixty' is typed into the text"),
    "a tag of HTML": ("It is <b>bold</b>.", "<b>", "the HTML tag <b> would be printed as text"),
    "a star that closes nothing": ("It is **bold.", "**", "'**' would be printed as it stands"),
    "a link amiss": ("See [x](a b).", "](a b)", "a blank in its address keeps a link from being read"),
    "a comparison": ("H100 SXM5 80 GB is faster.", "faster", "'faster' compares in a sentence with a number or a name"),
    "a word twice": ("It is the the same.", "the", "'the' stands twice"),
    "a heading without id": ("\n\n## A heading\n\n", "A heading", "heading 'A heading' has no id"),
}
BOTH_WAYS = (
    "%s",
    "x {% if 1 %}%s{% endif %}",
    "x {% if 0 %}%s{% endif %}",
    "{% if 1 %}y{% else %}%s{% endif %}",
    "{% if 0 %}y{% elif 0 %}%s{% endif %}",
    "{% if bta %}y{% else %}%s{% endif %}",
    "{% for a in [] %}%s{% endfor %}",
    "{% for a in [1] %}y{% else %}%s{% endfor %}",
    "{% if 0 %}{% if 1 %}y{% else %}%s{% endif %}{% endif %}",
)


@pytest.mark.parametrize("around", BOTH_WAYS)
@pytest.mark.parametrize(("inner", "near", "message"), WORDS.values(), ids=WORDS)
def test_slips_of_words_are_told_whether_the_branch_is_taken_or_not(
    writer: Writer, around: str, inner: str, near: str, message: str
) -> None:
    text = "One.\n\nTwo\n" + around.replace("%s", inner)
    found = [one for one in writer.attempt(text)[1] if message in one.message]
    assert [one.near.text[one.near.start : one.near.end] for one in found] == [near]
    assert found[0].line == (FRONT + text).partition(inner.strip())[0].count("\n") + 1


@pytest.mark.parametrize(
    "text",
    [
        "**{% if 0 %}a{% else %}b{% endif %}**, {% if 1 %}**a{% else %}**b{% endif %}**",
        "| a | b |\n|---|---|\n{% if 0 %}| c | d |\n{% endif %}| e | f |",
        "{% if 1 %}a{% else %}{% if 1 %}as the{% else %}as the{% endif %} b{% endif %}",
        "a {% if 0 %}- b{% endif %} c{% if 0 %}### c{% endif %}",
        "**{% for a in [] %}{{ a }}{% endfor %}x**",
        "[x{% if 0 %}y{% endif %}](https://a.org)",
        "{% if 1 %}[x](https://a.org){% else %}[y](https://b.org){% endif %}",
        '{% claim "c", live.T > 1 %}{% if 0 %}It is faster than {{ live.T | exact }}.{% endif %}It is.{% endclaim %}',
    ],
)
def test_a_branch_is_read_with_what_stands_around_it(writer: Writer, text: str) -> None:
    assert not writer.told(f"One.\n\n{text}\n\nTwo.\n")


def test_the_title_of_a_figure_in_a_branch_is_read(writer: Writer) -> None:
    text = '{% if 0 %}{% figure "a", "All of 42." %}{% endfigure %}{% endif %}'
    assert "the numeral '42'" in "".join(writer.told(text, blocks={"figure": lambda _desk, name, title: ""}))


def test_a_slip_in_a_branch_is_told_at_its_own_line(writer: Writer) -> None:
    text = "a {% if 0 %}42{% endif %} {% for x in [] %}\nb 43\nb 44{% endfor %}"
    text += " {% if 1 %}c\nd{% else %}e 45\nf 46{% endif %} g"
    assert [(one[0], one.split("'")[1]) for one in writer.told(text)] == [
        ("1", "42"),
        ("2", "43"),
        ("3", "44"),
        ("4", "45"),
        ("5", "46"),
    ]


def test_a_slip_in_a_branch_of_a_claim_is_told(writer: Writer) -> None:
    text = '{% claim "c", live.T > 1 %}It is.{% if 0 %} So is 42.{% endif %}{% endclaim %}'
    assert ["the numeral '42'" in one for one in writer.told(text)] == [True]


@pytest.mark.parametrize("part", ["{% if 0 %}x{% endif %}", "{% if 1 %}x{% endif %}", "{% for a in [] %}x{% endfor %}"])
@pytest.mark.parametrize("condition", ["1", "0"])
def test_a_part_that_is_taken_in_has_choices_of_its_own(writer: Writer, part: str, condition: str) -> None:
    (writer.folder / "part.md").write_text(part, encoding="utf-8")
    with_part, with_slips = '{% include "part.md" %}', "{{ bad_one }} a 42"
    first, second = (with_part, with_slips) if condition == "1" else (with_slips, with_part)
    said = writer.told(f"{{% if {condition} %}}{first}{{% else %}}{second}{{% endif %}}")
    assert unknown(said) == ["one"]
    assert len(said) == 2, said


def test_a_slip_beside_a_branch_is_told_once(writer: Writer) -> None:
    assert (
        len(writer.told("It takes 42 {% if 0 %}a{% else %}b{% endif %}{% if 1 %}c{% else %}d{% endif %} of 43.")) == 2
    )


@pytest.mark.parametrize("empty", ["{% note %}%s{% endnote %}", '{% claim "c", live.T > 1 %}%s{% endclaim %}'])
def test_what_says_nothing_but_in_a_branch_that_is_not_taken_says_nothing(writer: Writer, empty: str) -> None:
    assert any("says nothing" in one for one in writer.told(empty.replace("%s", "{% if 0 %}a{% endif %}")))


def test_a_name_that_a_text_tests_for_may_be_given_elsewhere(writer: Writer) -> None:
    assert not writer.told("{% if x is defined %}{{ x }}{% endif %}{{ x if x is defined else 'y' }}")
    assert not writer.told("{% if x is not defined %}{% else %}{{ x }}{% endif %}{{ 'y' if x is undefined else x }}")


@pytest.mark.parametrize("condition", UNJUDGED)
def test_a_choice_that_nobody_can_make_is_told_once(tmp_path: Path, condition: str) -> None:
    text = (
        '{% claim "c", live.T > 1e9 %}Much is {{ live.T | exact }}.{% endclaim %}{% set x = "a" %}\n\n'
        '## One {#one}\n\n{{ more_than_half(beta(machine="old"), beta(machine="h100")) }}\n{% else %}'
        '{% claim "c", live.T > 1e9 %}It is {{ live.T | exact }}.{% endclaim %}{% set y = "a" %}\n\n## One {#two}\n\n'
        '{% figure "roofline" %}{% endfigure %}$$x$$ {#eq-x}\n'
    )
    pointing = '{{ ref("one") }} {{ ref("two") }} {{ ref("fig-roofline") }} {{ ref("eq-x") }} {{ x }} {{ y }}\n'
    said = told(tmp_path, f"{{% if {condition} %}}\n{text}{{% endif %}}\n\n{pointing}")
    assert len(said) == 1, said


def test_what_a_choice_prints_is_what_it_printed_before(writer: Writer) -> None:
    text = (
        '{% for m in ["h100", "old"] %}{% if beta(machine=m) > 1 %}fast{% elif beta(machine=m) > 0.1 %}slow'
        "{% else %}not{% endif %}{% if not loop.last %}, {% endif %}{% else %}none{% endfor %}: "
        "{{ 'a' if 1 and 0 else 'b' }}{{ 'c' if 1 or bad_one is defined else 'd' }}{{ 'e' if not 0 }}"
    )
    assert "fast, slow: bce" in writer.html(text)


def test_parts_of_a_branch_that_is_not_taken_are_taken_away_again() -> None:
    parts = Parts(Shelf(Environment(), {}, {"a": lambda: "A"}, {}), "")  # type: ignore[dict-item]
    stands = Placed("figure", "a", parts.shelf.figures["a"]())
    assert parts.again([stands, Placed("table", "b", "B"), Placed("board", "c", "C")])
    parts.forget(1)
    assert (parts.placed, parts.drawn, parts.used, parts.shown) == ([stands], [stands.part], [], [])
