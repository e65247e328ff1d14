"""The schemas that editors check the catalogue by: every real row passes, and slips of the hand do not."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from report import schemas
from report.catalogue import KINDS

EVERY = pytest.mark.parametrize("name", KINDS)
Rows = dict[str, Any]


def faults(name: str, content: object) -> list[str]:
    schema = schemas.of_files()[name]
    jsonschema.Draft7Validator.check_schema(schema)
    return [error.message for error in jsonschema.Draft7Validator(schema).iter_errors(content)]


def content(root: Path, name: str) -> Any:
    return yaml.safe_load((root / "content" / "catalogue" / f"{name}.yaml").read_bytes())


@EVERY
def test_every_row_of_the_catalogue_passes(root: Path, name: str) -> None:
    assert faults(name, content(root, name)) == []


@EVERY
def test_each_file_names_its_schema_where_editors_look(root: Path, name: str) -> None:
    text = (root / "content" / "catalogue" / f"{name}.yaml").read_text(encoding="utf-8")
    found = re.findall(r"^# yaml-language-server: \$schema=(\S+)$", text, re.MULTILINE)
    assert found == [f"../../site/data/schema/{name}.json"]


@EVERY
def test_a_file_without_rows_or_with_another_key_does_not_pass(name: str) -> None:
    assert faults(name, {"sources": {}}) == ["'rows' is a required property"]
    assert any("'lines' was unexpected" in said for said in faults(name, {"rows": [], "lines": []}))


SLIPS: dict[str, tuple[Callable[[Rows], object], str]] = {
    "unknown key": (lambda row: row.update(bandwith=row.pop("bandwidth")), "'bandwith' was unexpected"),
    "missing key": (lambda row: row.pop("year"), "'year' is a required property"),
    "unknown status": (lambda row: row["bandwidth"].update(status="sure"), "'sure' is not one of"),
    "unknown format": (lambda row: row["peak"].update(bf61=row["peak"]["fp64"]), "'bf61' was unexpected"),
    "no quantity": (lambda row: row["bandwidth"].update(value="fast"), "'fast' does not match"),
    "year out of reason": (lambda row: row.update(year=3976), "greater than the maximum"),
    "sparse": (lambda row: row["peak"]["fp64"].update(sparsity="sparse"), "'sparse' is not one of"),
    "no id": (lambda row: row.update(id="Cray 1"), "does not match"),
    "unread source": (lambda row: row["sources"]["s1"].pop("seen"), "'seen' is a required property"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_marked(root: Path, slip: str) -> None:
    machines = copy.deepcopy(content(root, "machines"))
    spoil, says = SLIPS[slip]
    spoil(machines["rows"][0])
    assert any(says in said for said in faults("machines", machines))
