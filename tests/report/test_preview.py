"""The preview serves whole pages of the last good site, reloads them, and says what is wrong with the next."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from report import preview as previewing
from report.errors import BuildError
from report.preview import Preview, preview
from report.writer import write

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
    script = f'<script src="/.preview.js" data-state="{reader.server.version}-0"></script>'
    looser = PAGE.replace('content="default-src', "content=\"connect-src 'self'; default-src")
    assert (status, kind) == (200, "text/html; charset=utf-8")
    assert body == looser.replace("</body>", script + "</body>")
    assert (out / "index.html").read_bytes() == SITE["index.html"]
    assert "EventSource" in reader.get("/.preview.js")[2]
    assert reader.get("/.preview.css")[1:] == ("text/css; charset=utf-8", reader.get("/.preview.css")[2])


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
        assert "/.preview.js" in body


def test_an_open_page_hears_of_a_newer_site(reader: Reader):
    seen, answers = reader.server.state, []
    asking = threading.Thread(target=lambda: answers.append(reader.get(f"/.reload?{seen}")))
    asking.start()
    reader.server.reload()
    asking.join()
    assert answers == [(200, "text/event-stream", "retry: 300\n\ndata: newer\n\n")]
    assert reader.get(f"/.reload?{seen}") == answers[0], "also when it asks too late"


def test_an_open_page_hears_of_mistakes_and_keeps_the_site_that_it_shows(reader: Reader, out: Path):
    seen = reader.server.state
    reader.server.complain(['content/x.md:1: <odd> & "bad"', "  1 | x"])
    state, lines = json.loads(reader.get(f"/.reload?{seen}")[2].partition("data: ")[2])
    assert (state, lines) == (reader.server.state, ['content/x.md:1: <odd> & "bad"', "  1 | x"])
    page = reader.get("/")[2]
    assert 'data-wrong="[&quot;content/x.md:1: &lt;odd> &amp; \\&quot;bad\\&quot;&quot;, &quot;  1 | x&quot;]"' in page
    assert (out / "index.html").read_bytes() == SITE["index.html"]
    reader.server.reload(["drift", "tape"])
    assert reader.get(f"/.reload?{state}")[2].endswith("data: newer\n\n")
    page = reader.get("/")[2]
    assert "data-wrong" not in page
    assert 'data-late="drift tape"' in page
    reader.server.reload()
    assert "data-late" not in reader.get("/")[2]


def test_an_open_page_is_told_to_ask_again_when_nothing_is_new(reader: Reader, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(previewing, "_HOLD", 0.01)
    assert reader.get(f"/.reload?{reader.server.state}")[2] == "retry: 300\n\n: not yet\n\n"


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
        line.sendall(f"GET /.reload?{reader.server.state} HTTP/1.0\r\n\r\n".encode())
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
    monkeypatch.setattr(previewing, "PORT", reader.server.server_port)
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
