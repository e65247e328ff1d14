"""Build the report: python build.py [build|check|watch] [--content DIR] [--out DIR] [--base-url URL]."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from report.errors import BuildError, nearest
from report.tree import admit, complete

ROOT = Path(__file__).resolve().parent
NEAR = Path(os.path.relpath(ROOT))  # as seen from where the command is given, so that messages name files the short way
WORDS = ("build", "check", "watch")
FLAGS = ("--content", "--out", "--base-url", "--port", "--help")
ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(:\d{1,5})?(/[A-Za-z0-9._~%-]+)*/?")
CODE = ("build.py", "model", "report", "templates")  # what a watch looks at besides the content


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 good, 1 content or check failed, 2 usage, 130 interrupted."""
    options = _read(arguments)
    try:
        if options.word != "check":
            admit(options.out, ROOT, options.content)
        (_watch if options.word == "watch" else _build)(options)
    except BuildError as error:
        print(*error.problems, f"problems: {len(error.problems)}; nothing written", sep="\n", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _read(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="build.py", description="Build the report.", allow_abbrev=False)
    parser.add_argument("word", nargs="?", default="build", help="build (default), check (writes nothing) or watch")
    parser.add_argument("--content", type=Path, default=NEAR / "content", metavar="DIR", help="what the authors wrote")
    parser.add_argument("--out", type=Path, default=NEAR / "site", metavar="DIR", help="the folder to fill")
    parser.add_argument("--base-url", metavar="URL", help="the site's address; without one, that in content/site.yaml")
    parser.add_argument("--port", type=int, help="where watch shows the site, on this computer")
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        parser.error(f"unknown argument '{unknown[0]}'; {nearest(unknown[0].split('=')[0], FLAGS) or 'see --help'}")
    if options.word not in WORDS:
        parser.error(f"unknown word '{options.word}'; {nearest(options.word, WORDS) or 'see --help'}")
    if options.base_url is not None and not ADDRESS.fullmatch(options.base_url):
        parser.error(f"--base-url '{options.base_url}' is no address such as https://example.org/report/")
    if not options.content.is_dir():
        parser.error(f"--content '{options.content}' is no folder")
    return options


def _build(options: argparse.Namespace) -> None:
    from report.site import render
    from report.writer import write

    started = time.perf_counter()
    files = render(options.content, options.base_url and options.base_url.rstrip("/") + "/")
    whole = complete(files)
    done = "nothing written" if options.word == "check" else write(files, options.out)
    pages, size = sum(path.endswith(".html") for path in whole), sum(map(len, whole.values())) / 1e6
    print(f"{pages} pages, {len(whole)} files, {size:.1f} MB in {time.perf_counter() - started:.1f} s: {done}")


def _watch(options: argparse.Namespace) -> None:
    from report.watch import watch

    base = [f"--base-url={options.base_url}"] if options.base_url else []
    command = [sys.executable, __file__, f"--content={options.content}", f"--out={options.out}", *base]
    watch(command, [options.content, *(ROOT / name for name in CODE)], options.out, options.port)


if __name__ == "__main__":
    raise SystemExit(main())
