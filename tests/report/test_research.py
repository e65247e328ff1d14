"""Research pages: each page and its twin in data say the same, entry by entry, and both say what the file says."""

from __future__ import annotations

import json
import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import html5lib
import pytest
import yaml

from report import schemas
from report.research.plain import plain

PAGES = ("heuristics", "machines", "memory-wall", "red-team", "reverse-mode", "tricks")
EVERY = pytest.mark.parametrize("slug", PAGES)
FIELDS = ("what", "against", "result")


@cache
def tree(text: str) -> Any:
    return html5lib.parse(text, namespaceHTMLElements=False)


def page(site: Path, slug: str) -> Any:
    return tree((site / "research" / slug / "index.html").read_text(encoding="utf-8"))


def twin(site: Path, slug: str) -> Any:
    return json.loads((site / "research" / slug / "index.json").read_bytes())


def written(root: Path, slug: str) -> Any:
    return yaml.safe_load((root / "content" / "research" / f"{slug}.yaml").read_text(encoding="utf-8"))


def has(part: Any, name: str) -> bool:
    return name in (part.get("class") or "").split()


def inner(part: Any) -> str:
    """Return what stands in an element, as markup; the parser names MathML's elements with their namespace."""
    text = escape(part.text or "") + "".join(ElementTree.tostring(child, encoding="unicode") for child in part)
    return re.sub(r"(</?)ns\d+:", r"\1", text)


def said(part: Any) -> str:
    return plain(inner(part))


def entries(html: Any) -> list[dict[str, Any]]:
    """Return the entries of a page as a reader meets them: a heading, then its parts up to the next heading."""
    found: list[dict[str, Any]] = []
    for part in html.iter():
        if part.tag == "h2":
            found.append({"id": part.get("id"), "title": said(part)})
        elif has(part, "research-says"):
            found[-1]["says"] = said(part)
        elif has(part, "research-how"):
            found[-1]["derivation"] = said(part)
        elif has(part, "research-rests"):
            found[-1] |= rests(part)
    return [entry for entry in found if "says" in entry]


def rests(part: Any) -> dict[str, Any]:
    (standing,) = (child for child in part.iter() if has(child, "standing"))
    works = [child.get("data-cite") for child in part.iter("a") if has(child, "cite")]
    rows = [child.get("data-row") for child in part.iter("details")]
    facts = [[said(fact) for fact in child.iter() if has(fact, "fact")] for child in part.iter("details")]
    return {"status": said(standing), "works": works, "rows": dict(zip(rows, facts, strict=True))}


def log(html: Any) -> list[dict[str, str]]:
    (listed,) = (part for part in html.iter("ol") if has(part, "research-log"))
    return [
        {name: said(part) for name in FIELDS for part in line.iter("p") if has(part, f"log-{name}")}
        | {"status": next(said(part) for part in line.iter("span") if has(part, "outcome")).lower()}
        for line in listed.iter("li")
    ]


@EVERY
def test_page_and_twin_say_the_same_entry_by_entry(site: Path, slug: str) -> None:
    shown, data = entries(page(site, slug)), twin(site, slug)["entries"]
    assert [entry["id"] for entry in shown] == [entry["id"] for entry in data]
    for one, other in zip(shown, data, strict=True):
        for key in ("title", "says", "derivation", "status"):
            assert one[key] == other[key] != "", (slug, one["id"], key)
        sources = {source["id"]: source for source in other["sources"]}
        assert [*one["works"], *one["rows"]] == sorted(sources, key=lambda name: "/" in name)
        for name, facts in one["rows"].items():
            assert facts == [plain(fact["value"]) for fact in sources[name]["facts"]], (slug, one["id"], name)


@EVERY
def test_page_and_twin_keep_the_same_log(site: Path, slug: str) -> None:
    assert log(page(site, slug)) == twin(site, slug)["log"] != []


@EVERY
def test_both_hold_what_the_file_holds(site: Path, root: Path, slug: str) -> None:
    source, data = written(root, slug), twin(site, slug)
    assert (data["title"], data["description"]) == (source["title"], source["description"])
    told = re.split(r"\{\{.*?\}\}|\{%.*?%\}", source["lead"])
    assert all(" ".join(part.split()) in data["lead"] for part in told)
    for one, other in zip(source["entries"], data["entries"], strict=True):
        assert (one["id"], one["status"]) == (other["id"], other["status"])
        assert one["sources"] == [source["id"] for source in other["sources"]]
    assert [line["status"] for line in source["log"]] == [line["status"] for line in data["log"]]


@EVERY
def test_head_and_opening_stand_on_the_page(site: Path, slug: str) -> None:
    html, data = page(site, slug), twin(site, slug)
    assert [said(part) for part in html.iter("h1")] == [data["title"]]
    assert [said(part) for part in html.iter() if has(part, "lead")] == [data["lead"]]
    assert [said(part) for part in html.iter() if has(part, "research-intro")] == [data["intro"]]


@EVERY
def test_texts_of_the_twin_are_plain(site: Path, slug: str) -> None:
    data = twin(site, slug)
    for text in [data["intro"], *(entry[key] for entry in data["entries"] for key in ("says", "derivation"))]:
        assert not set(text) & set("<>{}$\\"), text
        assert all(ord(mark) < 0xE000 for mark in text), text


@EVERY
def test_citations_count_up_and_lead_to_the_references(site: Path, slug: str) -> None:
    html = page(site, slug)
    met = list(dict.fromkeys(part.get("data-cite") for part in html.iter("a") if has(part, "cite")))
    (listed,) = (part for part in html.iter("section") if has(part, "references"))
    assert [f"ref-{key}" for key in met] == [part.get("id") for part in listed.iter("li")]
    for part in html.iter("a"):
        if has(part, "cite"):
            assert said(part).strip("[]").split(",")[0] == str(met.index(part.get("data-cite")) + 1)


def test_the_index_lists_every_page_and_the_navigation_names_it_once(site: Path) -> None:
    index = tree((site / "research" / "index.html").read_text(encoding="utf-8"))
    (listed,) = (part for part in index.iter("ul") if has(part, "research-list"))
    hrefs = [part.get("href") for part in listed.iter("a")]
    assert sorted(hrefs) == sorted(f"{slug}/index.html" for slug in PAGES)
    (nav,) = (part for part in page(site, "tricks").iter("nav") if has(part, "site-pages"))
    links = {said(part): part.get("aria-current") for part in nav.iter("a")}
    assert links["Research"] == "true"
    assert links["Report"] is None
    assert list(links).count("Research") == 1


@EVERY
def test_each_page_leads_to_the_others(site: Path, slug: str) -> None:
    (nav,) = (part for part in page(site, slug).iter("nav") if has(part, "research-pages"))
    hrefs = [part.get("href") for part in nav.iter("a")]
    assert sorted(hrefs) == sorted(["../index.html", *(f"../{name}/index.html" for name in PAGES if name != slug)])


def test_every_reference_is_marked_with_how_far_it_was_checked(site: Path) -> None:
    for slug in PAGES:
        for entry in twin(site, slug)["entries"]:
            assert all(source["checked"] for source in entry["sources"]), entry["id"]


def test_the_schema_of_the_pages_is_published(site: Path) -> None:
    assert json.loads((site / "data" / "schema" / "research.json").read_bytes()) == schemas.of_research()
