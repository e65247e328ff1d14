"""The streams of the byte figure: their formulas as Vega expressions, names and colours, and what is said of them.

Leaves out where anything is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model import traffic
from model.book import QUANTITIES
from model.inputs import T
from report.figures import theme
from report.figures.expression import Writer
from report.figures.parts import decade, known
from report.figures.roofline_lines import si, tokens

DOUBLINGS = 20  # from one token to 2^20
LAST = 2**DOUBLINGS

WRITER = Writer("bytes", T)
BUDGET = WRITER.value(traffic.byte_budget)
WIRE_BUDGET = WRITER.value(traffic.fabric_budget)
CROSSING = WRITER.value(traffic.T_step)
FLOOR = WRITER.value(QUANTITIES["T_min"])

# Whether there is a step to speak of: all of it known.
SHOWN = "(isFinite(bytes_T) && bytes_total > 0 && isFinite(bytes_total))"

# The streams from the bottom of the stack to its top: what it is called, in a narrow margin, its formula, its colour.
STREAMS: Mapping[str, tuple[str, str, Any, str, float]] = {
    "activations": ("activations", "activations", traffic.activation_part, theme.BYTES, 0.9),
    "reblocking": ("fetched again (L2)", "again (L2)", traffic.reblocking_part, theme.BYTES, 0.7),
    "reads": ("weight reads", "reads", traffic.weight_part, theme.BYTES, 0.5),
    "gradients": ("gradients", "gradients", traffic.gradient_part, theme.BYTES, 0.3),
    "optimizer": ("optimizer state", "state", traffic.optimizer_part, theme.CAPACITY, 0.5),
}


def total(t: str) -> str:
    """Return the memory bytes of a token at so many tokens per visit, as a Vega expression; none without a budget."""
    return f"({BUDGET} > 0 ? {WRITER.text(traffic.token_bytes, t)} : NaN)"


def wire(t: str) -> str:
    """Return the bytes of a token over the fabric, as a Vega expression; none where there is no link."""
    return f"(isFinite({WIRE_BUDGET}) ? {WRITER.text(traffic.allreduce_traffic, t)} : NaN)"


def use(text: str) -> str:
    """Return bytes over the budget, as a Vega expression."""
    return traffic.budget_use.vega({"token_bytes": f"({text})", "byte_budget": f"({BUDGET})"})


def parts(t: str) -> dict[str, str]:
    """Return each stream's share of the memory bytes, as Vega expressions."""
    return {name: f"({BUDGET} > 0 ? {WRITER.text(stream[2], t)} : NaN)" for name, stream in STREAMS.items()}


# Along the curves, for each of their places.
TOTAL, WIRE, PARTS = total("datum.t"), wire("datum.t"), parts("datum.t")


def derived() -> dict[str, str]:
    """Return the parameters that follow from the signals, in the order in which they need each other."""
    found = {"bytes_total": total("bytes_T"), "bytes_wire": wire("bytes_T")}
    found |= {f"bytes_{name}": text for name, text in parts("bytes_T").items()}
    found |= {"bytes_first": total("1"), "bytes_last": total(str(LAST)), "bytes_crossing": total(known(CROSSING, "1"))}
    found |= {"bytes_wire_first": wire("1"), "bytes_wire_last": wire(str(LAST))}
    low = "min(" + ", ".join(known(one, "1e30") for one in ("bytes_last", BUDGET, WIRE_BUDGET)) + ")"
    high = "max(" + ", ".join(known(one, "0") for one in ("bytes_first", BUDGET, "bytes_wire_first")) + ")"
    # The fabric's line may leave at the bottom: below its budget there is no more to see of it but its name.
    found["bytes_base"] = low
    room = "bytes_base / (bytes_wire_first > 0 ? 8 : 1)"
    base = f"min({room}, max({known('bytes_wire_last', 'bytes_base')}, bytes_base / 20))"
    found["bytes_lo"] = f"bytes_base < 1e29 ? {decade(f'({base}) / 1.2', 'floor')} : 1e6"
    found["bytes_hi"] = f"{high} > 0 && bytes_base < 1e29 ? {decade(high, 'ceil')} : 1e12"
    return found


# --- what is said


def said(t: str, moved: str, over: str, prefix: str) -> str:
    """Return what is said of a T: its bytes against the budget, whose they are, what the fabric carries."""
    lines = [f"'T = ' + {tokens(t, WRITER)} + ' per weight visit'"]
    lines.append(f"{amount(moved)} + ' per ' + {WRITER.thing()} + ', ' + {times(use(moved))}")
    for name in reversed(list(STREAMS)):
        value = f"{prefix}{name}"
        lines.append(f"({value} > 0 ? '{STREAMS[name][0]} ' + format({value}, '.2p') : '')")
    lines.append(f"({over} > 0 ? 'all-reduce, over the fabric: ' + {amount(over)} : '')")
    return " + '\\n' + ".join(lines)


def amount(text: str, digits: str = ".3~s") -> str:
    """Return bytes in words, as a Vega expression; parts of a byte take no prefix."""
    whole = si(text, "B", digits)
    return f"({text} < 0.9 ? format({text}, '.2~r') + ' B' : {whole})"


def times(text: str) -> str:
    """Return a multiple of the budget in words, as a Vega expression."""
    return f"({text} < 0.001 ? 'under a thousandth of' : format({text}, ',.3~r') + ' times') + ' the budget'"
