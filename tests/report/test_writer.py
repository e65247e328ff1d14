"""The writer puts exactly the rendered tree in place, by either of its two ways, and rewrites nothing needlessly."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from report import writer
from report.tree import MARKER, complete
from report.writer import Changes, write
from tests.report.trees import NEW, OLD, holds, names

AWAY = 1_000_000_000  # a time stamp that no file gets by being written now


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A folder with the old site, alone in its parent."""
    place = tmp_path / "parent" / "site"
    write(OLD, place)
    return place


@pytest.fixture(params=["exchanged", "file-by-file"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways of putting a tree in place."""
    if request.param == "file-by-file":
        monkeypatch.setattr(writer, "_exchange", lambda one, other: False)
    return str(request.param)


@pytest.mark.usefixtures("way")
def test_the_folder_holds_the_new_tree_and_nothing_else(out: Path):
    changes = write(NEW, out)
    assert holds(out) == complete(NEW)
    assert names(out.parent) == ["site"]
    assert {path.name for path in out.iterdir()} == {
        ".nojekyll", "404.html", "assets", "data", "index.html", "note", "research", "swap", "turn",
    }  # fmt: skip
    assert changes == Changes(
        added=("assets/page-1.js", "research/pole/index.html", "swap/index.html", "turn"),
        changed=(MARKER, "index.html", "note/index.html"),
        removed=("assets/page-0.js", "gone/index.html", "swap", "turn/index.html"),
    )
    assert str(changes) == "4 added, 3 changed, 4 removed"


def test_the_first_build_makes_the_folder_and_those_above_it(tmp_path: Path):
    place = tmp_path / "a" / "b" / "site"
    changes = write(OLD, place)
    assert holds(place) == complete(OLD)
    assert changes == Changes(added=tuple(sorted(complete(OLD))))


@pytest.mark.usefixtures("way")
def test_an_empty_folder_is_filled(tmp_path: Path):
    write(OLD, tmp_path)
    assert holds(tmp_path) == complete(OLD)


def test_the_folders_are_exchanged_not_refilled(out: Path):
    before = out.stat().st_ino
    write(NEW, out)
    assert out.stat().st_ino != before, "this system exchanges folders: Linux with renameat2, or macOS"


@pytest.mark.usefixtures("way")
def test_an_unchanged_tree_is_not_written_again(out: Path):
    for path in (out, *out.rglob("*")):
        os.utime(path, (AWAY, AWAY))
    inode = out.stat().st_ino
    changes = write(OLD, out)
    assert not changes
    assert str(changes) == "nothing changed"
    assert out.stat().st_ino == inode
    assert {path.stat().st_mtime for path in (out, *out.rglob("*"))} == {AWAY}


@pytest.mark.usefixtures("way")
def test_unchanged_files_keep_their_time_beside_changed_ones(out: Path):
    for path in out.rglob("*"):
        os.utime(path, (AWAY, AWAY))
    write(NEW, out)
    kept = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.stat().st_mtime == AWAY}
    assert {path for path in kept if (out / path).is_file()} == {".nojekyll", "404.html", "assets/same.css"}


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("umask", [0o000, 0o077], ids=["open", "closed"])
def test_any_server_may_read_the_site_whatever_the_umask(tmp_path: Path, umask: int):
    before = os.umask(umask)
    try:
        write(OLD, tmp_path / "site")
        write(NEW, tmp_path / "site")
    finally:
        os.umask(before)
    modes = {stat.filemode(path.stat().st_mode) for path in (tmp_path / "site", *(tmp_path / "site").rglob("*"))}
    assert modes == {"drwxr-xr-x", "-rw-r--r--"}


@pytest.mark.usefixtures("way")
def test_a_site_behind_a_link_is_written_where_the_link_leads(out: Path, tmp_path: Path):
    link = tmp_path / "link"
    link.symlink_to(out)
    write(NEW, link)
    assert link.is_symlink()
    assert holds(out) == complete(NEW)


@pytest.mark.usefixtures("way")
def test_empty_folders_that_a_clean_build_would_lack_go(out: Path):
    (out / "empty" / "inner").mkdir(parents=True)
    write(OLD, out)
    assert not (out / "empty").exists()


def test_a_build_from_inside_the_site_leaves_the_shell_where_it_is(out: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(out / "note")
    write(NEW, Path(".."))
    assert Path("index.html").read_bytes() == NEW["note/index.html"]
    assert holds(out) == complete(NEW)


def test_pages_move_after_all_that_they_refer_to(out: Path, monkeypatch: pytest.MonkeyPatch):
    moved: list[str] = []
    real_move = writer._move

    def move(stage: Path, place: Path, path: str) -> None:
        moved.append(path)
        real_move(stage, place, path)

    monkeypatch.setattr(writer, "_exchange", lambda one, other: False)
    monkeypatch.setattr(writer, "_move", move)
    write(NEW, out)
    pages = [path.endswith(".html") for path in moved if path != MARKER]
    assert pages == sorted(pages)
    assert moved[0] == moved[-1] == MARKER


@pytest.mark.parametrize("error", [AttributeError, OSError, TypeError], ids=["no-call", "no-library", "no-default"])
def test_a_system_without_the_call_replaces_file_by_file(
    out: Path, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
):
    def library(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(writer.ctypes, "CDLL", library)
    inode = out.stat().st_ino
    write(NEW, out)
    assert out.stat().st_ino == inode
    assert holds(out) == complete(NEW)


def test_macOS_swaps_by_its_own_call(out: Path, monkeypatch: pytest.MonkeyPatch):
    asked: list[tuple[bytes, bytes, int]] = []

    class System:
        def __init__(self, *_: object, **__: object) -> None: ...

        def renamex_np(self, one: bytes, other: bytes, flag: object) -> int:
            asked.append((one, other, flag.value))  # type: ignore[attr-defined]
            here, there = Path(os.fsdecode(one)), Path(os.fsdecode(other))
            there.rename(there.with_name("aside"))
            here.rename(there)
            there.with_name("aside").rename(here)
            return 0

    monkeypatch.setattr(writer.ctypes, "CDLL", System)
    monkeypatch.setattr(writer.sys, "platform", "darwin")
    write(NEW, out)
    assert [(other, flag) for _, other, flag in asked] == [(os.fsencode(out), 2)]
    assert holds(out) == complete(NEW)
    assert names(out.parent) == ["site"]
