"""The processor at hand, and a GPU as PyTorch would show one."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from report.measure import cpu, gpu
from report.measure.cpu import Processor


@pytest.fixture
def processor() -> Any:
    found = Processor()
    yield found
    found.close()


@pytest.mark.parametrize("number_format", ["fp64", "fp32"])
def test_a_product_counts_its_work(processor: Processor, number_format: str) -> None:
    kernel = processor.matrix(number_format, 64)
    kernel.run(2)
    assert kernel.work == 2 * 64**3
    assert kernel.moves == 3 * 64**2 * (8 if number_format == "fp64" else 4)
    assert str(kernel.rate) == "FLOP/s"


def test_a_copy_copies_all_of_it(processor: Processor, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    zeros = np.zeros
    monkeypatch.setattr(np, "zeros", lambda size: made.append(zeros(size)) or made[-1])
    kernel = processor.stream(8 * 10_001)
    assert made[0].sum() == 0
    kernel.run(1)
    assert made[0].sum() == 10_001
    assert kernel.work == kernel.moves == 2 * 8 * 10_001


def test_the_processor_says_what_it_is(processor: Processor) -> None:
    facts = processor.facts
    assert (facts.kind, facts.balance_format) == ("cpu", "fp32")
    assert facts.name
    assert f"{processor.threads} thread" in facts.how
    assert processor.threads >= 1
    assert processor.stream_size(True) <= processor.stream_size(False)


def test_a_copy_is_larger_than_the_caches_and_smaller_than_the_memory(
    processor: Processor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cpu, "last_cache", lambda: 2**30)
    monkeypatch.setattr(processor, "facts", SimpleNamespace(capacity=1e12))
    assert processor.stream_size(False) == 2**32
    monkeypatch.setattr(processor, "facts", SimpleNamespace(capacity=2.0**30))
    assert processor.stream_size(False) == 2**27


def test_caches_that_processors_share_count_once(tmp_path: Path) -> None:
    for number, shared in enumerate(["0-1", "0-1", "2-3", "2-3"]):
        for index, (size, who) in enumerate([("32K", str(number)), ("4096K", shared)]):
            folder = tmp_path / f"cpu{number}" / "cache" / f"index{index}"
            folder.mkdir(parents=True)
            (folder / "size").write_text(size, encoding="ascii")
            (folder / "shared_cpu_list").write_text(who, encoding="ascii")
    (tmp_path / "cpufreq").mkdir()
    assert cpu.last_cache(tmp_path) == 2 * 4 * 2**20
    assert cpu.last_cache(tmp_path / "nowhere") == 0


def test_a_limit_on_memory_counts(tmp_path: Path) -> None:
    limit = tmp_path / "memory.max"
    whole = cpu.memory(limit)
    limit.write_text("max\n", encoding="ascii")
    assert cpu.memory(limit) == whole
    limit.write_text("1048576\n", encoding="ascii")
    assert cpu.memory(limit) == 1048576


def test_what_a_system_does_not_say_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.sysconf")
    assert cpu.memory() is None
    assert cpu.processor_name(tmp_path / "nowhere")
    (tmp_path / "cpuinfo").write_text("processor : 0\nmodel name\t: Toy 2000 CPU\n", encoding="ascii")
    assert cpu.processor_name(tmp_path / "cpuinfo") == "Toy 2000 CPU"


def test_a_busy_processor_is_warned_about(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.getloadavg", lambda: (3.5, 0.0, 0.0), raising=False)
    assert "load 3.5, 2 in use here" in cpu.busy(2)
    assert cpu.busy(64) == ""


def test_without_a_library_that_says_its_threads_the_cores_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("threadpoolctl.threadpool_info", list)
    assert cpu.blas() == ("an unnamed BLAS", cpu.cores())


# --- a GPU, as PyTorch shows it


class Tensor:
    """What the kernels ask of a tensor."""

    def __init__(self, kind: str = "float32") -> None:
        self.kind, self.copied = kind, 0

    def to(self, kind: str) -> Tensor:
        return Tensor(kind)

    def copy_(self, source: Tensor) -> Tensor:
        self.copied += 1
        return self


class Torch:
    """As much of the library as is used: it notes each product, with its format and whether tf32 was allowed."""

    __version__ = "9.9"
    float64, float32, bfloat16 = "float64", "float32", "bfloat16"

    def __init__(self, major: int = 9, hip: str | None = None, there: bool = True) -> None:
        self.products: list[tuple[str, bool]] = []
        self.waited = self.emptied = 0
        self.version = SimpleNamespace(hip=hip)
        self.backends = SimpleNamespace(cuda=SimpleNamespace(matmul=SimpleNamespace(allow_tf32=False)))
        described = SimpleNamespace(name="Toy H9", major=major, total_memory=80 * 2**30)
        self.cuda = SimpleNamespace(
            is_available=lambda: there,
            get_device_properties=lambda index: described,
            synchronize=lambda: setattr(self, "waited", self.waited + 1),
            empty_cache=lambda: setattr(self, "emptied", self.emptied + 1),
        )

    def randn(self, *shape: int, device: str) -> Tensor:
        assert device == "cuda"
        return Tensor()

    ones = zeros = randn

    def empty_like(self, like: Tensor) -> Tensor:
        return Tensor(like.kind)

    zeros_like = empty_like

    def matmul(self, left: Tensor, right: Tensor, out: Tensor) -> None:
        assert left.kind == right.kind == out.kind
        self.products.append((left.kind, self.backends.cuda.matmul.allow_tf32))


def test_each_format_multiplies_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = Torch()
    monkeypatch.setitem(sys.modules, "torch", torch)
    (opened,) = gpu.found()
    device = opened()
    for number_format in device.formats:
        device.matrix(number_format, 128).run(1)
    assert device.formats == ("fp64", "fp32", "tf32", "bf16")
    assert torch.products == [("float64", False), ("float32", False), ("float32", True), ("bfloat16", False)]
    assert torch.waited == 4
    assert (device.facts.name, device.facts.balance_format, device.facts.vendor) == ("Toy H9", "bf16", "NVIDIA")


def test_a_copy_waits_for_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = Torch()
    device = gpu.Gpu(torch)
    kernel = device.stream(2**20)
    kernel.run(3)
    assert torch.waited == 1
    assert kernel.work == 2 * 2**20
    assert device.stream_size(True) < device.stream_size(False) <= device.facts.capacity / 8
    device.close()
    assert torch.emptied == 1


def test_an_old_gpu_has_no_bf16_and_amds_is_named() -> None:
    assert gpu.Gpu(Torch(major=7)).facts.balance_format == "fp32"
    assert gpu.Gpu(Torch(major=7)).formats == ("fp64", "fp32")
    assert gpu.Gpu(Torch(hip="6.1")).facts.vendor == "AMD"


def test_no_torch_or_no_gpu_is_no_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert gpu.found() == []
    monkeypatch.setitem(sys.modules, "torch", Torch(there=False))
    assert gpu.found() == []
