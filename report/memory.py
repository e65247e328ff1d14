"""What a process that builds again and again remembers, by what it was made from; one that builds once remembers none.

A key holds everything that the thing depends on, by value, or by being the very same object, which the key keeps
alive. Code is no part of it: whoever remembers ends when code changes (report/builder.py). What the last good
build had no use for is forgotten. Leaves out: what outlives the process (report/cache.py).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

Made = TypeVar("Made")


class Same:
    """An object as a part of a key: equal to itself alone, whatever it holds."""

    __slots__ = ("held",)

    def __init__(self, held: object) -> None:
        self.held = held

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.held is self.held

    def __hash__(self) -> int:
        return id(self.held)


@dataclass(slots=True)
class Memory:
    """Things by kind and key, with the build in which each was last of use.

    made is what this build had to make anew, kept what it did not; last is the latest thing of a name.
    """

    build: int = 0
    things: dict[tuple[str, Hashable], tuple[Any, int]] = field(default_factory=dict)
    made: dict[str, list[str]] = field(default_factory=dict)
    kept: dict[str, set[str]] = field(default_factory=dict)
    last: dict[tuple[str, str], Any] = field(default_factory=dict)

    def begin(self) -> None:
        """Begin a build."""
        self.build += 1
        self.made, self.kept = {}, {}

    def forget(self) -> None:
        """End a good build: forget what it had no use for, since memory holds one site well, and not two."""
        self.things = {key: entry for key, entry in self.things.items() if entry[1] == self.build}


_MEMORIES: list[Memory] = []  # the innermost is in use


@contextmanager
def remembering(memory: Memory) -> Iterator[Memory]:
    """Remember what is made while the block runs."""
    _MEMORIES.append(memory)
    try:
        yield memory
    finally:
        _MEMORIES.remove(memory)


def active() -> bool:
    """Tell whether anything is remembered."""
    return bool(_MEMORIES)


def recalled(
    kind: str,
    key: Hashable,
    make: Callable[[], Made],
    name: str = "",
    holds: Callable[[Made], bool] = lambda _: True,
) -> Made:
    """Return what make returns, or returned for an equal key in an earlier build, as long as that still holds.

    name says what it is, for people: it is noted when it is made.
    """
    if not _MEMORIES:
        return make()
    memory = _MEMORIES[-1]
    entry = memory.things.get((kind, key))
    found: Made
    if entry is not None and holds(entry[0]):
        found = entry[0]
        if name:
            memory.kept.setdefault(kind, set()).add(name)
    else:
        found = make()
        if name and name not in memory.made.setdefault(kind, []):
            memory.made[kind].append(name)
    memory.things[kind, key] = (found, memory.build)
    return found


def held(kind: str, key: Hashable) -> bool:
    """Tell whether something is remembered."""
    return any((kind, key) in memory.things for memory in _MEMORIES[-1:])


def keep(kind: str, name: str, thing: object) -> None:
    """Keep the last thing of a name, for as long as there is no later one."""
    for memory in _MEMORIES[-1:]:
        memory.last[kind, name] = thing


def last(kind: str, name: str) -> Any:
    """Return the last thing of a name, None where there is none."""
    return next((memory.last.get((kind, name)) for memory in _MEMORIES[-1:]), None)
