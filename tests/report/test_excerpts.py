"""How a mistake is shown: paths as seen from here, the line, a caret, notes."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from report import excerpts
from report.errors import Problem

LINE = '{% claim "pole", d_min(machine="h100-sxm5") > 768 %}No batch fills it, and no batch is seen to.{% endclaim %}'


@pytest.fixture
def content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "words"
    (folder / "report").mkdir(parents=True)
    (folder / "report" / "index.md").write_text(
        f"first\n{LINE}\n\n\tx\ty: 1\x1b\nﬁne 数字 e\u0301 word\n", encoding="utf-8"
    )
    return folder


def told(content: Path, problem: Problem, notes: Sequence[str] = (), colour: bool = False) -> list[str]:
    return excerpts.shown(excerpts.placed(problem, content), notes, colour)


def below(lines: list[str]) -> str:
    """Return what the caret marks."""
    (start,) = (at for at, mark in enumerate(lines[2]) if mark == "^" and lines[2][at - 1] != "^")
    return lines[1][start : start + lines[2].count("^")]


def test_a_mistake_is_shown_in_its_line(content: Path) -> None:
    lines = told(content, Problem("words/report/index.md", 2, 18, "claim 'pole' is odd", "mend it"))
    assert lines[0] == "words/report/index.md:2:18: claim 'pole' is odd; mend it"
    assert lines[1] == f"    2 | {LINE}"
    assert below(lines) == "d_min"


@pytest.mark.parametrize(
    ("message", "marked", "column"),
    [
        ("claim 'pole' is false", "pole", 11),
        ("unknown name 'd_min'", "d_min", 18),
        ("there is no 'machines' in 'h100-sxm5'", "h100-sxm5", 33),
        ("d_min(machine=h100-sxm5) has no value", "d_min", 18),
        ("claim 'pole' is false: the words 'batch' are false", "pole", 11),
    ],
)
def test_a_word_that_is_quoted_is_found_in_the_line(content: Path, message: str, marked: str, column: int) -> None:
    lines = told(content, Problem("words/report/index.md", 2, 0, message))
    assert lines[0].startswith(f"words/report/index.md:2:{column}: ")
    assert below(lines) == marked


@pytest.mark.parametrize("message", ["the word 'batch' is odd", "the word 'absent' is odd", "all is odd"])
def test_a_word_that_stands_twice_or_nowhere_gets_no_caret(content: Path, message: str) -> None:
    assert told(content, Problem("words/report/index.md", 2, 0, message)) == [
        f"words/report/index.md:2: {message}",
        f"    2 | {LINE}",
    ]


@pytest.mark.parametrize(
    ("path", "line"),
    [("words/report/index.md", 0), ("words/report/index.md", 3), ("words/report/index.md", 99), ("words/gone.md", 1)],
)
def test_where_there_is_no_line_none_is_shown(content: Path, path: str, line: int) -> None:
    assert told(content, Problem(path, line, 0, "odd")) == [str(Problem(path, line, 0, "odd"))]


def test_nothing_in_a_line_moves_the_caret_or_drives_the_terminal(content: Path) -> None:
    lines = told(content, Problem("words/report/index.md", 4, 4, "odd"))
    assert lines[1:] == ["    4 |  x y: 1\\u001b", "      |    ^"]
    lines = told(content, Problem("words/report/index.md", 5, 0, "'word' is odd"))
    assert lines[2].index("^") == len("      | ") + len("ﬁne 数字 e ") + 2, "two wide letters, one accent"


def test_of_a_long_line_the_part_around_the_caret_is_shown(content: Path) -> None:
    text = " ".join(f"word{number}" for number in range(100))
    (content / "report" / "long.md").write_text(text)
    for word, first, last in (("word0 ", True, False), ("word50", False, False), ("word99", False, True)):
        lines = told(content, Problem("words/report/long.md", 1, text.index(word) + 1, f"'{word.strip()}' is odd"))
        assert below(lines) == word.strip()
        assert len(lines[1]) <= len("    1 | ") + excerpts.ROOM + 2
        assert (not lines[1].startswith("    1 | …"), not lines[1].endswith("…")) == (first, last)


def test_paths_lead_to_the_file_from_where_the_command_is_given(content: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem("words/report/index.md", 1, 0, "odd")
    monkeypatch.chdir(content / "report")
    assert told(content, problem)[0] == "index.md:1: odd"
    monkeypatch.chdir("/")
    assert told(content, problem)[0] == f"{os.path.relpath(content)}/report/index.md:1: odd"
    assert told(content, Problem("elsewhere/x.md", 1, 0, "odd")) == ["elsewhere/x.md:1: odd"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colours_are_for_terminals_that_want_them(content: Path) -> None:
    assert excerpts.colourful(Terminal(), {"TERM": "xterm"})
    assert excerpts.colourful(Terminal(), {"NO_COLOR": ""})
    assert not excerpts.colourful(Terminal(), {"NO_COLOR": "1"})
    assert not excerpts.colourful(Terminal(), {"TERM": "dumb"})
    assert not excerpts.colourful(io.StringIO(), {"TERM": "xterm"})
    problem = Problem("words/report/index.md", 2, 0, "claim 'pole' is false")
    plain, coloured = told(content, problem, ["a note"]), told(content, problem, ["a note"], colour=True)
    bare = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in coloured]
    assert (bare, bare == coloured) == (plain, False)
    assert plain[-1] == "      = a note"


def test_the_command_says_all_mistakes_with_their_lines(root: Path, tmp_path: Path) -> None:
    rows = tmp_path / "inputs" / "catalogue"
    rows.mkdir(parents=True)
    (rows / "machines.yaml").write_text("rows:\n  - id: a\n    bandwith: 1\n")
    command = [sys.executable, str(root / "build.py"), "check", "--content", "."]
    done = subprocess.run(command, cwd=tmp_path / "inputs", capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "\x1b" not in done.stderr
    assert "catalogue/machines.yaml:3:5: " in done.stderr
    assert "    3 |     bandwith: 1\n      |     ^^^^^^^^\n" in done.stderr


ASKS = (
    'T_min(machine="h100-sxm") and T_min(machine="h100-sxm5", network="wide") and {{ cite("wide") }} of h100-sxm words'
)


@pytest.mark.parametrize(
    ("message", "marked"),
    [
        ("unknown machine 'h100-sxm'; did you mean 'h100-sxm5'?", 'h100-sxm"'),
        ("unknown machine 'h100-sxm5'", 'h100-sxm5"'),
        ("T_min(machine=h100-sxm5, network=wide) has no value", "T_min"),
        ("T_min(machine=h100-sxm5, network=narrow) has no value", ""),
        ("the work 'wide' is unknown", ""),
        ("the word 'words' is odd", "words"),
    ],
)
def test_a_word_in_quotes_or_a_question_is_told_from_others_like_it(content: Path, message: str, marked: str) -> None:
    (content / "report" / "asks.md").write_text(ASKS)
    place = excerpts.placed(Problem("words/report/asks.md", 1, 0, message), content)
    assert ASKS[place.start - 1 :].startswith(marked) if marked else place.start == 0
    if marked == "T_min":
        assert place.start == ASKS.rindex("T_min") + 1


def test_a_line_of_a_file_in_utf_16_is_shown_as_it_reads(content: Path) -> None:
    (content / "report" / "own.md").write_bytes("Täglich\r\nwahr".encode("utf-16"))
    lines = told(content, Problem("words/report/own.md", 1, 1, "not a text file", "save it as UTF-8, not as UTF-16"))
    assert lines[1] == "    1 | Täglich"
