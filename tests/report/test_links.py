"""The last pass: numbers and claims link to their entries, citations get names; what holds a link already stays."""

from __future__ import annotations

from pathlib import Path

import html5lib
import pytest

from report import links
from tests.report.toy import Writer

FLOOR = 'T_min(machine="h100", network="wide")'


@pytest.fixture
def writer(tmp_path: Path) -> Writer:
    return Writer(tmp_path)


def linked(writer: Writer, text: str, numbers: str = "numbers/index.html") -> links.Linked:
    page = writer.page(text)
    return links.link(page.html, numbers, page.numbers)


def test_a_number_is_a_link_to_its_entry(writer: Writer) -> None:
    html = linked(writer, f"It takes {{{{ {FLOOR} | sig(3) }}}}.", "../numbers/index.html").html
    assert '<a class="n-link" id="n1" href="../numbers/index.html#n1"><span class="n pinned">734</span></a>.' in html


def test_a_number_says_its_value_where_the_reader_can_move_it_or_it_has_none(writer: Writer) -> None:
    html = linked(writer, f"{{{{ live.T | exact }}}} and {{{{ {FLOOR} | sig(3) }}}}").html
    assert '<data class="n live" value="2048">2,048</data></a> and ' in html
    none = '<data class="n pinned" data-n="1" value="">–</data>'
    assert links.link(none, "numbers/index.html", ()).html.endswith('<data class="n pinned" value="">–</data></a>')


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("## At {{ T(T=512) | exact }} {#here}\n", "pinned"),  # one that follows the reader is refused there
        ("[at {{ live.T | exact }}](https://example.org)\n", "live"),
    ],
    ids=["heading", "link"],
)
def test_a_number_in_a_heading_or_a_link_stays_and_has_a_place(writer: Writer, text: str, kind: str) -> None:
    html = linked(writer, text).html
    assert "n-link" not in html
    assert f' id="n1" class="n {kind}"' in html


def test_a_number_in_a_formula_has_a_place_but_no_link(writer: Writer) -> None:
    html = linked(writer, r"$T = \val{live.T}{4}$").html
    assert "n-link" not in html
    assert '<mn id="n1" class="n live" data-n="1">' in html


def test_a_claim_has_a_link_over_its_bar_but_not_in_a_table(writer: Writer) -> None:
    claim = '{% claim "c", live.T > 9 %}x{% endclaim %}'
    html = linked(writer, claim).html
    assert (
        '<span id="claim-c" class="claim" data-claim="c"><a class="claim-link" href="numbers/index.html#claim-c"'
        in html
    )
    cell = linked(writer, f"| a |\n|---|\n| {claim} |\n").html
    assert 'id="claim-c"' in cell
    assert "claim-link" not in cell


def test_a_heading_is_a_link_to_itself(writer: Writer) -> None:
    html = linked(writer, "## A *b* {#one}\n\nText.\n\n### `<a>` {#two}\n").html
    assert html == (
        '<h2 id="one"><a href="#one">A <em>b</em></a></h2>\n<p>Text.</p>\n'
        '<h3 id="two"><a href="#two"><code>&lt;a&gt;</code></a></h3>\n'
    )


@pytest.mark.parametrize(
    "heading",
    ['<h4 id="one">A</h4>', "<h2>A</h2>", '<h2 id="one">A <a class="ref" href="#two">b</a></h2>'],
    ids=["of a lower level", "without a name", "with a link"],
)
def test_another_heading_stays_as_it_is(heading: str) -> None:
    after = '<p>Text.</p><h2 id="two">B</h2>'
    html = links.link(heading + after, "numbers/index.html", ()).html
    assert html == heading + '<p>Text.</p><h2 id="two"><a href="#two">B</a></h2>'


def test_citations_are_named_by_work_and_place(writer: Writer) -> None:
    found = linked(writer, '{{ cite("pope2026") }} {{ fact("6", "llama3-2024") }} {{ cite("pope2026", "page 3") }}')
    assert found.cited == {"pope2026": ("cite-pope2026-1", "cite-pope2026-2"), "llama3-2024": ("cite-llama3-2024-1",)}
    assert '<a id="cite-pope2026-2" class="cite" href="#ref-pope2026"' in found.html


def test_the_result_is_well_formed_with_every_id_once(writer: Writer) -> None:
    sentence = f"x {{{{ live.T | exact }}}} *y* {{{{ {FLOOR} | sig(2) }}}}"
    text = f'## A {{#a}}\n\n{{% claim "c", live.T > 9 %}}{sentence}{{% endclaim %}}'
    html = linked(writer, text).html
    assert html5lib.HTMLParser(strict=True).parseFragment(f"<div>{html}</div>") is not None
    tree = html5lib.parse(html, namespaceHTMLElements=False)
    ids = [found.get("id") for found in tree.iter() if found.get("id")]
    assert sorted(ids) == ["a", "claim-c", "n1", "n2"]


@pytest.mark.parametrize(
    ("say", "anchor"),
    [
        ("T_min(form=plain, machine=h100-sxm5)", "T_min-plain-h100-sxm5"),
        ("live.T_min(T=512)", "live.T_min-512"),
        ("machine(h100-sxm5).peak.bf16", "machine-h100-sxm5.peak.bf16"),
        ("1 / beta(machine=cray-1)", "1-over-beta-cray-1"),
        ("(T_min(T=1) - d_min(T=2)) * 2 + 1", "T_min-1-minus-d_min-2-times-2-plus-1"),
        ("a()", "a"),
    ],
)
def test_an_anchor_can_stand_in_an_address_and_says_what_is_asked(say: str, anchor: str) -> None:
    assert links.anchor(say) == anchor


def test_the_same_question_has_one_entry_and_like_names_are_told_apart(writer: Writer) -> None:
    text = f"{{{{ {FLOOR} | sig(3) }}}} {{{{ {FLOOR} | sig(2) }}}} {{{{ (live.T * live.T) | exact }}}}"
    page = writer.page(text)
    assert links.entries(page.numbers) == {1: "T_min-h100-wide", 2: "T_min-h100-wide", 3: "live.T-times-live.T"}
    twins = writer.page("{{ (live.T * (live.T * 2)) | exact }} {{ ((live.T * live.T) * 2) | exact }}").numbers
    assert list(links.anchors(twins)) == ["live.T-times-live.T-times-2", "live.T-times-live.T-times-2-2"]


def test_the_numbers_of_a_formula_are_linked_from_marks_after_it(writer: Writer) -> None:
    html = linked(writer, "A floor of $T = \\val{T_min(machine=h100, network=wide)}{3}$ tokens.").html
    formula, mark = html.split("</math>")
    assert 'id="n1"' in formula
    assert "<a" not in formula.partition("<math")[2]
    assert mark.startswith('<a class="n-mark" href="numbers/index.html#n1" aria-label="Where')
