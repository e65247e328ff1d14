"""What every test may use: the folder of the project, and the site as `build.py` writes it."""

import os
import subprocess
import sys
from pathlib import Path

import hypothesis
import pytest

ROOT = Path(__file__).resolve().parent.parent

# No time limit on an example: it would test how busy the machine is. In CI the same examples every time.
hypothesis.settings.register_profile("report", deadline=None, derandomize="CI" in os.environ)
hypothesis.settings.register_profile("fuzz", deadline=None, max_examples=10_000)
hypothesis.settings.load_profile("report")


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the folder that holds build.py."""
    return ROOT


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the whole site once, as a user would, and return its folder."""
    out = tmp_path_factory.mktemp("built") / "site"
    command = [sys.executable, "build.py", "--out", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.fail(f"build.py ended with {done.returncode}:\n{done.stderr}", pytrace=False)
    return out
