"""A GPU through PyTorch, where it is installed and finds one. The same two kernels as on the processor."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from report.measure.kernel import SIZE, Facts, Kernel, matrix_kernel, stream_kernel

_TYPES = {"fp64": "float64", "fp32": "float32", "tf32": "float32", "bf16": "bfloat16"}
_GIB = 2**30


def found() -> list[Callable[[], Gpu]]:
    """Return what opens the first GPU that PyTorch sees, or nothing."""
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        return []
    return [lambda: Gpu(torch)] if torch.cuda.is_available() else []


class Gpu:
    """The first GPU and its memory."""

    def __init__(self, torch: Any) -> None:
        self._torch = torch
        described = torch.cuda.get_device_properties(0)
        # Tensor cores that round to tf32 and take bf16 came with compute capability 8; AMD's answer through hip.
        matrix = described.major >= 8 or bool(torch.version.hip)
        self.formats: tuple[str, ...] = ("fp64", "fp32", "tf32", "bf16") if matrix else ("fp64", "fp32")
        vendor = "AMD" if torch.version.hip else "NVIDIA"
        self.facts = Facts(
            name=str(described.name),
            vendor=vendor,
            kind="gpu",
            how=f"PyTorch {torch.__version__}",
            capacity=float(described.total_memory),
            balance_format="bf16" if matrix else "fp32",
        )

    def matrix(self, number_format: str, n: int) -> Kernel:
        """Return the product of two n by n matrices of normal numbers, products rounded to tf32 only if asked."""
        torch = self._torch
        kind = getattr(torch, _TYPES[number_format])
        left, right = (torch.randn(n, n, device="cuda").to(kind) for _ in range(2))
        out = torch.empty_like(left)

        def start() -> None:
            torch.backends.cuda.matmul.allow_tf32 = number_format == "tf32"
            torch.matmul(left, right, out=out)

        return matrix_kernel(number_format, n, start, torch.cuda.synchronize)

    def stream(self, size: int) -> Kernel:
        """Return a copy within the GPU's memory."""
        torch = self._torch
        source = torch.ones(size // SIZE["fp32"], device="cuda")
        target = torch.zeros_like(source)
        return stream_kernel(size, lambda: target.copy_(source), torch.cuda.synchronize)

    def stream_size(self, quick: bool) -> int:
        """Return 2 GiB (quick: 512 MiB), at most an eighth of the memory: far more than any cache of a GPU."""
        wanted = _GIB // 2 if quick else 2 * _GIB
        return min(wanted, int((self.facts.capacity or _GIB) / 8)) // 4096 * 4096

    def close(self) -> None:
        """Give the memory back."""
        self._torch.cuda.empty_cache()
