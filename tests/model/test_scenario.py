"""What a scenario means: names, formats, links, a machine or a network of one's own, numbers as people write them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from model.book import QUANTITIES, ask
from model.bounds import BOUNDS, fault
from model.formula import STATES, Formula, Given
from model.layers import BORNE_BY, format_layer, machine_layer, network_layer, own_machine_layer, peak_layer
from model.machine import FORMATS
from model.records import Catalogue
from model.scenario import CHOICES, DEFAULT, FIRST, QUIET, ScenarioError, base, over, settable

Settings = dict[str, str | float]


@pytest.fixture(scope="module")
def inputs(catalogue: Catalogue) -> Callable[..., dict[str, Given]]:
    return lambda **scenario: base(catalogue, scenario)


# --- the default


def test_the_default_scenario_gives_every_input(inputs: Any) -> None:
    plain = {key for key, quantity in QUANTITIES.items() if type(quantity).__name__ == "Quantity"}
    assert plain <= set(inputs())
    assert inputs()["format"].value == "bf16"


def test_what_the_scenario_does_not_name_is_marked_default(inputs: Any) -> None:
    found = inputs()
    for key in (
        "peak",
        "bandwidth",
        "fabric",
        "e_B",
        "d",
        "L",
        "family",
        "T",
        "s",
        "devices",
        "tp",
        "form",
        "zero",
        "b_w",
    ):
        assert found[key].default, key
    for key in ("a", "c", "o", "f"):
        assert not found[key].default, key


@pytest.mark.parametrize(
    ("scenario", "named", "left"),
    [
        ({"machine": "a100-sxm4-80gb"}, ("peak", "bandwidth", "cache", "e_B", "b_w"), ("d", "T", "form")),
        ({"network": "gpt2-small"}, ("d", "L", "vocab", "family"), ("peak", "T")),
        ({"d": 4096}, ("d",), ("L", "heads", "vocab", "peak", "T")),
        ({"T": 512, "devices": 8}, ("T", "devices"), ("s", "micro_batches", "d", "peak")),
        ({"form": "l2", "zero": 1}, ("form", "zero"), ("fixed", "policy", "axis")),
        ({"format": "fp8"}, ("weight_bytes", "b_w"), ("bandwidth",)),
        ({"B_crit": 1e6}, ("B_crit",), ("loss",)),
    ],
    ids=["machine", "network", "d", "batch", "choices", "format", "by hand"],
)
def test_what_it_names_is_not(inputs: Any, scenario: Settings, named: tuple[str, ...], left: tuple[str, ...]) -> None:
    found = inputs(**scenario)
    assert [key for key in named if found[key].default] == []
    assert [key for key in left if not found[key].default] == []


def test_a_machine_s_number_carries_row_status_range_and_sources(inputs: Any) -> None:
    peak = inputs(machine="h100-sxm5")["peak"]
    assert peak.row == "machines/h100-sxm5/peak.bf16"
    assert peak.status in ("verified", "secondary", "announced", "estimate")
    assert peak.low < peak.value < peak.high
    assert peak.sources
    assert inputs()["a"].row == "constants/activation-traffic"
    assert inputs()["a"].low < 200 < inputs()["a"].high


def test_numbers_by_hand_and_choices_say_so(inputs: Any) -> None:
    found = inputs(T=512, form="l2")
    assert (found["T"].status, found["form"].status, found["s"].status) == ("by hand", "by hand", "default")


# --- formats


def test_a_machine_takes_its_own_training_format(inputs: Any) -> None:
    assert (inputs(machine="v100-sxm2")["format"].value, inputs(machine="cray-1")["format"].value) == ("fp16", "fp64")
    assert inputs(machine="v100-sxm2")["peak"].value == 125e12


def test_a_format_that_the_machine_lacks_is_a_state_not_another_format(inputs: Any, answer: Any) -> None:
    assert inputs(machine="v100-sxm2", format="bf16")["peak"].state == "no-format"
    assert answer("beta", machine="cray-1", format="bf16").state == "no-format"
    assert answer("beta", machine="h100-sxm5", format="fp8").value == pytest.approx(1978.9e12 / 3.35e12)


@pytest.mark.parametrize(
    ("name", "update", "size", "operand", "traffic"),
    [
        ("fp64", "accumulate", 8, 8, 32),
        ("fp64", "in-place", 8, 8, 24),
        ("fp32", "accumulate", 4, 4, 16),
        ("fp32", "in-place", 4, 4, 12),
        ("tf32", "accumulate", 4, 4, 16),
        ("bf16", "accumulate", 2, 2, 12),
        ("bf16", "in-place", 2, 2, 12),
        ("fp16", "accumulate", 2, 2, 12),
        ("fp8", "accumulate", 1, 2, 10),
    ],
)
def test_what_a_format_means_in_memory(
    catalogue: Catalogue, name: str, update: str, size: float, operand: float, traffic: float
) -> None:
    layer = format_layer(catalogue, name, update)
    assert [layer[key].value for key in ("weight_bytes", "element_bytes", "b_w")] == [size, operand, traffic]


@pytest.mark.parametrize("name", ["fp4", "int8"])
def test_a_format_that_nobody_trains_in_is_a_state(catalogue: Catalogue, name: str) -> None:
    assert {given.state for given in format_layer(catalogue, name, "accumulate").values()} == {"no-format"}


def test_a_network_s_own_update_rule_decides_between_in_place_and_accumulator(inputs: Any) -> None:
    vax = {"machine": "vax-11-780-fpa"}
    assert inputs(**vax, network="lenet-1989")["b_w"].value == 12
    assert inputs(**vax, network="nettalk-80")["b_w"].value == 16
    assert inputs(**vax, network="nettalk-80", update="in-place")["b_w"].value == 12
    assert inputs(**vax, network="generic-7b")["b_w"].value == 16


# --- links


def test_the_fabric_is_a_named_link_or_a_rate(inputs: Any) -> None:
    assert inputs(machine="a100-sxm4-80gb")["fabric"].value == 25e9
    assert inputs(machine="a100-sxm4-80gb", fabric="scale_up")["fabric"].value == 300e9
    assert inputs(machine="a100-sxm4-80gb", fabric="400 Gb/s")["fabric"].value == 50e9


def test_a_link_that_the_machine_lacks_is_a_state(answer: Any) -> None:
    assert answer("beta_net", machine="vax-11-780-fpa").state == "no-fabric"
    assert answer("step_time", machine="vax-11-780-fpa").state == "no-fabric"


def test_one_device_needs_no_fabric(answer: Any, value: Any) -> None:
    alone = answer("step_time", machine="vax-11-780-fpa", devices=1)
    assert alone.state is None
    assert "fabric" not in alone.leaves()
    assert value("allreduce_time", devices=1) == 0
    assert value("ring_share", devices=1) == 0


# --- networks


def test_a_width_by_hand_means_gpt_s_shape(value: Any) -> None:
    assert value("P_a", d=1024) == 12 * 1024**2 * 32
    assert value("P_a", L=3) == 12 * 4096**2 * 3
    assert value("P_a", d=512, L=2) == 12 * 512**2 * 2
    assert value("params", d=512, L=2) == 12 * 512**2 * 2 + 2 * 50257 * 512
    assert value("attention_width", d=100) == 100


def test_a_network_of_ones_own_takes_what_is_given(value: Any) -> None:
    own: Settings = {"network": "own", "d": 1024, "L": 10, "heads": 16, "kv_heads": 4, "d_ff": 2816, "vocab": 32000}
    attention, block = 2 * 1024 * 64 * (16 + 4), 3 * 1024 * 2816
    assert value("params", **own, gated=1, tied=0) == 10 * (attention + block) + 2 * 32000 * 1024
    assert value("params", **own, gated=1, tied=1) == 10 * (attention + block) + 32000 * 1024
    assert value("P_a", network="own") == 12 * 4096**2 * 32


def test_a_network_of_ones_own_may_have_experts(value: Any) -> None:
    own: Settings = {"network": "own", "d": 1024, "L": 2, "experts": 8, "top_k": 2, "d_ff": 2048}
    attention, expert, router = 4 * 1024**2, 2 * 1024 * 2048, 8 * 1024
    assert value("P_r", **own) == 2 * (attention + router + 8 * expert)
    assert value("P_a", **own) == 2 * (attention + router + 2 * expert)
    assert value("P_a", d=1024, L=2, experts=8) == 2 * (attention + router + 2 * 1024 * 4096)


def test_a_network_by_name_and_one_by_hand_do_not_go_together(inputs: Any) -> None:
    with pytest.raises(ScenarioError, match="give a network or its d and L, not both"):
        inputs(network="gpt2-small", d=768, L=12)
    with pytest.raises(ScenarioError, match="give a network or its L, not both") as error:
        inputs(network="gpt2-small", L=12)
    assert error.value.key == "L"


@pytest.mark.parametrize("key", ["gated", "tied"])
def test_words_for_a_network_of_ones_own_are_refused_beside_another(inputs: Any, key: str) -> None:
    with pytest.raises(ScenarioError, match=f"{key} is for a network of your own"):
        inputs(**{key: 1})
    with pytest.raises(ScenarioError, match=f"{key} is 1 or 0, not 'maybe'"):
        inputs(network="own", **{key: "maybe"})
    for word in ("1", "true", 1.0, "0", "FALSE"):
        inputs(network="own", **{key: word})


@pytest.mark.parametrize("key", ["experts", "top_k", "shared_experts", "expert_d_ff", "dense_layers"])
def test_experts_are_refused_for_a_network_without_them(inputs: Any, key: str) -> None:
    with pytest.raises(ScenarioError, match=f"{key}: this network has no experts"):
        inputs(network="llama3-8b", **{key: 1})


@pytest.mark.parametrize(
    ("scenario", "message"),
    [
        ({"top_k": 9, "experts": 8, "network": "own"}, "top_k: 9 is more than experts, 8"),
        ({"top_k": 300, "network": "deepseek-v3"}, "top_k: 300 is more than experts, 256"),
        ({"ep": 512, "network": "deepseek-v3"}, "ep: 512 is more than experts, 256"),
        ({"dense_layers": 62, "network": "deepseek-v3"}, "dense_layers: 62 is more than L, 61"),
    ],
)
def test_a_part_is_no_more_than_the_whole(inputs: Any, scenario: Settings, message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        inputs(**scenario)


def test_a_network_without_attention_has_counts_and_no_width(answer: Any, value: Any) -> None:
    assert answer("d", network="nettalk-80").state == "not-a-transformer"
    assert answer("d_min", network="nettalk-80").state == "not-a-transformer"
    assert answer("tape_bytes", network="lenet-1989").state == "not-a-transformer"
    assert value("params", network="nettalk-80") == 18629
    assert value("A", network="nettalk-80") == 0
    assert value("f", network="nettalk-80") == pytest.approx(6 - 2 * 16240 / 18629)
    assert value("elementwise_tax", network="nettalk-80") == 0


def test_uses_of_a_weight_that_nobody_counted_are_unknown(catalogue: Catalogue) -> None:
    lenet = catalogue.networks["lenet-1989"]
    layer = network_layer(replace(lenet, connections=None, layers=()))
    assert (layer["parameters"].value, layer["connections"].state) == (9760, "unknown")
    assert "f" not in layer


def test_what_a_later_network_without_attention_moves_is_not_counted_here(answer: Any, value: Any) -> None:
    assert value("params", network="alexnet") == 61100840
    assert answer("A", network="resnet50").state == "not-a-transformer"
    assert answer("operational_intensity", network="resnet50").state == "not-a-transformer"


def test_a_network_whose_shape_is_not_public_says_so(answer: Any) -> None:
    for key in ("d", "P_a", "params", "operational_intensity", "T_min", "tokens_per_expert", "flops_per_token"):
        assert answer(key, network="t-c").state == "no-shape", key


def test_weights_that_fit_in_the_cache_are_not_fetched_for_each_example(answer: Any, value: Any) -> None:
    sun: Settings = {"machine": "sun-4-260", "network": "lenet-1989"}
    assert value("keep", **sun) > 4 * 9760
    for key in ("T_min", "operational_intensity", "reached_params", "P_r", "stream_bytes"):
        assert answer(key, **sun).state == "cache-resident", key
    vax: Settings = {"machine": "vax-11-780-fpa", "network": "nettalk-80"}
    assert value("keep", **vax) < 4 * 18629
    assert value("operational_intensity", **vax, T=1) == pytest.approx((6 * 18629 - 2 * 16240) / (16 * 18629))
    # Without a cache nothing stays.
    assert value("P_r", machine="cray-1", network="xor-2-2-1") == 9
    # A cache by hand keeps what fits.
    assert answer("P_r", machine="cray-1", network="xor-2-2-1", cache="1 KiB").state == "cache-resident"
    # Transformers are streamed whatever their size.
    assert value("P_r", d=8, L=1) == 12 * 64


def test_networks_of_the_catalogue_carry_what_they_rest_on(inputs: Any) -> None:
    found = inputs(network="gpt2-small")
    assert found["d"].row == "networks/gpt2-small/d"
    assert found["d"].sources
    assert found["parameters"].value == 124439808
    assert inputs(network="gpt3-175b")["train_tokens"].value == 300e9
    assert inputs(network="own")["train_tokens"].state == "unknown"


# --- machines


def test_a_machine_without_a_cache_between_memory_and_arithmetic_has_no_second_form(answer: Any) -> None:
    for machine in ("groq-lpu", "cerebras-wse-3", "cray-1"):
        assert answer("T_min", machine=machine, form="l2").state == "no-L2"


def test_prices_are_known_where_they_were_found_and_nowhere_else(answer: Any, value: Any) -> None:
    assert value("e_B", machine="a100-sxm4-80gb") == 60e-12
    assert answer("energy_per_token", machine="b200-sxm").state == "no-price"
    assert answer("beta_E", machine="h800-sxm5").state == "no-price"


def test_a_machine_of_ones_own_has_what_it_was_given(answer: Any, value: Any) -> None:
    own: Settings = {"machine": "own", "peak": "989TFLOP/s", "bandwidth": "3.35TB/s"}
    assert value("beta", **own) == pytest.approx(989 / 3.35)
    assert answer("drain_time", **own).state == "unknown"
    assert answer("T_min", **own, form="l2").state == "no-L2"
    assert answer("beta_net", **own).state == "no-fabric"
    assert answer("energy_per_token", **own).state == "no-price"
    assert answer("step_time", **own).state == "no-fabric"
    full: Settings = {**own, "capacity": "80GB", "fabric": "50GB/s", "cache": "50 MB", "e_B": "50 pJ/B"}
    assert value("drain_time", **full) == pytest.approx(80 / 3350)
    assert value("beta_net", **full) == pytest.approx(989e12 / 50e9)
    assert value("I_L2", **full) == pytest.approx(math.sqrt(50e6 / 4))
    assert answer("beta", **own, format="fp8").value == pytest.approx(989 / 3.35)


@pytest.mark.parametrize("key", ["peak", "bandwidth"])
def test_a_machine_of_ones_own_needs_its_rates(inputs: Any, key: str) -> None:
    own: Settings = {"peak": "989TFLOP/s", "bandwidth": "3.35TB/s"}
    del own[key]
    with pytest.raises(ScenarioError, match=f"a machine of your own needs its {key}, as in {key}="):
        inputs(machine="own", **own)


def test_a_replica_of_more_devices_than_there_are_does_not_fit(answer: Any, value: Any) -> None:
    assert answer("dp", tp=8, pp=16).state == "does-not-fit"
    assert answer("global_batch", tp=8, pp=16).state == "does-not-fit"
    assert value("dp", tp=8, pp=16, devices=16384) == 128


def test_what_fits_and_what_does_not(answer: Any, value: Any) -> None:
    assert answer("headroom", network="generic-7b", devices=1).state == "does-not-fit"
    kept: Settings = {"network": "llama3-405b", "T": 8192, "micro_batches": 16, "tp": 8, "pp": 16, "devices": 16384}
    assert answer("headroom", **kept).state == "does-not-fit"
    assert answer("headroom", **kept, zero=1, policy="inputs").state is None
    assert value("headroom", d=1024, L=24) > 0


# --- what is refused, and how


@pytest.mark.parametrize(
    ("scenario", "key", "message"),
    [
        ({"netwrok": "generic-7b"}, "netwrok", "unknown key 'netwrok'; did you mean 'network'[?]"),
        ({"machin": "h100-sxm5"}, "machin", "unknown key 'machin'; did you mean 'machine'"),
        ({"q": 1}, "q", "unknown key 'q'"),
        ({"beta": 100}, "beta", "unknown key 'beta'"),
        ({"family": "dense"}, "family", "unknown key 'family'"),
        ({"machine": "h100"}, "machine", "unknown machine 'h100'; did you mean 'h100-sxm5"),
        ({"network": "gpt4"}, "network", "unknown network 'gpt4'"),
        ({"form": "l3"}, "form", "unknown form 'l3'; did you mean 'l2'[?]$"),
        ({"zero": 4}, "zero", "unknown zero '4'.*one of 0, 1, 2, 3"),
        ({"zero": 1.5}, "zero", "unknown zero '1.5'"),
        ({"format": "bf61"}, "format", "unknown format 'bf61'; did you mean 'bf16'"),
        ({"fabric": "nvlink"}, "fabric", "fabric: 'nvlink' is not a quantity"),
        ({"peak": "989"}, "peak", "peak: '989' has no unit; it is measured in FLOP/s"),
        ({"peak": "989 TB/s"}, "peak", "peak: '989 TB/s' is in B/s, but FLOP/s is wanted"),
        ({"bandwidth": "3.35 TBs"}, "bandwidth", "bandwidth: unknown unit 'TBs'"),
        ({"capacity": "80 Gb"}, "capacity", "capacity: '80 Gb' counts bits"),
        ({"bandwidth": "1 Tb/s"}, "bandwidth", "bandwidth: '1 Tb/s' counts bits, and is 0.125 TB/s"),
        ({"T": "0"}, "T", "T: 0 is out of range; the least is 1$"),
        ({"T": -1.0}, "T", "T: -1 is out of range; the least is 1$"),
        ({"T": math.nan}, "T", "T: nan is out of range"),
        ({"T": math.inf}, "T", "T: inf is out of range; the most is 1e9$"),
        ({"T": "1e30"}, "T", "T: 1e30 is out of range; the most is 1e9$"),
        ({"T": "1.5"}, "T", "T: 1.5 is not a whole number; the nearest are 1 and 2$"),
        ({"L": 1e9}, "L", "L: 1e9 is out of range; the most is 10000$"),
        ({"L": "1e9"}, "L", "L: 1e9 is out of range; the most is 10000$"),
        ({"peak": "1 FLOP/s"}, "peak", "peak: 1 FLOP/s is out of range; the least is 1 kFLOP/s$"),
        ({"capacity": "2 EB"}, "capacity", "capacity: 2 EB is out of range; the most is 1 PB$"),
        ({"e_B": "1 J/B"}, "e_B", "e_B: 1 J/B is out of range; the most is 0.001 J/B$"),
        ({"d": "4096", "heads": "7"}, "heads", "heads: 7 heads do not divide d, 4096; the nearest are 4 and 8$"),
        ({"heads": "32", "kv_heads": "64"}, "kv_heads", "64 kv_heads do not divide heads, 32; the nearest is 32$"),
        ({"network": "llama3-8b", "kv_heads": "5"}, "kv_heads", "5 kv_heads do not divide heads, 32; .* are 4 and 8$"),
        ({"T": "many"}, "T", "T: 'many' is not a quantity"),
        ({"devices": "1.5"}, "devices", "devices: 1.5 is not a whole number; the nearest are 1 and 2$"),
        ({"devices": "0"}, "devices", "devices: 0 is out of range"),
        ({"d": "768.5"}, "d", "d: 768.5 is not a whole number"),
    ],
    ids=lambda part: str(part) if isinstance(part, str) else "",
)
def test_a_wrong_scenario_is_refused_with_its_key_and_a_reason(
    inputs: Any, scenario: Settings, key: str, message: str
) -> None:
    with pytest.raises(ScenarioError, match=message) as error:
        inputs(**scenario)
    assert error.value.key == key


@pytest.mark.parametrize(
    ("key", "text", "number"),
    [
        ("peak", "989TFLOP/s", 989e12),
        ("bandwidth", "3.35 TB/s", 3.35e12),
        ("capacity", "80 GiB", 80 * 2**30),
        ("capacity", "80 GB", 80e9),
        ("fabric", "400 Gb/s", 50e9),
        ("T", "2048", 2048),
        ("T", "2 ktoken", 2000),
        ("T", 2048.0, 2048),
        ("T", " 512 ", 512),
        ("hop_length", "0.5 mm", 5e-4),
        ("e_B", "60 pJ/B", 60e-12),
        ("static_power", "60 W", 60),
        ("b_w", "6 B/param", 6),
        ("a", "0 B/(layer token)", 0),
        ("B_crit", "1e6 token", 1e6),
        ("loss", "2.5", 2.5),
        ("devices", "64", 64),
        ("k", "16384", 16384),
        ("dp", "8", 8),
        ("mfu", "0.41", 0.41),
    ],
)
def test_numbers_are_read_as_people_write_them(inputs: Any, key: str, text: str | float, number: float) -> None:
    found = inputs(**{key: text})[key]
    assert found.value == pytest.approx(number, rel=1e-12)
    assert found.status == "by hand"


def test_every_number_has_bounds_and_every_bound_a_number() -> None:
    words = {"machine", "network", "gated", "tied", *CHOICES}
    assert set(settable()) - words == set(BOUNDS)
    assert set(settable()) >= set(DEFAULT)
    assert set(settable()) >= set(QUIET)
    assert len(settable()) == len(set(settable()))


def test_the_default_and_every_row_lie_within_the_bounds(catalogue: Catalogue) -> None:
    scenarios = [{"machine": name} for name in catalogue.machines] + [{"network": name} for name in catalogue.networks]
    for scenario in ({}, *scenarios):
        for key, given in base(catalogue, scenario).items():
            if key in BOUNDS and isinstance(given.value, float) and given.value:
                assert fault(key, key, given.value, QUANTITIES[key].unit) is None, (scenario, key)


def test_a_width_of_a_head_by_hand_frees_the_number_of_heads(inputs: Any) -> None:
    assert inputs(d=4096, heads=7, head_dim=64, kv_heads=7)["heads"].value == 7


def test_defaults_and_first_choices_are_among_the_choices() -> None:
    assert all(word in CHOICES[key] for key, word in FIRST.items())
    assert DEFAULT["form"] in CHOICES["form"]
    assert CHOICES["format"] == FORMATS


# --- the whole catalogue


def test_every_quantity_answers_on_every_machine_and_network_in_both_forms(catalogue: Catalogue) -> None:
    for machine in catalogue.machines:
        for network in catalogue.networks:
            for form in CHOICES["form"]:
                found, memo = base(catalogue, {"machine": machine, "network": network, "form": form}), {}
                for key in QUANTITIES:
                    answer = ask(key, found, memo)
                    if answer.state is None:
                        choice = answer.given is not None and isinstance(answer.given.value, str)
                        assert choice or math.isfinite(answer.value), (key, machine, network, form)  # type: ignore[arg-type]
                    else:
                        assert answer.value is None
                        assert answer.state in STATES


@pytest.mark.parametrize("key", [key for key in CHOICES if key not in ("update", "format", "form")])
def test_every_choice_answers(catalogue: Catalogue, key: str) -> None:
    for word in CHOICES[key]:
        for network in ("generic-7b", "deepseek-v3", "nettalk-80", "t-c"):
            found, memo = base(catalogue, {"network": network, key: word}), {}
            for name in QUANTITIES:
                ask(name, found, memo)


def test_negative_answers_are_only_room_that_is_left(catalogue: Catalogue) -> None:
    for machine in ("h100-sxm5", "cray-1", "groq-lpu"):
        for network in catalogue.networks:
            found, memo = base(catalogue, {"machine": machine, "network": network}), {}
            for key, quantity in QUANTITIES.items():
                answer = ask(key, found, memo)
                if answer.value is not None and isinstance(quantity, Formula):
                    assert answer.value >= 0, key


def test_layers_stand_on_their_own_rows(catalogue: Catalogue) -> None:
    machine = catalogue.machines["h100-sxm5"]
    assert peak_layer(machine, "fp8")["peak"].value == 1978.9e12
    assert peak_layer(machine, "int8")["peak"].state == "no-format"
    assert machine_layer(catalogue, machine)["bandwidth"].value == 3.35e12
    assert own_machine_layer()["keep"].value == 0
    assert network_layer(catalogue.networks["gopher-280b"])["attention"].value == "relative"
    assert network_layer(catalogue.networks["deepseek-v3"])["attention"].value == "latent"
    assert network_layer(catalogue.networks["bert-large"])["position_rows"].value == 514
    assert network_layer(catalogue.networks["mixtral-8x7b"])["d_ff"].value == 14336


@pytest.mark.parametrize(
    "name", ["h100-sxm5", "a100-sxm4-80gb", "a100-sxm4-40gb", "b200-sxm", "v100-sxm2", "vax-11-780-fpa", "cray-1"]
)
def test_machines_that_the_report_names_are_in_the_catalogue(catalogue: Catalogue, name: str) -> None:
    assert name in catalogue.machines


@pytest.mark.parametrize("name", ["generic-7b", "llama3-405b", "deepseek-v3", "gpt3-175b", "nettalk-80", "lenet-1989"])
def test_networks_that_the_report_names_are_in_the_catalogue(catalogue: Catalogue, name: str) -> None:
    assert name in catalogue.networks


def test_a_symbol_means_its_default_constant_and_a_price_belongs_to_its_machine(catalogue: Catalogue) -> None:
    assert catalogue.constant("b_w").id == "b-w-bf16-fp32-accumulator"
    with pytest.raises(KeyError):
        catalogue.constant("b_q")
    assert catalogue.price("e_B", "h800-sxm5") is None


@pytest.mark.parametrize(
    ("settings", "changes", "found"),
    [
        ({"d": "64", "L": "2", "T": "9"}, {"network": "gpt2-small"}, {"T": "9", "network": "gpt2-small"}),
        ({"peak": "1 PFLOP/s", "fabric": "1 GB/s"}, {"machine": "cray-1"}, {"machine": "cray-1"}),
        ({"fabric": "nic"}, {"machine": "cray-1"}, {"fabric": "nic", "machine": "cray-1"}),
        ({"d": "64"}, {"T": "9"}, {"d": "64", "T": "9"}),
    ],
    ids=["network", "machine", "link", "neither"],
)
def test_another_machine_or_network_comes_with_its_own_figures(settings: Any, changes: Any, found: Any) -> None:
    assert over(settings, changes) == found


@pytest.mark.parametrize(
    ("settings", "key", "said"),
    [
        (
            {"devices": 100.0, "tp": 8.0},
            "devices",
            "100 devices are no multiple of tp times pp, 8; the nearest are 96 and 104$",
        ),
        ({"tp": 3.0}, "tp", "64 devices are no multiple of tp times pp, 3"),
        ({"pp": 5.0}, "pp", "64 devices are no multiple of tp times pp, 5"),
    ],
    ids=lambda part: "",
)
def test_devices_make_whole_replicas(catalogue: Catalogue, settings: dict[str, float], key: str, said: str) -> None:
    with pytest.raises(ScenarioError, match=said) as caught:
        base(catalogue, settings)
    assert caught.value.key == key


def test_too_few_devices_for_a_replica_are_a_state_and_a_width_by_hand_stands(catalogue: Catalogue) -> None:
    assert ask("dp", base(catalogue, {"devices": 2.0, "tp": 8.0})).state == "does-not-fit"
    assert ask("dp", base(catalogue, {"devices": 100.0, "tp": 8.0, "dp": 12.0})).value == 12


@pytest.mark.parametrize("key", ["ep", "cp"])
def test_a_group_wider_than_the_replicas_does_not_fit(catalogue: Catalogue, key: str) -> None:
    asked: Settings = {"network": "deepseek-v3", key: 64.0, "pp": 2.0, "sequences": 1.0}
    quantity = {"ep": "T_min", "cp": "run_visit"}[key]
    wide, room = (base(catalogue, {**asked, "devices": devices}) for devices in (64.0, 128.0))
    assert (wide[key].value, wide[key].state) == (None, "does-not-fit")
    assert room[key].value == 64
    assert (ask(quantity, wide).state, ask(quantity, room).state) == ("does-not-fit", None)


def test_what_language_models_were_fitted_for_is_not_said_of_others(answer: Any) -> None:
    for key in ("steps_factor", "examples_factor", "cp_limit"):
        assert answer(key, network="nettalk-80", machine="vax-11-780-fpa").state == "not-a-transformer"
        assert answer(key, network="gpt2-xl").state is None


def test_a_replica_updates_and_reduces_its_own_share_of_the_experts(catalogue: Catalogue) -> None:
    pooled = base(catalogue, {"network": "deepseek-v3", "ep": 64.0, "devices": 256.0})
    alone = base(catalogue, {"network": "deepseek-v3", "devices": 256.0})
    held = ask("held_params", pooled).value
    assert held
    assert held < (ask("params", pooled).value or 0) / 10
    assert ask("optimizer_bytes", pooled).value == pytest.approx(30 * held)
    assert ask("optimizer_bytes", alone).value == pytest.approx(30 * (ask("params", alone).value or 0))
    assert ask("allreduce_bytes", pooled).value == pytest.approx(4 * held * 255 / 256)
    # Sharded over all replicas, the update is the same however the experts are pooled.
    for given in ({"ep": 64.0}, {}):
        sharded = base(catalogue, {"network": "deepseek-v3", "devices": 256.0, "zero": "1", **given})
        assert ask("optimizer_bytes", sharded).value == pytest.approx(30 * (ask("params", sharded).value or 0) / 256)


def test_an_absence_comes_from_no_other_input_than_is_said(inputs: Any, catalogue: Catalogue) -> None:
    scenarios: list[Settings] = [
        {"machine": one, "fabric": link} for one in catalogue.machines for link in ("nic", "scale_up")
    ]
    scenarios += [{"network": one, "format": kind} for one in catalogue.networks for kind in FORMATS]
    scenarios += [{"machine": "own", "peak": 1e12, "bandwidth": 1e12}, {"devices": 16, "tp": 8, "cp": 8}]
    scenarios += [{"network": "deepseek-v3", "devices": 16, "tp": 8, "ep": 8}]
    seen = set()
    for scenario in scenarios:
        for key, given in inputs(**scenario).items():
            if given.state not in (None, "unknown"):
                seen.add(given.state)
                assert key in BORNE_BY[given.state], (scenario, key, given.state)
    assert seen == set(BORNE_BY) <= set(STATES)
