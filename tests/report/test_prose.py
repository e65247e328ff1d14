"""A page from Markdown: what is printed, what is refused, and on which line."""

from __future__ import annotations

import re
from pathlib import Path

import html5lib
import pytest

from report import prose, wordlist
from report.desk import Desk
from report.errors import BuildError
from tests.report.toy import CATALOGUE, FRONT, SETTING, ToyCatalogue, Writer, machine, words

FLOOR = 'T_min(machine="h100", network="wide")'


@pytest.fixture
def writer(tmp_path: Path) -> Writer:
    return Writer(tmp_path)


def test_numbers_are_marked_with_what_they_are(writer: Writer) -> None:
    page = writer.page(
        f'It takes {{{{ {FLOOR} | sig(3) }}}} of {{{{ live.T | exact }}}} at {{{{ machine("h100").bandwidth }}}}.'
    )
    assert page.html == (
        '<p>It takes <data class="n pinned" data-n="1" value="734.057">734</data> of '
        '<data class="n live" data-n="2" value="2048">2,048</data> at '
        '<data class="n row n-bytes" data-n="3" value="3.35e+12">3.35\u00a0TB/s</data>.</p>\n'
    )
    assert [(number.n, number.text, number.live, number.unit, number.where) for number in page.numbers] == [
        (1, "734", False, "token", "text"),
        (2, "2,048", True, "token", "text"),
        (3, "3.35\u00a0TB/s", False, "B/s", "text"),
    ]
    assert page.numbers[1].js == "['exact', null, null, () => q(\"T\")]"
    assert (page.numbers[0].js, page.numbers[2].js) == ("", "")
    assert page.numbers[0].answers[0].leaves()["d"].row == "networks/wide/d"


def test_keys_of_numbers_are_stable_under_edits_elsewhere(writer: Writer) -> None:
    floor = f"{{{{ {FLOOR} | sig(3) }}}}"
    first = f"## A {{#one}}\n\n{floor} {floor}\n\n## B {{#two}}\n\n{floor}\n"
    before = [number.key for number in writer.page(first).numbers]
    after = [number.key for number in writer.page("{{ live.T | exact }}\n\n" + first).numbers]
    stem = "T_min(machine=h100, network=wide) | sig(3)"
    assert before == [f"page.md#one {stem}", f"page.md#one {stem} (2)", f"page.md#two {stem}"]
    assert after[1:] == before


def test_a_page_says_title_headings_citations_and_letters(writer: Writer) -> None:
    page = writer.page(
        '## The {{ machine("h100").name }} *here* {#hi}\n\nα {{ cite("pope2026") }} {{ cite("llama3-2024") }}\n'
    )
    assert (page.title, page.description, page.path) == ("A page", "What it says.", "page.md")
    assert page.headings == (("hi", "The H100 SXM5 80 GB here", 2),)
    assert '<h2 id="hi">The <span class="name">H100 SXM5 80 GB</span> <em>here</em></h2>' in page.html
    assert page.citations == ("pope2026", "llama3-2024")
    assert "α" in page.characters
    assert "<" not in page.characters


def test_a_catalogue_value_prints_as_its_row_writes_it(writer: Writer) -> None:
    text = (
        '{{ machine("h100").peak.bf16 }}, {{ machine("h100").peak["bf16"] | qty(2) }}, {{ machine("h100").year }}, '
        '{{ network("wide").d }}, {{ network("wide").params }}, {{ network("wide").value }}, {{ machine("h100").age }}'
    )
    expected = "989.4 TFLOP/s, 990 TFLOP/s, 2022, 4,096, 7 billion parameters, 12, 4"
    assert words(writer.html(text)).replace("\u00a0", " ") == expected
    ratio = '{{ (machine("h100").bandwidth / machine("a100").bandwidth) | sig(2) }}'
    assert words(writer.html(ratio)) == "1.6"


def test_an_absent_value_is_said_in_a_cell_and_refused_in_prose(writer: Writer) -> None:
    table = '| a |\n|---|\n| {{ machine("h100").nic }} |\n| {{ live.T_min(network="thin") | sig(2) }} |\n'
    html = writer.html(table)
    assert '<data class="n row" data-n="1" value="">not known</data>' in html
    assert '<data class="n live" data-n="2" value="">no batch reaches the balance</data>' in html
    assert writer.told('{{ machine("h100").nic }}') == ["1: machine(h100).nic has no value: not known"]


def test_cited_facts_and_references_may_hold_digits(writer: Writer) -> None:
    html = writer.html('{{ fact("16,384 GPUs", "llama3-2024") }}, {{ cite("pope2026", "section 2") }}, {{ ref("x") }}')
    assert '16,384\u00a0GPUs\u00a0<a class="cite" href="#ref-llama3-2024" data-cite="llama3-2024">[1]</a>' in html
    assert '<a class="cite" href="#ref-pope2026" data-cite="pope2026">[2, section 2]</a>' in html
    assert '<a href="#x">Figure 3</a>' in html


def test_a_block_of_another_part_needs_no_paragraph(writer: Writer) -> None:
    assert writer.html('Text.\n\n{{ figure("roofline") }}\n') == '<p>Text.</p>\n<figure id="fig-roofline"></figure>\n'


def test_formulas_stand_in_text_lists_and_displays(writer: Writer) -> None:
    assert "<p>so <math display=" in writer.html("so $$x$$ it is")
    html = writer.html("Let $x_1$ be\n\n- one\n\n  $$\\beta = \\formula{beta}$$ {#eq-b}\n- *two* $y$\n")
    assert "<p>Let <math><mrow><msub><mi>x</mi><mn>1</mn></msub></mrow></math> be</p>" in html
    assert '<div class="equation" id="eq-b"><math display="block">' in html
    assert html.count("<math") == 3


def test_values_in_formulas_are_numbers_of_the_page(writer: Writer) -> None:
    page = writer.page(
        "$T = \\val{live.T}{exact}$ and $\\val{T_min(machine=h100, network=thin)}{2}$, $\\val{live.T_min(T=512)}{2}$"
    )
    assert '<mn class="n live" data-n="1">2,048</mn>' in page.html
    assert '<mtext class="n pinned" data-n="2">no batch reaches the balance</mtext>' in page.html
    assert [(number.where, number.live) for number in page.numbers] == [
        ("maths", True),
        ("maths", False),
        ("maths", True),
    ]


def test_prices_subscripts_and_code_are_left_alone(writer: Writer) -> None:
    text = (
        "A dollar sign, \\$, then another \\$; T_min and d_model; `$x$ {{ y }} {# z #} \\frac`.\n\n"
        "```\n{% raw %} {{ T_min }} $a$ 2048\n```\n\n~~~ text\n$5 {# x #}\n~~~\n\n$\\text{costs }\\$ x$\n"
    )
    html = writer.html(text)
    assert (
        "<p>A dollar sign, $, then another $; T_min and d_model; <code>$x$ {{ y }} {# z #} \\frac</code>.</p>" in html
    )
    assert "<code>{% raw %} {{ T_min }} $a$ 2048\n</code>" in html
    assert "$5 {# x #}\n" in html
    assert html.count("<math>") == 1


def test_braces_and_signs_of_templates_survive_in_formulas(writer: Writer) -> None:
    html = writer.html("$${{T}}_{{d}} {\\#}{\\%}$$\n\n$a_{\\text{T}}$")
    assert "<msub><mi>T</mi><mi>d</mi></msub>" in html
    assert html.count("<math") == 2


def test_a_value_is_printed_not_run_and_escaped_once(writer: Writer) -> None:
    name = 'A </script> <!-- & " {{ 7 }} *x* $y$ \u2028'
    rows = ToyCatalogue({**CATALOGUE.machines, "odd": machine("odd", name, 1e12, 1e12)}, CATALOGUE.networks)
    html = writer.html('It is {{ machine("odd").name }}, ![{{ machine("odd").name }}](x.png).', catalogue=rows)
    tree = html5lib.parse(html, namespaceHTMLElements=False)
    paragraph, image = tree.find(".//p"), tree.find(".//img")
    assert paragraph is not None
    assert image is not None
    assert "".join(paragraph.itertext()).rstrip(".") == f"It is {name}, "
    assert image.get("alt") == name
    assert not tree.findall(".//script")


def test_comments_leave_nothing_behind(writer: Writer) -> None:
    assert writer.html("One {%# not {{ this }} nor\n$that$ #%} two {%# x #%}.\n{%# line #%}\n") == "<p>One two.</p>\n"


def test_quotes_are_set_and_tables_have_no_inline_style(writer: Writer) -> None:
    html = writer.html('"So" it\'s -- ...\n\n| a | b |\n|--:|:-:|\n| x | y |\n')
    assert "“So” it’s – …" in html
    assert '<td class="right">x</td>' in html
    assert '<td class="center">y</td>' in html
    assert "style=" not in html


def test_loops_fill_tables(writer: Writer) -> None:
    rows = '{% for m in ["h100", "a100"] -%}\n| {{ machine(m).short }} | {{ beta(machine=m) | sig(3) }} |\n{% endfor %}'
    html = writer.html("| m | b |\n|---|--:|\n" + rows)
    assert html.count("<tr>") == 3
    assert words(html).split() == ["m", "b", "H100", "295", "A100", "153"]


def test_years_terms_names_and_small_numbers_are_no_naked_numerals(writer: Writer) -> None:
    text = (
        "From 1936 to 2035, in the 1980s: the H100 SXM5 80 GB, A100s, GPT-3, fp8 and 16-bit floats; twelve of them, "
        "one first. [arXiv 1234.5678](https://example.org/1) and `2048`.\n"
    )
    assert writer.html(text)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("It takes 2048 tokens.", "numeral '2048'"),
        ("It takes 2000 tokens.", "numeral '2000'"),
        ("In 1935.", "numeral '1935'"),
        ("In 2036.", "numeral '2036'"),
        ("About 3.5% of it", "numeral '3.5%'"),
        ("The 21st and 4-fold", "numeral '21st'"),
        ("1,986 of them", "numeral '1,986'"),
        ("some thirty of them", "number word 'thirty'"),
        ("a thousandfold gain", "number word 'thousandfold'"),
        ("two millions", "number word 'millions'"),
        ("| a |\n|---|\n| 42 |\n", "numeral '42'"),
        ("## The 42 {#x}\n", "numeral '42'"),
        ("![the 42](x.png)\n", "numeral '42'"),
        ('[x](https://e.org "the 42")\n', "numeral '42'"),
        ("[the 42](#x)\n", "numeral '42'"),
        ('{{ "42" }}', "the text '42' is printed with a numeral in it"),
        ("H1000", "numeral '1000'"),
        ("½ of it", "numeral '½'"),
    ],
)
def test_naked_numerals_are_refused(writer: Writer, text: str, named: str) -> None:
    told = writer.told(text)
    assert any(named in line for line in told), told


def test_title_and_description_hold_no_naked_numerals(writer: Writer) -> None:
    told = writer.told("x", front="---\ntitle: The 42\ndescription: y\n---\n")
    assert [line for line in told if "numeral '42'" in line]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The H100 SXM5 80 GB is faster than most.", True),
        ('The {{ machine("h100").name }} is twice as fast.', True),
        ("It takes {{ live.T | exact }} tokens, more than before.", True),
        ("Wide layers are better. It takes {{ live.T | exact }} tokens.", False),
        ("It is faster.", False),
        ('Of {{ fact("16,384 GPUs", "llama3-2024") }} some were slower.', False),
        ('{% claim "c", live.T > 9 %}It takes more than it has, {{ live.T | exact }}.{% endclaim %}', False),
        ('{% claim "c", live.T > 9 %}It takes {{ live.T | exact }},{% endclaim %} more than it has.', True),
    ],
)
def test_comparatives_beside_numbers_and_names_need_a_claim(writer: Writer, text: str, wrong: bool) -> None:
    told = writer.told(text)
    assert bool([line for line in told if "compares in a sentence with a number or a name" in line]) is wrong, told


def test_captions_handed_to_other_parts_are_prose_too(writer: Writer) -> None:
    told = writer.told('x\n\n{{ figure("roofline", "The 42 points.", caption="An H100 is faster.") }}\n')
    assert [line.split(";")[0] for line in told] == [
        "3: 'faster' compares in a sentence with a number or a name",
        "3: the numeral '42' is typed into the text",
    ]


def test_an_error_outside_the_template_is_ours(writer: Writer) -> None:
    def broken(name: str) -> prose.Html:
        raise TypeError(name)

    with pytest.raises(TypeError, match="x"):
        writer.attempt('{{ broken("x") }}', extras={"broken": broken})


def test_a_live_number_that_may_lack_a_value_stands_in_a_claim(writer: Writer) -> None:
    assert writer.told("It takes {{ live.T_min | sig(3) }}.") == [
        "1: live.T_min has no value on network=thin (no-batch); "
        'put the sentence into a claim with {% otherwise "no-batch" %}'
    ]
    assert writer.html("| a |\n|---|\n| {{ live.T_min | sig(3) }} |\n")
    assert writer.html("$\\val{live.T_min}{3}$")
    assert writer.html("It has {{ live.beta | sig(3) }} FLOP per byte.")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{{ T_min(machine="h100") | sig(3) }}', "T_min(machine=h100) does not name network, on which it depends"),
        ("{{ T_min() | sig(3) }}", "T_min() does not name machine and network, on which it depends"),
        ('{{ T(machine="h100") | exact }}', "T(machine=h100) does not name T, on which it depends"),
        (
            '{{ beta(machine="h100", T=3) | sig(3) }}',
            "beta(T=3, machine=h100) names T, which changes nothing; leave T out",
        ),
        ('{{ beta(machine="h100", network="wide") | sig(3) }}', "names network, which changes nothing"),
        ('{{ beta(machin="h100") | sig(3) }}', "beta: unknown key 'machin'; did you mean machine?"),
        ('{{ beta(machine="h10") | sig(3) }}', "beta: unknown machine 'h10'; did you mean h100?"),
        ('{{ beta("h100") | sig(3) }}', 'beta takes keys only; write beta(machine="...")'),
        ("{{ beta(machine=none) | sig(3) }}", "beta: machine is None; a key takes a name in quotes or a number"),
        ("{{ beta(machine=who) | sig(3) }}", "unknown name 'who'"),
        ("{{ live.T_min(512) | sig(3) }}", "live.T_min takes keys only; write live.T_min(T=512)"),
        ('{{ live.beta(machine="h10") | sig(3) }}', "unknown machine 'h10'"),
        ("{{ live.T_mn | sig(3) }}", "live.T_mn: there is no quantity 'T_mn'; did you mean 'T_min'?"),
        ("{{ live.T_min }}", "live.T_min is printed without a filter; write | sig(3)"),
        ("{{ live.T / 2 }}", "live.T / 2 is printed without a filter"),
        ("{{ T_min }}", 'T_min is a name, not a number; write T_min(machine="...") or live.T_min'),
        ("{{ T_min | sig(3) }}", "T_min is a name, not a number; write T_min(machine"),
        ("{{ 42 }}", "the bare number 42 is printed"),
        ("{{ 4.2 }}", "the bare number 4.2 is printed"),
        ("{{ none }}", "nothing is printed"),
        ('{{ machine("h100") }}', "machine(h100) is a row; print one of its fields, such as .name"),
        ('{{ machine("h10").name }}', "unknown machine 'h10'; did you mean 'h100'?"),
        ("{{ machine(who).name }}", "unknown name 'who'"),
        ('{{ machine("h100").bandwith }}', "machine(h100) has no 'bandwith'; did you mean 'bandwidth'?"),
        ('{{ machine("h100").peak.bf61 }}', "machine(h100).peak has no 'bf61'; did you mean 'bf16'?"),
        ('{{ machine("h100").trains }}', "machine(h100).trains is yes or no"),
        ('{{ machine("h100").runs }}', "machine(h100).runs cannot be printed"),
        ("{{ bta | sig(3) }}", "unknown name 'bta'; did you mean 'beta'?"),
        ("{{ bta.x }}", "unknown name 'bta'"),
        ("{{ bta + 1 }}", "unknown name 'bta'"),
        ("{% for x in bta %}{% endfor %}", "unknown name 'bta'"),
        ("{% if bta %}{% endif %}", "unknown name 'bta'"),
        ("{% if 3 in bta %}{% endif %}", "unknown name 'bta'"),
        ('{{ "a" ~ bta }}', "unknown name 'bta'"),
        ('{{ "abc".size }}', "'abc' has no 'size'"),
        ("{{ live.T | sgi(3) }}", "there is no filter 'sgi'; did you mean 'sig'?"),
        ("{{ live.T | sig }}", "sig: 'n' is missing; write sig(3)"),
        ('{{ live.T | count("token", 3, 4) }}', "count: too many positional arguments; it takes value, word, [n]"),
        ("{{ beta(machine=h100) | sig(3) }}", "unknown name 'h100'; names of rows stand in quotes: \"h100\""),
        (
            "{{ beta(machine=“h100”) | sig(3) }}",
            "the quotation mark “ is for prose; inside {{ }} and {% %} write",
        ),
        ('{% claim "c", live.T = 1 %}x{% endclaim %}', "'=' compares nothing; write <, <=, > or >="),
        (
            "{{ live.T | sig(3) so on {{ live.T | sig(3) }}",
            "{{ is never closed; write }}",
        ),
        ("<<<<<<< HEAD", "git has left a conflict here; keep one side, and delete the lines of <, = and >"),
        ("$$ x", "'$$' opens a formula that is never closed; write $$ at its end too"),
        ("$\\bet$", "there is no command '\\bet'; did you mean '\\beta'?"),
        ("{{ live.T | sig(bta) }}", "unknown name 'bta'"),
        ('{{ live.T | count("tken") }}', "count: unknown word 'tken'; did you mean 'token'?"),
        ('{{ cite("pope") }}', "there is no reference 'pope'; did you mean 'pope2026'?"),
        ('{{ fact("x", "pope2025") }}', "there is no reference 'pope2025'; did you mean 'pope2026'?"),
        ("{{ [1] }}", "[1] cannot be printed"),
        ('{{ 3 + "x" }}', "'+' is not for 3 and 'x'"),
        ("{{ 1 / 0 }}", "division by zero"),
        ("{{ T_min( }}", "'(' of T_min is never closed; write )"),
        ("{% nonsense %}", "there is no tag 'nonsense'"),
        (
            "A {# comment #}",
            "'{#' belongs to the end of a heading or a display, as in ## Title {#name} and $$x$$ {#eq-name}; a comment",
        ),
        ("It costs $so and then $", "a dollar sign that opens no formula; write \\$ for the sign"),
        ("\\(x\\)", "formulas in \\(...\\) or \\[...\\] are not read; write $...$ or $$...$$"),
        ("x \\foo y", "the TeX command \\foo stands outside a formula"),
        ("a <b>c</b>", "the HTML tag <b> would be printed as text"),
        ("$\\foo$", "formula: there is no command '\\foo'"),
        ("$\\val{live.foo}{3}$", "\\val: there is no quantity 'foo'"),
        ("$\\val{beta(machine=h10)}{3}$", "unknown machine 'h10'"),
        ("$\\val{live.beta(machine=h10)}{3}$", "unknown machine 'h10'"),
        ("## Title\n", "heading 'Title' has no id; write {#name} after it"),
        (
            '## At {{ live.T | count("token") }} {#x}\n',
            "heading 'At 2,048 tokens' holds a number that follows the reader",
        ),
        ("## A {#x}\n\n## B {#x}\n", "the id 'x' is taken in line"),
        ('{{ "the " ~ machine("h100").name }}', "the text 'the H100 SXM5 80 GB' is printed with a numeral in it"),
        ("{{ live.T | length }}", "there is no filter 'length'"),
        ("![{{ live.T | exact }}](x.png)", "the live number live.T | exact stands in an alternative text"),
    ],
)
def test_each_mistake_is_said_once_with_its_line(writer: Writer, text: str, message: str) -> None:
    told = writer.told("Fine.\n\nAlso\n" + text + "\n")
    hits = [line for line in told if message in line]
    assert len(hits) == len(told) == 1, told
    line = 6 if text.startswith("## A {") else 4
    assert re.match(rf"{line}(:\d+)?: ", hits[0])


def test_lines_are_right_through_loops_sets_and_wrapped_paragraphs(writer: Writer) -> None:
    text = (
        "One\nand two\nand 33 here\n\n{% set x = bta %}\n{% for m in ['h100'] %}\nrow {{ bta }}\n{% endfor %}\n"
        "{{ x }} then\n$a +\nb$ and 44 there\n\n```\n77\n```\n\n"
        "{{ live.T_min(\n  T=512,\n  format=nothing) | sig(2) }}\n\n55\n"
    )
    told = writer.told(text)
    lines = sorted((int(line.split(":")[0]), re.sub(r"^\d+: ", "", line).split(";")[0]) for line in told)
    call = (17, 18, 19)  # a call over several lines is reported on one of them
    assert [(line, message) for line, message in lines if line not in call] == [
        (3, "the numeral '33' is typed into the text"),
        (7, "unknown name 'bta'"),
        (9, "unknown name 'bta'"),
        (11, "the numeral '44' is typed into the text"),
        (21, "the numeral '55' is typed into the text"),
    ]
    assert [message for line, message in lines if line in call] == ["unknown name 'nothing'"]


def test_many_mistakes_come_in_one_run(writer: Writer) -> None:
    text = "{{ bta }}\n{{ 42 }}\n{{ live.foo }}\n{{ live.T }}\n{{ cite('x') }}\n77\n$\\foo$\n{{ machine('x').name }}\n"
    assert [line.split(":")[0] for line in writer.told(text)] == [str(line) for line in range(1, 9)]


@pytest.mark.parametrize(
    ("front", "message"),
    [
        ("---\ntitle: x\n---\n", "page.md:1:1: the page has no description; write 'description: ...'"),
        ("", "page.md:1:1: the page has no title"),
        ("---\ntitle: x\ndescripton: y\n---\n", "unknown key 'descripton'; did you mean 'description'?"),
        ("---\ntitle: x\ndescription: y\nmood: z\n---\n", "page.md:4: front matter: unknown key 'mood'; the keys are"),
        ("---\n- x\n---\n", "page.md:2: front matter is not a mapping"),
        ("---\ntitle: [x\n---\n", "page.md:2:8: front matter: '[' is never closed"),
    ],
)
def test_front_matter_is_wanted(writer: Writer, front: str, message: str) -> None:
    _, problems = writer.attempt("x", front=front)
    assert any(message in str(problem) for problem in problems), problems


def test_a_part_that_is_included_names_its_own_file(writer: Writer, tmp_path: Path) -> None:
    (tmp_path / "part.md").write_text("Well.\n\n{{ bta }}\n", encoding="utf-8")
    _, problems = writer.attempt('x\n{% include "part.md" %}\n')
    assert [str(problem) for problem in problems] == ["part.md:3: unknown name 'bta'; did you mean 'beta'?"]
    _, problems = writer.attempt('x\n{% include "prt.md" %}\n')
    assert [str(problem) for problem in problems] == ["page.md:6:1: there is no file 'prt.md'"]


def test_a_page_with_mistakes_is_never_returned(writer: Writer, tmp_path: Path) -> None:
    writer.attempt("{{ bta }}")
    with pytest.raises(BuildError, match="unknown name 'bta'"):
        prose.page("page.md", tmp_path, SETTING)
    writer.attempt("x")
    assert prose.page("page.md", tmp_path, SETTING).html == "<p>x</p>\n"


def test_the_same_text_gives_the_same_page(writer: Writer) -> None:
    text = f'## A {{#a}}\n\n{{{{ {FLOOR} | sig(3) }}}} {{% claim "c", live.T > 1 %}}x{{% endclaim %}} $x$\n'
    assert writer.page(text) == writer.page(text)


def test_no_page_prints_more_than_there_are_placeholders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("report.desk._ROOM", 1)
    desk = Desk("page.md", SETTING)
    desk.put(prose.Plain("a"))
    desk.put(prose.Plain("b"))
    with pytest.raises(BuildError, match="prints more than 1 things"):
        desk.put(prose.Plain("c"))


def test_words_and_quantities_do_not_share_names(root: Path) -> None:
    from model.book import QUANTITIES

    known = wordlist.load(root / "content" / "vocabulary.yaml")
    assert not set(known.words) & (set(QUANTITIES) | {"live", "machine", "network", "fact", "cite"})


def test_the_front_matter_of_the_tests_is_what_a_page_wants() -> None:
    assert FRONT.startswith("---\ntitle: ")


def test_signs_that_compare_are_printed_as_they_stand(writer: Writer) -> None:
    assert "So x&lt;y and y&gt;x." in writer.html("So x<y and y>x.")
