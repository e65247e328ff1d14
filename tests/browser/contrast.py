"""How well words stand out from what lies behind them, as WCAG counts it: in live figures, and in the page around them.

The page's colours come as rgb() or as color(srgb ...); a word in part transparent is mixed with its ground first.
"""

_COLOURS = """
  const rgb = text => {
    const parts = (text.match(/-?[\\d.]+(e-?\\d+)?/g) || []).map(Number);
    return text.startsWith('color(') ? parts.map((part, i) => i < 3 ? 255 * part : part) : parts;
  };
  const channel = part => part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const ratio = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const over = ([top, part], below) => top.map((value, at) => value * part + below[at] * (1 - part));
  const paper = rgb(getComputedStyle(document.documentElement).backgroundColor).slice(0, 3);
"""

# Returns the number of words in live figures, and those that stand out too little.
IN_FIGURES = (
    "() => {"
    + _COLOURS
    + """
  const shade = element => {
    const { fill, fillOpacity, opacity } = getComputedStyle(element), [r, g, b, alpha = 1] = rgb(fill);
    return fill === 'none' ? null : [[r, g, b], alpha * Number(fillOpacity) * Number(opacity)];
  };
  const ground = (svg, x, y) => document.elementsFromPoint(x, y)
    .filter(one => svg.contains(one) && one.localName !== 'text' && one.localName !== 'svg')
    .map(shade).filter(Boolean).reverse().reduce((below, top) => over(top, below), paper);
  const halo = text => getComputedStyle(text).stroke !== 'none';  // the same word stands on it
  const faults = [];
  for (const svg of document.querySelectorAll('figure svg.marks')) {
    svg.scrollIntoView({ block: 'center' });
    for (const text of svg.querySelectorAll('text')) {
      const { left, top, width, height } = text.getBoundingClientRect(), seen = shade(text);
      if (!width || !seen || seen[1] < 0.05 || !text.textContent.trim() || halo(text)) continue;
      const below = ground(svg, left + width / 2, top + height / 2), found = ratio(over(seen, below), below);
      if (found < 4.49) faults.push(`${svg.closest('figure').id} “${text.textContent}” ${found.toFixed(2)}`);
    }
  }
  return [document.querySelectorAll('figure svg.marks text').length, faults];
}"""
)

# Returns the number of words of the page inside some elements, and those that stand out too little from the grounds
# that they inherit; asked with a selector. What is switched off may be faint.
IN_PAGE = (
    "selector => {"
    + _COLOURS
    + """
  const ground = element => {
    const grounds = [];
    for (let one = element; one; one = one.parentElement) {
      const [r, g, b, alpha = 1] = rgb(getComputedStyle(one).backgroundColor);
      grounds.push([[r, g, b], alpha]);
    }
    return grounds.reverse().reduce((below, top) => over(top, below), paper);
  };
  const words = element => element.localName === 'select' || element.localName === 'input'
    || [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
  const faults = [];
  let count = 0;
  for (const root of document.querySelectorAll(selector)) {
    for (const element of [root, ...root.querySelectorAll('*')]) {
      if (element.closest('svg, [hidden], :disabled') || !words(element) || !element.checkVisibility()) continue;
      const [r, g, b, alpha = 1] = rgb(getComputedStyle(element).color), below = ground(element);
      const found = ratio(over([[r, g, b], alpha], below), below);
      count += 1;
      const said = `${element.localName} “${element.textContent.trim().slice(0, 40)}” ${found.toFixed(2)}`;
      if (found < 4.49) faults.push(said);
    }
  }
  return [count, faults];
}"""
)
