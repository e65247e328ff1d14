"""Time what a reader waits for, in the Chromium that the tests use: `python -m bench.reading`.

Prints sizes, blocking time, script tasks and the time from a change to the painted sentence and figure, as it is and
at a fourth of the speed, each beside its limit; ends with 1 when a limit is passed. A time is the median of several
changes. Run it on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from bench.run import Line
from tests.browser import chromium
from tests.browser.conftest import FLAGS

ROOT = Path(__file__).resolve().parent.parent
SLOW = 4  # times slower than this machine
FRAME = 1000 / 60  # ms
LONG = 50  # ms: what a task takes beyond this keeps the page from answering
MACHINES = ("a100-sxm4-80gb", "b200-sxm", "v100-sxm2", "tpu-v5p", "cray-1", "amd-mi300x")
WATCH = """() => {
  globalThis.tasks = [];
  new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) tasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
}"""
# Changes the machine; returns how long until the frame is painted that shows the sentences in view, until the last
# change of the live figure in view is painted, and how many sentences in view that first frame showed wrong.
CHANGE = """async machine => {
  const control = document.querySelector('#control-machine'), room = document.documentElement.clientHeight;
  const figure = document.querySelector('#fig-roofline .vega-embed');
  const seen = [...document.querySelectorAll('main .n.live')].filter(one => {
    const { top, bottom } = one.getBoundingClientRect();
    return one.checkVisibility({ contentVisibilityAuto: true }) && bottom > 0 && top < room;
  });
  // A frame that is asked for here comes before all that the page asks for, and a message of it right after the paint.
  const painted = () => new Promise(done => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(performance.now());
    port2.postMessage(null);
  }));
  let drawn = performance.now();
  const watch = new MutationObserver(async () => { drawn = await painted(); });
  watch.observe(figure, { subtree: true, childList: true, attributes: true, characterData: true });
  const first = painted(), began = performance.now();
  control.value = machine;
  control.dispatchEvent(new Event('change', { bubbles: true }));
  const read = await first, texts = seen.map(one => one.textContent);
  await new Promise(done => setTimeout(done, 800));
  watch.disconnect();
  return [read - began, drawn - began, seen.filter((one, i) => one.textContent !== texts[i]).length];
}"""
# Brings a figure near that was never live, and returns how long it takes to come alive.
AWAKE = """async name => {
  const began = performance.now(), figure = document.querySelector(`#fig-${name}`);
  figure.scrollIntoView({ block: 'center' });
  while (!figure.querySelector('.vega-embed svg')) await new Promise(requestAnimationFrame);
  return performance.now() - began;
}"""


@contextmanager
def built() -> Iterator[Path]:
    """Yield the folder of a site built of this checkout."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "build.py", f"--out={folder}/site"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stderr)
        yield Path(folder) / "site"


def sizes(site: Path) -> list[Line]:
    """Return what the first paint needs of the network, compressed."""
    text = (site / "index.html").read_text(encoding="utf-8")
    [sheet] = re.findall(r'<link rel="stylesheet" href="([^"]+)"', text)
    [theme] = re.findall(r"<script(?![^>]*\bdefer\b)[^>]*src=\"([^\"]+)\"", text)
    page, style = (len(gzip.compress(data, 9)) / 1e3 for data in (text.encode(), (site / sheet).read_bytes()))
    [serif] = (site / "assets").glob("serif-????????.woff2")
    font = serif.stat().st_size / 1e3
    return [
        Line("page, compressed", page, "kB", None),
        Line("page, style sheet and one font", page + style + font, "kB", 120),
        Line("script in the way of the first paint", (site / theme).stat().st_size / 1e3, "kB", 1),
        Line(
            "all files of the site",
            sum(file.stat().st_size for file in site.rglob("*") if file.is_file()) / 1e6,
            "MB",
            None,
        ),
    ]


def opened(browser: Browser, site: Path, slower: float) -> Page:
    """Open the report with its long tasks watched, on a processor slower than this one."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.add_init_script(f"({WATCH})()")
    page.goto((site / "index.html").as_uri())
    page.wait_for_timeout(2500)
    return page


def before_the_reader_acts(browser: Browser, site: Path, runs: int) -> list[Line]:
    """Return what script and layout keep the page from answering, before anything is asked of it."""
    found, scripts = [], []
    for _ in range(runs):
        browser.start_tracing(categories=["devtools.timeline"])
        page = opened(browser, site, SLOW)
        found.append(page.evaluate("() => tasks"))
        page.context.close()
        scripts.append(longest_script(browser.stop_tracing(), site))
    blocking = median(sum(max(0.0, task - LONG) for task in tasks) for tasks in found)
    longest, scripted = median(max(tasks, default=0.0) for tasks in found), median(scripts)
    return [
        Line(f"blocking time at {SLOW}× slower", blocking, "ms", 200),
        Line(f"longest script task at {SLOW}× slower", scripted, "ms", LONG),
        Line(f"longest task of all at {SLOW}× slower", longest, "ms", None),
    ]


def longest_script(trace: bytes, site: Path) -> float:
    """Return how long the longest run of a script of the site took, in ms, layout that it asked for included."""
    runs: list[float] = [
        event["dur"] / 1e3
        for event in json.loads(trace)["traceEvents"]
        if event["name"] in ("EvaluateScript", "FunctionCall")
        and str(event["args"].get("data", {}).get("url", "")).startswith(site.as_uri())
    ]
    if not runs:
        sys.exit("the trace shows no script of the site")
    return max(runs)


def changes(browser: Browser, site: Path, slower: float, limits: tuple[float, float, float]) -> list[Line]:
    """Return how long a reader waits for sentences, for a live figure in view, and for one that was never live."""
    page = opened(browser, site, slower)
    page.mouse.move(200, 200)
    page.mouse.wheel(0, 100)
    woken = [page.evaluate(AWAKE, name) for name in ("roofline", "drift", "bytes", "window")]
    page.evaluate("() => document.querySelector('#fig-roofline').scrollIntoView({ block: 'center' })")
    page.wait_for_timeout(1500)
    waits: list[Any] = []
    for machine in MACHINES:
        waits.append(page.evaluate(CHANGE, machine))
        page.wait_for_timeout(600)
    page.context.close()
    read, drawn = (median(wait[which] for wait in waits) for which in (0, 1))
    if sum(wait[2] for wait in waits):
        sys.exit("the first frame after a change shows sentences of the scenario before it")
    speed = "" if slower == 1 else f" at {slower:g}× slower"
    text, figure, woke = limits
    return [
        Line(f"a change, to its sentences{speed}", read, "ms", text),
        Line(f"a change, to the figure in view{speed}", drawn, "ms", figure),
        Line(f"a figure comes alive{speed}", median(woken), "ms", woke),
    ]


def main() -> int:
    """Measure, print the table, and return 0 if every limit holds, else 1."""
    parser = argparse.ArgumentParser(prog="bench/reading.py", description="Time what a reader waits for.")
    parser.add_argument("--site", type=Path, help="a site that is built already")
    parser.add_argument("--runs", type=int, default=3, metavar="N", help="how often the page is opened (3)")
    options = parser.parse_args()
    with sync_playwright() as playwright, built() if options.site is None else _given(options.site) as site:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(FLAGS))
        lines = [
            *sizes(site),
            *before_the_reader_acts(browser, site, max(1, options.runs)),
            *changes(browser, site, 1, (2 * FRAME, 100, 1000)),
            *changes(browser, site, SLOW, (2 * FRAME, 250, 1500)),
        ]
        browser.close()
    print(f"{'reading':<36} {'measured':>8} {'':<10} {'at most':>14}", *lines, sep="\n")
    return 0 if all(line.passed for line in lines) else 1


@contextmanager
def _given(site: Path) -> Iterator[Path]:
    yield site.resolve()


if __name__ == "__main__":
    raise SystemExit(main())
