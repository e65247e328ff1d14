"""The workflows on GitHub: every action is pinned, no job may do more than it needs, and what they publish is whole."""

from __future__ import annotations

import re
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


@pytest.mark.parametrize("name", WORKFLOWS)
def test_by_default_a_job_may_only_read(root: Path, name: str) -> None:
    assert read(root, name)["permissions"] == {"contents": "read"}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_every_job_ends_at_some_time_and_no_two_runs_fight(root: Path, name: str) -> None:
    workflow = read(root, name)
    assert all(job["timeout-minutes"] <= 90 for job in workflow["jobs"].values())
    assert workflow["concurrency"]["group"]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_no_checkout_leaves_a_token_behind_and_no_text_of_strangers_is_run(root: Path, name: str) -> None:
    for job in read(root, name)["jobs"].values():
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False
            assert "${{" not in step.get("run", ""), "put it into env: a title or a branch may hold anything"


def writers(root: Path, name: str) -> dict[str, set[str]]:
    jobs = read(root, name)["jobs"].items()
    granted = {name: {what for what, how in job.get("permissions", {}).items() if how == "write"} for name, job in jobs}
    return {name: what for name, what in granted.items() if what}


def test_only_the_deployment_and_the_one_who_tells_may_write(root: Path) -> None:
    assert writers(root, "ci.yml") == {}
    assert writers(root, "pages.yml") == {"deploy": {"pages", "id-token"}}
    assert writers(root, "newest.yml") == {"tell": {"issues"}}


def test_ci_runs_on_every_supported_python(root: Path) -> None:
    matrix = read(root, "ci.yml")["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == ["3.11", "3.12", "3.13"]


def test_a_pull_request_shows_what_it_does_to_the_numbers_and_keeps_the_site(root: Path) -> None:
    job = read(root, "ci.yml")["jobs"]["numbers"]
    assert job["if"] == "github.event_name == 'pull_request'"
    done = [step.get("run") or step["uses"].split("@")[0] for step in job["steps"]]
    assert 'build.py diff HEAD^1 site >> "$GITHUB_STEP_SUMMARY"' in done[-1]
    assert done[-2] == "actions/upload-artifact"
    assert job["steps"][0]["with"]["fetch-depth"] == 2, "the diff needs the commit before the merge"


def test_every_week_the_newest_dependencies_are_tried_and_a_failure_is_told(root: Path) -> None:
    workflow = read(root, "newest.yml")
    assert "schedule" in workflow[True], "YAML 1.1 reads the key 'on' as true"
    done = [step.get("run", "") for step in workflow["jobs"]["newest"]["steps"]]
    order = [
        next(at for at, run in enumerate(done) if word in run) for word in ("make &&", "UPGRADE=1", "diff", "test")
    ]
    assert order == sorted(order)
    assert workflow["jobs"]["tell"]["needs"] == "newest"
    assert workflow["jobs"]["tell"]["if"] == "failure()"


def test_the_site_is_tested_before_it_is_built_and_built_before_it_is_deployed(root: Path) -> None:
    jobs = read(root, "pages.yml")["jobs"]
    assert jobs["deploy"]["needs"] == "build"
    done = [step.get("run") or step["uses"].split("@")[0] for step in jobs["build"]["steps"]]
    wanted = ["make test", "actions/configure-pages", "build.py", "actions/upload-pages-artifact"]
    assert [next(at for at, one in enumerate(done) if word in one) for word in wanted] == [2, 3, 4, 5]
    assert jobs["build"]["steps"][5]["with"] == {"path": "site", "include-hidden-files": True}


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
