"""Pictures of figures as tests read them: compiled once, drawn on any scenario, taken apart by layer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from model.records import Catalogue
from report.figures import export, images

ROOT = Path(__file__).resolve().parents[2]
SHEET = (ROOT / "templates" / "static" / "style.css").read_text(encoding="utf-8")
WRONG = re.compile(r"NaN|Infinity|undefined|null")


def specs(module: Any, catalogue: Catalogue) -> Mapping[str, dict[str, Any]]:
    """Compile all layouts of a figure, on the default scenario."""
    drawn = module.rows(catalogue)
    return {layout.name: export.vega(module.chart(drawn, layout)) for layout in module.LAYOUTS}


def picture(spec: Mapping[str, Any], signals: Mapping[str, Any]) -> ET.Element:
    """Draw a compiled spec with other values of its signals."""
    return ET.fromstring(images.svg(export.told(spec, signals), "figure", "A picture."))


def group(drawn: ET.Element, name: str) -> list[ET.Element]:
    """Return the marks of a layer."""
    return [part for found in drawn.iter() if found.get("class") == name for part in found]


def place(mark: ET.Element) -> tuple[float, float]:
    """Return where a mark stands."""
    x, y = re.findall(r"-?[\d.]+", mark.get("transform", ""))[:2]
    return float(x), float(y)


def lines(drawn: ET.Element, name: str) -> list[list[tuple[float, float]]]:
    """Return the corners of each line of a group."""
    found = [path.get("d", "") for path in group(drawn, name)]
    return [[(float(x), float(y)) for x, y in re.findall(r"([\d.]+),([\d.]+)", text)] for text in found]


def words(drawn: ET.Element) -> list[str]:
    """Return every text of a picture."""
    return ["".join(text.itertext()) for text in drawn.iter(f"{{{images.SVG}}}text")]


def written(drawn: ET.Element) -> str:
    """Return a picture as text, to be searched."""
    return ET.tostring(drawn, encoding="unicode")


def strict(text: str) -> Any:
    """Read JSON as browsers do: no NaN, no Infinity."""

    def refuse(word: str) -> None:
        raise AssertionError(word)

    return json.loads(text, parse_constant=refuse)


def families(value: Any) -> Iterator[str]:
    """Yield every font that a spec names."""
    if isinstance(value, dict):
        yield from (part for key, part in value.items() if key.lower().endswith("font"))
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from families(part)
