"""Full, read-only and mounted disks, where this system lets a test mount one."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.report.trees import PRELUDE, ROOT


def mounted(code: str, place: Path, mount: str) -> subprocess.CompletedProcess[str]:
    """Run code in name spaces of its own, in which `mount` is in force; it ends with the process."""
    place.mkdir(parents=True, exist_ok=True)
    script = f'{mount} && exec "$1" -c "$2" "$0"'
    command = [
        "unshare",
        "--map-root-user",
        "--mount",
        "sh",
        "-c",
        script,
        str(place),
        sys.executable,
        PRELUDE + "place = Path(sys.argv[1])\n" + code,
    ]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def _can_mount() -> bool:
    if shutil.which("unshare") is None:
        return False
    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", "mount -t tmpfs none /mnt"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


NAMES = ("site", "new", "site", "new")
ELSEWHERE = "name a folder with --out that you may write to"
ROOM = "a new site needs room beside the old one: make some, or name another folder with --out"

if _can_mount():

    @pytest.mark.parametrize("fallback", [False, True], ids=["exchanged", "file-by-file"])
    def test_a_full_disk_leaves_the_old_site(tmp_path: Path, fallback: bool):
        done = mounted(
            f"""
if {fallback}:
    writer._exchange = lambda one, other: False
writer.write(OLD, place / "site")
try:
    writer.write({{**NEW, "data/big.json": b"x" * 300_000}}, place / "site")
except BuildError as error:
    print(error)
assert holds(place / "site") == complete(OLD)
assert names(place) == ["site"]
""",
            tmp_path / "disk",
            'mount -t tmpfs -o size=256k none "$0"',
        )
        expected = f"{tmp_path / 'disk' / 'site'}: can't be written: No space left on device; {ROOM}\n"
        assert (done.stdout, done.stderr) == (expected, "")

    def test_a_mounted_folder_is_filled_file_by_file(tmp_path: Path):
        done = mounted(
            """
for tree in (OLD, NEW, OLD):
    writer.write(tree, place)
    assert holds(place) == complete(tree)
    assert names(place.parent) == ["disk"]
""",
            tmp_path / "parent" / "disk",
            'mount -t tmpfs none "$0"',
        )
        assert (done.returncode, done.stderr) == (0, "")

    def test_a_folder_mounted_in_one_that_may_not_be_written_is_filled(tmp_path: Path):
        done = mounted(
            """
for tree in (OLD, NEW):
    writer.write(tree, place / "site")
    assert holds(place / "site") == complete(tree)
""",
            tmp_path / "disk",
            'mount -t tmpfs none "$0" && mkdir "$0/site" && mount -t tmpfs none "$0/site" && mount -o remount,ro "$0"',
        )
        assert (done.returncode, done.stderr) == (0, "")

    def test_a_disk_that_may_not_be_written_leaves_the_old_site(tmp_path: Path):
        done = mounted(
            """
import subprocess
from report.tree import admit
writer.write(OLD, place / "site")
subprocess.run(["mount", "-o", "remount,ro", place], check=True)
for refuse in (lambda out: writer.write(NEW, out), lambda out: admit(out, Path("/project"), Path("/content"))):
    for name in ("site", "new"):
        try:
            refuse(place / name)
        except BuildError as error:
            print(error)
assert holds(place / "site") == complete(OLD)
""",
            tmp_path / "disk",
            'mount -t tmpfs none "$0"',
        )
        said = [f"{tmp_path / 'disk' / name}: can't be written: Read-only file system; {ELSEWHERE}" for name in NAMES]
        assert (done.stdout.splitlines(), done.stderr) == (said, "")

else:
    print("This system lets no test mount a disk: full and read-only disks aren't tried.")
