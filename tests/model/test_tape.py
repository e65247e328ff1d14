"""Schedules of the tape, run event by event against the closed forms and against what a schedule must do."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from model.book import ask
from model.formula import Given
from model.tape import (
    SCHEDULES as ALL,
)
from model.tape import (
    Event,
    Tape,
    every_sqrt,
    fewest_forward,
    high_water,
    reach,
    reversible,
    revolve,
    share_again,
    store_all,
)

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


# --- the optimal schedule


SHAPES = [(layers, memory) for layers in range(1, 41) for memory in range(1, 17)]
DEEP = [(layers, memory) for layers in (61, 100, 126, 128) for memory in (1, 2, 3, 6, 11, 16)]


@cache
def least(layers: int, memory: int) -> float:
    """Return the least number of forward runs by trying every layer that could be kept first."""
    if layers == 0:
        return 0
    if memory == 0:
        return math.inf
    above = (kept + 1 + least(layers - kept - 1, memory - 1) + least(kept, memory) for kept in range(layers))
    return min(above)


def searched(layers: int, memory: int) -> int:
    """Return the least number of forward runs by trying everything that can be done, kept or dropped at any time.

    A state is what is held, how far the running activation has come (none: back to the input), and what is still to
    go backward. Nothing is taken from the theory: not that the work splits, nor that a layer is kept until used.
    """
    start = (frozenset[int](), -1, layers)
    cost = {start: 0}
    queue = deque([start])
    while queue:
        held, reached, left = state = queue.popleft()
        if left == 0:
            return cost[state]
        # Free moves first: go back from what is held, take up from what is held, or let go of it.
        free = [(held, kept, left) for kept in held] + [(held, -1, left)]
        free += [(held - {kept}, reached, left) for kept in held]
        if left - 1 in held:
            free.append((held - {left - 1}, -1, left - 1))
        paid = []
        if reached + 1 < left:
            paid.append((held, reached + 1, left))
            if len(held) < memory:
                paid.append((held | {reached + 1}, reached + 1, left))
        for found, price in [*((one, 0) for one in free), *((one, 1) for one in paid)]:
            if cost[state] + price < cost.get(found, math.inf):
                cost[found] = cost[state] + price
                if price:
                    queue.append(found)
                else:
                    queue.appendleft(found)
    raise AssertionError("every pass ends")


def forward_runs(events: Iterator[Event]) -> int:
    return sum(event.action != "backward" for event in events)


@pytest.mark.parametrize(("layers", "memory"), [(n, m) for n in range(1, 9) for m in range(1, 5)])
def test_no_other_schedule_computes_less_again(layers: int, memory: int) -> None:
    assert searched(layers, memory) == fewest_forward(layers, memory) == forward_runs(revolve(layers, memory))


def test_the_schedule_is_as_good_as_the_best_split_at_every_depth() -> None:
    for layers, memory in SHAPES:
        assert forward_runs(revolve(layers, memory)) == least(layers, memory) == fewest_forward(layers, memory)


def test_the_closed_form_is_griewank_s_binomial() -> None:
    """t(s, n) = r n - C(s + r, r - 1) forward steps for n steps and s checkpoints, where r is least for n."""
    for layers, memory in (*SHAPES, *DEEP):
        n = layers + 1  # states of the chain, the input among them, which is free here
        times = next(r for r in range(n + 1) if math.comb(memory + r, memory) >= n)
        assert fewest_forward(layers, memory) == times * n - math.comb(memory + times, times - 1)
        assert forward_runs(revolve(layers, memory)) == fewest_forward(layers, memory)


def test_it_never_holds_more_than_the_memory_and_uses_all_of_it() -> None:
    for layers, memory in (*SHAPES, *DEEP):
        assert high_water(revolve(layers, memory)) == min(layers, memory)


def test_with_memory_for_all_it_stores_all_and_with_one_it_starts_over_for_each() -> None:
    for layers in (1, 2, 7, 32):
        assert list(revolve(layers, layers)) == list(store_all(layers)) == list(revolve(layers, layers + 5))
        assert forward_runs(revolve(layers, 1)) == layers * (layers + 1) // 2


def test_more_memory_never_costs_more() -> None:
    for layers in (5, 32, 126):
        costs = [fewest_forward(layers, memory) for memory in range(1, layers + 2)]
        assert costs == sorted(costs, reverse=True)
        assert costs[-1] == layers


def test_it_beats_checkpoints_at_their_own_memory() -> None:
    for layers in range(4, 129):
        memory = high_water(every_sqrt(layers))
        assert forward_runs(revolve(layers, memory)) <= forward_runs(every_sqrt(layers)), layers


def test_a_memory_reaches_a_binomial_of_layers() -> None:
    assert [reach(1, times) for times in range(5)] == [0, 1, 2, 3, 4]
    assert [reach(memory, 1) for memory in range(5)] == [0, 1, 2, 3, 4]
    for memory in range(1, 8):
        for times in range(1, 8):
            assert reach(memory, times) == reach(memory, times - 1) + 1 + reach(memory - 1, times)
            once_more = Counter(
                event.layer for event in revolve(reach(memory, times), memory) if event.action != "backward"
            )
            assert max(once_more.values()) == times


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(("layers", "memory"), [(1, 1), (2, 1), (5, 2), (32, 6), (126, 4)])
def test_every_schedule_can_be_carried_out(name: str, layers: int, memory: int) -> None:
    """Carry it out: a layer runs forward only from what is held or from what has just been computed."""
    held: set[int] = set()
    done: list[int] = []
    running = -1
    for event in ALL[name](layers, memory):
        below = event.layer - 1
        if event.action == "backward":
            assert event.layer in held
            done.append(event.layer)
        elif name != "reversible" or event.action == "forward":  # else the layer above gives its input back
            assert running == below or below in held or below == -1, event
            running = event.layer
        assert event.alive == len(event.held) == len(set(event.held))
        held = set(event.held)
    assert done == list(reversed(range(layers)))
    assert not held


def test_going_backward_without_activations_is_refused() -> None:
    tape = Tape()
    tape.compute(0, keep=False)
    with pytest.raises(ValueError, match="layer 0 cannot go backward"):
        tape.back(0)


@pytest.mark.parametrize(("layers", "memory"), [(0, 4), (-3, 1)])
def test_the_optimal_schedule_refuses_a_network_without_layers(layers: int, memory: int) -> None:
    with pytest.raises(ValueError, match=f"layers must be at least 1, not {layers}"):
        next(revolve(layers, memory))
    with pytest.raises(ValueError, match="layers must be"):
        fewest_forward(layers, memory)


def test_a_memory_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="memory must be at least 1, not 0"):
        next(revolve(4, 0))
    with pytest.raises(ValueError, match="memory must be"):
        fewest_forward(4, 0)


def test_a_layer_once_more_is_a_third_of_its_part_of_the_step() -> None:
    assert share_again(32, 0) == 0
    assert share_again(32, 32) == pytest.approx(1 / 3)
    assert share_again(32, 16) == pytest.approx(1 / 6)
