"""Mistakes that follow from an edited row stand below it, with what it was in the last good site."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from report.errors import BuildError, Problem
from report.moved import Move, moves
from report.resting import resting
from report.shown import Cell
from report.telling import telling
from report.twins import files
from tests.rendering import rendered
from tests.report.catalogues import MACHINES, lay_out

BANDWIDTH = ("bandwidth: {value: 1 TB/s", "bandwidth: {value: 2 TB/s")
MOVED = "bandwidth of machine 'toy-1', 1 TB/s -> 2 TB/s"
RESTS = ("machines/toy-1/bandwidth",)


@pytest.fixture
def edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Path, Path]]:
    """Return a function that keeps a site of the toy catalogue, edits the catalogue, and says where both are."""
    from report.catalogue import load

    def edit(*edits: tuple[str, str]) -> tuple[Path, Path]:
        place = Path(tempfile.mkdtemp(dir=tmp_path))
        monkeypatch.chdir(place)
        folder, site = lay_out(place), place / "site"
        for _, made in files.catalogues(load(folder)):
            for name, data in made.items():
                (site / "data").mkdir(parents=True, exist_ok=True)
                (site / "data" / Path(name).name).write_bytes(data)
        text = MACHINES
        for old, new in edits:
            assert old in text
            text = text.replace(old, new, 1)
        (folder / "machines.yaml").write_text(text, encoding="utf-8")
        return folder.parent, site

    return edit


def false(name: str, line: int = 1, **more: object) -> Problem:
    return Problem("content/report/a.md", line, 0, f"claim '{name}' is false. Rests on all.", **more)  # type: ignore[arg-type]


Edited = Callable[..., tuple[Path, Path]]


def test_what_is_said_of_one_place_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("{% set keys = {'dd': 3} %}\n", encoding="utf-8")
    asked = [Problem(f"{tmp_path.name}/page.md", 1, 16, f"{key}: unknown key 'dd'") for key in ("P_a", "beta")]
    (group,) = telling(asked, tmp_path, tmp_path / "site").groups
    assert [place.problem.message for place in group.places] == ["P_a: unknown key 'dd'"]


def test_what_moved_is_named_with_its_place_and_both_values(edited: Edited) -> None:
    content, site = edited(BANDWIDTH, ("bf16: {value: 100", "bf16: {value: 101"), ("year: 2022", "year: 2023"))
    said = [(move.said, move.at.line if move.at else 0) for move in moves(site, content)]
    lines = (content / "catalogue" / "machines.yaml").read_text().splitlines()
    where = {word: next(n for n, line in enumerate(lines, 1) if word in line) for word in ("year:", "bf16: {", "bandw")}
    assert said == [
        ("year of machine 'toy-1', 2022 -> 2023", where["year:"]),
        ("peak.bf16 of machine 'toy-1', 100 TFLOP/s -> 101 TFLOP/s", where["bf16: {"]),
        (MOVED, where["bandw"]),
    ]


def test_other_words_for_the_same_row_are_no_edit(edited: Edited) -> None:
    content, site = edited(("value: 1 TB/s", "value: 1000 GB/s"), ("note: a machine", "note: another machine"))
    assert moves(site, content) == []


def test_a_field_and_a_row_may_come_and_go(edited: Edited) -> None:
    content, site = edited(("id: toy-1", "id: toy-2"))
    assert [move.said for move in moves(site, content)] == ["machine 'toy-2' is new", "machine 'toy-1' is gone"]
    content, site = edited(("status: verified, from: [s1]", "low: 70 GB, status: verified, from: [s1]"))
    assert [move.said for move in moves(site, content)] == ["capacity.low of machine 'toy-1', nothing -> 70 billion"]


def test_without_a_good_site_or_a_good_catalogue_nobody_knows_what_moved(edited: Edited, tmp_path: Path) -> None:
    content, site = edited(BANDWIDTH)
    assert moves(tmp_path / "none", content) == []
    for broken in ("{", "[]", '{"machines": 1}', '{"machines": {"toy-1": 1}}'):
        (site / "data" / "machines.json").write_text(broken)
        assert moves(site, content) == []
    content, site = edited(("value: 1 TB/s", "value: 1 TB"))
    assert moves(site, content) == []


@pytest.mark.parametrize(
    ("path", "borne"),
    [
        ("machines/toy-1/bandwidth", True),
        ("machines/toy-1", True),
        ("machines/toy-1/derived-from-the-row", True),
        ("machines/toy-1/capacity", False),
        ("machines/toy-12/bandwidth", False),
        ("networks/toy-1/bandwidth", False),
    ],
)
def test_an_edit_bears_what_rests_on_its_field_or_on_its_row(path: str, borne: bool) -> None:
    assert Move("machines/toy-1", "bandwidth", "1", "2", None).bears(path) is borne


def test_several_mistakes_stand_below_the_edit_that_they_follow_from(edited: Edited) -> None:
    content, site = edited(BANDWIDTH)
    broad = false("fit", broad=True)
    problems = [false("two", 2, rests=RESTS), false("one", rests=RESTS), broad, false("else", rests=("networks/x/d",))]
    told = telling(problems, content, site)
    where = r"content/catalogue/machines\.yaml:\d+"
    assert re.fullmatch(rf"4 problems, 2 of them since an edit: {re.escape(MOVED)} \({where}\)", told.summary)
    lines = told.lines()
    assert lines[:2] == [told.summary, ""]
    assert re.fullmatch(rf"{where}:\d+: {re.escape(MOVED)}", lines[2])
    assert lines[4].strip() == "|                        ^^^^^^"
    assert lines[5:] == [
        "These 2 follow from it:",
        "content/report/a.md:1: claim 'one' is false.",
        "content/report/a.md:2: claim 'two' is false.",
        "",
        "This one rests on many rows together, so perhaps on an edit too:",
        str(broad),
        "",
        "This one follows from no edited row:",
        "content/report/a.md:1: claim 'else' is false. Rests on all.",
    ]


def test_one_mistake_is_told_as_it_is_with_a_note_of_the_edit(edited: Edited) -> None:
    content, site = edited(BANDWIDTH)
    lines = telling([false("one", rests=RESTS)], content, site).lines()
    assert lines[0] == "content/report/a.md:1: claim 'one' is false."
    assert re.fullmatch(rf" *= moved since the last good site: {re.escape(MOVED)} \(.*machines\.yaml:14\)", lines[1])
    assert telling([false("one", rests=RESTS)], content, site).summary.startswith("1 problem, since an edit: bandwidth")


def test_mistakes_that_no_edit_explains_are_told_as_ever(edited: Edited) -> None:
    content, site = edited()
    told = telling([false("b", rests=RESTS), false("a", broad=True), false("c")], content, site)
    assert [line.split("'")[1] for line in told.lines()] == ["a", "b", "c"]
    assert told.summary == "3 problems"
    assert telling([false("a")], content, site).summary == "1 problem"


def test_mistakes_of_two_edits_name_both_and_many_edits_are_cut(edited: Edited) -> None:
    content, site = edited(BANDWIDTH, ("value: 80 GB", "value: 90 GB"))
    both = ("machines/toy-1/bandwidth", "machines/toy-1/capacity")
    lines = telling([false("a", rests=both), false("b", rests=both), false("c", rests=RESTS)], content, site).lines()
    assert "since an edit: bandwidth of machine 'toy-1', 1 TB/s -> 2 TB/s" in lines[0]
    assert "; capacity of machine 'toy-1', 80 GB -> 90 GB" in lines[0]
    assert "all since an edit" in lines[0]
    assert "These 2 follow from them together:" in lines
    assert "This one follows from it:" in lines
    words = ("year", "peak.bf16", "bandwidth", "capacity", "trains", "status")
    edits = (("2022", "2023"), ("value: 100", "value: 101"), ("trains: true", "trains: false"))
    content, site = edited(BANDWIDTH, ("value: 80 GB", "value: 90 GB"), *edits)
    rests = tuple(f"machines/toy-1/{word}" for word in words)
    assert telling([false("a", rests=rests)], content, site).summary.endswith("; and 1 more")


def test_mistakes_of_one_line_stand_in_the_order_of_its_columns(edited: Edited) -> None:
    content, site = edited()
    (content / "report").mkdir()
    (content / "report" / "a.md").write_text('{% claim "z" %}.{% endclaim %} {% claim "a" %}.{% endclaim %}\n')
    lines = telling([false("a"), false("z")], content, site).lines()
    assert [line.split(":")[2] for line in lines[::3]] == ["11", "42"]


def test_a_number_of_many_rows_is_broad_and_one_of_a_row_names_it() -> None:
    fitted = Cell("fit(peak).doubling", None, None, "", 1.5)
    assert resting(fitted).broad
    row = Cell("machine(toy-1).bandwidth", None, None, "", 1e12)
    assert resting(row / fitted).rows == ("machines/toy-1/bandwidth",)
    assert (resting(row).broad, resting().rows) == (False, ())


def test_an_edit_to_a_row_of_the_report_explains_what_it_makes_false(root: Path, site: Path, tmp_path: Path) -> None:
    """The whole content: nearly all that a halved bandwidth makes false stands below that one line."""
    content = Path(shutil.copytree(root / "content", tmp_path / "content"))
    rows = content / "catalogue" / "machines.yaml"
    text = rows.read_text(encoding="utf-8")
    start = text.index("- id: h100-sxm5\n")
    rows.write_text(text[:start] + text[start:].replace("value: 3.35 TB/s", "value: 1.0 TB/s", 1), encoding="utf-8")
    with pytest.raises(BuildError) as caught:
        rendered(content)
    told = telling(caught.value.problems, content, site)
    first = told.groups[0]
    assert [edit.move.said for edit in first.edits] == ["bandwidth of machine 'h100-sxm5', 3.35 TB/s -> 1.0 TB/s"]
    known = [len(group.places) for group in told.groups if group.edits or group.broad]
    assert sum(known) > 0.95 * len(caught.value.problems)
    assert len(first.places) > 40
