"""What one page puts down while its template runs: printed things behind placeholders, claims, mistakes.

Whatever an author's expression prints becomes ONE private-use character, which Markdown takes for a letter; the page
puts the markup in afterwards (report/fill.py). So nothing that a value holds is ever read as template or Markdown.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import FrameType
from typing import Any, NamedTuple, Protocol

from report import maths, rounding, spots
from report.asking import AuthorError, Scenario, World
from report.conditions import BAD, Bad, Cond
from report.errors import NOWHERE, UNTAGGED, BuildError, Near, Problem, Tag
from report.shown import Cell, Shown, Words
from report.spoken import Spoken
from report.typed import FROM, Typed, typed
from report.vocabulary import Vocabulary

_FIRST = 0xF0000
_ROOM = 0xFFFD
MARKS = f"{chr(_FIRST)}-{chr(_FIRST + _ROOM)}"  # the range of placeholders, for a regular expression


class Placing(Protocol):
    """The parts that stand on a page so far, and how those of a text that is not read again are placed once more."""

    @property
    def placed(self) -> Sequence[Any]:
        """Return the parts, in order."""

    def again(self, placed: Sequence[Any]) -> bool:
        """Place parts; False, and nothing placed, where they are no longer what they were."""

    def forget(self, count: int) -> None:
        """Take away all parts but the first ones; count says how many stay."""


@dataclass(frozen=True)
class Setting:
    """What all pages share: the model, the catalogue, the words, the works that may be cited, the readers' presets.

    references maps the key of a work to whatever describes it; presets maps a preset's label to its scenario.
    extras are names of other parts: callables that return Html, Plain or numbers. blocks are the parts that a tag
    lays around a caption: callables that return markup with room for it (report/blocks.py).
    texts are files of prose that are made, not written: path below the root -> text. parts is where the blocks note
    what they placed. partial: some of all this could not be read, so that no page is made; blind: there are no rows to
    ask, and what an expression asks stands as a mistake that was told.
    """

    world: World
    catalogue: Any
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    references: Mapping[str, object] = field(default_factory=dict)
    presets: Mapping[str, Scenario] = field(default_factory=dict)
    extras: Mapping[str, Any] = field(default_factory=dict)
    blocks: Mapping[str, Callable[..., str]] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    parts: Placing | None = None
    partial: bool = False
    blind: bool = False


@dataclass(frozen=True)
class Plain:
    """Text to print as it is, escaped once. kind: name (of the catalogue), fact, words, or typed by the author."""

    text: str
    kind: str = "typed"

    def __str__(self) -> str:
        return self.text

    def say(self) -> str:
        """Return how messages name it."""
        return f"'{self.text}'"


@dataclass(frozen=True)
class Html:
    """Markup made by another part of the build; block markup stands in a paragraph of its own.

    edge: "open" and "close" lie around a caption, which is prose; "lead" begins a page's lead (report/lead.py).
    """

    markup: str
    block: bool = False
    text: str = ""
    edge: str = ""

    def say(self) -> str:
        """Return how messages name it."""
        return f"'{self.text}'" if self.text else "a part of the page"


@dataclass
class Printed:
    """A number on the page: what is shown, where it was written, and (once the page is put together) its place.

    key: under which numbers.json lists it, where it has a name of its own (the cell of a table).
    """

    n: int
    shown: Shown | Cell
    line: int
    claim: OpenClaim | None = None
    when: str = "true"
    where: str = ""
    heading: str = ""
    key: str = ""

    @property
    def live(self) -> bool:
        """Say whether the number follows the reader."""
        return self.shown.live

    def text(self) -> str | None:
        """Return the number as printed at build, None where it has no value."""
        if isinstance(self.shown, Cell):
            return self.shown.text if self.shown.number is not None else None
        return self.shown.text()


@dataclass(frozen=True)
class Formula:
    """A formula as MathML, with the numbers in it; a display has an id where the author gave one."""

    markup: str
    display: bool
    label: str
    numbers: tuple[Printed, ...]


@dataclass
class OpenClaim:
    """A claim as it is read: its condition, the words that join it, and each variant's text with placeholders."""

    name: str
    line: int
    cond: Cond | None
    spoken: list[Spoken] = field(default_factory=list)
    variants: list[tuple[str, str]] = field(default_factory=list)
    places: dict[str, tuple[int, Callable[[], Tag]]] = field(
        default_factory=dict
    )  # where the variant of a state begins
    when: str = "true"
    doubtful: bool = False  # nobody knows whether the text takes it, or all of it
    unsure: bool = False  # what was told may hide words of its sentence, which would join its condition
    lacking: bool = False  # what was told stands in the place of words or of a number, whose states nobody knows
    outer: OpenClaim | None = None  # a claim inside another is a mistake, but the outer one goes on


@dataclass(frozen=True)
class Mark:
    """An edge of a claim or of one of its variants."""

    claim: OpenClaim
    edge: str  # open, close, variant, end
    when: str = "true"


@dataclass(frozen=True)
class Ref:
    """A cross-reference: to what, in which words if the author gave any, and where it was written."""

    name: str
    words: str
    path: str
    line: int


class Block(NamedTuple):
    """A figure, a table or a board where a text places it."""

    kind: str
    name: str
    line: int
    tag: Callable[[], Tag]


Item = Printed | Plain | Html | Formula | Mark


class Desk:
    """Collects what one file of a page prints, claims and gets wrong; first counts the numbers of the files before."""

    def __init__(self, path: str, setting: Setting, first: int = 0, cited: Sequence[str] = ()) -> None:
        self.path, self.setting, self.first = path, setting, first
        self.problems: list[Problem] = []
        self.items: list[Item] = []
        self.numbers: list[Printed] = []
        self.claims: dict[str, OpenClaim] = {}
        self.open: OpenClaim | None = None
        self.torn = False  # nobody knows which names the text gives, as a choice can't be made
        self.doubts = 0  # choices around what is read that nobody can make, because of a mistake
        self.citations: list[str] = list(cited)
        self.refs: list[Ref] = []
        self.asides: list[tuple[int, str]] = []  # branches that are not taken: the number of the choice, what it prints
        self.blocks: list[Block] = []
        self.given: set[float] = set()  # the numbers that questions of the text take
        self.typed: list[Typed] = []
        self.mended: set[str] = set()  # claims whose end is not the author's own
        self.tag: Callable[[str, int], Tag] = lambda _path, _code: UNTAGGED  # of a file: the one that is running
        self.own: Callable[[], Sequence[str]] = list  # the names that the text itself gives
        self._codes = spots.Codes()
        self.unread: list[str] = []  # what of the text is left out, as it can't be read
        self.texts: list[tuple[int, str]] = []  # sentences handed to other parts (captions), which are prose too

    def fail(
        self, message: str, hint: str = "", line: int | None = None, path: str = "", *, near: Near = NOWHERE
    ) -> Bad:
        """Note a mistake at a line (the template's present one unless given) and return what stands for it."""
        where, here = self._running()
        at = spots.line(here) if line is None else line
        tag = self.tag(where, here) if at == spots.line(here) and path in ("", where) else UNTAGGED
        self.problems.append(Problem(path or where, at, 0, message, hint, near=near, tag=tag))
        return BAD

    def listen(self, error: AuthorError) -> Bad:
        """Note a mistake of an expression."""
        return self.fail(error.message, error.hint)

    def place(self) -> tuple[str, int]:
        """Return file and line of the template that is running."""
        path, code = self._running()
        return path, spots.line(code)

    def stands(self) -> tuple[str, int, Callable[[], Tag]]:
        """Return file and line of the template that is running, and what looks its tag up."""
        path, code = self._running()
        return path, spots.line(code), partial(self.tag, path, code)

    def running(self) -> Tag:
        """Return the {{ }} or {% %} that is running, one without text where that is not known."""
        return self.tag(*self._running())

    def _running(self) -> tuple[str, int]:
        """Return file and line with tag (report/spots.py) of the template that is running, through its line table."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            template = frame.f_globals.get("__jinja_template__")
            if template is not None:
                return template.name or self.path, self._codes.at(template, frame.f_lineno)
            frame = frame.f_back
        return self.path, 0

    def put(self, item: Item) -> str:
        """Return the placeholder of an item."""
        if len(self.items) > _ROOM:
            raise BuildError([Problem(self.path, 0, 0, f"the page prints more than {_ROOM} things", "divide it")])
        self.items.append(item)
        return chr(_FIRST + len(self.items) - 1)

    def item(self, mark: str) -> Item:
        """Return the item of a placeholder."""
        return self.items[ord(mark) - _FIRST]

    def printed(self, shown: Shown | Cell, line: int | None = None) -> Printed:
        """Return a number's record; it belongs to the claim that is open."""
        when = self.open.when if self.open else "true"
        n = self.first + len(self.numbers) + 1
        number = Printed(n, shown, self.place()[1] if line is None else line, self.open, when)
        self.numbers.append(number)
        return number

    def shown(self, shown: Shown | Cell) -> str:
        """Return the placeholder of a number that an expression prints."""
        if isinstance(shown, Shown) and typed(shown.num):
            self.typed.append(Typed(shown.num, *self.stands()))
        return self.put(self.printed(shown))

    def words(self, words: Words) -> str:
        """Return the placeholders of bound words; inside a claim they join its condition."""
        if words.cond is not None and words.cond.bad:
            self.unsure()
            return ""
        if all(map(typed, words.given)):
            self.fail(f"the words '{words.name}' are about typed numbers alone", FROM)
        if words.live and self.open is None:
            self.fail(f"the words '{words.name}' follow the reader", "live words stand only inside a claim")
        elif words.live and self.open and self.open.when != "true" and words.cond is not None:
            self.fail(f"the words '{words.name}' stand under otherwise", "live words stand in the claim's own sentence")
        elif words.cond is not None and self.open is not None and self.open.when == "true":
            self.open.spoken.append(self._spoken(words))
        elif words.cond is not None and words.cond.holds() is not True and not self.doubts:
            self.problems.append(self._spoken(words).problem())
        return "".join(self.put(self._part(part)) for part in words.parts)

    def unsure(self) -> None:
        """Note that the claim that is open lacks a number, or words, if no filter stands behind it in its {{ }}."""
        if self.open is not None:
            self.open.lacking = True
            self.open.unsure = self.open.unsure or "|" not in self.running().text

    def _spoken(self, words: Words) -> Spoken:
        return Spoken(words, *self.stands())

    def _part(self, part: str | Shown) -> Item:
        return self.printed(part) if isinstance(part, Shown) else Plain(part, "words")

    def cite(self, key: str) -> int:
        """Return the number of a cited work, in the order of first citation."""
        if key not in self.citations:
            self.citations.append(key)
        return self.citations.index(key) + 1

    def plain(self, text: str) -> str:
        """Return text with placeholders as a reader sees it, on one line."""
        seen = "".join(self.seen(mark) if _FIRST <= ord(mark) <= _FIRST + _ROOM else mark for mark in text)
        return " ".join("".join(mark for mark in seen if ord(mark) < 0x100000).split())

    def follows(self, text: str) -> str:
        """Return what the first number asks that follows the reader in text with placeholders; nothing without one."""
        marks = (mark for mark in text if _FIRST <= ord(mark) <= _FIRST + _ROOM)
        items = (item for item in map(self.item, marks) if isinstance(item, Printed))
        return next((item.shown.num.say() for item in items if isinstance(item.shown, Shown) and item.live), "")

    def seen(self, mark: str) -> str:
        """Return the text that a placeholder comes to."""
        item = self.item(mark)
        match item:
            case Printed():
                return item.text() or rounding.DASH
            case Plain() | Html():
                return item.text
            case Formula():
                return maths.in_line(item.markup)
        return ""
