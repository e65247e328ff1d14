"""A research page's file: each mistake is told with line and column, and its prose at the file's own lines."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from report import content, prose, schemas
from report.content import Content
from report.desk import Setting
from report.errors import BuildError
from report.research import facts, files, layout
from report.research.files import Written
from report.research.plain import plain
from report.site import TEMPLATES
from tests.report import toy

GOOD = """\
# a comment
title: A page
called: the page
description: What it says.
lead: |
  Briefly.
intro: |
  Before all.
entries:
- id: one
  title: A first
  says: |
    It says so,
    on two lines {{ cite("kung1986") }}.
  derivation: |
    By counting.
  sources: [kung1986, machines/cray-1]
  status: verified
- id: two
  title: A second
  status: estimate
  sources: []
  says: |
    Guessed.
  derivation: |
    None.
log:
- what: This
  against: that
  result: It held
    on the whole.
  status: held
"""


@pytest.fixture(scope="module")
def found(root: Path) -> Content:
    return content.read(root / "content")


def read(folder: Path, found: Content, text: str) -> Written:
    file = folder / "page.yaml"
    file.write_text(text, encoding="utf-8")
    return files.read(file, "content/research/page.yaml", found.references, found.catalogue)


def setting_of(found: Content, one: Written) -> Setting:
    texts = {one.path: one.text}
    return Setting(toy.SETTING.world, found.catalogue, found.vocabulary, found.references, texts=texts)


def faults(folder: Path, found: Content, text: str) -> list[str]:
    with pytest.raises(BuildError) as caught:
        read(folder, found, text)
    return [str(problem).removeprefix("content/research/page.yaml:") for problem in caught.value.problems]


def test_every_text_stands_on_the_line_on_which_it_was_written(tmp_path: Path, found: Content) -> None:
    one = read(tmp_path, found, GOOD)
    source, carried = GOOD.split("\n"), one.text.split("\n")
    assert len(source) == len(carried)
    texts = ("Before all.", "It says so,", "By counting.", "Guessed.", "None.")
    assert [(line.strip(), at) for at, line in enumerate(carried) if line in texts] == [
        (line.strip(), at) for at, line in enumerate(source) if line.strip() in texts
    ]
    assert carried[source.index("  title: A first")] == "## A first {#one}"
    assert carried[source.index("- what: This")] == "- This"
    assert carried[source.index("  result: It held")] == "- It held on the whole."


TOP = "'title', 'called', 'description', 'lead', 'intro', 'entries' and 'log'"
SLIPS = {
    "unknown key": (
        ("  status: verified", "  statsu: verified"),
        ["18:3: unknown key 'statsu'; did you mean 'status'?"],
    ),
    "misspelt head": (("called: ", "caled: "), ["3:1: unknown key 'caled'; did you mean 'called'?"]),
    "no dash": (
        ("- id: one", "  id: one"),
        ["10:3: a row begins here without its '-'; write '- id: one'"],
    ),
    "unknown status": (
        ("status: verified", "status: verifid"),
        ["18:11: 'status': unknown word 'verifid'; did you mean 'verified'?"],
    ),
    "unknown outcome": (
        ("status: held", "status: hold"),
        ["32:11: 'status': unknown word 'hold'; did you mean 'held'?"],
    ),
    "no source": (
        ("[kung1986, machines/cray-1]", "[kung1987, machines/cray-1]"),
        ["17:13: there is no source 'kung1987'; did you mean 'kung1986'?"],
    ),
    "no row": (
        ("machines/cray-1", "machines/cray1"),
        ["17:23: there is no source 'machines/cray1'; did you mean 'machines/cray-1'?"],
    ),
    "doubled id": (("- id: two", "- id: one"), ["19:7: the entry 'one' stands twice, first in line 10"]),
    "no id": (("- id: two", "- id: Two"), ["19:7: 'Two' is no id; ids are lower case with hyphens"]),
    "no block": (
        ("  says: |\n    Guessed.", "  says: Guessed."),
        ["23:3: 'says' is not a block of text; write 'says: |' and the text below it"],
    ),
    "folded": (
        ("  says: |\n    Guessed.", "  says: >\n    Guessed."),
        ["23:3: 'says' is not a block of text; write 'says: |' and the text below it"],
    ),
    "lead in a line": (
        ("lead: |\n  Briefly.\n", "lead: Briefly.\n"),
        ["5:1: 'lead' is not a block of text; write 'lead: |' and the text below it"],
    ),
    "heading": (
        ("    Guessed.", "    ## Guessed"),
        ["24: '## Guessed' would divide the page; a text has no headings or rules"],
    ),
    "rule": (("    Guessed.", "    So\n    ---"), ["25: '---' would divide the page; a text has no headings or rules"]),
    "order": (
        ("lead: |\n  Briefly.\nintro: |\n  Before all.\n", "intro: |\n  Before all.\nlead: |\n  Briefly.\n"),
        ["2:1: title, called, description and lead come first; in this order"],
    ),
    "what it says last": (
        ("  says: |\n    Guessed.\n  derivation: |\n    None.", "  derivation: |\n    None.\n  says: |\n    Guessed."),
        ["23:3: 'derivation' stands before 'says'; what an entry says comes first"],
    ),
    "no comment": (
        ("# a comment\n", ""),
        ["1:1: the first line is a comment; it names the schema that editors check by"],
    ),
    "crowded log": (
        (
            "- what: This\n  against: that",
            "- {what: This, against: that, status: held, result: so}\n- what: This\n  against: that",
        ),
        ["28:3: several keys on one line; each key of the log has a line of its own"],
    ),
    "unsupported": (
        ("  status: estimate", "  status: secondary"),
        ["21:11: 'two' has no source, and is no estimate"],
    ),
    "not verified": (
        ("[kung1986, machines/cray-1]", "[darpa1988]"),
        ["18:11: 'one' is called verified, and none of its sources was; say what it rests on"],
    ),
    "empty": ((GOOD, "[]"), [f"1:1: the file is a list; at its top are the keys {TOP}"]),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_told_with_line_and_column(tmp_path: Path, found: Content, slip: str) -> None:
    (old, new), said = SLIPS[slip]
    assert GOOD.count(old) == 1
    assert faults(tmp_path, found, GOOD.replace(old, new)) == said


def test_a_mistake_in_the_prose_is_told_at_the_line_of_the_file(tmp_path: Path, found: Content) -> None:
    one = read(tmp_path, found, GOOD.replace("    By counting.", "    By 17 steps, and {{ nothing }}."))
    setting = setting_of(found, one)
    with pytest.raises(BuildError) as caught:
        prose.page(one.path, tmp_path, setting)
    told = [str(problem) for problem in caught.value.problems]
    assert all(line.startswith("content/research/page.yaml:16: ") for line in told)
    assert [word for word in ("'nothing'", "'17'") if not any(word in line for line in told)] == []


def test_a_lead_is_prose_on_its_own_lines(tmp_path: Path, found: Content) -> None:
    lead = "  Briefly, {{ beta(machine='h100') | sig(3) }}\n  of {LAST}."
    one = read(tmp_path, found, GOOD.replace("  Briefly.", lead.replace("{LAST}", "them")))
    page = prose.page(one.path, tmp_path, setting_of(found, one))
    assert [(number.text, number.line, number.heading) for number in page.numbers] == [("295", 6, "")]
    one = read(tmp_path, found, GOOD.replace("  Briefly.", lead.replace("{LAST}", "17")))
    with pytest.raises(BuildError) as caught:
        prose.page(one.path, tmp_path, setting_of(found, one))
    assert [str(problem).partition(";")[0] for problem in caught.value.problems] == [
        "content/research/page.yaml:7: the numeral '17' is typed into the text"
    ]


def test_pages_that_no_page_lists_are_named(tmp_path: Path, found: Content) -> None:
    (tmp_path / "research").mkdir()
    (tmp_path / "research" / "page.yaml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "research" / "other.yaml").write_text("title: x\n", encoding="utf-8")
    with pytest.raises(BuildError) as caught:
        files.load(tmp_path, found.references, found.catalogue, ["report"])
    told = [str(problem) for problem in caught.value.problems]
    assert (
        f"{tmp_path.name}/research/page.yaml: no page 'research' lists it; list one under 'pages' in site.yaml" in told
    )
    lack = "the keys 'called', 'description', 'lead', 'entries' and 'log' are missing"
    assert f"{tmp_path.name}/research/other.yaml:1:1: {lack}" in told
    assert files.load(tmp_path / "empty", found.references, found.catalogue, []) == ()


def test_the_index_names_every_page_or_says_which_it_forgot(found: Content) -> None:
    first = found.dossiers[0].slug
    with pytest.raises(layout.AuthorError, match="is not listed"):
        layout.listing(found.dossiers, first)
    with pytest.raises(layout.AuthorError, match="no research page 'trick'") as caught:
        layout.listing(found.dossiers, "trick")
    assert caught.value.hint == "did you mean 'tricks'?"
    assert "<small>" in layout.listing(found.dossiers, *(one.slug for one in found.dossiers)).markup


def laid(folder: Path, found: Content, text: str = GOOD) -> tuple[prose.Page, dict[str, Any]]:
    one = read(folder, found, text)
    setting = setting_of(found, one)
    templates = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
    return layout.lay(prose.page(one.path, folder, setting), one, found, templates)


def test_an_entry_is_laid_out_with_sources_standing_and_what_the_row_holds(tmp_path: Path, found: Content) -> None:
    page, twin = laid(tmp_path, found)
    assert page.citations == ("kung1986",)
    first, second = twin["entries"]
    assert (first["says"], first["derivation"]) == ("It says so, on two lines [1].", "By counting.")
    assert [source["id"] for source in first["sources"]] == ["kung1986", "machines/cray-1"]
    peak = first["sources"][1]["facts"][1]
    assert (peak["what"], peak["value"], peak["status"]) == ("Peak, fp64", "160\u00a0MFLOP/s", "secondary")
    assert (second["says"], second["sources"], second["status"]) == ("Guessed.", [], "estimate")
    assert twin["log"] == [{"what": "This", "against": "that", "result": "It held on the whole.", "status": "held"}]
    assert '<span class="standing standing-verified"' in page.html


def test_only_research_pages_are_laid_out_and_have_a_twin(tmp_path: Path, found: Content) -> None:
    text = GOOD.replace("intro: |\n  Before all.\n", "")
    one = read(tmp_path, found, text)
    made = replace(prose.page(one.path, tmp_path, setting_of(found, one)), address=one.entry.address)
    other = replace(made, address="index.html")
    templates = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
    pages, twins = layout.laid((other, made), replace(found, dossiers=(one,)), templates)
    assert pages[0] is other
    assert "research-says" in pages[1].html
    assert "research-intro" not in pages[1].html
    assert list(twins) == ["research/page/index.json"]
    assert json.loads(twins["research/page/index.json"])["intro"] == ""


def test_citations_are_numbered_as_they_are_met(tmp_path: Path, found: Content) -> None:
    text = GOOD.replace("[kung1986, machines/cray-1]", "[wulf1995, kung1986]").replace(
        "    Guessed.", '    Guessed {{ cite("hong1981", "page 3") }}.'
    )
    page, twin = laid(tmp_path, found, text.replace("  Before all.", '  Before all {{ cite("hong1981") }}.'))
    assert page.citations == ("hong1981", "kung1986", "wulf1995")
    assert [entry["says"] for entry in twin["entries"]] == ["It says so, on two lines [2].", "Guessed [1, page 3]."]


@pytest.mark.parametrize(
    ("kind", "key", "label", "start"),
    [
        ("machines", "cray-1", "Memory bandwidth", "640"),
        ("tricks", "fp8", "Stops", ""),
        ("trends", "gholami-dram", "Grows", "1.6 times in 2 years"),
        ("trends", "wulf-mckee-dram", "Grows", "1.07 times a year"),
        ("trends", "kung-1986", "Claims", ""),
        ("rates", "warp-10", "Updates a second", "17"),
        ("networks", "symmetry-6-2-1", "Sweeps", "1,425"),
    ],
)
def test_a_row_says_what_it_holds(found: Content, kind: str, key: str, label: str, start: str) -> None:
    facts_of = {fact.label: fact.text for fact in facts.of(getattr(found.catalogue, kind)[key])}
    assert facts_of[label].startswith(start)
    assert all(facts_of.values())


def test_a_kind_that_no_page_shows_says_nothing(found: Content) -> None:
    assert facts.of(found.catalogue.constants["tape-34"]) == []


def slips(page: Any) -> list[str]:
    schema = schemas.of_research()
    jsonschema.Draft7Validator.check_schema(schema)
    return [error.message for error in jsonschema.Draft7Validator(schema).iter_errors(page)]


def test_every_page_passes_the_schema_that_its_first_line_names(root: Path) -> None:
    for file in sorted((root / "content" / "research").glob("*.yaml")):
        text = file.read_text(encoding="utf-8")
        assert text.startswith("# yaml-language-server: $schema=../../site/data/schema/research.json\n"), file.name
        assert slips(yaml.safe_load(text)) == [], file.name


def test_the_schema_refuses_what_the_build_refuses() -> None:
    page = yaml.safe_load(GOOD)
    assert slips(page) == []
    for path, value, said in (
        (("entries", 0, "status"), "sure", "'sure' is not one of"),
        (("entries", 0, "id"), "One", "'One' does not match"),
        (("log", 0, "status"), "true", "'true' is not one of"),
        (("entries", 0, "note"), "x", "'note' was unexpected"),
    ):
        wrong = copy.deepcopy(page)
        wrong[path[0]][path[1]][path[2]] = value
        assert any(said in one for one in slips(wrong)), said


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>One  <em>line</em>.</p>\n<p>Two &amp; three.</p>", "One line.\n\nTwo & three."),
        ('<p>Seen<span hidden>, not</span><br> <img alt="x">so.</p>', "Seen so."),
        ('<p><span class="claim"><a class="claim-link"></a>True.</span></p>', "True."),
        ("<p><math><mfrac><mrow><mi>f</mi><mi>T</mi></mrow><mi>d</mi></mfrac></math></p>", "(fT)/d"),
        ("<p><math><msub><mi>T</mi><mtext>min</mtext></msub><msup><mi>d</mi><mn>2</mn></msup></math></p>", "T_mind^2"),
        ("<p>2<math><msqrt><mi>L</mi></msqrt></math></p>", "2√(L)"),
        ("<ul><li>a</li><li>b</li></ul>", "a\n\nb"),
        ("", ""),
    ],
    ids=["paragraphs", "hidden", "claim", "fraction", "scripts", "root", "list", "nothing"],
)
def test_markup_becomes_plain_text(html: str, text: str) -> None:
    assert plain(html) == text
