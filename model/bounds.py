"""Between which values a number of a scenario means anything, and which right one is nearest to a wrong one.

One table for the command line, for prose, for links and the bar (report/browser.py hands it on) and for the rows of the
catalogue. The bounds are wide enough for any machine and network that somebody may soon build, and catch what is a slip
or a joke. Leaves out: which numbers there are (model/scenario.py), and how one is read from text (model/units.py).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from model.units import DECIMAL, Unit, countable


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the most that a number may be, in base units, whether it must be whole, and may count bits.

    Bits in the rate of a memory are a slip, where those of a network count them by habit.
    """

    low: float
    high: float
    whole: bool = False
    bits: bool = True

    def metadata(self) -> dict[str, Any]:
        """Return the bounds as the metadata of a field of a catalogue row."""
        return {"low": self.low, "high": self.high} | ({} if self.bits else {"bits": False})


def _count(most: float, least: float = 1.0) -> Bounds:
    return Bounds(least, most, True)


def _each(keys: str, bounds: Bounds) -> dict[str, Bounds]:
    return dict.fromkeys(keys.split(), bounds)


_LEDGER = "b_w weight_bytes element_bytes c c_input c_scores g z state_bytes_per_param gradient_bytes"
_LEDGER += " f attention_flops tp_traffic pp_traffic a_scores a_unfused a_fused c_replicated o_8bit state_8bit"
_PRICES = "e_B e_F e_add e_wire e_sram e_L2 e_interface e_datapath"

BOUNDS: Mapping[str, Bounds] = MappingProxyType(
    _each("peak linpack", Bounds(1e3, 1e19))
    | _each("bandwidth", Bounds(1e5, 1e17, bits=False))
    | _each("fabric host_link", Bounds(1e4, 1e15))
    | _each("capacity cache", Bounds(1e3, 1e15))
    | _each("keep", Bounds(0.0, 1e15))
    # The batch. A step of today has some ten million tokens, on some hundred thousand devices.
    | _each("T", _count(1e9))
    | _each("s", _count(1e8))
    | _each("micro_batches sequences", _count(1e6))
    | _each("devices tp pp ep cp dp", _count(1e7))
    | _each("attention_counted", Bounds(0.0, 1.0))
    | _each("mfu", Bounds(1e-6, 1.0))
    # The network. The widest of today is some twenty thousand wide and has some hundred layers.
    | _each("d head_dim q_rank kv_rank qk_nope_dim qk_rope_dim v_dim", _count(1e6))
    | _each("d_ff expert_d_ff k", _count(1e7))
    | _each("L", _count(1e4))
    | _each("dense_layers", _count(1e4, 0.0))
    | _each("heads kv_heads", _count(1e5))
    | _each("vocab", _count(1e8))
    | _each("position_rows", _count(1e8, 0.0))
    | _each("experts top_k", _count(1e5))
    | _each("shared_experts", _count(1e5, 0.0))
    | _each("mlp_matrices", _count(3.0, 2.0))
    | _each("embeddings", _count(2.0))
    | _each("connections parameters active_params", Bounds(1.0, 1e15))
    # The run.
    | _each("train_tokens", Bounds(1.0, 1e18))
    | _each("device_time", Bounds(1e-6, 1e18))
    | _each("example_rate", Bounds(1e-9, 1e15))
    | _each("loss", Bounds(0.1, 20.0))
    | _each("alpha_B", Bounds(0.01, 10.0))
    | _each("B_star B_crit", Bounds(1.0, 1e15))
    # The ledger, per parameter, layer or token; joules, watts and metres.
    | _each(_LEDGER, Bounds(0.01, 1e5))
    | _each("a o", Bounds(0.0, 1e5))
    | _each(_PRICES, Bounds(1e-18, 1e-3))
    | _each("static_power", Bounds(0.0, 1e6))
    | _each("span hop_length", Bounds(1e-7, 10.0))
    # A spatial machine, and tiles of a matrix product.
    | _each("tiles", _count(1e8))
    | _each("T_tau", Bounds(1.0, 1e9))
    | _each("tile_m tile_n", _count(1e6))
    | _each("image_side", _count(1e5))
)


def field(key: str, **more: Any) -> dict[str, Any]:
    """Return the metadata of a catalogue row's field that holds the same kind of number as a scenario's key."""
    return {**BOUNDS[key].metadata(), **more}


def fault(key: str, text: object, number: float, unit: Unit) -> str | None:
    """Return what is wrong with a number and, after a semicolon, the nearest right one; None if nothing is."""
    bounds = BOUNDS[key]
    if not bounds.low <= number <= bounds.high:
        end = "least" if number < bounds.low else "most" if number > bounds.high else ""
        right = f"the {end} is {written(bounds.low if end == 'least' else bounds.high, unit)}" if end else "no number"
        return f"{text} is out of range; {right}"
    if bounds.whole and number != int(number):
        return f"{text} is not a whole number; {nearest((math.floor(number), math.ceil(number)))}"
    return None


def indivisible(part: float, whole: float) -> str | None:
    """Return which divisors of a whole are nearest to a part that does not divide it; None if it does."""
    if whole % part == 0:
        return None
    found = divisors(int(whole))
    under, over = (one for one in found if one < part), (one for one in found if one > part)
    return nearest([*list(under)[-1:], *list(over)[:1]])


def divisors(whole: int) -> list[int]:
    """Return the divisors of a whole number, smallest first."""
    small = [one for one in range(1, math.isqrt(whole) + 1) if whole % one == 0]
    return sorted({*small, *(whole // one for one in small)})


def nearest(numbers: Iterable[float]) -> str:
    """Return words that name one or two right numbers."""
    words = [plain(number) for number in numbers]
    return f"the nearest {'are' if len(words) > 1 else 'is'} {' and '.join(words)}"


def written(value: float, unit: Unit) -> str:
    """Return a bound as somebody may write it: 10 EFLOP/s, 1 kB, 1e9; counts go without their unit."""
    name = str(unit)
    if name == "1" or countable(unit):
        return plain(value)
    prefixes = [prefix for prefix, size in DECIMAL.items() if size >= 1 and value >= size]
    prefix = prefixes[-1] if prefixes and name[0] in "FB" else ""
    return f"{plain(value / DECIMAL[prefix])} {prefix}{name}"


def plain(value: float) -> str:
    """Return a number without commas: whole ones in full up to a million, else as 1e9 or 0.01."""
    if value == int(value) and abs(value) <= 1e6:
        return str(int(value))
    digits, exponent = f"{value:.9e}".split("e")
    text = digits.rstrip("0").rstrip(".")
    return f"{value:.10g}" if 1e-3 <= abs(value) < 1e6 else f"{text}e{int(exponent)}"
