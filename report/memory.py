"""What a process that builds again and again remembers; one that builds once remembers nothing.

A thing is remembered under a key, with all that was read while it was made: other things of the memory, and rows of
the catalogue (report/followed.py). It holds as long as every one of these does. A key holds what else it depends on,
by value, or by being the very same object, which the key keeps alive. Code is no part of it: whoever remembers ends
when code changes (report/builder.py). What the last good build had no use for is forgotten. Leaves out: what outlives
the process (report/cache.py).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, overload

Made = TypeVar("Made")
Owner = TypeVar("Owner")


class Same:
    """An object as a part of a key: equal to itself alone, whatever it holds."""

    __slots__ = ("held",)

    def __init__(self, held: Any) -> None:
        self.held = held

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.held is self.held

    def __hash__(self) -> int:
        return id(self.held)


class Read:
    """Something that can be read while a thing is made; it is stale from the moment at which it is another."""

    __slots__ = ("stale",)

    def __init__(self) -> None:
        self.stale = False

    def holds(self, _memory: Memory) -> bool:
        """Tell whether what was read is still what it was."""
        return not self.stale


class Entry(Read):
    """A thing with what was read to make it, and the builds in which that was last looked at and of use.

    again makes it once more where that can be done at any time: an equal thing changes nothing for those who read it,
    and another one waits in other for whoever asks.
    """

    __slots__ = ("again", "looked", "other", "rests", "thing", "used")

    def __init__(self, thing: Any, rests: Iterable[Read], again: Callable[[], Any] | None) -> None:
        super().__init__()
        self.thing, self.rests, self.again = thing, tuple(rests), again
        self.looked = self.used = 0
        self.other: tuple[Any, tuple[Read, ...]] | None = None

    def holds(self, memory: Memory) -> bool:
        """Tell whether the thing is still what would be made; worked out once in a build."""
        if not self.stale and self.looked != memory.now:
            self.stale = not (all(part.holds(memory) for part in self.rests) or self._renewed(memory))
            self.looked = memory.now
        return not self.stale

    def _renewed(self, memory: Memory) -> bool:
        if self.again is None:
            return False
        thing, rests = memory.made_with(self.again)
        if thing != self.thing:
            self.other = thing, rests
            return False
        self.rests = rests
        return True


@dataclass(slots=True)
class Memory:
    """Things by kind and key; build counts builds, now also the moments at which what is read may have changed.

    made is what this build had to make anew, kept what it did not; last is the latest thing of a name. reading holds
    what was read so far for each thing that is being made, the innermost last.
    """

    build: int = 0
    now: int = 0
    things: dict[tuple[str, Hashable], Entry] = field(default_factory=dict)
    made: dict[str, list[str]] = field(default_factory=dict)
    kept: dict[str, set[str]] = field(default_factory=dict)
    last: dict[tuple[str, str], Any] = field(default_factory=dict)
    reading: list[dict[Read, None]] = field(default_factory=list)

    def begin(self) -> None:
        """Begin a build."""
        self.build += 1
        self.now += 1
        self.made, self.kept = {}, {}

    def forget(self) -> None:
        """End a good build: forget what it had no use for, since memory holds one site well, and not two."""
        alive: set[Read] = set()
        stack: list[Read] = [entry for entry in self.things.values() if entry.used == self.build]
        while stack:
            entry = stack.pop()
            if entry not in alive:
                alive.add(entry)
                stack += getattr(entry, "rests", ())
        self.things = {key: entry for key, entry in self.things.items() if entry in alive}

    def made_with(self, make: Callable[[], Made]) -> tuple[Made, tuple[Read, ...]]:
        """Return what make returns, and what it read; where it fails, whoever wanted it has read that too."""
        self.reading.append({})
        try:
            thing = make()
        except BaseException:
            seen = self.reading.pop()
            if self.reading:
                self.reading[-1].update(seen)
            raise
        return thing, tuple(self.reading.pop())


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


def note(read: Read) -> None:
    """Note that something was read for the thing that is being made, if one is."""
    if _MEMORIES and (reading := _MEMORIES[-1].reading):
        reading[-1][read] = None


def recalled(  # each says another thing about the thing
    kind: str,
    key: Hashable,
    make: Callable[[], Made],
    name: str = "",
    holds: Callable[[Made], bool] = lambda _: True,
    *,
    again: bool = False,
) -> Made:
    """Return what make returns, or returned for an equal key in an earlier build, as long as that still holds.

    name says what it is, for people: it is noted when it is made. again tells that make may run at any time, and that
    things can be compared: one that comes out equal leaves alone what was made from it.
    """
    if not _MEMORIES:
        return make()
    memory = _MEMORIES[-1]
    entry = memory.things.get((kind, key))
    if entry is not None and entry.holds(memory) and holds(entry.thing):
        if name:
            memory.kept.setdefault(kind, set()).add(name)
    else:
        ready = entry.other if entry is not None and entry.looked == memory.now else None
        if entry is not None:
            entry.stale = True
        thing, rests = ready or memory.made_with(make)
        entry = memory.things[kind, key] = Entry(thing, rests, make if again else None)
        entry.looked = memory.now
        if name and name not in memory.made.setdefault(kind, []):
            memory.made[kind].append(name)
    entry.used = memory.build
    if memory.reading:
        memory.reading[-1][entry] = None
    found: Made = entry.thing
    return found


class remembered(Generic[Owner, Made]):  # noqa: N801  # it is used like a property
    """A property that is worked out once, and again when what it was worked out from has changed."""

    def __init__(self, work: Callable[[Owner], Made]) -> None:
        self.work, self.__doc__ = work, work.__doc__
        self.kind = f"{work.__module__}.{work.__qualname__}"

    @overload
    def __get__(self, owner: None, of: type) -> remembered[Owner, Made]: ...
    @overload
    def __get__(self, owner: Owner, of: type) -> Made: ...
    def __get__(self, owner: Owner | None, of: type) -> Made | remembered[Owner, Made]:
        if owner is None:
            return self
        if _MEMORIES:
            return recalled(self.kind, Same(owner), lambda: self.work(owner))
        own = vars(owner)
        if self.kind not in own:
            own[self.kind] = self.work(owner)
        found: Made = own[self.kind]
        return found


def moved() -> None:
    """Look at everything again before it is used: what is read may have changed."""
    for memory in _MEMORIES[-1:]:
        memory.now += 1


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
