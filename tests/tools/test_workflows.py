"""The workflows on GitHub: every action is pinned, no job may do more than it needs, and what they publish is whole."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.client import HTTPConnection
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
import yaml

WORKFLOWS = ("ci.yml", "pages.yml", "newest.yml")
BUDGET = 60e6  # byte; GitHub allows a site of 1 GB, and a reader's patience less
BASE = "/some/nested/base/"


def read(root: Path, name: str) -> dict[Any, Any]:
    found: dict[Any, Any] = yaml.safe_load((root / ".github" / "workflows" / name).read_text(encoding="utf-8"))
    return found


def steps(root: Path, name: str, job: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = read(root, name)["jobs"][job]["steps"]
    return found


def test_every_workflow_is_looked_at(root: Path) -> None:
    assert sorted(file.name for file in (root / ".github" / "workflows").iterdir()) == sorted(WORKFLOWS)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_every_action_is_githubs_own_and_pinned_to_a_commit(root: Path, name: str) -> None:
    used = re.findall(r"uses: (\S+)", (root / ".github" / "workflows" / name).read_text())
    assert used
    assert [action for action in used if not re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", action)] == []


def test_an_action_is_the_same_commit_everywhere(root: Path) -> None:
    texts = [(root / ".github" / "workflows" / name).read_text() for name in WORKFLOWS]
    pins = {tuple(use) for text in texts for use in re.findall(r"uses: (\S+)@([0-9a-f]{40})", text)}
    assert len(pins) == len({action for action, _ in pins})


def test_no_job_may_do_more_than_it_needs(root: Path) -> None:
    jobs = {name: read(root, name) for name in WORKFLOWS}
    assert all(workflow["permissions"] == {"contents": "read"} for workflow in jobs.values())
    granted = {
        (name, job): what["permissions"]
        for name, workflow in jobs.items()
        for job, what in workflow["jobs"].items()
        if "permissions" in what
    }
    assert granted == {
        ("pages.yml", "build"): {"contents": "read", "pages": "read"},
        ("pages.yml", "deploy"): {"pages": "write", "id-token": "write"},
        ("newest.yml", "tell"): {"issues": "write"},
    }


@pytest.mark.parametrize("name", WORKFLOWS)
def test_every_job_ends_at_some_time(root: Path, name: str) -> None:
    assert all(job["timeout-minutes"] <= 90 for job in read(root, name)["jobs"].values())


def test_only_a_newer_push_to_the_same_pull_request_breaks_a_run_off(root: Path) -> None:
    """A group holds one run that goes and one that waits: a run on main must be alone in its own, or be the last."""
    groups = {name: read(root, name)["concurrency"] for name in WORKFLOWS}
    own = "ci-${{ github.event_name == 'pull_request' && github.ref || github.run_id }}"
    assert groups["ci.yml"] == {"group": own, "cancel-in-progress": True}
    assert groups["pages.yml"] == {"group": "pages", "cancel-in-progress": False}
    assert groups["newest.yml"] == {"group": "newest", "cancel-in-progress": False}


TOLD = (("ci.yml", "numbers"), ("newest.yml", "newest"))  # jobs after whose failures something is still to be said


@pytest.mark.parametrize(("name", "job"), TOLD)
def test_what_takes_too_long_fails_in_its_step_so_that_it_is_told(root: Path, name: str, job: str) -> None:
    """A job over its time is cancelled: neither `failure()` nor `!cancelled()` holds then, as after a failed step."""
    times = [step["timeout-minutes"] for step in steps(root, name, job)]
    assert sum(times) <= read(root, name)["jobs"][job]["timeout-minutes"]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_no_failure_is_hidden_and_no_end_that_somebody_wants_is_outlived(root: Path, name: str) -> None:
    text = (root / ".github" / "workflows" / name).read_text()
    assert "continue-on-error" not in text
    assert "always()" not in text


@pytest.mark.parametrize("name", WORKFLOWS)
def test_no_checkout_leaves_a_token_behind_and_no_text_of_strangers_is_run(root: Path, name: str) -> None:
    for job in read(root, name)["jobs"].values():
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False
            assert "${{" not in step.get("run", ""), "put it into env: a title or a branch may hold anything"


def test_ci_runs_on_every_supported_python(root: Path) -> None:
    matrix = read(root, "ci.yml")["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == ["3.11", "3.12", "3.13"]


def test_ci_lints_tests_and_compares_the_bytes_of_unlike_builds(root: Path) -> None:
    runs = {step["run"]: step for job in ("test", "verify") for step in steps(root, "ci.yml", job) if "run" in step}
    assert list(runs) == ["make check", "make test", "make verify"]
    assert runs["make test"]["if"] == "${{ !cancelled() }}", "the linters' word is no reason to test nothing"


def test_a_pull_request_shows_what_it_does_to_the_numbers_and_keeps_the_site(root: Path) -> None:
    job = read(root, "ci.yml")["jobs"]["numbers"]
    assert job["if"] == "github.event_name == 'pull_request'"
    checkout, _, make, upload, say = job["steps"]
    assert checkout["with"]["fetch-depth"] == 2, "the diff needs the commit before the merge"
    assert make["run"] == "make"
    assert upload["uses"].startswith("actions/upload-artifact@")
    assert upload["if"] == "${{ !cancelled() && hashFiles('site/data/site.json') != '' }}"
    assert upload["with"] == {"name": "site", "path": "site", "include-hidden-files": True}
    assert "build.py diff HEAD^1 site" in say["run"]
    assert say["if"] == "${{ !cancelled() }}"


def test_every_week_the_newest_dependencies_are_tried_and_a_failure_is_told(root: Path) -> None:
    workflow = read(root, "newest.yml")
    assert "schedule" in workflow[True], "YAML 1.1 reads the key 'on' as true"
    done = [step.get("run", "") for step in workflow["jobs"]["newest"]["steps"]]
    assert done[2:5] == ['make && mv site "$RUNNER_TEMP/locked"', "make lock UPGRADE=1", "make"]
    assert 'build.py diff "$RUNNER_TEMP/locked" site' in done[5]
    assert done[6:] == ["make test"]
    assert workflow["jobs"]["newest"]["steps"][5]["if"] == "${{ !cancelled() }}"
    assert workflow["jobs"]["tell"]["needs"] == "newest"
    assert workflow["jobs"]["tell"]["if"] == "failure()"


def test_the_site_is_checked_before_it_is_built_and_built_before_it_is_deployed(root: Path) -> None:
    jobs = read(root, "pages.yml")["jobs"]
    assert jobs["deploy"]["needs"] == "build"
    done = [step.get("run") or step["uses"].split("@")[0] for step in jobs["build"]["steps"]]
    wanted = ["make check", "make test", "actions/configure-pages", "build.py", "actions/upload-pages-artifact"]
    assert [next(at for at, one in enumerate(done) if word in one) for word in wanted] == [2, 3, 4, 5, 6]
    assert jobs["build"]["steps"][6]["with"] == {"path": "site", "include-hidden-files": True}
    assert not any("if" in step for step in [*jobs["build"]["steps"], *jobs["deploy"]["steps"], *jobs.values()])


# --- the steps that say something, run as GitHub runs them


@pytest.fixture
def checkout(root: Path, tmp_path: Path) -> Path:
    """Return a folder with the project's command in it, and with a site that prints one number."""
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    python = tmp_path / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    python.chmod(0o755)
    for name in ("build.py", "report", "model", "content"):
        (tmp_path / name).symlink_to(root / name)
    for name, value in (("site", 2), ("temporary/locked", 1)):
        data = tmp_path / name / "data"
        data.mkdir(parents=True)
        number = {"text": str(value), "value": value, "unit": "", "state": None, "live": False}
        (data / "numbers.json").write_text(json.dumps({"numbers": {"a#x q": number}}))
    return tmp_path


def said(folder: Path, line: str) -> tuple[str, str]:
    """Run a step's lines as GitHub does where a step names no shell; return the summary and the log."""
    (folder / "step.sh").write_text(line)
    summary = folder / "summary.md"
    environment = {**os.environ, "RUNNER_TEMP": str(folder / "temporary"), "GITHUB_STEP_SUMMARY": str(summary)}
    shell = ["bash", "-e", "step.sh"]
    done = subprocess.run(shell, cwd=folder, env=environment, check=True, capture_output=True, text=True)
    return summary.read_text(), done.stdout


MOVED = "| `q` | a#x | 1 | 2 | +100% |"


def test_the_numbers_of_a_change_are_in_the_summary_of_its_run(root: Path, checkout: Path) -> None:
    line = steps(root, "ci.yml", "numbers")[-1]["run"]
    summary, log = said(checkout, line.replace("HEAD^1", '"$RUNNER_TEMP/locked"'))
    assert summary.startswith("## Numbers: ")
    assert MOVED in summary
    assert log == ""


@pytest.mark.parametrize("built", [True, False])
def test_numbers_that_cannot_be_compared_are_no_failure_and_are_seen(root: Path, checkout: Path, built: bool) -> None:
    if not built:
        shutil.rmtree(checkout / "site")
    summary, log = said(checkout, steps(root, "ci.yml", "numbers")[-1]["run"].replace("HEAD^1", "no-such-base"))
    assert summary.startswith("## Numbers: not compared\n")
    assert "no-such-base: can't be compared: it is neither" in summary
    assert ("The change does not build" in summary) is not built
    assert log.startswith("::warning::The numbers could not be compared.")
    assert log.endswith(summary)


@pytest.mark.parametrize("built", [True, False])
def test_versions_that_moved_are_said_even_if_they_break_the_build(root: Path, checkout: Path, built: bool) -> None:
    lock = checkout / "requirements.lock"
    lock.write_text("numpy==1.0 \\\n    --hash=sha256:a\n")
    git = ["git", "-C", str(checkout), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "requirements.lock"], ["commit", "-qm", "lock"]):
        subprocess.run([*git, *command], check=True)
    lock.write_text("numpy==2.0 \\\n    --hash=sha256:b\n")
    if not built:
        shutil.rmtree(checkout / "site")
    (line,) = [step["run"] for step in steps(root, "newest.yml", "newest") if "diff" in step.get("run", "")]
    summary, log = said(checkout, line)
    assert "```diff\n-numpy==1.0 \\\n+numpy==2.0 \\\n```\n" in summary
    assert (MOVED in summary) is built
    assert ("So no numbers are compared." in summary) is not built
    assert log == summary


# --- the build step, run as the workflow runs it, and its result as a reader meets it


@pytest.fixture(scope="module")
def published(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run the very line of the workflow in a shell, then pack and unpack its result as the upload does."""
    (step,) = [step for step in steps(root, "pages.yml", "build") if "build.py" in step.get("run", "")]
    assert step["env"] == {"BASE_URL": "${{ steps.pages.outputs.base_url }}"}
    folder = tmp_path_factory.mktemp("pages")
    line = step["run"].replace(".venv/bin/python", sys.executable) + ' --out "$OUT"'
    environment = {"BASE_URL": f"https://example.org{BASE}", "OUT": str(folder / "site"), "PATH": "/usr/bin:/bin"}
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", line]
    subprocess.run(shell, cwd=root, env=environment, check=True, capture_output=True)
    with tarfile.open(folder / "artifact.tar", "w", dereference=True) as packed:
        packed.add(folder / "site", arcname=".", filter=lambda one: None if ".git" in Path(one.name).parts else one)
    with tarfile.open(folder / "artifact.tar") as packed:
        packed.extractall(folder / "served" / BASE.strip("/"), filter="data")
    return folder / "served" / BASE.strip("/")


def test_only_plain_readable_files_within_the_budget_are_published(published: Path) -> None:
    files = [path for path in published.rglob("*") if not path.is_dir()]
    assert all(path.is_file() and not path.is_symlink() for path in files)
    assert {oct(path.stat().st_mode & 0o777) for path in files} == {"0o644"}
    hidden = [part for path in files for part in path.relative_to(published).parts if part[0] in "._"]
    assert hidden == [".nojekyll"]
    assert sum(path.stat().st_size for path in files) < BUDGET


class Links(HTMLParser):
    """Collects the addresses that a page names."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value and not (tag == "link" and ("rel", "canonical") in attrs):
                self.found.append(value)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def host(published: Path) -> Iterator[HTTPConnection]:
    top = published.parents[len(Path(BASE.strip("/")).parts) - 1]
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=top)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        connection = HTTPConnection("127.0.0.1", server.server_port, timeout=60)
        yield connection
        connection.close()
        server.shutdown()
        thread.join()


def test_under_the_projects_own_path_every_address_is_answered_and_none_leaves_it(host: HTTPConnection) -> None:
    seen, waiting = set[str](), [BASE]
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.add(path)
        host.request("GET", path)
        answer = host.getresponse()
        data = answer.read()
        assert answer.status == 200, path
        assert data or path.endswith(".nojekyll"), path
        if not answer.headers["Content-Type"].startswith("text/html"):
            continue
        links = Links()
        links.feed(data.decode())
        for link in links.found:
            address = urlsplit(urldefrag(urljoin(f"http://host{path}", link))[0])
            if address.netloc == "host" and address.scheme == "http":
                assert address.path.startswith(BASE), f"{path} leads to {link}"
                waiting.append(address.path)
    assert len(seen) > 50


def test_the_address_that_the_workflow_passes_is_in_the_canonical_links(published: Path) -> None:
    page = (published / "index.html").read_text(encoding="utf-8")
    assert f'href="https://example.org{BASE}"' in page
    assert f"https://example.org{BASE}" in (published / "sitemap.xml").read_text(encoding="utf-8")
