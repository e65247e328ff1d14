"""The watch builds at every edit, keeps the last good site, and outlives its builder."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from report import cache
from report import watch as watching
from report.excerpts import near
from report.preview import Preview
from report.tree import MARKER
from report.watch import Warm, watch
from tests.report.test_preview import until

ROOT = Path(__file__).resolve().parents[2]
# Speaks as report/builder.py does; code.py stands for the code, and some words in the content for its accidents.
BUILDER = """
import json, os, sys, time
from pathlib import Path
from report.writer import write
content, out = Path(sys.argv[1]), Path(sys.argv[2])
code = (content / "code.py").read_text() if (content / "code.py").exists() else ""
def say(answer):
    print(json.dumps(answer), flush=True)
for line in sys.stdin:
    now = (content / "code.py").read_text() if (content / "code.py").exists() else ""
    if now != code:
        say("renew")
        break
    tree = {p.name.replace(".md", ".html"): p.read_bytes() for p in sorted(content.glob("*.md"))}
    if b"crash" in b"".join(tree.values()):
        os.kill(os.getpid(), 9)
    if b"broken" in b"".join(tree.values()):
        said = ["content: this is broken"]
        say({"good": False, "says": said, "wrong": said, "late": [], "seconds": 0.4})
        continue
    late = b"late" in b"".join(tree.values())
    write({**tree, "code.html": code.encode()}, out)
    say({"good": True, "says": [f"built by {os.getpid()}"], "wrong": [], "late": ["drift"] if late else []})
    if late:
        write({**tree, "picture.svg": b"new"}, out)
        say({"good": True, "says": ["pictures"], "wrong": [], "late": []})
"""


class Watched:
    """A watch that runs beside the test, on content that a test may edit."""

    def __init__(self, folder: Path) -> None:
        self.content, self.out = folder / "content", folder / "site"
        self.stop = threading.Event()
        self.told: list[object] = []  # what open pages were told: late figures of a newer site, or mistakes
        self.thread = threading.Thread(target=self._run, daemon=True)

    @property
    def reloads(self) -> int:
        return sum(isinstance(told, tuple) for told in self.told)

    def _run(self) -> None:
        command = [sys.executable, "-c", BUILDER, str(self.content), str(self.out)]
        watch(command, [self.content, self.content / "absent"], self.out, 0, self.stop)

    def until(self, true: Callable[[], bool]) -> None:
        """Wait for something that the watch is about to do."""
        until(lambda: true() or not self.thread.is_alive())
        assert self.thread.is_alive(), "the watch ended"

    def page(self, name: str) -> str | None:
        path = self.out / name
        return path.read_text() if path.exists() else None


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    monkeypatch.chdir(ROOT)
    run = Watched(tmp_path)
    run.content.mkdir()
    (run.content / "index.md").write_text("one")
    real_reload, real_complain = Preview.reload, Preview.complain

    def reload(server: Preview, late: tuple[str, ...] = ()) -> None:
        run.told.append(tuple(late))
        real_reload(server, late)

    def complain(server: Preview, wrong: list[str]) -> None:
        run.told.append(list(wrong))
        real_complain(server, wrong)

    monkeypatch.setattr(Preview, "reload", reload)
    monkeypatch.setattr(Preview, "complain", complain)
    run.thread.start()
    yield run
    run.stop.set()
    run.thread.join(60)
    assert not run.thread.is_alive()


def hears(capfd: pytest.CaptureFixture[str]) -> Callable[[str], bool]:
    """Return what tells whether a word was printed since."""
    said: list[str] = []

    def heard(word: str) -> bool:
        said.append("".join(capfd.readouterr()))
        return word in "".join(said)

    return heard


def test_edits_renames_and_deletions_reach_the_site(watched: Watched, capfd: pytest.CaptureFixture[str]):
    watched.until(lambda: watched.page("index.html") == "one")
    (watched.content / "index.md").write_text("two")
    watched.until(lambda: watched.page("index.html") == "two")
    (watched.content / "note.md").write_text("note")
    watched.until(lambda: watched.page("note.html") == "note")
    (watched.content / "note.md").rename(watched.content / "essay.md")
    watched.until(lambda: watched.page("essay.html") == "note" and watched.page("note.html") is None)
    (watched.content / "essay.md").unlink()
    watched.until(lambda: watched.page("essay.html") is None)
    watched.until(lambda: watched.reloads >= 5)
    said = capfd.readouterr()
    seen = {name: near(watched.content / f"{name}.md") for name in ("index", "note", "essay")}
    changes = [
        line for line in said.out.splitlines() if line.partition(":")[0] in ("Edited", "New", "Renamed", "Deleted")
    ]
    assert changes == [
        f"Edited: {seen['index']}",
        f"New: {seen['note']}",
        f"Renamed: {seen['note']} -> {seen['essay']}",
        f"Deleted: {seen['essay']}",
    ]
    assert said.err == ""


def test_a_mistake_leaves_the_last_good_site_and_mending_it_needs_no_restart(
    watched: Watched, capfd: pytest.CaptureFixture[str]
):
    heard = hears(capfd)
    watched.until(lambda: watched.page("index.html") == "one" and watched.told == [()])
    (watched.content / "index.md").write_text("broken")
    watched.until(lambda: heard("Failed in 0.40 s: the last good site stays\n"))
    assert heard("content: this is broken")
    assert watched.page("index.html") == "one"
    watched.until(lambda: watched.told == [(), ["content: this is broken"]])
    (watched.content / "index.md").write_text("mended")
    watched.until(lambda: watched.page("index.html") == "mended")


def test_a_site_that_is_deleted_is_written_anew(watched: Watched, capfd: pytest.CaptureFixture[str]):
    heard = hears(capfd)
    watched.until(lambda: watched.told == [()])
    shutil.rmtree(watched.out)
    watched.until(lambda: watched.page("index.html") == "one" and watched.told == [(), ()])
    assert heard(f"Deleted: {watched.out}, the site: it is written anew\n")


def test_a_site_that_is_deleted_beside_mistakes_comes_back_when_they_are_mended(
    watched: Watched, capfd: pytest.CaptureFixture[str]
):
    heard = hears(capfd)
    watched.until(lambda: watched.told == [()])
    (watched.content / "index.md").write_text("broken")
    watched.until(lambda: heard("Failed in 0.40 s: the last good site stays\n"))
    shutil.rmtree(watched.out)
    watched.until(lambda: heard(f"Deleted: {watched.out}, the site: the next good build writes it anew\n"))
    (watched.content / "own.md").write_text("more")
    watched.until(lambda: heard("Failed in 0.40 s: there is no site yet\n"))
    (watched.content / "index.md").write_text("mended")
    watched.until(lambda: watched.page("index.html") == "mended")


def test_a_build_that_failed_as_its_site_was_deleted_is_tried_again_once(tmp_path: Path):
    marker = tmp_path / "site" / MARKER
    marker.parent.mkdir(parents=True)
    marker.touch()
    shown = watching.Shown(tmp_path / "site")
    shutil.rmtree(tmp_path / "site")
    shown.heard(good=False)
    assert [shown.lost() for _ in range(4)] == [False, True, False, False]
    shown.heard(good=False)
    assert not any(shown.lost() for _ in range(4))


def test_pictures_may_follow_the_page(watched: Watched):
    watched.until(lambda: watched.told == [()])
    (watched.content / "index.md").write_text("late")
    watched.until(lambda: watched.told == [(), ("drift",), ()])
    assert watched.page("picture.svg") == "new"


def test_a_builder_of_old_code_is_replaced_and_asked_again(watched: Watched, capfd: pytest.CaptureFixture[str]):
    heard = hears(capfd)
    watched.until(lambda: watched.page("code.html") == "")
    (watched.content / "code.py").write_text("new code")
    watched.until(lambda: watched.page("code.html") == "new code")
    watched.until(lambda: heard("built by"))


def test_a_builder_that_crashes_ends_nothing_else(watched: Watched, capfd: pytest.CaptureFixture[str]):
    heard = hears(capfd)
    watched.until(lambda: watched.told == [()])
    (watched.content / "index.md").write_text("crash")
    watched.until(lambda: len(watched.told) == 2)
    reason = f"The builder was ended by signal {signal.SIGKILL}, as the system does where memory is short"
    assert watched.told[1] == [f"{reason}, twice: the next edit starts another; see the terminal"]
    assert heard(f"{reason}: another one builds\n{reason}, twice")
    assert heard("Failed: the last good site stays\n")
    assert watched.page("index.html") == "one"
    (watched.content / "index.md").write_text("mended")
    watched.until(lambda: watched.page("index.html") == "mended")


@pytest.mark.parametrize("half", ["", '{"good": tr', '{"late": ["drift"]}\n'])
def test_a_builder_killed_before_it_has_answered_in_full_is_replaced_at_once(half: str, tmp_path: Path):
    heard: list[object] = []
    answers = f"""
import os, pathlib, sys
for line in sys.stdin:
    if not (there := pathlib.Path({str(tmp_path / "again")!r})).exists():
        there.touch()
        print({half!r}, end="", flush=True)
        os.kill(os.getpid(), 9)
    print('{{"late": []}}', flush=True)
"""
    warm = Warm([sys.executable, "-c", answers], heard.append)
    warm.ask()
    until(lambda: {"late": []} in heard)
    warm.close()
    assert heard == [*([{"late": ["drift"]}] if "late" in half else []), {"late": []}]


def test_a_builder_that_ends_by_itself_is_said_to(capsys: pytest.CaptureFixture[str]):
    heard: list[Any] = []
    warm = Warm([sys.executable, "-c", "import sys; sys.stdin.readline(); sys.exit(3)"], heard.append)
    warm.ask()
    until(lambda: bool(heard))
    warm.close()
    assert heard[0]["says"] == ["The builder ended with code 3, twice: the next edit starts another"]
    assert capsys.readouterr().err == "The builder ended with code 3: another one builds\n"


def test_a_builder_whose_pipe_is_closed_already_is_replaced():
    heard: list[object] = []
    answers = "import sys\nfor line in sys.stdin: print('{\"late\": []}', flush=True)"
    warm = Warm([sys.executable, "-c", answers], heard.append)
    warm.ask()
    first = warm.process
    assert first is not None
    assert first.stdin is not None
    first.stdin.close()
    warm.ask()
    assert warm.process is not first
    warm.close()
    assert heard.count({"late": []}) >= 1


def test_a_builder_that_was_ended_from_outside_is_replaced_at_the_next_edit(
    watched: Watched, capfd: pytest.CaptureFixture[str]
):
    watched.until(lambda: watched.told == [()])
    os.kill(int(capfd.readouterr().out.partition("built by ")[2].split()[0]), signal.SIGKILL)
    (watched.content / "index.md").write_text("two")
    watched.until(lambda: watched.page("index.html") == "two")


def test_an_atomic_save_a_burst_and_an_editors_own_files_are_one_edit_each(
    watched: Watched, capfd: pytest.CaptureFixture[str]
):
    heard = hears(capfd)
    watched.until(lambda: watched.told == [()])
    saved = watched.content / "index.md"
    (watched.content / "index.md~").write_text("backup")
    (watched.content / ".index.md.swp").write_text("swap")
    (watched.content / "4913").write_text("")
    (watched.content / "4913").unlink()
    beside = watched.content / ".#index.md.new"
    beside.write_text("atomic")
    beside.replace(saved)
    watched.until(lambda: watched.page("index.html") == "atomic")
    for number in range(50):
        saved.write_text(f"burst {number}")
    watched.until(lambda: watched.page("index.html") == "burst 49")
    assert not heard("swp")
    assert not heard("index.md~")
    assert not heard("New: ")
    assert not heard("Deleted: ")
    assert watched.reloads < 20


EDITORS = ["index.md~", ".index.md.swp", ".index.md.swx", "4913", ".#index.md", "#index.md#", "x.crswap", "sedAb3xYz"]


@pytest.mark.parametrize("name", [*EDITORS, "own.md.tmp", "index.md.bak", "index.md.part", "notes.txt", ".DS_Store"])
def test_what_is_no_source_is_no_edit(name: str, tmp_path: Path) -> None:
    for one in (name, "index.md", "sedation.md"):
        (tmp_path / one).write_text("")
    assert sorted(watching.standing([tmp_path])) == [str(tmp_path / "index.md"), str(tmp_path / "sedation.md")]


def test_every_file_that_a_site_is_made_from_is_a_source(root: Path) -> None:
    tops = [root / name for name in ("content", *cache.CODE)]
    walked = [path for top in tops for path in (top.rglob("*") if top.is_dir() else [top])]
    files = {str(path) for path in walked if path.is_file() and "__pycache__" not in path.parts}
    assert files == set(watching.standing(tops))


def test_a_file_that_is_no_source_starts_no_build_and_is_not_announced(
    watched: Watched, capfd: pytest.CaptureFixture[str]
) -> None:
    heard = hears(capfd)
    watched.until(lambda: watched.told == [()])
    for name in ("own.md.tmp", "notes.txt"):
        (watched.content / name).write_text("half")
        time.sleep(0.1)  # a batch of its own
    (watched.content / "own.md.tmp").replace(watched.content / "own.md")
    watched.until(lambda: watched.page("own.html") == "half" and len(watched.told) > 1)
    assert watched.reloads == 2
    assert heard(f"New: {near(watched.content / 'own.md')}\n")
    assert not heard(".tmp")
    assert not heard("notes.txt")


def test_many_edits_are_named_in_one_short_line():
    before, now = ({f"{number}.md": (number, time, 1) for number in range(9)} for time in (1, 2))
    assert watching.told_of(before, now) == ["Edited: 0.md, 1.md, 2.md, 3.md, 4.md, 5.md and 3 more"]
    assert watching.told_of(now, now) == []


def test_each_kind_of_change_has_a_line_of_its_own():
    before = {"a.md": (1, 1, 1), "b.md": (2, 1, 1), "c.md": (3, 1, 1), "d.md": (4, 1, 1)}
    now = {"a.md": (9, 2, 1), "b2.md": (2, 1, 1), "d.md": (4, 1, 1), "e.md": (5, 1, 1)}
    assert watching.told_of(before, now) == ["Edited: a.md", "Renamed: b.md -> b2.md", "New: e.md", "Deleted: c.md"]


def test_files_are_found_in_folders_and_alone_and_what_is_gone_is_left_out(tmp_path: Path):
    (tmp_path / "sub").mkdir()
    for name in ("sub/a.md", "sub/a.md~", "build.py"):
        (tmp_path / name).write_text("")
    (tmp_path / "sub" / "lost.md").symlink_to(tmp_path / "nowhere")
    found = watching.standing([tmp_path / "sub", tmp_path / "build.py", tmp_path / "absent"])
    assert sorted(found) == [str(tmp_path / "build.py"), str(tmp_path / "sub" / "a.md")]


def test_nothing_is_built_while_nothing_is_edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    batches = [set(), set(), {(1, "a.md"), (2, "b.md")}, set(), set()]
    asked: list[str] = []
    monkeypatch.setattr(watching.watchfiles, "watch", lambda *_, **__: iter(batches))
    monkeypatch.setattr(watching.Warm, "ask", lambda _: asked.append("build"))
    watch(["true"], [], tmp_path / "site", 0)
    assert asked == ["build", "build"]


def test_ctrl_c_ends_the_watch_and_its_builder(root: Path, tmp_path: Path) -> None:
    """The whole command, on content that can't be built: quick, and it has to say so."""
    content = tmp_path / "content"
    content.mkdir()
    command = [sys.executable, "build.py", "watch", "--content", str(content), "--out", str(tmp_path / "site")]
    with subprocess.Popen(
        command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as run:
        assert run.stdout is not None
        until(lambda: "Failed in" in run.stdout.readline())  # type: ignore[union-attr]
        os.killpg(run.pid, signal.SIGINT)
        _, errors = run.communicate(timeout=60)
    assert run.returncode == 130
    assert "site.yaml: the file is missing" in errors
    assert "Traceback" not in errors


def test_an_end_waits_a_moment_for_a_build_and_not_for_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "_GRACE", 0.05)
    slow = "import sys, time\nfor line in sys.stdin:\n    print('\"renew\"', flush=True)\n    time.sleep(3600)"
    warm = Warm([sys.executable, "-c", slow], lambda _: pytest.fail("an answer"))
    warm.ask()
    process = warm.process
    assert process is not None
    warm.close()
    assert process.wait() == -signal.SIGTERM


def test_a_builder_that_is_ended_in_a_build_clears_up(root: Path, tmp_path: Path) -> None:
    aside = tmp_path / "aside"
    aside.mkdir()
    wish = json.dumps({"content": str(root / "content"), "out": str(tmp_path / "site"), "cached": False})
    command = [sys.executable, "-c", "from report.builder import main; main()", wish]
    pipe, environment = subprocess.PIPE, {**os.environ, "TMPDIR": str(aside)}
    with subprocess.Popen(command, cwd=root, stdin=pipe, stdout=pipe, env=environment) as process:
        assert process.stdin is not None
        process.stdin.write(b"build\n")
        process.stdin.flush()
        until(lambda: any(aside.iterdir()))  # it has begun
        process.terminate()
        assert process.wait() == 1
    until(lambda: not any(aside.iterdir()))
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize("module", ["report.watch", "report.command"])
def test_what_only_waits_or_asks_loads_none_of_the_libraries_that_build(module: str) -> None:
    """They take a second and a hundred megabytes; the builder has them."""
    code = f"import sys, {module}; print(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {"altair", "vl_convert", "sympy", "numpy", "scipy", "fontTools", "pykatex"}.isdisjoint(loaded.stdout.split())
