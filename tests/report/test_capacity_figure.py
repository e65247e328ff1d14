"""The capacity ledger says what the model says: parts, wholes, what fits and by how much, and why there is no bar."""

import math
import re
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from model.book import ask
from model.capacity import tape_per_device
from model.formula import ABSENCES
from model.inputs import policy
from model.records import Catalogue
from model.scenario import CHOICES, ScenarioError, base
from report.catalogue import load
from report.figures import capacity
from report.figures.capacity_bars import PARTS, POLICIES
from report.figures.expression import Writer
from tests.report import pictures
from tests.report.pictures import ROOT, WRONG, group, picture, words, written

LLAMA = {"network": "llama3-405b", "T": 8192.0, "s": 8192.0, "tp": 8.0, "pp": 16.0, "devices": 16384.0}
LLAMA |= {"micro_batches": 16.0, "zero": "3"}
LAYOUTS = pytest.mark.parametrize("layout", ["wide", "phone"])


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load(ROOT / "content" / "catalogue")


@pytest.fixture(scope="module")
def specs(catalogue: Catalogue) -> Mapping[str, dict[str, Any]]:
    """Compile both layouts once, on the default scenario."""
    return pictures.specs(capacity, catalogue)


def drawn(spec: Mapping[str, Any], catalogue: Catalogue, settings: Mapping[str, Any], **told: Any) -> ET.Element:
    """Draw a compiled spec on another scenario, or with signals told outright."""
    return picture(spec, capacity.params(settings, base(catalogue, settings)) | told)


def verdicts(root: ET.Element) -> list[str]:
    return [mark.text or "" for mark in group(root, "capacity_verdicts")]


def ends(root: ET.Element) -> dict[float, float]:
    """Return where each bar ends, in px from the left, by the place of its row."""
    found: dict[float, float] = {}
    for bar in group(root, "capacity_bars"):
        start, top, wide = map(float, re.findall(r"M([\d.]+),([\d.]+)h([\d.]+)", bar.get("d", ""))[0])
        found[top] = max(found.get(top, 0), start + wide)
    return dict(sorted(found.items()))


# --- what is drawn


def test_the_policies_are_those_of_the_model() -> None:
    assert set(POLICIES) == set(CHOICES["policy"])
    assert list(PARTS) == ["weights", "gradients", "optimizer", "tape"]


@pytest.mark.parametrize("settings", [{}, LLAMA, {"network": "deepseek-v3", "zero": "1", "pp": 4.0}], ids=str)
def test_rows_ask_the_model_for_each_policy(catalogue: Catalogue, settings: dict[str, Any]) -> None:
    for word, row in zip(POLICIES, capacity.rows(catalogue, settings).policies, strict=True):
        given = base(catalogue, {**settings, "policy": word})
        assert row["tape_B"] == ask("tape_per_device", given).value
        parts = sum(row[f"{part}_B"] for part in PARTS)
        assert row["together_B"] == pytest.approx(parts, rel=1e-12)
        assert row["together_B"] == ask("device_bytes", given).value


@pytest.mark.parametrize("settings", [{}, LLAMA, {"network": "llama2-7b", "zero": "2", "T": 65536.0}], ids=str)
def test_every_bar_is_as_long_as_the_model_says(specs: Any, catalogue: Catalogue, settings: dict[str, Any]) -> None:
    root = drawn(specs["wide"], catalogue, settings)
    line = float(re.findall(r"[\d.]+", group(root, "capacity_line")[0].get("transform", ""))[0])
    width, _ = capacity.WIDE.plot
    have = ask("capacity", base(catalogue, settings)).value
    assert have
    rows = capacity.rows(catalogue, settings).policies
    for row, end in zip(rows, ends(root).values(), strict=True):
        assert end == pytest.approx(min(width, line * row["together_B"] / have), abs=0.1)


def test_a_bar_that_leaves_the_picture_is_marked(specs: Any, catalogue: Catalogue) -> None:
    root = drawn(specs["wide"], catalogue, LLAMA)
    assert len([mark for mark in group(root, "capacity_cut") if mark.get("d")]) == 1
    assert max(ends(root).values()) == pytest.approx(capacity.WIDE.plot[0], abs=0.1)
    assert not [mark for mark in group(drawn(specs["wide"], catalogue, {}), "capacity_cut") if mark.get("d")]


def test_the_readers_own_policy_stands_out(specs: Any, catalogue: Catalogue) -> None:
    for i, (word, names) in enumerate(POLICIES.items()):
        root = drawn(specs["wide"], catalogue, {"policy": word})
        weights = [mark.get("font-weight") for mark in group(root, "capacity_names")]
        assert [weight == "600" for weight in weights] == [j == i for j in range(len(POLICIES))], names


@LAYOUTS
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"network": "xor-2-1-direct"}, "The tape is not counted: " + ABSENCES["not-a-transformer"]),
        ({"network": "t-c"}, "Nothing to show: " + ABSENCES["no-shape"]),
        ({"machine": "v100-sxm2", "format": "fp4"}, "Nothing to show: " + ABSENCES["no-format"]),
        ({"tp": 8.0, "pp": 16.0, "zero": "1"}, "needs 128 devices; there are 64"),
        ({"tp": 2.0, "devices": 1.0}, "needs 2 devices; there is 1"),
        (LLAMA, "first of 16 stages, 16 micro-batches in flight"),
        ({"pp": 4.0}, "first of 4 stages, 1 micro-batch in flight"),
        ({}, "bytes that one device must hold"),
    ],
)
def test_the_note_says_what_is_shown_or_why_nothing_is(
    specs: Any, catalogue: Catalogue, layout: str, settings: dict[str, Any], said: str
) -> None:
    root = drawn(specs[layout], catalogue, settings)
    (note,) = [mark.text or "" for mark in group(root, "capacity_note")]
    assert note.endswith(said)
    assert WRONG.search(written(root)) is None


def test_without_its_whole_state_no_bar_is_drawn(specs: Any, catalogue: Catalogue) -> None:
    root = drawn(specs["wide"], catalogue, {"tp": 8.0, "pp": 16.0, "zero": "1"})
    assert [mark for mark in group(root, "capacity_bars") if mark.get("d")] == []
    assert verdicts(root) == [""] * len(POLICIES)
    state_alone = drawn(specs["wide"], catalogue, {"network": "alexnet"})
    assert len(group(state_alone, "capacity_bars")) == 3, "the tape is not known, the state is: one row says it"


@LAYOUTS
def test_what_fits_on_one_device_does_not_gainsay_that_there_are_too_few(
    specs: Any, catalogue: Catalogue, layout: str
) -> None:
    """A device may hold its share of a network although there are not enough devices for one copy of it."""
    few = drawn(specs[layout], catalogue, {"tp": 8.0, "pp": 16.0, "devices": 64.0})
    assert [said for said in verdicts(few) if "fits" in said]
    assert all(": each fits with" in said for said in verdicts(few) if "fits" in said)
    (note,) = [mark.text or "" for mark in group(few, "capacity_note")]
    assert "needs 128 devices; there are 64" in note
    assert note.startswith("Each bar is the share of one device. ") == (layout == "wide")
    enough = drawn(specs[layout], catalogue, {"tp": 8.0, "pp": 16.0, "devices": 128.0})
    assert not [said for said in verdicts(enough) if "each" in said]


@LAYOUTS
def test_where_no_tape_is_counted_one_row_says_what_the_state_takes(
    specs: Any, catalogue: Catalogue, layout: str
) -> None:
    root = drawn(specs[layout], catalogue, {"network": "xor-2-2-1", "machine": "vax-11-780-fpa"})
    names = [mark.text for mark in group(root, "capacity_names")]
    assert names == ["State, without a tape" if layout == "wide" else "State"]
    (said,) = verdicts(root)
    assert said.endswith("144 B: fits with 4.19 MB to spare")
    assert len(group(root, "capacity_line")) == 1


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"machine": "rubin", "network": "llama3-405b", "policy": "inputs"}, "needs 6.50 TB: 22.6 times what there is"),
        ({"machine": "rubin"}, "needs 119 GB: fits with 169 GB to spare"),
    ],
)
def test_amounts_in_a_column_have_the_same_digits_and_no_idle_ones(
    specs: Any, catalogue: Catalogue, settings: dict[str, Any], said: str
) -> None:
    """6.50 TB beside 6.49 TB tells how far both are known; 80.0 GB of a data sheet would tell nothing."""
    assert said in verdicts(drawn(specs["wide"], catalogue, settings))
    assert "80 GB on an H100" in written(drawn(specs["wide"], catalogue, {}))


@pytest.mark.parametrize("key", ["capacity", "T", "tp", "pp", "devices"])
@pytest.mark.parametrize("value", ["0", "-1", "nan"])
def test_no_scenario_brings_zero_or_less_into_the_figure(catalogue: Catalogue, key: str, value: str) -> None:
    unit = {"capacity": " B"}.get(key, "")
    with pytest.raises(ScenarioError, match=key):
        capacity.rows(catalogue, {key: value + unit})


@pytest.mark.parametrize("bad", [math.nan, math.inf, 0.0])
@pytest.mark.parametrize("key", ["capacity_capacity", "capacity_state_per_device", "capacity_T"])
def test_no_bar_leaves_the_picture_for_want_of_a_number(specs: Any, catalogue: Catalogue, key: str, bad: float) -> None:
    root = drawn(specs["wide"], catalogue, {}, **{key: bad})
    assert all(0 <= end <= capacity.WIDE.plot[0] + 0.1 for end in ends(root).values())
    assert WRONG.search(written(root)) is None


# --- what is said

GB = 1e9


def says(spec: Any, catalogue: Catalogue, need: float, have: float) -> str:
    """Return the verdict on a need against a memory: the tape of the reader's policy is nothing here."""
    told = {"capacity_state_per_device": need, "capacity_T": 0.0, "capacity_capacity": have}
    return verdicts(drawn(spec, catalogue, {}, **told))[list(POLICIES).index("selective")]


@pytest.mark.parametrize(
    ("need", "have", "said"),
    [
        (119 * GB, 80 * GB, "needs 119 GB: 39 GB too much"),
        (68 * GB, 80 * GB, "needs 68 GB: fits with 12 GB to spare"),
        (80 * GB, 80 * GB, "needs 80 GB: just fits"),
        (79.98 * GB, 80 * GB, "needs 80 GB: just fits"),
        (80.02 * GB, 80 * GB, "needs 80 GB: just too much"),
        (80.06 * GB, 80 * GB, "needs 80.1 GB: 100 MB too much"),
        (99.94 * GB, 100.01 * GB, "needs 99.9 GB: just fits"),
        (115.3 * GB, 102.005 * GB, "needs 115 GB: 13 GB too much"),
        (1.04e6, 4 * 2**20, "needs 1.04 MB: fits with 3.15 MB to spare"),
        (799 * GB, 80 * GB, "needs 799 GB: 719 GB too much"),
        (10.7e12, 80 * GB, "needs 10.7 TB: 134 times what there is"),
        (1e15, 640 * 1024, "needs 1 PB: over a million times too much"),
        (112.0, 80 * GB, "needs 112 B: fits with 80 GB to spare"),
        (0.4, 80 * GB, "needs under 1 B: fits with 80 GB to spare"),
        (119 * GB, math.nan, "needs 119 GB"),
        (math.nan, 80 * GB, ""),
    ],
)
def test_the_verdict_is_right_at_the_boundary_and_adds_up(
    specs: Any, catalogue: Catalogue, need: float, have: float, said: str
) -> None:
    assert says(specs["wide"], catalogue, need, have) == said


def test_the_figure_says_what_each_policy_costs(specs: Any, catalogue: Catalogue) -> None:
    said = words(drawn(specs["wide"], catalogue, {}))
    assert "nothing computed again" in said
    assert "attention scores again, +2.6% arithmetic" in said
    assert "each layer inverted, +33% arithmetic" in said
    assert not [
        text for text in words(drawn(specs["wide"], catalogue, {"network": "xor-2-1-direct"})) if "again" in text
    ]


@pytest.mark.parametrize(
    ("settings", "label"),
    [
        ({}, "80 GB on an H100"),
        ({"machine": "v100-sxm2"}, "32 GB on a V100"),
        ({"machine": "tpu-v5p"}, "102 GB on a TPU v5p"),
        ({"machine": "vax-11-780-fpa"}, "4.19 MB on a VAX-11/780"),
        ({"machine": "geforce-8800-gtx"}, "805 MB on an 8800 GTX"),
        ({"capacity": "40 GB"}, "40 GB on an H100"),
        ({"machine": "own", "peak": "1 TFLOP/s", "bandwidth": "1 TB/s", "capacity": "1 TB"}, "1 TB on your machine"),
    ],
)
def test_the_line_is_labelled_with_the_memory_and_the_machine(
    specs: Any, catalogue: Catalogue, settings: dict[str, Any], label: str
) -> None:
    assert [mark.text for mark in group(drawn(specs["phone"], catalogue, settings), "capacity_label")] == [label]


def test_a_machine_has_the_article_that_it_is_spoken_with(catalogue: Catalogue) -> None:
    found = {row.short for row in catalogue.machines.values() if capacity.article(row.short) == "an"}
    assert {
        "H100",
        "A100",
        "RTX 4090",
        "MI300X",
        "M2 Ultra",
        "8800 GTX",
        "i860",
        "Alliant FX/8",
        "Origin 2000",
    } <= found
    rest = {row.short for row in catalogue.machines.values()} - found
    assert {"V100", "B200", "TPU v4", "K40", "VAX-11/780", "SPARCstation 10", "PC/AT", "WSE-3", "Xeon X5482"} <= rest


# --- the parts


def test_the_word_of_a_choice_writes_one_branch_alone() -> None:
    writer = Writer("x", policy)
    text = writer.text(tape_per_device, "sqrt")
    assert "===" not in text
    assert "x_stage_layers" in writer.signals
    assert "x_policy" not in writer.signals
    assert "x_c_scores" not in writer.signals
    assert "x_c_scores" in writer.text(tape_per_device, "store-all")
    assert "x_tp" in writer.signals


def test_the_controls_set_keys_of_the_scenario_and_start_at_its_default(catalogue: Catalogue) -> None:
    controls = {control["id"].removeprefix("capacity-"): control for control in capacity.controls(catalogue)}
    assert {name: control["key"] for name, control in controls.items() if control["key"]} == {
        "policy": "policy",
        "sequences": "T",
        "tp": "tp",
        "pp": "pp",
        "micro": "micro_batches",
        "zero": "zero",
    }
    for control in controls.values():
        if control["kind"] == "select":
            assert control["value"] in [option["value"] for option in control["options"]]
    assert controls["sequences"]["times"] == "s"
    assert controls["sequences"]["value"] == "1"
