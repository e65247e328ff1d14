"""A real Firefox for a few tests, driven over WebDriver BiDi, which it speaks by itself: no driver is needed.

Firefox is wanted, not needed: where it is missing the tests that use it are skipped, and say so.
"""

import itertools
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

NAMES = ("firefox-esr", "firefox")
PACKAGE = "firefox-esr"  # Debian's
PATIENCE = 60.0  # s
_READY = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
# Nothing is asked of the network: no experiments, no settings from afar, no first run.
PREFERENCES = {
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}


def find() -> str | None:
    """Return the path of a Firefox, or None; the environment variable FIREFOX names one that is not on the PATH."""
    named = os.environ.get("FIREFOX")
    return next(filter(None, map(shutil.which, [named] if named else NAMES)), None)


class Firefox:
    """One window of a running Firefox: opens pages, runs scripts in them, presses keys, keeps what goes wrong."""

    def __init__(self, line: ClientConnection) -> None:
        self._line = line
        self._ids = itertools.count(1)
        self.complaints: list[str] = []
        self._call("session.new", capabilities={})
        self._call("session.subscribe", events=["log.entryAdded"])
        self._window = self._call("browsingContext.getTree")["contexts"][0]["context"]

    def _call(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._ids)
        self._line.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            said = json.loads(self._line.recv(timeout=PATIENCE))
            if said.get("method") == "log.entryAdded" and said["params"]["level"] == "error":
                self.complaints.append(str(said["params"]["text"]))
            if said.get("id") == number:
                if said["type"] == "error":
                    raise RuntimeError(f"{method}: {said['message']}")
                return dict(said["result"])

    def open(self, address: str, width: int = 1280, height: int = 800) -> None:
        """Open a page anew in a window of some size, px."""
        self._call("browsingContext.setViewport", context=self._window, viewport={"width": width, "height": height})
        self._call("browsingContext.navigate", context=self._window, url="about:blank", wait="complete")
        self._call("browsingContext.navigate", context=self._window, url=address, wait="complete")

    def run(self, script: str) -> Any:
        """Return what an expression comes to in the page, awaited; through JSON."""
        wrapped = f"Promise.resolve({script}).then(found => JSON.stringify(found ?? null))"
        answer = self._call("script.evaluate", expression=wrapped, target={"context": self._window}, awaitPromise=True)
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def until(self, script: str) -> None:
        """Wait until an expression is true in the page."""
        end = time.monotonic() + PATIENCE
        while not self.run(script):
            if time.monotonic() > end:
                raise TimeoutError(script)
            time.sleep(0.05)

    def press(self, *keys: str) -> None:
        """Press keys one after the other; a special one by its name in WebDriver's private characters."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._call(
            "input.performActions",
            context=self._window,
            actions=[{"type": "key", "id": "keyboard", "actions": actions}],
        )


ENTER, TAB, ESCAPE = "\ue007", "\ue004", "\ue00c"


@contextmanager
def running(program: str, profile: Path) -> Iterator[Firefox]:
    """Start a Firefox with a fresh profile, and stop it afterwards."""
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()]
    (profile / "user.js").write_text("".join(lines), encoding="utf-8")
    command = [
        program,
        "--headless",
        "--no-remote",
        "--remote-debugging-port=0",
        "--profile",
        str(profile),
        "about:blank",
    ]
    log = profile / "said.txt"
    with log.open("w", encoding="utf-8") as said:
        process = subprocess.Popen(command, stdout=said, stderr=said)
    try:
        with connect(f"{_address(process, log)}/session", max_size=None, proxy=None) as line:
            yield Firefox(line)
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


def _address(process: "subprocess.Popen[bytes]", log: Path) -> str:
    end = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < end:
        if found := _READY.search(log.read_text(encoding="utf-8", errors="replace")):
            return found[1]
        time.sleep(0.05)
    raise RuntimeError(f"Firefox did not start:\n{log.read_text(encoding='utf-8', errors='replace')}")
