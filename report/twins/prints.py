"""Figures as pictures to take away: an SVG that needs nothing beside it, a PNG on paper, a card for previews of links.

A PNG knows no style sheet, so it gets the light palette and the colour of the paper under it. The pictures are drawn
by the worker where there is one, and kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path

from report import cache
from report.figures import images, theme
from report.figures.drawing import Drawing
from report.figures.stills import file_name

_SHEET = Path(__file__).resolve().parent.parent.parent / "templates" / "static" / "style.css"
_BOX = re.compile(r'viewBox="0 0 (?P<width>[\d.]+) (?P<height>[\d.]+)"')
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
# What previews of links show: Open Graph's size, in px, and what is left around the figure.
CARD = (1200, 630)
_MARGIN, _HEAD = 48, 108
_TITLE, _LINE = 44, 40
PRINTED, CARDED = "report.twins.prints:printed", "report.twins.prints:carded"


def files(drawings: Iterable[Drawing]) -> dict[str, bytes]:
    """Return every figure as SVG and PNG, by plain name."""
    pictures = {drawing.name: drawing.stills[file_name(drawing.name, "wide")] for drawing in drawings}
    jobs = {name: (PRINTED, picture) for name, picture in pictures.items()}
    found = {f"{name}.png": data for name, data in cache.all_kept("png", jobs).items()}
    return {f"{name}.svg": picture.encode("utf-8") for name, picture in pictures.items()} | found


def cards(titled: Mapping[str, tuple[str, Drawing]]) -> dict[str, bytes]:
    """Return the preview of each page by the page's name; given are its title and the figure that stands for it."""
    jobs = {
        name: (CARDED, title, drawing.stills[file_name(drawing.name, "wide")])
        for name, (title, drawing) in titled.items()
    }
    return cache.all_kept("card", jobs)


def printed(picture: str) -> bytes:
    """Return a still picture as a PNG in the light palette, on paper, at twice its size."""
    start = picture.index(">") + 1
    return images.png(
        f'{picture[:start]}<rect width="100%" height="100%" fill="{theme.PAPER}"/>{picture[start:]}', _colours()
    )


def carded(title: str, picture: str) -> bytes:
    """Return a PNG of 1200 by 630 px: the title above, the figure as large as there is room below."""
    box = _BOX.search(picture)
    if not box:
        raise ValueError("the picture does not say its size")
    width, height = CARD
    room = (width - 2 * _MARGIN, height - _HEAD - _MARGIN / 2)
    scale = min(room[0] / float(box["width"]), room[1] / float(box["height"]))
    left = (width - scale * float(box["width"])) / 2
    inner = picture[picture.index(">") + 1 : picture.rindex("</svg>")]
    text = f'font-family="{theme.FAMILY}" font-size="{_TITLE}" font-weight="{theme.SEMIBOLD}" fill="{theme.INK}"'
    whole = (
        f'<svg xmlns="{images.SVG}" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}"><rect width="{width}" height="{height}" fill="{theme.PAPER}"/>'
        f'<text x="{_MARGIN}" y="{_MARGIN + _LINE * 0.6:.0f}" {text}>{escape(title)}</text>'
        f'<g transform="translate({left:.2f},{_HEAD}) scale({scale:.4f})">{inner}</g></svg>'
    )
    return images.png(whole, _colours(), scale=1)


def _colours() -> Mapping[str, str]:
    return theme.palette(_SHEET.read_text(encoding="utf-8"))
