"""The worker changes when things are made, never what is made."""

from __future__ import annotations

import ctypes
import io
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from report import scratch, workers
from report.errors import BuildError
from tests.report.test_preview import until

ROOT = Path(__file__).resolve().parents[2]
NAME = "os:getpid"
SUM = "operator:add"
DEATH = "signal:raise_signal", signal.SIGKILL


def test_without_a_worker_things_are_made_here() -> None:
    workers.ahead(NAME)
    assert workers.begun(NAME) is None
    assert workers.made(NAME) == os.getpid()


def test_on_one_core_there_is_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers.os, "cpu_count", lambda: 1)
    with workers.beside():
        workers.ahead(NAME)
        assert workers.made(NAME) == os.getpid()


def test_a_worker_makes_what_it_was_asked_for_and_mistakes_are_made_again_here(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(workers.os, "cpu_count", lambda: 2)
    with workers.beside():
        begin("pathlib:Path.cwd_is_no_function_of_a_module")
        begin(NAME)
        workers.ahead(SUM, 1, 2)
        assert workers.begun("pathlib:Path.cwd_is_no_function_of_a_module") is None
        assert workers.made(NAME) != os.getpid()
        assert workers.made(NAME) == os.getpid(), "it was taken once"
        assert workers.made(SUM, 1, 2) == 3
    assert workers.begun(SUM, 1, 2) is None


def test_the_worker_ends_with_the_block(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(workers.os, "cpu_count", lambda: 2)
    with workers.beside():
        process = workers._WORKERS[0].process
        for number in range(20):
            workers.ahead("os:mkdir", str(tmp_path / str(number)))
    assert process.returncode == -signal.SIGKILL


def test_what_a_worker_does_not_live_to_make_is_made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers.os, "cpu_count", lambda: 2)
    with workers.beside():
        begin(*DEATH)
        workers.ahead(SUM, 1, 2)
        assert workers.begun(*DEATH) is None
        assert workers.made(SUM, 1, 2) == 3
        workers.ahead(NAME)
        assert workers.made(NAME) == os.getpid()


def test_a_worker_answers_with_a_result_or_with_none_for_whatever_fails() -> None:
    """Its own loop, here: pickles in a pipe, each behind its length."""
    asked = [(SUM, 1, 2), ("operator:truediv", 1, 0), ("threading:Lock",), ("no.such.module:x",), (SUM, "a", "b")]
    pipe = io.BytesIO()
    for job in asked:
        workers._send(pipe, pickle.dumps(job))
    pipe.seek(0)
    answers = [pickle.loads(workers._answer(*pickle.loads(workers._received(pipe)))) for _ in asked]
    assert answers == [3, None, None, None, "ab"]
    with pytest.raises(EOFError):
        workers._received(pipe)
    with pytest.raises(EOFError):
        workers._received(io.BytesIO(pipe.getvalue()[:20]))


def test_what_a_library_prints_in_a_worker_is_no_part_of_a_result(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(workers.os, "cpu_count", lambda: 2)
    with workers.beside():
        begin("os:system", "echo said by a library; echo and complained >&2")
        begin("builtins:print", "said by Python")
        begin(SUM, 1, 2)
        assert workers.begun("os:system", "echo said by a library; echo and complained >&2") == 0
        assert workers.begun(SUM, 1, 2) == 3
    assert capfd.readouterr() == ("", "")


def test_a_worker_starts_no_other_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers.os, "cpu_count", lambda: 2)
    listed = Path(f"/proc/self/task/{os.getpid()}/children")
    if not listed.exists():
        pytest.skip("this system does not say which processes there are")
    before = set(listed.read_text().split())
    with workers.beside():
        assert set(listed.read_text().split()) - before == {str(workers._WORKERS[0].process.pid)}
    assert set(listed.read_text().split()) == before


@pytest.mark.parametrize("wait", [0.0, 0.01, 0.03, 0.1])
def test_a_worker_that_dies_while_it_hands_over_keeps_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch, wait: float
) -> None:
    monkeypatch.setattr(workers.os, "cpu_count", lambda: 2)
    large = "builtins:bytes", 200_000_000
    with workers.beside():
        begin(NAME)
        other = workers.made(NAME)
        begin(*large)
        time.sleep(wait)
        os.kill(other, signal.SIGKILL)
        assert workers.begun(*large) in (None, bytes(large[1]))


def test_a_result_that_cannot_be_handed_over_is_made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers.os, "cpu_count", lambda: 2)
    with workers.beside():
        begin("threading:Lock")
        begin(SUM, 1, 2)
        assert workers.begun("threading:Lock") is None
        assert workers.begun(SUM, 1, 2) == 3


def test_a_worker_that_has_died_is_replaced_when_asked_and_a_living_one_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    assert workers.mend() is None
    monkeypatch.setattr(workers.os, "cpu_count", lambda: 2)
    with workers.beside():
        first = workers._WORKERS[0]
        assert workers.mend() is None
        assert workers._WORKERS[0] is first
        begin(*DEATH)
        assert workers.begun(*DEATH) is None
        first.process.wait()
        assert workers.mend() == -signal.SIGKILL
        begin(NAME)
        assert workers.begun(NAME) == workers._WORKERS[0].process.pid != first.process.pid


def test_a_worker_ends_with_the_process_that_started_it() -> None:
    code = (
        "import sys, time; from report import workers\n"
        "if __name__ == '__main__':\n"
        "    with workers.beside(): print(workers._WORKERS[0].process.pid, flush=True); time.sleep(60)"
    )
    command = [sys.executable, "-c", f"import os; os.cpu_count = lambda: 2\n{code}"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        worker = int(process.stdout.readline())
        process.kill()
    until(lambda: ended(worker))


def ended(pid: int) -> bool:
    """Tell whether there is no such process any more, or nothing left of it but its name."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z"


def begin(what: str, *arguments: object) -> None:
    """Have something made by the worker, and wait until it has been handed out."""
    workers.ahead(what, *arguments)
    until(lambda: workers._BESIDE[what, *arguments]._state != "PENDING")


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="the C library has no such call")
def test_what_was_freed_is_given_back_and_a_system_without_the_call_does_without(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    freed = [bytes(50_000) for _ in range(2000)]  # each below what the C library gives back by itself
    kept = [freed[number] for number in range(0, 2000, 100)]
    del freed
    before = held()
    workers.trim()
    assert before - held() > 50e6
    monkeypatch.setattr(workers.ctypes, "CDLL", lambda _: None)
    workers.trim()
    assert len(kept) == 20


def held() -> int:
    """Return how much memory this process holds, in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_what_the_worker_keeps_in_files_goes_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers.os, "cpu_count", lambda: 2)
    with workers.beside():
        begin("report.scratch:folder")
        folder = workers.made("report.scratch:folder")
        assert folder.is_dir()
        assert folder != scratch.folder()
    assert not folder.exists()


def test_a_worker_whose_build_was_killed_clears_up(tmp_path: Path) -> None:
    code = (
        f"import sys, time; sys.path.insert(0, {str(ROOT)!r})\n"
        "from report import workers\nworkers.os.cpu_count = lambda: 2\n"
        "if __name__ == '__main__':\n    workers._WORKERS.append(workers.Worker())\n"
        "    print(workers._WORKERS[0].ask('report.scratch:folder').result(), flush=True)\n    time.sleep(60)\n"
    )
    (tmp_path / "main.py").write_text(code, encoding="utf-8")
    with subprocess.Popen([sys.executable, tmp_path / "main.py"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        folder = Path(process.stdout.readline().strip())
        assert folder.is_dir()
        process.kill()
    until(lambda: not folder.exists())


def test_no_room_for_temporary_files_is_said_in_plain_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(**_: object) -> None:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(scratch.tempfile, "TemporaryDirectory", refused)
    with pytest.raises(BuildError, match="can't be written: No usable temporary directory found; TMPDIR"):
        scratch.make()


def test_fonts_that_find_no_room_are_one_line_and_the_next_build_writes_them() -> None:
    code = (
        "import resource\nfrom report.errors import BuildError\nfrom report.figures import images\n"
        "limit = resource.getrlimit(resource.RLIMIT_FSIZE)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (8192, limit[1]))\n"
        "try:\n    images._with_fonts()\nexcept BuildError as error:\n    print(error)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, limit)\nimages._with_fonts()\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "TMPDIR"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False, env=environment
    )
    said = "temporary files: can't be written: File too large; the system lets no file grow as large here"
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(said)
    assert len(done.stdout.splitlines()) == 1


def test_a_build_goes_on_without_a_worker_that_cannot_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(**_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(workers.os, "cpu_count", lambda: 2)
    with workers.beside():
        worker = workers._WORKERS[0]
        worker.process.kill()
        worker.process.wait()
        monkeypatch.setattr(scratch.tempfile, "TemporaryDirectory", refused)
        assert workers.mend() == -signal.SIGKILL
        assert workers.mend() is None
        assert not workers._WORKERS
    with workers.beside():
        assert not workers._WORKERS
        assert workers.made("os.path:basename", "a/b") == "b"
