"""What Jinja cannot read is said in the author's terms, at the place where it can be mended, and hides nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from report import grammar
from tests.report.toy import FRONT, Writer, sized

TOP = FRONT.count("\n")
CLAIM = '{% claim "c", live.T > 1 %}'
BLOCKS = {"figure": lambda _, name, title: sized(name, title).markup}


def told(folder: Path, text: str) -> list[tuple[int, int, str]]:
    """Return line, column and words of what is wrong with a text; lines count from its own first one."""
    _, problems = Writer(folder).attempt(text, blocks=BLOCKS)
    hints = (f"{one.message}; {one.hint}" if one.hint else one.message for one in problems)
    return [(one.line - TOP, one.column, said) for one, said in zip(problems, hints, strict=True)]


@pytest.mark.parametrize(
    ("text", "line", "column", "says"),
    [
        ("a\n\n b {%# c\n", 3, 4, "{%# is never closed; write #%}"),
        (f"a\n{CLAIM}x\n\ny\n", 2, 1, "{% claim %} is never closed; write {% endclaim %} after it"),
        (f"{CLAIM}x{{% endclaim %}}\nx {{% note %}}y\n\nz\n", 2, 3, "{% note %} is never closed; write {% endnote %}"),
        ('{% if 1 %}\n{% set x = 2 %}a\n{% endif %}\n{% figure "f", "T." %}\n\nb\n', 4, 1, "{% figure %} is never"),
        ("```\n{% claim %}\n```\n{% note %}a", 4, 1, "{% note %} is never closed; write {% endnote %} after it"),
        ("{% set x %}a\n", 1, 1, "{% set %} is never closed; write {% endset %} after it"),
        ("{% raw %}a{% endraw %}\n", 1, 0, "there is no tag 'raw'; code between backticks is printed as it stands"),
        (f"{CLAIM.replace('claim', 'clam')}x{{% endclaim %}}", 1, 4, "there is no tag 'clam'; did you mean 'claim'?"),
        (f"{CLAIM}x{{% otherwize %}}{{% endclaim %}}", 1, 32, "there is no tag 'otherwize'; did you mean 'otherwise'?"),
        ('a {% cite("x") %}', 1, 6, "there is no tag 'cite'; write {{ cite(\"x\") }}"),
        ("a {% live.T | sig(3) %}", 1, 6, "there is no tag 'live'; write {{ live.T | sig(3) }}"),
        (
            '{{ cite "pope2026" }}',
            1,
            9,
            'a text in quotes stands where the expression in {{ }} has ended; write cite("pope2026")',
        ),
        ("a {% nonsense %}", 1, 6, "there is no tag 'nonsense'"),
        ("x\n{% endclaim %}", 2, 1, "{% endclaim %} belongs to a claim, and none is open"),
        ("{% otherwise %}", 1, 1, "{% otherwise %} belongs to a claim, and none is open"),
        (
            f"{CLAIM}x\n{{% if 1 %}}a\n{{% endclaim %}}",
            3,
            1,
            "{% endclaim %} comes too early: {% if %} of",
        ),
        (
            f"{CLAIM}x {{% if 1 %}}a {{% endclaim %}}{{% endif %}}",
            1,
            42,
            "{% endclaim %} comes too early: {% if %} of line",
        ),
        (
            "{% if 1 %}a\n{% endfor %}",
            2,
            1,
            "{% endfor %} comes too early: {% if %} of line 5 is still open",
        ),
        ("{% if 1 %}a{% note %}b{% else %}c{% endnote %}{% endif %}", 1, 23, "{% else %} comes too early: {% note %}"),
        (f"{CLAIM}x {{% endif %}} y{{% endclaim %}}", 1, 30, "{% endif %} belongs to an if, and none is open"),
        (f"{CLAIM}x{{% otherwise if 1 %}}{{% endclaim %}}", 1, 45, "a number stands where it cannot"),
        (f'{CLAIM}x{{% otherwise "" %}}{{% endclaim %}}', 1, 0, "claim 'c': unknown state ''"),
        ("{{ live.T | }}", 1, 13, "something is missing before }}; a name belongs there"),
        ("{{ }}", 1, 4, "something is missing before }}; an expression belongs there"),
        ('{% claim "c", live.T > %}x{% endclaim %}', 1, 24, "something is missing before %}"),
        (
            '{% claim "c" live.T > 1 %}x{% endclaim %}',
            1,
            14,
            "'live' stands where it cannot; is a comma missing",
        ),
        ('{% claim "c", live.T > 1 }x{% endclaim %}', 1, 1, "{% is never closed; write %}"),
        ('{% figure "f" T %}x{% endfigure %}', 1, 15, "'T' stands where it cannot; is a comma missing before it?"),
        ("{% for a in [1 %}{{ a }}{% endfor %}", 1, 13, "'[' is never closed; write ] behind"),
        ('{% set a = {"b": {"c": 2} %}\n## x {#y}\n\nz', 1, 12, "'{' is never closed; write } before %}"),
        ('{% set a = {"b": 2 %} x', 1, 12, "'{' is never closed; write } before %}"),
        ('{% claim "c", live.T > 1,000 %}x{% endclaim %}', 1, 24, "the number '1,000' holds a comma; write 1000"),
        (
            '{% claim "c", live.T > 1.3 GFLOP %}x{% endclaim %}',
            1,
            28,
            "'GFLOP' stands where it cannot; a number with its unit stands in quotes: \"1.3 GFLOP\"",
        ),
        ('{% claim "c", live.T(T=3) = 1 %}x{% endclaim %}', 1, 27, "'=' compares nothing; write <, <=, > or >="),
        ('{% claim "c", live.T => 1 %}x{% endclaim %}', 1, 22, "'=' compares nothing; write <, <=, > or >="),
        ('{% claim "c", live.T > 3 && live.T > 4 %}x{% endclaim %}', 1, 26, "the character '&' has no place in {{ }}"),
        ("{{ live.T − 3 }}", 1, 11, "the character '−' has no place in {{ }} or {% %}; write -"),
        ("{{ live.T │ exact }}", 1, 11, "the character '│' has no place in {{ }} or {% %}; write |"),
        ("{{ live.T. }}", 1, 10, "something is missing behind a dot; a name belongs there"),
        ('a {{ fact("a.", "b. c"). | sig(3.5) }}', 1, 24, "something is missing behind a dot; a name belongs there"),
        ("{{ live..T | sig(3) }}", 1, 8, "something is missing behind a dot; a name belongs there"),
        ("{% claim per-step, live.T > 1 %}x{% endclaim %}", 1, 0, "a claim has no name; write"),
        ('{{ (beta(machine="h100") ** 0.5) | sig(3) }}', 1, 0, "'**' is not for numbers of the model; those take +"),
        ("{{ beta(machine=h100-sxm5) | sig(3) }}", 1, 0, "unknown name 'h100'; a name stands in quotes: \"h100-sxm5\""),
        ("{{ beta(machine=old) | sig(3) }}", 1, 0, "unknown name 'old'; names of rows stand in quotes: \"old\""),
        ("{{ cite(pope2026) }}", 1, 0, "unknown name 'pope2026'; a name stands in quotes: \"pope2026\""),
        ("{{ ref(pole-x) }}", 1, 0, "unknown name 'pole'; a name stands in quotes: \"pole-x\""),
        ("{{ live.T(T=bta) | exact }}", 1, 0, "unknown name 'bta'; did you mean 'beta'?"),
        (
            f"{CLAIM}x{{% otherwise no-batch %}}{{% endclaim %}}",
            1,
            0,
            "unknown name 'no'; a name stands in quotes: \"no-b",
        ),
        ("{% set a b %}x{% endset %}{{ a }}", 1, 10, "'b' stands where it cannot"),
        (f"{CLAIM}x{{% endclaim", 1, 29, "{% is never closed; write %}"),
        ("{{ live.T | sig 3 }}", 1, 17, "a number stands where the expression in {{ }} has ended; is }} missing"),
        ('{{ beta(machine=h100", T="9") }}', 1, 17, 'a text in quotes never begins; write "h100"'),
        ('{{ beta(machine="h100, T="9") }}', 1, 17, 'a text in quotes never ends; write "h100"'),
        ('{{ cite("pope2026")) }}', 1, 20, "')' closes nothing; delete it"),
        ('{% claim "c", live.T(T=9 > 7 %}x{% endclaim %}', 1, 21, "'(' of live.T is never closed"),
        ("{{ live.T | sig(3 }}", 1, 16, "'(' of sig is never closed; write ) behind what belongs in it"),
        ("a {{ live.T", 1, 3, "{{ is never closed; write }}"),
        ('{% figure "a" ""T b" %}x{% endfigure %}', 1, 19, "a text in quotes never begins"),
        ("a {{ live.T | sig(3) } b $x_{\\text{min}} = \\beta$ c", 1, 3, "{{ is never closed; write }}"),
        ("a {{ live.T | sig(3) b $x_{\\text{min}}$ {{ live.T | sig(3) }}", 1, 3, "{{ is never closed; write }}"),
        ("a {{ live.T | sig(3) } b $\\frac{\\beta}{x_{y}}$ c", 1, 3, "{{ is never closed; write }}"),
        ("{{ live.T | sig(3) } and {{ live.T | sig(3) }}", 1, 1, "{{ is never closed; write }}"),
        ("{{ live.T | sig(3)\n\nand {{ live.T | sig(3) }}", 1, 1, "{{ is never closed; write }}"),
        ('{{ beta(machine="h100) }}', 1, 17, 'a text in quotes never ends; write "h100"'),
        ("{{ live.T ! 2 }}", 1, 11, "the character '!' has no place in {{ }} or {% %}"),
        ("{{ live.T | exact }} {{ live.T | sigg(3) }}", 1, 34, "there is no filter 'sigg'; did you mean 'sig'?"),
        ("{{ live.T | exact }} {{ 1e999 }}", 1, 25, "a number beyond all numbers"),
        ("{% %}", 1, 1, "{% %} holds no tag; a comment is written {%# ... #%}"),
        ("{% include 'part.md' %}", 1, 1, "there is no file 'part.md'"),
    ],
)
def test_what_cannot_be_read_is_told_once_at_its_place(
    tmp_path: Path, text: str, line: int, column: int, says: str
) -> None:
    ((at, where, said),) = told(tmp_path, text)
    assert (at, where) == (line, column)
    assert said.startswith(says)


TORN = [
    ('a {{ live.T_min(machine="h100-sxm5", They obey 17 floors, $x$.\n\n$$x$$ {#eq-a}\n\nb {{ live.T | exact }}.', []),
    ("a {{ live.T(T=5, netw, where 17 is {{ live.T | exact }} and 18.", ["18"]),
    ("a {{ live.T(T=(5) and $\\frac{a}{b}$ and 17", []),
    ("a {{ live.T(T=512) | sig(3) and $\\frac{a}{b}$ and 17", ["17"]),
    ('{% claim "c", Activations are 17 streams\n\nnext 18 and {{ live.T | exact }}', ["18"]),
    ('{% note "c" Activations are 17 streams\n\n$$x$$ and {{ live.T | exact }}', []),
    ('{% claim "c", live.T > 1 }x 18\n\n$$x$$', ["18"]),
]


@pytest.mark.parametrize(("text", "numerals"), TORN)
def test_a_torn_tag_takes_nothing_with_it_but_what_it_held(tmp_path: Path, text: str, numerals: list[str]) -> None:
    found = [said for *_, said in told(tmp_path, text)]
    assert sum("is never closed" in said for said in found) == 1
    assert [said.split("'")[1] for said in found if "is never closed" not in said] == numerals


def test_a_text_in_quotes_that_runs_on_into_another_tag_is_told_at_its_beginning(tmp_path: Path) -> None:
    text = 'a {{ live.T(network="wi on 17 and {{ live.T(network="wide") | exact }} b'
    assert told(tmp_path, text) == [
        (1, text.index('"') + 1, 'a text in quotes never ends, nor does its {{; write " and }}')
    ]


@pytest.mark.parametrize(
    ("text", "word", "meant"),
    [
        (f"{CLAIM}x{{% end claim %}} y", "end claim", "endclaim"),
        (f"{CLAIM}x{{% encdlaim %}} y", "encdlaim", "endclaim"),
        (f'{CLAIM}x{{% end-claim %}}{{% claim "d", live.T > 1 %}}x{{% endclaim %}}', "end-claim", "endclaim"),
        ("{% note %}x{% /note %} y", "/note", "endnote"),
        ("{% note %}x{% end %} y", "end", "endnote"),
        (f"{CLAIM}x{{% note %}}a{{% endnot %}}{{% endclaim %}} y", "endnot", "endnote"),
        ('{% figure "f", "T" %}x{% endfigur %} y', "endfigur", "endfigure"),
        ("x{% endff %} y", "endff", "endif"),
    ],
)
def test_an_end_tag_that_is_misspelt_ends_what_is_open(tmp_path: Path, text: str, word: str, meant: str) -> None:
    assert told(tmp_path, text) == [(1, text.index(word) + 1, f"there is no tag '{word}'; did you mean '{meant}'?")]


def test_places_are_those_of_the_text_as_it_was_written(tmp_path: Path) -> None:
    text = f"{CLAIM}x {{% note %}}y {{% endclaim %}} {{{{ live.T | sgi(3) }}}} {{{{ live.T | qyt(3) }}}} {{% endif %}}"
    found = told(tmp_path, text)
    assert [text[column - 1 :].split(maxsplit=1)[0] for _, column, _ in found] == ["{%", "sgi(3)", "qyt(3)", "{%"]
    assert [said.split(";")[0].split(":")[0] for *_, said in found] == [
        "{% endclaim %} comes too early",
        "there is no filter 'sgi'",
        "there is no filter 'qyt'",
        "{% endif %} belongs to an if, and none is open",
    ]


def test_an_expression_of_several_paragraphs_is_no_mistake(tmp_path: Path) -> None:
    text = "{{ live.T_min(\n\n  T=512) | exact }} {% set x = {'a': {'b': 1}} %}{{ live.T | sgi(3) }}\n"
    assert "there is no filter 'sgi'" in [said.split(";")[0] for *_, said in told(tmp_path, text)]
    assert not any("never closed" in said for *_, said in told(tmp_path, text))


def test_one_run_tells_all_that_is_wrong(tmp_path: Path) -> None:
    text = (
        "{{ live.T | sgi(3) }} {{ bta }} {{ live.T | sig 3 }}\n\n"
        '{% claim "a" live.T > 1 %}It is 77.{% endclaim %}\n\n'
        '{% claim "b", live.T > 1 %}Never closed, {{ gama }}.\n\n'
        '{% clam "c", live.T > 1 %}{{ delt }}{% endclaim %} {% endif %}\n\n'
        "{{ live.T | sig(3) } and {{ 1 / 0 }} and {{ epsiln }}.\n\n"
        '{% for m in ["h100" %}{{ zet }}{% endfor %} {{ "x"(1) }}\n\n'
        "## A heading\n\n$\\nosuch$ and $5 and <b>bold</b>.\n"
    )
    found = [(line, said.split(";")[0]) for line, _, said in told(tmp_path, text)]
    assert sorted(found) == sorted(
        [
            (1, "there is no filter 'sgi'"),
            (1, "unknown name 'bta'"),
            (1, "a number stands where the expression in {{ }} has ended"),
            (3, "'live' stands where it cannot"),
            (3, "the numeral '77' is typed into the text"),
            (5, "{% claim %} is never closed"),
            (5, "unknown name 'gama'"),
            (7, "there is no tag 'clam'"),
            (7, "unknown name 'delt'"),
            (7, "{% endif %} belongs to an if, and none is open"),
            (9, "{{ is never closed"),
            (9, "division by zero"),
            (9, "unknown name 'epsiln'"),
            (11, "'[' is never closed"),
            (11, "unknown name 'zet'"),
            (11, "'x' is no function"),
            (13, "heading 'A heading' has no id"),
            (15, "formula: there is no command '\\nosuch'"),
            (15, "the numeral '5' is typed into the text"),
            (15, "a dollar sign that opens no formula"),
            (15, "the HTML tag <b> would be printed as text"),
        ]
    )


def test_a_text_that_is_taken_in_tells_its_own(tmp_path: Path) -> None:
    (tmp_path / "part.md").write_text("a\n{{ live.T | }}\n{{ bta }}\n", encoding="utf-8")
    _, problems = Writer(tmp_path).attempt('{{ gama }}\n{% include "part.md" %}{% include "prt.md" %}\n')
    assert [(one.path, one.line - TOP * (one.path == "page.md"), one.message) for one in problems] == [
        ("page.md", 1, "unknown name 'gama'"),
        ("page.md", 2, "there is no file 'prt.md'"),
        ("part.md", 2, "something is missing before }}"),
        ("part.md", 3, "unknown name 'bta'"),
    ]


def test_arithmetic_that_takes_for_ever_is_refused(tmp_path: Path) -> None:
    assert told(tmp_path, "{{ 9 ** 387420489 }}") == [(1, 0, "a power of 387420489 is out of all reason")]


def test_a_word_of_jinja_that_is_not_known_here_is_passed_on() -> None:
    assert grammar.said("something  new.", ()) == grammar.Said("something new")
    assert grammar.said(None, ()).message == "the template cannot be read"


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("{{ live.T | exact }} {{ 1 / 0 }}", 0, "division by zero"),
        ('{{ "a" * "b" }}', 0, "'*' is not for 'a' and 'b'"),
        ('{{ "a" * 100000000000000 }}', 0, "'*' is not for 'a' and 100000000000000"),
        ('{{ "%999999999d" % 3 }}', 0, "'%' is not for '%999999999d' and 3"),
        ("{{ (1e200 * 1e200) | exact }}", 0, "a number beyond all numbers"),
        ('{{ -"a" }}', 0, "'a' takes no sign"),
        ('{% if 1 < "a" %}x{% endif %}', 0, "'<' does not compare 1 with 'a'"),
        ('{% if 1 < 2 < "a" %}x{% endif %}', 0, "'<' does not compare 2 with 'a'"),
        ("{% if 3 in 4 %}x{% endif %}", 0, "3 cannot be looked for in 4"),
        ('{% if 3 not in "a" %}x{% endif %}', 0, "3 cannot be looked for in 'a'"),
        ('{{ [1][:"a"] }}', 0, "[1] has no part [:'a']"),
        ("{{ 4[1:2:3] }}", 0, "4 has no part [1:2:3]"),
        ("{% for x in 5 %}{{ x }}{% endfor %}", 0, "5 is no list; a list is written [...]"),
        ("{% for a, b in [1] %}{{ a }}{% endfor %}", 0, "1 is not 2 values, one for each name"),
        ("{% for (a, b), c in [(1, 2)] %}{{ a }}{% endfor %}", 0, "1 is not 2 values, one for each name"),
        ("{% set a, b = [1] %}{{ a }}", 0, "[1] is not 2 values, one for each name"),
        ("{% set a, b = 1 %}{{ b }}", 0, "1 is not 2 values, one for each name"),
        ("{% set x = {[1]: 2} %}", 0, '[1] is no key; a key is a text in quotes, as in {"layers": 2}'),
        ("{{ live.T(**5) | exact }}", 0, '5 gives no arguments; a mapping does, as in {"layers": 2}'),
        ("{{ cite(*5) }}", 0, "5 is no list; a list is written [...]"),
        ("{{ live.T(T=512, **{'T': 4}) | exact }}", 0, "the argument 'T' stands twice; delete one of them"),
        ("{% for x in [1] %}{{ loop.cycle() }}{% endfor %}", 0, "no items for cycling given"),
        (
            "{% for x in [1] %}{{ loop(x) }}{% endfor %}",
            0,
            "loop is no function; nothing in brackets belongs behind it",
        ),
        ("{% for x in [1] recursive %}x{% endfor %}", 1, "a loop does not call itself"),
        ("{% for loop in [1] %}x{% endfor %}", 8, "the name 'loop' is taken: a loop calls itself so"),
        ("{% for x in [1] %}{% set y, loop = 3 %}{% endfor %}", 29, "the name 'loop' is taken: a loop calls itself so"),
        ("{% for (a, loop), b in [1] %}x{% endfor %}", 12, "the name 'loop' is taken: a loop calls itself so"),
        ("{% set none = 1 %}", 1, "a name that is set is letters, digits and _, none of Jinja's words"),
        ("{% set ns.x = 1 %}", 1, "a name that is set holds no dot"),
        ("{% set x | sig %}5{% endset %}", 1, "a text is set to one name, as it is"),
        ("{{ 'a' is string(3) }}", 11, "the test 'string' takes nothing behind it"),
        ("{% if live.T | sgi(3) %}a{% endif %}", 16, "there is no filter 'sgi'; did you mean 'sig'?"),
        ("{% if live.T is foo %}a{% endif %}", 17, "there is no test 'foo'"),
        ("{{ live.T(_loop_vars=3) | exact }}", 11, "no argument is called '_loop_vars'"),
        ("{{ live.T(**{'_x': 3}) | exact }}", 0, "no argument is called '_x'"),
        ("{{ live.T[x] }}", 0, "unknown name 'x'"),
        ("{% include 5 %}", 1, 'an include names one file; write {% include "content/part.md" %}'),
        ("{% include bta %}", 1, 'an include names one file; write {% include "content/part.md" %}'),
        ("x {% include 'page.md' %}", 3, "the text takes itself in; an include leads back to it"),
        ('{{ "x"(1) }}', 0, "'x' is no function; nothing in brackets belongs behind it"),
        ('{{ "abc".upper() }}', 0, "'abc' has no 'upper'"),
        ("{{ [1].append(3) }}", 0, "[1] has no 'append'"),
        ("{{ (live.T | sig(3)).num }}", 0, "live.T | sig(3) has no 'num'"),
        ("{{ {'a': 1}.get() }}", 0, "get expected at least 1 argument, got 0"),
        ('{{ "a" ~ (live.T | sig(3)) }}', 0, "'~' joins texts, and live.T | sig(3) is none; print it by itself"),
        ("{% if 'a' ~ true %}x{% endif %}", 0, "'~' joins texts, and True is none; print it by itself"),
        ("{{ 3 is divisibleby 0 }}", 9, "there is no test 'divisibleby'"),
        (
            '{% figure "f" %}x{% endfigure %}',
            0,
            '{% figure %} takes a name and a title; write {% figure "name", "title" %}',
        ),
    ],
)
def test_what_cannot_be_worked_out_hides_nothing(tmp_path: Path, text: str, column: int, says: str) -> None:
    assert told(tmp_path, f"{text} {{{{ bta }}}}") == sorted(
        [(1, column, says), (1, 0, "unknown name 'bta'; did you mean 'beta'?")]
    )


@pytest.mark.parametrize(
    "text",
    [
        "{% ⟦macro⟧ m(a, b=3) %}{{ a }} {{ b }}{% endmacro %}{{ m(3) }}",
        '{% ⟦import⟧ "page.md" as p %}{{ p.q }}',
        '{% ⟦from⟧ "page.md" import y, z as k %}{{ y }}{{ k }}',
        "{% ⟦with⟧ a = 3, b = 4 %}{{ a }}{{ b }}{% endwith %}",
        '{% ⟦call⟧ cite("x") %}x{% endcall %}',
        "{% ⟦filter⟧ sig %}x{% endfilter %}",
        '{% ⟦extends⟧ "page.md" %}',
        "{% ⟦block⟧ a %}x{% endblock %}",
        "{% ⟦autoescape⟧ 5 %}x{% endautoescape %}",
        "{% ⟦print⟧ 3 %}",
    ],
)
def test_a_tag_that_pages_do_not_have_is_told_once(tmp_path: Path, text: str) -> None:
    before, word, after = re.split("[⟦⟧]", text)
    assert told(tmp_path, f"{before}{word}{after} {{{{ bta }}}}") == [
        (1, 0, "unknown name 'bta'; did you mean 'beta'?"),
        (1, len(before) + 1, f"there is no tag '{word}'"),
    ]


def test_nothing_is_printed_where_a_condition_has_no_other_side(tmp_path: Path) -> None:
    assert not told(tmp_path, 'All is{{ " not" if false }} well.')


def test_files_that_take_each_other_in_are_told_where_it_comes_round(tmp_path: Path) -> None:
    (tmp_path / "part.md").write_text("{{ bta }} {% include 'page.md' %}\n", encoding="utf-8")
    _, problems = Writer(tmp_path).attempt("x {% include 'part.md' %}{{ bta }}\n")
    assert [(one.path, one.message) for one in problems] == [
        ("page.md", "unknown name 'bta'"),
        ("part.md", "unknown name 'bta'"),
        ("part.md", "the text takes itself in"),
    ]


@pytest.mark.parametrize(
    "tag", ["{% set x %}", "{% if false %}", "{% for x in [] %}", "{% for a, b in\n[] %}", "{% lead %}", "{% note %}"]
)
def test_what_stands_behind_a_tag_without_an_end_is_read(tmp_path: Path, tag: str) -> None:
    first, *others = told(tmp_path, f"{tag} Words.\n\n{{{{ bta }}}} 42\n")
    below = 3 + tag.count("\n")
    assert (first[0], first[2].partition(";")[0]) == (1, f"{{% {tag.split()[1]} %}} is never closed")
    assert [(line, said.partition(";")[0]) for line, _, said in others] == [
        (below, "the numeral '42' is typed into the text"),
        (below, "unknown name 'bta'"),
    ]


def test_both_branches_of_a_condition_without_an_end_are_read(tmp_path: Path) -> None:
    text = "{% if gama %}\n{{ bta }} {% if 1 %}a{% else %}b{% endif %}\n{% elif 1 %}\n41\n{% else %}\n42\n"
    assert [(line, said.partition(";")[0]) for line, _, said in told(tmp_path, text)] == [
        (1, "unknown name 'gama'"),
        (1, "{% if %} is never closed"),
        (2, "unknown name 'bta'"),
        (4, "the numeral '41' is typed into the text"),
        (6, "the numeral '42' is typed into the text"),
    ]


def test_a_fault_of_ours_in_a_sum_is_no_mistake_of_the_page(tmp_path: Path) -> None:
    class Odd:
        def __add__(self, other: object) -> object:
            raise TypeError("ours")

    with pytest.raises(TypeError, match="ours"):
        Writer(tmp_path).attempt("{{ odd() + 1 }}", extras={"odd": Odd})
