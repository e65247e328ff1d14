"""The bench: what it prints beside a limit, and that it measures whole processes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench import watching
from bench.run import Line, Run, measure, table, tenfold
from bench.watching import Watched
from model.records import Catalogue
from report.catalogue import load
from report.trends import WAYS, Fit, fits, readings


def test_a_value_at_its_limit_passes_and_above_it_does_not() -> None:
    assert Line("cold build", 8.0, "yardsticks", 8.0).passed
    assert not Line("cold build", 8.1, "yardsticks", 8.0).passed
    assert str(Line("cold build", 8.1, "yardsticks", 8.0)).endswith("TOO MUCH")


def test_a_value_without_a_limit_is_only_told() -> None:
    line = Line("cold build", 1e9, "s", None)
    assert line.passed
    assert "good" not in str(line)


def test_the_table_takes_medians_of_time_and_the_highest_memory() -> None:
    yardsticks = [Run(1.0, 0.0), Run(9.0, 0.0), Run(2.0, 0.0)]
    edits = (Run(4.0, 0.0), Run(5.0, 0.0))
    builds = [
        (Run(6.0, 2e8), Run(1.0, 1e8), *edits),
        (Run(99.0, 7e8), Run(3.0, 1e8), *edits),
        (Run(8.0, 1e8), Run(2.0, 1e8), *edits),
    ]
    watched = Watched(prose=0.4, row=1.1, pictures=2.0, idle=0.004, memory=3e8)
    found = table(yardsticks, builds, Run(15.0, 3e8), watched)
    lines = {(line.says, line.unit): line for line in found}
    assert lines["cold build", "yardsticks"].value == 4.0
    assert lines["build again, nothing changed", "s"].value == 2.0
    assert not lines["build again, nothing changed", "s"].passed
    assert lines["build after an edit to the prose", "s"].value == 4.0
    assert lines["build after an edit to a catalogue", "s"].value == 5.0
    assert lines["peak memory", "MB"].value == pytest.approx(700)
    assert not lines["peak memory", "MB"].passed
    assert lines["cold build, catalogue ten times", "cold"].value == 15.0 / 8.0
    assert lines["watch: edit to the prose, page", "s"].passed
    assert not lines["watch: edit to a row, page", "s"].passed
    assert lines["watch: idle", "% of a core"].value == pytest.approx(0.4)


def test_a_catalogue_ten_times_as_long_is_still_a_catalogue(root: Path, tmp_path: Path) -> None:
    for file in (root / "content" / "catalogue").glob("*.yaml"):
        (tmp_path / file.name).write_text(tenfold(file.read_text(encoding="utf-8")), encoding="utf-8")
    small, large = load(root / "content" / "catalogue"), load(tmp_path)
    assert len(large.machines) == 10 * len(small.machines)
    assert len(large.networks) == 10 * len(small.networks)
    assert fitted(large) == fitted(small), "sentences rest on the fits: copies may not move them"
    assert [one.machine.id for one in readings(large, "day") if one.counts] == [
        one.machine.id for one in readings(small, "day") if one.counts
    ]


def fitted(rows: Catalogue) -> dict[str, dict[str, Fit]]:
    """Return the fits over the machines, however they are counted."""
    return {way: fits(readings(rows, way)) for way in WAYS}


def test_the_row_that_is_edited_under_watch_is_there(root: Path) -> None:
    assert (root / "content" / "catalogue" / "machines.yaml").read_text().count(watching.OLD) == 1
    assert (root / "content" / "report" / "floors.md").is_file()


def test_processor_time_and_memory_of_a_process_and_its_children_are_read() -> None:
    with subprocess.Popen([sys.executable, "-S", "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE) as child:
        assert child.pid in watching.descendants(os.getpid())
    assert watching.ticks(os.getpid()) > 0
    assert watching.peak(os.getpid()) > 1e6
    assert (watching.ticks(2**30), watching.peak(2**30)) == (0, 0.0)


def test_the_memory_of_a_process_is_seen(root: Path) -> None:
    """In a process of its own: a child's peak counts from what its parent held when it was started."""
    script = (
        "import sys; from pathlib import Path; from bench.run import measure\n"
        "for code in ('pass', 'bytearray(100_000_000).replace(b\"a\", b\"b\")'):\n"
        "    print(measure([sys.executable, '-S', '-c', code], Path()).memory)"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True)
    small, large = map(float, done.stdout.split())
    assert large - small > 80e6


def test_a_command_that_fails_ends_the_bench_with_its_message(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"ended with 3:\nno luck"):
        measure([sys.executable, "-S", "-c", "import sys; sys.stderr.write('no luck'); sys.exit(3)"], tmp_path)
