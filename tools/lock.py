"""Write requirements.lock and requirements-dev.lock from pyproject.toml: exact versions, with the hash of every file.

One lock serves Python 3.11 to 3.13 on Linux, macOS and Windows, which pip alone can't resolve: uv does it, from a
throw-away environment. Nothing else here needs uv. A package that is already locked keeps its version unless
`--upgrade` is given.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UV = "uv==0.13.9"
RUN, DEV = "requirements.lock", "requirements-dev.lock"
FLAGS = ("--universal", "--python-version", "3.11", "--generate-hashes", "--no-header", "--no-config", "--quiet")


def main(upgrade: bool) -> None:
    """Resolve the run-time group first, then the tests' group around it, so that both agree."""
    with tempfile.TemporaryDirectory() as folder:
        uv = install_uv(Path(folder))
        moving = ["--upgrade"] if upgrade else []
        resolve(uv, RUN, moving)
        resolve(uv, DEV, ["--group", "dev", "--constraint", RUN, *moving])


def install_uv(folder: Path) -> Path:
    """Install uv into an environment of its own and return its path."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    subprocess.run([str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", UV], check=True)
    return folder / "bin" / "uv"


def resolve(uv: Path, lock: str, more: "list[str]") -> None:
    """Write one lock."""
    subprocess.run([str(uv), "pip", "compile", "pyproject.toml", "-o", lock, *FLAGS, *more], cwd=ROOT, check=True)


if __name__ == "__main__":
    main(upgrade="--upgrade" in sys.argv[1:])
