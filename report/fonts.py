"""Which fonts the pages use, cut to the glyphs that they show.

Text is set in Source Serif, interface, tables and figures in Source Sans, maths in STIX Two Math. The files come from
the installed packages font-source-serif-pro, font-source-sans-pro and ziamath, all under the SIL Open Font License 1.1.
Cut files are modified versions, which may not carry the reserved name "Source": their inner names are replaced, and
`licence` gives the text that has to travel with them. Leaves out: which page uses what (style.css says).
"""

from __future__ import annotations

import functools
import io
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from fontTools import subset as cutter
from fontTools.ttLib import TTFont

from report import cache

if TYPE_CHECKING:
    from fontTools.ttLib.tables._n_a_m_e import NameRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Face:
    """One font file: where it lies, and what the cut one is called inside."""

    package: str
    path: str
    name: str
    features: tuple[str, ...]


# How letters are joined to words, whatever is set; and the kinds of digits, for text that asks for one by name.
SHAPING = ("kern", "liga", "ccmp", "locl", "mark", "mkmk", "calt", "case")
_FIGURES = ("onum", "lnum", "tnum", "pnum")
_SERIF = ("font_source_serif_pro", "files/SourceSerifPro-{}.ttf", (*SHAPING, *_FIGURES))
_SANS = ("font_source_sans_pro", "files/SourceSansPro-{}.ttf", (*SHAPING, *_FIGURES))


def _face(family: tuple[str, str, tuple[str, ...]], style: str, name: str) -> Face:
    package, pattern, features = family
    return Face(package=package, path=pattern.format(style), name=name, features=features)


FACES: Mapping[str, Face] = MappingProxyType(
    {
        "serif": _face(_SERIF, "Regular", "Wall Text"),
        "serif-italic": _face(_SERIF, "It", "Wall Text Italic"),
        "serif-semibold": _face(_SERIF, "Semibold", "Wall Text Semibold"),
        "sans": _face(_SANS, "Regular", "Wall Plain"),
        "sans-semibold": _face(_SANS, "Semibold", "Wall Plain Semibold"),
        "math": Face(
            package="ziamath",
            path="fonts/STIXTwoMath-Regular.ttf",
            name="Wall Maths",
            features=("kern", "ccmp", "ssty", "dtls", "flac"),
        ),
    }
)

# What a live number or a name can turn into after the page was built, so every text face has it: ASCII, the marks of
# good typesetting, the prefixes and exponents of units, and the accents of the names in the references.
ALWAYS = (
    "".join(map(chr, range(0x20, 0x7F)))
    + "\u00a0\u2012\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u2032"
    + "⁰¹²³⁴⁵⁶⁷⁸⁹§©°±µ·×½¼¾÷−≈≠≤≥→←↑↓∞√ÄÅÉÖØÜßàáâäåçèéêëíïñóôöøúüčćłšž"
)
# Set in every formula's neighbourhood by the numbers that change: digits, signs, fences, and the words of a state.
ALWAYS_MATHS = "".join(map(chr, range(0x20, 0x7F))) + "\u00a0\u2061\u2062\u2009·×−≈≠≤≥→⟶∞√∑∏∂αβγδεηλμπσχΔΣ⌈⌉⌊⌋‖"


def subset(text_by_face: Mapping[str, str]) -> dict[str, bytes]:
    """Cut each named face to the glyphs of its text and of ALWAYS; WOFF2 files by name, as "serif.woff2"."""
    unknown = sorted(set(text_by_face) - set(FACES))
    if unknown:
        raise ValueError(f"unknown face {unknown[0]!r}; the faces are {', '.join(FACES)}")
    wanted = {}
    for face in sorted(text_by_face):
        text = text_by_face[face]
        wanted[face] = "".join(sorted(set(maths_letters(text + ALWAYS_MATHS) if face == "math" else text + ALWAYS)))
    files = cache.all_kept("font", {face: ("report.fonts:cut", face, letters) for face, letters in wanted.items()})
    return {f"{face}.woff2": data for face, data in files.items()}


def maths_letters(text: str) -> str:
    """Add the italic letters that a browser sets for a single letter in <mi>: T is shown as U+1D447."""
    return text + "".join(filter(None, map(_italics().get, sorted(set(text)))))


@functools.cache
def _italics() -> dict[str, str]:
    """Map each Latin and Greek letter to its mathematical italic; h alone lies elsewhere, as Planck's constant."""
    block = map(chr, range(0x1D434, 0x1D714))
    pairs = {unicodedata.normalize("NFKC", letter): letter for letter in block if _is_italic(letter)}
    return pairs | {"h": "\u210e"}


def _is_italic(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith("MATHEMATICAL ITALIC ")


@functools.cache
def cut(face: str, characters: str, features: tuple[str, ...] | None = None) -> bytes:
    """Return a face as WOFF2, cut to some characters and features of the font, to those of the face if not said."""
    asked = FACES[face].features if features is None else features
    font = _usual(face, asked) if _USUAL.issuperset(characters) else _open(face)
    return _cut(font, face, characters, asked, "woff2")


_USUAL = frozenset(ALWAYS)


def _usual(face: str, features: tuple[str, ...]) -> TTFont:
    """Return a face with the usual characters alone: to cut it further takes half as long, and gives the same bytes."""
    return TTFont(io.BytesIO(_cut_usual(face, features)), recalcTimestamp=False, lazy=True)


@functools.cache
def _cut_usual(face: str, features: tuple[str, ...]) -> bytes:
    return _cut(_open(face), face, ALWAYS, features, None)


def _cut(font: TTFont, face: str, characters: str, features: tuple[str, ...], flavor: str | None) -> bytes:
    options = cutter.Options()
    options.layout_features = list(features)
    options.hinting = False
    options.notdef_outline = True
    # The subsetter would look through every table for names that are used: a third of its time, for none.
    names, options.drop_tables = font["name"], [*options.drop_tables, "name"]
    work = cutter.Subsetter(options)
    work.populate(text=characters)
    if "MATH" in font:
        _ease_roots(font)
    work.subset(font)
    font["name"] = names
    names.names = [record for record in names.names if _kept(record)]
    _rename(font, FACES[face].name)
    font.flavor = flavor
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


def _ease_roots(font: TTFont) -> None:
    """Set a root's bar clear of what it covers, and make tall roots as narrow as the small one.

    Chromium leaves behind each root the room of the widest; none of a font's tall ones need be wider than the first.
    """
    table, glyphs, widths = font["MATH"].table, font["glyf"], font["hmtx"]
    table.MathConstants.RadicalVerticalGap.Value = _ROOT_GAP
    small = font.getBestCmap()[ord("√")]
    variants = table.MathVariants
    tall = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(small)]
    names = [one.VariantGlyph for one in tall.MathGlyphVariantRecord]
    names += [part.glyph for part in tall.GlyphAssembly.PartRecords]
    for name in names:
        by = widths[small][0] / widths[name][0]
        glyphs[name].coordinates.scale((by, 1))
        glyphs[name].recalcBounds(glyphs)
        widths[name] = (widths[small][0], glyphs[name].xMin)


_ROOT_GAP = 130  # of 1000 to the em; the font's own 85 lets the bar touch the letters at the size of text


def _kept(record: NameRecord) -> bool:
    """Tell whether a font must keep a name: copyright, licence and its address, in English, as Unicode."""
    return record.nameID in (0, 13, 14) and record.isUnicode() and record.langID == _IN_ENGLISH


_IN_ENGLISH = 0x409


def _rename(font: TTFont, name: str) -> None:
    """Give the cut font a name without the reserved word: 1 family, 2 style, 4 full, 6 PostScript."""
    for key, text in ((1, name), (2, "Regular"), (4, name), (6, name.replace(" ", ""))):
        font["name"].setName(text, key, 3, 1, _IN_ENGLISH)


def _file(package: str, path: str) -> Path:
    """Find a file of an installed package without running the package (ziamath draws on import)."""
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise FileNotFoundError(f"the package {package} is not installed")
    return Path(found.submodule_search_locations[0]) / path


def _open(face: str) -> TTFont:
    """Read a face; its time stamp stays the designer's, so that equal inputs give equal bytes."""
    data = _file(FACES[face].package, FACES[face].path).read_bytes()
    return TTFont(io.BytesIO(data), recalcTimestamp=False, lazy=True)


def font_files_for_export() -> list[Path]:
    """List the files of the faces that figures are set in."""
    return [_file(FACES[face].package, FACES[face].path) for face in ("sans", "sans-semibold")]


def licence() -> str:
    """Compose the licence text that goes out beside the cut fonts: who holds which copyright, then the OFL itself."""
    holders = [f"{FACES[face].name}: {_open(face)['name'].getDebugName(0)}" for face in FACES]
    text = _file("font_source_serif_pro", "files/LICENSE.txt").read_text(encoding="utf-8")
    _, mark, rest = text.partition("-----------------------------------------------------------\nSIL OPEN FONT LICENSE")
    if not mark:
        raise ValueError("the licence of font-source-serif-pro no longer holds the text of the SIL Open Font License")
    opening = "The fonts in this folder are cut from other fonts to the glyphs in use, and renamed.\n\n"
    return opening + "\n".join(holders) + "\n\nAll are under the licence below.\n\n" + mark + rest


@dataclass(frozen=True, slots=True, kw_only=True)
class Fallback:
    """How to draw a system font so that the page does not jump when ours arrives; fractions for @font-face."""

    size_adjust: float
    ascent: float
    descent: float


# Mean advance (em) of English text, by the letter frequencies below, in the fonts that every system has or imitates
# metric for metric (Liberation, Tinos, Nimbus): Times New Roman and Arial. Measured once from the Liberation files.
SYSTEM: Mapping[str, float] = MappingProxyType(
    {"serif": 0.3951, "serif-italic": 0.3968, "serif-semibold": 0.4202, "sans": 0.4362, "sans-semibold": 0.4713}
)
# Letters in a hundred of running English, blanks and stops included (rounded; only their mean matters).
_ENGLISH = (
    {" ": 18.3, "e": 10.3, "t": 7.5, "a": 6.5, "o": 6.2, "i": 5.7, "n": 5.7, "s": 5.3, "r": 5.0, "h": 5.0, "l": 3.3}
    | {"d": 3.3, "u": 2.3, "c": 2.2, "m": 2.0, "f": 2.0, "w": 1.7, "g": 1.6, "p": 1.5, "y": 1.4, "b": 1.3, "v": 0.8}
    | {"k": 0.6, ".": 1.1, ",": 1.0}
)


def fallback(face: str) -> Fallback:
    """Match a system font to a text face: the same mean advance, and the same ascent and descent after scaling."""
    font = _open(face)
    em = font["head"].unitsPerEm
    glyphs, advances = font.getBestCmap(), font["hmtx"]
    total = sum(advances[glyphs[ord(letter)]][0] * share for letter, share in _ENGLISH.items())
    size = total / sum(_ENGLISH.values()) / em / SYSTEM[face]
    return Fallback(size_adjust=size, ascent=font["hhea"].ascent / em / size, descent=-font["hhea"].descent / em / size)
