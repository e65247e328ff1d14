"""The whole of `python -m model measure`: on a machine built for it, and on this one."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from model.book import ask
from model.scenario import base
from report.ask import CONTENT
from report.catalogue import load
from report.measure import row
from report.measure.command import HELP, USAGE, main
from report.measure.counters import NoCounter
from report.measure.measuring import Means, Measured, measure
from report.measure.progress import Progress
from tests.report.measure.bench import FACTS, Machine

read = cache(load)
Told = Callable[[str], tuple[int, str, str]]


def no_counter() -> Machine:
    raise NoCounter("nobody counts here")


def measured(machine: Machine, counted: bool = True, quick: bool = False) -> Measured:
    counter = (lambda: machine) if counted else no_counter
    return measure(machine, Means(counter=counter, quick=quick, clock=machine.clock, sleep=machine.sleep))


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def told(machine: Machine, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Told:
    """Return a function: the exit code and what is printed when the toy is measured."""
    monkeypatch.setattr("report.measure.command.load", read)
    monkeypatch.setattr("report.measure.command.devices", lambda only: [(lambda: machine, lambda: machine)])
    monkeypatch.setattr("report.measure.command.measure", on_its_clock)

    def found(line: str) -> tuple[int, str, str]:
        code = main(line.split())
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return found


def on_its_clock(device: Machine, means: Means) -> Measured:
    return measure(device, replace(means, clock=device.clock, sleep=device.sleep))


# --- what is measured


def test_the_rates_come_back() -> None:
    found = measured(Machine())
    assert found.peak["bf16"].value == pytest.approx(300e12)
    assert found.peak["fp32"].value == pytest.approx(300e12 / 16)
    assert found.bandwidth.value == pytest.approx(2e12)
    assert found.energy is not None
    assert found.energy.e_B == pytest.approx(60e-12)


def test_products_grow_until_they_last_but_not_beyond_the_memory() -> None:
    slow, small = Machine(peak=1e11), Machine(facts=replace(FACTS, capacity=1e9))
    measured(slow)
    # fp32 takes sixteen times as long: 0.34 s at 1,024, 2.7 s at 2,048; bf16 passes half a second at 4,096.
    assert slow.sizes == [1024, 2048, 1024, 2048, 4096]
    measured(small)
    assert max(small.sizes) == 4096


def test_without_a_counter_there_is_a_reason() -> None:
    found = measured(Machine(), counted=False)
    assert (found.energy, found.why) == (None, "nobody counts here")


# --- what is printed


def test_the_text_says_rates_balance_energy_row_and_link(told: Told) -> None:
    code, out, err = told("")
    assert (code, err) == (0, "")
    for line in (
        r"Toy 9000 \(R\): Toylib 1\.0",
        r"  peak bf16 +300 TFLOP/s +within 0\.0 %; fastest 300 TFLOP/s; 8 × bf16 product of two 16,384 × 16,384 .*",
        r"  bandwidth +2 TB/s +within .*",
        r"  balance bf16 +150 FLOP/B",
        r"Energy, by toy counter",
        r"  e_B +60 pJ/B +measured",
        r" +60 pJ/B +in the model for a100-sxm4-80gb, measured is 1\.00 times that",
        r" +50 pJ/B +in the model for h100-sxm5, measured is 1\.20 times that",
        r"  e_F +900 fJ/FLOP +measured",
        r"file:///.*/site/index\.html#v=1&machine=own&peak=300TFLOP/s&bandwidth=2TB/s&.*",
    ):
        assert re.search(f"^{line}$", out, re.MULTILINE), line


def test_the_energy_can_stand_beside_one_machine(told: Told) -> None:
    out = told("beside=b200-sxm")[1]
    assert "no energy price known (no-price) in the model for b200-sxm" in out
    assert "h100-sxm5" not in out


def test_json_holds_the_same_in_base_units(told: Told) -> None:
    code, out, err = told("--json --quick")
    assert (code, err) == (0, "")
    (found,) = json.loads(out)["devices"]
    assert found["peak"]["bf16"]["value"] == pytest.approx(300e12)
    assert found["peak"]["bf16"]["unit"] == "FLOP/s"
    assert found["balance"]["bf16"] == pytest.approx(150)
    assert found["energy"]["e_F"] == pytest.approx(0.9e-12)
    assert found["no_energy"] is None
    assert found["link"].endswith(found["fragment"])
    assert {one["machine"] for one in found["predictions"]} >= {"h100-sxm5", "a100-sxm4-80gb"}


def test_what_is_not_steady_or_spoilt_is_said(told: Told, machine: Machine) -> None:
    machine.__dict__.update(facts=replace(FACTS, warning="it is busy"))
    machine._noise = iter([1.0, 5.0, 3.0, 9.0] * 1_000_000)
    out = told("")[1]
    assert "NOT STEADY" in out
    assert "  warning: it is busy" in out
    assert "not steady" in out.split("machines.yaml")[1]


def test_the_device_is_closed(told: Told, machine: Machine) -> None:
    told("")
    assert machine.closed


# --- what comes of it


@pytest.mark.parametrize("counted", [True, False])
@pytest.mark.parametrize("capacity", [80e9, None])
def test_the_row_is_read_by_the_catalogue(tmp_path: Path, counted: bool, capacity: float | None) -> None:
    found = measured(Machine(facts=replace(FACTS, capacity=capacity)), counted)
    content = Path(shutil.copytree(CONTENT, tmp_path / "content" / "catalogue"))
    file = content / "machines.yaml"
    file.write_text(file.read_text(encoding="utf-8") + "\n" + row.row(found, {}, 2026), encoding="utf-8")
    machine = load(content).machines["toy-9000-r"]
    assert machine.peak["bf16"].value == pytest.approx(300e12)
    assert machine.peak["bf16"].low <= machine.peak["bf16"].value <= machine.peak["bf16"].high
    assert machine.bandwidth.value == pytest.approx(2e12)
    assert (machine.capacity is None) == (capacity is None)
    assert (machine.status, machine.year, machine.balance_format) == ("estimate", 2026, "bf16")


def test_a_row_takes_an_id_that_is_free() -> None:
    assert row.identity("NVIDIA H100 80GB HBM3", {}) == "nvidia-h100-80gb-hbm3"
    assert row.identity("H100-SXM5", {"h100-sxm5"}) == "h100-sxm5-measured"
    assert row.identity("???", {}) == "machine"


def test_the_model_reads_the_link_as_it_was_measured() -> None:
    found = measured(Machine())
    given = row.settings(found)
    pairs = dict(pair.split("=") for pair in row.fragment(given).removeprefix("#v=1&").split("&"))
    assert pairs == given
    layer = base(read(CONTENT), pairs)
    assert ask("beta", layer).value == pytest.approx(150)
    assert ask("e_B", layer).value == pytest.approx(60e-12)
    assert ask("static_power", layer).value == pytest.approx(60)
    assert ask("capacity", layer).value == pytest.approx(80e9)


# --- how it is asked and how it ends


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--qick", f"'--qick' is not understood; {USAGE}"),
        ("device=tpu", "'device=tpu' is not understood"),
        ("beside=", "'beside=' is not understood"),
        ("beside=h100", "unknown machine 'h100'; did you mean"),
    ],
)
def test_a_wrong_word_ends_with_two(told: Told, line: str, message: str) -> None:
    code, out, err = told(line)
    assert (code, out) == (2, "")
    assert err.startswith("model: ")
    assert message in err
    assert len(err.splitlines()) == 1


def test_no_gpu_is_said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("report.measure.command.load", read)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert main(["device=gpu"]) == 2
    assert "no GPU" in capsys.readouterr().err


@pytest.mark.parametrize("line", ["--help", "-h --json"])
def test_help_says_what_it_does(told: Told, line: str) -> None:
    assert told(line) == (0, HELP + "\n", "")


def test_an_interruption_closes_the_device_and_ends_with_130(
    told: Told, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*given: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(machine, "stream", interrupt)
    assert told("") == (130, "", "model: interrupted; nothing was written\n")
    assert machine.closed


class Terminal(io.StringIO):
    """A stream with a person before it."""

    def isatty(self) -> bool:
        return True


def test_progress_is_one_line_that_is_wiped() -> None:
    terminal = Terminal()
    progress = Progress(terminal)
    progress.tell("first")
    progress.tell("second" * 100)
    progress.wipe()
    progress.wipe()
    assert "\n" not in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")
    assert terminal.getvalue().count("\x1b[K") == 3
    file = io.StringIO()
    Progress(file).tell("to nobody")
    Progress(file).wipe()
    assert file.getvalue() == ""


def test_it_measures_this_machine(root: Path) -> None:
    """As a user runs it. The numbers are this machine's own; they only have to hang together."""
    command = [sys.executable, "-m", "model", "measure", "device=cpu", "--quick", "--json"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    (found,) = json.loads(done.stdout)["devices"]
    assert set(found["peak"]) == {"fp64", "fp32"}
    for number_format, peak in found["peak"].items():
        assert 0 < peak["low"] <= peak["value"] <= peak["best"]
        assert found["balance"][number_format] == pytest.approx(peak["value"] / found["bandwidth"]["value"])
    assert (found["energy"] is None) != (found["no_energy"] is None)


@pytest.mark.skipif(os.name == "nt", reason="an interrupt is sent otherwise there")
def test_a_real_interrupt_leaves_nothing_behind(root: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "model", "measure", "device=cpu"]
    environment = os.environ | {"PYTHONPATH": str(root), "TMPDIR": str(tmp_path)}
    running = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    threads = Path(f"/proc/{running.pid}/task")
    deadline = time.monotonic() + 60
    # Once it has threads it is measuring.
    while threads.is_dir() and len(list(threads.iterdir())) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1.0)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (130, "")
    assert err == "model: interrupted; nothing was written\n"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
