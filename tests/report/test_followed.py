"""The catalogue that stays: who reads a row rests on that row, who looks through the rows on their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from model.machine import Machine
from model.records import Catalogue
from report import catalogue as reader
from report.errors import BuildError
from report.followed import followed
from report.memory import Memory, recalled, remembering


@pytest.fixture(scope="module")
def read(root: Path) -> Catalogue:
    return reader.load(root / "content" / "catalogue")


def test_who_builds_once_reads_the_catalogue_as_it_is(read: Catalogue) -> None:
    assert followed(read) is read


def with_machines(read: Catalogue, machines: Mapping[str, Machine]) -> Catalogue:
    return replace(read, machines=machines)


def with_machine(read: Catalogue, key: str, name: str) -> Catalogue:
    return with_machines(read, {**read.machines, key: replace(read.machines[key], name=name)})


def without(machines: Mapping[str, Machine], key: str) -> dict[str, Machine]:
    return {name: row for name, row in machines.items() if name != key}


NAMED = ("names", "all", "absent")  # looks that change with the names of the rows
LOOKS: dict[str, Callable[[Catalogue], object]] = {
    "one": lambda rows: rows.machines["cray-1"].name,
    "other": lambda rows: rows.machines["h100-sxm5"].name,
    "names": lambda rows: len(list(rows.machines)),
    "all": lambda rows: [row.name for row in rows.machines.values()],
    "absent": lambda rows: rows.machines.get("pdp-11"),
    "network": lambda rows: rows.networks["lenet-1989"].name,
}


@pytest.mark.parametrize(
    ("change", "stale"),
    [
        (lambda read: read, set()),
        (lambda read: with_machine(read, "cray-1", "Cray-1"), set()),
        (lambda read: with_machine(read, "cray-1", "Cray"), {"one", "all"}),
        (lambda read: with_machines(read, {**read.machines, "pdp-11": read.machines["cray-1"]}), {*NAMED}),
        (lambda read: with_machines(read, without(read.machines, "cray-1")), {"one", *NAMED}),
        (lambda read: with_machines(read, dict(reversed(read.machines.items()))), {*NAMED}),
        (lambda read: replace(read, networks={}), {"network"}),
    ],
    ids=["nothing", "an equal row", "a row", "a new row", "a row gone", "another order", "another kind"],
)
def test_only_what_was_read_from_a_changed_row_is_worked_out_again(
    read: Catalogue, change: Callable[[Catalogue], Catalogue], stale: set[str]
) -> None:
    made: list[str] = []

    def look(name: str, rows: Catalogue) -> object:
        made.append(name)
        try:
            return LOOKS[name](rows)
        except KeyError:
            return None

    kept = Memory()
    with remembering(kept):
        for now in (read, read, change(read)):
            kept.begin()
            made.clear()
            rows = followed(now)
            for name in LOOKS:
                recalled("look", name, lambda name=name, rows=rows: look(name, rows))  # type: ignore[misc]
    assert set(made) == stale


def test_a_row_that_no_edit_touched_stays_the_very_same(read: Catalogue) -> None:
    with remembering(Memory()):
        rows = followed(read)
        first = dict(rows.machines)
        assert followed(with_machine(read, "cray-1", "Cray")) is rows
        assert [key for key, row in rows.machines.items() if row is not first[key]] == ["cray-1"]


def test_a_row_that_is_asked_for_and_is_not_there_is_told_as_by_who_builds_once(read: Catalogue) -> None:
    memory = Memory()
    memory.begin()
    with remembering(memory):
        rows = followed(read).machines
        assert "pdp-11" not in rows
        assert rows.get("pdp-11") is None
        with pytest.raises(BuildError, match="there is no machine 'pdp-11'"):
            rows["pdp-11"]
