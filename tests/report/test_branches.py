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
