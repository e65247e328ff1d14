"""The cut fonts: what they hold, how large they are, and that they carry licence but not the reserved name."""

from __future__ import annotations

import io

import pytest
from fontTools.ttLib import TTFont

from report import fonts
from report.figures import theme

TEXT_FACES = [face for face in fonts.FACES if face != "math"]


@pytest.fixture(scope="module")
def cut() -> dict[str, bytes]:
    return fonts.subset(dict.fromkeys(TEXT_FACES, "Backprop Řezáč") | {"math": "T ⟶ ℎ"})


def opened(data: bytes) -> TTFont:
    return TTFont(io.BytesIO(data))


@pytest.mark.parametrize("face", TEXT_FACES)
def test_a_text_face_holds_its_text_and_what_live_numbers_can_need(cut: dict[str, bytes], face: str) -> None:
    glyphs = opened(cut[f"{face}.woff2"]).getBestCmap()
    drawn_upright = "←→↑↓" if face == "serif-italic" else ""  # Source Serif's italic has no arrows
    assert {ord(letter) for letter in fonts.ALWAYS + "Ř"} - set(glyphs) == set(map(ord, drawn_upright))


@pytest.mark.parametrize("face", TEXT_FACES)
def test_glyphs_that_nobody_uses_are_left_out(cut: dict[str, bytes], face: str) -> None:
    whole, part = fonts._open(face), opened(cut[f"{face}.woff2"])
    assert ord("ș") in whole.getBestCmap()
    assert ord("ș") not in part.getBestCmap()


@pytest.mark.parametrize("face", ["serif", "serif-italic", "serif-semibold"])
def test_the_serif_keeps_old_style_and_lining_figures_ligatures_and_kerning(cut: dict[str, bytes], face: str) -> None:
    font = opened(cut[f"{face}.woff2"])
    features = {r.FeatureTag for table in ("GSUB", "GPOS") for r in font[table].table.FeatureList.FeatureRecord}
    assert {"onum", "lnum", "tnum", "pnum", "liga", "kern"} <= features


@pytest.mark.parametrize("face", ["sans", "sans-semibold"])
def test_the_sans_has_tabular_lining_figures_as_they_are(cut: dict[str, bytes], face: str) -> None:
    font = opened(cut[f"{face}.woff2"])
    glyphs = font.getBestCmap()
    assert len({font["hmtx"][glyphs[ord(digit)]][0] for digit in "0123456789"}) == 1


def test_maths_keeps_its_table_its_italics_and_the_smaller_forms_of_indices(cut: dict[str, bytes]) -> None:
    font = opened(cut["math.woff2"])
    assert font["MATH"].table.MathConstants.AxisHeight.Value > 0
    assert {0x1D447, 0x210E, 0x1D6FD} <= set(font.getBestCmap())  # italic T, italic h, italic beta
    assert "ssty" in {record.FeatureTag for record in font["GSUB"].table.FeatureList.FeatureRecord}


def test_maths_can_stretch_a_fence(cut: dict[str, bytes]) -> None:
    font = opened(cut["math.woff2"])
    variants = font["MATH"].table.MathVariants
    grown = dict(zip(variants.VertGlyphCoverage.glyphs, variants.VertGlyphConstruction, strict=True))
    assert len(grown[font.getBestCmap()[ord("(")]].MathGlyphVariantRecord) > 3


def test_a_root_leaves_no_room_behind_it_and_none_is_wider_than_the_smallest(cut: dict[str, bytes]) -> None:
    whole, part = fonts._open("math"), opened(cut["math.woff2"])
    for font, widest in ((whole, 1212), (part, 794)):
        small, variants = font.getBestCmap()[ord("√")], font["MATH"].table.MathVariants
        grown = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(small)]
        names = [one.VariantGlyph for one in grown.MathGlyphVariantRecord]
        names += [one.glyph for one in grown.GlyphAssembly.PartRecords]
        assert len(names) == 7
        assert max(font["hmtx"][name][0] for name in names) == widest
    gaps = [font["MATH"].table.MathConstants.RadicalVerticalGap.Value for font in (whole, part)]
    assert gaps[1] > gaps[0]


def test_single_letters_ask_for_their_italic() -> None:
    assert set("𝑇ℎ𝛽") <= set(fonts.maths_letters("Thβ"))
    assert fonts.maths_letters("+7") == "+7"


@pytest.mark.parametrize(("face", "limit"), [*((face, 28_000) for face in TEXT_FACES), ("math", 60_000)])
def test_a_file_stays_small(cut: dict[str, bytes], face: str, limit: int) -> None:
    assert len(cut[f"{face}.woff2"]) < limit


def test_equal_text_gives_equal_bytes_whatever_its_order(cut: dict[str, bytes]) -> None:
    fonts.cut.cache_clear()
    again = fonts.subset({"serif": "".join(reversed("Backprop Řezáč"))})
    assert again["serif.woff2"] == cut["serif.woff2"]


def test_an_unknown_face_is_named_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"unknown face 'mono'; the faces are serif, "):
        fonts.subset({"mono": "x"})


@pytest.mark.parametrize("face", fonts.FACES)
def test_a_cut_font_keeps_its_copyright_and_drops_the_reserved_name(cut: dict[str, bytes], face: str) -> None:
    names = opened(cut[f"{face}.woff2"])["name"]
    assert "Copyright" in names.getDebugName(0) or "©" in names.getDebugName(0)
    assert "Open Font License" in names.getDebugName(13)
    for record in (1, 4, 6):
        assert names.getDebugName(record).startswith("Wall")


def test_the_licence_text_names_every_holder_and_is_the_whole_licence() -> None:
    text = fonts.licence()
    assert "Adobe" in text
    assert "STIX Fonts Project" in text
    assert "PERMISSION & CONDITIONS" in text
    assert text.count("SIL OPEN FONT LICENSE") == 1


def test_a_licence_file_without_the_licence_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pathlib.Path.read_text", lambda *_, **__: "Copyright somebody")
    with pytest.raises(ValueError, match="no longer holds the text"):
        fonts.licence()


def test_the_export_is_given_both_weights_of_the_family_of_figures_and_no_other() -> None:
    fonts_given = [TTFont(file) for file in fonts.font_files_for_export()]
    names = [font["name"].getBestFamilyName() for font in fonts_given]
    assert names == [theme.FAMILY, theme.FAMILY]
    assert [font["OS/2"].usWeightClass for font in fonts_given] == [400, theme.SEMIBOLD]


@pytest.mark.parametrize("face", fonts.SYSTEM)
def test_a_fallback_has_the_line_height_of_the_face_it_stands_for(face: str) -> None:
    match, font = fonts.fallback(face), fonts._open(face)
    drawn = (match.ascent + match.descent) * match.size_adjust * font["head"].unitsPerEm
    assert drawn == pytest.approx(font["hhea"].ascent - font["hhea"].descent)
    assert 0.8 < match.size_adjust < 1.25


def test_a_font_package_that_is_missing_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="the package font_of_nobody is not installed"):
        fonts._file("font_of_nobody", "x.ttf")
