"""`python -m model`: one question, its answer in text or JSON, and a plain word when the question is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pykatex
import pytest

from model.book import QUANTITIES
from model.formula import STATES, Coefficient
from model.scenario import CHOICES, settable
from report.ask import USAGE, main
from report.catalogue import load

# What the report's argument rests on.
ASKED = [
    "beta",
    "operational_intensity",
    "T_min",
    "d_min",
    "elementwise_tax",
    "utilization_ceiling",
    "drain_time",
    "params",
    "active_params",
    "flops_per_token",
    "tape_bytes",
    "state_bytes",
    "T_optimizer",
    "T_allreduce",
    "T_fsdp",
    "T_fixed",
    "B_crit",
    "B_opt",
    "step_time",
    "energy_per_token",
    "rank_redundancy",
    "byte_hops",
    "inference_batch",
    "step_intensity",
    "slowdown",
    "compute_to_commute",
    "commute_share",
    "fabric_intensity",
    "in_flight_bytes",
    "tape_high_water",
    "store_recompute_d",
    "tokens_per_expert",
    "reached_params",
    "batch_window",
]


# The files stay as they are while the tests run: read them once.
read = cache(load)


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function: the exit code and what was printed, on a line of words."""
    monkeypatch.setattr("report.ask.load", read)

    def found(line: str) -> tuple[int, str, str]:
        code = main(line.split())
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return found


@pytest.fixture
def asked(told: Any) -> Any:
    """Return a function: the JSON of an answer."""

    def found(line: str) -> dict[str, Any]:
        code, out, err = told(f"{line} --json")
        assert (code, err) == (0, "")
        answer: dict[str, Any] = json.loads(out)
        return answer

    return found


def given(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {entry["key"]: entry for entry in answer["inputs"]}


# --- what is answered


@pytest.mark.parametrize("key", ASKED)
def test_every_quantity_of_the_argument_answers_on_the_default_scenario(asked: Any, key: str) -> None:
    answer = asked(key)
    assert answer["quantity"] == key
    assert (answer["value"] is None) == (answer["state"] is not None)
    assert answer["unit"] == str(QUANTITIES[key].unit)
    assert answer["inputs"]


def test_json_has_a_number_its_unit_its_formula_and_its_inputs(asked: Any) -> None:
    answer = asked("T_min machine=h100-sxm5 network=generic-7b form=plain")
    assert set(answer) >= {"quantity", "value", "unit", "state", "latex", "inputs"}
    assert answer["value"] == pytest.approx(738.3, rel=0.005)
    assert (answer["unit"], answer["state"]) == ("token", None)
    assert answer["latex"] == r"T_{\text{min}} = \frac{b_w P_r \beta}{f P_a - A \beta}"
    assert pykatex.renderToString(answer["latex"], output="mathml", strict="error")
    peak = given(answer)["peak"]
    assert (peak["unit"], peak["row"], peak["status"]) == ("FLOP/s", "machines/h100-sxm5/peak.bf16", "verified")
    assert peak["low"] <= peak["value"] <= peak["high"]
    assert all({"title", "url"} <= set(source) for source in peak["sources"])
    assert peak["sources"]


def test_inputs_that_were_not_given_are_marked_default(asked: Any) -> None:
    inputs = given(asked("step_time machine=a100-sxm4-80gb T=512"))
    for key in ("T", "peak", "bandwidth", "fabric"):
        assert not inputs[key]["default"], key
    for key in ("devices", "micro_batches", "s", "d", "L", "form", "tp"):
        assert inputs[key]["default"], key
    assert not given(asked("step_time devices=8"))["devices"]["default"]


def test_a_state_has_no_value_in_json_and_its_words_in_text(asked: Any, told: Any) -> None:
    assert asked("T_min d=512")["state"] == "no-batch"
    assert asked("T_min d=512")["value"] is None
    code, out, _ = told("T_min d=512")
    assert code == 0
    assert out.startswith("T_min = no batch reaches the balance (no-batch)\n")


@pytest.mark.parametrize(
    ("line", "state"),
    [
        ("energy_per_token machine=b200-sxm", "no-price"),
        ("d_min network=nettalk-80", "not-a-transformer"),
        ("params network=t-c", "no-shape"),
        ("beta machine=cray-1 format=bf16", "no-format"),
        ("beta_net machine=cray-1", "no-fabric"),
        ("I_L2 machine=groq-lpu", "no-L2"),
        ("T_min machine=sun-4-260 network=lenet-1989", "cache-resident"),
        ("headroom network=gpt3-175b", "does-not-fit"),
        ("mfu", "unknown"),
    ],
)
def test_an_absence_is_said_in_words(told: Any, line: str, state: str) -> None:
    code, out, err = told(line)
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == f"{line.partition(' ')[0]} = {STATES[state]} ({state})"


def test_the_list_of_keys_says_what_each_lies_between(told: Any) -> None:
    _, out, _ = told("")
    lines = {line.split()[0]: line for line in out.partition("\nkeys\n")[2].splitlines()}
    assert lines["T"].endswith("in token, 1 to 1e9, whole (default 2048)")
    assert lines["peak"].endswith("in FLOP/s, 1 kFLOP/s to 10 EFLOP/s")
    assert lines["form"].endswith("one of plain, l2 (default plain)")


def test_a_formula_with_a_value_that_is_not_there_holds_a_mark_and_names_it(told: Any) -> None:
    _, out, _ = told("T_min network=deepseek-v3 ep=64 devices=8")
    assert "12*?" in out
    assert "= does not fit (does-not-fit), for want of P_r" in out
    assert "256/?))" in out
    _, out, _ = told("steps_factor network=xor-2-2-1")
    assert "= not a transformer (not-a-transformer), for want of d" in out


def test_the_text_shows_the_formula_with_values_put_in_and_every_input(told: Any) -> None:
    code, out, err = told("beta machine=h100-sxm5")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "beta = 295.343 FLOP/B"
    assert lines[1] == f"  {QUANTITIES['beta'].says}"
    assert "  beta = peak/bandwidth" in lines
    assert "       = 9.894e+14/3.35e+12 = 295.343 FLOP/B" in lines
    assert [line.split()[0] for line in lines[lines.index("inputs") + 1 :]] == ["peak", "bandwidth"]
    assert "verified" in out


def test_each_step_of_the_working_stands_once(told: Any) -> None:
    _, out, _ = told("batch_window")
    steps = [line.split(" = ")[0].strip() for line in out.splitlines() if line.startswith("  ") and " = " in line]
    named = [step for step in steps if step in QUANTITIES]
    assert len(named) == len(set(named))
    assert named[0] == "batch_window"
    assert {"T_min", "T_allreduce", "T_optimizer", "B_crit", "dp"} <= set(named)


def test_text_marks_defaults_hand_set_numbers_and_absences(told: Any) -> None:
    _, out, _ = told("step_time T=512 fabric=scale_up machine=cray-1")
    lines = {line.split()[0]: line for line in out.split("inputs\n")[1].splitlines()}
    assert "512 token" in lines["T"]
    assert "by hand" in lines["T"]
    assert "default" in lines["devices"]
    assert STATES["no-fabric"] in lines["fabric"]


def test_an_input_and_a_choice_answer_too(asked: Any, told: Any) -> None:
    assert asked("bandwidth machine=h100-sxm5")["value"] == 3.35e12
    assert asked("form form=l2")["value"] == "l2"
    assert told("form")[1].startswith("form = plain\n")
    assert told("capacity machine=own peak=1TFLOP/s bandwidth=1TB/s")[1].startswith("capacity = not known (unknown)")


@pytest.mark.parametrize("key", sorted(QUANTITIES))
def test_every_quantity_can_be_asked_in_text(told: Any, key: str) -> None:
    code, out, err = told(key)
    assert (code, err) == (0, "")
    assert out.startswith(f"{key} = ")


# --- what is refused


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("T_mim", "unknown quantity 'T_mim'; did you mean 'T_min'"),
        ("beta machine=h100-smx5", "unknown machine 'h100-smx5'; did you mean 'h100-sxm5'"),
        ("beta network=generic-7", "unknown network 'generic-7'; did you mean 'generic-7b'"),
        ("beta machne=h100-sxm5", "unknown key 'machne'; did you mean 'machine'"),
        ("T_min form=l3", "unknown form 'l3'"),
        ("T_min T=2048 T=512", "T is given twice"),
        ("T_min T", "'T' is not KEY=VALUE"),
        ("T_min T=", "'T=' is not KEY=VALUE"),
        ("T_min T=2048s", "T: '2048s' is in s, but token is wanted"),
        ("T_min bandwidth=3.35", "bandwidth: '3.35' has no unit; it is measured in B/s"),
        ("params d=768 network=gpt2-small", "give a network or its d, not both"),
        ("beta --jsno", f"unknown option '--jsno'; {USAGE}"),
    ],
)
def test_a_wrong_question_ends_with_two_and_says_why(told: Any, line: str, message: str) -> None:
    code, out, err = told(line)
    assert (code, out) == (2, "")
    assert err.startswith("model: ")
    assert message in err
    assert len(err.splitlines()) == 1


# --- what is listed


@pytest.mark.parametrize("line", ["", "--help", "beta -h", "--json"])
def test_without_a_question_it_lists_what_can_be_asked_and_set(told: Any, line: str) -> None:
    code, out, err = told(line)
    assert (code, err) == (0, "")
    assert out.startswith(USAGE)
    listed = {found.split()[0] for found in out.splitlines() if found.startswith("  ")}
    assert set(ASKED) <= listed
    assert set(settable()) <= listed
    assert not any(isinstance(QUANTITIES.get(key), Coefficient) for key in listed)
    assert f"one of {', '.join(CHOICES['form'])} (default plain)" in out
    assert "(default 2048)" in out


def test_it_runs_as_a_module(root: Path) -> None:
    command = [sys.executable, "-m", "model", "beta", "machine=h100-sxm5", "--json"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["value"] == pytest.approx(295.34, rel=0.005)
    done = subprocess.run(
        [sys.executable, "-m", "model", "betta"], cwd=root, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean 'beta'" in done.stderr
