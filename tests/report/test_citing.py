"""How the report wants to be cited, on its pages and in files, as CITATION.cff says it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from bibtexparser.entrypoint import parse_string

from report import citing
from tests.rendering import parsed, rendered

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "https://example.org/a/nested/base/"
CFF = """
title: A report
version: 1.2.0
date-released: 2026-11-30
authors: [{family-names: One, given-names: Ann}, {name: The Two}]
references:
  - {title: An older one, authors: [{family-names: Three, given-names: B.}], url: 'https://example.org/', year: 2024}
"""


@pytest.fixture(scope="module")
def placed() -> dict[str, bytes]:
    return rendered(ROOT / "content", ADDRESS)


@pytest.fixture(scope="module")
def bare(tree: dict[str, bytes]) -> dict[str, bytes]:
    return tree


def metas(page: bytes) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for meta in parsed(page).iter("meta"):
        name = meta.get("name") or meta.get("property")
        found.setdefault(name, []).append(meta.get("content"))
    return found


def test_an_entry_holds_what_the_file_says(tmp_path: Path) -> None:
    file = tmp_path / "CITATION.cff"
    file.write_text(CFF, encoding="utf-8")
    mine, theirs = citing.load(file)
    (entry,) = parse_string(mine.bibtex(url="https://example.org/b/")).entries
    fields = {field.key: field.value for field in entry.fields}
    assert fields == {
        "title": "A report",
        "author": "Ann One and {The Two}",
        "year": "2026",
        "version": "1.2.0",
        "url": "https://example.org/b/",
    }
    assert "year = {2024}" in theirs.bibtex()
    assert 'author = "B. Three"' in theirs.bibtex()


def test_what_nobody_said_is_left_out() -> None:
    mine, theirs = citing.load()
    dated = "date-released" in yaml.safe_load(citing.FILE.read_text(encoding="utf-8"))
    assert ("year" in mine.bibtex()) == dated
    assert "url" not in mine.bibtex()
    assert "year" not in theirs.bibtex()


def test_pages_carry_citation_tags_and_the_entry(placed: dict[str, bytes]) -> None:
    for path in ("index.html", "note/index.html", "research/index.html"):
        found, text = metas(placed[path]), placed[path].decode()
        assert found["citation_author"] == ["The report's maintainers"]
        assert found["citation_title"] == found["og:title"]
        assert found["citation_public_url"] == found["og:url"] == [ADDRESS + path.removesuffix("index.html")]
        assert f"url = {{{found['og:url'][0]}}}" in text
        assert "@misc{bulatov-memory-wall," in text
    assert "citation_title" not in metas(placed["numbers/index.html"])


def test_files_hold_the_same_and_no_address(placed: dict[str, bytes], bare: dict[str, bytes]) -> None:
    assert placed["data/CITATION.cff"] == (ROOT / "CITATION.cff").read_bytes()
    assert len(parse_string(placed["data/citation.bib"].decode()).entries) == 2
    assert placed["data/citation.bib"] == bare["data/citation.bib"]


def test_previews_want_an_address_and_then_have_a_picture(placed: dict[str, bytes], bare: dict[str, bytes]) -> None:
    for path in [path for path in placed if path.endswith(".html") and path != "404.html"]:
        (picture,) = metas(placed[path])["og:image"]
        assert picture.startswith(ADDRESS)
        assert placed[picture.removeprefix(ADDRESS)][:4] == b"\x89PNG"
        assert metas(placed[path])["og:image:alt"][0]
        assert "og:image" not in metas(bare[path])
    assert metas(placed["index.html"])["og:image"] != metas(placed["note/index.html"])["og:image"]


def test_a_lost_reader_finds_back_from_any_depth(placed: dict[str, bytes], bare: dict[str, bytes]) -> None:
    """The page is shown at addresses of any depth, so nothing in it may be relative to where it lies."""
    page = parsed(placed["404.html"])
    used = [one.get(key) for one in page.iter() for key in ("href", "src") if one.get(key)]
    inner = [link for link in used if not link.startswith(("data:", "#")) and "://" not in link]
    assert inner == []
    ours = [link for link in used if link.startswith(ADDRESS)]
    assert ADDRESS + "index.html" in ours
    assert all(link.removeprefix(ADDRESS) in placed for link in ours)
    assert metas(placed["404.html"])["robots"] == ["noindex"]
    assert "canonical" not in placed["404.html"].decode()
    assert b"404.html" not in placed["sitemap.xml"]
    alone = parsed(bare["404.html"])
    assert [one for one in alone.iter() if one.get("src") or one.tag == "link"] == []
    assert [link.get("href") for link in alone.iter("a")] == ["index.html"]
