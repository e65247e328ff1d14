"""From an Altair chart to what a page ships: a Vega spec as a script, a still SVG, the data as CSV and JSON.

The same Vega spec gives the picture in the HTML and the live one. Equal charts give equal bytes: names that the
exporter counts up are replaced, digits cut. Leaves out: what any figure shows, and who writes the files.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

from report import cache as kept
from report import scratch, workers
from report.figures.theme import FAMILY
from report.fonts import font_files_for_export

SVG = "http://www.w3.org/2000/svg"
SPELLED: Mapping[float, str] = {math.inf: "1/0", -math.inf: "-1/0"}
_DIGITS = 10  # the last digits of a float differ between processors
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


def vega(chart: Any) -> dict[str, Any]:
    """Compile an Altair chart (or a Vega-Lite dictionary) to a Vega spec without long digits."""
    import vl_convert

    spec = _sized(vl_convert.vegalite_to_vega(strict(lite(chart))))
    signals = {"signals": [_settable(one) for one in spec["signals"]]} if "signals" in spec else {}
    return {key: _shortened(part) for key, part in (spec | signals).items() if key != "$schema"}


def _settable(signal: Mapping[str, Any]) -> dict[str, Any]:
    """Return a signal that can be set: an expression without others is where it starts, not what it goes back to."""
    if signal.get("update") in ("NaN", *SPELLED.values()):
        return {**{key: part for key, part in signal.items() if key != "update"}, "init": signal["update"]}
    return dict(signal)


def lite(chart: Any) -> dict[str, Any]:
    """Return a chart's Vega-Lite spec; layers keep their names where Altair numbers those of panels."""
    if isinstance(chart, dict):
        return chart
    from altair.utils import schemapi

    spec: dict[str, Any] = chart.to_dict(validate=schemapi.DEBUG_MODE)
    _unnumbered(spec)
    return spec


@contextmanager
def unchecked() -> Iterator[None]:
    """Let Altair skip what takes most of its time: its checks against the schema, and copies of all that a chart holds.

    Charts are code, and tests check them; nothing here changes a part once a chart holds it, so copies may share it.
    """
    from altair.utils import schemapi

    ours = {"copy": _sharing, "validate_property": classmethod(_believed)}
    thorough = {name: vars(schemapi.SchemaBase)[name] for name in ours}
    with schemapi.debug_mode(False):
        for name, method in ours.items():
            setattr(schemapi.SchemaBase, name, method)
        try:
            yield
        finally:
            for name, method in thorough.items():
                setattr(schemapi.SchemaBase, name, method)


def _believed(_of: type, _name: str, _value: Any) -> None:
    """Check nothing."""


def _sharing(part: Any, deep: bool | Iterable[str] = True, ignore: object = None) -> Any:
    """Return a copy of a part of a chart that has lists and dictionaries of its own, and shares what they hold."""
    found = object.__new__(type(part))
    object.__setattr__(found, "_args", part._args)
    mine = {name: value.copy() if isinstance(value, list | dict) else value for name, value in part._kwds.items()}
    object.__setattr__(found, "_kwds", mine)
    return found


def _unnumbered(spec: dict[str, Any]) -> None:
    for kind in ("hconcat", "vconcat", "layer"):
        for i, panel in enumerate(spec.get(kind, ())):
            for layer in panel.get("layer", ()):
                layer["name"] = layer["name"].removesuffix(f"_{i}")
            _unnumbered(panel)


def _sized(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a Vega spec whose panels follow the width and height of the whole: Vega-Lite fixes them (P06).

    A chart of several panels says in usermeta how large the whole is, and each panel's size as an expression of it:
    {"width": 700, "height": 500, "sizes": {"drift_a_width": "0.7 * width"}}.
    """
    told = spec.get("usermeta") or {}
    if "sizes" not in told:
        return dict(spec)
    named, whole = told["sizes"], {key: told[key] for key in ("width", "height")}
    if lost := set(named) - {one["name"] for one in spec["signals"]}:
        raise ValueError(f"the spec has no panel sized by {', '.join(sorted(lost))}")
    kept = [one for one in spec["signals"] if one["name"] not in whole]
    signals = [{"name": one["name"], "update": named[one["name"]]} if one["name"] in named else one for one in kept]
    return {**{key: part for key, part in spec.items() if key != "usermeta"}, **whole, "signals": signals}


def vega_lite(chart: Any) -> str:
    """Return the chart's Vega-Lite spec as JSON, for download."""
    return json.dumps(_shortened(lite(chart)), ensure_ascii=False, allow_nan=False, indent=1, sort_keys=True) + "\n"


def strict(value: object) -> str:
    """Return JSON without NaN and Infinity, which no browser reads; raise ValueError for them."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _shortened(value: Any) -> Any:
    """Cut floats to ten digits and write whole ones without a point."""
    if isinstance(value, dict):
        return {key: _shortened(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_shortened(part) for part in value]
    if not isinstance(value, float) or not math.isfinite(value):
        return value
    short = float(f"{value:.{_DIGITS}g}")
    return int(short) if short.is_integer() and abs(short) < 2**53 else short


def told(spec: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a Vega spec whose signals have other values; NaN and infinities become expressions, for JSON's sake."""
    unknown = set(values) - {signal["name"] for signal in spec["signals"]} - {"width", "height"}
    if unknown:
        raise ValueError(f"the spec has no signal {', '.join(sorted(unknown))}")
    signals = [_signal(signal, values) for signal in spec["signals"]]
    return {**spec, **{key: values[key] for key in ("width", "height") if key in values}, "signals": signals}


def _signal(signal: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    name = signal["name"]
    return {"name": name, **spelled(values[name])} if name in values else dict(signal)


def spelled(value: Any, expression: str = "update") -> dict[str, Any]:
    """Return how a signal is given a value: as JSON, or as an expression where JSON has no word for it."""
    if isinstance(value, float) and not math.isfinite(value):
        return {expression: SPELLED.get(value, "NaN")}
    return {"value": value}


# --- the still picture


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


# --- what the live picture needs


@cache
def bundle() -> str:
    """Return Vega and vega-embed as one classic script that leaves nothing but `vegaEmbed` behind."""
    return kept.all_kept("bundle", {"vega": (BUNDLE,)})["vega"].decode("utf-8")


BUNDLE = "report.figures.export:bundled"


def bundled() -> bytes:
    """Make the bundle anew."""
    import vl_convert

    text: str = vl_convert.javascript_bundle("globalThis.vegaEmbed = vegaEmbed;")
    workers.trim()  # a hundred megabytes are free again
    return f"(() => {{\n{text}\n}})();\n".encode()


def script(
    figure: str,
    layout: str,
    spec: Mapping[str, Any],
    signals: Mapping[str, Any],
    offers: Mapping[str, Sequence[Mapping[str, str]]] | None = None,
) -> str:
    """Return the spec of one layout as a classic script: fetch does not work from a file.

    offers holds the options, by the id of their control, that the page leaves out until the figure is live.
    """
    parts = {"layout": layout, "spec": spec, "signals": signals, **({"offers": offers} if offers else {})}
    content = _safe(strict(parts))
    return f"(globalThis.specs ??= {{}})[{_safe(strict(f'{figure}-{layout}'))}] = {content};\n"


def _safe(text: str) -> str:
    """Return JSON that may stand in a script: no closing tag, no comment opener, no line separator."""
    for mark in ("<", ">", "&", "\u2028", "\u2029"):
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text


def csv_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as CSV; an absent value is an empty cell."""
    listed = list(rows)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(listed[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: "" if _absent(value) else _shortened(value) for key, value in row.items()} for row in listed)
    return out.getvalue()


def json_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as JSON; an absent value is null."""
    plain = [{key: None if _absent(value) else _shortened(value) for key, value in row.items()} for row in rows]
    return json.dumps(plain, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _absent(value: Any) -> bool:
    return value is None or (isinstance(value, float) and not math.isfinite(value))
