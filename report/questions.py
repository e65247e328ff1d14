"""A question to the model as a number of the tree: it is asked again on each reader's scenario that it follows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from model.formula import Answer
from model.scenario import over
from model.units import Unit
from report.asking import HERE, Reading, Scenario, World, js_text, plain
from report.numbers import Num


@dataclass(frozen=True, eq=False)
class Asked(Num):
    """A question to the model: T_min(machine="h100-sxm5"), live.T_min or live.T_min(T=512)."""

    world: World
    key: str
    given: tuple[tuple[str, str | float], ...]
    live: bool

    @property
    def unit(self) -> Unit:  # type: ignore[override]
        """Return the unit of the quantity."""
        return self.world.quantities[self.key].unit

    def answer(self, reader: Scenario = HERE) -> Answer:
        """Return the model's answer with its trace."""
        return self.world.answer(self.key, self.scenario(reader))

    def scenario(self, reader: Scenario) -> Scenario:
        """Return what the question is asked about: its own keys, over the reader's where it is live."""
        return over(reader if self.live else HERE, dict(self.given))

    def read(self, reader: Scenario = HERE) -> Reading:
        """Return the answer on a reader's scenario; a pinned question does not look at it."""
        answer = self.answer(reader)
        return Reading(answer.number, answer.state, (answer,))

    def script(self) -> str:
        """Return the question as JavaScript: q("T_min", {"T":512})."""
        given = f", {js_text(dict(self.given))}" if self.given else ""
        return f"q({js_text(self.key)}{given})"

    def say(self) -> str:
        """Return the question as the command line writes it."""
        given = ", ".join(f"{key}={plain(value)}" for key, value in self.given)
        return ("live." if self.live else "") + self.key + (f"({given})" if given or not self.live else "")

    def asked(self) -> Iterator[Asked]:
        """Yield itself."""
        yield self
