"""The two locks: exact, hashed, in step with each other, and free of anything that only one machine has."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

PIN = re.compile(r"^([a-z0-9-]+)==(\S+)(?: ; .+?)? \\$", re.MULTILINE)
# Needed and never imported by our code: fontTools loads brotli for WOFF2, the others are read for their font files.
UNIMPORTED = {"brotli", "font-source-sans-pro", "font-source-serif-pro", "ziamath"}
LOCKS = ("requirements.lock", "requirements-dev.lock")


def pins(text: str) -> dict[str, set[str]]:
    """Return the versions of each package; there may be several, for different versions of Python."""
    found: dict[str, set[str]] = {}
    for name, version in PIN.findall(text):
        found.setdefault(name, set()).add(version)
    return found


def imported(root: Path) -> set[str]:
    """Return the top-level names that the code of a build imports, ours and the standard library's left out."""
    found: set[str] = set()
    for file in (root / "build.py", *(root / "model").rglob("*.py"), *(root / "report").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add((node.module or "").partition(".")[0])
    return found - set(sys.stdlib_module_names) - {"model", "report"}


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[<>=~! ]", requirement, maxsplit=1)[0].lower() for requirement in requirements}


@pytest.fixture(scope="module")
def project(root: Path) -> dict:
    return tomllib.loads((root / "pyproject.toml").read_text())


@pytest.mark.parametrize("lock", LOCKS)
def test_every_requirement_has_a_version_and_a_hash(root: Path, lock: str) -> None:
    blocks = re.split(r"\n(?=[a-z])", (root / lock).read_text().strip())
    assert len(blocks) > 20
    bare = [block for block in blocks if not PIN.match(block) or "--hash=sha256:" not in block]
    assert bare == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_index_and_no_path(root: Path, lock: str) -> None:
    text = (root / lock).read_text()
    assert not re.search(r"://|index-url|find-links|file:|(^|\s)/", text)


def test_the_tests_lock_holds_the_builds_lock_in_the_same_versions(root: Path) -> None:
    run, dev = (pins((root / lock).read_text()) for lock in LOCKS)
    assert {name: dev.get(name) for name in run} == run


def test_the_locks_hold_what_pyproject_asks_for(root: Path, project: dict) -> None:
    run, dev = (pins((root / lock).read_text()) for lock in LOCKS)
    assert names(project["project"]["dependencies"]) - set(run) == set()
    assert names(project["dependency-groups"]["dev"]) - set(dev) == set()


def test_a_build_does_not_install_pandas(root: Path) -> None:
    """Altair imports pandas wherever it finds it, and takes twice as long to load."""
    assert "pandas" not in pins((root / "requirements.lock").read_text())
    assert "pandas" in pins((root / "requirements-dev.lock").read_text())


def test_what_a_build_imports_is_what_pyproject_asks_for(root: Path, project: dict) -> None:
    """Both ways: nothing is there by luck, and nothing is installed for no use."""
    homes = packages_distributions()
    used = {re.sub(r"[_.]", "-", homes[name][0]).lower() for name in imported(root)}
    assert used | UNIMPORTED == names(project["project"]["dependencies"])
