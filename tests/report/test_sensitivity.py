"""The ranking on the command line: what moves an answer, at which ends, and what another choice would give."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from model.book import QUANTITIES, ask
from model.formula import Base
from model.records import Catalogue
from model.scenario import base
from report.ask import main
from report.catalogue import load
from report.sensitivity import choices, moved, movers, percent


@pytest.fixture(scope="module")
def catalogue(root: Path) -> Catalogue:
    return load(root / "content" / "catalogue")


@pytest.fixture(scope="module")
def inputs(catalogue: Catalogue) -> Base:
    return base(catalogue, {"machine": "h100-sxm5", "network": "generic-7b"})


def test_movers_have_elasticities_and_the_answers_at_their_ends(inputs: Base) -> None:
    found = {one.quantity.key: one for one in movers(QUANTITIES["T_min"], inputs)}
    ends = found["b_w"].ends
    assert ends is not None
    assert [end.value for end in ends] == pytest.approx([738.628 * 8 / 12, 738.628 * 16 / 12], rel=1e-5)
    assert found["d_ff"].ends is None
    assert found["b_w"].moves
    assert not found["L"].moves


def test_a_number_under_two_keys_moves_under_both(catalogue: Catalogue) -> None:
    inputs = base(catalogue, {"machine": "h100-sxm5", "network": "nettalk-80", "T": 1.0})
    given = inputs["cache"]
    state = ask("T_min", inputs).state
    assert state == "cache-resident"
    assert moved(QUANTITIES["T_min"], inputs, given, 1.0).state is None


def test_an_answer_without_a_value_is_told_what_would_give_it_one(catalogue: Catalogue) -> None:
    inputs = base(catalogue, {"machine": "h100-sxm5", "network": "gpt2-small"})
    found = {one.quantity.key: one for one in movers(QUANTITIES["T_min"], inputs)}
    ends = found["a"].ends
    assert ends is not None
    assert found["a"].elasticity is None
    assert (ends[0].value, ends[1].state) == (pytest.approx(2819.3, rel=1e-4), "no-batch")
    assert percent(None) == "-"


def test_other_choices_give_other_answers(inputs: Base) -> None:
    found = choices(QUANTITIES["B_opt"], inputs)
    assert {key: word for key, (word, _) in found.items()} == {"fixed": "all", "zero": "0"}
    assert set(found["zero"][1]) == {"1", "2", "3"}
    assert choices(QUANTITIES["beta"], inputs) == {}


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main([*words, "--sensitivity"]) == 0
    return capsys.readouterr().out


def test_the_command_ranks_what_moves_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, "T_min", "machine=h100-sxm5", "network=generic-7b")
    lines = text.splitlines()
    assert lines[0] == "T_min = 738.628 token"
    names = [line.split()[0] for line in lines if line.startswith("  ") and "%" in line]
    assert names[:5] == ["peak", "bandwidth", "f", "b_w", "a"]
    assert "+1.25 %" in text
    assert "492.419 token at 8 B/param, 984.838 token at 16 B/param" in text
    assert "without influence here: L, d" in text
    assert "l2: 824.783 token" in text


def test_the_command_says_when_nothing_moves_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert "nothing moves it" in told(capsys, "A", "a=0")
    assert "(-1 % for 1 % less)" in told(capsys, "in_flight")


def test_the_command_writes_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["T_min", "machine=h100-sxm5", "network=gpt2-small", "--sensitivity", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["value"], found["state"]) == (None, "no-batch")
    rows = {row["key"]: row for row in found["sensitivity"]}
    assert rows["a"]["elasticity"] is None
    assert rows["a"]["at_low"]["value"] == pytest.approx(2819.3, rel=1e-4)
    assert rows["d_ff"]["at_low"] is None
    assert found["choices"][0]["others"] == {"l2": {"value": None, "state": "no-batch"}}
    assert main(["in_flight", "--sensitivity", "--json"]) == 0
    kinked = json.loads(capsys.readouterr().out)["sensitivity"][0]
    assert (kinked["elasticity"], kinked["below"], kinked["above"]) == (None, 1, 0)


def test_the_answer_alone_is_printed_without_the_flag(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["T_min"]) == 0
    assert "without influence" not in capsys.readouterr().out
