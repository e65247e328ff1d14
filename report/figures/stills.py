"""A figure's still picture as a file of its own: it carries its colours for day and night, and the letters it sets.

Shown as an image it takes neither the page's custom properties nor its fonts. It does follow the page's theme: what an
image asks for as the preferred colour scheme is that of the element which shows it.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping
from html import escape, unescape
from pathlib import Path

from report import assets, fonts
from report.figures import theme

_SHEET = Path(__file__).resolve().parent.parent.parent / "templates" / "static" / "style.css"
_TEXT = re.compile(r"(<text[^<>]*(?<!/)>)(.*?)</text>", re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")
_BOLD = f'font-weight="{theme.SEMIBOLD}"'
_USED = re.compile(r"var\((--[a-z]+)\)")
_BOX = re.compile(r'viewBox="0 0 (?P<width>[\d.]+) (?P<height>[\d.]+)"')


def stills(name: str, pictures: Mapping[str, str]) -> dict[str, str]:
    """Return the pictures of a figure (layout -> SVG) as files: plain name -> SVG that needs nothing beside it."""
    sheet = _SHEET.read_text(encoding="utf-8")
    texts = _TEXT.findall("".join(pictures.values()))
    faces = _face("sans", 400, [text for tag, text in texts if _BOLD not in tag])
    faces += _face("sans-semibold", theme.SEMIBOLD, [text for tag, text in texts if _BOLD in tag])
    return {file_name(name, layout): _dressed(picture, sheet, faces) for layout, picture in pictures.items()}


def file_name(name: str, layout: str) -> str:
    """Return the plain name of a still picture's file."""
    return f"still-{name}-{layout}.svg"


def image(file: str, picture: str, alt: str, root: str = "") -> str:
    """Return the markup that shows a still picture from its file, once it is near, in room kept for it."""
    box = _BOX.search(picture)
    if not box:
        raise ValueError(f"{file} does not say its size")
    address = f"{root}{assets.FOLDER}/{assets.hashed_name(file, picture.encode('utf-8'))}"
    size = f'width="{box["width"]}" height="{box["height"]}"'
    return f'<img src="{address}" {size} alt="{escape(alt)}" loading="lazy" decoding="async">'


def _dressed(picture: str, sheet: str, faces: str) -> str:
    used = sorted(set(_USED.findall(picture)))
    day, night = (_tokens(theme.palette(sheet, name), used) for name in ("light", "dark"))
    style = f"<style>{faces}:root{{{day}}}@media (prefers-color-scheme:dark){{:root{{{night}}}}}</style>"
    start = picture.index(">") + 1
    return picture[:start] + style + picture[start:]


def _tokens(colours: Mapping[str, str], used: list[str]) -> str:
    return ";".join(f"{name}:{colours[f'var({name})']}" for name in used)


def _face(face: str, weight: int, texts: Iterable[str]) -> str:
    """Return the rule for a face with the letters of the texts that are set in it."""
    letters = "".join(sorted(set(unescape(_TAG.sub("", "".join(texts))))))
    data = base64.b64encode(fonts.cut(face, letters, fonts.SHAPING)).decode("ascii")
    source = f'url("data:font/woff2;base64,{data}") format("woff2")'
    return f'@font-face{{font-family:"{theme.FAMILY}";font-weight:{weight};src:{source}}}'
