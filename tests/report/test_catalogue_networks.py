"""The networks of the catalogue: whether their shapes count to what is published of them."""

from pathlib import Path

import pytest

from model.figure import Provenance
from model.network import Network, count
from model.records import Catalogue
from report.catalogue import load


@pytest.fixture(scope="module")
def catalogue(root: Path) -> Catalogue:
    return load(root / "content" / "catalogue")


def plain_total(row: Network) -> float:
    """Weights of a transformer, counted here without the model: attention, MLP, embeddings, positions, routers."""
    return _embeddings(row) + _layers(row, row.experts or 0)


def plain_active(row: Network) -> float:
    return _embeddings(row) + _layers(row, row.top_k or 0)


def _embeddings(row: Network) -> float:
    assert row.d
    assert row.vocab
    rows = (row.positions.rows or 0) if row.positions else 0
    return row.d * (row.vocab * (1 if row.tied else 2) + rows + (row.token_types or 0))


def _layers(row: Network, experts: int) -> float:
    assert row.d
    assert row.L
    matrices, dense = (3 if row.gated else 2), row.dense_layers or 0
    attention = _latent(row) if row.latent else _grouped(row)
    if not row.experts:
        return row.L * (attention + matrices * row.d * (row.d_ff or 0))
    routed = matrices * row.d * (row.expert_d_ff or 0) * (experts + (row.shared_experts or 0)) + row.d * row.experts
    return row.L * attention + (row.L - dense) * routed + dense * matrices * row.d * (row.d_ff or 0)


def _grouped(row: Network) -> float:
    assert row.d
    assert row.heads
    assert row.kv_heads
    assert row.head_dim
    relative = row.d**2 if row.positions and row.positions.relative else 0
    return row.d * row.head_dim * (2 * row.heads + 2 * row.kv_heads) + relative


def _latent(row: Network) -> float:
    assert row.latent
    assert row.d
    assert row.heads
    one = row.latent
    query = row.d * one.q_rank + one.q_rank * row.heads * (one.qk_nope_dim + one.qk_rope_dim)
    keys = row.d * (one.kv_rank + one.qk_rope_dim) + one.kv_rank * row.heads * (one.qk_nope_dim + one.v_dim)
    return query + keys + row.heads * one.v_dim * row.d


TRANSFORMERS = ("dense", "moe", "encoder")


def test_every_transformer_counts_to_its_published_total(catalogue: Catalogue) -> None:
    rows = [row for row in catalogue.networks.values() if row.kind in TRANSFORMERS]
    assert len(rows) >= 25
    for row in rows:
        assert row.tolerance, row.id
        assert row.tolerance_why, row.id
        assert plain_total(row) == pytest.approx(row.published["total"].value, rel=row.tolerance), row.id


def test_a_mixture_counts_to_its_published_active_parameters(catalogue: Catalogue) -> None:
    rows = [row for row in catalogue.networks.values() if row.kind == "moe"]
    assert {row.id for row in rows} == {"mixtral-8x7b", "deepseek-v3"}
    for row in rows:
        assert plain_active(row) == pytest.approx(row.published["active"].value, rel=row.tolerance_active), row.id
        assert plain_active(row) < 0.3 * plain_total(row)


def test_no_tolerance_is_wider_than_the_count_needs(catalogue: Catalogue) -> None:
    for row in catalogue.networks.values():
        if row.kind in TRANSFORMERS and row.tolerance:
            off = abs(plain_total(row) / row.published["total"].value - 1)
            assert row.tolerance < max(3 * off, 1e-8), row.id


ITEMISED = [
    "xor-2-1-direct",
    "xor-2-2-1",
    "symmetry-6-2-1",
    "family-trees",
    "encoder-8-3-8",
    "backgammon-ts",
    "tdnn-bdg",
    "alvinn-1989",
    "alvinn-960-4-30",
    "lenet-1989",
    "td-gammon-0",
    "alexnet-2012",
    "alexnet",
    "resnet50",
]


@pytest.mark.parametrize("name", ITEMISED)
def test_an_itemised_network_counts_to_what_its_row_says(catalogue: Catalogue, name: str) -> None:
    row = catalogue.networks[name]
    found = count(row)
    assert found is not None
    total = row.parameters or row.published["total"]
    assert found.parameters == total.value
    for key in ("weights", "biases", "products"):
        assert getattr(row, key) in (None, getattr(found, key)), key
    assert row.first_products in (None, found.first)
    assert row.connections is None or row.connections.value == found.connections


def test_the_count_of_nettalk_in_its_paper_is_not_that_of_its_layers(catalogue: Catalogue) -> None:
    row = catalogue.networks["nettalk-80"]
    found = count(row)
    assert found is not None
    assert row.parameters is not None
    assert row.parameters.value == 18629
    assert found.parameters == 18426 == row.parameters.candidates[0].value
    assert row.parameters.value - found.parameters == 203, "thresholds on the inputs"


def test_both_alexnets_stand_with_their_counts_and_the_reason(catalogue: Catalogue) -> None:
    towers, one = catalogue.networks["alexnet-2012"], catalogue.networks["alexnet"]
    assert towers.parameters is not None
    assert (towers.parameters.value, one.published["total"].value) == (60965224, 61100840)
    assert "tower" in one.note


def test_presentations_are_patterns_times_sweeps(catalogue: Catalogue) -> None:
    rows = [row for row in catalogue.networks.values() if row.presentations]
    assert len(rows) >= 5
    for row in rows:
        assert row.patterns is not None
        assert row.sweeps is not None
        assert row.presentations == row.patterns * row.sweeps, row.id


def test_an_update_in_place_follows_every_pattern(catalogue: Catalogue) -> None:
    for row in catalogue.networks.values():
        if row.update == "in-place":
            assert row.patterns_per_update in (None, 1), row.id
        elif row.patterns_per_update:
            assert row.patterns_per_update > 1, row.id


def test_what_a_plain_number_rests_on_is_the_row_unless_it_says_less(catalogue: Catalogue) -> None:
    row = catalogue.networks["gpt3-175b"]
    assert row.provenance("d") == Provenance(status="verified", sources=("s1",))
    assert row.provenance("vocab").status == "secondary"
    order = ("verified", "secondary", "announced", "estimate")
    for other in (*catalogue.networks.values(), *catalogue.runs.values()):
        for weak in other.weaker.values():
            assert order.index(weak.status) > order.index(other.status), other.id
