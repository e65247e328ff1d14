"""A small world for the tests of prose: four formulas, three machines, two networks, a page written into a folder."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from model.figure import Figure
from model.formula import Coefficient, Fork, Formula, Given, Quantity
from model.scenario import UnfitError
from model.units import ONE, unit
from report import presets, prose, wordlist
from report.asking import World
from report.desk import Setting
from report.errors import Problem

peak = Quantity("peak", r"\text{peak}", unit("FLOP/s"), "peak")
bandwidth = Quantity("bandwidth", r"\text{bandwidth}", unit("B/s"), "bandwidth")
T = Quantity("T", "T", unit("token"), "tokens per weight visit")
d = Quantity("d", "d", ONE, "width")
slope = Quantity("slope", r"\sigma", unit("token B/FLOP"), "tokens per FLOP/B")
form = Quantity("form", r"\text{form}", ONE, "plain or l2")
beta = Formula("beta", r"\beta", unit("FLOP/B"), "balance", expr=lambda: peak / bandwidth, source="here")
bytes_each = Quantity("bytes_each", "b", unit("B"), "bytes of a weight")
TWO = Coefficient(2, ONE, "twice")


def _floor(double: bool) -> Formula:
    return Formula(
        "T_min",
        r"T_{\text{min}}",
        unit("token"),
        "least tokens",
        expr=lambda: TWO * beta * slope * d / (d - 800) if double else beta * slope * d / (d - 800),
        guards=lambda: ((d <= 800, "no-batch"),),
        source="here",
    )


T_min = Fork(form, {"plain": _floor(True), "l2": _floor(False)})
d_min = Formula("d_min", r"d_{\text{min}}", ONE, "pole", expr=lambda: 2 * beta / 1, needs=(d,), source="here")
weights = Formula("weights", "W", unit("B"), "bytes of weights", expr=lambda: bytes_each * d**2, source="here")
QUANTITIES: Mapping[str, Quantity] = {
    part.key: part for part in (peak, bandwidth, T, d, slope, form, beta, T_min, d_min, weights, bytes_each)
}


def figure(value: float, measure: str, text: str) -> Figure:
    return Figure(value=value, unit=measure, text=text, status="verified")


@dataclass(frozen=True)
class ToyMachine:
    id: str
    name: str
    short: str
    year: int
    trains: bool
    peak: Mapping[str, Figure]
    bandwidth: Figure
    nic: Figure | None = None
    runs: tuple[str, ...] = ()

    @property
    def age(self) -> int:
        return 2026 - self.year


@dataclass(frozen=True)
class ToyNetwork:
    id: str
    name: str
    short: str
    d: int | None
    params: Figure
    value: float = 12.0
    unit: str = "B"


@dataclass(frozen=True)
class ToyCatalogue:
    machines: Mapping[str, ToyMachine]
    networks: Mapping[str, ToyNetwork]


def machine(name: str, called: str, rate: float, speed: float) -> ToyMachine:
    speeds = figure(speed, "B/s", f"{speed / 1e12:g} TB/s")
    peaks = {"bf16": figure(rate, "FLOP/s", f"{rate / 1e12:g} TFLOP/s")}
    return ToyMachine(name, called, called.split(" ", maxsplit=1)[0], 2022, True, peaks, speeds)


def network(name: str, called: str, width: int | None) -> ToyNetwork:
    return ToyNetwork(name, called, called, width, figure(7e9, "param", "7e9 param"))


CATALOGUE = ToyCatalogue(
    {
        "h100": machine("h100", "H100 SXM5 80 GB", 989.4e12, 3.35e12),
        "a100": machine("a100", "A100 <40 & more>", 312e12, 2.039e12),
        "old": machine("old", "Old-1", 1e12, 4e12),
    },
    {
        "wide": network("wide", "Wide-7B", 4096),
        "thin": network("thin", "Thin 9", 512),
        "secret": network("secret", "Hidden", None),
    },
)
DEFAULT = {"machine": "h100", "network": "wide", "T": 2048.0, "form": "plain"}


def base(scenario: Mapping[str, str | float]) -> dict[str, Given]:
    for key in scenario:
        if key not in ("machine", "network", "T", "form", "format"):
            raise UnfitError(key, f"unknown key '{key}'; did you mean machine?")
    full = {**DEFAULT, **scenario}
    if full["machine"] not in CATALOGUE.machines:
        raise UnfitError("machine", f"unknown machine '{full['machine']}'; did you mean h100?")
    if full["network"] not in CATALOGUE.networks:
        raise UnfitError("network", f"unknown network '{full['network']}'; did you mean wide?")
    row, net = CATALOGUE.machines[str(full["machine"])], CATALOGUE.networks[str(full["network"])]
    own, other = "machine" not in scenario, "network" not in scenario
    rate = row.peak["bf16"].value if full.get("format", "bf16") == "bf16" else None
    width = None if net.d is None else float(net.d)
    return {
        "peak": Given(
            value=rate, state=None if rate else "no-format", status="verified", row=f"machines/{row.id}", default=own
        ),
        "bandwidth": Given(
            value=row.bandwidth.value, status="verified", row=f"machines/{row.id}/bandwidth", default=own
        ),
        "d": Given(
            value=width,
            state=None if width else "no-shape",
            status="verified",
            row=f"networks/{net.id}/d",
            default=other,
        ),
        "T": Given(
            value=float(full["T"]), status="by hand" if "T" in scenario else "default", default="T" not in scenario
        ),
        "form": Given(value=str(full["form"]), status="by hand" if "form" in scenario else "default"),
        "slope": Given(value=1.0, status="verified", row="constants/slope"),
        "bytes_each": Given(value=2.0, status="verified", row="constants/bytes"),
    }


WORLD = World(QUANTITIES, base)
VOCABULARY = wordlist.load(Path(__file__).resolve().parents[2] / "content" / "vocabulary.yaml")


def sized(name: str, title: str = "", caption: str = "") -> prose.Html:
    return prose.Html(f'<figure id="fig-{name}"></figure>', block=True)


SETTING = Setting(
    WORLD,
    CATALOGUE,
    VOCABULARY,
    {"pope2026": SimpleNamespace(), "llama3-2024": SimpleNamespace()},
    presets.of(CATALOGUE),
    {"figure": sized, "ref": lambda name: prose.Html('<a href="#x">Figure 3</a>', text="Figure 3")},
)
FRONT = "---\ntitle: A page\ndescription: What it says.\n---\n"


class Writer:
    """Writes a page into a folder and renders it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def attempt(self, text: str, *, front: str = FRONT, **change: Any) -> tuple[prose.Page | None, tuple[Problem, ...]]:
        (self.folder / "page.md").write_text(front + text, encoding="utf-8")
        setting = Setting(**{**{name: getattr(SETTING, name) for name in SETTING.__dataclass_fields__}, **change})
        draft = prose.attempt("page.md", self.folder, setting)
        return draft.page, draft.problems

    def page(self, text: str, **change: Any) -> prose.Page:
        """Return the page; the text must be without fault."""
        found, problems = self.attempt(text, **change)
        assert not problems, "\n".join(map(str, problems))
        assert found is not None
        return found

    def html(self, text: str, **change: Any) -> str:
        """Return the HTML of the page without the tags of its numbers, for easy reading."""
        return self.page(text, **change).html

    def told(self, text: str, **change: Any) -> list[str]:
        """Return what is said about a text, with line numbers counted from its own first line."""
        _, problems = self.attempt(text, **change)
        lines = change.get("front", FRONT).count("\n")
        return [re.sub(r"^page\.md:(\d+)", lambda hit: str(int(hit[1]) - lines), str(problem)) for problem in problems]


def words(html: str) -> str:
    """Return the text of some HTML without its tags."""
    return re.sub(r"<[^<>]*>", "", html).strip()
