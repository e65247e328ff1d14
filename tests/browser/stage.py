"""Figures on a page of their own, opened from disk under the strict policy: what several tests set up and look for."""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from playwright.sync_api import Locator, Page

from model.records import Catalogue
from report import assets, browser, fonts
from report.figures import export
from report.figures.drawing import draw, inputs
from report.figures.slot import Slot, hung, slot

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "templates" / "static"
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'"
SCRIPTS = ("marks.js", "in-words.js", "figures.js")  # what makes a figure live
# What page.js does for the figures, without the rest of the page.
READER = """
let current = {}, question;
const tell = () => {
  const base = model.baseOf(current), memo = new Map();
  question = (key, given) => given
    ? model.ask(key, model.baseOf({ ...current, ...given }), new Map()) : model.ask(key, base, memo);
  const done = figures.update({ base, memo, settings: model.differing(current), question });
  document.dispatchEvent(new CustomEvent('scenario'));
  return done;
};
const given = settings => Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
globalThis.read = settings => { current = given(settings); return tell(); };
globalThis.moves = [];
globalThis.scenario = {
  set(changes, how) { moves.push([changes, how]); return read({ ...current, ...changes }); },
  question: key => question(key),
};
figures.start(scenario);
tell();
"""


def write(folder: Path, modules: Mapping[str, Any], catalogue: Catalogue, further: Sequence[str] = ()) -> None:
    """Write a page that holds the figures alone, with further scripts of the site."""
    given = {name: inputs(module, catalogue) for name, module in modules.items()}
    drawings = {name: draw(name, module, given[name]) for name, module in modules.items()}
    shown = hung(_shown([slot(name, module, given[name], catalogue) for name, module in modules.items()]), drawings)
    scripts = {name: text for drawing in drawings.values() for name, text in drawing.scripts.items()}
    files = {"model.js": browser.model_script(catalogue, STATIC), "vega.js": export.bundle(), "reader.js": READER}
    for name, text in (files | scripts | {"index.html": _document(shown, scripts, further)}).items():
        (folder / name).write_text(text, encoding="utf-8")
    stills = [still for drawing in drawings.values() for still in drawing.stills.items()]
    (folder / assets.FOLDER).mkdir()
    for path, data in assets.publish({name: text.encode() for name, text in stills})[0].items():
        (folder / path).write_bytes(data)
    for name in (*SCRIPTS, "style.css", *further):
        shutil.copy(STATIC / name, folder / name)
    for name, data in fonts.subset(dict.fromkeys(("sans", "sans-semibold"), "β×√")).items():
        (folder / name).write_bytes(data)


def _shown(slots: list[Slot]) -> str:
    template = Environment(loader=FileSystemLoader(ROOT / "templates"), autoescape=True).get_template("_figure.html")
    text = {"title": "A figure.", "caption_html": "A caption."}
    given = [{**one.context("", apart=False), **text, "number": i} for i, one in enumerate(slots, 1)]
    return "".join(template.render(figure=one) for one in given)


def _document(shown: str, scripts: Mapping[str, str], further: Sequence[str]) -> str:
    late = json.dumps({name: name for name in ("vega.js", *scripts)}).replace('"', "&quot;")
    files = {"figures.js": f' data-files="{late}"'}
    scripts = "".join(f'<script src="{name}"{files.get(name, "")} defer></script>' for name in SCRIPTS)
    beside = "".join(f'<script src="{name}" defer></script>' for name in further)
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Figures</title>
<meta http-equiv="Content-Security-Policy" content="{POLICY}"><meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="style.css"><script src="model.js" defer></script>
{scripts}{beside}<script src="reader.js" defer></script></head>
<body><div class="page no-contents"><main>{shown}</main></div></body></html>"""


def settle(page: Page) -> Page:
    """Wait until everything that a change of the scenario sets going has been done."""
    page.evaluate("() => globalThis.turns?.settled()")
    return page


def frames(page: Page) -> Page:
    """Wait until what the last action left to its frame is done: a scroll has told of itself, observers have seen."""
    frame = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
    page.evaluate(f"() => {frame}")
    return page


def focus(page: Page, figure: str = "") -> None:
    """Give a live figure the focus. The page may scroll to it, and a scroll hides what a mark has said before."""
    page.locator(f"{figure} .vega-embed").focus()
    frames(page)


def becomes(page: Page, read: Callable[[], Any], wanted: Any) -> None:
    """Wait until what is read is what is wanted; where it stays another, fail on the difference."""
    for _ in range(100):
        if read() == wanted:
            return
        page.wait_for_timeout(50)
    assert read() == wanted


def told(page: Page, script: str, given: Any) -> Any:
    """Return what a script makes of its argument, as evaluate does; as a text: the driver takes its time over lists."""
    # JSON has no word for what is not finite, nor for what is not there.
    plain = "typeof value === 'number' && !Number.isFinite(value) ? { 'not finite': `${value}` } : value ?? null"
    text = page.evaluate(f"given => JSON.stringify(({script})(given), (_, value) => {plain})", given)
    return json.loads(text, object_hook=lambda one: float(one["not finite"]) if "not finite" in one else one)


def show(page: Page, folder: Path, names: tuple[str, ...]) -> Page:
    """Open the page and wait until every figure is live."""
    page.goto((folder / "index.html").as_uri())
    page.mouse.move(5, 5)
    for name in names:
        page.locator(f"#fig-{name}").scroll_into_view_if_needed()
        page.wait_for_selector(f"#fig-{name} .vega-embed svg", state="visible")
    return frames(page)


def marks(page: Page, layer: str) -> Locator:
    """Return the marks of a layer."""
    return page.locator(f".{layer}_marks > *")


def words(page: Page, name: str) -> list[str]:
    """Return the texts that a figure shows."""
    texts = "name => [...document.querySelectorAll(`#fig-${name} .vega-embed text`)].map(text => text.textContent)"
    found: list[str] = page.evaluate(texts, name)
    return [text for text in found if text.strip()]


# Returns what is wrong with a figure: words that no reader should see, labels that touch each other, a line, a mark or
# the edge, marks outside the axes. Asked with {name, lines, marks}, the names of layers. Halos lie under their text.
AUDIT = """({ name, lines, marks }) => {
  const picture = document.querySelector(`#fig-${name} .vega-embed svg`), wrong = [];
  const frame = picture.getBoundingClientRect(), own = layer => [...picture.querySelectorAll(`.${layer}_marks`)];
  const broken = /NaN|Infinity|undefined|null/;
  for (const element of broken.test(picture.outerHTML) ? picture.querySelectorAll('*') : []) {
    for (const { name: key, value } of element.attributes) {
      if (broken.test(value)) wrong.push(`${element.localName} ${key}=${value}`);
    }
  }
  if (broken.test(picture.textContent)) wrong.push(picture.textContent);
  const texts = [...picture.querySelectorAll('text')].filter(text => text.textContent.trim()
    && text.getAttribute('opacity') !== '0' && !text.closest('[class*=_halo]'));
  const boxes = texts.map(text => ({ text: text.textContent, box: text.getBoundingClientRect() }));
  boxes.forEach(({ text, box }, i) => {
    const inside = box.left >= frame.left - 1 && box.right <= frame.right + 1;
    if (!inside || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) wrong.push(`outside: ${text}`);
    for (const other of boxes.slice(i + 1)) {
      const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
      if (across > 1 && down > 4) wrong.push(`overlap: ${text} / ${other.text}`);
    }
    if (parseFloat(getComputedStyle(texts[i]).fontSize) < 11) wrong.push(`small: ${text}`);
    if (text.includes('\\u2026')) wrong.push(`cut: ${text}`);
  });
  for (const line of lines.flatMap(own).flatMap(group => [...group.querySelectorAll('path[d], line')])) {
    const place = line.getScreenCTM(), length = line.getTotalLength(), all = rim(line, place);
    const beside = box => box.left < all.right && box.right > all.left && box.top < all.bottom && box.bottom > all.top;
    const near = boxes.filter(({ box }) => beside(box));
    for (let at = 0; near.length && at <= length; at += 2) {
      const spot = line.getPointAtLength(at).matrixTransform(place);
      for (const { text, box } of near) {
        const within = spot.x > box.left && spot.x < box.right && spot.y > box.top + 3 && spot.y < box.bottom - 3;
        if (within) { wrong.push(`crossed: ${text} by ${line.parentNode.getAttribute('class')}`); at = length; }
      }
    }
  }
  // Where all of a line lies, its own width left out; no word elsewhere can be crossed by it.
  function rim(line, place) {
    const { x, y, width, height } = line.getBBox();
    const corners = [[x, y], [x + width, y], [x, y + height], [x + width, y + height]];
    const seen = corners.map(([x, y]) => new DOMPoint(x, y).matrixTransform(place));
    const [xs, ys] = [seen.map(corner => corner.x), seen.map(corner => corner.y)], { min, max } = Math;
    return { left: min(...xs) - 1, right: max(...xs) + 1, top: min(...ys) - 1, bottom: max(...ys) + 1 };
  }

  const axis = picture.querySelector('.role-axis-domain line').getBoundingClientRect();
  for (const layer of marks) {
    for (const mark of own(layer).flatMap(group => [...group.children])) {
      const box = mark.getBoundingClientRect(), x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
      const inside = x >= axis.left - 1 && x <= axis.right + 1 && y <= axis.top && y >= frame.top;
      if (!inside) wrong.push(`${layer} outside the axes`);
      for (const { text, box: word } of mark.closest('.mark-symbol') ? boxes : []) {  // a bar may bear words
        const across = Math.min(box.right, word.right) - Math.max(box.left, word.left);
        const down = Math.min(box.bottom, word.bottom - 3) - Math.max(box.top, word.top + 3);
        if (across > 1 && down > 1) wrong.push(`covered: ${text} by ${layer}`);
      }
    }
  }
  return wrong;
}"""

# Reads every scenario in turn and audits each figure, unless its picture is the one before; `point` is a layer that
# shows one mark wherever `asks` of the model has a value, and none elsewhere.
SWEEP = f"""async ([scenarios, figures]) => {{
  const audit = {AUDIT}, found = {{}}, last = {{}};
  let pictures = 0;
  for (const scenario of scenarios) {{
    await read(scenario);
    for (const figure of figures) {{
      pictures += 1;
      const picture = document.querySelector(`#fig-${{figure.name}} .vega-embed svg`).outerHTML;
      if (last[figure.name]?.picture !== picture) last[figure.name] = {{ picture, faults: audit(figure) }};
      const wrong = [...last[figure.name].faults];
      if (figure.asks) {{
        const answer = model.ask(figure.asks, model.baseOf(scenario), new Map());
        const points = document.querySelectorAll(`#fig-${{figure.name}} .${{figure.point}}_marks > *`).length;
        if (points !== (answer.v === null ? 0 : 1)) wrong.push(`${{points}} points where the answer is ${{answer.v}}`);
      }}
      if (wrong.length) found[`${{figure.name}} ${{Object.values(scenario).join(' ')}}`] = wrong;
    }}
  }}
  return [pictures, found];
}}"""
