"""The command `build.py`: what each word does, what it says, and with which exit code it ends."""

from __future__ import annotations

import argparse
import contextlib
import errno
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from report import ahead, cache, workers
from report.errors import BuildError, nearest
from report.tree import admit, complete

ROOT = Path(__file__).resolve().parent.parent
NEAR = Path(os.path.relpath(ROOT))  # as seen from where the command is given, so that messages name files the short way
WORDS = ("build", "check", "watch", "diff")
FLAGS = ("--content", "--out", "--base-url", "--port", "--no-cache", "--help")
ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(:\d{1,5})?(/[A-Za-z0-9._~%-]+)*/?")
CODES = "Exit codes: 0 good; 1 the content or one of its checks failed; 2 usage; 130 ended by Ctrl-C, 143 by SIGTERM."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 good, 1 content or check failed, 2 usage, 130 interrupted."""
    options = _read(arguments)
    try:
        if options.word in ("build", "watch"):
            admit(options.out, ROOT, options.content)
        _DO[options.word](options)
        print(end="", flush=True)
    except BuildError as error:
        _say(error, options)
        return 1
    except OSError as error:
        if error.errno not in _OUTER:
            raise
        _give_up(error)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


# What the system refuses whatever the code does: no room, a file or a process too many, nobody who reads what is said.
_OUTER = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM, errno.EPIPE)


def _give_up(error: OSError) -> None:
    """Say in one line what the system refused, and nothing more to an output that takes nothing."""
    with contextlib.suppress(OSError):
        print(f"{error.filename or 'the output'}: {error.strerror}; the build ends here", file=sys.stderr)
    with contextlib.suppress(OSError, ValueError), open(os.devnull, "wb") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), sys.stdout.fileno())  # or Python tries once more on its way out, and complains


def _say(error: BuildError, options: argparse.Namespace) -> None:
    """Print every mistake with its line of the source, below the edits since the last good site that are behind it."""
    if options.word == "diff":  # its mistakes are in no source, and it writes nothing at any time
        print(*error.problems, sep="\n", file=sys.stderr)
        return
    from report.excerpts import colourful
    from report.telling import telling

    told = telling(error.problems, options.content, options.out)
    end = "the watch has not begun" if options.word == "watch" else "nothing written"
    print(*told.lines(colourful(sys.stderr)), "", f"{told.summary}; {end}", sep="\n", file=sys.stderr)


def _port(text: str) -> int:
    """Return the number of a port; argparse tells what is wrong with another text."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is no port, which is a number, as in --port 8000")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="build.py", description="Build the report.", epilog=CODES, allow_abbrev=False)
    parser.add_argument(
        "word",
        nargs="?",
        default="build",
        help="build (default), check (writes nothing), watch (builds at every edit) or diff (compares two sites)",
    )
    parser.add_argument(
        "sides", nargs="*", metavar="OLD NEW", help="what diff compares: sites, numbers.json, revisions"
    )
    parser.add_argument("--content", type=Path, default=NEAR / "content", metavar="DIR", help="what the authors wrote")
    parser.add_argument("--out", type=Path, default=NEAR / "site", metavar="DIR", help="the folder to fill")
    parser.add_argument("--base-url", metavar="URL", help="the site's address; without one, that in content/site.yaml")
    parser.add_argument("--port", type=_port, help="where watch shows the site, on this computer")
    parser.add_argument("--no-cache", action="store_true", help="make everything anew; the result is the same")
    return parser


def _read(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = _parser()
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        parser.error(f"unknown argument '{unknown[0]}'; {nearest(unknown[0].split('=')[0], FLAGS) or 'see --help'}")
    if options.word not in WORDS:
        parser.error(f"unknown word '{options.word}'; {nearest(options.word, WORDS) or 'see --help'}")
    if len(options.sides) != (2 if options.word == "diff" else 0):
        parser.error("diff wants OLD and NEW" if options.word == "diff" else f"unknown argument '{options.sides[0]}'")
    if options.base_url is not None and not ADDRESS.fullmatch(options.base_url):
        parser.error(f"--base-url '{options.base_url}' is no address such as https://example.org/report/")
    if options.port is not None and options.word != "watch":
        parser.error(f"--port is for watch alone, and no flag of {options.word}")
    if options.port is not None and not 0 <= options.port <= 65535:
        parser.error(f"--port {options.port} is no port: they go from 0 (any that is free) to 65535")
    if options.out.name != options.out.name.strip():
        parser.error(f"--out '{options.out}' begins or ends with a blank, as no folder's name should")
    if not options.content.is_dir():
        parser.error(f"--content '{options.content}' is no folder")
    # A folder given as "." has no name that messages could use; resolve() would put another name for a linked one.
    options.content = Path(os.path.abspath(options.content))  # noqa: PTH100
    return options


def _build(options: argparse.Namespace) -> None:
    from report.writer import write

    started = time.perf_counter()
    files = _rendered(options)
    whole = complete(files)
    done = "nothing written" if options.word == "check" else write(files, options.out)
    pages, size = sum(path.endswith(".html") for path in whole), sum(map(len, whole.values())) / 1e6
    print(f"{pages} pages, {len(whole)} files, {size:.1f} MB in {time.perf_counter() - started:.1f} s: {done}")


def _rendered(options: argparse.Namespace) -> dict[str, bytes]:
    """Return the site, from the cache as far as that holds it."""
    address = options.base_url and options.base_url.rstrip("/") + "/"

    def make() -> dict[str, bytes]:
        with _help(options.content):
            from report.site import render

            return render(options.content, address)

    with workers.unswept(), cache.using(None if options.no_cache else cache.FOLDER):
        return cache.whole(options.content, address, make)


@contextlib.contextmanager
def _help(content: Path) -> Iterator[None]:
    """Let a worker bundle and draw while this process still reads, unless the pictures are in the cache."""
    folder = content / "catalogue"
    with workers.beside() if not cache.holds("drawn", folder) else contextlib.nullcontext():
        workers.ahead("report.figures.export:bundled")
        ahead.draw(folder)
        yield


def _diff(options: argparse.Namespace) -> None:
    from report.diff import compare

    old, new = options.sides
    print(compare(old, new, ROOT), end="")


def _watch(options: argparse.Namespace) -> None:
    import gc

    from report.excerpts import colourful
    from report.watch import watch
    from report.wish import Wish

    gc.enable()  # this process lives long
    wish = Wish(
        content=str(options.content),
        out=str(options.out),
        base_url=options.base_url,
        colour=colourful(sys.stderr),
        cached=not options.no_cache,
    )
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from report.builder import main; main()"
    command = [sys.executable, "-P", "-c", code, json.dumps(asdict(wish))]
    watch(command, [options.content, *(ROOT / name for name in cache.CODE)], options.out, options.port)


_DO: Mapping[str, Callable[[argparse.Namespace], None]] = {
    "build": _build,
    "check": _build,
    "watch": _watch,
    "diff": _diff,
}
