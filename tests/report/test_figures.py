"""The chart pipeline and the roofline: strict specs, shipped fonts, own names, same bytes, and the model's numbers."""

import json
import math
import re
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree as ET

import altair as alt
import pytest
from fontTools.ttLib import TTFont

from model import formula
from model import roofline as roofline_model
from model.book import QUANTITIES
from model.book import ask as answer
from model.inputs import T
from model.records import Catalogue
from model.scenario import DEFAULT, ScenarioError, base
from report import fonts
from report.catalogue import load
from report.figures import export, images, roofline, theme
from report.figures.expression import Signal, Writer
from report.figures.roofline_lines import strip
from report.rounding import percent, sig
from tests.report import pictures
from tests.report.pictures import ROOT, SHEET, WRONG, group, picture, strict, words

LAYOUTS = pytest.mark.parametrize("layout", roofline.LAYOUTS, ids=[layout.name for layout in roofline.LAYOUTS])


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load(ROOT / "content" / "catalogue")


@pytest.fixture(scope="module")
def specs(catalogue: Catalogue) -> Mapping[str, dict[str, Any]]:
    """Compile both layouts once, on the default scenario."""
    return pictures.specs(roofline, catalogue)


def drawn(spec: Mapping[str, Any], catalogue: Catalogue, settings: Mapping[str, Any], **views: Any) -> ET.Element:
    """Draw a compiled spec on another scenario."""
    return picture(spec, roofline.params(settings, base(catalogue, settings)) | views)


def place(mark: ET.Element) -> tuple[float, float]:
    x, y = re.findall(r"-?[\d.]+", mark.get("transform", ""))[:2]
    return float(x), float(y)


def test_both_axes_say_what_they_show(specs: Any, catalogue: Catalogue) -> None:
    shown = " ".join(words(drawn(specs["wide"], catalogue, {"machine": "h100-sxm5", "T": 1.0})))
    assert "attainable rate, FLOP" in shown
    assert "operational intensity, FLOP" in shown


def test_a_pointer_is_told_the_bandwidth_behind_a_slope(specs: Any) -> None:
    assert "of memory bandwidth" in str(specs["wide"]["signals"] + specs["wide"]["marks"] + specs["wide"]["data"])


# --- the spec (P02, P07, P09)


@LAYOUTS
def test_a_spec_is_strict_json_even_where_nothing_can_be_drawn(
    specs: Any, catalogue: Catalogue, layout: theme.Layout
) -> None:
    settings = {"machine": "v100-sxm2", "format": "fp8"}
    values = roofline.params(settings, base(catalogue, settings))
    assert math.isnan(values["roofline_peak"])  # type: ignore[arg-type]
    told = export.told(specs[layout.name], values)
    peak = next(one for one in strict(export.strict(told))["signals"] if one["name"] == "roofline_peak")
    assert peak == {"name": "roofline_peak", "update": "NaN"}
    whole = roofline.chart(roofline.rows(catalogue, settings), layout)
    assert strict(export.vega_lite(whole))["params"][1:]
    assert WRONG.search(ET.tostring(drawn(specs[layout.name], catalogue, settings), encoding="unicode")) is None


def test_python_refuses_to_write_what_no_browser_reads() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        export.strict({"x": math.nan})


def test_signals_are_named_by_the_keys_of_the_model_spelled_as_they_are() -> None:
    for name, signal in roofline.SIGNALS.items():
        if signal.kind in ("value", "choice"):
            assert name == f"roofline_{signal.key}"
            assert signal.key in QUANTITIES
    assert {"roofline_A", "roofline_P_a", "roofline_b_w", "roofline_T"} < set(roofline.SIGNALS)


def test_another_font_stops_the_export(specs: Any) -> None:
    wrong = {**specs["wide"], "config": {"axis": {"labelFont": "Comic Sans"}}}
    with pytest.raises(ValueError, match="'Comic Sans'"):
        images.svg(wrong, "roofline", "A picture.")


def test_the_exporter_measures_labels_with_our_fonts() -> None:
    """The room that an axis leaves for its labels shows whose letters were measured."""
    font = TTFont(fonts.font_files_for_export()[0])
    advance = {letter: font["hmtx"][font.getBestCmap()[ord(letter)]][0] / font["head"].unitsPerEm for letter in "im"}
    room = {}
    for letter in "im":
        chart = alt.Chart(alt.Data(values=[{"x": 20 * letter, "y": 1}])).mark_bar()
        axis = alt.Axis(title=None, labelFontSize=20, labelLimit=1000)
        shape = chart.encode(x="y:Q", y=alt.Y("x:N", axis=axis)).configure(font=theme.FACE)
        picture = ET.fromstring(images.svg(export.vega(shape), "bar", "A bar."))
        room[letter] = float(picture.get("width", "0"))
    assert room["m"] - room["i"] == pytest.approx(20 * 20 * (advance["m"] - advance["i"]), abs=1.5)


# --- the still picture (P08, P10, P12)


def test_bytes_do_not_depend_on_what_was_drawn_before(catalogue: Catalogue, specs: Any) -> None:
    clipped = alt.Chart(alt.Data(values=[{"x": 1, "y": 2}])).mark_point(clip=True).encode(x="x:Q", y="y:Q")
    other = export.vega(clipped.configure(font=theme.FACE).properties(width=50, height=50))
    first = [images.svg(specs["wide"], "roofline", "A."), images.svg(other, "other", "B.")]
    again = [images.svg(other, "other", "B."), images.svg(specs["wide"], "roofline", "A.")]
    assert first == again[::-1]
    assert 'id="other-1"' in first[1]
    assert "url(#other-1)" in first[1]
    fresh = roofline.chart(roofline.rows(catalogue), roofline.WIDE)
    assert export.strict(export.vega(fresh)) == export.strict(specs["wide"])


def test_a_png_takes_the_colours_of_the_day(specs: Any) -> None:
    picture = images.svg(specs["phone"], "roofline", "A picture.")
    assert images.png(picture, theme.palette(SHEET), 1)[:4] == b"\x89PNG"
    with pytest.raises(ValueError, match="no block of tokens"):
        theme.palette("body {}")


def test_a_signal_that_the_spec_does_not_have_is_an_error(specs: Any) -> None:
    with pytest.raises(ValueError, match="roofline_speed"):
        export.told(specs["wide"], {"roofline_speed": 1.0})
    assert export.told(specs["wide"], {"width": 300})["width"] == 300


# --- what the browser gets (P01, P04)


def test_a_script_survives_any_name(specs: Any) -> None:
    nasty = '</script><!-- & " \u2028'
    spec = {**specs["wide"], "description": nasty}
    text = export.script("roofline", "wide", spec, {})
    assert not re.search("[<>&\u2028\u2029]", text.replace("=>", ""))
    body = text.split("] = ", 1)[1].removesuffix(";\n")
    assert json.loads(body)["spec"]["description"] == nasty


def test_the_bundle_leaves_one_name_behind() -> None:
    text = export.bundle()
    assert text.startswith("(() => {\n")
    assert text.endswith("})();\n")
    assert "globalThis.vegaEmbed" in text
    assert not re.search(r"^(?:import|export)\b", text, re.MULTILINE)


def test_data_is_written_for_a_spreadsheet_and_for_a_program(catalogue: Catalogue) -> None:
    rows = roofline.data(roofline.rows(catalogue))
    lines = export.csv_text(rows).splitlines()
    assert lines[0] == "T_token,intensity_FLOP_per_B,attainable_FLOP_per_s,share_of_peak"
    assert len(lines) == roofline.DOUBLINGS + 2
    assert strict(export.json_text(rows))[6]["T_token"] == 64
    absent = roofline.data(roofline.rows(catalogue, {"network": "alexnet-2012"}))
    assert export.csv_text(absent).splitlines()[1] == "1,,,"
    assert strict(export.json_text(absent))[0] == dict.fromkeys(absent[0], None) | {"T_token": 1}


# --- the roofline says what the model says


PAIRS = (
    {},
    {"T": 64.0},
    {"machine": "cray-1", "network": "lenet-1989", "T": 1.0},
    {"machine": "vax-11-780-fpa", "network": "nettalk-80", "T": 25.0},
    {"network": "deepseek-v3", "machine": "h800-sxm5", "T": 256.0, "ep": 64.0},
    {"network": "gpt3-175b", "machine": "v100-sxm2", "T": 300.0, "form": "l2"},
    {"network": "nettalk-80", "machine": "cray-1", "T": 2.0**20},
)


@pytest.mark.parametrize("settings", PAIRS, ids=lambda settings: " ".join(map(str, settings.values())) or "default")
@LAYOUTS
def test_the_point_lies_where_the_model_puts_it(
    specs: Any, catalogue: Catalogue, layout: theme.Layout, settings: dict[str, Any]
) -> None:
    given = base(catalogue, settings)
    picture = drawn(specs[layout.name], catalogue, settings)
    intensity = answer("operational_intensity", given).value
    rate = formula.ask(roofline_model.attainable, given).value
    peak = answer("peak", given).value
    assert intensity
    assert rate
    assert peak
    (mark,) = group(picture, "roofline_point")
    width, _ = layout.plot
    x, y = place(mark)
    decades = math.log10(max(1e5, 10 ** math.ceil(math.log10(intensity)))) + 2
    assert x == pytest.approx(width * (math.log10(intensity) + 2) / decades, abs=0.02)
    ((_, roof),) = {place_of_roof(picture)}
    # The point lies on the roof, or as many decades below as the model says.
    decade = (roof - low_edge(layout)) / (math.log10(peak) - math.log10(2e4))
    assert y - roof == pytest.approx(decade * (math.log10(rate) - math.log10(peak)), abs=0.05)


def place_of_roof(picture: ET.Element) -> tuple[float, float]:
    (path,) = group(picture, "roofline_roof")
    last = re.findall(r"([\d.]+),([\d.]+)", path.get("d", ""))[-1]
    return float(last[0]), float(last[1])


def low_edge(layout: theme.Layout) -> float:
    return layout.plot[1] - strip(layout)


def test_the_words_are_the_models_numbers_rounded_as_the_page_rounds(specs: Any, catalogue: Catalogue) -> None:
    given = base(catalogue, {"T": 64.0})
    share, beta, floor, end = (
        answer(key, given).value for key in ("overlapped_ceiling", "beta", "T_min", "saturation_intensity")
    )
    assert share
    assert beta
    assert floor
    assert end
    said = words(drawn(specs["wide"], catalogue, {"T": 64.0}))
    assert f"T = 64 tokens: {percent(share, 2)} of peak" in said
    assert f"β = {sig(beta, 3)} FLOP/B" in said
    assert f"reached at T = {sig(floor, 3)} tokens" in said
    assert f"path ends at {sig(end, 3)} FLOP/B" in said


def test_below_the_pole_words_take_the_place_of_the_mark(specs: Any, catalogue: Catalogue) -> None:
    picture = drawn(specs["wide"], catalogue, {"network": "gpt2-small"})
    assert group(picture, "roofline_reached") == []
    assert formula.STATES["no-batch"] in words(picture)


@pytest.mark.parametrize(
    ("settings", "state"),
    [
        ({"network": "alexnet-2012"}, "not-a-transformer"),
        ({"machine": "v100-sxm2", "format": "fp8"}, "no-format"),
        ({"machine": "cray-1", "form": "l2"}, "no-L2"),
        ({"network": "xor-2-1-direct"}, "cache-resident"),
    ],
)
@LAYOUTS
def test_an_absence_draws_no_point_and_says_why(
    specs: Any, catalogue: Catalogue, layout: theme.Layout, settings: dict[str, str], state: str
) -> None:
    picture = drawn(specs[layout.name], catalogue, settings)
    for name in ("point", "path", "reached", "end", "point_words"):
        marks = group(picture, f"roofline_{name}")
        assert [mark for mark in marks if mark.get("d") or (mark.text or "").strip()] == [], name
    assert formula.STATES[state] in " ".join(words(picture))


def test_the_path_has_a_dot_for_each_doubling_and_ends_where_no_batch_goes_further(
    specs: Any, catalogue: Catalogue
) -> None:
    picture = drawn(specs["wide"], catalogue, {})
    dots = [place(mark)[0] for mark in group(picture, "roofline_path")]
    assert len(dots) == roofline.DOUBLINGS + 1
    assert dots == sorted(dots)
    ((end, _),) = [place(mark) for mark in group(picture, "roofline_end")]
    assert dots[-1] == pytest.approx(end, abs=0.5)
    assert dots[-1] <= end


def test_machines_can_be_put_beside_the_readers_own(specs: Any, catalogue: Catalogue) -> None:
    none = drawn(specs["wide"], catalogue, {}, roofline_ghosts=[])
    assert [text for text in words(none) if re.search(r", \d{4}$", text)] == ["H100, 2022"]
    some = drawn(specs["wide"], catalogue, {}, roofline_ghosts=["cray-1", "h100-sxm5"], roofline_kept="tesla-k40")
    shown = [text for text in words(some) if re.search(r", (19|20)\d\d$", text)]
    assert sorted(shown) == ["Cray-1, 1976", "H100, 2022", "K40, 2013"]


# --- zero, negative, none (P03)


@pytest.mark.parametrize("key", ["peak", "bandwidth", "T"])
@pytest.mark.parametrize("value", ["0", "-1", "nan"])
def test_no_scenario_puts_zero_or_less_on_a_logarithmic_axis(catalogue: Catalogue, key: str, value: str) -> None:
    unit = {"peak": " FLOP/s", "bandwidth": " B/s", "T": ""}[key]
    own = {"machine": "own", "peak": "1 TFLOP/s", "bandwidth": "1 TB/s", key: value + unit}
    with pytest.raises(ScenarioError, match=key):
        roofline.rows(catalogue, own)


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
@pytest.mark.parametrize("key", ["roofline_peak", "roofline_beta", "roofline_T"])
def test_no_mark_lies_on_an_edge_or_beyond_for_want_of_a_number(
    specs: Any, catalogue: Catalogue, key: str, bad: float
) -> None:
    picture = drawn(specs["wide"], catalogue, {}, **{key: bad})
    width, height = roofline.WIDE.plot
    for name in ("roofline_point", "roofline_path", "roofline_reached", "roofline_end"):
        for mark in group(picture, name):
            x, y = place(mark)
            assert 0 < x < width
            assert 0 < y < height
    assert WRONG.search(ET.tostring(picture, encoding="unicode")) is None


# --- the parts


def test_what_does_not_depend_on_the_variable_comes_as_a_signal() -> None:
    writer = Writer("x", T)
    assert writer.text(QUANTITIES["beta"], "t") == "x_beta"
    text = writer.text(QUANTITIES["reached_params"], "t")
    assert "x_family === 'experts'" in text
    assert writer.signals["x_reached_params"] == Signal(
        kind="value", key="reached_params", when={"family": ("dense", "counted")}
    )
    assert writer.signals["x_top_k"].when == {"family": ("experts",)}
    assert text.endswith("(0/0))))"), "a family that is not known draws nothing"


def test_a_signal_needed_in_two_ways_is_asked_for_in_both() -> None:
    writer = Writer("x", T)
    writer.text(QUANTITIES["reached_params"], "t")
    writer.value(QUANTITIES["top_k"])
    assert writer.signals["x_top_k"].when == {}


def test_the_browser_is_told_what_to_ask() -> None:
    told = {name: signal.js() for name, signal in roofline.SIGNALS.items()}
    assert told["roofline_beta"] == {"kind": "value", "key": "beta"}
    assert told["roofline_machine"] == {"kind": "setting", "key": "machine", "otherwise": DEFAULT["machine"]}
    assert told["roofline_words"]["words"]["no-format"] == formula.STATES["no-format"]
    assert told["roofline_experts"]["when"] == {"family": ["experts"]}


def test_the_controls_name_machines_of_the_catalogue(catalogue: Catalogue) -> None:
    slider, *boxes, kept = roofline.controls(catalogue)
    assert 2.0 ** slider["value"] == DEFAULT["T"]
    assert [box["id"].removeprefix("roofline_ghosts-") for box in boxes if box["checked"]] == list(roofline.GHOSTS)
    offered = {option["value"] for option in kept["options"]} | set(roofline.OFFERED)
    assert offered == {"", *catalogue.machines}
