"""From content to a site: every file of it as path -> bytes, or every mistake that stands in the way.

The order is the argument's: inputs, model, tables and figures, prose, pages, scripts, fonts. Nothing is written here.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from model.book import QUANTITIES
from model.scenario import base
from report import assets, browser, content, fonts, frame, presets, prose, tables
from report.asking import AuthorError, World
from report.blocks import CAPTION
from report.content import Content
from report.desk import Setting
from report.errors import BuildError, Problem, nearest
from report.figures import export, roofline
from report.figures.drawing import Drawing, draw
from report.prose import Page
from report.tables import Table

TEMPLATES = Path(__file__).resolve().parent.parent / "templates"
STATIC = TEMPLATES / "static"
SCRIPTS = ("model.js", "index.js", "figures.js", "page.js")
_TEXT_FACES = ("serif", "serif-italic", "serif-semibold", "sans", "sans-semibold")


@dataclass(frozen=True, slots=True)
class Parts:
    """What prose can place on a page besides text, by name; drawn and used note what it did place, in order."""

    templates: Environment
    tables: Mapping[str, Table]
    figures: Mapping[str, Callable[[], Drawing]]
    used: list[Table] = field(default_factory=list)
    drawn: list[Drawing] = field(default_factory=list)

    def table(self, name: str) -> str:
        """Return a table's markup, with room for its caption."""
        table = self.tables[_known("table", name, self.tables, [used.id for used in self.used])]
        self.used.append(table)
        links = [{"name": kind.upper(), "href": f"data/{name}.{kind}"} for kind in ("csv", "json")]
        return self.templates.get_template("_table.html").render(table=table.context(CAPTION, links))

    def figure(self, name: str, title: str) -> str:
        """Return a figure's markup, with room for its caption."""
        drawing = self.figures[_known("figure", name, self.figures, [drawn.name for drawn in self.drawn])]()
        self.drawn.append(drawing)
        texts = {"title": str(Markup.escape(title)), "caption_html": CAPTION, "number": len(self.drawn)}
        return self.templates.get_template("_figure.html").render(figure={**drawing.context(), **texts})


def _known(kind: str, name: str, known: Mapping[str, Any], used: Sequence[str]) -> str:
    if name not in known:
        raise AuthorError(f"there is no {kind} '{name}'", nearest(name, known))
    if name in used:
        raise AuthorError(f"{kind} '{name}' stands on the page already")
    return name


def render(folder: Path, base_url: str | None) -> dict[str, bytes]:
    """Return the site that a content folder makes; raise BuildError with everything that is wrong in it."""
    found = content.read(folder)
    parts = Parts(_templates(), _tables(found), _figures(found))
    page = _page(found, _setting(found, parts))
    return _site(found, page, parts)


def _templates() -> Environment:
    loader = FileSystemLoader(TEMPLATES, encoding="utf-8")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined)


def _tables(found: Content) -> dict[str, Table]:
    chosen = found.settings.tables.get("modern-machines", ())
    return {"modern-machines": tables.modern_machines(found.catalogue, chosen)}


def _figures(found: Content) -> dict[str, Callable[[], Drawing]]:
    return {"roofline": partial(draw, "roofline", roofline, found.catalogue)}


def _setting(found: Content, parts: Parts) -> Setting:
    return Setting(
        world=World(QUANTITIES, partial(base, found.catalogue)),
        catalogue=found.catalogue,
        vocabulary=found.vocabulary,
        references=found.references,
        presets=presets.of(found.catalogue),
        blocks={"table": parts.table, "figure": parts.figure},
    )


def _page(found: Content, setting: Setting) -> Page:
    path = f"{found.name}/report/index.md"
    if not (found.folder / "report" / "index.md").is_file():
        raise BuildError([Problem(path, 0, 0, "the file is missing", "the report's text stands there")])
    return prose.page(path, found.folder.parent, setting)


def _site(found: Content, page: Page, parts: Parts) -> dict[str, bytes]:
    tree = _data(page, parts)
    published, paths = assets.publish(_assets(found, page, parts))
    document = _document(found, page, parts, paths)
    return {"index.html": document.encode("utf-8"), **published, **tree}


def _assets(found: Content, page: Page, parts: Parts) -> dict[str, bytes]:
    """Return scripts, style sheet and fonts by their plain names."""
    numbers = [f"{number.n}: {number.js}" for number in page.numbers if number.js]
    claims = [f"{browser.script(claim.name)}: {claim.js}" for claim in page.claims if claim.js]
    texts = {
        "model.js": browser.model_script(found.catalogue, STATIC),
        "index.js": browser.index_script(numbers, claims),
        "vega.js": export.bundle(),
        **{name: _static(name) for name in ("figures.js", "page.js", "theme.js", "style.css")},
        **{name: script for drawing in parts.drawn for name, script in drawing.scripts.items()},
        "fonts-licence.txt": fonts.licence(),
    }
    return {name: text.encode("utf-8") for name, text in texts.items()} | _fonts(page)


def _static(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def _fonts(page: Page) -> dict[str, bytes]:
    text = "".join(sorted(page.characters))
    maths = unescape("".join(sorted(page.characters)))
    return fonts.subset(dict.fromkeys(_TEXT_FACES, text) | {"math": fonts.maths_letters(maths)})


def _document(found: Content, page: Page, parts: Parts, paths: Mapping[str, str]) -> str:
    links = sorted({*_data(page, parts)})
    context = {
        "title": page.title,
        "description": page.description,
        "lead": str(Markup.escape(page.meta.get("lead", ""))),
        "body": page.html,
        "contents": [{"id": name, "title": title, "level": level} for name, title, level in page.headings],
        "references": frame.works(page.citations, found.references),
        "site_title": found.settings.title,
        "pages": [],
        "root": "",
        "assets": paths,
        "scripts": SCRIPTS,
        "script_data": {"figures.js": json.dumps({name: paths[name] for name in sorted(paths) if _late(name)})},
        "data_links": [{"title": name.removeprefix("data/"), "href": name} for name in links],
        "original": found.settings.original,
        **frame.bar(found.catalogue),
    }
    return _templates().get_template("page.html").render(context)


def _late(name: str) -> bool:
    """Tell whether a script is loaded only when a figure comes near."""
    return name == "vega.js" or name.startswith("spec-")


def _data(page: Page, parts: Parts) -> dict[str, bytes]:
    """Return what can be downloaded: numbers, claims, and the data behind tables and figures."""
    files = {"data/numbers.json": _json(_numbers(page)), "data/claims.json": _json(_claims(page))}
    for table in parts.used:
        files |= {f"data/{table.id}.csv": table.csv(), f"data/{table.id}.json": table.json()}
    for drawing in parts.drawn:
        files |= {f"data/{name}": data.encode("utf-8") for name, data in drawing.downloads.items()}
    return files


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8")


def _numbers(page: Page) -> dict[str, Any]:
    """Return every printed number of a page under a key that other edits leave alone."""
    return {
        "numbers": {
            number.key: {
                "text": number.text,
                "value": _short(number.value),
                "unit": number.unit,
                "state": number.state,
                "live": number.live,
            }
            for number in page.numbers
        }
    }


def _claims(page: Page) -> dict[str, Any]:
    claims = [
        {
            "id": claim.name,
            "page": claim.path,
            "line": claim.line,
            "sentence": claim.sentence,
            "condition": claim.condition,
            "live": claim.live,
            "values": [{"number": said, "value": _short(value), "unit": unit} for said, value, unit in claim.sides],
            "presets": dict(claim.tally),
        }
        for claim in page.claims
    ]
    return {"claims": claims}


def _short(value: float | None) -> float | None:
    # The last digits of a float differ between processors.
    return None if value is None or not math.isfinite(value) else float(f"{value:.10g}")
