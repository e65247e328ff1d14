"""The note's figure says what the model says, in all three panels, and says why where there is nothing to draw."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from model.book import ask
from model.formula import STATES
from model.records import Catalogue
from model.scenario import base
from report.catalogue import load
from report.figures import note, theme
from report.figures.note_panels import CASES, DOUBLINGS, NARROWEST, TABLES, WIDEST, size
from tests.report import pictures
from tests.report.pictures import ROOT, WRONG, group, words, written

LAYOUTS = pytest.mark.parametrize("layout", note.LAYOUTS, ids=[one.name for one in note.LAYOUTS])
CASES_DRAWN: tuple[dict[str, Any], ...] = (
    {},
    {"machine": "a100-sxm4-80gb", "form": "l2", "devices": 64.0},
    {"network": "deepseek-v3", "T": 64.0},
    {"network": "llama3-405b", "devices": 16384.0, "tp": 8.0, "pp": 16.0, "s": 8192.0},
    {"a": 120.0, "T": 16.0},
)
ON = pytest.mark.parametrize("settings", CASES_DRAWN, ids=lambda one: " ".join(map(str, one.values())) or "default")
LAST = 2.0**DOUBLINGS


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load(ROOT / "content" / "catalogue")


@pytest.fixture(scope="module")
def specs(catalogue: Catalogue) -> Mapping[str, dict[str, Any]]:
    return pictures.specs(note, catalogue)


def drawn(spec: Mapping[str, Any], catalogue: Catalogue, settings: Mapping[str, Any], **told: Any) -> ET.Element:
    return pictures.picture(spec, note.params(settings, base(catalogue, settings)) | told)


def place(mark: ET.Element) -> tuple[float, float]:
    x, y = re.findall(r"-?[\d.]+", mark.get("transform", ""))[:2]
    return float(x), float(y)


def value(catalogue: Catalogue, key: str, settings: Mapping[str, Any]) -> float:
    found = ask(key, base(catalogue, settings)).value
    assert found is not None
    return found


def between(low: float, at: float, high: float) -> float:
    return math.log(at / low) / math.log(high / low)


# --- (a)


@ON
@LAYOUTS
def test_the_dots_of_a_lie_on_the_model_s_intensities(
    specs: Any, catalogue: Catalogue, layout: theme.Layout, settings: dict[str, Any]
) -> None:
    picture, box = drawn(specs[layout.name], catalogue, settings), size("a", layout)
    dots = [place(mark) for mark in group(picture, "note_dots")]
    assert len(dots) == DOUBLINGS + 1
    there = [value(catalogue, "operational_intensity", {**settings, "T": 2.0**k}) for k in range(DOUBLINGS + 1)]
    # Both ends fix the scale; every other dot, the reader's own and the balance must agree with it.
    decade = (dots[0][1] - dots[-1][1]) / math.log10(there[-1] / there[0])

    def down(intensity: float) -> float:
        return dots[0][1] - decade * math.log10(intensity / there[0])

    for k, (x, y) in enumerate(dots):
        assert x == pytest.approx(box["width"] * k / DOUBLINGS, abs=0.6)
        assert y == pytest.approx(down(there[k]), abs=0.1)
    (point,) = group(picture, "note_point")
    assert place(point)[1] == pytest.approx(down(value(catalogue, "operational_intensity", settings)), abs=0.1)
    (line,) = group(picture, "note_balance_line")
    assert place(line)[1] == pytest.approx(down(value(catalogue, "beta", settings)), abs=0.1)
    assert 0 < dots[-1][1] < dots[0][1] < box["height"] + 1


@LAYOUTS
def test_grey_lines_are_gpt_layers_of_other_widths(specs: Any, catalogue: Catalogue, layout: theme.Layout) -> None:
    picture = drawn(specs[layout.name], catalogue, {"network": "gpt3-175b"})
    said = words(picture)
    assert "GPT-3" in said
    assert "d = 768" in said
    assert "d = 4,096" in said
    assert "d = 12,288" not in said, "it would lie under the network's own"
    box, (point,) = size("a", layout), group(picture, "note_point")
    curves = {path.get("d", "") for part in group(picture, "note_widths") for path in part.iter()} - {""}
    ends = [re.findall(r"[\d.]+,[\d.]+", curve)[-1] for curve in curves]
    heights = sorted(float(end.split(",")[1]) for end in ends)
    plateaus = [value(catalogue, "operational_intensity", {"d": d, "T": LAST}) for d in (4096.0, 768.0)]
    per_decade = (heights[1] - heights[0]) / math.log10(plateaus[0] / plateaus[1])
    own = value(catalogue, "operational_intensity", {"network": "gpt3-175b"})
    assert place(point)[1] == pytest.approx(heights[0] + per_decade * math.log10(plateaus[0] / own), abs=0.3)
    assert 0 < heights[0] < box["height"]


# --- (b)


@ON
def test_the_curve_of_b_is_the_floor_of_a_gpt_layer(specs: Any, catalogue: Catalogue, settings: dict[str, Any]) -> None:
    picture, box = drawn(specs["wide"], catalogue, settings), size("b", note.WIDE)
    at = {key: settings[key] for key in ("machine", "form", "a") if key in settings}
    dots = {round(x): y for x, y in (place(mark) for mark in group(picture, "note_floor_dots"))}
    floors: dict[int, float] = {}
    for k in range(NARROWEST, WIDEST + 1):
        answer = ask("T_min", base(catalogue, {**at, "d": 2.0**k}))
        if answer.value is not None and answer.value <= 1e5:
            floors[round(box["width"] * (k - NARROWEST) / (WIDEST - NARROWEST))] = answer.value
    assert len(dots) == len(floors)
    listed = list(zip(sorted(dots), sorted(floors), strict=True))
    assert all(abs(drawn_at - asked_at) <= 1 for drawn_at, asked_at in listed)
    ys, asked = [dots[x] for x, _ in listed], [floors[x] for _, x in listed]
    decade = (ys[-1] - ys[0]) / math.log10(asked[0] / asked[-1])
    for y, floor in zip(ys, asked, strict=True):
        assert y == pytest.approx(ys[0] + decade * math.log10(asked[0] / floor), abs=0.2)
    (point,) = group(picture, "note_network_point")
    own = value(catalogue, "T_min", settings)
    assert place(point)[1] == pytest.approx(ys[0] + decade * math.log10(asked[0] / own), abs=0.2)


@ON
@LAYOUTS
def test_the_pole_stands_where_the_model_puts_it(
    specs: Any, catalogue: Catalogue, layout: theme.Layout, settings: dict[str, Any]
) -> None:
    (line,) = group(drawn(specs[layout.name], catalogue, settings), "note_pole_line")
    pole = value(catalogue, "d_min", settings)
    across = size("b", layout)["width"] * between(2**NARROWEST, pole, 2**WIDEST)
    assert place(line)[0] == pytest.approx(across, abs=0.8)


def test_every_machine_is_read_in_its_training_format(specs: Any, catalogue: Catalogue) -> None:
    said = words(drawn(specs["wide"], catalogue, {"machine": "vax-11-780-fpa"}))
    assert {"A100", "H100", "B200", "VAX-11/780"} <= set(said)
    again = words(drawn(specs["wide"], catalogue, {}))
    assert again.count("H100") == 1


def test_below_the_pole_there_is_no_point_and_the_head_says_so(specs: Any, catalogue: Catalogue) -> None:
    picture = drawn(specs["wide"], catalogue, {"network": "gpt2-small"})
    assert group(picture, "note_network_point") == []
    assert "d = 768: no batch will do; pole at 820" in words(picture)


def test_a_machine_that_does_not_train_has_no_pole_in_the_words_nor_in_the_panel(
    specs: Any, catalogue: Catalogue
) -> None:
    picture = drawn(specs["wide"], catalogue, {"machine": "tpu-v1"})
    assert words(picture).count(STATES["no-format"]) == 2
    assert not any("pole" in text for text in words(picture))
    assert group(picture, "note_pole_line") == []


@pytest.mark.parametrize("network", ["gpt2-small", "nettalk-80", "deepseek-v3", "llama3-405b"])
def test_the_line_of_the_network_is_named_where_it_ends_however_high(
    specs: Any, catalogue: Catalogue, network: str
) -> None:
    picture = drawn(specs["wide"], catalogue, {"network": network, "machine": "cray-1"})
    assert len(group(picture, "note_dots")) == DOUBLINGS + 1
    assert catalogue.networks[network].short in words(picture)


# --- (c)


def bars(picture: ET.Element) -> dict[float, list[float]]:
    """Return the lengths of the parts of each bar, from left to right, by the place of the bar."""
    found: dict[float, list[float]] = {}
    for mark in group(picture, "note_bars"):
        _, top, wide = map(float, re.findall(r"M(-?[\d.]+),([\d.]+)h([\d.]+)", mark.get("d", ""))[0])
        found.setdefault(top, []).append(wide)
    return dict(sorted(found.items()))


@ON
@LAYOUTS
def test_the_parts_of_a_bar_are_shares_of_the_energy(
    specs: Any, catalogue: Catalogue, layout: theme.Layout, settings: dict[str, Any]
) -> None:
    picture = drawn(specs[layout.name], catalogue, settings)
    found = bars(picture)
    assert len(found) == len(CASES)
    for parts, (_, changes) in zip(found.values(), CASES, strict=True):
        own = {**settings, **{key: part for key, part in changes.items() if part != "=s"}}
        own |= {"T": settings.get("s", 2048.0)} if changes["T"] == "=s" else {}
        shares = [value(catalogue, f"{part}_share", own) for part in ("arithmetic", "memory", "static")]
        assert [part / sum(parts) for part in parts] == pytest.approx(shares, abs=2e-3)
        assert sum(shares) == pytest.approx(1, rel=1e-12)


def test_the_four_cases_on_an_a100_are_those_of_the_note(specs: Any, catalogue: Catalogue) -> None:
    """A token alone costs about 25 J, a sequence alone about 60 mJ, and batched about 50, three quarters arithmetic."""
    settings = {"machine": "a100-sxm4-80gb", "form": "l2", "devices": 64.0, "fabric": "25 GB/s"}
    totals = [mark.text for mark in group(drawn(specs["wide"], catalogue, settings), "note_totals")]
    assert totals == ["25.3 J", "60.1 mJ", "82.9 mJ", "51.6 mJ"]


@pytest.mark.parametrize(
    ("settings", "state"),
    [
        ({"machine": "b200-sxm"}, "no-price"),
        ({"machine": "vax-11-780-fpa", "network": "nettalk-80"}, "no-price"),
        ({"network": "xor-2-2-1"}, "cache-resident"),
    ],
)
@LAYOUTS
def test_where_no_joules_are_known_the_default_ones_are_drawn_and_the_head_says_so(
    specs: Any, catalogue: Catalogue, layout: theme.Layout, settings: dict[str, Any], state: str
) -> None:
    picture, usual = (drawn(specs[layout.name], catalogue, given) for given in (settings, {}))
    assert {f"not yours: {STATES[state]}", "(c) Where the joules go: the 7B class on the H100"} <= set(words(picture))
    assert bars(picture) == bars(usual)
    assert not any("not yours" in text for text in words(usual))
    assert WRONG.search(written(picture)) is None


def test_on_the_narrowest_phone_words_and_totals_have_room_beside_each_other(specs: Any, catalogue: Catalogue) -> None:
    told = note.params({}, base(catalogue, {}))
    room = 320 - note.PHONE.left - note.PHONE.right
    picture = pictures.picture(specs["phone"], {**told, "width": room})
    for case, total in zip(group(picture, "note_cases"), group(picture, "note_totals"), strict=True):
        ends = place(case)[0] + len(case.text or "") * note.PHONE.small * theme.LETTER
        begins = place(total)[0] - len(total.text or "") * note.PHONE.small * theme.LETTER
        assert ends < begins, case.text


# --- zero, negative, none


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
@pytest.mark.parametrize("key", ["note_beta", "note_T", "note_T_min", "note_d_min", "note_arithmetic_energy", "note_a"])
@LAYOUTS
def test_no_mark_lies_on_an_edge_for_want_of_a_number(
    specs: Any, catalogue: Catalogue, layout: theme.Layout, key: str, bad: float
) -> None:
    picture = drawn(specs[layout.name], catalogue, {}, **{key: bad})
    for panel, names in {"a": ("note_dots", "note_point"), "b": ("note_floor_dots", "note_network_point")}.items():
        box = size(panel, layout)
        for name in names:
            for mark in group(picture, name):
                x, y = place(mark)
                assert -0.1 <= x <= box["width"] + 0.6
                assert 0 <= y <= box["height"] + 0.6
    assert WRONG.search(written(picture)) is None


# --- data


def test_data_and_tables_ask_the_same(catalogue: Catalogue) -> None:
    rows = note.data(note.rows(catalogue))
    assert {row["panel"] for row in rows} == set(TABLES)
    assert len(rows) == sum(len(table.rows) * len(table.columns) for table in TABLES.values())
    (floor,) = [row["value"] for row in rows if (row["panel"], row["row"]) == ("b", "4,096")]
    assert floor == value(catalogue, "T_min", {"d": 4096.0})
