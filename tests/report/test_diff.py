"""What a change did to the numbers: from sites, files and revisions, as Markdown that a pull request shows."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from report import diff
from report.errors import BuildError
from tests.report.test_preview import until

Row = Mapping[str, Any]
KEY = "content/report/index.md#two-numbers beta(machine=h100-sxm5) | sig(3)"
OTHER = "content/report/drift.md#drift beta(machine=h100-sxm5) | sig(3)"


def number(text: str | None, value: float | None, state: str | None = None) -> Row:
    return {"text": text, "value": value, "unit": "FLOP/B", "state": state, "live": False}


def claim(name: str, margin: float, true: int = 3, false: int = 0, condition: str = "beta > 1") -> Row:
    sides = [{"number": "beta", "value": 295.3, "unit": "FLOP/B"}, {"number": "1", "value": 1.0, "unit": ""}]
    tally = {"true": true, "false": false}
    said = {"sentence": "A byte | feeds *many*.", "condition": condition, "values": sides}
    return {"id": name, "margin": margin, "presets": tally, **said}


def put(
    site: Path, numbers: Mapping[str, Row], claims: Sequence[Row] = (), machines: Mapping[str, Row] | None = None
) -> str:
    data = site / "data"
    data.mkdir(parents=True)
    (data / "numbers.json").write_text(json.dumps({"numbers": numbers}))
    (data / "claims.json").write_text(json.dumps({"claims": list(claims)}))
    if machines is not None:
        (data / "machines.json").write_text(json.dumps({"machines": machines}))
    return str(site)


def test_equal_sites_differ_in_nothing(tmp_path: Path) -> None:
    sites = [put(tmp_path / name, {KEY: number("295", 295.3)}, [claim("pole", 0.5)], {}) for name in ("old", "new")]
    said = diff.compare(*sites, tmp_path)  # type: ignore[call-arg]
    assert said.splitlines()[2:] == ["0 of 1 printed numbers changed, 0 are new, 0 are gone."]


def test_a_changed_number_is_said_once_for_all_places(tmp_path: Path) -> None:
    old = put(tmp_path / "old", {KEY: number("295", 295.3), OTHER: number("295", 295.3)})
    new = put(tmp_path / "new", {KEY: number("148", 147.65), OTHER: number("148", 147.65)})
    said = diff.compare(old, new, tmp_path)
    assert "2 of 2 printed numbers changed" in said
    asked, first = "`beta(machine=h100-sxm5) \\| sig(3)`", "content/report/index.md#two-numbers and 1 more"
    rows = [line for line in said.splitlines() if line.startswith("| `")]
    assert rows == [f"| {asked} | {first} | 295 | 148 | -50% |"]


def test_the_largest_change_comes_first_and_a_lost_value_before_all(tmp_path: Path) -> None:
    old = {"a#x one": number("1", 1.0), "a#x two": number("2", 2.0), "a#x three": number("3", 3.0)}
    new = {"a#x one": number("1.1", 1.1), "a#x two": number("1", 1.0), "a#x three": number(None, None, "no-shape")}
    said = diff.compare(put(tmp_path / "old", old), put(tmp_path / "new", new), tmp_path)
    rows = [line.split(" | ")[0] for line in said.splitlines() if line.startswith("| `")]
    assert rows == ["| `three`", "| `two`", "| `one`"]
    assert "| 3 | no-shape |  |" in said


def test_a_change_that_rounding_hides_is_said_too(tmp_path: Path) -> None:
    sites = [put(tmp_path / str(value), {KEY: number("295", value)}) for value in (295.3, 295.4)]
    assert "1 of 1 printed numbers changed" in diff.compare(sites[0], sites[1], tmp_path)


def test_what_came_and_went_is_listed(tmp_path: Path) -> None:
    row = {"name": "Cray_1", "year": 1976}
    old = put(tmp_path / "old", {KEY: number("295", 295.3)}, [claim("gone", 0.5)], {"cray-1": row})
    new = put(tmp_path / "new", {OTHER: number("300", 300.1)}, [claim("fresh", 0.5)], {"h100": {**row, "year": 2022}})
    said = diff.compare(old, new, tmp_path).splitlines()
    assert "0 of 1 printed numbers changed, 1 are new, 1 are gone." in said
    assert "- `fresh` is new: A byte \\| feeds \\*many\\*." in said
    assert "- `gone` is gone: A byte \\| feeds \\*many\\*." in said
    assert "- `cray-1` (Cray\\_1, 1976) is gone" in said
    assert "- `h100` (Cray\\_1, 2022) is new" in said


def test_a_claim_that_flips_or_is_about_to_is_named(tmp_path: Path) -> None:
    names = ("steady", "flips", "near", "still-near", "reworded")
    margins = {"near": 0.5, "still-near": 0.01}
    old = [claim(name, margins.get(name, 0.5)) for name in names]
    changed = [claim("steady", 0.4), claim("flips", 0.5, 2, 1), claim("near", 0.011), claim("still-near", 0.01)]
    new = [*changed, claim("reworded", 0.5, condition="beta > 2")]
    said = diff.compare(put(tmp_path / "old", {}, old), put(tmp_path / "new", {}, new), tmp_path)
    lines = [line for line in said.splitlines() if line.startswith("- ")]
    assert [line.split("`")[1] for line in lines] == ["flips", "near", "reworded"]
    assert lines[0].endswith("it held on 3 of 3 machines and networks, and now on 2 of 3 machines and networks")
    assert lines[1].endswith("is within 1.10% of flipping (was 50.00%): beta = 295.3, 1 = 1.0")


def test_the_largest_changes_stand_open_and_the_others_are_folded_by_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diff, "FIRST", 2)
    monkeypatch.setattr(diff, "MOST", 3)
    keys = [f"content/{page}.md#x {page}{i}" for i in range(1, 9) for page in "ab"]
    sites = [put(tmp_path / str(n), {key: number("1", n + i) for i, key in enumerate(keys, 1)}) for n in (0, 1)]
    said = diff.compare(sites[0], sites[1], tmp_path)
    opened, *folded = said.split("<details>")
    rows = [[line.split("`")[1] for line in part.splitlines() if line.startswith("| `")] for part in (opened, *folded)]
    assert rows == [["a1", "b1"], ["a2", "a3", "a4"], ["b2", "b3", "b4"]]
    assert [part.split("</summary>")[0] for part in folded] == ["<summary>a.md: 7 more", "<summary>b.md: 7 more"]
    assert all("and 4 more, each changed by less\n\n</details>" in part for part in folded)
    assert all("</summary>\n\n| asked |" in part for part in folded), "Markdown wants a blank line there"


def test_a_long_list_is_folded_and_then_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diff, "FIRST", 2)
    monkeypatch.setattr(diff, "MOST", 3)
    new = put(tmp_path / "new", {f"a#x q{i}": number("1", i) for i in range(7)})
    said = diff.compare(put(tmp_path / "old", {}), new, tmp_path)
    opened, folded = said.split("<details><summary>5 more</summary>")
    assert [part.count("- `a#x") for part in (opened, folded)] == [2, 3]
    assert "- and 2 more" in folded


def test_other_words_for_the_same_value_are_no_change(tmp_path: Path) -> None:
    before = {"a#x one": number("1.00", 1.0), "a#x none": number(None, None, "no-shape"), "a#x word": number("x", None)}
    after = {"a#x one": number("1", 1.0), "a#x none": number(None, None, "no-shape"), "a#x word": number("y", None)}
    said = diff.compare(put(tmp_path / "old", before), put(tmp_path / "new", after), tmp_path)
    assert "1 of 3 printed numbers changed, 0 are new, 0 are gone. 1 are written otherwise, and have" in said
    assert [line for line in said.splitlines() if line.startswith("| `")] == ["| `word` | a#x | x | y |  |"]
    assert said.rstrip().endswith("### The same, written otherwise\n\n- `a#x one`: 1.00 → 1")


def test_a_number_that_moved_to_another_heading_is_neither_new_nor_gone(tmp_path: Path) -> None:
    old = put(tmp_path / "old", {KEY: number("295", 295.3), "a#x q": number("1", 1.0), "a#x r": number("1", 1.0)})
    new = put(tmp_path / "new", {OTHER: number("295", 295.3), "a#y q": number("2", 2.0), "a#z q": number("1", 1.0)})
    said = diff.compare(old, new, tmp_path)
    assert "0 of 3 printed numbers changed, 1 are new, 1 are gone. 2 moved to another place." in said
    assert "- `a#y q`: 2" in said
    assert "- `a#x r`: 1" in said


@pytest.mark.parametrize(
    ("old", "new", "change"),
    [
        (1.0, 1.005, "+0.5%"),
        (2.0, 1.0, "-50%"),
        (1.0, 25.0, "×25"),
        (1.0, 9.5, "+850%"),
        (0.0, 1.0, ""),
        (-1.0, 1.0, "-200%"),
    ],
)
def test_a_change_is_a_percentage_and_from_tenfold_on_a_factor(
    tmp_path: Path, old: float, new: float, change: str
) -> None:
    sites = [put(tmp_path / side, {"a#x q": number(side, value)}) for side, value in (("old", old), ("new", new))]
    assert f"| `q` | a#x | old | new | {change} |" in diff.compare(*sites, tmp_path)  # type: ignore[call-arg]


def test_a_claim_that_is_less_firm_over_its_ranges_is_named(tmp_path: Path) -> None:
    old, new = ({**claim("pole", 0.5), "over_range": {"verdict": verdict}} for verdict in ("holds", "flips"))
    said = diff.compare(put(tmp_path / "old", {}, [old]), put(tmp_path / "new", {}, [new]), tmp_path)
    assert "- `pole` over the ranges of its inputs: held everywhere, and now flipped at some value" in said


def test_the_numbers_of_every_page_are_compared(site: Path, tmp_path: Path, root: Path) -> None:
    """A site against itself with every value moved: each page that prints a number is named."""
    data = json.loads((site / "data" / "numbers.json").read_bytes())
    keys = {key.partition("#")[0] for key in data["numbers"]}
    assert {key.split("/")[1] for key in keys if key.startswith("content/")} >= {
        "report",
        "note",
        "research",
        "accuracy",
    }
    for row in data["numbers"].values():
        row["value"] = None if row["value"] is None else 2 * row["value"] + 1
    other = tmp_path / "numbers.json"
    other.write_text(json.dumps(data))
    said = diff.compare(str(site), str(other), root)
    folded = {part.split(":")[0] for part in said.split("<summary>")[1:]}
    assert len(folded) > 0.8 * len(keys)
    assert len(said) < 1_000_000, "more than a summary of a run may hold"


def test_a_file_of_numbers_is_enough(tmp_path: Path) -> None:
    site = put(tmp_path / "site", {KEY: number("295", 295.3)})
    alone = tmp_path / "alone.json"
    alone.write_bytes((Path(site) / "data" / "numbers.json").read_bytes())
    assert "0 of 1 printed numbers changed" in diff.compare(str(alone), site, tmp_path)


BUILD = """import json, pathlib, sys
out = pathlib.Path(sys.argv[2], "data")
value = json.loads(pathlib.Path("value.json").read_text())
if value < 0:
    said = "content/report/index.md:3: claim 'pole' is false", "  3 | a line of the source"
    print(*said, "", "1 problem; nothing written", sep="\\n", file=sys.stderr)
    sys.exit(1)
out.mkdir(parents=True)
number = {"text": str(value), "value": value, "unit": "", "state": None, "live": False}
(out / "numbers.json").write_text(json.dumps({"numbers": {"a#x q": number}}))
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Make a repository whose build prints one number: 1, then 2, then a claim that is false."""
    root = tmp_path / "repository"
    root.mkdir()
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "init", "-q", root], check=True)
    (root / "build.py").write_text(BUILD)
    for value in (1, 2, -1):
        (root / "value.json").write_text(str(value))
        subprocess.run(["git", "-C", root, "add", "."], check=True)
        subprocess.run(["git", "-C", root, *who, "commit", "-qm", "edit"], check=True)
    return root


@pytest.mark.parametrize("name", ["empty", "broken.json", "other.json", "no-such-revision", "--output=x"])
def test_what_is_no_site_is_refused(repository: Path, tmp_path: Path, name: str) -> None:
    site = put(tmp_path / "site", {})
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "other.json").write_text("[]")
    place = tmp_path / name
    with pytest.raises(BuildError) as caught:
        diff.compare(str(place) if place.exists() else name, site, repository)
    assert "neither a site, nor a file numbers.json, nor a revision" in str(caught.value)


def test_revisions_are_built_aside_and_compared(repository: Path) -> None:
    said = diff.compare("HEAD~2", "HEAD~1", repository)
    assert "| `q` | a#x | 1 | 2 | +100% |" in said
    assert sorted(path.name for path in repository.iterdir()) == [".cache", ".git", "build.py", "value.json"]


def test_a_revision_is_built_with_the_cache_of_the_checkout(
    repository: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (repository / ".cache").mkdir()
    (repository / ".cache" / "seen").write_text("7")
    keeps = 'import pathlib\nkept = pathlib.Path(".cache")\n(kept / "made").write_text((kept / "seen").read_text())\n'
    (repository / "build.py").write_text(keeps + BUILD)
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    (repository / "value.json").write_text("3")
    subprocess.run(["git", "-C", repository, *who, "commit", "-qam", "keep"], check=True)
    assert "| `q` | a#x | 3 | 1 | -66.7% |" in diff.compare("HEAD", "HEAD~3", repository)
    assert (repository / ".cache" / "made").read_text() == "7"
    assert capfd.readouterr().err == "building HEAD aside\nbuilding HEAD~3 aside\n"


def ended(process: int) -> bool:
    """Tell whether a process has come to its end, also where the first process has not yet taken leave of it."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    stat = Path(f"/proc/{process}/stat")
    return stat.is_file() and stat.read_text().rpartition(") ")[2].startswith("Z")


@pytest.mark.parametrize(("end", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_an_end_from_outside_ends_the_build_aside_too_and_leaves_nothing(
    repository: Path, root: Path, tmp_path: Path, end: int, code: int
) -> None:
    sleeps = "import os, pathlib, time\npathlib.Path('.cache/pid').write_text(f'{os.getpid()}.')\ntime.sleep(60)\n"
    (repository / "build.py").write_text(sleeps)
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", repository, *who, "commit", "-qam", "sleep"], check=True)
    aside, pid = tmp_path / "aside", repository / ".cache" / "pid"
    aside.mkdir()
    here = f"command.ROOT = pathlib.Path({str(repository)!r}); sys.argv[1:] = ['diff', 'HEAD', 'HEAD']"
    line = (
        f"import pathlib, runpy, sys; from report import command; {here}; runpy.run_path('build.py', None, '__main__')"
    )
    environment = {**os.environ, "TMPDIR": str(aside)}
    with subprocess.Popen([sys.executable, "-c", line], cwd=root, env=environment, stderr=subprocess.PIPE) as run:
        until(lambda: pid.exists() and pid.read_text().endswith("."))
        run.send_signal(end)
        assert run.wait() == code
        assert run.stderr is not None
        assert run.stderr.read() == b"building HEAD aside\n"
    assert list(aside.iterdir()) == []
    assert ended(int(pid.read_text()[:-1]))


def test_both_names_are_looked_at_before_anything_is_built(repository: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BuildError) as caught:
        diff.compare("HEAD~2", "nonsense", repository)
    assert [problem.path for problem in caught.value.problems] == ["nonsense"]
    with pytest.raises(BuildError) as caught:
        diff.compare("nonsense", "HEAD~99", repository)
    assert [problem.path for problem in caught.value.problems] == ["HEAD~99", "nonsense"]
    assert capfd.readouterr() == ("", "")


def test_a_folder_without_numbers_may_be_named_like_a_branch(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "-C", repository, "branch", "docs", "HEAD~1"], check=True)
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path)
    assert "| `q` | a#x | 1 | 2 | +100% |" in diff.compare("HEAD~2", "docs", repository)


def test_a_revision_from_before_there_was_a_build_is_refused(repository: Path) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", repository, "rm", "-q", "build.py"], check=True)
    subprocess.run(["git", "-C", repository, *who, "commit", "-qm", "remove"], check=True)
    with pytest.raises(BuildError, match=r"HEAD: can't be compared: this revision has no build\.py"):
        diff.compare("HEAD", "HEAD~1", repository)


def test_without_git_a_revision_is_refused_and_sites_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    site = put(tmp_path / "site", {KEY: number("295", 295.3)})
    assert "0 of 1 printed numbers changed" in diff.compare(site, site, tmp_path)
    with pytest.raises(BuildError, match=r"HEAD: can't be compared: .* isn't known: git can't be run"):
        diff.compare("HEAD", site, tmp_path)


def test_what_git_refuses_is_said_in_its_own_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    site = put(tmp_path / "site", {KEY: number("295", 295.3)})
    with pytest.raises(BuildError, match=r"HEAD: can't be compared: .* isn't known: git says: .*not a git repository"):
        diff.compare("HEAD", site, tmp_path)


def test_a_revision_that_does_not_build_says_which_claim_flipped(
    repository: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BuildError) as caught:
        diff.compare("HEAD~1", "HEAD", repository)
    assert str(caught.value) == "HEAD: can't be compared: this revision does not build"
    said = capfd.readouterr()
    wanted = "content/report/index.md:3: claim 'pole' is false\n  3 | a line of the source\n\n1 problem\n"
    assert said == ("", f"building HEAD~1 aside\nbuilding HEAD aside\n{wanted}")
