"""Whole builds of spoilt content, and builds killed on the way: plain words, and the site is the old or the new one.

A handful in `make test`; `make fuzz` goes on.
"""

from __future__ import annotations

import contextlib
import io
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import build
from tests.report.test_fuzz import spoilt

# The usual hundred examples make two builds here, the ten thousand of `make fuzz` a hundred.
FEW = settings(
    max_examples=max(2, min(100, settings().max_examples // 50)),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
KILLS = max(2, min(40, settings().max_examples // 50))


def on_disk(out: Path) -> dict[str, bytes]:
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def built(content: Path, out: Path) -> tuple[int, str]:
    """Build in this process, and return the exit code with all that was said."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        code = build.main(["--content", str(content), "--out", str(out)])
    return code, said.getvalue()


def test_a_build_of_spoilt_content_succeeds_or_says_why_and_changes_nothing(root: Path, tmp_path: Path) -> None:
    content, out = Path(shutil.copytree(root / "content", tmp_path / "content")), tmp_path / "site"
    assert built(content, out) == (0, "")
    files = sorted(path for path in content.rglob("*") if path.suffix in (".yaml", ".md", ".bib"))
    good = on_disk(out)

    @FEW
    @given(st.data())
    def check(data: st.DataObject) -> None:
        nonlocal good
        file = data.draw(st.sampled_from(files))
        text = file.read_text(encoding="utf-8")
        try:
            file.write_bytes(data.draw(spoilt(text)).encode("utf-8", "surrogatepass"))
            code, said = built(content, out)
        finally:
            file.write_text(text, encoding="utf-8")
        assert code in (0, 1)
        assert "Traceback" not in said
        if code:
            assert said.endswith("nothing written\n")
            assert on_disk(out) == good
        good = on_disk(out)

    check()


def test_a_build_killed_at_any_moment_leaves_the_old_or_the_new_site(root: Path, tmp_path: Path) -> None:
    content, out = Path(shutil.copytree(root / "content", tmp_path / "content")), tmp_path / "place" / "site"
    out.parent.mkdir()
    assert built(content, out) == (0, "")
    old = on_disk(out)
    shutil.copytree(out, tmp_path / "old")
    page = content / "report" / "floors.md"
    page.write_text(page.read_text(encoding="utf-8") + "\nOne more sentence.\n", encoding="utf-8")
    command = [sys.executable, str(root / "build.py"), "--content", str(content), "--out", str(out)]
    started = time.monotonic()
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 0
    lasts, new = time.monotonic() - started, on_disk(out)
    assert new != old
    for _ in range(KILLS):
        shutil.rmtree(out)
        shutil.copytree(tmp_path / "old", out)
        # What the first run kept would make the next ones too quick to be caught.
        run = subprocess.Popen([*command, "--no-cache"], cwd=tmp_path, stdout=subprocess.DEVNULL)
        time.sleep(random.uniform(0, 1.2 * lasts))
        run.kill()
        run.wait()
        assert on_disk(out) in (old, new)
    assert built(content, out) == (0, "")
    assert on_disk(out) == new
    assert [path.name for path in out.parent.iterdir()] == ["site"], "nothing is left beside the site"
