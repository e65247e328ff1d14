"""The command line of a measurement: its words, its devices, what it prints and how it ends."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from model.records import Catalogue
from model.scenario import ScenarioError
from report.ask import CONTENT, say
from report.catalogue import load
from report.errors import BuildError
from report.measure import beside, counters, gpu, row, telling
from report.measure.cpu import Processor
from report.measure.energy import Counts
from report.measure.kernel import Device
from report.measure.measuring import Means, measure
from report.measure.progress import Progress

USAGE = "usage: python -m model measure [device=cpu|gpu] [beside=MACHINE] [--quick] [--json]"
HELP = f"""{USAGE}

Times a large matrix product and a copy on this machine, and where PyTorch finds a GPU, there too. Each is repeated
until the 95 % interval of the median lies within 1 % of it (--quick: within 5 %, smaller arrays), for at most 30 s.
Where energy is counted (RAPL, NVML), each kernel then runs for 5 s under the counter (--quick: 1 s).

  device=cpu|gpu   that device alone
  beside=MACHINE   set the energy beside the model's for that machine of the catalogue, not beside all that it prices
  --quick          less exact, in seconds
  --json           one JSON object, in base units"""
INTERRUPTED = 130
SITE = Path(__file__).resolve().parents[2] / "site" / "index.html"
Choice = tuple[Callable[[], Device], Callable[[], Counts]]


@dataclass(frozen=True, slots=True)
class Question:
    """What the words of the command line ask for."""

    device: str = ""
    beside: str | None = None
    quick: bool = False
    json: bool = False
    help: bool = False


def main(words: Sequence[str]) -> int:
    """Measure and print; return 0, 2 where the words are wrong, 130 where it was interrupted."""
    progress = Progress(sys.stderr)
    try:
        question = read(words)
        if question.help:
            say(HELP)
            return 0
        catalogue = load(CONTENT)
        known = beside.predictions(catalogue, question.beside)
        told = [tell(device, means, catalogue, known) for device, means in _each(question, progress)]
    except (ScenarioError, BuildError) as error:
        print(f"model: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        progress.wipe()
        print("model: interrupted; nothing was written", file=sys.stderr)
        return INTERRUPTED
    progress.wipe()
    found = {"devices": [telling.as_json(one) for one in told]}
    say(json.dumps(found, indent=2, ensure_ascii=False) if question.json else "\n\n".join(map(telling.as_text, told)))
    return 0


def read(words: Sequence[str]) -> Question:
    """Return what the words ask for; raise ScenarioError for a word that says nothing."""
    question = Question()
    for word in words:
        key, equals, value = word.partition("=")
        if word in _FLAGS:
            question = _FLAGS[word](question)
        elif key == "device" and value in ("cpu", "gpu"):
            question = replace(question, device=value)
        elif key == "beside" and equals and value:
            question = replace(question, beside=value)
        else:
            raise ScenarioError(key, f"'{word}' is not understood; {USAGE}")
    return question


_FLAGS: Mapping[str, Callable[[Question], Question]] = {
    "--quick": lambda question: replace(question, quick=True),
    "--json": lambda question: replace(question, json=True),
    "--help": lambda question: replace(question, help=True),
    "-h": lambda question: replace(question, help=True),
}


def devices(only: str) -> list[Choice]:
    """Return the devices to measure, each with its energy counter: the processor, and a GPU where there is one."""
    found: list[Choice] = [(Processor, counters.rapl)] if only != "gpu" else []
    if only != "cpu":
        found += [(opened, counters.nvml) for opened in gpu.found()]
    if not found:
        raise ScenarioError("device", "no GPU: PyTorch is not installed, or sees none")
    return found


def _each(question: Question, progress: Progress) -> Iterator[tuple[Device, Means]]:
    """Yield the devices one after the other; each is closed before the next one opens."""
    for opened, counter in devices(question.device):
        with closing(opened()) as device:
            yield device, Means(counter=counter, quick=question.quick, tell=progress.tell)


def tell(device: Device, means: Means, catalogue: Catalogue, known: Sequence[beside.Prediction]) -> telling.Told:
    """Measure one device and put together what is told about it."""
    found = measure(device, means)
    given = row.settings(found)
    link = row.fragment(given)
    return telling.Told(
        found=found,
        answers=beside.answers(catalogue, given),
        predictions=known,
        row=row.row(found, catalogue.machines, date.today().year),
        fragment=link,
        link=f"{SITE.as_uri()}{link}",
    )
