"""Where a row is gone and the catalogue is broken, the settings and the sources that name it are told too."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from report.dangling import missed
from report.errors import BuildError
from report.written import written
from tests.report.catalogues import lay_out

REAL = Path(__file__).resolve().parents[2] / "content"
SITE = """\
tables:
  balances: [toy-1, toy-9]
  no-table: [toy-9]
presets:
  one: {title: One, run: no-run, scenario: {machine: toy-9, network: no-network, T: 1}}
"""


@pytest.fixture
def content(tmp_path: Path) -> Path:
    folder = lay_out(tmp_path).parent
    (folder / "site.yaml").write_text(SITE, encoding="utf-8")
    (folder / "research").mkdir()
    return folder


def said(folder: Path, works: set[str] | None = None) -> list[str]:
    return [str(problem).removeprefix(f"{folder.name}/") for problem in sorted(missed(folder, works))]


def test_settings_and_sources_are_looked_through(content: Path) -> None:
    (content / "research" / "one.yaml").write_text("  sources: [kept, gone, machines/toy-1, machines/toy-9]\n")
    assert [one.partition(";")[0] for one in said(content, {"kept"})] == [
        "research/one.yaml:1:19: there is no reference 'gone'",
        "research/one.yaml:1:41: there is no machine 'toy-9'",
        "site.yaml:2:21: there is no machine 'toy-9'",
        "site.yaml:5:26: there is no run 'no-run'",
        "site.yaml:5:54: there is no machine 'toy-9'",
        "site.yaml:5:70: there is no network 'no-network'",
    ]


def test_nothing_is_missed_in_a_file_that_could_not_be_read(content: Path) -> None:
    (content / "research" / "one.yaml").write_text("  sources: [gone, machines/toy-9, no/kind]\n")
    (content / "research" / "latin.yaml").write_bytes(b"\xff")
    (content / "catalogue" / "machines.yaml").write_text("rows: [", encoding="utf-8")
    (content / "site.yaml").write_text("tables: [a]\npresets: {one: 1}\n", encoding="utf-8")
    assert said(content) == []


def test_the_report_itself_misses_nothing() -> None:
    assert missed(REAL, None) == []


def test_a_renamed_row_is_told_in_catalogue_settings_sources_and_texts(tmp_path: Path) -> None:
    folder = tmp_path / "content"
    shutil.copytree(REAL, folder)
    rows = folder / "catalogue" / "machines.yaml"
    rows.write_text(rows.read_text(encoding="utf-8").replace("id: h100-sxm5", "id: h100-sxm"), encoding="utf-8")
    with pytest.raises(BuildError) as caught:
        written(folder)
    told = [(one.path, one.line, one.column) for one in caught.value.problems]
    assert all("machine 'h100-sxm5'" in one.message for one in caught.value.problems)
    places = {path.removeprefix("content/") for path, _, _ in told}
    assert {"catalogue/runs.yaml", "site.yaml", "research/heuristics.yaml", "report/floors.md"} <= places
