"""The look: tokens with enough contrast in both themes, fonts that exist, templates that obey the policy."""

from __future__ import annotations

import ast
import itertools
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import html5lib
import pytest
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from report import fonts

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
SHEET = (TEMPLATES / "static" / "style.css").read_text(encoding="utf-8")
BARE = re.sub(r"/\*.*?\*/", "", SHEET, flags=re.DOTALL)
MEANINGS = ("--arithmetic", "--bytes", "--capacity", "--fabric", "--statistics")
TEXT = ("--ink", "--muted", *MEANINGS)
GROUNDS = ("--paper", "--raised", "--sunk")


def tokens(selector: str) -> dict[str, str]:
    """Return the colours that the first block of a selector sets."""
    block = BARE.split(selector + " {", 1)[1].split("}", 1)[0]
    return dict(re.findall(r"(--[a-z]+):\s*(#[0-9a-f]{3,6})\b", block))


LIGHT = tokens(":root")
DARK = tokens(':root[data-theme="dark"]')
PRINT = LIGHT | tokens(':root, :root:not([data-theme="light"]), :root[data-theme]')
THEMES = {"light": LIGHT, "dark": DARK, "print": PRINT}


def linear(colour: str) -> list[float]:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return WCAG's contrast of two colours, 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_the_ruler_itself_measures_black_on_white_as_21() -> None:
    assert contrast("#000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize(("theme", "token", "ground"), list(itertools.product(THEMES, TEXT, GROUNDS)))
def test_text_has_a_contrast_of_at_least_4_5(theme: str, token: str, ground: str) -> None:
    assert contrast(THEMES[theme][token], THEMES[theme][ground]) >= 4.5


@pytest.mark.parametrize(("theme", "ground"), list(itertools.product(THEMES, GROUNDS)))
def test_marks_have_a_contrast_of_at_least_3(theme: str, ground: str) -> None:
    assert contrast(THEMES[theme]["--edge"], THEMES[theme][ground]) >= 3


def test_the_system_s_dark_and_the_chosen_dark_are_one() -> None:
    assert tokens(':root:not([data-theme="light"])') == DARK
    assert set(DARK) == set(LIGHT)


def test_paper_is_warm_by_day_and_not_black_by_night() -> None:
    for theme in (LIGHT, DARK):
        red, green, blue = linear(theme["--paper"])
        assert red > green > blue
    assert luminance(LIGHT["--paper"]) < 0.99
    assert luminance(DARK["--paper"]) > 0.01


# Machado, Oliveira and Fernandes (2009), severity 1, on linear light: what the two common kinds of colour-blind see.
BLIND: Mapping[str, Sequence[Sequence[float]]] = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
}


def lab(light: Sequence[float]) -> tuple[float, float, float]:
    red, green, blue = light
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    a, b, c = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * b - 16, 500 * (a - b), 200 * (b - c)


@pytest.mark.parametrize(("theme", "eye"), list(itertools.product(("light", "dark"), BLIND)))
def test_meanings_stay_apart_for_colour_blind_readers(theme: str, eye: str) -> None:
    seen = {}
    for token in MEANINGS:
        light = linear(THEMES[theme][token])
        mixed = [sum(m * part for m, part in zip(row, light, strict=True)) for row in BLIND[eye]]
        seen[token] = lab([min(1.0, max(0.0, part)) for part in mixed])
    nearest = min(itertools.combinations(seen, 2), key=lambda pair: math.dist(seen[pair[0]], seen[pair[1]]))
    assert math.dist(seen[nearest[0]], seen[nearest[1]]) > 10, nearest  # 2.3 is the least that an eye can tell


def test_every_token_in_use_is_set_and_every_colour_set_is_used() -> None:
    used = set(re.findall(r"var\((--[a-z-]+)", BARE))
    assert used <= set(re.findall(r"(--[a-z-]+):", BARE))
    assert set(LIGHT) <= used


def test_colours_live_in_the_tokens_only() -> None:
    rules = re.sub(r"--[a-z]+:[^;]*;", "", BARE)
    assert not re.findall(r"#[0-9a-fA-F]{3,8}\b|rgba?\(|hsl\(", rules)


def test_the_sheet_names_each_cut_font_and_nothing_from_elsewhere() -> None:
    names = set(re.findall(r'url\("([^"]+)"\)', BARE))
    files = {name for name in names if not name.startswith("data:")}
    assert files == {f"{face}.woff2" for face in fonts.FACES}
    assert "@import" not in BARE
    assert "http" not in re.sub(r"xmlns='http://www\.w3\.org/2000/svg'", "", BARE)


@pytest.mark.parametrize("face", fonts.SYSTEM)
def test_a_fallback_is_drawn_as_the_font_file_asks(face: str) -> None:
    block = SHEET.split(f"@font-face {{ /* {face} */", 1)[1].split("}", 1)[0]
    said = {key: float(value) for key, value in re.findall(r"([a-z-]+): ([\d.]+)%", block)}
    match = fonts.fallback(face)
    wanted = {
        "size-adjust": match.size_adjust,
        "ascent-override": match.ascent,
        "descent-override": match.descent,
        "line-gap-override": 0.0,
    }
    assert said == pytest.approx({key: 100 * value for key, value in wanted.items()}, abs=0.051)


def test_motion_waits_for_readers_who_do_not_mind_it() -> None:
    blocks = re.split(r"@media \(prefers-reduced-motion: no-preference\) \{.*?\n\}", BARE, flags=re.DOTALL)
    assert len(blocks) == 2
    assert not re.findall(r"transition|animation|(?<!over)scroll-behavior", "".join(blocks))


def test_the_theme_script_is_small_and_asks_storage_with_care() -> None:
    script = (TEMPLATES / "static" / "theme.js").read_text(encoding="utf-8")
    assert len(script.encode()) <= 1024
    assert script.index("try") < script.index("localStorage.getItem") < script.index("catch")


# --- templates


def column(key: str, unit: str = "", align: str = "right") -> dict[str, str]:
    return {"key": key, "title": key, "unit": unit, "align": align, "class": "n-bytes" if unit else ""}


TABLE: dict[str, Any] = {
    "id": "table-machines",
    "caption": "<strong>Machines.</strong> Peaks are dense.",
    "wide": True,
    "scrolls": False,
    "stacked": False,
    "downloads": [{"name": "CSV", "href": "data/machines.csv"}],
    "columns": [column("Machine", align="left"), column("Bandwidth", "TB/s")],
    "rows": [
        {"id": "row-a", "link": "#v=1&machine=a", "status": "estimate", "cells": ["A", "1.0"]},
        {"id": "row-b", "link": "", "status": "", "cells": ["B & C", "2.0"]},
    ],
}
CONTROLS: list[dict[str, Any]] = [
    {"kind": "range", "id": "f-T", "label": "T", "key": "T", "param": "", "value": 3, "min": 0, "max": 9, "step": 1},
    {"kind": "check", "id": "f-g", "label": "ghosts", "key": "", "param": "drift_ghosts", "checked": True},
    {"kind": "button", "id": "f-p", "label": "NETtalk on a VAX", "key": "", "param": ""},
    {"kind": "select", "id": "f-s", "label": "beside", "key": "", "param": "x", "value": "b"}
    | {"options": [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]},
]
FIGURE: dict[str, Any] = {
    "id": "fig-drift",
    "number": 1,
    "title": "The drift.",
    "caption_html": "It rose.",
    "alt": 'A rise, steep & "straight"',
    "svg": '<svg role="img" aria-label="wide"></svg>',
    "svg_phone": '<svg role="img" aria-label="phone"></svg>',
    "summary": "It rose.",
    "table": "",
    "controls": CONTROLS,
    "downloads": [{"name": "CSV", "href": "data/drift.csv"}],
}
BOARD: dict[str, Any] = {
    "id": "board",
    "caption": "The claim",
    "then": "VAX",
    "now": "H100",
    "rows": [
        {"says": "balance", "class": "n-arithmetic"} | {key: {"value": "1", "unit": "x"} for key in ("then", "now")}
    ],
}
FIELD = {"name": "peak", "label": "Peak", "example": "989 TFLOP/s", "says": "dense", "required": True, "options": []}
SCENARIO = {"machine": "h100", "format": "", "network": "own", "fabric": "nic", "form": "plain"}
COUNTS = {"T": 2048, "s": 2048, "micro_batches": 1, "devices": 64}


def environment() -> Environment:
    return Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)


def part(name: str, **context: object) -> str:
    return environment().get_template(name).render(context)


CITATION = {
    "authors": ["A. One", "B. <Two>"],
    "date": "2026-11-29",
    "bibtex": "@misc{a, title = {The <wall>}}",
    "original": "@misc{b}",
    "files": [{"name": "BibTeX", "href": "data/citation.bib"}],
}


def page(**changes: object) -> str:
    body = part("_board.html", board=BOARD) + part("_table.html", table=TABLE) + part("_figure.html", figure=FIGURE)
    context: dict[str, Any] = {
        "title": "The wall <1986>",
        "description": 'Says "why"',
        "lead": "One number.",
        "body": body,
        "contents": [{"id": "main", "title": "All", "level": 2}, {"id": "board", "title": "Board", "level": 3}],
        "references": [{"id": "ref-a", "html": "A. <i>B.</i>", "places": []}],
        "site_title": "The wall",
        "pages": [{"title": "Report", "href": "index.html", "current": "page", "text": True}],
        "root": "../",
        "assets": {
            name: f"assets/{name}" for name in ("style.css", "theme.js", "serif.woff2", "math.woff2", "page.js")
        },
        "scripts": ["page.js"],
        "script_data": {"page.js": '{"a": "b"}'},
        "data_href": "data/index.html",
        "original": "https://example.org/",
        "canonical": "https://example.org/report/",
        "preview": {"src": "https://example.org/a.png", "width": 1200, "height": 630, "alt": "A <figure>"},
        "citation": CITATION,
        "robots": "noindex",
        "twin": "index.md",
        "scenario": SCENARIO | COUNTS,
        "machines": [{"label": "Today", "options": [{"id": "h100", "name": "H100"}, {"id": "a", "name": "A"}]}],
        "networks": [{"label": "Yours", "options": [{"id": "own", "name": "your own"}]}],
        "formats": [{"id": "", "name": "bf16"}],
        "brief": {"machine": "H100, 2022", "format": "bf16", "network": "the 7B class", "T": "2,048"},
        "fabrics": [{"id": "nic", "name": "NIC"}],
        "forms": [{"id": "plain", "name": "plain"}],
        "own": [
            {"key": "machine", "label": "Your machine", "fields": [FIELD]},
            {"key": "network", "label": "Your network", "fields": [FIELD | {"name": "d"}]},
        ],
    }
    return part("page.html", **(context | changes))


def parsed(text: str) -> Any:
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)


@pytest.fixture(scope="module")
def tree() -> Any:
    return parsed(page())


def test_a_full_and_a_bare_page_are_well_formed(tree: Any) -> None:
    bare = parsed(page(scenario={}, contents=[], references=[], pages=[], lead="", scripts=[], citation={}, root=""))
    assert tree.find(".//form[@id='scenario']") is not None
    assert bare.find(".//form") is None
    assert bare.find(".//nav") is None
    assert bare.find(".//a[@class='site-title']").get("href") == "index.html"


def test_text_is_escaped_once(tree: Any) -> None:
    assert tree.find(".//h1").text == "The wall <1986>"
    assert tree.find(".//meta[@name='description']").get("content") == 'Says "why"'
    assert tree.find(".//figure").get("data-alt") == FIGURE["alt"]


def test_no_style_or_handler_stands_in_the_markup(tree: Any) -> None:
    for element in tree.iter():
        assert not {name for name in element.attrib if name == "style" or name.startswith("on")}
    assert tree.find(".//style") is None
    assert all(script.get("src") and not script.text for script in tree.iter("script"))


def test_addresses_stay_below_the_page_s_root(tree: Any) -> None:
    sheet = tree.find(".//link[@rel='stylesheet']").get("href")
    scripts = [script.get("src") for script in tree.iter("script")]
    assert [sheet, *scripts] == ["../assets/style.css", "../assets/theme.js", "../assets/page.js"]
    assert not [element.get("href") for element in tree.iter() if str(element.get("href")).startswith("/")]


def test_the_theme_script_blocks_and_comes_before_the_sheet(tree: Any) -> None:
    head = [child for child in tree.find("head") if child.tag == "script" or child.get("rel") == "stylesheet"]
    assert head[0].get("src") == "../assets/theme.js"
    assert head[0].get("defer") is None
    assert head[1].get("rel") == "stylesheet"


def test_every_control_has_a_label_and_each_key_its_name(tree: Any) -> None:
    labelled = {label.get("for") for label in tree.iter("label")}
    wrapped = {inner.get("id") for label in tree.iter("label") for inner in label.iter("input")}
    form = [e for e in tree.find(".//form").iter() if e.tag in {"select", "input"}]
    assert len(form) == len(SCENARIO) + len(COUNTS) + 2
    # Fabric is asked for twice: as one of the machine's links in the bar, as a figure of the reader's own machine.
    own = {control for group in tree.iter("fieldset") for control in group.iter() if control.tag in {"select", "input"}}
    for control in form:
        assert control.get("id") == f"{'own' if control in own else 'control'}-{control.get('name')}"
    for control in [e for e in tree.iter() if e.tag in {"select", "input"}]:
        assert control.get("id") in labelled | wrapped


def test_the_bar_shows_what_the_page_is_printed_with(tree: Any) -> None:
    chosen = {
        s.get("name"): [o.get("value") for o in s.iter("option") if "selected" in o.attrib] for s in selects(tree)
    }
    assert chosen == {key: [value] for key, value in SCENARIO.items()}
    assert {key: tree.find(f".//input[@id='control-{key}']").get("value") for key in COUNTS} == {
        key: str(value) for key, value in COUNTS.items()
    }


def selects(tree: Any) -> list[Any]:
    return list(tree.find(".//form").iter("select"))


def test_fields_of_the_reader_s_own_show_only_where_chosen(tree: Any) -> None:
    hidden = {group.get("data-own"): "hidden" in group.attrib for group in tree.iter("fieldset")}
    assert hidden == {"machine": True, "network": False}


def test_a_table_heads_its_columns_with_units_and_its_rows_with_links(tree: Any) -> None:
    table = tree.find(".//div[@id='table-machines']")
    units = [cell.text for cell in table.findall(".//thead/tr")[1]]
    heads = [row.find("th") for row in table.findall(".//tbody/tr")]
    assert units == [None, "TB/s"]
    assert [head.find("a").get("href") if head.find("a") is not None else None for head in heads] == [
        "#v=1&machine=a",
        None,
    ]
    assert table.find(".//div[@role='region']").get("tabindex") == "0"


def test_a_figure_wires_its_controls_to_keys_and_parameters(tree: Any) -> None:
    figure = tree.find(".//figure")
    wires = {
        e.get("id"): (e.get("data-key"), e.get("data-param")) for e in figure.iter() if e.get("id", "")[:2] == "f-"
    }
    assert wires == {"f-T": ("T", None), "f-g": (None, "drift_ghosts"), "f-p": (None, None), "f-s": (None, "x")}
    assert [e.get("aria-label") for e in figure.iter() if e.get("role") == "img"] == ["wide", "phone"]


def test_ids_are_unique_and_what_refers_to_one_finds_it(tree: Any) -> None:
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    for element in tree.iter():
        for name in ("for", "aria-labelledby", "popovertarget"):
            assert set((element.get(name) or "").split()) <= set(ids)


def test_each_class_of_the_templates_is_known_to_the_sheet(tree: Any) -> None:
    given = {name for element in tree.iter() for name in (element.get("class") or "").split()}
    known = set(re.findall(r"\.([a-z][a-z0-9-]*)", BARE))
    assert given - known == {"figure", "left", "summary", "level-2"}  # hooks for scripts, and what is the default


def test_the_sheet_has_no_rule_for_a_class_that_nobody_gives() -> None:
    markup = [file.read_text(encoding="utf-8") for file in TEMPLATES.rglob("*.html")]
    given = [re.sub(r"\{#.*?#\}", "", text, flags=re.DOTALL) for text in markup]
    scripts = [file.read_text(encoding="utf-8") for file in TEMPLATES.rglob("*.js")]
    given += [re.sub(r"^ *//.*$", "", text, flags=re.MULTILINE) for text in scripts]
    given += [text for file in (TEMPLATES.parent / "report").rglob("*.py") for text in _literals(file)]
    words = set(re.findall(r"[\w-]+", " ".join(given)))
    named = set(re.findall(r"\.([a-z][a-z0-9-]*)", re.sub(r"\{[^{}]*\}", "{}", BARE)))
    assert len(named) > 150
    made = ("n-", "swatch-", "standing-", "outcome-")  # a word of the catalogue follows
    assert {name for name in named - words if not name.startswith(made)} == set()


def _literals(file: Path) -> list[str]:
    """Return the texts in a module, without what is said of it: a class stands among them, if the module gives it."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in said)
    return [node.value for node in texts if isinstance(node.value, str)]
