"""A failing, killed, refused or doubled build leaves one whole site: the old one or the new one."""

from __future__ import annotations

import ast
import fcntl
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from report import writer
from report.errors import BuildError
from report.tree import MARKER, complete
from report.writer import write
from tests.report.trees import NEW, OLD, PRELUDE, ROOT, child, holds, names


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A folder with the old site, alone in its parent."""
    place = tmp_path / "parent" / "site"
    write(OLD, place)
    return place


# Builds that fail


class Broken(Mapping[str, bytes]):
    """A tree one of whose files can't be had: a failure in the middle of staging."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = files

    def __getitem__(self, path: str) -> bytes:
        if path == "note/index.html":
            raise KeyboardInterrupt
        return self.files[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)


@pytest.mark.parametrize("step", ["_fill", "_keep", "_exchange"])
def test_a_build_interrupted_while_staging_leaves_the_old_site(out: Path, monkeypatch: pytest.MonkeyPatch, step: str):
    real_step: Callable[..., object] = getattr(writer, step)

    def interrupted(*arguments: object) -> object:
        if step == "_fill":
            real_step(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(writer, step, interrupted)
    with pytest.raises(KeyboardInterrupt):
        write(NEW, out)
    assert holds(out) == complete(OLD)
    assert names(out.parent) == ["site"]


def test_a_tree_that_breaks_off_leaves_the_old_site(out: Path):
    with pytest.raises(KeyboardInterrupt):
        write(Broken(NEW), out)
    assert holds(out) == complete(OLD)


def test_a_tree_with_a_wrong_path_leaves_the_old_site(out: Path):
    with pytest.raises(BuildError, match="no file of a site can have this path"):
        write({**NEW, "_draft.html": b""}, out)
    assert holds(out) == complete(OLD)


@pytest.mark.parametrize("inner", ["site", "deep/site"])
def test_a_file_in_the_way_is_one_line_for_the_author(tmp_path: Path, inner: str):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(BuildError, match=r"can't be written: (Not a directory|File exists)") as error:
        write(NEW, tmp_path / "file" / inner)
    assert len(str(error.value).splitlines()) == 1
    assert (tmp_path / "file").read_text() == "in the way"


@pytest.mark.parametrize("fallback", [False, True], ids=["exchanged", "file-by-file"])
def test_a_write_that_the_system_cuts_short_leaves_the_old_site(out: Path, fallback: bool):
    done = child(
        """
import resource
if sys.argv[2] == "True":
    writer._exchange = lambda one, other: False
resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
try:
    writer.write({**NEW, "note/index.html": b"x" * 10000}, Path(sys.argv[1]))
except BuildError as error:
    print(error)
""",
        out,
        fallback,
    )
    assert (done.stdout, done.stderr) == (f"{out}: can't be written: File too large\n", "")
    assert holds(out) == complete(OLD)
    assert names(out.parent) == ["site"]


# Builds that are killed

# The child ends itself by SIGKILL at the n-th thing that it asks of the system, so that each moment can be had again.
KILLED = """
import os, signal
out, last, way = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
if way == "file-by-file":
    writer._exchange = lambda one, other: False
asked = []
def ask(event, arguments):
    if event.startswith(("os.", "shutil.", "ctypes.")) or event == "open":
        asked.append(event)
        if last in (event, str(len(asked))):
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(ask)
writer.write(NEW, out)
print(asked)
"""


@pytest.fixture(scope="module", params=["exchanged", "file-by-file"])
def moments(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, list[str]]:
    """What a build asks of the system, in order."""
    place = tmp_path_factory.mktemp("moments") / "site"
    write(OLD, place)
    done = child(KILLED, place, "never", request.param)
    assert done.stderr == ""
    return request.param, ast.literal_eval(done.stdout)


def kill(out: Path, last: int, way: str) -> dict[str, bytes]:
    done = child(KILLED, out, last, way)
    assert done.returncode == -9, done.stderr
    return {path: data for path, data in holds(out).items() if not path.startswith(".build-")}


def test_a_killed_build_leaves_the_old_or_the_new_site_and_the_next_one_clears_up(
    moments: tuple[str, list[str]], tmp_path: Path
):
    way, asked = moments
    if way == "exchanged":
        around = [asked.index("ctypes.dlsym") + 1, asked.index("ctypes.dlsym") + 2, len(asked)]
    else:
        around = [number for number, event in enumerate(asked, start=1) if event == "os.rename"][::3]
    picked = sorted({*random.Random(20).sample(range(1, len(asked) + 1), 10), *around})
    seen = set()
    for number in picked:
        place = tmp_path / str(number) / "site"
        write(OLD, place)
        left = kill(place, number, way)
        whole = "old" if left == complete(OLD) else "new" if left == complete(NEW) else "mixed"
        seen.add(whole)
        if whole == "mixed":
            assert way == "file-by-file", f"killed at {number}, {asked[number - 1]}"
            assert_each_page_is_complete(left)
        write(NEW, place)
        assert holds(place) == complete(NEW)
        assert names(place.parent) == ["site"]
    assert seen >= {"old", "new"} if way == "exchanged" else "mixed" in seen


def assert_each_page_is_complete(left: Mapping[str, bytes]) -> None:
    """Check that each file is whole, old or new, and that a new page finds the script that it names."""
    for path, data in left.items():
        assert path == MARKER or data in (OLD.get(path), NEW.get(path), b""), path
    script = left["index.html"].split(b"src=")[1].rstrip(b">").decode()
    assert script in left


def test_another_folder_of_the_same_sort_of_name_is_no_leftover(out: Path):
    others = [".site.build-short", ".site.build-muchlongerthanthat", ".other.build-abcdefgh", "site.build-abcdefgh"]
    for name in others:
        (out.parent / name).mkdir()
    (out.parent / ".site.build-1234567_").write_text("a file")
    write(NEW, out)
    assert names(out.parent) == sorted([*others, ".site.build-1234567_", "site"])


def test_leftovers_stay_where_no_lock_says_whose_they_are(out: Path, monkeypatch: pytest.MonkeyPatch):
    def unlocked(*_: object) -> None:
        raise OSError("no locks on this file system")

    leftover = out.parent / ".site.build-abcdefgh"
    leftover.mkdir()
    monkeypatch.setattr(fcntl, "flock", unlocked)
    write(NEW, out)
    assert holds(out) == complete(NEW)
    assert leftover.exists()


def test_a_parent_that_may_not_be_read_is_written_without_a_lock(out: Path, monkeypatch: pytest.MonkeyPatch):
    real_open = os.open

    def unreadable(path: object, flags: int, *rest: int) -> int:
        if path == out.parent:
            raise PermissionError(13, "Permission denied")
        return real_open(path, flags, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", unreadable)
    write(NEW, out)
    assert holds(out) == complete(NEW)


def test_a_site_in_a_folder_that_may_not_be_written_is_filled_file_by_file(out: Path, monkeypatch: pytest.MonkeyPatch):
    real_mkdtemp = tempfile.mkdtemp

    def guarded(prefix: str, dir: Path) -> str:
        if dir == out.parent:
            raise PermissionError(13, "Permission denied")
        return real_mkdtemp(prefix=prefix, dir=dir)

    monkeypatch.setattr(tempfile, "mkdtemp", guarded)
    write(NEW, out)
    assert holds(out) == complete(NEW)


def test_a_staging_folder_that_cannot_be_removed_is_named_until_it_goes(out: Path, monkeypatch: pytest.MonkeyPatch):
    real_rmtree = shutil.rmtree
    monkeypatch.setattr(shutil, "rmtree", lambda *_, **__: None)
    changes = write(NEW, out)
    (left,) = changes.left
    assert Path(left).parent == out.parent
    assert Path(left).name.startswith(".site.build-")
    assert str(changes) == f"4 added, 3 changed, 4 removed; '{left}' can't be removed: delete it"
    unchanged = write(NEW, out)
    assert (bool(unchanged), unchanged.left) == (False, (left,))
    monkeypatch.setattr(shutil, "rmtree", real_rmtree)
    assert write(NEW, out).left == ()
    assert names(out.parent) == ["site"]


def test_leftovers_are_ignored_by_git(root: Path):
    for name in (".site.build-abcdefgh/index.html", ".venv"):
        assert subprocess.run(["git", "check-ignore", "-q", "--no-index", name], cwd=root, check=False).returncode == 0


@pytest.mark.parametrize("step", ["_compare", "_keep", "_exchange", "_replace_files"])
def test_an_old_site_that_somebody_deletes_meanwhile_is_written_whole(
    out: Path, monkeypatch: pytest.MonkeyPatch, step: str
):
    real_step: Callable[..., object] = getattr(writer, step)
    done: list[str] = []

    def deleted(*arguments: object) -> object:
        if not done:
            done.append(step)
            shutil.rmtree(out)
        return real_step(*arguments)

    if step == "_replace_files":
        monkeypatch.setattr(writer, "_exchange", lambda *_: False)
    monkeypatch.setattr(writer, step, deleted)
    write(NEW, out)
    assert done
    assert holds(out) == complete(NEW)
    assert names(out.parent) == ["site"]


def test_a_site_whose_files_were_deleted_but_for_the_hidden_one_is_written_anew(out: Path):
    for path in out.iterdir():
        if not path.name.startswith("."):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    write(NEW, out)
    assert holds(out) == complete(NEW)


# Two builds at once


@pytest.mark.parametrize("second", ["exchanged", "file-by-file"])
def test_two_builds_at_once_leave_one_whole_site(out: Path, second: str):
    code = """
if sys.argv[3] == "file-by-file":
    writer._exchange = lambda one, other: False
for turn in range(12):
    writer.write(OLD if (turn + int(sys.argv[2])) % 2 else NEW, Path(sys.argv[1]))
"""
    ways = {0: "exchanged", 1: second}
    builds = [
        subprocess.Popen([sys.executable, "-c", PRELUDE + code, str(out), str(number), way], cwd=ROOT)
        for number, way in ways.items()
    ]
    assert [build.wait() for build in builds] == [0, 0]
    assert holds(out) in (complete(OLD), complete(NEW))
    assert names(out.parent) == ["site"]


def test_a_build_that_waits_too_long_for_another_says_so(out: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(writer, "PATIENCE", 0.05)
    handle = os.open(out.parent, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        with pytest.raises(BuildError, match="another build has been writing here for too long; end it first"):
            write(NEW, out)
    finally:
        os.close(handle)
    assert holds(out) == complete(OLD)
    write(NEW, out)
    assert holds(out) == complete(NEW)
