"""A page in several files: one run of numbers and citations, names that are unique over all of them, no file lost."""

from pathlib import Path

import pytest

from report import prose
from report.errors import BuildError
from tests.report.toy import SETTING

FRONT = "---\ntitle: A page\ndescription: What it says.\nsections: [{}]\n---\n"
FLOOR = 'T_min(machine="h100", network="wide")'


def written(folder: Path, sections: str, **files: str) -> prose.Page:
    """Write index.md with its sections and read the page."""
    (folder / "index.md").write_text(FRONT.format(sections) + files.pop("index", ""), encoding="utf-8")
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return prose.page("index.md", folder, SETTING)


def told(folder: Path, sections: str, **files: str) -> list[str]:
    """Return what is wrong with a page."""
    with pytest.raises(BuildError) as caught:
        written(folder, sections, **files)
    return [str(problem) for problem in caught.value.problems]


def test_numbers_and_headings_run_on_from_file_to_file(tmp_path: Path) -> None:
    number = f"It takes {{{{ {FLOOR} | sig(3) }}}}.\n"
    page = written(
        tmp_path, "a.md, b.md", index=number, a=f"## One {{#one}}\n\n{number}", b=f"## Two {{#two}}\n\n{number}"
    )
    assert [entry.n for entry in page.numbers] == [1, 2, 3]
    assert [name for name, _, _ in page.headings] == ["one", "two"]
    assert page.html.index('id="one"') < page.html.index('id="two"')
    assert page.title == "A page"


def test_a_fault_is_named_in_the_file_where_it_stands(tmp_path: Path) -> None:
    (said,) = told(tmp_path, "a.md", a="Fine.\n\n{{ T_mni() }}\n")
    assert said.startswith("a.md:3")
    assert "did you mean 'T_min'?" in said


def test_names_are_unique_over_all_files(tmp_path: Path) -> None:
    claim = f'{{% claim "c", {FLOOR} > 1 %}}Many.{{% endclaim %}}\n'
    text = f"## Same {{#same}}\n\n{claim}"
    said = told(tmp_path, "a.md, b.md", a=text, b=f"{text}And more.\n")
    assert said == [
        "b.md:1:11: the id 'same' stands in a.md:1 already; give it another one",
        "b.md:3: claim 'c' stands in a.md:3 already; give it another name",
    ]


@pytest.mark.parametrize("name", ["flors.md", "floors", "Floors.md"])
def test_a_misspelt_section_is_told_once_and_others_that_no_page_takes_up_beside_it(tmp_path: Path, name: str) -> None:
    said = told(tmp_path, name, floors="Text.\n", other="Text.\n")
    assert said == [
        f"index.md:4: there is no section '{name}'; did you mean 'floors.md'?",
        "other.md: no page takes this file up; list it in 'sections', or move it away",
    ]


def test_a_section_taken_off_the_list_is_told_and_not_what_leads_to_it(tmp_path: Path) -> None:
    said = told(tmp_path, "a.md", index="[x](#wall) [y](#wal)\n", a="Text.\n", floors="## A wall {#wall}\n")
    assert [line.partition(";")[0] for line in said] == [
        "floors.md: no page takes this file up",
        "index.md:6:16: a link leads to '#wal', which is nowhere",
    ]


@pytest.mark.parametrize(("link", "how"), [(True, "is a link to b.md"), (False, "holds the very text of a.md")])
def test_a_section_that_holds_the_text_of_another_is_told_once(tmp_path: Path, link: bool, how: str) -> None:
    text = "## A wall {#wall}\n\n{% claim 'c', live.T > 1 %}So it is.{% endclaim %}\n"
    if link:
        (tmp_path / "a.md").symlink_to(tmp_path / "b.md")
    said = told(tmp_path, "a.md, b.md", index="[x](#lost)\n", **({} if link else {"a": text}), b=text)
    own = "write its own text, or take it out of 'sections'"
    assert said == [f"{'a' if link else 'b'}.md: the file {how}, which is a section too; {own}"]


def test_what_editors_put_beside_a_text_is_no_section(tmp_path: Path) -> None:
    (tmp_path / ".#a.md").symlink_to("somebody@somewhere.1:2")
    (tmp_path / "#a.md#").write_text("unsaved")
    assert written(tmp_path, "a.md", a="Text.\n").title == "A page"


@pytest.mark.parametrize("kind", ["folder", "link"])
def test_a_section_that_is_no_file_is_missed(tmp_path: Path, kind: str) -> None:
    if kind == "folder":
        (tmp_path / "a.md").mkdir()
    else:
        (tmp_path / "a.md").symlink_to(tmp_path / "nowhere")
    hint = "bring the file back, or take it out of 'sections'"
    assert told(tmp_path, "a.md") == [f"index.md:4: there is no section 'a.md'; {hint}"]


def test_a_section_is_listed_once(tmp_path: Path) -> None:
    said = told(tmp_path, "a.md, a.md", a="Text.\n")
    assert said == ["index.md:4:18: the section 'a.md' is listed twice; delete one of them"]


def test_what_a_list_with_mistakes_leaves_out_may_be_pointed_at(tmp_path: Path) -> None:
    said = told(tmp_path, "flors.md", index="[x](#wall)", floors="## A wall {#wall}\n")
    assert [line.split(":")[0] for line in said] == ["index.md"]


def test_sections_are_a_list(tmp_path: Path) -> None:
    (tmp_path / "index.md").write_text("---\ntitle: A\ndescription: B\nsections: a.md\n---\n", encoding="utf-8")
    with pytest.raises(BuildError, match="'sections' is not a list of files"):
        prose.page("index.md", tmp_path, SETTING)


def test_a_broken_front_matter_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "index.md").write_text("---\ntitle: [A\n---\n", encoding="utf-8")
    with pytest.raises(BuildError) as caught:
        prose.page("index.md", tmp_path, SETTING)
    assert all(problem.path == "index.md" for problem in caught.value.problems)
    assert any("front matter" in str(problem) for problem in caught.value.problems)


@pytest.mark.parametrize("lost", ["missing", "empty", "blank"])
def test_what_a_lost_section_may_hold_is_not_missed(tmp_path: Path, lost: str) -> None:
    files = {} if lost == "missing" else {"b": "" if lost == "empty" else "\n \n"}
    said = told(tmp_path, "a.md, b.md", a="[x](#wall)\n", **files)
    missing = "index.md:4: there is no section 'b.md'; bring the file back, or take it out of 'sections'"
    empty = "b.md: the file is empty; write its text, or take it out of 'sections' and delete it"
    assert said == [missing if lost == "missing" else empty]


@pytest.mark.parametrize("coding", ["utf-16", "cp1252"])
def test_what_a_section_in_another_coding_holds_is_not_missed(tmp_path: Path, coding: str) -> None:
    (tmp_path / "b.md").write_bytes("Déjà vu.\n\n## A wall {#wall}\n".encode(coding))
    (said,) = told(tmp_path, "a.md, b.md", a="[x](#wall)\n")
    assert said.startswith("b.md:1:")
    assert "not a text file" in said


def test_a_name_that_no_text_holds_is_missed_where_all_sections_are_there(tmp_path: Path) -> None:
    said = told(tmp_path, "a.md, b.md", a="[x](#wall)\n", b="Text.\n")
    assert said == ["a.md:1:5: a link leads to '#wall', which is nowhere"]


def test_a_copy_beside_a_section_is_told_and_not_read(tmp_path: Path) -> None:
    text = "## Same {#same}\n\nA numeral 12, {{ T_mni() }}.\n"
    (tmp_path / "a copy.md").write_text(text, encoding="utf-8")
    said = told(tmp_path, "a.md", a="## Same {#same}\n")
    assert said == ["a copy.md: no page takes this file up; list it in 'sections', or move it away"]


def test_a_copy_is_not_taken_for_a_section_that_is_missing(tmp_path: Path) -> None:
    (tmp_path / "a copy.md").write_text("## Same {#same}\n", encoding="utf-8")
    said = told(tmp_path, "a.md, b.md", a="## Same {#same}\n\n[x](#elsewhere)\n")
    assert [line.partition(";")[0] for line in said] == [
        "a copy.md: no page takes this file up",
        "index.md:4: there is no section 'b.md'",
    ]


def test_a_lost_comma_between_sections_is_told_once(tmp_path: Path) -> None:
    said = told(tmp_path, "a.md b.md", a="[x](#wall)\n", b="## A wall {#wall}\n")
    assert said == ["index.md:4: a comma is missing in 'a.md b.md'; write a.md, b.md"]


def test_an_empty_page_is_said_to_be_empty(tmp_path: Path) -> None:
    (tmp_path / "index.md").write_text(" \n", encoding="utf-8")
    (tmp_path / "a.md").write_text("[x](#wall)\n", encoding="utf-8")
    with pytest.raises(BuildError) as caught:
        prose.page("index.md", tmp_path, SETTING)
    hint = "between lines of --- it begins with title: ... and description: ..."
    assert [str(problem) for problem in caught.value.problems] == [f"index.md: the file is empty; {hint}"]


def test_files_beside_a_page_without_sections_are_told(tmp_path: Path) -> None:
    said = told(tmp_path, "", a="Text.\n")
    assert said == ["a.md: no page takes this file up; list it in 'sections' of index.md, or move it away"]
    (said_of_two,) = told(tmp_path, "", b="Text.\n", index="[x](#wall)\n")
    assert "index.md:1:1: the page has no 'sections', and 2 files stand beside it" in said_of_two
    assert "'sections: [a.md, b.md]'" in said_of_two


def test_a_misspelt_key_still_lists_the_sections(tmp_path: Path) -> None:
    (tmp_path / "index.md").write_text("---\ntitle: A\ndescription: B\nsection: [a.md]\n---\n[x](#wall)\n")
    (tmp_path / "a.md").write_text("## A wall {#wall}\n", encoding="utf-8")
    with pytest.raises(BuildError) as caught:
        prose.page("index.md", tmp_path, SETTING)
    (said,) = caught.value.problems
    assert (said.line, said.message, said.hint) == (
        4,
        "front matter: unknown key 'section'",
        "did you mean 'sections'?",
    )


def test_a_mistake_in_an_address_or_at_the_head_of_a_line_is_told_once(tmp_path: Path) -> None:
    slip = "{{ nothing_of_that_name() }}"
    for text in (f"[x]({slip})\n", f"Words between\n{slip}-fold the losses.\n"):
        (said,) = told(tmp_path, "a.md", a=text)
        assert "nothing_of_that_name" in said
