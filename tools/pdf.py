"""Print the report: `make pdf` writes report.pdf, A4 or Letter, with the Chromium that the browser tests drive.

Everything that a reader on paper needs is brought up first: far sections, still pictures, what the cards say. A
fragment prints another scenario: `python -m tools.pdf --scenario 'machine=a100-sxm4-80gb&T=512'`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser import chromium

ROOT = Path(__file__).resolve().parent.parent
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
WIDTH = 1000  # px: the layout from which the stills are taken; paper sets the rest
READY = """async () => {
  await cards.load();
  dispatchEvent(new Event('beforeprint'));
  const pictures = [...document.querySelectorAll('.for-desk img, .drawing > img')];
  await Promise.all(pictures.map(picture => picture.decode()));
  await document.fonts.ready;
}"""


def prepared(page: Page, address: str) -> None:
    """Open the report and wait until all that is printed is there."""
    page.goto(address)
    page.emulate_media(media="print", color_scheme="light")
    page.evaluate(READY)


def write(page: Page, out: Path, paper: str) -> None:
    """Print the open page to a file."""
    page.pdf(path=str(out), format=paper, prefer_css_page_size=False, print_background=True)


def main() -> int:
    """Print a built site; return 1 if there is none."""
    parser = argparse.ArgumentParser(prog="tools.pdf", description="Print the report.")
    parser.add_argument("--site", type=Path, default=ROOT / "site", help="the folder that a build wrote (site)")
    parser.add_argument("--out", type=Path, default=ROOT / "report.pdf", help="the file to write (report.pdf)")
    parser.add_argument("--paper", choices=("A4", "Letter"), default="A4")
    parser.add_argument("--scenario", default="", help="settings as in a link, without #v=1&")
    given = parser.parse_args()
    index = given.site / "index.html"
    if not index.is_file():
        print(f"there is no {index.name} in {given.site}: build the site first", file=sys.stderr)
        return 1
    fragment = f"#v=1&{given.scenario}" if given.scenario else ""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(FLAGS))
        page = browser.new_page(viewport={"width": WIDTH, "height": 800})
        prepared(page, index.resolve().as_uri() + fragment)
        write(page, given.out, given.paper)
        browser.close()
    print(f"{given.out.name}: {given.out.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
