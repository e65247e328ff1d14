"""The bibliography: what is read, what is refused, and how an entry and the way back to its citations are written."""

from __future__ import annotations

from pathlib import Path

import html5lib
import pytest
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from report import frame, references
from report.errors import BuildError

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
GOOD = r"""@article{pope2026,
  author = {Pope, Reiner and Patel, Dwarkesh},
  title = {The {Math} of "serving" \& more},
  journal = {Lectures},
  year = {2026},
  doi = {10.1/x},
  annotation = {confirmed: seen}
}
"""


def load(folder: Path, text: str) -> references.Reference:
    (folder / "r.bib").write_text(text, encoding="utf-8")
    (found,) = references.load(folder / "r.bib", "content/r.bib").values()
    return found


def told(folder: Path, text: str) -> list[str]:
    with pytest.raises(BuildError) as caught:
        load(folder, text)
    return [str(problem) for problem in caught.value.problems]


def test_an_entry_is_written_with_its_link_and_escaped_once(tmp_path: Path) -> None:
    found = load(tmp_path, GOOD)
    assert found.confirmed
    assert found.html == (
        "Pope, Reiner, Patel, Dwarkesh, "
        '<a href="https://doi.org/10.1/x"><cite>The Math of &quot;serving&quot; &amp; more</cite></a>. Lectures, 2026.'
    )


def test_an_unconfirmed_work_is_marked(tmp_path: Path) -> None:
    assert "Not confirmed" in load(tmp_path, GOOD.replace("confirmed: seen", "remembered")).html


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            ("journal", "jornal"),
            "content/r.bib:4: reference 'pope2026': unknown field 'jornal'; did you mean 'journal'?",
        ),
        (("  year = {2026},\n", ""), "content/r.bib:1: reference 'pope2026' has no year"),
        (
            ("@article", "@articel"),
            "content/r.bib:1: reference 'pope2026': there is no kind of work 'articel'; did you mean 'article'?",
        ),
        (
            ("{2026},", "{2026}"),
            "content/r.bib:5:15: reference 'pope2026': a comma is missing after 'year'; each field ends in a comma",
        ),
        (
            ("{2026},", "{2026,"),
            "content/r.bib:5:10: reference 'pope2026': a brace is opened and never closed; "
            "each field reads name = {text},",
        ),
        (
            ("  doi = {10.1/x}", "  url = {htps://x.org}"),
            "content/r.bib:6: reference 'pope2026': 'htps://x.org' is no address; https://...",
        ),
    ],
    ids=["field", "missing", "kind", "comma", "brace", "address"],
)
def test_a_wrong_entry_is_named_with_its_line(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    assert told(tmp_path, GOOD.replace(*change)) == [message]


def test_a_key_that_stands_twice_is_named(tmp_path: Path) -> None:
    assert "stands twice" in told(tmp_path, GOOD + GOOD)[0]


def test_the_list_leads_back_to_each_place_that_cites(tmp_path: Path) -> None:
    works = frame.works(
        ["a", "b"],
        {"a": load(tmp_path, GOOD), "b": load(tmp_path, GOOD)},
        {"a": ("cite-a-1", "cite-a-2"), "b": ("cite-b-1",)},
    )
    templates = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
    html = templates.get_template("_references.html").render(references=works)
    tree = html5lib.parse(html, namespaceHTMLElements=False)
    entries = tree.findall(".//li")
    assert [entry.get("id") for entry in entries] == ["ref-a", "ref-b"]
    back = [[link.get("href") for link in entry.findall(".//span/a")] for entry in entries]
    assert back == [["#cite-a-1", "#cite-a-2"], ["#cite-b-1"]]
    assert all(link.get("aria-label") for link in tree.findall(".//span/a"))


def test_a_mark_before_the_first_letter_is_no_text(tmp_path: Path) -> None:
    assert load(tmp_path, "\ufeff% A comment.\n" + GOOD).key == "pope2026"


@pytest.mark.parametrize("text", ["", " \n\n", "\ufeff"])
def test_an_empty_file_is_said_to_be_empty(tmp_path: Path, text: str) -> None:
    assert told(tmp_path, text) == ["content/r.bib: the file is empty; it holds the works that are cited"]


def test_a_misspelt_field_is_told_once(tmp_path: Path) -> None:
    said = told(tmp_path, GOOD.replace("  title", "  titel"))
    assert said == ["content/r.bib:3: reference 'pope2026': unknown field 'titel'; did you mean 'title'?"]


def test_a_key_is_one_word(tmp_path: Path) -> None:
    said = told(tmp_path, GOOD.replace("pope2026", "pope 2026"))
    assert said == ["content/r.bib:1:10: the key 'pope 2026' holds a blank; write 'pope2026'"]


def test_an_address_is_read_as_it_stands(tmp_path: Path) -> None:
    found = load(tmp_path, GOOD.replace("doi = {10.1/x}", "url = {https://a.org/~b/c_d%20e?f&g}"))
    assert found.url == "https://a.org/~b/c_d%20e?f&g"
