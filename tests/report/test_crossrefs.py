"""Cross-references and notes: numbered over the whole page, forward too; what points nowhere is a mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from report import crossrefs, prose
from report.blocks import CAPTION
from report.desk import Desk
from report.errors import BuildError
from tests.report.toy import FRONT, SETTING, words

TABLE = '<div class="table wide" id="{0}"><div class="table-caption" id="{0}-caption">{1}</div><table></table></div>\n'


def figure(_desk: Desk, name: str, title: str) -> str:
    return f'<figure id="fig-{name}" class="figure wide"><figcaption>{title} {CAPTION}</figcaption></figure>\n'


def table(_desk: Desk, name: str) -> str:
    return TABLE.format(name, CAPTION)


SETTINGS = prose.Setting(
    SETTING.world, SETTING.catalogue, SETTING.vocabulary, blocks={"figure": figure, "table": table}
)


def page(folder: Path, text: str, **sections: str) -> prose.Page:
    front = FRONT.replace("---\n", f"---\nsections: [{', '.join(f'{name}.md' for name in sections)}]\n", 1)
    (folder / "page.md").write_text(front + text, encoding="utf-8")
    for name, part in sections.items():
        (folder / f"{name}.md").write_text(part, encoding="utf-8")
    return prose.page("page.md", folder, SETTINGS)


def told(folder: Path, text: str, **sections: str) -> list[str]:
    with pytest.raises(BuildError) as caught:
        page(folder, text, **sections)
    lines = FRONT.count("\n") + 1
    return [
        str(problem).replace(f"page.md:{problem.line}", f"page.md:{problem.line - lines}")
        for problem in caught.value.problems
    ]


FIGURES = '{% figure "one", "First" %}x{% endfigure %}\n\n{% figure "two", "Second" %}y{% endfigure %}\n'


def test_figures_tables_equations_and_sections_are_called_by_number_or_title(tmp_path: Path) -> None:
    text = (
        'See {{ ref("fig-two") }}, {{ ref("rows") }}, {{ ref("eq-b") }} and {{ ref("end") }}.\n\n'
        "$$a$$ {#eq-a}\n\n$$b$$ {#eq-b}\n\n$$c$$\n\n"
        f'{FIGURES}\n{{% table "rows" %}}Rows.{{% endtable %}}\n\n## The *end* {{#end}}\n'
    )
    html = page(tmp_path, text).html
    assert '<a class="ref" href="#fig-two">Figure\u00a02</a>' in html
    assert words(html).startswith("See Figure\u00a02, Table\u00a01, equation\u00a02 and “The end”.")
    assert '<span class="equation-number">(1)</span></div>' in html
    assert html.count("equation-number") == 2
    assert 'id="rows-caption"><strong>Table\u00a01.</strong> Rows.' in html


def test_an_equation_that_begins_a_sentence_has_a_capital(tmp_path: Path) -> None:
    text = '$$a$$ {#eq-a}\n\n{{ ref("eq-a") }} holds. {{ ref("eq-a") }} stays, and {{ ref("eq-a") }} too.\n'
    said = words(page(tmp_path, text).html).replace("\u00a0", " ")
    assert said.endswith("Equation 1 holds. Equation 1 stays, and equation 1 too.")


def test_a_reference_may_point_into_another_file_and_forward(tmp_path: Path) -> None:
    html = page(tmp_path, 'See {{ ref("fig-two") }}.\n', later=FIGURES).html
    assert "See <a" in html
    assert "Figure\u00a02" in html


def test_an_author_may_give_the_words_but_no_number(tmp_path: Path) -> None:
    text = '## Here {#here}\n\nAs {{ ref("here", "said above") }}.\n'
    assert '<a class="ref" href="#here">said above</a>' in page(tmp_path, text).html
    assert "hold a numeral" in told(tmp_path, '## Here {#here}\n\n{{ ref("here", "part 20") }}\n')[0]


def test_a_claim_says_its_references_in_words_everywhere(tmp_path: Path) -> None:
    text = f'{FIGURES}\n{{% claim "c", live.T > 9 %}}It shows in {{{{ ref("fig-two") }}}}.{{% endclaim %}}\n'
    found = page(tmp_path, text)
    assert found.claims[0].sentence == "It shows in Figure\u00a02."
    assert found.claims[0].variants[0][1] == "It shows in Figure\u00a02."
    assert not any(ord(mark) >= 0xE000 for mark in found.characters)


def test_a_reference_to_nothing_is_named_with_the_nearest(tmp_path: Path) -> None:
    assert told(tmp_path, f'{FIGURES}\nSee\n{{{{ ref("fig-tow") }}}}.\n') == [
        "page.md:6:9: there is no figure, table, equation or section 'fig-tow'; did you mean 'fig-two'?"
    ]


def test_a_name_that_cannot_be_one_is_refused(tmp_path: Path) -> None:
    assert "is not the name of" in told(tmp_path, '{{ ref("Figure 2") }}\n')[0]


def test_a_link_into_the_page_that_leads_nowhere_is_a_mistake(tmp_path: Path) -> None:
    assert told(tmp_path, "## Here {#here}\n\n[x](#her)\n") == [
        "page.md:3:5: a link leads to '#her', which is nowhere; did you mean 'here'?"
    ]
    assert page(tmp_path, "## Here {#here}\n\n[x](#here) [y](#v=1&T=512)\n").html


def test_notes_are_numbered_over_the_files_and_lead_back(tmp_path: Path) -> None:
    one = "One{% note %}First, {{ live.T | exact }}.{% endnote %} two.\n"
    html = page(tmp_path, one, later="Three{% note %}Second.{% endnote %}.\n").html
    assert '<a class="note-ref" id="note-from-1" href="#note-1"><sup>1</sup></a>' in html
    assert '<span class="note" id="note-2" role="note"><a class="note-back" href="#note-from-2"' in html
    assert ">2</a> Second.</span>." in html


def test_a_note_is_prose_like_any_other(tmp_path: Path) -> None:
    assert "the numeral '42' is typed" in told(tmp_path, "x{% note %}It is 42.{% endnote %}\n")[0]


def test_targets_are_counted_by_kind_in_the_order_of_the_page(tmp_path: Path) -> None:
    found = page(tmp_path, f"## Here {{#here}}\n\n$$a$$ {{#eq-a}}\n\n{FIGURES}")
    assert [(target.name, target.called) for target in crossrefs.targets(found)] == [
        ("eq-a", "equation\u00a01"),
        ("fig-one", "Figure\u00a01"),
        ("fig-two", "Figure\u00a02"),
        ("here", "“Here”"),
    ]
