"""Where the words of the drift figure stand: reuses, machines, classes, and the years in which a class passed a reuse.

Places are sought at build for each way of counting, so that no word covers a machine, a line or another word. Leaves
out: how words and lines are drawn (drift_labels.py).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from report import trends
from report.figures import drift_panels as panels
from report.figures import theme
from report.figures.drift_panels import FIRST_YEAR, LAST_YEAR, OWN_YEAR, PANELS
from report.figures.parts import row
from report.figures.places import Place, Point, Sheet, Size, Way
from report.figures.theme import Layout
from report.trends import CLASSES, WAYS, Crossing, Fit, Reading

# The machines of the story are named wherever they stand, the others where there is room beside them.
STORY = ("vax-11-780-fpa", "cray-1", "h100-sxm5", "b200-sxm")
NAMED = (*STORY, "cerebras-wse-3", "rubin", "a100-sxm4-80gb")
_NAMED_ON_A_PHONE = (*STORY, "cerebras-wse-3")
# Widths of the whole figure, in px, at which places are sought; each group of widths has its own.
_WIDTHS: Mapping[str, tuple[tuple[int, ...], ...]] = {
    "wide": ((560, 600, 640), (716, 760, 810, 860, 910, 960)),
    "phone": ((280, 305, 330, 355, 380, 405, 430),),
}
_HERO = PANELS[0]
_RADIUS = {"wide": 5.5, "phone": 4.5}  # px of a machine, and of the ring that may lie around it
KEY_ROWS = (
    ("verified", "circle"),
    ("secondary source", "square"),
    ("estimate", "triangle-up"),
    ("announced", "diamond"),
    ("inference only", "hollow"),
    ("your machine", "ring"),
)
# How weights are updated before and after trends.IN_PLACE_UNTIL.
RECIPES = (("updated in place", "in place"), ("gradients summed", "summed first"))
RECIPES_SHORT = {"wide": 340, "phone": 1000}  # px: in a narrower panel the second words of each


@dataclass(frozen=True, slots=True, kw_only=True)
class Reuse:
    """How often real networks used a weight for each fetch, and what they were."""

    value: float
    long: str
    short: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What the large panel holds when machines are counted one way, and where its words have found a place so far.

    readings: those drawn for every reader; others: those drawn for a reader who chose them. The places
    hold for a panel that is from `since` to `until` px wide.
    """

    way: str
    readings: Sequence[Reading]
    others: Sequence[Reading]
    reuses: Sequence[Reuse]
    crossings: Sequence[tuple[Reuse, Crossing]]
    at: Mapping[str, float]
    layout: Layout
    sheet: Sheet
    since: float
    until: float

    def point(self, reading: Reading) -> Point:
        """Return the place of a machine in the data."""
        examples = reading.values[_HERO.key]
        assert examples is not None  # only of those that are drawn
        return self.at[reading.machine.id], examples


Word = dict[str, Any]
Try = tuple[str, Sequence[Point], Sequence[Way] | None]


def sought(
    readings: Mapping[str, Sequence[Reading]],
    reuses: Sequence[Reuse],
    fits: Mapping[str, Mapping[str, Fit]],
    at: Mapping[str, float],
    bounds: tuple[float, float],
    layout: Layout,
) -> list[Word]:
    """Return every word with its place, by way of counting (f) and by width of the panel (from least to most)."""
    found = []
    for way in WAYS:
        known = [one for one in readings[way] if one.values[_HERO.key] is not None]
        drawn, others = ([one for one in known if one.machine.shown is shown] for shown in (True, False))
        facts: dict[str, Any] = {"way": way, "readings": drawn, "others": others, "reuses": reuses}
        facts |= {"at": at, "layout": layout}
        for sheet, since, until in _sheets(bounds, layout):
            scene = Scene(**facts, crossings=crossings(readings[way], reuses), sheet=sheet, since=since, until=until)
            _fill(scene, fits[way].get(_HERO.key))
            found += _words(scene)
    return found


# --- the scene, in px


def _hero_size(layout: Layout, width: float) -> Size:
    """Return the size of the large panel when the whole figure is so wide; the page keeps the figure's shape."""
    scale = width / layout.width
    across, down = panels.share(_HERO, layout)
    return (
        across.part * (width - layout.left - layout.right - across.less),
        down.part * (layout.height * scale - layout.top - layout.bottom - down.less),
    )


def _sheets(bounds: tuple[float, float], layout: Layout) -> list[tuple[Sheet, float, float]]:
    """Return an empty sheet for each group of widths, and the widths of the panel from and up to which it holds."""
    low, high = bounds

    def place(point: Point, size: Size) -> Point:
        across = (point[0] - FIRST_YEAR) / (LAST_YEAR - FIRST_YEAR)
        return size[0] * across, size[1] * math.log(high / point[1]) / math.log(high / low)

    groups = [tuple(_hero_size(layout, width) for width in group) for group in _WIDTHS[layout.name]]
    edges = [0.0, *(math.floor(group[0][0]) for group in groups[1:]), _ANY]
    sheets = [Sheet(sizes=group, at=place) for group in groups]
    return list(zip(sheets, edges, edges[1:], strict=False))


_ANY = 1e6


def crossings(readings: Sequence[Reading], reuses: Sequence[Reuse]) -> list[tuple[Reuse, Crossing]]:
    """Return which class passed which reuse, where it began below and ended above."""
    found = ((reuse, trends.crossing(readings, group, reuse.value)) for reuse in reuses for group in CLASSES)
    return [(reuse, crossing) for reuse, crossing in found if crossing]


def _fill(scene: Scene, fit: Fit | None) -> None:
    """Take the places of everything that no word may cover."""
    for reading in scene.readings:
        scene.sheet.mark(scene.point(reading), _RADIUS[scene.layout.name])
    for reuse in scene.reuses:
        scene.sheet.line([(FIRST_YEAR, reuse.value), (LAST_YEAR, reuse.value)], pieces=1)
    if fit and fit.clear:
        scene.sheet.line([(year, fit.line(year)[0]) for year in (fit.first, fit.last)])
    if scene.layout.name == "wide":
        scene.sheet.corner(*key_size(scene.layout))
    scene.sheet.foot(trends.IN_PLACE_UNTIL + 0.5, *recipes_size(scene.layout))


# --- words


def _words(scene: Scene) -> list[Word]:
    """Return the words of a scene with their places, the most wanted first."""
    found = [_reuse(scene, reuse) for reuse in scene.reuses]
    found += [_name(scene, named) for named in _named(scene)]
    found += [_crossed(scene, reuse, crossing) for reuse, crossing in scene.crossings]
    found += [_class(scene, group) for group in CLASSES]
    return [word for words in found for word in words]


def _put(scene: Scene, tries: Sequence[Try], facts: Mapping[str, Any], others: Sequence[Point] = ()) -> list[Word]:
    """Return a word with its place: the first try with room at all sizes, or from some width on; else nothing."""
    sizes = scene.sheet.sizes
    for smallest in range(len(sizes)):
        for text, anchors, ways in tries:
            width, height = len(text) * scene.layout.small * theme.LETTER * _GENEROUS, scene.layout.small
            some = sizes[smallest:]
            far = ways is _FAR  # a leader says whose name it is, so that others may be nearer
            rest = () if far else others
            place = scene.sheet.put(anchors, width, height, others=rest, ways=ways, sizes=some, led=far)
            if place:
                limits = {"least": math.floor(some[0][0]) if smallest else scene.since, "most": scene.until}
                anchor = anchors[place.anchor]
                where = _where(anchor, place) | ({"lead": True} if far else {})
                rings = [(one.machine.id, (scene.point(one), (_RING, _RING))) for one in scene.others]
                rings.append(("own", ((OWN_YEAR, anchor[1]), (_RING, math.inf))))  # it may stand at any height
                gone = [name for name, ring in rings if scene.sheet.covers(place, anchor, width, height, ring)]
                where |= {"gone": gone} if gone else {}
                return [{"f": scene.way, "text": text, **where, **limits, **facts}]
    return []


# Places at the end of a leader, nearest first.
_FAR: list[Way] = [
    (reach * math.sin(turn), -reach * math.cos(turn), "right" if math.sin(turn) < 0 else "left")
    for reach in (26.0, 36.0, 48.0, 62.0, 78.0, 96.0, 116.0)
    for turn in (math.pi * part / 9 for part in range(-8, 10))
]
_RING = 8.0  # px around the reader's machine; a word that it would cover gives way
_GENEROUS = 1.06  # a word is given a little more room than its letters take


def _where(anchor: Point, place: Place) -> dict[str, Any]:
    return {"at": anchor[0], "y": anchor[1], "dx": place.dx, "dy": round(place.dy, 1), "align": place.align}


def _reuse(scene: Scene, reuse: Reuse) -> list[Word]:
    """Return the words of a reuse at the left end of its line, else at the right: all of them, else the short ones."""
    half = scene.layout.small * 0.6
    texts = (reuse.long, reuse.short) if scene.layout.name == "wide" else (reuse.short,)
    ends = ((FIRST_YEAR, 5.0, "left"), (LAST_YEAR, -2.0, "right"))
    away = [sign * (half + far) for sign in (-1, 1) for far in (3, 8)]
    tries: list[Try] = [
        (text, [(year, reuse.value)], [(dx, dy, align) for dy in away]) for year, dx, align in ends for text in texts
    ]
    return _put(scene, tries, {"group": ""})


def _named(scene: Scene) -> list[Reading]:
    wanted = NAMED if scene.layout.name == "wide" else _NAMED_ON_A_PHONE
    found = {one.machine.id: one for one in scene.readings}
    return [found[name] for name in wanted if name in found]


def _name(scene: Scene, named: Reading) -> list[Word]:
    """Return the name of a machine, where there is room near it; one of the story's else at the end of a leader."""
    row = named.machine
    others = [scene.point(one) for one in scene.readings if one is not named]
    facts = {"group": trends.class_of(row), "id": row.id}
    tries: list[Try] = [(row.short, [scene.point(named)], ways) for ways in (None, _FAR)]
    return _put(scene, tries[: 2 if row.id in STORY else 1], facts, others)


def _class(scene: Scene, group: str) -> list[Word]:
    """Return the name of a class, near one of its machines."""
    own = [scene.point(one) for one in scene.readings if trends.class_of(one.machine) == group]
    others = [scene.point(one) for one in scene.readings if trends.class_of(one.machine) != group]
    return _put(scene, [(CLASSES[group], own, None)], {"group": group, "class": True}, others) if own else []


def _crossed(scene: Scene, reuse: Reuse, crossing: Crossing) -> list[Word]:
    """Return the words of a crossing, over or under the stretch of the line in which it happened."""
    name = CLASSES[crossing.group]
    since = " from " if scene.layout.name == "wide" else " "
    away = scene.layout.small * 0.6 + 5
    ends = [(crossing.since, reuse.value), (crossing.last.year, reuse.value)]
    shifts = ((0.0, "center"), (0.0, "right"), (0.0, "left"), (-8.0, "right"), (8.0, "left"), (-16.0, "right"))
    ways: list[Way] = [(dx, dy, align) for dx, align in shifts for dy in (-away, away)]
    return _put(scene, [(f"{name}{since}{crossing.since}", ends, ways)], {"group": crossing.group})


# --- what stands along the edges


def key_size(layout: Layout) -> Size:
    """Return the room of the key in the lower right corner."""
    longest = max(len(text) for text, _ in KEY_ROWS)
    return (longest + 3) * layout.small * theme.LETTER, len(KEY_ROWS) * row(layout) + 4


def recipes_size(layout: Layout) -> tuple[float, float, float]:
    """Return the room left and right of the year in which the way of updating changes, and above the axis."""
    short = layout.name != "wide"
    left, right = (len(texts[short]) * layout.small * theme.LETTER * _GENEROUS + 6 for texts in RECIPES)
    return left, right, row(layout) + 4
