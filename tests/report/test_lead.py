"""The lead of a page: prose like any other, first in its text, and plain words wherever else it serves."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from report.lead import parted
from report.research.plain import plain
from report.twins.pages import Source, twins
from tests.report.toy import Writer, words


@pytest.fixture
def writer(tmp_path: Path) -> Writer:
    return Writer(tmp_path)


def test_a_lead_is_a_paragraph_of_its_own(writer: Writer) -> None:
    html = writer.html('\n{% lead %}"So" it *is*.{% endlead %}\n\nThen the text.\n')
    assert html == '<p class="lead">“So” it <em>is</em>.</p>\n<p>Then the text.</p>\n'


@pytest.mark.parametrize("between", ["", " ", "\n", "\n\n"])
def test_what_follows_is_no_part_of_it(writer: Writer, between: str) -> None:
    html = writer.html(f"{{% lead %}}So it is.{{% endlead %}}{between}Then the text.\n")
    assert [words(part) for part in parted(html)] == ["So it is.", "Then the text."]


def test_its_numbers_and_claims_are_those_of_the_page(writer: Writer) -> None:
    claim = '{% claim "large", live.beta > 9 %}It asks for {{ live.beta | sig(3) }}.{% endclaim %}'
    page = writer.page(f"{{% lead %}}{claim}{{% endlead %}}\n" + "\nA second {{ live.beta | sig(3) }}.\n")
    assert [(number.n, number.line, number.where, number.heading, number.live) for number in page.numbers] == [
        (1, 5, "text", "", True),
        (2, 7, "text", "", True),
    ]
    assert [(claim.name, claim.sentence) for claim in page.claims] == [("large", "It asks for 295.")]
    assert 'data-n="1"' in parted(page.html)[0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{% lead %}The 42 of it.{% endlead %}", "1: the numeral '42' is typed into the text"),
        ("{% lead %}\nSo\n{{ bta }}.{% endlead %}", "3: unknown name 'bta'"),
        ("{% lead %}An H100 is faster.{% endlead %}", "1: 'faster' compares in a sentence with a number or a name"),
        ('{% lead %}{% claim "a", live.beta < 9 %}So.{% endclaim %}{% endlead %}', "1: claim 'a' is false"),
        ("{% lead %}One.\n\nTwo.{% endlead %}", "1: a lead is one paragraph; close it before the blank line"),
        ("{% lead %}One.\n\nTwo.", "1:1: {% lead %} is never closed"),
        ("One.{% endlead %}", "1:5: {% endlead %} belongs to a lead, and none is open"),
        ("Words.\n\n{% lead %}One.{% endlead %}", "3: a lead stands first on its page; move it right below"),
        ("Words {% lead %}one.{% endlead %}", "1: a lead stands first on its page"),
        ("{% lead %}One.{% endlead %}\n\n{% lead %}Two.{% endlead %}", "3: a lead stands first on its page"),
    ],
)
def test_what_is_wrong_in_it_is_told_once_at_its_line(writer: Writer, text: str, told: str) -> None:
    found = writer.told(text + "\n")
    assert len(found) == 1, found
    assert found[0].startswith(told)


def test_a_file_without_front_matter_has_none(writer: Writer, tmp_path: Path) -> None:
    (tmp_path / "part.md").write_text("{% lead %}One.{% endlead %}\n", encoding="utf-8")
    _, problems = writer.attempt('x\n{% include "part.md" %}\n')
    assert [str(problem) for problem in problems] == [
        "part.md:1: a lead stands first on its page; move it right below the front matter"
    ]


def test_in_front_matter_it_is_told_where_it_belongs(writer: Writer) -> None:
    _, problems = writer.attempt("x\n", front="---\ntitle: a\ndescription: b\nlead: c\n---\n")
    hint = "it stands below the front matter, in {% lead %}...{% endlead %}"
    assert [str(problem) for problem in problems] == [f"page.md:4: front matter: unknown key 'lead'; {hint}"]


def test_a_page_may_go_without() -> None:
    assert parted("<h2>Title</h2>\n<p>Text.</p>") == ("", "<h2>Title</h2>\n<p>Text.</p>")


def test_the_markdown_twin_has_it_under_the_title() -> None:
    lead, html = parted('<p class="lead">It asks for <data>295</data>.</p>\n<p>The text.</p>\n')
    (text,) = twins([Source("a/index.html", "A page", "What it says.", lead, html)]).values()
    title, under, _, last = text.decode().strip().split("\n\n")
    assert (title, under, last) == ("# A page", "*It asks for 295.*", "The text.")


def test_leads_of_the_site_hold_checked_numbers(site: Path) -> None:
    report, dossier = (
        parted(re.split(r"</h1>\s*", (site / path).read_text(encoding="utf-8"))[1])[0]
        for path in ("index.html", "research/memory-wall/index.html")
    )
    assert "hundreds of operations for every byte, 295 on" in plain(report)
    data = json.loads((site / "research" / "memory-wall" / "index.json").read_bytes())
    assert plain(dossier) == data["lead"]
    assert "warnings of 40 years" in data["lead"]
    printed = json.loads((site / "data" / "numbers.json").read_bytes())["numbers"]
    assert any("sources.kung-1986.year" in key for key in printed)
    assert any(key.startswith("content/report/index.md# live.beta") for key in printed)
