"""Find the Chromium that the browser tests drive, and install what they lack: `python -m tests.browser.chromium`.

Playwright's own browser builds are not used: any Chromium or Chrome that the machine has will do. The environment
variable CHROMIUM names one that is not on the PATH.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.browser import firefox

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ELSEWHERE = (
    Path("/Applications/Chromium.app/Contents/MacOS/Chromium"),
    Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
)
MISSING = "no Chromium found: install chromium or Google Chrome, or set CHROMIUM to the program's path"
NO_DRIVER = "Playwright's driver does not start: on Debian and Ubuntu, install libatomic1"
INSTALL = ("apt-get", "install", "-y", "-qq", "--no-install-recommends")


class NoChromium(Exception):
    """There is no browser to drive; the message says what to do."""


def find() -> str:
    """Return the path of the browser to drive, or raise NoChromium."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named_browser(named)
    on_path = (shutil.which(name) for name in NAMES)
    elsewhere = (str(path) for path in ELSEWHERE if path.exists())
    found = next((path for path in (*on_path, *elsewhere) if path), None)
    if not found:
        raise NoChromium(MISSING)
    return found


def named_browser(named: str) -> str:
    """Return the path of the program that CHROMIUM names, or raise NoChromium."""
    path = shutil.which(named)
    if not path:
        raise NoChromium(f"CHROMIUM is set to {named}, which is not a program")
    return path


def driver_starts() -> bool:
    """Tell whether Playwright's own Node.js runs: it needs a library that a bare Debian lacks."""
    asked = subprocess.run([sys.executable, "-m", "playwright", "--version"], capture_output=True, check=False)
    return asked.returncode == 0


def lacking() -> dict[str, str]:
    """Return the Debian packages that would mend what is missing, each with the line that says what is."""
    found = {}
    try:
        find()
    except NoChromium as missing:
        found["chromium"] = str(missing)
    if not driver_starts():
        found["libatomic1"] = NO_DRIVER
    return found


def can_install() -> bool:
    """Tell whether we may add Debian's packages: as root, where apt-get is, unless CHROMIUM says what to use."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return root and shutil.which("apt-get") is not None and not os.environ.get("CHROMIUM")


def install(packages: list[str]) -> None:
    """Add Debian packages; end with one line if that fails."""
    print("installing for the browser tests:", *packages, flush=True)
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (("apt-get", "update", "-qq"), (*INSTALL, *packages)):
        if subprocess.run(command, env=quiet, stdout=subprocess.DEVNULL, check=False).returncode != 0:
            sys.exit(f"'{' '.join(command)}' failed; its message stands above")


def main() -> None:
    """Make sure that the browser tests can run, or end with what to install."""
    missing = lacking()
    if missing and can_install():
        install(sorted(missing))
        missing = lacking()
    if missing:
        sys.exit("\n".join(missing.values()))
    # A second browser is wanted, not needed: without it its tests are skipped, and say so.
    if firefox.find() is None and can_install():
        try:
            install([firefox.PACKAGE])
        except SystemExit as failed:
            print(failed, "the tests in Firefox will be skipped", sep="; ")


if __name__ == "__main__":
    main()
