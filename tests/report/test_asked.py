"""Every row and preset that the code asks for by name is told where it is missing, all of them in one build."""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from report import asked, catalogue, content
from report.figures import drift_words, window
from report.tables.tricks import TRADES

# Renamed, old and new, in each file.
RENAMED = {
    "catalogue/constants.yaml": {"tape-34": "tape-35", "block-of-patterns": "blocks-of-patterns"},
    "catalogue/prices.yaml": {"wire": "wires", "hbm-a100": "hbm-a10"},
    "catalogue/networks.yaml": {"resnet50": "resnet-50"},
    "site.yaml": {"nettalk-rate": "nettalk-rates", "zip-codes-sun4": "zip-code-sun4"},
}
# What is left out without harm where it is gone: labels of figures, and the sides of a trick that no table lists.
OPTIONAL = {*window.NAMED, *drift_words.NAMED, *TRADES}


@pytest.fixture
def renamed(root: Path, tmp_path: Path) -> Path:
    """Return a copy of the content in which several rows and presets have other names."""
    folder = Path(shutil.copytree(root / "content", tmp_path / "content"))
    for name, pairs in RENAMED.items():
        text = (folder / name).read_text(encoding="utf-8")
        for old, new in pairs.items():
            text, times = re.subn(rf"(?m)^(  - id: |  )({old})(?=:?$)", rf"\1{new}", text)
            assert times == 1
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def told(folder: Path) -> dict[str, str]:
    """Return what is missing, and what stands where it is told."""
    lines = {name: (folder / name).read_text(encoding="utf-8").splitlines() for name in RENAMED}
    return {
        re.findall("'(.+?)'", one.message)[0]: lines[one.path.removeprefix("content/")][one.line - 1][one.column - 1 :]
        for one in asked.missing(content.gather(folder))
    }


ALL = {old: new for pairs in RENAMED.values() for old, new in pairs.items()}


def test_all_are_told_at_once_each_at_its_new_name(renamed: Path) -> None:
    assert {name: now.rstrip(":") for name, now in told(renamed).items()} == ALL


def test_they_are_told_beside_rows_and_settings_that_are_wrong(renamed: Path) -> None:
    for name, old, new in (("catalogue/machines.yaml", "vendor: ", "vender: "), ("site.yaml", "nav: ", "nva: ")):
        text = (renamed / name).read_text(encoding="utf-8")
        (renamed / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    assert {name: now.rstrip(":") for name, now in told(renamed).items()} == ALL


def test_settings_that_name_a_preset_tell_nothing_of_a_constant_that_is_missing(renamed: Path) -> None:
    said = [one.message for one in content.gather(renamed).problems]
    assert "there is no constant 'tape-34'" in said
    assert not any("asks for by its" in one for one in said)


def test_a_trick_without_gain_and_price_is_told_where_a_table_lists_it(root: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(root / "content", tmp_path / "content"))
    for name, old in (("site.yaml", "    - lora\n"), ("catalogue/tricks.yaml", "- id: lora\n")):
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, f"{old[:-1]}s\n", 1), encoding="utf-8")
    (one,) = asked.missing(content.gather(folder))
    line = (folder / "site.yaml").read_text(encoding="utf-8").split("\n")[one.line - 1]
    assert line[one.column - 1 :] == "loras"
    assert one.message == "the ledger has no factor for the trick 'loras'"
    assert one.hint == "did you mean 'lora'?"


def test_a_price_of_another_machine_than_the_list_asks_for_is_told(root: Path) -> None:
    found = content.gather(root / "content")
    assert found.rows
    odd = replace(found.rows.prices["flop-h100"], machine="h200-sxm")
    rows = replace(found.rows, prices={**found.rows.prices, odd.id: odd})
    (one,) = asked.missing(replace(found, rows=rows))
    assert one.message == "price 'flop-h100': it is of h200-sxm, and a table asks for it on 'h100-sxm5'"
    assert (one.line > 1, one.column, one.hint) == (True, 9, "write machine: h100-sxm5")


def literals(root: Path) -> Iterator[str]:
    for file in [*(root / "model").rglob("*.py"), *(root / "report").rglob("*.py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def test_every_name_of_a_row_in_the_code_is_looked_for(root: Path) -> None:
    found = content.read(root / "content")
    names = {name for kind in catalogue.KINDS for name in getattr(found.catalogue, kind)} | {*found.settings.presets}
    written = {name for name in literals(root) if name in names and re.search(r"[\d-]", name)}
    words = {"l2", "fp8"}  # also a form of the model, and a format
    assert not written - words - OPTIONAL - KNOWN


KNOWN = {name for names in asked.ROWS.values() for name in names} | {*asked.PRESETS}
