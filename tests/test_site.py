"""The whole site as a reader's browser and a host see it, built from the real content."""

import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urljoin

import pytest

from report.twins.names import names
from report.written import Written
from tests.rendering import parsed, rendered

PAGES = ("index.html", "numbers/index.html", "note/index.html", "numbers/note/index.html")
HOSTILE = "A</script><!-- <script> & \"quoted\" \u2028 'end'"
POLICY = "script-src 'self'; style-src 'self'"


def elements(document: Any, name: str) -> list[Any]:
    """Return all elements of a parsed document that have a name."""
    return [found for found in document.iter() if str(found.tag).rpartition("}")[2] == name]


@pytest.fixture
def content(root: Path, tmp_path: Path) -> Iterator[Path]:
    """Return a copy of the content that a test may spoil."""
    return Path(shutil.copytree(root / "content", tmp_path / "content"))


def test_a_hostile_name_stays_a_name(tree: dict[str, bytes], content: Path) -> None:
    rows = content / "catalogue" / "machines.yaml"
    quoted = HOSTILE.replace("\\", "\\\\").replace('"', '\\"').replace("\u2028", "\\u2028")
    text = rows.read_text(encoding="utf-8").replace("    short: V100\n", f'    short: "{quoted}"\n', 1)
    rows.write_text(text, encoding="utf-8")
    spoilt = rendered(content)
    before, after = parsed(tree["index.html"]), parsed(spoilt["index.html"])
    assert len(elements(after, "script")) == len(elements(before, "script"))
    (choices,) = [data.decode() for path, data in spoilt.items() if path.startswith("assets/choices-")]
    groups = json.loads(choices.partition("globalThis.choices = ")[2].strip().removesuffix(";"))["machine"]
    options = [name for _, group in groups for _, name in group]
    assert any(option.startswith(HOSTILE) for option in options)
    heads = ["".join(cell.itertext()) for cell in elements(after, "th")]
    assert HOSTILE in heads
    scripts = [data for path, data in spoilt.items() if path.endswith(".js") and "vega-" not in path]
    assert not any(b"</script" in data or b"<!--" in data for data in scripts)


@pytest.mark.parametrize("path", PAGES)
def test_the_page_loads_nothing_from_elsewhere_and_runs_no_inline_script(tree: dict[str, bytes], path: str) -> None:
    page = parsed(tree[path])
    policy = [meta.get("content") for meta in elements(page, "meta") if "Policy" in (meta.get("http-equiv") or "")]
    assert len(policy) == 1
    assert POLICY in policy[0]
    assert "unsafe" not in policy[0]
    assert all(script.get("src") and not script.text for script in elements(page, "script"))
    assert not elements(page, "style")
    assert not any(found.get("style") for found in page.iter())
    loads = [found.get("src") for found in page.iter() if found.get("src")]
    loads += [link.get("href") for link in elements(page, "link")]
    assert loads
    here = posixpath.dirname(path)
    assert all(
        load.startswith("data:image/") or posixpath.normpath(posixpath.join(here, load)) in tree for load in loads
    )


BASES = ("https://example.org/", "https://example.org/a/nested/base/", "file:///home/somebody/a%20folder/site/")


def references(page: Any) -> Iterator[str]:
    """Yield every address that a page names: links, pictures, scripts, what scripts load later."""
    for found in page.iter():
        yield from (found.get(key) for key in ("href", "src") if found.get(key))
        yield from (part.split()[0] for part in (found.get("srcset") or "").split(",") if part.strip())
        yield from json.loads(found.get("data-files") or "{}").values()


@pytest.mark.parametrize("base", BASES)
def test_every_link_leads_somewhere_wherever_the_site_stands(tree: dict[str, bytes], base: str) -> None:
    documents = {path: parsed(data) for path, data in tree.items() if path.endswith(".html")}
    assert set(PAGES) <= set(documents)
    ids = {path: [one.get("id") for one in page.iter() if one.get("id")] for path, page in documents.items()}
    outside = ("https://", "http://", "data:", "#v=")
    for path, page in documents.items():
        assert len(ids[path]) == len(set(ids[path])), path
        for link in references(page):
            if link.startswith(outside):
                continue
            whole, place = urldefrag(urljoin(base + path, link))
            assert whole.startswith(base), f"{path}: {link}"
            file = whole.removeprefix(base)
            assert file in tree, f"{path}: {link}"
            assert not place or place.startswith("v=") or place in ids[file], f"{path}: {link}"


def test_formulas_are_mathml_once_and_need_no_style_sheet_of_their_own(tree: dict[str, bytes]) -> None:
    page = parsed(tree["index.html"])
    formulas = elements(page, "math")
    assert len(formulas) > 10
    assert not any("katex" in (found.get("class") or "") for found in page.iter())
    assert not elements(page, "annotation")
    assert not elements(page, "semantics")
    assert "katex" not in tree[next(path for path in tree if path.endswith(".css"))].decode()


# What is left where a number, a formula or a template came to nothing, or was not read as one.
LEFT = re.compile(
    r"\\frac|\\text|\{\{|\{%|\$\$|\bNaN\b|undefined|Infinity|katex"
    r"|[^\s|] {2,}[^\s|]|\( | \)| [,;.](?=\s)|\b(?:is|of|at|to|than|and|from|or|in|with) [,.;:)]"
)


def test_nothing_is_left_in_the_text_of_any_page_where_something_should_be(tree: dict[str, bytes]) -> None:
    pages = [path for path in tree if path.endswith(".html")]
    assert len(pages) > 20
    left = {}
    for path in pages:
        for main in elements(parsed(tree[path]), "main"):
            text = "".join(main.itertext())
            for found in LEFT.finditer(text):
                left[f"{path} {found.start()}"] = text[max(0, found.start() - 40) : found.end() + 20]
    assert left == {}
    assert [path for path in pages if b"cc0000" in tree[path] or b"katex-error" in tree[path]] == []


@pytest.mark.parametrize("text", ["for an H100 . GPT", "it is , and", "takes  tokens", "( tokens)", "$$ x", "a NaN"])
def test_a_hole_would_be_seen(text: str) -> None:
    assert LEFT.search(text)


@pytest.mark.parametrize("path", ["index.html", "numbers/index.html", "data/numbers.json", "data/claims.json"])
def test_no_private_character_reaches_a_page(tree: dict[str, bytes], path: str) -> None:
    assert not any(ord(letter) >= 0xE000 and ord(letter) not in range(0xF900, 0xFFFE) for letter in tree[path].decode())


# As on a computer with one core, where no worker helps.
ALONE = (
    "import os, sys; os.cpu_count = lambda: 1; sys.path.insert(0, sys.argv.pop(1)); "
    "import build; sys.exit(build.main())"
)


def test_the_same_content_gives_the_same_bytes_anywhere(root: Path, tmp_path: Path) -> None:
    environments = [
        {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "2", "TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8"},
    ]
    trees = []
    for number, changes in enumerate(environments):
        home = tmp_path / f"place{number}" / "deeper"[: number * 6]
        shutil.copytree(root / "content", home / "content")
        out = home / "out"
        flags = ["--no-cache", f"--content={home / 'content'}", f"--out={out}"]
        command = [sys.executable, *(["-c", ALONE, str(root)] if number else [str(root / "build.py")]), *flags]
        subprocess.run(command, cwd=home, env={**os.environ, **changes}, check=True, capture_output=True)
        trees.append({path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()})
    first, second = trees
    assert sorted(first) == sorted(second)
    assert [path for path in first if first[path] != second[path]] == []


def test_every_path_of_the_site_is_known_before_it_is_made(tree: dict[str, bytes], written: Written) -> None:
    shelf = written.made[0].parts.shelf
    known = names(written.found, shelf)
    made = {path for path in tree if not path.startswith("assets/")}
    assert made <= known
    assert all(path.startswith("data/previews/") for path in known - made)


def test_an_address_goes_into_what_needs_one_and_nowhere_else(tree: dict[str, bytes], root: Path) -> None:
    placed = rendered(root / "content", "https://example.org/a/b/")
    links = {link.get("rel"): link.get("href") for link in elements(parsed(placed["index.html"]), "link")}
    assert links["canonical"] == "https://example.org/a/b/"
    assert b"<loc>https://example.org/a/b/numbers/</loc>" in placed["sitemap.xml"]
    assert "sitemap.xml" not in tree
    assert b"canonical" not in tree["index.html"]
    changed = [path for path in tree if tree[path] != placed[path]]
    assert all(path.endswith(".html") for path in changed), changed
