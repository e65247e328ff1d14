"""Counters of energy that the platform keeps: the processor's through Linux's powercap (RAPL), a GPU's through NVML.

A counter is read twice and the readings are differenced; its power reading is never used, because it is an average
over a window that may be longer than a kernel. Where there is no counter, or no leave to read it, the reason is said.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

POWERCAP = Path("/sys/class/powercap")
_MICRO, _MILLI = 1e-6, 1e-3


class NoCounter(Exception):
    """There is no energy counter that can be read; the message says why."""


@dataclass
class Meter:
    """One counter that starts again at zero after `span` counts (0: never); `unit` is the joules of a count."""

    read: Callable[[], int]
    unit: float
    span: int = 0

    def __post_init__(self) -> None:
        self._last, self._counts = self.read(), 0

    def joules(self) -> float:
        """Return the joules since the meter was made. It must be read more often than the counter goes round."""
        now = self.read()
        step = now - self._last
        if step < 0 and not self.span:
            raise NoCounter("the energy counter went backwards: it was reset meanwhile")
        self._last, self._counts = now, self._counts + (step % self.span if self.span else step)
        return self._counts * self.unit


@dataclass(frozen=True, slots=True)
class Counter:
    """The counters of one device, added up, and what they are called."""

    name: str
    meters: Sequence[Meter]

    def joules(self) -> float:
        """Return the joules since the counter was made."""
        return sum(meter.joules() for meter in self.meters)


def rapl(folder: Path = POWERCAP) -> Counter:
    """Return the counter of all processor packages and of the memory beside them; raise NoCounter with the reason.

    A package holds its cores; memory (dram) is counted beside it, and only where the maker lets it.
    """
    zones = {zone: _text(zone / "name") for zone in sorted(folder.glob("*rapl*:*")) if (zone / "energy_uj").exists()}
    wanted = {zone: name for zone, name in zones.items() if re.fullmatch(r"package-\d+|dram", name)}
    if not any(name.startswith("package") for name in wanted.values()):
        raise NoCounter(f"no energy counter of the processor under {folder} (a virtual machine has none)")
    try:
        meters = [_zone(zone) for zone in wanted]
    except PermissionError:
        raise NoCounter(f"no leave to read {folder}/*/energy_uj: on most systems only root has it") from None
    return Counter(f"RAPL ({', '.join(sorted(set(wanted.values())))})", meters)


def _zone(zone: Path) -> Meter:
    # The counter runs from 0 to this number and then starts again, so that it has one state more.
    span = int(_text(zone / "max_energy_range_uj")) + 1
    return Meter(lambda: int(_text(zone / "energy_uj")), _MICRO, span)


def _text(path: Path) -> str:
    return path.read_text(encoding="ascii").strip()


def nvml() -> Counter:
    """Return the total energy counter of the first NVIDIA GPU, through pynvml; raise NoCounter with the reason."""
    try:
        library: Any = importlib.import_module("pynvml")
    except ImportError:
        raise NoCounter("pynvml is not installed (pip install nvidia-ml-py)") from None
    try:
        library.nvmlInit()
        device = library.nvmlDeviceGetHandleByIndex(0)
        meter = Meter(lambda: int(library.nvmlDeviceGetTotalEnergyConsumption(device)), _MILLI)
    except library.NVMLError as error:
        raise NoCounter(f"NVML has no energy counter here: {error}") from None
    return Counter("NVML, total energy", [meter])
