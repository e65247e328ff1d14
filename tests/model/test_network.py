"""Counting a network layer by layer, against sums done by hand."""

from typing import Any

import pytest

from model.figure import Provenance
from model.network import Count, Layer, Network, count


def network(*layers: Layer, **more: Any) -> Network:
    return Network(
        id="toy",
        name="Toy",
        short="Toy",
        year=1986,
        kind="mlp",
        status="secondary",
        cited=("s1",),
        sources={},
        layers=layers,
        **more,
    )


def full(inputs: int, units: int, **more: Any) -> Layer:
    return Layer(kind="full", inputs=inputs, units=units, **more)


# (the layer, weights, biases, products, connections)
LAYERS = {
    "full": (full(3, 2), 6, 2, 6, 8),
    "full without bias": (full(3, 2, bias="none"), 6, 0, 6, 6),
    "full, repeated": (full(3, 2, repeat=5), 30, 10, 30, 40),
    "convolution, a bias a unit": (
        Layer(kind="convolution", kernel=25, channels=1, maps=12, positions=64),
        300,
        768,
        19200,
        19968,
    ),
    "convolution, a bias a map": (
        Layer(kind="convolution", kernel=3, channels=16, maps=8, positions=13, bias="map"),
        384,
        8,
        4992,
        5096,
    ),
    "convolution without bias": (
        Layer(kind="convolution", kernel=9, channels=4, maps=2, positions=10, bias="none", repeat=2),
        144,
        0,
        1440,
        1440,
    ),
    "sum": (Layer(kind="sum", maps=3, positions=9), 3, 3, 27, 30),
    "scale": (Layer(kind="scale", maps=64, bias="map", repeat=2), 128, 128, 0, 0),
}


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_counts_to_the_sum_done_by_hand(name: str) -> None:
    layer, weights, biases, products, connections = LAYERS[name]
    assert (layer.weights, layer.biases, layer.products, layer.connections) == (weights, biases, products, connections)


@pytest.mark.parametrize(
    ("layer", "needs"),
    [
        (Layer(kind="full", inputs=3), "a full layer needs inputs, units"),
        (Layer(kind="convolution", maps=3), "a convolution layer needs kernel, in, maps, positions"),
        (Layer(kind="sum", maps=3), "a sum layer needs maps, positions"),
        (Layer(kind="scale"), "a scale layer needs maps"),
    ],
)
def test_a_layer_that_lacks_a_size_says_which_it_needs(layer: Layer, needs: str) -> None:
    with pytest.raises(ValueError, match=needs):
        count(network(layer))


def test_a_network_is_the_sum_of_its_layers() -> None:
    found = count(network(full(6, 2), full(2, 1)))
    assert found == Count(weights=14, biases=3, products=14, connections=17, first=12)
    assert found.parameters == 17


def test_connections_that_skip_a_layer_are_weights_that_see_the_input() -> None:
    found = count(network(full(2, 1), full(1, 1), direct=2))
    assert found == Count(weights=5, biases=2, products=5, connections=7, first=4)


def test_several_layers_may_see_the_input() -> None:
    found = count(network(full(24, 6), full(12, 6, sees_input=True), full(12, 12)))
    assert found is not None
    assert found.first == 24 * 6 + 12 * 6


def test_a_network_without_a_list_of_layers_is_not_counted_here() -> None:
    assert count(network()) is None


def test_a_plain_number_rests_on_its_row_unless_the_row_says_less() -> None:
    weak = Provenance(status="estimate", note="counted")
    toy = network(weaker={"weights": weak}, weights=14)
    assert toy.provenance("weights") is weak
    assert toy.provenance("biases") == Provenance(status="secondary", sources=("s1",))
