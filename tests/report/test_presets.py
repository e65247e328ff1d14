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
    (found,) = Writer(tmp_path).page('{% claim "c", live.T_min > 1 %}x{% endclaim %}').claims
    assert found.tally == {"false": 1, "true": 5, "no-shape": 1}


# What stands for a part: an element of its kind, which a reference can point at.
_PARTS = {
    "figure": '<figure class="figure" id="fig-{}">{}</figure>',
    "table": '<div class="table" id="{}">{}</div>',
    "board": '<table id="board-{}"><caption>{}</caption></table>',
}


def _placed(markup: str, _: object, name: str, *texts: str) -> str:
    return markup.format(name, CAPTION)


@pytest.fixture(scope="module")
def pages(root: Path) -> tuple[Page, ...]:
    """Return the site's pages, read with every machine and every network together; parts are stood for."""

    def every(rows: Catalogue) -> dict[str, Scenario]:
        return {f"{m} and {n}": {"machine": m, "network": n} for m in rows.machines for n in rows.networks}

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


@pytest.mark.parametrize("folder", ["report", "note"])
def test_every_state_that_a_claim_meets_has_words_for_it(pages: tuple[Page, ...], folder: str) -> None:
    live = [claim for claim in _named(pages, folder).claims if claim.live]
    assert live
    for claim in live:
        states = set(claim.tally) - {"true"}
        assert states <= {when for when, _ in claim.variants}, claim.name
