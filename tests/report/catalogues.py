"""A catalogue of one machine, and how the tests of the reader bring mistakes into it."""

from pathlib import Path

import pytest

from report.catalogue import KINDS, load
from report.errors import BuildError

MACHINES = """\
sources:
  maker: {title: The data sheet, rank: primary, seen: true}
rows:
  - id: toy-1
    name: Toy 1
    short: Toy
    vendor: Toys
    year: 2022
    kind: gpu
    trains: true
    balance_format: bf16
    peak:
      bf16: {value: 100 TFLOP/s, status: verified, from: [maker], sparsity: dense}
    bandwidth: {value: 1 TB/s, status: verified, from: [maker]}
    capacity: {value: 80 GB, status: verified, from: [s1]}
    note: a machine for tests
    sources:
      s1: {title: The box, rank: secondary, seen: true}
"""
BANDWIDTH = "{value: 1 TB/s, status: verified, from: [maker]}"


def lay_out(folder: Path) -> Path:
    """Write a catalogue that holds the toy machine and no other row; return its folder."""
    found = folder / "content" / "catalogue"
    found.mkdir(parents=True)
    for kind in KINDS:
        (found / f"{kind}.yaml").write_text("rows: []\n", encoding="utf-8")
    (found / "machines.yaml").write_text(MACHINES, encoding="utf-8")
    return found


def told(folder: Path) -> list[str]:
    """Return what reading the catalogue complains of; it must."""
    with pytest.raises(BuildError) as caught:
        load(folder)
    return [str(problem) for problem in caught.value.problems]


def edit(folder: Path, old: str, new: str, file: str = "machines") -> list[str]:
    """Change one text in one file and return the complaints."""
    path = folder / f"{file}.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return told(folder)
