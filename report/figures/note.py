"""The note's figure: intensity against tokens (a), the tokens that a width needs (b), where the joules go (c).

Curves and bars are the model's own formulas, printed as Vega expressions; a chart adds only axes and places. Grey lines
are GPT layers of other widths (a) and other machines in their training formats (b).
Vega parameters, a contract with page and tests: those of SIGNALS, which the page sets; note_lit, the id of the machine
that the pointer is at; note_intensity, note_balance, and note_memory, _static, _energy (a value for each case, in the
order of CASES), which follow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from model.book import QUANTITIES, ask
from model.formula import Base
from model.records import Catalogue
from model.scenario import DEFAULT
from report.figures import note_joules as joules
from report.figures import note_lines as lines
from report.figures import note_panels as panels
from report.figures import parts, tables, theme
from report.figures.expression import Signal, told
from report.figures.note_panels import TABLES, WRITER
from report.figures.parts import Data
from report.figures.theme import Layout
from report.figures.things import marked
from report.given import base

ALT = (
    "Three panels: the intensity of a training step, rising with the tokens of a visit to a plateau that its width "
    "sets; the tokens needed for the balance against width, without bound at each machine's pole; shares of "
    "arithmetic, memory and static power in the energy of a token in four cases."
)
WIDE = Layout(name="wide", width=860, height=560, left=60, right=104, top=48, bottom=6, text=13, small=12)
PHONE = Layout(name="phone", width=350, height=840, left=56, right=104, top=48, bottom=6, text=12, small=11)
LAYOUTS = (WIDE, PHONE)
# Machines drawn beside the reader's, and the widths of the layers drawn beside the reader's network.
MACHINES = ("a100-sxm4-80gb", "h100-sxm5", "b200-sxm")
WIDTHS = (768, 4096, 12288)

SIGNALS: Mapping[str, Signal] = {
    "note_T": Signal(kind="value", key="T"),
    **WRITER.signals,
    "note_machine": Signal(kind="setting", key="machine"),
    "note_network": Signal(kind="setting", key="network"),
    "note_no_intensity": Signal(kind="state", key="compute_to_commute"),
    "note_no_floor": Signal(kind="state", key="T_min"),
    "note_no_pole": Signal(kind="state", key="d_min"),
    "note_no_energy": Signal(kind="state", key="arithmetic_energy"),
    "note_no_fabric": Signal(kind="state", key="allreduce_time"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What the figure draws: machines as the model reads them, names of networks, the series, the signals."""

    machines: Sequence[Mapping[str, Any]]
    networks: Sequence[Mapping[str, Any]]
    series: Sequence[Mapping[str, Any]]
    usual: Sequence[Mapping[str, float]]
    instead: str
    signals: Mapping[str, float | str]


def params(settings: Mapping[str, str | float], given: Base) -> dict[str, float | str]:
    """Return the value of every signal on a scenario: NaN for an absence, inf where no batch will do."""
    return told(SIGNALS, QUANTITIES, given, {**DEFAULT, **settings})


def rows(catalogue: Catalogue, settings: Mapping[str, str | float] = DEFAULT) -> Rows:
    """Return the machines of the catalogue and the three panels' series on a scenario."""
    return Rows(
        machines=[_machine(catalogue, name) for name in sorted(catalogue.machines)],
        networks=[{"id": row.id, "name": row.short} for row in catalogue.networks.values()],
        series=[
            row for panel, table in TABLES.items() for row in tables.series(table, catalogue, settings, panel=panel)
        ],
        usual=joules.usual(catalogue),
        instead=_instead(catalogue),
        signals=params(settings, base(catalogue, settings)),
    )


def _instead(catalogue: Catalogue) -> str:
    """Return what panel (c) shows where no price is known."""
    machine, network = catalogue.machines[str(DEFAULT["machine"])], catalogue.networks[str(DEFAULT["network"])]
    return f"{network.short} on the {machine.short}"


def _machine(catalogue: Catalogue, name: str) -> dict[str, Any]:
    """Return what panel (b) needs of a machine: how it counts a GPT layer in its training format."""
    given = base(catalogue, {"machine": name})
    found: dict[str, Any] = {"id": name, "name": catalogue.machines[name].short, "beside": name in MACHINES}
    values = {key: ask(key, given).value for key in ("beta", "b_w", "I_L2", "f")}
    return found | {key: value for key, value in values.items() if value is not None}


def data(drawn: Rows) -> Sequence[Mapping[str, Any]]:
    """Return the main series for the CSV and the JSON: one row for each value, in base units."""
    return drawn.series


def controls(_: Catalogue) -> list[dict[str, Any]]:
    """Return the figure's own control: the tokens of a visit, by doublings."""
    label = marked("Tokens per weight visit, T")
    return [parts.slider("note-T", "log2_T", label, panels.DOUBLINGS, float(DEFAULT["T"]))]


def chart(drawn: Rows, layout: Layout) -> Any:
    """Encode the rows for one layout: two panels beside each other over a third, or all below each other."""
    names, machines = Data(_names(drawn)), Data([*drawn.machines, _OWN_MACHINE])
    layers = {
        "a": [*lines.rising(names, layout), *panels.head("a", layout)],
        "b": [*lines.falling(machines, layout), *panels.head("b", layout)],
    }
    layers[panels.above(layout)] += [*joules.layers(drawn.usual, layout), *panels.head("c", layout)]
    made = [
        alt.layer(*found).properties(name=f"note_panel_{panel}", **panels.size(panel, layout))
        for panel, found in layers.items()
    ]
    views = {"note_lit": "", "note_instead": drawn.instead}
    known = parts.params({**drawn.signals, **views}, panels.derived() | joules.derived())
    wide = layout.name == "wide"
    whole: Any = alt.hconcat(*made, spacing=panels.GUTTER, bounds="flush", params=known) if wide else None
    whole = whole or alt.vconcat(*made, spacing=panels.gap(layout), bounds="flush", params=known)
    width, height = layout.plot
    meta = {"width": width, "height": height, "sizes": panels.sizes(layout)}
    return whole.properties(padding=layout.padding, autosize="none", config=theme.config(layout), usermeta=meta)


# A machine of the reader's own is read from the signals, but for the operations of a weight.
_OWN_MACHINE = {"id": "own", "name": "your machine", "f": 6.0}


def _names(drawn: Rows) -> list[dict[str, Any]]:
    """Return what may be called by name in panel (a)."""
    f = drawn.machines[0]["f"]
    widths = [{"id": f"d{d}", "kind": "width", "d": d, "f": f, "name": f"d = {d:,}"} for d in WIDTHS]
    own = {"id": "own", "kind": "network", "name": "your network"}
    networks = [{**row, "kind": "network"} for row in drawn.networks]
    return [*widths, *networks, own, {"id": "beta", "kind": "beta", "name": "balance"}]
