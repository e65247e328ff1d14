"""Wrong input stops the build with file, line and the nearest right thing; the last good site stays as it was."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from model.book import QUANTITIES
from model.scenario import base
from report.asking import World
from report.catalogue import load
from report.conditions import Compare, Join, Not
from report.errors import BuildError
from report.numbers import Num, Op
from report.questions import Asked
from report.shown import Cell
from report.written import Written
from tests.rendering import rendered

MACHINES, PAGE = "catalogue/machines.yaml", "report/two-numbers.md"


@dataclass(frozen=True)
class Fault:
    """One slip of an author: in which file, what becomes what, and what the message has to say."""

    file: str
    old: str
    new: str
    says: tuple[str, ...]


HBM = "- id: hbm-interface\n"
H100 = "- id: h100-sxm5\n"
LIVE = "{{ live.%s | sig(3) }} FLOP per byte.{%% otherwise"
PEAK = "value: 160 MFLOP/s, status: secondary, from: [s3], sparsity: "
BIB = "  %s = {2026},\n  howpublished = {Dwarkesh"
FAULTS = {
    "unknown key": Fault(MACHINES, "    bandwidth: {value: 640", "    bandwith: {value: 640", ("'bandwidth'?",)),
    "wrong unit": Fault(MACHINES, "value: 640 MB/s", "value: 640 MB", ("640 MB", "B/s")),
    "unknown unit": Fault(MACHINES, "value: 640 MB/s", "value: 640 mb/s", ("mb", "did you mean 'MB/s'?")),
    "sparse peak": Fault(MACHINES, PEAK + "dense", PEAK + "sparse", ("sparse", "dense")),
    "duplicate id": Fault(MACHINES, "- id: cray-2\n", "- id: cray-1\n", ("cray-1", "line")),
    "undefined name": Fault(PAGE, LIVE % "beta", LIVE % "betta", ("betta", "did you mean 'beta'?")),
    "unknown filter": Fault(PAGE, "{{ live.bandwidth | qty(3) }}", "{{ live.bandwidth | qtty(3) }}", ("qtty", "qty")),
    "bad formula": Fault(PAGE, "$B$", "$\\notacommand{B}$", ("notacommand",)),
    "false claim": Fault(PAGE, '"cray-1") < 1 %}', '"cray-1") > 1 %}', ("cray-balance", "is false", "0.25")),
    "naked number": Fault(PAGE, "Four things stand out.", "Exactly 4,711 things stand out.", ("4,711",)),
    "unknown work": Fault(PAGE, 'cite("pope2026")', 'cite("pope2025")', ("pope2025", "did you mean 'pope2026'?")),
    "unknown figure": Fault(PAGE, 'figure "roofline"', 'figure "rooflin"', ("rooflin", "did you mean 'roofline'?")),
    "unknown machine": Fault("site.yaml", "- h100-sxm5", "- h100-sxm6", ("h100-sxm6", "did you mean 'h100-sxm5'?")),
    "renamed preset": Fault("site.yaml", "  nettalk-rate:", "  nettalk-rat:", ("'nettalk-rate'", "'nettalk-rat'?")),
    "renamed price": Fault("catalogue/prices.yaml", HBM, f"{HBM[:-2]}\n", ("'hbm-interface'", "'hbm-interfac'?")),
    "broken bibliography": Fault("references.bib", BIB % "year", BIB % "yeer", ("yeer", "did you mean 'year'?")),
}


@pytest.fixture
def spoil(root: Path, tmp_path: Path) -> Callable[[Fault], tuple[Path, int]]:
    """Return a function that copies the content with one fault in it, and the line where the fault stands."""

    def spoilt(fault: Fault) -> tuple[Path, int]:
        content = Path(shutil.copytree(root / "content", tmp_path / "content"))
        file = content / fault.file
        text = file.read_text(encoding="utf-8")
        assert fault.old in text, "the fault no longer fits the content"
        file.write_text(text.replace(fault.old, fault.new, 1), encoding="utf-8")
        return content, text[: text.index(fault.old)].count("\n") + 1

    return spoilt


def test_a_preset_that_is_missing_hides_no_mistake_of_a_text(spoil: Callable[[Fault], tuple[Path, int]]) -> None:
    content, _ = spoil(FAULTS["renamed preset"])
    page, fault = content / PAGE, FAULTS["undefined name"]
    page.write_text(page.read_text(encoding="utf-8").replace(fault.old, fault.new, 1), encoding="utf-8")
    with pytest.raises(BuildError) as caught:
        rendered(content)
    assert {problem.path for problem in caught.value.problems} == {"content/site.yaml", f"content/{PAGE}"}
    assert [problem.column for problem in caught.value.problems if problem.path == "content/site.yaml"] == [3]


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_is_named_at_its_line(spoil: Callable[[Fault], tuple[Path, int]], name: str) -> None:
    fault = FAULTS[name]
    content, line = spoil(fault)
    with pytest.raises(BuildError) as caught:
        rendered(content)
    here = [problem for problem in caught.value.problems if problem.path == f"content/{fault.file}"]
    near = [str(problem) for problem in here if abs(problem.line - line) <= 1]
    assert near, f"nothing is said about line {line}: {caught.value}"
    assert any(all(word in said for word in fault.says) for said in near), near


def test_a_fault_leaves_the_last_good_site_alone(
    root: Path, spoil: Callable[[Fault], tuple[Path, int]], site: Path, tmp_path: Path
) -> None:
    out = tmp_path / "kept"
    shutil.copytree(site, out)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    content, _ = spoil(FAULTS["false claim"])
    command = [sys.executable, "build.py", "--content", str(content), "--out", str(out)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "cray-balance" in done.stderr
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def test_faults_in_several_files_are_named_together(root: Path, tmp_path: Path) -> None:
    content = Path(shutil.copytree(root / "content", tmp_path / "content"))
    for fault in (FAULTS["wrong unit"], FAULTS["broken bibliography"], FAULTS["unknown machine"]):
        file = content / fault.file
        file.write_text(file.read_text(encoding="utf-8").replace(fault.old, fault.new, 1), encoding="utf-8")
    with pytest.raises(BuildError) as caught:
        rendered(content)
    assert {problem.path for problem in caught.value.problems} >= {
        "content/catalogue/machines.yaml",
        "content/references.bib",
    }


WRONG = (
    '\n[here](nowhere.md) ![p](missing.png) {{ bta }} {{ ref("fig-roofling") }} [x](#nope) {{ 1/0 }} '
    '[y](data/machnes.csv) [z](data/machines.csv) {{ ref("fig-roofline") }} [w](https:/example.org)\n'
)


def test_what_is_wrong_in_one_text_hides_nothing_of_another(root: Path, tmp_path: Path) -> None:
    content = Path(shutil.copytree(root / "content", tmp_path / "content"))
    text = content / "report" / "tape.md"
    line = text.read_text(encoding="utf-8").count("\n") + 2
    text.write_text(text.read_text(encoding="utf-8") + WRONG, encoding="utf-8")
    figure = content / "report" / "two-numbers.md"
    torn = figure.read_text(encoding="utf-8").replace('{% figure "roofline", ', '{% figure "roofline" "', 1)
    figure.write_text(torn, encoding="utf-8")
    with pytest.raises(BuildError) as caught:
        rendered(content)
    found = {(one.path.rpartition("/")[2], one.message.split(",")[0]) for one in caught.value.problems}
    assert found == {
        ("tape.md", "a link leads to 'nowhere.md'"),
        ("tape.md", "a link leads to 'missing.png'"),
        ("tape.md", "unknown name 'bta'"),
        ("tape.md", "there is no figure"),
        ("tape.md", "a link leads to '#nope'"),
        ("tape.md", "division by zero"),
        ("tape.md", "a link leads to 'data/machnes.csv'"),
        ("tape.md", "'https:/example.org' is no address"),
        ("two-numbers.md", "a text in quotes never begins"),
    }
    assert {one.line for one in caught.value.problems if one.path.endswith("tape.md")} == {line}


def test_wrong_rows_do_not_hide_wrong_texts(root: Path, tmp_path: Path) -> None:
    content = Path(shutil.copytree(root / "content", tmp_path / "content"))
    for fault in (FAULTS["wrong unit"], FAULTS["unknown filter"]):
        file = content / fault.file
        file.write_text(file.read_text(encoding="utf-8").replace(fault.old, fault.new, 1), encoding="utf-8")
    single = content / "note" / "single.md"
    single.write_bytes(single.read_bytes() + b"\xff\n")
    tricks, heuristics = (content / "research" / f"{name}.yaml" for name in ("tricks", "heuristics"))
    tricks.write_text(tricks.read_text(encoding="utf-8").replace("{{", "{{ |", 1), encoding="utf-8")
    heuristics.write_text(heuristics.read_text(encoding="utf-8").replace("status: ", "stats: ", 1), encoding="utf-8")
    with pytest.raises(BuildError) as caught:
        rendered(content)
    assert {problem.path for problem in caught.value.problems} == {
        "content/catalogue/machines.yaml",
        f"content/{PAGE}",
        "content/note/single.md",
        "content/research/heuristics.yaml",
        "content/research/tricks.yaml",
    }


def with_h100_at(bandwidth: str, root: Path, tmp_path: Path) -> Path:
    """Return a copy of the content in which an H100 has another bandwidth."""
    content = Path(shutil.copytree(root / "content", tmp_path / "content"))
    rows = content / MACHINES
    text = rows.read_text(encoding="utf-8")
    start = text.index(H100)
    rows.write_text(text[:start] + text[start:].replace("value: 3.35 TB/s", f"value: {bandwidth}", 1), encoding="utf-8")
    return content


def in_world(part: Any, world: World) -> Any:
    """Return a number or a condition asked of another world."""
    match part:
        case Asked():
            return replace(part, world=world)
        case Cell() if part.path == "machine(h100-sxm5).bandwidth":
            return replace(part, number=1e12)
        case Op() | Compare():
            return replace(part, left=in_world(part.left, world), right=in_world(part.right, world))
        case Join():
            return replace(part, parts=tuple(in_world(one, world) for one in part.parts))
        case Not():
            return replace(part, part=in_world(part.part, world))
    return part


def made_of_many(num: Num) -> bool:
    """Tell whether many rows of the catalogue make a number together."""
    if isinstance(num, Op):
        return made_of_many(num.left) or made_of_many(num.right)
    return isinstance(num, Cell) and num.given is not None


def test_an_edited_row_names_exactly_the_sentences_that_became_false(
    root: Path, written: Written, tmp_path: Path
) -> None:
    content = with_h100_at("1.0 TB/s", root, tmp_path)
    world = World(QUANTITIES, partial(base, load(content / "catalogue")))
    # What many rows make together, as a fit does, is worked out anew by the build alone.
    claims = [
        claim for page in written.pages for claim in page.claims if not any(map(made_of_many, claim.cond.sides()))
    ]
    fell = {claim.name for claim in claims if in_world(claim.cond, world).holds() is not True}
    assert 10 < len(fell) < len(claims) / 2
    with pytest.raises(BuildError) as caught:
        rendered(content)
    said = [str(problem) for problem in caught.value.problems]
    named = {found[1] for line in said if (found := re.search(r"claim '([^']+)' is false", line))}
    assert named & {claim.name for claim in claims} == fell
    assert {"settled", "floor-7b"} <= named
    # Beside them: words for a size, numbers that are no more, and the runs that no such machine could have made.
    others = [line for line in said if "claim '" not in line]
    assert all(re.search("the words '.*' are false|has no value|beats the model", line) for line in others), others
