"""All tables and boards by name, each made only when prose places it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from report.accuracy.book import Accuracy, accuracy
from report.asking import World
from report.content import Content
from report.tables import (
    balances,
    board,
    breakdowns,
    checks,
    contrasts,
    evidence,
    growth,
    layer,
    ledger,
    machines,
    parameters,
    prices,
    rates,
    runs,
    sensitivity,
    steps,
    tricks,
    visits,
    wall,
)
from report.tables.board import Board
from report.tables.table import Table
from report.trendcells import Trends

# The tables whose rows content/site.yaml chooses from a part of the catalogue.
_CHOSEN: Mapping[str, Callable[..., Table]] = {
    "modern-machines": machines.modern,
    "old-machines": machines.old,
    "connection-rates": rates.connection_rates,
    "weight-visits": visits.weight_visits,
    "parameters": parameters.parameters,
    "tricks": tricks.tricks,
    "balances": balances.balances,
    "floor-by-width": balances.floor_by_width,
    "note-parameters": parameters.provenance,
}
# The tables of the companion note and of the page on what matters most, which are whole in themselves.
_OWN: Mapping[str, Callable[[World], Table]] = {
    "layer-ledger": layer.layer_ledger,
    "step-floors": steps.step_floors,
    "best-batch": steps.squeeze,
    "single-example": steps.single_example,
    "wall-parts": wall.wall_parts,
    "contrasts": contrasts.contrasts,
    "elasticity": sensitivity.elasticity,
}
# The tables of published runs against the model.
_EVIDENCE: Mapping[str, Callable[[Accuracy], Table]] = {
    "measured-runs": runs.measured_runs,
    "unasked-runs": runs.unasked_runs,
    "run-classes": evidence.run_classes,
    "run-fits": evidence.run_fits,
    "run-pairs": evidence.run_pairs,
    "run-memory": evidence.run_memory,
}


def tables(found: Content, world: World, known: Accuracy | None = None) -> dict[str, Callable[[], Table]]:
    """Return the makers of the tables that prose can place."""
    rows, ids, presets = found.catalogue, found.settings.tables, found.settings.presets
    evidenced = known or accuracy(rows)
    cases = [presets[name] for name in ids.get("breakdowns", ())]
    return {
        **{name: partial(make, world, rows, ids.get(name, ())) for name, make in _CHOSEN.items()},
        **{name: partial(make, world) for name, make in _OWN.items()},
        "price-list": partial(prices.price_list, world, rows),
        **{name: partial(make, evidenced) for name, make in _EVIDENCE.items()},
        "ledger": partial(ledger.ledger, world, rows),
        "breakdowns": partial(breakdowns.breakdowns, world, rows, cases),
        "growth-rates": partial(growth.growth_rates, Trends(rows), rows),
        "cross-checks": partial(checks.cross_checks, world, rows, presets),
    }


def boards(found: Content, world: World) -> dict[str, Callable[[], Board]]:
    """Return the makers of the boards that prose can place."""
    return {"claim": partial(board.claim, world, found.catalogue)}
