"""Claims: a sentence with its condition, its variants, its verdict at build, and what becomes of it elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.report.toy import Writer, words

FLOOR = 'T_min(machine="h100", network="wide")'
BALANCE = 'beta(machine="h100")'


@pytest.fixture
def writer(tmp_path: Path) -> Writer:
    return Writer(tmp_path)


def claim(name: str, condition: str, body: str = "So it is.") -> str:
    return f'{{% claim "{name}", {condition} %}}{body}{{% endclaim %}}'


def test_a_true_claim_is_its_sentence(writer: Writer) -> None:
    page = writer.page(claim("pole", f"{FLOOR} > 700", f"It takes {{{{ {FLOOR} | sig(3) }}}} tokens."))
    assert '<span class="claim" data-claim="pole">It takes <data class="n pinned" data-n="1"' in page.html
    (found,) = page.claims
    assert (found.name, found.live, found.js, dict(found.tally)) == ("pole", False, "", {})
    assert found.sentence == "It takes 734 tokens."
    assert found.condition == "T_min(machine=h100, network=wide) > 700"
    assert found.sides[0] == ("T_min(machine=h100, network=wide)", pytest.approx(734.0571, abs=1e-4), "token")
    assert found.numbers == (1,)


def test_a_false_claim_names_its_sentence_the_values_and_the_rows(writer: Writer) -> None:
    (told,) = writer.told("\n\n" + claim("f", f"{FLOOR} > 1000", f"it takes {{{{ {FLOOR} | sig(3) }}}} tokens."))
    assert told == (
        "3: claim 'f' is false: T_min(machine=h100, network=wide) > 1000; "
        'T_min(machine=h100, network=wide) = 734.057. Sentence: "it takes 734 tokens." '
        "Rests on constants/slope, machines/h100, machines/h100/bandwidth, networks/wide/d."
    )


def test_a_sentence_keeps_its_formulas_in_what_is_told(writer: Writer) -> None:
    (told,) = writer.told(claim("f", f"{FLOOR} > 1000", f"up to $T$ = {{{{ {FLOOR} | sig(3) }}}}."))
    assert 'Sentence: "up to T = 734."' in told


def test_every_false_claim_of_a_page_is_named(writer: Writer) -> None:
    told = writer.told("\n".join(claim(name, f"{BALANCE} > 1e6") for name in ("one", "two", "three")))
    assert [line.split("'")[1] for line in told] == ["one", "two", "three"]
    assert [line.split(":")[0] for line in told] == ["1", "2", "3"]


def test_an_undecided_claim_fails_like_a_false_one(writer: Writer) -> None:
    (told,) = writer.told(claim("u", 'T_min(machine="h100", network="secret") < 10'))
    assert "claim 'u' is undecided" in told
    assert "T_min(machine=h100, network=secret) has no value (no-shape)" in told


@pytest.mark.parametrize(
    ("condition", "true"),
    [
        ("0 < {b} < 3", False),
        ("0 < {b} < 300", True),
        ("300 > {b} > 200 < {b}", True),
        ("300 > {b} > 200 > 250", False),
        ("{b} > 100 and {b} > 1000", False),
        ("{b} > 1000 and {b} > 100", False),
        ("{b} > 1000 or {b} > 100", True),
        ("{b} > 100 or {b} > 1000", True),
        ("not {b} > 1000", True),
        ("not ({b} > 100 and {b} > 1000)", True),
        ("not {b} > 100 or {b} > 1000", False),
        ("({b} > 100 or {b} > 1000) and not {b} > 1000", True),
        ('{b} > "100 FLOP/B"', True),
        ("1000 > {b}", True),
    ],
)
def test_no_half_of_a_condition_is_dropped(writer: Writer, condition: str, true: bool) -> None:
    told = writer.told(claim("c", condition.format(b=BALANCE)))
    assert bool(told) is not true


def test_a_chained_comparison_reaches_the_browser_whole(writer: Writer) -> None:
    (found,) = writer.page(claim("c", "0 < live.beta < 300 and not live.T < 1")).claims
    assert 'and(and(gt(q("beta"), k(0, null)), lt(q("beta"), k(300, null))), not(lt(q("T"), k(1, null))))' in found.js


VARIED = (
    '{% claim "finite", live.T_min < 1e9 %}It takes {{ live.T_min | count("token") }}.'
    '{% otherwise "no-batch" %}None does, not {{ live.T_min | sig(2) }}.'
    '{% otherwise "no-shape" %}No one knows.'
    "{% otherwise %}Too many.{% endclaim %}"
)


def test_variants_wait_in_the_page(writer: Writer) -> None:
    page = writer.page(VARIED)
    assert '<span class="claim" data-claim="finite"><span class="variant" data-when="true">It takes ' in page.html
    assert '<span class="variant" data-when="no-batch" hidden>None does, not ' in page.html
    assert '<span class="variant" data-when="false" hidden>Too many.</span></span>' in page.html
    (found,) = page.claims
    assert found.js == (
        '{holds: () => lt(q("T_min"), k(1000000000, null)), shows: [1], variants: ["no-batch","no-shape","false"], '
        'asks: () => [q("T_min")]}'
    )
    assert found.variants == (
        ("true", "It takes 734 tokens."),
        ("no-batch", "None does, not 730."),
        ("no-shape", "No one knows."),
        ("false", "Too many."),
    )


def test_the_presets_say_how_often_a_live_claim_is_true(writer: Writer) -> None:
    (found,) = writer.page(VARIED).claims
    # the default, three machines, three networks: one too narrow, one without a shape
    assert found.tally == {"no-batch": 1, "no-shape": 1, "true": 5}
    (found,) = writer.page(claim("fast", "live.beta > 200", "Fast.")).claims
    assert found.tally == {"false": 2, "true": 5}


def test_a_valueless_number_in_a_hidden_variant_is_a_dash(writer: Writer) -> None:
    html = writer.html(
        '{% claim "x", live.beta > 1 %}It is {{ live.beta | sig(3) }}.'
        '{% otherwise "no-format" %}Not {{ live.T_min(network="secret") | sig(2) }}.{% endclaim %}'
    )
    assert '<data class="n live" data-n="2" value="">–</data>' in html


def test_words_join_the_condition_of_their_claim(writer: Writer) -> None:
    (found,) = writer.page('{% claim "w" %}It is {{ twice(2 * live.T, live.T) }} as much.{% endclaim %}').claims
    assert found.condition == "1.85 <= (2 * live.T) / live.T and (2 * live.T) / live.T <= 2.15"
    assert found.words == (("twice", "from 1.85 to 2.15 times"),)
    (told,) = writer.told('{% claim "w" %}It is {{ twice(live.T, live.T) }} as much.{% endclaim %}')
    assert "claim 'w' is false" in told
    assert 'Sentence: "It is twice as much."' in told


def test_words_may_be_the_condition(writer: Writer) -> None:
    (found,) = writer.page(claim("w", "twice(2 * live.T, live.T) and live.T > 1")).claims
    assert found.condition.endswith("and live.T > 1")


def test_words_without_a_condition_are_none(writer: Writer) -> None:
    (told,) = writer.told(claim("w", "about(live.T)"))
    assert told == "1: claim 'w': about(...) is not a condition; compare two numbers with <, <=, > or >="


@pytest.mark.parametrize("words", ["{{ twice(beta(machine='h10'), live.T) }}", "{{ twcie(live.T, live.T) }}"])
def test_a_claim_whose_words_were_told_may_have_its_condition_in_them(writer: Writer, words: str) -> None:
    (told,) = writer.told(f'{{% claim "w" %}}It is {words} as much.{{% endclaim %}}')
    assert "has no condition" not in told
    told_of_a_number = writer.told('{% claim "w" %}It is {{ beta(machine="h10") | sig(2) }}.{% endclaim %}')
    assert any("has no condition" in one for one in told_of_a_number)
    assert len(told_of_a_number) == 2


def test_a_name_may_be_computed(writer: Writer) -> None:
    text = (
        '{% for m in ["h100", "a100"] %}{% claim "row-" ~ m, beta(machine=m) > 100 %}Yes.{% endclaim %}\n{% endfor %}'
    )
    assert [found.name for found in writer.page(text).claims] == ["row-h100", "row-a100"]


def test_emphasis_may_start_at_the_edge_of_a_claim(writer: Writer) -> None:
    html = writer.html(claim("e", f"{BALANCE} > 1", "*All* of **it**") + ", x")
    assert '<span class="claim" data-claim="e"><em>All</em> of <strong>it</strong></span>, x' in html


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (claim("a", f"{BALANCE} > 1") + claim("a", f"{BALANCE} > 1"), "1: the name of claim 'a' is taken in line"),
        ('{% claim "a" %}x{% endclaim %}', "1: claim 'a' has no condition; give it one, or bound words"),
        (
            claim("a", f"{BALANCE} > 1", "{{ live.T | exact }}"),
            "1: claim 'a' holds live numbers, but its condition is pinned",
        ),
        (claim("a", BALANCE), "1: claim 'a': beta(machine=h100) is not a condition; compare two numbers"),
        (claim("a", "True"), "1: claim 'a': True is not a condition"),
        (claim("a", f"{BALANCE} == 3"), "1: computed numbers are not compared with == or !=; write about(...)"),
        (claim("a", f"{BALANCE} != 3"), "1: computed numbers are not compared with == or !="),
        (
            claim("a", f"{BALANCE} > {FLOOR}"),
            "beta(machine=h100) is in FLOP/B and T_min(machine=h100, network=wide) in token",
        ),
        (claim("a", "nothing > 3"), "1: unknown name 'nothing'"),
        (claim("a", "3 > nothing and live.T > 1"), "1: unknown name 'nothing'"),
        ("{% claim 3, live.T > 1 %}x{% endclaim %}", '1: a claim has no name; write {% claim "name", condition %}'),
        (claim("a", "live.T > 1", "one\n\ntwo"), "1: claim 'a' runs over a paragraph; close it before the blank line"),
        (
            "- " + claim("a", "live.T > 1", "one\n- two"),
            "1: claim 'a' cuts through emphasis, a link, a list or a paragraph",
        ),
        ("*a " + claim("a", "live.T > 1", "b* c"), "1: claim 'a' cuts through emphasis"),
        (claim("a", "live.T > 1", claim("b", "live.T > 1")), "1: claim 'b' stands inside claim 'a'"),
        (
            claim("a", "live.T > 1", 'x{% otherwise "no-batsch" %}y'),
            "unknown state 'no-batsch'; did you mean 'no-batch'?",
        ),
        (claim("a", "live.T > 1", "x{% otherwise %}y{% otherwise %}z"), "1: claim 'a' has two variants for 'false'"),
        (claim("a", f"{BALANCE} > 1", "x{% otherwise %}y"), "1: claim 'a' has variants, but its condition is pinned"),
        (
            claim("a", "live.T > 1", "x{% otherwise %}{{ twice(live.T, live.T) }}"),
            "1: the words 'twice' stand under otherwise; live words stand in the claim's own sentence",
        ),
        (
            '{% claim "a", live.T > 1 %}x',
            "1: {% claim %} is never closed; write {% endclaim %} after it",
        ),
        ("{{ twice(live.T, live.T) }}", "1: the words 'twice' follow the reader; live words stand only inside a claim"),
        ("{{ about(live.T) }}", "1: the words 'about' follow the reader"),
        (
            f"{{{{ about(600, {FLOOR}) }}}}",
            "1: the words 'about' are false: they say \"about 600\", but T_min(machine=h100, network=wide) = 734.057",
        ),
        (
            "{% if live.T > 1 %}x{% endif %}",
            "1: 'live.T > 1' follows the reader: it cannot choose text at build; use a claim",
        ),
        (f"{{% if {BALANCE} %}}x{{% endif %}}", "1: beta(machine=h100) is a number, not a condition"),
        ("{{ live.T > 1 }}", "1: the condition live.T > 1 is printed; put it into a claim"),
        (
            claim("a", "live.T > 1", '{{ T_min(machine="h100", network="thin") | sig(2) }}'),
            "1: T_min(machine=h100, network=thin) | sig(2) has no value: no batch reaches the balance",
        ),
    ],
)
def test_what_is_wrong_with_a_claim_is_said_once(writer: Writer, text: str, message: str) -> None:
    told = writer.told(text)
    assert len([line for line in told if message in line]) == 1, told
    assert len(told) == 1, told


def test_a_pinned_if_chooses_text(writer: Writer) -> None:
    text = f"{{% if {BALANCE} > 1000 %}}big{{% elif {BALANCE} > 100 %}}middling{{% endif %}}"
    assert words(writer.html(text)) == "middling"


def test_pinned_words_may_stand_in_the_open(writer: Writer) -> None:
    assert words(writer.html(f"It takes {{{{ about(730, {FLOOR}) }}}} tokens.")) == "It takes about 730 tokens."


def test_a_number_that_was_told_may_have_the_state_of_a_variant(writer: Writer) -> None:
    body = 'It takes {{ live.T_min | sgi(3) }}.{% otherwise "no-shape" %}No one knows.'
    (told,) = writer.told(claim("a", "live.beta > 1", body))
    assert "no filter 'sgi'" in told
