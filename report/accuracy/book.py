"""All that is known of the model's truth, worked out once for a catalogue, and only as far as it is asked for."""

from __future__ import annotations

from model.records import Catalogue
from report.accuracy import effects, fit, memory, readings, verdict
from report.accuracy.effects import Pair
from report.accuracy.fit import Fit
from report.accuracy.memory import Need
from report.accuracy.readings import Reading
from report.accuracy.verdict import Group
from report.memory import remembered


class Accuracy:
    """The runs of a catalogue against the model."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    @remembered
    def readings(self) -> tuple[Reading, ...]:
        """Return every run: against its ceiling, or what its row lacks."""
        return readings.readings(self.catalogue)

    @remembered
    def measured(self) -> Group:
        """Return the runs that have a ceiling."""
        return verdict.measured(self.readings)

    @remembered
    def needs(self) -> tuple[Need, ...]:
        """Return what each run needs of its devices' memory."""
        return memory.needs(self.catalogue)

    @remembered
    def fits(self) -> tuple[Fit, ...]:
        """Return which constants explain the runs best."""
        return fit.fits(self.readings)

    @remembered
    def pairs(self) -> tuple[Pair, ...]:
        """Return the runs that differ in the number of their devices alone."""
        return effects.pairs(self.readings)

    def classes(self, trait: str) -> tuple[Group, ...]:
        """Return the classes of a trait."""
        return verdict.classes(self.readings, trait)


_LATEST: list[Accuracy] = []


def accuracy(catalogue: Catalogue) -> Accuracy:
    """Return the evidence of a catalogue; the latest is kept, since tables, prose and figure ask for the same one."""
    if not _LATEST or _LATEST[0].catalogue is not catalogue:
        _LATEST[:] = [Accuracy(catalogue)]
    return _LATEST[0]
