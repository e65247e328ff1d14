"""Asset addresses: they follow the bytes, and only the bytes."""

from __future__ import annotations

import re

import pytest

from report.assets import hashed_name, lean, publish

SHEET = b'@font-face { src: url("serif.woff2") format("woff2"); } a { background: url("data:image/png;base64,AA") }'
FILES = {"style.css": SHEET, "serif.woff2": b"font", "page.js": b"script"}


def test_a_name_carries_a_hash_between_stem_and_suffix() -> None:
    assert re.fullmatch(r"style-[0-9a-f]{8}\.css", hashed_name("style.css", b"x"))


def test_a_sheet_names_the_hashed_font_that_lies_beside_it() -> None:
    published, paths = publish(FILES)
    font = paths["serif.woff2"].removeprefix("assets/")
    assert f'url("{font}")'.encode() in published[paths["style.css"]]
    assert b'url("data:image/png;base64,AA")' in published[paths["style.css"]]


def test_one_changed_byte_moves_that_file_and_those_that_name_it() -> None:
    _, before = publish(FILES)
    _, after = publish({**FILES, "serif.woff2": b"fonT"})
    assert {name for name in before if before[name] != after[name]} == {"serif.woff2", "style.css"}
    _, script = publish({**FILES, "page.js": b"scripT"})
    assert {name for name in before if before[name] != script[name]} == {"page.js"}


def test_the_order_of_the_files_does_not_matter() -> None:
    assert publish(FILES) == publish(dict(reversed(FILES.items())))


def test_a_font_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"style\.css names 'serif\.woff2', which is not among the assets: page\.js"):
        publish({name: data for name, data in FILES.items() if name != "serif.woff2"})


@pytest.mark.parametrize("name", ["_part.js", ".hidden.css", "fonts/serif.woff2", "../style.css"])
def test_a_name_that_would_not_reach_the_site_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="neither dot nor underscore"):
        hashed_name(name, b"")


def test_a_lean_sheet_has_neither_comments_nor_indentation() -> None:
    sheet = '/* A\n comment. */\na::before {\n  content: "/* a text */";  /* another */\n}\n\n'
    assert lean(sheet) == 'a::before {\ncontent: "/* a text */";\n}\n'
