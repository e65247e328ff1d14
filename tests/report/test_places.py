"""Places for words: free at every size, nearest first, and nobody else's."""

import itertools

import pytest

from report.figures.places import Box, Place, Sheet, Size, around

SMALL, LARGE = (100.0, 50.0), (200.0, 100.0)


def sheet(*sizes: Size) -> Sheet:
    """Return a sheet whose data are parts of its width and height."""
    return Sheet(sizes=sizes or (LARGE,), at=lambda point, size: (point[0] * size[0], point[1] * size[1]))


def test_boxes_meet_within_a_gap() -> None:
    one = Box(0, 0, 10, 10)
    assert one.meets(Box(9, 9, 20, 20))
    assert not one.meets(Box(10, 0, 20, 10))
    assert one.meets(Box(11, 0, 20, 10), gap=2)
    assert not one.meets(Box(0, 13, 10, 20), gap=2)
    assert one.far(13, 14) == 5
    assert one.far(5, 5) == 0


def test_a_label_takes_the_first_place_that_is_free() -> None:
    plain = sheet()
    first = plain.put([(0.5, 0.5)], 30, 10)
    assert first == Place(anchor=0, dx=9, dy=0, align="left")
    second = plain.put([(0.5, 0.5)], 30, 10)
    assert second
    assert (second.dx, second.align) != (first.dx, first.align)


def test_a_label_stays_off_marks_lines_corners_and_edges() -> None:
    for crowd in ("mark", "line", "corner", "foot"):
        plain = sheet()
        if crowd == "mark":
            plain.mark((0.62, 0.5), 4)
        elif crowd == "line":
            plain.line([(0.58, 0.1), (0.58, 0.9)])
        elif crowd == "corner":
            plain.corner(95, 60)
        else:
            plain.foot(0.5, 5, 60, 60)
        taken = list(plain.taken[LARGE])
        place = plain.put([(0.5, 0.5)], 30, 10)
        assert place, crowd
        assert (place.dx, place.dy, place.align) != (9, 0, "left"), crowd
        assert not any(plain.taken[LARGE][-1].meets(box, 2) for box in taken), crowd
    edge = sheet().put([(0.98, 0.5)], 30, 10)
    assert edge
    assert edge.align == "right"
    assert sheet().put([(0.5, 0.5)], 300, 10) is None


def test_a_slanting_line_takes_no_more_than_its_own_place() -> None:
    plain = sheet()
    plain.line([(0, 0), (1, 1)])
    assert plain.put([(0.75, 0.25)], 20, 10) == Place(anchor=0, dx=9, dy=0, align="left")


def test_a_place_is_free_at_every_size_asked_for() -> None:
    both = sheet(SMALL, LARGE)
    both.mark((0.8, 0.5), 3)
    wide = sheet(LARGE)
    wide.mark((0.8, 0.5), 3)
    assert wide.put([(0.5, 0.5)], 30, 10) == Place(anchor=0, dx=9, dy=0, align="left")
    narrow = both.put([(0.5, 0.5)], 30, 10)
    assert narrow
    assert (narrow.dx, narrow.dy, narrow.align) != (9, 0, "left"), "at half the size the mark is in the way"
    again = sheet(SMALL, LARGE)
    again.mark((0.8, 0.5), 3)
    assert again.put([(0.5, 0.5)], 30, 10, sizes=[LARGE]) == Place(anchor=0, dx=9, dy=0, align="left")


def test_a_label_stays_nearer_to_its_own_mark_than_to_anothers() -> None:
    plain = sheet()
    for point in ((0.5, 0.5), (0.75, 0.5)):
        plain.mark(point, 4)
    place = plain.put([(0.5, 0.5)], 30, 10, others=[(0.75, 0.5)])
    assert place
    box = plain.taken[LARGE][-1]
    assert box.far(100, 50) < box.far(150, 50)


def test_the_nearer_of_several_anchors_wins_and_none_is_an_answer() -> None:
    plain = sheet()
    plain.line([(0.5, 0.1), (0.5, 0.9)], half=75)
    place = plain.put([(0.5, 0.5), (0.02, 0.5)], 8, 8)
    assert place
    assert place.anchor == 1
    full = sheet()
    full.corner(*LARGE)
    assert full.put([(0.5, 0.5)], 10, 5) is None


@pytest.mark.parametrize("height", [10.0, 12.0])
def test_places_come_near_ones_first(height: float) -> None:
    reaches = [max(abs(dx), abs(dy)) for dx, dy, _ in around(height)]
    assert len(reaches) > 40
    blocks = [min(part) for part in itertools.batched(reaches, 20)] if hasattr(itertools, "batched") else reaches[::20]
    assert blocks == sorted(blocks)


def test_a_leader_goes_around_marks_and_words() -> None:
    sheet = Sheet(sizes=[(200.0, 200.0)], at=lambda point, _: point)
    sheet.mark((100, 100), 4)
    sheet.mark((100, 70), 4)
    up, aside = (0.0, -60.0, "center"), (60.0, 0.0, "left")
    assert sheet.put([(100, 100)], 20, 10, ways=[up]) is not None, "without a leader the way itself is nobody's"
    found = sheet.put([(100, 100)], 20, 10, ways=[up, aside], led=True)
    assert found is not None
    assert (found.dx, found.dy) == (60.0, 0.0)


def test_a_line_is_no_obstacle_to_a_leader() -> None:
    sheet = Sheet(sizes=[(200.0, 200.0)], at=lambda point, _: point)
    sheet.mark((100, 100), 4)
    sheet.line([(0, 70), (200, 70)])
    assert sheet.put([(100, 100)], 20, 10, ways=[(0.0, -60.0, "center")], led=True) is not None
