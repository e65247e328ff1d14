"""Every file under data/, by its path in the site, each with a line that says what it is."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from model.records import Catalogue
from report import citing, memory, schemas
from report.catalogue import KINDS
from report.figures.drawing import Drawing
from report.figures.slot import Slot
from report.references import Reference
from report.rowwise import as_json
from report.tables.table import Table
from report.twins import prints, tabular
from report.twins.dictionary import entries
from report.twins.meanings import CATALOGUES
from report.twins.pairs import both, joined
from report.twins.rows import flat, nested

FOLDER = "data/"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to take away: its name, what it is, where it stands on the site ('' for nowhere), its files."""

    name: str
    says: str
    files: tuple[str, ...]
    where: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Things of one kind under one heading."""

    id: str
    title: str
    items: tuple[Item, ...]


@dataclass(slots=True)
class Shelf:
    """All files by path, and the groups in which the index lists them."""

    files: dict[str, bytes] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)

    def add(self, title: str, name: str, things: Iterable[tuple[Item, Mapping[str, bytes]]]) -> None:
        """Add a group: each item with its files by plain name."""
        listed = list(things)
        for _, files in listed:
            for plain, data in files.items():
                path = FOLDER + plain
                if self.files.setdefault(path, data) is not data:
                    raise ValueError(f"two files are called {path}")
        self.groups.append(Group(name, title, tuple(item for item, _ in listed)))


def item(name: str, says: str, files: Mapping[str, bytes], where: str = "") -> tuple[Item, Mapping[str, bytes]]:
    """Return an item with its files."""
    return Item(name, says, tuple(FOLDER + plain for plain in files), where), files


def catalogues(rows: Catalogue) -> Iterable[tuple[Item, Mapping[str, bytes]]]:
    """Yield the catalogues, row by row, in base units."""
    for kind in KINDS:
        found: Mapping[str, Any] = getattr(rows, kind)
        files = memory.recalled("rows out", (memory.Same(rows), kind), partial(_rows, kind, found))
        yield item(kind, f"{len(found)} rows: {CATALOGUES[kind]}", files)


def _rows(kind: str, found: Mapping[str, Any]) -> dict[str, bytes]:
    content = {key: memory.recalled("nested", memory.Same(row), partial(_nested, row)) for key, row in found.items()}
    records = [{**record, **_standing(row)} for record, row in zip(flat(found.values()), found.values(), strict=True)]
    return both(kind, {kind: content}, records)


def _nested(row: Any) -> dict[str, Any]:
    found: dict[str, Any] = nested(row)
    return found | _standing(row)


def _standing(row: Any) -> dict[str, str]:
    """Return the status of a row as a whole, where it has one."""
    return {"status": row.status} if hasattr(row, "status") else {}


def results(
    numbers: Sequence[Mapping[str, bytes]], claims: Mapping[str, Any]
) -> Iterable[tuple[Item, Mapping[str, bytes]]]:
    """Yield the numbers of all pages, given as tables one after the other, and their claims."""
    files = joined("numbers", numbers)
    rows = sum(table["numbers.csv"].count(b"\n") - 1 for table in numbers)
    says = "every number that a page prints, under a key that other edits leave alone"
    yield item("numbers", f"{rows:,} rows: {says}", files)
    listed = [{key: _plain(value) for key, value in claim.items()} for claim in claims["claims"]]
    says = "every sentence that compares, its condition, what it rests on, and how near it is to flipping"
    yield item("claims", f"{len(listed)} rows: {says}", both("claims", claims, listed))


def _plain(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def works(references: Mapping[str, Reference], bib: bytes) -> tuple[Item, Mapping[str, bytes]]:
    """Return the works that the pages cite, as JSON, CSV and BibTeX."""
    content = {key: dataclasses.asdict(one) | {"confirmed": one.confirmed} for key, one in references.items()}
    records = [{**one, "authors": "; ".join(one["authors"])} for one in content.values()]
    files = both("references", {"references": content}, records) | {"references.bib": bib}
    return item("references", f"{len(records)} works, each with how far it was checked", files)


def tables(placed: Iterable[tuple[str, Table]]) -> Iterable[tuple[Item, Mapping[str, bytes]]]:
    """Yield the tables; given is the page on which each stands."""
    for page, one in placed:
        shown = ", ".join(column.title or column.key for column in one.columns if column.shown)
        files = memory.recalled("table out", memory.Same(one), partial(_written, one))
        yield item(one.file, f"{len(one.rows)} rows: {shown}", files, f"{page}#{one.id}")


def _written(table: Table) -> dict[str, bytes]:
    return {f"{table.file}.json": table.json(), f"{table.file}.csv": tabular.fit(table.csv())}


def figures(placed: Iterable[tuple[str, Slot, Drawing]]) -> Iterable[tuple[Item, Mapping[str, bytes]]]:
    """Yield the figures: data, Vega-Lite, SVG and PNG; given is the page on which each stands."""
    listed = list(placed)
    pictures = prints.files(drawing for _, _, drawing in listed)
    for page, one, drawing in listed:
        texts = {**one.data, f"{one.name}.vl.json": drawing.spec}
        files = {name: data.encode("utf-8") for name, data in texts.items()}
        files = {name: tabular.fit(data) if name.endswith(".csv") else data for name, data in files.items()}
        files |= {name: pictures[name] for name in (f"{one.name}.svg", f"{one.name}.png")}
        yield item(one.name, one.alt, files, f"{page}#fig-{one.name}")


def cited() -> tuple[Item, Mapping[str, bytes]]:
    """Return how to cite the report and the work that it goes back to."""
    works = "\n".join(one.bibtex() for one in citing.load())
    files = {"citation.bib": works.encode("utf-8"), "CITATION.cff": citing.FILE.read_bytes()}
    return item("citation", "how to cite the report, and the one that it goes back to", files)


def previews(titled: Mapping[str, tuple[str, str, Drawing]]) -> Iterable[tuple[Item, Mapping[str, bytes]]]:
    """Yield the pictures for previews of links; given are each page's name, its title and address, and its figure."""
    made = prints.cards({name: (title, drawing) for name, (title, _, drawing) in titled.items()})
    for name, (title, address, drawing) in titled.items():
        yield item(f"preview of {title}", drawing.alt, {f"previews/{name}.png": made[name]}, address)


def described(used: Iterable[Table]) -> tuple[tuple[Item, Mapping[str, bytes]], list[dict[str, str]]]:
    """Return the data dictionary as an item and as records."""
    found = entries(used)
    says = f"{len(found)} entries: field, unit, type and meaning, for catalogues, tables and the model’s quantities"
    return item("dictionary", says, both("dictionary", {"fields": found}, list(found))), found


def checked() -> Iterable[tuple[Item, Mapping[str, bytes]]]:
    """Yield the schemas by which editors check the files of the content."""
    every = {**schemas.of_files(), "research": schemas.of_research()}
    for name, schema in every.items():
        source = "content/research/*.yaml" if name == "research" else f"content/catalogue/{name}.yaml"
        yield item(f"schema of {name}", f"JSON Schema of {source}", {f"schema/{name}.json": as_json(schema)})


def pages(found: Mapping[str, bytes], called: Mapping[str, str]) -> Group:
    """Return the group of the pages' own twins, which stand beside them; called gives each page's name by its path."""
    listed = [
        Item(called[path], "this page as data", (path,), path.rpartition("/")[0] + "/index.html") for path in found
    ]
    return Group("pages", "Pages", tuple(listed))
