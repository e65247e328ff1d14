"""What can be taken away: every row and every field is in it, spreadsheets read it, nothing in it computes."""

from __future__ import annotations

import csv
import io
import json
import posixpath
import re
import struct
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from model.figure import Figure
from report import catalogue
from report.catalogue import KINDS
from report.figures.book import FIGURES
from report.references import load as works
from report.rows import slots
from report.twins import index, prints, tabular
from report.twins.meanings import CATALOGUES, meaning
from report.twins.rows import flat, nested
from tests.rendering import parsed

CONTENT = Path(__file__).resolve().parents[2] / "content"
PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"><rect width="9" height="9" fill="var(--ink)"/></svg>'
)


@cache
def rows() -> Any:
    return catalogue.load(CONTENT / "catalogue")


def spreadsheet(data: bytes) -> list[dict[str, str]]:
    """Read a CSV file as a spreadsheet does."""
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def size(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


# --- CSV


def test_a_spreadsheet_file_says_its_encoding_and_ends_its_lines_as_the_norm_has_it() -> None:
    data = tabular.table([{"a (B)": 1.5e12, "b": "Nøkland ×"}, {"b": None, "c": True}])
    assert data == "\ufeffa (B),b,c\r\n1.5e+12,Nøkland ×,\r\n,,true\r\n".encode()


@pytest.mark.parametrize("cell", ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\tx", "\r=x", " =1", "-x", "+", "=cmd|' /C'!A0"])
def test_nothing_in_a_cell_computes(cell: str) -> None:
    assert tabular.harmless(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "-1", "-1.5e-12", "1=1", "a-b", "−3", "3.35e+12", "(=)"])
def test_numbers_and_words_stay_as_they_are(cell: str) -> None:
    assert tabular.harmless(cell) == cell


def test_a_file_is_fitted_without_losing_a_cell() -> None:
    assert tabular.fit(b'a,b\n"x, ""y""\nz",=1\n') == '\ufeffa,b\r\n"x, ""y""\nz",\'=1\r\n'.encode()


def test_every_csv_of_the_site_is_such_a_file(tree: dict[str, bytes]) -> None:
    found = [path for path in tree if path.endswith(".csv")]
    assert len(found) > 20
    for path in found:
        assert tree[path].startswith(tabular.MARK), path
        text = tree[path].decode("utf-8-sig")
        assert text.count("\n") >= text.count("\r\n") > 1
        lines = list(csv.reader(io.StringIO(text, newline="")))
        assert len({len(line) for line in lines}) == 1, path
        assert len(set(lines[0])) == len(lines[0]), path
        assert all(cell == tabular.harmless(cell) for line in lines for cell in line), path


# --- catalogues


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_catalogue_is_there_whole(tree: dict[str, bytes], kind: str) -> None:
    found = getattr(rows(), kind)
    content = json.loads(tree[f"data/{kind}.json"])[kind]
    lines = spreadsheet(tree[f"data/{kind}.csv"])
    assert list(content) == list(found) == [line["id"] for line in lines]
    for row, line in zip(found.values(), lines, strict=True):
        for slot in slots(type(row)):
            value = getattr(row, slot.name)
            if isinstance(value, Figure):
                head = next(name for name in line if name.split(" (")[0] == slot.key)
                assert float(line[head]) == pytest.approx(value.value)
                assert content[row.id][slot.name]["value"] == pytest.approx(value.value)
                assert line[f"{slot.key} status"] == value.status
            elif isinstance(value, bool | str):
                assert line[slot.key] == tabular.harmless(tabular.text(value))


def test_units_stand_in_the_headings_and_values_in_base_units(tree: dict[str, bytes]) -> None:
    (h100,) = [line for line in spreadsheet(tree["data/machines.csv"]) if line["id"] == "h100-sxm5"]
    assert float(h100["bandwidth (B/s)"]) == 3.35e12
    assert float(h100["peak bf16 (FLOP/s)"]) == 989.4e12
    assert float(h100["bandwidth low (B/s)"]) < 3.35e12 < float(h100["bandwidth high (B/s)"])
    (a100,) = [line for line in spreadsheet(tree["data/prices.csv"]) if line["id"] == "hbm-a100"]
    assert (float(a100["price"]), a100["price unit"]) == (pytest.approx(60e-12), "J/B")


def test_columns_stand_in_the_order_of_the_fields_whatever_the_first_row_has() -> None:
    machines = list(rows().machines.values())
    assert list(flat(machines)[0]) == list(flat(machines)[-1])
    heads = [name.split(" (")[0].split(" ")[0] for name in flat(machines)[0]]
    order = [slot.key for slot in slots(type(machines[0]))]
    assert [key for key in order if key in heads] == list(dict.fromkeys(heads))
    assert flat([]) == []


def test_absent_parts_are_left_out_of_json() -> None:
    cray = nested(rows().machines["cray-1"])
    assert "nic" not in cray
    assert cray["bandwidth"]["value"] == 640e6
    assert cray["shown"] is True


# --- dictionary


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_field_is_explained(tree: dict[str, bytes], kind: str) -> None:
    told = {
        entry["field"]: entry for entry in json.loads(tree["data/dictionary.json"])["fields"] if entry["file"] == kind
    }
    assert list(told) == [slot.key for slot in slots(KINDS[kind][0])]
    assert all(entry["meaning"] and entry["type"] for entry in told.values())
    assert CATALOGUES[kind]
    heads = spreadsheet(tree[f"data/{kind}.csv"])[0]
    for head in heads:
        assert any(head == field or head.startswith(f"{field} ") for field in (*told, "status")), head
        if found := re.search(r" \(([^)]+(?:\([^)]*\))?[^)]*)\)$", head):
            field = max((one for one in told if head.startswith(one)), key=len)
            assert told[field]["unit"] in (found[1], "plain number")


def test_a_field_that_nobody_explained_is_an_error() -> None:
    with pytest.raises(KeyError):
        meaning("machines", "colour")


def test_the_dictionary_holds_the_models_quantities_too(tree: dict[str, bytes]) -> None:
    told = {entry["field"]: entry for entry in spreadsheet(tree["data/dictionary.csv"]) if entry["file"] == "model"}
    assert told["T_min"]["unit"] == "token"
    assert told["e_B"]["unit"] == "J/B"


# --- works, numbers, claims


def test_works_numbers_and_claims_are_there_as_tables(tree: dict[str, bytes]) -> None:
    cited = works(CONTENT / "references.bib", "references.bib")
    assert [line["key"] for line in spreadsheet(tree["data/references.csv"])] == list(cited)
    assert tree["data/references.bib"] == (CONTENT / "references.bib").read_bytes()
    numbers = json.loads(tree["data/numbers.json"])["numbers"]
    assert [line["key"] for line in spreadsheet(tree["data/numbers.csv"])] == [tabular.harmless(key) for key in numbers]
    claims = json.loads(tree["data/claims.json"])["claims"]
    assert [line["id"] for line in spreadsheet(tree["data/claims.csv"])] == [claim["id"] for claim in claims]


# --- figures


def test_every_figure_on_the_site_is_there_in_every_form(tree: dict[str, bytes]) -> None:
    placed = {name for name in FIGURES if f"data/{name}.vl.json" in tree}
    assert {"roofline", "drift", "bytes", "window", "tape", "capacity"} <= placed
    for name in placed:
        assert {f"data/{name}.{kind}" for kind in ("csv", "json", "vl.json", "svg", "png")} <= set(tree)
        svg = tree[f"data/{name}.svg"].decode()
        width, height = (float(part) for part in re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)[0])
        assert size(tree[f"data/{name}.png"]) == (pytest.approx(2 * width, abs=1), pytest.approx(2 * height, abs=1))
        assert "@font-face" in svg


def test_a_png_has_its_colours_and_paper() -> None:
    """Unlike in the SVG, no name of a colour is left, and the ground is opaque."""
    plain = prints.printed(PICTURE)
    assert size(plain) == (400, 200)
    assert plain != prints.printed(PICTURE.replace("--ink", "--paper"))


def test_a_card_has_the_size_that_previews_show() -> None:
    assert size(prints.carded("A <title> & more", PICTURE)) == prints.CARD == (1200, 630)
    with pytest.raises(ValueError, match="does not say its size"):
        prints.carded("A title", "<svg></svg>")


# --- the index


def test_the_index_lists_every_file_with_its_size(tree: dict[str, bytes]) -> None:
    page = parsed(tree["data/index.html"])
    (main,) = page.iter("main")
    listed = {}
    for cell in main.iter("td"):
        for link, small in zip(cell.iter("a"), cell.iter("small"), strict=False):
            listed[posixpath.normpath(f"data/{link.get('href')}")] = small.text
    data = {path for path in tree if path.startswith("data/") and not path.startswith("data/index.")}
    assert data - {"data/site.json"} <= set(listed)
    assert all(listed[path] == index.size(len(tree[path])) for path in listed)
    assert {path for path in tree if path.endswith("/index.json")} <= set(listed)


def test_the_index_says_where_a_table_and_a_figure_stand(tree: dict[str, bytes]) -> None:
    text = tree["data/index.html"].decode()
    assert 'href="../index.html#fig-drift"' in text
    assert 'href="../index.html#tricks"' in text or 'href="../index.html#tab-tricks"' in text
    assert '<a href="data/index.html">' in tree["index.html"].decode()
