"""The workflows on GitHub: every action is pinned to a commit, and no job may do more than it needs."""

import re
from pathlib import Path

import pytest
import yaml

WORKFLOWS = ("ci.yml", "pages.yml")


def read(root: Path, name: str) -> dict:
    return yaml.safe_load((root / ".github" / "workflows" / name).read_text())


@pytest.mark.parametrize("name", WORKFLOWS)
def test_every_action_is_pinned_to_a_commit(root: Path, name: str) -> None:
    used = re.findall(r"uses: (\S+)", (root / ".github" / "workflows" / name).read_text())
    assert used
    assert [action for action in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action)] == []


@pytest.mark.parametrize("name", WORKFLOWS)
def test_by_default_a_job_may_only_read(root: Path, name: str) -> None:
    assert read(root, name)["permissions"] == {"contents": "read"}


def test_only_the_deployment_may_write(root: Path) -> None:
    jobs = read(root, "pages.yml")["jobs"]
    writers = [name for name, job in jobs.items() if "write" in job.get("permissions", {}).values()]
    assert writers == ["deploy"]


def test_ci_runs_on_every_supported_python(root: Path) -> None:
    matrix = read(root, "ci.yml")["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == ["3.11", "3.12", "3.13"]


def test_a_pull_request_shows_what_it_does_to_the_numbers_and_keeps_the_site(root: Path) -> None:
    job = read(root, "ci.yml")["jobs"]["numbers"]
    assert job["if"] == "github.event_name == 'pull_request'"
    steps = [step.get("run") or step["uses"].split("@")[0] for step in job["steps"]]
    assert 'build.py diff HEAD^1 site >> "$GITHUB_STEP_SUMMARY"' in steps[-1]
    assert steps[-2] == "actions/upload-artifact"
    assert job["steps"][0]["with"]["fetch-depth"] == 2, "the diff needs the commit before the merge"
