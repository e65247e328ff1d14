"""The command: what it does for each word and flag, what it says, and with which exit code it ends."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest

import build
from report import cache, workers
from report import watch as watching
from report.errors import BuildError, Problem
from report.tree import complete

ROOT = Path(__file__).resolve().parent.parent
TREE = {"index.html": b"<p>report</p>", "note/index.html": b"<p>note</p>", "assets/page-1.js": b"1"}
Render = Callable[[Path, str | None], dict[str, bytes]]


@pytest.fixture
def content(tmp_path: Path) -> Path:
    folder = tmp_path / "content"
    folder.mkdir()
    return folder


@pytest.fixture
def rendering(monkeypatch: pytest.MonkeyPatch) -> Callable[[Render], list[tuple[Path, str | None]]]:
    """Put another renderer in the place of the report's, without cache and worker, and note what it is asked for."""
    monkeypatch.setattr(cache, "FOLDER", None)
    monkeypatch.setattr(workers, "beside", contextlib.nullcontext)

    def put(render: Render) -> list[tuple[Path, str | None]]:
        asked: list[tuple[Path, str | None]] = []

        def noted(folder: Path, base_url: str | None) -> dict[str, bytes]:
            asked.append((folder, base_url))
            return render(folder, base_url)

        monkeypatch.setitem(sys.modules, "report.site", types.SimpleNamespace(render=noted))
        return asked

    return put


def holds(out: Path) -> dict[str, bytes]:
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def command(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    run = [sys.executable, str(ROOT / "build.py"), *arguments]
    return subprocess.run(run, cwd=cwd, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("word", [[], ["build"]], ids=["no-word", "build"])
def test_no_word_means_build(rendering, content: Path, capsys: pytest.CaptureFixture[str], word: list[str]):
    asked = rendering(lambda *_: TREE)
    out = content.parent / "site"
    assert build.main([*word, "--content", str(content), "--out", str(out)]) == 0
    assert asked == [(content, None)]
    assert holds(out) == complete(TREE)
    said = capsys.readouterr()
    assert re.fullmatch(r"2 pages, 5 files, 0\.0 MB in \d+\.\d s: 5 added\n", said.out)
    assert said.err == ""


def test_check_does_everything_but_write(rendering, content: Path, capsys: pytest.CaptureFixture[str]):
    asked = rendering(lambda *_: TREE)
    assert build.main(["check", "--content", str(content), "--out", str(content.parent / "site")]) == 0
    assert asked == [(content, None)]
    assert [path.name for path in content.parent.iterdir()] == ["content"]
    assert capsys.readouterr().out.endswith("s: nothing written\n")


def test_check_finds_what_the_writer_would_refuse(rendering, content: Path, capsys: pytest.CaptureFixture[str]):
    rendering(lambda *_: {"_draft/index.html": b""})
    assert build.main(["check", "--content", str(content)]) == 1
    assert "_draft/index.html: no file of a site can have this path" in capsys.readouterr().err


@pytest.mark.parametrize("word", ["build", "check"])
def test_every_problem_is_said_in_order_and_the_last_good_site_stays(
    rendering, content: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, word: str
):
    out = content.parent / "site"
    monkeypatch.chdir(content.parent)
    rendering(lambda *_: TREE)
    build.main(["--content", str(content), "--out", str(out)])
    capsys.readouterr()

    def wrong(folder: Path, base_url: str | None) -> dict[str, bytes]:
        rows, prose = f"{folder.name}/catalogue/machines.yaml", f"{folder.name}/report/index.md"
        raise BuildError(
            [
                Problem(prose, 7, 0, "undefined name 'T_mni'", "did you mean 'T_min'?"),
                Problem(rows, 110, 3, "a value has no unit"),
                Problem(rows, 41, 5, "unknown key 'bandwith'", "did you mean 'bandwidth'?"),
            ]
        )

    rendering(wrong)
    assert build.main([word, "--content", str(content), "--out", str(out)]) == 1
    said = capsys.readouterr()
    assert said.err.splitlines() == [
        "content/catalogue/machines.yaml:41:5: unknown key 'bandwith'; did you mean 'bandwidth'?",
        "content/catalogue/machines.yaml:110:3: a value has no unit",
        "content/report/index.md:7: undefined name 'T_mni'; did you mean 'T_min'?",
        "",
        "3 problems; nothing written",
    ]
    assert said.out == ""
    assert holds(out) == complete(TREE)


def test_a_folder_of_somebody_else_is_refused_before_the_work(
    rendering, content: Path, capsys: pytest.CaptureFixture[str]
):
    asked = rendering(lambda *_: TREE)
    (content / "thesis.tex").write_text("ten years")
    assert build.main(["--content", str(content), "--out", str(content)]) == 1
    assert build.main(["--content", str(content), "--out", str(ROOT)]) == 1
    assert build.main(["--content", str(content), "--out", str(ROOT.parent)]) == 1
    assert asked == []
    assert capsys.readouterr().err.count("name another folder with --out\n\n1 problem; nothing written\n") == 3
    assert holds(content) == {"thesis.tex": b"ten years"}


def test_a_watch_that_cannot_begin_and_a_diff_do_not_speak_of_writing(
    rendering, content: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    assert build.main(["watch", "--content", str(content), "--out", str(content)]) == 1
    assert capsys.readouterr().err.endswith("--out\n\n1 problem; the watch has not begun\n")
    assert build.main(["diff", "no-such-old", "no-such-new"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert [line.partition(" a site")[0] for line in said.err.splitlines()] == [
        "no-such-new: can't be compared: it is neither",
        "no-such-old: can't be compared: it is neither",
    ]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(28, "No space left on device", "/tmp/x"), "/tmp/x: No space left on device; the build ends here\n"),
        (BrokenPipeError(32, "Broken pipe"), "the output: Broken pipe; the build ends here\n"),
    ],
)
def test_what_the_system_refuses_is_one_line(
    rendering, content: Path, capfd: pytest.CaptureFixture[str], error: OSError, said: str
):
    def refused(*_: object) -> dict[str, bytes]:
        raise error

    rendering(refused)
    assert build.main(["check", "--content", str(content)]) == 1
    assert capfd.readouterr().err == said


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_an_output_that_takes_nothing_ends_without_a_traceback(content: Path):
    code = (
        "import sys\nfrom report import command\ncommand._DO = {'check': lambda _: print('good')}\n"
        "sys.exit(command.main(['check', '--content', sys.argv[1]]))"
    )
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-c", code, str(content)],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env=environment,
        )
    assert (done.returncode, done.stderr) == (1, "the output: No space left on device; the build ends here\n")


def test_our_own_mistake_shows_its_traceback(rendering, content: Path):
    def slip(*_: object) -> dict[str, bytes]:
        raise KeyError("a bug of ours")

    rendering(slip)
    with pytest.raises(KeyError, match="a bug of ours"):
        build.main(["check", "--content", str(content)])


@pytest.mark.parametrize(
    ("given", "passed"),
    [
        ("https://example.org", "https://example.org/"),
        ("https://example.org/report", "https://example.org/report/"),
        ("https://example.org/report/", "https://example.org/report/"),
        ("http://localhost:8000/a/b~c/%C3%A9/", "http://localhost:8000/a/b~c/%C3%A9/"),
    ],
)
def test_the_address_of_the_site_ends_in_one_slash(rendering, content: Path, given: str, passed: str):
    asked = rendering(lambda *_: TREE)
    assert build.main(["check", "--content", str(content), "--base-url", given]) == 0
    assert asked == [(content, passed)]


@pytest.mark.parametrize(
    "address",
    [
        "",
        "example.org",
        "ftp://example.org/",
        "//example.org/",
        "https://",
        "https:///report/",
        "https://example.org/report/?x=1",
        "https://example.org/#pole",
        "https://me:secret@example.org/",
        "https://example.org/a b/",
        'https://example.org/"><script>',
        "https://example.org//report/",
        "https://example.org/\n",
        "javascript:alert(1)",
    ],
)
def test_what_is_no_address_is_a_mistake_of_usage(content: Path, capsys: pytest.CaptureFixture[str], address: str):
    with pytest.raises(SystemExit) as end:
        build.main(["check", "--content", str(content), f"--base-url={address}"])
    assert end.value.code == 2
    assert "is no address such as https://example.org/report/" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["--ot", "x"], "unknown argument '--ot'; did you mean '--out'?", id="flag"),
        pytest.param(["--base_url=https://x.org"], "did you mean '--base-url'?", id="flag-with-value"),
        pytest.param(["--conten", "x"], "did you mean '--content'?", id="no-short-forms"),
        pytest.param(["--frobnicate"], "unknown argument '--frobnicate'; see --help", id="nothing-near"),
        pytest.param(["chekc"], "unknown word 'chekc'; did you mean 'check'?", id="word"),
        pytest.param(["deploy-now"], "unknown word 'deploy-now'; see --help", id="word-nothing-near"),
        pytest.param(["check", "site"], "unknown argument 'site'", id="two-words"),
        pytest.param(["--out", " "], "--out ' ' begins or ends with a blank", id="blank-folder"),
        pytest.param(["--out", "a/site "], "--out 'a/site ' begins or ends with a blank", id="folder-with-blank"),
        pytest.param(["--out"], "--out: expected one argument", id="no-value"),
        pytest.param(["--port", "http"], "--port: 'http' is no port, which is a number", id="port"),
        pytest.param(["check", "--port", "8000"], "--port is for watch alone", id="port-without-watch"),
        pytest.param(["watch", "--port", "99999"], "--port 99999 is no port", id="port-too-high"),
        pytest.param(["diff", "site"], "diff wants OLD and NEW", id="one-side"),
        pytest.param(["build", "site"], "unknown argument 'site'", id="sides-without-diff"),
        pytest.param(["--content", "no/such/folder"], "--content 'no/such/folder' is no folder", id="no-content"),
    ],
)
def test_mistakes_of_usage_end_with_2_and_the_nearest_word(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
):
    with pytest.raises(SystemExit) as end:
        build.main(arguments)
    assert end.value.code == 2
    assert said in capsys.readouterr().err


def test_the_command_itself_ends_with_these_codes(tmp_path: Path):
    assert command("--help").returncode == 0
    wrong = command("--ot", "x")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    refused = command("--content", ".", "--out", str(ROOT / "model"), cwd=tmp_path)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith(f"{ROOT / 'model'}: a build can't write into this project's own folder")


def test_folders_are_beside_the_command_wherever_it_is_called(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    code = "from report.command import NEAR; print((NEAR / 'content').resolve(), NEAR / 'site')"
    for folder in (ROOT, ROOT / "tests", tmp_path):
        done = subprocess.run(
            [sys.executable, "-P", "-c", code], cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert done.stdout.split() == [str(ROOT / "content"), os.path.relpath(ROOT / "site", folder)]


def test_an_interrupted_build_ends_silently_with_130(rendering, content: Path, capsys: pytest.CaptureFixture[str]):
    def interrupted(*_: object) -> dict[str, bytes]:
        raise KeyboardInterrupt

    rendering(interrupted)
    assert build.main(["check", "--content", str(content)]) == 130
    assert capsys.readouterr() == ("", "")


def test_watch_builds_by_this_very_command_and_looks_at_content_and_code(
    monkeypatch: pytest.MonkeyPatch, content: Path
):
    calls: list[tuple[object, ...]] = []
    monkeypatch.setattr(watching, "watch", lambda *given: calls.append(given))
    out = content.parent / "site"
    arguments = ["--content", str(content), "--out", str(out), "--base-url", "https://example.org", "--port", "0"]
    assert build.main(["watch", *arguments]) == 0
    [(run, sources, place, port)] = calls
    assert run[:3] == [sys.executable, "-P", "-c"]
    assert "report.builder" in run[3]
    wish = json.loads(run[4])
    assert (wish["content"], wish["out"], wish["base_url"]) == (str(content), str(out), "https://example.org")
    assert sources == [content, *(ROOT / name for name in ("build.py", "CITATION.cff", "model", "report", "templates"))]
    assert (place, port) == (out, 0)


def test_what_lies_in_the_folder_of_the_caller_is_no_module_of_a_watch(content: Path):
    for name in ("json", "yaml", "queue"):
        (content.parent / f"{name}.py").write_text("raise SystemExit('not this one')")
    run = [sys.executable, "-u", str(ROOT / "build.py"), "watch", "--port=0", "--content=content", "--out=site"]
    pipe = subprocess.PIPE
    with subprocess.Popen(run, stdout=pipe, stderr=pipe, text=True, cwd=content.parent) as watch:
        assert watch.stdout is not None
        assert watch.stdout.readline().startswith("Showing site on ")
        assert watch.stdout.readline().startswith("Failed in ")
        watch.send_signal(signal.SIGINT)
        assert "not this one" not in watch.communicate()[1]


def test_watch_shows_a_build_that_fails_and_ends_silently_when_interrupted(content: Path):
    (content / "site.yaml").write_text("broken: [\n")
    run = [sys.executable, "-u", str(ROOT / "build.py"), "watch", "--port=0", f"--content={content}"]
    run += [f"--out={content.parent / 'site'}"]
    with subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as watch:
        assert watch.stdout is not None
        assert re.fullmatch(r"Showing .* on http://127\.0\.0\.1:\d+/ until Ctrl-C\n", watch.stdout.readline())
        assert re.fullmatch(r"Failed in \d+\.\d\d s: there is no site yet\n", watch.stdout.readline())
        watch.send_signal(signal.SIGINT)
        said, _ = watch.communicate()
    assert said == ""
    assert watch.returncode == 130
    assert not (content.parent / "site").exists()
