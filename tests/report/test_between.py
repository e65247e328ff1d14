"""What rows owe each other: steps back are explained, announcements age, disagreements are listed; all with a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from report.catalogue import load
from tests.report.catalogues import BANDWIDTH, MACHINES, edit, lay_out, told

ROW = MACHINES[MACHINES.index("  - id") :]
SECOND = ROW.replace("toy-1", "toy-2").replace("2022", "2024").replace("    note: a machine for tests\n", "")
PEAK = "{value: 100 TFLOP/s, status: verified, from: [maker], sparsity: dense}"
RUN = """\
rows:
  - {id: run-1, model: Toy, machine: toy-1, params: 7e9 param, precision: bf16, utilization: printed, mfu: 41.5 %,
     peak: %s, status: verified, from: [s1], sources: {s1: {title: The paper, rank: primary, seen: true}}}
"""
WHERE = "content/catalogue/machines.yaml:19:9: machine 'toy-2': "


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return lay_out(tmp_path)


def write(folder: Path, second: str, first: str = ROW) -> Path:
    text = MACHINES.replace(ROW, first) + second
    (folder / "machines.yaml").write_text(text, encoding="utf-8")
    return folder


def test_a_faster_successor_needs_no_note(folder: Path) -> None:
    faster = SECOND.replace("1 TB/s", "2 TB/s").replace("100 TFLOP/s", "200 TFLOP/s")
    assert list(load(write(folder, faster)).machines) == ["toy-1", "toy-2"]
    assert list(load(write(folder, SECOND)).machines) == ["toy-1", "toy-2"], "as fast is not slower"


SLOWER = {
    "bandwidth": ("1 TB/s", "900 GB/s", "its bandwidth of 900 GB/s is less than the 1 TB/s of its predecessor 'toy-1'"),
    "peak": (
        "100 TFLOP/s",
        "90 TFLOP/s",
        "its bf16 peak of 90 TFLOP/s is less than the 100 TFLOP/s of its predecessor",
    ),
}


@pytest.mark.parametrize(("old", "new", "said"), SLOWER.values(), ids=SLOWER)
def test_a_slower_successor_needs_a_note(folder: Path, old: str, new: str, said: str) -> None:
    slower = SECOND.replace(old, new)
    [line] = told(write(folder, slower))
    assert line.startswith(WHERE + said)
    assert line.endswith("say why under 'note'")
    assert load(write(folder, slower + "    note: it is cheaper\n"))


@pytest.mark.parametrize("other", ["vendor: Games", "kind: tpu", "year: 2022", "balance_format: fp32"])
def test_no_note_is_asked_of_what_is_no_successor(folder: Path, other: str) -> None:
    slower = SECOND.replace("100 TFLOP/s", "90 TFLOP/s")
    key = other.split(":", maxsplit=1)[0]
    line = next(line.strip() for line in slower.splitlines() if line.strip().startswith(f"{key}:"))
    changed = slower.replace(line, other)
    if key == "balance_format":
        changed = changed.replace("      bf16: ", "      fp32: ")
    assert load(write(folder, changed))


def test_a_note_of_the_number_is_enough(folder: Path) -> None:
    assert load(
        write(folder, SECOND.replace("1 TB/s, status: verified,", "900 GB/s, note: narrower, status: verified,"))
    )


def test_only_the_last_machines_before_count(folder: Path) -> None:
    third = SECOND.replace("toy-2", "toy-3").replace("2024", "2026").replace("1 TB/s", "700 GB/s")
    middle = SECOND.replace("1 TB/s", "600 GB/s") + "    note: it is cheaper\n"
    assert load(write(folder, middle + third))


def test_an_announcement_for_a_year_that_is_over_is_asked_after(folder: Path) -> None:
    old = ROW.replace(BANDWIDTH, BANDWIDTH.replace("verified", "announced"))
    [line] = told(write(folder, SECOND, old))
    assert line.startswith("content/catalogue/machines.yaml:4:9: machine 'toy-1': bandwidth of 2022 still 'announced'")
    assert load(write(folder, SECOND.replace("year: 2024", "year: 2022"), old)), "its year is not over"


def test_a_candidate_that_agrees_is_none(folder: Path) -> None:
    one = "candidates: [{value: %s, why: the box says so, from: [s1]}], chosen: the maker knows"
    same, other = (
        ROW.replace(PEAK, PEAK.replace("sparsity", one % rate + ", sparsity")) for rate in ("100 TFLOP/s", "1 PFLOP/s")
    )
    [line] = told(write(folder, "", same))
    assert line.startswith(
        "content/catalogue/machines.yaml:4:9: machine 'toy-1': a candidate of its peak bf16 is the value"
    )
    assert load(write(folder, "", other))


@pytest.mark.parametrize(("rate", "good"), [("100 TFLOP/s", True), ("1 PFLOP/s", True), ("312 TFLOP/s", False)])
def test_a_run_counts_with_a_peak_that_its_machine_knows(folder: Path, rate: str, good: bool) -> None:
    one = "candidates: [{value: 1 PFLOP/s, why: the box says so, from: [s1]}], chosen: the maker knows, sparsity"
    write(folder, "", ROW.replace(PEAK, PEAK.replace("sparsity", one)))
    (folder / "runs.yaml").write_text(RUN.replace("%s", rate))
    if good:
        assert load(folder)
    else:
        [line] = told(folder)
        assert line.startswith(
            "content/catalogue/runs.yaml:2:10: run 'run-1': it counts with a peak of 3.12e+14 FLOP/s"
        )


PRICE = """\
rows:
  - {id: l2, symbol: e_L2, name: cache, price: {value: 5 pJ/B, status: estimate, from: [s1], note: a count},
     default: true, sources: {s1: {title: A count, rank: derived, seen: true}}}
"""


def test_a_price_is_in_the_unit_of_what_it_prices(folder: Path) -> None:
    (folder / "prices.yaml").write_text(PRICE, encoding="utf-8")
    assert load(folder).prices["l2"].price.value == 5e-12
    (line,) = edit(folder, "5 pJ/B", "5 pJ", "prices")
    said = "price 'l2': it is in J, but the model's e_L2 is in J/B; write it in that unit"
    assert line == f"content/catalogue/prices.yaml:2:10: {said}"


@pytest.mark.parametrize(
    ("price", "said"),
    [
        ("value: 5 pJ/B, low: 4 pJ", "2:69: price 'l2': 'low' is in J, but the value is in J/B"),
        ("value: 5 pJ/B, high: 9", "2:70: price 'l2': 'high' has no unit, but the value is in J/B"),
    ],
)
def test_the_ends_of_a_price_are_in_its_unit(folder: Path, price: str, said: str) -> None:
    (folder / "prices.yaml").write_text(PRICE, encoding="utf-8")
    assert edit(folder, "value: 5 pJ/B", price, "prices") == [f"content/catalogue/prices.yaml:{said}"]


CONSTANT = """\
rows:
  - {id: of-a-recipe, symbol: o, name: optimizer bytes, value: 12, unit: B/param, low: 6, high: 12, status: estimate,
     default: true, range_why: by recipe, from: [s1], derivation: counted,
     sources: {s1: {title: A count, rank: derived, seen: true}}}
"""


@pytest.mark.parametrize(
    ("unit", "said"),
    [
        ("GB", "constant 'of-a-recipe': it is in GB, but the model's o is in B/param; write it in that unit"),
        (
            "b/param",
            "constant 'of-a-recipe': it is in b/param, but the model's o is in B/param; write it in that unit",
        ),
        ("B per param", "'unit': 'B per param': 'per' is written as a stroke; write 'B/param'"),
    ],
)
def test_a_constant_is_in_the_unit_of_its_symbol(folder: Path, unit: str, said: str) -> None:
    (folder / "constants.yaml").write_text(CONSTANT, encoding="utf-8")
    assert load(folder).constants["of-a-recipe"].value == 12
    (line,) = edit(folder, "unit: B/param", f"unit: {unit}", "constants")
    assert line.endswith(said)
