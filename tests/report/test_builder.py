"""A warm builder answers wishes: in what order it works, what it says, and when it is replaced."""

from __future__ import annotations

import io
import json
import queue
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from report import builder, cache, workers
from report.builder import Builder
from report.errors import BuildError, Problem
from report.figures import book
from report.memory import Memory
from report.rowwise import as_json
from report.wish import Answer, Wish
from report.writer import Changes


class Fake:
    """A site of one figure, that is late when it was drawn before."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.renders = 0
        self.drawn: list[str] = []
        self.late: dict[str, Callable[[], object]] = {}
        monkeypatch.setattr("report.site.render", self.render)
        monkeypatch.setattr("report.writer.write", lambda *_: Changes(changed=("index.html",)))
        self.builder = Builder(Wish(content=str(tmp_path / "content"), out=str(tmp_path / "site"), cached=False))

    def render(self, *_: object) -> dict[str, bytes]:
        self.renders += 1
        if book._HELD:
            book._HELD[-1].update(self.late)  # type: ignore[arg-type]
        return {"index.html": b"", "data/numbers.json": b'{"numbers": {}}'}


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Fake:
    return Fake(monkeypatch, tmp_path)


def test_late_pictures_are_drawn_from_the_end_and_come_with_a_second_answer(fake: Fake) -> None:
    fake.late = {name: lambda name=name: fake.drawn.append(name) for name in ("one", "two")}
    assert [answer.late for answer in fake.builder.build()] == [["one", "two"], []]
    assert fake.drawn == ["two", "one"]
    assert fake.renders == 2


@pytest.mark.parametrize("good", [True, False])
def test_a_worker_that_was_killed_is_replaced_and_the_next_build_says_so(
    fake: Fake, monkeypatch: pytest.MonkeyPatch, good: bool
) -> None:
    monkeypatch.setattr(workers.os, "cpu_count", lambda: 2)
    if not good:
        monkeypatch.setattr("report.site.render", wrong)
    with workers.beside():
        first = workers._WORKERS[0].process
        first.kill()
        first.wait()
        (answer,) = fake.builder.build()
        assert workers._WORKERS[0].process.poll() is None
        (later,) = fake.builder.build()
    why = f"was ended by signal {signal.SIGKILL}, as the system does where memory is short"
    assert answer.says[0] == f"The process that draws ahead {why}: another one does"
    assert list(later.says) == [line for line in later.says if "draws ahead" not in line] != []
    assert answer.good is good


def wrong(*_: object) -> dict[str, bytes]:
    raise BuildError([Problem("content/report/index.md", 1, 1, "this is wrong")])


def test_a_terminal_is_told_of_many_mistakes_in_short_and_an_open_page_in_full(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    def many(*_: object) -> dict[str, bytes]:
        raise BuildError(
            [Problem("content/report/index.md", line, 1, "this is wrong", "mend it") for line in range(40)]
        )

    monkeypatch.setattr("report.site.render", many)
    (answer,) = fake.builder.build()
    assert len([line for line in answer.wrong if line.endswith("; mend it")]) == 40
    assert len([line for line in answer.says if line.endswith("; mend it")]) < 40
    assert answer.says[-1] == "40 problems"


def test_a_newer_wish_comes_before_late_pictures(fake: Fake) -> None:
    def interrupted() -> None:
        fake.drawn.append("two")
        fake.builder.wanted.put("build\n")

    fake.late = {"one": lambda: fake.drawn.append("one"), "two": interrupted}
    assert len(list(fake.builder.build())) == 1
    assert fake.drawn == ["two"]


def test_what_was_made_anew_is_named_beside_how_much_was_kept_and_a_first_build_makes_all() -> None:
    made = {"text": [f"report/{n}.md" for n in range(8)], "page": ["index.html"]}
    kept = {"text": {"report/0.md", "report/x.md", "report/y.md"}}
    assert builder._why(Memory(build=1, made=made)) == []
    named = ", ".join(f"{n}.md" for n in range(6))
    assert builder._why(Memory(build=2, made=made, kept=kept)) == [
        f"  made anew, texts: {named} and 2 more (2 kept)",
        "  made anew, pages: index.html (0 kept)",
    ]


def test_numbers_that_moved_are_listed_up_to_a_point(fake: Fake) -> None:
    def sites(text: str) -> dict[str, bytes]:
        numbers = {f"content/report/x.md#top T_min{n}": {"text": text} for n in range(8)}
        return {"data/numbers.json": as_json({"numbers": numbers})}

    assert fake.builder._moved(sites("1")) == []
    lines = fake.builder._moved(sites("2"))
    assert lines[0] == "  top T_min0: 1 -> 2"
    assert lines[-1] == "  and 2 more"


def serving(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, asked: str, outdated: bool = False) -> list[object]:
    answers = io.StringIO()
    monkeypatch.setattr(builder.Builder, "outdated", property(lambda _: outdated))
    monkeypatch.setattr(builder.Builder, "build", lambda _: iter([Answer(good=True, says=["built"])]))
    monkeypatch.setattr(workers, "beside", workers.unswept)
    builder.serve(Wish(content=str(tmp_path), out=str(tmp_path / "site")), io.StringIO(asked), answers)
    return [json.loads(line) for line in answers.getvalue().splitlines()]


def test_wishes_that_came_meanwhile_are_one_build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert serving(monkeypatch, tmp_path, "") == []
    (answer,) = serving(monkeypatch, tmp_path, "build\n")
    good = {"good": True, "says": ["built"], "wrong": [], "late": [], "changed": False, "seconds": None}
    assert answer == good

    def at_once(_: object, wanted: queue.SimpleQueue[str | None]) -> None:
        for line in ("build\n", "build\n", "build\n"):
            wanted.put(line)
        wanted.put("last\n")

    listened: list[None] = []
    monkeypatch.setattr(builder, "_listen", at_once)
    monkeypatch.setattr(builder.Builder, "build", lambda self: listened.append(None) or self.wanted.put(None) or ())
    assert serving_as_set(tmp_path) == []
    assert len(listened) == 1


def serving_as_set(tmp_path: Path) -> list[str]:
    answers = io.StringIO()
    builder.serve(Wish(content=str(tmp_path), out=str(tmp_path / "site")), io.StringIO(), answers)
    return answers.getvalue().splitlines()


def test_a_builder_of_old_code_asks_to_be_replaced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert serving(monkeypatch, tmp_path, "build\nbuild\n", outdated=True) == ["renew"]


def test_edited_code_or_another_library_makes_a_builder_old(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in cache.CODE:
        (tmp_path / name).mkdir() if "." not in name else (tmp_path / name).touch()
    monkeypatch.setattr(cache, "ROOT", tmp_path)
    warm = Builder(Wish(content=str(tmp_path), out=str(tmp_path / "site")))
    assert not warm.outdated
    (tmp_path / "templates" / "page.html").write_text("new")
    assert warm.outdated
    (tmp_path / "templates" / "page.html").unlink()
    assert not warm.outdated
    shutil.rmtree(tmp_path / "model")
    (tmp_path / "build.py").unlink()
    assert warm.outdated


def test_the_process_answers_in_lines_and_ends_with_its_input(root: Path, tmp_path: Path) -> None:
    wish = {"content": str(tmp_path / "content"), "out": str(tmp_path / "site")}
    command = [sys.executable, "-m", "report.builder", json.dumps(wish)]
    done = subprocess.run(command, cwd=root, input="build\n", capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    (answer,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert not answer["good"]
    assert any("site.yaml: the file is missing" in line for line in answer["wrong"])
    assert answer["seconds"] > 0


def test_sweeping_up_waits_until_nothing_is_wanted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    warm = Builder(Wish(content=str(tmp_path), out=str(tmp_path / "site")))
    swept = []

    def sweep() -> None:
        swept.append(1)
        warm.wanted.put("build, after a pause")

    warm.wanted.put("build")
    assert builder._next(warm, sweep) == "build"
    monkeypatch.setattr(builder, "_PAUSE", 0.01)
    warm.memory.build = 1
    warm.wanted.put("build, at once")
    assert builder._next(warm, sweep) == "build, at once"
    assert not swept
    assert builder._next(warm, sweep) == "build, after a pause"
    assert swept == [1]
