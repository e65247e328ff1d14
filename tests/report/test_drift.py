"""The drift of balance: each machine in the panels it belongs to, where the model puts it; words that cover nothing."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from model.book import ask
from model.records import Catalogue
from model.scenario import DEFAULT, base
from report import rounding, trends
from report.catalogue import load
from report.figures import drift, drift_panels, drift_words, export, images, theme
from report.trends import CLASSES, WAYS, readings
from tests.report import pictures
from tests.report.pictures import ROOT, SHEET, WRONG, group, words
from tests.report.test_style import BLIND, THEMES, contrast, lab, linear

LAYOUTS = pytest.mark.parametrize("layout", drift.LAYOUTS, ids=[layout.name for layout in drift.LAYOUTS])
EVERY_WAY = pytest.mark.parametrize("way", WAYS)
Specs = Mapping[str, dict[str, Any]]
# The ends of the axes, machines that are drawn for their reader alone, and those that lack formats or cannot train.
LOOKED_AT = ("cray-1", "ibm-pc-at-80287", "rubin", "cerebras-wse-2", "xeon-platinum-8480-plus", "tpu-v1", "groq-lpu")


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load(ROOT / "content" / "catalogue")


@pytest.fixture(scope="module")
def drawn(catalogue: Catalogue) -> drift.Rows:
    return drift.rows(catalogue)


@pytest.fixture(scope="module")
def specs(catalogue: Catalogue) -> Specs:
    return pictures.specs(drift, catalogue)


def picture(specs: Specs, layout: theme.Layout, catalogue: Catalogue, **signals: Any) -> ET.Element:
    """Draw the figure on a scenario, with other values of its own parameters."""
    settings = {key: signals.pop(key) for key in ("machine", "peak", "bandwidth") if key in signals}
    told = drift.params(settings, base(catalogue, settings)) | signals
    return pictures.picture(specs[layout.name], told)


def places(picture: ET.Element, name: str) -> list[tuple[float, float]]:
    """Return where the marks of a layer stand, in px of their panel."""
    found = [re.findall(r"-?[\d.]+", mark.get("transform", "")) for mark in group(picture, name)]
    return [(float(place[0]), float(place[1])) for place in found]


def spot(drawn: drift.Rows, panel: drift_panels.Panel, at: float, value: float, layout: theme.Layout) -> Any:
    """Return where a value lies in a panel, worked out anew from the ends of its axes."""
    (width, height), (low, high) = drift_panels.size(panel, layout), drift._domain(drawn, panel)
    years = drift_panels.LAST_YEAR - drift_panels.FIRST_YEAR
    across = width * (at - drift_panels.FIRST_YEAR) / years
    down = height * math.log(high / value) / math.log(high / low)
    return pytest.approx((across, down), abs=1.2)  # the panels' own sizes are not whole px


# --- who stands where


@EVERY_WAY
@LAYOUTS
def test_every_machine_has_a_mark_where_the_model_puts_it(
    specs: Specs, drawn: drift.Rows, catalogue: Catalogue, layout: theme.Layout, way: str
) -> None:
    found = picture(specs, layout, catalogue, drift_format=way)
    at = {row["id"]: row["at"] for row in drawn.machines}
    for panel in drift_panels.PANELS:
        wanted = [
            (at[one.machine.id], one.values[panel.key])
            for one in readings(catalogue, way)
            if drift._drawn(one.machine) and one.values[panel.key] is not None
        ]
        marks = places(found, f"drift_{panel.short}_points")
        assert len(marks) == len(wanted), panel.key
        for year, value in wanted:
            assert value
            where = spot(drawn, panel, year, value, layout)
            assert [mark for mark in marks if mark == where], (panel.key, year, value)


def test_the_figure_spans_the_cray_1_to_the_newest_announced_machine(drawn: drift.Rows) -> None:
    shown = [row for row in drawn.machines if row["shown"]]
    assert len(shown) > 40
    assert (min(row["year"] for row in shown), max(row["year"] for row in shown)) == (1976, 2026)
    assert any(row["day"]["status"] == "announced" for row in shown)


def test_machines_of_one_year_stand_side_by_side_within_it(drawn: drift.Rows) -> None:
    places = [(row["year"], row["at"]) for row in drawn.machines if row["shown"]]
    assert len(set(places)) == len(places)
    assert all(abs(at - year) < 0.5 for year, at in places)


@LAYOUTS
def test_marks_lie_inside_their_axes(specs: Specs, catalogue: Catalogue, layout: theme.Layout) -> None:
    for machine in LOOKED_AT:
        found = picture(specs, layout, catalogue, machine=machine)
        for panel in drift_panels.PANELS:
            width, height = drift_panels.size(panel, layout)
            for name in ("points", "yours"):
                for x, y in places(found, f"drift_{panel.short}_{name}"):
                    assert 0 < x < width + 1
                    assert 0 < y < height + 1


def test_colour_says_the_class_shape_how_sure_and_a_hollow_mark_inference(
    specs: Specs, drawn: drift.Rows, catalogue: Catalogue
) -> None:
    found = picture(specs, drift.WIDE, catalogue)
    rows = [row for row in drawn.machines if row["shown"]]
    fills = [mark.get("fill") for mark in group(found, "drift_c_points")]
    strokes = [mark.get("stroke") for mark in group(found, "drift_c_points")]
    assert strokes == [theme.KINDS[row["group"]] for row in rows]
    assert fills == [theme.KINDS[row["group"]] if row["trains"] else theme.PAPER for row in rows]
    assert fills.count(theme.PAPER) == 2
    shapes: dict[str, set[str]] = {}
    for row, mark in zip(rows, group(found, "drift_c_points"), strict=True):
        shapes.setdefault(row["day"]["status"], set()).add(mark.get("d", ""))
    assert set(shapes) == {"verified", "secondary", "estimate", "announced"}
    assert all(len(ways) == 1 for ways in shapes.values())
    assert len(set().union(*shapes.values())) == 4
    assert theme.PAPER not in {mark.get("fill") for mark in group(found, "drift_a_points")}


# --- the reader's machine, the one pointed at, the classes


@LAYOUTS
def test_the_key_tells_the_ring_round_the_readers_machine(
    specs: Specs, catalogue: Catalogue, layout: theme.Layout
) -> None:
    found = picture(specs, layout, catalogue)
    said = [mark.text for mark in group(found, "drift_key")]
    ring = group(found, "drift_shapes")[said.index("your machine")]
    assert len(group(found, "drift_shapes")) == len(said)
    (yours,) = group(found, "drift_b_yours")
    for look in ("stroke", "stroke-width"):
        assert ring.get(look) == yours.get(look)
    assert [said[i] for i, mark in enumerate(group(found, "drift_shapes")) if mark.get("stroke") == theme.INK] == [
        "your machine"
    ]


@LAYOUTS
def test_the_readers_machine_is_ringed_and_told_in_all_panels(
    specs: Specs, catalogue: Catalogue, layout: theme.Layout
) -> None:
    for machine in ("h100-sxm5", "cray-1", "gaudi-2"):  # the last is not among those shown
        found = picture(specs, layout, catalogue, machine=machine)
        given = base(catalogue, {"machine": machine, "update": "in-place"})
        examples, beta = ask("examples_per_fetch", given).value, ask("beta", given).value
        assert examples
        assert beta
        for panel in drift_panels.PANELS:
            assert len(group(found, f"drift_{panel.short}_yours")) == 1
        assert f"{catalogue.machines[machine].short}: {rounding.sig(examples, 3)}" in words(found)
        assert f"{rounding.sig(beta, 3)} FLOP/B" in words(found)


def test_pointing_lights_a_machine_in_all_panels_and_dims_the_others(specs: Specs, catalogue: Catalogue) -> None:
    found = picture(specs, drift.WIDE, catalogue, drift_lit="cray-1")
    for panel in drift_panels.PANELS:
        (lit,) = places(found, f"drift_{panel.short}_lit")
        bright = [mark for mark in group(found, f"drift_{panel.short}_points") if not mark.get("opacity")]
        assert len(bright) == 1
        assert places(found, f"drift_{panel.short}_points")[0] == lit, "the oldest machine"
    assert {"Cray-1: 1", "0.25 FLOP/B", "160 MFLOP/s", "640 MB/s"} <= set(words(found))


def test_a_class_that_is_taken_away_leaves_with_its_words(specs: Specs, catalogue: Catalogue) -> None:
    rest = [name for name in CLASSES if name != "cpu"]
    found = picture(specs, drift.WIDE, catalogue, drift_kinds=rest)
    assert not [text for text in words(found) if text.startswith("CPUs")]
    assert theme.KINDS["cpu"] not in {mark.get("stroke") for mark in group(found, "drift_a_points")}
    none = picture(specs, drift.WIDE, catalogue, drift_kinds=[])
    assert len(group(none, "drift_a_points")) == 1, "the reader's own machine stays"


def test_a_machine_without_the_format_says_so(specs: Specs, catalogue: Catalogue) -> None:
    found = picture(specs, drift.WIDE, catalogue, machine="cray-1", drift_format="fp8")
    assert "Cray-1: no fp8" in words(found)
    assert group(found, "drift_a_yours") == []
    idle = picture(specs, drift.WIDE, catalogue, machine="groq-lpu")
    assert "Groq LPU: does not train" in words(idle)
    assert group(idle, "drift_a_yours") == []
    assert len(group(idle, "drift_b_yours")) == 1


@LAYOUTS
@pytest.mark.parametrize(
    ("peak", "bandwidth"), [("1 TFLOP/s", "1 TB/s"), ("1 EFLOP/s", "100 kB/s"), ("1 kFLOP/s", "100 PB/s")]
)
def test_the_readers_own_machine_has_room_however_strange(
    specs: Specs, catalogue: Catalogue, layout: theme.Layout, peak: str, bandwidth: str
) -> None:
    found = picture(specs, layout, catalogue, machine="own", peak=peak, bandwidth=bandwidth)
    for panel in drift_panels.PANELS:
        (place,) = places(found, f"drift_{panel.short}_yours")
        width, height = drift_panels.size(panel, layout)
        assert 0 < place[0] <= width + 1
        assert 0 < place[1] < height
    assert any(text.startswith("your machine: ") for text in words(found))
    assert WRONG.search(pictures.written(found)) is None


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
@pytest.mark.parametrize("key", trends.KEYS)
def test_what_has_no_place_on_a_logarithmic_axis_is_not_drawn(
    specs: Specs, catalogue: Catalogue, key: str, bad: float
) -> None:
    own = {"machine": "own", "peak": "1 TFLOP/s", "bandwidth": "1 TB/s"}
    found = picture(specs, drift.WIDE, catalogue, **own, **{f"drift_{key}": bad})
    panel = next(panel for panel in drift_panels.PANELS if panel.key == key)
    assert group(found, f"drift_{panel.short}_yours") == []
    assert WRONG.search(pictures.written(found)) is None


@EVERY_WAY
def test_no_machine_and_no_format_brings_a_word_that_no_reader_should_see(
    specs: Specs, catalogue: Catalogue, way: str
) -> None:
    """All machines are looked at in a real browser (tests/browser/test_drift.py)."""
    for machine in LOOKED_AT:
        found = picture(specs, drift.WIDE, catalogue, machine=machine, drift_format=way)
        assert WRONG.search(pictures.written(found)) is None, machine


# --- trends, reuses, crossings


def test_each_panel_says_its_trend(specs: Specs, drawn: drift.Rows, catalogue: Catalogue) -> None:
    found = words(picture(specs, drift.WIDE, catalogue))
    for fit in drawn.fits["day"].values():
        middle, low, high = (rounding.sig(value, 3) for value in (fit.doubling, fit.low, fit.high))
        assert f"doubles every {middle} years ({low} to {high})" in found
    settled = picture(specs, drift.WIDE, catalogue, drift_format="bf16")
    assert words(settled).count("no clear trend since 2016") == 2
    assert group(settled, "drift_b_line") == [], "no line where there is no trend"
    assert len(group(settled, "drift_c_line")) == 1
    assert words(picture(specs, drift.WIDE, catalogue, drift_format="fp8")).count("too few years for a trend") == 4


def test_the_reuses_are_those_of_real_networks(drawn: drift.Rows, catalogue: Catalogue) -> None:
    lenet = ask("weight_reuse", base(catalogue, {"network": "lenet-1989"})).value
    block = catalogue.constants["block-of-patterns"].value
    assert [reuse.value for reuse in drawn.reuses] == [1.0, lenet, block, DEFAULT["s"]]
    assert "6.6" in drawn.reuses[1].long


def test_the_years_in_which_a_class_passed_a_reuse_are_marked(specs: Specs, catalogue: Catalogue) -> None:
    found = picture(specs, drift.WIDE, catalogue)
    day = readings(catalogue, "day")
    assert len(group(found, "drift_reuses")) == 4
    passed = drift_words.crossings(day, drift.rows(catalogue).reuses)
    assert len(group(found, "drift_passed")) == len(passed) == 4
    for _, crossing in passed:
        assert f"{CLASSES[crossing.group]} from {crossing.since}" in words(found)
    stretches = {(crossing.group, crossing.last.year, crossing.since) for _, crossing in passed}
    assert stretches == {("cpu", 1992, 1995), ("cpu", 2003, 2009), ("cpu", 2012, 2014), ("gpu", 2010, 2013)}


def test_the_story_is_named_and_so_is_every_class(specs: Specs, catalogue: Catalogue) -> None:
    found = words(picture(specs, drift.WIDE, catalogue))
    assert {"VAX-11/780", "Cray-1", "H100", "B200", "Rubin", "WSE-3"} <= set(found)
    assert set(CLASSES.values()) <= set(found)
    assert {"updated in place", "gradients summed"} <= set(found)
    assert {"verified", "secondary source", "estimate", "announced", "inference only"} <= set(found)
    assert {"VAX-11/780", "Cray-1", "H100", "WSE-3"} <= set(words(picture(specs, drift.PHONE, catalogue)))


@LAYOUTS
@EVERY_WAY
def test_a_word_covers_no_machine_no_line_and_no_other_word(drawn: drift.Rows, layout: theme.Layout, way: str) -> None:
    """Works the boxes of all words out anew, at every width at which a page draws the figure."""
    hero = drift_panels.PANELS[0]
    at = {row["id"]: row["at"] for row in drawn.machines}
    bounds = drift._domain(drawn, hero)
    found = drift_words.sought(drawn.readings, drawn.reuses, drawn.fits, at, bounds, layout)
    assert found
    for across in range(*((560, 960, 50) if layout.name == "wide" else (280, 430, 30))):
        width, height = drift_words._hero_size(layout, across)
        here = [word for word in found if word["f"] == way and word["least"] <= width < word["most"]]

        def px(year: float, value: float, size: tuple[float, float] = (width, height)) -> tuple[float, float]:
            part = (year - drift_panels.FIRST_YEAR) / (drift_panels.LAST_YEAR - drift_panels.FIRST_YEAR)
            return size[0] * part, size[1] * math.log(bounds[1] / value) / math.log(bounds[1] / bounds[0])

        boxes = []
        for word in here:
            x, y = px(word["at"], word["y"])
            x, y = x + word["dx"], y + word["dy"]
            long = len(word["text"]) * layout.small * 0.45
            left = x - long * {"left": 0, "center": 0.5, "right": 1}[word["align"]]
            boxes.append((word["text"], left, y - 4, left + long, y + 4))
        assert len(boxes) == len(here)
        marks = [
            px(at[one.machine.id], one.values[hero.key] or 1)
            for one in drawn.readings[way]
            if one.machine.shown and one.values[hero.key] is not None
        ]
        for text, left, top, right, bottom in boxes:
            assert left > -1 and right < width + 1, (across, text)  # noqa: PT018
            for x, y in marks:
                assert not (left - 2 < x < right + 2 and top - 2 < y < bottom + 2), (across, text)
            for reuse in drawn.reuses:
                assert not top < px(2000, reuse.value)[1] < bottom, (across, text)
            for other, far, above, near, below in boxes:
                apart = right <= far or near <= left or bottom <= above or below <= top
                assert other == text or apart, (across, text, other)


# --- what the page takes up


@LAYOUTS
def test_every_parameter_view_and_layer_has_a_name_of_its_own(specs: Specs, layout: theme.Layout) -> None:
    def names(marks: Any) -> Any:
        for mark in marks:
            yield mark["name"]
            yield from names(mark.get("marks", ()))

    spec = specs[layout.name]
    for found in (
        [one["name"] for one in spec["signals"]],
        [one for one in names(spec["marks"]) if "pathgroup" not in one],
    ):
        assert len(set(found)) == len(found)
        assert all(re.fullmatch(r"drift_[a-z]\w*", name) for name in found), found
        assert not [name for name in found if re.search(r"_\d+(_marks)?$", name)], "Altair's own counting is undone"
    assert set(drift.SIGNALS) < {one["name"] for one in spec["signals"]}


@LAYOUTS
def test_the_panels_grow_and_shrink_with_the_whole(specs: Specs, layout: theme.Layout) -> None:
    spec = specs[layout.name]
    sizes = {one["name"]: one["update"] for one in spec["signals"] if one["name"] in drift_panels.sizes(layout)}
    assert len(sizes) == 4
    assert all("width" in text or "height" in text for text in sizes.values())
    assert (spec["width"], spec["height"]) == layout.plot
    small = export.told(spec, {"width": 0.7 * layout.plot[0]})
    box = re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', images.svg(small, "drift", drift.ALT))
    assert float(box[0][0]) == pytest.approx(0.7 * layout.plot[0] + layout.left + layout.right, abs=1)


def test_a_panel_sized_by_a_signal_that_is_not_there_is_an_error(catalogue: Catalogue, drawn: drift.Rows) -> None:
    lite = drift.chart(drawn, drift.WIDE).to_dict()
    lite["usermeta"]["sizes"]["drift_z_width"] = "width"
    with pytest.raises(ValueError, match="drift_z_width"):
        export.vega(lite)


def test_the_data_hold_every_machine_shown(catalogue: Catalogue, drawn: drift.Rows) -> None:
    rows = drift.data(drawn)
    assert len(rows) == sum(row.shown or not row.trains for row in catalogue.machines.values())
    assert rows[0] == {
        "machine": "Cray-1",
        "year": "1976",
        "class": "supercomputers",
        "format": "fp64",
        "peak_FLOP_per_s": 160e6,
        "bandwidth_B_per_s": 640e6,
        "balance_FLOP_per_B": 0.25,
        "examples": 1.0,
        "status": "secondary",
    }
    lines = export.csv_text(rows).splitlines()
    assert len(lines) == len(rows) + 1
    assert lines[1].startswith("Cray-1,1976,")


def test_the_controls_offer_every_way_of_counting_and_every_class(catalogue: Catalogue) -> None:
    select, *boxes = drift.controls(catalogue)
    assert [option["value"] for option in select["options"]] == list(WAYS)
    assert [box["id"].removeprefix("drift_kinds-") for box in boxes] == list(CLASSES)
    assert all(box["checked"] and f".swatch-{box['tone']} " in SHEET for box in boxes)


@pytest.mark.parametrize("shade", ["light", "dark", "print"])
def test_the_colours_of_classes_can_be_read_and_told_apart(shade: str) -> None:
    tokens = THEMES[shade]
    found = {name: tokens[f"--{name}"] for name in theme.KINDS}
    for name, colour in found.items():
        assert contrast(colour, tokens["--paper"]) >= 4.5, name
    for eye, rows in BLIND.items():
        seen = {}
        for name, colour in found.items():
            light = linear(colour)
            mixed = [sum(m * part for m, part in zip(row, light, strict=True)) for row in rows]
            seen[name] = lab([min(1.0, max(0.0, part)) for part in mixed])
        pairs = {(one, two): math.dist(seen[one], seen[two]) for one in seen for two in seen if one < two}
        nearest = min(pairs, key=lambda pair: pairs[pair])
        assert pairs[nearest] > 9, (eye, nearest)
