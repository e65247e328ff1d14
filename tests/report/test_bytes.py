"""Bytes per token: the picture says what the model says, adds up, and leaves out what has no place on its axes."""

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
from report.figures import bytes as token_bytes
from report.figures import theme
from report.figures.bytes_lines import head
from report.figures.bytes_streams import DOUBLINGS, LAST, STREAMS
from report.rounding import percent, sig
from tests.report import pictures
from tests.report.pictures import ROOT, WRONG, group, lines, place, words, written

LAYOUTS = pytest.mark.parametrize("layout", token_bytes.LAYOUTS, ids=[one.name for one in token_bytes.LAYOUTS])
CASES: tuple[dict[str, Any], ...] = (
    {},
    {"T": 64.0, "micro_batches": 16.0},
    {"form": "l2"},
    {"machine": "vax-11-780-fpa", "network": "nettalk-80", "T": 25.0},
    {"machine": "rubin", "network": "llama3-405b", "devices": 16384.0, "tp": 8.0, "pp": 16.0},
    {"machine": "h800-sxm5", "network": "deepseek-v3", "T": 4096.0},
    {"machine": "h800-sxm5", "network": "deepseek-v3", "T": 4096.0, "ep": 64.0},
)
ON = pytest.mark.parametrize("settings", CASES, ids=lambda settings: " ".join(map(str, settings.values())) or "default")


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load(ROOT / "content" / "catalogue")


@pytest.fixture(scope="module")
def specs(catalogue: Catalogue) -> Mapping[str, dict[str, Any]]:
    return pictures.specs(token_bytes, catalogue)


def drawn(spec: Mapping[str, Any], catalogue: Catalogue, settings: Mapping[str, Any], **views: Any) -> ET.Element:
    return pictures.picture(spec, token_bytes.params(settings, base(catalogue, settings)) | views)


def line(picture: ET.Element, name: str) -> list[tuple[float, float]]:
    (found,) = lines(picture, f"bytes_{name}")
    return found


def value(given: Any, key: str) -> float:
    found = ask(key, given).value
    assert found is not None
    return found


class Upper:
    """The upper panel's scales, found from both ends of the line of all bytes."""

    def __init__(self, picture: ET.Element, layout: theme.Layout, given: Mapping[str, Any]) -> None:
        self.width = layout.plot[0]
        ends = line(picture, "total_line")
        self.most, self.top = value(given["first"], "token_bytes"), ends[0][1]
        self.decade = (ends[-1][1] - self.top) / math.log10(self.most / value(given["last"], "token_bytes"))

    def at(self, tokens: float, amount: float) -> tuple[float, float]:
        down = self.top + self.decade * math.log10(self.most / amount)
        return self.width * math.log(tokens) / math.log(LAST), down


def inputs(catalogue: Catalogue, settings: Mapping[str, Any]) -> Mapping[str, Any]:
    ends = {
        name: base(catalogue, {**settings, "T": tokens}) for name, tokens in (("first", 1.0), ("last", float(LAST)))
    }
    return {"here": base(catalogue, settings), **ends}


# --- what is drawn is what the model says


@ON
@LAYOUTS
def test_point_and_dots_lie_where_the_model_puts_them(
    specs: Any, catalogue: Catalogue, layout: theme.Layout, settings: dict[str, Any]
) -> None:
    picture, given = drawn(specs[layout.name], catalogue, settings), inputs(catalogue, settings)
    panel = Upper(picture, layout, given)
    (point,) = group(picture, "bytes_point")
    here = value(given["here"], "token_bytes")
    assert place(point) == pytest.approx(panel.at(value(given["here"], "T"), here), abs=0.1)
    dots = [place(mark) for mark in group(picture, "bytes_dots")]
    assert len(dots) == DOUBLINGS + 1
    for k in (0, 7, 13, 20):
        there = base(catalogue, {**settings, "T": 2.0**k})
        assert dots[k] == pytest.approx(panel.at(2**k, value(there, "token_bytes")), abs=0.1)
    budget = line(picture, "budget")
    assert budget[0][1] == pytest.approx(panel.at(1, value(given["here"], "byte_budget"))[1], abs=0.1)


def crossing_words(settings: Mapping[str, Any]) -> str:
    """Return what a step says that is compute-bound at once: a network of 1987 counts examples."""
    thing = "example" if settings.get("network") == "nettalk-80" else "token"
    return f"compute-bound from a single {thing} on"


@ON
def test_the_mark_where_the_step_becomes_compute_bound_lies_on_the_budget(
    specs: Any, catalogue: Catalogue, settings: dict[str, Any]
) -> None:
    picture, given = drawn(specs["wide"], catalogue, settings), inputs(catalogue, settings)
    crossing = value(given["here"], "T_step")
    marks = group(picture, "bytes_crossing_mark")
    if crossing < 1:
        assert marks == []
        assert crossing_words(settings) in words(picture)
        return
    (mark,) = marks
    panel = Upper(picture, token_bytes.WIDE, given)
    assert place(mark) == pytest.approx(panel.at(crossing, value(given["here"], "byte_budget")), abs=0.1)
    assert any(text.startswith(f"compute-bound from T = {sig(crossing, 3)} on") for text in words(picture))


@LAYOUTS
def test_the_crossing_is_the_floor_where_only_weights_and_activations_count(
    specs: Any, catalogue: Catalogue, layout: theme.Layout
) -> None:
    """Without an update the mark lies at T_min: on a scenario whose optimizer moves next to nothing."""
    settings = {"o": 1e-9}
    floor = value(base(catalogue, {}), "T_min")
    (mark,) = group(drawn(specs[layout.name], catalogue, settings), "bytes_crossing_mark")
    assert place(mark)[0] == pytest.approx(layout.plot[0] * math.log(floor) / math.log(LAST), abs=0.05)


@ON
def test_the_bands_are_the_streams_shares_and_fill_the_panel(
    specs: Any, catalogue: Catalogue, settings: dict[str, Any]
) -> None:
    picture, given = drawn(specs["wide"], catalogue, settings), inputs(catalogue, settings)
    height = token_bytes.WIDE.plot[1]
    edges = []
    shapes = {path.get("d", "") for found in group(picture, "bytes_bands") for path in found.iter()} - {""}
    for shape in sorted(shapes):
        points = [(float(x), float(y)) for x, y in re.findall(r"([\d.]+),([\d.]+)", shape)]
        left = [y for x, y in points if x == 0]
        edges.append((min(left), max(left)))
    shares = [share for _, _, part, *_ in STREAMS.values() if (share := value(given["first"], part.key))]
    whole = height - min(top for top, _ in edges)
    assert max(bottom for _, bottom in edges) == pytest.approx(height, abs=0.1)
    assert sorted((low - top) / whole for top, low in edges) == pytest.approx(sorted(shares), abs=1e-3)


@ON
def test_words_and_key_round_as_the_page_rounds(specs: Any, catalogue: Catalogue, settings: dict[str, Any]) -> None:
    said, given = words(drawn(specs["wide"], catalogue, settings)), base(catalogue, settings)
    use = value(given, "budget_use")
    (label,) = [text for text in said if text.startswith("T = ")]
    assert f"{sig(use, 3).rstrip('0').rstrip('.')} times the budget" in label or "thousandth" in label
    for name, _, part, *_ in STREAMS.values():
        share = value(given, part.key)
        if share > 0.1:
            assert f"{name} {percent(share, 2)}" in said
        if share == 0:
            assert not [text for text in said if text.startswith(name)]


def test_data_and_table_add_up(catalogue: Catalogue) -> None:
    rows = token_bytes.data(token_bytes.rows(catalogue))
    assert [row["T_token"] for row in rows] == [2**k for k in range(DOUBLINGS + 1)]
    streams = ("weight_reads_B", "gradients_B", "activations_B", "fetched_again_B", "optimizer_state_B")
    for row in rows:
        assert sum(row[name] for name in streams) == pytest.approx(row["memory_B"], rel=1e-12)


# --- what has no place


def test_the_fabric_is_told_apart_and_left_out_where_there_is_none(specs: Any, catalogue: Catalogue) -> None:
    both = drawn(specs["wide"], catalogue, {})
    assert group(both, "bytes_wire_line")
    assert group(both, "bytes_wire_budget")
    assert "all-reduce, over the fabric" in words(both)
    for settings in ({"machine": "vax-11-780-fpa", "network": "nettalk-80"}, {"devices": 1.0}):
        alone = drawn(specs["wide"], catalogue, settings)
        assert [mark for mark in group(alone, "bytes_wire_line") if mark.get("d")] == []
        assert "all-reduce, over the fabric" not in words(alone)


@pytest.mark.parametrize(
    ("settings", "state"),
    [
        ({"network": "alexnet-2012"}, "not-a-transformer"),
        ({"machine": "v100-sxm2", "format": "fp8"}, "no-format"),
        ({"machine": "cray-1", "form": "l2"}, "no-L2"),
        ({"network": "xor-2-1-direct", "machine": "vax-11-780-fpa"}, "cache-resident"),
    ],
)
@LAYOUTS
def test_an_absence_draws_nothing_and_says_why(
    specs: Any, catalogue: Catalogue, layout: theme.Layout, settings: dict[str, str], state: str
) -> None:
    picture = drawn(specs[layout.name], catalogue, settings)
    for name in ("point", "dots", "total_line", "crossing_mark", "bands", "key", "words_here"):
        marks = group(picture, f"bytes_{name}")
        assert [mark for mark in marks if mark.get("d") or (mark.text or "").strip()] == [], name
    assert STATES[state] in " ".join(words(picture))
    assert WRONG.search(written(picture)) is None


def test_below_the_pole_the_bytes_never_fit(specs: Any, catalogue: Catalogue) -> None:
    picture = drawn(specs["wide"], catalogue, {"network": "gpt2-small"})
    assert group(picture, "bytes_crossing_mark") == []
    assert STATES["no-batch"] in words(picture)
    budget, last = line(picture, "budget")[0][1], line(picture, "total_line")[-1][1]
    assert last < budget, "to the end the bytes stay above the budget"


# --- zero, negative, none (P03)


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
@pytest.mark.parametrize("key", ["bytes_byte_budget", "bytes_T", "bytes_optimizer_bytes", "bytes_fabric_budget"])
@LAYOUTS
def test_no_mark_lies_on_an_edge_or_beyond_for_want_of_a_number(
    specs: Any, catalogue: Catalogue, layout: theme.Layout, key: str, bad: float
) -> None:
    picture = drawn(specs[layout.name], catalogue, {}, **{key: bad})
    width, height = layout.plot
    for name in ("bytes_point", "bytes_dots", "bytes_crossing_mark"):
        for mark in group(picture, name):
            x, y = place(mark)
            assert 0 <= x <= width
            assert head(layout) <= y <= 0.62 * height + 0.1
    assert WRONG.search(written(picture)) is None


def test_areas_have_a_floor_of_their_own(specs: Any) -> None:
    """No area rises from the lower edge of a logarithmic axis: its other side is given."""

    def areas(marks: list[dict[str, Any]]) -> list[dict[str, Any]]:
        inner = [area for mark in marks for area in areas(mark.get("marks", []))]
        return [mark for mark in marks if mark["type"] == "area"] + inner

    found = areas(specs["wide"]["marks"])
    assert len(found) == 2
    for area in found:
        assert {"y", "y2"} <= set(area["encode"]["update"])
        assert "value" not in area["encode"]["update"]["y2"]


# --- controls


def test_the_controls_move_tokens_and_micro_batches_by_doublings(catalogue: Catalogue) -> None:
    tokens, batches = token_bytes.controls(catalogue)
    assert (tokens["param"], 2 ** tokens["value"], tokens["max"]) == ("log2_T", 2048, 20)
    assert (batches["param"], 2 ** batches["value"], batches["max"]) == ("log2_micro_batches", 1, 10)
