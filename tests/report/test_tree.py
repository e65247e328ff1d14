"""Which paths a site may have, and which folders a build refuses to fill."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from report.errors import BuildError
from report.tree import GENERATOR, MARKER, NO_JEKYLL, admit, complete
from report.writer import write

PAGE = b"<!doctype html><title>page</title>"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "content").mkdir(parents=True)
    (root / "content" / "site.yaml").write_text("title: x\n")
    return root


def refused(out: Path, project: Path) -> str:
    with pytest.raises(BuildError) as error:
        admit(out, project, project / "content")
    return str(error.value)


def test_every_site_gets_the_marker_of_plain_pages_and_the_list_of_its_files():
    tree = complete({"index.html": PAGE, "assets/page-1f.js": b"1"})
    assert tree[NO_JEKYLL] == b""
    assert json.loads(tree[MARKER]) == {
        "generator": GENERATOR,
        "files": [".nojekyll", "assets/page-1f.js", "data/site.json", "index.html"],
    }


def test_the_order_in_which_files_were_rendered_leaves_no_trace():
    files = {"index.html": PAGE, "b.html": PAGE, "a.html": PAGE}
    assert complete(files) == complete(dict(reversed(files.items())))


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        pytest.param("/index.html", "relative to the site", id="absolute"),
        pytest.param("../index.html", "relative to the site", id="above"),
        pytest.param("note/../../x.html", "relative to the site", id="above-inside"),
        pytest.param("./index.html", "relative to the site", id="dot"),
        pytest.param("note//index.html", "relative to the site", id="doubled-slash"),
        pytest.param("note/", "relative to the site", id="folder"),
        pytest.param("", "relative to the site", id="empty"),
        pytest.param("_static/page.js", "drop names like '_static'", id="underscore-folder"),
        pytest.param("note/_draft.html", "drop names like '_draft.html'", id="underscore-file"),
        pytest.param(".well-known/x.txt", "drop names like '.well-known'", id="dot-folder"),
        pytest.param("data/.nojekyll", "drop names like '.nojekyll'", id="marker-elsewhere"),
        pytest.param("note\\index.html", "plain letters", id="backslash"),
        pytest.param("C:/x.html", "plain letters", id="drive"),
        pytest.param("two words.html", "plain letters", id="space"),
        pytest.param("naïve.html", "plain letters", id="accent"),
        pytest.param("page.", "plain letters", id="last-dot"),
        pytest.param("a\n.html", "plain letters", id="newline"),
        pytest.param("data/model.py", "no Python", id="python"),
        pytest.param("data/MODEL.PY", "no Python", id="python-capitals"),
        pytest.param("data/site.json", "its own list", id="the-list"),
        pytest.param("data/Site.json", "its own list", id="the-list-capitals"),
    ],
)
def test_a_path_that_would_be_lost_or_lead_elsewhere_is_refused(path: str, reason: str):
    with pytest.raises(BuildError) as error:
        complete({"index.html": PAGE, path: PAGE})
    assert [problem.path for problem in error.value.problems] == [path]
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        pytest.param("Note.html", "note.html", "'Note.html' only by case", id="files"),
        pytest.param("Note/a.html", "note/b.html", "'Note' only by case", id="folders"),
        pytest.param("Data/a.json", "data/b.json", "only by case", id="folder-of-the-list"),
        pytest.param("note", "note/index.html", "'note' is a file already", id="file-and-folder"),
    ],
)
def test_two_paths_that_one_file_system_cannot_both_hold_are_refused(one: str, other: str, reason: str):
    with pytest.raises(BuildError, match="no file of a site can have this path") as error:
        complete({other: PAGE, one: PAGE})
    assert reason in str(error.value)


def test_all_wrong_paths_are_named_at_once():
    with pytest.raises(BuildError) as error:
        complete({"_b": PAGE, "_a": PAGE, "c.py": PAGE, "index.html": PAGE})
    assert [problem.path for problem in error.value.problems] == ["_a", "_b", "c.py"]


def test_a_new_an_empty_and_our_own_folder_are_accepted(project: Path):
    out = project / "site"
    admit(out, project, project / "content")
    out.mkdir()
    admit(out, project, project / "content")
    write({"index.html": PAGE}, out)
    admit(out, project, project / "content")


@pytest.mark.parametrize(
    ("out", "reason"),
    [
        pytest.param("", "can't replace this project", id="project"),
        pytest.param("..", "a folder that holds this project", id="above-the-project"),
        pytest.param("content", "can't replace the content", id="content"),
        pytest.param("content/site", "into its own content", id="inside-the-content"),
        pytest.param("content/site.yaml", "into its own content", id="file-of-the-content"),
        pytest.param("../home", "can't replace your home folder", id="home"),
    ],
)
def test_folders_in_which_a_build_could_destroy_something_are_refused(
    project: Path, monkeypatch: pytest.MonkeyPatch, out: str, reason: str
):
    monkeypatch.setenv("HOME", str(project.parent / "home"))
    assert reason in refused(project / out, project)


def test_a_link_to_the_content_is_refused_like_the_content(project: Path):
    (project / "site").symlink_to(project / "content")
    assert "can't replace the content" in refused(project / "site", project)


def test_a_file_is_refused(project: Path):
    (project / "site").write_text("a file")
    assert refused(project / "site", project).startswith(f"{project / 'site'}: it is a file, not a folder; ")


@pytest.mark.parametrize("out", ["notes/site", "notes/public/site"])
def test_a_folder_below_a_file_is_refused(project: Path, out: str):
    (project / "notes").write_text("a file")
    said = f"{project / out}: '{project / 'notes'}' is a file, not a folder; name another folder with --out"
    assert refused(project / out, project).startswith(said)


def test_only_the_last_folder_is_made(project: Path):
    said = f"{project / 'a' / 'b' / 'site'}: there is no folder '{project / 'a' / 'b'}' to make it in; make that one"
    assert refused(project / "a" / "b" / "site", project).startswith(said)
    admit(project / "site", project, project / "content")


@pytest.mark.parametrize(
    "listed",
    [
        pytest.param(None, id="no-list"),
        pytest.param("{", id="no-json"),
        pytest.param("[]", id="no-object"),
        pytest.param('{"generator": "another", "files": ["thesis.tex", "data/site.json"]}', id="another-generator"),
        pytest.param('{"generator": "backprop-memory-wall"}', id="no-files"),
        pytest.param('{"generator": "backprop-memory-wall", "files": [1]}', id="wrong-files"),
    ],
)
def test_a_folder_of_somebody_else_is_refused(project: Path, listed: str | None):
    out = project / "site"
    (out / "data").mkdir(parents=True)
    (out / "thesis.tex").write_text("ten years of work")
    if listed is not None:
        (out / MARKER).write_text(listed)
    assert "holds no site of ours" in refused(out, project)
    with pytest.raises(BuildError, match="holds no site of ours"):
        write({"index.html": PAGE}, out)
    assert (out / "thesis.tex").read_text() == "ten years of work"


@pytest.mark.parametrize("name", ["CNAME", ".git", "note/private.txt"])
def test_what_no_build_wrote_no_build_removes(project: Path, name: str):
    out = project / "site"
    write({"index.html": PAGE}, out)
    (out / name).parent.mkdir(exist_ok=True)
    (out / name).write_text("mine")
    assert f"holds '{name}', which no build wrote" in refused(out, project)
    with pytest.raises(BuildError, match="which no build wrote"):
        write({"index.html": b"new"}, out)
    assert (out / name).read_text() == "mine"
    assert (out / "index.html").read_bytes() == PAGE


@pytest.mark.parametrize("name", ["site", "site/report"])
@pytest.mark.parametrize(
    ("target", "shown"), [("/no/such/disk", "/no/such/disk"), ("site", "site")], ids=["lost", "loop"]
)
def test_a_link_that_leads_nowhere_is_refused_and_one_to_a_folder_is_not(
    project: Path, name: str, target: str, shown: str
):
    (project / "site").symlink_to(target)
    with pytest.raises(BuildError) as error:
        admit(project / name, project, project / "content")
    what = "it" if name == "site" else f"'{project / 'site'}'"
    assert f"{what} is a link to '{shown}', and there is no such folder; make that folder" in str(error.value)
    (project / "site").unlink()
    (project / "elsewhere").mkdir()
    (project / "site").symlink_to("elsewhere")
    admit(project / name, project, project / "content")


def test_a_link_in_the_place_of_a_page_is_not_followed(project: Path):
    out, elsewhere = project / "site", project / "elsewhere.html"
    write({"index.html": PAGE}, out)
    elsewhere.write_bytes(PAGE)
    (out / "index.html").unlink()
    (out / "index.html").symlink_to(elsewhere)
    assert "holds 'index.html', which no build wrote" in refused(out, project)


def test_what_the_system_leaves_in_folders_does_not_count(project: Path):
    out = project / "site"
    out.mkdir()
    (out / ".DS_Store").write_bytes(b"\0")
    (out / "lost+found").mkdir()
    admit(out, project, project / "content")


@pytest.mark.parametrize("name", [".git/site", "templates/site", "report/x/y"])
def test_a_folder_within_what_the_project_is_made_of_is_refused(project: Path, name: str):
    assert f"into this project's own folder '{name.partition('/')[0]}'" in refused(project / name, project)


def test_a_folder_within_another_site_is_refused(project: Path):
    write({"index.html": PAGE}, project / "site")
    assert f"it lies in another site, '{project / 'site'}'" in refused(project / "site" / "sub" / "x", project)


@pytest.mark.parametrize(("mine", "good"), [("", False), ("site", True), ("project", True)])
def test_a_folder_that_may_not_be_written_to_is_refused_before_the_work(
    project: Path, monkeypatch: pytest.MonkeyPatch, mine: str, good: bool
) -> None:
    """Either will do: the site's own folder, or the one that it lies in."""
    (project / "site").mkdir()
    places = {"site": project / "site", "project": project}
    monkeypatch.setattr("report.tree.os.access", lambda path, _: path == places.get(mine))
    if good:
        admit(project / "site", project, project / "content")
    else:
        said = refused(project / "site", project)
        assert "can't be written: Permission denied; name a folder with --out that you may write to" in said


def test_a_pipe_in_the_folder_is_refused_unread(project: Path):
    (project / "site").mkdir()
    os.mkfifo(project / "site" / "pipe")
    assert "('pipe' is in it)" in refused(project / "site", project)
