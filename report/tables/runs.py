"""Every published run: beside its ceiling where one can be had, else with the field that its row lacks.

The numbers stand as text, not as numbers of the page: hundreds of cards would say the same. A run's name sets the page
to its scenario, and there the cards are.
"""

from __future__ import annotations

from report import rounding
from report.accuracy import scenarios
from report.accuracy.book import Accuracy
from report.accuracy.readings import Against, Reading
from report.accuracy.verdict import RECOMPUTE
from report.asking import plain
from report.memory import Same, recalled
from report.named import fragment
from report.tables import cells
from report.tables.sources import works
from report.tables.table import Cell, Column, Row, Table

_COLUMNS = (
    Column("model", "Run", align="left"),
    Column("machine", "Machine", align="left"),
    Column("devices", "Devices"),
    Column("ratio", "Of ceiling"),
    Column("executed", "Executed", heading="of peak"),
    Column("ceiling", "Ceiling", heading="of peak"),
    Column("printed", "Told", heading="of peak"),
    Column("kind", "Told as", align="left"),
    Column("format", "Peak of", align="left"),
    Column("recompute", "Computed twice", align="left"),
    Column("T", "A visit serves", "token", heading="tokens"),
    Column("d", "Width"),
    Column("params", "Parameters", "param", heading="10⁹"),
    Column("other", "Of the other", heading="16 bits or fp8"),
    Column("memory", "Memory", heading="of device"),
    Column("source", "From", align="left"),
)
# Keys of a run's scenario that a reader's link may hold; what only the comparison needs stays out of it.
_LINKED: tuple[str, ...] = ("machine", "format", "network", "d", "L", "heads", "d_ff", "tied", "vocab", "T", "s")
_LINKED += ("micro_batches", "devices", "tp", "pp", "ep", "policy")


def measured_runs(accuracy: Accuracy) -> Table:
    """Return the runs that have a ceiling, those nearest to it first."""
    memory = {need.run.id: need.share for need in accuracy.needs}
    ranked = sorted(accuracy.measured.readings, key=lambda one: (-_own(one).ratio(), one.run.id))
    rows = [_remembered(one, memory.get(one.run.id)) for one in ranked]
    return Table("measured-runs", _COLUMNS, tuple(rows), scrolls=True, sorts=True)


def _remembered(one: Reading, memory: float | None) -> Row:
    return recalled("run row", (Same(one), memory), lambda: _row(one, _own(one), memory))


def _own(one: Reading) -> Against:
    assert one.own
    return one.own


def _row(one: Reading, own: Against, memory: float | None) -> Row:
    run, values = one.run, own.values
    found = (
        cells.words(run.model),
        cells.words(one.machine),
        _count(run.devices),
        *(_share(share) for share in (own.ratio(), own.executed, own.ceiling, own.printed)),
        cells.words(f"{own.kind}{', ours' if own.derived else ''}"),
        cells.words(own.format),
        cells.words(RECOMPUTE[one.recompute]),
        _count(values["T"]),
        _count(values["d"]),
        Cell((rounding.sig(run.params / 1e9, 3),), run.params),
        _share(one.other.ratio()) if one.other else cells.words(""),
        cells.nothing("unknown") if memory is None else _share(memory),
        works(run.sources, run.cited[:1]),
    )
    return Row(run.id, link(own), found, run.status)


def link(own: Against) -> str:
    """Return the fragment that sets a page to a run."""
    return fragment(linked(own))


def linked(own: Against) -> dict[str, str]:
    """Return the scenario of a run as texts, without what only the comparison needs."""
    return {key: plain(own.scenario[key]) for key in _LINKED if key in own.scenario}


def _count(value: float | None) -> Cell:
    return cells.nothing("unknown") if value is None else Cell((rounding.exact(value),), value)


def _share(value: float) -> Cell:
    return Cell((rounding.percent(value, 3),), value)


_UNASKED = (
    Column("model", "Run", align="left"),
    Column("machine", "Machine", align="left"),
    Column("told", "Told", align="left"),
    Column("missing", "Without", align="left"),
    Column("source", "From", align="left"),
)


def unasked_runs(accuracy: Accuracy) -> Table:
    """Return the runs that no ceiling can be given, each with what its row lacks, or why it is set aside."""
    rows = [_unasked(one) for one in accuracy.readings if not one.own]
    return Table("unasked-runs", _UNASKED, tuple(rows), stacked=True)


def _unasked(one: Reading) -> Row:
    run = one.run
    shares = (("MFU", run.mfu), ("HFU", run.hfu))
    told = ", ".join(f"{rounding.percent(value, 3)} {name}" for name, value in shares if value is not None)
    found = (
        cells.words(run.model),
        cells.words(one.machine),
        cells.words(told or "no share"),
        cells.words(f"set aside: {run.excluded}" if run.excluded else lacking(one)),
        works(run.sources, run.cited[:1]),
    )
    return Row(run.id, "", found, run.status)


def lacking(one: Reading) -> str:
    """Return in words what a run's row lacks."""
    words = {**scenarios.NEEDED, "peak": "the machine's peak at its format"}
    return ", ".join(words[name] for name in one.missing)
