"""The tape's picture is what the schedules did: lines, high-water marks, cells and words, at every step."""

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from model.records import Catalogue
from model.tape import SCHEDULES, fewest_forward
from report.catalogue import load
from report.figures import slot, tape
from report.figures.drawing import inputs
from report.figures.tape_lines import SCHEDULES as DRAWN
from report.figures.tape_lines import foot, head
from tests.report import pictures
from tests.report.pictures import ROOT, WRONG, group, picture, words, written

LAYOUTS = pytest.mark.parametrize("layout", tape.LAYOUTS, ids=[layout.name for layout in tape.LAYOUTS])


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load(ROOT / "content" / "catalogue")


@pytest.fixture(scope="module")
def specs(catalogue: Catalogue) -> Mapping[str, dict[str, Any]]:
    """Compile both layouts once, on the default scenario."""
    return pictures.specs(tape, catalogue)


def drawn(spec: Mapping[str, Any], layers: int, memory: int, step: int | None = None) -> ET.Element:
    return picture(spec, tape.run(layers, memory, step).signals)


def numbers(text: str) -> list[float]:
    return [float(found) for found in re.findall(r"-?[\d.]+", text)]


def test_the_figure_draws_the_schedules_of_the_model() -> None:
    assert list(DRAWN) == list(SCHEDULES)


def test_the_default_is_the_network_of_the_default_scenario_at_the_turn(catalogue: Catalogue) -> None:
    signals = tape.rows(catalogue).signals
    assert (signals["tape_L"], signals["tape_step"], signals["tape_memory"]) == (32, 32, tape.MEMORY)
    assert {name: len(held) for name, held in signals["tape_held"].items()} == {
        "store-all": 32,
        "sqrt": 6,
        "revolve": 6,
        "reversible": 1,
    }


@LAYOUTS
@pytest.mark.parametrize(("layers", "memory"), [(32, 6), (8, 2), (127, 16), (126, 3)])
def test_a_line_passes_through_every_event(specs: Any, layout: Any, layers: int, memory: int) -> None:
    root = drawn(specs[layout.name], layers, memory)
    width, height = layout.plot
    low, high = height - foot(layout), head(layout)
    events = tape.run(layers, memory).events
    last = max(map(len, events.values()))
    for name, found in events.items():
        (line,) = group(root, f"tape_line_{name.replace('-', '_')}")
        # A step line: each pair of points is a run of one step at the height that the event before it left.
        points = numbers(line.get("d", ""))
        corners = list(zip(points[::2], points[1::2], strict=True))
        expected = [(0.0, 0)] + [(i * width / last, event.alive) for i, event in enumerate(found, start=1)]
        for x, alive in expected:
            y = low - (low - high) * alive / layers
            assert any(abs(cx - x) < 0.02 and abs(cy - y) < 0.02 for cx, cy in corners), (name, x, alive)


@pytest.mark.parametrize(("layers", "memory"), [(32, 6), (8, 2), (128, 16), (61, 4)])
def test_the_marks_and_words_say_how_high_and_how_much_again(specs: Any, layers: int, memory: int) -> None:
    said = words(drawn(specs["wide"], layers, memory))
    ran = tape.run(layers, memory)
    for name, events in ran.events.items():
        most = max(event.alive for event in events)
        brief = DRAWN[name][1]
        assert f"{most} {brief}" in said
        now = len(ran.signals["tape_held"][name])
        again = ran.signals["tape_share"][name]
        cost = f"+{again:.0%} arithmetic" if again else "nothing computed again"
        assert f"{now} {'layer' if now == 1 else 'layers'} alive now, {most} at most, {cost}" in said
    more = (fewest_forward(layers, memory) - layers) / (3 * layers)
    assert ran.signals["tape_share"]["revolve"] == pytest.approx(more)


@pytest.mark.parametrize("step", [0, 1, 20, 32, 33, 47, 64, 80, 95, 96])
def test_the_cells_are_the_layers_that_are_alive(specs: Any, step: int) -> None:
    root = drawn(specs["wide"], 32, 6, step)
    cells = group(root, "tape_cells")
    full = [float(cell.get("fill-opacity", "1")) > 0.5 for cell in cells]
    rows = [full[i : i + 32] for i in range(0, len(full), 32)]
    for (name, events), row in zip(tape.run(32, 6).events.items(), rows, strict=True):
        held = events[step - 1].held if 0 < step <= len(events) else ()
        assert [i for i, alive in enumerate(row) if alive] == sorted(held), name


@LAYOUTS
@pytest.mark.parametrize(("layers", "memory"), [(32, 6), (8, 16), (128, 2), (128, 16)])
def test_no_label_at_the_right_lies_on_another(specs: Any, layout: Any, layers: int, memory: int) -> None:
    root = drawn(specs[layout.name], layers, memory)
    places = sorted(numbers(mark.get("transform", ""))[1] for mark in group(root, "tape_names"))
    assert len(places) == 4
    assert min(high - low for low, high in pairwise(places)) >= layout.small
    assert WRONG.search(written(root)) is None


def test_the_data_is_every_step_and_the_table_a_line_for_each_schedule(catalogue: Catalogue) -> None:
    ran = tape.rows(catalogue)
    rows = tape.data(ran)
    assert [row["step"] for row in rows] == list(range(1, 97))
    assert rows[31]["store_all_layer"] == 32
    assert rows[70]["store_all_layer"] is None, "it is over by then"
    shown = tape.summary(ran)
    assert [row["schedule"] for row in shown] == ["store all", "checkpoint every √L", "optimal", "reversible"]
    table = slot.table(shown)
    assert '<td class="num">32</td>' in table
    assert '<td class="num">27%</td>' in table
    assert slot.slot("tape", tape, inputs(tape, catalogue), catalogue).table == table


def test_the_controls_are_those_that_the_script_answers_to(catalogue: Catalogue) -> None:
    script = (ROOT / "templates" / "static" / "tape.js").read_text(encoding="utf-8")
    asked = set(re.findall(r"part\('(\w+)'\)", script))
    controls = {control["id"].removeprefix("tape-"): control for control in tape.controls(catalogue)}
    assert set(controls) == asked
    assert (controls["at"]["value"], controls["at"]["max"]) == (32, 96)
    assert (controls["L"]["max"], controls["memory"]["max"]) == (tape.DEEPEST, tape.MOST_MEMORY)


@LAYOUTS
@pytest.mark.parametrize("layers", [1, 2, 3, 5, 32, 61, 127])
def test_each_line_across_is_named_by_a_whole_number_of_layers(specs: Any, layout: Any, layers: int) -> None:
    """A quarter of the layers is not always whole: its line stands at the nearest number that is."""
    root = drawn(specs[layout.name], layers, 1)
    beside = [text for text in root.iter() if text.get("transform", "").startswith("translate(-")]
    names = [int(text.text) for text in beside if text.get("text-anchor") == "end" and text.text]
    assert names[0] == 0
    assert names[-1] == layers
    assert all(low < high for low, high in pairwise(names))
    assert len(names) == min(layers, 4) + 1
