"""The catalogue itself: whether its rows are whole, plausible, and true to what is published."""

import math
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from model.figure import Figure, weakest
from model.machine import Machine, Peak
from model.records import Catalogue
from report.catalogue import KINDS, load


@pytest.fixture(scope="module")
def catalogue(root: Path) -> Catalogue:
    return load(root / "content" / "catalogue")


def figures(row: Any) -> list[Figure]:
    """Every figure of a row, those of a mapping of figures included."""
    found = []
    for item in fields(row):
        value = getattr(row, item.name)
        found += [value] if isinstance(value, Figure) else []
        found += [part for part in value.values() if isinstance(part, Figure)] if isinstance(value, dict) else []
    return found


def every_row(catalogue: Catalogue) -> list[tuple[str, Any]]:
    return [(f"{kind}/{key}", row) for kind in KINDS for key, row in getattr(catalogue, kind).items()]


def test_the_catalogue_is_as_large_as_it_was_gathered(catalogue: Catalogue) -> None:
    sizes = {kind: len(getattr(catalogue, kind)) for kind in KINDS}
    least = {"machines": 74, "networks": 42, "constants": 33, "prices": 13, "runs": 307, "rates": 41}
    assert all(sizes[kind] >= wanted for kind, wanted in least.items()), sizes
    assert min(sizes.values()) > 10


def test_ids_are_lower_case_with_hyphens_and_those_of_their_rows(catalogue: Catalogue) -> None:
    for kind in KINDS:
        for key, row in getattr(catalogue, kind).items():
            assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", key)
            assert row.id == key


def test_every_number_names_what_bears_it(catalogue: Catalogue) -> None:
    for name, row in every_row(catalogue):
        for figure in figures(row):
            if not figure.sources:
                assert figure.status == "estimate", name
                assert figure.note or row.note, f"{name}: an estimate without source says how it was made"
            assert all(key in row.sources for key in figure.sources), name


def test_every_row_of_plain_numbers_cites_a_source(catalogue: Catalogue) -> None:
    for kind in ("networks", "constants", "runs", "trends"):
        for key, row in getattr(catalogue, kind).items():
            assert row.cited, key
            assert all(name in row.sources for name in row.cited), key


def test_a_verified_number_rests_on_a_source_that_was_seen(catalogue: Catalogue) -> None:
    for name, row in every_row(catalogue):
        for figure in figures(row):
            if figure.status == "verified":
                assert any(row.sources[key].seen for key in figure.sources), name


def test_every_row_carries_the_works_that_it_cites_and_no_others_of_the_file(catalogue: Catalogue) -> None:
    for name, row in every_row(catalogue):
        assert row.sources, name
        assert all(source.title for source in row.sources.values())
    assert "linpack" in catalogue.machines["cray-1"].sources
    assert "linpack" not in catalogue.machines["h100-sxm5"].sources


# --- machines


def test_every_machine_has_a_peak_at_its_own_format(catalogue: Catalogue) -> None:
    assert len(catalogue.machines) >= 45
    for machine in catalogue.machines.values():
        assert machine.peak[machine.balance_format].value > 0
        assert machine.status == weakest((machine.peak[machine.balance_format].status, machine.bandwidth.status))


def test_every_peak_is_dense(catalogue: Catalogue) -> None:
    for machine in catalogue.machines.values():
        assert all(peak.sparsity == "dense" for peak in (*machine.peak.values(), *machine.vector.values()))


def sparse_pairs(catalogue: Catalogue) -> list[tuple[str, Peak]]:
    return [
        (machine.id, peak) for machine in catalogue.machines.values() for peak in machine.peak.values() if peak.sparse
    ]


def test_a_dense_peak_is_half_of_the_sparse_one_where_the_maker_prints_both(catalogue: Catalogue) -> None:
    pairs = sparse_pairs(catalogue)
    assert {name for name, _ in pairs} >= {"h100-sxm5", "h200-sxm", "b200-sxm", "gb200", "gb300"}
    for name, peak in pairs:
        assert peak.value == pytest.approx((peak.sparse or math.nan) / 2, rel=0.001), name


def test_a_narrower_format_is_never_slower(catalogue: Catalogue) -> None:
    order = ("fp64", "fp32", "bf16", "fp8", "fp4")
    for machine in catalogue.machines.values():
        rates = [machine.peak[name].value for name in order if name in machine.peak]
        assert rates == sorted(rates), machine.id


def test_a_vector_rate_is_below_the_matrix_rate_that_it_stands_beside(catalogue: Catalogue) -> None:
    found = [(machine, name) for machine in catalogue.machines.values() for name in machine.vector]
    assert ("amd-mi100", "fp32") in [(machine.id, name) for machine, name in found]
    for machine, name in found:
        assert machine.peak[name].engine == "matrix"
        assert machine.vector[name].value < machine.peak[name].value


def test_links_are_one_direction_and_bits_are_read_as_bits(catalogue: Catalogue) -> None:
    h100 = catalogue.machines["h100-sxm5"]
    assert h100.scale_up is not None
    assert h100.nic is not None
    assert h100.scale_up.value == 450e9, "the maker prints 900 GB/s for both directions together"
    assert h100.nic.value == 50e9, "400 Gb/s"


def test_capacities_keep_the_prefix_of_their_maker(catalogue: Catalogue) -> None:
    sizes = {name: catalogue.machines[name].capacity for name in ("h100-sxm5", "tpu-v5p", "amd-mi300x")}
    assert sizes["h100-sxm5"].value == 80e9  # type: ignore[union-attr]
    assert sizes["tpu-v5p"].value == 95 * 2**30  # type: ignore[union-attr]
    for machine in catalogue.machines.values():
        if machine.capacity:
            assert re.fullmatch(r"[\d.]+ ([GMT]B|[KMG]iB)", machine.capacity.text), machine.id


def test_the_cache_of_a_gpu_is_its_printed_decimal_number(catalogue: Catalogue) -> None:
    printed = {"a100-sxm4-80gb": 40e6, "h100-sxm5": 50e6, "b200-sxm": 126e6}
    for name, wanted in printed.items():
        chip = catalogue.machines[name].on_chip
        assert chip is not None
        assert (chip.value, chip.role) == (wanted, "cache")


def test_memory_that_is_all_on_the_chip_is_no_cache(catalogue: Catalogue) -> None:
    main = {row.id for row in catalogue.machines.values() if row.on_chip and row.on_chip.role == "main"}
    assert main == {"cerebras-wse-2", "cerebras-wse-3", "groq-lpu"}


def test_a_range_holds_its_value_and_every_candidate_is_in_its_unit(catalogue: Catalogue) -> None:
    for name, row in every_row(catalogue):
        for figure in figures(row):
            low, high = figure.range
            assert low <= figure.value <= high, name
            for candidate in figure.candidates:
                assert 1e-2 < candidate.value / figure.value < 1e2, name


# The balances of the machines that the report leans on: peak and bandwidth as their makers print them, in FLOP/B.
BALANCES = {
    "vax-11-780-fpa": (1.11e6 / 13.33e6, "fp32"),
    "cray-1": (160e6 / 640e6, "fp64"),
    "cray-ymp": (8 / 96, "fp64"),
    "v100-sxm2": (125e12 / 900e9, "fp16"),
    "a100-sxm4-80gb": (312e12 / 2.039e12, "bf16"),
    "h100-sxm5": (989.4e12 / 3.35e12, "bf16"),
    "b200-sxm": (2.25e15 / 8e12, "bf16"),
    "h100-hbm2e-96gb": (989.4e12 / 2.4e12, "bf16"),
    "tpu-v1": (92e12 / 34e9, "int8"),
    "cerebras-wse-3": (15.8e15 / 21e15, "fp16"),
}


@pytest.mark.parametrize("name", BALANCES)
def test_the_balance_of_a_well_known_machine(catalogue: Catalogue, name: str) -> None:
    machine: Machine = catalogue.machines[name]
    wanted, native = BALANCES[name]
    assert machine.balance_format == native
    assert machine.peak[machine.balance_format].value / machine.bandwidth.value == pytest.approx(wanted, rel=0.002)
