"""Decoding: a batch shares the weights and nobody shares a cache."""

from __future__ import annotations

import pytest
import sympy as sp

from model.book import ask
from model.records import Catalogue
from model.scenario import base
from tests.model.algebra import gpt, letter, letters, spelled_out
from tests.model.between import between

T, d, L, s, w = letters("T d L s weight_bytes")
KEPT = ("forward_flops", "reached_params", "context_bytes")


def test_a_gpt_layer_keeps_two_vectors_of_its_width_for_each_token() -> None:
    assert sp.simplify(gpt(spelled_out("kv_bytes")) - 2 * d * L * w) == 0
    assert sp.simplify(spelled_out("kv_bytes", attention="relative") - spelled_out("kv_bytes")) == 0


def test_latent_attention_keeps_one_short_vector() -> None:
    kept = letter("kv_rank") + letter("qk_rope_dim")
    assert sp.simplify(spelled_out("kv_bytes", attention="latent") - kept * L * w) == 0


def test_the_limit_is_what_intensity_tends_to() -> None:
    found = spelled_out("decode_intensity", KEPT)
    assert sp.simplify(sp.limit(found, T, sp.oo) - spelled_out("decode_limit", KEPT)) == 0
    assert sp.simplify(sp.limit(found / T, T, 0) - letter("forward_flops") / (w * letter("reached_params"))) == 0


def test_without_a_context_decoding_wants_the_batch_that_inference_does(catalogue: Catalogue) -> None:
    scenario = {"machine": "a100-sxm4-80gb", "network": "generic-7b", "s": 1e-6}
    at_balance = {**scenario, "T": 153.0160}
    assert ask("decode_intensity", between(catalogue, at_balance)).value == pytest.approx(153.0160, rel=1e-6)
    assert ask("decode_slowdown", between(catalogue, at_balance)).value == pytest.approx(1.0, rel=1e-5)


def test_a_long_context_makes_every_batch_slow(catalogue: Catalogue) -> None:
    scenario = {"machine": "a100-sxm4-80gb", "network": "generic-7b", "s": 2048.0, "T": 1e6}
    # 24 d^2 + 4 s d over 4 s d bytes: (24 x 4096 + 4 x 2048) / (4 x 2048) = 13
    assert ask("decode_limit", base(catalogue, scenario)).value == pytest.approx(13.0)
    assert ask("decode_slowdown", base(catalogue, scenario)).value == pytest.approx(153.016 / 13, rel=1e-3)
