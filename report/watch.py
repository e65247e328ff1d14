"""Rebuild at every edit, and show the last good site on this computer, with pages that reload themselves.

Each build is a process of its own: it sees edited code as well as edited prose, and a crash in it can't end the
watch. The reload script and the looser content policy exist only in what is served; files on disk never change for
them. Leaves out: building, and any address but this computer's own.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import watchfiles

from report.errors import BuildError, Problem

PORT = 8000
_NAMED = 6  # edited files that are named in the terminal
_HOLD = 20.0  # seconds that a page's question "is there a newer site?" stays open before it asks again
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
}
_POLICY = re.compile(rb"<meta\b[^>]*Content-Security-Policy[^>]*>", re.IGNORECASE)
_RELOAD = b"""const seen = document.currentScript.dataset.version;
new EventSource(`/.reload?${seen}`).onmessage = () => location.reload();
"""
_NOTHING = b"<!doctype html><title>No site yet</title><p>No build has succeeded yet: see the terminal.</p></body>"


class Preview(ThreadingHTTPServer):
    """A web server for this computer alone; it reads each file from the folder as it is at that moment."""

    daemon_threads = True

    def __init__(self, out: Path, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Pages)
        self.out = out
        self.news = threading.Condition()
        self.version = time.time_ns()  # differs from that of an earlier watch, whose pages may still be open

    @property
    def address(self) -> str:
        """Where the site is shown."""
        return f"http://127.0.0.1:{self.server_port}/"

    def reload(self) -> None:
        """Tell every open page that there is a newer site."""
        with self.news:
            self.version += 1
            self.news.notify_all()

    def newer(self, seen: str) -> bool:
        """Wait until there is a newer site than the one seen; False when it took too long."""
        with self.news:
            return self.news.wait_for(lambda: str(self.version) != seen, timeout=_HOLD)


class _Pages(BaseHTTPRequestHandler):
    """Answers as a host of static pages does: index.html in folders, 404.html for what is missing."""

    server: Preview

    def do_GET(self) -> None:
        """Send a file, the reload script, or word of a newer site."""
        address = urlsplit(self.path)
        with contextlib.suppress(ConnectionError):  # the page was left or reloaded meanwhile
            if address.path == "/.reload":
                self._send(200, "text/event-stream", b"retry: 300\n\n")
                self.wfile.flush()
                self.wfile.write(b"data: newer\n\n" if self.server.newer(address.query) else b": not yet\n\n")
            elif address.path == "/.reload.js":
                self._send(200, _TYPES[".js"], _RELOAD)
            else:
                self._send_file(address.path)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing: the terminal is for builds."""

    def _send_file(self, address: str) -> None:
        version = self.server.version  # read before the file: a build between the two means one reload too many
        *folders, name = unquote(address).removeprefix("/").split("/")
        target = self.server.out.joinpath(*folders, name or "index.html")
        sound = all(part and _plain(part) for part in folders) and _plain(name)
        if sound and name and target.is_dir():
            self.send_response(301)
            self.send_header("Location", f"{address}/")
            self.end_headers()
            return
        data = _read(target) if sound else None
        if data is not None:
            self._send(200, *_served(target, data, version))
            return
        missing = _read(self.server.out / "404.html")
        self._send(404, *_served(Path("404.html"), _NOTHING if missing is None else missing, version))

    def _send(self, status: int, kind: str, data: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(data)


def _plain(name: str) -> bool:
    """Tell whether a name can be that of a file in a site: it leads nowhere else."""
    return not name.startswith(".") and not set(name) & {"\0", "\\", ":"}


def _read(path: Path) -> bytes | None:
    """Read a file; looked for twice, as a build may exchange the folder between finding it and finding the file."""
    for _ in range(2):
        with contextlib.suppress(FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return path.read_bytes()
    return None


def _served(path: Path, data: bytes, version: int) -> tuple[str, bytes]:
    """Return a file's type and its bytes; a page gets the reload script and leave to ask this server for news."""
    kind = _TYPES.get(path.suffix, "application/octet-stream")
    if path.suffix != ".html":
        return kind, data
    script = b'<script src="/.reload.js" data-version="%d"></script>' % version
    page = _POLICY.sub(lambda meta: re.sub(rb"""(\bcontent=["'])""", rb"\1connect-src 'self'; ", meta[0]), data)
    before, end, after = page.rpartition(b"</body>")
    return kind, before + script + end + after if end else page + script


@contextlib.contextmanager
def preview(out: Path, port: int | None = None) -> Iterator[Preview]:
    """Serve the folder from a thread of its own; on any free port when the usual one is taken and none was named."""
    try:
        server = Preview(out, PORT if port is None else port)
    except (OSError, OverflowError) as error:
        if port is not None:
            reason = f"can't be served on: {getattr(error, 'strerror', None) or error}"
            raise BuildError([Problem("127.0.0.1", port, 0, reason, "name another --port")]) from error
        server = Preview(out, 0)
    with server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def watch(
    command: Sequence[str],
    sources: Sequence[Path],
    out: Path,
    port: int | None = None,
    stop: threading.Event | None = None,
) -> None:
    """Build by the command, serve the folder, and build again whenever a source changes, until told to stop."""
    # The first batch has no changes and comes at once: the watch stands before the first build reads anything, and
    # what is edited during a build is in the batch after it.
    batches = watchfiles.watch(
        *(path for path in sources if path.exists()),
        watch_filter=watchfiles.DefaultFilter(ignore_paths=[os.path.realpath(out)]),
        rust_timeout=200,
        stop_event=stop,
        yield_on_timeout=True,
    )
    with preview(out, port) as server:
        print(f"Showing {out} on {server.address} until Ctrl-C", flush=True)
        for number, batch in enumerate(batches):
            if (number == 0 or batch) and _rebuild(command, sorted({os.path.relpath(path) for _, path in batch})):
                server.reload()


def _rebuild(command: Sequence[str], edited: Sequence[str]) -> bool:
    """Run one build, say what it was for, and return whether it succeeded."""
    if edited:
        more = f" and {len(edited) - _NAMED} more" if len(edited) > _NAMED else ""
        print(f"Edited: {', '.join(edited[:_NAMED])}{more}", flush=True)
    good = subprocess.run(command, check=False).returncode == 0
    if not good:
        print("Not built: the last good site stays", flush=True)
    return good
