"""Where words stand in a crowded chart: each takes the nearest place at which it covers neither a mark nor a word.

Places are sought in px, at several sizes of the plot at once, since a page may draw it wider or narrower: a place is
free when it is free at every size. Leaves out: what is said, and how a chart draws it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot
from typing import NamedTuple


class Box(NamedTuple):
    """A rectangle in px of the plot, from the upper left."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box, gap: float = 0.0) -> bool:
        """Tell whether two rectangles come nearer than a gap."""
        across = self.left < other.right + gap and other.left < self.right + gap
        return across and self.top < other.bottom + gap and other.top < self.bottom + gap

    def far(self, x: float, y: float) -> float:
        """Return how far a point lies from the rectangle."""
        return hypot(max(self.left - x, 0, x - self.right), max(self.top - y, 0, y - self.bottom))


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a label stands: px from its anchor (the index of one of several), and which of its ends is there."""

    anchor: int
    dx: float
    dy: float
    align: str


Point = tuple[float, float]  # in the data, or in px from the upper left
Size = tuple[float, float]  # width and height of the plot, in px
Way = tuple[float, float, str]  # from an anchor to a label: px to the right, px down, the label's end that is there
_REACHES = (9.0, 12.0, 17.0, 24.0)
_TOUCHING = 3.0  # px between a leader's anchor and a mark that covers it in part
_ENDS = {"left": 0.0, "center": 0.5, "right": 1.0}  # how much of a label lies to the left of its anchor
_COLUMN = 16.0  # px; words are compared with what stands in the same columns alone
_STEPS = (0.0, -0.35, 0.35, -0.7, 0.7, -1.0, 1.0)


@dataclass(kw_only=True)
class Sheet:
    """A plot with what it holds already; `at` turns a place in the data into px of a plot of a size."""

    sizes: Sequence[Size]
    at: Callable[[Point, Size], Point]
    gap: float = 2.0
    taken: dict[Size, list[Box]] = field(default_factory=dict)
    columns: dict[tuple[Size, int], list[Box]] = field(default_factory=dict)  # the same, by where across the plot
    solid: dict[Size, list[Box]] = field(default_factory=dict)  # marks and words, which no leader may cross

    def mark(self, point: Point, radius: float) -> None:
        """Take the place of a mark."""
        for size in self.sizes:
            x, y = self.at(point, size)
            self._take(size, Box(x - radius, y - radius, x + radius, y + radius), solid=True)

    def line(self, points: Sequence[Point], half: float = 1.0, pieces: int = 200) -> None:
        """Take the place of a straight line through two points of the data."""
        for size in self.sizes:
            (x, y), (x2, y2) = (self.at(point, size) for point in points)
            for i in range(pieces):
                ends = [(x + (x2 - x) * part / pieces, y + (y2 - y) * part / pieces) for part in (i, i + 1)]
                left, right = sorted(end[0] for end in ends)
                top, bottom = sorted(end[1] for end in ends)
                self._take(size, Box(left - half, top - half, right + half, bottom + half))

    def corner(self, width: float, height: float) -> None:
        """Take the lower right corner."""
        for size in self.sizes:
            self._take(size, Box(size[0] - width, size[1] - height, *size))

    def foot(self, x: float, left: float, right: float, height: float) -> None:
        """Take a strip above the lower edge, so far to the left and right of a place along it."""
        for size in self.sizes:
            middle = self.at((x, 1.0), size)[0]
            self._take(size, Box(middle - left, size[1] - height, middle + right, size[1]))

    def put(  # noqa: PLR0913  # each argument is named where it is used
        self,
        anchors: Sequence[Point],
        width: float,
        height: float,
        *,
        others: Sequence[Point] = (),
        ways: Iterable[Way] | None = None,
        sizes: Sequence[Size] | None = None,
        led: bool = False,
    ) -> Place | None:
        """Take the nearest free place for a label beside one of its anchors, or none; at all sizes or at some.

        It stays nearer to its anchors than to any of the others, so that nobody takes it for theirs; or a leader joins
        the two, and crosses neither mark nor word.
        """
        asked = self.sizes if sizes is None else sizes
        spots = [{size: self.at(anchor, size) for size in asked} for anchor in anchors]
        for way in ways or around(height):
            for index, spot in enumerate(spots):
                boxes = self._boxes(spot, way, width, height)
                if boxes is None or not self._own(boxes, anchors, others):
                    continue
                if led and not all(self._clear(point, way, size) for size, point in spot.items()):
                    continue
                for size, box in boxes.items():
                    self._take(size, box, solid=True)
                return Place(anchor=index, dx=way[0], dy=way[1], align=way[2])
        return None

    def _boxes(self, spot: Mapping[Size, Point], way: Way, width: float, height: float) -> dict[Size, Box] | None:
        """Return where a label lies at each size; None as soon as it is not free at one."""
        found = {}
        for size, point in spot.items():
            found[size] = box = self._box(point, way, width, height)
            if not self._free(size, box):
                return None
        return found

    def covers(self, place: Place, anchor: Point, width: float, height: float, ring: tuple[Point, Size]) -> bool:
        """Tell whether a label that was put beside an anchor comes so near to a point, across and down, at any size."""
        (point, (far, high)), way = ring, (place.dx, place.dy, place.align)
        for size in self.sizes:
            x, y = self.at(point, size)
            around_point = Box(x - far, y - high, x + far, y + high)
            if self._box(self.at(anchor, size), way, width, height).meets(around_point):
                return True
        return False

    def _take(self, size: Size, box: Box, *, solid: bool = False) -> None:
        self.taken.setdefault(size, []).append(box)
        for column in _columns(box.left, box.right):
            self.columns.setdefault((size, column), []).append(box)
        if solid:
            self.solid.setdefault(size, []).append(box)

    def _clear(self, point: Point, way: Way, size: Size) -> bool:
        """Tell whether a straight line to a label meets no mark and no word but those that touch its own anchor's."""
        x, y = point
        here = Box(x, y, x, y)
        others = [box for box in self.solid.get(size, ()) if not box.meets(here, _TOUCHING)]
        pieces = max(1, round(hypot(way[0], way[1]) / 2))
        spots = [(x + way[0] * i / pieces, y + way[1] * i / pieces) for i in range(pieces + 1)]
        return not any(box.meets(Box(*spot, *spot)) for spot in spots for box in others)

    @staticmethod
    def _box(point: Point, way: Way, width: float, height: float) -> Box:
        x, y = point[0] + way[0], point[1] + way[1]
        left = x - width * _ENDS[way[2]]
        return Box(left, y - height / 2, left + width, y + height / 2)

    def _free(self, size: Size, box: Box) -> bool:
        left, top, right, bottom = box
        if left < 0 or top < 0 or right > size[0] or bottom > size[1]:
            return False
        # Written out: a crowded figure asks this a million times.
        low_x, low_y, high_x, high_y = left - self.gap, top - self.gap, right + self.gap, bottom + self.gap
        return not any(
            one[0] < high_x and one[2] > low_x and one[1] < high_y and one[3] > low_y
            for column in _columns(low_x, high_x)
            for one in self.columns.get((size, column), ())
        )

    def _own(self, boxes: dict[Size, Box], anchors: Sequence[Point], others: Sequence[Point]) -> bool:
        return not others or all(
            min(box.far(*self.at(point, size)) for point in anchors)
            < min((box.far(*self.at(point, size)) for point in others), default=float("inf"))
            for size, box in boxes.items()
        )


def _columns(left: float, right: float) -> range:
    return range(int(left // _COLUMN), int(right // _COLUMN) + 1)


def around(height: float) -> Iterator[Way]:
    """Yield places around an anchor, near ones first: (dx, dy, align)."""
    for reach in _REACHES:
        up = reach + height / 2 - 4
        yield from ((reach, step * reach, "left") for step in _STEPS)
        yield from ((-reach, step * reach, "right") for step in _STEPS)
        yield from ((0.0, -up, "center"), (0.0, up, "center"))
        yield from ((dx, dy, align) for dy in (-up, up) for dx, align in ((-4.0, "left"), (4.0, "right")))
