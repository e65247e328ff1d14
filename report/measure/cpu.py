"""The processor at hand, through NumPy: its matrix product is the BLAS library's, its copy runs on as many threads.

The copy is cut into one slice a thread, because NumPy's own runs on one and a single core cannot fill the memory's
bandwidth; NumPy lets go of the interpreter lock meanwhile. Threads are taken as found (OMP_NUM_THREADS and the like).
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from report.measure.kernel import Facts, Kernel, matrix_kernel, stream_kernel

FORMATS: Mapping[str, str] = {"fp64": "float64", "fp32": "float32"}
_CPUS = Path("/sys/devices/system/cpu")
_INFO = Path("/proc/cpuinfo")
_MEMORY_LIMIT = Path("/sys/fs/cgroup/memory.max")
_VENDORS = ("AMD", "Intel", "Apple", "Ampere", "NVIDIA", "IBM", "Fujitsu", "Qualcomm")
# STREAM's rule: each array has at least four times the size of the caches.
_TIMES_CACHE, _LEAST, _QUICK = 4, 256 * 2**20, 64 * 2**20
_BUSY = 0.25  # load of others for each thread, above which the times are theirs as much as ours


class Processor:
    """All cores that this process may use, and the memory behind them."""

    formats = tuple(FORMATS)

    def __init__(self) -> None:
        import numpy  # noqa: F401  the libraries that it loads are counted next

        library, self.threads = blas()
        self._pool = ThreadPoolExecutor(self.threads)
        name = processor_name()
        plural = "s" if self.threads > 1 else ""
        self.facts = Facts(
            name=name,
            vendor=next((vendor for vendor in _VENDORS if vendor.lower() in name.lower()), "unknown"),
            kind="cpu",
            how=f"NumPy with {library}, {self.threads} thread{plural}",
            capacity=memory(),
            balance_format="fp32",
            warning=busy(self.threads),
        )

    def matrix(self, number_format: str, n: int) -> Kernel:
        """Return the product of two n by n matrices of ordinary numbers."""
        import numpy as np

        random = np.random.default_rng(0)
        left, right = (random.random((n, n)).astype(FORMATS[number_format]) for _ in range(2))
        out = np.empty_like(left)
        return matrix_kernel(number_format, n, lambda: np.matmul(left, right, out=out))

    def stream(self, size: int) -> Kernel:
        """Return a copy, one slice a thread; the pages are laid out first."""
        import numpy as np

        source, target = np.ones(size // 8), np.zeros(size // 8)
        slices = list(zip(np.array_split(target, self.threads), np.array_split(source, self.threads), strict=True))

        def start() -> None:
            for _ in self._pool.map(lambda pair: np.copyto(*pair), slices):
                pass

        return stream_kernel(source.nbytes, start)

    def stream_size(self, quick: bool) -> int:
        """Return four times the largest cache, at least 256 MiB (quick: 64), at most an eighth of the memory."""
        wanted = max(_QUICK if quick else _LEAST, 0 if quick else _TIMES_CACHE * last_cache())
        most = int((self.facts.capacity or 8 * _LEAST) / 8)
        return min(wanted, most) // 4096 * 4096

    def close(self) -> None:
        """End the threads of the copy."""
        self._pool.shutdown(cancel_futures=True)


def blas() -> tuple[str, int]:
    """Return the name of the library that multiplies matrices for NumPy, and the threads that it will use."""
    from threadpoolctl import threadpool_info

    found: list[dict[str, Any]] = [entry for entry in threadpool_info() if entry["user_api"] == "blas"]
    if not found:
        return "an unnamed BLAS", cores()
    first = min(found, key=lambda entry: "numpy" not in str(entry.get("filepath", "")).lower())
    words = (first["internal_api"], first.get("version"), first.get("architecture"))
    return " ".join(str(word) for word in words if word), int(first["num_threads"])


def busy(threads: int) -> str:
    """Return words where others use the processors too; asked before anything runs, so that the load is theirs."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0  # Windows has none
    if load < _BUSY * threads:
        return ""
    return f"other programs keep it busy (load {load:.1f}, {threads} in use here): measure again when it rests"


def cores() -> int:
    """Return how many processors this process may run on."""
    affinity = getattr(os, "sched_getaffinity", None)  # Linux alone has it
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def processor_name(info: Path = _INFO) -> str:
    """Return what the processor calls itself."""
    text = info.read_text(encoding="utf-8", errors="replace") if info.is_file() else ""
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return found[1].strip() if found else platform.processor() or platform.machine() or "unknown processor"


def memory(limit: Path = _MEMORY_LIMIT) -> float | None:
    """Return the main memory in bytes, or what of it this process may use; None where the system does not say."""
    try:
        whole = float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, ValueError, OSError):  # Windows has no sysconf
        return None
    words = limit.read_text(encoding="ascii").strip() if limit.is_file() else ""
    return min(whole, float(words)) if words.isdigit() else whole


def last_cache(folder: Path = _CPUS) -> int:
    """Return the bytes of all caches of the last level together; 0 where the system does not say."""
    caches = dict(_last_caches(folder))
    return sum(caches.values())


def _last_caches(folder: Path) -> Iterator[tuple[str, int]]:
    """Yield the last cache of every processor: which processors share it, and its bytes."""
    for cpu in folder.glob("cpu[0-9]*"):
        levels = sorted(cpu.glob("cache/index[0-9]"))
        if levels and (size := _read(levels[-1] / "size")).endswith("K"):
            yield _read(levels[-1] / "shared_cpu_list") or cpu.name, int(size[:-1]) * 1024


def _read(path: Path) -> str:
    return path.read_text(encoding="ascii").strip() if path.is_file() else ""
