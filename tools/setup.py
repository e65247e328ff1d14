"""Bring .venv up to the lock: `python tools/setup.py run` for a build, `dev` for the tests as well.

The only script that runs outside .venv, on whatever Python the machine has: standard library, no new syntax.
Each group has a stamp in .venv with the hash of its lock, so that a second run costs one file comparison.
"""

import hashlib
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCKS = {"run": ROOT / "requirements.lock", "dev": ROOT / "requirements-dev.lock"}
OLDEST, NEWEST = (3, 11), (3, 13)
PIP_FLAGS = ("--quiet", "--disable-pip-version-check", "--require-hashes", "--only-binary", ":all:")


def main(group: str) -> None:
    """Set up one group of packages, or return at once if it is already there."""
    if venv_fits() and stamped(group):
        return
    if not venv_fits():
        make_venv()
    print(f"installing what {LOCKS[group].name} lists, into .venv")
    install(LOCKS[group])
    # The tests' lock holds all that a build needs, in the same versions (tests/test_locks.py), so it counts as both.
    for done in LOCKS if group == "dev" else [group]:
        stamp(done).write_text(digest(done))


def venv_fits() -> bool:
    """Tell whether .venv has a Python that still exists and that we support."""
    settings = VENV / "pyvenv.cfg"
    if not settings.exists() or not python().exists():
        return False
    pairs = (line.partition("=") for line in settings.read_text().splitlines())
    version = next((value.strip() for key, _, value in pairs if key.strip() == "version"), "0.0")
    return supported(tuple(int(part) for part in version.split(".")[:2]))


def make_venv() -> None:
    """Create .venv with the Python that runs this script, or say in one line why it can't."""
    if not supported(sys.version_info[:2]):
        have = ".".join(str(part) for part in sys.version_info[:3])
        stop(f"Python 3.11 to 3.13 is needed, and {sys.executable} is {have}; name another: make PYTHON=python3.12")
    if not has_venv():
        stop("this Python can't make environments; on Debian and Ubuntu: apt-get install python3-venv")
    print("making .venv")
    subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], check=True)


def has_venv() -> bool:
    """Tell whether `venv` is complete here: Debian keeps a part of it in a package of its own."""
    return all(find_spec(module) for module in ("venv", "ensurepip"))


def supported(version: "tuple[int, ...]") -> bool:
    """Tell whether the locks hold for this version of Python."""
    return OLDEST <= version <= NEWEST


def install(lock: Path) -> None:
    """Install exactly what the lock lists; pip checks every file against its hash."""
    done = subprocess.run([str(python()), "-m", "pip", "install", *PIP_FLAGS, "-r", str(lock)], check=False)
    if done.returncode != 0:
        stop(f"pip could not install {lock.name}; its message stands above")


def python() -> Path:
    """Return the interpreter of .venv."""
    return VENV / "bin" / "python"


def stamp(group: str) -> Path:
    """Return the file that says which lock the group was installed from."""
    return VENV / f".{group}"


def stamped(group: str) -> bool:
    """Tell whether the group was installed from the lock as it is now."""
    return stamp(group).exists() and stamp(group).read_text() == digest(group)


def digest(group: str) -> str:
    """Return the hash of the group's lock."""
    return hashlib.sha256(LOCKS[group].read_bytes()).hexdigest()


def stop(reason: str) -> None:
    """End with one line on standard error."""
    sys.exit(f"setup: {reason}")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in LOCKS:
        stop("usage: python tools/setup.py run|dev")
    main(sys.argv[1])
