"""Watch mode serves whole pages of the last good site, reloads them, and survives every mistake in the sources."""

from __future__ import annotations

import http.client
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from report import watch as watching
from report.errors import BuildError
from report.watch import Preview, preview, watch
from report.writer import write

ROOT = Path(__file__).resolve().parents[2]
POLICY = "default-src 'none'; script-src 'self'"
PAGE = f'<!doctype html><meta http-equiv="Content-Security-Policy" content="{POLICY}"><body><p>one</p></body></html>'
SITE = {
    "index.html": PAGE.encode(),
    "404.html": b"<p>nothing here</p>",
    "note/index.html": b"<p>the note</p>",
    "assets/style-0.css": b"p {}",
    "assets/page-0.js": b"1",
    "data/x.bin": b"\0",
}


class Reader:
    """Asks a preview for pages, as a browser does."""

    def __init__(self, server: Preview) -> None:
        self.server = server

    def get(self, path: str) -> tuple[int, str, str]:
        """Return status, content type or new place, and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=60)
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read().decode()
        connection.close()
        return answer.status, answer.headers.get("Location") or answer.headers["Content-Type"], body


def until(true: Callable[[], bool]) -> None:
    """Wait for something that another thread is about to do; a minute of nothing means that it hangs."""
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.005)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    write(SITE, tmp_path / "site")
    return tmp_path / "site"


@pytest.fixture
def reader(out: Path) -> Iterator[Reader]:
    with preview(out, 0) as server:
        yield Reader(server)


def test_only_this_computer_is_served(reader: Reader):
    assert reader.server.server_address[0] == "127.0.0.1"
    assert reader.server.address == f"http://127.0.0.1:{reader.server.server_port}/"


@pytest.mark.parametrize(
    ("path", "kind", "body"),
    [
        ("/assets/style-0.css", "text/css; charset=utf-8", "p {}"),
        ("/assets/page-0.js?v=1", "text/javascript; charset=utf-8", "1"),
        ("/data/x.bin", "application/octet-stream", "\0"),
        ("/data/%78.bin", "application/octet-stream", "\0"),
    ],
)
def test_files_are_served_as_they_are(reader: Reader, path: str, kind: str, body: str):
    assert reader.get(path) == (200, kind, body)


def test_pages_get_the_reload_script_and_leave_to_ask_only_in_what_is_served(reader: Reader, out: Path):
    status, kind, body = reader.get("/")
    script = f'<script src="/.reload.js" data-version="{reader.server.version}"></script>'
    looser = PAGE.replace('content="default-src', "content=\"connect-src 'self'; default-src")
    assert (status, kind) == (200, "text/html; charset=utf-8")
    assert body == looser.replace("</body>", script + "</body>")
    assert (out / "index.html").read_bytes() == SITE["index.html"]
    assert "EventSource" in reader.get("/.reload.js")[2]


def test_a_folder_is_shown_under_its_address_with_a_slash(reader: Reader):
    assert reader.get("/note")[:2] == (301, "/note/")
    assert reader.get("/note/")[2].startswith("<p>the note</p><script")
    assert reader.get("/note/index.html") == reader.get("/note/")


@pytest.mark.parametrize(
    "path",
    [
        "/absent.html",
        "/assets/",
        "/index.html/",
        "/../secret.txt",
        "/note/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/note/..%5c..%5csecret.txt",
        "/.nojekyll",
        "/note//index.html",
        "/index.html%00",
        "/%2fetc/passwd",
        "/absolute",
    ],
)
def test_what_is_missing_or_lies_outside_gets_the_page_that_says_so(reader: Reader, out: Path, path: str):
    (out.parent / "secret.txt").write_text("secret")
    status, kind, body = reader.get(f"/{out.parent}/secret.txt" if path == "/absolute" else path)
    assert (status, kind) == (404, "text/html; charset=utf-8")
    assert body.startswith("<p>nothing here</p>")


def test_before_the_first_good_build_the_page_waits_for_it(tmp_path: Path):
    with preview(tmp_path / "site", 0) as server:
        status, _, body = Reader(server).get("/")
        assert status == 404
        assert "see the terminal" in body
        assert "/.reload.js" in body


def test_an_open_page_hears_of_a_newer_site(reader: Reader):
    seen, answers = reader.server.version, []
    asking = threading.Thread(target=lambda: answers.append(reader.get(f"/.reload?{seen}")))
    asking.start()
    reader.server.reload()
    asking.join()
    assert answers == [(200, "text/event-stream", "retry: 300\n\ndata: newer\n\n")]
    assert reader.get(f"/.reload?{seen}") == answers[0], "also when it asks too late"


def test_an_open_page_is_told_to_ask_again_when_nothing_is_new(reader: Reader, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(watching, "_HOLD", 0.01)
    assert reader.get(f"/.reload?{reader.server.version}")[2] == "retry: 300\n\n: not yet\n\n"


def test_a_page_that_is_left_while_it_waits_is_no_error(
    reader: Reader, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    finished = threading.Event()
    real_handler = reader.server.finish_request

    def handle(request: socket.socket, address: object) -> None:
        real_handler(request, address)  # type: ignore[arg-type]
        finished.set()

    monkeypatch.setattr(reader.server, "finish_request", handle)
    with socket.create_connection(("127.0.0.1", reader.server.server_port)) as line:
        line.sendall(f"GET /.reload?{reader.server.version} HTTP/1.0\r\n\r\n".encode())
        assert line.recv(1)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # reset, as a closed tab does
    reader.server.reload()
    assert finished.wait(60)
    assert capfd.readouterr() == ("", "")


def test_a_port_that_was_named_and_is_taken_is_one_line_for_the_author(reader: Reader, out: Path):
    port = reader.server.server_port
    with (
        pytest.raises(BuildError, match=rf"127\.0\.0\.1:{port}: can't be served on: .*; name another --port"),
        preview(out, port),
    ):
        pass
    with pytest.raises(BuildError, match=r"127\.0\.0\.1:65536: can't be served on"), preview(out, 65536):
        pass


def test_another_port_is_found_when_the_usual_one_is_taken(reader: Reader, out: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(watching, "PORT", reader.server.server_port)
    with preview(out) as other:
        assert other.server_port != reader.server.server_port
        assert Reader(other).get("/note/")[0] == 200


def test_every_page_is_whole_through_twenty_builds(reader: Reader, out: Path):
    def version(number: int) -> dict[str, bytes]:
        return dict.fromkeys(("index.html", "note/index.html", "404.html"), b"<p>%d</p>" % number + b"." * 5000)

    write(version(0), out)
    wrong: list[object] = []
    asked = dict.fromkeys(("/", "/note/"), 0)
    over = threading.Event()

    def ask(path: str) -> None:
        whole = {f"<p>{number}</p>" + "." * 5000 for number in range(21)}
        while not over.is_set():
            status, _, body = reader.get(path)
            if status != 200 or body.partition("<script")[0] not in whole:
                wrong.append((status, body[:20]))
            asked[path] += 1

    asking = [threading.Thread(target=ask, args=(path,)) for path in asked]
    for thread in asking:
        thread.start()
    for number in range(1, 21):
        enough = {path: count + 5 for path, count in asked.items()}
        write(version(number), out)
        until(lambda enough=enough: all(asked[path] >= enough[path] for path in asked))
    over.set()
    for thread in asking:
        thread.join()
    assert not wrong


BUILDER = """
import sys
from pathlib import Path
from report.writer import write
tree = {p.name.replace(".md", ".html"): p.read_bytes() for p in sorted(Path(sys.argv[1]).iterdir())}
if b"broken" in b"".join(tree.values()):
    sys.exit("content: this is broken")
print(write(tree, Path(sys.argv[2])))
"""


class Watched:
    """A watch that runs beside the test, on content that a test may edit."""

    def __init__(self, folder: Path) -> None:
        self.content, self.out = folder / "content", folder / "site"
        self.stop = threading.Event()
        self.reloads = 0
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        command = [sys.executable, "-c", BUILDER, str(self.content), str(self.out)]
        watch(command, [self.content, self.content / "absent"], self.out, 0, self.stop)

    def until(self, true: Callable[[], bool]) -> None:
        """Wait for something that the watch is about to do."""
        until(lambda: true() or not self.thread.is_alive())
        assert self.thread.is_alive(), "the watch ended"

    def page(self, name: str) -> str | None:
        path = self.out / name
        return path.read_text() if path.exists() else None


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    monkeypatch.chdir(ROOT)
    run = Watched(tmp_path)
    run.content.mkdir()
    (run.content / "index.md").write_text("one")
    real_reload = Preview.reload

    def counted(server: Preview) -> None:
        run.reloads += 1
        real_reload(server)

    monkeypatch.setattr(Preview, "reload", counted)
    run.thread.start()
    yield run
    run.stop.set()
    run.thread.join(60)
    assert not run.thread.is_alive()


def test_edits_renames_and_deletions_reach_the_site(watched: Watched, capfd: pytest.CaptureFixture[str]):
    watched.until(lambda: watched.page("index.html") == "one")
    (watched.content / "index.md").write_text("two")
    watched.until(lambda: watched.page("index.html") == "two")
    (watched.content / "note.md").write_text("note")
    watched.until(lambda: watched.page("note.html") == "note")
    (watched.content / "note.md").rename(watched.content / "essay.md")
    watched.until(lambda: watched.page("essay.html") == "note" and watched.page("note.html") is None)
    (watched.content / "essay.md").unlink()
    watched.until(lambda: watched.page("essay.html") is None)
    watched.until(lambda: watched.reloads >= 5)
    said = capfd.readouterr()
    assert f"Edited: {os.path.relpath(watched.content / 'index.md')}\n" in said.out
    assert said.err == ""


def test_a_mistake_leaves_the_last_good_site_and_mending_it_needs_no_restart(
    watched: Watched, capfd: pytest.CaptureFixture[str]
):
    said: list[str] = []

    def heard(word: str) -> bool:
        said.append("".join(capfd.readouterr()))
        return word in "".join(said)

    watched.until(lambda: watched.page("index.html") == "one" and watched.reloads == 1)
    (watched.content / "index.md").write_text("broken")
    watched.until(lambda: heard("Not built: the last good site stays"))
    assert "content: this is broken" in "".join(said)
    assert watched.page("index.html") == "one"
    assert watched.reloads == 1, "pages of the good site are left alone"
    (watched.content / "index.md").write_text("mended")
    watched.until(lambda: watched.page("index.html") == "mended")


def test_many_edits_are_named_in_one_short_line(capfd: pytest.CaptureFixture[str]):
    assert watching._rebuild([sys.executable, "-c", ""], [f"{number}.md" for number in range(9)])
    assert capfd.readouterr().out == "Edited: 0.md, 1.md, 2.md, 3.md, 4.md, 5.md and 3 more\n"


def test_nothing_is_built_while_nothing_is_edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    batches = [set(), set(), {(1, "a.md"), (2, "b.md")}, set(), set()]
    built: list[list[str]] = []
    monkeypatch.setattr(watching.watchfiles, "watch", lambda *_, **__: iter(batches))
    monkeypatch.setattr(watching, "_rebuild", lambda command, edited: built.append(edited) or True)
    watch(["true"], [], tmp_path / "site", 0)
    assert built == [[], ["a.md", "b.md"]]
