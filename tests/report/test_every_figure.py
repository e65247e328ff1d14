"""What holds for every figure: strict specs, names of its own, shipped fonts, the sheet's colours, one spoken name."""

import base64
import io
import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from altair.utils import schemapi
from fontTools.ttLib import TTFont

from model.book import QUANTITIES
from model.records import Catalogue
from model.scenario import settable
from report.catalogue import load
from report.figures import export, images, theme
from report.figures.book import FIGURES
from report.figures.drawing import draw, inputs
from report.figures.slot import slot
from tests.report import pictures
from tests.report.pictures import ROOT, SHEET, WRONG

EVERY = pytest.mark.parametrize("name", FIGURES)
EACH = pytest.mark.parametrize(("name", "layout"), [(name, layout) for name in FIGURES for layout in ("wide", "phone")])
TEXT, BLANKS = f"{{{images.SVG}}}text", {" ", "\u00a0"}
Specs = Mapping[str, Mapping[str, dict[str, Any]]]


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load(ROOT / "content" / "catalogue")


@pytest.fixture(scope="module")
def specs(catalogue: Catalogue) -> Specs:
    """Compile all figures once, on the default scenario."""
    return {name: pictures.specs(module, catalogue) for name, module in FIGURES.items()}


def marks(spec: Mapping[str, Any]) -> Iterator[str]:
    for mark in spec.get("marks", ()):
        yield mark["name"]
        if "marks" in mark:
            yield from (name for name in marks(mark) if not name.endswith("_pathgroup"))


@EACH
def test_a_spec_is_strict_json(specs: Specs, name: str, layout: str) -> None:
    assert pictures.strict(export.strict(specs[name][layout]))["marks"]


@EACH
def test_every_parameter_and_view_has_a_name_of_its_own(specs: Specs, name: str, layout: str) -> None:
    spec = specs[name][layout]
    signals, views = [one["name"] for one in spec["signals"]], [one["name"] for one in spec["marks"]]
    for names in (signals, views):
        assert len(set(names)) == len(names)
        assert all(re.fullmatch(rf"{name}_[A-Za-z]\w*", one) for one in names), names
    assert set(FIGURES[name].SIGNALS) <= set(signals)


def test_no_two_figures_share_a_name(specs: Specs) -> None:
    names = [
        name
        for figure in specs.values()
        for name in {*marks(figure["wide"]), *(s["name"] for s in figure["wide"]["signals"])}
    ]
    assert len(set(names)) == len(names)


@EVERY
def test_signals_are_named_by_the_keys_of_the_model_spelled_as_they_are(name: str) -> None:
    for signal, told in FIGURES[name].SIGNALS.items():
        if told.kind in ("value", "choice"):
            assert signal == f"{name}_{told.key}"
            assert told.key in QUANTITIES


@EACH
def test_every_font_of_a_spec_is_one_that_we_ship(specs: Specs, name: str, layout: str) -> None:
    assert set(pictures.families(specs[name][layout])) == {theme.FACE}
    assert f'font-family: "{theme.FAMILY}"' in SHEET


@EACH
def test_numbers_of_a_spec_have_at_most_ten_digits(specs: Specs, name: str, layout: str) -> None:
    found = re.findall(r"\d+\.\d+", export.strict(specs[name][layout]["signals"]))
    assert found
    assert max(len(number.replace(".", "").strip("0")) for number in found) <= 10


@EACH
def test_a_picture_has_one_name_and_no_roles_inside(specs: Specs, name: str, layout: str) -> None:
    root = ET.fromstring(images.svg(specs[name][layout], name, 'Say <what> & "why".'))
    assert (root.get("role"), root.get("aria-label")) == ("img", 'Say <what> & "why".')
    for element in list(root.iter())[1:]:
        assert not [key for key in element.attrib if key == "role" or key.startswith("aria") or key == "style"]


@EACH
def test_a_picture_keeps_to_its_layout_and_to_the_colours_of_the_sheet(specs: Specs, name: str, layout: str) -> None:
    (size,) = [one for one in FIGURES[name].LAYOUTS if one.name == layout]
    text = images.svg(specs[name][layout], name, "A picture.")
    assert f'viewBox="0 0 {size.width} {size.height}"' in text
    colours = set(re.findall(r'(?:fill|stroke)="([^"]+)"', text)) - {"none"}
    assert colours <= set(theme.COLOURS), "no ground and no colour of its own"
    for shade in ("light", "dark"):
        assert colours <= set(theme.palette(SHEET, shade))
    assert theme.palette(SHEET) != theme.palette(SHEET, "dark")
    assert min(float(found) for found in re.findall(r'font-size="([\d.]+)px"', text)) >= 11
    assert max(len(digits) for digits in re.findall(r'"[^"]*\d\.(\d+)[^"]*"', text)) <= 2
    assert WRONG.search(text) is None


def fields(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (part for key, part in value.items() if key == "field" and isinstance(part, str))
        yield from (name for part in value.values() for name in fields(part))
    if isinstance(value, list):
        yield from (name for part in value for name in fields(part))


@EACH
def test_no_field_is_named_so_that_it_is_read_as_a_path(specs: Specs, name: str, layout: str) -> None:
    """A dot or a bracket in the name of a column leads into a row that is not there, and the marks are gone."""
    found = set(fields(specs[name][layout]))
    assert all(re.fullmatch(r"[A-Za-z_]\w*", field) for field in found), found


def scales(part: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield from ((scale["name"], scale["type"]) for scale in part.get("scales", ()))
    for mark in part.get("marks", ()):
        yield from scales(mark)


def shapes(part: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for mark in part.get("marks", ()):
        yield mark
        yield from shapes(mark)


@EACH
def test_no_area_and_no_bar_rises_from_the_floor_of_a_logarithmic_axis(specs: Specs, name: str, layout: str) -> None:
    """The logarithm of zero is nowhere: what is filled up to a value says where it begins."""
    logarithmic = {scale for scale, kind in scales(specs[name][layout]) if kind == "log"}
    for mark in shapes(specs[name][layout]):
        for part in mark.get("encode", {}).values():
            for one, other in (("x", "x2"), ("y", "y2")):
                if mark["type"] in ("area", "rect") and part.get(one, {}).get("scale") in logarithmic:
                    if mark["type"] == "area" and one == "x":
                        continue  # an area runs along it
                    begins = part[other]
                    assert "field" in begins or "signal" in begins, mark["name"]
                    assert begins.get("value") != 0, mark["name"]


@EVERY
def test_equal_charts_give_equal_bytes(specs: Specs, catalogue: Catalogue, name: str) -> None:
    again = pictures.specs(FIGURES[name], catalogue)
    assert export.strict(again) == export.strict(specs[name])


@EVERY
def test_a_drawing_has_what_a_page_takes_up(catalogue: Catalogue, name: str) -> None:
    drawn = draw(name, FIGURES[name], inputs(FIGURES[name], catalogue))
    assert set(drawn.pictures) == {"wide", "phone"}
    assert set(drawn.scripts) == {f"spec-{name}-wide.js", f"spec-{name}-phone.js"}
    assert "vega-lite" in pictures.strict(drawn.spec)["$schema"]


@EVERY
def test_a_text_takes_up_a_figure_before_it_is_drawn(catalogue: Catalogue, name: str) -> None:
    place = slot(name, FIGURES[name], inputs(FIGURES[name], catalogue), catalogue)
    assert set(place.data) == {f"{name}.csv", f"{name}.json"}
    assert pictures.strict(place.data[f"{name}.json"])
    assert WRONG.search(place.table) is None
    ids = [control["id"] for control in place.controls]
    assert len(set(ids)) == len(ids)
    assert all(one.startswith((f"{name}-", f"{name}_")) for one in ids)
    assert all(control["key"] in ("", *settable()) for control in place.controls)


@EVERY
def test_a_picture_in_a_file_of_its_own_holds_the_letters_that_it_sets_and_no_others(
    catalogue: Catalogue, name: str
) -> None:
    drawn = draw(name, FIGURES[name], inputs(FIGURES[name], catalogue))
    trees = [ET.fromstring(picture) for picture in drawn.pictures.values()]
    texts = [(text.get("font-weight", "400"), "".join(text.itertext())) for tree in trees for text in tree.iter(TEXT)]
    for weight in ("400", str(theme.SEMIBOLD)):
        used = {letter for found, text in texts if found == weight for letter in text}
        for still in drawn.stills.values():
            data = re.search(rf'font-weight:{weight};src:url\("data:font/woff2;base64,([^"]*)', still)
            assert data
            font = TTFont(io.BytesIO(base64.b64decode(data[1])))
            assert set(map(chr, font.getBestCmap())) - BLANKS == used - BLANKS


@EVERY
def test_charts_whose_copies_share_their_parts_come_out_the_same(catalogue: Catalogue, name: str) -> None:
    module = FIGURES[name]
    drawn = module.rows(catalogue)
    for layout in module.LAYOUTS:
        with schemapi.debug_mode(False):
            thorough = export.lite(module.chart(drawn, layout))
        with export.unchecked():
            assert export.lite(module.chart(drawn, layout)) == thorough


@EVERY
def test_every_encoding_names_its_class(catalogue: Catalogue, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Altair finds out what a bare text such as "x:Q" is by hashing its whole schema, each time: 4 ms a piece."""
    guessed: list[object] = []
    known = schemapi.SchemaBase.from_dict.__func__

    def noted(cls: type, found: object, validate: bool = True) -> object:
        guessed.append(found)
        return known(cls, found, validate)

    monkeypatch.setattr(schemapi.SchemaBase, "from_dict", classmethod(noted))
    module = FIGURES[name]
    module.chart(module.rows(catalogue), module.LAYOUTS[0])
    assert guessed == [], "write alt.X(...), alt.Tooltip(...), alt.OpacityValue(...)"
