"""The third panel of the note's figure: where the joules of a token go, in four cases of updating.

A bar is a whole, since the cases lie three decades apart; what it comes to stands beside it. Prices are known for few
machines: elsewhere the panel says so, and shows the default machine and network instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from model import energy
from model.book import ask
from model.inputs import s as sequence
from model.records import Catalogue
from model.scenario import DEFAULT, base, over
from report.figures import theme
from report.figures.note_panels import CASES, WRITER, edges, under
from report.figures.parts import PLACED, PX, Data, letters
from report.figures.tables import resolved
from report.figures.theme import Layout

ARITHMETIC = WRITER.value(energy.arithmetic_energy)
_S = WRITER.value(sequence)
# The parts of a bar from left to right: what it is called, briefly, its formula, its colour, how dark it is.
PARTS: Mapping[str, tuple[str, Any, str, float]] = {
    "arithmetic": ("arithmetic", energy.arithmetic_share, theme.ARITHMETIC, 0.35),
    "memory": ("memory bytes", energy.memory_share, theme.BYTES, 0.35),
    "static": ("static power", energy.static_share, theme.MUTED, 0.15),
}


def _case(changes: Mapping[str, str]) -> dict[str, str]:
    """Return what a case sets, as the writer takes it: texts of numbers, words of choices."""
    texts = {key: _S if value == "=s" else value for key, value in changes.items()}
    return texts | {"ring": "none" if changes.get("devices") == "1" else "ring"}


def _each(quantity: Any) -> str:
    """Return a quantity in each of the cases, as a list."""
    found = []
    for _, changes in CASES:
        given = _case(changes)
        found.append(WRITER.text(quantity, given["T"], given))
    return f"[{', '.join(found)}]"


_MEMORY, _STATIC = _each(energy.memory_energy), _each(energy.static_energy)


def derived() -> dict[str, str]:
    """Return the energies of the cases: of the memory bytes, of static power, of all."""
    sums = []
    for i in range(len(CASES)):
        parts = {"memory_energy": f"note_memory[{i}]", "static_energy": f"note_static[{i}]"}
        sums.append(energy.energy_per_token.vega({"arithmetic_energy": ARITHMETIC, **parts}))
    why = "note_no_energy !== '' ? note_no_energy : note_no_intensity"
    return {
        "note_memory": _MEMORY,
        "note_static": _STATIC,
        "note_energy": f"[{', '.join(sums)}]",
        "note_unpriced": f"note_energy[0] > 0 && isFinite(note_energy[0]) ? '' : {why}",
    }


def usual(catalogue: Catalogue) -> list[dict[str, float]]:
    """Return the joules of a token on the default scenario, for each case: what is drawn where no price is known."""
    found = []
    for _, changes in CASES:
        given = base(catalogue, over(DEFAULT, resolved(changes, base(catalogue, DEFAULT))))
        values = {key: ask(key, given).number for key in _JOULES}
        assert all(value is not None for value in values.values())  # the default machine has its prices
        found.append({key: value for key, value in values.items() if value is not None})
    return found


_JOULES = ("arithmetic_energy", "memory_energy", "static_energy", "energy_per_token")


# --- places, in px: a row of words and a bar for each case


def _step(layout: Layout) -> int:
    return 32 if layout.name == "wide" else 49


def _bar(layout: Layout) -> tuple[str, str]:
    """Return where the bars begin and end; in a narrow figure the words stand above them."""
    if layout.name == "wide":
        room = layout.small * theme.LETTER * max(len(name) for name, _ in CASES) + 12
        return f"max({room:.0f}, 0.33 * width)", f"(width - {layout.small * 6})"
    return edges(layout)


def _top(layout: Layout) -> str:
    return f"{under(layout)} + {_step(layout)} * datum.i + {2 if layout.name == 'wide' else 19}"


_HEIGHT = 22


Usual = Sequence[Mapping[str, float]]


def _cases(usual: Usual) -> Any:
    """Return one row for each case: its words, its energy, what choosing it makes the scenario."""
    rows = [{"i": i, "name": name, **_chosen(changes), "usual": usual[i]} for i, (name, changes) in enumerate(CASES)]
    shown = alt.Chart(Data(rows)).transform_calculate(whole=_or_usual("energy_per_token"), name=_called("datum.name"))
    return shown.transform_calculate(total=_joules("datum.whole"))


def _called(words: str) -> str:
    """Return a case in words, as a Vega expression: a network without tokens has no sequences of them either."""
    counts = {"one sequence": _S, "64 sequences": f"64 * {_S}"}
    for said, count in counts.items():
        words = f"replace({words}, '{said}', format({count}, ',') + ' examples')"
    own = f"note_unpriced === '' && {WRITER.thing()} === 'example'"
    return f"({own} ? replace({words}, 'token', 'example') : datum.name)"


def _or_usual(key: str) -> str:
    """Return an energy of a case, as a Vega expression: the reader's, or that of the default scenario."""
    own = {"arithmetic_energy": ARITHMETIC, "memory_energy": "note_memory[datum.i]"}
    own |= {"static_energy": "note_static[datum.i]", "energy_per_token": "note_energy[datum.i]"}
    return f"(note_unpriced === '' ? {own[key]} : datum.usual.{key})"


def _chosen(changes: Mapping[str, str]) -> dict[str, Any]:
    plain = {key: value for key, value in changes.items() if key != "T"}
    return {"other": plain, "one": changes["T"] == "1"}


_SET = f"datum.whole > 0 && note_unpriced === '' ? merge(datum.other, {{T: datum.one ? '1' : '' + {_S}}}) : null"


def _joules(text: str) -> str:
    """Return an energy per token in words, as a Vega expression: 0.0390 -> 39.0 mJ."""
    return (
        f"({text} > 0 && isFinite({text}) ? replace(format({text}, '.3~s'), regexp('([a-zA-Zµ]?)$'), ' $1') + 'J' : '')"
    )


def _shares(usual: Usual, layout: Layout) -> Any:
    """Return one row for each part of each bar: from where to where it runs, in px."""
    start, end = _bar(layout)
    parts = {**{key: _or_usual(key) for key in _JOULES}, "energy_per_token": "datum.whole"}
    shares = ", ".join(part[1].vega(parts) for part in PARTS.values())
    listed = ", ".join(f"'{part[0]}'" for part in PARTS.values())
    inks = ", ".join(f"'{part[2]}'" for part in PARTS.values())
    darks = ", ".join(f"{part[3]}" for part in PARTS.values())
    return (
        _cases(usual)
        .transform_calculate(part=f"[{listed}]", share=f"[{shares}]", ink=f"[{inks}]", dark=f"[{darks}]")
        .transform_flatten(["part", "share", "ink", "dark"])
        .transform_filter("datum.share > 0 && isFinite(datum.share)")
        .transform_window([{"op": "sum", "field": "share", "as": "to"}], groupby=["i"], frame=[None, 0])
        .transform_calculate(
            x0=f"{start} + ({end} - {start}) * (datum.to - datum.share)",
            x1=f"{start} + ({end} - {start}) * min(1, datum.to)",
            set=_SET,
        )
        .transform_calculate(
            said=f"datum.name + ': ' + datum.total + ' for each ' + {WRITER.thing()}"
            " + '\\n' + datum.part + ' ' + format(datum.share, '.2p')"
        )
    )


def layers(usual: Usual, layout: Layout) -> list[Any]:
    """Return panel (c): the bars, what their parts are and come to, what each case is and comes to."""
    top = _top(layout)
    bars = _shares(usual, layout).mark_rect(
        x=PX("datum.x0"),
        x2=PX("datum.x1"),
        y=PX(top),
        y2=PX(f"{top} + {_HEIGHT}"),
        fill=PX("datum.ink"),
        fillOpacity=PX("datum.dark"),
        stroke=PX("datum.ink"),
        strokeWidth=1,
    )
    return [
        bars.encode(**PLACED, tooltip=alt.Tooltip("said:N")).properties(name="note_bars"),
        _percents(usual, layout),
        *_words(usual, layout),
    ]


_GENEROUS = 1.15  # these words are of wide letters


def _percents(usual: Usual, layout: Layout) -> Any:
    """Return the share of each part, with its name or the first word of it, where there is room."""
    short = "format(datum.share, '.2p')"
    full, brief = f"(datum.part + ' ' + {short})", f"(split(datum.part, ' ')[0] + ' ' + {short})"
    room = f"((datum.x1 - datum.x0 - 8) / {_GENEROUS})"
    return (
        _shares(usual, layout)
        .transform_calculate(full=full, brief=brief, short=short)
        .transform_calculate(
            text="".join(
                f"{letters(f'datum.{text}', layout.small)} < {room} ? datum.{text} : "
                for text in ("full", "brief", "short")
            )
            + "''"
        )
        .mark_text(
            x=PX("(datum.x0 + datum.x1) / 2"),
            y=PX(f"{_top(layout)} + {_HEIGHT / 2 + 0.5}"),
            align="center",
            baseline="middle",
            fontSize=layout.small,
            text=PX("datum.text"),
        )
        .encode(**PLACED, tooltip=alt.Tooltip("said:N"))
        .properties(name="note_shares")
    )


def _words(usual: Usual, layout: Layout) -> list[Any]:
    """Return what each case is, and what a token costs in it."""
    wide, (start, end) = layout.name == "wide", edges(layout)
    y = PX(f"{_top(layout)} + {_HEIGHT / 2 + 0.5}" if wide else f"{_top(layout)} - 8")
    looks: dict[str, Any] = {"y": y, "baseline": "middle", "fontSize": layout.small}
    shown = _cases(usual).transform_filter("datum.whole > 0 && isFinite(datum.whole)")
    names = shown.mark_text(x=PX(start), align="left", text=PX("datum.name"), **looks)
    totals = shown.mark_text(x=PX(end), align="right", text=PX("datum.total"), fontWeight=theme.SEMIBOLD, **looks)
    return [
        names.encode(**PLACED).properties(name="note_cases"),
        totals.encode(**PLACED).properties(name="note_totals"),
    ]
