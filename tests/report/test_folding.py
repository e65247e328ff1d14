"""Many mistakes of one cause are told in few lines, and none of them is lost."""

from __future__ import annotations

from report.errors import Problem
from report.excerpts import Place
from report.folding import FULL, LINES, by_file, folded, short

SIDES = "d_min(machine=h100-sxm5) < d_min(machine=v100); d_min(machine=h100-sxm5) = 3816; d_min(machine=v100) = 212"


def mistake(number: int, path: str = "content/a.md", message: str = "") -> Place:
    said = message or f"claim 'c{number}' is false: T < 2; T = {number}. Sentence: \"It is.\""
    return Place(Problem(path, number, 3, said, "mend it"), f"line {number}", 3, 5)


def test_few_mistakes_are_told_in_full() -> None:
    places = [mistake(number) for number in range(1, FULL + 1)]
    lines = list(folded(places))
    assert len([line for line in lines if line.endswith("; mend it")]) == FULL
    assert not [line for line in lines if "more" in line]


def test_further_ones_have_a_line_each_with_the_values_of_their_sides() -> None:
    places = [mistake(number) for number in range(1, FULL + 4)]
    lines = list(folded(places))
    assert lines[-4:] == [
        "and 3 more, in short:",
        "content/a.md:6:3: claim 'c6' is false: T 6 < 2",
        "content/a.md:7:3: claim 'c7' is false: T 7 < 2",
        "content/a.md:8:3: claim 'c8' is false: T 8 < 2",
    ]
    assert len(list(folded(places, full=len(places)))) == 3 * len(places)


def test_those_in_full_are_from_as_many_files_as_there_are() -> None:
    places = [mistake(number, f"content/{'aaaaaaab'[number - 1]}.md") for number in range(1, 9)]
    assert [line for line in folded(places) if line.startswith("content/b.md:8:3:") and line.endswith("mend it")]
    first = [line for line in folded(places) if line.endswith("; mend it")]
    assert first == sorted(first)


def test_very_many_are_listed_by_file_and_each_keeps_line_column_and_name() -> None:
    number = FULL + LINES + 1
    places = [mistake(n, f"content/{n % 3}.md") for n in range(1, number + 1)]
    places.sort(key=lambda place: place.order)
    lines = list(folded(places))
    assert f"and {LINES + 1} more, by file:" in lines
    told = " ".join(lines)
    for place in places:
        at, name = place.problem.line, f"'c{place.problem.line}'"
        assert f" {at}:3 claim {name}" in told or f"{place.problem.path}:{at}:3: claim {name}" in told
    assert max(map(len, lines)) <= 120
    heads = [line.split(":")[0].split() for line in lines if line.startswith("  content/")]
    assert sum(int(count) for _, count in heads) == LINES + 1


def test_the_same_mistake_twice_in_one_place_is_counted() -> None:
    run = [mistake(4, message=f"run 'r' beats the model: {share} of peak; {share}") for share in (0.4, 0.5)]
    asked = "T_min(form=plain, machine=h100-sxm5, network=gpt2-medium)"
    other = mistake(9, message=f"{asked} | sig(3) has no value: no batch reaches the balance")
    assert list(by_file([*run, other])) == [
        f"  content/a.md, 3: 4:3 run 'r' (2 times), 9:3 {asked} |…",
    ]


def test_one_line_says_both_sides_of_a_condition_and_is_no_longer_than_a_terminal() -> None:
    assert short(mistake(1, message=f"claim 'pole' is false: {SIDES}")).endswith(
        "claim 'pole' is false: d_min 3816 < d_min 212"
    )
    words = "the words 'about' are false: beta(machine=h100-sxm5) / 300 = 3.298"
    assert short(mistake(1, message=words)) == f"content/a.md:1:3: {words}"
    assert short(mistake(1, message="claim 'x' has no condition")) == "content/a.md:1:3: claim 'x' has no condition"
    long = short(mistake(1, message="unknown " + "word " * 100))
    assert len(long) <= 120
    assert long.endswith("…")
    bell = short(mistake(1, message="unknown \x07 name"))
    assert bell == "content/a.md:1:3: unknown \\u0007 name"


def test_a_mistake_without_a_place_in_its_file_keeps_its_file() -> None:
    place = Place(Problem("content/a.md", 0, 0, "no page takes this file up"), "", 0, 0)
    assert short(place) == "content/a.md: no page takes this file up"
    assert list(by_file([place])) == ["  content/a.md, 1: no page takes this file up"]
