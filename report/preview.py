"""Show a site on this computer, with pages that reload themselves and say what is wrong with the next site.

What the preview adds (a script, a style sheet, leave to ask this server) exists only in what it serves; files on disk
never change for it. Leaves out: building, and any address but this computer's own.
"""

from __future__ import annotations

import contextlib
import json
import re
import threading
import time
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from report.errors import BuildError, Problem

PORT = 8000
_HOLD = 20.0  # seconds that a page's question "is there any news?" stays open before it asks again
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
_OWN = Path(__file__).resolve().parent / "preview"  # served as /.preview.js and /.preview.css
_NOTHING = b"<!doctype html><title>No site</title><p>There is no site to show: see the terminal.</p></body>"


class Preview(ThreadingHTTPServer):
    """A web server for this computer alone; it reads each file from the folder as it is at that moment."""

    daemon_threads = True

    def __init__(self, out: Path, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Pages)
        self.out = out
        self.news = threading.Condition()
        self.version = time.time_ns()  # differs from that of an earlier watch, whose pages may still be open
        self.said = 0  # counts what was said about mistakes
        self.wrong: tuple[str, ...] = ()
        self.late: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """Where the site is shown."""
        return f"http://127.0.0.1:{self.server_port}/"

    @property
    def state(self) -> str:
        """What a page has seen: the site's version, and how often something was said about mistakes."""
        return f"{self.version}-{self.said}"

    def reload(self, late: Sequence[str] = ()) -> None:
        """Tell every open page that there is a newer site, without mistakes; late names figures with old pictures."""
        with self.news:
            self.version += 1
            self.wrong, self.late = (), tuple(late)
            self.news.notify_all()

    def complain(self, wrong: Sequence[str]) -> None:
        """Tell every open page what is wrong with the sources; the site that it shows stays."""
        with self.news:
            self.said += 1
            self.wrong = tuple(wrong)
            self.news.notify_all()

    def newer(self, seen: str) -> str:
        """Wait for news to a page that has seen a state: the word "newer", mistakes as JSON, or nothing in time."""
        with self.news:
            if not self.news.wait_for(lambda: self.state != seen, timeout=_HOLD):
                return ""
            return "newer" if str(self.version) != seen.partition("-")[0] else json.dumps([self.state, self.wrong])


class _Pages(BaseHTTPRequestHandler):
    """Answers as a host of static pages does: index.html in folders, 404.html for what is missing."""

    server: Preview

    def do_GET(self) -> None:
        """Send a file, what the preview adds to pages, or its news."""
        address = urlsplit(self.path)
        with contextlib.suppress(ConnectionError):  # the page was left or reloaded meanwhile
            if address.path == "/.reload":
                self._send(200, "text/event-stream", b"retry: 300\n\n")
                self.wfile.flush()
                news = self.server.newer(address.query)
                self.wfile.write(f"data: {news}\n\n".encode() if news else b": not yet\n\n")
            elif address.path in ("/.preview.js", "/.preview.css"):
                own = _OWN.with_suffix(Path(address.path[2:]).suffix)
                self._send(200, _TYPES[own.suffix], own.read_bytes())
            else:
                self._send_file(address.path)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing: the terminal is for builds."""

    def _send_file(self, address: str) -> None:
        with self.server.news:  # read before the file: a build between the two means one reload too many
            added = _added(self.server)
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
            self._send(200, *_served(target, data, added))
            return
        missing = _read(self.server.out / "404.html")
        self._send(404, *_served(Path("404.html"), _NOTHING if missing is None else missing, added))

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


def _added(server: Preview) -> bytes:
    """Return the script that the preview adds to a page, with what the page is to know."""
    facts = {"state": server.state, "wrong": json.dumps(server.wrong), "late": " ".join(server.late)}
    written = " ".join(f'data-{name}="{_quoted(text)}"' for name, text in facts.items() if text not in ("", "[]"))
    return f'<script src="/.preview.js" {written}></script>'.encode()


def _quoted(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def _served(path: Path, data: bytes, added: bytes) -> tuple[str, bytes]:
    """Return a file's type and its bytes; a page gets the preview's script and leave to ask this server for news."""
    kind = _TYPES.get(path.suffix, "application/octet-stream")
    if path.suffix != ".html":
        return kind, data
    page = _POLICY.sub(lambda meta: re.sub(rb"""(\bcontent=["'])""", rb"\1connect-src 'self'; ", meta[0]), data)
    before, end, after = page.rpartition(b"</body>")
    return kind, before + added + end + after if end else page + added


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
