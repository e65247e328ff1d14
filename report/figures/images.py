"""A Vega spec as a still picture: an SVG that says nothing but what is drawn, and that as a PNG.

Equal specs give equal bytes: names that the exporter counts up are replaced, lengths cut.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

from report import scratch
from report.figures.export import strict
from report.figures.theme import FAMILY
from report.fonts import font_files_for_export

SVG = "http://www.w3.org/2000/svg"
_PX = 0.01  # finer than any screen
_NUMBER = re.compile(r"-?\d*\.?\d+(?:e-?\d+)?")
# Attributes that hold lengths; a text's own digits are nobody's business here.
_LENGTHS = frozenset({"d", "transform", "x", "y", "x1", "x2", "y1", "y2", "r", "cx", "cy", "width", "height"})
_LENGTHS |= {
    "opacity",
    "fill-opacity",
    "stroke-opacity",
    "stroke-width",
    "stroke-dasharray",
    "stroke-dashoffset",
    "font-size",
}

_IDLE = {("opacity", "1"), ("transform", "translate(0,0)"), ("stroke-miterlimit", "10"), ("font-weight", "normal")}
_IDLE |= {("y2", "0"), ("x2", "0")}


@cache
def _with_fonts() -> Any:
    """Return the exporter, once it knows the fonts that figures are set in; without them its labels are measured wrong.

    It looks through all that it knows for each word, so it gets a folder that holds no others, and reads them there
    for as long as it is used.
    """
    import vl_convert

    folder = scratch.folder() / "faces"
    fonts = {file.name: file.read_bytes() for file in font_files_for_export()}
    with scratch.writing():
        folder.mkdir(exist_ok=True)  # a build before this one may have got no further
        for name, data in fonts.items():
            (folder / name).write_bytes(data)
    vl_convert.register_font_directory(str(folder))
    return vl_convert


def svg(spec: Mapping[str, Any], figure: str, alt: str) -> str:
    """Draw a Vega spec as an SVG with one name and no inner roles, its ids called `<figure>-n`."""
    text = strict(spec)
    check_families(text)
    root = ET.fromstring(_with_fonts().vega_to_svg(text))
    _undress(root)
    _rename(root, figure)
    for old in ("version", "width", "height", "class"):
        root.attrib.pop(old, None)
    box = root.get("viewBox", "").split()
    root.attrib.update({"class": "marks", "width": box[2], "height": box[3], "role": "img", "aria-label": alt})
    ET.register_namespace("", SVG)
    return ET.tostring(root, encoding="unicode")


def png(picture: str, colours: Mapping[str, str], scale: float = 2) -> bytes:
    """Return an SVG as a PNG in the given colours: the exporter cannot resolve a style sheet's names."""
    for name, value in colours.items():
        picture = picture.replace(name, value)
    data: bytes = _with_fonts().svg_to_png(picture, scale=scale)
    return data


def check_families(spec: str) -> None:
    """Raise ValueError when a spec in JSON names a font that the pages do not ship: the exporter takes any other."""
    for family in _FONTS.findall(spec):
        if family.split(",")[0].strip() != FAMILY:
            raise ValueError(f"a figure names the font '{family}'; use theme.FACE")


_FONTS = re.compile(r'"\w*font":"([^"\\]*)"', re.IGNORECASE)


def _undress(element: ET.Element) -> None:
    """Take off what only the exporter needs: roles, empty frames, white ground, groups that say nothing."""
    for key in [key for key in element.attrib if key == "role" or key.startswith("aria-") or key == "pointer-events"]:
        del element.attrib[key]
    mark = re.search(r"mark-\w+ role-(?:mark|group|scope) ([A-Za-z]\w*)", element.get("class", ""))
    element.attrib.pop("class", None)
    if mark:
        element.set("class", mark[1].removesuffix("_marks").removesuffix("_pathgroup"))
    for key, value in list(element.attrib.items()):
        if key in _LENGTHS:
            element.set(key, _NUMBER.sub(_cut, value))
        if (key, element.attrib[key]) in _IDLE:
            del element.attrib[key]
    for child in list(element):
        empty = child.tag == f"{{{SVG}}}path" and (not child.get("d") or _is_frame(child))
        if empty or (child.tag == f"{{{SVG}}}rect" and child.get("fill") in ("white", "transparent")):
            element.remove(child)
        else:
            _undress(child)
    _flatten(element)


def _is_frame(path: ET.Element) -> bool:
    """Tell whether a path is the frame of a group, which draws nothing."""
    return any(word in path.get("class", "") for word in ("background", "foreground")) and "stroke" not in path.attrib


def _flatten(element: ET.Element) -> None:
    """Put the content of groups without attributes in their place."""
    for child in list(element):
        if child.tag == f"{{{SVG}}}g" and (not len(child) or not child.attrib):
            at = list(element).index(child)
            element.remove(child)
            for offset, part in enumerate(list(child)):
                element.insert(at + offset, part)


def _cut(found: re.Match[str]) -> str:
    number = round(float(found[0]) / _PX) * _PX
    return f"{number:.2f}".rstrip("0").rstrip(".") if number else "0"


def _rename(root: ET.Element, figure: str) -> None:
    """Call ids `<figure>-n` in the order in which they stand: the exporter counts on from the last picture."""
    names: dict[str, str] = {}
    for element in root.iter():
        if "id" in element.attrib:
            names[element.attrib["id"]] = f"{figure}-{len(names) + 1}"
    for element in root.iter():
        for key, value in list(element.attrib.items()):
            if key == "id":
                element.set(key, names[value])
            elif "url(#" in value or key.endswith("href"):
                element.set(key, re.sub(r"#([\w-]+)", lambda found: "#" + names.get(found[1], found[1]), value))
