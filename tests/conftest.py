"""What every test may use: the folder of the project, and the site as `build.py` writes it."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from coverage import Coverage

ROOT = Path(__file__).resolve().parent.parent
# The files that take longest: begun first where several processes share the tests, so that all end at about one time.
LONG = ("test_warm_builder", "test_whole_builds", "test_site", "test_bad_input", "test_command", "test_workflows")
# Files and folders of tests that go the long way, through whole builds or a browser. No lines are counted in them: it
# would take as much time again, and what they run is counted where its parts are tested.
UNCOUNTED = ("browser", "tools", "test_warm_builder", "test_whole_builds", "test_site", "test_bad_input", "test_fuzz")
UNCOUNTED += ("test_citing", "test_contributing", "test_presets")

# No time limit on an example: it would test how busy the machine is. In CI the same examples every time.
hypothesis.settings.register_profile("report", deadline=None, derandomize="CI" in os.environ)
hypothesis.settings.register_profile("fuzz", deadline=None, max_examples=10_000)
hypothesis.settings.load_profile("report")


def pytest_configure() -> None:
    """Hear Ctrl-C, as what tests start has to: a shell that starts them in the background has it ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put first what counts lines, so that nothing it calls is kept from an earlier call; then what takes longest."""
    items.sort(key=lambda item: (not counted(item), item.path.stem not in LONG))


def counted(item: pytest.Item) -> bool:
    """Tell whether lines are counted in a test."""
    return not {item.path.stem, item.path.parent.name} & {*UNCOUNTED}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Count no lines in a test that goes the long way, nor in what sets it up."""
    counter = None if counted(item) else Coverage.current()
    if counter is None:
        return (yield)
    counter.stop()
    try:
        return (yield)
    finally:
        counter.start()


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the folder that holds build.py."""
    return ROOT


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the whole site once, as a user would, and return its folder, which no test may change.

    Where several processes share the tests, one of them builds for all.
    """
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    with alone(shared / "built.lock"):
        out = shared / "built" / "site"
        out.parent.mkdir(exist_ok=True)
        if not out.exists():
            _build(out)
    return out


@pytest.fixture(scope="session")
def tree(site: Path) -> dict[str, bytes]:
    """Return the built site as path -> bytes, without what the writer adds."""
    from report.tree import MARKER, NO_JEKYLL

    files = {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*") if path.is_file()}
    return {path: data for path, data in files.items() if path not in (MARKER, NO_JEKYLL)}


@pytest.fixture(scope="session")
def written() -> Any:
    """Return the real content as it is written out for its pages (report.written.Written), which no test may change."""
    from report import cache
    from report.site import written

    with cache.using(cache.FOLDER):
        return written(ROOT / "content")


def _build(out: Path) -> None:
    command = [sys.executable, "build.py", "--out", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.fail(f"build.py ended with {done.returncode}:\n{done.stderr}", pytrace=False)


@contextlib.contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Let one process at a time into the block; a file that only one can make says who it is."""
    deadline = time.monotonic() + 600
    while True:
        try:
            lock.touch(exist_ok=False)
            break
        except FileExistsError:
            if time.monotonic() > deadline:
                pytest.fail(f"another process holds {lock} and does not come to an end")
            time.sleep(0.1)
    try:
        yield
    finally:
        lock.unlink()
