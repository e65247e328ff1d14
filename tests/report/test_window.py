"""The batch window: floors, ceiling and closing lie where the model puts them; runs stand at their own batch."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from model.book import ask
from model.formula import STATES
from model.records import Catalogue
from model.scenario import ScenarioError, base
from report.catalogue import load
from report.figures import theme, window
from report.figures.window_lines import DOUBLINGS, FLOORS, LAST, head, strip
from report.rounding import sig
from tests.report import pictures
from tests.report.pictures import ROOT, WRONG, group, lines, place, words, written

LAYOUTS = pytest.mark.parametrize("layout", window.LAYOUTS, ids=[one.name for one in window.LAYOUTS])
LLAMA = {"network": "llama3-405b", "devices": 16384.0, "tp": 8.0, "pp": 16.0, "T": 8192.0, "micro_batches": 16.0}
CASES: tuple[dict[str, Any], ...] = (
    {},
    {"loss": 2.27},
    {"loss": 3.5, "fabric": "scale_up"},
    {**LLAMA, "loss": 1.8},
    {"machine": "b200-sxm", "form": "l2", "devices": 8.0},
    {"zero": "1", "devices": 1024.0},
)
ON = pytest.mark.parametrize("settings", CASES, ids=lambda settings: " ".join(map(str, settings.values())) or "default")


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load(ROOT / "content" / "catalogue")


@pytest.fixture(scope="module")
def specs(catalogue: Catalogue) -> Mapping[str, dict[str, Any]]:
    return pictures.specs(window, catalogue)


def drawn(spec: Mapping[str, Any], catalogue: Catalogue, settings: Mapping[str, Any], **views: Any) -> ET.Element:
    return pictures.picture(spec, window.params(settings, base(catalogue, settings)) | views)


def line(picture: ET.Element, name: str) -> list[tuple[float, float]]:
    return [corner for found in lines(picture, f"window_{name}") for corner in found]


def value(given: Any, key: str) -> float:
    found = ask(key, given).value
    assert found is not None
    return found


# Floors that rise with the devices; that of the all-reduce rises with the others that there are to reduce with.
STRAIGHT = (("weights", "T_min"), ("optimizer", "T_optimizer"))


class Axes:
    """The scales of a picture, found from the highest and the lowest of the lines' ends."""

    def __init__(self, picture: ET.Element, layout: theme.Layout, given: Any) -> None:
        self.width, replica = layout.plot[0], value(given, "replica")
        known = [(line(picture, "ceiling")[0][1], value(given, "B_crit"))]
        for name, key in STRAIGHT:
            points, tokens = line(picture, name), value(given, key)
            known += [(points[0][1], tokens), (points[-1][1], tokens * LAST / replica)]
        known.append((line(picture, "allreduce")[-1][1], value(given, "T_allreduce") * (LAST / replica - 1)))
        (top, most), (low, least) = min(known), max(known)
        self.top, self.most, self.decade = top, most, (low - top) / math.log10(most / least)
        self.ceiling, self.down = known[0][1], known[0][0]

    def at(self, devices: float, batch: float) -> tuple[float, float]:
        return (
            self.width * math.log(devices) / math.log(LAST),
            self.top + self.decade * math.log10(self.most / batch),
        )


# --- what is drawn is what the model says


@ON
@LAYOUTS
def test_lines_and_point_lie_where_the_model_puts_them(
    specs: Any, catalogue: Catalogue, layout: theme.Layout, settings: dict[str, Any]
) -> None:
    given = base(catalogue, settings)
    picture = drawn(specs[layout.name], catalogue, settings)
    axes, replica = Axes(picture, layout, given), value(given, "replica")
    for name, key in STRAIGHT:
        points = line(picture, name)
        assert points[0] == pytest.approx(axes.at(replica, value(given, key)), abs=0.1)
        assert points[-1] == pytest.approx(axes.at(LAST, value(given, key) * LAST / replica), abs=0.1)
    bent = [(LAST ** (x / axes.width), x, y) for x, y in line(picture, "allreduce")]
    assert len(bent) > 20
    for devices, x, y in bent:
        floor = value(given, "T_allreduce") * (devices / replica - 1)
        assert (x, y) == pytest.approx(axes.at(devices, floor), abs=0.5), "a single replica pays nothing"
    (point,) = group(picture, "window_point")
    here = axes.at(value(given, "devices"), value(given, "global_batch"))
    assert place(point) == pytest.approx(here, abs=0.1)


@ON
def test_the_best_batch_is_the_model_s_along_the_axis(
    specs: Any, catalogue: Catalogue, settings: dict[str, Any]
) -> None:
    axes = Axes(picture := drawn(specs["wide"], catalogue, settings), window.WIDE, base(catalogue, settings))
    many = base(catalogue, {**settings, "devices": 2.0**14})
    x, y = axes.at(2**14, value(many, "B_opt"))
    near = [point for point in line(picture, "best") if abs(point[0] - x) < 0.1]
    assert near
    assert near[0][1] == pytest.approx(y, abs=0.1)


@ON
@LAYOUTS
def test_the_window_closes_in_the_picture_where_it_does_in_the_model(
    specs: Any, catalogue: Catalogue, layout: theme.Layout, settings: dict[str, Any]
) -> None:
    given = base(catalogue, settings)
    closing = value(given, "closing_devices")
    picture = drawn(specs[layout.name], catalogue, settings)
    axes = Axes(picture, layout, given)
    if closing > LAST:
        assert group(picture, "window_closing_mark") == []
    else:
        (mark,) = group(picture, "window_closing_mark")
        assert place(mark) == pytest.approx(axes.at(closing, axes.ceiling), abs=0.1)
        # There the highest floor meets the ceiling: the two drawn lines cross at the mark.
        points, x = line(picture, "allreduce"), place(mark)[0]
        (x0, y0), (x1, y1) = next(pair for pair in itertools.pairwise(points) if pair[0][0] <= x <= pair[1][0])
        assert y0 + (y1 - y0) * (place(mark)[0] - x0) / (x1 - x0) == pytest.approx(axes.down, abs=0.5)
    said = f"{int(closing)}" if closing < 100 else sig(closing, 3)
    assert f"closes at {said} devices" in words(picture)


@ON
def test_the_shaded_window_reaches_from_the_floors_to_the_ceiling(
    specs: Any, catalogue: Catalogue, settings: dict[str, Any]
) -> None:
    given = base(catalogue, settings)
    picture = drawn(specs["wide"], catalogue, settings)
    axes, replica = Axes(picture, window.WIDE, given), value(given, "replica")
    area = line(picture, "area")
    left = [y for x, y in area if x == pytest.approx(axes.at(replica, 1)[0], abs=0.1)]
    highest = max(value(given, key) for _, key in STRAIGHT)
    assert min(left) == pytest.approx(axes.down, abs=0.1)
    assert max(left) == pytest.approx(axes.at(replica, highest)[1], abs=0.1)
    end = min(value(given, "closing_devices"), LAST)
    assert max(x for x, _ in area) == pytest.approx(axes.at(end, 1)[0], abs=0.1)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, "64 devices, 131,072 tokens a step: below the all-reduce floor"),
        ({"T": 16.0, "fabric": "scale_up"}, "64 devices, 1,024 tokens a step: below the optimizer floor"),
        ({"network": "gpt2-small"}, "64 devices, 131,072 tokens a step: below the weight floor"),
        ({"T": 14000.0}, "64 devices, 896,000 tokens a step: inside the window"),
        ({"T": 32768.0}, "64 devices, 2.10 million tokens a step: above the ceiling"),
        (
            {"devices": 4096.0},
            "4,096 devices, 8.39 million tokens a step: above the ceiling and below the all-reduce floor",
        ),
        ({"devices": 1.0, "T": 1.0}, "1 device, 1 token a step: below the optimizer floor"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_the_verdict_on_the_reader_s_batch(specs: Any, catalogue: Catalogue, settings: Any, said: str) -> None:
    assert said in words(drawn(specs["wide"], catalogue, settings))
    given = base(catalogue, settings)
    low, batch, ceiling = (ask(key, given).number for key in ("window_low", "global_batch", "B_crit"))
    assert low is not None
    assert batch is not None
    assert ceiling is not None
    assert ("below" in said) is (batch < low)
    assert ("above" in said) is (batch > ceiling)


def test_below_the_pole_the_window_never_opens(specs: Any, catalogue: Catalogue) -> None:
    picture = drawn(specs["wide"], catalogue, {"network": "gpt2-small"})
    assert "never open here: no batch reaches the balance" in words(picture)
    assert line(picture, "weights") == []
    assert line(picture, "area") == []
    picture = drawn(specs["wide"], catalogue, {"loss": 4.6, "B_crit": 100.0})
    assert "never open here: the floors begin above the ceiling" in words(picture)


@pytest.mark.parametrize(
    ("settings", "state"),
    [
        ({"network": "alexnet-2012"}, "not-a-transformer"),
        ({"network": "nettalk-80", "keep": 0.0}, "not-a-transformer"),
        ({"network": "nettalk-80"}, "cache-resident"),
        ({"machine": "v100-sxm2", "format": "fp8"}, "no-format"),
        ({"machine": "vax-11-780-fpa"}, "no-fabric"),
    ],
)
@LAYOUTS
def test_an_absence_closes_the_window_and_says_why(
    specs: Any, catalogue: Catalogue, layout: theme.Layout, settings: dict[str, Any], state: str
) -> None:
    picture = drawn(specs[layout.name], catalogue, settings)
    for name in ("area", "closing_mark", "word"):
        marks = group(picture, f"window_{name}")
        assert [mark for mark in marks if mark.get("d") or (mark.text or "").strip()] == [], name
    assert f"no window: {STATES[state]}".replace(": ", ":" if layout.name == "phone" else ": ") in words(picture)
    assert WRONG.search(written(picture)) is None


def test_fewer_devices_than_a_replica_make_no_batch(specs: Any, catalogue: Catalogue) -> None:
    picture = drawn(specs["wide"], catalogue, {"devices": 4.0, "tp": 8.0})
    assert group(picture, "window_point") == []
    assert f"no batch: {STATES['does-not-fit']}" in words(picture)


# --- published runs


def test_a_mark_for_every_run_whose_devices_widths_and_batch_are_published(catalogue: Catalogue) -> None:
    told = [run for run in catalogue.runs.values() if run.devices and run.tp and window.batch(run)]
    drawn_ids = [name for mark in window.rows(catalogue).runs for name in mark["ids"]]
    assert sorted(drawn_ids) == sorted(run.id for run in told)
    assert len(drawn_ids) > 50


def test_a_run_stands_at_its_own_devices_and_batch_and_tells_widths_and_shares(catalogue: Catalogue) -> None:
    marks = {name: mark for mark in window.rows(catalogue).runs for name in mark["ids"]}
    llama = marks["llama3-405b-16k-gpus"]
    assert (llama["x"], llama["y"]) == (16384, 16777216)
    first, *rest = llama["said"].split("\n")
    assert first == "16,384 devices (H100), 16.8 million tokens a step"
    assert "Llama 3 405B, TP 8, PP 16, DP 128: MFU 41%" in rest
    bloom = marks["bloom-176b-production"]["said"]
    assert "BLOOM, TP 4, PP 12, DP 8: HFU 48%" in bloom
    assert "and 1 more" in bloom or bloom.count("\n") <= 6
    assert "MFU 46%, HFU 58%" in marks["palm-540b"]["said"]


def test_a_run_that_left_the_catalogue_is_not_named(catalogue: Catalogue) -> None:
    kept = {key: run for key, run in catalogue.runs.items() if key not in list(window.NAMED)[:2]}
    for layout in window.LAYOUTS:
        assert window.chart(window.rows(replace(catalogue, runs=kept)), layout).to_dict()


def test_choosing_a_run_reads_with_its_batch(catalogue: Catalogue) -> None:
    chosen = 0
    for mark in window.rows(catalogue).runs:
        if "set" not in mark:
            continue
        given = base(catalogue, mark["set"])
        chosen += 1
        assert value(given, "devices") == mark["x"]
        if "T" in mark["set"]:
            assert value(given, "global_batch") == pytest.approx(mark["y"], rel=1e-12)
    assert chosen > 20


@LAYOUTS
def test_runs_on_the_reader_s_machine_stand_out(specs: Any, catalogue: Catalogue, layout: theme.Layout) -> None:
    def filled(machine: str) -> int:
        picture = drawn(specs[layout.name], catalogue, {"machine": machine})
        return sum(mark.get("fill") == theme.INK for mark in group(picture, "window_runs"))

    count = {
        name: sum(run["machine"] == name for run in window.rows(catalogue).runs) for name in ("h100-sxm5", "tpu-v4")
    }
    assert {name: filled(name) for name in count} == count
    assert filled("cray-1") == 0


# --- the axes hold everything (P03)


@ON
@LAYOUTS
def test_every_mark_lies_inside_the_axes(
    specs: Any, catalogue: Catalogue, layout: theme.Layout, settings: dict[str, Any]
) -> None:
    picture = drawn(specs[layout.name], catalogue, settings)
    width, height = layout.plot
    for name in ("runs", "path", "point", "closing_mark"):
        for mark in group(picture, f"window_{name}"):
            x, y = place(mark)
            assert 0 <= x <= width
            assert head(layout) <= y <= height - strip(layout)
    assert len(group(picture, "window_runs")) == len(window.rows(catalogue).runs)


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
@pytest.mark.parametrize("key", ["window_T_min", "window_devices", "window_B_crit", "window_replica", "window_T"])
def test_no_mark_leaves_the_axes_for_want_of_a_number(specs: Any, catalogue: Catalogue, key: str, bad: float) -> None:
    picture = drawn(specs["wide"], catalogue, {}, **{key: bad})
    width, height = window.WIDE.plot
    for name in ("runs", "path", "point", "closing_mark"):
        for mark in group(picture, f"window_{name}"):
            x, y = place(mark)
            assert 0 <= x <= width
            assert 0 <= y <= height
    assert WRONG.search(written(picture)) is None


@pytest.mark.parametrize("key", ["devices", "loss"])
def test_no_scenario_asks_for_zero_devices_or_no_loss(catalogue: Catalogue, key: str) -> None:
    with pytest.raises(ScenarioError, match=key):
        window.rows(catalogue, {key: "0"})


def test_the_controls_move_devices_by_doublings_and_the_loss(catalogue: Catalogue) -> None:
    devices, loss = window.controls(catalogue)
    assert (devices["param"], 2 ** devices["value"], devices["max"]) == ("log2_devices", 64, DOUBLINGS)
    assert (loss["key"], loss["value"]) == ("loss", 3.04)
    for preset in (2.27, 3.04, 3.5):
        assert loss["min"] < preset < loss["max"]
    assert set(FLOORS) == {"weights", "optimizer", "allreduce"}


def test_a_network_that_learns_from_examples_is_not_set_beside_language_models(
    specs: Any, catalogue: Catalogue
) -> None:
    """Neither the ceiling nor the published runs say anything of it, and its batch has no tokens."""
    for layout in window.LAYOUTS:
        for settings in ({"machine": "vax-11-780-fpa", "network": "xor-2-2-1"}, {"network": "resnet50"}):
            picture = drawn(specs[layout.name], catalogue, settings)
            said = words(picture)
            assert [text for text in said if "token" in text] == []
            assert "global batch, examples" in said
            assert not {"runs, this machine", "runs here", "critical batch", "critical", "BLOOM"} & set(said)
            assert group(picture, "window_runs") == group(picture, "window_ceiling") == []
            assert group(picture, "window_own")
    assert "global batch, tokens" in words(drawn(specs["phone"], catalogue, {}))
