"""Show that a build depends on its sources alone: three builds under unlike conditions give the same bytes.

The conditions are folder, hash seed, time zone, locale, umask, user's home, and whether the cache was off, empty or
full. Prints the hash of the site; ends with 1, and the files that differ, when there is more than one.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

if __package__ in (None, ""):  # called as a script
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.run import copy_tree

# Where a build runs below a temporary folder, under which environment, with which flags.
BUILDS: tuple[tuple[str, Mapping[str, str], tuple[str, ...]], ...] = (
    ("one", {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C", "LANG": "C"}, ("--no-cache",)),
    ("two/with a blank/and ü", {"PYTHONHASHSEED": "2", "TZ": "Pacific/Chatham", "LC_ALL": "C.UTF-8"}, ()),
    ("two/with a blank/and ü", {"PYTHONHASHSEED": "3", "TZ": "America/St_Johns", "LC_ALL": "tr_TR.UTF-8"}, ()),
)


def site(folder: Path, environment: Mapping[str, str], flags: tuple[str, ...], umask: int) -> dict[str, bytes]:
    """Build in a folder that holds a copy of the sources, and return the site; exit with its message if that fails."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    out = folder / f"site-{umask}"
    done = subprocess.run(
        [sys.executable, "build.py", f"--out={out}", *flags],
        cwd=folder, env={**os.environ, **environment, "HOME": str(home)}, umask=umask,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"a build ended with {done.returncode}:\n{done.stderr}")
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


def differences(first: Mapping[str, bytes], other: Mapping[str, bytes]) -> list[str]:
    """Return the files that are not the same in both sites."""
    return sorted(path for path in {*first, *other} if first.get(path) != other.get(path))


def digest(files: Mapping[str, bytes]) -> str:
    """Return the hash of a site: of every name and every byte."""
    found = hashlib.sha256()
    for path in sorted(files):
        found.update(path.encode() + b"\0" + hashlib.sha256(files[path]).digest())
    return found.hexdigest()


def main() -> int:
    """Build under each of the conditions, and return 0 if all sites are the same, else 1."""
    sites = []
    with tempfile.TemporaryDirectory() as temporary:
        for number, (name, environment, flags) in enumerate(BUILDS):
            folder = Path(temporary, name)
            if not folder.exists():
                folder.mkdir(parents=True)
                copy_tree(folder)
            sites.append(site(folder, environment, flags, (0o022, 0o077, 0o007)[number]))
            print(f"{digest(sites[-1])}  {len(sites[-1])} files, build {number + 1} of {len(BUILDS)}")
    wrong = sorted({path for other in sites[1:] for path in differences(sites[0], other)})
    print(*(f"differs: {path}" for path in wrong), sep="\n", end="\n" if wrong else "")
    print("not reproducible" if wrong else "reproducible: the same bytes each time")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
