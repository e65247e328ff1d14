"""Energy counters: what is added up, what happens when one goes round, and what is said where there is none."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from report.measure.counters import Counter, Meter, NoCounter, nvml, rapl


def readings(*values: int) -> Callable[[], int]:
    rest = iter(values)
    return lambda: next(rest)


def zone(folder: Path, place: str, name: str, counts: int = 0, span: int = 999_999) -> Path:
    path = folder / place
    path.mkdir()
    for file, text in {"name": name, "energy_uj": counts, "max_energy_range_uj": span}.items():
        (path / file).write_text(f"{text}\n", encoding="ascii")
    return path


def test_a_meter_counts_from_when_it_was_made() -> None:
    meter = Meter(readings(500, 700, 1700), unit=1e-3)
    assert meter.joules() == pytest.approx(0.2)
    assert meter.joules() == pytest.approx(1.2)


def test_a_counter_that_goes_round_goes_on() -> None:
    meter = Meter(readings(90, 10, 95, 5), unit=1.0, span=100)
    assert [meter.joules() for _ in range(3)] == [20.0, 105.0, 115.0]


def test_a_counter_that_cannot_go_round_was_reset() -> None:
    meter = Meter(readings(90, 10), unit=1.0)
    with pytest.raises(NoCounter, match="went backwards"):
        meter.joules()


def test_counters_of_one_device_add_up() -> None:
    meters = [Meter(readings(0, 3), unit=1.0), Meter(readings(10, 14), unit=0.5)]
    assert Counter("both", meters).joules() == 5.0


def test_rapl_adds_packages_and_memory_and_nothing_twice(tmp_path: Path) -> None:
    zone(tmp_path, "intel-rapl:0", "package-0", 999_000)
    zone(tmp_path, "intel-rapl:1", "package-1")
    zone(tmp_path, "intel-rapl:0:0", "core")
    zone(tmp_path, "intel-rapl:0:1", "dram")
    zone(tmp_path, "intel-rapl:2", "psys")
    (tmp_path / "intel-rapl").mkdir()
    counter = rapl(tmp_path)
    assert counter.name == "RAPL (dram, package-0, package-1)"
    for place, counts in {"0": 1_000, "1": 5_000, "0:0": 77_000, "0:1": 300, "2": 88_000}.items():
        (tmp_path / f"intel-rapl:{place}" / "energy_uj").write_text(str(counts), encoding="ascii")
    # Package 0 went round: from 999,000 over 999,999 to 1,000.
    assert counter.joules() == pytest.approx((2_000 + 5_000 + 300) * 1e-6)


def test_no_powercap_is_said(tmp_path: Path) -> None:
    with pytest.raises(NoCounter, match="no energy counter of the processor"):
        rapl(tmp_path / "nowhere")
    zone(tmp_path, "intel-rapl:0", "psys")
    with pytest.raises(NoCounter, match="no energy counter of the processor"):
        rapl(tmp_path)


def test_no_leave_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zone(tmp_path, "intel-rapl:0", "package-0")
    whole = Path.read_text

    def refuse(path: Path, *args: str, **options: str) -> str:
        if path.name == "energy_uj":
            raise PermissionError(13, "Permission denied", str(path))
        return whole(path, *args, **options)

    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(NoCounter, match=r"no leave to read .*only root"):
        rapl(tmp_path)


# --- NVML


class NvmlError(Exception):
    """What the library raises."""


def library(read: Callable[[], int]) -> SimpleNamespace:
    return SimpleNamespace(
        NVMLError=NvmlError,
        nvmlInit=lambda: None,
        nvmlDeviceGetHandleByIndex=lambda index: f"gpu {index}",
        nvmlDeviceGetTotalEnergyConsumption=lambda device: read() if device == "gpu 0" else -1,
    )


def test_nvml_counts_millijoules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pynvml", library(readings(1_000, 401_000)))
    assert nvml().joules() == 400.0


def test_a_gpu_without_the_counter_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise NvmlError("Not Supported")

    monkeypatch.setitem(sys.modules, "pynvml", library(refuse))
    with pytest.raises(NoCounter, match="no energy counter here: Not Supported"):
        nvml()


def test_a_missing_library_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pynvml", None)
    with pytest.raises(NoCounter, match="pynvml is not installed"):
        nvml()
