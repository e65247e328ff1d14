"""What a builder remembers from build to build: only what was made from the same things, and not for ever."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from report import memory
from report.memory import Memory, Read, Same, recalled, remembering


def counted(value: object = "made") -> tuple[Callable[[], object], list[None]]:
    calls: list[None] = []

    def make() -> object:
        calls.append(None)
        return value

    return make, calls


def test_who_builds_once_remembers_nothing() -> None:
    make, calls = counted()
    assert [recalled("kind", "key", make), recalled("kind", "key", make)] == ["made", "made"]
    assert len(calls) == 2
    memory.keep("figure", "drift", 1)
    assert (memory.active(), memory.held("kind", "key"), memory.last("figure", "drift")) == (False, False, None)


def test_a_thing_is_made_once_for_equal_keys_of_a_kind() -> None:
    kept = Memory()
    make, calls = counted()
    with remembering(kept):
        for kind, key in (("a", (1, "x")), ("a", (1, "x")), ("a", (1, "y")), ("b", (1, "x"))):
            recalled(kind, key, make)
        assert memory.held("a", (1, "y"))
        assert not memory.held("a", (2, "y"))
    assert len(calls) == 3


def test_an_object_in_a_key_is_the_very_same_or_another_one() -> None:
    one, equal = [1], [1]
    assert Same(one) == Same(one)
    assert hash(Same(one)) == hash(Same(one))
    assert Same(one) != Same(equal)
    assert Same(one) != one
    held = Same([2])
    assert held.held == [2], "the key keeps it alive, so that no other object can take its place"


def test_what_no_longer_holds_is_made_anew() -> None:
    kept = Memory()
    with remembering(kept):
        assert recalled("a", "x", lambda: 1) == 1
        assert recalled("a", "x", lambda: 2, holds=lambda found: found == 1) == 1
        assert recalled("a", "x", lambda: 2, holds=lambda found: found == 2) == 2
        assert recalled("a", "x", lambda: 3) == 2


def test_what_a_good_build_had_no_use_for_is_forgotten_and_failed_ones_forget_nothing() -> None:
    kept = Memory()
    make, calls = counted()

    def build(*used: str, good: bool = True) -> None:
        with remembering(kept):
            kept.begin()
            for key in used:
                recalled("a", key, make)
            if good:
                kept.forget()

    build("x", "y")
    for _ in range(5):
        build(good=False)
    build("x", "y")
    assert len(calls) == 2
    build("x")
    build("x", "y")
    assert len(calls) == 3


def test_it_is_told_what_was_made_and_what_was_not() -> None:
    kept = Memory()
    with remembering(kept):
        for name in ("one", "two"):
            recalled("text", name, lambda: 0, name)
        kept.begin()
        recalled("text", "one", lambda: 0, "one")
        recalled("text", "other", lambda: 0, "two")
        recalled("text", "nameless", lambda: 0)
    assert kept.made == {"text": ["two"]}
    assert kept.kept == {"text": {"one"}}


def test_a_thing_holds_as_long_as_what_was_read_to_make_it() -> None:
    reads, made = {"row": Read(), "other": Read()}, []

    def changed(name: str) -> None:
        reads[name].stale = True
        reads[name] = Read()

    def inner() -> int:
        memory.note(reads["row"])
        return 1

    def outer() -> int:
        made.append("outer")
        memory.note(reads["other"])
        return recalled("inner", "x", inner) + 1

    def another() -> int:
        made.append("another")
        return recalled("inner", "x", inner) + 2

    kept = Memory()
    with remembering(kept):
        for name, times in (("", 1), ("", 1), ("row", 2), ("", 2), ("other", 3)):
            kept.begin()
            if name:
                changed(name)
            assert recalled("outer", "x", outer) == 2
            assert len(made) == times
        # What was found, and not made, was read as well.
        for name in ("", "row"):
            kept.begin()
            if name:
                changed(name)
            assert recalled("another", "x", another) == 3
    assert made == ["outer"] * 3 + ["another"] * 2


def test_a_thing_that_comes_out_equal_changes_nothing_for_its_readers() -> None:
    row, value, made = Read(), [4], []

    def half() -> int:
        memory.note(row)
        return value[0] // 2

    def text() -> str:
        made.append(None)
        return f"{recalled('half', 'x', half, again=True)}"

    kept = Memory()
    with remembering(kept):
        for now, said, times in ((4, "2", 1), (5, "2", 1), (6, "3", 2), (6, "3", 2)):
            kept.begin()
            row.stale, value[0] = True, now
            row = Read()
            assert recalled("text", "x", text) == said
            assert len(made) == times


def test_a_thing_that_came_out_other_while_it_was_looked_at_is_not_made_twice() -> None:
    row, halves = Read(), []

    def half() -> int:
        memory.note(row)
        halves.append(None)
        return len(halves)

    def text() -> str:
        return f"{recalled('half', 'x', half, again=True)}"

    kept = Memory()
    with remembering(kept):
        for said in ("1", "2", "3"):
            kept.begin()
            row.stale = True
            row = Read()
            assert recalled("text", "x", text) == said
            assert recalled("half", "x", half, again=True) == int(said)
        assert len(halves) == 3


def test_what_failed_was_read_by_whoever_goes_on_without_it() -> None:
    row = Read()

    def fails() -> int:
        memory.note(row)
        raise ValueError("no")

    def text() -> str:
        try:
            return str(recalled("a", "x", fails))
        except ValueError as error:
            return str(error)

    kept = Memory()
    with remembering(kept):
        kept.begin()
        assert recalled("text", "x", text) == "no"
        kept.begin()
        row.stale = True
        assert recalled("text", "x", lambda: "yes") == "yes"


def test_what_a_thing_rests_on_is_not_forgotten_before_it() -> None:
    make, calls = counted()
    kept = Memory()
    with remembering(kept):
        kept.begin()
        recalled("outer", "x", lambda: recalled("inner", "x", make))
        for _ in range(3):
            kept.begin()
            recalled("outer", "x", make)
            kept.forget()
        recalled("inner", "x", make)
    assert len(calls) == 1


class Row:
    def __init__(self) -> None:
        self.read, self.calls = Read(), 0

    @memory.remembered
    def doubled(self) -> int:
        """Return twice the calls."""
        memory.note(self.read)
        self.calls += 1
        return 2 * self.calls


def test_a_property_is_worked_out_once_and_again_when_what_it_read_has_changed() -> None:
    assert Row.doubled.__doc__ == "Return twice the calls."
    row = Row()
    assert [row.doubled, row.doubled] == [2, 2], "also where nothing is remembered"
    kept, row, other = Memory(), Row(), Row()
    with remembering(kept):
        kept.begin()
        assert [row.doubled, row.doubled, other.doubled] == [2, 2, 2]
        row.read.stale = True
        assert row.doubled == 2, "nothing changes in the middle of a build"
        kept.begin()
        row.read = Read()
        assert [row.doubled, row.doubled, other.doubled] == [4, 4, 2]
        memory.moved()
        assert row.doubled == 4


def test_the_last_thing_of_a_name_stays() -> None:
    kept = Memory()
    with remembering(kept):
        assert memory.last("figure", "drift") is None
        memory.keep("figure", "drift", "old")
        memory.keep("figure", "drift", "new")
        for _ in range(3):
            kept.begin()
            kept.forget()
        assert memory.last("figure", "drift") == "new"


def test_a_mistake_while_it_is_made_leaves_nothing() -> None:
    def fails() -> object:
        raise ValueError("no")

    with remembering(Memory()):
        with pytest.raises(ValueError, match="no"):
            recalled("a", "x", fails)
        assert recalled("a", "x", lambda: 1) == 1
