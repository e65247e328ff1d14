"""What is said of a catalogue file as a whole, of its numbers, and of sums; and how problems are put in words."""

import json
import pickle
import re
import shutil
from pathlib import Path

import pytest

from report.catalogue import KINDS, load
from report.errors import BuildError, Problem, nearest
from report.memory import Memory, remembering
from tests.report.catalogues import MACHINES, edit, lay_out, told


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return lay_out(tmp_path)


WHOLE_FILES = {
    "empty": (b"", "machines.yaml:1:1: the file is empty; it holds 'sources' and 'rows'"),
    "comment only": (b"# nothing\n", "machines.yaml:1:1: the file is empty"),
    "list": (b"[a, b]\n", "machines.yaml:1:1: the file is a list; at its top are the keys 'sources' and 'rows'"),
    "rows alone": (
        b"- id: a\n",
        "machines.yaml:1:1: entries begin here without the key they belong to; is 'rows:' missing",
    ),
    "single value": (b"machines\n", "machines.yaml:1:1: the file is a single value"),
    "no rows": (b"sources: {}\n", "machines.yaml:1:1: the key 'rows' is missing"),
    "rows that are no list": (b"rows: {a: b}\n", "machines.yaml:1:7: 'rows' is a mapping, but a list is wanted"),
    "row that is no mapping": (b"rows: [h100]\n", "machines.yaml:1:8: a machine is text, but a mapping is wanted"),
    "two documents": (b"rows: []\n---\nrows: []\n", "machines.yaml:2:1: a line '---' ends the file here"),
    "binary": (b"\x89PNG\r\n\x1a\n\xff\xfe", "machines.yaml:1:1: not a text file: the byte 0x89 is not UTF-8"),
    "control character": (b"rows:\n  - \x00\n", "machines.yaml:2:5: the character U+0000 has no place in a text"),
    "zero width": (
        b"rows:\n  - a\xe2\x80\x8bb\n",
        "machines.yaml:2:6: the character U+200B (zero width space) has no place",
    ),
}


@pytest.mark.parametrize(("data", "message"), WHOLE_FILES.values(), ids=WHOLE_FILES)
def test_a_file_of_the_wrong_kind(folder: Path, data: bytes, message: str) -> None:
    (folder / "machines.yaml").write_bytes(data)
    assert any(line.startswith(f"content/catalogue/{message}") for line in told(folder)), told(folder)


def test_a_missing_file(folder: Path) -> None:
    (folder / "prices.yaml").unlink()
    assert told(folder) == ["content/catalogue/prices.yaml: the file is missing"]


NOTATIONS = ["1000000000000", "1000000000000.0", "1e12", "1.0e12", "1e+12", "1.0e+12", "989e12"]


@pytest.mark.parametrize("written", NOTATIONS)
def test_a_number_is_a_number_in_every_notation(folder: Path, written: str) -> None:
    """YAML 1.1 itself reads 1e12, 1.0e12 and 989e12 as texts."""
    path = folder / "machines.yaml"
    path.write_text(MACHINES.replace("1 TB/s", f"{written} B/s"), encoding="utf-8")
    assert load(folder).machines["toy-1"].bandwidth.value == float(written)
    constant = CONSTANT.replace("value: 12", f"value: {written}").replace("high: 12", "high: 1e15")
    (folder / "constants.yaml").write_text(constant, encoding="utf-8")
    value = load(folder).constants["weight-bytes"].value
    assert isinstance(value, float)
    assert value == float(written)


@pytest.mark.parametrize(
    "written", ["1_000", "+12", "-12", "012", "0x10", "1:30", ".5", "5.", ".inf", "1e1000", "'12'", "0"]
)
def test_another_notation_is_refused_and_never_kept_as_text(folder: Path, written: str) -> None:
    (folder / "constants.yaml").write_text(CONSTANT.replace("value: 12", f"value: {written}"), encoding="utf-8")
    [line] = told(folder)
    assert line.startswith("content/catalogue/constants.yaml:5:12: constant 'weight-bytes': 'value': ")


CONSTANT = """\
rows:
  - id: weight-bytes
    symbol: o
    name: weight bytes
    value: 12
    unit: B/param
    low: 6
    high: 12
    range_why: by recipe
    status: estimate
    from: [s1]
    derivation: counted
    default: true
    sources: {s1: {title: A count, rank: derived, seen: true}}
"""
ITEMS = "    items: [{what: a read, value: 4}, {what: a write, value: 4}]\n"


def test_items_that_do_not_sum_to_the_value(folder: Path) -> None:
    (folder / "constants.yaml").write_text(CONSTANT.replace("    low", ITEMS + "    low"), encoding="utf-8")
    assert told(folder) == [
        "content/catalogue/constants.yaml:7:12: constant 'weight-bytes': its items sum to 8, not to 12"
    ]


def test_a_sum_that_is_rounded_says_so(folder: Path) -> None:
    text = CONSTANT.replace("    low", ITEMS + "    itemised_total: 8\n    low")
    (folder / "constants.yaml").write_text(text, encoding="utf-8")
    assert "say why under 'rounding'" in told(folder)[0]


def test_a_constant_outside_its_range_or_in_no_unit(folder: Path) -> None:
    text = CONSTANT.replace("high: 12", "high: 11").replace("B/param", "B/params")
    (folder / "constants.yaml").write_text(text, encoding="utf-8")
    assert told(folder) == [
        "content/catalogue/constants.yaml:6:13: constant 'weight-bytes': 'unit': unknown unit 'params'; "
        "did you mean 'B/param'?"
    ]
    (folder / "constants.yaml").write_text(text.replace("B/params", "B/param"), encoding="utf-8")
    assert "8:11: constant 'weight-bytes': its value 12 is outside low to high: 'high' is below it" in told(folder)[0]
    text = CONSTANT.replace("low: 6", "low: 60").replace("high: 12", "high: 70")
    (folder / "constants.yaml").write_text(text, encoding="utf-8")
    assert "7:10: constant 'weight-bytes': its value 12 is outside low to high: 'low' is above it" in told(folder)[0]


def test_names_may_hold_what_html_does_not(folder: Path) -> None:
    name = 'Toy <b>&amp;</script><!-- "1" \u2028'
    text = MACHINES.replace("name: Toy 1", f"name: {json.dumps(name)}")
    (folder / "machines.yaml").write_text(text, encoding="utf-8")
    assert load(folder).machines["toy-1"].name == name


def test_halving_a_number_of_the_real_catalogue_is_no_error_of_grammar(folder: Path, root: Path) -> None:
    shutil.copytree(root / "content" / "catalogue", folder, dirs_exist_ok=True)
    path = folder / "machines.yaml"
    text = path.read_text(encoding="utf-8").replace("value: 3.35 TB/s", "value: 1.675 TB/s")
    path.write_text(text, encoding="utf-8")
    assert load(folder).machines["h100-sxm5"].bandwidth.value == 1.675e12


def test_every_file_of_the_catalogue_says_at_its_top_what_it_holds(root: Path) -> None:
    for kind in KINDS:
        text = (root / "content" / "catalogue" / f"{kind}.yaml").read_text(encoding="utf-8")
        assert re.match(r"# \w", text), kind


# --- report/errors.py


def test_a_problem_leaves_out_a_place_that_it_does_not_know() -> None:
    assert str(Problem("a.yaml", 3, 7, "wrong", "right")) == "a.yaml:3:7: wrong; right"
    assert str(Problem("a.yaml", 3, 0, "wrong")) == "a.yaml:3: wrong"
    assert str(Problem("a.yaml", 0, 0, "wrong")) == "a.yaml: wrong"


def test_problems_are_sorted_by_place_and_told_once() -> None:
    late, early = Problem("a.yaml", 10, 1, "late"), Problem("a.yaml", 9, 1, "early")
    error = BuildError([late, early, late])
    assert error.problems == (early, late)
    assert str(error) == "a.yaml:9:1: early\na.yaml:10:1: late"


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("bandwith", "did you mean 'bandwidth'?"),
        ("BANDWIDTH", "did you mean 'bandwidth'?"),
        ("on-chip", "did you mean 'on_chip'?"),
        ("xyz", ""),
    ],
)
def test_the_nearest_known_word(word: str, hint: str) -> None:
    assert nearest(word, ["bandwidth", "capacity", "on_chip"]) == hint


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The data sheet", "Another sheet"),
        ("1 TB/s", "2 TB/s"),
        ("year: 2022", "year: 2023"),
        ("rows:", "# a comment\nrows:"),
        ("toy-1", "toy-2"),
    ],
    ids=["a shared source", "a number", "a year", "a line before it", "its name"],
)
def test_a_row_that_is_remembered_is_what_a_fresh_reading_makes_of_it(folder: Path, old: str, new: str) -> None:
    path = folder / "machines.yaml"
    second = MACHINES.partition("rows:\n")[2].replace("toy-1", "toy-9")
    path.write_text(MACHINES + second, encoding="utf-8")
    with remembering(Memory()):
        before = load(folder)
        path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
        after = load(folder)
    assert after == load(folder)
    assert after != before or new.startswith("#")
    assert (after.machines["toy-9"] is before.machines["toy-9"]) == (old not in ("The data sheet", "rows:"))


def test_a_mistake_in_a_row_that_no_edit_touched_is_told_again_in_its_place(folder: Path) -> None:
    with remembering(Memory()):
        first = edit(folder, "year: 2022", "year: soon")
        assert edit(folder, "kind: gpu", "kind: gpu ") == first
        (moved,) = edit(folder, "rows:", "# a comment\nrows:")
    (line, *_), (at, *_) = (re.findall(r"yaml:(\d+)", text) for text in (first[0], moved))
    assert int(at) == int(line) + 1


def test_a_row_that_code_asks_for_and_nobody_wrote_is_a_mistake_of_the_inputs(folder: Path) -> None:
    machines = load(folder).machines
    assert machines["toy-1"].id == "toy-1"
    assert machines.get("toy-2") is None
    assert "toy-2" not in machines
    said = (
        "content/catalogue/machines.yaml: there is no machine 'toy-2', which the model or a part of the report asks for"
    )
    for rows in (machines, pickle.loads(pickle.dumps(machines))):
        with pytest.raises(BuildError) as caught:
            rows["toy-2"]
        (problem,) = caught.value.problems
        assert str(problem) == f"{said} by its id; did you mean 'toy-1'?"
    with pytest.raises(KeyError):
        machines["cray-1"]
