"""The evidence in tables: the verdict by class, fitted constants, pairs of runs, memory as it was measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from model.formula import Given
from model.units import ONE, Unit
from report import rounding
from report.accuracy import effects
from report.accuracy.book import Accuracy
from report.accuracy.effects import Pair
from report.accuracy.fit import Fit
from report.accuracy.memory import Need
from report.accuracy.verdict import TRAITS, Group
from report.shown import Cell as RowValue
from report.tables import cells
from report.tables.sources import works
from report.tables.table import Cell, Column, Row, Table

_CLASSES = (
    Column("trait", "Told apart by", align="left"),
    Column("class", "Class", align="left"),
    Column("n", "Runs"),
    Column("held", "Bound holds"),
    Column("median", "Median", heading="of ceiling"),
    Column("low", "Middle half", heading="of ceiling"),
    Column("high", "To", shown=False),
    Column("best", "Highest", heading="of ceiling"),
    Column("nearest", "Which is", align="left"),
)


def run_classes(accuracy: Accuracy) -> Table:
    """Return the verdict for all runs and for each class of them: how often the bound holds, and how near it is."""
    groups = [accuracy.measured, *(group for trait in TRAITS for group in accuracy.classes(trait))]
    return Table("run-classes", _CLASSES, tuple(_group(group) for group in groups), scrolls=True)


def _group(group: Group) -> Row:
    (low, high), best = group.quartiles(), group.best()
    name = f"runs({group.key})"
    nearest = f"{best.run.model}, {best.machine}"
    found = (
        cells.words(TRAITS[group.trait][0] if group.trait else "All"),
        cells.words(group.name),
        _count(f"{name}.n", group.n),
        _count(f"{name}.held", group.held()),
        _part(f"{name}.median", group.median()),
        Cell((f"{rounding.percent(low, 2)} to {rounding.percent(high, 2)}",), low),
        cells.hidden(high),
        _part(f"{name}.best", max(group.ratios())),
        cells.words(nearest),
    )
    return Row("-".join(part for part in (group.trait, group.key) if part), "", found)


def _worked(path: str, value: float, text: str, unit: Unit | None = None, rests: str = "") -> Cell:
    """Return a number that many rows make together: what it is follows from its place in the table."""
    note = "worked out at each build from the rows"
    given = Given(value=value, status="computed", row=rests or "the published runs of the catalogue", note=note)
    return Cell((RowValue(path, None, unit, text, value, says=path, given=given),), value)


def _count(path: str, value: int) -> Cell:
    return _worked(path, float(value), rounding.exact(float(value)))


def _part(path: str, value: float, digits: int = 2) -> Cell:
    return _worked(path, value, rounding.percent(value, digits), ONE)


_FITS = (
    Column("runs", "Fitted over", align="left"),
    Column("n", "Runs"),
    Column("sources", "Sources"),
    Column("eta", "Kernels reach", heading="of peak"),
    Column("eta_low", "95% interval", heading="of peak"),
    Column("eta_high", "To", shown=False),
    Column("a", "a", "B/(layer token)", heading="B, in units of d"),
    Column("a_low", "95% interval", heading="B, in units of d"),
    Column("a_high", "To", shown=False),
    Column("scatter", "Left over", heading="a factor of"),
)


def run_fits(accuracy: Accuracy) -> Table:
    """Return the constants that explain the runs best, below what the model assumes."""
    assumed = accuracy.catalogue.constant("a")
    first = (
        cells.words("assumed by the model"),
        *(cells.nothing("unknown"),) * 2,
        _part("assumed(eta)", 1.0),
        cells.words(""),
        cells.hidden(None),
        cells.row_value("constant(activation-traffic).value", assumed.value, None, rounding.typed(assumed.value)),
        Cell((cells.spread(assumed.low, assumed.high),), assumed.low),
        cells.hidden(assumed.high),
        cells.nothing("unknown"),
    )
    rows = [Row("assumed", "", first), *(_fit(one) for one in accuracy.fits)]
    return Table("run-fits", _FITS, tuple(rows))


def _fit(one: Fit) -> Row:
    name = f"explained({one.key})"
    found = (
        cells.words(one.name),
        _count(f"{name}.n", one.n),
        _count(f"{name}.sources", one.sources),
        _part(f"{name}.eta", one.eta[0]),
        Cell((f"{rounding.percent(one.eta[1], 2)} to {rounding.percent(one.eta[2], 2)}",), one.eta[1]),
        cells.hidden(one.eta[2]),
        _worked(f"{name}.a", one.a[0], rounding.sig(one.a[0], 2) if one.a[0] else "0, the least there can be"),
        Cell((f"{rounding.sig(one.a[1], 2)} to {rounding.sig(one.a[2], 2)}",), one.a[1]),
        cells.hidden(one.a[2]),
        _worked(f"{name}.scatter", one.scatter, rounding.sig(one.scatter, 3)),
    )
    return Row(one.key, "", found)


_PAIRS = (
    Column("model", "Run", align="left"),
    Column("machine", "Machine", align="left"),
    Column("few", "Devices"),
    Column("many", "And"),
    Column("kept", "Share kept", heading="measured"),
    Column("told", "Share kept", heading="by the bubble"),
    Column("source", "From", align="left"),
)


def run_pairs(accuracy: Accuracy) -> Table:
    """Return the runs that were made twice, on few devices and on many: pipelines first, then the fabric alone."""
    ranked = [*effects.bubbles(accuracy.pairs), *sorted(effects.scaling(accuracy.pairs), key=lambda one: one.kept)]
    return Table("run-pairs", _PAIRS, tuple(_pair(one) for one in ranked))


def _pair(one: Pair) -> Row:
    run = one.few.run
    name = f"pair({run.id})"
    found = (
        cells.words(run.model),
        cells.words(one.few.machine),
        _count(f"{name}.few", run.devices or 0),
        _count(f"{name}.many", one.many.run.devices or 0),
        _part(f"{name}.kept", one.kept, 3),
        cells.words("") if one.told is None else _part(f"{name}.told", one.told, 3),
        works(run.sources, run.cited[:1]),
    )
    return Row(run.id, "", found, run.status)


_MEMORY = (
    Column("model", "Run", align="left"),
    Column("devices", "Devices"),
    Column("T", "A visit serves", "token", heading="tokens"),
    Column("recompute", "Computed twice", align="left"),
    Column("state", "State", "GB"),
    Column("tape", "Tape at least", "GB"),
    Column("whole", "Tape at most", "GB"),
    Column("scores", "Output scores", "GB", heading="GB, at 4 bytes"),
    Column("measured", "Measured", "GB"),
    Column("capacity", "Device holds", "GB"),
)


def run_memory(accuracy: Accuracy) -> Table:
    """Return the runs whose memory somebody measured, beside what the ledger counts of it."""
    rows = [row for need in accuracy.needs if need.run.peak_memory for row in _memory(need)]
    return Table("run-memory", _MEMORY, tuple(rows), scrolls=True)


def _memory(need: Need) -> Iterator[Row]:
    run = need.run
    sizes: Sequence[tuple[str, float | None]] = (
        ("state", need.state),
        ("tape", need.tape),
        ("whole", need.whole),
        ("scores", need.scores),
        ("peak_memory", run.peak_memory),
        ("capacity", need.capacity),
    )
    found = (
        cells.words(run.model + (f", context over {run.cp}" if (run.cp or 1) > 1 else "")),
        _count(f"run({run.id}).devices", run.devices or 0),
        _count(f"run({run.id}).T", round(need.tokens or 0)),
        cells.words(f"{run.recompute}, {run.precision}"),
        *(_gigabytes(f"measured({run.id}).{name}", size, f"runs/{run.id}") for name, size in sizes),
    )
    yield Row(run.id, "", found, run.status)


def _gigabytes(path: str, size: float | None, rests: str) -> Cell:
    if size is None:
        return cells.nothing("unknown")
    return _worked(path, size / 1e9, rounding.sig(size / 1e9, 3), None, rests)
