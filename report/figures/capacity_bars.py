"""The bars of the capacity figure: what a device must hold under each policy, part by part, and what is said of it.

Bars lie in rows of text and bar; places along them are in px, so that words stand where there is room for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import altair as alt

from model import capacity as model
from model.book import QUANTITIES
from model.inputs import capacity, devices, policy
from model.step import replica
from report.figures import theme
from report.figures.expression import Writer
from report.figures.parts import ONE, PLACED, PX, Data, rule
from report.figures.roofline_lines import si
from report.figures.theme import Layout

# What becomes of the tape, from most to least: its name, in a narrow figure, what is computed again.
POLICIES: Mapping[str, tuple[str, str, str]] = {
    "store-all": ("Store all", "Store all", "nothing computed again"),
    "selective": ("Selective recompute", "Selective", "attention scores again, "),
    "sqrt": ("Checkpoint every √L", "Every √L", "each stretch again, up to "),
    "inputs": ("Layer inputs only", "Inputs only", "each layer again, "),
    "reversible": ("Reversible layers", "Reversible", "each layer inverted, "),
}
# The parts of a bar from left to right: what it is called, how dark it is.
PARTS: Mapping[str, tuple[str, float]] = {
    "weights": ("weights", 0.45),
    "gradients": ("gradients", 0.3),
    "optimizer": ("optimizer state", 0.16),
    "tape": ("tape", 1),
}

WRITER = Writer("capacity", policy)
HAVE = WRITER.value(capacity)
STATE = {name: WRITER.value(QUANTITIES[f"{name}_per_device"]) for name in ("weights", "gradients", "optimizer")}
HELD = WRITER.value(model.state_per_device)
COPY, DEVICES = WRITER.value(replica), WRITER.value(devices)
FEW = f"{COPY} > {DEVICES}"  # too few devices for one copy of the network, however much each may hold
CHOSEN = WRITER.choice(policy)
_TAPES = [WRITER.text(model.tape_per_device, word) for word in POLICIES]
_AGAIN = [WRITER.text(model.recompute_share, word) for word in POLICIES]
# Some policy has a tape; without a state either there is nothing to say, and all rows stand as they are.
COUNTED = f"(isFinite(capacity_tapes[0]) || isFinite(capacity_tapes[3]) || !isFinite({HELD}))"
ALONE = "State, without a tape"
_NARROW = 300  # px: less room than this, and words are left out
# A bar that is this many times longer than the longer of memory and the reader's own bar leaves the picture.
_TOO_LONG = 2.2


def derived() -> dict[str, str]:
    """Return the parameters that follow from the signals, in the order in which they need each other."""
    needs = [_need(f"capacity_tapes[{i}]") for i in range(len(POLICIES))]
    own = f"capacity_needs[indexof({listed(POLICIES)}, {CHOSEN})]"
    longest = "max(" + ", ".join(f"{_or(f'capacity_needs[{i}]', '0')}" for i in range(len(POLICIES))) + ")"
    return {
        "capacity_tapes": f"[{', '.join(_TAPES)}]",
        "capacity_again": f"[{', '.join(_AGAIN)}]",
        "capacity_needs": f"[{', '.join(needs)}]",
        "capacity_own": own,
        "capacity_base": f"max({_or(HAVE, '0')}, {_or('capacity_own', '0')}, {_or(HELD, '0')}, 1)",
        "capacity_hi": f"1.04 * min(max(capacity_base, {longest}), {_TOO_LONG} * capacity_base)",
    }


def _need(tape: str) -> str:
    return model.device_bytes.vega({"state_per_device": f"({HELD})", "tape_per_device": f"({tape})"})


def listed(words: Iterable[str]) -> str:
    """Return words as a list, as a Vega expression."""
    return "[" + ", ".join(f"'{word}'" for word in words) + "]"


def _or(text: str, otherwise: str) -> str:
    return f"(isFinite({text}) ? {text} : {otherwise})"


# --- places


def row_height(layout: Layout) -> str:
    """Return the height of a policy's row, in px, as a Vega expression: its text, its bar, the space below."""
    return f"((height - {head(layout)}) / {len(POLICIES)})"


def text_height(layout: Layout) -> int:
    """Return the height of a row's text, in px."""
    return round(1.5 * layout.text)


def bar_height(layout: Layout) -> str:
    """Return the height of a bar, in px, as a Vega expression: the text keeps its height when the picture shrinks."""
    return f"(0.65 * ({row_height(layout)} - {text_height(layout)}))"


def head(layout: Layout) -> int:
    """Return the height of the room above the rows, in px: the parts by name, the memory's label."""
    return round(layout.text * (4.1 if layout.name == "wide" else 5.6))


def text_y(layout: Layout) -> str:
    """Return where a policy's row begins, in px from the top, as a Vega expression on i."""
    return f"{head(layout)} + {row_height(layout)} * datum.i"


def bar_y(layout: Layout) -> str:
    """Return where a policy's bar begins, in px from the top, as a Vega expression on i."""
    return f"{text_y(layout)} + {text_height(layout)}"


def px(amount: str) -> str:
    """Return where an amount lies, in px of the plot from the left, as a Vega expression."""
    return f"width * min(1, ({amount}) / capacity_hi)"


# --- what is said


def amount(text: str) -> str:
    """Return bytes with prefix and unit, as a Vega expression: 1.37e10 -> 13.7 GB, 6.5e12 -> 6.50 TB, 8e10 -> 80 GB."""
    whole = f"replace({si(text, 'B', '.3s')}, regexp('[.]0+ '), ' ')"
    return f"({text} < 1 ? 'under 1 B' : {whole})"


def difference(text: str) -> str:
    """Return a difference of bytes, as a Vega expression: its last digit is that of what it is taken from, 7.7 GB."""
    return si(text, "B").replace("'.3s'", "'.3~s'")


def verdict() -> str:
    """Return what a bar comes to against the memory, in words, as a Vega expression on need, step, over and left.

    Need and memory are rounded to the same step before one is taken from the other, so that what is printed adds up.
    """
    needs = f"(width < {_NARROW} ? '' : 'needs ') + {amount('datum.need')}"
    over = f"datum.over < datum.step / 2 ? 'just too much' : {difference('datum.over')} + ' too much'"
    spare = f"'fits with ' + {difference('datum.left')} + ' to spare'"
    left = f"({FEW} ? 'each ' : '') + (datum.left < datum.step / 2 ? 'just fits' : {spare})"
    ratio = f"datum.need / {HAVE}"
    times = f"{ratio} < 1e6 ? format({ratio}, ',.3~r') + ' times what there is' : 'over a million times too much'"
    found = f"datum.need > 10 * {HAVE} ? ({times}) : datum.need > {HAVE} ? {over} : {left}"
    return f"!isFinite(datum.need) ? '' : !isFinite({HAVE}) ? {needs} : {needs} + ': ' + ({found})"


# --- layers


def policies() -> Any:
    """Return one row for each policy: what it keeps, what it needs, what it says."""
    rows = [
        {"i": i, "word": word, "name": name, "brief": brief, "why": why}
        for i, (word, (name, brief, why)) in enumerate(POLICIES.items())
    ]
    most = f"max(datum.need, {HAVE})"
    rounded = {key: f"(round({text} / datum.step) * datum.step)" for key, text in _SIDES.items()}
    return (
        alt.Chart(Data(rows))
        # Where no tape is counted the policies are all alike: one row says what is known, the state.
        .transform_filter(f"{COUNTED} || datum.i === 0")
        .transform_calculate(
            tape="capacity_tapes[datum.i]",
            need=f"{COUNTED} ? capacity_needs[datum.i] : {HELD}",
            again="isFinite(capacity_tapes[datum.i]) ? capacity_again[datum.i] : NaN",
            name=f"{COUNTED} ? datum.name : '{ALONE}'",
            brief=f"{COUNTED} ? datum.brief : '{ALONE.partition(',')[0]}'",
            own=f"!{COUNTED} || datum.word === {CHOSEN}",
            key="'policy'",
        )
        .transform_calculate(step=f"pow(10, floor(log({most}) / LN10) - 2)")
        .transform_calculate(over=model.shortage.vega(rounded), left=model.headroom.vega(rounded))
        .transform_calculate(said=verdict())
    )


_SIDES = {"device_bytes": "datum.need", "capacity": HAVE}


def segments() -> Any:
    """Return one row for each part of each bar: from where to where it runs, in bytes and in px."""
    names = list(PARTS)
    values = [*STATE.values(), "datum.tape"]
    return (
        policies()
        .transform_calculate(part=listed(names), value=f"[{', '.join(values)}]")
        .transform_flatten(["part", "value"])
        # A part that is not known leaves no bar of the others, which would look like the whole; the tape is told apart.
        .transform_filter(f"datum.value > 0 && isFinite(datum.value) && isFinite({HELD})")
        .transform_window([{"op": "sum", "field": "value", "as": "end"}], groupby=["word"], frame=[None, 0])
        .transform_calculate(
            called=pick({name: f"'{part[0]}'" for name, part in PARTS.items()}),
            dark=pick({name: f"{part[1]}" for name, part in PARTS.items()}),
        )
        .transform_calculate(full=f"datum.called + ' ' + {amount('datum.value')}")
        .transform_calculate(tip="datum.name + ': ' + datum.full + (datum.said ? '\\n' + datum.said : '')")
    )


def pick(choices: Mapping[str, str]) -> str:
    """Return what belongs to a row's part, as a Vega expression."""
    return " : ".join(f"datum.part === '{name}' ? {text}" for name, text in choices.items()) + " : 0"


START, END = px("datum.end - datum.value"), px("datum.end")


def bars(layout: Layout) -> Any:
    """Return the parts of all bars; those of the reader's own policy are dark, the others pale."""
    top = bar_y(layout)
    return (
        segments()
        .mark_rect(
            x=PX(START),
            x2=PX(END),
            y=PX(top),
            y2=PX(f"{top} + {bar_height(layout)}"),
            fill=theme.CAPACITY,
            fillOpacity=PX("datum.dark * (datum.own ? 1 : 0.35)"),
            stroke=theme.CAPACITY,
            strokeWidth=1,
            strokeOpacity=PX("datum.own ? 1 : 0.75"),
        )
        .encode(**PLACED, tooltip=alt.Tooltip("tip:N"))
        .properties(name="capacity_bars")
    )


def cut(layout: Layout) -> Any:
    """Return the mark that a bar goes on beyond the picture."""
    return (
        policies()
        .transform_filter("datum.need > capacity_hi")
        .mark_point(
            shape="triangle-right",
            x=PX("width + 6"),
            y=PX(f"{bar_y(layout)} + {bar_height(layout)} / 2"),
            size=70,
            filled=True,
            color=theme.CAPACITY,
            opacity=1,
        )
        .encode(**PLACED)
        .properties(name="capacity_cut")
    )


def memory(layout: Layout) -> Any:
    """Return the line of the device's memory, broken where words stand."""
    at, top = px(HAVE), bar_y(layout)
    return (
        alt.Chart(Data([{"i": i} for i in range(len(POLICIES))]))
        .transform_filter(f"{HAVE} > 0 && isFinite({HAVE}) && ({COUNTED} || datum.i === 0)")
        .mark_rule(color=theme.INK, strokeWidth=1.75)
        .encode(**rule(at, f"{top} - 2", at, f"{top} + {bar_height(layout)} + 5"))
        .properties(name="capacity_line")
    )


def axis(layout: Layout) -> Any:
    """Return the axis: bytes, linear, as far as the bars go."""
    ticks = alt.Axis(
        title=None,
        tickCount=6 if layout.name == "wide" else PX("width < 280 ? 3 : 4"),
        labelExpr=si("datum.value", "B") + " ",
        labelFlush=True,
        grid=False,
        domain=True,
    )
    scale = alt.Scale(type="linear", domain=PX("[0, capacity_hi]"), nice=False)
    return (
        alt.Chart(ONE)
        .transform_calculate(x="0")
        .mark_rule(opacity=0, color=theme.EDGE)
        .encode(x=alt.X("x:Q", scale=scale, axis=ticks))
        .properties(name="capacity_axis")
    )
