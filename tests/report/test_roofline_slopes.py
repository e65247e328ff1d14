"""Each slope of the roofline says its bandwidth, along its line and clear of the next; both axes say what they show."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from model import inputs
from model.records import Catalogue
from model.scenario import base
from report import rounding
from report.catalogue import load
from report.figures import roofline, theme
from tests.report import pictures
from tests.report.pictures import ROOT, group, lines, picture, place, words

LAYOUTS = pytest.mark.parametrize("layout", roofline.LAYOUTS, ids=[layout.name for layout in roofline.LAYOUTS])
ALL = ("vax-11-780-fpa", "cray-1", "tesla-k40", "v100-sxm2", "b200-sxm")


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load(ROOT / "content" / "catalogue")


@pytest.fixture(scope="module")
def specs(catalogue: Catalogue) -> Mapping[str, dict[str, Any]]:
    return pictures.specs(roofline, catalogue)


def drawn(spec: Mapping[str, Any], catalogue: Catalogue, machine: str, **views: Any) -> ET.Element:
    settings = {"machine": machine, "T": 1.0}
    return picture(spec, roofline.params(settings, base(catalogue, settings)) | views)


def said(found: ET.Element, name: str) -> list[str]:
    return ["".join(mark.itertext()).removeprefix("memory: ") for mark in group(found, name)]


def bandwidth(catalogue: Catalogue, machine: str) -> str:
    value = catalogue.machines[machine].bandwidth.value
    return rounding.qty(value, 3, rounding.label(inputs.bandwidth.unit)).replace(rounding.NBSP, " ")


@LAYOUTS
def test_both_axes_say_what_they_show(specs: Any, catalogue: Catalogue, layout: theme.Layout) -> None:
    shown = " ".join(words(drawn(specs[layout.name], catalogue, "h100-sxm5")))
    assert "attainable rate, FLOP" in shown
    assert "operational intensity, FLOP" in shown


@LAYOUTS
def test_the_readers_slope_says_the_bandwidth_of_every_machine(
    specs: Any, catalogue: Catalogue, layout: theme.Layout
) -> None:
    for machine in ("vax-11-780-fpa", "sun-4-260", "h100-sxm5", "b200-sxm", "cerebras-wse-3"):
        found = drawn(specs[layout.name], catalogue, machine, roofline_ghosts=[])
        along, under = said(found, "roofline_slopes"), said(found, "roofline_short_slope")
        assert [text.replace(" ", "") for text in along + under] == [bandwidth(catalogue, machine).replace(" ", "")]


def test_slopes_beside_it_say_theirs_where_there_is_room(specs: Any, catalogue: Catalogue) -> None:
    found = said(drawn(specs["wide"], catalogue, "h100-sxm5"), "roofline_slopes")
    assert set(found) == {bandwidth(catalogue, name) for name in ("vax-11-780-fpa", "cray-1", "h100-sxm5")}
    assert bandwidth(catalogue, "v100-sxm2") not in found, "the line of the H100 is too near above it"
    apart = said(drawn(specs["wide"], catalogue, "b200-sxm"), "roofline_slopes")
    assert bandwidth(catalogue, "v100-sxm2") in apart


@LAYOUTS
@pytest.mark.parametrize("machine", ["h100-sxm5", "tesla-k40", "a100-sxm4-80gb", "vax-11-780-fpa"])
def test_words_run_along_their_line_and_cross_no_other(
    specs: Any, catalogue: Catalogue, layout: theme.Layout, machine: str
) -> None:
    found = drawn(specs[layout.name], catalogue, machine, roofline_ghosts=list(ALL))
    roofs = [*lines(found, "roofline_ghost_lines"), *lines(found, "roofline_slope")]
    slopes = [line[:2] for line in roofs if len(line) > 1]
    assert len(slopes) == len({*ALL, machine})
    steep = [math.atan2(b[1] - a[1], b[0] - a[0]) for a, b in slopes]
    assert max(steep) - min(steep) < 0.01, "on two logarithmic axes all slopes are parallel"
    cos, sin = math.cos(steep[0]), math.sin(steep[0])
    for mark in group(found, "roofline_slopes"):
        shift = re.findall(r"-?[\d.]+", mark.get("transform", ""))
        assert float(shift[2]) == pytest.approx(math.degrees(steep[0]), abs=0.5)
        across, up = float(shift[3]), float(shift[4])
        x, y = place(mark)
        base_line = y - x * sin / cos + up / cos  # of the letters, where it meets the left edge of the plot
        top = base_line - 0.7 * layout.small / cos
        assert across >= 0
        assert not [line for (_, line), _ in slopes if top - 1 < line < base_line + 1]


def test_a_pointer_is_told_the_bandwidth_too(specs: Any) -> None:
    assert "of memory bandwidth" in str(specs["wide"]["signals"] + specs["wide"]["marks"] + specs["wide"]["data"])
