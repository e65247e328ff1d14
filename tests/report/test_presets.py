"""What readers of every machine and network meet: no live number without a value in prose, no state without words."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from model.records import Catalogue
from report import presets
from report import site as pipeline
from report.asking import Scenario
from report.blocks import CAPTION
from report.page import Page
from report.parts import Parts
from tests.report.toy import CATALOGUE, Writer


def test_presets_are_each_machine_and_each_network_with_the_rest_at_its_default() -> None:
    assert presets.of(CATALOGUE) == {
        "machine=h100": {"machine": "h100"},
        "machine=a100": {"machine": "a100"},
        "machine=old": {"machine": "old"},
        "network=wide": {"network": "wide"},
        "network=thin": {"network": "thin"},
        "network=secret": {"network": "secret"},
    }


def test_the_default_is_among_the_presets_always(tmp_path: Path) -> None:
    (found,) = Writer(tmp_path).page('{% claim "c", live.T > 1 %}x{% endclaim %}', presets={}).claims
    assert found.tally == {"true": 1}


def test_an_undecided_condition_without_a_number_counts_for_what_is_missing(tmp_path: Path) -> None:
    (found,) = Writer(tmp_path).page('{% claim "c", live.T_min > 1 %}x{% otherwise "no-shape" %}y{% endclaim %}').claims
    assert found.tally == {"false": 1, "true": 5, "no-shape": 1}


# What stands for a part: an element of its kind, which a reference can point at.
_PARTS = {
    "figure": '<figure class="figure" id="fig-{}">{}</figure>',
    "table": '<div class="table" id="{}">{}</div>',
    "board": '<table id="board-{}"><caption>{}</caption></table>',
}


def _placed(markup: str, _: object, name: str, _title: str = "") -> str:
    return markup.format(name, CAPTION)


# What a reader may choose beside machine and network: the other form, a lone device, too few of them, too wide a group.
ODD: tuple[Scenario, ...] = (
    {"form": "l2"},
    {"format": "fp8"},
    {"fabric": "scale_up"},
    {"T": 1.0, "s": 1.0, "devices": 1.0},
    {"T": 1e6, "s": 1e6, "devices": 16384.0},
    {"tp": 8.0, "pp": 16.0, "zero": "3"},
    {"T": 1.0, "fabric": "10 kB/s", "loss": 2.0},
)
LONE: tuple[Scenario, ...] = (
    {"network": "deepseek-v3", "ep": 64.0, "devices": 8.0},
    {"network": "own", "d": 64.0, "L": 1.0, "heads": 1.0},
    {"machine": "own", "peak": "1 TFLOP/s", "bandwidth": "1 TB/s"},
)


def every(rows: Catalogue) -> dict[str, Scenario]:
    """Return every machine with every network, and each of both in odd circumstances."""
    pairs: list[Scenario] = [{"machine": m, "network": n} for m in rows.machines for n in rows.networks]
    alone = [{"machine": m} for m in rows.machines] + [{"network": n} for n in rows.networks]
    odd = [{**one, **more} for one in alone for more in ODD]
    return {str(scenario): scenario for scenario in (*pairs, *odd, *LONE)}


@pytest.fixture(scope="module")
def pages(root: Path) -> tuple[Page, ...]:
    """Return the site's pages, read by every such reader; parts are stood for."""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(presets, "of", every)
        patch.setattr(Parts, "blocks", lambda _: {kind: partial(_placed, markup) for kind, markup in _PARTS.items()})
        return pipeline.written(root / "content").pages


def _named(pages: tuple[Page, ...], folder: str) -> Page:
    return next(page for page in pages if page.path.startswith(f"content/{folder}/"))


@pytest.mark.parametrize("folder", ["report", "note"])
def test_every_live_number_in_the_open_has_a_value_on_every_machine_with_every_network(
    pages: tuple[Page, ...], folder: str
) -> None:
    numbers = _named(pages, folder).numbers
    assert any(number.live for number in numbers)  # else the build would have had nothing to refuse


@pytest.mark.parametrize("folder", ["report", "note", "sensitivity"])
def test_every_state_that_a_claim_meets_has_words_for_it(pages: tuple[Page, ...], folder: str) -> None:
    live = [claim for claim in _named(pages, folder).claims if claim.live]
    assert live
    met = {claim.name: set(claim.tally) - {"true"} - {when for when, _ in claim.variants} for claim in live}
    assert {name: states for name, states in met.items() if states} == {}
