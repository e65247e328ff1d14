"""The list of pages in content/site.yaml: where each page stands, each mistake told at its line."""

from pathlib import Path

import pytest
import yaml

from report import outline


def read(folder: Path, text: str) -> tuple[tuple[outline.Entry, ...], list[str]]:
    """Read a list of pages beside two folders with texts."""
    for name in ("report", "note"):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "index.md").write_text("x\n", encoding="utf-8")
    found, problems = outline.read(yaml.compose(text), "content/site.yaml", folder)
    return found, [str(problem) for problem in problems]


BOTH = "- {folder: report, nav: Report, called: the report}\n- {folder: note, nav: Note, called: the note}\n"


def test_the_first_page_stands_at_the_top_each_other_in_a_folder(tmp_path: Path) -> None:
    (report, note), problems = read(tmp_path, BOTH)
    assert not problems
    assert (report.address, report.root, report.numbers) == ("index.html", "", "numbers/index.html")
    assert (note.address, note.root, note.numbers) == ("note/index.html", "../", "numbers/note/index.html")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            BOTH.replace("folder: note", "folder: nte"),
            "content/site.yaml:2:12: there is no {}/nte/index.md; did you mean 'note'?",
        ),
        (
            BOTH.replace("nav: Note", "naw: Note"),
            "content/site.yaml:2:18: page: unknown key 'naw'; did you mean 'nav'?",
        ),
        (BOTH.replace("folder: note", "folder: report"), "content/site.yaml:2:12: the page 'report' is listed twice"),
        (BOTH.replace("folder: note", "folder: data"), "content/site.yaml:2:12: 'data' can't be the folder of a page"),
        (BOTH.replace("folder: note", "folder: ../x"), "content/site.yaml:2:12: '../x' can't be the folder of a page"),
        (BOTH.replace("called: the note", "called: [a]"), "content/site.yaml:2:37: page: 'called' is not a text"),
        (BOTH.replace("folder: note, ", ""), "content/site.yaml:2:3: a page has no 'folder'"),
        (
            BOTH.replace("folder: note", "foldr: note"),
            "content/site.yaml:2:4: page: unknown key 'foldr'; did you mean 'f",
        ),
        (
            BOTH.replace("folder: note", "folder: Note"),
            "content/site.yaml:2:12: 'Note' can't be the folder of a page; did",
        ),
        (BOTH.splitlines()[0], "{}/note/index.md: no page of the site; list it under 'pages' in content/site.yaml"),
        ("- report\n", "content/site.yaml:1:3: a page is not a mapping"),
        ("report", "content/site.yaml:1:1: 'pages' is not a list of pages"),
        ("[]", "content/site.yaml:1:1: 'pages' is not a list of pages"),
    ],
    ids=[
        "folder",
        "key",
        "twice",
        "taken",
        "outside",
        "text",
        "missing",
        "misspelt",
        "capital",
        "unlisted",
        "word",
        "scalar",
        "empty",
    ],
)
def test_a_mistake_is_told_at_its_place(tmp_path: Path, text: str, said: str) -> None:
    _, problems = read(tmp_path, text)
    (problem,) = problems
    assert problem.startswith(said.format(tmp_path.name))


def test_a_folder_without_its_text_is_told_what_it_lacks(tmp_path: Path) -> None:
    read(tmp_path, BOTH)
    text, place = tmp_path / "note" / "index.md", "content/site.yaml:2:12: "
    text.unlink()
    (said,) = read_again(tmp_path)
    lack = f"{place}the folder 'note' has no index.md, which is the text of its page; "
    assert said == f"{lack}write it, or take the page out of 'pages'"
    (tmp_path / "note" / "main.md").write_text("x\n", encoding="utf-8")
    assert read_again(tmp_path) == [f"{lack}was it renamed to 'main.md'?"]
    text.mkdir()
    assert read_again(tmp_path) == [f"{place}{tmp_path.name}/note/index.md is a folder; the text of a page is a file"]


def read_again(folder: Path) -> list[str]:
    _, problems = outline.read(yaml.compose(BOTH), "content/site.yaml", folder)
    return [str(problem) for problem in problems]
