"""Schedules of the tape, run event by event against the closed forms and against what a schedule must do."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from model.book import ask
from model.formula import Given
from model.tape import Event, every_sqrt, high_water, reversible, store_all

Schedule = Callable[[int], Iterator[Event]]
SCHEDULES: dict[str, Schedule] = {"store-all": store_all, "sqrt": every_sqrt, "reversible": reversible}
each = pytest.mark.parametrize("schedule", SCHEDULES.values(), ids=SCHEDULES.keys())
DEPTHS = range(1, 201)


def closed_form(policy: str, layers: int) -> float:
    base = {"policy": Given(value=policy), "L": Given(value=float(layers))}
    value = ask("tape_high_water", base).value
    assert value is not None
    return value


@each
def test_every_layer_runs_forward_once_and_backward_once_in_order(schedule: Schedule) -> None:
    for layers in DEPTHS:
        events = list(schedule(layers))
        assert [event.layer for event in events if event.action == "forward"] == list(range(layers))
        assert [event.layer for event in events if event.action == "backward"] == list(reversed(range(layers)))


@each
def test_nothing_is_alive_at_the_end_and_never_less_than_nothing(schedule: Schedule) -> None:
    for layers in DEPTHS:
        events = list(schedule(layers))
        assert events[-1].alive == 0
        assert all(0 <= event.alive <= layers for event in events)


@each
def test_the_count_moves_by_what_an_event_can_do(schedule: Schedule) -> None:
    for layers in (1, 2, 3, 10, 36, 97):
        before = 0
        for event in schedule(layers):
            lowest, highest = (-1, 0) if event.action == "backward" else (0, 1)
            assert lowest <= event.alive - before <= highest, event
            before = event.alive


def test_storing_everything_holds_every_layer() -> None:
    for layers in DEPTHS:
        assert high_water(store_all(layers)) == layers == closed_form("store-all", layers)


def test_a_checkpoint_every_root_of_l_holds_about_two_roots() -> None:
    for layers in DEPTHS:
        held = high_water(every_sqrt(layers))
        assert 2 * math.sqrt(layers) - 2 <= held <= 2 * math.sqrt(layers) + 1
        assert held == pytest.approx(closed_form("sqrt", layers), abs=2)


def test_at_a_square_number_it_is_two_roots_less_one() -> None:
    for step in range(1, 15):
        # The last checkpoint's own layer belongs to its segment: it is not held twice.
        assert high_water(every_sqrt(step * step)) == 2 * step - 1


def test_inverting_layers_holds_one_whatever_the_depth() -> None:
    for layers in DEPTHS:
        assert high_water(reversible(layers)) == 1 == closed_form("reversible", layers)


@each
def test_no_layer_is_computed_more_than_once_again(schedule: Schedule) -> None:
    for layers in DEPTHS:
        again = Counter(event.layer for event in schedule(layers) if event.action == "recompute")
        assert all(times == 1 for times in again.values())
        assert again.total() <= layers


def test_how_much_is_computed_again() -> None:
    for layers in DEPTHS:
        counts = {
            name: sum(event.action == "recompute" for event in schedule(layers)) for name, schedule in SCHEDULES.items()
        }
        step = max(1, round(math.sqrt(layers)))
        assert counts == {
            "store-all": 0,
            # All layers but those that a checkpoint kept.
            "sqrt": layers - math.ceil(layers / step),
            "reversible": layers,
        }


def test_a_layer_is_alive_when_its_backward_pass_begins() -> None:
    """Follow which layers are held, by name, and compare with the count."""
    for layers in (1, 2, 5, 16, 30, 101):
        step = max(1, round(math.sqrt(layers)))
        held: set[int] = set()
        for event in every_sqrt(layers):
            if event.action == "backward":
                assert event.layer in held
                held.remove(event.layer)
            elif event.action == "recompute" or event.layer % step == 0:
                held.add(event.layer)
            assert event.alive == len(held), event


@each
@pytest.mark.parametrize("layers", [0, -3])
def test_a_network_without_layers_is_refused(schedule: Schedule, layers: int) -> None:
    with pytest.raises(ValueError, match=f"layers must be at least 1, not {layers}"):
        next(schedule(layers))
